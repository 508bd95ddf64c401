/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plain enumeration of every machine. */
#include "support/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Most units of one kind that are tried; the optimiser plans for no more GPUs than this, and no
 * board has more slots or bays. */
enum { MOST_CPUS = 8, MOST_GPUS = 16, MOST_UNITS = 64 };

/* ---- enumeration ---------------------------------------------------------------------------- */

static void *grow(void *items, size_t *cap, size_t size)
{
    *cap = *cap == 0 ? 256 : 2 * *cap;
    void *grown = realloc(items, *cap * size);
    assert_non_null(grown);
    return grown;
}

/* Does a partial build still hold all rules? Adding parts never mends a broken rule. */
static bool is_open(const oracle_set *o, const rig_build *build)
{
    return rig_build_check(build, o->catalog, o->constants, false, NULL, 0) == 0;
}

double oracle_constant(const oracle_set *o, const char *name)
{
    return rig_constants_get(o->constants, name);
}

/* GPU of a build, wherever it is, with how many of it. */
const rig_gpu *oracle_gpu_of(const oracle_set *o, const rig_build *build, double *count_out)
{
    const rig_part_use *use = &build->parts[RIG_TABLE_GPU];
    const rig_baseboard *baseboard = (const rig_baseboard *)build->parts[RIG_TABLE_BASEBOARD].row;
    const rig_server *server = (const rig_server *)build->parts[RIG_TABLE_SERVER].row;
    const char *name = NULL;
    *count_out = use->count;
    if (use->row != NULL) {
        return (const rig_gpu *)use->row;
    }
    if (baseboard != NULL) {
        *count_out = baseboard->gpu_count;
        name = baseboard->gpu_name;
    } else if (server != NULL) {
        *count_out = isnan(server->gpu_count) ? 1 : server->gpu_count;
        name = server->gpu_name;
    }
    return name == NULL ? NULL : (const rig_gpu *)rig_catalog_get(o->catalog, RIG_TABLE_GPU, name);
}

const rig_cpu *oracle_cpu_of(const oracle_set *o, const rig_build *build, double *count_out)
{
    const rig_part_use *use = &build->parts[RIG_TABLE_CPU];
    const rig_server *server = (const rig_server *)build->parts[RIG_TABLE_SERVER].row;
    *count_out = use->count;
    if (use->row != NULL || server == NULL || server->cpu_name == NULL) {
        return (const rig_cpu *)use->row;
    }
    *count_out = isnan(server->cpu_count) ? 1 : server->cpu_count;
    return (const rig_cpu *)rig_catalog_get(o->catalog, RIG_TABLE_CPU, server->cpu_name);
}

/* Rules of practice on memory: for each processor two modules or more and at least a share of the
 * channels, evenly filled; channels without a slot do not count. Enough for the GPUs. */
static bool is_sensible(const oracle_set *o, const rig_build *build, const rig_build_totals *totals)
{
    const rig_board *board = (const rig_board *)build->parts[RIG_TABLE_BOARD].row;
    const rig_cpu *cpu = (const rig_cpu *)build->parts[RIG_TABLE_CPU].row;
    const rig_memory *memory = (const rig_memory *)build->parts[RIG_TABLE_MEMORY].row;
    const int n_cpus = build->parts[RIG_TABLE_CPU].count;
    const int modules = build->parts[RIG_TABLE_MEMORY].count * (int)memory->modules;
    const int slots = (int)floor(board->dimm_slots * n_cpus / board->sockets) / n_cpus;
    const int channels = slots < (int)cpu->mem_channels ? slots : (int)cpu->mem_channels;
    const int each = modules / n_cpus;
    if (modules % n_cpus != 0 || each < (channels < 2 ? channels : 2) ||
        each < oracle_constant(o, "populated_channels_min") * channels) {
        return false;
    }
    const bool is_even = channels % each == 0 || each % channels == 0;
    return is_even &&
           totals->ram_gb >= oracle_constant(o, "host_ram_per_gpu_ram") * totals->gpu_mem_gb;
}

/* Rule of practice: without a page cache, as in the first epoch, the drives keep some share of what
 * the GPUs would do if nothing held them up. */
static bool is_fed_when_cold(const oracle_set *o, const rig_build *build)
{
    rig_machine machine;
    if (rig_build_machine(
            build, o->catalog, o->constants, o->workload, &machine, NULL, NULL, NULL) != RIG_OK) {
        return false;
    }
    const double drive_gbs = rig_drive_gbs(o->constants, o->workload, &machine);
    machine.core_speed_1t = 1e9; /* no kernel launch waits for the host */
    return rig_storage_rate(o->workload, drive_gbs, 0) >=
           oracle_constant(o, "cold_storage_share_min") *
               rig_gpu_rate(o->constants, o->workload, &machine);
}

/* Predicts a machine; false if it does not run the workload or something is not known. */
static bool predict(oracle_set *o, const rig_build *build, const rig_build_totals *totals)
{
    const rig_dataset *dataset = o->workload->dataset;
    const double data_gb =
        dataset->images * dataset->mean_bytes / 1e9 / fmax(1, o->workload->shards);
    const double needed_gb = data_gb * oracle_constant(o, "dataset_capacity_margin") +
                             oracle_constant(o, "system_storage_gb");
    rig_machine machine;
    rig_prediction prediction;
    if (totals->storage_gb <
            needed_gb || /* an unknown capacity of a server is not held against it */
        rig_build_machine(
            build, o->catalog, o->constants, o->workload, &machine, NULL, NULL, NULL) != RIG_OK ||
        rig_predict_machine(&machine, o->workload, o->constants, &prediction, NULL) != RIG_OK ||
        prediction.has_unknown || prediction.is_out_of_memory || !(prediction.batch_max >= 1) ||
        !(prediction.images_per_s > 0)) {
        return false;
    }
    if (o->n_predictions == o->cap_predictions) {
        o->predictions = grow(o->predictions, &o->cap_predictions, sizeof *o->predictions);
    }
    o->predictions[o->n_predictions++] = prediction;
    return true;
}

static void add_machine(oracle_set *o, rig_build *build)
{
    double n_gpus;
    if (rig_build_check(build, o->catalog, o->constants, true, NULL, 0) > 0) {
        return;
    }
    if (o->n_machines == o->cap_machines) {
        o->machines = grow(o->machines, &o->cap_machines, sizeof *o->machines);
    }
    oracle_machine *machine = &o->machines[o->n_machines++];
    machine->build = *build;
    machine->prediction = o->n_predictions - 1;
    machine->is_measured =
        rig_gpu_efficiency(o->catalog, oracle_gpu_of(o, build, &n_gpus), o->workload) != NULL;
    rig_build_totals_get(build, o->catalog, o->constants, &machine->totals);
}

/* Calls next with every row of a table in the build, so many of it; and without any if asked. */
typedef void (*step)(oracle_set *o, rig_build *build);

static void
each(oracle_set *o, rig_build *build, rig_table table, int most, bool or_none, step next)
{
    rig_part_use *use = &build->parts[table];
    const size_t n_rows = rig_catalog_count(o->catalog, table);
    if (or_none) {
        next(o, build);
    }
    for (size_t i = 0; i < n_rows; i++) {
        for (int count = 1; count <= most; count++) {
            *use = (rig_part_use){rig_catalog_row(o->catalog, table, i), count, false};
            if (is_open(o, build)) {
                next(o, build);
            } else if (table != RIG_TABLE_MEMORY) {
                break; /* more of it fits no better; modules alone have to share out evenly */
            }
        }
    }
    *use = (rig_part_use){NULL, 0, false};
}

static void with_chassis(oracle_set *o, rig_build *build)
{
    const rig_chassis *chassis = (const rig_chassis *)build->parts[RIG_TABLE_CHASSIS].row;
    if (chassis != NULL && isnan(chassis->expansion_slots)) {
        return; /* columns.h: not offered */
    }
    each(o, build, RIG_TABLE_PSU, 1, true, add_machine);
}

static void with_drives(oracle_set *o, rig_build *build)
{
    rig_build_totals totals;
    rig_build_totals_get(build, o->catalog, o->constants, &totals);
    if (is_sensible(o, build, &totals) && is_fed_when_cold(o, build) &&
        predict(o, build, &totals)) {
        each(o, build, RIG_TABLE_CHASSIS, 1, true, with_chassis);
    }
}

static void with_memory(oracle_set *o, rig_build *build)
{
    each(o, build, RIG_TABLE_STORAGE, MOST_UNITS, false, with_drives);
}

static void with_gpus(oracle_set *o, rig_build *build)
{
    double n_gpus, speed, single_speed;
    if (oracle_gpu_of(o, build, &n_gpus) != NULL && n_gpus <= MOST_GPUS &&
        rig_core_speed(o->constants,
                       (const rig_cpu *)build->parts[RIG_TABLE_CPU].row,
                       &speed,
                       &single_speed)) {
        const double n_slots = ((const rig_board *)build->parts[RIG_TABLE_BOARD].row)->dimm_slots;
        each(o, build, RIG_TABLE_MEMORY, (int)fmin(n_slots, MOST_UNITS), false, with_memory);
    }
}

static void with_cpus(oracle_set *o, rig_build *build)
{
    each(o, build, RIG_TABLE_GPU, MOST_GPUS, false, with_gpus);
    each(o, build, RIG_TABLE_BASEBOARD, 1, false, with_gpus);
}

static void with_board(oracle_set *o, rig_build *build)
{
    const rig_board *board = (const rig_board *)build->parts[RIG_TABLE_BOARD].row;
    if (isnan(board->pcie_gen)) {
        return; /* columns.h: not offered */
    }
    each(o, build, RIG_TABLE_CPU, MOST_CPUS, false, with_cpus);
}

static void with_server(oracle_set *o, rig_build *build)
{
    double n_cpus;
    rig_build_totals totals;
    rig_build_totals_get(build, o->catalog, o->constants, &totals);
    if (oracle_cpu_of(o, build, &n_cpus) != NULL && /* columns.h: else not recommended */
        predict(o, build, &totals)) {
        add_machine(o, build);
    }
}

void oracle_fill(oracle_set *out,
                 const rig_catalog *catalog,
                 const rig_constants *constants,
                 const rig_workload *workload)
{
    rig_build build = rig_build_empty();
    memset(out, 0, sizeof *out);
    out->catalog = catalog;
    out->constants = constants;
    out->workload = workload;
    each(out, &build, RIG_TABLE_BOARD, 1, false, with_board);
    each(out, &build, RIG_TABLE_SERVER, 1, false, with_server);
}

void oracle_free(oracle_set *set)
{
    free(set->machines);
    free(set->predictions);
    memset(set, 0, sizeof *set);
}
