/* SPDX-License-Identifier: GPL-3.0-or-later
 * GPUs of the catalogue as machines: memory type, multiprocessors, matrix units, links. */
#include "support/assert_near.h"

#include "model/effects.h"

static rig_gpu gpu_of(const char *name, const char *vendor, const char *arch)
{
    return (rig_gpu){.row.name = name,
                     .vendor = vendor,
                     .arch = arch,
                     .year = 2020,
                     .mem_gb = 24,
                     .mem_gbs = 900,
                     .fp32_tflops = 25.6,
                     .tensor_fp16_tflops = 100,
                     .tf32_tflops = 50,
                     .nvlink_gbs = NAN,
                     .form = "pcie",
                     .tdp_w = 300,
                     .mem_type = NULL,
                     .l2_mib = NAN};
}

static rig_machine machine_of(const rig_gpu *gpu)
{
    rig_machine machine = {.n_gpus = 1};
    rig_machine_set_gpu(&machine, gpu);
    return machine;
}

static void test_machine_set_gpu__figures(void **state)
{
    (void)state;
    rig_gpu gpu = gpu_of("NVIDIA A40", "NVIDIA", "Ampere");
    gpu.nvlink_gbs = 600;
    gpu.l2_mib = 40;
    const rig_machine m = machine_of(&gpu);
    ASSERT_SAME("FP32", m.gpu_fp32_tflops, 25.6);
    ASSERT_SAME("TF32", m.gpu_tf32_tflops, 50);
    ASSERT_SAME("FP16", m.gpu_fp16_tflops, 100);
    ASSERT_SAME("memory", m.gpu_mem_bytes, 24 * RIG_MEMORY_GB_BYTES);
    ASSERT_SAME("rate", m.gpu_mem_gbs, 900);
    ASSERT_SAME("TDP", m.gpu_tdp_w, 300);
    ASSERT_SAME("cache", m.gpu_l2_mib, 40);
    ASSERT_SAME("25.6 TFLOP/s / (2 x 128 lanes)", m.gpu_sm_ghz, 100);
    ASSERT_SAME("year", m.gpu_year, 2020);
    ASSERT_SAME("no limit of its own", m.gpu_power_limit_w, NAN);
    ASSERT_SAME("as modelled", m.gpu_step_factor, 1);
    ASSERT_SAME("one direction", m.gpu_link_gbs, 300);
    ASSERT_SAME("others stay", m.n_gpus, 1);
}

static void test_machine_set_gpu__memory_type(void **state)
{
    (void)state;
    static const struct {
        const char *label, *mem_type;
        double mem_gbs;
        bool has_hbm;
    } rows[] = {
        {"HBM2e", "HBM2e", 1555, true},
        {"lower case", "hbm3", 1000, true},
        {"slow HBM", "HBM2", 720, true},
        {"GDDR6X", "GDDR6X", 1008, false},
        {"fast GDDR7", "GDDR7", 1792, false},
        {"not said, fast", NULL, 1100, true},
        {"not said, slow", NULL, 1099, false},
        {"nothing known", NULL, NAN, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_gpu gpu = gpu_of("x", "NVIDIA", "Hopper");
        gpu.mem_type = rows[i].mem_type;
        gpu.mem_gbs = rows[i].mem_gbs;
        if (machine_of(&gpu).gpu_has_hbm != rows[i].has_hbm) {
            fail_msg("%s", rows[i].label);
        }
    }
}

static void test_machine_set_gpu__multiprocessors(void **state)
{
    (void)state;
    static const struct {
        const char *name, *vendor, *arch, *mem_type;
        double lanes;
    } rows[] = {
        {"NVIDIA Tesla K40", "NVIDIA", "Kepler", "GDDR5", 192},
        {"NVIDIA GeForce GTX 980", "NVIDIA", "Maxwell", "GDDR5", 128},
        {"NVIDIA Tesla P100 SXM2", "NVIDIA", "Pascal", "HBM2", 64},
        {"NVIDIA GeForce GTX 1080", "NVIDIA", "Pascal", "GDDR5X", 128},
        {"NVIDIA Tesla V100", "NVIDIA", "Volta", "HBM2", 64},
        {"NVIDIA T4", "NVIDIA", "Turing", "GDDR6", 64},
        {"NVIDIA A30", "NVIDIA", "Ampere", "HBM2e", 64},
        {"NVIDIA A40", "NVIDIA", "Ampere", "GDDR6", 128},
        {"NVIDIA H100", "NVIDIA", "Hopper", "HBM3", 128},
        {"AMD Radeon VII", "AMD", "GCN5", "HBM2", 64},
        {"AMD Instinct MI100", "AMD", "CDNA", "HBM2", 64},
        {"AMD Instinct MI210", "AMD", "CDNA2", "HBM2e", 64},
        {"AMD Instinct MI300X", "AMD", "CDNA3", "HBM3", 128},
        {"AMD Radeon RX 6800", "AMD", "RDNA2", "GDDR6", 128},
        {"AMD Radeon RX 7900 XTX", "AMD", "RDNA3", "GDDR6", 256},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_gpu gpu = gpu_of(rows[i].name, rows[i].vendor, rows[i].arch);
        gpu.mem_type = rows[i].mem_type;
        ASSERT_SAME(rows[i].name, machine_of(&gpu).gpu_sm_ghz, 12800 / rows[i].lanes);
    }
    rig_gpu gpu = gpu_of("x", "NVIDIA", "Ampere");
    gpu.fp32_tflops = NAN;
    ASSERT_SAME("unknown peak", machine_of(&gpu).gpu_sm_ghz, NAN);
}

static void test_machine_set_gpu__matrix_units(void **state)
{
    (void)state;
    static const struct {
        const char *vendor, *arch;
        bool has_units;
    } rows[] = {
        {"NVIDIA", "Kepler", false},
        {"NVIDIA", "maxwell", false},
        {"NVIDIA", "Pascal", false},
        {"NVIDIA", "Volta", true},
        {"nvidia", "Turing", true},
        {"NVIDIA", "Rubin", true},
        {"AMD", "GCN5", false},
        {"AMD", "RDNA3", false},
        {"AMD", "CDNA", true},
        {"AMD", "CDNA3", true},
        {"Intel", "Gaudi2", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_gpu gpu = gpu_of("x", rows[i].vendor, rows[i].arch);
        if (rig__model_has_matrix_units(&gpu) != rows[i].has_units ||
            machine_of(&gpu).gpu_has_matrix_units != rows[i].has_units) {
            fail_msg("%s %s", rows[i].vendor, rows[i].arch);
        }
    }
    const rig_gpu geforce = gpu_of("NVIDIA GeForce RTX 3090", "NVIDIA", "Ampere");
    const rig_gpu other = gpu_of("NVIDIA RTX A6000", "NVIDIA", "Ampere");
    assert_true(machine_of(&geforce).gpu_is_half_rate);
    assert_false(machine_of(&other).gpu_is_half_rate);
}

static void test_gpu_link_get__kinds(void **state)
{
    (void)state;
    static const struct {
        const char *name, *vendor, *arch, *form;
        double nvlink_gbs;
        int count;
        rig_gpu_link link;
    } rows[] = {
        {"NVIDIA H100 SXM5", "NVIDIA", "Hopper", "sxm", 900, 1, RIG_LINK_NONE},
        {"NVIDIA H100 SXM5", "NVIDIA", "Hopper", "sxm", 900, 2, RIG_LINK_NVLINK},
        {"AMD Instinct MI300X", "AMD", "CDNA3", "oam", 896, 8, RIG_LINK_NVLINK},
        {"module without links", "NVIDIA", "Hopper", "sxm", NAN, 8, RIG_LINK_PCIE_P2P},
        {"NVIDIA A100 PCIe", "NVIDIA", "Ampere", "pcie", 600, 8, RIG_LINK_PCIE_P2P},
        {"NVIDIA RTX A6000", "NVIDIA", "Ampere", "PCIe", 112.5, 4, RIG_LINK_PCIE_P2P},
        {"NVIDIA GeForce RTX 3090", "NVIDIA", "Ampere", "pcie", 112.5, 2, RIG_LINK_PCIE_HOST},
        {"NVIDIA GeForce GTX 1080 Ti", "NVIDIA", "Pascal", "pcie", NAN, 4, RIG_LINK_PCIE_P2P},
        {"NVIDIA Titan V", "NVIDIA", "Volta", "pcie", NAN, 2, RIG_LINK_PCIE_HOST},
        {"NVIDIA TITAN X", "NVIDIA", "Maxwell", "pcie", NAN, 2, RIG_LINK_PCIE_P2P},
        {"AMD Radeon RX 7900 XTX", "AMD", "RDNA3", "pcie", NAN, 2, RIG_LINK_PCIE_HOST},
        {"AMD Radeon Pro W7900", "AMD", "RDNA3", "pcie", NAN, 2, RIG_LINK_PCIE_P2P},
        {"Intel Arc A770", "Intel", "Alchemist", "pcie", NAN, 2, RIG_LINK_PCIE_HOST},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_gpu gpu = gpu_of(rows[i].name, rows[i].vendor, rows[i].arch);
        gpu.form = rows[i].form;
        gpu.nvlink_gbs = rows[i].nvlink_gbs;
        if (rig_gpu_link_get(&gpu, rows[i].count) != rows[i].link) {
            fail_msg("%d x %s", rows[i].count, rows[i].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine_set_gpu__figures),
        cmocka_unit_test(test_machine_set_gpu__memory_type),
        cmocka_unit_test(test_machine_set_gpu__multiprocessors),
        cmocka_unit_test(test_machine_set_gpu__matrix_units),
        cmocka_unit_test(test_gpu_link_get__kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
