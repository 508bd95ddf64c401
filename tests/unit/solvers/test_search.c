/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/search.c. */
#include "solvers/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "problems.h"
#include "solvers/choice.h"
#include "solvers/exhaustive/exhaustive.h"

typedef struct fixture {
    rig__arena *arena;
    test_problem t;
    rig__domains domains;
    rig__option_set *set;
    rig_solver_limits limits;
    rig__stop stop;
    size_t chosen[TEST_GROUPS_MAX];
    rig__incumbent best;
    int64_t nodes;
    bool is_complete;
} fixture;

static void make(fixture *f, const test_shape *shape, uint64_t seed)
{
    *f = (fixture){.arena = rig__arena_new(), .limits = rig_solver_limits_default()};
    assert_non_null(f->arena);
    problem_random(&f->t, shape, seed);
    assert_int_equal(rig__domains_init(&f->domains, &f->t.problem, f->arena), RIG_OK);
    f->set = rig__domains_full(&f->domains, f->arena);
    assert_non_null(f->set);
    f->stop = (rig__stop){&f->limits, (double)INFINITY};
    f->best = (rig__incumbent){f->chosen, INT64_MAX, false};
}

static void drop(fixture *f)
{
    problem_free(&f->t);
    rig__arena_free(f->arena);
}

static void run(fixture *f, int64_t nodes, size_t width)
{
    const rig__search_effort effort = {nodes, width};
    assert_int_equal(
        rig__search(&f->domains, f->set, effort, &f->stop, &f->best, &f->nodes, &f->is_complete),
        RIG_OK);
}

static const test_shape shape = {5, {9, 8, 6, 4, 3}, 3, 4, 0.5, 0.6, 1, false};

static void test_search__agrees_with_enumeration(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        fixture f;
        make(&f, &shape, seed);
        size_t chosen[TEST_GROUPS_MAX];
        rig_choice_solution exact = {.chosen = chosen};
        assert_int_equal(rig__solver_exhaustive.solve(&f.t.problem, NULL, &exact, NULL), RIG_OK);
        run(&f, 1000000, SIZE_MAX);
        assert_true(f.is_complete);
        assert_int_equal(f.best.has_solution, exact.outcome == RIG_OUTCOME_OPTIMAL);
        if (f.best.has_solution) {
            assert_int_equal(f.best.cost_below, exact.cost);
            assert_true(rig__choice_holds(&f.t.problem, f.chosen));
        }
        drop(&f);
    }
}

static void test_search__narrow_one_is_no_proof(void **state)
{
    (void)state;
    int n_incomplete = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        fixture f;
        make(&f, &shape, seed);
        run(&f, 1000000, 1);
        const int64_t narrow = f.best.cost_below;
        const bool is_narrow_complete = f.is_complete;
        n_incomplete += !is_narrow_complete;
        run(&f, 1000000, SIZE_MAX);
        assert_true(f.is_complete);
        assert_true(!is_narrow_complete || f.best.cost_below == narrow);
        drop(&f);
    }
    assert_true(n_incomplete > 10);
}

static void test_search__gives_up(void **state)
{
    (void)state;
    fixture f;
    make(&f, &shape, 2);
    run(&f, 0, SIZE_MAX);
    assert_false(f.is_complete);
    f.stop.end_s = 0.0;
    f.nodes = 15; /* the next node looks at the clock */
    run(&f, 1000000, SIZE_MAX);
    assert_false(f.is_complete);
    assert_int_equal(f.nodes, 16);
    drop(&f);
}

static void test_offer__takes_only_better_ones_that_hold(void **state)
{
    (void)state;
    static const test_shape small = {2, {2, 2}, 0, 0, 1.0, 0.5, 1, false};
    fixture f;
    make(&f, &small, 1);
    f.t.costs[0][0] = 1;
    f.t.costs[0][1] = 5;
    f.t.costs[1][0] = 1;
    f.t.costs[1][1] = 2;
    const size_t dear[2] = {1, 1};
    const size_t cheap[2] = {0, 0};
    assert_true(rig__incumbent_offer(&f.best, &f.t.problem, dear));
    assert_int_equal(f.best.cost_below, 7);
    assert_false(rig__incumbent_offer(&f.best, &f.t.problem, dear));
    assert_true(rig__incumbent_offer(&f.best, &f.t.problem, cheap));
    assert_int_equal(f.best.cost_below, 2);
    assert_int_equal(f.chosen[0], 0);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search__agrees_with_enumeration),
        cmocka_unit_test(test_search__narrow_one_is_no_proof),
        cmocka_unit_test(test_search__gives_up),
        cmocka_unit_test(test_offer__takes_only_better_ones_that_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
