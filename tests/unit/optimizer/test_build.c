/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of builds: setting parts, price, totals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "support/assert_near.h"

static void test_build_set__reads_name_and_count(void **state)
{
    static const struct {
        const char *text, *name;
        rig_table table;
        int count;
    } rows[] = {
        {"Card Two", "Card Two", RIG_TABLE_GPU, 1},
        {"  Card Two x2 ", "Card Two", RIG_TABLE_GPU, 2},
        {"card two X8", "Card Two", RIG_TABLE_GPU, 8},
        {"geforce three", "GeForce Card Three", RIG_TABLE_GPU, 1},
        {"Card Two   x1024", "Card Two", RIG_TABLE_GPU, 1024},
        {"RDIMM 32 D4 x16", "RDIMM 32 D4", RIG_TABLE_MEMORY, 16},
    };
    const fixture *const fix = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_build build = rig_build_empty();
        rig_error err = {0};
        const rig_status status =
            rig_build_set(&build, fix->catalog, rows[i].table, rows[i].text, &err);
        if (status != RIG_OK) {
            fail_msg("%s: %s", rows[i].text, err.message);
        }
        assert_string_equal(build.parts[rows[i].table].row->name, rows[i].name);
        assert_int_equal(build.parts[rows[i].table].count, rows[i].count);
        assert_false(build.parts[rows[i].table].is_owned);
    }
}

static void test_build_set__refuses(void **state)
{
    static char long_name[300];
    static const struct {
        const char *text, *message;
        rig_table table;
        rig_status status;
    } rows[] = {
        {"Card Two x0", "'Card Two x0' (x1 to x1024)", RIG_TABLE_GPU, RIG_E_RANGE},
        {"Card Two x1025", "'Card Two x1025'", RIG_TABLE_GPU, RIG_E_RANGE},
        {"Card Two x99999999999999999999", "out of range", RIG_TABLE_GPU, RIG_E_RANGE},
        {"No Such Card", "No Such Card", RIG_TABLE_GPU, RIG_E_NOTFOUND},
        {"   ", "is empty", RIG_TABLE_GPU, RIG_E_INVALID},
        {long_name, "too long", RIG_TABLE_GPU, RIG_E_INVALID},
        {"net", "holds no such class: 'network'", RIG_TABLE_NETWORK, RIG_E_INVALID},
        {"Epyc", "Epyc", RIG_TABLE_CPU, RIG_E_INVALID}, /* ambiguous */
    };
    const fixture *const fix = *state;
    memset(long_name, 'a', sizeof long_name - 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_build build = rig_build_empty();
        rig_error err = {0};
        const rig_status status =
            rig_build_set(&build, fix->catalog, rows[i].table, rows[i].text, &err);
        if (status != rows[i].status || strstr(err.message, rows[i].message) == NULL) {
            fail_msg("%s: %s: %s", rows[i].text, rig_status_name(status), err.message);
        }
    }
}

static void test_build_set__adds_same_part_and_refuses_a_second_kind(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    rig_error err = {0};
    assert_int_equal(rig_build_set(&build, fix->catalog, RIG_TABLE_GPU, "Card Two x2", &err), 0);
    assert_int_equal(rig_build_set(&build, fix->catalog, RIG_TABLE_GPU, "Card Two", &err), 0);
    assert_int_equal(build.parts[RIG_TABLE_GPU].count, 3);
    assert_int_equal(rig_build_set(&build, fix->catalog, RIG_TABLE_GPU, "Card Two x1022", &err),
                     RIG_E_RANGE);
    assert_int_equal(rig_build_set(&build, fix->catalog, RIG_TABLE_GPU, "Card One", &err),
                     RIG_E_INVALID);
    assert_non_null(strstr(err.message, "already holds 'Card Two'"));
    assert_int_equal(build.parts[RIG_TABLE_GPU].count, 3);
}

static void test_build_price__sums_parts(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    assert_true(rig_build_price_cents(&build) == 0);
    build = fixture_desktop(fix);
    /* 300 + 2 x 4000 + 2 x 200 + 150 + 250 + 400 + 200 */
    assert_true(rig_build_price_cents(&build) == 970000);
    build.parts[RIG_TABLE_GPU].is_owned = true;
    assert_true(rig_build_price_cents(&build) == 170000);
    fixture_add(fix, &build, RIG_TABLE_CPU, "Priceless");
    assert_true(rig_build_price_cents(&build) == -1);
    build.parts[RIG_TABLE_CPU].is_owned = true;
    assert_true(rig_build_price_cents(&build) == 140000);
}

static void test_build_price__does_not_overflow(void **state)
{
    static rig_row dear = {.name = "Dear", .table = RIG_TABLE_GPU};
    rig_build build = rig_build_empty();
    (void)state;
    dear.price.cents = INT64_MAX / 2;
    build.parts[RIG_TABLE_GPU].row = &dear;
    build.parts[RIG_TABLE_GPU].count = 3;
    assert_true(rig_build_price_cents(&build) == INT64_MAX);
}

static void test_build_totals__desktop(void **state)
{
    const fixture *const fix = *state;
    const rig_build build = fixture_desktop(fix);
    rig_build_totals totals;
    rig_build_totals_get(&build, fix->catalog, &fix->constants, &totals);
    /* CPU 100, GPUs 600, modules 4 x 5, drive 8, board 50 */
    ASSERT_SAME("peak", totals.peak_w, 778);
    ASSERT_SAME("supply", totals.supply_w, 1600);
    ASSERT_SAME("height", totals.rack_u, NAN);
    ASSERT_SAME("gpus", totals.gpu_count, 2);
    ASSERT_SAME("gpu memory", totals.gpu_mem_gb, 96);
    ASSERT_SAME("cores", totals.cpu_cores, 8);
    ASSERT_SAME("memory", totals.ram_gb, 128);
    ASSERT_SAME("storage", totals.storage_gb, 2000);
    ASSERT_SAME("lanes", totals.pcie_lanes_spare, 0);
}

static void test_build_totals__barebone_and_servers(void **state)
{
    const fixture *const fix = *state;
    rig_build build = fixture_barebone(fix);
    rig_build_totals totals;
    rig_build_totals_get(&build, fix->catalog, &fix->constants, &totals);
    /* CPUs 300, GPUs 2400, modules 16 x 5, drives 2 x 8, server 300 */
    ASSERT_SAME("peak", totals.peak_w, 3096);
    ASSERT_SAME("supply", totals.supply_w, 5000);
    ASSERT_SAME("height", totals.rack_u, 4);
    ASSERT_SAME("memory", totals.ram_gb, 512);
    /* 160 lanes less 16 reserved less 8 x 16 for GPUs less 8 for drives */
    ASSERT_SAME("lanes", totals.pcie_lanes_spare, 8);

    build = rig_build_empty();
    fixture_add(fix, &build, RIG_TABLE_SERVER, "Complete");
    rig_build_totals_get(&build, fix->catalog, &fix->constants, &totals);
    /* CPUs 300, GPUs 3200, server 300 */
    ASSERT_SAME("server peak", totals.peak_w, 3800);
    ASSERT_SAME("server supply", totals.supply_w, 6000);
    ASSERT_SAME("server memory", totals.ram_gb, 512);
    ASSERT_SAME("server storage", totals.storage_gb, 15000);
    ASSERT_SAME("server cores", totals.cpu_cores, 32);
    ASSERT_SAME("server GPUs", totals.gpu_count, 8);

    build = rig_build_empty();
    fixture_add(fix, &build, RIG_TABLE_SERVER, "Bare Facts");
    rig_build_totals_get(&build, fix->catalog, &fix->constants, &totals);
    ASSERT_SAME("unknown peak", totals.peak_w, NAN);
    ASSERT_SAME("unknown GPUs", totals.gpu_count, NAN);
    ASSERT_SAME("unknown cores", totals.cpu_cores, NAN);
    ASSERT_SAME("unknown memory", totals.ram_gb, NAN);
    ASSERT_SAME("unknown storage", totals.storage_gb, NAN);
}

static void test_build_totals__unnamed(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    rig_build_totals totals;
    build.unnamed.cores = 24;
    build.unnamed.ram_gb = 96;
    rig_build_totals_get(&build, fix->catalog, &fix->constants, &totals);
    ASSERT_SAME("cores", totals.cpu_cores, 24);
    ASSERT_SAME("memory", totals.ram_gb, 96);
    ASSERT_SAME("storage", totals.storage_gb, NAN);
    ASSERT_SAME("GPUs", totals.gpu_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_set__reads_name_and_count),
        cmocka_unit_test(test_build_set__refuses),
        cmocka_unit_test(test_build_set__adds_same_part_and_refuses_a_second_kind),
        cmocka_unit_test(test_build_price__sums_parts),
        cmocka_unit_test(test_build_price__does_not_overflow),
        cmocka_unit_test(test_build_totals__desktop),
        cmocka_unit_test(test_build_totals__barebone_and_servers),
        cmocka_unit_test(test_build_totals__unnamed),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
