/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loading and reading the shipped catalogue through the public interface. */
#include "trainrig/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void fail_on_problem(const rig_error *problem, bool is_error, void *payload)
{
    (void)payload;
    if (is_error) {
        print_error(
            "%s:%ld:%ld: %s\n", problem->where, problem->line, problem->column, problem->message);
    }
}

static int load_shipped(void **state)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    options.is_check = true;
    options.on_problem = fail_on_problem;
    rig_catalog *catalog = NULL;
    const rig_status status = rig_catalog_load(&catalog, &options, NULL);
    *state = catalog;
    return status == RIG_OK ? 0 : -1;
}

static int free_shipped(void **state)
{
    rig_catalog_free(*state);
    return 0;
}

static void test_count_and_row__sorted_by_name(void **state)
{
    const rig_catalog *const catalog = *state;
    const rig_catalog_summary *const summary = rig_catalog_summary_get(catalog);
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        const rig_table table = (rig_table)t;
        const size_t n = rig_catalog_count(catalog, table);
        assert_true(n > 0);
        assert_int_equal(n, summary->rows[t]);
        size_t n_priced = 0;
        for (size_t i = 0; i < n; i++) {
            const rig_row *const row = rig_catalog_row(catalog, table, i);
            assert_int_equal(row->table, table);
            assert_true(row->line > 1);
            if (i > 0) {
                const char *const before = rig_catalog_row(catalog, table, i - 1)->name;
                const int order = strcmp(before, row->name);
                assert_true(order < 0 || (order == 0 && table == RIG_TABLE_QUOTE));
            }
            if (table != RIG_TABLE_QUOTE) {
                assert_ptr_equal(rig_catalog_get(catalog, table, row->name), row);
                n_priced += row->price.cents >= 0;
            }
        }
        assert_int_equal(n_priced, summary->priced[t]);
    }
    assert_null(rig_catalog_get(catalog, RIG_TABLE_CPU, ""));
    assert_null(rig_catalog_get(catalog, RIG_TABLE_CPU, "zzz"));
}

static void test_prices__effective_first(void **state)
{
    const rig_catalog *const catalog = *state;
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_GPU); i++) {
        const rig_row *const row = rig_catalog_row(catalog, RIG_TABLE_GPU, i);
        rig_price prices[2];
        const size_t n = rig_catalog_prices(catalog, row, prices, 1);
        assert_true(row->price.cents < 0 || n > 0);
        if (row->price.cents >= 0) {
            assert_int_equal(prices[0].cents, row->price.cents);
            assert_false(row->price.is_used);
        }
    }
}

static void test_default_options(void **state)
{
    (void)state;
    const rig_catalog_options options = rig_catalog_options_default();
    assert_int_equal(options.n_directories, 0);
    assert_int_equal(options.policy.after_ymd, 0);
    assert_int_equal(options.policy.lowest_trust, RIG_TRUST_LOW);
    assert_false(options.policy.allow_used);
    assert_false(options.policy.allow_absurd);
    rig_catalog *catalog = NULL;
    assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
    assert_int_equal(rig_catalog_count(catalog, RIG_TABLE_GPU), 0);
    rig_catalog_free(catalog);
    rig_catalog_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count_and_row__sorted_by_name),
        cmocka_unit_test(test_prices__effective_first),
        cmocka_unit_test(test_default_options),
    };
    return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
