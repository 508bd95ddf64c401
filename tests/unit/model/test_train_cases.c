/* SPDX-License-Identifier: GPL-3.0-or-later
 * Training rates against another implementation of the equations, and laws that hold everywhere. */
#include "support/assert_near.h"

#include <stdio.h>
#include <string.h>

#include "model/stages.h"
#include "round_model.h"

/* Constants of the order of fitted ones, the same for all families but for what vary adds. */
static const rig__family_constants usual = {
    .gpu_compute_amp = 1.5,
    .gpu_compute_tf32 = 1.1,
    .gpu_compute_fp32 = 0.8,
    .gpu_compute_fp16_vector = 1.05,
    .half_rate_peak_factor = 1.4,
    .gpu_memory_passes = 26,
    .l2_saving = 0.5,
    .l2_working_set = 1.2,
    .l2_exponent = 0.04,
    .gddr_memory_factor = 0.9,
    .gpu_fixed_us_per_mact = 0.7,
    .gpu_vector_us_per_mact = 1.3,
    .power_pj_per_flop = 1.5,
    .power_pj_per_byte = 30,
    .power_gain_per_year = 0.08,
    .power_limit_exponent = 0.2,
    .batch_half = 4,
    .batch_half_exponent = 0.3,
    .optimizer_bytes_per_param = 20,
    .launch_ms_per_layer = 0.4,
    .software_gain_per_year = 0.02,
    .immature_loss = 0.15,
    .compute_factor_vgg = 0.7,
    .compute_factor_alexnet = 0.8,
    .compute_factor_branch = 1.3,
    .compute_factor_grouped = 1.6,
    .compute_factor_depthwise = 2.2,
    .compute_factor_attention = 1.1,
    .memory_factor_vgg = 0.9,
    .memory_factor_alexnet = 1.2,
    .memory_factor_branch = 1.15,
    .memory_factor_grouped = 1.05,
    .memory_factor_depthwise = 0.95,
    .memory_factor_attention = 0.6,
    .launch_factor_vgg = 0.8,
    .launch_factor_alexnet = 0.75,
    .launch_factor_branch = 1.2,
    .launch_factor_grouped = 1.1,
    .launch_factor_depthwise = 1.25,
    .launch_factor_attention = 1.4,
    .nvlink_share = 0.4,
    .bridge_share = 0.5,
    .p2p_share = 0.35,
    .host_share = 0.3,
    .bridge_contention = 0.04,
    .p2p_contention = 0.06,
    .host_contention = 0.3,
    .hidden_nvlink = 0.3,
    .hidden_bridge = 0.2,
    .hidden_p2p = 0.15,
    .hidden_host = 0.03,
    .sync_ms = 0.5,
    .step_jitter = 0.01,
    .network_share = 0.45,
    .network_fixed_ms = 3,
    .hidden_network = 0.12,
};

/* Member i of family f is usual_i (1 + 0.02 f (i mod 5)), so that no two may be mixed up. */
static rig_constants usual_constants(void)
{
    rig_constants constants = round_constants();
    for (size_t family = 0; family < RIG__N_STACK_FAMILIES; family++) {
        constants.families[family] = usual;
        double *const members = (double *)(void *)&constants.families[family];
        for (size_t i = 0; i < RIG__N_FAMILY_CONSTANTS; i++) {
            members[i] *= 1 + 0.02 * (double)family * (double)(i % 5);
        }
    }
    return constants;
}

typedef struct other_gpu {
    double fp32, tf32, fp16, mem_gbs, tdp_w, l2_mib, sm_ghz, year;
    bool has_hbm, has_matrix_units, is_half_rate;
    double link_gbs, pcie_gbs;
} other_gpu;

static const other_gpu other_gpus[] = {
    {19.5, 156, 312, 1555, 400, 40, 152, 2020, true, true, false, 300, 31.5},    /* A100 */
    {66.9, 495, 990, 3350, 700, 50, 261, 2022, true, true, false, 450, 63},      /* H100 */
    {35.6, 35.6, 71.2, 936, 350, 6, 139, 2020, false, true, true, 50, 31.5},     /* 3090 */
    {11.3, NAN, 11.3, 484, 250, 2.75, 44, 2017, false, false, false, 50, 15.75}, /* 1080Ti */
    {8.1, NAN, 65, 320, 70, 4, 64, 2018, false, true, false, 50, 15.75},         /* T4 */
    {82.6, 82.6, 165.2, 1008, 450, 72, 323, 2022, false, true, true, 50, 31.5},  /* 4090 */
    {45.3, NAN, 362, 3277, 560, 16, 354, 2021, true, true, false, 200, 31.5},    /* MI250 */
    {75, 1100, 2250, 8000, 1000, 126, 293, 2024, true, true, false, 900, 63},    /* B200 */
};

static const rig_network other_networks[] = {
    {.row.name = "resnet50",
     .params_m = 25.6,
     .gmacs = 4.1,
     .input_px = 224,
     .activations_m = 11.1,
     .kind = "cnn",
     .layers = 54},
    {.row.name = "vgg16",
     .params_m = 138.4,
     .gmacs = 15.5,
     .input_px = 224,
     .activations_m = 13.6,
     .kind = "vgg",
     .layers = 16},
    {.row.name = "alexnet",
     .params_m = 61.1,
     .gmacs = 0.714,
     .input_px = 224,
     .activations_m = 0.49,
     .kind = "alexnet",
     .layers = 8},
    {.row.name = "densenet121",
     .params_m = 8,
     .gmacs = 2.87,
     .input_px = 224,
     .activations_m = 6.9,
     .kind = "branch",
     .layers = 121},
    {.row.name = "resnext50",
     .params_m = 25,
     .gmacs = 4.26,
     .input_px = 224,
     .activations_m = 14.4,
     .kind = "grouped",
     .layers = 54},
    {.row.name = "efficientnet_b0",
     .params_m = 5.3,
     .gmacs = 0.4,
     .input_px = 224,
     .activations_m = 6.75,
     .kind = "depthwise",
     .layers = 82},
    {.row.name = "vit_b16",
     .params_m = 86.6,
     .gmacs = 17.6,
     .input_px = 224,
     .activations_m = 23.9,
     .kind = "attention",
     .layers = 50},
};

/* compute, memory and launch factor, contention */
static const double other_stacks[][4] = {{1, 1, 1, 0}, {0.9, 1.2, 0.5, 0.01}, {1.3, 0.8, 2, 0.25}};

static const double other_network_gbs = 50;

static rig_machine other_machine(const other_gpu *gpu)
{
    rig_machine m = round_machine();
    m.gpu_fp32_tflops = gpu->fp32;
    m.gpu_tf32_tflops = gpu->tf32;
    m.gpu_fp16_tflops = gpu->fp16;
    m.gpu_mem_bytes = 1e12; /* every batch fits */
    m.gpu_mem_gbs = gpu->mem_gbs;
    m.gpu_tdp_w = gpu->tdp_w;
    m.gpu_l2_mib = gpu->l2_mib;
    m.gpu_sm_ghz = gpu->sm_ghz;
    m.gpu_year = gpu->year;
    m.gpu_has_hbm = gpu->has_hbm;
    m.gpu_has_matrix_units = gpu->has_matrix_units;
    m.gpu_is_half_rate = gpu->is_half_rate;
    m.gpu_link_gbs = gpu->link_gbs;
    m.gpu_pcie_gbs = gpu->pcie_gbs;
    m.network_gbs = other_network_gbs;
    return m;
}

static void set_stack(rig_stack *stack, const double factors[4], rig__family family)
{
    stack->family = rig__model_family_word(family);
    stack->step_factor = 1;
    stack->compute_factor = factors[0];
    stack->memory_factor = factors[1];
    stack->launch_factor = factors[2];
    stack->contention = factors[3];
}

/* Expected rates are those of an independent implementation of docs/model.md. */
static void test_allreduce_rate__another_implementation(void **state)
{
    (void)state;
    /* clang-format off */
    static const struct {
        size_t gpu, network;
        rig__family family;
        size_t stack;
        rig_precision precision;
        int batch;
        double n_gpus;
        rig_gpu_link link;
        double nodes, software_year, power_limit_w;
        bool is_without_optimizer;
        double step_factor, img_s;
    } rows[] = {
        {0, 0, RIG__FAMILY_TUNED, 0, RIG_PRECISION_AMP, 256, 1, RIG_LINK_NONE, 1, 2022.5, NAN, false, 1, 2319.8},
        {0, 0, RIG__FAMILY_EAGER, 1, RIG_PRECISION_AMP, 256, 8, RIG_LINK_NVLINK, 1, 2023.5, NAN, false, 1.05, 15579},
        {0, 0, RIG__FAMILY_EAGER, 0, RIG_PRECISION_TF32, 128, 8, RIG_LINK_NVLINK, 1, 2021, NAN, false, 1, 9193.9},
        {0, 0, RIG__FAMILY_GRAPH, 2, RIG_PRECISION_FP32, 128, 4, RIG_LINK_NVLINK, 1, 2020.5, NAN, false, 0.95, 1892.8},
        {0, 1, RIG__FAMILY_EAGER, 2, RIG_PRECISION_AMP, 128, 8, RIG_LINK_NVLINK, 1, 2024, NAN, false, 1, 10260},
        {0, 2, RIG__FAMILY_GRAPH, 2, RIG_PRECISION_AMP, 512, 8, RIG_LINK_NVLINK, 1, 2023, NAN, false, 1, 1.9422e+05},
        {0, 3, RIG__FAMILY_EAGER, 1, RIG_PRECISION_AMP, 64, 2, RIG_LINK_PCIE_P2P, 1, 2022, NAN, false, 1, 3662.2},
        {0, 4, RIG__FAMILY_EAGER, 0, RIG_PRECISION_AMP, 128, 1, RIG_LINK_NONE, 1, 2022, 250, false, 1, 1474.9},
        {1, 0, RIG__FAMILY_TUNED, 0, RIG_PRECISION_AMP, 408, 8, RIG_LINK_NVLINK, 4, 2023.5, NAN, false, 0.97, 1.6013e+05},
        {1, 5, RIG__FAMILY_EAGER, 2, RIG_PRECISION_AMP, 256, 8, RIG_LINK_NVLINK, 1, 2023, NAN, false, 1, 11599},
        {1, 6, RIG__FAMILY_EAGER, 1, RIG_PRECISION_AMP, 128, 8, RIG_LINK_NVLINK, 2, 2024, NAN, false, 1.1, 29276},
        {1, 0, RIG__FAMILY_TUNED, 1, RIG_PRECISION_TF32, 32, 1, RIG_LINK_NONE, 1, 2022, NAN, false, 1, 2138.8},
        {2, 0, RIG__FAMILY_EAGER, 0, RIG_PRECISION_AMP, 128, 1, RIG_LINK_NONE, 1, 2022.5, NAN, false, 1, 1036.4},
        {2, 0, RIG__FAMILY_EAGER, 0, RIG_PRECISION_AMP, 128, 8, RIG_LINK_PCIE_HOST, 1, 2022.5, NAN, false, 1, 5889.5},
        {2, 0, RIG__FAMILY_GRAPH, 1, RIG_PRECISION_AMP, 96, 2, RIG_LINK_BRIDGE, 1, 2022.5, NAN, false, 1, 1806.5},
        {2, 6, RIG__FAMILY_EAGER, 1, RIG_PRECISION_TF32, 64, 4, RIG_LINK_BRIDGE, 1, 2023, 280, false, 1, 838.04},
        {2, 3, RIG__FAMILY_GRAPH, 2, RIG_PRECISION_FP32, 32, 4, RIG_LINK_PCIE_HOST, 1, 2021, NAN, true, 0.9, 791.79},
        {3, 0, RIG__FAMILY_GRAPH, 2, RIG_PRECISION_AMP, 64, 4, RIG_LINK_PCIE_P2P, 1, 2018, NAN, false, 1, 501.36},
        {3, 2, RIG__FAMILY_EAGER, 0, RIG_PRECISION_FP32, 256, 8, RIG_LINK_PCIE_P2P, 1, 2017.5, NAN, false, 1.2, 8682},
        {3, 1, RIG__FAMILY_GRAPH, 0, RIG_PRECISION_TF32, 32, 2, RIG_LINK_PCIE_P2P, 1, 2019, NAN, true, 1, 176.09},
        {4, 0, RIG__FAMILY_EAGER, 1, RIG_PRECISION_AMP, 64, 1, RIG_LINK_NONE, 1, 2021, NAN, false, 1, 359.99},
        {4, 5, RIG__FAMILY_GRAPH, 1, RIG_PRECISION_AMP, 128, 4, RIG_LINK_PCIE_P2P, 1, 2020, NAN, false, 1, 2460.7},
        {4, 4, RIG__FAMILY_EAGER, 2, RIG_PRECISION_TF32, 32, 1, RIG_LINK_NONE, 1, 2020, NAN, false, 1, 93.453},
        {5, 0, RIG__FAMILY_EAGER, 1, RIG_PRECISION_AMP, 256, 1, RIG_LINK_NONE, 1, 2023, NAN, false, 0.8, 2051},
        {5, 6, RIG__FAMILY_EAGER, 2, RIG_PRECISION_AMP, 64, 8, RIG_LINK_PCIE_HOST, 1, 2024, 350, false, 1, 1492.8},
        {5, 5, RIG__FAMILY_GRAPH, 0, RIG_PRECISION_TF32, 128, 2, RIG_LINK_PCIE_HOST, 1, 2024, NAN, false, 1, 3886.7},
        {6, 0, RIG__FAMILY_EAGER, 2, RIG_PRECISION_AMP, 256, 8, RIG_LINK_NVLINK, 1, 2023, NAN, false, 1.3, 12414},
        {6, 4, RIG__FAMILY_EAGER, 1, RIG_PRECISION_TF32, 64, 2, RIG_LINK_PCIE_P2P, 1, 2022, NAN, false, 1.3, 1119.7},
        {7, 0, RIG__FAMILY_TUNED, 0, RIG_PRECISION_AMP, 408, 8, RIG_LINK_NVLINK, 16, 2024.5, NAN, false, 1, 1.3219e+06},
        {7, 6, RIG__FAMILY_GRAPH, 1, RIG_PRECISION_AMP, 256, 8, RIG_LINK_NVLINK, 1, 2025, 800, false, 1, 33389},
        {7, 5, RIG__FAMILY_TUNED, 2, RIG_PRECISION_AMP, 1, 1, RIG_LINK_NONE, 1, 2024, NAN, true, 1, 10.816},
        {7, 1, RIG__FAMILY_EAGER, 0, RIG_PRECISION_TF32, 64, 2, RIG_LINK_NVLINK, 8, 2025, NAN, false, 1, 26330},
    };
    /* clang-format on */
    const rig_constants k = usual_constants();
    round_workload w;
    round_workload_init(&w);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char label[32];
        rig_machine m = other_machine(&other_gpus[rows[i].gpu]);
        (void)snprintf(label, sizeof label, "row %zu", i);
        m.n_gpus = rows[i].n_gpus;
        m.gpu_link = rows[i].link;
        m.nodes = rows[i].nodes;
        m.gpu_power_limit_w = rows[i].power_limit_w;
        m.gpu_step_factor = rows[i].step_factor;
        set_stack(&w.stack, other_stacks[rows[i].stack], rows[i].family);
        w.network = other_networks[rows[i].network];
        w.workload.precision = rows[i].precision;
        w.workload.batch_per_gpu = rows[i].batch;
        w.workload.software_year = rows[i].software_year;
        w.workload.is_without_optimizer = rows[i].is_without_optimizer;
        ASSERT_NEAR(label, rig_allreduce_rate(&k, &w.workload, &m), rows[i].img_s, 1e-3, 0);
    }
}

/* ---- laws ------------------------------------------------------------------------------------ */

#define OFFSET(member) offsetof(rig_machine, member)

/* More of these never makes training slower, whatever the GPU, network and family; but for the
 * peak: a wider GPU needs more images to fill it, which costs networks that memory limits a little.
 */
static void test_rates__rise_with_the_hardware(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        size_t offset;
        double low, high, loss_frac;
    } figures[] = {
        {"FP16 peak", OFFSET(gpu_fp16_tflops), 5, 1000, 0.01},
        {"memory rate", OFFSET(gpu_mem_gbs), 100, 10000, 1e-12},
        {"multiprocessors", OFFSET(gpu_sm_ghz), 10, 1000, 1e-12},
        {"power limit", OFFSET(gpu_power_limit_w), 50, 1500, 1e-12},
        {"single-thread speed", OFFSET(core_speed_1t), 0.1, 4, 1e-12},
        {"NVLink", OFFSET(gpu_link_gbs), 1, 2000, 1e-12},
        {"network", OFFSET(network_gbs), 0.5, 200, 1e-12},
    };
    const rig_constants k = usual_constants();
    round_workload w;
    round_workload_init(&w);
    w.workload.software_year = 2024;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        for (size_t n = 0; n < 7 * RIG__N_STACK_FAMILIES; n++) {
            rig_machine m = other_machine(&other_gpus[n % 8]);
            m.n_gpus = 8;
            m.nodes = 2;
            m.gpu_link = RIG_LINK_NVLINK;
            m.gpu_pcie_gbs = 30;
            w.network = other_networks[n % 7];
            set_stack(&w.stack, other_stacks[0], (rig__family)(n % RIG__N_STACK_FAMILIES));
            double last = 0;
            for (size_t step = 0; step <= 20; step++) {
                const double value =
                    figures[i].low * pow(figures[i].high / figures[i].low, (double)step / 20);
                memcpy((char *)&m + figures[i].offset, &value, sizeof value);
                const double rate = rig_allreduce_rate(&k, &w.workload, &m);
                if (!(rate >= last * (1 - figures[i].loss_frac))) {
                    fail_msg("%s %g: %g after %g", figures[i].label, value, rate, last);
                }
                last = rate;
            }
        }
    }
}

static void test_allreduce_rate__rises_with_the_link(void **state)
{
    (void)state;
    const rig_constants k = usual_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = other_machine(&other_gpus[0]);
    for (rig_gpu_link link = RIG_LINK_NVLINK; link <= RIG_LINK_PCIE_HOST; link++) {
        m.gpu_link = link;
        for (double g = 2; g <= 16; g *= 2) {
            double last = 0;
            for (double gbs = 1; gbs < 200; gbs += 3) {
                m.n_gpus = g;
                m.gpu_pcie_gbs = m.gpu_link_gbs = gbs;
                const double rate = rig_allreduce_rate(&k, &w.workload, &m);
                assert_true(rate >= last);
                assert_true(rate <= rig_gpu_rate(&k, &w.workload, &m));
                last = rate;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allreduce_rate__another_implementation),
        cmocka_unit_test(test_rates__rise_with_the_hardware),
        cmocka_unit_test(test_allreduce_rate__rises_with_the_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
