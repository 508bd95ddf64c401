/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of conditions: reading them, refusing them with a place, applying them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "optimizer/condition.h"
#include "support/assert_near.h"

#define REQUIRE RIG_CONDITION_REQUIRE
#define FORBID RIG_CONDITION_FORBID
#define LIMIT RIG_CONDITION_LIMIT
#define FIX RIG_CONDITION_FIX
#define OWN RIG_CONDITION_OWN

static rig_condition parsed(const fixture *fix, rig_condition_kind kind, const char *text)
{
    rig_condition condition;
    rig_error err = {0};
    if (rig_condition_parse(fix->catalog, kind, text, &condition, &err) != RIG_OK) {
        fail_msg("%s: %ld: %s", text, err.column, err.message);
    }
    return condition;
}

static void test_condition_parse__filters(void **state)
{
    static const struct {
        const char *text;
        rig_table table;
        const char *column; /* NULL: name or count */
        bool is_name, is_count;
        rig_comparison comparison;
        double number; /* NAN: text */
        const char *value;
    } rows[] = {
        {"gpu.mem_gb >= 24", RIG_TABLE_GPU, "mem_gb", false, false, RIG_GE, 24, ""},
        {"gpu.mem_gb>=24", RIG_TABLE_GPU, "mem_gb", false, false, RIG_GE, 24, ""},
        {"  gpu.mem_gb   >   24GB  ", RIG_TABLE_GPU, "mem_gb", false, false, RIG_GT, 24, ""},
        {"gpu.mem_gb >= 24GiB", RIG_TABLE_GPU, "mem_gb", false, false, RIG_GE, 24, ""},
        {"storage.capacity_gb >= 1.5TB",
         RIG_TABLE_STORAGE,
         "capacity_gb",
         false,
         false,
         RIG_GE,
         1500,
         ""},
        {"storage.seq_read_mbs >= 5GB/s",
         RIG_TABLE_STORAGE,
         "seq_read_mbs",
         false,
         false,
         RIG_GE,
         5000,
         ""},
        {"gpu.tdp_w < 1kW", RIG_TABLE_GPU, "tdp_w", false, false, RIG_LT, 1000, ""},
        {"gpu.price_usd <= $2,000", RIG_TABLE_GPU, "price_usd", false, false, RIG_LE, 2000, ""},
        {"gpu.price_date >= 2025-06",
         RIG_TABLE_GPU,
         "price_date",
         false,
         false,
         RIG_GE,
         20250600,
         ""},
        {"cpus.cores != 16", RIG_TABLE_CPU, "cores", false, false, RIG_NE, 16, ""},
        {"cpu.vendor = Intel", RIG_TABLE_CPU, "vendor", false, false, RIG_EQ, NAN, "Intel"},
        {"cpu.vendor == Intel", RIG_TABLE_CPU, "vendor", false, false, RIG_EQ, NAN, "Intel"},
        {"gpu.name = *Card Three*", RIG_TABLE_GPU, NULL, true, false, RIG_EQ, NAN, "*Card Three*"},
        {"gpu != *Card*", RIG_TABLE_GPU, NULL, true, false, RIG_NE, NAN, "*Card*"},
        {"gpu.count >= 2", RIG_TABLE_GPU, NULL, false, true, RIG_GE, 2, ""},
        {"memory.total_gb >= 128", RIG_TABLE_MEMORY, "total_gb", false, false, RIG_GE, 128, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_condition condition = parsed(*state, REQUIRE, rows[i].text);
        assert_string_equal(condition.text, rows[i].text);
        assert_int_equal(condition.kind, REQUIRE);
        assert_int_equal(condition.table, rows[i].table);
        assert_int_equal(condition.column_is_name, rows[i].is_name);
        assert_int_equal(condition.column_is_count, rows[i].is_count);
        assert_int_equal(condition.comparison, rows[i].comparison);
        ASSERT_SAME(rows[i].text, condition.number, rows[i].number);
        assert_string_equal(condition.value, rows[i].value);
        if (rows[i].column == NULL) {
            assert_null(condition.column);
        } else {
            assert_string_equal(condition.column->name, rows[i].column);
        }
    }
}

static void test_condition_parse__limits(void **state)
{
    static const struct {
        const char *text;
        rig_total total;
        rig_comparison comparison;
        double number;
    } rows[] = {
        {"power_w <= 1600", RIG_TOTAL_POWER_W, RIG_LE, 1600},
        {"power_w <= 1.6kW", RIG_TOTAL_POWER_W, RIG_LE, 1600},
        {"rack_u <= 4", RIG_TOTAL_RACK_U, RIG_LE, 4},
        {"price_usd <= 20k", RIG_TOTAL_PRICE_USD, RIG_LE, 20000},
        {"ram_gb >= 256", RIG_TOTAL_RAM_GB, RIG_GE, 256},
        {"ram_gb >= 256GiB", RIG_TOTAL_RAM_GB, RIG_GE, 256},
        {"gpu_count >= 2", RIG_TOTAL_GPU_COUNT, RIG_GE, 2},
        {"gpu_mem_gb >= 96", RIG_TOTAL_GPU_MEM_GB, RIG_GE, 96},
        {"cpu_cores >= 32", RIG_TOTAL_CPU_CORES, RIG_GE, 32},
        {"storage_gb >= 2TB", RIG_TOTAL_STORAGE_GB, RIG_GE, 2000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_condition condition = parsed(*state, LIMIT, rows[i].text);
        assert_int_equal(condition.total, rows[i].total);
        assert_int_equal(condition.comparison, rows[i].comparison);
        ASSERT_SAME(rows[i].text, condition.number, rows[i].number);
    }
}

static void test_condition_parse__choices(void **state)
{
    const rig_condition fixed = parsed(*state, FIX, "gpu = geforce three x2");
    assert_string_equal(fixed.row->name, "GeForce Card Three");
    assert_int_equal(fixed.count, 2);
    assert_int_equal(fixed.table, RIG_TABLE_GPU);
    const rig_condition owned = parsed(*state, OWN, "cpu=Epyc Sixteen");
    assert_string_equal(owned.row->name, "Epyc Sixteen");
    assert_int_equal(owned.count, 1);
    assert_int_equal(owned.kind, OWN);
}

static void test_condition_parse__refuses(void **state)
{
    static char long_text[400];
    static char long_value[240];
    static const struct {
        rig_condition_kind kind;
        const char *text;
        rig_status status;
        long column;
        const char *message, *hint;
    } rows[] = {
        {REQUIRE, "", RIG_E_PARSE, 1, "no comparison", ""},
        {REQUIRE, "gpu.mem_gb", RIG_E_PARSE, 11, "no comparison: 'gpu.mem_gb'", ""},
        {REQUIRE, ">= 24", RIG_E_PARSE, 1, "left side is missing", ""},
        {REQUIRE, "gpu.mem_gb >=  ", RIG_E_PARSE, 16, "right side is missing", ""},
        {REQUIRE, "gpu.mem_gb >>= 24", RIG_E_PARSE, 12, "'>>=' (one of = == != < <= > >=)", ""},
        {REQUIRE, "gpu.mem_gb => 24", RIG_E_PARSE, 12, "'=>'", ""},
        {REQUIRE, "gpu.mem_gb <> 24", RIG_E_PARSE, 12, "'<>'", ""},
        {REQUIRE, "gpu.mem_gb ! 24", RIG_E_PARSE, 12, "'!'", ""},
        {REQUIRE, "gpu.mem_gb >========== 24", RIG_E_PARSE, 12, "comparison is not known", ""},
        {REQUIRE, "gpu.mem_gb >= lots", RIG_E_PARSE, 15, "not a number: 'lots'", ""},
        {REQUIRE, "gpu.mem_gb >= nan", RIG_E_PARSE, 15, "not a number: 'nan'", ""},
        {REQUIRE, "gpu.mem_gb >= 24 W", RIG_E_PARSE, 15, "not a number: '24 W'", ""},
        {REQUIRE, "gpu.price_date >= 2025-13", RIG_E_PARSE, 19, "not a date: '2025-13'", ""},
        {REQUIRE, "gpx.mem_gb >= 24", RIG_E_NOTFOUND, 1, "'gpx'", "gpu"},
        {REQUIRE, "  network.gmacs >= 1", RIG_E_NOTFOUND, 3, "'network'", ""},
        {REQUIRE, "gpu.memgb >= 24", RIG_E_NOTFOUND, 5, "'memgb'", "gpu.mem_gb"},
        {FORBID, "cpu.vender = Intel", RIG_E_NOTFOUND, 5, "'vender'", "cpu.vendor"},
        {FORBID, "cpu.vendor < Intel", RIG_E_PARSE, 12, "'cpu.vendor <' (= or !=)", ""},
        {LIMIT, "power <= 1600", RIG_E_NOTFOUND, 1, "'power'", "power_w"},
        {LIMIT, "power_w = 1600", RIG_E_PARSE, 9, "'=' (<= or >=)", ""},
        {LIMIT, "power_w < 1600", RIG_E_PARSE, 9, "'<' (<= or >=)", ""},
        {LIMIT, "power_w <= 1600 GB", RIG_E_PARSE, 12, "not a number", ""},
        {FIX, "gpu >= Card Two", RIG_E_PARSE, 5, "'>='", ""},
        {FIX, "graphics = Card Two", RIG_E_NOTFOUND, 1, "'graphics'", ""},
        {FIX, "gpu = Card Two x0", RIG_E_RANGE, 0, "x1 to x1024", ""},
        {OWN, "cpu = Epic Sixteen", RIG_E_NOTFOUND, 0, "Epic Sixteen", "Epyc Sixteen"},
        {OWN, "cpu = Epyc", RIG_E_INVALID, 0, "Epyc", "Epyc Single"},
        {REQUIRE, long_text, RIG_E_PARSE, 1, "longer than 255 bytes", ""},
        {REQUIRE, long_value, RIG_E_PARSE, 8, "longer than 191 bytes", ""},
    };
    const fixture *const fix = *state;
    memset(long_text, 'a', sizeof long_text - 1);
    memset(long_value, 'a', sizeof long_value - 1);
    memcpy(long_value, "cpu  = ", 7);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_condition condition;
        rig_error err = {0};
        const rig_status status =
            rig_condition_parse(fix->catalog, rows[i].kind, rows[i].text, &condition, &err);
        if (status != rows[i].status || err.column != rows[i].column ||
            strstr(err.message, rows[i].message) == NULL ||
            strstr(err.hint, rows[i].hint) == NULL) {
            fail_msg("%s: %s at %ld: %s [%s]",
                     rows[i].text,
                     rig_status_name(status),
                     err.column,
                     err.message,
                     err.hint);
        }
    }
}

static void test_condition_allows__filters(void **state)
{
    static const struct {
        rig_condition_kind kind;
        const char *text;
        rig_table table;
        const char *part;
        int count;
        bool is_allowed;
    } rows[] = {
        {REQUIRE, "gpu.mem_gb >= 24", RIG_TABLE_GPU, "GeForce Card Three", 1, true},
        {REQUIRE, "gpu.mem_gb > 24", RIG_TABLE_GPU, "GeForce Card Three", 1, false},
        {REQUIRE, "gpu.mem_gb <= 24", RIG_TABLE_GPU, "GeForce Card Three", 1, true},
        {REQUIRE, "gpu.mem_gb < 24", RIG_TABLE_GPU, "GeForce Card Three", 1, false},
        {REQUIRE, "gpu.mem_gb = 24", RIG_TABLE_GPU, "GeForce Card Three", 1, true},
        {REQUIRE, "gpu.mem_gb != 24", RIG_TABLE_GPU, "GeForce Card Three", 1, false},
        {REQUIRE, "gpu.mem_gb >= 24", RIG_TABLE_CPU, "Desk Eight", 1, true},
        {FORBID, "cpu.vendor = intel", RIG_TABLE_CPU, "Xeon Hundred", 1, false},
        {FORBID, "cpu.vendor = Intel", RIG_TABLE_CPU, "Desk Eight", 1, true},
        {REQUIRE, "cpu.vendor != Intel", RIG_TABLE_CPU, "Xeon Hundred", 1, false},
        {REQUIRE, "gpu.name = *three", RIG_TABLE_GPU, "GeForce Card Three", 1, true},
        {REQUIRE, "gpu.name = *three", RIG_TABLE_GPU, "Card Two", 1, false},
        {FORBID, "gpu = geforce*", RIG_TABLE_GPU, "GeForce Card Three", 1, false},
        {REQUIRE, "gpu.count >= 2", RIG_TABLE_GPU, "Card Two", 1, false},
        {REQUIRE, "gpu.count >= 2", RIG_TABLE_GPU, "Card Two", 2, true},
        {REQUIRE, "gpu.price_usd <= 1800", RIG_TABLE_GPU, "GeForce Card Three", 1, true},
        {REQUIRE, "gpu.price_usd <= 1799", RIG_TABLE_GPU, "GeForce Card Three", 1, false},
        {REQUIRE, "cpu.price_date >= 2021", RIG_TABLE_CPU, "Epyc Sixteen", 1, false},
        {REQUIRE, "cpu.price_date >= 2020", RIG_TABLE_CPU, "Epyc Sixteen", 1, true},
        /* unknown values satisfy nothing */
        {REQUIRE, "gpu.nvlink_gbs >= 1", RIG_TABLE_GPU, "Card Two", 1, false},
        {REQUIRE, "gpu.nvlink_gbs != 1", RIG_TABLE_GPU, "Card Two", 1, false},
        {FORBID, "gpu.nvlink_gbs < 1000", RIG_TABLE_GPU, "Card Two", 1, true},
        {REQUIRE, "memory.kind = *", RIG_TABLE_MEMORY, "Unkind D5", 1, false},
        {REQUIRE, "memory.kind != UDIMM", RIG_TABLE_MEMORY, "Unkind D5", 1, false},
        {REQUIRE, "cpu.price_date >= 2020", RIG_TABLE_CPU, "Priceless", 1, false},
        {FIX, "gpu = Card Two x2", RIG_TABLE_GPU, "Card Two", 2, true},
        {FIX, "gpu = Card Two x2", RIG_TABLE_GPU, "Card Two", 1, false},
        {FIX, "gpu = Card Two x2", RIG_TABLE_GPU, "Card One", 2, false},
        {FIX, "gpu = Card Two x2", RIG_TABLE_CPU, "Desk Eight", 1, true},
        {OWN, "gpu = Card Two", RIG_TABLE_GPU, "Card One", 1, false},
        {LIMIT, "power_w <= 1", RIG_TABLE_GPU, "Card One", 1, true},
    };
    const fixture *const fix = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_condition condition = parsed(fix, rows[i].kind, rows[i].text);
        const rig_row *const row = rig_catalog_get(fix->catalog, rows[i].table, rows[i].part);
        assert_non_null(row);
        if (rig_condition_allows(&condition, row, rows[i].count) != rows[i].is_allowed) {
            fail_msg("%s: '%s x%d'", rows[i].text, rows[i].part, rows[i].count);
        }
    }
}

static void test_condition_allows__no_part(void **state)
{
    const rig_condition filter = parsed(*state, REQUIRE, "chassis.rack_u <= 4");
    const rig_condition fixed = parsed(*state, FIX, "gpu = Card Two");
    assert_true(rig_condition_allows(&filter, NULL, 0));
    assert_false(rig_condition_allows(&fixed, NULL, 0));
}

static void test_total_value__all(void **state)
{
    static const double expected[RIG_N_TOTALS] = {700, 4, 12345.67, 2, 48, 16, 128, 2000};
    static const char *const names[RIG_N_TOTALS] = {"power_w",
                                                    "rack_u",
                                                    "price_usd",
                                                    "gpu_count",
                                                    "gpu_mem_gb",
                                                    "cpu_cores",
                                                    "ram_gb",
                                                    "storage_gb"};
    const rig_build_totals totals = {.peak_w = 700,
                                     .supply_w = 1000,
                                     .rack_u = 4,
                                     .gpu_count = 2,
                                     .gpu_mem_gb = 48,
                                     .cpu_cores = 16,
                                     .ram_gb = 128,
                                     .storage_gb = 2000};
    (void)state;
    for (size_t i = 0; i < RIG_N_TOTALS; i++) {
        assert_string_equal(rig_total_name((rig_total)i), names[i]);
        ASSERT_SAME(names[i], rig_total_value((rig_total)i, &totals, 1234567), expected[i]);
    }
    ASSERT_SAME("no price", rig_total_value(RIG_TOTAL_PRICE_USD, &totals, -1), NAN);
    ASSERT_SAME("no total", rig_total_value(RIG_N_TOTALS, &totals, 1), NAN);
    assert_string_equal(rig_total_name(RIG_N_TOTALS), "");
}

static void test_comparison_holds__tolerates_rounding(void **state)
{
    (void)state;
    assert_true(rig__comparison_holds(RIG_LE, 0.1 + 0.2, 0.3));
    assert_false(rig__comparison_holds(RIG_GT, 0.1 + 0.2, 0.3));
    assert_false(rig__comparison_holds(RIG_NE, 0.1 + 0.2, 0.3));
    assert_true(rig__comparison_holds(RIG_LT, 0.29, 0.3));
    for (int comparison = RIG_LT; comparison <= RIG_GT; comparison++) {
        assert_false(rig__comparison_holds((rig_comparison)comparison, NAN, 1));
        assert_false(rig__comparison_holds((rig_comparison)comparison, 1, NAN));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_condition_parse__filters),
        cmocka_unit_test(test_condition_parse__limits),
        cmocka_unit_test(test_condition_parse__choices),
        cmocka_unit_test(test_condition_parse__refuses),
        cmocka_unit_test(test_condition_allows__filters),
        cmocka_unit_test(test_condition_allows__no_part),
        cmocka_unit_test(test_total_value__all),
        cmocka_unit_test(test_comparison_holds__tolerates_rounding),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
