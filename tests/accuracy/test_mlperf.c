/* SPDX-License-Identifier: GPL-3.0-or-later
 * Error of the model on complete systems: single-node ResNet-50 rows of MLPerf Training. */
#include "support/assert_near.h"

#include <stdio.h>
#include <string.h>

#include "trainrig/accuracy.h"

#define ROWS RIG_SOURCE_DIR "/model/measurements"

/* Bounds a little above what the model reaches (docs/model.md gives the figures). */
static const double mape_max = 0.045;
static const double bias_max = 0.02;
static const double gpu_mape_max = 0.10;
static const size_t rows_min = 120;
/* Share of rows inside the 90 % interval. */
static const double coverage_min = 0.90;
/* Without the factors measured on each GPU, as for a GPU that nobody measured. */
static const double unmeasured_mape_max = 0.10;

typedef struct fixture {
    rig_catalog *catalog;
    rig_constants *constants;
    rig_measurements *set;
    FILE *residuals;
} fixture;

#define GPUS_CAP 64

/* Errors of one GPU model. */
typedef struct tally {
    const char *gpu;
    size_t count;
    double sum_absolute, sum_log;
} tally;

static int set_up(void **state)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    static const char *const path = ROWS "/mlperf_resnet50.csv";
    static fixture f;
    rig_error err = {0};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    if (rig_catalog_load(&f.catalog, &options, &err) != RIG_OK ||
        rig_constants_new(&f.constants, f.catalog, &err) != RIG_OK ||
        rig_measurements_read(&f.set, f.catalog, &path, 1, ROWS "/aliases.csv", &err) != RIG_OK) {
        print_error("%s:%ld: %s\n", err.where, err.line, err.message);
        return -1;
    }
    f.residuals = fopen(RIG_BINARY_DIR "/mlperf_residuals.csv", "w");
    *state = &f;
    return f.residuals == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    (void)fclose(f->residuals);
    rig_measurements_free(f->set);
    rig_constants_free(f->constants);
    rig_catalog_free(f->catalog);
    return 0;
}

static tally *tally_of(tally *tallies, size_t *count, const char *gpu)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(tallies[i].gpu, gpu) == 0) {
            return &tallies[i];
        }
    }
    tallies[*count] = (tally){.gpu = gpu};
    return &tallies[(*count)++];
}

static void add(tally *t, double measured, double predicted)
{
    t->count++;
    t->sum_absolute += fabs(predicted / measured - 1.0);
    t->sum_log += log(predicted / measured);
}

static void report(const tally *t)
{
    print_message("%-32s %3zu rows  MAPE %5.1f %%  bias %+5.1f %%\n",
                  t->gpu,
                  t->count,
                  100.0 * t->sum_absolute / (double)t->count,
                  100.0 * t->sum_log / (double)t->count);
}

/* Predicts one row; false for a row that does not count. */
static bool
predict_row(const fixture *f, const rig_measurement *row, bool is_measured_gpu, rig_prediction *out)
{
    rig_setup setup;
    rig_error err = {0};
    if (row->nodes > 1.0) {
        return false;
    }
    if (rig_measurement_setup(row, f->catalog, f->constants, &setup, &err) != RIG_OK ||
        setup.unsupported != NULL) {
        fail_msg("%s: %s", row->id, setup.unsupported == NULL ? err.message : setup.unsupported);
    }
    if (!is_measured_gpu) {
        setup.machine.gpu_step_factor = 1.0;
    }
    if (rig_measurement_predict(row, &setup, f->constants, out, &err) != RIG_OK) {
        fail_msg("%s: %s", row->id, err.message);
    }
    return true;
}

static void write_residual(const fixture *f, const rig_measurement *row, const rig_prediction *p)
{
    const double measured = row->observed_images_per_s;
    fprintf(f->residuals,
            "%s,%s,%d,%s,%g,%.1f,%.4f\n",
            row->id,
            row->labels[RIG_GROUP_GPU],
            row->build.parts[RIG_TABLE_GPU].count,
            rig_stage_name(p->binding),
            measured,
            p->images_per_s,
            log(p->images_per_s / measured));
}

static void test_mlperf__mape(void **state)
{
    const fixture *f = *state;
    tally tallies[GPUS_CAP], all = {.gpu = "all"};
    size_t n_tallies = 0, n_covered = 0;
    fprintf(f->residuals, "id,gpu,gpus,binding,measured_img_s,predicted_img_s,log_ratio\n");
    for (size_t i = 0; i < f->set->n_rows; i++) {
        const rig_measurement *const row = &f->set->rows[i];
        rig_prediction p;
        if (!predict_row(f, row, true, &p)) {
            continue;
        }
        const double measured = row->observed_images_per_s;
        write_residual(f, row, &p);
        n_covered += measured >= p.images_per_s_low && measured <= p.images_per_s_high;
        add(&all, measured, p.images_per_s);
        assert_true(n_tallies < GPUS_CAP);
        add(tally_of(tallies, &n_tallies, row->labels[RIG_GROUP_GPU]), measured, p.images_per_s);
    }
    for (size_t i = 0; i < n_tallies; i++) {
        report(&tallies[i]);
    }
    report(&all);
    for (size_t i = 0; i < n_tallies; i++) {
        assert_true(tallies[i].sum_absolute / (double)tallies[i].count <= gpu_mape_max);
    }
    const double coverage = (double)n_covered / (double)all.count;
    print_message("inside the 90 %% interval: %.1f %%\n", 100.0 * coverage);
    assert_true(all.count >= rows_min);
    assert_true(all.sum_absolute / (double)all.count <= mape_max);
    assert_true(fabs(all.sum_log / (double)all.count) <= bias_max);
    assert_true(coverage >= coverage_min);
}

static void test_mlperf__mape_of_data_sheets_alone(void **state)
{
    const fixture *f = *state;
    tally all = {.gpu = "data sheets alone"};
    for (size_t i = 0; i < f->set->n_rows; i++) {
        rig_prediction p;
        if (predict_row(f, &f->set->rows[i], false, &p)) {
            add(&all, f->set->rows[i].observed_images_per_s, p.images_per_s);
        }
    }
    report(&all);
    assert_true(all.sum_absolute / (double)all.count <= unmeasured_mape_max);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mlperf__mape),
        cmocka_unit_test(test_mlperf__mape_of_data_sheets_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
