/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values and messages of single cells. */
#include "catalog/cell.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_near.h"

static rig_status
parse(rig_table table, const char *column, const char *text, rig__cell_value *out, rig_error *err)
{
    const rig_column *const c = rig_column_find(table, column);
    assert_non_null(c);
    const rig__csv_cell cell = {text, strlen(text), 7, 11};
    return rig__cell_parse(&cell, c, c->is_required, "t.csv", out, err);
}

static void test_parse__numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
    } rows[] = {{"24", 24}, {" 24.5\t", 24.5}, {"1e2", 100}, {"1", 1}, {"2000", 2000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig__cell_value value;
        assert_int_equal(parse(RIG_TABLE_GPU, "mem_gb", rows[i].text, &value, NULL), RIG_OK);
        ASSERT_SAME(rows[i].text, value.number, rows[i].number);
    }
    rig__cell_value value;
    assert_int_equal(parse(RIG_TABLE_GPU, "nvlink_gbs", "", &value, NULL), RIG_OK);
    assert_true(isnan(value.number));
    assert_int_equal(value.length, 0);
    assert_int_equal(parse(RIG_TABLE_GPU, "nvlink_gbs", " \t", &value, NULL), RIG_OK);
    assert_true(isnan(value.number));
}

static void test_parse__money(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t cents;
    } rows[] = {
        {"149.99", 14999},
        {"0", 0},
        {"-0", 0},
        {"1e3", 100000},
        {"1000000000", 100000000000},
        {"0.1", 10},
        {"", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig__cell_value value;
        assert_int_equal(parse(RIG_TABLE_GPU, "price_usd", rows[i].text, &value, NULL), RIG_OK);
        if (value.cents != rows[i].cents) {
            fail_msg("'%s': %lld cents", rows[i].text, (long long)value.cents);
        }
    }
}

static void test_parse__texts_and_dates(void **state)
{
    (void)state;
    rig__cell_value value;
    assert_int_equal(parse(RIG_TABLE_GPU, "notes", "  two\nlines\there ", &value, NULL), RIG_OK);
    assert_int_equal(value.length, strlen("two\nlines\there"));
    assert_int_equal(memcmp(value.text, "two", 3), 0);
    assert_int_equal(parse(RIG_TABLE_GPU, "price_date", "2026-02", &value, NULL), RIG_OK);
    assert_int_equal(value.date_ymd, 20260200);
    assert_int_equal(parse(RIG_TABLE_GPU, "price_trust", "low", &value, NULL), RIG_OK);
    assert_int_equal(value.trust, RIG_TRUST_LOW);
    assert_int_equal(parse(RIG_TABLE_GPU, "price_trust", "", &value, NULL), RIG_OK);
    assert_int_equal(value.trust, RIG_TRUST_FAIR);
}

static const struct {
    const char *name, *column, *text;
    rig_status status;
    const char *message;
} bad_cells[] = {
    {"unit",
     "mem_gb",
     "12 GB",
     RIG_E_PARSE,
     "unit in a number: '12 GB' in column 'mem_gb' (write the number alone, in GB)"},
    {"unit, close", "mem_gb", "12GB", RIG_E_PARSE, "unit in a number: '12GB'"},
    {"dollar",
     "price_usd",
     "$12",
     RIG_E_PARSE,
     "currency sign: '$12' in column 'price_usd' (write the digits alone)"},
    {"dollar behind", "price_usd", "12 USD", RIG_E_PARSE, "currency sign"},
    {"euro", "price_usd", "12\xe2\x82\xac", RIG_E_PARSE, "currency sign"},
    {"decimal comma",
     "mem_gb",
     "1,5",
     RIG_E_PARSE,
     "decimal comma: '1,5' in column 'mem_gb' (expected '.', as in 1.5; the file was saved "
     "under a locale with decimal commas)"},
    {"comma, three digits", "mem_gb", "1,234", RIG_E_PARSE, "comma in a number: '1,234'"},
    {"thousands", "mem_gb", "1,234,567", RIG_E_PARSE, "thousands separator: '1,234,567'"},
    {"thousands and point", "mem_gb", "1,234.5", RIG_E_PARSE, "thousands separator"},
    {"nan",
     "mem_gb",
     "nan",
     RIG_E_PARSE,
     "not a number: 'nan' in column 'mem_gb' (a value is required)"},
    {"NaN, optional",
     "nvlink_gbs",
     "NaN",
     RIG_E_PARSE,
     "not a number: 'NaN' in column 'nvlink_gbs' (leave the cell empty if the value is "
     "unknown)"},
    {"inf", "mem_gb", "-inf", RIG_E_PARSE, "not a number: '-inf'"},
    {"n/a", "nvlink_gbs", "N/A", RIG_E_PARSE, "not a number: 'N/A'"},
    {"too large",
     "mem_gb",
     "1e999",
     RIG_E_RANGE,
     "number too large: '1e999' in column 'mem_gb' (expected a finite number)"},
    {"hex", "mem_gb", "0x10", RIG_E_PARSE, "not a decimal number: '0x10'"},
    {"percent", "mem_gb", "20%", RIG_E_PARSE, "percent sign: '20%'"},
    {"word", "mem_gb", "many", RIG_E_PARSE, "not a number: 'many'"},
    {"two numbers", "mem_gb", "12 13", RIG_E_PARSE, "not a number: '12 13'"},
    {"above",
     "mem_gb",
     "2000.1",
     RIG_E_RANGE,
     "out of range: '2000.1' in column 'mem_gb' (expected 1 to 2000 GB)"},
    {"below", "mem_gb", "0", RIG_E_RANGE, "out of range: '0'"},
    {"negative price", "price_usd", "-1", RIG_E_RANGE, "out of range: '-1'"},
    {"fraction",
     "year",
     "2020.5",
     RIG_E_RANGE,
     "not a whole number: '2020.5' in column 'year' (expected a whole number)"},
    {"empty", "mem_gb", " ", RIG_E_PARSE, "empty cell in column 'mem_gb' (a value is required)"},
    {"date",
     "price_date",
     "2026-02-30",
     RIG_E_PARSE,
     "not a date: '2026-02-30' in column 'price_date' (expected YYYY, YYYY-MM or YYYY-MM-DD)"},
    {"trust",
     "price_trust",
     "best",
     RIG_E_RANGE,
     "unknown trust: 'best' in column 'price_trust' (expected good, fair or low)"},
    {"two-line name", "name", "a\nb", RIG_E_PARSE, "line break in a name: 'a?b'"},
    {"tab in a name", "name", "a\tb", RIG_E_PARSE, "control character: 'a?b'"},
    {"escape in notes", "notes", "a\x1b[31m", RIG_E_PARSE, "control character: 'a?[31m'"},
    {"long text is cut",
     "mem_gb",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xc3\xa9zzzzzzzz",
     RIG_E_PARSE,
     "not a number: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' in"},
};

static void test_parse__messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_cells / sizeof bad_cells[0]; i++) {
        rig__cell_value value;
        rig_error err = {0};
        const rig_status status =
            parse(RIG_TABLE_GPU, bad_cells[i].column, bad_cells[i].text, &value, &err);
        if (status != bad_cells[i].status || err.status != status || err.line != 7 ||
            err.column != 11 || strstr(err.message, bad_cells[i].message) != err.message ||
            strcmp(err.where, "t.csv") != 0) {
            fail_msg("%s: got %d %s:%ld:%ld: %s",
                     bad_cells[i].name,
                     (int)status,
                     err.where,
                     err.line,
                     err.column,
                     err.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse__numbers),
        cmocka_unit_test(test_parse__money),
        cmocka_unit_test(test_parse__texts_and_dates),
        cmocka_unit_test(test_parse__messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
