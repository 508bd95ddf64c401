/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whole CSV tables with any columns. */
#include "catalog/csv_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static rig_status read_text(rig__csv_table **out, const char *text, rig_error *err)
{
    return rig__csv_table_read_memory(out, "t.csv", text, strlen(text), err);
}

static void test_read__cells_by_row_and_header(void **state)
{
    (void)state;
    rig__csv_table *table = NULL;
    assert_int_equal(read_text(&table, "a,b\n1,\n\n\"x\ny\",4\n", NULL), RIG_OK);
    assert_int_equal(rig__csv_table_n_rows(table), 2);
    assert_int_equal(rig__csv_table_n_columns(table), 2);
    assert_string_equal(rig__csv_table_header(table, 1), "b");
    assert_int_equal(rig__csv_table_find(table, "b"), 1);
    assert_int_equal(rig__csv_table_find(table, "B"), 2);
    const rig__csv_cell empty = rig__csv_table_cell(table, 0, 1);
    assert_string_equal(empty.text, "");
    assert_int_equal(empty.length, 0);
    const rig__csv_cell last = rig__csv_table_cell(table, 1, 1);
    assert_string_equal(last.text, "4");
    assert_int_equal(last.line, 5);
    assert_int_equal(last.column, 4);

    rig_error err = {0};
    assert_int_equal(rig__csv_table_fail(table, 1, 1, RIG_E_RANGE, "out of range", &err),
                     RIG_E_RANGE);
    assert_int_equal(err.line, 5);
    assert_int_equal(err.column, 4);
    assert_string_equal(err.message, "out of range: '4' in column 'b'");
    assert_string_equal(err.where, "t.csv");
    rig__csv_table_free(table);
    rig__csv_table_free(NULL);
}

static void test_read__header_only(void **state)
{
    (void)state;
    rig__csv_table *table = NULL;
    assert_int_equal(read_text(&table, "a,b", NULL), RIG_OK);
    assert_int_equal(rig__csv_table_n_rows(table), 0);
    rig__csv_table_free(table);
}

static void test_read__errors(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        rig_status status;
        long line, column;
    } rows[] = {
        {"short row", "a,b\n1,2\n3\n", RIG_E_PARSE, 3, 1},
        {"long row", "a,b\n1,2,3\n", RIG_E_PARSE, 2, 5},
        {"column twice", "a,b,a\n", RIG_E_DUPLICATE, 1, 5},
        {"empty", "", RIG_E_PARSE, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig__csv_table *table = NULL;
        rig_error err = {0};
        if (read_text(&table, rows[i].text, &err) != rows[i].status || table != NULL ||
            err.line != rows[i].line || err.column != rows[i].column) {
            fail_msg("%s: %ld:%ld: %s", rows[i].name, err.line, err.column, err.message);
        }
    }
    rig__csv_table *table = NULL;
    assert_int_equal(rig__csv_table_read_file(&table, "/nonexistent", NULL), RIG_E_IO);
    assert_null(table);
}

static void test_read_file__shipped_table(void **state)
{
    (void)state;
    rig__csv_table *table = NULL;
    rig_error err = {0};
    if (rig__csv_table_read_file(&table, RIG_SOURCE_DIR "/catalog/data/gpus.csv", &err) != RIG_OK) {
        fail_msg("%s:%ld: %s", err.where, err.line, err.message);
    }
    assert_int_equal(rig__csv_table_find(table, "name"), 0);
    assert_true(rig__csv_table_n_rows(table) > 50);
    rig__csv_table_free(table);
}

static void test_columns__several_names_or_the_first_that_is_missing(void **state)
{
    (void)state;
    static const char *const names[] = {"c", "a"};
    static const char *const others[] = {"c", "x", "y"};
    size_t columns[3];
    rig__csv_table *table = NULL;
    rig_error err = {0};
    assert_int_equal(read_text(&table, "a,b,c\n1,2,3\n", NULL), RIG_OK);
    assert_int_equal(rig__csv_table_columns(table, names, 2, "has a, c", columns, &err), RIG_OK);
    assert_int_equal(columns[0], 2);
    assert_int_equal(columns[1], 0);
    assert_int_equal(rig__csv_table_columns(table, others, 3, "has c, x, y", columns, &err),
                     RIG_E_SCHEMA);
    assert_string_equal(err.message, "missing column: 'x' (has c, x, y)");
    assert_string_equal(err.where, "t.csv");
    assert_int_equal(err.line, 1);
    rig__csv_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__cells_by_row_and_header),
        cmocka_unit_test(test_read__header_only),
        cmocka_unit_test(test_read__errors),
        cmocka_unit_test(test_columns__several_names_or_the_first_that_is_missing),
        cmocka_unit_test(test_read_file__shipped_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
