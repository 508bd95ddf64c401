/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences about a result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures.h"
#include "sample.h"

static rig__output output;

static int open_output(void **state)
{
    static rig_report_options options;
    (void)state;
    options = rig_report_options_default();
    return rig__output_init(&output, &options, sample_broken_sink, NULL, NULL) == RIG_OK ? 0 : -1;
}

static int close_output(void **state)
{
    (void)state;
    return rig__output_finish(&output, NULL) == RIG_OK ? 0 : -1;
}

static void assert_text(const char *name, const char *text, const char *expected)
{
    if (strcmp(text, expected) != 0) {
        fail_msg("%s: '%s', expected '%s'", name, text, expected);
    }
}

static void test_balance__names_the_slower_side(void **state)
{
    (void)state;
    const double none = (double)NAN;
    const struct {
        const char *name;
        double prep, train;
        const char *expected;
    } cases[] = {
        {"gpus wait", 880, 1000, "preparation is the slower side: the GPUs wait 12 % of the time"},
        {"spare", 1000, 660, "training is the slower side: preparation has 34 % to spare"},
        {"equal", 1000, 1002, "preparation and training take equal time"},
        {"cached",
         (double)INFINITY,
         1000,
         "preparation does not limit; the GPUs never wait for data"},
        {"unknown", none, 1000, "unknown"},
        {"stopped", 0, 1000, "unknown"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const rig_prediction prediction = {
            .prep_images_per_s = cases[i].prep,
            .train_images_per_s = cases[i].train,
        };
        assert_text(cases[i].name, rig__report_balance(&output, &prediction), cases[i].expected);
    }
}

static void test_percent__has_two_digits_or_a_tenth(void **state)
{
    (void)state;
    const struct {
        double frac;
        const char *expected;
    } cases[] = {
        {0, "0 %"},
        {0.004, "0.4 %"},
        {0.013, "1.3 %"},
        {0.02, "2 %"},
        {0.1234, "12 %"},
        {1, "100 %"},
        {-0.013, "-1.3 %"},
        {(double)NAN, "unknown"},
        {(double)INFINITY, "unknown"},
        {1e300, "unknown"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(rig__report_percent(&output, cases[i].frac), cases[i].expected);
    }
}

static void test_proof__tells_the_outcome(void **state)
{
    (void)state;
    const struct {
        rig_outcome outcome;
        double gap;
        const char *expected;
    } cases[] = {
        {RIG_OUTCOME_OPTIMAL, 0, "proved optimal"},
        {RIG_OUTCOME_OPTIMAL, 0.01, "proved optimal within a gap of 1 %"},
        {RIG_OUTCOME_FEASIBLE,
         0.034,
         "not proved optimal; gap at most 3.4 %, no build is faster than 2,914 images/s"},
        {RIG_OUTCOME_INFEASIBLE, 0, "proved infeasible"},
        {RIG_OUTCOME_LIMIT, 0, "stopped by a limit before a build was found"},
    };
    sample *s = sample_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        s->result.outcome = cases[i].outcome;
        s->result.proof.gap_frac = cases[i].gap;
        assert_string_equal(rig__report_proof(&output, &s->result), cases[i].expected);
    }
    free(s);
}

static void test_title__follows_the_request(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_request *request = &s->result.request;
    request->objective = RIG_OBJECTIVE_PRICE;
    request->budget_cents = INT64_MAX;
    request->epoch_time_max_s = 1200;
    assert_string_equal(rig__report_title(&output, &s->result, false),
                        "Cheapest build for resnet50-imagenet, epoch at most 20 min");
    request->objective = RIG_OBJECTIVE_COST_PER_EPOCH;
    request->epoch_time_max_s = (double)INFINITY;
    request->workload.name = NULL;
    assert_string_equal(rig__report_title(&output, &s->result, false),
                        "Build with the least cost per epoch for resnet50");
    request->workload.network = NULL;
    assert_string_equal(rig__report_title(&output, &s->result, true),
                        "Prediction for the workload");
    free(s);
}

static void test_total__tells_head_room(void **state)
{
    (void)state;
    const struct {
        int64_t price_cents, budget_cents;
        const char *expected;
    } cases[] = {
        {1000000, 1200000, "USD 10,000.00; USD 2,000.00 (17 %) of the budget left"},
        {1200000, 1200000, "USD 12,000.00; USD 0.00 (0 %) of the budget left"},
        {1300000, 1200000, "USD 13,000.00, over the budget by USD 1,000.00"},
        {1000000, INT64_MAX, "USD 10,000.00"},
        {-1, 1200000, "unknown price"},
    };
    sample *s = sample_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        s->builds[0].price_cents = cases[i].price_cents;
        s->result.request.budget_cents = cases[i].budget_cents;
        assert_string_equal(rig__report_total(&output, &s->result, &s->builds[0]),
                            cases[i].expected);
    }
    free(s);
}

static void test_training__tells_a_smaller_batch(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->builds[0].prediction.batch_per_gpu = 64;
    assert_string_equal(
        rig__report_training(&output, &s->result.request.workload, &s->builds[0].prediction),
        "batch 64 per GPU (256 do not fit), precision amp, loader torchvision, stack pytorch");
    free(s);
}

static void test_count__follows_the_number(void **state)
{
    (void)state;
    assert_string_equal(rig__report_count(&output, 0, "epoch"), "0 epochs");
    assert_string_equal(rig__report_count(&output, 1, "epoch"), "1 epoch");
    assert_string_equal(rig__report_count(&output, 1200, "epoch"), "1,200 epochs");
    assert_string_equal(rig__report_need(&output, 1, "GPUs"), "1 GPU");
    assert_string_equal(rig__report_need(&output, 2, "GPUs"), "2 GPUs");
    assert_string_equal(rig__report_need(&output, 1, "GB/s"), "1 GB/s");
    assert_string_equal(rig__report_need(&output, (double)INFINITY, "GB"), "cannot be met");
    assert_string_equal(rig__report_need(&output, (double)NAN, "GB"), "unknown");
}

static void test_stage_remark__gives_the_rate_of_the_first_epoch(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_workload *workload = &s->result.request.workload;
    const rig_prediction *prediction = &s->builds[0].prediction;
    assert_string_equal(rig__report_stage_remark(&output, workload, prediction, RIG_STAGE_STORAGE),
                        "binds in the first epoch, 2,463 images/s");
    assert_string_equal(rig__report_stage_remark(&output, workload, prediction, RIG_STAGE_DECODE),
                        "binds in later epochs");
    assert_string_equal(rig__report_stage_remark(&output, workload, prediction, RIG_STAGE_GPU), "");
    workload->dataset = NULL;
    assert_string_equal(rig__report_stage_remark(&output, workload, prediction, RIG_STAGE_STORAGE),
                        "binds in the first epoch");
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_balance__names_the_slower_side, open_output, close_output),
        cmocka_unit_test_setup_teardown(
            test_percent__has_two_digits_or_a_tenth, open_output, close_output),
        cmocka_unit_test_setup_teardown(test_proof__tells_the_outcome, open_output, close_output),
        cmocka_unit_test_setup_teardown(test_title__follows_the_request, open_output, close_output),
        cmocka_unit_test_setup_teardown(test_total__tells_head_room, open_output, close_output),
        cmocka_unit_test_setup_teardown(
            test_training__tells_a_smaller_batch, open_output, close_output),
        cmocka_unit_test_setup_teardown(test_count__follows_the_number, open_output, close_output),
        cmocka_unit_test_setup_teardown(
            test_stage_remark__gives_the_rate_of_the_first_epoch, open_output, close_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
