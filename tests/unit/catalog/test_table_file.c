/* SPDX-License-Identifier: GPL-3.0-or-later
 * One table file: values, and each kind of error at its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "catalog/catalog_load.h"

static rig_status
load_text(rig_catalog **out, rig_table table, const char *bytes, bool is_check, rig_error *err)
{
    rig_catalog_options options = rig_catalog_options_default();
    options.is_check = is_check;
    const rig__table_text text = {table, "t.csv", bytes, strlen(bytes)};
    return rig__catalog_load_text(out, &text, &options, err);
}

#define PSU_HEADER "name,form_factor,wattage_w\n"

static const struct {
    const char *name;
    rig_table table;
    const char *text;
    rig_status status;
    long line, column;
    const char *message, *hint;
} errors[] = {
    {"empty", RIG_TABLE_PSU, "", RIG_E_PARSE, 1, 1, "empty file", ""},
    {"unknown column",
     RIG_TABLE_PSU,
     "name,form_factor,wattage\n",
     RIG_E_SCHEMA,
     1,
     18,
     "unknown column: 'wattage' (expected a column of psus.csv)",
     "nearest: wattage_w"},
    {"wrong case",
     RIG_TABLE_PSU,
     "Name,form_factor,wattage_w\n",
     RIG_E_SCHEMA,
     1,
     1,
     "unknown column: 'Name'",
     "nearest: name"},
    {"comment line",
     RIG_TABLE_PSU,
     "# my supplies\n" PSU_HEADER,
     RIG_E_SCHEMA,
     1,
     1,
     "unknown column: '# my supplies'",
     ""},
    {"column twice",
     RIG_TABLE_PSU,
     "name,form_factor,wattage_w,name\n",
     RIG_E_DUPLICATE,
     1,
     28,
     "column given twice: 'name' (also column 1 of the header)",
     ""},
    {"missing column",
     RIG_TABLE_PSU,
     "\nname,wattage_w\n",
     RIG_E_SCHEMA,
     2,
     0,
     "missing column: 'form_factor' (required in psus.csv)",
     ""},
    {"empty column name",
     RIG_TABLE_PSU,
     "name,,form_factor,wattage_w\n",
     RIG_E_SCHEMA,
     1,
     6,
     "unknown column: ''",
     ""},
    {"cell under no name",
     RIG_TABLE_PSU,
     "name,form_factor,wattage_w,\na,ATX,500,\nb,ATX,500,x\n",
     RIG_E_SCHEMA,
     3,
     11,
     "cell in a column without a name: 'x'",
     ""},
    {"short row",
     RIG_TABLE_PSU,
     PSU_HEADER "a,ATX\n",
     RIG_E_PARSE,
     2,
     3,
     "wrong number of cells: 2 (expected 3 as in the header)",
     ""},
    {"long row",
     RIG_TABLE_PSU,
     PSU_HEADER "a,ATX,1,500\n",
     RIG_E_PARSE,
     2,
     9,
     "wrong number of cells: 4",
     "a cell that holds the delimiter must be quoted"},
    {"no name",
     RIG_TABLE_PSU,
     PSU_HEADER ",ATX,500\n",
     RIG_E_PARSE,
     2,
     1,
     "empty cell in column 'name' (a value is required)",
     ""},
    {"required cell",
     RIG_TABLE_PSU,
     PSU_HEADER "a,,500\n",
     RIG_E_PARSE,
     2,
     3,
     "empty cell in column 'form_factor'",
     ""},
    {"required number",
     RIG_TABLE_PSU,
     PSU_HEADER "a,ATX,\"\"\n",
     RIG_E_PARSE,
     2,
     7,
     "empty cell in column 'wattage_w'",
     ""},
    {"bad number",
     RIG_TABLE_PSU,
     PSU_HEADER "a,ATX,500W\n",
     RIG_E_PARSE,
     2,
     7,
     "unit in a number: '500W' in column 'wattage_w' (write the number alone, in W)",
     ""},
    {"number after lines in quotes",
     RIG_TABLE_PSU,
     "name,notes,form_factor,wattage_w\na,\"x\ny\",ATX,nan\n",
     RIG_E_PARSE,
     3,
     8,
     "not a number: 'nan'",
     ""},
    {"decimal comma",
     RIG_TABLE_PSU,
     "name;form_factor;wattage_w\na;ATX;500,5\n",
     RIG_E_PARSE,
     2,
     7,
     "decimal comma: '500,5'",
     ""},
    {"out of range",
     RIG_TABLE_PSU,
     PSU_HEADER "a,ATX,5\n",
     RIG_E_RANGE,
     2,
     7,
     "out of range: '5' in column 'wattage_w' (expected 100 to 10000 W)",
     ""},
    {"too large",
     RIG_TABLE_PSU,
     PSU_HEADER "a,ATX,1e999\n",
     RIG_E_RANGE,
     2,
     7,
     "number too large: '1e999'",
     ""},
    {"not whole",
     RIG_TABLE_PSU,
     "name,form_factor,wattage_w,conn_eps\na,ATX,500,1.5\n",
     RIG_E_RANGE,
     2,
     11,
     "not a whole number: '1.5'",
     ""},
    {"two-line name",
     RIG_TABLE_PSU,
     PSU_HEADER "\"a\nb\",ATX,500\n",
     RIG_E_PARSE,
     2,
     1,
     "line break in a name: 'a?b'",
     ""},
    {"name twice",
     RIG_TABLE_PSU,
     PSU_HEADER "b,ATX,500\na,ATX,500\n b ,ATX,600\n",
     RIG_E_DUPLICATE,
     4,
     2,
     "name given twice: 'b' (first on line 2)",
     ""},
    {"names twice, the first",
     RIG_TABLE_PSU,
     PSU_HEADER "b,ATX,500\nb,ATX,500\na,ATX,500\na,ATX,600\n",
     RIG_E_DUPLICATE,
     3,
     1,
     "name given twice: 'b' (first on line 2)",
     ""},
    {"quote's class",
     RIG_TABLE_QUOTE,
     "part_class,name\ngpus2,a\n",
     RIG_E_RANGE,
     2,
     1,
     "unknown class: 'gpus2' in column 'part_class'",
     "nearest: gpus"},
    {"quote's class is no part",
     RIG_TABLE_QUOTE,
     "name,part_class\na,workload\n",
     RIG_E_RANGE,
     2,
     3,
     "unknown class: 'workload'",
     ""},
    {"negative price",
     RIG_TABLE_QUOTE,
     "name,part_class,price_usd\na,cpu,-5\n",
     RIG_E_RANGE,
     2,
     7,
     "out of range: '-5'",
     ""},
    {"dangling reference",
     RIG_TABLE_SERVER,
     "name,notes,gpu_name\ns,\"x\n\",A\n",
     RIG_E_NOTFOUND,
     3,
     3,
     "no such gpu: 'A' in column 'gpu_name' (expected a name of gpus.csv)",
     ""},
};

static void test_load__errors_at_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        rig_catalog *catalog = NULL;
        rig_error err = {0};
        const rig_status status = load_text(&catalog, errors[i].table, errors[i].text, false, &err);
        if (status != errors[i].status || err.status != status || catalog != NULL ||
            err.line != errors[i].line || err.column != errors[i].column ||
            strstr(err.message, errors[i].message) != err.message ||
            strstr(err.hint, errors[i].hint) == NULL || strcmp(err.where, "t.csv") != 0) {
            fail_msg("%s: got %d %s:%ld:%ld: %s [%s]",
                     errors[i].name,
                     (int)status,
                     err.where,
                     err.line,
                     err.column,
                     err.message,
                     err.hint);
        }
        /* The same without a record to fill, and when asked to go on. */
        assert_int_equal(load_text(&catalog, errors[i].table, errors[i].text, false, NULL),
                         errors[i].status);
        assert_int_equal(load_text(&catalog, errors[i].table, errors[i].text, true, NULL),
                         errors[i].status);
        assert_null(catalog);
    }
}

static void test_load__values(void **state)
{
    (void)state;
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    const char *const text = "wattage_w,price_date,name,price_usd,form_factor,notes,price_kind,\n"
                             ",,,,,,,\n"
                             "850,2025,\" B \",99.5,ATX,\"two\nlines\",eBay-median,\n"
                             "500,,A,,SFX,,,\n";
    if (load_text(&catalog, RIG_TABLE_PSU, text, false, &err) != RIG_OK) {
        fail_msg("%ld:%ld: %s", err.line, err.column, err.message);
    }
    assert_int_equal(rig_catalog_count(catalog, RIG_TABLE_PSU), 2);
    const rig_row *const a = rig_catalog_row(catalog, RIG_TABLE_PSU, 0);
    const rig_row *const b = rig_catalog_row(catalog, RIG_TABLE_PSU, 1);
    assert_string_equal(a->name, "A");
    assert_string_equal(b->name, "B");
    assert_string_equal(a->file, "t.csv");
    assert_int_equal(a->line, 5);
    assert_int_equal(b->line, 3);
    assert_int_equal(a->table, RIG_TABLE_PSU);
    assert_true(((const rig_psu *)b)->wattage_w > 849);
    assert_string_equal(((const rig_psu *)b)->form_factor, "ATX");
    assert_string_equal(b->notes, "two\nlines");
    assert_null(a->notes);
    assert_null(((const rig_psu *)b)->efficiency);
    assert_true(isnan(((const rig_psu *)b)->conn_eps));
    assert_string_equal(b->price.date, "2025");
    assert_int_equal(b->price.date_ymd, 20250000);
    assert_true(b->price.is_used);
    assert_int_equal(b->price.cents, -1);
    assert_int_equal(a->price.cents, -1);
    rig_catalog_free(catalog);
}

static void test_load__notes_of_quotes_and_plain_tables(void **state)
{
    (void)state;
    rig_catalog *catalog = NULL;
    assert_int_equal(load_text(&catalog,
                               RIG_TABLE_QUOTE,
                               "part_class,name,notes,price_local,currency,price_usd,price_trust\n"
                               "gpu,x,seen,100,EUR,,good\n"
                               "gpu,x,,,,5,\n",
                               false,
                               NULL),
                     RIG_OK);
    assert_int_equal(rig_catalog_count(catalog, RIG_TABLE_QUOTE), 2);
    size_t n_notes = 0;
    for (size_t i = 0; i < 2; i++) {
        const rig_row *const row = rig_catalog_row(catalog, RIG_TABLE_QUOTE, i);
        const rig_column *const column = rig_column_find(RIG_TABLE_QUOTE, "notes");
        if (row->notes != NULL) {
            n_notes++;
            assert_string_equal(row->notes, "seen");
            assert_string_equal(rig_row_text(row, column), "seen");
            assert_string_equal(((const rig_quote *)row)->notes, "seen");
            assert_int_equal(row->price.cents, -1);
        }
    }
    assert_int_equal(n_notes, 1);
    rig_catalog_free(catalog);
}

/* ---- check mode ------------------------------------------------------------------------------ */

typedef struct problems {
    size_t n_errors, n_warnings;
    long lines[16];
} problems;

static void note_problem(const rig_error *problem, bool is_error, void *payload)
{
    problems *const found = payload;
    const size_t n = found->n_errors + found->n_warnings;
    if (n < 16) {
        found->lines[n] = problem->line;
    }
    found->n_errors += is_error;
    found->n_warnings += !is_error;
}

static void test_load__check_reports_all(void **state)
{
    (void)state;
    problems found = {0};
    rig_catalog_options options = rig_catalog_options_default();
    options.is_check = true;
    options.on_problem = note_problem;
    options.payload = &found;
    const char *const bytes = "name,form_factor,wattage_w,color,\n" /* 1: warning, unknown */
                              "a,ATX,1,red,\n"                      /* 2: range */
                              "b,,nan,,\n"                          /* 3: empty and no number */
                              "c,ATX\n"                             /* 4: short */
                              "d,ATX,500,,\n"
                              "d,ATX,500,,\n"     /* 6: twice, reported last */
                              "e,ATX,500,,\"x\n"; /* 7: unclosed */
    const rig__table_text text = {RIG_TABLE_PSU, "t.csv", bytes, strlen(bytes)};
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    assert_int_equal(rig__catalog_load_text(&catalog, &text, &options, &err), RIG_E_SCHEMA);
    assert_null(catalog);
    assert_int_equal(err.line, 1);
    assert_int_equal(found.n_warnings, 1);
    assert_int_equal(found.n_errors, 7);
    static const long lines[] = {1, 1, 2, 3, 3, 4, 7, 6};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(found.lines[i], lines[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load__errors_at_their_place),
        cmocka_unit_test(test_load__values),
        cmocka_unit_test(test_load__notes_of_quotes_and_plain_tables),
        cmocka_unit_test(test_load__check_reports_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
