/* SPDX-License-Identifier: GPL-3.0-or-later
 * Entry points: formats by name, failures of the sink, unknown columns. */
#include "trainrig/report.h"

#include <stdlib.h>
#include <string.h>

#include "sample.h"

static void test_format_parse__names(void **state)
{
    (void)state;
    const struct {
        const char *text;
        rig_format format;
    } cases[] = {
        {"table", RIG_FORMAT_TABLE},
        {"csv", RIG_FORMAT_CSV},
        {"json", RIG_FORMAT_JSON},
        {"markdown", RIG_FORMAT_MARKDOWN},
        {"html", RIG_FORMAT_HTML},
        {"JSON", RIG_FORMAT_JSON},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rig_format format = RIG_FORMAT_TABLE;
        assert_int_equal(rig_format_parse(cases[i].text, &format, NULL), RIG_OK);
        assert_int_equal(format, cases[i].format);
    }
}

static void test_format_parse__unknown(void **state)
{
    (void)state;
    const struct {
        const char *text, *hint;
    } cases[] = {
        {"jsn", "did you mean 'json'?"},
        {"spreadsheet", ""},
        {"xyz", ""}, /* farther than half of it */
        {"", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rig_format format = RIG_FORMAT_MARKDOWN;
        rig_error err;
        assert_int_equal(rig_format_parse(cases[i].text, &format, &err), RIG_E_INVALID);
        assert_int_equal(format, RIG_FORMAT_MARKDOWN);
        assert_contains(err.message, "unknown format: '");
        assert_string_equal(err.hint, cases[i].hint);
    }
}

static void test_options_default__is_a_plain_table(void **state)
{
    (void)state;
    const rig_report_options options = rig_report_options_default();
    assert_int_equal(options.format, RIG_FORMAT_TABLE);
    assert_int_equal(options.width, 80);
    assert_false(options.use_colour);
    assert_false(options.use_utf8);
}

static void test_report__sink_failure_in_every_format(void **state)
{
    (void)state;
    sample *s = sample_new_list(5);
    const rig_requirements requirements = {.target_images_per_s = 1, .epoch_s = 1};
    const rig_row *const rows[] = {&s->cpu.row};
    for (int format = RIG_FORMAT_TABLE; format <= RIG_FORMAT_HTML; format++) {
        const rig_report_options options = sample_options((rig_format)format);
        rig_error err = {.message = ""};
        assert_int_equal(
            rig_report_result(&s->result, false, &options, sample_broken_sink, NULL, &err),
            RIG_E_IO);
        assert_string_equal(err.message, "the report cannot be written");
        assert_int_equal(
            rig_report_frontier(&s->result, 1, &options, sample_broken_sink, NULL, &err), RIG_E_IO);
        assert_int_equal(
            rig_report_requirements(&requirements, &options, sample_broken_sink, NULL, NULL),
            RIG_E_IO);
        assert_int_equal(
            rig_report_rows(NULL, rows, 1, NULL, 0, &options, sample_broken_sink, NULL, NULL),
            RIG_E_IO);
    }
    free(s);
}

static void test_report_rows__unknown_column(void **state)
{
    (void)state;
    static const char *const columns[] = {"name", "corse"};
    sample *s = sample_new();
    const rig_row *const rows[] = {&s->cpu.row};
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    rig_error err;
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_rows(NULL, rows, 1, columns, 2, &options, sample_sink, &text, &err),
                     RIG_E_SCHEMA);
    assert_string_equal(err.message, "unknown column: 'corse' (expected a column of cpus.csv)");
    assert_string_equal(err.hint, "did you mean 'cores'?");
    assert_null(text.bytes);
    free(s);
}

/** Text of a frontier of three builds that get dearer and faster. @return to be freed with free */
static char *frontier_text(rig_format format)
{
    sample *s = sample_new_list(4);
    const rig_report_options options = sample_options(format);
    sample_text text = {NULL, 0};
    for (size_t i = 0; i < 3; i++) {
        s->builds[i].price_cents = 300000 + 100000 * (int64_t)i;
        s->builds[i].prediction.images_per_s = 1000.0 * (double)(i + 1);
    }
    s->builds[1].comment = "gpu, psu; +1000.0 images/s for USD 1000.00 more";
    s->result.n_builds = 3;
    assert_int_equal(rig_report_frontier(&s->result, 300000, &options, sample_sink, &text, NULL),
                     RIG_OK);
    free(s);
    return text.bytes;
}

static void test_report_frontier__every_format(void **state)
{
    (void)state;
    const struct {
        rig_format format;
        const char *parts[4];
    } cases[] = {
        {RIG_FORMAT_TABLE,
         {"Frontier from USD 3,000.00 to 12,000.00 for resnet50-imagenet\n",
          "proved complete: 3 builds",
          "3,000.00     1,000  7 min 20 s           2 x GeForce RTX 4090\n",
          "4,000.00     2,000  7 min 20 s        1  GeForce RTX 4090\n"}},
        {RIG_FORMAT_CSV,
         {"price_usd,images_per_s,epoch_s,binding_stage,rank,status,gap_frac,objective,budget_usd,"
          "images_per_s_low,images_per_s_high,first_epoch_s,",
          ",total_rack_u,at_worst_images_per_s,at_worst_binding_stage,comment\n",
          "\n3000,1000,439.7,decode,1,optimal,0,epoch-time,12000,2400,",
          ",\"gpu, psu; +1000.0 images/s for USD 1000.00 more\"\n"}},
        {RIG_FORMAT_JSON,
         {"\"schema\": \"trainrig.frontier/1\"",
          "\"from_usd\": 3000",
          "\"to_usd\": 12000",
          "\"comment\": \"gpu, psu; +1000.0 images/s for USD 1000.00 more\""}},
        {RIG_FORMAT_MARKDOWN,
         {"# Frontier from USD 3,000.00 to 12,000.00 for resnet50-imagenet\n",
          "| Price [USD] | Images/s | Epoch | Binds | GPU | CPU | Server | What changes",
          "| 3,000.00 | 1,000 | 7 min 20 s | decode | 2 x NVIDIA GeForce RTX 4090 |",
          "| gpu; +1,000 images/s for USD 1,000.00 more |"}},
        {RIG_FORMAT_HTML,
         {"<h1>Frontier from USD 3,000.00 to 12,000.00 for resnet50-imagenet</h1>",
          "3 builds worth the price: from 1,000 images/s for USD 3,000.00 to 3,000 images/s for "
          "USD "
          "5,000.00.",
          "<title>USD 4,000.00: 2,000 images/s",
          "<small>gpu; +1,000 images/s for USD 1,000.00 more</small>"}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = frontier_text(cases[i].format);
        for (size_t j = 0; j < 4; j++) {
            assert_contains(text, cases[i].parts[j]);
        }
        free(text);
    }
}

/** A column of the lead stands once in the header, and every row has as many cells as it. */
static void test_report_frontier__csv_repeats_no_column(void **state)
{
    (void)state;
    char *text = frontier_text(RIG_FORMAT_CSV);
    char *end = strchr(text, '\n');
    assert_non_null(end);
    *end = '\0';
    const size_t n_commas = sample_count(text, ",");
    static const char *const names[] = {
        "price_usd,images_per_s,", ",epoch_s,", ",binding_stage,", ",rank,", ",comment"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_int_equal(sample_count(text, names[i]), 1);
    }
    char *row = end + 1;
    end = strchr(row, '\n');
    assert_non_null(end);
    *end = '\0';
    assert_int_equal(sample_count(row, ","), n_commas); /* no cell of this row holds a comma */
    free(text);
}

static void test_report_frontier__nothing_found(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->result.n_builds = 0;
    s->result.outcome = RIG_OUTCOME_INFEASIBLE;
    for (int format = RIG_FORMAT_TABLE; format <= RIG_FORMAT_HTML; format++) {
        const rig_report_options options = sample_options((rig_format)format);
        sample_text text = {NULL, 0};
        assert_int_equal(rig_report_frontier(&s->result, 100, &options, sample_sink, &text, NULL),
                         RIG_OK);
        assert_contains(text.bytes,
                        format == RIG_FORMAT_CSV ? "price_usd,images_per_s,epoch_s"
                        : format == RIG_FORMAT_JSON
                            ? "\"outcome\": \"infeasible\""
                            : "no build of the frontier lies in this range");
        free(text.bytes);
    }
    free(s);
}

static void test_report_frontier__stopped_says_what_is_missing(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->result.outcome = RIG_OUTCOME_FEASIBLE;
    s->builds[0].price_cents = 500000;
    const rig_report_options options = sample_options(RIG_FORMAT_MARKDOWN);
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_frontier(&s->result, 100, &options, sample_sink, &text, NULL),
                     RIG_OK);
    assert_contains(text.bytes, "builds below USD 5,000.00 are missing");
    free(text.bytes);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_parse__names),
        cmocka_unit_test(test_format_parse__unknown),
        cmocka_unit_test(test_options_default__is_a_plain_table),
        cmocka_unit_test(test_report_frontier__every_format),
        cmocka_unit_test(test_report_frontier__csv_repeats_no_column),
        cmocka_unit_test(test_report_frontier__nothing_found),
        cmocka_unit_test(test_report_frontier__stopped_says_what_is_missing),
        cmocka_unit_test(test_report__sink_failure_in_every_format),
        cmocka_unit_test(test_report_rows__unknown_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
