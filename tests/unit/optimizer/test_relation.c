/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of a relation say exactly what the chosen pair allows. */
#include "optimizer/relation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/assert_near.h"

enum { MOST = 12 };

typedef struct table {
    size_t n_first, n_second;
    double value[MOST * MOST];
} table;

static double value_of(const void *context, size_t first, size_t second)
{
    const table *t = context;
    return t->value[first * t->n_second + second];
}

static bool is_same(const void *context, size_t a, size_t b)
{
    const table *t = context;
    for (size_t j = 0; j < t->n_second; j++) {
        if (t->value[a * t->n_second + j] != t->value[b * t->n_second + j]) {
            return false;
        }
    }
    return true;
}

typedef struct program {
    rig__linear linear;
    rig__members first, second;
    size_t at[MOST], column_first[MOST], column_second[MOST];
} program;

static void program_init(program *p, const table *t)
{
    p->linear = (rig__linear){.arena = rig__arena_new()};
    assert_non_null(p->linear.arena);
    (void)rig__linear_column_add(&p->linear,
                                 (rig__linear_column){.name = "one", .low = 1, .high = 1});
    for (size_t i = 0; i < MOST; i++) {
        p->at[i] = i;
        p->column_first[i] =
            rig__linear_column_add(&p->linear, (rig__linear_column){.name = "a", .high = 1});
        p->column_second[i] =
            rig__linear_column_add(&p->linear, (rig__linear_column){.name = "b", .high = 1});
    }
    p->first = (rig__members){t->n_first, p->at, p->column_first};
    p->second = (rig__members){t->n_second, p->at, p->column_second};
}

static void program_fini(program *p)
{
    rig__arena_free(p->linear.arena);
    rig__linear_fini(&p->linear);
}

/* Greatest value of a column (0: none) that the rows allow when one pair is chosen; -1: the rows
 * forbid the pair. Class columns follow from their defining rows. */
static double greatest(const program *p, size_t first, size_t second, size_t column)
{
    const rig__linear *l = &p->linear;
    double *x = calloc(l->n_columns, sizeof *x);
    double most = 1;
    assert_non_null(x);
    x[0] = 1;
    x[p->column_first[first]] = x[p->column_second[second]] = 1;
    for (size_t i = 0; i < l->n_rows; i++) {
        const rig__linear_row *row = &l->rows[i];
        double sum = 0;
        for (size_t k = row->start; k < row->start + row->length; k++) {
            const bool is_defined = row->sense == RIG__EQUAL && k == row->start + row->length - 1;
            if (is_defined) {
                x[l->index[k]] = sum;
            } else if (column == 0 || l->index[k] != column) {
                sum += l->value[k] * x[l->index[k]];
            } else {
                assert_true(l->value[k] == 1.0);
            }
        }
        if (row->sense == RIG__AT_MOST && column == 0 && sum > row->right + 1e-12) {
            most = -1;
        } else if (row->sense == RIG__AT_MOST && column != 0) {
            most = fmin(most, row->right - sum);
        }
    }
    free(x);
    return most;
}

static void fill(const table *t, program *p, bool by_same, rig__relation *out)
{
    const rig__relation_source source = {.name = "test",
                                         .first = &p->first,
                                         .second = &p->second,
                                         .value = value_of,
                                         .is_same = by_same ? is_same : NULL,
                                         .context = t};
    assert_int_equal(rig__relation_fill(out, &source, p->linear.arena, NULL), RIG_OK);
    for (size_t i = 0; i < t->n_first; i++) {
        for (size_t j = 0; j < t->n_second; j++) {
            assert_true(rig__relation_value(out, i, j) == value_of(t, i, j));
        }
    }
}

/* A table of few different values, so that classes and ties are common. */
static table random_table(uint64_t *state, size_t n_values)
{
    table t = {.n_first = 1 + *state % MOST, .n_second = 1 + *state / 64 % MOST};
    for (size_t i = 0; i < t.n_first * t.n_second; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t pick = (size_t)(*state >> 33) % (n_values + 1);
        t.value[i] = pick == n_values ? (double)INFINITY : (double)pick * 10;
    }
    return t;
}

static void test_rows__bound_the_variable_by_the_chosen_pair(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (int round = 0; round < 300; round++) {
        const table t = random_table(&seed, 2 + (size_t)round % 6);
        program p;
        rig__relation relation;
        program_init(&p, &t);
        fill(&t, &p, round % 2 == 0, &relation);
        rig__segment segment = {.low = 5, .high = 35};
        segment.column =
            rig__linear_column_add(&p.linear, (rig__linear_column){.name = "r", .high = 1});
        assert_int_equal(rig__relation_rows(&p.linear, &relation, &segment, NULL), RIG_OK);
        for (size_t i = 0; i < t.n_first; i++) {
            for (size_t j = 0; j < t.n_second; j++) {
                const double share = fmin(1, fmax(0, (value_of(&t, i, j) - 5) / 30));
                assert_true(is_near(greatest(&p, i, j, segment.column), share, 1e-12, 1e-12));
            }
        }
        program_fini(&p);
    }
}

static void test_rows__forbid_what_is_below_a_required_value(void **state)
{
    uint64_t seed = 11;
    (void)state;
    for (int round = 0; round < 300; round++) {
        const table t = random_table(&seed, 2 + (size_t)round % 6);
        const rig__segment segment = {.low = 20, .high = 20, .is_required = true};
        program p;
        rig__relation relation;
        program_init(&p, &t);
        fill(&t, &p, round % 2 == 0, &relation);
        assert_int_equal(rig__relation_rows(&p.linear, &relation, &segment, NULL), RIG_OK);
        for (size_t i = 0; i < t.n_first; i++) {
            for (size_t j = 0; j < t.n_second; j++) {
                assert_true((greatest(&p, i, j, 0) > 0) == (value_of(&t, i, j) >= 20));
            }
        }
        program_fini(&p);
    }
}

static void test_rows__need_nothing_where_every_pair_is_allowed(void **state)
{
    const table t = {.n_first = 2, .n_second = 3, .value = {9, 9, 9, 9, 9, 9}};
    const rig__segment segment = {.low = 9, .high = 9, .is_required = true};
    program p;
    rig__relation relation;
    (void)state;
    program_init(&p, &t);
    fill(&t, &p, false, &relation);
    assert_int_equal(relation.first.n, 1);
    assert_int_equal(relation.second.n, 1);
    assert_int_equal(rig__relation_rows(&p.linear, &relation, &segment, NULL), RIG_OK);
    assert_int_equal(p.linear.n_rows, 0);
    program_fini(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows__bound_the_variable_by_the_chosen_pair),
        cmocka_unit_test(test_rows__forbid_what_is_below_a_required_value),
        cmocka_unit_test(test_rows__need_nothing_where_every_pair_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
