/* SPDX-License-Identifier: GPL-3.0-or-later
 * Processor time of loading catalogues and of solving on them, one build and ten, as medians. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "trainrig/trainrig.h"

enum { MOST_REPEATS = 1000, TOP = 10, MOST_DIRECTORIES = 16 };

typedef struct bench {
    const char *const *directories;
    size_t n_directories;
    rig_catalog *catalog;
    rig_constants *constants;
    rig_request request;
    double images_per_s; /* of the best build */
} bench;

typedef rig_status (*work)(bench *b, rig_error *err);

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static rig_status load(bench *b, rig_error *err)
{
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = b->directories;
    options.n_directories = b->n_directories;
    rig_constants_free(b->constants);
    rig_catalog_free(b->catalog);
    b->constants = NULL;
    b->catalog = NULL;
    const rig_status status = rig_catalog_load(&b->catalog, &options, err);
    return status == RIG_OK ? rig_constants_new(&b->constants, b->catalog, err) : status;
}

static rig_status solve(bench *b, rig_error *err)
{
    rig_result *result = NULL;
    const rig_status status = rig_recommend(&result, b->catalog, b->constants, &b->request, err);
    if (status == RIG_OK && result->outcome == RIG_OUTCOME_OPTIMAL) {
        b->images_per_s = result->builds[0].prediction.images_per_s;
    } else if (status == RIG_OK) {
        fprintf(stderr, "bench_market: the answer is not proved optimal\n");
    }
    const bool is_proved = status == RIG_OK && result->outcome == RIG_OUTCOME_OPTIMAL;
    rig_result_free(result);
    return status == RIG_OK && !is_proved ? RIG_E_INVALID : status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool time_work(const char *key, work run, bench *b, size_t n_repeats)
{
    static double taken_s[MOST_REPEATS];
    rig_error err = {0};
    for (size_t i = 0; i < n_repeats; i++) {
        const double start_s = cpu_s();
        if (run(b, &err) != RIG_OK) {
            fprintf(stderr, "bench_market: %s: %s %s\n", key, err.where, err.message);
            return false;
        }
        taken_s[i] = cpu_s() - start_s;
    }
    qsort(taken_s, n_repeats, sizeof *taken_s, compare);
    printf("%s %.9f\n", key, taken_s[n_repeats / 2]);
    return true;
}

static bool run(bench *b, size_t n_repeats, int64_t budget_cents)
{
    rig_error err = {0};
    if (!time_work("load_s", load, b, n_repeats) ||
        rig_workload_find(b->catalog, "resnet50-imagenet", &b->request.workload, &err) != RIG_OK) {
        return false;
    }
    b->request.budget_cents = budget_cents;
    b->request.top = 1;
    bool is_done = time_work("solve_s", solve, b, n_repeats);
    printf("images_per_s %.17g\n", b->images_per_s);
    b->request.top = TOP;
    is_done = is_done && time_work("top10_s", solve, b, n_repeats);
    return is_done;
}

int main(int argc, char **argv)
{
    const long n_repeats = argc > 3 ? strtol(argv[1], NULL, 10) : 0;
    const long budget = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
    if (n_repeats < 1 || n_repeats > MOST_REPEATS || budget < 1 || budget > 1000000000 ||
        argc > 3 + MOST_DIRECTORIES) {
        fprintf(stderr, "usage: bench_market REPEATS BUDGET_USD DIR...\n");
        return 2;
    }
    bench b = {.directories = (const char *const *)(argv + 3),
               .n_directories = (size_t)argc - 3,
               .request = rig_request_default()};
    const bool is_done = run(&b, (size_t)n_repeats, (int64_t)budget * 100);
    rig_constants_free(b.constants);
    rig_catalog_free(b.catalog);
    return is_done ? 0 : 1;
}
