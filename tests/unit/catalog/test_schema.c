/* SPDX-License-Identifier: GPL-3.0-or-later
 * Descriptions of tables and columns, and access to cells by them. */
#include "catalog/schema.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_near.h"

static void check_columns(rig_table table)
{
    assert_string_equal(rig_column_at(table, 0)->name, "name");
    assert_true(rig_column_at(table, 0)->is_required);
    for (size_t i = 0; i < rig_column_count(table); i++) {
        const rig_column *const column = rig_column_at(table, i);
        if (rig_column_find(table, column->name) != column) {
            fail_msg("%s: column '%s' twice", rig_table_stem(table), column->name);
        }
        assert_true(column->offset < rig__schema_row_size(table));
        assert_true(column->low <= column->high);
        assert_true(column->help[0] != '\0');
    }
}

static void test_columns__every_table(void **state)
{
    (void)state;
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        const rig_table table = (rig_table)t;
        check_columns(table);
        const bool has_price = rig_table_is_part(table) || table == RIG_TABLE_QUOTE;
        assert_int_equal(rig_column_find(table, "price_usd") != NULL, has_price);
        rig_table parsed = RIG_TABLE_CPU;
        assert_int_equal(rig_table_parse(rig_table_stem(table), &parsed, NULL), RIG_OK);
        assert_int_equal(parsed, table);
        assert_int_equal(rig_table_parse(rig_table_singular(table), &parsed, NULL), RIG_OK);
        assert_int_equal(parsed, table);
    }
    assert_null(rig_column_find(RIG_TABLE_CPU, "no_such_column"));
}

static void test_row__values_of_all_types(void **state)
{
    (void)state;
    const rig_gpu gpu = {
        .row = {.name = "A",
                .table = RIG_TABLE_GPU,
                .price = {.cents = 12345,
                          .kind = "street",
                          .source = "shop",
                          .date = "2026-05",
                          .date_ymd = 20260500,
                          .trust = RIG_TRUST_GOOD},
                .spec_source = "sheet",
                .notes = "note"},
        .vendor = "V",
        .mem_gb = 24,
        .fp8_tflops = (double)NAN,
    };
    static const struct {
        const char *column, *text;
        double number;
    } rows[] = {
        {"name", "A", (double)NAN},
        {"vendor", "V", (double)NAN},
        {"mem_gb", NULL, 24},
        {"fp8_tflops", NULL, (double)NAN},
        {"price_usd", NULL, 123.45},
        {"price_kind", "street", (double)NAN},
        {"price_source", "shop", (double)NAN},
        {"price_date", "2026-05", 20260500},
        {"price_trust", "good", (double)NAN},
        {"spec_source", "sheet", (double)NAN},
        {"notes", "note", (double)NAN},
        {"arch", NULL, (double)NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_column *const column = rig_column_find(RIG_TABLE_GPU, rows[i].column);
        assert_non_null(column);
        const char *const text = rig_row_text(&gpu.row, column);
        if ((text == NULL) != (rows[i].text == NULL) ||
            (text != NULL && strcmp(text, rows[i].text) != 0)) {
            fail_msg("%s: '%s'", rows[i].column, text == NULL ? "unknown" : text);
        }
        ASSERT_SAME(rows[i].column, rig_row_number(&gpu.row, column), rows[i].number);
    }
}

static void test_row__unknown_price(void **state)
{
    (void)state;
    const rig_gpu gpu = {.row = {.name = "A", .price = {.cents = -1}}};
    assert_true(isnan(rig_row_number(&gpu.row, rig_column_find(RIG_TABLE_GPU, "price_usd"))));
    assert_true(isnan(rig_row_number(&gpu.row, rig_column_find(RIG_TABLE_GPU, "price_date"))));
    assert_null(rig_row_text(&gpu.row, rig_column_find(RIG_TABLE_GPU, "price_trust")));
}

static void test_table_parse__nearest(void **state)
{
    (void)state;
    rig_table table = RIG_TABLE_CPU;
    rig_error err = {0};
    assert_int_equal(rig_table_parse("GPU", &table, NULL), RIG_OK);
    assert_int_equal(table, RIG_TABLE_GPU);
    assert_int_equal(rig_table_parse("borads", &table, &err), RIG_E_NOTFOUND);
    assert_string_equal(err.hint, "nearest: boards");
    assert_int_equal(rig_table_parse("", &table, &err), RIG_E_NOTFOUND);
    assert_int_equal(rig_table_parse("pineapples", &table, &err), RIG_E_NOTFOUND);
    assert_string_equal(err.hint, "");
}

static void test_names__files_and_references(void **state)
{
    (void)state;
    rig_table table = RIG_TABLE_CPU;
    assert_true(rig__schema_table_of_file("gpus.csv", &table));
    assert_int_equal(table, RIG_TABLE_GPU);
    assert_false(rig__schema_table_of_file("GPUS.CSV", &table));
    assert_false(rig__schema_table_of_file("gpus.csv.bak", &table));
    assert_false(rig__schema_table_of_file("gpus", &table));
    assert_true(rig__schema_reference(
        RIG_TABLE_SERVER, rig_column_find(RIG_TABLE_SERVER, "cpu_name"), &table));
    assert_int_equal(table, RIG_TABLE_CPU);
    assert_false(
        rig__schema_reference(RIG_TABLE_SERVER, rig_column_find(RIG_TABLE_SERVER, "name"), &table));
    assert_string_equal(rig__schema_near_column(RIG_TABLE_GPU, "mem_gbps"), "mem_gbs");
    assert_null(rig__schema_near_column(RIG_TABLE_GPU, "colour of the box"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns__every_table),
        cmocka_unit_test(test_row__values_of_all_types),
        cmocka_unit_test(test_row__unknown_price),
        cmocka_unit_test(test_table_parse__nearest),
        cmocka_unit_test(test_names__files_and_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
