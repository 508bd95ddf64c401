/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scores of rows, computed by hand. */
#include "support/assert_near.h"

#include "trainrig/accuracy.h"

static void test_score_rows__by_hand(void **state)
{
    (void)state;
    /* predicted over observed: 1.1, 0.8, 1, 1.3 */
    const rig_error_row rows[] = {
        {log(1.1), true, true, true},
        {log(0.8), false, true, false},
        {0.0, true, false, true}, /* says nothing of the stage: never counted as right */
        {log(1.3), true, true, true},
    };
    double scratch[4];
    rig_score score;
    rig_score_rows(rows, 4, scratch, &score);
    assert_int_equal(score.rows, 4);
    ASSERT_SAME("mape", score.mape_frac, (0.1 + 0.2 + 0.0 + 0.3) / 4.0);
    ASSERT_SAME("median", score.median_ape_frac, 0.15);
    ASSERT_SAME("p90", score.p90_ape_frac, 0.3);
    ASSERT_SAME("bias", score.bias_frac, (log(1.1) + log(0.8) + log(1.3)) / 4.0);
    ASSERT_SAME("coverage", score.coverage_frac, 0.75);
    assert_int_equal(score.binding_rows, 3);
    ASSERT_SAME("binding", score.binding_accuracy_frac, 2.0 / 3.0);
}

static void test_score_rows__quantiles(void **state)
{
    (void)state;
    rig_error_row rows[11] = {{0}};
    double scratch[11];
    rig_score score;
    for (int i = 0; i < 11; i++) {
        rows[i].log_ratio = log1p(0.01 * i); /* errors of 0 to 10 % */
    }
    rig_score_rows(rows, 11, scratch, &score);
    ASSERT_SAME("median of an odd number", score.median_ape_frac, 0.05);
    ASSERT_SAME("ten of eleven are within", score.p90_ape_frac, 0.09);
    rig_score_rows(rows + 1, 10, scratch, &score);
    ASSERT_SAME("nine of ten are within", score.p90_ape_frac, 0.09);
    rig_score_rows(rows + 3, 1, scratch, &score);
    ASSERT_SAME("one row", score.p90_ape_frac, 0.03);
}

static void test_score_rows__none(void **state)
{
    (void)state;
    rig_score score;
    rig_score_rows(NULL, 0, NULL, &score);
    assert_int_equal(score.rows, 0);
    ASSERT_SAME("mape", score.mape_frac, NAN);
    ASSERT_SAME("coverage", score.coverage_frac, NAN);
    ASSERT_SAME("binding", score.binding_accuracy_frac, NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score_rows__by_hand),
        cmocka_unit_test(test_score_rows__quantiles),
        cmocka_unit_test(test_score_rows__none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
