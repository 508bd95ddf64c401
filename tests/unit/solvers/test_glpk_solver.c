/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/glpk/glpk_solver.c. */
#include "solvers/glpk/glpk_solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <glpk.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "problems.h"
#include "solvers/choice.h"
#include "solvers/exhaustive/exhaustive.h"

/* GLPK decides alone: no depth-first search helps. */
static const rig__glpk_effort glpk_alone = {0, 0, 0, 0};

static rig_status solve_alone(const rig_choice_problem *problem,
                              const rig_solver_limits *limits,
                              rig_choice_solution *solution,
                              rig_error *err)
{
    return rig__glpk_solve(problem, limits, &glpk_alone, solution, err);
}

static rig_status solve_default(const rig_choice_problem *problem,
                                const rig_solver_limits *limits,
                                rig_choice_solution *solution,
                                rig_error *err)
{
    return rig__solver_glpk.solve(problem, limits, solution, err);
}

typedef rig_status (*solve_function)(const rig_choice_problem *,
                                     const rig_solver_limits *,
                                     rig_choice_solution *,
                                     rig_error *);

static const solve_function both[] = {solve_default, solve_alone};

/* Solves and checks what every solution promises. */
static rig_choice_solution
checked(solve_function solve, const rig_choice_problem *problem, size_t *chosen)
{
    rig_choice_solution solution = {.chosen = chosen};
    rig_error err = {0};
    if (solve(problem, NULL, &solution, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    if (solution.outcome == RIG_OUTCOME_OPTIMAL) {
        assert_true(rig__choice_holds(problem, chosen));
        assert_int_equal(rig__choice_cost(problem, chosen), solution.cost);
        assert_int_equal(solution.cost_bound, solution.cost);
        assert_true(solution.cost <= problem->cost_limit);
    } else {
        assert_int_equal(solution.outcome, RIG_OUTCOME_INFEASIBLE);
    }
    return solution;
}

static const test_shape shapes[] = {
    {3, {6, 5, 4}, 2, 2, 0.5, 0.6, 1, false},
    {4, {8, 7, 5, 3}, 3, 3, 0.4, 0.5, 1, false},
    {5, {9, 8, 6, 4, 3}, 4, 4, 0.5, 0.65, 1, false},
    {4, {8, 7, 5, 3}, 2, 2, 0.6, 0.6, 20000, true},
    {5, {7, 6, 6, 5, 4}, 4, 1, 0.7, 0.7, 50000, true},
    {3, {20, 15, 10}, 1, 3, 0.2, 0.5, 1, true},
    {6, {5, 5, 5, 5, 5, 5}, 2, 6, 0.6, 0.55, 1, false},
    {4, {6, 6, 6, 6}, 4, 4, 0.35, 0.85, 1, true},
    {2, {1, 1}, 1, 1, 0.8, 0.9, 1, false},
};

static void test_solve__agrees_with_enumeration(void **state)
{
    (void)state;
    int n_optimal = 0;
    int n_infeasible = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        test_problem t;
        problem_random(&t, &shapes[seed % (sizeof shapes / sizeof shapes[0])], seed);
        size_t chosen[TEST_GROUPS_MAX];
        const rig_choice_solution exact = checked(rig__solver_exhaustive.solve, &t.problem, chosen);
        for (size_t k = 0; k < 2; k++) {
            const rig_choice_solution found = checked(both[k], &t.problem, chosen);
            if (found.outcome != exact.outcome || found.cost != exact.cost) {
                fail_msg("seed %d way %zu: %s %lld instead of %s %lld",
                         (int)seed,
                         k,
                         rig_outcome_name(found.outcome),
                         (long long)found.cost,
                         rig_outcome_name(exact.outcome),
                         (long long)exact.cost);
            }
        }
        n_optimal += exact.outcome == RIG_OUTCOME_OPTIMAL;
        n_infeasible += exact.outcome == RIG_OUTCOME_INFEASIBLE;
        problem_free(&t);
    }
    /* the comparison says nothing if all problems are of one kind */
    assert_true(n_optimal > 100);
    assert_true(n_infeasible > 30);
}

static void test_solve__cost_limit_decides_to_the_cent(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        test_problem t;
        problem_random(&t, &shapes[1], seed);
        size_t chosen[TEST_GROUPS_MAX];
        const rig_choice_solution free_one = checked(solve_default, &t.problem, chosen);
        for (size_t k = 0; k < 2 && free_one.outcome == RIG_OUTCOME_OPTIMAL; k++) {
            t.problem.cost_limit = free_one.cost;
            assert_int_equal(checked(both[k], &t.problem, chosen).cost, free_one.cost);
            t.problem.cost_limit = free_one.cost - 1;
            const rig_choice_solution none = checked(both[k], &t.problem, chosen);
            assert_int_equal(none.outcome, RIG_OUTCOME_INFEASIBLE);
        }
        problem_free(&t);
    }
}

/* Costs near the largest that are allowed, apart by one cent. */
static void test_solve__proves_single_cents_of_large_costs(void **state)
{
    (void)state;
    const int64_t base = RIG__COST_MAX - 10;
    const int64_t costs_a[] = {base + 3, base + 1, base + 2, 0};
    const int64_t costs_b[] = {base + 5, base + 4, base + 6};
    const int64_t *const costs[] = {costs_a, costs_b};
    const size_t n_options[] = {4, 3};
    /* option 3 of the first group is cheap but fits nothing dear enough */
    const double use_a[] = {-1.0, -0.5, -1.0, 0.0};
    const double use_b[] = {-1.0, -1.0, -1.5};
    const double *const uses[] = {use_a, use_b};
    const rig_choice_row row = {"cover", uses, -2.0};
    const rig_choice_problem problem = {
        .n_groups = 2,
        .n_options = n_options,
        .costs = costs,
        .n_rows = 1,
        .rows = &row,
        .cost_limit = INT64_MAX,
    };
    for (size_t k = 0; k < 2; k++) {
        size_t chosen[2];
        const rig_choice_solution solution = checked(both[k], &problem, chosen);
        assert_int_equal(solution.cost, 2 * base + 6);
        assert_int_equal(chosen[0], 2);
        assert_int_equal(chosen[1], 1);
    }
}

static void test_solve__order_of_options_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        test_problem t;
        test_shape shape = shapes[4];
        shape.n_pairs = 0;
        problem_random(&t, &shape, seed);
        size_t chosen[TEST_GROUPS_MAX];
        const rig_choice_solution before = checked(solve_alone, &t.problem, chosen);
        for (size_t g = 0; g < shape.n_groups; g++) {
            for (size_t i = 0, j = shape.n_options[g] - 1; i < j; i++, j--) {
                const int64_t cost = t.costs[g][i];
                t.costs[g][i] = t.costs[g][j];
                t.costs[g][j] = cost;
                for (size_t r = 0; r < shape.n_rows; r++) {
                    const double value = t.coefficients[r][g][i];
                    t.coefficients[r][g][i] = t.coefficients[r][g][j];
                    t.coefficients[r][g][j] = value;
                }
            }
        }
        for (size_t k = 0; k < 2; k++) {
            const rig_choice_solution after = checked(both[k], &t.problem, chosen);
            assert_int_equal(after.outcome, before.outcome);
            assert_int_equal(after.cost, before.cost);
        }
        problem_free(&t);
    }
}

static const test_shape large = {7, {300, 200, 150, 100, 50, 30, 10}, 4, 6, 0.3, 0.7, 1, false};

static void test_solve__limits_stop_it(void **state)
{
    (void)state;
    test_problem t;
    problem_random(&t, &large, 5);
    size_t chosen[TEST_GROUPS_MAX];
    rig_choice_solution solution = {.chosen = chosen};
    rig_solver_limits limits = rig_solver_limits_default();
    limits.time_s = 0.0;
    assert_int_equal(rig__solver_glpk.solve(&t.problem, &limits, &solution, NULL), RIG_OK);
    assert_int_equal(solution.outcome, RIG_OUTCOME_LIMIT);
    assert_true(solution.cost_bound > 0);
    problem_free(&t);
}

typedef struct countdown {
    int n_left;
} countdown;

static bool count_down(void *payload)
{
    countdown *const c = payload;
    return c->n_left-- <= 0;
}

static void test_solve__cancel_at_any_time_leaves_a_true_answer(void **state)
{
    (void)state;
    test_problem t;
    problem_random(&t, &large, 7);
    size_t chosen[TEST_GROUPS_MAX];
    const rig_choice_solution exact = checked(solve_default, &t.problem, chosen);
    assert_int_equal(exact.outcome, RIG_OUTCOME_OPTIMAL);
    int n_feasible = 0;
    for (int n = 0; n < 400; n = n * 2 + 1) {
        for (size_t k = 0; k < 2; k++) {
            countdown c = {n};
            rig_solver_limits limits = rig_solver_limits_default();
            limits.is_cancelled = count_down;
            limits.payload = &c;
            rig_choice_solution solution = {.chosen = chosen};
            rig_error err = {0};
            assert_int_equal(both[k](&t.problem, &limits, &solution, &err), RIG_OK);
            assert_true(solution.cost_bound <= exact.cost);
            if (solution.outcome == RIG_OUTCOME_LIMIT) {
                continue;
            }
            assert_int_not_equal(solution.outcome, RIG_OUTCOME_INFEASIBLE);
            assert_true(rig__choice_holds(&t.problem, chosen));
            assert_int_equal(rig__choice_cost(&t.problem, chosen), solution.cost);
            assert_true(solution.cost >= exact.cost);
            n_feasible += solution.outcome == RIG_OUTCOME_FEASIBLE;
        }
    }
    assert_true(n_feasible > 0);
    problem_free(&t);
}

static void test_solve__refuses_hostile_problems(void **state)
{
    (void)state;
    test_problem t;
    problem_random(&t, &shapes[1], 1);
    size_t chosen[TEST_GROUPS_MAX];
    rig_choice_solution solution = {.chosen = chosen};
    rig_error err = {0};
    t.coefficients[1][2][3] = NAN;
    assert_int_equal(rig__solver_glpk.solve(&t.problem, NULL, &solution, &err), RIG_E_INVALID);
    assert_non_null(strstr(err.message, "coefficient of option 3 of group 2 in row 1"));
    problem_free(&t);
}

typedef struct job {
    uint64_t seed;
    rig_choice_solution solution;
    size_t chosen[TEST_GROUPS_MAX];
    rig_status status;
    int64_t cost;
} job;

static void *work_on(void *payload)
{
    job *const j = payload;
    for (uint64_t k = 0; k < 10; k++) {
        test_problem t;
        problem_random(&t, &shapes[(j->seed + k) % 7], j->seed);
        j->solution = (rig_choice_solution){.chosen = j->chosen};
        const rig_status status = solve_alone(&t.problem, NULL, &j->solution, NULL);
        j->status = status != RIG_OK ? status : j->status;
        j->cost += j->solution.cost;
        problem_free(&t);
    }
    return NULL;
}

static void test_solve__many_threads_at_once(void **state)
{
    (void)state;
    enum { N_THREADS = 8 };
    static job together[N_THREADS];
    static job alone[N_THREADS];
    pthread_t threads[N_THREADS];
    for (size_t i = 0; i < N_THREADS; i++) {
        together[i].seed = alone[i].seed = i;
        work_on(&alone[i]);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work_on, &together[i]), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(together[i].status, RIG_OK);
        assert_int_equal(together[i].cost, alone[i].cost);
    }
}

/* Whatever is written to stdout and stderr meanwhile goes to a file. */
static void test_solve__prints_nothing(void **state)
{
    (void)state;
    FILE *const file = tmpfile();
    assert_non_null(file);
    (void)fflush(stdout);
    const int out = dup(STDOUT_FILENO);
    const int err = dup(STDERR_FILENO);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    test_problem t;
    problem_random(&t, &shapes[2], 3);
    size_t chosen[TEST_GROUPS_MAX];
    rig_choice_solution solution = {.chosen = chosen};
    const rig_status status = solve_alone(&t.problem, NULL, &solution, NULL);
    (void)fflush(stdout);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(err, STDERR_FILENO);
    (void)close(out);
    (void)close(err);
    assert_int_equal(status, RIG_OK);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    assert_int_equal(ftell(file), 0);
    (void)fclose(file);
    problem_free(&t);
}

/* Seven groups with 2080 options, four rows, eight sparse pairs. */
static void test_solve__large_problem_is_proved(void **state)
{
    (void)state;
    const test_shape shape = {7, {1000, 400, 300, 200, 100, 60, 20}, 4, 8, 0.05, 0.5, 1, false};
    int n_optimal = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        test_problem t;
        problem_random(&t, &shape, seed);
        size_t chosen[TEST_GROUPS_MAX];
        n_optimal += checked(solve_default, &t.problem, chosen).outcome == RIG_OUTCOME_OPTIMAL;
        problem_free(&t);
    }
    assert_true(n_optimal > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solve__agrees_with_enumeration),
        cmocka_unit_test(test_solve__cost_limit_decides_to_the_cent),
        cmocka_unit_test(test_solve__proves_single_cents_of_large_costs),
        cmocka_unit_test(test_solve__order_of_options_does_not_matter),
        cmocka_unit_test(test_solve__limits_stop_it),
        cmocka_unit_test(test_solve__cancel_at_any_time_leaves_a_true_answer),
        cmocka_unit_test(test_solve__refuses_hostile_problems),
        cmocka_unit_test(test_solve__many_threads_at_once),
        cmocka_unit_test(test_solve__prints_nothing),
        cmocka_unit_test(test_solve__large_problem_is_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
