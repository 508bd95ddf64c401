/* SPDX-License-Identifier: GPL-3.0-or-later
 * Storage stage: drives, memory left for the page cache and the share of reads it serves. */
#include <math.h>

#include "model/constants.h"
#include "model/stages.h"

double rig_drive_gbs(const rig_constants *constants,
                     const rig_workload *workload,
                     const rig_machine *machine)
{
    const double request_bytes = rig__model_is_records(workload) ? constants->record_request_bytes
                                                                 : workload->dataset->mean_bytes;
    double sum_gbs = 0.0;
    for (size_t i = 0; i < machine->n_drive_kinds; i++) {
        if (machine->drives[i].count <= 0.0) {
            continue;
        }
        const double sequential_gbs = constants->drive_seq_share * machine->drives[i].read_gbs;
        const double random_gbs =
            constants->drive_iops_share * machine->drives[i].iops * request_bytes / RIG__GB_BYTES;
        sum_gbs += machine->drives[i].count * rig__model_min(sequential_gbs, random_gbs);
    }
    return sum_gbs;
}

double rig_cache_bytes(const rig_constants *constants,
                       const rig_workload *workload,
                       double ram_bytes,
                       double n_gpus,
                       double cores)
{
    const double fixed_bytes = constants->ram_fixed_gb * RIG__GB_BYTES;
    const double per_gpu_bytes = constants->ram_per_gpu_gb * RIG__GB_BYTES;
    const double per_worker_bytes = workload->loader->worker_ram_gb * RIG__GB_BYTES;
    return ram_bytes * constants->ram_share - fixed_bytes - per_gpu_bytes * n_gpus -
           per_worker_bytes * rig__model_workers(workload, cores);
}

double rig_node_data_bytes(const rig_workload *workload)
{
    const double shards = workload->shards > 1.0 ? workload->shards : 1.0;
    return workload->dataset->images * workload->dataset->mean_bytes / shards;
}

/* Hits of a least-recently-used cache that holds the share x of data read in a new random order
 * each epoch: a page survives if fewer distinct pages than fit were read since. */
static double lru_hit(double x)
{
    return x < 1.0 ? x + (1.0 - x) * log1p(-x) : 1.0;
}

double
rig_cache_hit(const rig_constants *constants, const rig_workload *workload, double cache_bytes)
{
    if (workload->cache == RIG_CACHE_NONE) {
        return 0.0;
    }
    if (isnan(cache_bytes)) {
        return NAN;
    }
    const double share = cache_bytes / rig_node_data_bytes(workload);
    if (share >= 1.0) {
        return 1.0;
    }
    if (share <= 0.0) {
        return 0.0;
    }
    if (workload->cache == RIG_CACHE_PINNED) {
        return share;
    }
    if (workload->is_sequential) {
        return constants->cache_sequential_mix * share;
    }
    return (1.0 - constants->cache_shuffle_mix) * lru_hit(share) +
           constants->cache_shuffle_mix * share;
}

double rig_storage_rate(const rig_workload *workload, double drive_gbs, double hit_frac)
{
    if (rig__model_is_synthetic(workload)) {
        return INFINITY;
    }
    if (isnan(hit_frac)) {
        return NAN;
    }
    if (hit_frac >= 1.0) {
        return INFINITY;
    }
    const double miss_bytes = (1.0 - hit_frac) * workload->dataset->mean_bytes;
    return drive_gbs * RIG__GB_BYTES / miss_bytes;
}
