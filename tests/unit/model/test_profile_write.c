/* SPDX-License-Identifier: GPL-3.0-or-later
 * Profiles written as CSV: order, quoting, and the same profile when read again. */
#include "support/assert_near.h"
#include "support/text_sink.h"

#include "unit/catalog/temp_catalog.h"

#include "model/profile.h"

static void add(rig_profile *profile,
                rig_profile_table table,
                const char *name,
                double value,
                double log_sd,
                double rows,
                const char *source)
{
    const rig_profile_entry entry = {.table = table,
                                     .name = name,
                                     .value = value,
                                     .log_sd = log_sd,
                                     .rows = rows,
                                     .source = source};
    assert_int_equal(rig_profile_add(profile, &entry, NULL), RIG_OK);
}

static void expect(const rig_profile *profile, const char *expected)
{
    text_sink out = {.length = 0};
    rig_error err = {0};
    assert_int_equal(rig_profile_write(profile, collect, &out, &err), RIG_OK);
    assert_string_equal(out.bytes, expected);
}

static void test_profile_write__nothing(void **state)
{
    (void)state;
    rig_profile *const profile = rig_profile_new("own");
    expect(profile, "table,name,value,log_sd,rows,source\n");
    rig_profile_free(profile);
}

static void test_profile_write__sorted_by_table_and_name(void **state)
{
    (void)state;
    rig_profile *const profile = rig_profile_new("own");
    add(profile, RIG_PROFILE_FITTED, "gpu:B", NAN, NAN, 3, "");
    add(profile, RIG_PROFILE_STACKS, "b", 2, 0.5, 1, "x");
    add(profile, RIG_PROFILE_CONSTANTS, "z", 0.25, NAN, NAN, "x");
    add(profile, RIG_PROFILE_STACKS, "a.launch_factor", 1, NAN, 2, "x");
    add(profile, RIG_PROFILE_STACKS, "B", 3, NAN, NAN, "x"); /* bytes: upper case first */
    add(profile, RIG_PROFILE_CONSTANTS, "a", -1e-3, 0.1, 4, "x");
    expect(profile,
           "table,name,value,log_sd,rows,source\n"
           "constants,a,-0.001,0.1,4,x\n"
           "constants,z,0.25,,,x\n"
           "stacks,B,3,,,x\n"
           "stacks,a.launch_factor,1,,2,x\n"
           "stacks,b,2,0.5,1,x\n"
           "fitted,gpu:B,,,3,\n");
    rig_profile_free(profile);
}

static void test_profile_write__quotes(void **state)
{
    (void)state;
    rig_profile *const profile = rig_profile_new("own");
    add(profile, RIG_PROFILE_FITTED, "source:a, b", NAN, NAN, 1, "said \"so\"");
    add(profile, RIG_PROFILE_FITTED, "source:c", NAN, NAN, 1, "two\nlines\r");
    add(profile, RIG_PROFILE_FITTED, "source:d e", NAN, NAN, 1, "\"");
    expect(profile,
           "table,name,value,log_sd,rows,source\n"
           "fitted,\"source:a, b\",,,1,\"said \"\"so\"\"\"\n"
           "fitted,source:c,,,1,\"two\nlines\r\"\n"
           "fitted,source:d e,,,1,\"\"\"\"\n");
    rig_profile_free(profile);
}

/* Every figure comes back to the last bit. */
static void test_profile_write__round_trip(void **state)
{
    (void)state;
    static const double values[] = {
        0.1, 1.0 / 3.0, 1e-17, 1e300, -2.5, 123456789.123456789, 0x1.fffffffffffffp0, 5e-324};
    rig_profile *const profile = rig_profile_new("own");
    rig_profile *again = NULL;
    rig_error err = {0};
    text_sink out = {.length = 0};
    temp_catalog temp;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "a%zu, \"%zu\" ~ b", i, i);
        add(profile, RIG_PROFILE_CORRELATION, name, values[i], NAN, (double)i, "x,\"y\"");
        add(profile, RIG_PROFILE_EFFICIENCY, name, fabs(values[i]), 0.25, NAN, "");
    }
    assert_int_equal(rig_profile_write(profile, collect, &out, &err), RIG_OK);
    temp_catalog_open(&temp);
    if (rig_profile_read(&again, temp_catalog_write(&temp, "own.csv", out.bytes), &err) != RIG_OK) {
        fail_msg("%ld:%ld: %s", err.line, err.column, err.message);
    }
    temp_catalog_close(&temp);
    assert_int_equal(rig_profile_count(again), rig_profile_count(profile));
    for (size_t i = 0; i < rig_profile_count(profile); i++) {
        const rig_profile_entry *const entry = rig_profile_at(profile, i);
        const rig_profile_entry *const other = rig__profile_find(again, entry->table, entry->name);
        assert_non_null(other);
        ASSERT_NEAR("value", other->value, entry->value, 0, 0);
        ASSERT_NEAR("log_sd", other->log_sd, entry->log_sd, 0, 0);
        ASSERT_NEAR("rows", other->rows, entry->rows, 0, 0);
        assert_string_equal(other->source, entry->source);
    }
    expect(again, out.bytes);
    rig_profile_free(again);
    rig_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_write__nothing),
        cmocka_unit_test(test_profile_write__sorted_by_table_and_name),
        cmocka_unit_test(test_profile_write__quotes),
        cmocka_unit_test(test_profile_write__round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
