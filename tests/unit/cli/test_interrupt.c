/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of cli/interrupt.c. */
#include "cli/interrupt.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_signal(int signal_number, int code)
{
    rig__cli_interrupt_start(false);
    assert_false(rig__cli_is_interrupted(NULL));
    assert_int_equal(rig__cli_interrupt_exit(), 0);
    raise(signal_number);
    assert_true(rig__cli_is_interrupted(NULL));
    assert_int_equal(rig__cli_interrupt_exit(), code);
    rig__cli_interrupt_stop();
}

static void test_interrupt__exit_codes(void **state)
{
    (void)state;
    check_signal(SIGINT, 130);
    check_signal(SIGTERM, 143);
}

static void test_interrupt__second_signal_leaves(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        rig__cli_interrupt_start(false);
        raise(SIGINT);
        raise(SIGINT);
        _exit(0);
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
}

/* Nothing to report: the first signal leaves. */
static void test_busy__first_signal_leaves(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        rig__cli_busy_start(false);
        rig__cli_busy_say("a text that is longer than the %d characters that a line of it has", 64);
        raise(SIGTERM);
        _exit(0);
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 143);
}

/* After the work signals do again what they did before. */
static void test_busy__stop_restores(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        rig__cli_busy_start(true);
        rig__cli_busy_stop();
        raise(SIGTERM);
        _exit(0);
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_interrupt__exit_codes),
                                       cmocka_unit_test(test_interrupt__second_signal_leaves),
                                       cmocka_unit_test(test_busy__first_signal_leaves),
                                       cmocka_unit_test(test_busy__stop_restores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
