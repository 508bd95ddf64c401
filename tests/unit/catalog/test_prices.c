/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which price of a part counts, and what is left out. */
#include "temp_catalog.h"
#include "trainrig/catalog.h"

#define PSUS "name,form_factor,wattage_w,price_usd,price_kind,price_source,price_date,price_trust\n"
/* Ten supplies of 100 dollars make the median of the class. */
#define TEN                                                                                        \
    "m0,ATX,500,100,,,,\nm1,ATX,500,100,,,,\nm2,ATX,500,100,,,,\nm3,ATX,500,100,,,,\n"             \
    "m4,ATX,500,100,,,,\nm5,ATX,500,100,,,,\nm6,ATX,500,100,,,,\nm7,ATX,500,100,,,,\n"             \
    "m8,ATX,500,100,,,,\nm9,ATX,500,100,,,,\n"
#define QUOTES                                                                                     \
    "part_class,name,price_usd,price_kind,price_source,price_date,price_trust,price_local,"        \
    "currency\n"

typedef struct scenario {
    const char *name;
    const char *part;   /* the row of x behind its wattage, or NULL */
    const char *quotes; /* NULL: no file */
    const char *own;    /* NULL: no file; with header */
    rig_price_policy policy;
    int64_t cents;
    size_t n_prices; /* known */
    size_t n_foreign, n_absurd, n_date, n_trust, n_used;
} scenario;

#define ANY                                                                                        \
    {                                                                                              \
        .lowest_trust = RIG_TRUST_LOW                                                              \
    }

static const scenario scenarios[] = {
    {"own price only", "120,,,,", NULL, NULL, ANY, 12000, 1, 0, 0, 0, 0, 0},
    {"no price", ",,,,", NULL, NULL, ANY, -1, 0, 0, 0, 0, 0, 0},
    {"newest",
     "120,,,2025-01,",
     "psu,x,130,,,2025-02-01,,,\npsu,x,140,,,2024,,,\n",
     NULL,
     ANY,
     13000,
     3,
     0,
     0,
     0,
     0,
     0},
    {"unknown date is oldest",
     "120,,,,",
     "psu,x,130,,,1999,,,\n",
     NULL,
     ANY,
     13000,
     2,
     0,
     0,
     0,
     0,
     0},
    {"low trust only if nothing better",
     "120,,,2020,fair",
     "psu,x,90,,,2026,low,,\n",
     NULL,
     ANY,
     12000,
     2,
     0,
     0,
     0,
     0,
     0},
    {"low trust at last", ",,,,", "psu,x,90,,,2026,low,,\n", NULL, ANY, 9000, 1, 0, 0, 0, 0, 0},
    {"newer fair before older good",
     "120,,,2020,good",
     "psu,x,130,,,2021,fair,,\n",
     NULL,
     ANY,
     13000,
     2,
     0,
     0,
     0,
     0,
     0},
    {"tie: trust",
     "120,,,2020,fair",
     "psu,x,130,,,2020,good,,\n",
     NULL,
     ANY,
     13000,
     2,
     0,
     0,
     0,
     0,
     0},
    {"tie: lower price",
     "120,,,2020,good",
     "psu,x,110,,,2020,good,,\n",
     NULL,
     ANY,
     11000,
     2,
     0,
     0,
     0,
     0,
     0},
    {"foreign only", "120,,,2020,", "psu,x,,,,2026,,99,EUR\n", NULL, ANY, 12000, 1, 1, 0, 0, 0, 0},
    {"zero", "0,,,,", NULL, NULL, ANY, -1, 1, 0, 1, 0, 0, 0},
    {"zero allowed",
     "0,,,,",
     NULL,
     NULL,
     {.lowest_trust = RIG_TRUST_LOW, .allow_absurd = true},
     0,
     1,
     0,
     0,
     0,
     0,
     0},
    {"absurd", "0.99,,,2026,", "psu,x,1,,,2020,,,\n", NULL, ANY, 100, 2, 0, 1, 0, 0, 0},
    {"absurd allowed",
     "0.99,,,2026,",
     "psu,x,5,,,2020,,,\n",
     NULL,
     {.lowest_trust = RIG_TRUST_LOW, .allow_absurd = true},
     99,
     2,
     0,
     0,
     0,
     0,
     0},
    {"after a date",
     "120,,,2025-05-31,",
     "psu,x,130,,,2025-06-01,,,\n",
     NULL,
     {.after_ymd = 20250601, .lowest_trust = RIG_TRUST_LOW},
     13000,
     2,
     0,
     0,
     11,
     0,
     0},
    {"unknown day is the earliest",
     "120,,,2025-06,",
     NULL,
     NULL,
     {.after_ymd = 20250601, .lowest_trust = RIG_TRUST_LOW},
     -1,
     1,
     0,
     0,
     11,
     0,
     0},
    {"trust",
     "120,,,2025,low",
     "psu,x,130,,,2020,fair,,\n",
     NULL,
     {.lowest_trust = RIG_TRUST_FAIR},
     13000,
     2,
     0,
     0,
     0,
     1,
     0},
    {"trust good",
     "120,,,2025,fair",
     NULL,
     NULL,
     {.lowest_trust = RIG_TRUST_GOOD},
     -1,
     1,
     0,
     0,
     0,
     11,
     0},
    {"used",
     "120,used-median,,2026,",
     "psu,x,130,street,,2020,,,\npsu,x,50,eBay,,2026,,,\n",
     NULL,
     ANY,
     13000,
     3,
     0,
     0,
     0,
     0,
     2},
    {"renewed", "120,Renewed,,2026,", NULL, NULL, ANY, -1, 1, 0, 0, 0, 0, 1},
    {"used allowed",
     "120,used-median,,2026,",
     "psu,x,130,street,,2020,,,\n",
     NULL,
     {.lowest_trust = RIG_TRUST_LOW, .allow_used = true},
     12000,
     2,
     0,
     0,
     0,
     0,
     0},
    {"another class and name",
     "120,,,,",
     "cpu,x,130,,,2026,,,\npsu,X,130,,,2026,,,\n",
     NULL,
     ANY,
     12000,
     1,
     0,
     0,
     0,
     0,
     0},
    {"own quote wins over newer",
     "120,,,2026,good",
     "psu,x,130,,,2026-05,good,,\n",
     QUOTES "psu,x,200,used,,1990,low,,\n",
     ANY,
     20000,
     3,
     0,
     0,
     0,
     0,
     0},
    {"own quote without class",
     "120,,,,",
     NULL,
     "name,price_usd\nx,77.5\n",
     ANY,
     7750,
     2,
     0,
     0,
     0,
     0,
     0},
    {"own quote may be low",
     "120,,,,",
     NULL,
     "name,price_usd\nx,1\n",
     {.after_ymd = 20260101, .lowest_trust = RIG_TRUST_GOOD},
     100,
     2,
     0,
     0,
     11,
     0,
     0},
    {"own zero is left out",
     "120,,,,",
     NULL,
     "name,price_usd\nx,0\n",
     ANY,
     12000,
     2,
     0,
     1,
     0,
     0,
     0},
    {"newest own quote",
     "120,,,,",
     NULL,
     "name,price_usd,price_date\nx,80,2025\nx,90,2026\n",
     ANY,
     9000,
     3,
     0,
     0,
     0,
     0,
     0},
};

static rig_status load(const scenario *is, temp_catalog *temp, rig_catalog **out, rig_error *err)
{
    char text[2048];
    snprintf(text, sizeof text, PSUS TEN "x,ATX,500,%s\n", is->part);
    temp_catalog_write(temp, "psus.csv", text);
    if (is->quotes != NULL) {
        snprintf(text, sizeof text, QUOTES "%s", is->quotes);
        temp_catalog_write(temp, "quotes.csv", text);
    }
    temp_catalog other;
    temp_catalog_open(&other);
    const char *const directories[] = {temp->path};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    options.policy = is->policy;
    if (is->own != NULL) {
        options.quotes_file = temp_catalog_write(&other, "mine.csv", is->own);
    }
    const rig_status status = rig_catalog_load(out, &options, err);
    temp_catalog_close(&other);
    return status;
}

static void check_scenario(const scenario *is)
{
    temp_catalog temp;
    temp_catalog_open(&temp);
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    if (load(is, &temp, &catalog, &err) != RIG_OK) {
        fail_msg("%s: %s", is->name, err.message);
    }
    const rig_row *const x = rig_catalog_get(catalog, RIG_TABLE_PSU, "x");
    const rig_catalog_summary *const sum = rig_catalog_summary_get(catalog);
    rig_price prices[8];
    const size_t n_prices = rig_catalog_prices(catalog, x, prices, 8);
    if (x->price.cents != is->cents || n_prices != is->n_prices) {
        fail_msg("%s: %lld cents of %zu", is->name, (long long)x->price.cents, n_prices);
    }
    if (is->cents >= 0) {
        assert_int_equal(prices[0].cents, is->cents);
    }
    if (sum->quotes_unused_foreign != is->n_foreign || sum->excluded_absurd != is->n_absurd ||
        sum->excluded_date != is->n_date || sum->excluded_trust != is->n_trust ||
        sum->excluded_used != is->n_used) {
        fail_msg("%s: foreign %zu absurd %zu date %zu trust %zu used %zu",
                 is->name,
                 sum->quotes_unused_foreign,
                 sum->excluded_absurd,
                 sum->excluded_date,
                 sum->excluded_trust,
                 sum->excluded_used);
    }
    rig_catalog_free(catalog);
    temp_catalog_close(&temp);
}

static void test_prices__policy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        check_scenario(&scenarios[i]);
    }
}

static void test_prices__excluded_price_stays_for_information(void **state)
{
    (void)state;
    const scenario is = {.part = "120,used-median,shop,2026-03,good", .policy = ANY};
    temp_catalog temp;
    temp_catalog_open(&temp);
    rig_catalog *catalog = NULL;
    assert_int_equal(load(&is, &temp, &catalog, NULL), RIG_OK);
    const rig_price price = rig_catalog_get(catalog, RIG_TABLE_PSU, "x")->price;
    assert_int_equal(price.cents, -1);
    assert_string_equal(price.kind, "used-median");
    assert_string_equal(price.source, "shop");
    assert_string_equal(price.date, "2026-03");
    rig_catalog_free(catalog);
    temp_catalog_close(&temp);
}

static void test_prices__own_quotes_errors(void **state)
{
    (void)state;
    static const struct {
        const char *name, *own;
        rig_status status;
        long line, column;
        const char *message, *hint;
    } rows[] = {
        {"unknown part",
         "name,price_usd\nx,1\n\ny,2\n",
         RIG_E_NOTFOUND,
         4,
         1,
         "quote for an unknown part: 'y' (expected a part of the catalogue)",
         ""},
        {"unknown part of a class",
         "price_usd,name,part_class\n2,m11,psu\n",
         RIG_E_NOTFOUND,
         2,
         3,
         "quote for an unknown part: 'm11' (expected a psu of the catalogue)",
         "nearest: m1"},
        {"no price column", "name\nx\n", RIG_E_SCHEMA, 1, 0, "missing column: 'price_usd'", ""},
        {"no price", "name,price_usd\nx,\n", RIG_E_PARSE, 2, 0, "quote without a price: 'x'", ""},
        {"bad price", "name,price_usd\nx,$5\n", RIG_E_PARSE, 2, 3, "currency sign: '$5'", ""},
        {"empty file", "", RIG_E_PARSE, 1, 1, "empty file", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const scenario is = {.part = "120,,,,", .own = rows[i].own, .policy = ANY};
        temp_catalog temp;
        temp_catalog_open(&temp);
        rig_catalog *catalog = NULL;
        rig_error err = {0};
        const rig_status status = load(&is, &temp, &catalog, &err);
        if (status != rows[i].status || err.line != rows[i].line || err.column != rows[i].column ||
            strstr(err.message, rows[i].message) != err.message ||
            strstr(err.hint, rows[i].hint) == NULL || strstr(err.where, "mine.csv") == NULL) {
            fail_msg("%s: %d %s:%ld:%ld: %s [%s]",
                     rows[i].name,
                     (int)status,
                     err.where,
                     err.line,
                     err.column,
                     err.message,
                     err.hint);
        }
        assert_null(catalog);
        temp_catalog_close(&temp);
    }
}

static void test_prices__own_quote_of_several_classes(void **state)
{
    (void)state;
    temp_catalog temp;
    temp_catalog_open(&temp);
    temp_catalog_write(&temp, "psus.csv", "name,form_factor,wattage_w\nx,ATX,500\n");
    temp_catalog_write(&temp, "chassis.csv", "name,form_factor\nx,ATX\n");
    const char *const directories[] = {temp.path};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    options.quotes_file = temp_catalog_write(&temp, "mine.txt", "name,price_usd\nx,5\n");
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    assert_int_equal(rig_catalog_load(&catalog, &options, &err), RIG_E_INVALID);
    assert_int_equal(err.line, 2);
    assert_string_equal(err.message,
                        "several parts of this name: 'x' (give the class in part_class)");
    temp_catalog_write(&temp, "mine.txt", "name,part_class,price_usd\nx,chassis,5\n");
    assert_int_equal(rig_catalog_load(&catalog, &options, &err), RIG_OK);
    assert_int_equal(rig_catalog_get(catalog, RIG_TABLE_PSU, "x")->price.cents, -1);
    assert_int_equal(rig_catalog_get(catalog, RIG_TABLE_CHASSIS, "x")->price.cents, 500);
    rig_catalog_free(catalog);
    temp_catalog_close(&temp);
}

static void count_warning(const rig_error *problem, bool is_error, void *payload)
{
    assert_false(is_error);
    assert_int_equal(problem->status, RIG_E_NOTFOUND);
    assert_int_equal(problem->line, 3);
    ++*(size_t *)payload;
}

static void test_prices__shipped_quote_without_part(void **state)
{
    (void)state;
    temp_catalog temp;
    temp_catalog_open(&temp);
    temp_catalog_write(&temp, "psus.csv", "name,form_factor,wattage_w\nx,ATX,500\n");
    temp_catalog_write(&temp, "quotes.csv", "part_class,name,price_usd\npsu,x,5\npsu,y,5\n");
    const char *const directories[] = {temp.path};
    size_t n_warnings = 0;
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    options.on_problem = count_warning;
    options.payload = &n_warnings;
    rig_catalog *catalog = NULL;
    assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
    rig_catalog_free(catalog);
    assert_int_equal(n_warnings, 0);
    options.is_check = true;
    assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
    rig_catalog_free(catalog);
    assert_int_equal(n_warnings, 1);
    temp_catalog_close(&temp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prices__policy),
        cmocka_unit_test(test_prices__excluded_price_stays_for_information),
        cmocka_unit_test(test_prices__own_quotes_errors),
        cmocka_unit_test(test_prices__own_quote_of_several_classes),
        cmocka_unit_test(test_prices__shipped_quote_without_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
