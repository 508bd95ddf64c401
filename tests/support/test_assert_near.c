/* SPDX-License-Identifier: GPL-3.0-or-later
 * The comparison of doubles that other tests rely on. */
#include "support/assert_near.h"

static const struct {
    const char *name;
    double actual, expected, rel, abs;
    int is_near;
} rows[] = {
    {"equal", 1.5, 1.5, 0, 0, 1},
    {"zero", 0.0, -0.0, 0, 0, 1},
    {"float would agree", 1e8 + 3, 1e8, 1e-9, 0, 0},
    {"within relative", 1.0 + 1e-10, 1.0, 1e-9, 0, 1},
    {"beyond relative", 1.0 + 1e-8, 1.0, 1e-9, 0, 0},
    {"within absolute", 1e-13, 0.0, 1e-9, 1e-12, 1},
    {"beyond absolute", 1e-11, 0.0, 1e-9, 1e-12, 0},
    {"sign matters", -1.0, 1.0, 1e-9, 0, 0},
    {"unknown is unknown", NAN, NAN, 0, 0, 1},
    {"unknown is not a number", NAN, 0.0, 1, 1, 0},
    {"a number is not unknown", 0.0, NAN, 1, 1, 0},
    {"same infinity", INFINITY, INFINITY, 0, 0, 1},
    {"other infinity", -INFINITY, INFINITY, 1, 1, 0},
    {"infinity is not near a number", INFINITY, 1.0, 1, 1, 0},
    {"a number is not near infinity", 1.0, INFINITY, 1, 1, 0},
};

static void test_is_near__table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int got = is_near(rows[i].actual, rows[i].expected, rows[i].rel, rows[i].abs);
        if (got != rows[i].is_near) {
            fail_msg("%s: got %d", rows[i].name, got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_near__table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
