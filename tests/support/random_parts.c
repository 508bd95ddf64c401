/* SPDX-License-Identifier: GPL-3.0-or-later
 * Contents of random catalogues: parts that often, but not always, go together. */
#include "support/random_catalog.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A table being filled. */
typedef struct filler {
    random_catalog *catalog;
    random_source *source;
    rig_table table;
    size_t row;
    unsigned resemblance_percent; /* how often a row resembles the one before it */
} filler;

static void set_text(filler *f, const char *column, const char *text)
{
    char *cell = random_catalog_cell(f->catalog, f->table, f->row, column);
    (void)snprintf(cell, RANDOM_CELL_SIZE, "%s", text);
}

static void set_number(filler *f, const char *column, double value)
{
    char text[40] = "";
    if (!isnan(value)) {
        (void)snprintf(text, sizeof text, "%.17g", value);
    }
    set_text(f, column, text);
}

/* One of a list of texts that ends with NULL; "" leaves the cell empty. */
static const char *choose_text(filler *f, const char *column, const char *const *list)
{
    size_t n = 0;
    while (list[n] != NULL) {
        n++;
    }
    const char *text = list[random_below(f->source, n)];
    set_text(f, column, text);
    return text;
}

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static double choose_of(filler *f, const double *list, size_t n)
{
    return list[random_below(f->source, n)];
}

#define NUMBERS(...)                                                                               \
    ((const double[]){__VA_ARGS__}), (sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static double choose_number(filler *f, const char *column, const double *list, size_t n)
{
    const double value = choose_of(f, list, n);
    set_number(f, column, value);
    return value;
}

/* Equal prices are frequent, so that ties are tried; some parts have none. */
static void set_price(filler *f, double typical_usd)
{
    static const double factors[] = {0.5, 0.75, 1, 1, 1, 1.25, 2};
    if (random_chance(f->source, 7)) {
        return;
    }
    double usd = typical_usd * factors[random_below(f->source, sizeof factors / sizeof *factors)];
    if (random_chance(f->source, 30)) {
        usd += (double)random_below(f->source, 10000) / 100;
    }
    char text[40];
    (void)snprintf(text, sizeof text, "%.2f", usd);
    set_text(f, "price_usd", text);
}

static void add_row(filler *f, rig_table table, const char *name)
{
    f->table = table;
    f->row = f->catalog->n_rows[table]++;
    char text[80];
    (void)snprintf(text, sizeof text, "%s %zu", name, f->row + 1);
    set_text(f, "name", text);
}

/* Parts that differ in a few figures only are what dominance among them is about: now and then a
 * row takes most cells from the one before it. */
static void resemble_previous(filler *f)
{
    if (f->row == 0 || !random_chance(f->source, f->resemblance_percent)) {
        return;
    }
    random_row *rows = f->catalog->rows[f->table];
    for (size_t i = 1; i < rig_column_count(f->table); i++) {
        if (random_chance(f->source, 80)) {
            memcpy(rows[f->row].cells[i], rows[f->row - 1].cells[i], RANDOM_CELL_SIZE);
        }
    }
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* What goes together: a socket with its processors, boards and memory. */
typedef struct platform {
    const char *socket, *segment, *families[2], *mem_type, *dimm_kind, *vendor;
    double lanes, gen, channels, sockets;
} platform;

static const platform platforms[] = {
    {"AM5", "desktop", {"Zen 4", "Zen 5"}, "DDR5", "UDIMM", "AMD", 28, 5, 2, 1},
    {"LGA1700", "desktop", {"Alder Lake", "Raptor Lake"}, "DDR5", "UDIMM", "Intel", 20, 5, 2, 1},
    {"SP3", "server", {"Rome", "Milan"}, "DDR4", "RDIMM", "AMD", 128, 4, 8, 2},
    {"LGA3647", "server", {"Skylake-SP", "Cascade Lake-SP"}, "DDR4", "RDIMM", "Intel", 48, 3, 6, 2},
    {"SP5", "server", {"Genoa", "Turin"}, "DDR5", "RDIMM", "AMD", 128, 5, 12, 2},
    {"sTR5", "hedt", {"Zen 4", "Zen 5"}, "DDR5", "RDIMM", "AMD", 88, 5, 4, 1},
};

static void add_cpu(filler *f, const platform *p)
{
    random_source *source = f->source;
    add_row(f, RIG_TABLE_CPU, "Processor");
    set_text(f, "vendor", p->vendor);
    set_text(f, "segment", p->segment);
    set_text(f, "family", p->families[random_below(source, 2)]);
    const double cores = choose_number(f, "cores", NUMBERS(4, 8, 8, 16, 24, 32, 64));
    set_number(f, "threads", random_chance(source, 70) ? 2 * cores : cores);
    set_text(f, "socket", p->socket);
    set_number(f, "max_sockets", random_chance(source, 80) ? p->sockets : 1);
    set_number(f, "mem_channels", random_chance(source, 70) ? p->channels : p->channels / 2);
    set_text(f, "mem_type", p->mem_type);
    choose_number(f, "mem_mts", NUMBERS(2666, 3200, 4800, 5600));
    set_number(f, "pcie_gen", random_chance(source, 80) ? p->gen : p->gen - 1);
    set_number(f, "pcie_lanes", random_chance(source, 80) ? p->lanes : p->lanes / 2);
    choose_number(f, "tdp_w", NUMBERS(65, 120, 120, 200, 280, 350));
    if (random_chance(source, 60)) {
        choose_number(f, "base_ghz", NUMBERS(2, 2.4, 3, 3.6));
        choose_number(f, "boost_ghz", NUMBERS(NAN, 3.5, 4, 5));
    }
    if (random_chance(source, 50)) {
        set_number(f, "specrate2017_int_1p", cores * choose_of(f, NUMBERS(4, 6, 8, 10)));
    }
    if (random_chance(source, 40)) {
        set_number(f, "geekbench6_multi", cores * choose_of(f, NUMBERS(500, 900, 1400)));
    }
    set_price(f, 60 * sqrt(cores) * 4);
    resemble_previous(f);
}

static void add_gpu(filler *f)
{
    random_source *source = f->source;
    const bool is_module = random_chance(source, 20);
    const char *const names[] = {"NVIDIA GeForce", "NVIDIA Pro", "AMD Radeon RX", "Intel Arc"};
    const size_t kind = is_module ? 1 : random_below(source, random_chance(source, 25) ? 4 : 2);
    add_row(f, RIG_TABLE_GPU, names[kind]);
    set_text(f, "vendor", kind < 2 ? "NVIDIA" : kind == 2 ? "AMD" : "Intel");
    choose_text(f, "arch", TEXTS("Ampere", "Ada", "Hopper", "Turing", "Maxwell"));
    choose_number(f, "year", NUMBERS(2018, 2022));
    const double gb = choose_number(f, "mem_gb", NUMBERS(4, 8, 12, 16, 24, 48, 80));
    choose_number(f, "mem_gbs", NUMBERS(300, 600, 900, 2000));
    const double tflops = choose_number(f, "fp32_tflops", NUMBERS(8, 15, 30, 60, 80));
    if (random_chance(source, 70)) {
        set_number(f, "tensor_fp16_tflops", tflops * choose_of(f, NUMBERS(2, 4, 8)));
        set_number(f, "tf32_tflops", tflops * choose_of(f, NUMBERS(1, 2, 4)));
    }
    choose_number(f, "pcie_gen", NUMBERS(3, 4, 4, 5));
    choose_number(f, "pcie_lanes", NUMBERS(4, 8, 16, 16, 16));
    if (is_module || random_chance(source, 20)) {
        choose_number(f, "nvlink_gbs", NUMBERS(100, 300, 600));
        set_number(f, "nvlink_max_gpus", 8);
    }
    set_text(f, "form", is_module ? "sxm" : "pcie");
    set_number(f, "slots", is_module ? 0 : choose_of(f, NUMBERS(1, 2, 2, 2.5, 3)));
    if (!is_module) {
        choose_number(f, "slots_cards_median", NUMBERS(NAN, NAN, 2, 2.5, 3.2));
    }
    choose_number(f, "length_mm", NUMBERS(NAN, 170, 267, 340));
    choose_number(f, "tdp_w", NUMBERS(70, 150, 250, 350, 450));
    set_price(f, 40 * gb + 10 * tflops);
    resemble_previous(f);
}

static void add_memory(filler *f, const platform *p)
{
    random_source *source = f->source;
    add_row(f, RIG_TABLE_MEMORY, "Memory");
    set_text(f, "type", random_chance(source, 85) ? p->mem_type : "DDR4");
    if (random_chance(source, 70)) {
        set_text(f, "kind", p->dimm_kind);
    } else {
        choose_text(f, "kind", TEXTS("UDIMM", "RDIMM", "LRDIMM", ""));
    }
    const double gb = choose_number(f, "module_gb", NUMBERS(8, 16, 32, 32, 64));
    const double modules = choose_number(f, "modules", NUMBERS(1, 1, 2, 2, 3, 4, 8));
    set_number(f, "total_gb", gb * modules);
    choose_number(f, "mts", NUMBERS(2133, 3200, 4800, 6000));
    set_price(f, 3 * gb * modules);
}

static void add_storage(filler *f)
{
    static const struct {
        const char *type, *interface, *form;
        double gen, lanes, mbs, kiops;
    } kinds[] = {
        {"nvme", "M.2 PCIe 4.0 x4", "M.2-2280", 4, 4, 7000, 1000},
        {"nvme", "M.2 PCIe 3.0 x4", "M.2-2280", 3, 4, 3500, 400},
        {"nvme", "U.2 PCIe 4.0 x4", "U.2", 4, 4, 6500, 900},
        {"sata-ssd", "SATA 6.0 Gb/s", "2.5", NAN, NAN, 550, 90},
        {"sata-ssd", "M.2 SATA", "M.2-2280", NAN, NAN, 550, 90},
        {"hdd", "SATA 6.0 Gb/s", "3.5", NAN, NAN, 250, 0.2},
        {"hdd", "SAS 12.0 Gb/s", "3.5", NAN, NAN, 270, 0.25},
        {"hdd", "PATA 100", "3.5", NAN, NAN, 60, 0.1},
    };
    const size_t n_kinds = sizeof kinds / sizeof *kinds - (random_chance(f->source, 80) ? 1 : 0);
    const size_t kind = random_below(f->source, random_chance(f->source, 50) ? 2 : n_kinds);
    add_row(f, RIG_TABLE_STORAGE, "Drive");
    set_text(f, "type", kinds[kind].type);
    const double gb = choose_number(f, "capacity_gb", NUMBERS(500, 1000, 2000, 4000));
    if (random_chance(f->source, 70)) {
        set_number(f, "seq_read_mbs", kinds[kind].mbs);
    }
    if (random_chance(f->source, 60)) {
        set_number(f, "rand_read_kiops", kinds[kind].kiops);
    }
    set_text(f, "interface", kinds[kind].interface);
    set_number(f, "pcie_gen", kinds[kind].gen);
    set_number(f, "pcie_lanes", kinds[kind].lanes);
    set_text(f, "form_factor", kinds[kind].form);
    set_price(f, gb * (kind < 3 ? 0.09 : 0.05));
}

/* Slots and bays; each figure is unknown now and then. */
static void set_board_places(filler *f, bool is_barebone)
{
    random_source *source = f->source;
    choose_number(f, "pcie_x16_slots", NUMBERS(1, 2, 3, 4, 7, NAN));
    choose_number(f, "pcie_x16_cpu_slots", NUMBERS(NAN, 1, 1, 2, 4));
    if (is_barebone || random_chance(source, 35)) {
        choose_number(f, "gpu_slots_double_width", NUMBERS(1, 2, 3, 4, 4, 8, NAN));
    }
    choose_number(f, "m2_slots", NUMBERS(NAN, 1, 2, 3));
    choose_number(f, "sata_ports", NUMBERS(NAN, 0, 2, 4));
    choose_number(f, "u2_ports", NUMBERS(NAN, NAN, 0, 2, 4));
}

static void add_board(filler *f, const platform *p)
{
    random_source *source = f->source;
    const bool is_barebone = random_chance(source, p->sockets > 1 ? 45 : 10);
    add_row(f, RIG_TABLE_BOARD, is_barebone ? "Barebone" : "Board");
    set_text(f, "kind", is_barebone ? "barebone" : "board");
    set_text(f, "socket", p->socket);
    set_number(f, "sockets", random_chance(source, 60) ? p->sockets : 1);
    if (random_chance(source, 40)) {
        char both[80];
        (void)snprintf(both, sizeof both, "%s;%s", p->families[0], p->families[1]);
        set_text(f, "cpu_families", random_chance(source, 50) ? both : p->families[0]);
    }
    if (is_barebone) {
        set_text(f, "form_factor", "server");
        choose_number(f, "rack_u", NUMBERS(NAN, 2, 4, 4));
        choose_number(f, "psu_included_w", NUMBERS(NAN, 1000, 1600, 2200, 3000, 4000));
    } else {
        choose_text(f,
                    "form_factor",
                    TEXTS("ATX", "ATX", "ATX", "Micro ATX", "Mini-ITX", "EATX", "SSI EEB", ""));
    }
    if (random_chance(source, 97)) {
        set_text(f, "mem_type", random_chance(source, 90) ? p->mem_type : "DDR4");
        choose_text(
            f, "dimm_kind", TEXTS(p->dimm_kind, p->dimm_kind, p->dimm_kind, "any", "RDIMM"));
    }
    const double slots = choose_number(f, "dimm_slots", NUMBERS(2, 4, 4, 8, 8, 16, 16));
    choose_number(f, "max_mem_gb", NUMBERS(NAN, 64, 128, 256, 32 * (isnan(slots) ? 4 : slots)));
    set_number(
        f, "pcie_gen", random_chance(source, 97) ? choose_of(f, NUMBERS(3, 4, 5)) : (double)NAN);
    const bool takes_modules = is_barebone ? random_chance(source, 30) : random_chance(source, 7);
    set_text(f, "gpu_form", takes_modules ? "sxm" : "pcie");
    set_board_places(f, is_barebone);
    set_price(f, (is_barebone ? 1500 : 200) * p->sockets);
    resemble_previous(f);
}

static void add_psu(filler *f)
{
    add_row(f, RIG_TABLE_PSU, "Supply");
    choose_text(f, "form_factor", TEXTS("ATX", "ATX", "ATX", "ATX", "SFX", "server"));
    const double watts = choose_number(f, "wattage_w", NUMBERS(450, 650, 850, 1000, 1600, 2000));
    if (random_chance(f->source, 50)) {
        choose_number(f, "conn_pcie_8pin", NUMBERS(1, 2, 4, 6, NAN));
        choose_number(f, "conn_12vhpwr", NUMBERS(NAN, 0, 1, 2));
    }
    set_price(f, watts * 0.15);
    resemble_previous(f);
}

static void add_chassis(filler *f)
{
    add_row(f, RIG_TABLE_CHASSIS, "Case");
    const char *form = choose_text(
        f,
        "form_factor",
        TEXTS("ATX Mid Tower", "ATX Full Tower", "ATX Full Tower", "rack", "ATX Test Bench"));
    if (strcmp(form, "rack") == 0) {
        choose_number(f, "rack_u", NUMBERS(NAN, 2, 4, 4));
    }
    choose_number(f, "expansion_slots", NUMBERS(NAN, 4, 7, 7, 8, 10));
    choose_number(f, "max_gpu_length_mm", NUMBERS(NAN, 200, 300, 400));
    choose_number(f, "drive_bays_35", NUMBERS(NAN, 0, 1, 2, 4));
    set_price(f, 120);
    resemble_previous(f);
}

static const char *name_of(const random_catalog *catalog, rig_table table, size_t row)
{
    return catalog->rows[table][row].cells[0];
}

static void add_server(filler *f)
{
    random_source *source = f->source;
    const random_catalog *catalog = f->catalog;
    add_row(f, RIG_TABLE_SERVER, "Server");
    choose_number(f, "rack_u", NUMBERS(NAN, 2, 4, 8));
    if (random_chance(source, 85)) {
        const size_t cpu = random_below(source, catalog->n_rows[RIG_TABLE_CPU]);
        set_text(f, "cpu_name", name_of(catalog, RIG_TABLE_CPU, cpu));
        choose_number(f, "cpu_count", NUMBERS(1, 2, 2, NAN));
    }
    if (random_chance(source, 90)) {
        const size_t gpu = random_below(source, catalog->n_rows[RIG_TABLE_GPU]);
        set_text(f, "gpu_name", name_of(catalog, RIG_TABLE_GPU, gpu));
        choose_number(f, "gpu_count", NUMBERS(1, 2, 4, 8, NAN));
    }
    choose_number(f, "ram_gb", NUMBERS(NAN, 32, 128, 256, 512));
    choose_number(f, "storage_gb", NUMBERS(NAN, 500, 2000, 8000));
    choose_number(f, "storage_read_mbs", NUMBERS(NAN, 2000, 7000));
    choose_number(f, "psu_included_w", NUMBERS(NAN, 1600, 3000));
    set_price(f, 6000);
}

static void add_baseboards(filler *f)
{
    random_catalog *catalog = f->catalog;
    for (size_t i = 0; i < catalog->n_rows[RIG_TABLE_GPU]; i++) {
        if (strcmp(random_catalog_cell(catalog, RIG_TABLE_GPU, i, "form"), "sxm") != 0 ||
            random_chance(f->source, 20)) {
            continue;
        }
        add_row(f, RIG_TABLE_BASEBOARD, "Baseboard");
        set_text(f, "gpu_name", name_of(catalog, RIG_TABLE_GPU, i));
        choose_number(f, "gpu_count", NUMBERS(2, 4, 4, 8));
        set_text(f, "form", "sxm");
        set_price(f, 4000);
    }
}

static void add_nic(filler *f)
{
    add_row(f, RIG_TABLE_NIC, "Network card");
    choose_number(f, "gbps_per_port", NUMBERS(10, 25, 100));
    choose_number(f, "ports", NUMBERS(1, 2));
    set_text(f, "protocol", random_chance(f->source, 80) ? "Ethernet" : "InfiniBand/Ethernet");
    if (random_chance(f->source, 70)) {
        choose_number(f, "pcie_gen", NUMBERS(3, 4));
    }
    if (random_chance(f->source, 95)) {
        choose_number(f, "pcie_lanes", NUMBERS(4, 8, 16));
    }
    set_price(f, 200);
}

static void add_switch(filler *f)
{
    add_row(f, RIG_TABLE_SWITCH, "Switch");
    choose_number(f, "ports", NUMBERS(2, 4, 8));
    choose_number(f, "gbps_per_port", NUMBERS(10, 25, 100));
    set_text(f, "protocol", random_chance(f->source, 80) ? "Ethernet" : "InfiniBand");
    if (random_chance(f->source, 80)) {
        choose_number(f, "max_power_w", NUMBERS(25, 60));
    }
    if (random_chance(f->source, 80)) {
        choose_number(f, "rack_u", NUMBERS(1, 2));
    }
    set_price(f, 300);
}

/* Makes the first row of the tables that a machine fails most often for an ordinary one. */
static void make_ordinary(filler *f, const platform *p)
{
    f->row = 0;
    f->table = RIG_TABLE_CHASSIS;
    set_text(f, "form_factor", "ATX Full Tower");
    set_number(f, "expansion_slots", 8);
    set_number(f, "max_gpu_length_mm", 350);
    f->table = RIG_TABLE_PSU;
    set_text(f, "form_factor", "ATX");
    set_number(f, "wattage_w", 1200);
    f->table = RIG_TABLE_MEMORY;
    set_text(f, "type", p->mem_type);
    set_text(f, "kind", p->dimm_kind);
    set_number(f, "modules", 1);
    set_text(f, "total_gb", random_catalog_cell(f->catalog, f->table, 0, "module_gb"));
    f->table = RIG_TABLE_CPU;
    set_text(f, "socket", p->socket);
    set_text(f, "family", p->families[0]);
    set_text(f, "base_ghz", "3");
    f->table = RIG_TABLE_BOARD;
    set_text(f, "socket", p->socket);
    set_text(f, "mem_type", p->mem_type);
    set_text(f, "dimm_kind", p->dimm_kind);
    f->table = RIG_TABLE_STORAGE;
    set_number(f, "capacity_gb", random_chance(f->source, 50) ? 1000 : 4000);
}

/* A dearer copy of a part with less of one figure, of which more is not always better: more
 * channels and slots want more modules, more cores more memory. Such a part only seems dominated.
 */
static void add_lesser_twin(filler *f, rig_table table, const char *const *columns)
{
    random_catalog *catalog = f->catalog;
    const size_t n_rows = catalog->n_rows[table];
    if (n_rows == 0 || n_rows == RANDOM_MAX_ROWS) {
        return;
    }
    const size_t at = random_below(f->source, n_rows);
    catalog->n_rows[table]++;
    catalog->rows[table][n_rows] = catalog->rows[table][at];
    f->table = table;
    f->row = n_rows;
    char text[40];
    (void)snprintf(text, sizeof text, "Twin %zu", n_rows + 1);
    set_text(f, "name", text);
    size_t n_columns = 0;
    while (columns[n_columns] != NULL) {
        n_columns++;
    }
    const char *column = columns[random_below(f->source, n_columns)];
    const double figure = atof(random_catalog_cell(catalog, table, n_rows, column));
    if (figure >= 2) {
        set_number(f, column, floor(figure / 2));
    }
    const double usd = atof(random_catalog_cell(catalog, table, n_rows, "price_usd"));
    if (usd > 0) {
        set_number(f, "price_usd", floor(usd + 1 + (double)random_below(f->source, 30)));
    }
}

static void add_lesser_twins(filler *f)
{
    add_lesser_twin(f, RIG_TABLE_CPU, TEXTS("mem_channels", "mem_channels", "cores"));
    add_lesser_twin(f, RIG_TABLE_BOARD, TEXTS("dimm_slots", "dimm_slots", "pcie_x16_cpu_slots"));
}

void random_catalog_fill(random_catalog *out, uint64_t seed)
{
    memset(out, 0, sizeof *out);
    random_source source = random_from(seed);
    const bool is_alike = random_chance(&source, 35); /* one platform, parts that differ little */
    filler f = {.catalog = out, .source = &source, .resemblance_percent = is_alike ? 95 : 40};
    const size_t n_platforms = sizeof platforms / sizeof *platforms;
    const platform *first = &platforms[random_below(&source, n_platforms)];
    const platform *second = &platforms[random_below(&source, n_platforms)];
    const platform *pair[2] = {first, is_alike ? first : second};
    const size_t n_cpus = 2 + random_below(&source, 3), n_boards = 2 + random_below(&source, 3);
    const size_t n_gpus = 2 + random_below(&source, 2), n_memories = 2 + random_below(&source, 3);
    const size_t n_others = 2 + random_below(&source, 3);
    for (size_t i = 0; i < n_cpus; i++) {
        add_cpu(&f, pair[random_chance(&source, 80) ? 0 : 1]);
    }
    for (size_t i = 0; i < n_boards; i++) {
        add_board(&f, pair[random_chance(&source, 80) ? 0 : 1]);
    }
    for (size_t i = 0; i < n_gpus; i++) {
        add_gpu(&f);
    }
    for (size_t i = 0; i < n_memories; i++) {
        add_memory(&f, pair[random_chance(&source, 85) ? 0 : 1]);
    }
    for (size_t i = 0; i < n_others; i++) {
        add_storage(&f);
        add_psu(&f);
        add_chassis(&f);
    }
    if (is_alike || random_chance(&source, 75)) {
        make_ordinary(&f, pair[0]);
    }
    if (is_alike) {
        add_lesser_twins(&f);
    }
    for (size_t i = random_below(&source, 3); i > 0; i--) {
        add_server(&f);
    }
    for (size_t i = random_below(&source, 3); i > 0; i--) {
        add_nic(&f);
    }
    for (size_t i = random_below(&source, 3); i > 0; i--) {
        add_switch(&f);
    }
    add_baseboards(&f);
}
