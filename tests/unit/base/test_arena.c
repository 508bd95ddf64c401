/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of base/arena.c. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    *state = rig__arena_new();
    return *state == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    rig__arena_free(*state);
    return 0;
}

static void test_alloc__is_zeroed_aligned_and_apart(void **state)
{
    static const size_t sizes[] = {1, 0, 7, 8, 4096, 3, 1u << 21, 5, 100000, 1};
    unsigned char *memory[sizeof sizes / sizeof sizes[0]];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        memory[i] = rig__arena_alloc(*state, sizes[i], 1);
        assert_non_null(memory[i]);
        assert_int_equal((uintptr_t)memory[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < sizes[i]; k++) {
            assert_int_equal(memory[i][k], 0);
        }
        memset(memory[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t k = 0; k < sizes[i]; k++) {
            assert_int_equal(memory[i][k], i + 1);
        }
    }
}

static void test_alloc__refuses_overflow(void **state)
{
    assert_null(rig__arena_alloc(*state, SIZE_MAX, 2));
    assert_null(rig__arena_alloc(*state, SIZE_MAX / 2, 1));
    assert_null(rig__arena_alloc(*state, SIZE_MAX / 16, 16));
    assert_null(rig__arena_copy(*state, "", SIZE_MAX));
    assert_non_null(rig__arena_alloc(*state, SIZE_MAX, 0));
}

static void test_alloc__many_small_ones(void **state)
{
    int64_t *numbers[5000];
    for (int64_t i = 0; i < 5000; i++) {
        numbers[i] = rig__arena_alloc(*state, 1, sizeof *numbers[i]);
        assert_non_null(numbers[i]);
        *numbers[i] = i;
    }
    for (int64_t i = 0; i < 5000; i++) {
        assert_int_equal(*numbers[i], i);
    }
}

static void test_copy__ends_with_nul(void **state)
{
    assert_string_equal(rig__arena_copy(*state, "abcdef", 3), "abc");
    assert_string_equal(rig__arena_copy(*state, "abc", 0), "");
    assert_memory_equal(rig__arena_copy(*state, "a\0b", 3), "a\0b", 4);
}

static void test_format__any_length(void **state)
{
    assert_string_equal(rig__arena_format(*state, "%d-%s", 12, "x"), "12-x");
    const char *const wide = rig__arena_format(*state, "%9000d", 7);
    assert_int_equal(strlen(wide), 9000);
    assert_int_equal(wide[8999], '7');
}

static void test_free__accepts_null(void **state)
{
    (void)state;
    rig__arena_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_alloc__is_zeroed_aligned_and_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(test_alloc__refuses_overflow, setup, teardown),
        cmocka_unit_test_setup_teardown(test_alloc__many_small_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy__ends_with_nul, setup, teardown),
        cmocka_unit_test_setup_teardown(test_format__any_length, setup, teardown),
        cmocka_unit_test(test_free__accepts_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
