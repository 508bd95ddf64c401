/* SPDX-License-Identifier: GPL-3.0-or-later
 * GPU memory, step and exchange of gradients against hand-computed values. */
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

/* One round model, changed by each test. */
typedef struct fixture {
    rig_constants constants;
    rig__family_constants *eager; /* of constants: the family of the workload's stack */
    round_workload w;
    rig_machine machine;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f.constants = round_constants();
    f.eager = &f.constants.families[RIG__FAMILY_EAGER];
    round_workload_init(&f.w);
    f.machine = round_machine();
    *state = &f;
    return 0;
}

static double step_ms(const fixture *f)
{
    return 1e3 * f->machine.n_gpus * rig__model_batch(&f->constants, &f->w.workload, &f->machine) /
           rig_gpu_rate(&f->constants, &f->w.workload, &f->machine);
}

/* Length of a vector in the 4-norm: what takes one of them if both overlap, smoothly. */
static double norm4(double a, double b)
{
    return pow(pow(a, 4) + pow(b, 4), 0.25);
}

/* The larger, with a corner rounded where the other is more than half of it. */
static double rounded(double larger, double smaller)
{
    return smaller < larger / 2 ? larger : norm4(larger * pow(15.0 / 16, 0.25), smaller);
}

/* Batch 100 in mixed precision: compute 2 x 6e9/60e12 = 200 us, memory 10 x 2e7/1e12 = 200 us,
 * elements 5 x 10 = 50 us; the stack takes half, the GPU twice of 450 us per image, for 110 images:
 * 49.5 ms; optimiser 2 x 10e6 x 25/1e12 = 0.5 ms. */
static void test_gpu_rate__hand_computed(void **state)
{
    fixture *const f = *state;
    ASSERT_SAME("amp", rig_gpu_rate(&f->constants, &f->w.workload, &f->machine), 100 / 50e-3);
    f->machine.n_gpus = 4;
    f->machine.gpu_mem_bytes = 20e9;
    ASSERT_SAME("four", rig_gpu_rate(&f->constants, &f->w.workload, &f->machine), 400 / 50e-3);
    f->machine.n_gpus = 1;
    f->w.workload.is_without_optimizer = true;
    ASSERT_SAME("without optimiser", step_ms(f), 49.5);
    f->w.workload.is_without_optimizer = false;
    f->w.stack.compute_factor = 2;
    ASSERT_SAME("slower kernels: 650 us", step_ms(f), 71.5 + 0.5);
    f->w.stack.compute_factor = 1;
    f->w.stack.memory_factor = 2;
    ASSERT_SAME("more traffic: 700 us", step_ms(f), 77 + 0.5);
    f->w.stack.memory_factor = 1;
    f->eager->batch_half_exponent = 1;
    ASSERT_SAME("6 images more at 60 TFLOP/s", step_ms(f), 47.7 + 0.5);
}

static void test_gpu_rate__decode_on_the_gpu(void **state)
{
    fixture *const f = *state;
    f->w.loader.decode = "gpu";
    ASSERT_SAME("decode 100 x 5e5/1e12 = 50 us", step_ms(f), 50 + 5);
    f->w.dataset.layout = "raw";
    ASSERT_SAME("nothing to decode", step_ms(f), 50);
    f->w.dataset.layout = "files";
    f->w.stack.family = "tuned";
    ASSERT_SAME("inside the constants of tuned stacks", step_ms(f), 50);
}

/* 50 layers of 2 ms, of which this stack takes half. */
static void test_gpu_rate__launches(void **state)
{
    fixture *const f = *state;
    f->eager->launch_ms_per_layer = 2;
    ASSERT_SAME("as long as the GPU", step_ms(f), rounded(50, 50));
    f->machine.core_speed_1t = 2;
    ASSERT_SAME("a core twice as fast does not matter", step_ms(f), 50);
    f->machine.core_speed_1t = NAN;
    ASSERT_SAME("unknown core: that of the constant", step_ms(f), rounded(50, 50));
    f->machine.core_speed_1t = 1.25;
    ASSERT_SAME("a little faster", step_ms(f), rounded(50, 40));
    f->machine.core_speed_1t = 1;
    f->w.network.layers = NAN;
    ASSERT_SAME("unknown layers: 54", step_ms(f), rounded(54, 50));
    f->w.network.layers = 50;
    f->w.workload.batch_per_gpu = 1; /* 11 images of 450 us and 0.5 ms */
    ASSERT_SAME("a batch of one waits for the host", step_ms(f), 50);
    f->w.network.kind = "branch";
    f->eager->launch_factor_branch = 2;
    ASSERT_SAME("many small layers", step_ms(f), 100);
}

static void test_gpu_rate__precisions(void **state)
{
    fixture *const f = *state;
    f->machine.gpu_mem_bytes = 40e9;
    f->w.workload.precision = RIG_PRECISION_TF32;
    /* 6e9/40e12 = 150 us, memory 400 us, elements 50 us. */
    ASSERT_SAME("tf32", step_ms(f), 66 + 0.5);
    f->machine.gpu_tf32_tflops = NAN;
    /* 0.5 x 6e9/30e12 = 100 us. */
    ASSERT_SAME("tf32 falls back", step_ms(f), 60.5 + 0.5);
    f->w.workload.precision = RIG_PRECISION_FP32;
    ASSERT_SAME("fp32", step_ms(f), 60.5 + 0.5);
    f->w.workload.precision = RIG_PRECISION_AMP;
    f->machine.gpu_has_matrix_units = false;
    /* 0.5 x 6e9/60e12 = 50 us, memory 200 us. */
    ASSERT_SAME("FP16 on vector units", step_ms(f), 33 + 0.5);
    f->machine.gpu_has_matrix_units = true;
    f->machine.gpu_fp16_tflops = NAN;
    ASSERT_SAME("amp falls back to the FP32 peak: 100 us", step_ms(f), 38.5 + 0.5);
    f->machine.gpu_fp32_tflops = NAN;
    ASSERT_SAME("no peak known", step_ms(f), NAN);
}

/* Cards whose matrix units accumulate at half rate do better than their printed peak. */
static void test_gpu_rate__half_rate(void **state)
{
    fixture *const f = *state;
    f->machine.gpu_mem_bytes = 40e9;
    f->machine.gpu_is_half_rate = true;
    f->eager->half_rate_peak_factor = 2;
    ASSERT_SAME("amp: 100 + 200 + 50 us", step_ms(f), 38.5 + 0.5);
    f->w.workload.precision = RIG_PRECISION_TF32;
    ASSERT_SAME("tf32: 75 + 400 + 50 us", step_ms(f), 57.75 + 0.5);
    f->w.workload.precision = RIG_PRECISION_FP32;
    ASSERT_SAME("fp32 has no matrix units", step_ms(f), 60.5 + 0.5);
}

static void test_gpu_rate__kinds(void **state)
{
    fixture *const f = *state;
    f->w.network.kind = "depthwise";
    ASSERT_SAME("depthwise: 100 + 400 + 100 us", step_ms(f), 66 + 0.5);
    f->w.network.kind = "attention";
    ASSERT_SAME("attention: 600 + 800 + 200 us", step_ms(f), 176 + 0.5);
    f->w.network.kind = "vgg";
    f->eager->compute_factor_vgg = 0.5;
    ASSERT_SAME("vgg: 100 + 200 + 50 us", step_ms(f), 38.5 + 0.5);
}

static void test_gpu_rate__families_have_their_own_constants(void **state)
{
    static const char *const words[] = {"tuned", "eager", "graph"};
    fixture *const f = *state;
    for (size_t i = 0; i < RIG__N_STACK_FAMILIES; i++) {
        f->constants = round_constants();
        f->constants.families[i].gpu_fixed_us_per_mact = 25; /* 650 us instead of 450 */
        for (size_t k = 0; k < RIG__N_STACK_FAMILIES; k++) {
            f->w.stack.family = words[k];
            ASSERT_SAME(words[k], step_ms(f), i == k ? 72 : 50);
        }
    }
}

/* A layer holds 100 x 2e7/50 = 4e7 B. */
static void test_gpu_rate__cache(void **state)
{
    fixture *const f = *state;
    f->eager->l2_saving = 0.5;
    f->eager->l2_working_set = 4e7 / (6 * 1048576.0);
    ASSERT_SAME("unknown cache", step_ms(f), 50);
    f->machine.gpu_l2_mib = 6;
    /* saved: half of what is still there, 1 - 1/e */
    const double memory_us = 200 * (1 - 0.5 * (1 - exp(-1)));
    ASSERT_SAME("6 MiB", step_ms(f), 0.11 * (250 + memory_us) + 0.5);
    f->eager->l2_saving = 0;
    f->eager->l2_exponent = 0.5;
    f->machine.gpu_l2_mib = 24;
    ASSERT_SAME("four times the cache halves traffic", step_ms(f), 38.5 + 0.5);
}

static void test_gpu_rate__memory_type_and_multiprocessors(void **state)
{
    fixture *const f = *state;
    f->eager->gddr_memory_factor = 2;
    ASSERT_SAME("HBM", step_ms(f), 50);
    f->machine.gpu_has_hbm = false;
    ASSERT_SAME("GDDR: 200 + 400 + 50 us", step_ms(f), 71.5 + 0.5);
    f->machine.gpu_has_hbm = true;
    f->eager->gpu_vector_us_per_mact = 5;
    ASSERT_SAME("100 multiprocessors x GHz: 50 us more", step_ms(f), 55 + 0.5);
    f->machine.gpu_sm_ghz = 200;
    ASSERT_SAME("twice as many: 25 us more", step_ms(f), 52.25 + 0.5);
    f->machine.gpu_sm_ghz = NAN; /* 30e12 / 256 lanes and operations: 117.1875 */
    ASSERT_SAME("from the peak", step_ms(f), 49.5 + 5.5 / 1.171875 + 0.5);
    f->machine.gpu_fp32_tflops = NAN;
    ASSERT_SAME("nothing known: as 100", step_ms(f), 55 + 0.5);
}

/* 22.5 pJ x 6e9 / 300 W = 450 us, as long as the image takes otherwise. */
static void test_gpu_rate__power(void **state)
{
    fixture *const f = *state;
    f->eager->power_pj_per_flop = 22.5;
    ASSERT_SAME("energy of operations", step_ms(f), 49.5 * pow(2, 0.25) + 0.5);
    f->eager->power_gain_per_year = log(2) / 10;
    f->machine.gpu_year = 2030;
    ASSERT_SAME("half of it ten years later", step_ms(f), 0.11 * norm4(450, 225) + 0.5);
    f->machine.gpu_year = NAN; /* that of the newest software: 2024 */
    ASSERT_SAME("year unknown", step_ms(f), 0.11 * norm4(450, 450 * pow(0.5, 0.4)) + 0.5);
    f->machine.gpu_year = 2020;
    f->machine.gpu_tdp_w = NAN;
    ASSERT_SAME("TDP unknown: no limit", step_ms(f), 50);
    f->machine.gpu_tdp_w = 300;
    f->eager->power_pj_per_flop = 0;
    f->eager->power_pj_per_byte = 675; /* of 2e8 B */
    ASSERT_SAME("energy of traffic", step_ms(f), 49.5 * pow(2, 0.25) + 0.5);
    f->w.stack.memory_factor = 2;
    ASSERT_SAME("of twice the traffic", step_ms(f), 0.11 * norm4(700, 900) + 0.5);
    f->w.stack.memory_factor = 1;
    f->eager->power_pj_per_byte = 0;
    f->eager->power_pj_per_flop = 10; /* 200 us on matrix units */
    f->machine.gpu_mem_bytes = 40e9;
    f->w.workload.precision = RIG_PRECISION_TF32;
    ASSERT_SAME("twice as wide", step_ms(f), 0.11 * norm4(600, 400) + 0.5);
    f->w.workload.precision = RIG_PRECISION_FP32;
    ASSERT_SAME("vector units: four times", step_ms(f), 0.11 * norm4(550, 800) + 0.5);
}

static void test_gpu_rate__power_limit(void **state)
{
    fixture *const f = *state;
    f->eager->power_limit_exponent = 0.5;
    f->machine.gpu_power_limit_w = 300;
    ASSERT_SAME("the TDP", step_ms(f), 50);
    f->machine.gpu_power_limit_w = 75;
    ASSERT_SAME("a quarter of it: half the rate", step_ms(f), 99 + 0.5);
    f->machine.gpu_tdp_w = NAN;
    ASSERT_SAME("TDP unknown", step_ms(f), 50);
    f->machine.gpu_tdp_w = 0;
    ASSERT_SAME("TDP 0 is not known either", step_ms(f), 50);
    f->machine.gpu_tdp_w = 300;
    f->machine.gpu_power_limit_w = 0;
    ASSERT_SAME("nor is a limit of 0", step_ms(f), 50);
    f->machine.gpu_power_limit_w = INFINITY;
    ASSERT_SAME("nor one without end", step_ms(f), 50);
}

static void test_gpu_rate__software_ages(void **state)
{
    fixture *const f = *state;
    f->eager->software_gain_per_year = 0.1;
    f->w.workload.software_year = 2022.5;
    ASSERT_SAME("year of reference", step_ms(f), 50);
    f->w.workload.software_year = 2032.5;
    ASSERT_SAME("ten years of gains", step_ms(f), 50 * exp(-1));
    f->w.workload.software_year = NAN;
    ASSERT_SAME("the newest: 2024", step_ms(f), 50 * exp(-0.15));
    f->eager->software_gain_per_year = 0;
    f->eager->immature_loss = 0.5;
    f->w.workload.software_year = 2020;
    ASSERT_SAME("year of introduction", step_ms(f), 50 * exp(0.5));
    f->w.workload.software_year = 2021;
    ASSERT_SAME("a year later", step_ms(f), 50 * exp(0.5 * exp(-1)));
    f->w.workload.software_year = 2018;
    ASSERT_SAME("not before it", step_ms(f), 50 * exp(0.5));
}

static void test_gpu_rate__limits(void **state)
{
    fixture *const f = *state;
    f->machine.gpu_step_factor = NAN;
    ASSERT_SAME("unmeasured GPU", step_ms(f), NAN);
    f->machine = round_machine();
    f->machine.gpu_mem_bytes = 1e9;
    ASSERT_SAME("does not fit", rig_gpu_rate(&f->constants, &f->w.workload, &f->machine), 0);
    ASSERT_SAME(
        "nor with others", rig_allreduce_rate(&f->constants, &f->w.workload, &f->machine), 0);
    f->machine.gpu_mem_bytes = NAN;
    ASSERT_SAME("unknown memory", step_ms(f), NAN);
    f->machine = round_machine();
    f->w.workload.batch_per_gpu = 1000;
    ASSERT_SAME("batch cut to what fits",
                rig__model_batch(&f->constants, &f->w.workload, &f->machine),
                192);
}

static void test_gpu_rate__several(void **state)
{
    fixture *const f = *state;
    f->machine.gpu_mem_bytes = 40e9;
    f->machine.n_gpus = 8;
    f->eager->step_jitter = 0.01;
    /* sqrt(2 ln 8) = 2.039334 */
    ASSERT_NEAR("the slowest of eight", step_ms(f), 50 * 1.02039334, 1e-7, 0);
    f->eager->step_jitter = 0;
    f->w.stack.contention = 0.1;
    ASSERT_SAME("three doublings", step_ms(f), 50 * 1.3);
    f->w.network.kind = "alexnet";
    ASSERT_SAME("few long kernels", step_ms(f), 50);
    f->w.network.kind = "cnn";
    f->w.workload.precision = RIG_PRECISION_TF32;
    ASSERT_SAME("slower kernels", step_ms(f), 66.5);
    f->w.workload.precision = RIG_PRECISION_AMP;
    f->machine.n_gpus = 1;
    ASSERT_SAME("one", step_ms(f), 50);
}

/* What is left of an exchange that outlasts the part of a step of 50 ms that hides it. */
static double left_ms(double exchange_ms, double hidden_ms)
{
    const double x = exchange_ms - hidden_ms;
    return 0.5 * (x + sqrt(x * x + 2.5 * 2.5));
}

/* Gradients are 40 MB; four GPUs send 2 x 3/4 of it, 60 MB, within steps of 50 ms. */
static void test_allreduce_rate__links(void **state)
{
    const struct {
        const char *label;
        rig_gpu_link link;
        double gpus, pcie_gbs, link_gbs, exposed_ms;
    } rows[] = {
        {"one GPU", RIG_LINK_NVLINK, 1, NAN, NAN, 0},
        {"NVLink at 50 GB/s, 12.5 ms hidden", RIG_LINK_NVLINK, 4, 6, 100, left_ms(1.2, 12.5)},
        {"slow NVLink at 2 GB/s", RIG_LINK_NVLINK, 4, 6, 4, left_ms(30, 12.5)},
        {"NVLink unknown", RIG_LINK_NVLINK, 4, 6, NAN, NAN},
        {"bridges at 3/1.5 GB/s", RIG_LINK_BRIDGE, 4, 6, NAN, left_ms(30, 0)},
        {"direct copies at 3 GB/s", RIG_LINK_PCIE_P2P, 4, 6, NAN, left_ms(20, 0)},
        {"through the host at 3/2 GB/s", RIG_LINK_PCIE_HOST, 4, 6, NAN, left_ms(40, 0)},
        {"two at 3 GB/s: 40 MB", RIG_LINK_PCIE_HOST, 2, 6, NAN, left_ms(40.0 / 3, 0)},
        {"link not said: through the host", RIG_LINK_NONE, 4, 6, NAN, left_ms(40, 0)},
        {"PCIe unknown", RIG_LINK_PCIE_HOST, 4, NAN, 100, NAN},
    };
    fixture *const f = *state;
    f->eager->bridge_contention = 0.25;
    f->machine.gpu_mem_bytes = 40e9;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        f->machine.n_gpus = rows[i].gpus;
        f->machine.gpu_link = rows[i].link;
        f->machine.gpu_pcie_gbs = rows[i].pcie_gbs;
        f->machine.gpu_link_gbs = rows[i].link_gbs;
        ASSERT_SAME(rows[i].label,
                    rig_allreduce_rate(&f->constants, &f->w.workload, &f->machine),
                    1e3 * 100 * rows[i].gpus / (50 + rows[i].exposed_ms));
    }
}

static void test_allreduce_rate__hidden_and_synchronised(void **state)
{
    fixture *const f = *state;
    f->machine.gpu_mem_bytes = 40e9;
    f->machine.n_gpus = 4;
    f->machine.gpu_link = RIG_LINK_PCIE_P2P; /* 20 ms */
    f->eager->hidden_p2p = 0.2;
    ASSERT_SAME("10 ms hidden",
                rig_allreduce_rate(&f->constants, &f->w.workload, &f->machine),
                400e3 / (50 + left_ms(20, 10)));
    f->eager->sync_ms = 2;
    ASSERT_SAME("and 2 ms of synchronisation",
                rig_allreduce_rate(&f->constants, &f->w.workload, &f->machine),
                400e3 / (52 + left_ms(20, 10)));
    f->eager->step_jitter = 0.1;
    ASSERT_NEAR("waiting hides nothing",
                rig_allreduce_rate(&f->constants, &f->w.workload, &f->machine),
                400e3 / (52 + 5 * sqrt(2 * log(4)) + left_ms(20, 10)),
                1e-9,
                0);
}

/* Two nodes exchange half of 40 MB at 5 GB/s: 4 ms; four of them three quarters. */
static void test_allreduce_rate__several_nodes(void **state)
{
    fixture *const f = *state;
    const rig_workload *const w = &f->w.workload;
    f->machine.nodes = 2;
    ASSERT_SAME("both compute", rig_gpu_rate(&f->constants, w, &f->machine), 4000);
    ASSERT_SAME("network unknown", rig_allreduce_rate(&f->constants, w, &f->machine), NAN);
    f->machine.network_gbs = 10;
    ASSERT_SAME("two nodes of one GPU",
                rig_allreduce_rate(&f->constants, w, &f->machine),
                200e3 / (50 + left_ms(4, 0)));
    f->eager->hidden_network = 0.1;
    f->eager->network_fixed_ms = 3;
    ASSERT_SAME("5 ms hidden, 3 ms fixed",
                rig_allreduce_rate(&f->constants, w, &f->machine),
                200e3 / (53 + left_ms(4, 5)));
    f->machine.nodes = 4;
    ASSERT_SAME(
        "four", rig_allreduce_rate(&f->constants, w, &f->machine), 400e3 / (53 + left_ms(6, 5)));
    f->machine.nodes = 0;
    ASSERT_SAME("not said: one", rig_allreduce_rate(&f->constants, w, &f->machine), 2000);
}

/* Larger batches are faster per image, by less and less, towards the time of one image. */
static void test_gpu_rate__saturates_with_the_batch(void **state)
{
    fixture *const f = *state;
    f->machine.gpu_mem_bytes = 1e15;
    f->eager->launch_ms_per_layer = 2;
    double last = 0, gain = HUGE_VAL;
    for (int batch = 1; batch <= 1 << 16; batch *= 2) {
        f->w.workload.batch_per_gpu = batch;
        const double rate = rig_gpu_rate(&f->constants, &f->w.workload, &f->machine);
        assert_true(rate > last);
        assert_true(last == 0 || rate / last <= gain);
        gain = last == 0 ? HUGE_VAL : rate / last;
        last = rate;
    }
    ASSERT_NEAR("450 us per image", last, 1 / 450e-6, 1e-3, 0);
    assert_true(last < 1 / 450e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch_max__hand_computed),
        cmocka_unit_test(test_batch_max__estimates_activations),
        cmocka_unit_test_setup(test_gpu_rate__hand_computed, set_up),
        cmocka_unit_test_setup(test_gpu_rate__decode_on_the_gpu, set_up),
        cmocka_unit_test_setup(test_gpu_rate__launches, set_up),
        cmocka_unit_test_setup(test_gpu_rate__precisions, set_up),
        cmocka_unit_test_setup(test_gpu_rate__half_rate, set_up),
        cmocka_unit_test_setup(test_gpu_rate__kinds, set_up),
        cmocka_unit_test_setup(test_gpu_rate__families_have_their_own_constants, set_up),
        cmocka_unit_test_setup(test_gpu_rate__cache, set_up),
        cmocka_unit_test_setup(test_gpu_rate__memory_type_and_multiprocessors, set_up),
        cmocka_unit_test_setup(test_gpu_rate__power, set_up),
        cmocka_unit_test_setup(test_gpu_rate__power_limit, set_up),
        cmocka_unit_test_setup(test_gpu_rate__software_ages, set_up),
        cmocka_unit_test_setup(test_gpu_rate__limits, set_up),
        cmocka_unit_test_setup(test_gpu_rate__several, set_up),
        cmocka_unit_test_setup(test_allreduce_rate__links, set_up),
        cmocka_unit_test_setup(test_allreduce_rate__hidden_and_synchronised, set_up),
        cmocka_unit_test_setup(test_allreduce_rate__several_nodes, set_up),
        cmocka_unit_test_setup(test_gpu_rate__saturates_with_the_batch, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
