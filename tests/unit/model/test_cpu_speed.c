/* SPDX-License-Identifier: GPL-3.0-or-later
 * Speed of a core from benchmark scores, clocks and families. */
#include "support/assert_near.h"

#include <stdio.h>
#include <string.h>

#include "round_model.h"

typedef struct speed_row {
    const char *label, *segment, *family;
    double cores, threads, base_ghz, boost_ghz, rate_1p, rate_2p, geekbench;
    double all_core, single;
} speed_row;

static const speed_row rows[] = {
    {"SPECrate, one processor", "server", "Genoa", 10, 20, 2, 3, 80, 200, NAN, 1.0, 1.2},
    {"SPECrate, two processors", "server", "Genoa", 10, 20, 2, 3, NAN, 176, NAN, 1.1, 1.2},
    {"clocks: 0.4 x 2.5", "server", "Genoa", 10, 20, 2, 3, NAN, NAN, 1000, 1.0, 1.2},
    {"base clock alone", "server", "Genoa", 10, 20, 2, NAN, NAN, NAN, NAN, 0.8, 1.0},
    {"boost clock alone", "server", "Genoa", 10, 20, NAN, 3, NAN, NAN, NAN, 1.2, 1.2},
    {"Geekbench: 1100 per core", "server", "Genoa", 10, 20, NAN, NAN, NAN, NAN, 11000, 1.1, 1.375},
    {"desktop prefers clocks", "desktop", "Zen 4", 10, 20, 2, 3, 40, NAN, NAN, 1.0, 1.2},
    {"desktop without clocks", "desktop", "Zen 4", 10, 20, NAN, NAN, 40, NAN, NAN, 0.5, 0.625},
    {"longest family counts",
     "hedt",
     "Zen 4 Threadripper PRO",
     10,
     20,
     2,
     3,
     NAN,
     NAN,
     NAN,
     1.0,
     1.2},
    {"short family", "hedt", "Zen+", 10, 20, 2, 3, NAN, NAN, NAN, 0.25, 0.3},
    {"family ignores case", "server", "gENOA", 10, 20, 2, 3, NAN, NAN, NAN, 1.0, 1.2},
    {"other family", "server", "Nile", 10, 20, 2, 3, NAN, NAN, NAN, 0.5, 0.6},
    /* 8 of 16 cores run two threads: half at full, half at half speed. */
    {"hybrid", "desktop", "Raptor Lake", 16, 24, 2, 4, NAN, NAN, NAN, 0.9 * 0.75, 1.2},
    {"no hyper-threading is not hybrid",
     "desktop",
     "Alder Lake",
     6,
     6,
     2,
     4,
     NAN,
     NAN,
     NAN,
     0.9,
     1.2},
    {"Arrow Lake", "desktop", "Arrow Lake", 20, 20, 2, 4, NAN, NAN, NAN, 0.9 * 0.7, 1.2},
    {"single is never below all-core", "server", "Genoa", 10, 20, 2, 3, 160, NAN, NAN, 2.0, 2.0},
};

static rig_cpu cpu_of(const speed_row *row)
{
    return (rig_cpu){.row.name = row->label,
                     .segment = row->segment,
                     .family = row->family,
                     .cores = row->cores,
                     .threads = row->threads,
                     .base_ghz = row->base_ghz,
                     .boost_ghz = row->boost_ghz,
                     .specrate2017_int_1p = row->rate_1p,
                     .specrate2017_int_2p = row->rate_2p,
                     .geekbench6_multi = row->geekbench};
}

static void test_core_speed__rules(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_cpu cpu = cpu_of(&rows[i]);
        double all_core, single;
        assert_true(rig_core_speed(&k, &cpu, &all_core, &single));
        ASSERT_SAME(rows[i].label, all_core, rows[i].all_core);
        ASSERT_SAME(rows[i].label, single, rows[i].single);
    }
}

static void test_core_speed__nothing_known(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    const speed_row row = {"?", "server", "Genoa", 10, 20, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    const rig_cpu cpu = cpu_of(&row);
    double all_core = 1, single = 1;
    assert_false(rig_core_speed(&k, &cpu, &all_core, &single));
    ASSERT_SAME("all-core", all_core, NAN);
    ASSERT_SAME("single", single, NAN);
}

/* Published SPECrate and JPEG rates put these processors in this order. */
static void test_core_speed__catalogue_is_plausible(void **state)
{
    (void)state;
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    rig_catalog *catalog;
    rig_constants *constants;
    assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
    assert_int_equal(rig_constants_new(&constants, catalog, NULL), RIG_OK);
    const size_t count = rig_catalog_count(catalog, RIG_TABLE_CPU);
    assert_true(count > 200);
    for (size_t i = 0; i < count; i++) {
        const rig_row *row = rig_catalog_row(catalog, RIG_TABLE_CPU, i);
        double all_core, single;
        const bool is_known =
            rig_core_speed(constants, (const rig_cpu *)(const void *)row, &all_core, &single);
        if (!is_known || all_core < 0.4 || all_core > 2.4 || single < all_core) {
            print_error("%s: %g %g\n", row->name, all_core, single);
            fail();
        }
    }
    static const char *const slow_to_fast[] = {
        "AMD EPYC 7742", "Intel Xeon Platinum 8380", "AMD EPYC 9654", "AMD Ryzen 9 9950X"};
    double last = 0;
    for (size_t i = 0; i < sizeof slow_to_fast / sizeof slow_to_fast[0]; i++) {
        const rig_row *row = rig_catalog_get(catalog, RIG_TABLE_CPU, slow_to_fast[i]);
        assert_non_null(row);
        double all_core, single;
        assert_true(
            rig_core_speed(constants, (const rig_cpu *)(const void *)row, &all_core, &single));
        assert_true(all_core > last);
        last = all_core;
    }
    rig_constants_free(constants);
    rig_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_core_speed__rules),
        cmocka_unit_test(test_core_speed__nothing_known),
        cmocka_unit_test(test_core_speed__catalogue_is_plausible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
