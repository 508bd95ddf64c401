/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of base/decimal.c. */
#include "base/decimal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_scan__takes_the_longest_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t used;
    } rows[] = {
        {"12", 2},  {"12k", 2}, {"1.5.2", 3}, {"-1.5e3x", 6}, {"1e", 1},  {"1e+", 1},
        {"1EB", 1}, {".5", 2},  {"5.", 2},    {".", 0},       {"", 0},    {"-", 0},
        {"e5", 0},  {"+7", 2},  {"--7", 0},   {"0x10", 1},    {"nan", 0}, {"inf", 0},
        {" 1", 0},  {"1 ", 1},  {"1,5", 1},   {"1e-5e", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig__decimal decimal;
        const size_t used = rig__decimal_scan(rows[i].text, strlen(rows[i].text), &decimal);
        if (used != rows[i].used) {
            fail_msg("'%s': used %zu, expected %zu", rows[i].text, used, rows[i].used);
        }
    }
}

static void test_scan__stops_at_the_length(void **state)
{
    (void)state;
    rig__decimal decimal;
    double value = 0.0;
    assert_int_equal(rig__decimal_scan("1234", 2, &decimal), 2);
    assert_true(rig__decimal_to_double(&decimal, 0, &value));
    assert_true(value == 12.0);
    assert_int_equal(rig__decimal_scan("1e5", 2, &decimal), 1);
    assert_int_equal(rig__decimal_scan("1", 1000001, &decimal), 0);
}

static void test_to_int64__rounds_halves_away(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int shift;
        int is_ok;
        int64_t value;
    } rows[] = {
        {"1.234", 2, 1, 123},
        {"1.235", 2, 1, 124},
        {"-1.235", 2, 1, -124},
        {"0.004999", 2, 1, 0},
        {"0.005", 2, 1, 1},
        {"0.0005", 2, 1, 0},
        {"20", 5, 1, 2000000},
        {"1.5", 8, 1, 150000000},
        {"1e-400", 2, 1, 0},
        {"0e100000000", 2, 1, 0},
        {"000000000000000000000000000001", 0, 1, 1},
        {"9223372036854775807", 0, 1, INT64_MAX},
        {"9223372036854775807.4", 0, 1, INT64_MAX},
        {"9223372036854775807.5", 0, 0, 0},
        {"9223372036854775808", 0, 0, 0},
        {"1e19", 0, 0, 0},
        {"1e100000000", 0, 0, 0},
        {"92233720368547758.07", 2, 1, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig__decimal decimal;
        int64_t value = 0;
        assert_int_not_equal(rig__decimal_scan(rows[i].text, strlen(rows[i].text), &decimal), 0);
        const int is_ok = rig__decimal_to_int64(&decimal, rows[i].shift, &value);
        if (is_ok != rows[i].is_ok || (is_ok && value != rows[i].value)) {
            fail_msg("'%s': %d %lld", rows[i].text, is_ok, (long long)value);
        }
    }
}

static void test_to_double__shift_rounds_once(void **state)
{
    (void)state;
    rig__decimal decimal;
    double value = 0.0;
    (void)rig__decimal_scan("4.35", 4, &decimal);
    assert_true(rig__decimal_to_double(&decimal, 2, &value));
    assert_true(value == 435.0);
    (void)rig__decimal_scan("20", 2, &decimal);
    assert_true(rig__decimal_to_double(&decimal, -2, &value));
    assert_true(value == 0.2);
}

static void test_print__digits_and_cut(void **state)
{
    (void)state;
    char text[32];
    assert_string_equal(rig__decimal_print(text, sizeof text, 4, 3.14159), "3.142");
    assert_string_equal(rig__decimal_print(text, sizeof text, 17, 0.1), "0.10000000000000001");
    assert_string_equal(rig__decimal_print(text, 3, 4, 3.14159), "3.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan__takes_the_longest_number),
        cmocka_unit_test(test_scan__stops_at_the_length),
        cmocka_unit_test(test_to_int64__rounds_halves_away),
        cmocka_unit_test(test_to_double__shift_rounds_once),
        cmocka_unit_test(test_print__digits_and_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
