/* SPDX-License-Identifier: GPL-3.0-or-later
 * Constants of the model: the one list that yields the struct, the binding and the range checks. */
#ifndef RIG_MODEL_CONSTANTS_H
#define RIG_MODEL_CONSTANTS_H

#include "trainrig/model.h"

/* X(name, unit, low, high, help): one row of model/data/constants.csv each. */
/* clang-format off */
#define RIG__CONSTANT_MAP(X) \
    /* preparation on the processor */ \
    X(decode_ns_per_px,            "ns/px",  0.01, 100,   "JPEG decode time per pixel on the reference core") \
    X(decode_ns_per_byte,          "ns/B",   0.01, 1000,  "JPEG decode time per stored byte on the reference core") \
    X(bytes_per_px_unknown,        "B/px",   0.01, 10,    "stored bytes per pixel where pixels are unknown") \
    X(resize_ns_per_element,       "ns",     0.01, 100,   "resize, flip and normalise, per output element") \
    X(crop_ns_per_px,              "ns/px",  0.0, 100,    "reading the cropped source, per source pixel") \
    X(crop_area_frac,              "",       0.01, 1,     "mean share of the source that the crop keeps") \
    X(image_channels,              "",       1, 16,       "colour channels") \
    X(worker_efficiency,           "",       0.1, 1,      "rate of a worker among others over a lone one") \
    X(core_contention,             "",       0, 0.1,      "loss per further core (universal scalability law)") \
    X(cores_os,                    "",       0, 16,       "cores kept for the system") \
    X(cores_per_gpu,               "",       0, 16,       "cores kept per GPU for its training process") \
    X(cores_share_min,             "",       0.01, 1,     "least share of all cores left for preparation") \
    X(memory_bandwidth_share,      "",       0.1, 1,      "usable share of the memory bandwidth") \
    X(memory_bytes_per_transfer,   "B",      1, 64,       "width of a memory channel") \
    X(memory_passes_stored,        "",       0, 50,       "times stored bytes cross memory") \
    X(memory_passes_decoded,       "",       0, 50,       "times decoded bytes cross memory") \
    X(memory_passes_output,        "",       0, 50,       "times output bytes cross memory") \
    X(pcie_share,                  "",       0.1, 1,      "usable share of the PCIe bandwidth, pinned memory") \
    /* speed of a core */ \
    X(specrate_per_core_reference, "",       0.1, 100,    "SPECrate2017_int per core of the reference core") \
    X(geekbench_per_core_reference, "",      1, 10000,    "Geekbench 6 multi-core points per core of the reference core") \
    X(clock_boost_share,           "",       0, 1,        "place of the all-core clock between base and boost") \
    X(single_over_all_core,        "",       1, 3,        "single-thread over all-core speed where clocks are unknown") \
    X(ecore_speed_ratio,           "",       0.1, 1,      "efficiency core over performance core of hybrid processors") \
    X(arrow_lake_pcore_share,      "",       0.1, 1,      "performance cores over cores, Arrow Lake") \
    X(speed_per_ghz_zen1,          "1/GHz",  0.01, 2,     "relative speed per GHz, Zen and Zen+") \
    X(speed_per_ghz_zen2,          "1/GHz",  0.01, 2,     "relative speed per GHz, Zen 2") \
    X(speed_per_ghz_zen3,          "1/GHz",  0.01, 2,     "relative speed per GHz, Zen 3") \
    X(speed_per_ghz_zen4,          "1/GHz",  0.01, 2,     "relative speed per GHz, Zen 4") \
    X(speed_per_ghz_zen5,          "1/GHz",  0.01, 2,     "relative speed per GHz, Zen 5") \
    X(speed_per_ghz_broadwell,     "1/GHz",  0.01, 2,     "relative speed per GHz, Broadwell") \
    X(speed_per_ghz_skylake,       "1/GHz",  0.01, 2,     "relative speed per GHz, Skylake to Cascade Lake") \
    X(speed_per_ghz_icelake,       "1/GHz",  0.01, 2,     "relative speed per GHz, Ice Lake") \
    X(speed_per_ghz_golden_cove,   "1/GHz",  0.01, 2,     "relative speed per GHz, Golden Cove to Lion Cove") \
    X(speed_per_ghz_sierra,        "1/GHz",  0.01, 2,     "relative speed per GHz, Sierra Forest") \
    X(speed_per_ghz_other,         "1/GHz",  0.01, 2,     "relative speed per GHz, other families") \
    X(unnamed_core_speed,          "",       0.05, 20,    "relative speed of a core that is not named") \
    /* storage and page cache */ \
    X(drive_seq_share,             "",       0.1, 1,      "usable share of the sequential read rate") \
    X(drive_iops_share,            "",       0.1, 1,      "usable share of the random read rate") \
    X(record_request_bytes,        "B",      512, 1e9,    "bytes per read of record files") \
    X(ram_share,                   "",       0.5, 1,      "share of memory that can be used") \
    X(ram_fixed_gb,                "GB",     0, 1000,     "memory of the system (1e9 B)") \
    X(ram_per_gpu_gb,              "GB",     0, 1000,     "host memory of one training process (1e9 B)") \
    X(cache_shuffle_mix,           "",       0, 1,        "weight of the ideal hit rate over LRU, shuffled reads") \
    X(cache_sequential_mix,        "",       0, 1,        "hits per cached share, sequential reads") \
    /* GPU step */ \
    X(flops_per_mac,               "",       2, 12,       "operations forward and backward per multiply-accumulate") \
    X(gpu_compute_amp,             "",       0.3, 10,     "time over peak time, tensor cores with FP16 or BF16") \
    X(gpu_compute_tf32,            "",       0.3, 10,     "time over peak time, tensor cores with TF32") \
    X(gpu_compute_fp32,            "",       0.3, 10,     "time over peak time, vector units") \
    X(gpu_memory_passes,           "",       1, 200,      "times the activations cross GPU memory per step") \
    X(gpu_fixed_us_per_mact,       "us/M",   0, 1000,     "time per million activations that no data sheet figure scales") \
    X(compute_factor_depthwise,    "",       0.05, 20,    "compute term of depthwise networks over that of CNNs") \
    X(memory_factor_depthwise,     "",       0.05, 20,    "memory term of depthwise networks over that of CNNs") \
    X(compute_factor_attention,    "",       0.05, 20,    "compute term of attention networks over that of CNNs") \
    X(memory_factor_attention,     "",       0.05, 20,    "memory term of attention networks over that of CNNs") \
    X(batch_half,                  "",       0, 1000,     "batch at which the compute term doubles") \
    X(optimizer_bytes_per_param,   "B",      0, 200,      "traffic of the optimiser step per parameter") \
    X(optimizer_bandwidth_share,   "",       0.1, 1,      "usable share of GPU memory bandwidth in it") \
    X(launches_per_step,           "",       0, 1e6,      "kernels started per step") \
    X(launch_us,                   "us",     0, 1000,     "host time per start on the reference core") \
    X(gpu_decode_bytes_per_px,     "B/px",   0, 1e5,      "GPU memory traffic of decoding on the GPU, per source pixel") \
    X(activations_per_gmac_cnn,    "M/GMAC", 0.01, 1000,  "activation elements where unknown") \
    X(activations_per_gmac_depthwise, "M/GMAC", 0.01, 1000, "activation elements where unknown") \
    X(activations_per_gmac_attention, "M/GMAC", 0.01, 1000, "activation elements where unknown") \
    X(bytes_per_activation_amp,    "B",      1, 8,        "activation element in mixed precision") \
    X(bytes_per_activation_fp32,   "B",      1, 8,        "activation element in single precision") \
    X(gpu_prior_log_sd,            "",       0.01, 3,     "relative uncertainty of a GPU whose efficiency row gives none") \
    /* GPU memory */ \
    X(state_bytes_per_param_amp,   "B",      4, 100,      "parameters, gradients and optimiser state, mixed precision") \
    X(state_bytes_per_param_fp32,  "B",      4, 100,      "parameters, gradients and optimiser state, single precision") \
    X(activation_copies,           "",       0.1, 100,    "kept bytes over the bytes of the activations") \
    X(gpu_context_gb,              "GB",     0, 100,      "context and libraries (1e9 B)") \
    X(gpu_context_multi_gb,        "GB",     0, 100,      "further buffers with several GPUs (1e9 B)") \
    X(gpu_mem_share,               "",       0.1, 1,      "usable share of GPU memory") \
    X(batch_multiple,              "",       1, 1024,     "batches are multiples of it") \
    /* gradient all-reduce */ \
    X(gradient_bytes,              "B",      1, 8,        "bytes per gradient element") \
    X(nvlink_share,                "",       0.05, 1,     "usable share of the NVLink rate") \
    X(p2p_share,                   "",       0.05, 1,     "usable share of the PCIe rate, direct copies") \
    X(host_share,                  "",       0.05, 1,     "usable share of the PCIe rate through host memory") \
    X(host_contention,             "",       0, 10,       "loss of that per further GPU") \
    X(exposed_nvlink,              "",       0, 1,        "share of the exchange that computation cannot hide, NVLink") \
    X(exposed_p2p,                 "",       0, 1,        "the same, direct PCIe copies") \
    X(exposed_host,                "",       0, 1,        "the same, through host memory") \
    X(hidden_nvlink,               "",       0, 1,        "share of the step that hides the exchange, NVLink") \
    X(hidden_p2p,                  "",       0, 1,        "the same, direct PCIe copies") \
    X(hidden_host,                 "",       0, 1,        "the same, through host memory") \
    X(allreduce_latency_us,        "us",     0, 10000,    "latency of one ring step") \
    X(step_jitter,                 "",       0, 0.5,      "spread of step times between GPUs") \
    /* start-up and power */ \
    X(startup_s,                   "s",      0, 3600,     "start of the programme, once") \
    X(worker_spawn_s,              "s",      0, 60,       "start of one worker process") \
    X(cpu_idle_frac,               "",       0, 1,        "idle power over TDP, processor") \
    X(gpu_idle_frac,               "",       0, 1,        "idle power over TDP, GPU") \
    X(gpu_load_frac,               "",       0.1, 1.5,    "training power over TDP, GPU") \
    X(fan_frac,                    "",       0, 0.5,      "fans over the rest") \
    X(psu_efficiency,              "",       0.5, 1,      "power supply efficiency") \
    X(dimm_power_w,                "W",      0, 100,      "one memory module") \
    X(nvme_power_w,                "W",      0, 100,      "one NVMe drive") \
    X(sata_power_w,                "W",      0, 100,      "one SATA flash drive") \
    X(hdd_power_w,                 "W",      0, 100,      "one hard disk") \
    X(base_power_w,                "W",      0, 10000,    "board and fans of a workstation") \
    X(base_power_server_w,         "W",      0, 10000,    "board and fans of a rack server") \
    X(power_headroom_factor,       "",       1, 5,        "supply rating over the sum of TDP") \
    X(connector_8pin_w,            "W",      1, 10000,    "8-pin PCIe plug") \
    X(connector_12vhpwr_w,         "W",      1, 10000,    "16-pin plug") \
    X(slot_power_w,                "W",      0, 1000,     "power from the slot") \
    /* defaults of workloads that are not listed */ \
    X(default_batch_per_gpu,       "",       1, 1e6,      "images per GPU and step") \
    X(default_epochs,              "",       1, 1e6,      "epochs of one run") \
    /* limits and bounds that the optimiser uses */ \
    X(memory_gb_per_slot_unknown,  "GB",     1, 4096,     "largest module where a board does not say") \
    X(board_m2_unknown,            "",       0, 16,       "M.2 slots of a board that does not say") \
    X(board_sata_unknown,          "",       0, 64,       "SATA ports of a board that does not say") \
    X(barebone_nvme_bays_unknown,  "",       0, 64,       "NVMe bays of a barebone that does not say") \
    X(barebone_sata_bays_unknown,  "",       0, 64,       "SATA bays of a barebone that does not say") \
    X(server_card_slots_max,       "",       1, 6,        "widest card in a rack barebone, bracket positions") \
    X(slot_pitch_unknown,          "",       1, 6,        "bracket positions between cards where the layout is unknown") \
    X(desktop_gpu_lanes,           "",       4, 64,       "processor lanes for GPUs, desktop sockets") \
    X(host_ram_per_gpu_ram,        "",       0, 16,       "host memory over all GPU memory that a recommended machine has at least") \
    X(cold_storage_share_min,      "",       0, 1,        "rate of the drives without a cache over that of the GPUs that a recommended machine has at least") \
    X(populated_channels_min,      "",       0, 1,        "share of the memory channels that a recommended machine fills at least") \
    X(reserved_lanes,              "",       0, 128,      "server lanes kept for storage and network") \
    X(two_socket_epyc_lanes,       "",       64, 512,     "lanes of a two-socket EPYC board") \
    X(chipset_slot_lanes,          "",       1, 16,       "lanes of a slot wired to the chipset") \
    X(chipset_slot_gen,            "",       1, 7,        "generation of such a slot") \
    X(pcie_lane_gbs_gen3,          "GB/s",   0.1, 100,    "one lane in one direction") \
    X(pcie_lane_gbs_gen4,          "GB/s",   0.1, 100,    "one lane in one direction") \
    X(pcie_lane_gbs_gen5,          "GB/s",   0.1, 100,    "one lane in one direction") \
    X(pcie_lane_gbs_gen6,          "GB/s",   0.1, 100,    "one lane in one direction") \
    X(dataset_capacity_margin,     "",       1, 10,       "drive capacity over the data set") \
    X(system_storage_gb,           "GB",     0, 10000,    "drive space for the system") \
    X(nvme_seq_unknown_gen3_mbs,   "MB/s",   10, 100000,  "sequential read of an NVMe drive that does not say") \
    X(nvme_seq_unknown_gen4_mbs,   "MB/s",   10, 100000,  "sequential read of an NVMe drive that does not say") \
    X(nvme_seq_unknown_gen5_mbs,   "MB/s",   10, 100000,  "sequential read of an NVMe drive that does not say") \
    X(sata_seq_unknown_mbs,        "MB/s",   10, 100000,  "sequential read of a SATA drive that does not say") \
    X(hdd_seq_unknown_mbs,         "MB/s",   10, 100000,  "sequential read of a hard disk that does not say") \
    X(nvme_iops_unknown_kiops,     "kIOPS",  0.01, 100000, "random read of an NVMe drive that does not say") \
    X(sata_iops_unknown_kiops,     "kIOPS",  0.01, 100000, "random read of a SATA drive that does not say") \
    X(hdd_iops_unknown_kiops,      "kIOPS",  0.01, 100000, "random read of a hard disk that does not say") \
    X(price_stale_days,            "d",      1, 36500,    "prices older than this are called stale")
/* clang-format on */

/** Index of a constant in the table. */
typedef enum rig__constant_index {
#define RIG__CONSTANT_ENUM(name, unit, low, high, help) RIG__CONSTANT_##name,
    RIG__CONSTANT_MAP(RIG__CONSTANT_ENUM)
#undef RIG__CONSTANT_ENUM
        RIG__N_CONSTANTS
} rig__constant_index;

/* One member per constant, in the unit of the table, and their relative uncertainties. */
struct rig_constants {
#define RIG__CONSTANT_MEMBER(name, unit, low, high, help) double name;
    RIG__CONSTANT_MAP(RIG__CONSTANT_MEMBER)
#undef RIG__CONSTANT_MEMBER
    double log_sd[RIG__N_CONSTANTS]; /**< 0 where the file gives none */
};

/** Description of one constant. */
typedef struct rig__constant_info {
    const char *name;
    const char *unit;
    double low, high;
    const char *help;
    size_t offset; /**< of the member in struct rig_constants */
} rig__constant_info;

const rig__constant_info *rig__model_constant_info(rig__constant_index index);

#endif
