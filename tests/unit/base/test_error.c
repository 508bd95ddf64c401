/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of base/error.c. */
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_set__fills_every_field(void **state)
{
    (void)state;
    rig_error err;
    memset(&err, 'x', sizeof err);
    const rig_status status =
        rig__error_set(&err, RIG_E_PARSE, "gpus.csv", 12, 7, "bad price: '%s'", "abc");
    assert_int_equal(status, RIG_E_PARSE);
    assert_int_equal(err.status, RIG_E_PARSE);
    assert_string_equal(err.where, "gpus.csv");
    assert_int_equal(err.line, 12);
    assert_int_equal(err.column, 7);
    assert_string_equal(err.message, "bad price: 'abc'");
    assert_string_equal(err.hint, "");
}

static void test_set__accepts_null(void **state)
{
    (void)state;
    rig_error err = {0};
    assert_int_equal(rig__error_set(NULL, RIG_E_IO, "x", 1, 1, "y"), RIG_E_IO);
    rig__error_hint(NULL, "y");
    assert_int_equal(rig__error_set(&err, RIG_E_IO, NULL, 0, 0, "y"), RIG_E_IO);
    assert_string_equal(err.where, "");
}

static void test_set__may_quote_itself(void **state)
{
    (void)state;
    rig_error err;
    (void)rig__error_set(&err, RIG_E_IO, "file.csv", 1, 0, "first");
    (void)rig__error_set(&err, RIG_E_RANGE, err.where, 2, 0, "second after %s", err.message);
    assert_string_equal(err.message, "second after first");
    assert_string_equal(err.where, "file.csv");
    rig__error_hint(&err, "see %s", err.message);
    assert_string_equal(err.hint, "see second after first");
}

static void test_set__cuts_long_texts(void **state)
{
    (void)state;
    rig_error err;
    char path[600];
    memset(path, 'a', sizeof path);
    memcpy(path + sizeof path - 10, "/gpus.csv", 10);
    (void)rig__error_set(&err, RIG_E_IO, path, 0, 0, "%s", path);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    assert_int_equal(strlen(err.where), sizeof err.where - 1);
    assert_memory_equal(err.where, "...aaa", 6);
    assert_string_equal(err.where + sizeof err.where - 10, "/gpus.csv");
}

static void test_set__keeps_one_printable_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *shown;
    } rows[] = {
        {"a\nb\tc\x1b[31m\x7f", "a?b?c?[31m?"},
        {"gr\xc3\xb6\xc3\x9f"
         "er \xe2\x82\xac",
         "gr\xc3\xb6\xc3\x9f"
         "er \xe2\x82\xac"},
        {"\xc3", "?"},
        {"\xff\xfe", "??"},
        {"\xc2\x9b"
         "31m",
         "??31m"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_error err;
        (void)rig__error_set(&err, RIG_E_PARSE, rows[i].text, 0, 0, "%s", rows[i].text);
        assert_string_equal(err.message, rows[i].shown);
        assert_string_equal(err.where, rows[i].shown);
    }
}

static void test_nomem(void **state)
{
    (void)state;
    rig_error err;
    assert_int_equal(rig__error_nomem(&err), RIG_E_NOMEM);
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(rig__error_nomem(NULL), RIG_E_NOMEM);
}

static rig_status pass_up(rig_status status)
{
    RIG_TRY(status);
    return RIG_E_CANCELLED;
}

static void test_try__returns_the_first_failure(void **state)
{
    (void)state;
    assert_int_equal(pass_up(RIG_E_SCHEMA), RIG_E_SCHEMA);
    assert_int_equal(pass_up(RIG_OK), RIG_E_CANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set__fills_every_field),
        cmocka_unit_test(test_set__accepts_null),
        cmocka_unit_test(test_set__may_quote_itself),
        cmocka_unit_test(test_set__cuts_long_texts),
        cmocka_unit_test(test_set__keeps_one_printable_line),
        cmocka_unit_test(test_nomem),
        cmocka_unit_test(test_try__returns_the_first_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
