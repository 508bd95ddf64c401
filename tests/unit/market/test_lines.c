/* SPDX-License-Identifier: GPL-3.0-or-later
 * A broken line costs that line, wherever it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "market/lines.h"

/* Names of the lines taken and numbers of those that are broken, as one text. */
typedef struct log_of {
    char text[512];
} log_of;

static rig_status take(const rig__line *line, void *payload, rig_error *err)
{
    log_of *const log = payload;
    char entry[64];
    (void)err;
    const char *const text = line->text != NULL ? line->text : rig__line_get(line, "name");
    const int length = line->text != NULL && line->length < 8 ? (int)line->length : 8;
    snprintf(entry, sizeof entry, "%ld:%.*s ", line->line, length, text);
    strcat(log->text, entry);
    return RIG_OK;
}

static rig_status broken(const rig_error *problem, void *payload, rig_error *err)
{
    log_of *const log = payload;
    char entry[64];
    (void)err;
    snprintf(entry, sizeof entry, "!%ld ", problem->line);
    strcat(log->text, entry);
    return RIG_OK;
}

static rig_status read_text(const char *text,
                            size_t length,
                            rig_status (*read)(const char *, const rig__line_sink *, rig_error *),
                            log_of *log)
{
    char path[] = "/tmp/trainrig-lines-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_true(write(descriptor, text, length) == (ssize_t)length);
    close(descriptor);
    const rig__line_sink sink = {take, broken, log};
    *log = (log_of){""};
    rig_error err = {0};
    const rig_status status = read(path, &sink, &err);
    unlink(path);
    return status;
}

static void test_csv_lines__broken_ones_cost_themselves(void **state)
{
    (void)state;
    static const struct {
        const char *text, *log;
        rig_status status;
    } rows[] = {
        {"name,price\na,1\nb,2\n", "2:a 3:b ", RIG_OK},
        {"name,price\na,1\nb,2,3\nc,3\n", "2:a !3 4:c ", RIG_OK},
        {"name,price\na,1\nb\"x,2\nc,3\n", "2:a !3 4:c ", RIG_OK},
        {"name,price\na,1\n\"b,2\nc,3\nd,4\n", "2:a !3 4:c 5:d ", RIG_OK},
        {"name,price\na\"a,1\nb\"b,2\nc,3", "!2 !3 4:c ", RIG_OK},
        {"name,price\n\"a\nb\",1\nc,2\n", "2:a\nb 4:c ", RIG_OK},
        {"name,price\n", "", RIG_OK},
        {"na\"me,price\na,1\n", "", RIG_E_PARSE},
        {"", "", RIG_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        log_of log;
        assert_int_equal(read_text(rows[i].text, strlen(rows[i].text), rig__csv_lines, &log),
                         rows[i].status);
        assert_string_equal(log.text, rows[i].log);
    }
    log_of log;
    const char nul[] = "name,price\na,1\nb\0c,2\nd,4\n";
    assert_int_equal(read_text(nul, sizeof nul - 1, rig__csv_lines, &log), RIG_OK);
    assert_string_equal(log.text, "2:a !3 4:d ");
}

static void test_text_lines__blank_and_long(void **state)
{
    (void)state;
    log_of log;
    assert_int_equal(read_text("{a}\n\n  \n{b}", 11, rig__text_lines, &log), RIG_OK);
    assert_string_equal(log.text, "1:{a}\n 4:{b} ");
    const size_t n = RIG__LINE_BYTES + 10;
    char *const text = malloc(n + 4);
    memset(text, 'x', n);
    memcpy(text + n, "\n{c}", 4);
    assert_int_equal(read_text(text, n + 4, rig__text_lines, &log), RIG_OK);
    assert_string_equal(log.text, "!1 2:{c} ");
    free(text);
}

static void test_lines__no_file(void **state)
{
    (void)state;
    const rig__line_sink sink = {take, broken, NULL};
    rig_error err = {0};
    assert_int_equal(rig__csv_lines("/nonexistent/cpu.csv", &sink, &err), RIG_E_IO);
    assert_int_equal(rig__text_lines("/nonexistent/CPU.ndjson", &sink, &err), RIG_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_lines__broken_ones_cost_themselves),
        cmocka_unit_test(test_text_lines__blank_and_long),
        cmocka_unit_test(test_lines__no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
