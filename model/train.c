/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stages on the GPUs: memory, the training step and the gradient all-reduce. */
#include <math.h>

#include "model/constants.h"
#include "model/stages.h"

static const double s_per_us = 1e-6;
static const double per_tera = 1e12;
static const double per_giga = 1e9;
static const double per_mega = 1e6;

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

static double activation_bytes(const rig_constants *constants, const rig_workload *workload)
{
    const double element_bytes = workload->precision == RIG_PRECISION_AMP
                                     ? constants->bytes_per_activation_amp
                                     : constants->bytes_per_activation_fp32;
    return activations(constants, workload->network) * element_bytes;
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
    const double image_bytes = activation_bytes(constants, workload) * constants->activation_copies;
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

/* Time over peak time and the peak it refers to; without tensor cores the vector units work. */
static double compute_s_per_flop(const rig_constants *constants,
                                 const rig_workload *workload,
                                 const rig_machine *machine)
{
    if (workload->precision == RIG_PRECISION_AMP && !isnan(machine->gpu_fp16_tflops)) {
        return constants->gpu_compute_amp / (machine->gpu_fp16_tflops * per_tera);
    }
    if (workload->precision == RIG_PRECISION_TF32 && !isnan(machine->gpu_tf32_tflops)) {
        return constants->gpu_compute_tf32 / (machine->gpu_tf32_tflops * per_tera);
    }
    return constants->gpu_compute_fp32 / (machine->gpu_fp32_tflops * per_tera);
}

/* GPU time of one image of a full batch, without the small-batch term [s]. */
static double image_s(const rig_constants *constants,
                      const rig_workload *workload,
                      const rig_machine *machine,
                      double batch)
{
    const rig_network *network = workload->network;
    double compute_factor = 1.0, memory_factor = 1.0;
    if (rig__model_is_depthwise(network)) {
        compute_factor = constants->compute_factor_depthwise;
        memory_factor = constants->memory_factor_depthwise;
    } else if (rig__model_is_attention(network)) {
        compute_factor = constants->compute_factor_attention;
        memory_factor = constants->memory_factor_attention;
    }
    const double flops = constants->flops_per_mac * network->gmacs * per_giga;
    const double compute_s = compute_factor * flops *
                             compute_s_per_flop(constants, workload, machine) *
                             (1.0 + constants->batch_half / batch);
    const double memory_s = memory_factor * constants->gpu_memory_passes *
                            activation_bytes(constants, workload) /
                            (machine->gpu_mem_gbs * RIG__GB_BYTES);
    const double fixed_s = memory_factor * constants->gpu_fixed_us_per_mact * s_per_us *
                           activations(constants, network) / per_mega *
                           workload->stack->launch_factor;
    return machine->gpu_step_factor *
           (workload->stack->step_factor * (compute_s + memory_s) + fixed_s);
}

static double
decode_s(const rig_constants *constants, const rig_workload *workload, const rig_machine *machine)
{
    if (!rig__model_is_gpu_decode(workload) || rig__model_is_raw(workload)) {
        return 0.0;
    }
    return constants->gpu_decode_bytes_per_px * rig__model_source_px(constants, workload) /
           (machine->gpu_mem_gbs * RIG__GB_BYTES);
}

/* The slowest of g GPUs sets the step: expected maximum of g normal step times. */
static double slowest_of(const rig_constants *constants, double n_gpus)
{
    return n_gpus > 1.0 ? 1.0 + constants->step_jitter * sqrt(2.0 * log(n_gpus)) : 1.0;
}

double rig__model_step_s(const rig_constants *constants,
                         const rig_workload *workload,
                         const rig_machine *machine)
{
    const double batch = rig__model_batch(constants, workload, machine);
    const double optimizer_s =
        workload->network->params_m * per_mega * constants->optimizer_bytes_per_param /
        (machine->gpu_mem_gbs * RIG__GB_BYTES * constants->optimizer_bandwidth_share);
    const double gpu_s = batch * (image_s(constants, workload, machine, batch) +
                                  decode_s(constants, workload, machine)) +
                         optimizer_s;
    const double speed_1t =
        isnan(machine->core_speed_1t) ? constants->unnamed_core_speed : machine->core_speed_1t;
    const double launch_s = constants->launches_per_step * constants->launch_us * s_per_us *
                            workload->stack->launch_factor / speed_1t;
    const double step_s = gpu_s < launch_s ? launch_s : gpu_s;
    return step_s * slowest_of(constants, machine->n_gpus);
}

/* Bytes per second at which gradients move, and what computation hides of it. */
typedef struct exchange {
    double busbw_gbs;
    double exposed_frac, hidden_frac;
} exchange;

static exchange exchange_of(const rig_constants *constants, const rig_machine *machine)
{
    switch (machine->gpu_link) {
    case RIG_LINK_NVLINK:
        return (exchange){constants->nvlink_share * machine->gpu_link_gbs,
                          constants->exposed_nvlink,
                          constants->hidden_nvlink};
    case RIG_LINK_PCIE_P2P:
        return (exchange){constants->p2p_share * machine->gpu_pcie_gbs,
                          constants->exposed_p2p,
                          constants->hidden_p2p};
    case RIG_LINK_NONE:
    case RIG_LINK_PCIE_HOST:
        break;
    }
    const double contention = 1.0 + constants->host_contention * (machine->n_gpus - 1.0);
    return (exchange){constants->host_share * machine->gpu_pcie_gbs / contention,
                      constants->exposed_host,
                      constants->hidden_host};
}

double rig__model_exposed_s(const rig_constants *constants,
                            const rig_workload *workload,
                            const rig_machine *machine,
                            double step_s)
{
    if (machine->n_gpus <= 1.0) {
        return 0.0;
    }
    const exchange link = exchange_of(constants, machine);
    const double gradient_bytes =
        workload->network->params_m * per_mega * constants->gradient_bytes;
    const double others = machine->n_gpus - 1.0;
    const double ring_s =
        2.0 * others / machine->n_gpus * gradient_bytes / (link.busbw_gbs * RIG__GB_BYTES) +
        2.0 * others * constants->allreduce_latency_us * s_per_us;
    const double exposed_s = link.exposed_frac * ring_s - link.hidden_frac * step_s;
    /* Written so that an unknown bandwidth stays unknown. */
    return exposed_s < 0.0 ? 0.0 : exposed_s;
}

static double rate_of_step(double n_gpus, double batch, double step_s)
{
    if (batch <= 0.0) {
        return 0.0; /* the network does not fit */
    }
    return n_gpus * batch / step_s;
}

double rig_gpu_rate(const rig_constants *constants,
                    const rig_workload *workload,
                    const rig_machine *machine)
{
    return rate_of_step(machine->n_gpus,
                        rig__model_batch(constants, workload, machine),
                        rig__model_step_s(constants, workload, machine));
}

double rig_allreduce_rate(const rig_constants *constants,
                          const rig_workload *workload,
                          const rig_machine *machine)
{
    const double step_s = rig__model_step_s(constants, workload, machine);
    const double exposed_s = rig__model_exposed_s(constants, workload, machine, step_s);
    return rate_of_step(
        machine->n_gpus, rig__model_batch(constants, workload, machine), step_s + exposed_s);
}
