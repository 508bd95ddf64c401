/* SPDX-License-Identifier: GPL-3.0-or-later
 * Axes: round ticks within the range, linear and logarithmic. */
#include "report/axis.h"

#include <math.h>

#include "sample.h"
#include "support/assert_near.h"

static void test_axis__ticks(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double low, high;
        bool has_zero, is_log;
        size_t n;
        double first, last;
    } cases[] = {
        {"linear from zero", 2351, 14087, true, false, 6, 0, 12500},
        {"linear", 3000, 5000, false, false, 5, 3000, 5000},
        {"linear, small", 0.11, 0.19, false, false, 4, 0.12, 0.18},
        {"log, one decade and a half", 3000, 60000, false, true, 7, 3000, 50000},
        {"log, fine steps do not fit", 2000, 400000, false, true, 7, 2000, 200000},
        {"log, three decades", 1, 1000, true, true, 7, 1, 1000},
        {"log, many decades", 1, 1e6, false, true, 7, 1, 1e6},
        {"one value", 5000, 5000, false, false, 5, 4000, 6000},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const rig__axis axis = rig__axis_new(cases[i].low, cases[i].high, cases[i].has_zero);
        if (axis.is_log != cases[i].is_log || axis.n_ticks != cases[i].n) {
            fail_msg(
                "%s: %s, %zu ticks", cases[i].name, axis.is_log ? "log" : "linear", axis.n_ticks);
        }
        ASSERT_SAME(cases[i].name, axis.ticks[0], cases[i].first);
        ASSERT_SAME(cases[i].name, axis.ticks[axis.n_ticks - 1], cases[i].last);
        for (size_t j = 1; j < axis.n_ticks; j++) {
            assert_true(axis.ticks[j] > axis.ticks[j - 1]);
        }
    }
}

static void test_axis__place(void **state)
{
    (void)state;
    const rig__axis linear = rig__axis_new(100, 200, true);
    const rig__axis logarithmic = rig__axis_new(10, 1000, true);
    ASSERT_SAME("place", rig__axis_place(&linear, 0), 0);
    ASSERT_SAME("place", rig__axis_place(&linear, 100), 0.5);
    ASSERT_SAME("place", rig__axis_place(&linear, 400), 1);
    ASSERT_SAME("place", rig__axis_place(&logarithmic, 100), 0.5);
    ASSERT_SAME("place", rig__axis_place(&logarithmic, -3), 0);
}

/* Whatever the bounds: a range, and never more ticks than there is room for. */
static void test_axis__any_bounds(void **state)
{
    (void)state;
    const double values[] = {(double)NAN, (double)INFINITY, -1, 0, 1e-300, 0.3, 1, 7, 1e4, 1e300};
    const size_t n = sizeof(values) / sizeof(values[0]);
    for (size_t i = 0; i < n * n * 2; i++) {
        const rig__axis axis = rig__axis_new(values[i / 2 / n], values[i / 2 % n], i % 2 == 1);
        assert_true(isfinite(axis.low) && isfinite(axis.high) && axis.low < axis.high);
        assert_true(axis.n_ticks <= RIG__AXIS_TICKS);
        const double place = rig__axis_place(&axis, axis.high);
        ASSERT_SAME("place", place, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axis__ticks),
        cmocka_unit_test(test_axis__place),
        cmocka_unit_test(test_axis__any_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
