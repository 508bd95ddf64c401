/* SPDX-License-Identifier: GPL-3.0-or-later
 * Interned texts. */
#include "catalog/intern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_text__one_copy_of_each(void **state)
{
    (void)state;
    rig__arena *const arena = rig__arena_new();
    rig__intern *const intern = rig__intern_new(arena);
    assert_non_null(intern);
    uint64_t hash = 0;
    uint64_t again = 0;
    const char *const abc = rig__intern_text(intern, "abcd", 3, &hash);
    assert_string_equal(abc, "abc");
    assert_ptr_equal(rig__intern_text(intern, "abc", 3, &again), abc);
    assert_true(hash != 0 && hash == again);
    assert_ptr_not_equal(rig__intern_text(intern, "abcd", 4, NULL), abc);
    assert_ptr_not_equal(rig__intern_text(intern, "ab", 2, NULL), abc);
    assert_string_equal(rig__intern_text(intern, "", 0, NULL), "");
    rig__intern_free(intern);
    rig__arena_free(arena);
    rig__intern_free(NULL);
}

static void test_text__many(void **state)
{
    (void)state;
    enum { N = 5000 };
    static const char *kept[N];
    rig__arena *const arena = rig__arena_new();
    rig__intern *const intern = rig__intern_new(arena);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            char text[16];
            const int n = snprintf(text, sizeof text, "t%d", i);
            const char *const got = rig__intern_text(intern, text, (size_t)n, NULL);
            assert_string_equal(got, text);
            if (round == 1) {
                assert_ptr_equal(got, kept[i]);
            }
            kept[i] = got;
        }
    }
    rig__intern_free(intern);
    rig__arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text__one_copy_of_each),
        cmocka_unit_test(test_text__many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
