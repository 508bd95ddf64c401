/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of cli/nearest.c. */
#include "cli/nearest.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *nearest(const char *text)
{
    static const char *const names[] = {"budget", "top", "gpu", "epoch-time", "epoch-time-max"};
    cli_nearest search = rig__cli_nearest_start(text, strlen(text));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rig__cli_nearest_offer(&search, names[i]);
    }
    return rig__cli_nearest_name(&search);
}

static void test_nearest__finds(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *found;
    } rows[] = {
        {"swap", "bugdet", "budget"},
        {"insertion", "buddget", "budget"},
        {"deletion", "budet", "budget"},
        {"substitution", "gpv", "gpu"},
        {"case", "BUDGET", "budget"},
        {"beginning", "bud", "budget"},
        {"exact wins", "epoch-time", "epoch-time"},
        {"short and far", "xyz", NULL},
        {"far", "frobnicate", NULL},
        {"empty", "", NULL},
        {"too long", "epoch-time-max-epoch-time-max-epoch-time-max-", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *found = nearest(rows[i].text);
        if ((found == NULL) != (rows[i].found == NULL) ||
            (found != NULL && strcmp(found, rows[i].found) != 0)) {
            fail_msg("%s: '%s' gives %s", rows[i].name, rows[i].text, found ? found : "nothing");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest__finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
