/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows, places and errors of the CSV reader. */
#include "catalog/csv_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Rows written as "[text@line:column]..." and '\n' per row. */
typedef struct transcript {
    char text[4096];
    size_t length;
} transcript;

static rig_status write_down(const rig__csv_row *row, void *payload, rig_error *err)
{
    transcript *const out = payload;
    (void)err;
    for (size_t i = 0; i < row->n_cells; i++) {
        const rig__csv_cell *const cell = &row->cells[i];
        assert_int_equal(strlen(cell->text), cell->length);
        const int n = snprintf(out->text + out->length,
                               sizeof out->text - out->length,
                               "[%s@%ld:%ld]",
                               cell->text,
                               cell->line,
                               cell->column);
        out->length += (size_t)n;
        assert_true(out->length < sizeof out->text - 2);
    }
    out->text[out->length++] = '\n';
    out->text[out->length] = '\0';
    return RIG_OK;
}

typedef struct input {
    const char *name;
    const char *text;
    size_t length; /* 0: strlen */
    const char *rows;
} input;

static const input good_inputs[] = {
    {"plain", "a,b\n1,2\n", 0, "[a@1:1][b@1:3]\n[1@2:1][2@2:3]\n"},
    {"BOM",
     "\xef\xbb\xbf"
     "a,b\n1,2\n",
     0,
     "[a@1:1][b@1:3]\n[1@2:1][2@2:3]\n"},
    {"BOM and quoted header", "\xef\xbb\xbf\"a\",b\n", 0, "[a@1:1][b@1:5]\n"},
    {"CRLF", "a,b\r\n1,2\r\n", 0, "[a@1:1][b@1:3]\n[1@2:1][2@2:3]\n"},
    {"lone CR", "a,b\r1,2\r", 0, "[a@1:1][b@1:3]\n[1@2:1][2@2:3]\n"},
    {"no newline at the end", "a,b\n1,2", 0, "[a@1:1][b@1:3]\n[1@2:1][2@2:3]\n"},
    {"empty last cell at the end", "a,b\n1,", 0, "[a@1:1][b@1:3]\n[1@2:1][@2:3]\n"},
    {"empty cells", "a,b\n,\n\"\",x\n", 0, "[a@1:1][b@1:3]\n[@2:1][@2:2]\n[@3:1][x@3:4]\n"},
    {"blank lines", "\n\na\n \n\n1\n\n", 0, "[a@3:1]\n[1@6:1]\n"},
    {"blank lines, CRLF", "\r\na\r\n\r\n1\r\n", 0, "[a@2:1]\n[1@4:1]\n"},
    {"newline in quotes",
     "a,b\n\"x\ny\",2\n3,4\n",
     0,
     "[a@1:1][b@1:3]\n[x\ny@2:1][2@3:4]\n[3@4:1][4@4:3]\n"},
    {"CRLF and CR in quotes",
     "a,b\n\"x\r\ny\rz\",2\n",
     0,
     "[a@1:1][b@1:3]\n[x\r\ny\rz@2:1][2@4:4]\n"},
    {"doubled quotes", "a\n\"x\"\"y\"\n", 0, "[a@1:1]\n[x\"y@2:1]\n"},
    {"delimiter in quotes", "a,b\n\"1,5\",2\n", 0, "[a@1:1][b@1:3]\n[1,5@2:1][2@2:7]\n"},
    {"blanks around", "a , b\n  1 x , \" q \" \n", 0, "[a@1:1][b@1:5]\n[1 x@2:3][ q @2:9]\n"},
    {"semicolons", "a;b\n1,5;2\n", 0, "[a@1:1][b@1:3]\n[1,5@2:1][2@2:5]\n"},
    {"tabs", "a\tb\n1\t\n", 0, "[a@1:1][b@1:3]\n[1@2:1][@2:3]\n"},
    {"UTF-8", "\xc3\xa9,b\n1,2\n", 0, "[\xc3\xa9@1:1][b@1:4]\n[1@2:1][2@2:3]\n"},
    {"hash is no comment", "a\n#1\n", 0, "[a@1:1]\n[#1@2:1]\n"},
    {"ragged rows pass", "a,b\n1\n1,2,3\n", 0, "[a@1:1][b@1:3]\n[1@2:1]\n[1@3:1][2@3:3][3@3:5]\n"},
};

static rig_status read_chunked(const input *in, size_t n_chunk, transcript *out, rig_error *err)
{
    const rig__csv_options options = {.name = "t.csv", .on_row = write_down, .payload = out};
    const size_t length = in->length > 0 ? in->length : strlen(in->text);
    rig__csv_reader *const reader = rig__csv_reader_new(&options);
    assert_non_null(reader);
    rig_status status = RIG_OK;
    for (size_t i = 0; i < length && status == RIG_OK; i += n_chunk) {
        const size_t n = length - i < n_chunk ? length - i : n_chunk;
        char *const copy = malloc(n); /* of the exact size, for the address sanitizer */
        assert_non_null(copy);
        memcpy(copy, in->text + i, n);
        status = rig__csv_reader_feed(reader, copy, n, err);
        free(copy);
    }
    if (status == RIG_OK) {
        status = rig__csv_reader_finish(reader, err);
    }
    rig__csv_reader_free(reader);
    return status;
}

static void check_good(const input *in, size_t n_chunk)
{
    transcript out = {.length = 0};
    rig_error err = {0};
    if (read_chunked(in, n_chunk, &out, &err) != RIG_OK || strcmp(out.text, in->rows) != 0) {
        fail_msg("%s, chunks of %zu: got\n%s%s", in->name, n_chunk, out.text, err.message);
    }
}

static void test_feed__rows_and_places_for_any_chunking(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_inputs / sizeof good_inputs[0]; i++) {
        for (size_t n_chunk = 1; n_chunk < 8; n_chunk++) {
            check_good(&good_inputs[i], n_chunk);
        }
        check_good(&good_inputs[i], 1000);
    }
}

typedef struct bad_input {
    const char *name;
    const char *text;
    size_t length; /* 0: strlen */
    long line, column;
    const char *message; /* a part of it */
    const char *hint;    /* a part of it */
} bad_input;

static const bad_input bad_inputs[] = {
    {"no bytes", "", 0, 1, 1, "empty file (expected a header line)", ""},
    {"BOM only", "\xef\xbb\xbf", 0, 1, 1, "empty file", ""},
    {"blank lines only", "\n \n\r\n", 0, 1, 1, "empty file", ""},
    {"UTF-16 little",
     "\xff\xfe"
     "a\0",
     4,
     1,
     1,
     "this is UTF-16 text",
     "CSV UTF-8"},
    {"UTF-16 big", "\xfe\xff\0a", 4, 1, 1, "this is UTF-16 text", "CSV UTF-8"},
    {"gzip", "\x1f\x8b\x08\x00", 4, 1, 1, "this is a gzip-compressed file", "gzip -d"},
    {"Excel", "PK\x03\x04\x14", 0, 1, 1, "this is an Excel or zip file", "CSV UTF-8"},
    {"HTML", "<!DOCTYPE html>", 0, 1, 1, "this is an HTML or XML file", ""},
    {"JSON", "{\"a\": 1}", 0, 1, 1, "this is a JSON file", ""},
    {"NUL in a cell", "a,b\n1,x\0y\n", 9, 2, 4, "NUL byte", "CSV UTF-8"},
    {"text after a quote before a NUL", "a\n\"x\"yz\0", 8, 2, 4, "closing quote: 'y'", ""},
    {"NUL first", "\0a", 2, 1, 1, "NUL byte", "CSV UTF-8"},
    {"stray quote", "a,b\n1,x\"y\n", 0, 2, 4, "stray quote inside an unquoted cell", ""},
    {"stray quote after blanks", "a,b\n1, x \"y\n", 0, 2, 6, "stray quote", ""},
    {"text after a quote", "a,b\n\"x\"y,2\n", 0, 2, 4, "text after a closing quote: 'y'", ""},
    {"quote after a quote",
     "a,b\n\"x\" \"y\",2\n",
     0,
     2,
     5,
     "text after a closing quote: '\"'",
     "begins at line 2, column 1"},
    {"text after a quote, later line",
     "a,b\n\"x\n\nzz\"y,2\n",
     0,
     4,
     4,
     "closing quote: 'y'",
     "begins at line 2, column 1"},
    {"odd byte after a quote", "a,b\n\"x\"\xc3\xa9\n", 0, 2, 4, "closing quote: byte 0xc3", ""},
    {"unclosed quote",
     "a,b\n1,2\n3,\"x\n4,5\n6,7\n",
     0,
     3,
     3,
     "quote opened here is never closed",
     ""},
    {"lone quote", "\"", 0, 1, 1, "quote opened here is never closed", ""},
    {"overlong UTF-8", "a,b\n1,\xc0\x80\n", 0, 2, 3, "invalid UTF-8", "CSV UTF-8"},
    {"surrogate", "a\n\xed\xa0\x80\n", 0, 2, 1, "invalid UTF-8", "CSV UTF-8"},
};

static void check_bad(const bad_input *bad, size_t n_chunk)
{
    const input in = {bad->name, bad->text, bad->length, ""};
    transcript out = {.length = 0};
    rig_error err = {0};
    const rig_status status = read_chunked(&in, n_chunk, &out, &err);
    if (status != RIG_E_PARSE || err.status != status || err.line != bad->line ||
        err.column != bad->column || strstr(err.message, bad->message) == NULL ||
        strstr(err.hint, bad->hint) == NULL || strcmp(err.where, "t.csv") != 0) {
        fail_msg("%s, chunks of %zu: got %s:%ld:%ld: %s [%s]",
                 bad->name,
                 n_chunk,
                 err.where,
                 err.line,
                 err.column,
                 err.message,
                 err.hint);
    }
}

static void test_feed__errors_and_places_for_any_chunking(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_inputs / sizeof bad_inputs[0]; i++) {
        for (size_t n_chunk = 1; n_chunk < 5; n_chunk++) {
            check_bad(&bad_inputs[i], n_chunk);
        }
        check_bad(&bad_inputs[i], 1000);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

static rig_status count_row(const rig__csv_row *row, void *payload, rig_error *err)
{
    (void)err;
    *(size_t *)payload += row->n_cells;
    return RIG_OK;
}

static rig_status
read_repeated(const char *head, char byte, size_t n, const char *tail, rig_error *err)
{
    const size_t n_head = strlen(head);
    const size_t n_tail = strlen(tail);
    char *const text = malloc(n_head + n + n_tail);
    assert_non_null(text);
    memcpy(text, head, n_head);
    memset(text + n_head, byte, n);
    memcpy(text + n_head + n, tail, n_tail);
    size_t n_cells = 0;
    const rig__csv_options options = {.name = "t.csv", .on_row = count_row, .payload = &n_cells};
    const rig_status status = rig__csv_read_memory(text, n_head + n + n_tail, &options, err);
    free(text);
    return status;
}

static void test_feed__limits(void **state)
{
    (void)state;
    static const struct {
        const char *name, *head;
        char byte;
        size_t n;
        const char *tail;
        rig_status status;
        long line, column;
        const char *message;
    } rows[] = {
        {"longest cell", "a\n", 'x', RIG__CSV_CELL_BYTES, "\n", RIG_OK, 0, 0, ""},
        {"longest cell, no newline", "a\n", 'x', RIG__CSV_CELL_BYTES, "", RIG_OK, 0, 0, ""},
        {"cell too long",
         "a,b\n1,",
         'x',
         RIG__CSV_CELL_BYTES + 1,
         "\n",
         RIG_E_PARSE,
         2,
         3,
         "cell longer than 65536 bytes"},
        {"quoted cell too long",
         "a\n \"",
         'x',
         RIG__CSV_CELL_BYTES,
         "\"\n",
         RIG_E_PARSE,
         2,
         2,
         "(is its closing quote missing?)"},
        {"two megabytes", "a\n", 'x', 2000000, "\n", RIG_E_PARSE, 2, 1, "cell longer than"},
        {"two megabytes of header", "", 'x', 2000000, "\n", RIG_E_PARSE, 1, 1, "cell longer than"},
        {"blanks",
         "a\n",
         ' ',
         (size_t)65537 * 16,
         "\n",
         RIG_E_PARSE,
         2,
         1048578,
         "row longer than 1048576 bytes"},
        {"delimiters",
         "a\n",
         ',',
         RIG__CSV_ROW_BYTES + 1,
         "\n",
         RIG_E_PARSE,
         2,
         1048578,
         "row longer than 1048576 bytes"},
        {"ten thousand columns", "a", ',', 9999, "\n", RIG_OK, 0, 0, ""},
        {"blank lines beyond the row limit", "a\n", '\n', 3000000, "1\n", RIG_OK, 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_error err = {0};
        const rig_status status =
            read_repeated(rows[i].head, rows[i].byte, rows[i].n, rows[i].tail, &err);
        if (status != rows[i].status || err.line != rows[i].line ||
            strstr(err.message, rows[i].message) == NULL || rows[i].column != err.column) {
            fail_msg("%s: got %d %ld:%ld: %s",
                     rows[i].name,
                     (int)status,
                     err.line,
                     err.column,
                     err.message);
        }
    }
}

static void test_feed__too_many_rows(void **state)
{
    (void)state;
    const size_t n = (size_t)RIG__CSV_ROWS * 2;
    char *const text = malloc(n + 8);
    assert_non_null(text);
    memcpy(text, "a\n", 2);
    for (size_t i = 2; i < n + 2; i += 2) {
        memcpy(text + i, "1\n", 2);
    }
    memcpy(text + n + 2, "1\n", 2);
    size_t n_cells = 0;
    const rig__csv_options options = {.name = "t.csv", .on_row = count_row, .payload = &n_cells};
    rig_error err = {0};
    assert_int_equal(rig__csv_read_memory(text, n + 2, &options, &err), RIG_OK);
    assert_int_equal(n_cells, RIG__CSV_ROWS + 1);
    assert_int_equal(rig__csv_read_memory(text, n + 4, &options, &err), RIG_E_PARSE);
    assert_int_equal(err.line, RIG__CSV_ROWS + 2);
    assert_non_null(strstr(err.message, "too many rows"));
    free(text);
}

static rig_status refuse(const rig__csv_row *row, void *payload, rig_error *err)
{
    (void)payload;
    if (row->i_row == 0) {
        return RIG_OK;
    }
    err->status = RIG_E_RANGE;
    err->line = row->cells[0].line;
    return RIG_E_RANGE;
}

static void test_feed__passes_the_callbacks_error_up(void **state)
{
    (void)state;
    const rig__csv_options options = {.name = "t.csv", .on_row = refuse};
    rig_error err = {0};
    assert_int_equal(rig__csv_read_memory("a\n1\n\"", 5, &options, &err), RIG_E_RANGE);
    assert_int_equal(err.status, RIG_E_RANGE);
    assert_int_equal(err.line, 2);
    assert_int_equal(rig__csv_read_memory("a\n1", 3, &options, NULL), RIG_E_RANGE);
}

static void test_read__forced_comma(void **state)
{
    (void)state;
    transcript out = {.length = 0};
    const rig__csv_options options = {
        .name = "t.csv", .is_comma_forced = true, .on_row = write_down, .payload = &out};
    assert_int_equal(rig__csv_read_memory("a;b\n", 4, &options, NULL), RIG_OK);
    assert_string_equal(out.text, "[a;b@1:1]\n");
}

static void test_read_file__missing_or_directory(void **state)
{
    (void)state;
    transcript out = {.length = 0};
    const rig__csv_options options = {.name = "t.csv", .on_row = write_down, .payload = &out};
    rig_error err = {0};
    assert_int_equal(rig__csv_read_file("/nonexistent/t.csv", &options, &err), RIG_E_IO);
    assert_non_null(strstr(err.message, "cannot open: "));
    assert_int_equal(rig__csv_read_file(RIG_SOURCE_DIR, &options, &err), RIG_E_IO);
    assert_non_null(strstr(err.message, "cannot read: "));
    assert_string_equal(err.where, "t.csv");
}

static void test_row_check__names_both_counts(void **state)
{
    (void)state;
    const rig__csv_cell cells[] = {{"1", 1, 7, 1}, {"2", 1, 7, 3}, {"3", 1, 7, 5}};
    const rig__csv_row row = {cells, 3, 4};
    rig_error err = {0};
    assert_int_equal(rig__csv_row_check(&row, 3, "t.csv", &err), RIG_OK);
    assert_int_equal(rig__csv_row_check(&row, 2, "t.csv", &err), RIG_E_PARSE);
    assert_int_equal(err.line, 7);
    assert_int_equal(err.column, 5);
    assert_string_equal(err.message, "wrong number of cells: 3 (expected 2 as in the header)");
    assert_int_equal(rig__csv_row_check(&row, 5, "t.csv", &err), RIG_E_PARSE);
    assert_int_equal(err.column, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_feed__rows_and_places_for_any_chunking),
        cmocka_unit_test(test_feed__errors_and_places_for_any_chunking),
        cmocka_unit_test(test_feed__limits),
        cmocka_unit_test(test_feed__too_many_rows),
        cmocka_unit_test(test_feed__passes_the_callbacks_error_up),
        cmocka_unit_test(test_read__forced_comma),
        cmocka_unit_test(test_read_file__missing_or_directory),
        cmocka_unit_test(test_row_check__names_both_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
