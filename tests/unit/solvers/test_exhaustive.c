/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/exhaustive/exhaustive.c. */
#include "solvers/exhaustive/exhaustive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "problems.h"
#include "solvers/choice.h"

/* Plain counting through all combinations, without any bound. */
static bool best_by_counting(const rig_choice_problem *problem, int64_t *cost_out)
{
    size_t chosen[TEST_GROUPS_MAX] = {0};
    bool is_found = false;
    for (;;) {
        const int64_t cost = rig__choice_cost(problem, chosen);
        if (rig__choice_holds(problem, chosen) && cost <= problem->cost_limit &&
            (!is_found || cost < *cost_out)) {
            is_found = true;
            *cost_out = cost;
        }
        size_t g = 0;
        while (g < problem->n_groups && ++chosen[g] == problem->n_options[g]) {
            chosen[g++] = 0;
        }
        if (g == problem->n_groups) {
            return is_found;
        }
    }
}

static void test_solve__agrees_with_counting(void **state)
{
    (void)state;
    static const test_shape shape = {4, {6, 5, 4, 3}, 2, 3, 0.45, 0.7, 100, false};
    int n_found = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        test_problem t;
        problem_random(&t, &shape, seed);
        t.problem.cost_limit = seed % 3 == 0 ? 1200000 : INT64_MAX;
        size_t chosen[TEST_GROUPS_MAX];
        rig_choice_solution solution = {.chosen = chosen};
        int64_t cost = 0;
        const bool is_found = best_by_counting(&t.problem, &cost);
        assert_int_equal(rig__solver_exhaustive.solve(&t.problem, NULL, &solution, NULL), RIG_OK);
        if (is_found) {
            assert_int_equal(solution.outcome, RIG_OUTCOME_OPTIMAL);
            assert_int_equal(solution.cost, cost);
            assert_int_equal(solution.cost_bound, cost);
            assert_int_equal(rig__choice_cost(&t.problem, chosen), cost);
            assert_true(rig__choice_holds(&t.problem, chosen));
        } else {
            assert_int_equal(solution.outcome, RIG_OUTCOME_INFEASIBLE);
        }
        n_found += is_found;
        problem_free(&t);
    }
    assert_true(n_found > 20);
    assert_true(n_found < 95);
}

static bool is_cancelled(void *payload)
{
    int *const n_left = payload;
    return (*n_left)-- <= 0;
}

static void test_solve__limits(void **state)
{
    (void)state;
    static const test_shape shape = {6, {40, 40, 40, 40, 40, 40}, 3, 0, 1.0, 0.8, 1, false};
    test_problem t;
    problem_random(&t, &shape, 3);
    size_t chosen[TEST_GROUPS_MAX];
    rig_choice_solution solution = {.chosen = chosen};
    rig_solver_limits limits = rig_solver_limits_default();
    limits.time_s = 0.0;
    assert_int_equal(rig__solver_exhaustive.solve(&t.problem, &limits, &solution, NULL), RIG_OK);
    assert_int_equal(solution.outcome, RIG_OUTCOME_LIMIT);
    assert_true(solution.cost_bound > 0);

    int n_left = 50;
    limits = rig_solver_limits_default();
    limits.is_cancelled = is_cancelled;
    limits.payload = &n_left;
    assert_int_equal(rig__solver_exhaustive.solve(&t.problem, &limits, &solution, NULL), RIG_OK);
    assert_true(n_left < 0);
    assert_true(solution.outcome == RIG_OUTCOME_LIMIT || solution.outcome == RIG_OUTCOME_FEASIBLE);
    problem_free(&t);
}

static void test_solve__refuses_hostile_problems(void **state)
{
    (void)state;
    static const test_shape shape = {2, {3, 3}, 1, 1, 0.5, 0.5, 1, false};
    test_problem t;
    problem_random(&t, &shape, 1);
    size_t chosen[TEST_GROUPS_MAX];
    rig_choice_solution solution = {.chosen = chosen};
    rig_error err = {0};
    t.rows[0].limit = NAN;
    assert_int_equal(rig__solver_exhaustive.solve(&t.problem, NULL, &solution, &err),
                     RIG_E_INVALID);
    assert_int_equal(err.status, RIG_E_INVALID);
    problem_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solve__agrees_with_counting),
        cmocka_unit_test(test_solve__limits),
        cmocka_unit_test(test_solve__refuses_hostile_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
