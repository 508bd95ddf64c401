/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calibrations and targets in every form, with texts that attack the form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

#define N_CHANGES 12 /* two more than people are shown */

static rig_measurement row;
static rig_residual residual;
static const rig_residual *contradictions[] = {&residual};
static rig_profile_entry entries[N_CHANGES];
static rig_figure_change changes[N_CHANGES];
static rig_validation start, after, held_out;
static const rig_skip skips[] = {{"GPU not in the catalogue", SAMPLE_HOSTILE, 3}};

static rig_score score_of(double mape_frac)
{
    return (rig_score){.rows = 3,
                       .mape_frac = mape_frac,
                       .median_ape_frac = mape_frac,
                       .p90_ape_frac = mape_frac,
                       .bias_frac = 0.02,
                       .coverage_frac = 1,
                       .binding_accuracy_frac = NAN};
}

static rig_calibration_report make(void)
{
    row = (rig_measurement){
        .id = "x", .file = SAMPLE_HOSTILE, .line = 7, .observed_images_per_s = 100};
    residual = (rig_residual){.row = &row, .predicted_images_per_s = 200, .log_ratio = log(2.0)};
    for (size_t i = 0; i < N_CHANGES; i++) {
        entries[i] = (rig_profile_entry){.table = RIG_PROFILE_STACKS,
                                         .name = i == 0 ? SAMPLE_HOSTILE : "pytorch",
                                         .value = 0.75,
                                         .log_sd = i == 0 ? (double)NAN : 0.125,
                                         .rows = 3};
        changes[i] = (rig_figure_change){&entries[i], i == 1 ? (double)NAN : 0.5, 0.4};
    }
    start = (rig_validation){
        .n_read = 6, .n_used = 3, .skips = skips, .n_skips = 1, .score = score_of(0.17)};
    after = (rig_validation){.n_read = 6, .n_used = 3, .score = score_of(0.011)};
    held_out = (rig_validation){
        .n_read = 6, .n_used = 3, .left_out = "row", .n_folds = 3, .score = score_of(0.031)};
    return (rig_calibration_report){.profile_path = "profile.csv",
                                    .n_figures = 40,
                                    .start = &start,
                                    .after = &after,
                                    .held_out = &held_out,
                                    .held_out_start = score_of(0.17),
                                    .changes = changes,
                                    .n_changes = N_CHANGES,
                                    .contradictions = contradictions,
                                    .n_contradictions = 1};
}

static char *write(const rig_calibration_report *calibration, rig_format format)
{
    sample_text text = {0};
    rig_error err = {0};
    const rig_report_options options = sample_options(format);
    assert_int_equal(rig_report_calibration(calibration, &options, sample_sink, &text, &err),
                     RIG_OK);
    return text.bytes;
}

static void test_report_calibration__every_form(void **state)
{
    (void)state;
    static const struct {
        rig_format format;
        const char *parts[6];
    } cases[] = {
        {RIG_FORMAT_TABLE,
         {"Model fitted to 3 of 6 measurements",
          "3: GPU not in the catalogue",
          "profile.csv, 40 figures",
          "17 % mean",
          "3.1 % with these rows, 17 % without",
          "and 2 more"}},
        {RIG_FORMAT_CSV,
         {"section,table,name,before,after,log_sd,rows\n",
          "error,,fitted rows,0.17,0.011,,3\n",
          "error,,rows held out,0.17,0.031,,3\n",
          "figure,stacks,pytorch,,0.75,0.125,3\n",
          "figure,stacks,pytorch,0.5,0.75,0.125,3\n",
          "contradiction,,"}},
        {RIG_FORMAT_JSON,
         {"\"schema\": \"trainrig.calibrate/1\"",
          "\"left_out\": \"row\"",
          "\"before\": null",
          "\"log_sd\": null",
          "\"observed_images_per_s\": 100",
          "\"figures\": 40"}},
        {RIG_FORMAT_MARKDOWN,
         {"# Model fitted",
          "| stacks | pytorch | new | 0.75 | 13 % | 3 |",
          "## Rows that contradict the others",
          "| 100 | 200 | +100 % |",
          "&lt;script&gt;"}},
        {RIG_FORMAT_HTML,
         {"<h1>Model fitted", "&lt;script&gt;", "<td>new</td>", "<td>+100 %</td>", "and 2 more"}},
    };
    const rig_calibration_report calibration = make();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *const text = write(&calibration, cases[i].format);
        for (size_t k = 0; k < 6 && cases[i].parts[k] != NULL; k++) {
            assert_contains(text, cases[i].parts[k]);
        }
        assert_null(strchr(text, '\033'));
        assert_null(strstr(text, "\xE2\x80\xAE"));
        free(text);
    }
}

static void test_report_calibration__nothing_held_out(void **state)
{
    (void)state;
    rig_calibration_report calibration = make();
    calibration.held_out = NULL;
    calibration.n_changes = calibration.n_contradictions = 0;
    calibration.profile_path = NULL;
    char *const table = write(&calibration, RIG_FORMAT_TABLE);
    assert_contains(table, "standard output, 40 figures");
    assert_null(strstr(table, "Held out"));
    assert_null(strstr(table, "contradict"));
    free(table);
    char *const json = write(&calibration, RIG_FORMAT_JSON);
    assert_contains(json, "\"held_out\": null");
    assert_contains(json, "\"profile\": null");
    assert_contains(json, "\"changes\": []");
    free(json);
}

/* ---- targets -------------------------------------------------------------------------------- */

static rig_group_score groups[2];
static rig_validation validation;

static rig_folds make_folds(rig_target_score scores[RIG_N_TARGETS])
{
    for (size_t i = 0; i < RIG_N_TARGETS; i++) {
        scores[i] = (rig_target_score){.name = "target",
                                       .what = "what it scores",
                                       .left_out = "gpu",
                                       .rows = 40,
                                       .value_frac = 0.05,
                                       .limit_frac = 0.08,
                                       .bias_frac = 0.01,
                                       .trivial_frac = 0.5,
                                       .is_met = true,
                                       .is_bias_met = true};
    }
    scores[1].is_met = false;
    scores[2].is_bias_met = false;
    scores[3] = (rig_target_score){.name = "empty",
                                   .what = "nothing",
                                   .left_out = "gpu",
                                   .value_frac = NAN,
                                   .limit_frac = 0.25,
                                   .bias_frac = NAN,
                                   .trivial_frac = NAN};
    groups[0] = (rig_group_score){
        RIG_GROUP_KIND, "gpu", {.rows = 30, .coverage_frac = 0.875}, RIG_FITTED_UNKNOWN};
    groups[1] = (rig_group_score){
        RIG_GROUP_KIND, "few", {.rows = 3, .coverage_frac = 0}, RIG_FITTED_UNKNOWN};
    validation = (rig_validation){.left_out = "gpu", .groups = groups, .n_groups = 2};
    rig_folds folds = {.anchored_source = NULL};
    folds.left_out[RIG_GROUP_GPU] = &validation;
    return folds;
}

static void test_report_targets__every_form(void **state)
{
    (void)state;
    static const struct {
        rig_format format;
        const char *parts[5];
    } cases[] = {
        {RIG_FORMAT_TABLE, {"Targets of accuracy", "missed", "met, biased", "no rows", "88 %"}},
        {RIG_FORMAT_CSV,
         {"name,what,left_out,rows,value_frac",
          "target,what it scores,gpu,40,0.05,0.08,0.01,0.5,true,true\n",
          "empty,nothing,gpu,0,,0.25,,,false,false\n"}},
        {RIG_FORMAT_JSON,
         {"\"schema\": \"trainrig.targets/1\"",
          "\"value_frac\": null",
          "\"least_frac\": 0.875",
          "\"right\": 1"}},
        {RIG_FORMAT_MARKDOWN,
         {"| target | what it scores | gpu | 40 | 5 % | 8 % | +1 % | 50 % | met |",
          "| gpu | kind | 1 | 1 | 88 % (gpu) | 88 % (gpu) |"}},
        {RIG_FORMAT_HTML, {"<h1>Targets", "<td>no rows</td>"}},
    };
    rig_target_score scores[RIG_N_TARGETS];
    const rig_folds folds = make_folds(scores);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample_text text = {0};
        const rig_report_options options = sample_options(cases[i].format);
        assert_int_equal(rig_report_targets(scores, &folds, &options, sample_sink, &text, NULL),
                         RIG_OK);
        for (size_t k = 0; k < 5 && cases[i].parts[k] != NULL; k++) {
            assert_contains(text.bytes, cases[i].parts[k]);
        }
        free(text.bytes);
    }
}

static void test_report__sink_fails(void **state)
{
    (void)state;
    const rig_calibration_report calibration = make();
    rig_target_score scores[RIG_N_TARGETS];
    const rig_folds folds = make_folds(scores);
    for (int format = RIG_FORMAT_TABLE; format <= RIG_FORMAT_HTML; format++) {
        const rig_report_options options = sample_options((rig_format)format);
        assert_int_equal(
            rig_report_calibration(&calibration, &options, sample_broken_sink, NULL, NULL),
            RIG_E_IO);
        assert_int_equal(
            rig_report_targets(scores, &folds, &options, sample_broken_sink, NULL, NULL), RIG_E_IO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_calibration__every_form),
        cmocka_unit_test(test_report_calibration__nothing_held_out),
        cmocka_unit_test(test_report_targets__every_form),
        cmocka_unit_test(test_report__sink_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
