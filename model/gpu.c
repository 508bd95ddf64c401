/* SPDX-License-Identifier: GPL-3.0-or-later
 * A GPU of the catalogue as the model sees it. */
#include <math.h>

#include "base/text.h"
#include "model/effects.h"

/* No GDDR memory was that fast before 2025, no stacked memory of a training GPU since 2020 slower.
 */
static const double hbm_gbs_least = 1100.0;

static bool has_hbm(const rig_gpu *gpu)
{
    if (gpu->mem_type != NULL) {
        return rig__text_has_prefix_nocase(gpu->mem_type, "HBM");
    }
    return gpu->mem_gbs >= hbm_gbs_least;
}

/* FP32 lanes of one multiprocessor or compute unit.
 * @source CUDA C++ Programming Guide, arithmetic throughput by compute capability; AMD CDNA and
 * RDNA white papers (dual issue of RDNA3 and later counted) */
static double lanes_per_sm(const rig_gpu *gpu)
{
    static const struct {
        const char *arch;
        double lanes;
    } archs[] = {{"Kepler", 192},
                 {"Volta", 64},
                 {"Turing", 64},
                 {"GCN", 64},
                 {"CDNA3", 128},
                 {"CDNA", 64},
                 {"RDNA2", 128},
                 {"RDNA", 256}};
    /* the large chips of Pascal (P100) and Ampere (A100, A30) have half the lanes of the others */
    if (rig__text_contains_nocase(rig__gpu_chip(gpu), "P100") ||
        (rig__text_compare_nocase(gpu->arch, "Ampere") == 0 && has_hbm(gpu))) {
        return 64.0;
    }
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        if (rig__text_has_prefix_nocase(gpu->arch, archs[i].arch)) {
            return archs[i].lanes;
        }
    }
    return 128.0;
}

void rig_machine_set_gpu(rig_machine *machine, const rig_gpu *gpu)
{
    machine->gpu_fp32_tflops = gpu->fp32_tflops;
    machine->gpu_tf32_tflops = gpu->tf32_tflops;
    machine->gpu_fp16_tflops = gpu->tensor_fp16_tflops;
    machine->gpu_mem_bytes = gpu->mem_gb * RIG_MEMORY_GB_BYTES;
    machine->gpu_mem_gbs = gpu->mem_gbs;
    machine->gpu_tdp_w = gpu->tdp_w;
    machine->gpu_l2_mib = gpu->l2_mib;
    machine->gpu_sm_ghz = 1000.0 * gpu->fp32_tflops / (2.0 * lanes_per_sm(gpu));
    machine->gpu_year = gpu->year;
    machine->gpu_power_limit_w = NAN;
    machine->gpu_has_hbm = has_hbm(gpu);
    machine->gpu_has_matrix_units = rig__model_has_matrix_units(gpu);
    machine->gpu_is_half_rate = rig__text_contains_nocase(rig__gpu_chip(gpu), "GeForce");
    machine->gpu_step_factor = 1.0;
    machine->gpu_link_gbs = gpu->nvlink_gbs / 2; /* the sheet counts both directions */
}

/* Drivers of consumer cards have not copied between GPUs directly since Volta. */
static bool copies_through_host(const rig_gpu *gpu)
{
    static const char *const words[] = {"GeForce", "Titan", "Radeon RX", "Radeon VII", "Arc"};
    static const char *const older[] = {"Kepler", "Maxwell", "Pascal"};
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++) {
        if (rig__text_compare_nocase(gpu->arch, older[i]) == 0) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (rig__text_contains_nocase(rig__gpu_chip(gpu), words[i])) {
            return true;
        }
    }
    return false;
}

rig_gpu_link rig_gpu_link_get(const rig_gpu *gpu, int n_gpus)
{
    if (n_gpus <= 1) {
        return RIG_LINK_NONE;
    }
    if (rig__text_compare_nocase(gpu->form, "pcie") != 0 && !isnan(gpu->nvlink_gbs)) {
        return RIG_LINK_NVLINK;
    }
    return copies_through_host(gpu) ? RIG_LINK_PCIE_HOST : RIG_LINK_PCIE_P2P;
}
