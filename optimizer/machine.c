/* SPDX-License-Identifier: GPL-3.0-or-later
 * Turns a build into the hardware that the model sees; what is not known is bounded and said. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "optimizer/view.h"
#include "trainrig/optimizer.h"

/* A machine under construction. */
typedef struct assembly {
    const rig_build *build;
    const rig_catalog *catalog;
    const rig_constants *constants;
    const rig_workload *workload;
    rig__view view;
    rig_machine *out;
    rig_text_sink warn; /* may be NULL */
    void *payload;
} assembly;

static double constant(const assembly *work, const char *name)
{
    return rig_constants_get(work->constants, name);
}

static void warn(const assembly *work, const char *format, ...) RIG_PRINTF(2, 3);

static void warn(const assembly *work, const char *format, ...)
{
    char text[384];
    va_list arguments;
    if (work->warn == NULL) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    work->warn(text, work->payload);
}

static void clear(rig_machine *out)
{
    memset(out, 0, sizeof *out);
    out->sockets = NAN;
    out->cores = NAN;
    out->core_speed = NAN;
    out->core_speed_1t = NAN;
    out->cpu_tdp_w = NAN;
    out->ram_bytes = NAN;
    out->mem_channels = NAN;
    out->mem_mts = NAN;
    out->gpu_link_gbs = NAN;
    out->nodes = 1.0;
    out->network_gbs = NAN;
}

static void set_unnamed_processors(assembly *work)
{
    const rig_unnamed *const unnamed = &work->build->unnamed;
    rig_machine *const out = work->out;
    if (isnan(unnamed->cores)) {
        warn(work, "the processor is not known: preparation on it is not predicted");
        return;
    }
    out->sockets = 1;
    out->cores = unnamed->cores;
    out->core_speed = unnamed->core_speed;
    if (isnan(out->core_speed)) {
        out->core_speed = constant(work, "unnamed_core_speed");
        warn(work,
             "the processor is not named: its cores are taken as %.2f of the reference core",
             out->core_speed);
    }
    out->core_speed_1t = out->core_speed;
}

static void set_processors(assembly *work)
{
    const rig_cpu *const cpu = work->view.cpu;
    rig_machine *const out = work->out;
    if (cpu == NULL) {
        set_unnamed_processors(work);
        return;
    }
    if (!work->view.is_cpu_count_known) {
        warn(work, "number of processors '%s' is not known, bounded at 1", cpu->row.name);
    }
    out->sockets = work->view.n_cpus;
    out->cores = cpu->cores;
    out->cpu_tdp_w = cpu->tdp_w;
    if (!rig_core_speed(work->constants, cpu, &out->core_speed, &out->core_speed_1t)) {
        out->core_speed = NAN;
        out->core_speed_1t = NAN;
        warn(work, "core speed of '%s' is not known: preparation is not predicted", cpu->row.name);
    }
    const double factor = rig_cpu_factor_get(work->catalog, cpu, work->workload);
    out->core_speed *= factor;
    out->core_speed_1t *= factor;
}

/* Memory whose modules are not listed: all channels of the processors are taken as filled. */
static void set_whole_memory(assembly *work, double ram_gb, double mts)
{
    const rig_cpu *const cpu = work->view.cpu;
    rig_machine *const out = work->out;
    if (isnan(ram_gb)) {
        warn(work, "the memory is not known: the page cache and storage are not predicted");
    }
    out->ram_bytes = ram_gb * RIG_MEMORY_GB_BYTES;
    if (cpu == NULL) {
        return;
    }
    out->mem_channels = cpu->mem_channels * work->view.n_cpus;
    out->mem_mts = isnan(mts) ? cpu->mem_mts : mts;
    warn(work,
         "memory modules are not listed: %.0f channels at %.0f MT/s are taken as filled",
         out->mem_channels,
         out->mem_mts);
}

static void set_memory(assembly *work)
{
    const rig__view *const view = &work->view;
    const rig_memory *const memory = view->memory;
    const rig_cpu *const cpu = view->cpu;
    rig_machine *const out = work->out;
    if (memory == NULL) {
        const double server_gb = view->server == NULL ? (double)NAN : view->server->ram_gb;
        set_whole_memory(work,
                         isnan(server_gb) ? work->build->unnamed.ram_gb : server_gb,
                         view->server == NULL ? (double)NAN : view->server->mem_mts);
        return;
    }
    out->ram_bytes = memory->total_gb * view->n_kits * RIG_MEMORY_GB_BYTES;
    out->mem_channels = rig__view_modules(view);
    out->mem_mts = memory->mts;
    if (cpu == NULL) {
        warn(work, "the processor is not named: every memory module is taken as one channel");
        return;
    }
    out->mem_channels = fmin(out->mem_channels, cpu->mem_channels * view->n_cpus);
    if (rig__text_compare_nocase(memory->type, cpu->mem_type) == 0) {
        out->mem_mts = fmin(memory->mts, cpu->mem_mts);
    }
}

static void add_drive(assembly *work, double count, double read_gbs, double iops, double power_w)
{
    rig_machine *const out = work->out;
    out->drives[0].count = count;
    out->drives[0].read_gbs = read_gbs;
    out->drives[0].iops = iops;
    out->drives[0].power_w = power_w;
    out->n_drive_kinds = 1;
}

static void set_server_storage(assembly *work)
{
    const rig_server *const server = work->view.server;
    double read_gbs = server->storage_read_mbs / 1000;
    double iops = constant(work, "nvme_iops_unknown_kiops") * 1000;
    if (isnan(server->storage_gb) && isnan(server->storage_read_mbs)) {
        iops = NAN;
        warn(work, "storage of '%s' is not known: it is not predicted", server->row.name);
    } else if (isnan(read_gbs)) {
        read_gbs = constant(work, "nvme_seq_unknown_gen3_mbs") / 1000;
        warn(work,
             "read rate of the storage of '%s' is not known, bounded at %.3g GB/s",
             server->row.name,
             read_gbs);
    }
    add_drive(work, 1, read_gbs, iops, constant(work, "nvme_power_w"));
}

static void set_unnamed_storage(assembly *work)
{
    const rig_unnamed *const unnamed = &work->build->unnamed;
    double iops = unnamed->drive_iops;
    if (isnan(unnamed->drive_gbs)) {
        warn(work, "the storage is not known: it is not predicted");
    } else if (isnan(iops)) {
        iops = constant(work, "nvme_iops_unknown_kiops") * 1000;
        warn(work, "random reads of the storage are not given, taken as %.0f per second", iops);
    }
    add_drive(work, 1, unnamed->drive_gbs, iops, constant(work, "nvme_power_w"));
}

static void set_storage(assembly *work)
{
    const rig_storage *const storage = work->view.storage;
    double read_gbs = NAN;
    double iops = NAN;
    bool is_rate_bounded = false;
    bool is_iops_bounded = false;
    if (work->view.server != NULL) {
        set_server_storage(work);
        return;
    }
    if (storage == NULL) {
        set_unnamed_storage(work);
        return;
    }
    rig__drive_rate(storage, work->constants, &read_gbs, &iops, &is_rate_bounded, &is_iops_bounded);
    if (is_rate_bounded) {
        warn(work,
             "read rate of '%s' is not known, bounded at %.3g GB/s",
             storage->row.name,
             read_gbs);
    }
    if (is_iops_bounded) {
        warn(work,
             "random reads of '%s' are not known, bounded at %.0f per second",
             storage->row.name,
             iops);
    }
    add_drive(work,
              work->view.n_drives,
              read_gbs,
              iops,
              constant(work, strcmp(storage->type, "hdd") == 0 ? "hdd_power_w" : "nvme_power_w"));
}

static void set_efficiency(assembly *work)
{
    const rig_gpu *const gpu = work->view.gpu;
    rig_machine *const out = work->out;
    const rig_efficiency *const efficiency = rig_gpu_efficiency(work->catalog, gpu, work->workload);
    const rig_gpu_factor factor =
        rig_gpu_factor_get(work->catalog, gpu, work->workload, work->view.nodes);
    out->gpu_step_factor = factor.step_factor;
    out->gpu_step_log_sd = factor.log_sd;
    if (efficiency == NULL) {
        out->gpu_step_log_sd = hypot(factor.log_sd, constant(work, "gpu_prior_log_sd"));
        warn(work,
             "no measurement of '%s' or its kind: its rate follows from data-sheet figures alone",
             gpu->row.name);
    } else if (efficiency->rows < 1) {
        warn(work,
             "efficiency of '%s' is an estimate from other GPUs, not a measurement",
             gpu->row.name);
    }
}

static void set_gpus(assembly *work)
{
    const rig_gpu *const gpu = work->view.gpu;
    rig_machine *const out = work->out;
    if (!work->view.is_gpu_count_known) {
        warn(work, "number of GPUs '%s' is not known, bounded at 1", gpu->row.name);
    }
    out->n_gpus = work->view.n_gpus;
    out->nodes = work->view.nodes;
    rig_machine_set_gpu(out, gpu);
    out->gpu_link = rig_gpu_link_get(gpu, work->view.n_gpus);
    set_efficiency(work);
}

static void set_pcie(assembly *work)
{
    const rig__view *const view = &work->view;
    rig__lanes lanes;
    rig__view_lanes(view, work->constants, &lanes);
    work->out->gpu_pcie_gbs = lanes.per_gpu * rig__lane_gbs(work->constants, lanes.gen);
    if (view->board != NULL && isnan(view->board->pcie_gen)) {
        warn(work,
             "PCI Express generation of '%s' is not known, taken as %.0f",
             view->board->row.name,
             lanes.gen);
    }
    if (view->board != NULL && view->cpu != NULL && view->n_gpus > 1 && !view->is_barebone &&
        lanes.per_gpu <= constant(work, "chipset_slot_lanes")) {
        warn(
            work,
            "'%s' wires one slot to the processor: with %d GPUs the slowest is taken to have x%.0f "
            "of PCIe %.0f",
            view->board->row.name,
            view->n_gpus,
            lanes.per_gpu,
            lanes.gen);
    }
    if (view->cpu == NULL) {
        warn(work,
             "the processor is not named: every GPU is taken to have all its %.0f lanes",
             lanes.per_gpu);
    }
}

static void warn_network(const assembly *work)
{
    const rig__view *const view = &work->view;
    const int ports = rig__view_ports(view);
    if (view->nic == NULL) {
        warn(work, "no network card is named: the exchange between nodes is not predicted");
        return;
    }
    if (ports < 1) {
        warn(work,
             "nothing joins the %d nodes: the exchange between them is not predicted",
             view->nodes);
        return;
    }
    if (isnan(view->nic->pcie_gen)) {
        warn(work,
             "PCI Express generation of '%s' is not known, taken as that of the host",
             view->nic->row.name);
    }
    if (view->server != NULL || view->is_barebone) {
        warn(
            work,
            "slots for network cards of '%s' are not known: whether '%s x%d' fits is an assumption",
            view->server != NULL ? view->server->row.name : view->board->row.name,
            view->nic->row.name,
            view->n_nics);
    }
    if (view->fabric != NULL && isnan(view->fabric->max_power_w)) {
        warn(work, "power of switch '%s' is not known and not counted", view->fabric->row.name);
    }
    warn(
        work,
        "%d network cables, with transceivers where the ports need them, are not in the price: the "
        "catalogue has none",
        view->fabric == NULL ? ports : view->nodes * ports);
}

/* Ports, links and power of what joins the nodes. */
static void set_network(assembly *work)
{
    const rig__view *const view = &work->view;
    rig_machine *const out = work->out;
    out->base_power_w += view->n_nics * constant(work, "nic_power_w");
    if (view->nodes < 2) {
        return;
    }
    out->network_gbs = rig__view_network_gbs(view, work->constants);
    if (view->fabric != NULL && !isnan(view->fabric->max_power_w)) {
        out->switches_w = view->n_switches * view->fabric->max_power_w;
    }
    warn_network(work);
}

rig_status rig_build_machine(const rig_build *build,
                             const rig_catalog *catalog,
                             const rig_constants *constants,
                             const rig_workload *workload,
                             rig_machine *out,
                             rig_text_sink warn_sink,
                             void *payload,
                             rig_error *err)
{
    assembly work = {.build = build,
                     .catalog = catalog,
                     .constants = constants,
                     .workload = workload,
                     .out = out,
                     .warn = warn_sink,
                     .payload = payload};
    rig__view_get(build, catalog, &work.view);
    clear(out);
    if (work.view.gpu == NULL) {
        const rig_server *const server = work.view.server;
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "the build names no GPU: '%s' (a GPU, a baseboard, or a server "
                              "whose GPU is known)",
                              server == NULL ? "" : server->row.name);
    }
    set_processors(&work);
    set_memory(&work);
    set_storage(&work);
    set_gpus(&work);
    set_pcie(&work);
    const bool is_rack = work.view.is_barebone || work.view.server != NULL;
    out->base_power_w = constant(&work, is_rack ? "base_power_server_w" : "base_power_w");
    set_network(&work);
    const rig_familiarity known =
        rig_familiarity_get(catalog, workload, work.view.gpu, work.view.cpu);
    rig_machine_set_intervals(out, constants, workload, &known);
    return RIG_OK;
}
