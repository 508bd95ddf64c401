/* SPDX-License-Identifier: GPL-3.0-or-later
 * Resolves a build to typed rows and derives power, lanes and drive rates from them. */
#include "optimizer/view.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "optimizer/network.h"

static const void *part(const rig_build *build, rig_table table, int *count_out)
{
    const rig_part_use *const use = &build->parts[table];
    const bool is_there = use->row != NULL && use->count >= 1;
    *count_out = is_there ? use->count : 0;
    return is_there ? use->row : NULL;
}

static const void *resolve(const rig_catalog *catalog, rig_table table, const char *name)
{
    return name == NULL ? NULL : rig_catalog_get(catalog, table, name);
}

/* Parts inside a complete server; counts it does not state are bounded at one. */
static void open_server(rig__view *view, const rig_catalog *catalog)
{
    const rig_server *const server = view->server;
    view->cpu = resolve(catalog, RIG_TABLE_CPU, server->cpu_name);
    view->is_cpu_count_known = !isnan(server->cpu_count);
    view->n_cpus = view->cpu == NULL ? 0 : view->is_cpu_count_known ? (int)server->cpu_count : 1;
    view->gpu = resolve(catalog, RIG_TABLE_GPU, server->gpu_name);
    view->is_gpu_count_known = !isnan(server->gpu_count);
    view->n_gpus = view->is_gpu_count_known ? (int)server->gpu_count : view->gpu == NULL ? 0 : 1;
}

void rig__view_get(const rig_build *build, const rig_catalog *catalog, rig__view *out)
{
    memset(out, 0, sizeof *out);
    out->cpu = part(build, RIG_TABLE_CPU, &out->n_cpus);
    out->gpu = part(build, RIG_TABLE_GPU, &out->n_gpus);
    out->memory = part(build, RIG_TABLE_MEMORY, &out->n_kits);
    out->storage = part(build, RIG_TABLE_STORAGE, &out->n_drives);
    out->board = part(build, RIG_TABLE_BOARD, &out->n_boards);
    out->psu = part(build, RIG_TABLE_PSU, &out->n_psus);
    out->chassis = part(build, RIG_TABLE_CHASSIS, &out->n_chassis);
    out->server = part(build, RIG_TABLE_SERVER, &out->n_servers);
    out->baseboard = part(build, RIG_TABLE_BASEBOARD, &out->n_baseboards);
    out->nic = part(build, RIG_TABLE_NIC, &out->n_nics);
    out->fabric = part(build, RIG_TABLE_SWITCH, &out->n_switches);
    out->nodes = rig_build_nodes(build);
    out->is_barebone = out->board != NULL && strcmp(out->board->kind, "barebone") == 0;
    out->has_loose_gpu = out->gpu != NULL;
    out->is_gpu_count_known = true;
    out->is_cpu_count_known = true;
    if (out->baseboard != NULL && !out->has_loose_gpu) {
        out->gpu = resolve(catalog, RIG_TABLE_GPU, out->baseboard->gpu_name);
        out->n_gpus = out->gpu == NULL ? 0 : (int)out->baseboard->gpu_count * out->n_baseboards;
    }
    if (out->server != NULL) {
        open_server(out, catalog);
    }
}

double rig__view_modules(const rig__view *view)
{
    return view->memory == NULL ? 0 : view->memory->modules * view->n_kits;
}

static double drive_power_w(const rig_storage *storage, const rig_constants *constants)
{
    return rig_constants_get(constants,
                             strcmp(storage->type, "hdd") == 0 ? "hdd_power_w" : "nvme_power_w");
}

double rig__view_peak_w(const rig__view *view, const rig_constants *constants)
{
    if (view->server != NULL && (view->cpu == NULL || view->gpu == NULL ||
                                 !view->is_cpu_count_known || !view->is_gpu_count_known)) {
        return NAN;
    }
    double peak_w = 0;
    if (view->cpu != NULL) {
        peak_w += view->n_cpus * view->cpu->tdp_w;
    }
    if (view->gpu != NULL) {
        peak_w += view->n_gpus * view->gpu->tdp_w;
    }
    peak_w += rig__view_modules(view) * rig_constants_get(constants, "dimm_power_w");
    if (view->storage != NULL) {
        peak_w += view->n_drives * drive_power_w(view->storage, constants);
    }
    peak_w += view->n_nics * rig_constants_get(constants, "nic_power_w");
    if (view->server != NULL || view->is_barebone) {
        peak_w += rig_constants_get(constants, "base_power_server_w");
    } else {
        peak_w += rig_constants_get(constants, "base_power_w");
    }
    return peak_w;
}

double rig__view_supply_w(const rig__view *view)
{
    if (view->server != NULL) {
        return view->server->psu_included_w;
    }
    if (view->is_barebone && !isnan(view->board->psu_included_w)) {
        return view->board->psu_included_w;
    }
    return view->psu == NULL ? (double)NAN : view->psu->wattage_w * view->n_psus;
}

/* Largest power of two that is at most value, at least 1. */
static double power_of_two(double value)
{
    double power = 1;
    while (power * 2 <= value) {
        power *= 2;
    }
    return power;
}

static bool is_desktop(const rig_cpu *cpu)
{
    return rig__text_compare_nocase(cpu->segment, "desktop") == 0 || cpu->pcie_lanes <= 28;
}

static void desktop_lanes(const rig__view *view, const rig_constants *constants, rig__lanes *out)
{
    double n_cpu_slots = 1;
    if (view->board == NULL) {
        n_cpu_slots = view->n_gpus; /* nothing is known of the slots: the best case */
    } else if (!isnan(view->board->pcie_x16_cpu_slots)) {
        n_cpu_slots = view->board->pcie_x16_cpu_slots;
    }
    if (view->n_gpus <= n_cpu_slots) {
        const double lanes = rig_constants_get(constants, "desktop_gpu_lanes") / view->n_gpus;
        out->per_gpu = fmin(view->gpu->pcie_lanes, power_of_two(lanes));
        return;
    }
    out->per_gpu = fmin(view->gpu->pcie_lanes, rig_constants_get(constants, "chipset_slot_lanes"));
    out->gen = fmin(out->gen, rig_constants_get(constants, "chipset_slot_gen"));
}

static double processor_lanes(const rig__view *view, const rig_constants *constants)
{
    const double lanes = view->cpu->pcie_lanes * view->n_cpus;
    const bool is_epyc =
        strcmp(view->cpu->socket, "SP3") == 0 || strcmp(view->cpu->socket, "SP5") == 0;
    if (view->n_cpus >= 2 && is_epyc) {
        return fmin(lanes, rig_constants_get(constants, "two_socket_epyc_lanes"));
    }
    return lanes;
}

void rig__view_lanes(const rig__view *view, const rig_constants *constants, rig__lanes *out)
{
    out->gen = view->gpu->pcie_gen;
    out->per_gpu = view->gpu->pcie_lanes;
    out->total = NAN;
    if (view->cpu == NULL || view->n_gpus < 1) {
        return;
    }
    out->gen = fmin(out->gen, view->cpu->pcie_gen);
    if (view->board != NULL) {
        out->gen = fmin(out->gen, view->board->pcie_gen); /* fmin passes over an unknown one */
    }
    out->total = processor_lanes(view, constants);
    if (is_desktop(view->cpu)) {
        desktop_lanes(view, constants, out);
        return;
    }
    const double nic_lanes = view->nic == NULL ? 0 : view->nic->pcie_lanes * view->n_nics;
    /* network cards use the lanes kept for storage and network first; unknown: no more than those
     */
    const double kept = fmax(rig_constants_get(constants, "reserved_lanes"), nic_lanes);
    const double free_lanes = out->total - kept;
    const double share = free_lanes / view->n_gpus;
    const bool has_switches = view->is_barebone || view->server != NULL;
    out->per_gpu = fmin(view->gpu->pcie_lanes, has_switches ? fmax(1, share) : power_of_two(share));
}

int rig__view_ports(const rig__view *view)
{
    return view->nic == NULL || view->nodes < 2
               ? 0
               : rig__network_ports(
                     view->nodes, view->nic, view->n_nics, view->fabric, view->n_switches);
}

double rig__view_network_gbs(const rig__view *view, const rig_constants *constants)
{
    const int ports = rig__view_ports(view);
    if (ports < 1) {
        return NAN;
    }
    /* fmin passes over what is not known */
    double gen = view->nic->pcie_gen, lanes = fmin(view->nic->pcie_lanes, INFINITY);
    if (view->cpu != NULL) {
        gen = fmin(gen, view->cpu->pcie_gen);
    }
    if (view->board != NULL) {
        gen = fmin(gen, view->board->pcie_gen);
    }
    if (view->cpu != NULL && view->server == NULL && is_desktop(view->cpu)) {
        lanes = fmin(lanes, rig_constants_get(constants, "chipset_slot_lanes"));
        gen = fmin(gen, rig_constants_get(constants, "chipset_slot_gen"));
    }
    const double slot_gbs = lanes * rig__lane_gbs(constants, gen);
    return rig__network_node_gbs(ports,
                                 rig__network_port_gbs(view->nic, view->fabric),
                                 view->n_nics,
                                 isnan(slot_gbs) ? (double)INFINITY : slot_gbs);
}

double rig__lane_gbs(const rig_constants *constants, double gen)
{
    static const char *const names[] = {
        "pcie_lane_gbs_gen3", "pcie_lane_gbs_gen4", "pcie_lane_gbs_gen5", "pcie_lane_gbs_gen6"};
    const double first = 3;
    const double last = 6;
    if (isnan(gen)) {
        return NAN;
    }
    /* each generation doubles the rate of the one before; outside the table by that rule */
    const double known = fmax(first, fmin(last, floor(gen)));
    return rig_constants_get(constants, names[(size_t)(known - first)]) * exp2(floor(gen) - known);
}

static const char *sequential_bound(const rig_storage *storage)
{
    if (strcmp(storage->type, "hdd") == 0) {
        return "hdd_seq_unknown_mbs";
    }
    if (strcmp(storage->type, "nvme") != 0) {
        return "sata_seq_unknown_mbs";
    }
    if (storage->pcie_gen >= 5) {
        return "nvme_seq_unknown_gen5_mbs";
    }
    return storage->pcie_gen >= 4 ? "nvme_seq_unknown_gen4_mbs" : "nvme_seq_unknown_gen3_mbs";
}

static const char *random_bound(const rig_storage *storage)
{
    if (strcmp(storage->type, "hdd") == 0) {
        return "hdd_iops_unknown_kiops";
    }
    return strcmp(storage->type, "nvme") == 0 ? "nvme_iops_unknown_kiops"
                                              : "sata_iops_unknown_kiops";
}

void rig__drive_rate(const rig_storage *storage,
                     const rig_constants *constants,
                     double *read_gbs_out,
                     double *iops_out,
                     bool *is_rate_bounded,
                     bool *is_iops_bounded)
{
    *is_rate_bounded = isnan(storage->seq_read_mbs);
    *is_iops_bounded = isnan(storage->rand_read_kiops);
    const double read_mbs = *is_rate_bounded
                                ? rig_constants_get(constants, sequential_bound(storage))
                                : storage->seq_read_mbs;
    const double kiops = *is_iops_bounded ? rig_constants_get(constants, random_bound(storage))
                                          : storage->rand_read_kiops;
    /* fmin passes over a link that is not known */
    *read_gbs_out =
        fmin(read_mbs / 1000, storage->pcie_lanes * rig__lane_gbs(constants, storage->pcie_gen));
    *iops_out = kiops * 1000;
}
