/* SPDX-License-Identifier: GPL-3.0-or-later
 * GSL's handler stays off while any thread computes, and the caller's comes back. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_errno.h>

#include "accuracy/gsl_guard.h"

static int n_calls;

static void count(const char *reason, const char *file, int line, int code)
{
    (void)reason, (void)file, (void)line, (void)code;
    n_calls++;
}

static void test_gsl_guard__last_to_leave_gives_back(void **state)
{
    (void)state;
    gsl_error_handler_t *const before = gsl_set_error_handler(count);
    rig__gsl_enter();
    rig__gsl_enter();
    gsl_error("inside two", __FILE__, __LINE__, GSL_EFAILED);
    rig__gsl_leave();
    gsl_error("inside one", __FILE__, __LINE__, GSL_EFAILED);
    assert_int_equal(n_calls, 0);
    rig__gsl_leave();
    gsl_error("outside", __FILE__, __LINE__, GSL_EFAILED);
    assert_int_equal(n_calls, 1);
    (void)gsl_set_error_handler(before);
}

/* Each error would be counted, or abort, if another thread gave the handler back too early. */
static void *enter_and_leave(void *payload)
{
    (void)payload;
    for (int i = 0; i < 2000; i++) {
        rig__gsl_enter();
        gsl_error("inside", __FILE__, __LINE__, GSL_EFAILED);
        rig__gsl_leave();
    }
    return NULL;
}

static void test_gsl_guard__threads_do_not_meet_the_handler(void **state)
{
    (void)state;
    pthread_t threads[4];
    gsl_error_handler_t *const before = gsl_set_error_handler(count);
    n_calls = 0;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, enter_and_leave, NULL), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(n_calls, 0);
    assert_ptr_equal(gsl_set_error_handler(before), count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gsl_guard__last_to_leave_gives_back),
        cmocka_unit_test(test_gsl_guard__threads_do_not_meet_the_handler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
