/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of cli/cli_options.c. */
#include "cli/cli_options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_date_parse__table(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_date;
        int ymd;
    } rows[] = {
        {"2025", true, 20250000},
        {"2025-07", true, 20250700},
        {"2025-07-23", true, 20250723},
        {"2024-02-29", true, 20240229},
        {"2025-02-29", false, 0},
        {"1900-02-29", false, 0},
        {"2000-02-29", true, 20000229},
        {"2025-13", false, 0},
        {"2025-00", false, 0},
        {"2025-04-31", false, 0},
        {"2025-4-1", false, 0},
        {"2025/04/01", false, 0},
        {"", false, 0},
        {"20250401", false, 0},
        {"2025-04-", false, 0},
        {"abcd", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int ymd = 0;
        if (rig__cli_date_parse(rows[i].text, &ymd) != rows[i].is_date || ymd != rows[i].ymd) {
            fail_msg("'%s' gives %d", rows[i].text, ymd);
        }
    }
}

static void test_put__stronger_level_replaces(void **state)
{
    (void)state;
    cli_input input = {.verb = VERB_RECOMMEND};
    const cli_value a = {.text = "1k"}, b = {.text = "2k"}, c = {.text = "3k"};
    assert_true(rig__cli_put(&input, OPT_BUDGET, LEVEL_LOCAL_FILE, a));
    assert_true(rig__cli_put(&input, OPT_BUDGET, LEVEL_FLAG, b));
    assert_true(rig__cli_put(&input, OPT_BUDGET, LEVEL_ENVIRONMENT, c));
    assert_string_equal(rig__cli_text(&input, OPT_BUDGET), "2k");
    assert_true(rig__cli_number(&input, OPT_BUDGET, 0) > 1999.9);
    assert_true(rig__cli_put(&input, OPT_BUDGET, LEVEL_FLAG, c));
    assert_int_equal(rig__cli_count(&input, OPT_BUDGET), 1);
    assert_string_equal(rig__cli_text(&input, OPT_BUDGET), "3k");
    assert_true(rig__cli_put(&input, OPT_REQUIRE, LEVEL_USER_FILE, a));
    assert_true(rig__cli_put(&input, OPT_REQUIRE, LEVEL_FLAG, b));
    assert_true(rig__cli_put(&input, OPT_REQUIRE, LEVEL_FLAG, c));
    assert_int_equal(rig__cli_count(&input, OPT_REQUIRE), 2);
    assert_string_equal(rig__cli_item(&input, OPT_REQUIRE, 0), "2k");
    rig__cli_input_free(&input);
}

static void test_text__default(void **state)
{
    (void)state;
    cli_input input = {.verb = VERB_RECOMMEND};
    assert_string_equal(rig__cli_text(&input, OPT_FORMAT), "table");
    assert_int_equal(rig__cli_choice(&input, OPT_FORMAT), 0);
    assert_null(rig__cli_text(&input, OPT_BUDGET));
    assert_int_equal(rig__cli_choice(&input, OPT_PRECISION), -1);
}

/* Every default must itself be a valid value of its option. */
static void test_table__defaults_are_valid(void **state)
{
    (void)state;
    for (int verb = 0; verb < N_VERBS; verb++) {
        cli_input input = {.verb = (cli_verb)verb};
        for (int id = 0; id < N_OPTIONS; id++) {
            const char *text = rig__cli_options[id].fallback;
            if (text[0] != '\0') {
                assert_true(
                    rig__cli_put(&input, (cli_id)id, LEVEL_FLAG, (cli_value){.text = text}));
            }
        }
        assert_int_equal(rig__cli_validate(&input), 0);
        rig__cli_input_free(&input);
    }
}

/* Names and letters must be unique, and every option must belong to a verb and have a help text. */
static void test_table__is_consistent(void **state)
{
    (void)state;
    for (int id = 0; id < N_OPTIONS; id++) {
        const cli_option *option = &rig__cli_options[id];
        assert_int_equal(rig__cli_option_find(option->name, strlen(option->name)), id);
        if (option->key != 0) {
            assert_int_equal(rig__cli_option_by_key(option->key), id);
        }
        assert_int_not_equal(option->verbs, 0);
        assert_true(option->help[0] != '\0');
        assert_int_equal(option->kind == KIND_FLAG, option->argument[0] == '\0');
        assert_int_equal(option->kind == KIND_CHOICE, option->choices[0] != '\0');
    }
    assert_int_equal(rig__cli_option_by_key(0), N_OPTIONS);
    assert_int_equal(rig__cli_option_find("budg", 4), N_OPTIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_date_parse__table),
                                       cmocka_unit_test(test_put__stronger_level_replaces),
                                       cmocka_unit_test(test_text__default),
                                       cmocka_unit_test(test_table__defaults_are_valid),
                                       cmocka_unit_test(test_table__is_consistent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
