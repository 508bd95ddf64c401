/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choice problems for tests: seeded random ones, and ones built by hand. */
#ifndef RIG_TESTS_PROBLEMS_H
#define RIG_TESTS_PROBLEMS_H

#include "trainrig/solver.h"

#define TEST_GROUPS_MAX 8
#define TEST_ROWS_MAX 4
#define TEST_PAIRS_MAX 8

/** A problem with its arrays; made by problem_random, freed by problem_free. */
typedef struct test_problem {
    rig_choice_problem problem;
    size_t n_options[TEST_GROUPS_MAX];
    int64_t *costs[TEST_GROUPS_MAX];
    double *coefficients[TEST_ROWS_MAX][TEST_GROUPS_MAX];
    rig_choice_row rows[TEST_ROWS_MAX];
    unsigned char *allowed[TEST_PAIRS_MAX];
    rig_choice_pair pairs[TEST_PAIRS_MAX];
} test_problem;

typedef struct test_shape {
    size_t n_groups;
    size_t n_options[TEST_GROUPS_MAX];
    size_t n_rows;
    size_t n_pairs;
    double density;    /**< of allowed pairs */
    double tightness;  /**< 0..1, part of the largest coverage that rows ask for */
    int64_t cost_step; /**< costs are multiples of it: a large one makes ties */
    bool are_whole;    /**< coefficients are small whole numbers: rows are often met exactly */
} test_shape;

/** Uniform in 0..1; the seed moves on. */
double random_unit(uint64_t *seed);

/** Dear options cover more; every row asks for coverage or limits a use, in turn. */
void problem_random(test_problem *out, const test_shape *shape, uint64_t seed);
void problem_free(test_problem *problem);

#endif
