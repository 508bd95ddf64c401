/* SPDX-License-Identifier: GPL-3.0-or-later
 * GPU memory, step and all-reduce against hand-computed values. */
#include "support/assert_near.h"

#include "model/stages.h"
#include "round_model.h"

static void test_batch_max__hand_computed(void **state)
{
    (void)state;
    const struct {
        const char *label;
        rig_precision precision;
        double mem_bytes, gpus, params_m, batch;
    } rows[] = {
        /* (9e9 - 1e8 - 1e9) / 4e7 = 197 */
        {"one GPU", RIG_PRECISION_AMP, 10e9, 1, 10, 192},
        {"further buffers: 185", RIG_PRECISION_AMP, 10e9, 2, 10, 184},
        /* (9e9 - 2e8 - 1e9) / 8e7 = 97 */
        {"single precision", RIG_PRECISION_FP32, 10e9, 1, 10, 96},
        {"TF32 stores as FP32", RIG_PRECISION_TF32, 10e9, 1, 10, 96},
        /* (1.35e9 - 1.1e9) / 4e7 = 6, below a multiple of 8 */
        {"few fit", RIG_PRECISION_AMP, 1.5e9, 1, 10, 6},
        {"none fits", RIG_PRECISION_AMP, 1.2e9, 1, 10, 0},
        {"parameters alone do not fit", RIG_PRECISION_AMP, 10e9, 1, 1000, 0},
        {"unknown memory", RIG_PRECISION_AMP, NAN, 1, 10, NAN},
    };
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        w.workload.precision = rows[i].precision;
        w.network.params_m = rows[i].params_m;
        ASSERT_SAME(rows[i].label,
                    rig_batch_max(&k, &w.workload, rows[i].mem_bytes, rows[i].gpus),
                    rows[i].batch);
    }
}

static void test_batch_max__estimates_activations(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    w.network.activations_m = NAN;
    ASSERT_SAME("cnn 10 M", rig_batch_max(&k, &w.workload, 10e9, 1), 192);
    w.network.kind = "depthwise";
    ASSERT_SAME("depthwise 20 M: 98", rig_batch_max(&k, &w.workload, 10e9, 1), 96);
    w.network.kind = "attention";
    ASSERT_SAME("attention 30 M: 65", rig_batch_max(&k, &w.workload, 10e9, 1), 64);
}

/* Batch 100 in mixed precision: compute 2 x 6e9/60e12 x 1.1 = 220 us, memory 10 x 2e7/1e12 =
 * 200 us, fixed 5 x 10 x 0.5 = 25 us; 2 x (0.5 x 420 + 25) = 470 us per image; optimiser
 * 10e6 x 20/(1e12 x 0.5) = 0.4 ms. */
static void test_gpu_rate__hand_computed(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
    ASSERT_SAME("amp", rig_gpu_rate(&k, &w.workload, &m), 100 / 47.4e-3);
    m.n_gpus = 4;
    m.gpu_mem_bytes = 20e9;
    ASSERT_SAME("four GPUs", rig_gpu_rate(&k, &w.workload, &m), 4 * 100 / 47.4e-3);
    m.n_gpus = 1;
    w.loader.decode = "gpu";
    ASSERT_SAME("decode 100 x 5e5/1e12 = 50 us", rig_gpu_rate(&k, &w.workload, &m), 100 / 52.4e-3);
    w.loader.decode = "cpu";
    w.workload.batch_per_gpu = 1;
    /* compute 1200 us: 2 x (0.5 x 2400 + 25) is 2.45 ms, less than launching for 5 ms. */
    ASSERT_SAME("host launches bind", rig_gpu_rate(&k, &w.workload, &m), 1 / 5e-3);
    m.core_speed_1t = 2;
    ASSERT_SAME("faster host", rig_gpu_rate(&k, &w.workload, &m), 1 / 2.85e-3);
    m.core_speed_1t = NAN;
    ASSERT_SAME("unknown host: reference", rig_gpu_rate(&k, &w.workload, &m), 1 / 5e-3);
}

static void test_gpu_rate__precisions(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
    m.gpu_mem_bytes = 40e9;
    w.workload.precision = RIG_PRECISION_TF32;
    /* 6e9/40e12 x 1.1 = 165 us, memory 400 us: 2 x (282.5 + 25) = 615 us. */
    ASSERT_SAME("tf32", rig_gpu_rate(&k, &w.workload, &m), 100 / 61.9e-3);
    m.gpu_tf32_tflops = NAN;
    /* 0.5 x 6e9/30e12 x 1.1 = 110 us: 2 x (255 + 25) = 560 us. */
    ASSERT_SAME("tf32 falls back", rig_gpu_rate(&k, &w.workload, &m), 100 / 56.4e-3);
    w.workload.precision = RIG_PRECISION_FP32;
    ASSERT_SAME("fp32", rig_gpu_rate(&k, &w.workload, &m), 100 / 56.4e-3);
    w.workload.precision = RIG_PRECISION_AMP;
    m.gpu_fp16_tflops = NAN;
    /* 110 + 200 us: 2 x (155 + 25) = 360 us. */
    ASSERT_SAME("amp falls back", rig_gpu_rate(&k, &w.workload, &m), 100 / 36.4e-3);
    m.gpu_fp32_tflops = NAN;
    ASSERT_SAME("no peak known", rig_gpu_rate(&k, &w.workload, &m), NAN);
}

static void test_gpu_rate__kinds(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
    w.network.kind = "depthwise";
    /* 110 + 400 us, fixed 50: 2 x (255 + 50) = 610 us. */
    ASSERT_SAME("depthwise", rig_gpu_rate(&k, &w.workload, &m), 100 / 61.4e-3);
    w.network.kind = "attention";
    /* 660 + 800 us, fixed 100: 2 x (730 + 100) = 1660 us. */
    ASSERT_SAME("attention", rig_gpu_rate(&k, &w.workload, &m), 100 / 166.4e-3);
}

static void test_gpu_rate__limits(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
    m.gpu_step_factor = NAN;
    ASSERT_SAME("unmeasured GPU", rig_gpu_rate(&k, &w.workload, &m), NAN);
    m = round_machine();
    m.gpu_mem_bytes = 1e9;
    ASSERT_SAME("does not fit", rig_gpu_rate(&k, &w.workload, &m), 0);
    ASSERT_SAME("nor with others", rig_allreduce_rate(&k, &w.workload, &m), 0);
    m.gpu_mem_bytes = NAN;
    ASSERT_SAME("unknown memory", rig_gpu_rate(&k, &w.workload, &m), NAN);
    m = round_machine();
    w.workload.batch_per_gpu = 1000;
    ASSERT_SAME("batch cut to what fits", rig__model_batch(&k, &w.workload, &m), 192);
}

/* Gradients are 40 MB; four GPUs send 2 x 3/4 of it; latency 6 x 10 us = 0.06 ms. */
static void test_exposed_s__hand_computed(void **state)
{
    (void)state;
    const struct {
        const char *label;
        rig_gpu_link link;
        double gpus, pcie_gbs, link_gbs, step_s, exposed_s;
    } rows[] = {
        {"one GPU", RIG_LINK_NVLINK, 1, NAN, NAN, 0.05, 0},
        {"NVLink 60 MB at 50 GB/s, 0.5 x 1.26 - 0.5 ms", RIG_LINK_NVLINK, 4, 6, 100, 0.05, 0.13e-3},
        {"NVLink hidden", RIG_LINK_NVLINK, 4, 6, 100, 0.1, 0},
        {"NVLink unknown", RIG_LINK_NVLINK, 4, 6, NAN, 0.1, NAN},
        {"direct copies at 3 GB/s", RIG_LINK_PCIE_P2P, 4, 6, NAN, 0.05, 20.06e-3},
        {"through the host at 3/2.5 GB/s", RIG_LINK_PCIE_HOST, 4, 6, NAN, 0.05, 50.06e-3},
        {"link not said: through the host", RIG_LINK_NONE, 4, 6, NAN, 0.05, 50.06e-3},
        {"PCIe unknown", RIG_LINK_PCIE_HOST, 4, NAN, 100, 0.05, NAN},
    };
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_machine m = round_machine();
        m.n_gpus = rows[i].gpus;
        m.gpu_link = rows[i].link;
        m.gpu_pcie_gbs = rows[i].pcie_gbs;
        m.gpu_link_gbs = rows[i].link_gbs;
        ASSERT_SAME(rows[i].label,
                    rig__model_exposed_s(&k, &w.workload, &m, rows[i].step_s),
                    rows[i].exposed_s);
    }
}

static void test_allreduce_rate__hand_computed(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
    ASSERT_SAME(
        "one GPU", rig_allreduce_rate(&k, &w.workload, &m), rig_gpu_rate(&k, &w.workload, &m));
    m.n_gpus = 4;
    m.gpu_link = RIG_LINK_PCIE_P2P;
    ASSERT_SAME("47.4 + 20.06 ms", rig_allreduce_rate(&k, &w.workload, &m), 400 / 67.46e-3);
}

static void test_step_s__slowest_of_several(void **state)
{
    (void)state;
    rig_constants k = round_constants();
    k.step_jitter = 0.01;
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
    ASSERT_SAME("one", rig__model_step_s(&k, &w.workload, &m), 47.4e-3);
    m.n_gpus = 8;
    /* sqrt(2 ln 8) = 2.039334 */
    ASSERT_NEAR("eight", rig__model_step_s(&k, &w.workload, &m), 47.4e-3 * 1.02039334, 1e-7, 0);
}

static void test_rates__are_monotone(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
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
        cmocka_unit_test(test_batch_max__hand_computed),
        cmocka_unit_test(test_batch_max__estimates_activations),
        cmocka_unit_test(test_gpu_rate__hand_computed),
        cmocka_unit_test(test_gpu_rate__precisions),
        cmocka_unit_test(test_gpu_rate__kinds),
        cmocka_unit_test(test_gpu_rate__limits),
        cmocka_unit_test(test_exposed_s__hand_computed),
        cmocka_unit_test(test_allreduce_rate__hand_computed),
        cmocka_unit_test(test_step_s__slowest_of_several),
        cmocka_unit_test(test_rates__are_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
