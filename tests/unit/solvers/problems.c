/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choice problems for tests: seeded random ones, and ones built by hand. */
#include "problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double random_unit(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void *allocate(size_t count, size_t size)
{
    void *const memory = calloc(count, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void fill_group(test_problem *t, const test_shape *shape, size_t g, uint64_t *seed)
{
    const size_t n = shape->n_options[g];
    t->n_options[g] = n;
    t->costs[g] = allocate(n, sizeof *t->costs[g]);
    for (size_t r = 0; r < shape->n_rows; r++) {
        t->coefficients[r][g] = allocate(n, sizeof(double));
    }
    for (size_t i = 0; i < n; i++) {
        const double quality = random_unit(seed);
        const double dollars = 100.0 + quality * quality * 5000.0 + random_unit(seed) * 1000.0;
        t->costs[g][i] = (int64_t)(dollars * 100.0) / shape->cost_step * shape->cost_step;
        for (size_t r = 0; r < shape->n_rows; r++) {
            const double amount = quality * 100.0 + random_unit(seed) * 30.0;
            const double value = shape->are_whole ? floor(amount / 10.0) : amount;
            t->coefficients[r][g][i] = r % 2 == 0 ? -value : value;
        }
    }
}

static void fill_row(test_problem *t, const test_shape *shape, size_t r)
{
    double most = 0.0;
    for (size_t g = 0; g < shape->n_groups; g++) {
        double largest = 0.0;
        for (size_t i = 0; i < shape->n_options[g]; i++) {
            largest = fmax(largest, fabs(t->coefficients[r][g][i]));
        }
        most += largest;
    }
    const double part = r % 2 == 0 ? -shape->tightness : 1.0 - 0.4 * shape->tightness;
    const double limit = part * most;
    t->rows[r].name = "row";
    t->rows[r].coefficients = (const double *const *)t->coefficients[r];
    t->rows[r].limit = shape->are_whole ? floor(limit) : limit;
}

static void fill_pair(test_problem *t, const test_shape *shape, size_t p, uint64_t *seed)
{
    const size_t first = (size_t)(random_unit(seed) * (double)shape->n_groups);
    size_t second = first;
    while (second == first) {
        second = (size_t)(random_unit(seed) * (double)shape->n_groups);
    }
    const size_t n = shape->n_options[first] * shape->n_options[second];
    t->allowed[p] = allocate(n, 1);
    for (size_t i = 0; i < n; i++) {
        t->allowed[p][i] = random_unit(seed) < shape->density;
    }
    t->pairs[p] = (rig_choice_pair){"pair", first, second, t->allowed[p]};
}

void problem_random(test_problem *out, const test_shape *shape, uint64_t seed)
{
    memset(out, 0, sizeof *out);
    (void)random_unit(&seed);
    for (size_t g = 0; g < shape->n_groups; g++) {
        fill_group(out, shape, g, &seed);
    }
    for (size_t r = 0; r < shape->n_rows; r++) {
        fill_row(out, shape, r);
    }
    for (size_t p = 0; p < shape->n_pairs; p++) {
        fill_pair(out, shape, p, &seed);
    }
    out->problem = (rig_choice_problem){
        .n_groups = shape->n_groups,
        .n_options = out->n_options,
        .costs = (const int64_t *const *)out->costs,
        .n_rows = shape->n_rows,
        .rows = out->rows,
        .n_pairs = shape->n_pairs,
        .pairs = out->pairs,
        .cost_limit = INT64_MAX,
    };
}

void problem_free(test_problem *problem)
{
    for (size_t g = 0; g < TEST_GROUPS_MAX; g++) {
        free(problem->costs[g]);
        for (size_t r = 0; r < TEST_ROWS_MAX; r++) {
            free(problem->coefficients[r][g]);
        }
    }
    for (size_t p = 0; p < TEST_PAIRS_MAX; p++) {
        free(problem->allowed[p]);
    }
}
