/* SPDX-License-Identifier: GPL-3.0-or-later
 * A build seen as typed rows, with servers and baseboards resolved to what they hold. */
#ifndef RIG_OPTIMIZER_VIEW_H
#define RIG_OPTIMIZER_VIEW_H

#include <stdbool.h>

#include "trainrig/optimizer.h"

/** Typed parts of a build; a row is NULL and its count 0 when there is none. */
typedef struct rig__view {
    const rig_cpu *cpu;
    int n_cpus;
    const rig_gpu *gpu; /**< cards, or the modules of the baseboard or server */
    int n_gpus;
    const rig_memory *memory;
    int n_kits;
    const rig_storage *storage;
    int n_drives;
    const rig_board *board;
    int n_boards;
    const rig_psu *psu;
    int n_psus;
    const rig_chassis *chassis;
    int n_chassis;
    const rig_server *server;
    int n_servers;
    const rig_baseboard *baseboard;
    int n_baseboards;
    const rig_nic *nic; /**< of each node */
    int n_nics;
    const rig_switch *fabric; /**< switches between the nodes */
    int n_switches;
    int nodes;
    bool is_barebone;        /**< the board is a barebone */
    bool has_loose_gpu;      /**< GPUs named as a part of their own */
    bool is_gpu_count_known; /**< false: a server that does not say; n_gpus is then 1 */
    bool is_cpu_count_known; /**< likewise for processors */
} rig__view;

/** Fills a view of a build. catalog resolves the names that servers and baseboards give. */
void rig__view_get(const rig_build *build, const rig_catalog *catalog, rig__view *out);

/** Memory modules of all kits. */
double rig__view_modules(const rig__view *view);

/** Sum of thermal design powers and base power [W], without head-room; parts that are absent add
 *  nothing. NAN for a server whose processor or GPU is not known. */
double rig__view_peak_w(const rig__view *view, const rig_constants *constants);

/** Rating of the supplies [W], NAN when unknown or absent. */
double rig__view_supply_w(const rig__view *view);

/** PCIe figures of the GPUs of a build. */
typedef struct rig__lanes {
    double gen;     /**< generation of the slowest link */
    double per_gpu; /**< lanes of one GPU, real-valued where switches share */
    double total;   /**< lanes of the processors, NAN: no processor known */
} rig__lanes;

/** Joined ports of each node, 0: none; and its rate in one direction [GB/s], NAN: none. */
int rig__view_ports(const rig__view *view);
double rig__view_network_gbs(const rig__view *view, const rig_constants *constants);

/** Lanes of every GPU with all of them active. */
void rig__view_lanes(const rig__view *view, const rig_constants *constants, rig__lanes *out);

/** Raw bandwidth of one lane in one direction [GB/s]; NAN for an unknown generation. */
double rig__lane_gbs(const rig_constants *constants, double gen);

/** Read rate and random reads of one drive: the catalogue's figures, else bounds by type.
 *  @param[out] is_rate_bounded, is_iops_bounded  whether a bound stands in for a figure */
void rig__drive_rate(const rig_storage *storage,
                     const rig_constants *constants,
                     double *read_gbs_out,
                     double *iops_out,
                     bool *is_rate_bounded,
                     bool *is_iops_bounded);

#endif
