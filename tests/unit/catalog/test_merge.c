/* SPDX-License-Identifier: GPL-3.0-or-later
 * Several directories: overlays, references across them, hash. */
#include "temp_catalog.h"
#include "trainrig/catalog.h"

#define PSUS "name,form_factor,wattage_w,price_usd\n"

static rig_status
load_two(rig_catalog **out, const temp_catalog *a, const temp_catalog *b, rig_error *err)
{
    const char *const directories[] = {a->path, b == NULL ? NULL : b->path};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = b == NULL ? 1 : 2;
    return rig_catalog_load(out, &options, err);
}

static void test_merge__later_directory_replaces_rows_wholly(void **state)
{
    (void)state;
    temp_catalog a, b;
    temp_catalog_open(&a);
    temp_catalog_open(&b);
    temp_catalog_write(&a, "psus.csv", PSUS "x,ATX,500,50\ny,ATX,600,60\n");
    temp_catalog_write(&b, "psus.csv", "name,form_factor,wattage_w\nz,SFX,700\nx,SFX,550\n");
    rig_catalog *catalog = NULL;
    assert_int_equal(load_two(&catalog, &a, &b, NULL), RIG_OK);
    assert_int_equal(rig_catalog_count(catalog, RIG_TABLE_PSU), 3);
    const rig_row *const x = rig_catalog_get(catalog, RIG_TABLE_PSU, "x");
    assert_true(((const rig_psu *)x)->wattage_w < 551 && ((const rig_psu *)x)->wattage_w > 549);
    assert_string_equal(x->file, b.files[0]);
    assert_int_equal(x->line, 3);
    assert_int_equal(x->price.cents, -1); /* the old price went with the old row */
    assert_int_equal(rig_catalog_prices(catalog, x, NULL, 0), 0);
    assert_int_equal(rig_catalog_get(catalog, RIG_TABLE_PSU, "y")->price.cents, 6000);
    assert_int_equal(rig_catalog_summary_get(catalog)->overlaid, 1);
    assert_int_equal(rig_catalog_summary_get(catalog)->rows[RIG_TABLE_PSU], 3);
    assert_int_equal(rig_catalog_summary_get(catalog)->priced[RIG_TABLE_PSU], 1);
    rig_catalog_free(catalog);
    temp_catalog_close(&a);
    temp_catalog_close(&b);
}

static void test_merge__references_across_directories(void **state)
{
    (void)state;
    temp_catalog a, b;
    temp_catalog_open(&a);
    temp_catalog_open(&b);
    temp_catalog_write(&a,
                       "stacks.csv",
                       "name,family,step_factor,compute_factor,memory_factor,launch_factor,"
                       "contention,log_sd,source\ns,eager,1,1,1,1,0,0.1,x\n");
    temp_catalog_write(&a, "servers.csv", "name,gpu_name\nm,no such card\n");
    temp_catalog_write(&b, "servers.csv", "name,gpu_name\nm,\nn,GeForce 9\n");
    const char *const gpus =
        "name,vendor,arch,year,mem_gb,mem_gbs,pcie_gen,pcie_lanes,form,slots,tdp_w\n"
        "GeForce 90,N,A,2020,8,100,4,16,pcie,2,200\n";
    temp_catalog_write(&b, "gpus.csv", gpus);
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    /* The dangling name of the first directory is replaced; that of the second is not. */
    assert_int_equal(load_two(&catalog, &a, &b, &err), RIG_E_NOTFOUND);
    assert_string_equal(err.where, b.files[0]);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 3);
    assert_string_equal(err.hint, "nearest: GeForce 90");
    assert_null(catalog);
    temp_catalog_write(&b, "servers.csv", "name,gpu_name\nm,\nn,GeForce 90\n");
    assert_int_equal(load_two(&catalog, &a, &b, &err), RIG_OK);
    rig_catalog_free(catalog);
    temp_catalog_close(&a);
    temp_catalog_close(&b);
}

static uint64_t hash_of(const char *psus, const char *quotes)
{
    temp_catalog temp;
    temp_catalog_open(&temp);
    temp_catalog_write(&temp, "psus.csv", psus);
    temp_catalog_write(&temp, "quotes.csv", quotes);
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    if (load_two(&catalog, &temp, NULL, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    const uint64_t hash = rig_catalog_summary_get(catalog)->hash;
    rig_catalog_free(catalog);
    temp_catalog_close(&temp);
    return hash;
}

static void test_merge__hash_follows_content_only(void **state)
{
    (void)state;
    const char *const quotes = "part_class,name,price_usd\npsu,x,40\npsu,x,41\n";
    const uint64_t hash = hash_of(PSUS "x,ATX,500,50\ny,ATX,600,60\n", quotes);
    static const struct {
        const char *name, *psus, *quotes;
        bool is_same;
    } rows[] = {
        {"row order",
         PSUS "y,ATX,600,60\nx,ATX,500,50\n",
         "part_class,name,price_usd\npsu,x,41\npsu,x,40\n",
         true},
        {"column order, number form, line ends",
         "wattage_w,name,price_usd,form_factor,notes\r\n500.0,x,50.00,ATX,\r\n6e2,y,60,ATX,\r\n",
         "part_class,name,price_usd\npsu,x,40\npsu,x,41\n",
         true},
        {"a name",
         PSUS "x,ATX,500,50\nz,ATX,600,60\n",
         "part_class,name,price_usd\npsu,x,40\npsu,x,41\n",
         false},
        {"a number",
         PSUS "x,ATX,500,50\ny,ATX,601,60\n",
         "part_class,name,price_usd\npsu,x,40\npsu,x,41\n",
         false},
        {"a price",
         PSUS "x,ATX,500,50\ny,ATX,600,60.01\n",
         "part_class,name,price_usd\npsu,x,40\npsu,x,41\n",
         false},
        {"a quote less",
         PSUS "x,ATX,500,50\ny,ATX,600,60\n",
         "part_class,name,price_usd\npsu,x,40\n",
         false},
        {"values exchanged",
         PSUS "x,ATX,600,50\ny,ATX,500,60\n",
         "part_class,name,price_usd\npsu,x,40\npsu,x,41\n",
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((hash_of(rows[i].psus, rows[i].quotes) == hash) != rows[i].is_same) {
            fail_msg("%s: wrong", rows[i].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge__later_directory_replaces_rows_wholly),
        cmocka_unit_test(test_merge__references_across_directories),
        cmocka_unit_test(test_merge__hash_follows_content_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
