/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominance against its definition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "optimizer/dominance.h"
#include "support/random_catalog.h"

enum { N_ITEMS = 60, N_EQUAL = 2, N_FIGURES = 6, N_SIGNATURES = 7, N_CASES = 300 };

static void fill(rig__figures *figures, random_source *source)
{
    for (size_t i = 0; i < figures->n_items; i++) {
        double *row = rig__figures_row(figures, i);
        for (size_t k = 0; k < N_FIGURES; k++) {
            row[k] = (double)random_below(source, k < N_EQUAL ? 2 : 4);
            row[k] = random_chance(source, 3) ? (double)NAN : row[k];
        }
        if (figures->signatures != NULL) {
            figures->signatures[i] = random_below(source, N_SIGNATURES);
        }
    }
}

static bool replaces(const rig__figures *figures, size_t i_a, size_t i_b)
{
    const double *a = rig__figures_row(figures, i_a), *b = rig__figures_row(figures, i_b);
    for (size_t k = 0; k < N_FIGURES; k++) {
        const bool is_same = a[k] == b[k] || (isnan(a[k]) && isnan(b[k]));
        if (!is_same && (k < N_EQUAL || (!isnan(b[k]) && !(a[k] < b[k])))) {
            return false;
        }
    }
    return true;
}

/* Kept items that replace one: some of its own signature, or how many different others. */
static size_t dominators(const rig__figures *figures, const bool *is_kept, size_t at, bool *is_own)
{
    bool is_seen[N_SIGNATURES] = {false};
    size_t n = 0;
    *is_own = false;
    for (size_t i = 0; i < figures->n_items; i++) {
        if (i == at || !is_kept[i] || !replaces(figures, i, at)) {
            continue;
        }
        const size_t signature = figures->signatures == NULL ? 0 : figures->signatures[i];
        *is_own = *is_own || figures->signatures == NULL || signature == figures->signatures[at];
        n += !is_seen[signature];
        is_seen[signature] = true;
    }
    return n;
}

static void check(size_t n_needed, uint64_t seed, size_t *n_kept)
{
    rig__figures figures;
    bool is_kept[N_ITEMS];
    random_source source = random_from(seed);
    assert_int_equal(rig__figures_new(&figures, N_ITEMS, N_EQUAL, N_FIGURES, n_needed, NULL),
                     RIG_OK);
    fill(&figures, &source);
    assert_int_equal(rig__figures_sweep(&figures, is_kept, NULL), RIG_OK);
    for (size_t i = 0; i < N_ITEMS; i++) {
        bool is_own = false;
        const size_t n = dominators(&figures, is_kept, i, &is_own);
        *n_kept += is_kept[i];
        if (!is_kept[i]) {
            assert_true(is_own || n >= figures.n_needed);
        }
    }
    rig__figures_free(&figures);
}

static void test_figures_sweep__leaves_out_only_what_is_replaced(void **state)
{
    (void)state;
    size_t n_one = 0, n_three = 0;
    for (uint64_t seed = 1; seed <= N_CASES; seed++) {
        check(0, seed, &n_one);
        check(3, seed, &n_three);
    }
    assert_true(n_one < (size_t)N_CASES * N_ITEMS / 2); /* it leaves out something */
    assert_true(n_one < n_three);
}

static void test_figures_sweep__keeps_the_first_of_equals(void **state)
{
    (void)state;
    rig__figures figures;
    bool is_kept[3];
    assert_int_equal(rig__figures_new(&figures, 3, 1, 3, 0, NULL), RIG_OK);
    assert_int_equal(rig__figures_sweep(&figures, is_kept, NULL), RIG_OK);
    assert_true(is_kept[0] && !is_kept[1] && !is_kept[2]);
    rig__figures_row(&figures, 2)[1] = -1; /* cheaper */
    assert_int_equal(rig__figures_sweep(&figures, is_kept, NULL), RIG_OK);
    assert_true(!is_kept[0] && !is_kept[1] && is_kept[2]);
    rig__figures_free(&figures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_sweep__leaves_out_only_what_is_replaced),
        cmocka_unit_test(test_figures_sweep__keeps_the_first_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
