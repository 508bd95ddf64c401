/* SPDX-License-Identifier: GPL-3.0-or-later
 * Times one prediction, as the mean over all shipped measurements, and their whole validation. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "trainrig/trainrig.h"

enum { REPEATS = 20, N_FILES = 4, PATH_SIZE = 4096 };

static const char *const names[N_FILES] = {
    "mlperf_resnet50.csv", "gpu_training.csv", "cpu_preparation.csv", "storage.csv"};

typedef struct bench {
    rig_catalog *catalog;
    rig_constants *constants;
    rig_measurements *set;
    rig_setup *setups;
    double sum; /* of all rates, so that no prediction can be left out */
} bench;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static rig_status load(bench *b, const char *const *directories, rig_error *err)
{
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    const rig_status status = rig_catalog_load(&b->catalog, &options, err);
    return status == RIG_OK ? rig_constants_new(&b->constants, b->catalog, err) : status;
}

static rig_status read_rows(bench *b, const char *directory, rig_error *err)
{
    static char paths[N_FILES + 1][PATH_SIZE];
    const char *files[N_FILES];
    for (int i = 0; i < N_FILES; i++) {
        snprintf(paths[i], PATH_SIZE, "%s/%s", directory, names[i]);
        files[i] = paths[i];
    }
    snprintf(paths[N_FILES], PATH_SIZE, "%s/aliases.csv", directory);
    return rig_measurements_read(&b->set, b->catalog, files, N_FILES, paths[N_FILES], err);
}

static rig_status set_up(bench *b, rig_error *err)
{
    b->setups = calloc(b->set->n_rows + 1, sizeof *b->setups);
    rig_status status = b->setups == NULL ? RIG_E_NOMEM : RIG_OK;
    for (size_t i = 0; i < b->set->n_rows && status == RIG_OK; i++) {
        status =
            rig_measurement_setup(&b->set->rows[i], b->catalog, b->constants, &b->setups[i], err);
    }
    return status;
}

/* Least mean time of one prediction over some repeats. */
static double predict_s(bench *b)
{
    double least = 1e9;
    for (int k = 0; k < REPEATS; k++) {
        const double start = now_s();
        for (size_t i = 0; i < b->set->n_rows; i++) {
            rig_prediction out;
            if (rig_measurement_predict(
                    &b->set->rows[i], &b->setups[i], b->constants, &out, NULL) == RIG_OK) {
                b->sum += out.images_per_s;
            }
        }
        const double taken = (now_s() - start) / (double)b->set->n_rows;
        least = taken < least ? taken : least;
    }
    return least;
}

static void report(bench *b, const char *directory)
{
    rig_error err = {0};
    rig_validation *validation = NULL;
    rig_measurements *again = b->set;
    printf("%-44s %10.0f ns\n", "one prediction", predict_s(b) * 1e9);
    double start = now_s();
    if (read_rows(b, directory, &err) == RIG_OK) {
        printf("%-44s %10.1f ms\n", "read the shipped measurements", (now_s() - start) * 1e3);
        rig_measurements_free(again);
    }
    start = now_s();
    if (rig_validate(&validation, b->set, b->catalog, b->constants, NULL, &err) == RIG_OK) {
        printf("%-44s %10.1f ms\n", "validate them", (now_s() - start) * 1e3);
    }
    rig_validation_free(validation);
}

int main(int argc, char **argv)
{
    bench b = {0};
    rig_error err = {0};
    if (argc != 4) {
        fprintf(stderr, "usage: bench_predict CATALOG_DIR MODEL_DIR MEASUREMENTS_DIR\n");
        return 2;
    }
    const char *const directories[] = {argv[1], argv[2]};
    if (load(&b, directories, &err) != RIG_OK || read_rows(&b, argv[3], &err) != RIG_OK ||
        set_up(&b, &err) != RIG_OK) {
        fprintf(stderr, "bench: %s: %s\n", err.where, err.message);
        return 1;
    }
    report(&b, argv[3]);
    free(b.setups);
    rig_measurements_free(b.set);
    rig_constants_free(b.constants);
    rig_catalog_free(b.catalog);
    return b.sum > 0 ? 0 : 1;
}
