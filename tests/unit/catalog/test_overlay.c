/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows laid over a frozen catalogue. */
#include "temp_catalog.h"

#include <math.h>

#include "catalog/overlay.h"

static rig_catalog *load(temp_catalog *temp)
{
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    const char *directories[1];
    temp_catalog_open(temp);
    temp_catalog_write(temp,
                       "stacks.csv",
                       "name,family,step_factor,compute_factor,memory_factor,launch_factor,"
                       "contention,log_sd,source\n"
                       "b,eager,1,1,1,1,0,0.1,x\nd,eager,2,1,1,1,0,0.1,x\n");
    rig_catalog_options options = rig_catalog_options_default();
    directories[0] = temp->path;
    options.directories = directories;
    options.n_directories = 1;
    if (rig_catalog_load(&catalog, &options, &err) != RIG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return catalog;
}

static double factor_of(const rig_catalog *catalog, const char *name)
{
    const rig_row *const row = rig_catalog_get(catalog, RIG_TABLE_STACK, name);
    return row == NULL ? (double)NAN : ((const rig_stack *)(const void *)row)->step_factor;
}

static void test_overlay_row__changes_its_own_copy(void **state)
{
    (void)state;
    temp_catalog temp;
    rig_catalog *const base = load(&temp);
    rig_catalog *const overlay = rig__overlay_new(base);
    assert_non_null(overlay);
    rig_row *const row = rig__overlay_row(overlay, base, RIG_TABLE_STACK, "d");
    assert_non_null(row);
    ((rig_stack *)(void *)row)->step_factor = 3.0;
    assert_ptr_equal(rig__overlay_row(overlay, base, RIG_TABLE_STACK, "d"), row);
    assert_true(factor_of(overlay, "d") > 2.9);
    assert_true(factor_of(base, "d") < 2.1);
    assert_ptr_equal(rig_catalog_get(overlay, RIG_TABLE_STACK, "b"),
                     rig_catalog_get(base, RIG_TABLE_STACK, "b"));
    rig_catalog_free(overlay);
    rig_catalog_free(base);
    temp_catalog_close(&temp);
}

static void test_overlay_row__new_rows_keep_the_order(void **state)
{
    (void)state;
    temp_catalog temp;
    static const char *const names[] = {"c", "a", "e"};
    rig_catalog *const base = load(&temp);
    rig_catalog *const overlay = rig__overlay_new(base);
    for (size_t i = 0; i < 3; i++) {
        rig_row *const row = rig__overlay_row(overlay, base, RIG_TABLE_STACK, names[i]);
        assert_non_null(row);
        assert_true(isnan(((rig_stack *)(void *)row)->step_factor));
        ((rig_stack *)(void *)row)->step_factor = 5.0;
        assert_ptr_equal(rig__overlay_row(overlay, base, RIG_TABLE_STACK, names[i]), row);
    }
    assert_int_equal(rig_catalog_count(overlay, RIG_TABLE_STACK), 5);
    assert_int_equal(rig_catalog_count(base, RIG_TABLE_STACK), 2);
    for (size_t i = 0; i < 5; i++) {
        const char expected[] = {(char)('a' + (int)i), '\0'};
        assert_string_equal(rig_catalog_row(overlay, RIG_TABLE_STACK, i)->name, expected);
    }
    rig_catalog_free(overlay);
    rig_catalog_free(base);
    temp_catalog_close(&temp);
}

static void test_overlay_hash__tells_overlays_apart(void **state)
{
    (void)state;
    temp_catalog temp;
    rig_catalog *const base = load(&temp);
    rig_catalog *const overlay = rig__overlay_new(base);
    assert_true(rig_catalog_summary_get(overlay)->hash == rig_catalog_summary_get(base)->hash);
    rig__overlay_hash(overlay, 7);
    assert_true(rig_catalog_summary_get(overlay)->hash != rig_catalog_summary_get(base)->hash);
    rig_catalog_free(overlay);
    rig_catalog_free(base);
    temp_catalog_close(&temp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlay_row__changes_its_own_copy),
        cmocka_unit_test(test_overlay_row__new_rows_keep_the_order),
        cmocka_unit_test(test_overlay_hash__tells_overlays_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
