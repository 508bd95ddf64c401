/* SPDX-License-Identifier: GPL-3.0-or-later
 * Half-widths by hand, and their coverage on rows that they were not made from. */
#include "support/assert_near.h"

#include <stdint.h>
#include <string.h>

#include "trainrig/accuracy.h"

#define N_ROWS 4000

/* Uniform in (0, 1), the same on every machine (Lehmer, Park and Miller 1988). */
static double next_uniform(uint64_t *seed)
{
    *seed = *seed * 48271 % 2147483647;
    return (double)*seed / 2147483647.0;
}

/* Heavier tails than normal: two-sided exponential. */
static double next_residual(uint64_t *seed)
{
    const double size = -log(next_uniform(seed));
    return next_uniform(seed) < 0.5 ? -size : size;
}

static void test_conformal_widths__by_hand(void **state)
{
    (void)state;
    const double residuals[] = {0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8, 0.9, 2.0};
    const size_t groups[10] = {0};
    const size_t parents[] = {RIG_NO_PARENT};
    double scratch[10];
    rig_conformal_width width;
    static const struct {
        const char *label;
        size_t n_rows;
        double coverage, half_width;
    } cases[] = {
        {"rank 9 of 9", 9, 0.9, 0.9},
        {"rank 10 of 10", 10, 0.9, 2.0},
        {"rank 5 of 9", 9, 0.5, 0.5},
        {"eight rows cannot promise 90 %", 8, 0.9, INFINITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(rig_conformal_widths(residuals,
                                              NULL,
                                              groups,
                                              cases[i].n_rows,
                                              parents,
                                              1,
                                              cases[i].coverage,
                                              1,
                                              scratch,
                                              &width,
                                              NULL),
                         RIG_OK);
        ASSERT_SAME(cases[i].label, width.half_width, cases[i].half_width);
        assert_int_equal(width.rows, cases[i].n_rows);
    }
}

static void test_conformal_widths__falls_back(void **state)
{
    (void)state;
    /* groups: 0 all, 1 a generation of 0, 2 and 3 GPUs of 1, 4 a GPU of 0 */
    const size_t parents[] = {RIG_NO_PARENT, 0, 1, 1, 0};
    double residuals[60], scales[60], scratch[60];
    size_t groups[60];
    rig_conformal_width widths[5];
    for (size_t i = 0; i < 60; i++) {
        groups[i] = i < 30 ? 2 : i < 35 ? 3 : 4;
        scales[i] = 2.0;
        residuals[i] = groups[i] == 2 ? 0.2 : groups[i] == 3 ? 0.6 : 1.0;
    }
    assert_int_equal(rig_conformal_widths(
                         residuals, scales, groups, 60, parents, 5, 0.9, 20, scratch, widths, NULL),
                     RIG_OK);
    ASSERT_SAME("own rows, over the scale", widths[2].half_width, 0.1);
    assert_int_equal(widths[2].level, 0);
    ASSERT_SAME("those of the generation", widths[3].half_width, 0.3);
    assert_int_equal(widths[3].level, 1);
    assert_int_equal(widths[3].rows, 35);
    ASSERT_SAME("enough rows", widths[4].half_width, 0.5);
    ASSERT_SAME("all", widths[0].half_width, 0.5);
    assert_int_equal(widths[0].rows, 60);
}

/* A width from one half of the rows must cover close to 90 % of the other half in every group,
 * however different the groups are. */
static void test_conformal_widths__covers_new_rows(void **state)
{
    (void)state;
    static double residuals[N_ROWS], scratch[N_ROWS];
    static size_t groups[N_ROWS];
    static const double spreads[] = {0.02, 0.1, 0.5};
    const size_t parents[] = {RIG_NO_PARENT, RIG_NO_PARENT, RIG_NO_PARENT};
    rig_conformal_width widths[3];
    size_t n_covered[3] = {0}, n_new[3] = {0};
    uint64_t seed = 12345;
    for (size_t i = 0; i < N_ROWS; i++) {
        groups[i] = i % 3;
        residuals[i] = spreads[i % 3] * next_residual(&seed);
    }
    const size_t half = N_ROWS / 2;
    assert_int_equal(rig_conformal_widths(
                         residuals, NULL, groups, half, parents, 3, 0.9, 20, scratch, widths, NULL),
                     RIG_OK);
    for (size_t i = half; i < N_ROWS; i++) {
        n_new[groups[i]]++;
        n_covered[groups[i]] += fabs(residuals[i]) <= widths[groups[i]].half_width ? 1 : 0;
    }
    for (size_t i = 0; i < 3; i++) {
        ASSERT_NEAR("coverage", (double)n_covered[i] / (double)n_new[i], 0.9, 0.0, 0.03);
        /* 90 % of a two-sided exponential lie within ln 10 */
        ASSERT_NEAR("width", widths[i].half_width, spreads[i] * log(10.0), 0.12, 0.0);
    }
}

static void test_conformal_widths__errors(void **state)
{
    (void)state;
    const double residuals[] = {0.1, 0.2};
    const size_t good[] = {0, 1}, bad[] = {0, 2};
    const size_t roots[] = {RIG_NO_PARENT, RIG_NO_PARENT}, cycle[] = {1, 0}, nowhere[] = {5, 0};
    double scratch[2];
    rig_conformal_width widths[2];
    const struct {
        const char *label;
        const size_t *groups, *parents;
        double coverage;
        const char *message;
    } cases[] = {
        {"coverage 0", good, roots, 0.0, "coverage out of range: '0'"},
        {"coverage 1", good, roots, 1.0, "coverage out of range: '1'"},
        {"coverage NAN", good, roots, NAN, "coverage out of range"},
        {"group", bad, roots, 0.9, "no such group: '2'"},
        {"parent", good, nowhere, 0.9, "no such parent: '5'"},
        {"cycle", good, cycle, 0.9, "its own ancestor"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_error err = {0};
        const rig_status status = rig_conformal_widths(residuals,
                                                       NULL,
                                                       cases[i].groups,
                                                       2,
                                                       cases[i].parents,
                                                       2,
                                                       cases[i].coverage,
                                                       1,
                                                       scratch,
                                                       widths,
                                                       &err);
        if (status != RIG_E_RANGE || strstr(err.message, cases[i].message) == NULL) {
            fail_msg("%s: %s", cases[i].label, err.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conformal_widths__by_hand),
        cmocka_unit_test(test_conformal_widths__falls_back),
        cmocka_unit_test(test_conformal_widths__covers_new_rows),
        cmocka_unit_test(test_conformal_widths__errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
