/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds as lists of parts: making one, its price and its physical totals. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/view.h"
#include "trainrig/optimizer.h"

#define MAX_COUNT 1024
#define MAX_PART_TEXT 255

rig_build rig_build_empty(void)
{
    rig_build build;
    memset(&build, 0, sizeof build);
    for (size_t i_class = 0; i_class < RIG_N_BUILD_CLASSES; i_class++) {
        build.parts[i_class].row = NULL;
    }
    build.nodes = 1;
    build.unnamed.cores = NAN;
    build.unnamed.core_speed = NAN;
    build.unnamed.ram_gb = NAN;
    build.unnamed.drive_gbs = NAN;
    build.unnamed.drive_iops = NAN;
    build.unnamed.workers = NAN;
    return build;
}

int rig_build_nodes(const rig_build *build)
{
    return build->nodes > 1 ? build->nodes : 1;
}

int rig_build_count(const rig_build *build, rig_table table)
{
    const int count = build->parts[table].count;
    return table == RIG_TABLE_SWITCH ? count : count * rig_build_nodes(build);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Copies text without surrounding blanks; false if it does not fit. */
static bool copy_trimmed(const char *text, char *out, size_t size)
{
    while (is_blank(*text)) {
        text++;
    }
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    if (length >= size) {
        return false;
    }
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

/* Splits a final " xN" off; leaves text and count alone if there is none. */
static bool split_count(char *text, long *count)
{
    char *const space = strrchr(text, ' ');
    if (space == NULL || (space[1] != 'x' && space[1] != 'X') || space[2] == '\0') {
        return false;
    }
    long value = 0;
    for (const char *digit = space + 2; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9') {
            return false;
        }
        value = value > MAX_COUNT ? value : value * 10 + (*digit - '0');
    }
    *count = value;
    char *end = space;
    while (end > text && is_blank(end[-1])) {
        end--;
    }
    *end = '\0';
    return true;
}

/* Copies a part name for a class that a build holds. */
static rig_status
read_name(rig_table table, const char *text, char *out, size_t size, rig_error *err)
{
    if ((size_t)table >= RIG_N_BUILD_CLASSES) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "a build holds no such class: '%s' (cpu, gpu, memory, storage, "
                              "board, psu, chassis, server, baseboard, nic or switch)",
                              (size_t)table < RIG_N_TABLES ? rig_table_singular(table) : "");
    }
    if (!copy_trimmed(text, out, size)) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "part name is too long: '%.60s...' (at most %d bytes)",
                              text,
                              MAX_PART_TEXT);
    }
    if (out[0] == '\0') {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "part name is empty: '' (name of a %s, then xN for more than one)",
                              rig_table_singular(table));
    }
    return RIG_OK;
}

static rig_status count_out_of_range(rig_error *err, const char *name, long count)
{
    return rig__error_set(err,
                          RIG_E_RANGE,
                          NULL,
                          0,
                          0,
                          "count of a part is out of range: '%s x%ld' (x1 to x%d)",
                          name,
                          count,
                          MAX_COUNT);
}

static rig_status find_part(const rig_catalog *catalog,
                            rig_table table,
                            char *name,
                            const rig_row **row_out,
                            long *count_out,
                            rig_error *err)
{
    *count_out = 1;
    *row_out = rig_catalog_get(catalog, table, name); /* a name may itself end with " x4" */
    if (*row_out != NULL) {
        return RIG_OK;
    }
    const bool has_count = split_count(name, count_out);
    if (has_count && (*count_out < 1 || *count_out > MAX_COUNT)) {
        return count_out_of_range(err, name, *count_out);
    }
    return rig_catalog_find(catalog, table, name, row_out, err);
}

rig_status rig_build_set(
    rig_build *build, const rig_catalog *catalog, rig_table table, const char *text, rig_error *err)
{
    char name[MAX_PART_TEXT + 1];
    const rig_row *row = NULL;
    long count = 1;
    RIG_TRY(read_name(table, text, name, sizeof name, err));
    RIG_TRY(find_part(catalog, table, name, &row, &count, err));
    rig_part_use *const use = &build->parts[table];
    if (use->row != NULL && use->row != row) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "second kind of %s: '%s' (the build already holds '%s'; one kind "
                              "per class)",
                              rig_table_singular(table),
                              row->name,
                              use->row->name);
    }
    const long sum = (use->row == NULL ? 0 : use->count) + count;
    if (sum > MAX_COUNT) {
        return count_out_of_range(err, row->name, sum);
    }
    use->row = row;
    use->count = (int)sum;
    return RIG_OK;
}

int64_t rig_build_price_cents(const rig_build *build)
{
    int64_t sum = 0;
    for (size_t i_class = 0; i_class < RIG_N_BUILD_CLASSES; i_class++) {
        const rig_part_use *const use = &build->parts[i_class];
        if (use->row == NULL || use->count < 1 || use->is_owned) {
            continue;
        }
        const int64_t cents = use->row->price.cents;
        if (cents < 0) {
            return -1;
        }
        const int count = rig_build_count(build, (rig_table)i_class);
        if (cents > 0 && count > (INT64_MAX - sum) / cents) {
            return INT64_MAX;
        }
        sum += cents * count;
    }
    return sum;
}

static double storage_gb(const rig__view *view)
{
    if (view->server != NULL) {
        return view->server->storage_gb;
    }
    return view->storage == NULL ? (double)NAN : view->storage->capacity_gb * view->n_drives;
}

static double ram_gb(const rig__view *view, const rig_unnamed *unnamed)
{
    if (view->server != NULL && !isnan(view->server->ram_gb)) {
        return view->server->ram_gb;
    }
    return view->memory == NULL ? unnamed->ram_gb : view->memory->total_gb * view->n_kits;
}

static double rack_u(const rig__view *view)
{
    if (view->server != NULL) {
        return view->server->rack_u;
    }
    if (view->is_barebone) {
        return view->board->rack_u;
    }
    return view->chassis == NULL ? (double)NAN : view->chassis->rack_u;
}

/* Lanes of the processors that neither GPUs, NVMe drives nor the board's own devices take. */
static double lanes_spare(const rig__view *view, const rig_constants *constants)
{
    rig__lanes lanes;
    if (view->cpu == NULL || view->gpu == NULL) {
        return NAN;
    }
    rig__view_lanes(view, constants, &lanes);
    const double nic_lanes = view->nic == NULL ? 0 : view->nic->pcie_lanes * view->n_nics;
    double used = lanes.per_gpu * view->n_gpus +
                  fmax(rig_constants_get(constants, "reserved_lanes"), nic_lanes);
    if (view->storage != NULL && !isnan(view->storage->pcie_lanes)) {
        used += view->storage->pcie_lanes * view->n_drives;
    }
    return fmax(0, floor(lanes.total - used));
}

void rig_build_totals_get(const rig_build *build,
                          const rig_catalog *catalog,
                          const rig_constants *constants,
                          rig_build_totals *out)
{
    rig__view view;
    rig__view_get(build, catalog, &view);
    out->peak_w = rig__view_peak_w(&view, constants);
    out->supply_w = rig__view_supply_w(&view);
    out->rack_u = rack_u(&view);
    out->gpu_count = view.is_gpu_count_known ? view.n_gpus : (double)NAN;
    out->gpu_mem_gb = view.gpu == NULL ? (double)NAN : view.gpu->mem_gb * out->gpu_count;
    out->cpu_cores = view.cpu == NULL          ? build->unnamed.cores
                     : view.is_cpu_count_known ? view.cpu->cores * view.n_cpus
                                               : (double)NAN;
    out->ram_gb = ram_gb(&view, &build->unnamed);
    out->storage_gb = storage_gb(&view);
    out->pcie_lanes_spare = lanes_spare(&view, constants);
    out->nodes = view.nodes;
    out->all_peak_w = view.nodes * out->peak_w;
    out->all_rack_u = view.nodes * out->rack_u;
    if (view.fabric != NULL) {
        out->all_peak_w += view.n_switches * view.fabric->max_power_w;
        out->all_rack_u += view.n_switches * view.fabric->rack_u;
    }
    out->network_ports = rig__view_ports(&view);
    out->network_gbs = rig__view_network_gbs(&view, constants);
}
