/* SPDX-License-Identifier: GPL-3.0-or-later
 * Error of the model on all shipped measurements, by kind of row, with a bound on each; the
 * residuals of every row go to the build folder. */
#include "support/assert_near.h"

#include <stdio.h>
#include <string.h>

#include "trainrig/accuracy.h"

#define ROWS RIG_SOURCE_DIR "/model/measurements"

/* Bounds a little above what the model reaches, and rows that must not get lost. */
static const struct {
    const char *kind;
    size_t rows_min;
    double median_ape_max, bias_max;
} bounds[] = {
    {"system", 165, 0.02, 0.02},
    {"gpu", 2400, 0.06, 0.02},
    {"cpu", 150, 0.09, 0.05},
    {"storage", 28, 0.10, 0.08},
};

typedef struct fixture {
    rig_catalog *catalog;
    rig_constants *constants;
    rig_measurements *set;
    rig_validation *validation;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    static const char *const paths[] = {ROWS "/mlperf_resnet50.csv",
                                        ROWS "/gpu_training.csv",
                                        ROWS "/cpu_preparation.csv",
                                        ROWS "/storage.csv"};
    rig_error err = {0};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    if (rig_catalog_load(&f.catalog, &options, &err) != RIG_OK ||
        rig_constants_new(&f.constants, f.catalog, &err) != RIG_OK ||
        rig_measurements_read(&f.set, f.catalog, paths, 4, ROWS "/aliases.csv", &err) != RIG_OK ||
        rig_validate(&f.validation, f.set, f.catalog, f.constants, NULL, &err) != RIG_OK) {
        print_error("%s:%ld: %s\n", err.where, err.line, err.message);
        return -1;
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *const f = *state;
    rig_validation_free(f->validation);
    rig_measurements_free(f->set);
    rig_constants_free(f->constants);
    rig_catalog_free(f->catalog);
    return 0;
}

static void test_shipped_rows__error_by_kind(void **state)
{
    const fixture *const f = *state;
    size_t n_found = 0;
    for (size_t i = 0; i < f->validation->n_groups; i++) {
        const rig_group_score *const group = &f->validation->groups[i];
        for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
            if (group->by != RIG_GROUP_KIND || strcmp(group->name, bounds[k].kind) != 0) {
                continue;
            }
            n_found++;
            print_message("%-8s %4zu rows  MAPE %5.1f %%  median %4.1f %%  bias %+5.1f %%  "
                          "in 90 %% interval %3.0f %%\n",
                          group->name,
                          group->score.rows,
                          100.0 * group->score.mape_frac,
                          100.0 * group->score.median_ape_frac,
                          100.0 * group->score.bias_frac,
                          100.0 * group->score.coverage_frac);
            assert_true(group->score.rows >= bounds[k].rows_min);
            assert_true(group->score.median_ape_frac <= bounds[k].median_ape_max);
            assert_true(fabs(group->score.bias_frac) <= bounds[k].bias_max);
        }
    }
    assert_int_equal(n_found, sizeof bounds / sizeof bounds[0]);
}

static void test_shipped_rows__every_row_is_accounted_for(void **state)
{
    const fixture *const f = *state;
    size_t n_skipped = 0;
    for (size_t i = 0; i < f->validation->n_skips; i++) {
        n_skipped += f->validation->skips[i].count;
    }
    assert_int_equal(n_skipped + f->validation->n_used, f->set->n_read);
    assert_true(f->validation->n_used > 2700);
}

static void test_shipped_rows__residuals(void **state)
{
    const fixture *const f = *state;
    FILE *const out = fopen(RIG_BINARY_DIR "/shipped_residuals.csv", "w");
    assert_non_null(out);
    fprintf(out, "id,kind,observed,predicted,log_ratio\n");
    for (size_t i = 0; i < f->validation->n_residuals; i++) {
        const rig_residual *const residual = &f->validation->residuals[i];
        if (residual->unsupported == NULL) {
            assert_true(isfinite(residual->log_ratio));
            assert_true(residual->low_images_per_s <= residual->predicted_images_per_s);
            assert_true(residual->high_images_per_s >= residual->predicted_images_per_s);
            fprintf(out,
                    "%s,%s,%g,%g,%.4f\n",
                    residual->row->id,
                    residual->row->labels[RIG_GROUP_KIND],
                    residual->row->observed_images_per_s,
                    residual->predicted_images_per_s,
                    residual->log_ratio);
        }
    }
    assert_int_equal(fclose(out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped_rows__error_by_kind),
        cmocka_unit_test(test_shipped_rows__every_row_is_accounted_for),
        cmocka_unit_test(test_shipped_rows__residuals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
