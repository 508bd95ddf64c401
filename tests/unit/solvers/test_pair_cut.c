/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/pair_cut.c. */
#include "solvers/pair_cut.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "problems.h"

#define N 5

typedef struct fixture {
    rig__arena *arena;
    test_problem t;
    rig__domains domains;
    rig__option_set *set;
    uint64_t from, to;
    rig__pair_cut cut;
} fixture;

static void make(fixture *f, uint64_t seed)
{
    static const test_shape shape = {2, {N, N}, 0, 1, 0.4, 0.5, 1, false};
    *f = (fixture){.arena = rig__arena_new()};
    assert_non_null(f->arena);
    problem_random(&f->t, &shape, seed);
    f->t.pairs[0].first = 0;
    f->t.pairs[0].second = 1;
    assert_int_equal(rig__domains_init(&f->domains, &f->t.problem, f->arena), RIG_OK);
    f->set = rig__domains_full(&f->domains, f->arena);
    f->cut = (rig__pair_cut){&f->from, &f->to, 0.0};
}

static void drop(fixture *f)
{
    problem_free(&f->t);
    rig__arena_free(f->arena);
}

/* Largest x(S) - x(N(S)) over all subsets. */
static double worst_by_counting(const fixture *f, const double *x, const double *y)
{
    double worst = 0.0;
    for (unsigned subset = 0; subset < 1u << N; subset++) {
        double violation = 0.0;
        for (size_t j = 0; j < N; j++) {
            bool is_partner = false;
            for (size_t i = 0; i < N; i++) {
                is_partner |= (subset >> i & 1u) != 0 && f->t.allowed[0][i * N + j] != 0;
            }
            violation += ((subset >> j & 1u) != 0 ? x[j] : 0.0) - (is_partner ? y[j] : 0.0);
        }
        worst = fmax(worst, violation);
    }
    return worst;
}

static void fill_weights(double *x, uint64_t *seed)
{
    double sum = 0.0;
    for (size_t i = 0; i < N; i++) {
        x[i] = random_unit(seed) < 0.4 ? 0.0 : random_unit(seed);
        sum += x[i];
    }
    for (size_t i = 0; i < N; i++) {
        x[i] = sum > 0.0 ? x[i] / sum : 1.0 / N;
    }
}

static void test_find__is_the_most_violated(void **state)
{
    (void)state;
    int n_violated = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        fixture f;
        make(&f, seed);
        double x[N];
        double y[N];
        uint64_t draw = seed + 1000;
        fill_weights(x, &draw);
        fill_weights(y, &draw);
        assert_int_equal(rig__pair_cut_find(&f.domains, 0, f.set, x, y, &f.cut), RIG_OK);
        const double worst = worst_by_counting(&f, x, y);
        assert_true(fabs(f.cut.violation - worst) < 1e-7);
        n_violated += worst > 1e-6;
        drop(&f);
    }
    assert_true(n_violated > 50);
    assert_true(n_violated < 290);
}

/* No allowed pair of options violates what is found. */
static void test_find__is_valid(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        fixture f;
        make(&f, seed);
        double x[N];
        double y[N];
        uint64_t draw = seed;
        fill_weights(x, &draw);
        fill_weights(y, &draw);
        assert_int_equal(rig__pair_cut_find(&f.domains, 0, f.set, x, y, &f.cut), RIG_OK);
        for (size_t n = 0; n < N * N; n++) {
            if (f.t.allowed[0][n] != 0) {
                assert_true((f.from >> (n / N) & 1) <= (f.to >> (n % N) & 1));
            }
        }
        drop(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find__is_the_most_violated),
        cmocka_unit_test(test_find__is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
