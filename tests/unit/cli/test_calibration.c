/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of cli/calibration.c. */
#include "cli/calibration.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int load(void **state)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/tests/data/tiny_catalog/catalog",
                                              RIG_SOURCE_DIR "/tests/data/tiny_catalog/model"};
    rig_catalog_options options = rig_catalog_options_default();
    rig_catalog *catalog = NULL;
    options.directories = directories;
    options.n_directories = 2;
    const rig_status status = rig_catalog_load(&catalog, &options, NULL);
    *state = catalog;
    return status == RIG_OK ? 0 : -1;
}

static int unload(void **state)
{
    rig_catalog_free(*state);
    return 0;
}

static double figure(const rig_catalog *catalog, rig_table table, const char *name, const char *of)
{
    const rig_row *row = rig_catalog_get(catalog, table, name);
    assert_non_null(row);
    return rig_row_number(row, rig_column_find(table, of));
}

static void
add(rig_profile *profile, rig_profile_table table, const char *name, double value, double log_sd)
{
    const rig_profile_entry entry = {
        .table = table, .name = name, .value = value, .log_sd = log_sd, .rows = 3};
    assert_int_equal(rig_profile_add(profile, &entry, NULL), RIG_OK);
}

static void test_changes__sorted_and_compared(void **state)
{
    const rig_catalog *catalog = *state;
    const double launch = figure(catalog, RIG_TABLE_STACK, "pytorch", "launch_factor");
    const double copies = figure(catalog, RIG_TABLE_CONSTANT, "activation_copies", "value");
    rig_profile *profile = rig_profile_new("test");
    rig_figure_change *changes = NULL;
    size_t n = 0;
    add(profile, RIG_PROFILE_CONSTANTS, "activation_copies", copies, 0.1);    /* as it was */
    add(profile, RIG_PROFILE_STACKS, "pytorch.launch_factor", 2 * launch, 1); /* 0.69 sd */
    add(profile, RIG_PROFILE_EFFICIENCY, "made up | own", 1.5, 0.1);          /* 4.1 sd, new */
    add(profile, RIG_PROFILE_FITTED, "gpu:made up", NAN, NAN);                /* no figure */
    add(profile, RIG_PROFILE_CORRELATION, "a ~ b", 0.9, NAN);
    assert_true(rig__cli_changes(profile, catalog, &changes, &n));
    assert_int_equal(n, 2);
    assert_string_equal(changes[0].entry->name, "made up | own");
    assert_true(isnan(changes[0].before));
    assert_true(fabs(changes[0].shift - log(1.5)) < 1e-12);
    assert_string_equal(changes[1].entry->name, "pytorch.launch_factor");
    assert_true(fabs(changes[1].before - launch) < 1e-12);
    assert_true(fabs(changes[1].shift - log(2.0)) < 1e-12);
    free(changes);
    rig_profile_free(profile);
}

static void test_profile_merge__later_wins(void **state)
{
    (void)state;
    rig_profile *out = rig_profile_new("out"), *from = rig_profile_new("from");
    add(out, RIG_PROFILE_CONSTANTS, "kept", 1, NAN);
    add(out, RIG_PROFILE_CONSTANTS, "replaced", 1, NAN);
    add(from, RIG_PROFILE_CONSTANTS, "replaced", 2, NAN);
    assert_int_equal(rig__cli_profile_merge(out, from, NULL), RIG_OK);
    assert_int_equal(rig_profile_count(out), 2);
    for (size_t i = 0; i < 2; i++) {
        const rig_profile_entry *entry = rig_profile_at(out, i);
        assert_true(entry->value == (strcmp(entry->name, "kept") == 0 ? 1.0 : 2.0));
    }
    rig_profile_free(out);
    rig_profile_free(from);
}

/* Residuals of ln ratios; NAN is a row without a prediction. */
static rig_validation
make(const double *log_ratios, size_t n, rig_measurement *rows, rig_residual *residuals)
{
    for (size_t i = 0; i < n; i++) {
        rows[i] = (rig_measurement){.line = (long)i + 2};
        residuals[i] = (rig_residual){.row = &rows[i],
                                      .log_ratio = log_ratios[i],
                                      .unsupported = isnan(log_ratios[i]) ? "unknown" : NULL};
    }
    return (rig_validation){.residuals = residuals, .n_residuals = n};
}

static void test_contradictions__rows_far_off(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double log_ratios[8];
        size_t n;
        long lines[3]; /* worst first, 0: no more */
    } cases[] = {
        {"all alike", {0.01, -0.02, 0.03}, 3, {0}},
        {"within the spread of equal systems", {0.0, 0.0, 0.2}, 3, {0}},
        {"one far off", {0.01, -0.02, 0.5, 0.03}, 4, {4}},
        {"two, worst first", {0.01, -0.4, 0.9, 0.02, 0.03, 0.0}, 6, {4, 3}},
        {"wide everywhere", {0.4, -0.4, 0.5, -0.5}, 4, {0}},
        {"a row without a prediction", {NAN, 0.01, 0.02, -0.6}, 4, {5}},
        {"none", {0}, 0, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_measurement rows[8];
        rig_residual residuals[8];
        const rig_validation fitted = make(cases[i].log_ratios, cases[i].n, rows, residuals);
        const rig_residual **found = NULL;
        size_t n = 0, n_wanted = 0;
        assert_true(rig__cli_contradictions(&fitted, &found, &n));
        while (cases[i].lines[n_wanted] != 0) {
            if (n_wanted >= n || found[n_wanted]->row->line != cases[i].lines[n_wanted]) {
                fail_msg("%s: row %zu is not line %ld",
                         cases[i].name,
                         n_wanted,
                         cases[i].lines[n_wanted]);
            }
            n_wanted++;
        }
        if (n != n_wanted) {
            fail_msg("%s: %zu rows instead of %zu", cases[i].name, n, n_wanted);
        }
        free(found);
    }
}

static void test_score_of__rows_of_both(void **state)
{
    (void)state;
    static const double all[] = {0.1, -0.2, 0.3}, some[] = {NAN, 0.0, 0.0};
    rig_measurement rows[3], other_rows[3];
    rig_residual residuals[3], other_residuals[3];
    const rig_validation validation = make(all, 3, rows, residuals);
    const rig_validation of = make(some, 3, other_rows, other_residuals);
    rig_score score;
    assert_true(rig__cli_score_of(&validation, &of, &score));
    assert_int_equal(score.rows, 2);
    assert_true(fabs(score.bias_frac - 0.05) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes__sorted_and_compared),
        cmocka_unit_test(test_profile_merge__later_wins),
        cmocka_unit_test(test_contradictions__rows_far_off),
        cmocka_unit_test(test_score_of__rows_of_both),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
