/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pair rules and sums of the integer programs. */
#include "optimizer/rules.h"

#include <math.h>

/* Rows in gigabytes and kilowatts keep the coefficients of one size. */
static const double bytes_per_gb = 1e9;
static const double watts_per_kw = 1e3;
/* Stands for "any supply will do" [kW]; far above any machine here. */
static const double ample_kw = 1e3;

size_t rig__space_count(const rig__space *space, rig__group group)
{
    const size_t counts[RIG__N_GROUPS] = {space->n_hosts,
                                          space->n_gpus,
                                          space->n_memories,
                                          space->n_drives,
                                          space->n_psus,
                                          space->n_chassis};
    return counts[group];
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static bool host_gpu(const rig__space *space, size_t host, size_t gpu)
{
    return rig__fits_host_gpu(space, &space->hosts[host], &space->gpus[gpu]);
}

static bool host_memory(const rig__space *space, size_t host, size_t memory)
{
    return rig__fits_host_memory(space, &space->hosts[host], &space->memories[memory]);
}

static bool host_drive(const rig__space *space, size_t host, size_t drive)
{
    return rig__fits_host_drive(&space->hosts[host], &space->drives[drive]);
}

static bool host_psu(const rig__space *space, size_t host, size_t psu)
{
    return rig__fits_host_psu(&space->hosts[host], &space->psus[psu]);
}

static bool host_chassis(const rig__space *space, size_t host, size_t chassis)
{
    return rig__fits_host_chassis(&space->hosts[host], &space->chassis[chassis]);
}

static bool gpu_chassis(const rig__space *space, size_t gpu, size_t chassis)
{
    return rig__fits_gpu_chassis(space, &space->gpus[gpu], &space->chassis[chassis]);
}

static bool drive_chassis(const rig__space *space, size_t drive, size_t chassis)
{
    return rig__fits_drive_chassis(&space->drives[drive], &space->chassis[chassis]);
}

static bool gpu_memory(const rig__space *space, size_t gpu, size_t memory)
{
    return rig__fits_gpu_memory(space, &space->gpus[gpu], &space->memories[memory]);
}

static bool gpu_drive(const rig__space *space, size_t gpu, size_t drive)
{
    return rig__fits_gpu_drive(&space->gpus[gpu], &space->drives[drive]);
}

static bool gpu_psu(const rig__space *space, size_t gpu, size_t psu)
{
    return space->gpus[gpu].connector_w <= space->psus[psu].connector_w;
}

const rig__pair_rule rig__pair_rules[RIG__N_PAIR_RULES] = {
    [RIG__PAIR_HOST_GPU] = {"gpu fits host", RIG__GROUP_HOST, RIG__GROUP_GPU, host_gpu},
    [RIG__PAIR_HOST_MEMORY] = {"memory fits host", RIG__GROUP_HOST, RIG__GROUP_MEMORY, host_memory},
    [RIG__PAIR_GPU_MEMORY] = {"memory matches gpus", RIG__GROUP_GPU, RIG__GROUP_MEMORY, gpu_memory},
    {"drives fit host", RIG__GROUP_HOST, RIG__GROUP_DRIVE, host_drive},
    {"supply fits host", RIG__GROUP_HOST, RIG__GROUP_PSU, host_psu},
    {"chassis fits host", RIG__GROUP_HOST, RIG__GROUP_CHASSIS, host_chassis},
    {"chassis holds gpus", RIG__GROUP_GPU, RIG__GROUP_CHASSIS, gpu_chassis},
    {"chassis holds drives", RIG__GROUP_DRIVE, RIG__GROUP_CHASSIS, drive_chassis},
    {"drives feed gpus", RIG__GROUP_GPU, RIG__GROUP_DRIVE, gpu_drive},
    {"supply has plugs", RIG__GROUP_GPU, RIG__GROUP_PSU, gpu_psu},
};

/* ---- sums ------------------------------------------------------------------------------------ */

static double needed_kw(const rig__space *space, const rig__option *option)
{
    return rig__supply_needed_w(space, option->total[RIG_TOTAL_POWER_W]) / watts_per_kw;
}

static double watts_host(const rig__space *space, size_t at)
{
    const rig__host *host = &space->hosts[at];
    const double nic_kw = rig__supply_needed_w(space, space->network.nic_w) / watts_per_kw;
    return host->server != NULL
               ? -ample_kw
               : needed_kw(space, &host->option) + nic_kw - host->supply_w / watts_per_kw;
}

static double watts_gpu(const rig__space *space, size_t at)
{
    return needed_kw(space, &space->gpus[at].option);
}

static double watts_memory(const rig__space *space, size_t at)
{
    return needed_kw(space, &space->memories[at].option);
}

static double watts_drive(const rig__space *space, size_t at)
{
    return needed_kw(space, &space->drives[at].option);
}

static double watts_psu(const rig__space *space, size_t at)
{
    return -space->psus[at].wattage_w / watts_per_kw;
}

/* Bytes the cache has with this memory, so many GPUs and cores; linear in all three. */
static double cache_bytes(const rig__space *space, double ram_bytes, double n_gpus, double cores)
{
    return rig_cache_bytes(space->constants, &space->request->workload, ram_bytes, n_gpus, cores);
}

static double cache_host(const rig__space *space, size_t at)
{
    const rig__host *host = &space->hosts[at];
    return host->server != NULL ? 0 : -cache_bytes(space, 0, 0, host->cores) / bytes_per_gb;
}

static double cache_gpu(const rig__space *space, size_t at)
{
    const rig__gpu_option *gpu = &space->gpus[at];
    const double none = cache_bytes(space, 0, 0, 0);
    return (none - cache_bytes(space, 0, gpu->count, 0)) / bytes_per_gb;
}

static double cache_memory(const rig__space *space, size_t at)
{
    const double ram_bytes = space->memories[at].gb * RIG_MEMORY_GB_BYTES;
    const double none = cache_bytes(space, 0, 0, 0);
    return (none - cache_bytes(space, ram_bytes, 0, 0)) / bytes_per_gb;
}

static bool drive_suffices(const rig__space *space, double read_gbs, double rate, double cache_gb)
{
    const rig_workload *workload = &space->request->workload;
    const double hit = rig_cache_hit(space->constants, workload, cache_gb * bytes_per_gb);
    return rig_storage_rate(workload, read_gbs, hit) >= rate;
}

double rig__cache_most_gb(const rig__space *space)
{
    double most_gb = 0;
    for (size_t i = 0; i < space->n_memories; i++) {
        most_gb = fmax(most_gb, space->memories[i].gb);
    }
    return cache_bytes(space, most_gb * RIG_MEMORY_GB_BYTES, 0, 0) / bytes_per_gb;
}

double rig__cache_needed_gb(const rig__space *space,
                            const rig__drive_option *drive,
                            double rate,
                            double most_gb)
{
    if (drive->storage == NULL || drive_suffices(space, drive->read_gbs, rate, 0)) {
        return 0;
    }
    if (!drive_suffices(space, drive->read_gbs, rate, most_gb)) {
        return NAN;
    }
    double low = 0, high = most_gb;
    while (high > nextafter(low, INFINITY)) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        if (drive_suffices(space, drive->read_gbs, rate, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/* Boards whose slot layout is not known space their cards wider than a chassis may have room for:
 * spread(gpu) - slots(chassis) <= 0 applies to them only, hence the switch of a few slots. */
enum { MOST_SLOTS = 128 };

static double spread_host(const rig__space *space, size_t at)
{
    const rig__host *host = &space->hosts[at];
    return host->board != NULL && !host->is_barebone && !host->is_layout_known ? MOST_SLOTS : 0;
}

static double spread_gpu(const rig__space *space, size_t at)
{
    return rig__slots_used(space, &space->gpus[at], false);
}

static double spread_chassis(const rig__space *space, size_t at)
{
    const rig__chassis_option *chassis = &space->chassis[at];
    return chassis->chassis == NULL ? 0 : -chassis->slots;
}

const rig__sum_rule rig__sum_rules[RIG__N_SUM_RULES] = {
    [RIG__SUM_SUPPLY] = {"supply carries the machine",
                         RIG__POWER_SLACK_W / 1e3,
                         {[RIG__GROUP_HOST] = watts_host,
                          [RIG__GROUP_GPU] = watts_gpu,
                          [RIG__GROUP_MEMORY] = watts_memory,
                          [RIG__GROUP_DRIVE] = watts_drive,
                          [RIG__GROUP_PSU] = watts_psu}},
    [RIG__SUM_CACHE] = {"cache and drives reach the rate",
                        1e-9,
                        {[RIG__GROUP_HOST] = cache_host,
                         [RIG__GROUP_GPU] = cache_gpu,
                         [RIG__GROUP_MEMORY] = cache_memory}},
    [RIG__SUM_SPREAD] = {"cards have bracket positions",
                         MOST_SLOTS,
                         {[RIG__GROUP_HOST] = spread_host,
                          [RIG__GROUP_GPU] = spread_gpu,
                          [RIG__GROUP_CHASSIS] = spread_chassis}},
};

double rig__sum_coefficient(const rig__space *space,
                            const rig__sum_rule *rule,
                            rig__group group,
                            size_t at)
{
    return rule->of[group] == NULL ? 0 : rule->of[group](space, at);
}

/* ---- limits ---------------------------------------------------------------------------------- */

bool rig__limits_known(const rig__space *space, const rig__option *option)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        if (isnan(option->total[space->limits[i].total])) {
            return false;
        }
    }
    return true;
}

double rig__limit_bound(const rig__space *space, const rig__limit *limit)
{
    return limit->bound + RIG__POWER_SLACK_W -
           limit->sign * rig__network_total(space, limit->total);
}
