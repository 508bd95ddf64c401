/* SPDX-License-Identifier: GPL-3.0-or-later
 * The option space as a whole: limits, network card, and bounds on the cost of completing a host.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/options.h"

double rig__space_constant(const rig__space *space, const char *name)
{
    return rig_constants_get(space->constants, name);
}

const rig__option *rig__space_option(const rig__space *space, rig__group group, size_t at)
{
    switch (group) {
    case RIG__GROUP_HOST:
        return &space->hosts[at].option;
    case RIG__GROUP_GPU:
        return &space->gpus[at].option;
    case RIG__GROUP_MEMORY:
        return &space->memories[at].option;
    case RIG__GROUP_DRIVE:
        return &space->drives[at].option;
    case RIG__GROUP_PSU:
        return &space->psus[at].option;
    case RIG__GROUP_CHASSIS:
    case RIG__N_GROUPS:
        break;
    }
    return &space->chassis[at].option;
}

/* A strict comparison is turned into one that a float sum can decide: totals are whole numbers or
 * cents, far coarser than this. */
static const double strictness = 1e-6;

static bool limit_fill(const rig_condition *condition, rig__limit *out)
{
    *out = (rig__limit){condition->total, 1, condition->number, condition};
    switch (condition->comparison) {
    case RIG_LE:
        return true;
    case RIG_LT:
        out->bound -= strictness;
        return true;
    case RIG_GE:
        *out = (rig__limit){condition->total, -1, -condition->number, condition};
        return true;
    case RIG_GT:
        *out = (rig__limit){condition->total, -1, -condition->number - strictness, condition};
        return true;
    case RIG_EQ:
    case RIG_NE:
        return false;
    }
    return false;
}

static rig_status limits_collect(rig__space *space, rig_error *err)
{
    const rig_request *request = space->request;
    space->limits =
        rig__arena_alloc(space->arena, 2 * request->n_conditions + 1, sizeof *space->limits);
    if (space->limits == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->kind != RIG_CONDITION_LIMIT) {
            continue;
        }
        rig__limit *out = &space->limits[space->n_limits];
        if (limit_fill(condition, out)) {
            space->n_limits++;
        } else if (condition->comparison == RIG_EQ) {
            out[0] = (rig__limit){condition->total, 1, condition->number, condition};
            out[1] = (rig__limit){condition->total, -1, -condition->number, condition};
            space->n_limits += 2;
        } else {
            return rig__error_set(err,
                                  RIG_E_INVALID,
                                  "--limit",
                                  0,
                                  0,
                                  "a limit cannot exclude one value: '%s' (expected <=, <, =, > or "
                                  ">=)",
                                  condition->text);
        }
    }
    if (!isnan(request->circuit_w)) {
        space->limits[space->n_limits++] =
            (rig__limit){RIG_TOTAL_POWER_W, 1, request->circuit_w, NULL};
    }
    return RIG_OK;
}

/* A network card is bought only when a condition asks for one; then the cheapest that passes.
 * Returns false if none does. */
static bool nic_choose(rig__space *space)
{
    bool is_wanted = false;
    int count = 1;
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if (condition->kind != RIG_CONDITION_LIMIT && condition->kind != RIG_CONDITION_FORBID &&
            condition->table == RIG_TABLE_NIC) {
            is_wanted = true;
            count = condition->row != NULL ? condition->count : count;
        }
    }
    if (!is_wanted) {
        return true;
    }
    const size_t n_rows = rig_catalog_count(space->catalog, RIG_TABLE_NIC);
    for (size_t i = 0; i < n_rows; i++) {
        const rig_row *row = rig_catalog_row(space->catalog, RIG_TABLE_NIC, i);
        const int64_t cents = rig__space_cost(space, row, count);
        if (cents >= 0 && rig__space_allows(space, row, count) &&
            (space->nic == NULL || cents < space->nic_cents)) {
            space->nic = row;
            space->nic_cents = cents;
        }
    }
    if (space->nic == NULL) {
        return false;
    }
    space->nic_count = count;
    space->nic_is_owned = rig__space_owns(space, space->nic);
    return true;
}

static bool passes(const rig__space *space, const rig__option *option, rig_total total)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        const rig__limit *limit = &space->limits[i];
        if (limit->total == total &&
            !(limit->sign * option->total[total] <= limit->bound + RIG__POWER_SLACK_W)) {
            return false;
        }
    }
    return true;
}

/* Keeps the items of an array that pass; returns how many. */
#define KEEP(items, n, test)                                                                       \
    do {                                                                                           \
        size_t n_kept = 0;                                                                         \
        for (size_t i = 0; i < (n); i++) {                                                         \
            if (test(space, &(items)[i])) {                                                        \
                (items)[n_kept++] = (items)[i];                                                    \
            }                                                                                      \
        }                                                                                          \
        space->removed.by_condition += (n)-n_kept;                                                 \
        (n) = n_kept;                                                                              \
    } while (0)

static bool keeps_memory(const rig__space *space, const rig__memory_option *memory)
{
    return memory->memory == NULL || passes(space, &memory->option, RIG_TOTAL_RAM_GB);
}

static bool keeps_drive(const rig__space *space, const rig__drive_option *drive)
{
    return drive->storage == NULL || passes(space, &drive->option, RIG_TOTAL_STORAGE_GB);
}

/* The height is that of the chassis, or of the barebone or server, which need none. */
static bool keeps_chassis(const rig__space *space, const rig__chassis_option *chassis)
{
    return chassis->chassis == NULL || passes(space, &chassis->option, RIG_TOTAL_RACK_U);
}

static bool keeps_host(const rig__space *space, const rig__host *host)
{
    const bool has_height = host->is_barebone || host->server != NULL;
    return (!has_height || passes(space, &host->option, RIG_TOTAL_RACK_U)) &&
           passes(space, &host->option, RIG_TOTAL_CPU_CORES);
}

/* Options that break a limit by themselves, where the total comes from one group alone, are never
 * part of an answer; left in, each would be tried with everything else. */
static void limits_filter(rig__space *space)
{
    KEEP(space->memories, space->n_memories, keeps_memory);
    KEEP(space->drives, space->n_drives, keeps_drive);
    KEEP(space->chassis, space->n_chassis, keeps_chassis);
    KEEP(space->hosts, space->n_hosts, keeps_host);
    space->price_limit_cents = INT64_MAX;
    for (size_t i = 0; i < space->n_limits; i++) {
        const rig__limit *limit = &space->limits[i];
        const double cents = floor(limit->bound * 100 + 0.5) - (double)space->nic_cents;
        if (limit->total == RIG_TOTAL_PRICE_USD && limit->sign > 0 &&
            cents < (double)space->price_limit_cents) {
            space->price_limit_cents = (int64_t)cents;
        }
    }
}

static int64_t cheaper(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void bound_host(const rig__space *space, rig__host *host)
{
    int64_t memory = INT64_MAX, drive = INT64_MAX, psu = INT64_MAX, chassis = INT64_MAX;
    double memory_w = INFINITY, drive_w = INFINITY, most_gb = 0;
    for (size_t i = 0; i < space->n_memories; i++) {
        const rig__memory_option *option = &space->memories[i];
        if (rig__fits_host_memory(space, host, option)) {
            memory = cheaper(memory, option->option.cost_cents);
            most_gb = fmax(most_gb, option->gb);
            memory_w = fmin(memory_w, option->option.total[RIG_TOTAL_POWER_W]);
        }
    }
    for (size_t i = 0; i < space->n_drives; i++) {
        const rig__drive_option *option = &space->drives[i];
        if (rig__fits_host_drive(host, option)) {
            drive = cheaper(drive, option->option.cost_cents);
            drive_w = fmin(drive_w, option->option.total[RIG_TOTAL_POWER_W]);
        }
    }
    for (size_t i = 0; i < space->n_psus; i++) {
        if (rig__fits_host_psu(host, &space->psus[i])) {
            psu = cheaper(psu, space->psus[i].option.cost_cents);
        }
    }
    for (size_t i = 0; i < space->n_chassis; i++) {
        if (rig__fits_host_chassis(host, &space->chassis[i])) {
            chassis = cheaper(chassis, space->chassis[i].option.cost_cents);
        }
    }
    /* host memory must hold the workers of one GPU at least */
    const bool holds_workers =
        host->server != NULL || rig_cache_bytes(space->constants,
                                                &space->request->workload,
                                                most_gb * RIG_MEMORY_GB_BYTES,
                                                1,
                                                host->cores) >= 0;
    const bool is_complete = holds_workers && memory < INT64_MAX && drive < INT64_MAX &&
                             psu < INT64_MAX && chassis < INT64_MAX;
    host->least_memory_cents = memory;
    host->least_drive_cents = drive;
    host->least_enclosure_cents = is_complete ? psu + chassis : INT64_MAX;
    host->least_rest_cents = is_complete ? memory + drive + psu + chassis : INT64_MAX;
    host->least_power_w = memory_w + drive_w;
}

static void bound_gpu(const rig__space *space, rig__gpu_option *gpu)
{
    double decode = 0, core_speed_1t = 0, server_rate = 0;
    for (size_t i = 0; i < space->n_hosts; i++) {
        const rig__host *host = &space->hosts[i];
        server_rate = fmax(server_rate, host->server_rate);
        core_speed_1t = fmax(core_speed_1t, host->core_speed_1t);
        decode = fmax(decode, host->decode[gpu->count]);
    }
    gpu->alone_rate = gpu->gpu == NULL ? server_rate : rig__gpu_own_rate(space, gpu);
    gpu->best_rate =
        gpu->gpu == NULL ? server_rate : rig__gpu_rate_bound(space, gpu, decode, core_speed_1t);
}

void rig__space_bound(rig__space *space)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < space->n_hosts; i++) {
        bound_host(space, &space->hosts[i]);
        if (space->hosts[i].least_rest_cents < INT64_MAX) {
            space->hosts[n_kept++] = space->hosts[i];
        }
    }
    space->n_hosts = n_kept;
    for (size_t i = 0; i < space->n_gpus; i++) {
        bound_gpu(space, &space->gpus[i]);
    }
}

static void constants_fill(rig__space *space)
{
    static const char *const lanes[] = {
        "pcie_lane_gbs_gen3", "pcie_lane_gbs_gen4", "pcie_lane_gbs_gen5", "pcie_lane_gbs_gen6"};
    const rig_constants *constants = space->constants;
    space->headroom = rig_constants_get(constants, "power_headroom_factor");
    space->slot_pitch = rig_constants_get(constants, "slot_pitch_unknown");
    space->desktop_gpu_lanes = rig_constants_get(constants, "desktop_gpu_lanes");
    space->chipset_lanes = rig_constants_get(constants, "chipset_slot_lanes");
    space->chipset_gen = rig_constants_get(constants, "chipset_slot_gen");
    space->ram_per_gpu_ram = rig_constants_get(constants, "host_ram_per_gpu_ram");
    space->channel_share = rig_constants_get(constants, "populated_channels_min");
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++) {
        space->lane_gbs[3 + i] = rig_constants_get(constants, lanes[i]);
    }
    space->lane_gbs[7] = space->lane_gbs[6] * 2; /* each generation doubles the one before */
    space->lane_gbs[2] = space->lane_gbs[3] / 2;
    space->lane_gbs[1] = space->lane_gbs[3] / 4;
    space->lane_gbs[0] = space->lane_gbs[1];
}

rig_status rig__space_new(rig__space *space,
                          rig__arena *arena,
                          const rig_catalog *catalog,
                          const rig_constants *constants,
                          const rig_request *request,
                          rig_error *err)
{
    memset(space, 0, sizeof *space);
    space->arena = arena;
    space->catalog = catalog;
    space->constants = constants;
    space->request = request;
    constants_fill(space);
    RIG_TRY(limits_collect(space, err));
    const bool has_nic = nic_choose(space);
    space->budget_cents =
        request->budget_cents == INT64_MAX ? INT64_MAX : request->budget_cents - space->nic_cents;
    space->least_rate = isinf(request->epoch_time_max_s)
                            ? 0
                            : request->workload.dataset->images / request->epoch_time_max_s;
    RIG_TRY(rig__hosts_collect(space, err));
    RIG_TRY(rig__options_collect(space, err));
    limits_filter(space);
    if (!has_nic) {
        space->n_hosts = 0; /* no machine has the card that is asked for */
    }
    return RIG_OK;
}
