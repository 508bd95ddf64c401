/* SPDX-License-Identifier: GPL-3.0-or-later
 * Validations in every form, with texts that attack the form, and the file of residuals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static rig_measurement rows[2];
static rig_residual residuals[2];
static rig_group_score groups[3];
static const rig_skip skips[] = {{"GPU not in the catalogue", SAMPLE_HOSTILE, 3},
                                 {"GPU not in the catalogue", "other", 1},
                                 {"no batch size", NULL, 2}};

static rig_validation make(void)
{
    const rig_score score = {.rows = 1,
                             .mape_frac = 0.125,
                             .median_ape_frac = 0.125,
                             .p90_ape_frac = 0.125,
                             .bias_frac = -0.25,
                             .coverage_frac = 1,
                             .binding_accuracy_frac = NAN};
    rows[0] = (rig_measurement){.id = SAMPLE_FORMULA,
                                .file = "rows.csv",
                                .line = 2,
                                .observed_images_per_s = 100,
                                .first_epoch_s = NAN,
                                .expected_stages = 1U << RIG_STAGE_GPU,
                                .labels[RIG_GROUP_GPU] = SAMPLE_HOSTILE};
    rows[1] = (rig_measurement){
        .id = "b", .file = "rows.csv", .line = 3, .observed_images_per_s = 50, .first_epoch_s = 9};
    residuals[0] = (rig_residual){.row = &rows[0],
                                  .predicted_images_per_s = 112.5,
                                  .low_images_per_s = 90,
                                  .high_images_per_s = 130,
                                  .log_ratio = 0.1178,
                                  .first_epoch_log_ratio = NAN,
                                  .binding = RIG_STAGE_GPU,
                                  .is_covered = true};
    residuals[1] = (rig_residual){
        .row = &rows[1], .unsupported = "several nodes", .first_epoch_log_ratio = NAN};
    groups[0] = (rig_group_score){RIG_GROUP_GPU, SAMPLE_HOSTILE, score, RIG_FITTED_YES};
    groups[1] = (rig_group_score){RIG_GROUP_SOURCE, "s", score, RIG_FITTED_UNKNOWN};
    groups[2] = (rig_group_score){RIG_GROUP_PRECISION, "amp", score, RIG_FITTED_NO};
    return (rig_validation){.n_read = 8,
                            .n_used = 1,
                            .skips = skips,
                            .n_skips = 3,
                            .score = score,
                            .first_epoch = {.mape_frac = NAN},
                            .groups = groups,
                            .n_groups = 3,
                            .residuals = residuals,
                            .n_residuals = 2};
}

static char *write(const rig_validation *validation, rig_format format, bool is_residuals)
{
    sample_text text = {0};
    rig_error err = {0};
    const rig_report_options options = sample_options(format);
    const rig_status status =
        is_residuals
            ? rig_report_residuals(validation, &options, sample_sink, &text, &err)
            : rig_report_validation(validation, NULL, 0, &options, sample_sink, &text, &err);
    assert_int_equal(status, RIG_OK);
    return text.bytes;
}

static void test_report_validation__every_form(void **state)
{
    (void)state;
    static const struct {
        rig_format format;
        const char *parts[5];
    } cases[] = {
        {RIG_FORMAT_TABLE,
         {"Error of the model on 1 of 8 measurements",
          "4: GPU not in the catalogue",
          "2: no batch size",
          "-25 %",
          "yes"}},
        {RIG_FORMAT_CSV, {"by,name,rows,mape_frac", "all,,1,0.125", "source,s,1,0.125", ",true\n"}},
        {RIG_FORMAT_JSON,
         {"\"schema\": \"trainrig.validate/1\"",
          "\"rows\": 8",
          "\"used\": 1",
          "\"binding_accuracy_frac\": null",
          "\"is_fitted\": null"}},
        {RIG_FORMAT_MARKDOWN,
         {"# Error of the model",
          "| source | s | 1 | 13 % | -25 % | 100 % |",
          "\\|",
          "&lt;script&gt;"}},
        {RIG_FORMAT_HTML, {"<h1>Error of the model", "&lt;script&gt;", "<td>100 %</td>"}},
    };
    const rig_validation validation = make();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *const text = write(&validation, cases[i].format, false);
        for (size_t k = 0; k < 5 && cases[i].parts[k] != NULL; k++) {
            assert_contains(text, cases[i].parts[k]);
        }
        assert_null(strchr(text, '\033'));
        assert_null(strstr(text, "\xE2\x80\xAE"));
        assert_null(strstr(text, "amp")); /* precision is not among the usual groups */
        free(text);
    }
}

static void test_report_validation__chosen_groups(void **state)
{
    (void)state;
    static const rig_group by[] = {RIG_GROUP_PRECISION};
    const rig_validation validation = make();
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    sample_text text = {0};
    assert_int_equal(rig_report_validation(&validation, by, 1, &options, sample_sink, &text, NULL),
                     RIG_OK);
    assert_contains(text.bytes, "precision,amp,1,0.125,0.125,0.125,-0.25,1,0,,false");
    assert_null(strstr(text.bytes, "source,s"));
    free(text.bytes);
}

static void test_report_validation__folds(void **state)
{
    (void)state;
    rig_validation validation = make();
    validation.left_out = "gpu";
    validation.n_folds = 7;
    char *const table = write(&validation, RIG_FORMAT_MARKDOWN, false);
    assert_contains(table, "each gpu left out of the fit once (7 fits)");
    free(table);
    char *const json = write(&validation, RIG_FORMAT_JSON, false);
    assert_contains(json, "\"left_out\": \"gpu\"");
    assert_contains(json, "\"folds\": 7");
    free(json);
}

static void test_report_validation__first_epoch(void **state)
{
    (void)state;
    rig_validation validation = make();
    validation.first_epoch =
        (rig_score){.rows = 4, .mape_frac = 0.2, .bias_frac = 0.03, .coverage_frac = 0.75};
    char *text = write(&validation, RIG_FORMAT_MARKDOWN, false);
    assert_contains(text,
                    "20 % mean error, +3 % bias of the time, 75 % in the 90 % interval, 4 slow "
                    "first epochs");
    free(text);
    text = write(&validation, RIG_FORMAT_JSON, false);
    assert_contains(text, "\"coverage_90_frac\": 0.75");
    free(text);
}

static void test_report_residuals__rows(void **state)
{
    (void)state;
    const rig_validation validation = make();
    char *const text = write(&validation, RIG_FORMAT_CSV, true);
    assert_contains(text, "id,file,line,observed_images_per_s,predicted_images_per_s,low_images");
    assert_contains(text, "\"'=1+2\"\"x\",rows.csv,2,100,112.5,90,130,0.1178,true,gpu,true,,,,");
    assert_contains(text, "\nb,rows.csv,3,50,,,,,,,,9,,,several nodes,");
    free(text);
}

static void test_report__sink_fails(void **state)
{
    (void)state;
    const rig_validation validation = make();
    for (int format = RIG_FORMAT_TABLE; format <= RIG_FORMAT_HTML; format++) {
        const rig_report_options options = sample_options((rig_format)format);
        assert_int_equal(
            rig_report_validation(&validation, NULL, 0, &options, sample_broken_sink, NULL, NULL),
            RIG_E_IO);
        assert_int_equal(
            rig_report_residuals(&validation, &options, sample_broken_sink, NULL, NULL), RIG_E_IO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_validation__every_form),
        cmocka_unit_test(test_report_validation__chosen_groups),
        cmocka_unit_test(test_report_validation__folds),
        cmocka_unit_test(test_report_validation__first_epoch),
        cmocka_unit_test(test_report_residuals__rows),
        cmocka_unit_test(test_report__sink_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
