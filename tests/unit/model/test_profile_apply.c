/* SPDX-License-Identifier: GPL-3.0-or-later
 * Profiles put over the shipped tables. */
#include "support/assert_near.h"

#include <string.h>

#include "trainrig/accuracy.h"

static int set_up(void **state)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    rig_catalog_options options = rig_catalog_options_default();
    rig_catalog *catalog = NULL;
    options.directories = directories;
    options.n_directories = 2;
    if (rig_catalog_load(&catalog, &options, NULL) != RIG_OK) {
        return -1;
    }
    *state = catalog;
    return 0;
}

static int tear_down(void **state)
{
    rig_catalog_free(*state);
    return 0;
}

static void add(rig_profile *profile, rig_profile_table table, const char *name, double value)
{
    const rig_profile_entry entry = {.table = table,
                                     .name = name,
                                     .value = value,
                                     .log_sd = NAN,
                                     .rows = NAN,
                                     .source = "test",
                                     .line = 7};
    assert_int_equal(rig_profile_add(profile, &entry, NULL), RIG_OK);
}

static double
number(const rig_catalog *catalog, rig_table table, const char *name, const char *column)
{
    const rig_row *const row = rig_catalog_get(catalog, table, name);
    return row == NULL ? (double)NAN : rig_row_number(row, rig_column_find(table, column));
}

static void test_profile_apply__every_table(void **state)
{
    const rig_catalog *const base = *state;
    rig_catalog *catalog = NULL;
    rig_constants *constants = NULL;
    rig_profile *const profile = rig_profile_new("own.csv");
    add(profile, RIG_PROFILE_CONSTANTS, "launch_ms_per_layer_eager", 0.125);
    add(profile, RIG_PROFILE_EFFICIENCY, "NVIDIA L4 | tuned", 0.9);
    add(profile,
        RIG_PROFILE_EFFICIENCY,
        "NVIDIA L4 | alexnet | graph",
        1.1); /* without a row so far */
    add(profile, RIG_PROFILE_STACKS, "pytorch", 0.7);
    add(profile, RIG_PROFILE_STACKS, "pytorch.launch_factor", 0.25);
    add(profile, RIG_PROFILE_LOADERS, "ffcv", 0.75);
    add(profile, RIG_PROFILE_LOADERS, "pytorch.ipc_gbs", 2);
    add(profile, RIG_PROFILE_NETWORKS, "resnet50.layers", 55);
    add(profile, RIG_PROFILE_INTERVALS, "storage", 0.25);
    add(profile, RIG_PROFILE_INTERVALS, "train | eager", 0.5);
    add(profile, RIG_PROFILE_FITTED, "gpu:NVIDIA L4", NAN);
    add(profile, RIG_PROFILE_CORRELATION, "a ~ b", 0.9);
    assert_null(rig_catalog_get(base, RIG_TABLE_EFFICIENCY, "NVIDIA L4 | alexnet | graph"));
    assert_int_equal(rig_profile_apply(&catalog, base, profile, NULL), RIG_OK);
    ASSERT_SAME(
        "L4", number(catalog, RIG_TABLE_EFFICIENCY, "NVIDIA L4 | tuned", "step_factor"), 0.9);
    const char *const added = "NVIDIA L4 | alexnet | graph";
    ASSERT_SAME("added", number(catalog, RIG_TABLE_EFFICIENCY, added, "step_factor"), 1.1);
    ASSERT_SAME("its rows", number(catalog, RIG_TABLE_EFFICIENCY, added, "rows"), 1);
    ASSERT_SAME("network", number(catalog, RIG_TABLE_NETWORK, "resnet50", "layers"), 55);
    ASSERT_SAME("width", number(catalog, RIG_TABLE_INTERVAL, "storage", "half_width"), 0.25);
    ASSERT_SAME("a class", number(catalog, RIG_TABLE_INTERVAL, "train | eager", "half_width"), 0.5);
    ASSERT_SAME("main", number(catalog, RIG_TABLE_STACK, "pytorch", "step_factor"), 0.7);
    ASSERT_SAME("other", number(catalog, RIG_TABLE_STACK, "pytorch", "launch_factor"), 0.25);
    ASSERT_SAME("kept",
                number(catalog, RIG_TABLE_STACK, "pytorch", "log_sd"),
                number(base, RIG_TABLE_STACK, "pytorch", "log_sd"));
    ASSERT_SAME("ffcv", number(catalog, RIG_TABLE_LOADER, "ffcv", "decode_factor"), 0.75);
    ASSERT_SAME("ipc", number(catalog, RIG_TABLE_LOADER, "pytorch", "ipc_gbs"), 2);
    assert_int_equal(rig_constants_new(&constants, catalog, NULL), RIG_OK);
    ASSERT_SAME("constant", rig_constants_get(constants, "launch_ms_per_layer_eager"), 0.125);
    assert_true(rig_catalog_summary_get(catalog)->hash != rig_catalog_summary_get(base)->hash);
    rig_constants_free(constants);
    rig_catalog_free(catalog);
    rig_profile_free(profile);
}

static void test_profile_apply__nothing_changes_nothing(void **state)
{
    const rig_catalog *const base = *state;
    rig_catalog *catalog = NULL;
    rig_profile *const profile = rig_profile_new("empty");
    assert_int_equal(rig_profile_apply(&catalog, base, profile, NULL), RIG_OK);
    assert_true(rig_catalog_summary_get(catalog)->hash == rig_catalog_summary_get(base)->hash);
    assert_ptr_equal(rig_catalog_get(catalog, RIG_TABLE_STACK, "pytorch"),
                     rig_catalog_get(base, RIG_TABLE_STACK, "pytorch"));
    rig_catalog_free(catalog);
    rig_profile_free(profile);
}

static void test_profile_apply__errors(void **state)
{
    static const struct {
        const char *label;
        rig_profile_table table;
        const char *name;
        double value;
        rig_status status;
        const char *message;
    } cases[] = {
        {"constant", RIG_PROFILE_CONSTANTS, "lunch_ms", 1, RIG_E_NOTFOUND, "unknown name in table"},
        {"stack", RIG_PROFILE_STACKS, "torch", 1, RIG_E_NOTFOUND, "table stacks: 'torch'"},
        {"column", RIG_PROFILE_STACKS, "pytorch.speed", 1, RIG_E_NOTFOUND, "'pytorch.speed'"},
        {"text column", RIG_PROFILE_LOADERS, "ffcv.decode", 1, RIG_E_NOTFOUND, "'ffcv.decode'"},
        {"GPU", RIG_PROFILE_EFFICIENCY, "NVIDIA RTX 1", 1, RIG_E_NOTFOUND, "efficiency"},
        {"no key", RIG_PROFILE_EFFICIENCY, "NVIDIA L4", 1, RIG_E_NOTFOUND, "'NVIDIA L4'"},
        {"no class", RIG_PROFILE_INTERVALS, "train | fast", 1, RIG_E_NOTFOUND, "intervals"},
        {"constant range", RIG_PROFILE_CONSTANTS, "pcie_share", 1.5, RIG_E_RANGE, "0.1 to 1"},
        {"stack range", RIG_PROFILE_STACKS, "pytorch", 0, RIG_E_RANGE, "0.05 to 20"},
        {"no value", RIG_PROFILE_STACKS, "pytorch", NAN, RIG_E_RANGE, "out of range"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_catalog *catalog = NULL;
        rig_error err = {0};
        rig_profile *const profile = rig_profile_new("own.csv");
        add(profile, cases[i].table, cases[i].name, cases[i].value);
        const rig_status status = rig_profile_apply(&catalog, *state, profile, &err);
        if (status != cases[i].status || strstr(err.message, cases[i].message) == NULL ||
            err.line != 7 || strcmp(err.where, "own.csv") != 0 || catalog != NULL) {
            fail_msg("%s: %s:%ld: %s", cases[i].label, err.where, err.line, err.message);
        }
        rig_profile_free(profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_apply__every_table),
        cmocka_unit_test(test_profile_apply__nothing_changes_nothing),
        cmocka_unit_test(test_profile_apply__errors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
