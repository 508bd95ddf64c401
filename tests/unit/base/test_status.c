/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of base/status.c. */
#include "trainrig/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_name__and_text_of_each_status(void **state)
{
    (void)state;
    assert_string_equal(rig_status_name(RIG_OK), "OK");
    assert_string_equal(rig_status_text(RIG_OK), "success");
    assert_string_equal(rig_status_name(RIG_E_PARSE), "E_PARSE");
    assert_string_equal(rig_status_text(RIG_E_PARSE), "malformed text");
    assert_string_equal(rig_status_name(RIG_E_CANCELLED), "E_CANCELLED");
    assert_int_equal(RIG_E_CANCELLED, -10);
}

static void test_name__of_no_status(void **state)
{
    (void)state;
    assert_string_equal(rig_status_name((rig_status)-99), "UNKNOWN");
    assert_string_equal(rig_status_text((rig_status)-99), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name__and_text_of_each_status),
        cmocka_unit_test(test_name__of_no_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
