/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/solver.c. */
#include "trainrig/solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_find__by_name(void **state)
{
    (void)state;
    assert_true(rig_solver_count() >= 1);
    for (size_t i = 0; i < rig_solver_count(); i++) {
        const rig_solver *const solver = rig_solver_at(i);
        assert_non_null(solver);
        assert_ptr_equal(rig_solver_find(solver->name), solver);
        assert_true(strlen(solver->description) > 0);
        assert_non_null(solver->solve);
    }
    assert_ptr_equal(rig_solver_find("auto"), rig_solver_at(0));
    assert_non_null(rig_solver_find("exhaustive"));
    assert_null(rig_solver_find("nonesuch"));
    assert_null(rig_solver_find(""));
    assert_null(rig_solver_at(rig_solver_count()));
}

static void test_outcome_name(void **state)
{
    (void)state;
    assert_string_equal(rig_outcome_name(RIG_OUTCOME_OPTIMAL), "optimal");
    assert_string_equal(rig_outcome_name(RIG_OUTCOME_FEASIBLE), "feasible");
    assert_string_equal(rig_outcome_name(RIG_OUTCOME_INFEASIBLE), "infeasible");
    assert_string_equal(rig_outcome_name(RIG_OUTCOME_LIMIT), "limit");
    assert_string_equal(rig_outcome_name((rig_outcome)99), "unknown");
}

static void test_limits_default(void **state)
{
    (void)state;
    const rig_solver_limits limits = rig_solver_limits_default();
    assert_true(isinf(limits.time_s));
    assert_null(limits.is_cancelled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find__by_name),
        cmocka_unit_test(test_outcome_name),
        cmocka_unit_test(test_limits_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
