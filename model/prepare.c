/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stages on the host that feed the GPUs: decode, memory bandwidth and transfer. */
#include <math.h>
#include <string.h>

#include "model/constants.h"
#include "model/stages.h"

static const double s_per_ns = 1e-9;
static const double per_s_of_mts = 1e6;

double rig__model_min(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    return a < b ? a : b;
}

bool rig__model_is_synthetic(const rig_workload *workload)
{
    return strcmp(workload->loader->decode, "none") == 0;
}

bool rig__model_is_gpu_decode(const rig_workload *workload)
{
    return strcmp(workload->loader->decode, "gpu") == 0;
}

bool rig__model_is_raw(const rig_workload *workload)
{
    return strcmp(workload->dataset->layout, "raw") == 0;
}

bool rig__model_is_records(const rig_workload *workload)
{
    return strcmp(workload->dataset->layout, "files") != 0;
}

bool rig__model_is_depthwise(const rig_network *network)
{
    return strcmp(network->kind, "depthwise") == 0;
}

bool rig__model_is_attention(const rig_network *network)
{
    return strcmp(network->kind, "attention") == 0;
}

double rig__model_source_px(const rig_constants *constants, const rig_workload *workload)
{
    const rig_dataset *dataset = workload->dataset;
    if (isnan(dataset->mean_px)) {
        return dataset->mean_bytes / constants->bytes_per_px_unknown;
    }
    return dataset->mean_px;
}

double rig__model_output_elements(const rig_constants *constants, const rig_workload *workload)
{
    const double side_px = workload->network->input_px;
    return side_px * side_px * constants->image_channels;
}

double rig__model_workers(const rig_workload *workload, double cores)
{
    return isnan(workload->workers) ? cores : workload->workers;
}

double rig__model_prepare_s(const rig_constants *constants, const rig_workload *workload)
{
    const rig_loader *loader = workload->loader;
    if (rig__model_is_synthetic(workload)) {
        return 0.0;
    }
    const double px = rig__model_source_px(constants, workload);
    const double decode_s =
        rig__model_is_raw(workload)
            ? 0.0
            : s_per_ns * (constants->decode_ns_per_px * px +
                          constants->decode_ns_per_byte * workload->dataset->mean_bytes);
    const double augment_s =
        s_per_ns *
        (constants->resize_ns_per_element * rig__model_output_elements(constants, workload) +
         constants->crop_ns_per_px * constants->crop_area_frac * px);
    const double overhead_s = 1e6 * s_per_ns * loader->overhead_ms;
    return decode_s * loader->decode_factor * loader->host_share +
           augment_s * loader->augment_factor + overhead_s;
}

/* Training processes and the system keep cores, yet the scheduler never starves the workers. */
static double cores_for_work(const rig_constants *constants,
                             const rig_workload *workload,
                             double cores,
                             double n_gpus)
{
    const double left = cores - constants->cores_os - constants->cores_per_gpu * n_gpus;
    const double least = constants->cores_share_min * cores;
    const double available = left > least ? left : least;
    return rig__model_min(available, rig__model_workers(workload, cores));
}

double rig_decode_rate(const rig_constants *constants,
                       const rig_workload *workload,
                       double cores,
                       double core_speed,
                       double n_gpus)
{
    const double prepare_s = rig__model_prepare_s(constants, workload);
    if (prepare_s <= 0.0) {
        return INFINITY;
    }
    if (isnan(cores) || isnan(core_speed) || isnan(n_gpus)) {
        return NAN;
    }
    const double working = cores_for_work(constants, workload, cores, n_gpus);
    /* Below one core the contention term would exceed 1. */
    const double others = working > 1.0 ? working - 1.0 : 0.0;
    const double effective = working / (1.0 + constants->core_contention * others);
    return effective * core_speed * constants->worker_efficiency / prepare_s;
}

double rig_memory_rate(const rig_constants *constants,
                       const rig_workload *workload,
                       double channels,
                       double mts)
{
    if (rig__model_is_synthetic(workload)) {
        return INFINITY;
    }
    const double decoded_bytes = rig__model_is_raw(workload)
                                     ? 0.0
                                     : constants->image_channels *
                                           rig__model_source_px(constants, workload) *
                                           workload->loader->host_share;
    const double output_bytes =
        rig__model_output_elements(constants, workload) * workload->loader->output_bytes;
    const double bytes =
        constants->memory_passes_stored * workload->dataset->mean_bytes +
        constants->memory_passes_decoded * decoded_bytes +
        constants->memory_passes_output * (rig__model_is_gpu_decode(workload) ? 0.0 : output_bytes);
    const double bytes_per_s = constants->memory_bandwidth_share * channels * mts * per_s_of_mts *
                               constants->memory_bytes_per_transfer;
    return bytes_per_s / bytes;
}

double rig_transfer_rate(const rig_constants *constants,
                         const rig_workload *workload,
                         double n_gpus,
                         double gpu_pcie_gbs)
{
    if (rig__model_is_synthetic(workload)) {
        return INFINITY;
    }
    const double image_bytes =
        rig__model_is_gpu_decode(workload)
            ? workload->dataset->mean_bytes
            : rig__model_output_elements(constants, workload) * workload->loader->output_bytes;
    double gbs = constants->pcie_share * gpu_pcie_gbs;
    /* One training process per GPU copies what its workers made before it can send it on. */
    if (!isnan(workload->loader->ipc_gbs)) {
        gbs = rig__model_min(gbs, workload->loader->ipc_gbs);
    }
    return n_gpus * gbs * RIG__GB_BYTES / image_bytes;
}
