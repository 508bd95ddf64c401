/* SPDX-License-Identifier: GPL-3.0-or-later
 * Times calibrations: all shipped measurements from the priors, whole and as a fold, and three rows
 * of a user from the shipped figures. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "trainrig/trainrig.h"

enum { N_FILES = 4, N_USER_ROWS = 3, PATH_SIZE = 4096 };

static const char *const names[N_FILES] = {
    "mlperf_resnet50.csv", "gpu_training.csv", "cpu_preparation.csv", "storage.csv"};

typedef struct bench {
    rig_catalog *catalog;
    rig_measurements *set;
    bool *is_held_out;
    char priors[PATH_SIZE];
} bench;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static rig_status load(bench *b, char **argv, rig_error *err)
{
    static char paths[N_FILES + 1][PATH_SIZE];
    const char *files[N_FILES];
    const char *const directories[] = {argv[1], argv[2]};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    for (int i = 0; i < N_FILES; i++) {
        snprintf(paths[i], PATH_SIZE, "%s/%s", argv[3], names[i]);
        files[i] = paths[i];
    }
    snprintf(paths[N_FILES], PATH_SIZE, "%s/aliases.csv", argv[3]);
    snprintf(b->priors, PATH_SIZE, "%s/priors.csv", argv[3]);
    rig_status status = rig_catalog_load(&b->catalog, &options, err);
    if (status == RIG_OK) {
        status = rig_measurements_read(&b->set, b->catalog, files, N_FILES, paths[N_FILES], err);
    }
    if (status == RIG_OK) {
        b->is_held_out = calloc(b->set->n_rows + 1, sizeof *b->is_held_out);
        status = b->is_held_out == NULL ? RIG_E_NOMEM : RIG_OK;
    }
    return status;
}

/* The last training rows of the set are those of a user. */
static void hold_out_but_few(bench *b)
{
    size_t n_kept = 0;
    for (size_t i = b->set->n_rows; i-- > 0;) {
        const bool is_kept = n_kept < N_USER_ROWS && b->set->rows[i].kind == RIG_MEASUREMENT_GPU;
        b->is_held_out[i] = !is_kept;
        n_kept += is_kept ? 1 : 0;
    }
}

static bool time_fit(bench *b, const char *what, bool is_from_priors, bool is_quick)
{
    rig_error err = {0};
    rig_calibration how = {
        .priors_path = b->priors, .is_from_priors = is_from_priors, .is_quick = is_quick};
    const rig_fit_task task = {
        .measurements = b->set, .is_held_out = b->is_held_out, .catalog = b->catalog};
    rig_profile *profile = rig_profile_new("bench");
    const double start = now_s();
    const bool is_fitted = profile != NULL && rig_fit_model(&task, profile, &how, &err) == RIG_OK;
    if (is_fitted) {
        printf("%-44s %10.3f s, %zu figures\n", what, now_s() - start, rig_profile_count(profile));
    } else {
        fprintf(stderr, "bench: %s: %s\n", err.where, err.message);
    }
    rig_profile_free(profile);
    return is_fitted;
}

static bool report(bench *b)
{
    printf("%-44s %10zu\n", "shipped measurements", b->set->n_rows);
    if (!time_fit(b, "calibration on all of them", true, false) ||
        !time_fit(b, "the same as a fold of a cross-validation", true, true)) {
        return false;
    }
    hold_out_but_few(b);
    return time_fit(b, "calibration on three rows of a user", false, false);
}

int main(int argc, char **argv)
{
    bench b = {0};
    rig_error err = {0};
    if (argc != 4) {
        fprintf(stderr, "usage: bench_calibrate CATALOG_DIR MODEL_DIR MEASUREMENTS_DIR\n");
        return 2;
    }
    bool is_done = load(&b, argv, &err) == RIG_OK;
    if (!is_done) {
        fprintf(stderr, "bench: %s: %s\n", err.where, err.message);
    }
    is_done = is_done && report(&b);
    free(b.is_held_out);
    rig_measurements_free(b.set);
    rig_catalog_free(b.catalog);
    return is_done ? 0 : 1;
}
