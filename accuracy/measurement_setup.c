/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measurements as machines and workloads of the model, and their prediction. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/constants.h"
#include "model/intervals.h"
#include "model/stages.h"
#include "optimizer/view.h"
#include "trainrig/accuracy.h"

static const double gpu_lanes = 16.0;
/* Emulated accelerators were busy for 90 to 100 % of the time (rule of the benchmark). */
static const double demand_log_sd = 0.05;

/* ---- tables of this catalogue --------------------------------------------------------------- */

static rig_status
look_up(const rig_catalog *catalog, const rig_row *known, const rig_row **out, rig_error *err)
{
    *out = NULL;
    if (known == NULL) {
        return RIG_OK;
    }
    *out = rig_catalog_get(catalog, known->table, known->name);
    if (*out != NULL) {
        return RIG_OK;
    }
    return rig__error_set(
        err,
        RIG_E_NOTFOUND,
        NULL,
        0,
        0,
        "no such %s: '%.100s' (the measurements were read with another catalogue)",
        rig_table_singular(known->table),
        known->name);
}

#define RIG__HEAD_OF(pointer) ((pointer) == NULL ? NULL : &(pointer)->row)

static rig_status look_up_workload(const rig_workload *known,
                                   const rig_catalog *catalog,
                                   rig_workload *out,
                                   rig_error *err)
{
    const rig_row *network = NULL, *dataset = NULL, *loader = NULL, *stack = NULL;
    *out = *known;
    RIG_TRY(look_up(catalog, RIG__HEAD_OF(known->network), &network, err));
    RIG_TRY(look_up(catalog, RIG__HEAD_OF(known->dataset), &dataset, err));
    RIG_TRY(look_up(catalog, RIG__HEAD_OF(known->loader), &loader, err));
    RIG_TRY(look_up(catalog, RIG__HEAD_OF(known->stack), &stack, err));
    out->network = (const rig_network *)(const void *)network;
    out->dataset = (const rig_dataset *)(const void *)dataset;
    out->loader = (const rig_loader *)(const void *)loader;
    out->stack = (const rig_stack *)(const void *)stack;
    return RIG_OK;
}

/* ---- machines ------------------------------------------------------------------------------- */

static double least(double a, double b)
{
    return isnan(b) || a < b ? a : b;
}

/* Every GPU has sixteen lanes of its own, to the processor or to a switch: published machines are
 * built for it, and where lanes are fewer the row does not say. */
static double
pcie_gbs(const rig_measurement *from, const rig_constants *constants, const rig_gpu *gpu)
{
    const rig_cpu *const cpu = (const rig_cpu *)(const void *)from->build.parts[RIG_TABLE_CPU].row;
    double gen = gpu->pcie_gen;
    gen = least(gen, from->pcie_gen);
    gen = least(gen, cpu == NULL ? (double)NAN : cpu->pcie_gen);
    return gpu_lanes * rig__lane_gbs(constants, gen);
}

/* Rate of one drive that is named by its type alone, by the generation of the host. */
static double unnamed_drive_mbs(bool is_nvme, double gen, const rig_constants *constants)
{
    if (!is_nvme) {
        return rig_constants_get(constants, "sata_seq_unknown_mbs");
    }
    return rig_constants_get(constants,
                             gen >= 5.0   ? "nvme_seq_unknown_gen5_mbs"
                             : gen >= 4.0 ? "nvme_seq_unknown_gen4_mbs"
                                          : "nvme_seq_unknown_gen3_mbs");
}

/* Systems do not read from all the drives that they list. */
static void
set_drives(const rig_measurement *from, const rig_constants *constants, rig_machine *out)
{
    if (isnan(from->n_drives)) {
        return;
    }
    const rig_cpu *const cpu = (const rig_cpu *)(const void *)from->build.parts[RIG_TABLE_CPU].row;
    const double gen = least(cpu == NULL ? 3.0 : cpu->pcie_gen, from->pcie_gen);
    const double share = rig_constants_get(constants, "unnamed_drives_share");
    const double exponent = rig_constants_get(constants, "unnamed_drives_exponent");
    const char *const reads = from->is_nvme ? "nvme_iops_unknown_kiops" : "sata_iops_unknown_kiops";
    out->n_drive_kinds = 1;
    out->drives[0].count = pow(from->n_drives, exponent);
    out->drives[0].read_gbs = share * unnamed_drive_mbs(from->is_nvme, gen, constants) / 1000.0;
    out->drives[0].iops = rig_constants_get(constants, reads) * 1000.0;
    out->drives[0].power_w = rig_constants_get(constants, "nvme_power_w");
}

/* A processor whose number is not known still tells how fast one core starts work. */
static void
set_single_core(const rig_measurement *from, const rig_constants *constants, rig_machine *out)
{
    const rig_part_use *const use = &from->build.parts[RIG_TABLE_CPU];
    double all_core = NAN;
    if (use->row != NULL && use->count == 0) {
        (void)rig_core_speed(
            constants, (const rig_cpu *)(const void *)use->row, &all_core, &out->core_speed_1t);
    }
}

static rig_status set_training_machine(const rig_measurement *from,
                                       const rig_catalog *catalog,
                                       const rig_constants *constants,
                                       rig_setup *out,
                                       rig_error *err)
{
    rig_machine *const machine = &out->machine;
    RIG_TRY(rig_build_machine(
        &from->build, catalog, constants, &out->workload, machine, NULL, NULL, err));
    machine->gpu_pcie_gbs = pcie_gbs(
        from, constants, (const rig_gpu *)(const void *)from->build.parts[RIG_TABLE_GPU].row);
    if (!isnan(from->cores_per_socket) && !isnan(machine->sockets)) {
        machine->cores =
            from->build.parts[RIG_TABLE_CPU].count > 0 ? from->cores_per_socket : machine->cores;
    }
    set_drives(from, constants, machine);
    set_single_core(from, constants, machine);
    if (from->is_bridged && machine->gpu_link != RIG_LINK_NONE) {
        machine->gpu_link = RIG_LINK_BRIDGE;
    }
    machine->gpu_power_limit_w = from->power_limit_w;
    machine->nodes = from->nodes;
    machine->network_gbs = from->network_gbs;
    if (from->nodes > 1.0) {
        machine->gpu_step_factor =
            rig_gpu_factor_get(catalog,
                               (const rig_gpu *)(const void *)from->build.parts[RIG_TABLE_GPU].row,
                               &out->workload,
                               from->nodes)
                .step_factor;
    }
    out->unsupported =
        from->nodes > 1.0 && isnan(machine->network_gbs) ? "network between nodes not told" : NULL;
    return RIG_OK;
}

static void clear(rig_machine *out)
{
    memset(out, 0, sizeof *out);
    double *const figures[] = {
        &out->sockets,         &out->cores,           &out->core_speed,
        &out->core_speed_1t,   &out->cpu_tdp_w,       &out->ram_bytes,
        &out->mem_channels,    &out->mem_mts,         &out->gpu_fp32_tflops,
        &out->gpu_tf32_tflops, &out->gpu_fp16_tflops, &out->gpu_mem_bytes,
        &out->gpu_mem_gbs,     &out->gpu_tdp_w,       &out->gpu_l2_mib,
        &out->gpu_sm_ghz,      &out->gpu_year,        &out->gpu_power_limit_w,
        &out->gpu_step_factor, &out->gpu_step_log_sd, &out->gpu_pcie_gbs,
        &out->gpu_link_gbs,    &out->network_gbs,     &out->base_power_w};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        *figures[i] = NAN;
    }
}

static void set_host_machine(const rig_measurement *from,
                             const rig_catalog *catalog,
                             const rig_constants *constants,
                             rig_setup *out)
{
    rig_machine *const machine = &out->machine;
    const rig_part_use *const use = &from->build.parts[RIG_TABLE_CPU];
    const rig_cpu *const cpu = (const rig_cpu *)(const void *)use->row;
    clear(machine);
    if (cpu != NULL) {
        machine->sockets = use->count;
        machine->cores = isnan(from->cores_per_socket) ? cpu->cores : from->cores_per_socket;
        machine->mem_channels = cpu->mem_channels * use->count;
        machine->mem_mts = cpu->mem_mts;
        (void)rig_core_speed(constants, cpu, &machine->core_speed, &machine->core_speed_1t);
        const double factor = rig_cpu_factor_get(catalog, cpu, &out->workload);
        machine->core_speed *= factor;
        machine->core_speed_1t *= factor;
    }
    const rig_storage *const drive =
        (const rig_storage *)(const void *)from->build.parts[RIG_TABLE_STORAGE].row;
    if (drive != NULL) {
        bool is_rate_bounded = false, is_iops_bounded = false;
        machine->n_drive_kinds = 1;
        machine->drives[0].count = from->build.parts[RIG_TABLE_STORAGE].count;
        rig__drive_rate(drive,
                        constants,
                        &machine->drives[0].read_gbs,
                        &machine->drives[0].iops,
                        &is_rate_bounded,
                        &is_iops_bounded);
    }
}

rig_status rig_measurement_setup(const rig_measurement *measurement,
                                 const rig_catalog *catalog,
                                 const rig_constants *constants,
                                 rig_setup *out,
                                 rig_error *err)
{
    *out = (rig_setup){.unsupported = NULL};
    RIG_TRY(look_up_workload(&measurement->workload, catalog, &out->workload, err));
    out->workload.source = measurement->labels[RIG_GROUP_SOURCE];
    if (measurement->kind == RIG_MEASUREMENT_SYSTEM || measurement->kind == RIG_MEASUREMENT_GPU) {
        return set_training_machine(measurement, catalog, constants, out, err);
    }
    set_host_machine(measurement, catalog, constants, out);
    return RIG_OK;
}

/* ---- predictions ---------------------------------------------------------------------------- */

/* The slowest known stage, as the model composes overlapped stages. */
static void compose(rig_prediction *out)
{
    double rate = INFINITY, low = INFINITY, high = INFINITY;
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const rig_stage_rate *const stage = &out->stages[i];
        if (isnan(stage->images_per_s)) {
            out->has_unknown = true;
            continue;
        }
        low = fmin(low, stage->images_per_s * exp(-RIG__Z_90 * stage->log_sd));
        high = fmin(high, stage->images_per_s * exp(RIG__Z_90 * stage->log_sd));
        if (stage->images_per_s < rate) {
            rate = stage->images_per_s;
            out->binding = (rig_stage)i;
        }
    }
    out->images_per_s = rate;
    out->images_per_s_low = low;
    out->images_per_s_high = high;
    out->first_epoch_s = NAN;
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        out->stages[i].slack_frac = 1.0 - rate / out->stages[i].images_per_s;
    }
}

static void clear_stages(rig_prediction *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        out->stages[i].images_per_s = INFINITY;
    }
}

static double quadrature(double a, double b, double c)
{
    return sqrt(a * a + b * b + c * c);
}

/* What rows of this class are known to be off by, else what the constants say. */
static double own_or(double own, double other)
{
    return own > 0.0 ? own : other;
}

/* A lone worker has a core at its highest clock and shares nothing. */
static double prepare_rate(const rig_setup *setup, const rig_constants *constants)
{
    const rig_machine *const machine = &setup->machine;
    const rig_workload *const workload = &setup->workload;
    if (workload->workers <= 1.0) {
        return machine->core_speed_1t / rig__model_prepare_s(constants, workload);
    }
    return rig_decode_rate(
        constants, workload, machine->sockets * machine->cores, machine->core_speed, 0.0);
}

static void predict_preparation(const rig_measurement *measurement,
                                const rig_setup *setup,
                                const rig_constants *constants,
                                rig_prediction *out)
{
    const rig_machine *const machine = &setup->machine;
    const rig_workload *const workload = &setup->workload;
    /* The class is one of preparation as a whole, whichever of its stages binds. */
    const double own_sd = machine->stage_log_sd[RIG_STAGE_DECODE];
    clear_stages(out);
    out->stages[RIG_STAGE_DECODE] = (rig_stage_rate){
        .images_per_s = prepare_rate(setup, constants),
        .log_sd = own_or(own_sd,
                         quadrature(workload->loader->log_sd,
                                    constants->log_sd[RIG__CONSTANT_decode_ns_per_byte],
                                    constants->log_sd[RIG__CONSTANT_specrate_per_core_reference]))};
    if (measurement->preparation != RIG_PREPARATION_TRAIN) {
        const double image_bytes =
            constants->image_channels * rig__model_source_px(constants, workload);
        if (measurement->preparation == RIG_PREPARATION_HANDED_OVER) {
            out->stages[RIG_STAGE_TRANSFER] = (rig_stage_rate){
                .images_per_s = measurement->processes * constants->image_handover_gbs *
                                RIG__GB_BYTES / image_bytes,
                .log_sd = own_or(own_sd, workload->loader->log_sd)};
        }
        compose(out);
        return;
    }
    out->stages[RIG_STAGE_MEMORY] = (rig_stage_rate){
        .images_per_s =
            rig_memory_rate(constants, workload, machine->mem_channels, machine->mem_mts),
        .log_sd = own_or(own_sd, constants->log_sd[RIG__CONSTANT_memory_bandwidth_share])};
    if (!isnan(workload->loader->ipc_gbs)) {
        out->stages[RIG_STAGE_TRANSFER] = (rig_stage_rate){
            .images_per_s =
                measurement->processes * workload->loader->ipc_gbs * RIG__GB_BYTES /
                (rig__model_output_elements(constants, workload) * workload->loader->output_bytes),
            .log_sd = own_or(own_sd, workload->loader->log_sd)};
    }
    compose(out);
}

static void predict_storage(const rig_measurement *measurement,
                            const rig_setup *setup,
                            const rig_constants *constants,
                            rig_prediction *out)
{
    clear_stages(out);
    const bool has_drive = setup->machine.n_drive_kinds > 0;
    const double drive_gbs = rig_drive_gbs(constants, &setup->workload, &setup->machine);
    const double miss_bytes = setup->workload.dataset->mean_bytes;
    out->stages[RIG_STAGE_STORAGE] = (rig_stage_rate){
        .images_per_s = has_drive ? drive_gbs * RIG__GB_BYTES / miss_bytes : (double)NAN,
        .log_sd = own_or(setup->machine.stage_log_sd[RIG_STAGE_STORAGE],
                         constants->log_sd[RIG__CONSTANT_drive_seq_share])};
    if (!isnan(measurement->demand_images_per_s)) {
        out->stages[RIG_STAGE_GPU] = (rig_stage_rate){
            .images_per_s = measurement->demand_images_per_s, .log_sd = demand_log_sd};
    }
    compose(out);
}

/* What the row tells about the loader, in place of the table's figure. */
static const rig_setup *own_loader(const rig_measurement *measurement,
                                   const rig_setup *setup,
                                   rig_setup *own,
                                   rig_loader *loader)
{
    if (isnan(measurement->output_bytes) || setup->workload.loader == NULL) {
        return setup;
    }
    *own = *setup;
    *loader = *setup->workload.loader;
    loader->output_bytes = measurement->output_bytes;
    own->workload.loader = loader;
    return own;
}

rig_status rig_measurement_predict(const rig_measurement *measurement,
                                   const rig_setup *setup,
                                   const rig_constants *constants,
                                   rig_prediction *out,
                                   rig_error *err)
{
    rig_setup own;
    rig_loader loader;
    setup = own_loader(measurement, setup, &own, &loader);
    switch (measurement->kind) {
    case RIG_MEASUREMENT_SYSTEM:
    case RIG_MEASUREMENT_GPU:
        return rig_predict_machine(&setup->machine, &setup->workload, constants, out, err);
    case RIG_MEASUREMENT_CPU:
        predict_preparation(measurement, setup, constants, out);
        return RIG_OK;
    case RIG_MEASUREMENT_STORAGE:
        predict_storage(measurement, setup, constants, out);
        break;
    }
    return RIG_OK;
}
