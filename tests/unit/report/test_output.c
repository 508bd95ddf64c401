/* SPDX-License-Identifier: GPL-3.0-or-later
 * Buffering, sticky failures and cleaning of texts. */
#include "report/output.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static void test_output_clean__replaces_what_disturbs(void **state)
{
    (void)state;
    const struct {
        const char *name, *text;
        rig__clean clean;
        const char *expected;
    } cases[] = {
        {"plain", "RTX 4090", RIG__CLEAN_LINE, "RTX 4090"},
        {"null", NULL, RIG__CLEAN_LINE, ""},
        {"escape", "a\033[31mb", RIG__CLEAN_LINE, "a?[31mb"},
        {"line break", "a\r\nb\tc", RIG__CLEAN_LINE, "a  b c"},
        {"delete", "a\177b", RIG__CLEAN_LINE, "a?b"},
        {"ascii of a sign", "2\xC3\x97 \xE2\x80\x93", RIG__CLEAN_LINE, "2x -"},
        {"letter", "caf\xC3\xA9", RIG__CLEAN_LINE, "caf?"},
        {"letter in UTF-8", "caf\xC3\xA9", RIG__CLEAN_UTF8, "caf\xC3\xA9"},
        {"C1 control",
         "a\xC2\x9B"
         "b",
         RIG__CLEAN_UTF8,
         "a\xEF\xBF\xBD"
         "b"},
        {"direction", "a\xE2\x80\xAE", RIG__CLEAN_UTF8, "a\xEF\xBF\xBD"},
        {"overlong", "\xC0\xAF", RIG__CLEAN_UTF8, "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"cut short", "\xE2\x82", RIG__CLEAN_UTF8, "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"cell keeps breaks", "a\nb\tc\033", RIG__CLEAN_CELL, "a\nb\tc\xEF\xBF\xBD"},
        {"valid keeps controls", "a\033\n\xFF", RIG__CLEAN_VALID, "a\033\n\xEF\xBF\xBD"},
    };
    const rig_report_options options = rig_report_options_default();
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_broken_sink, NULL, NULL), RIG_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *clean = rig__output_clean(&output, cases[i].text, cases[i].clean);
        if (strcmp(clean, cases[i].expected) != 0) {
            fail_msg("%s: '%s', expected '%s'", cases[i].name, clean, cases[i].expected);
        }
    }
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
}

static void test_output_init__follows_the_locale(void **state)
{
    (void)state;
    rig_report_options options = rig_report_options_default();
    options.use_utf8 = true;
    rig__output output;
    assert_non_null(setlocale(LC_CTYPE, "C"));
    assert_int_equal(rig__output_init(&output, &options, sample_broken_sink, NULL, NULL), RIG_OK);
    assert_false(output.is_utf8);
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    assert_int_equal(rig__output_init(&output, &options, sample_broken_sink, NULL, NULL), RIG_OK);
    assert_true(output.is_utf8);
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    assert_non_null(setlocale(LC_CTYPE, "C"));
}

static void test_output_bytes__keeps_order_over_the_buffer(void **state)
{
    (void)state;
    const rig_report_options options = rig_report_options_default();
    sample_text text = {NULL, 0};
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_sink, &text, NULL), RIG_OK);
    for (int i = 0; i < 3000; i++) {
        rig__output_format(&output, "%d,", i);
    }
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    const char *at = text.bytes;
    for (long i = 0; i < 3000; i++) {
        char *end = NULL;
        assert_int_equal(strtol(at, &end, 10), i);
        at = end + 1;
    }
    assert_int_equal(*at, '\0');
    free(text.bytes);
}

static bool fail_second(const char *bytes, size_t length, void *payload)
{
    (void)bytes;
    (void)length;
    int *n_calls = payload;
    return ++*n_calls < 2;
}

static void test_output_finish__tells_of_a_refused_piece(void **state)
{
    (void)state;
    const rig_report_options options = rig_report_options_default();
    int n_calls = 0;
    rig__output output;
    rig_error err;
    assert_int_equal(rig__output_init(&output, &options, fail_second, &n_calls, NULL), RIG_OK);
    for (int i = 0; i < 5000; i++) {
        rig__output_text(&output, "0123456789");
    }
    assert_int_equal(rig__output_finish(&output, &err), RIG_E_IO);
    assert_int_equal(err.status, RIG_E_IO);
    assert_int_equal(n_calls, 2); /* a sink that failed is left alone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_clean__replaces_what_disturbs),
        cmocka_unit_test(test_output_init__follows_the_locale),
        cmocka_unit_test(test_output_bytes__keeps_order_over_the_buffer),
        cmocka_unit_test(test_output_finish__tells_of_a_refused_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
