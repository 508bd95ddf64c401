/* SPDX-License-Identifier: GPL-3.0-or-later
 * Performance model: rates of every stage of training on one machine. Pure functions, no I/O. */
#ifndef RIG_MODEL_H
#define RIG_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "trainrig/catalog.h"
#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Stages of the pipeline in the order data flow through them. */
#define RIG_STAGE_MAP(X)                                                                           \
    X(STORAGE, "storage")                                                                          \
    X(DECODE, "decode")                                                                            \
    X(MEMORY, "memory")                                                                            \
    X(TRANSFER, "transfer")                                                                        \
    X(GPU, "gpu")                                                                                  \
    X(ALLREDUCE, "allreduce")

typedef enum rig_stage {
#define RIG_STAGE_ENUM(enumerator, text) RIG_STAGE_##enumerator,
    RIG_STAGE_MAP(RIG_STAGE_ENUM)
#undef RIG_STAGE_ENUM
        RIG_N_STAGES
} rig_stage;

RIG_API const char *rig_stage_name(rig_stage stage);

typedef enum rig_precision {
    RIG_PRECISION_AMP,
    RIG_PRECISION_TF32,
    RIG_PRECISION_FP32
} rig_precision;
typedef enum rig_page_cache { RIG_CACHE_PAGE, RIG_CACHE_NONE, RIG_CACHE_PINNED } rig_page_cache;

/** What is trained, how. Rows are borrowed from a catalogue that outlives the workload. */
typedef struct rig_workload {
    const char *name;
    const rig_network *network;
    const rig_dataset *dataset;
    const rig_loader *loader;
    const rig_stack *stack;
    rig_precision precision;
    int batch_per_gpu;
    int epochs;
    rig_page_cache cache;
    bool is_overlapped;   /**< preparation overlaps training; default true */
    double workers;       /**< loader workers or threads per machine; NAN: one per core */
    bool is_sequential;   /**< records read in order, not shuffled; default false */
    double software_year; /**< year of the software, as 2023.5; NAN: that of the newest measured */
    const char *release;  /**< of the software, as "v3.0", key of efficiency.csv; NULL: none */
    const char *source;   /**< who measured, key of efficiency.csv; NULL: nobody that is known */
    bool is_without_optimizer; /**< forward and backward only; default false */
    bool is_software_known;    /**< rates of this installation were fitted; default false */
    double software_spread;    /**< errors at this installation over those at others; 0 or NAN: 1 */
    double shards; /**< nodes that share the data set, each holding its part; 0 or 1: all of it */
} rig_workload;

/** Kind of link that joins the GPUs. */
typedef enum rig_gpu_link {
    RIG_LINK_NONE,     /**< one GPU */
    RIG_LINK_NVLINK,   /**< NVLink or xGMI among all GPUs */
    RIG_LINK_BRIDGE,   /**< NVLink bridges between pairs of cards */
    RIG_LINK_PCIE_P2P, /**< PCIe with direct GPU-to-GPU copies */
    RIG_LINK_PCIE_HOST /**< PCIe through host memory (GeForce, Radeon RX) */
} rig_gpu_link;

#define RIG_MAX_DRIVE_KINDS 4

/** Hardware of one node as the model sees it. NAN: unknown; a stage that needs it is unknown. */
typedef struct rig_machine {
    /* processors */
    double sockets;
    double cores; /**< per socket */
    double
        core_speed; /**< all-core speed of one core over the reference core, see rig_core_speed */
    double core_speed_1t; /**< single-thread speed of one core over the reference core */
    double cpu_tdp_w;     /**< per socket */
    /* memory */
    double ram_bytes;
    double mem_channels; /**< populated, whole machine */
    double mem_mts;
    /* storage: drives of up to four kinds */
    size_t n_drive_kinds;
    struct {
        double count, read_gbs, iops, power_w;
    } drives[RIG_MAX_DRIVE_KINDS];
    /* GPUs */
    double n_gpus;
    double gpu_fp32_tflops, gpu_tf32_tflops, gpu_fp16_tflops; /**< peaks; NAN falls back to FP32 */
    double gpu_mem_bytes, gpu_mem_gbs, gpu_tdp_w;
    double gpu_l2_mib; /**< last-level cache; NAN: no saving */
    double gpu_sm_ghz; /**< multiprocessors times boost clock; NAN: derived from the FP32 peak */
    double gpu_year;   /**< of introduction; NAN: that of the newest measured */
    double gpu_power_limit_w;  /**< set below or above the TDP; NAN: the TDP */
    bool gpu_has_hbm;          /**< stacked memory, else GDDR */
    bool gpu_has_matrix_units; /**< FP16 peak is that of matrix (tensor) units */
    bool gpu_is_half_rate;     /**< FP16 peak is given for half-rate FP32 accumulation (GeForce) */
    double gpu_step_factor; /**< measured over modelled time, see rig_gpu_factor; 1: as modelled */
    double gpu_step_log_sd;
    /* links */
    double gpu_pcie_gbs; /**< raw PCIe bandwidth of one GPU in one direction, all GPUs active */
    rig_gpu_link gpu_link;
    double gpu_link_gbs; /**< NVLink: one direction per GPU; ignored for PCIe links */
    double base_power_w; /**< board, fans; NAN: constant */
    /* cluster */
    double nodes;       /**< identical nodes, each as above; 0 or NAN: one */
    double network_gbs; /**< one direction per node [GB/s]; NAN: unknown (several nodes only) */
    double switches_w;  /**< power of the switches between the nodes, all together; 0: none */
    /* how far off the model is for such a machine; rig_machine_set_intervals fills them */
    double stage_log_sd[RIG_N_STAGES]; /**< 0 or NAN: from the uncertainties of the constants */
    double first_epoch_log_sd;         /**< of reading in the first epoch; 0 or NAN: as STORAGE */
} rig_machine;

/** Constants of the equations, one member per row of constants.csv; see model/constants.h for the
 *  list with units and ranges. Opaque to users. */
typedef struct rig_constants rig_constants;

/** What it costs to own and run a machine. Defaults, all assumptions: rig_economics_default. */
typedef struct rig_economics {
    double electricity_usd_kwh; /**< 0.15 */
    double pue;                 /**< power of the site over that of the machine, 1.4 */
    double lifetime_s;          /**< 3 years */
    double utilisation_frac;    /**< share of the lifetime spent training, 0.7 */
    double resale_frac;         /**< share of the price that its sale brings at the end, 0 */
    double interest_frac;       /**< on the capital, per year, 0 */
    double maintenance_frac;    /**< share of the price per year, 0 */
    double hosting_usd_month;   /**< space, network, staff per machine and month, 0 */
    double grid_kg_kwh;         /**< carbon dioxide of a kilowatt-hour [kg]; NAN: unknown */
} rig_economics;
RIG_API rig_economics rig_economics_default(void);

/** Rate of one stage. */
typedef struct rig_stage_rate {
    double images_per_s; /**< INFINITY: does not limit; NAN: unknown */
    double log_sd;       /**< relative uncertainty */
    double slack_frac;   /**< 1 - rate of the pipeline / rate of the stage: 0 binds, 1 idle */
} rig_stage_rate;

/** Everything the model says about one machine and workload. */
typedef struct rig_prediction {
    rig_stage_rate stages[RIG_N_STAGES];        /**< steady state: later epochs */
    rig_stage binding;                          /**< slowest known stage */
    double images_per_s;                        /**< steady state [1/s] */
    double images_per_s_low, images_per_s_high; /**< 90 % interval */
    double epoch_s, epoch_s_low, epoch_s_high;  /**< later epochs */
    double first_epoch_s;                       /**< cold page cache, with start-up */
    double start_s;                             /**< of that, before the first batch */
    double first_epoch_s_low, first_epoch_s_high;
    rig_stage first_binding;
    double run_s;              /**< all epochs */
    double prep_images_per_s;  /**< slowest of storage, decode, memory, transfer */
    double train_images_per_s; /**< slower of gpu, allreduce */
    double balance_frac;       /**< slower of the two over the faster, 0..1 */
    double cache_hit_frac;     /**< share of reads served by the page cache in later epochs */
    double batch_per_gpu;      /**< used; smaller than asked for if memory does not hold it */
    double batch_max;          /**< largest that fits; 0: the network does not fit */
    double gpu_busy_frac, cpu_busy_frac; /**< at the predicted rate, 0..1 */
    double power_w;                      /**< average at the wall socket at the predicted rate */
    double energy_kwh_per_epoch;
    bool has_unknown;      /**< some stage is unknown: the rate is an upper bound */
    bool is_out_of_memory; /**< host memory does not hold the workers, or GPU memory the network */
} rig_prediction;

/** Predicts one node, stage by stage, with interval, energy and balance.
 *
 *  @param machine, workload, constants  borrowed, not NULL
 *  @param[out] out  filled whole; out->is_out_of_memory when nothing can run (rate 0)
 *  @return RIG_OK; RIG_E_RANGE for a machine or workload with impossible figures (err says which)
 *  @thread safe, no allocation   @source docs/model.md
 */
RIG_API RIG_NODISCARD rig_status rig_predict_machine(const rig_machine *machine,
                                                     const rig_workload *workload,
                                                     const rig_constants *constants,
                                                     rig_prediction *out,
                                                     rig_error *err);

/** What one later epoch costs on a machine that is owned, and of what the cost is made [USD]. */
typedef struct rig_cost {
    double depreciation_usd; /**< price less resale, over all epochs of the lifetime */
    double interest_usd;     /**< what the annuity of the capital costs beyond that */
    double maintenance_usd;
    double hosting_usd;
    double electricity_usd; /**< at the real load, with PUE; idle hours are not counted */
    double total_usd;       /**< INFINITY when the rate is 0; NAN where a figure is unknown */
} rig_cost;

/** Yearly cost of a purchase in equal payments, the resale deducted (equivalent annual cost):
 *  a = (P - R / (1 + i)^n) i / (1 - (1 + i)^-n), and (P - R) / n without interest, n in years.
 *  @return US dollars per year   @thread safe, no allocation */
RIG_API double rig_annuity_usd(double price_usd, const rig_economics *economics);

/** Cost of one later epoch.  @thread safe, no allocation   @source docs/model.md#cost */
RIG_API rig_cost rig_cost_of_epoch(const rig_prediction *prediction,
                                   int64_t price_cents,
                                   const rig_economics *economics);

/** Its total.
 *  @return US dollars per epoch, INFINITY when the rate is 0 */
RIG_API double rig_cost_per_epoch_usd(const rig_prediction *prediction,
                                      int64_t price_cents,
                                      const rig_economics *economics);

/** Single stages as functions of what they depend on; rig_predict_machine is built of these and the
 *  optimiser tabulates them. All rates in images/s for the whole node; NAN inputs give NAN. */
/** Decode and augment on the CPU: cores [node], core_speed, GPUs to feed. Non-increasing in n_gpus.
 */
RIG_API double rig_decode_rate(const rig_constants *constants,
                               const rig_workload *workload,
                               double cores,
                               double core_speed,
                               double n_gpus);
/** Memory bandwidth: populated channels [node], MT/s. */
RIG_API double rig_memory_rate(const rig_constants *constants,
                               const rig_workload *workload,
                               double channels,
                               double mts);
/** Host to GPU transfer: per-GPU raw PCIe bandwidth [GB/s]. */
RIG_API double rig_transfer_rate(const rig_constants *constants,
                                 const rig_workload *workload,
                                 double n_gpus,
                                 double gpu_pcie_gbs);
/** GPU computation alone, all GPUs, without all-reduce; uses the gpu_* members, n_gpus and
 *  core_speed_1t of the machine. 0 if the network does not fit. */
RIG_API double rig_gpu_rate(const rig_constants *constants,
                            const rig_workload *workload,
                            const rig_machine *machine);
/** GPU computation with the exposed part of the gradient all-reduce (the `allreduce` stage);
 *  equal to rig_gpu_rate for one GPU. Non-decreasing in gpu_pcie_gbs and gpu_link_gbs. */
RIG_API double rig_allreduce_rate(const rig_constants *constants,
                                  const rig_workload *workload,
                                  const rig_machine *machine);
/** Storage: read bandwidth usable for this workload [GB/s] of the drives of a machine. */
RIG_API double rig_drive_gbs(const rig_constants *constants,
                             const rig_workload *workload,
                             const rig_machine *machine);
/** Memory left for the page cache [B], may be negative: RAM less system, workers and GPU buffers.
 *  Linear: ram_bytes * ram_share - fixed - per_gpu * n_gpus - per_worker * workers(cores). */
RIG_API double rig_cache_bytes(const rig_constants *constants,
                               const rig_workload *workload,
                               double ram_bytes,
                               double n_gpus,
                               double cores);
/** Share of reads the cache serves in later epochs, 0..1, non-decreasing in cache_bytes. */
RIG_API double
rig_cache_hit(const rig_constants *constants, const rig_workload *workload, double cache_bytes);
/** Storage stage: INFINITY when everything is cached. */
RIG_API double rig_storage_rate(const rig_workload *workload, double drive_gbs, double hit_frac);
/** Bytes of the data set that one node stores and reads: all of it, or its shard. */
RIG_API double rig_node_data_bytes(const rig_workload *workload);
/** Probability that each stage is the slowest, from rates and their uncertainties taken as
 *  independent and log-normal; sums to 1 over the known stages, all 0 if none of them limits.
 *
 *  p_i = integral of f_i(x) prod_{j != i} (1 - F_j(x)) dx over x = ln(rate), to 1e-4.
 *  `allreduce` contains `gpu`: the two are one stage, and its share is that of the slower of them.
 *  @param[out] out  0 for a stage that is unknown or does not limit   @thread safe, no allocation
 */
RIG_API void rig_stage_probabilities(const rig_prediction *prediction, double out[RIG_N_STAGES]);
/** Largest batch per GPU that fits, 0 if none. */
RIG_API double rig_batch_max(const rig_constants *constants,
                             const rig_workload *workload,
                             double gpu_mem_bytes,
                             double n_gpus);

/** Relative core speed from a CPU row: all cores busy, and single thread. Uses SPECrate per core
 *  where known, else Geekbench, else clocks and family.
 *  @return false if nothing is known */
RIG_API bool rig_core_speed(const rig_constants *constants,
                            const rig_cpu *cpu,
                            double *all_core_out,
                            double *single_out);

/** Binds the constants table of a catalogue; every constant must be there, in range, none unknown.
 *  @param[out] out  free with rig_constants_free */
RIG_API RIG_NODISCARD rig_status rig_constants_new(rig_constants **out,
                                                   const rig_catalog *catalog,
                                                   rig_error *err);
RIG_API void rig_constants_free(rig_constants *constants);
/** One constant by its name, for limits that other rooms use; NAN if there is none such. */
RIG_API double rig_constants_get(const rig_constants *constants, const char *name);

/** Fills the data-sheet figures of a GPU (gpu_*, gpu_link_gbs), with a factor of 1. */
RIG_API void rig_machine_set_gpu(rig_machine *machine, const rig_gpu *gpu);

/** How GPUs of a model are joined when nothing but the machine joins them: no bridges. */
RIG_API rig_gpu_link rig_gpu_link_get(const rig_gpu *gpu, int n_gpus);

/** Efficiency row of a GPU with the family of a workload's stack: by its name, else "VENDOR ARCH",
 *  else "VENDOR", else NULL: unmeasured. */
RIG_API const rig_efficiency *
rig_gpu_efficiency(const rig_catalog *catalog, const rig_gpu *gpu, const rig_workload *workload);

/** Measured over modelled GPU time: product of all rows of efficiency.csv that apply. */
typedef struct rig_gpu_factor {
    double step_factor; /**< 1 if nothing applies */
    double log_sd;
} rig_gpu_factor;

/** @param nodes  identical nodes, 1 for a single machine */
RIG_API rig_gpu_factor rig_gpu_factor_get(const rig_catalog *catalog,
                                          const rig_gpu *gpu,
                                          const rig_workload *workload,
                                          double nodes);

/** Measured over modelled speed of a processor: row "CPU | cpu", else "CPU FAMILY | cpu", times
 *  "CPU | LOADER | cpu"; 1 if there is none. */
RIG_API double
rig_cpu_factor_get(const rig_catalog *catalog, const rig_cpu *cpu, const rig_workload *workload);

/** What the model has been fitted to, as far as a prediction depends on it. */
typedef struct rig_familiarity {
    bool is_gpu_known;     /**< this GPU with this family of stacks: efficiency.csv has a row */
    bool is_network_known; /**< this network with this family of stacks, likewise */
    bool is_software_own;  /**< rates of this very installation, likewise or by the workload */
    bool is_cpu_known;
    bool is_cpu_family_known;
    bool is_loader_known; /**< its figures were measured, not assumed */
} rig_familiarity;

/** @param gpu, cpu  NULL: not known which   @thread safe, no allocation */
RIG_API rig_familiarity rig_familiarity_get(const rig_catalog *catalog,
                                            const rig_workload *workload,
                                            const rig_gpu *gpu,
                                            const rig_cpu *cpu);

/** Fills stage_log_sd and first_epoch_log_sd from the widths of intervals.csv, by what is known and
 *  by the number of nodes. Once per machine, so that a prediction does not look anything up.
 *  @thread safe, no allocation   @source docs/accuracy.md */
RIG_API void rig_machine_set_intervals(rig_machine *machine,
                                       const rig_constants *constants,
                                       const rig_workload *workload,
                                       const rig_familiarity *known);

/** Workload by its name in workloads.csv ("resnet50-imagenet"), or "NETWORK-DATASET".
 *  @return RIG_OK, RIG_E_NOTFOUND with the nearest names */
RIG_API RIG_NODISCARD rig_status rig_workload_find(const rig_catalog *catalog,
                                                   const char *name,
                                                   rig_workload *out,
                                                   rig_error *err);
RIG_API RIG_NODISCARD rig_status rig_precision_parse(const char *text,
                                                     rig_precision *out,
                                                     rig_error *err);
RIG_API const char *rig_precision_name(rig_precision precision);

#ifdef __cplusplus
}
#endif
#endif
