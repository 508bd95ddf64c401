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
        {"", "did you mean 'csv'?"},
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
    for (int format = RIG_FORMAT_TABLE; format <= RIG_FORMAT_MARKDOWN; format++) {
        const rig_report_options options = sample_options((rig_format)format);
        rig_error err = {.message = ""};
        assert_int_equal(
            rig_report_result(&s->result, false, &options, sample_broken_sink, NULL, &err),
            RIG_E_IO);
        assert_string_equal(err.message, "the report cannot be written");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_parse__names),
        cmocka_unit_test(test_format_parse__unknown),
        cmocka_unit_test(test_options_default__is_a_plain_table),
        cmocka_unit_test(test_report__sink_failure_in_every_format),
        cmocka_unit_test(test_report_rows__unknown_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
