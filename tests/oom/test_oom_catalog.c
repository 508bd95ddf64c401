/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loading a small catalogue when memory runs out at any point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oom/sweep.h"
#include "trainrig/catalog.h"
#include "trainrig/model.h"

static rig_status load(rig_catalog **out, rig_error *err)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/tests/data/tiny_catalog/catalog",
                                              RIG_SOURCE_DIR "/tests/data/tiny_catalog/model"};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    return rig_catalog_load(out, &options, err);
}

static rig_status load_and_free(void *payload, rig_error *err)
{
    (void)payload;
    rig_catalog *catalog = NULL;
    const rig_status status = load(&catalog, err);
    if (status != RIG_OK) {
        assert_null(catalog);
    }
    rig_catalog_free(catalog);
    return status;
}

static rig_status bind_and_free(void *payload, rig_error *err)
{
    rig_constants *constants = NULL;
    const rig_status status = rig_constants_new(&constants, payload, err);
    if (status != RIG_OK) {
        assert_null(constants);
    }
    rig_constants_free(constants);
    return status;
}

static void test_rig_catalog_load__out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(load_and_free, NULL, 400);
}

static void test_rig_constants_new__out_of_memory(void **state)
{
    (void)state;
    rig_catalog *catalog = NULL;
    assert_int_equal(load(&catalog, NULL), RIG_OK);
    sweep_allocations(bind_and_free, catalog, 400);
    rig_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rig_catalog_load__out_of_memory),
        cmocka_unit_test(test_rig_constants_new__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
