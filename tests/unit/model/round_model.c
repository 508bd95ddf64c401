/* SPDX-License-Identifier: GPL-3.0-or-later
 * Constants, workload and machine with round figures. */
#include "round_model.h"

#include <math.h>
#include <string.h>

void round_workload_init(round_workload *out)
{
    memset(out, 0, sizeof *out);
    out->network = (rig_network){.row.name = "net",
                                 .params_m = 10,
                                 .gmacs = 1,
                                 .input_px = 100,
                                 .activations_m = 10,
                                 .kind = "cnn",
                                 .layers = 50};
    out->dataset = (rig_dataset){
        .row.name = "data", .images = 1e6, .mean_bytes = 1e5, .mean_px = 5e5, .layout = "files"};
    out->loader = (rig_loader){.row.name = "loader",
                               .decode = "cpu",
                               .decode_factor = 2,
                               .augment_factor = 1,
                               .overhead_ms = 0.345,
                               .host_share = 1,
                               .worker_ram_gb = 0.5,
                               .ipc_gbs = NAN,
                               .output_bytes = 1,
                               .log_sd = 0.3};
    out->stack = (rig_stack){.row.name = "stack",
                             .family = "eager",
                             .step_factor = 0.5,
                             .compute_factor = 1,
                             .memory_factor = 1,
                             .launch_factor = 0.5,
                             .contention = 0,
                             .log_sd = 0.3};
    out->workload = (rig_workload){.name = "net-data",
                                   .network = &out->network,
                                   .dataset = &out->dataset,
                                   .loader = &out->loader,
                                   .stack = &out->stack,
                                   .precision = RIG_PRECISION_AMP,
                                   .batch_per_gpu = 100,
                                   .epochs = 10,
                                   .cache = RIG_CACHE_PAGE,
                                   .is_overlapped = true,
                                   .workers = NAN,
                                   .software_year = NAN};
}

static void fill_host_constants(rig_constants *k)
{
    k->decode_ns_per_px = 1;
    k->decode_ns_per_byte = 10;
    k->bytes_per_px_unknown = 0.5;
    k->resize_ns_per_element = 1;
    k->crop_ns_per_px = 0.5;
    k->crop_area_frac = 0.5;
    k->image_channels = 3;
    k->worker_efficiency = 0.5;
    k->core_contention = 0;
    k->cores_os = 1;
    k->cores_per_gpu = 1;
    k->cores_share_min = 0.25;
    k->memory_bandwidth_share = 0.5;
    k->memory_bytes_per_transfer = 8;
    k->memory_passes_stored = k->memory_passes_decoded = k->memory_passes_output = 1;
    k->pcie_share = 0.5;
    k->specrate_per_core_reference = 8;
    k->geekbench_per_core_reference = 1000;
    k->clock_boost_share = 0.5;
    k->single_over_all_core = 1.25;
    k->ecore_speed_ratio = 0.5;
    k->arrow_lake_pcore_share = 0.4;
    k->speed_per_ghz_zen1 = 0.1;
    k->speed_per_ghz_zen4 = 0.4;
    k->speed_per_ghz_golden_cove = 0.3;
    k->speed_per_ghz_other = 0.2;
    k->unnamed_core_speed = 1;
    k->drive_seq_share = 0.5;
    k->drive_iops_share = 0.5;
    k->record_request_bytes = 1e6;
    k->ram_share = 0.5;
    k->ram_fixed_gb = 10;
    k->ram_per_gpu_gb = 2;
    k->cache_shuffle_mix = 0.5;
    k->cache_sequential_mix = 0.5;
    k->startup_s = 20;
    k->worker_spawn_s = 0.5;
}

static void fill_gpu_constants(rig_constants *k)
{
    k->flops_per_mac = 6;
    k->software_year_newest = 2024;
    k->gpu_decode_bytes_per_px = 100;
    k->activations_per_gmac_cnn = 10;
    k->activations_per_gmac_depthwise = 20;
    k->activations_per_gmac_attention = 30;
    k->bytes_per_activation_amp = 2;
    k->bytes_per_activation_fp32 = 4;
    k->gpu_prior_log_sd = 0.4;
    k->state_bytes_per_param_amp = 10;
    k->state_bytes_per_param_fp32 = 20;
    k->activation_copies = 2;
    k->gpu_context_gb = 1;
    k->gpu_context_multi_gb = 0.5;
    k->gpu_mem_share = 0.9;
    k->batch_multiple = 8;
    k->gradient_bytes = 4;
}

/* Caches, power, launches and software age have no effect until a test gives them one. */
static void fill_family_constants(rig__family_constants *k)
{
    double *const members = (double *)(void *)k;
    const size_t first = RIG__FAMILY_CONSTANT_compute_factor_vgg;
    const size_t end = RIG__FAMILY_CONSTANT_launch_factor_attention + 1;
    for (size_t i = first; i < end; i++) {
        members[i] = 1;
    }
    k->gpu_compute_amp = 2;
    k->gpu_compute_tf32 = 1;
    k->gpu_compute_fp32 = 0.5;
    k->gpu_compute_fp16_vector = 0.5;
    k->half_rate_peak_factor = 1;
    k->gpu_memory_passes = 10;
    k->gddr_memory_factor = 1;
    k->gpu_fixed_us_per_mact = 5;
    k->batch_half = 10;
    k->optimizer_bytes_per_param = 25;
    k->compute_factor_depthwise = 0.5;
    k->memory_factor_depthwise = 2;
    k->compute_factor_attention = 3;
    k->memory_factor_attention = 4;
    k->nvlink_share = 0.5;
    k->bridge_share = 0.5;
    k->p2p_share = 0.5;
    k->host_share = 0.5;
    k->host_contention = 0.5;
    k->hidden_nvlink = 0.25;
    k->network_share = 0.5;
}

static void fill_power_constants(rig_constants *k)
{
    k->cpu_idle_frac = 0.25;
    k->gpu_idle_frac = 0.1;
    k->gpu_load_frac = 0.9;
    k->fan_frac = 0.1;
    k->psu_efficiency = 0.8;
    k->dimm_power_w = 5;
    k->nvme_power_w = 8;
    k->base_power_w = 60;
}

rig_constants round_constants(void)
{
    rig_constants constants;
    memset(&constants, 0, sizeof constants);
    fill_host_constants(&constants);
    fill_gpu_constants(&constants);
    for (size_t i = 0; i < RIG__N_STACK_FAMILIES; i++) {
        fill_family_constants(&constants.families[i]);
    }
    fill_power_constants(&constants);
    return constants;
}

rig_machine round_machine(void)
{
    rig_machine machine = {
        .sockets = 2,
        .cores = 8,
        .core_speed = 1,
        .core_speed_1t = 1,
        .cpu_tdp_w = 200,
        .ram_bytes = 100e9,
        .mem_channels = 2,
        .mem_mts = 1000,
        .n_drive_kinds = 1,
        .n_gpus = 1,
        .gpu_fp32_tflops = 30,
        .gpu_tf32_tflops = 40,
        .gpu_fp16_tflops = 60,
        .gpu_mem_bytes = 10e9,
        .gpu_mem_gbs = 1000,
        .gpu_tdp_w = 300,
        .gpu_l2_mib = NAN,
        .gpu_sm_ghz = 100,
        .gpu_year = 2020,
        .gpu_power_limit_w = NAN,
        .gpu_has_hbm = true,
        .gpu_has_matrix_units = true,
        .gpu_step_factor = 2,
        .gpu_step_log_sd = 0.4,
        .gpu_pcie_gbs = 6,
        .gpu_link = RIG_LINK_NONE,
        .gpu_link_gbs = 100,
        .base_power_w = NAN,
        .nodes = 1,
        .network_gbs = NAN,
    };
    machine.drives[0].count = 2;
    machine.drives[0].read_gbs = 4;
    machine.drives[0].iops = 1e5;
    machine.drives[0].power_w = 10;
    return machine;
}
