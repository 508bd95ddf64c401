/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requirements: the question under way and the search for the cheapest part that meets one. */
#ifndef RIG_OPTIMIZER_REQUIRE_H
#define RIG_OPTIMIZER_REQUIRE_H

#include "optimizer/build_report.h"
#include "optimizer/view.h"

/** Most GPUs and drives of one kind that a suggestion holds; assumption: one machine. */
#define RIG__REQUIRE_GPUS_MAX 16
#define RIG__REQUIRE_DRIVES_MAX 24
#define RIG__REQUIRE_SOCKETS_MAX 2
#define RIG__REQUIRE_MODULES_MAX 32

/** A question under way. */
typedef struct rig__require {
    const rig_catalog *catalog;
    const rig_constants *constants;
    const rig_request *request;
    rig_workload workload; /**< with the workers of the build */
    rig_build build;       /**< parts that are given; GPUs are filled in when none were */
    rig__view view;        /**< of build */
    rig_machine machine;   /**< of build */
    int nodes;             /**< equal nodes; everything else is of one */
    double target;         /**< images/s of one node */
    double n_gpus, cores;  /**< whole machine; cores NAN: not known */
} rig__require;

/** Cheapest processors (up to two) that prepare the target rate for n_gpus GPUs. */
rig_part_use rig__require_cpu(const rig__require *question);
/** Cheapest kits of one kind with at least so much memory. */
rig_part_use rig__require_memory(const rig__require *question, double ram_gb);
/** Cheapest drives of one kind with this read rate and capacity; rates of 0 ask for room only. */
rig_part_use rig__require_drives(const rig__require *question, double read_gbs, double capacity_gb);
/** Cheapest GPUs of one model that train at the target rate. */
rig_part_use rig__require_gpus(const rig__require *question);
/** Cheapest GPU with at least so much memory, of those that recommend offers. */
rig_part_use rig__require_gpu_memory(const rig__require *question, double mem_gb);

/** Cheapest network cards of one model, up to two, that join nodes at this rate [GB/s]. */
rig_part_use rig__require_nics(const rig__require *question, double network_gbs);

/** GPUs of the build's model that train at the target rate; INFINITY: not even the most do. */
double rig__require_gpu_count(const rig__require *question, const rig_gpu *gpu);

#endif
