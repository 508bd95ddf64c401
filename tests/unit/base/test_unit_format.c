/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of base/unit_format.c. */
#include "trainrig/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_format_money(void **state)
{
    (void)state;
    static const struct {
        int64_t cents;
        const char *text;
    } rows[] = {
        {123450, "1,234.50"},
        {0, "0.00"},
        {5, "0.05"},
        {-123450, "-1,234.50"},
        {99999, "999.99"},
        {100000, "1,000.00"},
        {123456789012, "1,234,567,890.12"},
        {INT64_MIN, "-92,233,720,368,547,758.08"},
        {INT64_MAX, "92,233,720,368,547,758.07"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        assert_string_equal(rig_format_money(text, sizeof text, rows[i].cents), rows[i].text);
    }
}

static void test_format_number(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {12345.0, "12,345"},
        {1234.5678, "1,235"},
        {999.96, "1,000"},
        {999.94, "999.9"},
        {12.3456, "12.35"},
        {0.000123456, "0.0001235"},
        {0.0, "0"},
        {-0.0, "0"},
        {-12345.4, "-12,345"},
        {1e18, "1e+18"},
        {(double)NAN, "unknown"},
        {(double)INFINITY, "infinite"},
        {5.0, "5"},
        {-(double)INFINITY, "-infinite"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        assert_string_equal(rig_format_number(text, sizeof text, rows[i].value), rows[i].text);
    }
}

static void test_format_duration(void **state)
{
    (void)state;
    static const struct {
        double seconds_s;
        const char *text;
    } rows[] = {
        {723.0, "12 min 3 s"},
        {720.0, "12 min"},
        {0.0, "0 s"},
        {59.94, "59.9 s"},
        {59.96, "1 min"},
        {3599.6, "1 h"},
        {3599.4, "59 min 59 s"},
        {7500.0, "2 h 5 min"},
        {86399.0, "1 d"},
        {90000.0, "1 d 1 h"},
        {94608000.0, "3 y"},
        {94608000.0 + 86400.0, "3 y 1 d"},
        {31535999.0, "1 y"},
        {0.0123, "12.3 ms"},
        {0.00000123, "1.23 us"},
        {0.9999, "1 s"},
        {-723.0, "-12 min 3 s"},
        {1e30, "3.17e+22 y"},
        {(double)NAN, "unknown"},
        {(double)INFINITY, "infinite"},
        {-(double)INFINITY, "-infinite"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        assert_string_equal(rig_format_duration(text, sizeof text, rows[i].seconds_s),
                            rows[i].text);
    }
}

static void test_formats__cut_to_size(void **state)
{
    (void)state;
    char text[4] = "xyz";
    assert_string_equal(rig_format_money(text, 4, 123450), "1,2");
    assert_string_equal(rig_format_number(text, 3, 12345.0), "12");
    assert_string_equal(rig_format_duration(text, 4, -723.0), "-12");
    assert_string_equal(rig_format_duration(text, 1, -723.0), "");
    assert_ptr_equal(rig_format_money(text, 0, 1), text);
    assert_ptr_equal(rig_format_duration(text, 0, -1.0), text);
    assert_ptr_equal(rig_format_number(text, 0, (double)NAN), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_money),
        cmocka_unit_test(test_format_number),
        cmocka_unit_test(test_format_duration),
        cmocka_unit_test(test_formats__cut_to_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
