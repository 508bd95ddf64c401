/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON trees as text. */
#include "report/json_print.h"

#include <stdlib.h>
#include <string.h>

#include "sample.h"

static char *print(json_t *root)
{
    const rig_report_options options = rig_report_options_default();
    sample_text text = {NULL, 0};
    rig__output output;
    assert_non_null(root);
    assert_int_equal(rig__output_init(&output, &options, sample_sink, &text, NULL), RIG_OK);
    rig__json_print(&output, root);
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    json_decref(root);
    return text.bytes;
}

static void test_json_print__numbers_are_shortest(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *expected;
    } cases[] = {
        {159.99, "159.99"},
        {0.1, "0.1"},
        {1.0 / 3.0, "0.3333333333333333"},
        {12000.0, "12000"},
        {-2.5, "-2.5"},
        {0.0, "0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = print(json_real(cases[i].value));
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

static void test_json_print__every_number_reads_back(void **state)
{
    (void)state;
    const double values[] = {1e-300, 1.7976931348623157e308, 5e-324, 123456789.123456789, 1e22};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char *text = print(json_real(values[i]));
        json_t *again = json_loads(text, JSON_DECODE_ANY, NULL);
        assert_non_null(again);
        assert_true(json_number_value(again) >= values[i] && json_number_value(again) <= values[i]);
        json_decref(again);
        free(text);
    }
}

static void test_json_print__keeps_order_and_nesting(void **state)
{
    (void)state;
    char *text = print(json_pack("{s:i, s:[], s:{}, s:[n,b,b], s:{s:s}}",
                                 "z",
                                 7,
                                 "list",
                                 "object",
                                 "mixed",
                                 1,
                                 0,
                                 "a",
                                 "b",
                                 "c\"d"));
    assert_string_equal(text,
                        "{\n  \"z\": 7,\n  \"list\": [],\n  \"object\": {},\n"
                        "  \"mixed\": [\n    null,\n    true,\n    false\n  ],\n"
                        "  \"a\": {\n    \"b\": \"c\\\"d\"\n  }\n}");
    free(text);
}

static void test_json_print__controls_are_escaped(void **state)
{
    (void)state;
    const struct {
        const char *text, *expected;
    } cases[] = {
        {"a\033b\n", "\"a\\u001Bb\\n\""},
        {"\177", "\"\\u007f\""},
        {"caf\xC3\xA9", "\"caf\xC3\xA9\""},
        {"\xC2\x9B", "\"\\u009B\""},
        {"\xE2\x80\xAE", "\"\\u202E\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = print(json_string(cases[i].text));
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_print__numbers_are_shortest),
        cmocka_unit_test(test_json_print__every_number_reads_back),
        cmocka_unit_test(test_json_print__keeps_order_and_nesting),
        cmocka_unit_test(test_json_print__controls_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
