/* SPDX-License-Identifier: GPL-3.0-or-later
 * Composition of the stages: rate, interval, balance, times and energy of one machine. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/constants.h"
#include "model/intervals.h"
#include "model/stages.h"

static const double j_per_kwh = 3.6e6;

const char *rig_stage_name(rig_stage stage)
{
    static const char *const names[RIG_N_STAGES] = {
#define RIG_STAGE_NAME(enumerator, text) text,
        RIG_STAGE_MAP(RIG_STAGE_NAME)
#undef RIG_STAGE_NAME
    };
    return names[stage];
}

/* One figure of a machine and its range; unknown is allowed unless required. */
typedef struct figure {
    const char *name;
    double value;
    double low, high;
    bool is_required;
} figure;

/* Largest figure that any real machine could have; beyond it the input is a slip. */
#define RIG__ANY_HIGH 1e18

static rig_status check_figures(const figure *figures, size_t count, rig_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const figure *f = &figures[i];
        if (isnan(f->value) && !f->is_required) {
            continue;
        }
        if (!(f->value >= f->low && f->value <= f->high)) {
            char value[32], low[32], high[32];
            return rig__error_set(err,
                                  RIG_E_RANGE,
                                  NULL,
                                  0,
                                  0,
                                  "%s out of range: '%s' (expected %s to %s)",
                                  f->name,
                                  rig__number_format(value, sizeof value, f->value),
                                  rig__number_format(low, sizeof low, f->low),
                                  rig__number_format(high, sizeof high, f->high));
        }
    }
    return RIG_OK;
}

static rig_status check_machine(const rig_machine *m, rig_error *err)
{
    const figure figures[] = {
        {"sockets", m->sockets, 1, 64, false},
        {"cores per socket", m->cores, 1, 4096, false},
        {"core speed", m->core_speed, 0, 1000, false},
        {"single-thread core speed", m->core_speed_1t, 1e-3, 1000, false},
        {"processor TDP", m->cpu_tdp_w, 0, 1e5, false},
        {"memory", m->ram_bytes, 0, RIG__ANY_HIGH, false},
        {"memory channels", m->mem_channels, 0, 4096, false},
        {"memory rate", m->mem_mts, 0, 1e6, false},
        {"drive kinds", (double)m->n_drive_kinds, 0, RIG_MAX_DRIVE_KINDS, true},
        {"GPUs", m->n_gpus, 1, 1024, true},
        {"GPU FP32 peak", m->gpu_fp32_tflops, 0, 1e6, false},
        {"GPU TF32 peak", m->gpu_tf32_tflops, 0, 1e6, false},
        {"GPU FP16 peak", m->gpu_fp16_tflops, 0, 1e6, false},
        {"GPU memory", m->gpu_mem_bytes, 0, RIG__ANY_HIGH, false},
        {"GPU memory bandwidth", m->gpu_mem_gbs, 0, 1e6, false},
        {"GPU TDP", m->gpu_tdp_w, 0, 1e5, false},
        {"GPU cache", m->gpu_l2_mib, 0, 1e6, false},
        {"GPU multiprocessor clock", m->gpu_sm_ghz, 0, 1e6, false},
        {"GPU year", m->gpu_year, 0, 2200, false},
        {"GPU power limit", m->gpu_power_limit_w, 0, 1e5, false},
        {"GPU step factor", m->gpu_step_factor, 1e-3, 1e3, false},
        {"GPU step uncertainty", m->gpu_step_log_sd, 0, 10, false},
        {"PCIe bandwidth per GPU", m->gpu_pcie_gbs, 0, 1e5, false},
        {"GPU link bandwidth", m->gpu_link_gbs, 0, 1e5, false},
        {"base power", m->base_power_w, 0, 1e6, false},
        {"nodes", m->nodes, 0, 1e6, false},
        {"network bandwidth", m->network_gbs, 0, 1e5, false},
        {"power of the switches", m->switches_w, 0, 1e7, true},
        {"first epoch uncertainty", m->first_epoch_log_sd, 0, 10, false},
    };
    RIG_TRY(check_figures(figures, sizeof figures / sizeof figures[0], err));
    for (size_t i = 0; i < m->n_drive_kinds; i++) {
        const figure drive[] = {
            {"drives", m->drives[i].count, 0, 1e5, true},
            {"drive read rate", m->drives[i].read_gbs, 0, 1e6, false},
            {"drive random reads", m->drives[i].iops, 0, 1e12, false},
            {"drive power", m->drives[i].power_w, 0, 1e5, false},
        };
        RIG_TRY(check_figures(drive, sizeof drive / sizeof drive[0], err));
    }
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const figure sd[] = {{"stage uncertainty", m->stage_log_sd[i], 0, 10, false}};
        RIG_TRY(check_figures(sd, 1, err));
    }
    return RIG_OK;
}

static rig_status check_choice(
    const char *what, const rig_row *row, const char *text, const char *choices, rig_error *err)
{
    if (text != NULL && rig__list_contains(choices, text)) {
        return RIG_OK;
    }
    return rig__error_set(err,
                          RIG_E_RANGE,
                          row->file,
                          row->line,
                          0,
                          "%s of %s: '%s' (expected one of %s)",
                          what,
                          row->name,
                          text == NULL ? "" : text,
                          choices);
}

static rig_status check_workload(const rig_workload *w, rig_error *err)
{
    const figure figures[] = {
        {"batch per GPU", w->batch_per_gpu, 1, 1e6, true},
        {"epochs", w->epochs, 1, 1e6, true},
        {"workers", w->workers, 0, 1e5, false},
        {"shards", w->shards, 0, 1e6, false},
    };
    RIG_TRY(check_figures(figures, sizeof figures / sizeof figures[0], err));
    RIG_TRY(check_choice("kind",
                         &w->network->row,
                         w->network->kind,
                         "cnn;vgg;alexnet;branch;grouped;depthwise;attention",
                         err));
    RIG_TRY(check_choice("layout", &w->dataset->row, w->dataset->layout, "files;records;raw", err));
    return check_choice("decode", &w->loader->row, w->loader->decode, "cpu;gpu;none", err);
}

static double sd_of(const rig_constants *constants, rig__constant_index index)
{
    return constants->log_sd[index];
}

static double quadrature(double a, double b, double c)
{
    return sqrt(a * a + b * b + c * c);
}

/* What machines of this class are known to be off by, else what the constants say. */
static double own_or(double own, double other)
{
    return own > 0.0 ? own : other;
}

/* The link's, or the loader's where handing over between processes is slower than the link. */
static double
transfer_sd(const rig_constants *k, const rig_workload *workload, const rig_machine *machine)
{
    const bool is_process_bound = workload->loader->ipc_gbs < k->pcie_share * machine->gpu_pcie_gbs;
    return is_process_bound ? workload->loader->log_sd : sd_of(k, RIG__CONSTANT_pcie_share);
}

static double decode_sd(const rig_constants *k, const rig_workload *workload)
{
    return quadrature(workload->loader->log_sd,
                      sd_of(k, RIG__CONSTANT_decode_ns_per_byte),
                      sd_of(k, RIG__CONSTANT_specrate_per_core_reference));
}

static double
family_sd(const rig_constants *k, const rig_workload *workload, rig__family_constant_index index)
{
    return k->log_sd[rig__model_family_constant(rig__model_family(workload->stack), index)];
}

static double gpu_sd(const rig_constants *k, const rig_workload *w, const rig_machine *machine)
{
    const double factor_sd =
        isnan(machine->gpu_step_log_sd) ? k->gpu_prior_log_sd : machine->gpu_step_log_sd;
    return quadrature(
        w->stack->log_sd, factor_sd, family_sd(k, w, RIG__FAMILY_CONSTANT_gpu_memory_passes));
}

static double link_sd(const rig_constants *k, const rig_workload *w, const rig_machine *machine)
{
    const double gpu = gpu_sd(k, w, machine);
    return machine->n_gpus > 1.0
               ? quadrature(gpu, family_sd(k, w, RIG__FAMILY_CONSTANT_host_share), 0.0)
               : gpu;
}

/* Of reading from the drives alone. */
static double drive_sd(const rig_constants *k, const rig_machine *machine)
{
    return own_or(machine->stage_log_sd[RIG_STAGE_STORAGE],
                  sd_of(k, RIG__CONSTANT_drive_seq_share));
}

/* What follows from the constants where the machine's class has no width. */
static double constants_sd(const rig_constants *k,
                           const rig_workload *workload,
                           const rig_machine *machine,
                           rig_stage stage)
{
    switch (stage) {
    case RIG_STAGE_STORAGE:
        return drive_sd(k, machine);
    case RIG_STAGE_DECODE:
        return decode_sd(k, workload);
    case RIG_STAGE_MEMORY:
        return quadrature(sd_of(k, RIG__CONSTANT_memory_bandwidth_share),
                          sd_of(k, RIG__CONSTANT_memory_passes_output),
                          0.0);
    case RIG_STAGE_TRANSFER:
        return transfer_sd(k, workload, machine);
    case RIG_STAGE_GPU:
        return gpu_sd(k, workload, machine);
    case RIG_STAGE_ALLREDUCE:
        return link_sd(k, workload, machine);
    case RIG_N_STAGES:
        break;
    }
    return 0.0;
}

static void fill_uncertainty(const rig_constants *k,
                             const rig_workload *workload,
                             const rig_machine *machine,
                             rig_prediction *out)
{
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const double own = machine->stage_log_sd[i];
        out->stages[i].log_sd = own > 0.0 ? own : constants_sd(k, workload, machine, (rig_stage)i);
    }
    /* A cache that holds a part of the data makes its own error; without misses or hits none. */
    if (out->cache_hit_frac > 0.0 && out->cache_hit_frac < 1.0) {
        rig_stage_rate *const storage = &out->stages[RIG_STAGE_STORAGE];
        storage->log_sd =
            quadrature(storage->log_sd, sd_of(k, RIG__CONSTANT_cache_shuffle_mix), 0.0);
    }
}

static void fill_rates(const rig_constants *k,
                       const rig_workload *workload,
                       const rig_machine *machine,
                       rig_prediction *out)
{
    const double cores = machine->sockets * machine->cores;
    const double cache_bytes =
        rig_cache_bytes(k, workload, machine->ram_bytes, machine->n_gpus, cores);
    out->cache_hit_frac = rig_cache_hit(k, workload, cache_bytes);
    out->batch_max = rig_batch_max(k, workload, machine->gpu_mem_bytes, machine->n_gpus);
    out->batch_per_gpu = rig__model_batch(k, workload, machine);
    out->is_out_of_memory = cache_bytes < 0.0 || out->batch_max < 1.0;
    rig_stage_rate *stages = out->stages;
    stages[RIG_STAGE_STORAGE].images_per_s =
        rig_storage_rate(workload, rig_drive_gbs(k, workload, machine), out->cache_hit_frac);
    stages[RIG_STAGE_DECODE].images_per_s =
        rig_decode_rate(k, workload, cores, machine->core_speed, machine->n_gpus);
    stages[RIG_STAGE_MEMORY].images_per_s =
        rig_memory_rate(k, workload, machine->mem_channels, machine->mem_mts);
    stages[RIG_STAGE_TRANSFER].images_per_s =
        rig_transfer_rate(k, workload, machine->n_gpus, machine->gpu_pcie_gbs);
    rig__model_training_rates(k,
                              workload,
                              machine,
                              &stages[RIG_STAGE_GPU].images_per_s,
                              &stages[RIG_STAGE_ALLREDUCE].images_per_s);
    const double nodes = rig__model_nodes(machine);
    for (rig_stage i = RIG_STAGE_STORAGE; i <= RIG_STAGE_TRANSFER; i++) {
        stages[i].images_per_s *= nodes;
    }
}

/* Slowest of the known stages from first to last; RIG_N_STAGES if none is known. An earlier stage
 * wins a tie, so that `allreduce` binds only where it is slower than `gpu`. */
static rig_stage slowest(const double rates[RIG_N_STAGES], rig_stage first, rig_stage last)
{
    rig_stage binding = RIG_N_STAGES;
    for (rig_stage i = first; i <= last; i++) {
        if (isnan(rates[i])) {
            continue;
        }
        if (binding == RIG_N_STAGES || rates[i] < rates[binding]) {
            binding = i;
        }
    }
    return binding;
}

/* Rate of the pipeline: the slowest stage if preparation overlaps training, else stages follow each
 * other. `allreduce` contains `gpu`, so only the slower of the two counts. */
static double compose(const double rates[RIG_N_STAGES], bool is_overlapped)
{
    if (is_overlapped) {
        const rig_stage binding = slowest(rates, RIG_STAGE_STORAGE, RIG_STAGE_ALLREDUCE);
        return binding == RIG_N_STAGES ? (double)NAN : rates[binding];
    }
    double image_s = 0.0;
    for (rig_stage i = RIG_STAGE_STORAGE; i <= RIG_STAGE_TRANSFER; i++) {
        image_s += isnan(rates[i]) ? 0.0 : 1.0 / rates[i];
    }
    const rig_stage training = slowest(rates, RIG_STAGE_GPU, RIG_STAGE_ALLREDUCE);
    image_s += training == RIG_N_STAGES ? 0.0 : 1.0 / rates[training];
    return 1.0 / image_s;
}

/* Ends of the 90 % interval of the pipeline: every stage is off by its own width. The factors are
 * those of the upper ends; one exponential per stage serves both. */
static void compose_interval(const double rates[RIG_N_STAGES],
                             const double factors[RIG_N_STAGES],
                             bool is_overlapped,
                             double *low_out,
                             double *high_out)
{
    double low[RIG_N_STAGES], high[RIG_N_STAGES];
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        low[i] = rates[i] / factors[i];
        high[i] = rates[i] * factors[i];
    }
    *low_out = compose(low, is_overlapped);
    *high_out = compose(high, is_overlapped);
}

static double upper_factor(double log_sd)
{
    return exp(RIG__Z_90 * log_sd);
}

static double rate_or_nan(const double rates[RIG_N_STAGES], rig_stage first, rig_stage last)
{
    const rig_stage stage = slowest(rates, first, last);
    return stage == RIG_N_STAGES ? (double)NAN : rates[stage];
}

static double share_of(double part, double whole)
{
    if (isnan(whole)) {
        return NAN;
    }
    if (isinf(whole)) {
        return 0.0;
    }
    return whole > 0.0 ? rig__model_min(1.0, part / whole) : 0.0;
}

static void fill_composition(const rig_workload *workload,
                             const double factors[RIG_N_STAGES],
                             rig_prediction *out)
{
    double rates[RIG_N_STAGES];
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        rates[i] = out->stages[i].images_per_s;
        out->has_unknown = out->has_unknown || isnan(rates[i]);
    }
    const rig_stage binding = slowest(rates, RIG_STAGE_STORAGE, RIG_STAGE_ALLREDUCE);
    out->binding = binding == RIG_N_STAGES ? RIG_STAGE_STORAGE : binding;
    out->prep_images_per_s = rate_or_nan(rates, RIG_STAGE_STORAGE, RIG_STAGE_TRANSFER);
    out->train_images_per_s = rate_or_nan(rates, RIG_STAGE_GPU, RIG_STAGE_ALLREDUCE);
    const bool is_overlapped = workload->is_overlapped;
    if (out->is_out_of_memory) {
        out->images_per_s = out->images_per_s_low = out->images_per_s_high = 0.0;
    } else {
        out->images_per_s = compose(rates, is_overlapped);
        compose_interval(
            rates, factors, is_overlapped, &out->images_per_s_low, &out->images_per_s_high);
    }
    const double prep = out->prep_images_per_s;
    const double train = out->train_images_per_s;
    if (isnan(prep) || isnan(train)) {
        out->balance_frac = NAN;
    } else {
        out->balance_frac = prep < train ? share_of(prep, train) : share_of(train, prep);
    }
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        out->stages[i].slack_frac =
            isnan(rates[i]) ? (double)NAN : 1.0 - share_of(out->images_per_s, rates[i]);
    }
}

/* Time until the first batch reaches the GPUs [s]. */
static double start_s(const rig_constants *k,
                      const rig_workload *workload,
                      const rig_machine *machine,
                      double batch)
{
    if (rig__model_is_synthetic(workload)) {
        return k->startup_s;
    }
    /* Only loaders that hand over between processes start processes. */
    const double workers = rig__model_workers(workload, machine->sockets * machine->cores);
    const double spawn_s =
        isnan(workload->loader->ipc_gbs) || isnan(workers) ? 0.0 : workers * k->worker_spawn_s;
    const double speed = isnan(machine->core_speed) ? k->unnamed_core_speed : machine->core_speed;
    const double batch_s = batch * rig__model_prepare_s(k, workload) / speed;
    return k->startup_s + spawn_s + (isfinite(batch_s) ? batch_s : 0.0);
}

/* An epoch that reads all from the drives: reading overlaps the rest in part only, since the drives
 * do not deliver evenly. Smooth sum of both times. */
static double cold_epoch_s(double rest_s, double read_s, bool is_overlapped)
{
    if (isnan(read_s)) {
        return rest_s;
    }
    return is_overlapped ? sqrt(rest_s * rest_s + read_s * read_s) : rest_s + read_s;
}

/* Everything is read from the drives, and the interval has a class of its own. */
static void fill_first_epoch(const rig_constants *k,
                             const rig_workload *workload,
                             const rig_machine *machine,
                             const double factors[RIG_N_STAGES],
                             rig_prediction *out)
{
    double rates[RIG_N_STAGES], low = 0.0, high = 0.0;
    const double images = workload->dataset->images;
    const bool is_overlapped = workload->is_overlapped;
    const double cold = rig__model_nodes(machine) *
                        rig_storage_rate(workload, rig_drive_gbs(k, workload, machine), 0.0);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        rates[i] = out->stages[i].images_per_s;
    }
    rates[RIG_STAGE_STORAGE] = cold;
    const rig_stage first = slowest(rates, RIG_STAGE_STORAGE, RIG_STAGE_ALLREDUCE);
    out->first_binding = first == RIG_N_STAGES ? RIG_STAGE_STORAGE : first;
    out->start_s = start_s(k, workload, machine, out->batch_per_gpu);
    if (out->is_out_of_memory) {
        out->first_epoch_s = out->first_epoch_s_low = out->first_epoch_s_high = INFINITY;
        return;
    }
    const double factor = upper_factor(own_or(machine->first_epoch_log_sd, drive_sd(k, machine)));
    const double fixed_s = rig__model_is_synthetic(workload) ? 0.0 : k->first_epoch_fixed_s;
    const double before_s = out->start_s + fixed_s;
    rates[RIG_STAGE_STORAGE] = INFINITY; /* counted by itself */
    compose_interval(rates, factors, is_overlapped, &low, &high);
    const double rest_s = images / compose(rates, is_overlapped), read_s = images / cold;
    out->first_epoch_s = before_s + cold_epoch_s(rest_s, read_s, is_overlapped);
    out->first_epoch_s_low = before_s + cold_epoch_s(images / high, read_s / factor, is_overlapped);
    out->first_epoch_s_high = before_s + cold_epoch_s(images / low, read_s * factor, is_overlapped);
}

static void fill_times(const rig_constants *k,
                       const rig_workload *workload,
                       const rig_machine *machine,
                       const double factors[RIG_N_STAGES],
                       rig_prediction *out)
{
    const double images = workload->dataset->images;
    out->epoch_s = images / out->images_per_s;
    out->epoch_s_low = images / out->images_per_s_high;
    out->epoch_s_high = images / out->images_per_s_low;
    fill_first_epoch(k, workload, machine, factors, out);
    out->run_s = out->first_epoch_s;
    if (workload->epochs > 1) {
        out->run_s += (workload->epochs - 1) * out->epoch_s;
    }
}

rig_status rig_predict_machine(const rig_machine *machine,
                               const rig_workload *workload,
                               const rig_constants *constants,
                               rig_prediction *out,
                               rig_error *err)
{
    double factors[RIG_N_STAGES];
    memset(out, 0, sizeof *out);
    RIG_TRY(check_machine(machine, err));
    RIG_TRY(check_workload(workload, err));
    fill_rates(constants, workload, machine, out);
    fill_uncertainty(constants, workload, machine, out);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        factors[i] = upper_factor(out->stages[i].log_sd);
    }
    fill_composition(workload, factors, out);
    fill_times(constants, workload, machine, factors, out);
    out->gpu_busy_frac = share_of(out->images_per_s, out->train_images_per_s);
    out->cpu_busy_frac = share_of(out->images_per_s, out->stages[RIG_STAGE_DECODE].images_per_s);
    out->power_w = rig__model_power_w(constants, machine, out->cpu_busy_frac, out->gpu_busy_frac);
    out->energy_kwh_per_epoch = out->power_w * out->epoch_s / j_per_kwh;
    return RIG_OK;
}
