/* SPDX-License-Identifier: GPL-3.0-or-later
 * FNV-1a against published values and what must and must not change it. */
#include "catalog/fingerprint.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Published test vectors of FNV-1a 64. Source: http://www.isthe.com/chongo/src/fnv/test_fnv.c */
static void test_bytes__published_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } rows[] = {
        {"", UINT64_C(0xcbf29ce484222325)},
        {"a", UINT64_C(0xaf63dc4c8601ec8c)},
        {"foobar", UINT64_C(0x85944171f73967e8)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t hash =
            rig__fingerprint_bytes(RIG__FINGERPRINT_START, rows[i].text, strlen(rows[i].text));
        if (hash != rows[i].hash) {
            fail_msg("'%s': %016" PRIx64, rows[i].text, hash);
        }
    }
}

static void test_values__what_differs_differs(void **state)
{
    (void)state;
    const uint64_t start = RIG__FINGERPRINT_START;
    assert_true(rig__fingerprint_text(rig__fingerprint_text(start, "ab"), "c") !=
                rig__fingerprint_text(rig__fingerprint_text(start, "a"), "bc"));
    assert_true(rig__fingerprint_text(start, NULL) != rig__fingerprint_text(start, ""));
    assert_true(rig__fingerprint_number(start, 1) != rig__fingerprint_number(start, 2));
    assert_true(rig__fingerprint_number(start, 0.0) == rig__fingerprint_number(start, -0.0));
    assert_true(rig__fingerprint_number(start, (double)NAN) ==
                rig__fingerprint_number(start, -(double)NAN));
    assert_true(rig__fingerprint_whole(start, 1) != rig__fingerprint_whole(start, 256));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes__published_vectors),
        cmocka_unit_test(test_values__what_differs_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
