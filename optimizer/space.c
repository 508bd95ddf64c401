/* SPDX-License-Identifier: GPL-3.0-or-later
 * The option space as a whole: limits, prices, and the spaces of several nodes. */
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

/* A limit on all nodes is one on each: what is left of the bound after the switches, divided. */
static double switches_share(const rig__space *space, rig_total total)
{
    switch (total) {
    case RIG_TOTAL_POWER_W:
        return space->network.fixed_w;
    case RIG_TOTAL_RACK_U:
        return space->network.fixed_u;
    case RIG_TOTAL_PRICE_USD:
        return (double)space->network.fixed_cents / 100.0;
    default:
        return 0;
    }
}

static void limit_add(rig__space *space, const rig_condition *condition, double sign)
{
    /* a sum of prices in cents is exact to less than this; other totals are whole or coarser */
    double bound = condition->number;
    if (condition->is_of_all) {
        bound = (bound - switches_share(space, condition->total)) / space->nodes;
    }
    const bool is_strict = condition->comparison == RIG_LT || condition->comparison == RIG_GT;
    space->limits[space->n_limits++] = (rig__limit){
        condition->total, sign, sign * bound - (is_strict ? strictness : 0), condition};
}

static rig_status limits_collect(rig__space *space, rig_error *err)
{
    const rig_request *request = space->request;
    space->limits =
        rig__arena_alloc(space->arena, 2 * request->n_conditions + 1, sizeof *space->limits);
    space->n_limits = 0;
    if (space->limits == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        const rig_comparison comparison = condition->comparison;
        if (condition->kind != RIG_CONDITION_LIMIT) {
            continue;
        }
        if (comparison == RIG_NE) {
            return rig__error_set(err,
                                  RIG_E_INVALID,
                                  "--limit",
                                  0,
                                  0,
                                  "a limit cannot exclude one value: '%s' (expected <=, <, =, > or "
                                  ">=)",
                                  condition->text);
        }
        if (comparison != RIG_GE && comparison != RIG_GT) {
            limit_add(space, condition, 1);
        }
        if (comparison != RIG_LE && comparison != RIG_LT) {
            limit_add(space, condition, -1);
        }
    }
    if (!isnan(request->circuit_w)) {
        space->limits[space->n_limits++] =
            (rig__limit){RIG_TOTAL_POWER_W, 1, request->circuit_w, NULL};
    }
    return RIG_OK;
}

/* Makes the limits on all nodes the weakest that any number of nodes and any network has. */
static void limits_loosen(rig__space *space, int nodes_most)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        rig__limit *limit = &space->limits[i];
        const rig_condition *condition = limit->condition;
        if (condition == NULL || !condition->is_of_all || limit->sign > 0) {
            continue; /* an upper limit leaves each node of the fewest the most */
        }
        const bool has_switches = limit->total == RIG_TOTAL_POWER_W ||
                                  limit->total == RIG_TOTAL_RACK_U ||
                                  limit->total == RIG_TOTAL_PRICE_USD;
        limit->bound =
            has_switches ? (double)INFINITY : limit->bound * space->nodes / nodes_most + strictness;
    }
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
}

/* Most that a node may cost by limits on the price, whatever the budget. */
static void price_limit(rig__space *space)
{
    space->price_limit_cents = INT64_MAX;
    for (size_t i = 0; i < space->n_limits; i++) {
        const rig__limit *limit = &space->limits[i];
        const double cents = floor(limit->bound * 100 + 1e-6) - (double)space->network.nic_cents;
        if (limit->total == RIG_TOTAL_PRICE_USD && limit->sign > 0 &&
            cents < (double)space->price_limit_cents) {
            space->price_limit_cents = (int64_t)cents;
        }
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
    space->reserved_lanes = rig_constants_get(constants, "reserved_lanes");
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++) {
        space->lane_gbs[3 + i] = rig_constants_get(constants, lanes[i]);
    }
    space->lane_gbs[7] = space->lane_gbs[6] * 2; /* each generation doubles the one before */
    space->lane_gbs[2] = space->lane_gbs[3] / 2;
    space->lane_gbs[1] = space->lane_gbs[3] / 4;
    space->lane_gbs[0] = space->lane_gbs[1];
}

int64_t rig__space_price(const rig__space *space, int64_t node_cents)
{
    const int64_t each = node_cents + space->network.nic_cents;
    return each > (INT64_MAX - space->network.fixed_cents) / space->nodes
               ? INT64_MAX
               : each * space->nodes + space->network.fixed_cents;
}

int64_t rig__space_node_budget(const rig__space *space, int64_t price_cents)
{
    if (price_cents == INT64_MAX) {
        return INT64_MAX;
    }
    const int64_t left = price_cents - space->network.fixed_cents;
    return left < 0 ? -1 : left / space->nodes - space->network.nic_cents;
}

int64_t rig__choice_price(const rig__choice *choice)
{
    return rig__space_price(choice->space, choice->cost_cents);
}

double rig__choice_all_rate(const rig__choice *choice)
{
    return choice->rate * choice->space->nodes;
}

/* Does a condition ask for network cards or switches? */
static bool wants_network(const rig_request *request)
{
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->kind != RIG_CONDITION_LIMIT && condition->table == RIG_TABLE_NIC) {
            return true;
        }
    }
    return false;
}

static rig_status space_fill(rig__space *space,
                             rig__arena *arena,
                             const rig_catalog *catalog,
                             const rig_constants *constants,
                             const rig_request *request,
                             int nodes_least,
                             int nodes_most,
                             rig_error *err)
{
    space->arena = arena;
    space->catalog = catalog;
    space->constants = constants;
    space->request = request;
    space->nodes = nodes_least;
    space->may_network = nodes_most > 1 || wants_network(request);
    constants_fill(space);
    RIG_TRY(limits_collect(space, err));
    limits_loosen(space, nodes_most);
    RIG_TRY(rig__hosts_collect(space, err));
    RIG_TRY(rig__options_collect(space, err));
    limits_filter(space);
    return RIG_OK;
}

rig_status rig__space_new(rig__space *space,
                          rig__arena *arena,
                          const rig_catalog *catalog,
                          const rig_constants *constants,
                          const rig_request *request,
                          int nodes_least,
                          int nodes_most,
                          rig_error *err)
{
    memset(space, 0, sizeof *space);
    return space_fill(space, arena, catalog, constants, request, nodes_least, nodes_most, err);
}

rig_status rig__space_new_reduced(rig__space *space,
                                  rig__arena *arena,
                                  const rig_catalog *catalog,
                                  const rig_constants *constants,
                                  const rig_request *request,
                                  int nodes_least,
                                  int nodes_most,
                                  rig_error *err)
{
    memset(space, 0, sizeof *space);
    space->is_thinned = true;
    RIG_TRY(space_fill(space, arena, catalog, constants, request, nodes_least, nodes_most, err));
    return rig__space_reduce(space, err);
}

rig_status rig__space_join(rig__space *space,
                           const rig__space *base,
                           int nodes,
                           const rig__network *network,
                           rig_error *err)
{
    const rig_request *request = base->request;
    *space = *base;
    space->nodes = nodes;
    space->network = *network;
    space->budget_cents = rig__space_node_budget(space, request->budget_cents);
    space->least_rate = isinf(request->epoch_time_max_s)
                            ? 0
                            : request->workload.dataset->images / request->epoch_time_max_s / nodes;
    RIG_TRY(limits_collect(space, err));
    price_limit(space);
    space->gpus = rig__arena_alloc(space->arena, base->n_gpus, sizeof *space->gpus);
    if (space->gpus == NULL) {
        return rig__error_nomem(err);
    }
    if (base->n_gpus > 0) {
        memcpy(space->gpus, base->gpus, base->n_gpus * sizeof *space->gpus);
    }
    rig__space_bound_gpus(space);
    return RIG_OK;
}
