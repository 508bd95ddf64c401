/* SPDX-License-Identifier: GPL-3.0-or-later
 * Part lists that people published, on the shipped catalogue: sound ones pass, ones that were found
 * not to work are refused for the right reason; predictions and needs of a known machine. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_near.h"
#include "trainrig/optimizer.h"

#define CAP 16

typedef struct shipped {
    rig_catalog *catalog;
    rig_constants *constants;
} shipped;

static shipped data;

static int load(void **state)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    rig_catalog_options options = rig_catalog_options_default();
    rig_error err = {0};
    options.directories = directories;
    options.n_directories = 2;
    if (rig_catalog_load(&data.catalog, &options, &err) != RIG_OK ||
        rig_constants_new(&data.constants, data.catalog, &err) != RIG_OK) {
        print_error("%s:%ld:%ld: %s\n", err.where, err.line, err.column, err.message);
        return -1;
    }
    *state = &data;
    return 0;
}

static int unload(void **state)
{
    (void)state;
    rig_constants_free(data.constants);
    rig_catalog_free(data.catalog);
    return 0;
}

/* A published list; NULL: the list does not name the part, or the catalogue does not hold it. */
typedef struct list {
    const char *name;
    const char *cpu, *board, *memory, *gpu, *storage, *psu, *chassis;
    const char *rule;    /**< NULL: goes together */
    const char *text[2]; /**< what the message names */
} list;

static void add(rig_build *build, rig_table table, const char *text)
{
    rig_error err = {0};
    if (text != NULL && rig_build_set(build, data.catalog, table, text, &err) != RIG_OK) {
        fail_msg("%s (%s)", err.message, err.hint);
    }
}

static rig_build build_of(const list *row)
{
    rig_build build = rig_build_empty();
    add(&build, RIG_TABLE_CPU, row->cpu);
    add(&build, RIG_TABLE_BOARD, row->board);
    add(&build, RIG_TABLE_MEMORY, row->memory);
    add(&build, RIG_TABLE_GPU, row->gpu);
    add(&build, RIG_TABLE_STORAGE, row->storage);
    add(&build, RIG_TABLE_PSU, row->psu);
    add(&build, RIG_TABLE_CHASSIS, row->chassis);
    return build;
}

static const list published[] = {
    /* people's builds that run */
    {.name = "A100 workstation",
     .cpu = "AMD EPYC 7313",
     .board = "Supermicro H12SSL-i",
     .memory = "Generic RDIMM DDR4-3200 8x32GB",
     .gpu = "NVIDIA A100 PCIe 80GB",
     .storage = "Samsung 990 Pro 2TB",
     .psu = "1600 W titanium (generic)",
     .chassis = "Fractal Design Define 7 XL"},
    {.name = "four A6000 in a full tower",
     .cpu = "AMD Ryzen Threadripper PRO 7975WX",
     .board = "ASUS Pro WS WRX90E-SAGE SE",
     .memory = "Kingston FURY Renegade Pro DDR5-4800 4x32GB",
     .gpu = "NVIDIA RTX A6000 x4",
     .storage = "Samsung 990 Pro 2TB",
     .chassis = "Fractal Design Define 7 XL"},
    {.name = "one RTX 4090 on a desktop board",
     .cpu = "AMD Ryzen 7 7700X",
     .board = "Asus PRIME B650-PLUS WIFI",
     .memory = "Crucial Classic DDR5-5600 2x32GB",
     .gpu = "NVIDIA GeForce RTX 4090",
     .storage = "Samsung 990 Pro 2TB",
     .psu = "1600 W titanium (generic)",
     .chassis = "Fractal Design Define 7 XL"},
    /* the same kind of lists with a fault that their readers found */
    {.name = "unbuffered modules on TRX50",
     .cpu = "AMD Ryzen Threadripper 7960X",
     .board = "ASUS Pro WS TRX50-SAGE WIFI",
     .memory = "Crucial Classic DDR5-5600 2x32GB",
     .gpu = "NVIDIA GeForce RTX 5090",
     .storage = "Samsung 990 Pro 2TB",
     .rule = "memory-type",
     .text = {"'Crucial Classic DDR5-5600 2x32GB' is UDIMM",
              "'ASUS Pro WS TRX50-SAGE WIFI' takes RDIMM only"}},
    {.name = "non-PRO Threadripper on WRX90",
     .cpu = "AMD Ryzen Threadripper 7970X",
     .board = "ASUS Pro WS WRX90E-SAGE SE",
     .memory = "Kingston KSM48R40BD4TMM-64HMR DDR5-4800 1x64GB x4",
     .gpu = "NVIDIA GeForce RTX 4090",
     .storage = "Samsung 990 Pro 2TB",
     .chassis = "Fractal Design Define 7 XL",
     .rule = "cpu-family",
     .text = {"'AMD Ryzen Threadripper 7970X' is Zen 4 Threadripper",
              "'ASUS Pro WS WRX90E-SAGE SE' takes"}},
    {.name = "DDR4 modules on a DDR5 board",
     .cpu = "AMD Ryzen 7 7700X",
     .board = "Asus PRIME B650-PLUS WIFI",
     .memory = "TEAMGROUP T-Create Classic DDR4-3200 2x16GB",
     .gpu = "NVIDIA GeForce RTX 4090",
     .rule = "memory-type",
     .text = {"'TEAMGROUP T-Create Classic DDR4-3200 2x16GB' is DDR4",
              "'Asus PRIME B650-PLUS WIFI' takes DDR5"}},
    {.name = "four wide RTX 4090 in eight positions",
     .cpu = "AMD Ryzen Threadripper PRO 7975WX",
     .board = "ASUS Pro WS WRX90E-SAGE SE",
     .memory = "Kingston FURY Renegade Pro DDR5-4800 4x32GB x2",
     .gpu = "NVIDIA GeForce RTX 4090 x4",
     .rule = "gpu-slots",
     .text = {"'NVIDIA GeForce RTX 4090 x4' (4 slots wide)", "takes 2"}},
    {.name = "Intel processor on an AMD board",
     .cpu = "Intel Core i9-14900K",
     .board = "Asus PRIME B650-PLUS WIFI",
     .rule = "socket",
     .text = {"needs socket LGA1700", "has AM5"}},
};

static void test_build_check__published_lists(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const rig_build build = build_of(&published[i]);
        rig_violation found[CAP];
        const size_t count =
            rig_build_check(&build, data.catalog, data.constants, false, found, CAP);
        const size_t expected = published[i].rule == NULL ? 0 : 1;
        for (size_t k = 0; k < count && k < CAP && count != expected; k++) {
            print_error("%s: %s: %s\n", published[i].name, found[k].rule, found[k].message);
        }
        assert_true(count == expected);
        if (published[i].rule == NULL) {
            continue;
        }
        assert_string_equal(found[0].rule, published[i].rule);
        for (size_t k = 0; k < 2; k++) {
            if (strstr(found[0].message, published[i].text[k]) == NULL) {
                fail_msg("%s: '%s' is not in: %s",
                         published[i].name,
                         published[i].text[k],
                         found[0].message);
            }
        }
    }
}

static rig_request request_of(const char *workload)
{
    rig_request request = rig_request_default();
    rig_error err = {0};
    if (rig_workload_find(data.catalog, workload, &request.workload, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return request;
}

/* A small network on a desktop: eight cores prepare less than the GPU could train on. */
static void test_predict__desktop_is_bound_by_preparation(void **state)
{
    static const list desktop = {.cpu = "AMD Ryzen 7 7700X",
                                 .board = "Asus PRIME B650-PLUS WIFI",
                                 .memory = "Crucial Classic DDR5-5600 2x32GB",
                                 .gpu = "NVIDIA GeForce RTX 4090",
                                 .storage = "Samsung 990 Pro 2TB",
                                 .psu = "1600 W titanium (generic)",
                                 .chassis = "Fractal Design Define 7 XL"};
    const rig_request request = request_of("resnet18-imagenet");
    const rig_build build = build_of(&desktop);
    rig_result *result = NULL;
    rig_error err = {0};
    (void)state;
    if (rig_predict(&result, data.catalog, data.constants, &request, &build, 1, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    const rig_build_report *const report = &result->builds[0];
    assert_int_equal(report->prediction.binding, RIG_STAGE_DECODE);
    assert_false(report->prediction.has_unknown);
    assert_false(report->prediction.is_out_of_memory);
    assert_true(report->prediction.images_per_s > 100);
    assert_true(report->prediction.images_per_s_low < report->prediction.images_per_s);
    assert_true(report->prediction.images_per_s < report->prediction.images_per_s_high);
    assert_true(report->price_cents > 200000);
    assert_true(report->cost_per_epoch_usd > 0);
    rig_result_free(result);
}

/* What the same card needs to be busy with the slowest loader: more than eight reference cores. */
static void test_require__keeps_an_rtx_4090_busy(void **state)
{
    const rig_request request = request_of("resnet50-imagenet-pillow");
    rig_build build = rig_build_empty();
    rig_requirements *needs = NULL;
    rig_error err = {0};
    (void)state;
    add(&build, RIG_TABLE_GPU, "NVIDIA GeForce RTX 4090");
    if (rig_require(&needs, data.catalog, data.constants, &request, &build, NAN, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    size_t n_priced = 0;
    for (size_t i = 0; i < needs->n_items; i++) {
        const rig_requirement *const item = &needs->items[i];
        assert_true(!isnan(item->need));
        assert_true(item->need >= 0);
        if (item->cheapest.row == NULL) {
            continue;
        }
        n_priced++;
        assert_true(item->price_cents == item->cheapest.row->price.cents * item->cheapest.count);
        rig_build one = rig_build_empty();
        one.parts[item->cheapest.row->table] = item->cheapest;
        assert_int_equal(rig_build_check(&one, data.catalog, data.constants, false, NULL, 0), 0);
        if (strstr(item->what, "CPU cores") != NULL) {
            assert_true(item->need > 8);
        }
    }
    assert_true(n_priced >= 6);
    rig_requirements_free(needs);
}

/* Every row of the catalogue can be predicted or is refused with a reason. */
static void test_predict__every_server_and_gpu(void **state)
{
    static const rig_table tables[] = {RIG_TABLE_GPU, RIG_TABLE_SERVER, RIG_TABLE_BASEBOARD};
    const rig_request request = request_of("resnet50-imagenet");
    (void)state;
    for (size_t i_table = 0; i_table < sizeof tables / sizeof tables[0]; i_table++) {
        const size_t n_rows = rig_catalog_count(data.catalog, tables[i_table]);
        assert_true(n_rows > 0);
        for (size_t i_row = 0; i_row < n_rows; i_row++) {
            rig_build build = rig_build_empty();
            rig_result *result = NULL;
            rig_error err = {0};
            build.parts[tables[i_table]].row =
                rig_catalog_row(data.catalog, tables[i_table], i_row);
            build.parts[tables[i_table]].count = 1;
            const rig_status status =
                rig_predict(&result, data.catalog, data.constants, &request, &build, 1, &err);
            if (status != RIG_OK &&
                (status != RIG_E_INVALID || strstr(err.message, "names no GPU") == NULL)) {
                fail_msg("%s: %s", build.parts[tables[i_table]].row->name, err.message);
            }
            rig_result_free(result);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_check__published_lists),
        cmocka_unit_test(test_predict__desktop_is_bound_by_preparation),
        cmocka_unit_test(test_require__keeps_an_rtx_4090_busy),
        cmocka_unit_test(test_predict__every_server_and_gpu),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
