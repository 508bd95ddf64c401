/* SPDX-License-Identifier: GPL-3.0-or-later
 * A result made by hand, and a sink that keeps what is written. */
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rig_row row(rig_table table, const char *name, int64_t cents)
{
    return (rig_row){
        .name = name,
        .file = "sample.csv",
        .line = 2,
        .table = table,
        .price =
            {
                .cents = cents,
                .kind = "street",
                .source = "a shop",
                .date = "2025-07-23",
                .date_ymd = 20250723,
                .trust = RIG_TRUST_GOOD,
            },
    };
}

static void fill_rows(sample *s)
{
    s->cpu.row = row(RIG_TABLE_CPU, "AMD Ryzen Threadripper 7960X", 139900);
    s->cpu.vendor = "AMD";
    s->gpu.vendor = "NVIDIA";
    s->cpu.row.price.kind = "list-1kU";
    s->gpu.row = row(RIG_TABLE_GPU, "NVIDIA GeForce RTX 4090", 200050);
    s->gpu.row.price.trust = RIG_TRUST_LOW;
    s->gpu.row.price.date = "2024-11";
    s->gpu.row.price.date_ymd = 20241100;
    s->memory.row =
        row(RIG_TABLE_MEMORY, "Silicon Power XPOWER Pulse Gaming DDR5-6000 2x32GB", 15999);
    s->storage.row = row(RIG_TABLE_STORAGE, "Samsung 990 Pro 2TB", 14999);
    s->board.row = row(RIG_TABLE_BOARD, "Gigabyte TRX50 AERO D", 59999);
    s->psu.row = row(RIG_TABLE_PSU, "Corsair AX1600i", 60999);
    s->chassis.row = row(RIG_TABLE_CHASSIS, "Fractal Design North XL", 17999);
    s->server.row = row(RIG_TABLE_SERVER, "Supermicro AS-4125GS-TNRT configured 4x H100", 15000000);
    s->server.cpu_name = "AMD EPYC 9354";
    s->server.cpu_count = 2;
    s->server.gpu_name = "NVIDIA H100 PCIe";
    s->server.gpu_count = 4;
    s->server.ram_gb = 512;
    s->server.storage_gb = (double)NAN;
    s->network.row = row(RIG_TABLE_NETWORK, "resnet50", -1);
    s->dataset.row = row(RIG_TABLE_DATASET, "imagenet", -1);
    s->dataset.images = 1281167;
    s->loader.row = row(RIG_TABLE_LOADER, "torchvision", -1);
    s->stack.row = row(RIG_TABLE_STACK, "pytorch", -1);
}

static rig_unnamed nothing_unnamed(void)
{
    const double unknown = (double)NAN;
    return (rig_unnamed){unknown, unknown, unknown, unknown, unknown, unknown};
}

static void fill_prediction(rig_prediction *p)
{
    const double rates[] = {(double)INFINITY, 2913.5, 21000.25, 9100.0, 3300.0, 3150.0};
    *p = (rig_prediction){
        .binding = RIG_STAGE_DECODE,
        .images_per_s = 2913.5,
        .images_per_s_low = 2400.0,
        .images_per_s_high = 3500.0,
        .epoch_s = 439.7,
        .epoch_s_low = 366.0,
        .epoch_s_high = 533.8,
        .first_epoch_s = 520.25,
        .first_epoch_s_low = 430.5,
        .first_epoch_s_high = 640.75,
        .first_binding = RIG_STAGE_STORAGE,
        .run_s = 39653.5,
        .prep_images_per_s = 2913.5,
        .train_images_per_s = 3150.0,
        .balance_frac = 0.9249,
        .cache_hit_frac = 1.0,
        .batch_per_gpu = 256,
        .batch_max = 310,
        .gpu_busy_frac = 0.88,
        .cpu_busy_frac = 1.0,
        .power_w = 1180.4,
        .energy_kwh_per_epoch = 0.1442,
    };
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        p->stages[i] = (rig_stage_rate){rates[i], 0.1, 1.0 - 2913.5 / rates[i]};
    }
}

static void fill_build(sample *s, rig_build_report *report, int rank)
{
    const struct {
        const rig_row *row;
        int count;
    } uses[] = {
        {&s->cpu.row, 1},
        {&s->gpu.row, 2},
        {&s->memory.row, 2},
        {&s->storage.row, 1},
        {&s->board.row, 1},
        {&s->psu.row, 1},
        {&s->chassis.row, 1},
    };
    int64_t price_cents = 0;
    *report = (rig_build_report){.rank = rank, .cost_per_epoch_usd = 0.31725};
    report->build.unnamed = nothing_unnamed();
    for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
        report->build.parts[uses[i].row->table] =
            (rig_part_use){.row = uses[i].row, .count = uses[i].count};
        price_cents += uses[i].row->price.cents * uses[i].count;
    }
    report->price_cents = price_cents;
    fill_prediction(&report->prediction);
    report->totals = (rig_build_totals){
        .peak_w = 1490,
        .supply_w = 1600,
        .rack_u = (double)NAN,
        .gpu_count = 2,
        .gpu_mem_gb = 48,
        .cpu_cores = 24,
        .ram_gb = 128,
        .storage_gb = 2000,
        .pcie_lanes_spare = 12,
    };
    static const char *warnings[] = {
        "price of NVIDIA GeForce RTX 4090 is over a year old (2024-11)"};
    report->warnings = (rig_texts){warnings, 1};
}

static void fill_texts(rig_result *result)
{
    static const char *reasons[] = {
        "a third GPU would not be faster: decode binds at 2,914 images/s",
        "AMD Ryzen 9 9950X would save USD 900.00 but holds the GPUs back to 1,900 images/s",
    };
    static const char *assumptions[] = {
        "images are decoded on the CPU by torchvision with one worker per core",
        "electricity 0.15 USD/kWh, PUE 1.4, 3 years at 70 % use",
    };
    result->reasons = (rig_texts){reasons, 2};
    result->assumptions = (rig_texts){assumptions, 2};
}

sample *sample_new(void)
{
    sample *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    fill_rows(s);
    fill_build(s, &s->builds[0], 1);
    (void)strcpy(s->conditions[0].text, "gpu.mem_gb >= 24");
    s->result = (rig_result){
        .outcome = RIG_OUTCOME_OPTIMAL,
        .proof = {"all combinations bounded", 2913.5, 0.0, 1200, 340, 51234, 7, 19},
        .request = rig_request_default(),
        .builds = s->builds,
        .n_builds = 1,
        .is_conflict_minimal = true,
        .least_budget_cents = -1,
        .catalog_hash = 0x0123456789abcdefU,
    };
    s->result.request.workload = (rig_workload){
        .name = "resnet50-imagenet",
        .network = &s->network,
        .dataset = &s->dataset,
        .loader = &s->loader,
        .stack = &s->stack,
        .precision = RIG_PRECISION_AMP,
        .batch_per_gpu = 256,
        .epochs = 90,
        .is_overlapped = true,
        .workers = (double)NAN,
    };
    s->result.request.budget_cents = 1200000;
    s->result.request.conditions = s->conditions;
    s->result.request.n_conditions = 1;
    fill_texts(&s->result);
    return s;
}

sample *sample_new_list(size_t n_builds)
{
    sample *s = sample_new();
    assert_in_range(n_builds, 1, 5);
    for (size_t i = 1; i < n_builds; i++) {
        fill_build(s, &s->builds[i], (int)i + 1);
        s->builds[i].build.parts[RIG_TABLE_GPU].count = (int)i;
    }
    s->result.n_builds = n_builds;
    if (n_builds == 1) {
        return s;
    }
    rig_build_report *last = &s->builds[n_builds - 1];
    last->build = (rig_build){.unnamed = nothing_unnamed()};
    last->build.parts[RIG_TABLE_SERVER] = (rig_part_use){.row = &s->server.row, .count = 1};
    last->price_cents = s->server.row.price.cents;
    return s;
}

rig_report_options sample_options(rig_format format)
{
    rig_report_options options = rig_report_options_default();
    options.format = format;
    return options;
}

bool sample_sink(const char *bytes, size_t length, void *payload)
{
    sample_text *text = payload;
    char *grown = realloc(text->bytes, text->length + length + 1);
    if (grown == NULL) {
        return false;
    }
    memcpy(grown + text->length, bytes, length);
    text->bytes = grown;
    text->length += length;
    grown[text->length] = '\0';
    return true;
}

bool sample_broken_sink(const char *bytes, size_t length, void *payload)
{
    (void)bytes;
    (void)length;
    (void)payload;
    return false;
}

char *sample_write(const rig_result *result, bool is_prediction, const rig_report_options *options)
{
    sample_text text = {NULL, 0};
    rig_error err;
    assert_int_equal(rig_report_result(result, is_prediction, options, sample_sink, &text, &err),
                     RIG_OK);
    assert_non_null(text.bytes);
    assert_int_equal(strlen(text.bytes), text.length);
    return text.bytes;
}

void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no '%s' in:\n%s", part, text);
    }
}

void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        fail_msg("'%s' in:\n%s", part, text);
    }
}

size_t sample_widest(const char *text)
{
    size_t widest = 0;
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xC0U) != 0x80U);
        widest = width > widest ? width : widest;
    }
    return widest;
}

size_t sample_count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        n++;
    }
    return n;
}
