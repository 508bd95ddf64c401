/* SPDX-License-Identifier: GPL-3.0-or-later
 * Directories of catalogue files. */
#include "temp_catalog.h"
#include "trainrig/catalog.h"

static rig_status load(rig_catalog **out, const char *directory, rig_error *err)
{
    const char *const directories[] = {directory};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    return rig_catalog_load(out, &options, err);
}

static void test_directory__missing(void **state)
{
    (void)state;
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    assert_int_equal(load(&catalog, "/nonexistent/catalogue", &err), RIG_E_IO);
    assert_null(catalog);
    assert_string_equal(err.where, "/nonexistent/catalogue");
    assert_non_null(strstr(err.message, "cannot open the catalogue directory: "));
}

static void test_directory__without_tables(void **state)
{
    (void)state;
    temp_catalog temp;
    temp_catalog_open(&temp);
    temp_catalog_write(&temp, "README.md", "nothing");
    temp_catalog_write(&temp, ".gpu.csv", "hidden");
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    assert_int_equal(load(&catalog, temp.path, &err), RIG_E_SCHEMA);
    assert_string_equal(err.where, temp.path);
    assert_non_null(strstr(err.message, "no catalogue file in this directory"));
    temp_catalog_close(&temp);
}

static void test_directory__unknown_file(void **state)
{
    (void)state;
    static const struct {
        const char *file, *hint;
    } rows[] = {
        {"gpu.csv", "nearest: gpus.csv"},
        {"GPUS.CSV", "nearest: gpus.csv"},
        {"pineapples.csv", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        temp_catalog temp;
        temp_catalog_open(&temp);
        temp_catalog_write(&temp, "psus.csv", "name,form_factor,wattage_w\n");
        const char *const path = temp_catalog_write(&temp, rows[i].file, "name\n");
        rig_catalog *catalog = NULL;
        rig_error err = {0};
        assert_int_equal(load(&catalog, temp.path, &err), RIG_E_SCHEMA);
        assert_null(catalog);
        assert_string_equal(err.where, path);
        assert_string_equal(err.hint, rows[i].hint);
        temp_catalog_close(&temp);
    }
}

static void test_directory__error_names_the_file(void **state)
{
    (void)state;
    temp_catalog temp;
    temp_catalog_open(&temp);
    const char *const path = temp_catalog_write(&temp, "gpus.csv", "");
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    assert_int_equal(load(&catalog, temp.path, &err), RIG_E_PARSE);
    assert_string_equal(err.where, path);
    assert_int_equal(err.line, 1);
    temp_catalog_close(&temp);
}

static void test_directory__trailing_slash(void **state)
{
    (void)state;
    temp_catalog temp;
    temp_catalog_open(&temp);
    temp_catalog_write(&temp, "psus.csv", "name,form_factor,wattage_w\na,ATX,500\n");
    char path[80];
    snprintf(path, sizeof path, "%s/", temp.path);
    rig_catalog *catalog = NULL;
    assert_int_equal(load(&catalog, path, NULL), RIG_OK);
    assert_string_equal(rig_catalog_row(catalog, RIG_TABLE_PSU, 0)->file, temp.files[0]);
    rig_catalog_free(catalog);
    temp_catalog_close(&temp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directory__missing),
        cmocka_unit_test(test_directory__without_tables),
        cmocka_unit_test(test_directory__unknown_file),
        cmocka_unit_test(test_directory__error_names_the_file),
        cmocka_unit_test(test_directory__trailing_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
