/* SPDX-License-Identifier: GPL-3.0-or-later
 * The import of a small market against the tiny catalogue. */
#include "trainrig/market.h"

#include "unit/catalog/temp_catalog.h"

#define TINY RIG_SOURCE_DIR "/tests/data/tiny_catalog"
#define SAMPLE RIG_SOURCE_DIR "/tests/data/market"

static rig_catalog *load(const char *const *directories, size_t n, bool is_check)
{
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = n;
    options.is_check = is_check;
    if (rig_catalog_load(&catalog, &options, &err) != RIG_OK && catalog == NULL) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return catalog;
}

static rig_catalog *load_tiny(void)
{
    static const char *const directories[] = {TINY "/catalog", TINY "/model"};
    return load(directories, 2, false);
}

static rig_market *import(const rig_catalog *shipped,
                          const rig_catalog *before,
                          const char *const *directories,
                          size_t n)
{
    rig_market *market = NULL;
    rig_error err = {0};
    const rig_market_options options = {
        .directories = directories, .n_directories = n, .shipped = shipped, .before = before};
    if (rig_market_import(&market, &options, &err) != RIG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return market;
}

static const char *cell(const rig_market *market, rig_table table, const char *name, const char *of)
{
    const rig_market_table *const from = &market->tables[table];
    for (size_t i = 0; i < from->n_rows; i++) {
        for (size_t k = 0; strcmp(from->rows[i][0], name) == 0 && k < rig_column_count(table);
             k++) {
            if (strcmp(rig_column_at(table, k)->name, of) == 0) {
                return from->rows[i][k] != NULL ? from->rows[i][k] : "";
            }
        }
    }
    fail_msg("no row '%s'", name);
    return NULL;
}

static size_t n_drops(const rig_market *market, const char *reason)
{
    size_t n = 0;
    for (size_t i = 0; i < market->n_drops; i++) {
        n += strcmp(market->drops[i].reason, reason) == 0 ? 1 : 0;
    }
    return n;
}

static void test_import__sample(void **state)
{
    (void)state;
    static const char *const directories[] = {SAMPLE "/lists", SAMPLE "/specifications"};
    rig_catalog *const shipped = load_tiny();
    rig_market *const market = import(shipped, NULL, directories, 2);
    assert_int_equal(market->n_broken, 3);
    assert_int_equal(n_drops(market, "a broken line"), 2); /* the third is a specification */
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        const rig_market_table *const table = &market->tables[t];
        assert_int_equal(table->n_listed, table->n_rows + table->n_folded + table->n_dropped);
        assert_int_equal(table->n_new, table->n_rows);
    }
    /* figures of the shipped processor, price of the list */
    const char *const cpu = "AMD Ryzen 5 7600X";
    assert_string_equal(cell(market, RIG_TABLE_CPU, cpu, "pcie_lanes"), "28");
    assert_string_equal(cell(market, RIG_TABLE_CPU, cpu, "price_date"), "2025-07-23");
    assert_string_equal(cell(market, RIG_TABLE_CPU, cpu, "price_source"),
                        "github.com/docyx/pc-part-dataset@c52a04ca9465");
    rig_market_free(market);
    rig_catalog_free(shipped);
}

/* Cards have the figures of their chip and a length of their own; the cheapest offer counts. */
static void test_import__cards(void **state)
{
    (void)state;
    temp_catalog lists;
    temp_catalog_open(&lists);
    (void)temp_catalog_write(
        &lists,
        "video-card.csv",
        "name,price,chipset,memory,core_clock,boost_clock,color,length\n"
        "Maker GeForce RTX 4090 Gaming,1999.99,GeForce RTX 4090,24,,,Black,336\n"
        "Maker GeForce RTX 4090 Gaming,1899.5,GeForce RTX 4090,24,,,White,336\n"
        "Maker Eagle,1700,GeForce RTX 4090 LHR,24,,,,\n"
        "Maker Fake,100,GeForce RTX 4090,12,,,,\n"
        "Maker Free,,GeForce RTX 4090,24,,,,\n"
        "Maker Bad,x12,GeForce RTX 4090,24,,,,\n"
        "\"=cmd|' /C calc'!A0\",500,GeForce RTX 3090,24,,,,313\n");
    const char *const directories[] = {lists.path};
    rig_catalog *const shipped = load_tiny();
    rig_market *const market = import(shipped, NULL, directories, 1);
    const rig_market_table *const gpus = &market->tables[RIG_TABLE_GPU];
    assert_int_equal(gpus->n_rows, 3);
    assert_int_equal(gpus->n_folded, 1);
    assert_int_equal(gpus->n_dropped, 3);
    const char *const card = "Maker GeForce RTX 4090 Gaming 24GB";
    assert_string_equal(cell(market, RIG_TABLE_GPU, card, "price_usd"), "1899.5");
    assert_string_equal(cell(market, RIG_TABLE_GPU, card, "chip"), "NVIDIA GeForce RTX 4090");
    assert_string_equal(cell(market, RIG_TABLE_GPU, card, "mem_gbs"), "1008");
    assert_string_equal(cell(market, RIG_TABLE_GPU, card, "length_mm"), "336");
    assert_string_equal(
        cell(market, RIG_TABLE_GPU, "Maker Eagle GeForce RTX 4090 LHR 24GB", "chip"),
        "NVIDIA GeForce RTX 4090");
    assert_int_equal(n_drops(market, "no price"), 1);
    assert_int_equal(n_drops(market, "not a price"), 1);
    assert_int_equal(n_drops(market, "no figures of this chip with this memory"), 1);
    rig_market_free(market);
    rig_catalog_free(shipped);
    temp_catalog_close(&lists);
}

static void test_import__changes(void **state)
{
    (void)state;
    temp_catalog before, lists;
    temp_catalog_open(&before);
    temp_catalog_open(&lists);
    (void)temp_catalog_write(
        &before,
        "chassis.csv",
        "name,form_factor,rack_u,expansion_slots,max_gpu_length_mm,drive_bays_35,price_usd\n"
        "Dear,ATX Mid Tower,,7,,,100\nGone,ATX Mid Tower,,7,,,100\nSame,ATX Mid Tower,,7,,,100\n");
    (void)temp_catalog_write(
        &lists,
        "case.csv",
        "name,price,type,color,psu,side_panel,external_volume,internal_35_bays\n"
        "Dear,120,ATX Mid Tower,,,,,2\nSame,100,ATX Mid Tower,,,,,2\n"
        "Added,50,MicroATX Mini Tower,,,,,\n");
    const char *const old[] = {before.path}, *const directories[] = {lists.path};
    rig_catalog *const shipped = load_tiny(), *const catalog = load(old, 1, true);
    rig_market *const market = import(shipped, catalog, directories, 1);
    const rig_market_table *const cases = &market->tables[RIG_TABLE_CHASSIS];
    assert_int_equal(cases->n_new, 1);
    assert_int_equal(cases->n_repriced, 1);
    assert_int_equal(cases->n_same, 1);
    assert_int_equal(cases->n_gone, 1);
    assert_string_equal(cell(market, RIG_TABLE_CHASSIS, "Added", "expansion_slots"), "4");
    rig_market_free(market);
    rig_catalog_free(catalog);
    rig_catalog_free(shipped);
    temp_catalog_close(&lists);
    temp_catalog_close(&before);
}

static void test_import__errors(void **state)
{
    (void)state;
    temp_catalog empty;
    temp_catalog_open(&empty);
    rig_catalog *const shipped = load_tiny();
    rig_market *market = NULL;
    rig_error err = {0};
    const char *const missing[] = {"/nonexistent"}, *const none[] = {empty.path};
    rig_market_options options = {.directories = missing, .n_directories = 1, .shipped = shipped};
    assert_int_equal(rig_market_import(&market, &options, &err), RIG_E_IO);
    assert_null(market);
    options.directories = none;
    assert_int_equal(rig_market_import(&market, &options, &err), RIG_E_NOTFOUND);
    (void)temp_catalog_write(&empty, "cpu.csv", "na\"me,price\n");
    assert_int_equal(rig_market_import(&market, &options, &err), RIG_E_PARSE);
    rig_catalog_free(shipped);
    temp_catalog_close(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_import__sample),
        cmocka_unit_test(test_import__cards),
        cmocka_unit_test(test_import__changes),
        cmocka_unit_test(test_import__errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
