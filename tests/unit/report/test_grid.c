/* SPDX-License-Identifier: GPL-3.0-or-later
 * Line breaking and tables within a width. */
#include "report/grid.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static const rig__grid_column columns[] = {
    {"NAME", false, true},
    {"N", true, false},
};

/** A table of one long and one short name. */
static char *write_grid(const rig_report_options *options, const char *name, const char *colour)
{
    sample_text text = {NULL, 0};
    rig__output output;
    assert_int_equal(rig__output_init(&output, options, sample_sink, &text, NULL), RIG_OK);
    rig__grid grid = rig__grid_new(&output, columns, 2);
    const char *const first[] = {name, "12"};
    const char *const second[] = {"short", NULL};
    rig__grid_add(&grid, first, colour);
    rig__grid_add(&grid, second, "");
    rig__grid_write(&grid);
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    return text.bytes;
}

static void test_grid_wrap__breaks_at_blanks(void **state)
{
    (void)state;
    const struct {
        const char *name, *text;
        size_t width;
        const char *expected;
    } cases[] = {
        {"fits", "one two", 7, "one two"},
        {"one break", "one two", 6, "one\ntwo"},
        {"blank at the edge", "one two", 3, "one\ntwo"},
        {"long word", "abcdefgh", 3, "abc\ndef\ngh"},
        {"long word after another", "a bcdefgh", 4, "a\nbcde\nfgh"},
        {"empty", "", 5, ""},
        {"width 0 is 1", "ab", 0, "a\nb"},
        {"characters, not bytes", "\xC3\xA9\xC3\xA9 x", 2, "\xC3\xA9\xC3\xA9\nx"},
        {"several blanks", "a   b", 2, "a\nb"},
    };
    const rig_report_options options = rig_report_options_default();
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_broken_sink, NULL, NULL), RIG_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *wrapped = rig__grid_wrap(&output, cases[i].text, cases[i].width);
        if (strcmp(wrapped, cases[i].expected) != 0) {
            fail_msg("%s: '%s', expected '%s'", cases[i].name, wrapped, cases[i].expected);
        }
    }
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
}

static void test_grid_write__aligns_and_breaks(void **state)
{
    (void)state;
    rig_report_options options = rig_report_options_default();
    options.width = 24;
    char *text = write_grid(&options, "a name that does not fit", "");
    assert_string_equal(text,
                        "NAME                   N\n"
                        "a name that does not  12\n"
                        "fit\n"
                        "short\n");
    free(text);
    options.width = 0;
    text = write_grid(&options, "a name that does not fit", "");
    assert_string_equal(text,
                        "NAME                       N\n"
                        "a name that does not fit  12\n"
                        "short\n");
    free(text);
}

static void test_grid_write__uses_what_broken_lines_leave(void **state)
{
    (void)state;
    static const rig__grid_column two[] = {{"A", false, true}, {"B", false, true}};
    rig_report_options options = rig_report_options_default();
    options.width = 42;
    sample_text text = {NULL, 0};
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_sink, &text, NULL), RIG_OK);
    rig__grid grid = rig__grid_new(&output, two, 2);
    const char *const cells[] = {"exactly twenty-four long", "0123456789 0123456789 x"};
    rig__grid_add(&grid, cells, "");
    rig__grid_write(&grid);
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    assert_string_equal(text.bytes,
                        "A                         B\n"
                        "exactly twenty-four long  0123456789\n"
                        "                          0123456789 x\n");
    free(text.bytes);
}

static void test_grid_write__counts_characters(void **state)
{
    (void)state;
    rig_report_options options = rig_report_options_default();
    options.use_utf8 = true;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    char *text = write_grid(&options, "caf\xC3\xA9", "");
    assert_string_equal(text,
                        "NAME    N\n"
                        "caf\xC3\xA9   12\n"
                        "short\n");
    assert_non_null(setlocale(LC_CTYPE, "C"));
    free(text);
}

static void test_grid_write__colours_only_when_asked(void **state)
{
    (void)state;
    rig_report_options options = rig_report_options_default();
    char *text = write_grid(&options, "red", RIG__COLOUR_BAD);
    assert_lacks(text, "\033");
    free(text);
    options.use_colour = true;
    text = write_grid(&options, "red", RIG__COLOUR_BAD);
    assert_contains(text, "\033[31m");
    assert_int_equal(sample_count(text, "\033["), 2); /* one row, one end */
    free(text);
}

static void test_grid_item__indents_below_the_sign(void **state)
{
    (void)state;
    rig_report_options options = rig_report_options_default();
    options.width = 34;
    sample_text text = {NULL, 0};
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_sink, &text, NULL), RIG_OK);
    rig__grid_item(&output, "Why", "- ", "because it is the fastest", "");
    rig__grid_field(&output, "Total", "one two three four five", "");
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    assert_string_equal(text.bytes,
                        "Why           - because it is the\n"
                        "                fastest\n"
                        "Total         one two three four\n"
                        "              five\n");
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_wrap__breaks_at_blanks),
        cmocka_unit_test(test_grid_write__aligns_and_breaks),
        cmocka_unit_test(test_grid_write__uses_what_broken_lines_leave),
        cmocka_unit_test(test_grid_write__counts_characters),
        cmocka_unit_test(test_grid_write__colours_only_when_asked),
        cmocka_unit_test(test_grid_item__indents_below_the_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
