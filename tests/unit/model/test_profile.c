/* SPDX-License-Identifier: GPL-3.0-or-later
 * Profiles as lists and read from files. */
#include "support/assert_near.h"

#include "unit/catalog/temp_catalog.h"

#include "model/profile.h"

static const char head[] = "table,name,value,log_sd,rows,source\n";

static rig_status read_text(const char *text, rig_profile **out, rig_error *err)
{
    temp_catalog temp;
    temp_catalog_open(&temp);
    const rig_status status =
        rig_profile_read(out, temp_catalog_write(&temp, "profile.csv", text), err);
    temp_catalog_close(&temp);
    return status;
}

static void test_profile_read__entries(void **state)
{
    (void)state;
    char text[512];
    rig_profile *profile = NULL;
    rig_error err = {0};
    (void)snprintf(text,
                   sizeof text,
                   "%sconstants,launch_us,12,0.2,40,own runs\nstacks,pytorch.launch_factor,0.4,,,\n"
                   "fitted,gpu:NVIDIA L4,,,3,\n",
                   head);
    assert_int_equal(read_text(text, &profile, &err), RIG_OK);
    assert_int_equal(rig_profile_count(profile), 3);
    const rig_profile_entry *const first = rig_profile_at(profile, 0);
    assert_int_equal(first->table, RIG_PROFILE_CONSTANTS);
    assert_string_equal(first->name, "launch_us");
    ASSERT_SAME("value", first->value, 12);
    ASSERT_SAME("log_sd", first->log_sd, 0.2);
    ASSERT_SAME("rows", first->rows, 40);
    assert_string_equal(first->source, "own runs");
    assert_int_equal(first->line, 2);
    ASSERT_SAME("no log_sd", rig_profile_at(profile, 1)->log_sd, NAN);
    assert_non_null(rig__profile_find(profile, RIG_PROFILE_FITTED, "gpu:NVIDIA L4"));
    assert_null(rig__profile_find(profile, RIG_PROFILE_STACKS, "pytorch"));
    rig_profile_free(profile);
}

static void test_profile_read__errors(void **state)
{
    (void)state;
    static const struct {
        const char *label, *header, *rows;
        rig_status status;
        long line, column;
        const char *message;
    } cases[] = {
        {"missing column",
         "table,name,value\n",
         "",
         RIG_E_SCHEMA,
         1,
         1,
         "missing column: 'log_sd'"},
        {"unknown column",
         "table,name,value,log_sd,rows,source,x\n",
         "",
         RIG_E_SCHEMA,
         1,
         0,
         "unknown column: 'x'"},
        {"unknown table", NULL, "gpus,a,1,,,\n", RIG_E_SCHEMA, 2, 1, "unknown table"},
        {"no name", NULL, "stacks,,1,,,\n", RIG_E_PARSE, 2, 8, "no name"},
        {"no value", NULL, "stacks,a,,,,\n", RIG_E_PARSE, 2, 10, "not a number"},
        {"value no number", NULL, "stacks,a,fast,,,\n", RIG_E_PARSE, 2, 10, "not a number: 'fast'"},
        {"negative log_sd", NULL, "stacks,a,1,-1,,\n", RIG_E_RANGE, 2, 12, "number too small"},
        {"rows no number", NULL, "stacks,a,1,,many,\n", RIG_E_PARSE, 2, 13, "not a number: 'many'"},
        {"twice", NULL, "stacks,a,1,,,\nstacks,a,2,,,\n", RIG_E_DUPLICATE, 3, 8, "given twice"},
        {"ragged", NULL, "stacks,a,1\n", RIG_E_PARSE, 2, 0, "3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        rig_profile *profile = NULL;
        rig_error err = {0};
        (void)snprintf(text,
                       sizeof text,
                       "%s%s",
                       cases[i].header == NULL ? head : cases[i].header,
                       cases[i].rows);
        const rig_status status = read_text(text, &profile, &err);
        const bool is_place = cases[i].column == 0 || err.column == cases[i].column;
        if (status != cases[i].status || err.line != cases[i].line || !is_place ||
            strstr(err.message, cases[i].message) == NULL || profile != NULL) {
            fail_msg("%s: %s at %ld:%ld", cases[i].label, err.message, err.line, err.column);
        }
    }
    rig_profile *profile = NULL;
    assert_int_equal(rig_profile_read(&profile, "/nowhere/profile.csv", NULL), RIG_E_IO);
    assert_null(profile);
}

static void test_profile_add__replaces(void **state)
{
    (void)state;
    rig_profile *const profile = rig_profile_new("test");
    for (int i = 0; i < 100; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "n%d", i % 50);
        const rig_profile_entry entry = {.table = RIG_PROFILE_STACKS, .name = name, .value = i};
        assert_int_equal(rig_profile_add(profile, &entry, NULL), RIG_OK);
    }
    assert_int_equal(rig_profile_count(profile), 50);
    ASSERT_SAME("later wins", rig__profile_find(profile, RIG_PROFILE_STACKS, "n7")->value, 57);
    rig_profile_free(profile);
    rig_profile_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_read__entries),
        cmocka_unit_test(test_profile_read__errors),
        cmocka_unit_test(test_profile_add__replaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
