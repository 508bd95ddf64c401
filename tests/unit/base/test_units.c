/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of base/units.c. */
#include "trainrig/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

typedef struct quantity_row {
    rig_quantity kind;
    const char *text;
    double value;
} quantity_row;

static const quantity_row accepted[] = {
    {RIG_QUANTITY_NUMBER, "1.5", 1.5},
    {RIG_QUANTITY_NUMBER, "-3", -3.0},
    {RIG_QUANTITY_NUMBER, " 20k ", 20000.0},
    {RIG_QUANTITY_NUMBER, "3 M", 3e6},
    {RIG_QUANTITY_NUMBER, "4.35k", 4350.0},
    {RIG_QUANTITY_NUMBER, "1,234,567.5", 1234567.5},
    {RIG_QUANTITY_NUMBER, "1e3k", 1e6},
    {RIG_QUANTITY_NUMBER, "2G", 2e9},
    {RIG_QUANTITY_COUNT, "8", 8.0},
    {RIG_QUANTITY_COUNT, "0", 0.0},
    {RIG_QUANTITY_COUNT, "1.28M", 1280000.0},
    {RIG_QUANTITY_COUNT, "1,281,167", 1281167.0},
    {RIG_QUANTITY_MONEY, "20k", 20000.0},
    {RIG_QUANTITY_MONEY, "$0.15", 0.15},
    {RIG_QUANTITY_TIME, "90", 90.0},
    {RIG_QUANTITY_TIME, "90s", 90.0},
    {RIG_QUANTITY_TIME, "20min", 1200.0},
    {RIG_QUANTITY_TIME, "30m", 1800.0},
    {RIG_QUANTITY_TIME, "2.5h", 9000.0},
    {RIG_QUANTITY_TIME, "2.5 H", 9000.0},
    {RIG_QUANTITY_TIME, "3d", 259200.0},
    {RIG_QUANTITY_TIME, "3y", 94608000.0},
    {RIG_QUANTITY_TIME, "250ms", 0.25},
    {RIG_QUANTITY_CAPACITY, "500", 500.0},
    {RIG_QUANTITY_CAPACITY, "500GB", 500.0},
    {RIG_QUANTITY_CAPACITY, "500gb", 500.0},
    {RIG_QUANTITY_CAPACITY, "1.5TB", 1500.0},
    {RIG_QUANTITY_CAPACITY, "2T", 2000.0},
    {RIG_QUANTITY_CAPACITY, "512GiB", 549.755813888},
    {RIG_QUANTITY_CAPACITY, "1000000000B", 1.0},
    {RIG_QUANTITY_RATE, "7GB/s", 7.0},
    {RIG_QUANTITY_RATE, "500MB/s", 0.5},
    {RIG_QUANTITY_RATE, "100Gbit/s", 12.5},
    {RIG_QUANTITY_RATE, "400 Gb/s", 50.0},
    {RIG_QUANTITY_POWER, "350", 350.0},
    {RIG_QUANTITY_POWER, "350W", 350.0},
    {RIG_QUANTITY_POWER, "350w", 350.0},
    {RIG_QUANTITY_POWER, "1.6kW", 1600.0},
    {RIG_QUANTITY_POWER, "1.6KW", 1600.0},
    {RIG_QUANTITY_FRACTION, "0.2", 0.2},
    {RIG_QUANTITY_FRACTION, "20%", 0.2},
    {RIG_QUANTITY_FRACTION, "100 %", 1.0},
    {RIG_QUANTITY_FRACTION, "-0", 0.0},
};

static void test_quantity_parse__accepts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        const quantity_row *const row = &accepted[i];
        double value = NAN;
        rig_error err = {0};
        if (rig_quantity_parse(row->text, row->kind, &value, &err) != RIG_OK ||
            (!rig__near(value, row->value) || signbit(value) != signbit(row->value))) {
            fail_msg("'%s' gave %.17g: %s", row->text, value, err.message);
        }
    }
}

typedef struct refused_row {
    rig_quantity kind;
    const char *text;
    rig_status status;
} refused_row;

static const refused_row refused[] = {
    {RIG_QUANTITY_NUMBER, "", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "  ", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "nan", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "inf", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "0x10", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "1,5", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "0,500", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "1,00,000", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "1000,000", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, ",000", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "1,000.5,000", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "1,000,", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "5x", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "5 k k", RIG_E_PARSE},
    {RIG_QUANTITY_NUMBER, "1e400", RIG_E_RANGE},
    {RIG_QUANTITY_NUMBER, "1e308k", RIG_E_RANGE},
    {RIG_QUANTITY_NUMBER,
     "1111111111111111111111111111111111111111111111111111111111111111111111",
     RIG_E_PARSE},
    {RIG_QUANTITY_COUNT, "-1", RIG_E_RANGE},
    {RIG_QUANTITY_COUNT, "1.5", RIG_E_PARSE},
    {RIG_QUANTITY_COUNT, "1e17", RIG_E_RANGE},
    {RIG_QUANTITY_TIME, "-3s", RIG_E_RANGE},
    {RIG_QUANTITY_TIME, "3 parsecs", RIG_E_PARSE},
    {RIG_QUANTITY_TIME, "3 a very long name of a unit", RIG_E_PARSE},
    {RIG_QUANTITY_TIME, "1e308y", RIG_E_RANGE},
    {RIG_QUANTITY_CAPACITY, "500Gb", RIG_E_PARSE},
    {RIG_QUANTITY_CAPACITY, "500GB/s", RIG_E_PARSE},
    {RIG_QUANTITY_RATE, "500GB", RIG_E_PARSE},
    {RIG_QUANTITY_POWER, "5mW", RIG_E_PARSE},
    {RIG_QUANTITY_POWER, "-5W", RIG_E_RANGE},
    {RIG_QUANTITY_FRACTION, "20", RIG_E_RANGE},
    {RIG_QUANTITY_FRACTION, "101%", RIG_E_RANGE},
    {RIG_QUANTITY_FRACTION, "-1%", RIG_E_RANGE},
};

static void test_quantity_parse__refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const refused_row *const row = &refused[i];
        double value = 42.0;
        rig_error err = {0};
        const rig_status status = rig_quantity_parse(row->text, row->kind, &value, &err);
        if (status != row->status || err.status != row->status) {
            fail_msg("'%s' gave %s, %.17g", row->text, rig_status_name(status), value);
        }
        assert_true(value == 42.0);
        assert_non_null(strstr(err.message, row->text));
        assert_non_null(strstr(err.message, "(expected "));
    }
}

static void test_quantity_parse__accepts_no_error_record(void **state)
{
    (void)state;
    double value = 0.0;
    assert_int_equal(rig_quantity_parse("x", RIG_QUANTITY_POWER, &value, NULL), RIG_E_PARSE);
}

static void test_money_parse__accepts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t cents;
    } rows[] = {
        {"20k", 2000000},
        {"20K", 2000000},
        {"$20,000", 2000000},
        {"20,000", 2000000},
        {"20000 USD", 2000000},
        {"20000USD", 2000000},
        {"USD 20000", 2000000},
        {"20 k usd", 2000000},
        {"$ 5", 500},
        {"1.5M", 150000000},
        {"4.35", 435},
        {"0.125", 13},
        {"1.005", 101},
        {"-0", 0},
        {"0", 0},
        {"1,234,567.89", 123456789},
        {"1e12", INT64_C(100000000000000)},
        {"1000B", INT64_C(100000000000000)},
        {"1e-400", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t cents = -1;
        rig_error err = {0};
        if (rig_money_parse(rows[i].text, &cents, &err) != RIG_OK || cents != rows[i].cents) {
            fail_msg("'%s' gave %lld: %s", rows[i].text, (long long)cents, err.message);
        }
    }
}

static void test_money_parse__refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        rig_status status;
        const char *message;
    } rows[] = {
#define EXPECTED " (expected US dollars such as 20k, $20,000 or 1.5M)"
        {"nan", RIG_E_PARSE, "unreadable amount of money: 'nan'" EXPECTED},
        {"abc", RIG_E_PARSE, "unreadable amount of money: 'abc'" EXPECTED},
        {"", RIG_E_PARSE, "empty amount of money: ''" EXPECTED},
        {"$", RIG_E_PARSE, "unreadable amount of money: '$'" EXPECTED},
        {"USD", RIG_E_PARSE, "unreadable amount of money: 'USD'" EXPECTED},
        {"20 EUR", RIG_E_PARSE, "unreadable amount of money: '20 EUR'" EXPECTED},
        {"2,00", RIG_E_PARSE, "unreadable amount of money: '2,00'" EXPECTED},
        {"-5", RIG_E_RANGE, "negative amount of money: '-5'" EXPECTED},
        {"-$5", RIG_E_RANGE, "negative amount of money: '-$5'" EXPECTED},
        {"$-5", RIG_E_RANGE, "negative amount of money: '$-5'" EXPECTED},
        {"1e400", RIG_E_RANGE, "too large amount of money: '1e400'" EXPECTED},
        {"99999999999999999999",
         RIG_E_RANGE,
         "too large amount of money: '99999999999999999999'" EXPECTED},
        {"1000000000000.01", RIG_E_RANGE, "too large amount of money: '1000000000000.01'" EXPECTED},
#undef EXPECTED
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t cents = -1;
        rig_error err = {0};
        const rig_status status = rig_money_parse(rows[i].text, &cents, &err);
        if (status != rows[i].status) {
            fail_msg("'%s' gave %s %lld", rows[i].text, rig_status_name(status), (long long)cents);
        }
        assert_string_equal(err.message, rows[i].message);
        assert_int_equal(cents, -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantity_parse__accepts),
        cmocka_unit_test(test_quantity_parse__refuses),
        cmocka_unit_test(test_quantity_parse__accepts_no_error_record),
        cmocka_unit_test(test_money_parse__accepts),
        cmocka_unit_test(test_money_parse__refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
