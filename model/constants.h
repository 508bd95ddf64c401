/* SPDX-License-Identifier: GPL-3.0-or-later
 * Constants of the model: the one list that yields the struct, the binding and the range checks. */
#ifndef RIG_MODEL_CONSTANTS_H
#define RIG_MODEL_CONSTANTS_H

#include "model/intervals.h"
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
    X(image_handover_gbs,          "GB/s", 0.01, 1000, "rate at which a process takes whole images from its workers") \
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
    X(unnamed_cores_per_gpu_least, "",       1, 1024,     "physical cores for each GPU that a machine has at least, where no processor is named") \
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
    X(software_year_newest,        "",     2000, 2200,   "year of the newest software measured, where none is told") \
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
    /* start-up and power */ \
    X(first_epoch_fixed_s,         "s",    0, 3600,     "further work of the first epoch: buffers, choice of kernels") \
    X(unnamed_drives_exponent,     "",     0, 1,        "rate of unnamed drives grows with their number to this power") \
    X(unnamed_drives_share,        "",     0.05, 2,     "rate of unnamed drives over the bound of their type") \
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
    X(nic_power_w,                 "W",      0, 1000,     "one network card") \
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
    X(server_nic_slots_unknown,    "",       0, 16,       "network cards that a barebone or server takes besides its GPUs") \
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

/* X(name, unit, low, high, help): constants of the GPU stage, which each family of software stacks
 * has for itself: rows NAME_tuned, NAME_eager and NAME_graph of constants.csv. */
#define RIG__FAMILY_CONSTANT_MAP(X) \
    X(gpu_compute_amp,             "",     0.1, 20,      "time over peak time, matrix units with FP16 or BF16") \
    X(gpu_compute_tf32,            "",     0.1, 20,      "time over peak time, matrix units with TF32") \
    X(gpu_compute_fp32,            "",     0.1, 20,      "time over peak time, vector units with FP32") \
    X(gpu_compute_fp16_vector,     "",     0.1, 20,      "time over peak time, vector units with FP16") \
    X(half_rate_peak_factor,       "",     0.5, 3,       "effective over printed peak where accumulation runs at half rate") \
    X(gpu_memory_passes,           "",     1, 400,       "times the activations cross GPU memory per step") \
    X(l2_saving,                   "",     0, 1,         "share of that traffic which a cache that holds the working set saves") \
    X(l2_working_set,              "",     0.01, 100,    "scale of cache over working set in it") \
    X(l2_exponent,                 "",     -0.5, 0.5,    "memory time falls with (cache / 6 MiB) to this power") \
    X(gddr_memory_factor,          "",     0.2, 5,       "memory time of GDDR over that of HBM at equal bandwidth") \
    X(gpu_fixed_us_per_mact,       "us/M", 0, 1000,      "time per million activations that no data sheet figure scales") \
    X(gpu_vector_us_per_mact,      "us/M", 0, 1000,      "the same on 100 multiprocessors x GHz, falling with their number") \
    X(power_pj_per_flop,           "pJ",   0, 1000,      "energy of one operation in 2020, matrix units") \
    X(power_pj_per_byte,           "pJ",   0, 10000,     "energy of one byte of GPU memory traffic in 2020") \
    X(power_gain_per_year,         "1/a",  -0.5, 1,      "yearly fall of both (natural logarithm)") \
    X(power_limit_exponent,        "",     -0.5, 1,      "rate rises with (power limit / TDP) to this power") \
    X(batch_half,                  "",     0, 1000,      "images added to a batch by its fixed part, GPU of 100 TFLOP/s") \
    X(batch_half_exponent,         "",     -1, 1,        "power of the peak with which they grow") \
    X(optimizer_bytes_per_param,   "B",    0, 200,       "traffic of the optimiser step per parameter") \
    X(launch_ms_per_layer,         "ms",   0, 100,       "host time per weighted layer and step on the reference core") \
    X(software_gain_per_year,      "1/a",  -0.5, 0.5,    "yearly fall of step time by software (natural logarithm)") \
    X(immature_loss,               "",     -0.5, 2,      "longer steps in the year of introduction (natural logarithm)") \
    X(compute_factor_vgg,          "",     0.05, 20,     "compute time over that of plain CNNs") \
    X(compute_factor_alexnet,      "",     0.05, 20,     "compute time over that of plain CNNs") \
    X(compute_factor_branch,       "",     0.05, 20,     "compute time over that of plain CNNs") \
    X(compute_factor_grouped,      "",     0.05, 20,     "compute time over that of plain CNNs") \
    X(compute_factor_depthwise,    "",     0.05, 20,     "compute time over that of plain CNNs") \
    X(compute_factor_attention,    "",     0.05, 20,     "compute time over that of plain CNNs") \
    X(memory_factor_vgg,           "",     0.05, 20,     "memory time over that of plain CNNs") \
    X(memory_factor_alexnet,       "",     0.05, 20,     "memory time over that of plain CNNs") \
    X(memory_factor_branch,        "",     0.05, 20,     "memory time over that of plain CNNs") \
    X(memory_factor_grouped,       "",     0.05, 20,     "memory time over that of plain CNNs") \
    X(memory_factor_depthwise,     "",     0.05, 20,     "memory time over that of plain CNNs") \
    X(memory_factor_attention,     "",     0.05, 20,     "memory time over that of plain CNNs") \
    X(launch_factor_vgg,           "",     0.05, 20,     "launch time per layer over that of plain CNNs") \
    X(launch_factor_alexnet,       "",     0.05, 20,     "launch time per layer over that of plain CNNs") \
    X(launch_factor_branch,        "",     0.05, 20,     "launch time per layer over that of plain CNNs") \
    X(launch_factor_grouped,       "",     0.05, 20,     "launch time per layer over that of plain CNNs") \
    X(launch_factor_depthwise,     "",     0.05, 20,     "launch time per layer over that of plain CNNs") \
    X(launch_factor_attention,     "",     0.05, 20,     "launch time per layer over that of plain CNNs") \
    X(nvlink_share,                "",     0.02, 1.5,    "usable share of the NVLink rate in a ring") \
    X(bridge_share,                "",     0.02, 1.5,    "usable share of the PCIe rate, cards in bridged pairs") \
    X(p2p_share,                   "",     0.02, 1.5,    "usable share of the PCIe rate, direct copies") \
    X(host_share,                  "",     0.02, 1.5,    "usable share of the PCIe rate through host memory") \
    X(bridge_contention,           "",     0, 10,        "loss of that per GPU beyond two, bridged pairs") \
    X(p2p_contention,              "",     0, 10,        "loss of that per GPU beyond two, direct copies") \
    X(host_contention,             "",     0, 10,        "loss of that per GPU beyond two, through host memory") \
    X(hidden_nvlink,               "",     0, 1,         "share of the step that hides the exchange, NVLink") \
    X(hidden_bridge,               "",     0, 1,         "the same, bridged pairs") \
    X(hidden_p2p,                  "",     0, 1,         "the same, direct PCIe copies") \
    X(hidden_host,                 "",     0, 1,         "the same, through host memory") \
    X(sync_ms,                     "ms",   0, 100,       "synchronisation of the GPUs per step") \
    X(step_jitter,                 "",     0, 0.5,       "spread of step times between GPUs") \
    X(network_share,               "",     0.02, 1.5,    "usable share of the network rate between nodes") \
    X(network_fixed_ms,            "ms",   0, 1000,      "synchronisation of the nodes per step") \
    X(hidden_network,              "",     0, 1,         "share of the step that hides the exchange between nodes")

/* X(enumerator, word): families of software stacks, as in stacks.csv. */
#define RIG__FAMILY_MAP(X) X(TUNED, tuned) X(EAGER, eager) X(GRAPH, graph)
/* clang-format on */

typedef enum rig__family {
#define RIG__FAMILY_ENUM(enumerator, word) RIG__FAMILY_##enumerator,
    RIG__FAMILY_MAP(RIG__FAMILY_ENUM)
#undef RIG__FAMILY_ENUM
        RIG__N_STACK_FAMILIES
} rig__family;

/** Index of a family constant among those of its family. */
typedef enum rig__family_constant_index {
#define RIG__FAMILY_CONSTANT_ENUM(name, unit, low, high, help) RIG__FAMILY_CONSTANT_##name,
    RIG__FAMILY_CONSTANT_MAP(RIG__FAMILY_CONSTANT_ENUM)
#undef RIG__FAMILY_CONSTANT_ENUM
        RIG__N_FAMILY_CONSTANTS
} rig__family_constant_index;

typedef struct rig__family_constants {
#define RIG__FAMILY_MEMBER(name, unit, low, high, help) double name;
    RIG__FAMILY_CONSTANT_MAP(RIG__FAMILY_MEMBER)
#undef RIG__FAMILY_MEMBER
} rig__family_constants;

/** Index of a constant in the table: those of all families, then family by family. */
typedef enum rig__constant_index {
#define RIG__CONSTANT_ENUM(name, unit, low, high, help) RIG__CONSTANT_##name,
    RIG__CONSTANT_MAP(RIG__CONSTANT_ENUM)
#undef RIG__CONSTANT_ENUM
        RIG__N_COMMON_CONSTANTS,
    RIG__N_CONSTANTS = RIG__N_COMMON_CONSTANTS + RIG__N_STACK_FAMILIES * RIG__N_FAMILY_CONSTANTS
} rig__constant_index;

/* One member per constant, in the unit of the table, and their relative uncertainties. */
struct rig_constants {
#define RIG__CONSTANT_MEMBER(name, unit, low, high, help) double name;
    RIG__CONSTANT_MAP(RIG__CONSTANT_MEMBER)
#undef RIG__CONSTANT_MEMBER
    rig__family_constants families[RIG__N_STACK_FAMILIES];
    double log_sd[RIG__N_CONSTANTS];      /**< 0 where the file gives none */
    double half_widths[RIG__N_INTERVALS]; /**< of ln(rate), by class; see model/intervals.h */
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

/** Place of a family's constant in the table. */
rig__constant_index rig__model_family_constant(rig__family family,
                                               rig__family_constant_index index);

/** Family of a stack; the words of the column are checked when the catalogue is read. */
rig__family rig__model_family(const rig_stack *stack);
const char *rig__model_family_word(rig__family family);

#endif
