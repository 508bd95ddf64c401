/* SPDX-License-Identifier: GPL-3.0-or-later
 * Binding of constants.csv: completeness, units, ranges and misspelt names. */
#include "support/assert_near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/constants.h"

/* A directory with one constants.csv made from the table of the model, with one row changed. */
typedef struct fixture {
    char directory[64];
    char file[96];
    rig_catalog *catalog;
    rig_constants *constants;
    rig_error err;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return -1;
    }
    (void)snprintf(f->directory, sizeof f->directory, "/tmp/test_constants.XXXXXX");
    if (mkdtemp(f->directory) == NULL) {
        free(f);
        return -1;
    }
    (void)snprintf(f->file, sizeof f->file, "%s/constants.csv", f->directory);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    rig_constants_free(f->constants);
    rig_catalog_free(f->catalog);
    (void)unlink(f->file);
    (void)rmdir(f->directory);
    free(f);
    return 0;
}

/* Every constant at its lowest value, log_sd 0.5; the row of `name` is `line` (NULL: left out). */
static void write_file(const fixture *f, const char *name, const char *line)
{
    FILE *file = fopen(f->file, "w");
    assert_non_null(file);
    fprintf(file, "name,value,unit,log_sd,source\n");
    for (size_t i = 0; i < RIG__N_CONSTANTS; i++) {
        const rig__constant_info *info = rig__model_constant_info((rig__constant_index)i);
        if (name == NULL || strcmp(name, info->name) != 0) {
            fprintf(file, "%s,%g,%s,0.5,test\n", info->name, info->low, info->unit);
        } else if (line != NULL) {
            fprintf(file, "%s\n", line);
        }
    }
    assert_int_equal(fclose(file), 0);
}

static rig_status bind(fixture *f)
{
    const char *directory = f->directory;
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = &directory;
    options.n_directories = 1;
    const rig_status status = rig_catalog_load(&f->catalog, &options, &f->err);
    if (status != RIG_OK) {
        print_error("%s:%ld: %s\n", f->err.where, f->err.line, f->err.message);
        fail();
    }
    return rig_constants_new(&f->constants, f->catalog, &f->err);
}

static void test_constants_new__binds_all(void **state)
{
    fixture *f = *state;
    write_file(f, "decode_ns_per_px", "decode_ns_per_px,1.5,ns/px,,test");
    assert_int_equal(bind(f), RIG_OK);
    ASSERT_SAME("value", f->constants->decode_ns_per_px, 1.5);
    ASSERT_SAME("no sd", f->constants->log_sd[RIG__CONSTANT_decode_ns_per_px], 0.0);
    ASSERT_SAME("sd", f->constants->log_sd[RIG__CONSTANT_pcie_share], 0.5);
    ASSERT_SAME("by name", rig_constants_get(f->constants, "decode_ns_per_px"), 1.5);
    ASSERT_SAME("last", rig_constants_get(f->constants, "price_stale_days"), 1);
    ASSERT_SAME("none such", rig_constants_get(f->constants, "decode_ns"), NAN);
}

static void test_constants_new__refuses(void **state)
{
    const struct {
        const char *name, *line;
        rig_status status;
        long err_line;
        const char *message, *hint;
    } rows[] = {
        {"decode_ns_per_px",
         NULL,
         RIG_E_SCHEMA,
         0,
         "missing constant: 'decode_ns_per_px' (JPEG decode time per pixel on the reference core)",
         ""},
        {"decode_ns_per_px",
         "decode_ns_per_px,0.001,ns/px,,test",
         RIG_E_RANGE,
         2,
         "constant decode_ns_per_px out of range: '0.001' (expected 0.01 to 100)",
         ""},
        {"decode_ns_per_byte",
         "decode_ns_per_byte,1001,ns/B,,test",
         RIG_E_RANGE,
         3,
         "constant decode_ns_per_byte out of range: '1001' (expected 0.01 to 1000)",
         ""},
        {"decode_ns_per_px",
         "decode_ns_per_px,1,us/px,,test",
         RIG_E_SCHEMA,
         2,
         "unit of decode_ns_per_px: 'us/px' (expected 'ns/px')",
         ""},
        {"decode_ns_per_px",
         "decode_ns_per_pixel,1,ns/px,,test",
         RIG_E_SCHEMA,
         2,
         "unknown constant: 'decode_ns_per_pixel' (expected a constant of the model)",
         "did you mean 'decode_ns_per_px'?"},
        {"decode_ns_per_px",
         "a_name_that_is_like_no_other_name_at_all,1,ns/px,,test",
         RIG_E_SCHEMA,
         2,
         "unknown constant: 'a_name_that_is_like_no_other_name_at_all' (expected a constant of the "
         "model)",
         ""},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_file(f, rows[i].name, rows[i].line);
        assert_int_equal(bind(f), rows[i].status);
        assert_null(f->constants);
        assert_string_equal(f->err.message, rows[i].message);
        assert_int_equal(f->err.line, rows[i].err_line);
        assert_string_equal(f->err.hint, rows[i].hint);
        rig_catalog_free(f->catalog);
        f->catalog = NULL;
    }
}

static void test_constants_csv__has_source_and_range(void **state)
{
    (void)state;
    static const char *const directory = RIG_SOURCE_DIR "/model/data";
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = &directory;
    options.n_directories = 1;
    rig_catalog *catalog;
    rig_constants *constants;
    assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
    assert_int_equal(rig_constants_new(&constants, catalog, NULL), RIG_OK);
    assert_int_equal(rig_catalog_count(catalog, RIG_TABLE_CONSTANT), RIG__N_CONSTANTS);
    for (size_t i = 0; i < RIG__N_CONSTANTS; i++) {
        const rig__constant_info *info = rig__model_constant_info((rig__constant_index)i);
        const double value = rig_constants_get(constants, info->name);
        assert_true(value >= info->low && value <= info->high);
        assert_true(info->low < info->high);
    }
    rig_constants_free(constants);
    rig_catalog_free(catalog);
}

static void test_constants_free__accepts_null(void **state)
{
    (void)state;
    rig_constants_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_constants_new__binds_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_constants_new__refuses, set_up, tear_down),
        cmocka_unit_test(test_constants_csv__has_source_and_range),
        cmocka_unit_test(test_constants_free__accepts_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
