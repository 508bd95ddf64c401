/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/domains.c. */
#include "solvers/domains.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "problems.h"
#include "solvers/choice.h"

typedef struct fixture {
    rig__arena *arena;
    test_problem t;
    rig__domains domains;
    rig__option_set *set;
} fixture;

static void make(fixture *f, const test_shape *shape, uint64_t seed)
{
    f->arena = rig__arena_new();
    assert_non_null(f->arena);
    problem_random(&f->t, shape, seed);
    assert_int_equal(rig__domains_init(&f->domains, &f->t.problem, f->arena), RIG_OK);
    f->set = rig__domains_full(&f->domains, f->arena);
    assert_non_null(f->set);
}

static void drop(fixture *f)
{
    problem_free(&f->t);
    rig__arena_free(f->arena);
}

static void test_set__counts_and_walks(void **state)
{
    (void)state;
    static const test_shape shape = {2, {130, 64}, 0, 0, 1.0, 0.5, 1, false};
    fixture f;
    make(&f, &shape, 1);
    assert_int_equal(rig__domains_count(&f.domains, f.set, 0), 130);
    assert_int_equal(rig__domains_count(&f.domains, f.set, 1), 64);
    for (size_t i = 0; i < 130; i++) {
        if (i % 63 != 2) {
            rig__domains_remove(&f.domains, f.set, 0, i);
        }
    }
    assert_int_equal(rig__domains_count(&f.domains, f.set, 0), 3);
    assert_int_equal(rig__domains_next(&f.domains, f.set, 0, 0), 2);
    assert_int_equal(rig__domains_next(&f.domains, f.set, 0, 3), 65);
    assert_int_equal(rig__domains_next(&f.domains, f.set, 0, 66), 128);
    assert_int_equal(rig__domains_next(&f.domains, f.set, 0, 129), 130);
    assert_int_equal(rig__domains_next(&f.domains, f.set, 0, 130), 130);
    assert_true(rig__domains_has(&f.domains, f.set, 0, 65));
    assert_false(rig__domains_has(&f.domains, f.set, 0, 64));
    rig__domains_choose(&f.domains, f.set, 0, 7);
    assert_int_equal(rig__domains_count(&f.domains, f.set, 0), 1);
    assert_int_equal(rig__domains_next(&f.domains, f.set, 0, 0), 7);
    drop(&f);
}

/* Every choice that holds and costs less survives, in each of its options. */
static void test_propagate__keeps_every_solution(void **state)
{
    (void)state;
    static const test_shape shape = {3, {7, 6, 5}, 2, 3, 0.4, 0.65, 100, true};
    size_t n_removed = 0;
    size_t n_solutions = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        fixture f;
        make(&f, &shape, seed);
        const int64_t below = seed % 2 == 0 ? INT64_MAX : 900000;
        const bool is_open = rig__domains_propagate(&f.domains, f.set, below, 3);
        for (size_t n = 0; n < 7 * 6 * 5; n++) {
            const size_t chosen[3] = {n % 7, n / 7 % 6, n / 42};
            if (!rig__choice_holds(&f.t.problem, chosen) ||
                rig__choice_cost(&f.t.problem, chosen) >= below) {
                continue;
            }
            n_solutions++;
            assert_true(is_open);
            for (size_t g = 0; g < 3; g++) {
                assert_true(rig__domains_has(&f.domains, f.set, g, chosen[g]));
            }
        }
        for (size_t g = 0; g < 3; g++) {
            n_removed += shape.n_options[g] - rig__domains_count(&f.domains, f.set, g);
        }
        drop(&f);
    }
    assert_true(n_removed > 300);
    assert_true(n_solutions > 100);
}

static void test_propagate__prices_remove(void **state)
{
    (void)state;
    static const test_shape shape = {2, {3, 3}, 0, 0, 1.0, 0.5, 1, false};
    fixture f;
    make(&f, &shape, 1);
    const double price[6] = {0.0, 5.0, 11.0, 0.0, 10.0, 20.0};
    f.domains.price = price;
    f.domains.price_base = 100.0;
    for (size_t g = 0; g < 2; g++) {
        for (size_t i = 0; i < 3; i++) {
            f.t.costs[g][i] = 0;
        }
    }
    /* a cost of 110 is not below 110, and a bound of 110.0 proves it */
    assert_true(rig__domains_propagate(&f.domains, f.set, 111, 2));
    assert_int_equal(rig__domains_count(&f.domains, f.set, 0), 2);
    assert_int_equal(rig__domains_count(&f.domains, f.set, 1), 2);
    assert_true(rig__domains_propagate(&f.domains, f.set, 110, 2));
    assert_int_equal(rig__domains_count(&f.domains, f.set, 1), 1);
    assert_true(rig__domains_propagate(&f.domains, f.set, 101, 2));
    assert_int_equal(rig__domains_least_cost(&f.domains, f.set), 0);
    assert_false(rig__domains_propagate(&f.domains, f.set, 100, 2));
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set__counts_and_walks),
        cmocka_unit_test(test_propagate__keeps_every_solution),
        cmocka_unit_test(test_propagate__prices_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
