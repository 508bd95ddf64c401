/* SPDX-License-Identifier: GPL-3.0-or-later
 * Comparison of doubles in tests: relative and absolute tolerance, both values printed.
 *
 * cmocka's assert_float_equal casts to float and would call 1e8 and 1e8 + 3 equal. */
#ifndef RIG_TESTS_ASSERT_NEAR_H
#define RIG_TESTS_ASSERT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** Passes if |actual - expected| <= abs_tolerance + rel_tolerance * |expected|; NAN equals NAN
 * only, an infinity only itself. label names the table row. */
#define ASSERT_NEAR(label, actual, expected, rel_tolerance, abs_tolerance)                         \
    assert_near_at(                                                                                \
        (label), (actual), (expected), (rel_tolerance), (abs_tolerance), __FILE__, __LINE__)

/** Same with tolerances for values computed along another path: 1e-9 relative, 1e-12 absolute. */
#define ASSERT_SAME(label, actual, expected) ASSERT_NEAR((label), (actual), (expected), 1e-9, 1e-12)

static inline int is_near(double actual, double expected, double rel, double abs)
{
    if (isnan(expected) || isnan(actual)) {
        return isnan(expected) && isnan(actual);
    }
    if (isinf(expected) || isinf(actual)) {
        return isinf(expected) && isinf(actual) && (expected > 0) == (actual > 0);
    }
    return fabs(actual - expected) <= abs + rel * fabs(expected);
}

static inline void assert_near_at(const char *label,
                                  double actual,
                                  double expected,
                                  double rel,
                                  double abs,
                                  const char *file,
                                  int line)
{
    if (!is_near(actual, expected, rel, abs)) {
        print_error("%s: %.17g is not near %.17g (difference %.3g, tolerance %.3g relative, "
                    "%.3g absolute)\n",
                    label,
                    actual,
                    expected,
                    actual - expected,
                    rel,
                    abs);
        _fail(file, line);
    }
}

#endif
