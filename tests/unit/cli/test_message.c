/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of cli/message.c. */
#include "cli/cli_output.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_exit_of__every_status(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        rig_status status;
        int of_option, of_file;
    } rows[] = {
        {"success", RIG_OK, 0, 0},
        {"memory", RIG_E_NOMEM, 1, 1},
        {"parse", RIG_E_PARSE, 2, 6},
        {"schema", RIG_E_SCHEMA, 2, 6},
        {"range", RIG_E_RANGE, 2, 6},
        {"duplicate", RIG_E_DUPLICATE, 2, 6},
        {"not found", RIG_E_NOTFOUND, 2, 6},
        {"input or output", RIG_E_IO, 7, 7},
        {"invalid", RIG_E_INVALID, 2, 6},
        {"solver", RIG_E_SOLVER, 1, 1},
        {"cancelled", RIG_E_CANCELLED, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((int)rig__cli_exit_of(rows[i].status, false) != rows[i].of_option ||
            (int)rig__cli_exit_of(rows[i].status, true) != rows[i].of_file) {
            fail_msg("%s", rows[i].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exit_of__every_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
