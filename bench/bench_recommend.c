/* SPDX-License-Identifier: GPL-3.0-or-later
 * Times the parts of a recommendation in one run and prints them as ratios to reading the files. */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "trainrig/trainrig.h"

enum { REPEATS = 9, TOP = 10 };

/* One timed piece of work; a failure ends the run. */
typedef rig_status (*work)(void *payload, rig_error *err);

typedef struct bench {
    const char *const *directories;
    rig_catalog *catalog;
    rig_constants *constants;
    rig_request request;
} bench;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static rig_status load(void *payload, rig_error *err)
{
    bench *b = payload;
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = b->directories;
    options.n_directories = 2;
    rig_constants_free(b->constants);
    rig_catalog_free(b->catalog);
    b->constants = NULL;
    const rig_status status = rig_catalog_load(&b->catalog, &options, err);
    return status == RIG_OK ? rig_constants_new(&b->constants, b->catalog, err) : status;
}

static rig_status recommend(void *payload, rig_error *err)
{
    bench *b = payload;
    rig_result *result = NULL;
    const rig_status status = rig_recommend(&result, b->catalog, b->constants, &b->request, err);
    rig_result_free(result);
    return status;
}

static rig_status frontier(void *payload, rig_error *err)
{
    bench *b = payload;
    rig_result *result = NULL;
    const rig_status status =
        rig_frontier(&result, b->catalog, b->constants, &b->request, 200000, 40000000, err);
    if (status == RIG_OK) {
        printf("# frontier 2,000 to 400,000 USD: %zu points\n", result->n_builds);
    }
    rig_result_free(result);
    return status;
}

/* Least time of some repeats: other processes only ever add. */
static double least_s(work run, void *payload, int repeats)
{
    double least = 1e9;
    rig_error err = {0};
    for (int i = 0; i < repeats; i++) {
        const double start = now_s();
        if (run(payload, &err) != RIG_OK) {
            fprintf(stderr, "bench: %s\n", err.message);
            return -1;
        }
        const double taken = now_s() - start;
        least = taken < least ? taken : least;
    }
    return least;
}

static void line(const char *name, double seconds_s, double reference_s)
{
    printf("%-44s %10.2f ms %8.2f x\n", name, seconds_s * 1e3, seconds_s / reference_s);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: bench_recommend CATALOG_DIR MODEL_DIR\n");
        return 2;
    }
    const char *const directories[] = {argv[1], argv[2]};
    bench b = {.directories = directories, .request = rig_request_default()};
    rig_error err = {0};
    const double load_s = least_s(load, &b, REPEATS);
    if (load_s < 0 ||
        rig_workload_find(b.catalog, "resnet50-imagenet", &b.request.workload, &err) != RIG_OK) {
        return 1;
    }
    printf("%-44s %13s %10s\n", "work", "least time", "of reading");
    line("read all tables", load_s, load_s);
    b.request.budget_cents = 2000000;
    b.request.top = 1;
    line("recommend, 20,000 USD, one build", least_s(recommend, &b, REPEATS), load_s);
    b.request.top = TOP;
    line("recommend, 20,000 USD, ten builds", least_s(recommend, &b, REPEATS), load_s);
    b.request.top = 1;
    b.request.objective = RIG_OBJECTIVE_COST_PER_EPOCH;
    line("recommend, least cost per epoch", least_s(recommend, &b, REPEATS), load_s);
    b.request.objective = RIG_OBJECTIVE_EPOCH_TIME;
    b.request.solver = "glpk";
    line("recommend by integer programming alone", least_s(recommend, &b, 1), load_s);
    b.request.solver = "auto";
    line("frontier, 2,000 to 400,000 USD", least_s(frontier, &b, 1), load_s);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-44s %10.1f MB\n", "peak memory", (double)usage.ru_maxrss / 1024.0);
    rig_constants_free(b.constants);
    rig_catalog_free(b.catalog);
    return 0;
}
