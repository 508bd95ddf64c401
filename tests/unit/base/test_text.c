/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of base/text.c. */
#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static void test_number_parse__accepts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0", 0.0},
        {"0.1", 0.1},
        {"-1.5e3", -1500.0},
        {"4.35", 4.35},
        {"1e22", 1e22},
        {"1e23", 1e23},
        {".5", 0.5},
        {"5.", 5.0},
        {"+7", 7.0},
        {"007", 7.0},
        {"1E2", 100.0},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"4.9e-324", 4.9e-324},
        {"1e-400", 0.0}, /* the nearest double */
        {"0e999999999999", 0.0},
        {"9007199254740993", 9007199254740992.0},            /* tie to even */
        {"9007199254740993.0000000001", 9007199254740994.0}, /* just above the tie */
        {"0.000000000000000000000000000000000000000000001e45", 1.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = NAN;
        if (!rig__number_parse(rows[i].text, strlen(rows[i].text), &value) ||
            value != rows[i].value) {
            fail_msg("'%s' gave %.17g", rows[i].text, value);
        }
    }
}

static void test_number_parse__refuses(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",      " ",        " 1",
        "1 ",    "nan",      "inf",
        "-inf",  "infinity", "0x10",
        "0x1p3", "1e309",    "1e400",
        "1,5",   "1_0",      "1e",
        "1e+",   ".",        "-",
        "+",     "e5",       "1.2.3",
        "--1",   "1k",       "12 GB",
        "$12",   "1.8e308",  "-1e999999999999999999999",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = 42.0;
        if (rig__number_parse(rows[i], strlen(rows[i]), &value)) {
            fail_msg("'%s' gave %.17g", rows[i], value);
        }
        assert_true(value == 42.0);
    }
    double value = 0.0;
    assert_false(rig__number_parse("1\0"
                                   "2",
                                   3,
                                   &value));
}

/* A number that lies just above the middle of two doubles only by its 900th digit. */
static void test_number_parse__long_digits_round_correctly(void **state)
{
    (void)state;
    char text[1000] = "9007199254740993.";
    memset(text + 17, '0', 900);
    double value = 0.0;
    assert_true(rig__number_parse(text, 917, &value));
    assert_true(value == 9007199254740992.0);
    text[916] = '1';
    assert_true(rig__number_parse(text, 917, &value));
    assert_true(value == 9007199254740994.0);
}

static double random_double(uint64_t *seed)
{
    double value = NAN;
    do {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t bits = *seed ^ (*seed >> 29);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void test_number_format__reads_back_and_is_shortest(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        const double value = i % 2 == 0 ? random_double(&seed) : (double)(i - 10000) / 64.0;
        char text[32];
        char fewest[40];
        double again = NAN;
        rig__number_format(text, sizeof text, value);
        assert_true(rig__number_parse(text, strlen(text), &again));
        assert_true(again == value);
        assert_true(strtod(text, NULL) == value);
        (void)snprintf(fewest, sizeof fewest, "%.15g", value);
        if (strtod(fewest, NULL) == value) {
            assert_string_equal(text, fewest);
        }
    }
}

static void test_number_format__examples(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e22, "1e+22"},
        {20000.0, "20000"},
        {-1.5, "-1.5"},
        {(double)NAN, ""},
        {0.0, "0"},
        {(double)INFINITY, ""},
        {4.35, "4.35"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[32];
        assert_string_equal(rig__number_format(text, sizeof text, rows[i].value), rows[i].text);
    }
    char small[4];
    assert_string_equal(rig__number_format(small, sizeof small, 12345.0), "123");
}

/* Runs only where a locale with a decimal comma is installed. */
static void test_numbers__ignore_the_locale(void **state)
{
    (void)state;
    static const char *const names[] = {
        "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR", "pl_PL.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && found == NULL; i++) {
        found = setlocale(LC_ALL, names[i]);
    }
    if (found == NULL) {
        skip();
    }
    char comma[16];
    char text[32];
    double value = 0.0;
    (void)snprintf(comma, sizeof comma, "%.1f", 1.5);
    const bool is_read = rig__number_parse("1234.5", 6, &value);
    const bool is_comma_read = rig__number_parse("1234,5", 6, &value);
    rig__number_format(text, sizeof text, 1234.5);
    (void)setlocale(LC_ALL, "C");
    assert_string_equal(comma, "1,5");
    assert_true(is_read);
    assert_false(is_comma_read);
    assert_true(value == 1234.5);
    assert_string_equal(text, "1234.5");
}

static void test_cents_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int is_ok;
        int64_t cents;
    } rows[] = {
        {"4.35", 1, 435},
        {"0.005", 1, 1},
        {"0.0049", 1, 0},
        {"-0.005", 1, -1},
        {"20000", 1, 2000000},
        {"1e3", 1, 100000},
        {"", 0, 0},
        {"1,000", 0, 0},
        {"$5", 0, 0},
        {"nan", 0, 0},
        {"1e400", 0, 0},
        {"5 ", 0, 0},
        {"99999999999999999999", 0, 0},
        {"92233720368547758.07", 1, INT64_MAX},
        {"92233720368547758.08", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t cents = 0;
        const int is_ok = rig__cents_parse(rows[i].text, strlen(rows[i].text), &cents);
        if (is_ok != rows[i].is_ok || cents != rows[i].cents) {
            fail_msg("'%s': %d %lld", rows[i].text, is_ok, (long long)cents);
        }
    }
}

static void test_date_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t ymd;
    } rows[] = {
        {"2026", 20260000},
        {"2026-02", 20260200},
        {"2024-02-29", 20240229},
        {"2026-02-29", 0},
        {"2026-02-30", 0},
        {"2000-02-29", 20000229},
        {"1900-02-29", 0},
        {"2026-13", 0},
        {"2026-00", 0},
        {"2026-01-00", 0},
        {"2026-04-31", 0},
        {"2026-12-31", 20261231},
        {"26-01-01", 0},
        {"2026/01/01", 0},
        {"2026-1-1", 0},
        {"", 0},
        {"0000", 0},
        {"2026-01-01T00:00", 0},
        {"20a6", 0},
        {"+026", 0},
        {"2026-01/01", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t ymd = 0;
        const bool is_ok = rig__date_parse(rows[i].text, strlen(rows[i].text), &ymd);
        if (is_ok != (rows[i].ymd != 0) || ymd != rows[i].ymd) {
            fail_msg("'%s': %d %d", rows[i].text, is_ok, (int)ymd);
        }
    }
}

static void test_date_days(void **state)
{
    (void)state;
    assert_int_equal(rig__date_days(19700101), 0);
    assert_int_equal(rig__date_days(19700000), 0);
    assert_int_equal(rig__date_days(19700102), 1);
    assert_int_equal(rig__date_days(19691231), -1);
    assert_int_equal(rig__date_days(20000301), 11017);
    assert_int_equal(rig__date_days(20240229), 19782);
    assert_int_equal(rig__date_days(20240300), 19783);
    assert_int_equal(rig__date_days(10101), -719162);
    assert_int_equal(rig__date_days(0), INT32_MIN);
}

static void test_compare_nocase(void **state)
{
    (void)state;
    assert_int_equal(rig__text_compare_nocase("RTX 4090", "rtx 4090"), 0);
    assert_true(rig__text_compare_nocase("a", "B") < 0);
    assert_true(rig__text_compare_nocase("ab", "a") > 0);
    assert_true(rig__text_compare_nocase("\xc3\x84", "\xc3\xa4") != 0);
    assert_true(rig__text_has_prefix_nocase("H100 SXM", "h100"));
    assert_false(rig__text_has_prefix_nocase("H10", "h100"));
    assert_true(rig__text_has_prefix_nocase("x", ""));
    assert_true(rig__text_contains_nocase("NVIDIA H100", "h100"));
    assert_true(rig__text_contains_nocase("", ""));
    assert_false(rig__text_contains_nocase("NVIDIA H10", "h100"));
}

static void test_match(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *pattern;
        int is_match;
    } rows[] = {
        {"rtx-4090", "RTX*", 1},
        {"rtx-4090", "*90", 1},
        {"rtx-4090", "r*4*0", 1},
        {"rtx-4090", "rtx", 0},
        {"rtx-4090", "*", 1},
        {"", "*", 1},
        {"", "", 1},
        {"a", "", 0},
        {"aab", "*ab", 1},
        {"abab", "*ab", 1},
        {"abac", "*ab", 0},
        {"a*b", "a*b", 1},
        {"rtx", "rtx**", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rig__text_match(rows[i].text, rows[i].pattern) != rows[i].is_match) {
            fail_msg("'%s' against '%s'", rows[i].text, rows[i].pattern);
        }
    }
}

static void test_match__many_stars_are_fast(void **state)
{
    (void)state;
    char text[4001];
    memset(text, 'a', 4000);
    text[4000] = '\0';
    assert_false(rig__text_match(text, "*a*a*a*a*a*a*a*a*a*a*b"));
}

static void test_list_contains(void **state)
{
    (void)state;
    assert_true(rig__list_contains("SP5; sTR5 ;AM5", "str5"));
    assert_true(rig__list_contains("SP5", "SP5"));
    assert_true(rig__list_contains("SP5;SP6", " sp6 "));
    assert_false(rig__list_contains("SP5;SP6", "SP"));
    assert_false(rig__list_contains("SP5;;SP6", ""));
    assert_false(rig__list_contains("", "SP5"));
}

static void test_distance(void **state)
{
    (void)state;
    static const struct {
        const char *a;
        const char *b;
        size_t limit;
        size_t distance;
    } rows[] = {
        {"budget", "budgte", 9, 2},
        {"kitten", "sitting", 9, 3},
        {"", "", 9, 0},
        {"", "abc", 9, 3},
        {"abc", "", 9, 3},
        {"H100", "h100", 9, 0},
        {"abcdef", "uvwxyz", 3, 3},
        {"abc", "abd", 1, 1},
        {"abc", "abc", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(rig__text_distance(rows[i].a, rows[i].b, rows[i].limit), rows[i].distance);
    }
    char x[400];
    char y[400];
    memset(x, 'x', sizeof x);
    memset(y, 'y', sizeof y);
    x[399] = y[399] = '\0';
    assert_int_equal(rig__text_distance(x, y, 500), 500);
    assert_int_equal(rig__text_distance(x, x, 500), 0);
}

static void test_utf8_is_valid(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int is_valid;
    } rows[] = {
        {"", 1},
        {"abc", 1},
        {"\xc3\xa4", 1},
        {"\xe2\x82\xac", 1},
        {"\xf0\x9f\x98\x80", 1},
        {"\xf4\x8f\xbf\xbf", 1},
        {"\xc0\x80", 0},
        {"\xc1\xbf", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xed\xa0\x80", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf4\x90\x80\x80", 0},
        {"\xf5\x80\x80\x80", 0},
        {"\x80", 0},
        {"\xe2\x82", 0},
        {"\xe2\x28\xa1", 0},
        {"\xff", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rig__utf8_is_valid(rows[i].text, strlen(rows[i].text)) != rows[i].is_valid) {
            fail_msg("row %zu", i);
        }
    }
    assert_true(rig__utf8_is_valid("a\0b", 3));
}

static void test_near(void **state)
{
    (void)state;
    assert_true(rig__near(1.0, 1.0 + 1e-10));
    assert_false(rig__near(1.0, 1.0 + 1e-8));
    assert_true(rig__near(0.0, 0.0));
    assert_false(rig__near(0.0, 1e-300));
    assert_true(rig__near(1e300, 1e300 * (1.0 + 1e-10)));
    assert_true(rig__near(INFINITY, INFINITY));
    assert_false(rig__near(INFINITY, -INFINITY));
    assert_false(rig__near(INFINITY, 1e308));
    assert_false(rig__near(NAN, NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_parse__accepts),
        cmocka_unit_test(test_number_parse__refuses),
        cmocka_unit_test(test_number_parse__long_digits_round_correctly),
        cmocka_unit_test(test_number_format__reads_back_and_is_shortest),
        cmocka_unit_test(test_number_format__examples),
        cmocka_unit_test(test_numbers__ignore_the_locale),
        cmocka_unit_test(test_cents_parse),
        cmocka_unit_test(test_date_parse),
        cmocka_unit_test(test_date_days),
        cmocka_unit_test(test_compare_nocase),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_match__many_stars_are_fast),
        cmocka_unit_test(test_list_contains),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_utf8_is_valid),
        cmocka_unit_test(test_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
