/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stages on the GPUs: memory, the training step and the exchange of gradients. */
#include <math.h>
#include <string.h>

#include "model/constants.h"
#include "model/effects.h"
#include "model/stages.h"

static const double s_per_us = 1e-6;
static const double s_per_ms = 1e-3;
static const double j_per_pj = 1e-12;
static const double per_tera = 1e12;
static const double per_giga = 1e9;
static const double per_mega = 1e6;
static const double bytes_per_mib = 1048576.0;

/* What the family constants refer to. */
static const double reference_layers = 54.0;     /* weighted layers of ResNet-50 */
static const double reference_tflops = 100.0;    /* of batch_half */
static const double reference_sm_ghz = 100.0;    /* of gpu_vector_us_per_mact */
static const double reference_l2_mib = 6.0;      /* of l2_exponent */
static const double reference_power_year = 2020; /* of power_pj_per_flop and power_pj_per_byte */
static const double reference_software_year = 2022.5;
/* FP32 lanes of a multiprocessor where their number is not known (Pascal and Ampere onwards). */
static const double usual_lanes_per_sm = 128.0;
/* Width of the corner at which an exchange outgrows what hides it, over the step. */
static const double corner_frac = 0.05;

static double activations(const rig_constants *constants, const rig_network *network)
{
    if (!isnan(network->activations_m)) {
        return network->activations_m * per_mega;
    }
    double per_gmac = constants->activations_per_gmac_cnn;
    if (rig__model_is_depthwise(network)) {
        per_gmac = constants->activations_per_gmac_depthwise;
    } else if (rig__model_is_attention(network)) {
        per_gmac = constants->activations_per_gmac_attention;
    }
    return per_gmac * network->gmacs * per_mega;
}

static double element_bytes(const rig_constants *constants, const rig_workload *workload)
{
    return workload->precision == RIG_PRECISION_AMP ? constants->bytes_per_activation_amp
                                                    : constants->bytes_per_activation_fp32;
}

double rig_batch_max(const rig_constants *constants,
                     const rig_workload *workload,
                     double gpu_mem_bytes,
                     double n_gpus)
{
    if (isnan(gpu_mem_bytes) || isnan(n_gpus)) {
        return NAN;
    }
    const double state_bytes_per_param = workload->precision == RIG_PRECISION_AMP
                                             ? constants->state_bytes_per_param_amp
                                             : constants->state_bytes_per_param_fp32;
    const double context_gb =
        constants->gpu_context_gb + (n_gpus > 1.0 ? constants->gpu_context_multi_gb : 0.0);
    const double free_bytes = constants->gpu_mem_share * gpu_mem_bytes -
                              workload->network->params_m * per_mega * state_bytes_per_param -
                              context_gb * RIG__GB_BYTES;
    const double image_bytes = activations(constants, workload->network) *
                               element_bytes(constants, workload) * constants->activation_copies;
    const double fits = floor(free_bytes / image_bytes);
    if (fits < 1.0) {
        return 0.0;
    }
    const double multiple = constants->batch_multiple;
    return fits < multiple ? fits : multiple * floor(fits / multiple);
}

double rig__model_batch(const rig_constants *constants,
                        const rig_workload *workload,
                        const rig_machine *machine)
{
    const double batch_max =
        rig_batch_max(constants, workload, machine->gpu_mem_bytes, machine->n_gpus);
    return rig__model_min((double)workload->batch_per_gpu, batch_max);
}

/* ---- what the family and the kind of network bring ------------------------------------------ */

/* Times over those of plain CNNs. */
typedef struct kind_factors {
    double compute, memory, launch;
} kind_factors;

static kind_factors factors_of(const rig__family_constants *k, const char *kind)
{
#define RIG__KIND_FACTORS(word)                                                                    \
    if (strcmp(kind, #word) == 0) {                                                                \
        return (kind_factors){                                                                     \
            k->compute_factor_##word, k->memory_factor_##word, k->launch_factor_##word};           \
    }
    RIG__KIND_FACTORS(attention)
    RIG__KIND_FACTORS(depthwise)
    RIG__KIND_FACTORS(grouped)
    RIG__KIND_FACTORS(branch)
    RIG__KIND_FACTORS(vgg)
    RIG__KIND_FACTORS(alexnet)
#undef RIG__KIND_FACTORS
    return (kind_factors){1.0, 1.0, 1.0};
}

/* Units that compute in a precision: their peak and how much longer than at peak they take. */
typedef struct units {
    double peak_tflops;
    double factor;
    double energy_factor; /* energy of an operation over that on matrix units */
} units;

/* Vector units move each operand for every operation: twice the width, twice the energy. */
static units units_of(const rig__family_constants *k, rig__mode mode, const rig_machine *machine)
{
    const double half_rate = machine->gpu_is_half_rate ? k->half_rate_peak_factor : 1.0;
    switch (mode) {
    case RIG__MODE_AMP:
        return (units){machine->gpu_fp16_tflops * half_rate, k->gpu_compute_amp, 1.0};
    case RIG__MODE_TF32:
        return (units){machine->gpu_tf32_tflops * half_rate, k->gpu_compute_tf32, 2.0};
    case RIG__MODE_FP16:
        return (units){isnan(machine->gpu_fp16_tflops) ? machine->gpu_fp32_tflops
                                                       : machine->gpu_fp16_tflops,
                       k->gpu_compute_fp16_vector,
                       4.0};
    case RIG__MODE_FP32:
        break;
    }
    return (units){machine->gpu_fp32_tflops, k->gpu_compute_fp32, 4.0};
}

/* All that one step depends on, gathered once. */
typedef struct step_inputs {
    const rig_constants *constants;
    const rig__family_constants *family;
    const rig_workload *workload;
    const rig_machine *machine;
    rig__family family_index;
    kind_factors kind;
    units units;
    double batch, activations, activation_bytes, layers, flops;
} step_inputs;

static step_inputs
gather(const rig_constants *constants, const rig_workload *workload, const rig_machine *machine)
{
    const rig_network *const network = workload->network;
    const rig__family family = rig__model_family(workload->stack);
    const rig__mode mode = rig__model_mode(workload->precision,
                                           machine->gpu_has_matrix_units,
                                           machine->gpu_fp16_tflops,
                                           machine->gpu_tf32_tflops);
    const double n_activations = activations(constants, network);
    step_inputs in = {
        .constants = constants,
        .family = &constants->families[family],
        .workload = workload,
        .machine = machine,
        .family_index = family,
        .batch = rig__model_batch(constants, workload, machine),
        .activations = n_activations,
        .activation_bytes = n_activations * element_bytes(constants, workload),
        .layers = isnan(network->layers) ? reference_layers : network->layers,
        .flops = constants->flops_per_mac * network->gmacs * per_giga,
    };
    in.kind = factors_of(in.family, network->kind);
    in.units = units_of(in.family, mode, machine);
    return in;
}

/* ---- one image ------------------------------------------------------------------------------ */

static double compute_s(const step_inputs *in)
{
    return in->kind.compute * in->workload->stack->compute_factor * in->units.factor * in->flops /
           (in->units.peak_tflops * per_tera);
}

/* Share of the traffic that the cache leaves: it saves what is still there when the next layer
 * reads it, less the larger the working set of a layer. */
static double traffic_left(const step_inputs *in)
{
    const rig__family_constants *const k = in->family;
    const double l2_mib = in->machine->gpu_l2_mib;
    if (isnan(l2_mib) || l2_mib <= 0.0) {
        return 1.0;
    }
    const double layer_bytes = in->batch * in->activation_bytes / in->layers;
    const double hit = -expm1(-k->l2_working_set * l2_mib * bytes_per_mib / layer_bytes);
    return pow(l2_mib / reference_l2_mib, -k->l2_exponent) * (1.0 - k->l2_saving * hit);
}

static double memory_bytes(const step_inputs *in)
{
    return in->kind.memory * in->workload->stack->memory_factor * in->family->gpu_memory_passes *
           in->activation_bytes;
}

static double memory_s(const step_inputs *in)
{
    const double gddr = in->machine->gpu_has_hbm ? 1.0 : in->family->gddr_memory_factor;
    return memory_bytes(in) * traffic_left(in) * gddr / (in->machine->gpu_mem_gbs * RIG__GB_BYTES);
}

static double sm_ghz(const rig_machine *machine)
{
    if (!isnan(machine->gpu_sm_ghz)) {
        return machine->gpu_sm_ghz;
    }
    if (!isnan(machine->gpu_fp32_tflops)) {
        return machine->gpu_fp32_tflops * per_tera / per_giga / (2.0 * usual_lanes_per_sm);
    }
    return reference_sm_ghz;
}

/* Work on every activation that neither peak nor bandwidth tells: element by element on the
 * multiprocessors, and the tails of kernels. */
static double element_s(const step_inputs *in)
{
    const rig__family_constants *const k = in->family;
    const double us_per_mact = k->gpu_fixed_us_per_mact +
                               k->gpu_vector_us_per_mact * reference_sm_ghz / sm_ghz(in->machine);
    return in->kind.memory * in->workload->stack->memory_factor * us_per_mact * s_per_us *
           in->activations / per_mega;
}

/* Time that the power limit of the board allows for the energy of one image. */
static double power_s(const step_inputs *in)
{
    const rig__family_constants *const k = in->family;
    const rig_machine *const machine = in->machine;
    if (isnan(machine->gpu_tdp_w) || machine->gpu_tdp_w <= 0.0) {
        return 0.0;
    }
    const double year =
        isnan(machine->gpu_year) ? in->constants->software_year_newest : machine->gpu_year;
    const double energy_pj =
        k->power_pj_per_flop * in->kind.compute * in->units.energy_factor * in->flops +
        k->power_pj_per_byte * memory_bytes(in);
    return exp(-k->power_gain_per_year * (year - reference_power_year)) * energy_pj * j_per_pj /
           machine->gpu_tdp_w;
}

/* Smooth maximum: the larger, with a rounded corner where both are equal. */
static double larger_of(double a, double b)
{
    const double a2 = a * a, b2 = b * b;
    return sqrt(sqrt(a2 * a2 + b2 * b2));
}

/* Step of the GPU and the time in which the host starts its kernels: the larger, with a rounded
 * corner where they are within a factor of two. A host that is faster than that does not matter at
 * all, so that nobody is told to buy one. */
static double step_of(double gpu_s, double launch_s)
{
    const double larger = gpu_s > launch_s ? gpu_s : launch_s;
    const double ratio = (gpu_s > launch_s ? launch_s : gpu_s) / larger;
    const double ratio2 = ratio * ratio;
    const double excess = ratio2 * ratio2 - 0.0625; /* (1/2)^4 */
    return isnan(excess) ? (double)NAN : excess > 0.0 ? larger * sqrt(sqrt(1.0 + excess)) : larger;
}

static double power_limit_factor(const step_inputs *in)
{
    const rig_machine *const machine = in->machine;
    const double share = machine->gpu_power_limit_w / machine->gpu_tdp_w;
    /* 0, without end or not a number: one of the two is not known */
    return share > 0.0 && isfinite(share) ? pow(share, -in->family->power_limit_exponent) : 1.0;
}

/* Decoding on the GPU. The constants of the tuned family were fitted on runs that decode there, so
 * that it is inside them. */
static double decode_s(const step_inputs *in)
{
    if (!rig__model_is_gpu_decode(in->workload) || rig__model_is_raw(in->workload) ||
        in->family_index == RIG__FAMILY_TUNED) {
        return 0.0;
    }
    return in->constants->gpu_decode_bytes_per_px *
           rig__model_source_px(in->constants, in->workload) /
           (in->machine->gpu_mem_gbs * RIG__GB_BYTES);
}

/* ---- one step ------------------------------------------------------------------------------- */

static double gpu_s(const step_inputs *in)
{
    const rig__family_constants *const k = in->family;
    const double image_s = larger_of(compute_s(in) + memory_s(in) + element_s(in), power_s(in)) *
                           power_limit_factor(in) * in->workload->stack->step_factor;
    const double extra_images =
        k->batch_half * pow(in->units.peak_tflops / reference_tflops, k->batch_half_exponent);
    const double optimizer_s = in->workload->is_without_optimizer
                                   ? 0.0
                                   : k->optimizer_bytes_per_param *
                                         in->workload->network->params_m * per_mega /
                                         (in->machine->gpu_mem_gbs * RIG__GB_BYTES);
    return in->machine->gpu_step_factor * (image_s * (in->batch + extra_images) + optimizer_s) +
           in->batch * decode_s(in);
}

static double launch_s(const step_inputs *in)
{
    const double speed_1t = isnan(in->machine->core_speed_1t) ? in->constants->unnamed_core_speed
                                                              : in->machine->core_speed_1t;
    return in->family->launch_ms_per_layer * s_per_ms * in->layers * in->kind.launch *
           in->workload->stack->launch_factor / speed_1t;
}

/* Libraries grow faster with the years, and a GPU's first kernels are not its best. */
static double software_factor(const step_inputs *in)
{
    const rig__family_constants *const k = in->family;
    if (k->software_gain_per_year == 0.0 && k->immature_loss == 0.0) {
        return 1.0;
    }
    const double newest = in->constants->software_year_newest;
    const double year = isnan(in->workload->software_year) ? newest : in->workload->software_year;
    const double gpu_year = isnan(in->machine->gpu_year) ? newest : in->machine->gpu_year;
    const double age = year > gpu_year ? year - gpu_year : 0.0;
    return exp(-k->software_gain_per_year * (year - reference_software_year) +
               k->immature_loss * exp(-age));
}

/* Processes of several GPUs get in each other's way on the host where kernels are short. */
static double contention_factor(const step_inputs *in)
{
    const char *const kind = in->workload->network->kind;
    if (in->machine->n_gpus <= 1.0 || in->workload->precision != RIG_PRECISION_AMP ||
        strcmp(kind, "vgg") == 0 || strcmp(kind, "alexnet") == 0) {
        return 1.0;
    }
    return 1.0 + in->workload->stack->contention * log2(in->machine->n_gpus);
}

/* The slowest of g GPUs sets the step: expected maximum of g normal step times. */
static double slowest_of(const step_inputs *in)
{
    const double n_gpus = in->machine->n_gpus;
    return n_gpus > 1.0 ? 1.0 + in->family->step_jitter * sqrt(2.0 * log(n_gpus)) : 1.0;
}

/* ---- exchange of gradients ------------------------------------------------------------------ */

/* Bytes per second at which gradients move, and what computation hides of it. */
typedef struct exchange {
    double gbs;
    double hidden_frac;
} exchange;

static exchange exchange_of(const step_inputs *in)
{
    const rig__family_constants *const k = in->family;
    const rig_machine *const machine = in->machine;
    const double beyond_two = machine->n_gpus > 2.0 ? machine->n_gpus - 2.0 : 0.0;
    const double pcie_gbs = machine->gpu_pcie_gbs;
    switch (machine->gpu_link) {
    case RIG_LINK_NVLINK:
        return (exchange){k->nvlink_share * machine->gpu_link_gbs, k->hidden_nvlink};
    case RIG_LINK_BRIDGE:
        return (exchange){k->bridge_share * pcie_gbs / (1.0 + k->bridge_contention * beyond_two),
                          k->hidden_bridge};
    case RIG_LINK_PCIE_P2P:
        return (exchange){k->p2p_share * pcie_gbs / (1.0 + k->p2p_contention * beyond_two),
                          k->hidden_p2p};
    case RIG_LINK_NONE:
    case RIG_LINK_PCIE_HOST:
        break;
    }
    return (exchange){k->host_share * pcie_gbs / (1.0 + k->host_contention * beyond_two),
                      k->hidden_host};
}

/* What of an exchange is left to wait for: its excess over the part of the step that hides it. */
static double excess_s(double exchange_s, double hidden_frac, double step_s)
{
    const double x = exchange_s - hidden_frac * step_s;
    const double corner_s = corner_frac * step_s;
    return 0.5 * (x + sqrt(x * x + corner_s * corner_s));
}

static double gradient_bytes(const step_inputs *in)
{
    return in->workload->network->params_m * per_mega * in->constants->gradient_bytes;
}

static double exposed_s(const step_inputs *in, double step_s)
{
    const double n_gpus = in->machine->n_gpus;
    if (n_gpus <= 1.0) {
        return 0.0;
    }
    const exchange link = exchange_of(in);
    const double ring_s =
        2.0 * (n_gpus - 1.0) / n_gpus * gradient_bytes(in) / (link.gbs * RIG__GB_BYTES);
    return excess_s(ring_s, link.hidden_frac, step_s) + in->family->sync_ms * s_per_ms;
}

static double exposed_between_nodes_s(const step_inputs *in, double step_s)
{
    const double nodes = rig__model_nodes(in->machine);
    if (nodes <= 1.0) {
        return 0.0;
    }
    const double exchange_s =
        (nodes - 1.0) / nodes * gradient_bytes(in) /
        (in->family->network_share * in->machine->network_gbs * RIG__GB_BYTES);
    return excess_s(exchange_s, in->family->hidden_network, step_s) +
           in->family->network_fixed_ms * s_per_ms;
}

double rig__model_nodes(const rig_machine *machine)
{
    return machine->nodes > 1.0 ? machine->nodes : 1.0;
}

void rig__model_training_rates(const rig_constants *constants,
                               const rig_workload *workload,
                               const rig_machine *machine,
                               double *gpu_out,
                               double *allreduce_out)
{
    const step_inputs in = gather(constants, workload, machine);
    if (in.batch <= 0.0) { /* the network does not fit */
        *gpu_out = 0.0;
        *allreduce_out = 0.0;
        return;
    }
    const double step_s =
        step_of(gpu_s(&in), launch_s(&in)) * software_factor(&in) * contention_factor(&in);
    const double slowest_s = step_s * slowest_of(&in);
    const double images = rig__model_nodes(machine) * machine->n_gpus * in.batch;
    *gpu_out = images / slowest_s;
    *allreduce_out =
        images / (slowest_s + exposed_s(&in, step_s) + exposed_between_nodes_s(&in, step_s));
}

double rig_gpu_rate(const rig_constants *constants,
                    const rig_workload *workload,
                    const rig_machine *machine)
{
    double gpu = NAN, allreduce = NAN;
    rig__model_training_rates(constants, workload, machine, &gpu, &allreduce);
    return gpu;
}

double rig_allreduce_rate(const rig_constants *constants,
                          const rig_workload *workload,
                          const rig_machine *machine)
{
    double gpu = NAN, allreduce = NAN;
    rig__model_training_rates(constants, workload, machine, &gpu, &allreduce);
    return allreduce;
}
