/* SPDX-License-Identifier: GPL-3.0-or-later
 * The allocation failures that the out-of-memory sweep relies on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/fail_alloc.h"

/* Allocates three times and returns a bit per success: malloc 1, calloc 2, realloc 4. The pointers
 * are volatile so that the compiler cannot drop the pairs of allocation and free. */
static int allocate_three(void)
{
    void *volatile first = malloc(8);
    void *volatile second = calloc(2, 4);
    void *volatile third = realloc(NULL, 8);
    const int got = (first != NULL ? 1 : 0) + (second != NULL ? 2 : 0) + (third != NULL ? 4 : 0);
    free(first);
    free(second);
    free(third);
    return got;
}

static void test_fail_alloc_at__fails_only_that_one(void **state)
{
    (void)state;
    static const int expected[] = {7, 6, 5, 3, 7};
    for (long n = 0; n < 5; n++) {
        fail_alloc_at(n);
        const int got = allocate_three();
        const long count = fail_alloc_count();
        const bool has_failed = fail_alloc_stop();
        assert_int_equal(got, expected[n]);
        assert_int_equal(count, 3);
        assert_int_equal(has_failed, n >= 1 && n <= 3);
    }
}

static void test_fail_alloc_from__fails_all_later(void **state)
{
    (void)state;
    static const int expected[] = {7, 0, 1, 3, 7};
    for (long n = 0; n < 5; n++) {
        fail_alloc_from(n);
        const int got = allocate_three();
        fail_alloc_stop();
        assert_int_equal(got, expected[n]);
    }
    assert_int_equal(allocate_three(), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_alloc_at__fails_only_that_one),
        cmocka_unit_test(test_fail_alloc_from__fails_all_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
