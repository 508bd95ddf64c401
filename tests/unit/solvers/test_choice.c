/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/choice.c. */
#include "solvers/choice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Two groups of two options, one row, one pair; each case spoils one thing. */
typedef struct fixture {
    size_t n_options[2];
    int64_t costs_a[2], costs_b[2];
    const int64_t *costs[2];
    double uses_a[2], uses_b[2];
    const double *uses[2];
    rig_choice_row row;
    unsigned char allowed[4];
    rig_choice_pair pair;
    rig_choice_problem problem;
    rig_solver_limits limits;
} fixture;

static void make(fixture *f)
{
    *f = (fixture){
        .n_options = {2, 2},
        .costs_a = {10, 20},
        .costs_b = {1, 2},
        .uses_a = {0.1, 1.0},
        .uses_b = {0.2, 5.0},
        .allowed = {1, 1, 0, 1},
    };
    f->costs[0] = f->costs_a;
    f->costs[1] = f->costs_b;
    f->uses[0] = f->uses_a;
    f->uses[1] = f->uses_b;
    f->row = (rig_choice_row){"power", f->uses, 0.3};
    f->pair = (rig_choice_pair){"socket", 0, 1, f->allowed};
    f->problem = (rig_choice_problem){
        .n_groups = 2,
        .n_options = f->n_options,
        .costs = f->costs,
        .n_rows = 1,
        .rows = &f->row,
        .n_pairs = 1,
        .pairs = &f->pair,
        .cost_limit = INT64_MAX,
    };
    f->limits = rig_solver_limits_default();
}

static void nothing(fixture *f)
{
    f->row.coefficients = NULL; /* all zero */
}
static void no_groups(fixture *f)
{
    f->problem.n_groups = 0;
}
static void too_many_groups(fixture *f)
{
    f->problem.n_groups = RIG__GROUPS_MAX + 1;
}
static void no_options(fixture *f)
{
    f->n_options[1] = 0;
}
static void too_many_options(fixture *f)
{
    f->n_options[1] = SIZE_MAX;
}
static void negative_cost(fixture *f)
{
    f->costs_b[1] = -1;
}
static void large_cost(fixture *f)
{
    f->costs_a[0] = RIG__COST_MAX + 1;
}
static void nan_coefficient(fixture *f)
{
    f->uses_b[1] = NAN;
}
static void infinite_coefficient(fixture *f)
{
    f->uses_b[1] = -INFINITY;
}
static void huge_coefficient(fixture *f)
{
    f->uses_b[1] = 1e101;
}
static void nan_limit(fixture *f)
{
    f->row.limit = NAN;
}
static void infinite_limit(fixture *f)
{
    f->row.limit = INFINITY;
}
static void first_out_of_range(fixture *f)
{
    f->pair.first = 2;
}
static void second_out_of_range(fixture *f)
{
    f->pair.second = SIZE_MAX;
}
static void same_group_twice(fixture *f)
{
    f->pair.second = 0;
}
static void no_table(fixture *f)
{
    f->pair.allowed = NULL;
}
static void nan_time(fixture *f)
{
    f->limits.time_s = NAN;
}

static void test_check__names_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*spoil)(fixture *f);
        const char *message; /* NULL: fine */
    } rows[] = {
        {"nothing", nothing, NULL},
        {"no groups", no_groups, "wrong number of groups: '0'"},
        {"too many groups", too_many_groups, "wrong number of groups: '4097'"},
        {"no options", no_options, "wrong number of options of group 1: '0'"},
        {"too many options", too_many_options, "wrong number of options of group 1"},
        {"negative cost", negative_cost, "cost of option 1 of group 1 out of range: '-1'"},
        {"large cost", large_cost, "cost of option 0 of group 0 out of range: '10000000000001'"},
        {"nan", nan_coefficient, "coefficient of option 1 of group 1 in row 0 (power)"},
        {"infinite", infinite_coefficient, "'-inf'"},
        {"huge", huge_coefficient, "'1e+101'"},
        {"nan limit", nan_limit, "limit of row 0 (power) is no usable number: 'nan'"},
        {"infinite limit", infinite_limit, "limit of row 0 (power) is no usable number: 'inf'"},
        {"first", first_out_of_range, "wrong groups of pair 0 (socket): '2, 1'"},
        {"second", second_out_of_range, "wrong groups of pair 0 (socket)"},
        {"twice", same_group_twice, "wrong groups of pair 0 (socket): '0, 0'"},
        {"no table", no_table, "wrong groups of pair 0 (socket)"},
        {"nan time", nan_time, "time limit is no number: 'nan'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        make(&f);
        rows[i].spoil(&f);
        rig_error err = {0};
        const rig_status status = rig__choice_check(&f.problem, &f.limits, &err);
        if (status != (rows[i].message != NULL ? RIG_E_INVALID : RIG_OK) ||
            (rows[i].message != NULL && strstr(err.message, rows[i].message) == NULL)) {
            fail_msg("%s: %s", rows[i].name, err.message);
        }
    }
}

static void test_holds__rows_and_pairs(void **state)
{
    (void)state;
    fixture f;
    make(&f);
    const size_t good[2] = {0, 0};
    const size_t too_much[2] = {0, 1};
    const size_t no_pair[2] = {1, 0};
    /* 0.1 + 0.2 is a little more than 0.3 in binary */
    assert_true(0.1 + 0.2 > 0.3);
    assert_true(rig__choice_holds(&f.problem, good));
    assert_false(rig__choice_holds(&f.problem, too_much));
    f.row.limit = 100.0;
    assert_true(rig__choice_holds(&f.problem, too_much));
    assert_false(rig__choice_holds(&f.problem, no_pair));
    assert_int_equal(rig__choice_cost(&f.problem, no_pair), 21);
    assert_int_equal(rig__choice_count(&f.problem), 4);
}

static void test_row_holds__tolerance(void **state)
{
    (void)state;
    const rig_choice_row row = {"r", NULL, 100.0};
    assert_true(rig__choice_row_holds(&row, 100.0 + 1e-7, 100.0));
    assert_false(rig__choice_row_holds(&row, 100.0 + 1e-6, 100.0));
    const rig_choice_row zero = {"r", NULL, 0.0};
    assert_true(rig__choice_row_holds(&zero, 0.0, 0.0));
    assert_false(rig__choice_row_holds(&zero, 1e-300, 0.0));
}

static void test_clock__does_not_go_back(void **state)
{
    (void)state;
    double before_s = rig__clock_s();
    for (int i = 0; i < 100; i++) {
        const double now_s = rig__clock_s();
        assert_true(now_s >= before_s);
        before_s = now_s;
    }
    assert_true(before_s > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check__names_what_is_wrong),
        cmocka_unit_test(test_holds__rows_and_pairs),
        cmocka_unit_test(test_row_holds__tolerance),
        cmocka_unit_test(test_clock__does_not_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
