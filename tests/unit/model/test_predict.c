/* SPDX-License-Identifier: GPL-3.0-or-later
 * Composition of the stages, interval, times and the checks of figures. */
#include "support/assert_near.h"

#include <string.h>

#include "round_model.h"

typedef struct fixture {
    rig_constants constants;
    round_workload w;
    rig_machine machine;
    rig_prediction out;
    rig_error err;
} fixture;

/* storage 4 GB/s x (1 - 0.175164)^-1 / 100 kB = 48495; decode 2000; memory 4908; transfer 1e5;
 * gpu, 1.6 times as modelled: 40 ms for 100 images. */
static const double decode_img_s = 2000.0;
static const double gpu_img_s = 100.0 / 40e-3;

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    f.constants = round_constants();
    round_workload_init(&f.w);
    f.machine = round_machine();
    f.machine.gpu_step_factor = 1.6;
    *state = &f;
    return 0;
}

static rig_status predict(fixture *f)
{
    return rig_predict_machine(&f->machine, &f->w.workload, &f->constants, &f->out, &f->err);
}

static void test_predict__overlapped_takes_the_slowest(void **state)
{
    fixture *f = *state;
    assert_int_equal(predict(f), RIG_OK);
    const rig_prediction *p = &f->out;
    ASSERT_SAME("rate", p->images_per_s, decode_img_s);
    assert_int_equal(p->binding, RIG_STAGE_DECODE);
    ASSERT_SAME("decode", p->stages[RIG_STAGE_DECODE].images_per_s, decode_img_s);
    ASSERT_SAME("gpu", p->stages[RIG_STAGE_GPU].images_per_s, gpu_img_s);
    ASSERT_SAME("one GPU", p->stages[RIG_STAGE_ALLREDUCE].images_per_s, gpu_img_s);
    ASSERT_SAME("slack of decode", p->stages[RIG_STAGE_DECODE].slack_frac, 0);
    ASSERT_SAME("slack of gpu", p->stages[RIG_STAGE_GPU].slack_frac, 1 - 2000 / gpu_img_s);
    ASSERT_SAME("slack of transfer", p->stages[RIG_STAGE_TRANSFER].slack_frac, 0.98);
    ASSERT_SAME("prep", p->prep_images_per_s, decode_img_s);
    ASSERT_SAME("train", p->train_images_per_s, gpu_img_s);
    ASSERT_SAME("balance", p->balance_frac, decode_img_s / gpu_img_s);
    ASSERT_SAME("GPU busy", p->gpu_busy_frac, decode_img_s / gpu_img_s);
    ASSERT_SAME("CPU busy", p->cpu_busy_frac, 1);
    ASSERT_SAME("batch", p->batch_per_gpu, 100);
    ASSERT_SAME("largest batch", p->batch_max, 192);
    assert_false(p->has_unknown);
    assert_false(p->is_out_of_memory);
}

static void test_predict__without_overlap_adds_times(void **state)
{
    fixture *f = *state;
    f->w.workload.is_overlapped = false;
    assert_int_equal(predict(f), RIG_OK);
    double image_s = 0;
    for (size_t i = 0; i < RIG_STAGE_ALLREDUCE; i++) {
        image_s += 1.0 / f->out.stages[i].images_per_s;
    }
    ASSERT_SAME("harmonic, gpu once", f->out.images_per_s, 1.0 / image_s);
    assert_int_equal(f->out.binding, RIG_STAGE_DECODE);
    assert_true(f->out.stages[RIG_STAGE_DECODE].slack_frac > 0.5);
}

static void test_predict__binding_stage(void **state)
{
    fixture *f = *state;
    f->machine.core_speed = 100;
    f->machine.mem_mts = 1e5;
    assert_int_equal(predict(f), RIG_OK);
    assert_int_equal(f->out.binding, RIG_STAGE_GPU);
    f->machine.n_gpus = 2;
    f->machine.gpu_link = RIG_LINK_PCIE_HOST;
    assert_int_equal(predict(f), RIG_OK);
    assert_int_equal(f->out.binding, RIG_STAGE_ALLREDUCE);
    f->machine.n_gpus = 1;
    assert_int_equal(predict(f), RIG_OK);
    assert_int_equal(f->out.binding, RIG_STAGE_GPU);
    f->machine.gpu_pcie_gbs = 1e-3;
    assert_int_equal(predict(f), RIG_OK);
    assert_int_equal(f->out.binding, RIG_STAGE_TRANSFER);
    f->machine.mem_mts = 1e-2;
    assert_int_equal(predict(f), RIG_OK);
    assert_int_equal(f->out.binding, RIG_STAGE_MEMORY);
    f->machine.drives[0].count = 0;
    assert_int_equal(predict(f), RIG_OK);
    assert_int_equal(f->out.binding, RIG_STAGE_STORAGE);
    ASSERT_SAME("nothing is read", f->out.images_per_s, 0);
    ASSERT_SAME("for ever", f->out.epoch_s, INFINITY);
}

static void test_predict__times(void **state)
{
    fixture *f = *state;
    f->machine.drives[0].count = 0.05; /* 0.1 GB/s: 1000 images/s cold, 1212 warm */
    assert_int_equal(predict(f), RIG_OK);
    const rig_prediction *p = &f->out;
    ASSERT_NEAR("hits", p->cache_hit_frac, 0.5 * 0.05032753926288 + 0.15, 1e-9, 0);
    ASSERT_SAME("warm", p->images_per_s, 1000 / (1 - p->cache_hit_frac));
    ASSERT_SAME("epoch", p->epoch_s, 1e6 / p->images_per_s);
    /* 1e6/1000 s of reading and 1e6/2000 s of decoding overlap in part; start 20 s, one worker
     * makes a batch in 0.35 s. */
    const double first_s = sqrt(1000.0 * 1000.0 + 500.0 * 500.0);
    ASSERT_SAME("start", p->start_s, 20.35);
    ASSERT_SAME("first epoch", p->first_epoch_s, 20.35 + first_s);
    assert_int_equal(p->first_binding, RIG_STAGE_STORAGE);
    ASSERT_SAME("run of ten", p->run_s, 20.35 + first_s + 9 * p->epoch_s);
    ASSERT_SAME("energy", p->energy_kwh_per_epoch, p->power_w * p->epoch_s / 3.6e6);
    f->w.loader.ipc_gbs = 1;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("sixteen workers start in 8 s", f->out.first_epoch_s, 28.35 + first_s);
    f->w.workload.epochs = 1;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("run of one", f->out.run_s, 28.35 + first_s);
    f->constants.first_epoch_fixed_s = 5;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("fixed work", f->out.first_epoch_s, 33.35 + first_s);
    f->w.workload.is_overlapped = false;
    assert_int_equal(predict(f), RIG_OK);
    const double later_s = f->out.epoch_s - 1e6 / f->out.stages[RIG_STAGE_STORAGE].images_per_s;
    ASSERT_SAME("one after the other", f->out.first_epoch_s, 33.35 + 1000 + later_s);
}

static void test_predict__interval(void **state)
{
    fixture *f = *state;
    assert_int_equal(predict(f), RIG_OK);
    const rig_prediction *p = &f->out;
    /* gpu: stack 0.3 and GPU 0.4 give 0.5; decode: loader 0.3. */
    ASSERT_SAME("gpu sd", p->stages[RIG_STAGE_GPU].log_sd, 0.5);
    ASSERT_SAME("decode sd", p->stages[RIG_STAGE_DECODE].log_sd, 0.3);
    ASSERT_SAME("low: gpu", p->images_per_s_low, gpu_img_s * exp(-1.645 * 0.5));
    ASSERT_SAME("high: decode", p->images_per_s_high, decode_img_s * exp(1.645 * 0.3));
    ASSERT_SAME("epoch low", p->epoch_s_low, 1e6 / p->images_per_s_high);
    ASSERT_SAME("epoch high", p->epoch_s_high, 1e6 / p->images_per_s_low);
    f->machine.gpu_step_log_sd = NAN; /* the prior is 0.4 too */
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("prior sd", f->out.stages[RIG_STAGE_GPU].log_sd, 0.5);
    f->constants.log_sd[RIG__CONSTANT_pcie_share] = 0.1;
    f->w.loader.ipc_gbs = 4; /* the link gives 3 GB/s */
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("link sd", f->out.stages[RIG_STAGE_TRANSFER].log_sd, 0.1);
    f->w.loader.ipc_gbs = 2;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("loader sd", f->out.stages[RIG_STAGE_TRANSFER].log_sd, 0.3);
}

/* Widths of the machine's class replace what the constants say. */
static void test_predict__interval_of_the_class(void **state)
{
    fixture *f = *state;
    f->machine.stage_log_sd[RIG_STAGE_GPU] = f->machine.stage_log_sd[RIG_STAGE_ALLREDUCE] = 0.05;
    f->machine.stage_log_sd[RIG_STAGE_DECODE] = 0.2;
    f->machine.stage_log_sd[RIG_STAGE_STORAGE] = 0.1;
    f->constants.log_sd[RIG__CONSTANT_cache_shuffle_mix] = 0.24;
    assert_int_equal(predict(f), RIG_OK);
    const rig_prediction *p = &f->out;
    ASSERT_SAME("gpu", p->stages[RIG_STAGE_GPU].log_sd, 0.05);
    ASSERT_SAME("allreduce", p->stages[RIG_STAGE_ALLREDUCE].log_sd, 0.05);
    ASSERT_SAME("decode", p->stages[RIG_STAGE_DECODE].log_sd, 0.2);
    ASSERT_SAME("partly cached", p->stages[RIG_STAGE_STORAGE].log_sd, 0.26);
    ASSERT_SAME("low: decode", p->images_per_s_low, decode_img_s * exp(-1.645 * 0.2));
    ASSERT_SAME("high: gpu", p->images_per_s_high, gpu_img_s * exp(1.645 * 0.05));
    f->w.workload.cache = RIG_CACHE_NONE;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("nothing cached", f->out.stages[RIG_STAGE_STORAGE].log_sd, 0.1);
    f->machine.stage_log_sd[RIG_STAGE_GPU] = NAN;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("unknown: by the constants", f->out.stages[RIG_STAGE_GPU].log_sd, 0.5);
    f->machine.stage_log_sd[RIG_STAGE_GPU] = -1;
    assert_int_equal(predict(f), RIG_E_RANGE);
    assert_string_equal(f->err.message, "stage uncertainty out of range: '-1' (expected 0 to 10)");
}

static void test_predict__interval_of_the_first_epoch(void **state)
{
    fixture *f = *state;
    f->machine.drives[0].count = 0.05; /* 1000 images/s cold */
    f->machine.stage_log_sd[RIG_STAGE_STORAGE] = 0.1;
    assert_int_equal(predict(f), RIG_OK);
    /* the rest: decode has 0.3 and is slowest at the upper end, the GPU has 0.5 and is at the lower
     */
    const double before_s = 20.35, z = 1.645;
    const double rest_low_s = 500 * exp(-z * 0.3), rest_high_s = 400 * exp(z * 0.5);
    ASSERT_SAME("low: storage",
                f->out.first_epoch_s_low,
                before_s + hypot(rest_low_s, 1e3 * exp(-z * 0.1)));
    ASSERT_SAME("high: storage",
                f->out.first_epoch_s_high,
                before_s + hypot(rest_high_s, 1e3 * exp(z * 0.1)));
    f->machine.first_epoch_log_sd = 0.2;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME(
        "low: own", f->out.first_epoch_s_low, before_s + hypot(rest_low_s, 1e3 * exp(-z * 0.2)));
    ASSERT_SAME(
        "high: own", f->out.first_epoch_s_high, before_s + hypot(rest_high_s, 1e3 * exp(z * 0.2)));
    assert_true(f->out.first_epoch_s_low < f->out.first_epoch_s);
    assert_true(f->out.first_epoch_s < f->out.first_epoch_s_high);
    f->machine.ram_bytes = 1e9;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("does not run", f->out.first_epoch_s_high, INFINITY);
}

static void test_predict__unknown_is_an_upper_bound(void **state)
{
    fixture *f = *state;
    f->machine.core_speed = NAN;
    assert_int_equal(predict(f), RIG_OK);
    assert_true(f->out.has_unknown);
    ASSERT_SAME("decode", f->out.stages[RIG_STAGE_DECODE].images_per_s, NAN);
    ASSERT_SAME("its slack", f->out.stages[RIG_STAGE_DECODE].slack_frac, NAN);
    ASSERT_SAME("rate of the rest", f->out.images_per_s, gpu_img_s);
    assert_int_equal(f->out.binding, RIG_STAGE_GPU);
    f->machine.gpu_step_factor = NAN;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("no training stage", f->out.train_images_per_s, NAN);
    ASSERT_SAME("no balance", f->out.balance_frac, NAN);
    assert_true(f->out.images_per_s > 0);
}

static void test_predict__nothing_known(void **state)
{
    fixture *f = *state;
    f->machine = (rig_machine){.sockets = NAN,
                               .cores = NAN,
                               .core_speed = NAN,
                               .core_speed_1t = NAN,
                               .cpu_tdp_w = NAN,
                               .ram_bytes = NAN,
                               .mem_channels = NAN,
                               .mem_mts = NAN,
                               .n_gpus = 1,
                               .gpu_fp32_tflops = NAN,
                               .gpu_tf32_tflops = NAN,
                               .gpu_fp16_tflops = NAN,
                               .gpu_mem_bytes = NAN,
                               .gpu_mem_gbs = NAN,
                               .gpu_tdp_w = NAN,
                               .gpu_l2_mib = NAN,
                               .gpu_sm_ghz = NAN,
                               .gpu_year = NAN,
                               .gpu_power_limit_w = NAN,
                               .gpu_step_factor = NAN,
                               .gpu_step_log_sd = NAN,
                               .gpu_pcie_gbs = NAN,
                               .gpu_link_gbs = NAN,
                               .base_power_w = NAN};
    f->w.workload.cache = RIG_CACHE_NONE;
    f->machine.n_drive_kinds = 1;
    f->machine.drives[0].count = 1;
    f->machine.drives[0].read_gbs = f->machine.drives[0].iops = NAN;
    assert_int_equal(predict(f), RIG_OK);
    assert_true(f->out.has_unknown);
    ASSERT_SAME("rate", f->out.images_per_s, NAN);
    ASSERT_SAME("epoch", f->out.epoch_s, NAN);
}

static void test_predict__out_of_memory(void **state)
{
    fixture *f = *state;
    f->machine.ram_bytes = 30e9; /* 15 - 10 - 2 - 8 is below zero */
    assert_int_equal(predict(f), RIG_OK);
    assert_true(f->out.is_out_of_memory);
    ASSERT_SAME("host: rate", f->out.images_per_s, 0);
    ASSERT_SAME("host: high", f->out.images_per_s_high, 0);
    ASSERT_SAME("host: first epoch", f->out.first_epoch_s, INFINITY);
    ASSERT_SAME("host: run", f->out.run_s, INFINITY);
    f->machine.ram_bytes = 100e9;
    f->machine.gpu_mem_bytes = 1e9;
    assert_int_equal(predict(f), RIG_OK);
    assert_true(f->out.is_out_of_memory);
    ASSERT_SAME("gpu: rate", f->out.images_per_s, 0);
    ASSERT_SAME("gpu: batch", f->out.batch_max, 0);
}

static void test_predict__synthetic_needs_no_host(void **state)
{
    fixture *f = *state;
    f->w.loader.decode = "none";
    f->machine.n_drive_kinds = 0;
    f->machine.core_speed = 1e-3;
    assert_int_equal(predict(f), RIG_OK);
    ASSERT_SAME("rate", f->out.images_per_s, gpu_img_s);
    ASSERT_SAME("prep", f->out.prep_images_per_s, INFINITY);
    ASSERT_SAME("balance", f->out.balance_frac, 0);
    ASSERT_SAME("CPU idle", f->out.cpu_busy_frac, 0);
    ASSERT_SAME("first epoch", f->out.first_epoch_s, 1e6 / gpu_img_s + 20);
}

#define OFFSET(member) offsetof(rig_machine, member)

static void test_predict__refuses_impossible_machines(void **state)
{
    fixture *f = *state;
    const struct {
        size_t offset;
        double value;
        const char *message;
    } rows[] = {
        {OFFSET(n_gpus), 0, "GPUs out of range: '0' (expected 1 to 1024)"},
        {OFFSET(n_gpus), NAN, "GPUs out of range: '' (expected 1 to 1024)"},
        {OFFSET(sockets), 0.5, "sockets out of range: '0.5' (expected 1 to 64)"},
        {OFFSET(cores), 0, "cores per socket out of range: '0' (expected 1 to 4096)"},
        {OFFSET(core_speed), -1, "core speed out of range: '-1' (expected 0 to 1000)"},
        {OFFSET(gpu_mem_gbs), -1, "GPU memory bandwidth out of range: '-1'"},
        {OFFSET(gpu_pcie_gbs), INFINITY, "PCIe bandwidth per GPU out of range: ''"},
        {OFFSET(drives[0].count), NAN, "drives out of range: ''"},
        {OFFSET(drives[0].read_gbs), -1, "drive read rate out of range: '-1'"},
        {OFFSET(mem_channels), -1, "memory channels out of range: '-1'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        f->machine = round_machine();
        memcpy((char *)&f->machine + rows[i].offset, &rows[i].value, sizeof rows[i].value);
        assert_int_equal(predict(f), RIG_E_RANGE);
        if (strncmp(f->err.message, rows[i].message, strlen(rows[i].message)) != 0) {
            print_error("%s is not %s\n", f->err.message, rows[i].message);
            fail();
        }
        assert_int_equal(f->err.status, RIG_E_RANGE);
    }
    f->machine = round_machine();
    f->machine.n_drive_kinds = RIG_MAX_DRIVE_KINDS + 1;
    assert_int_equal(predict(f), RIG_E_RANGE);
    assert_int_equal(rig_predict_machine(&f->machine, &f->w.workload, &f->constants, &f->out, NULL),
                     RIG_E_RANGE);
}

static void test_predict__refuses_impossible_workloads(void **state)
{
    fixture *f = *state;
    f->w.workload.batch_per_gpu = 0;
    assert_int_equal(predict(f), RIG_E_RANGE);
    assert_string_equal(f->err.message, "batch per GPU out of range: '0' (expected 1 to 1000000)");
    f->w.workload.batch_per_gpu = 1;
    f->w.workload.epochs = 0;
    assert_int_equal(predict(f), RIG_E_RANGE);
    f->w.workload.epochs = 1;
    f->w.workload.workers = -1;
    assert_int_equal(predict(f), RIG_E_RANGE);
    f->w.workload.workers = NAN;
    f->w.network.kind = "rnn";
    f->w.network.row.file = "networks.csv";
    f->w.network.row.line = 7;
    assert_int_equal(predict(f), RIG_E_RANGE);
    assert_string_equal(f->err.message,
                        "kind of net: 'rnn' (expected one of "
                        "cnn;vgg;alexnet;branch;grouped;depthwise;attention)");
    assert_string_equal(f->err.where, "networks.csv");
    assert_int_equal(f->err.line, 7);
    f->w.network.kind = "cnn";
    f->w.dataset.layout = "tar";
    assert_int_equal(predict(f), RIG_E_RANGE);
    f->w.dataset.layout = "raw";
    f->w.loader.decode = "dpu";
    assert_int_equal(predict(f), RIG_E_RANGE);
    f->w.loader.decode = "cpu";
    assert_int_equal(predict(f), RIG_OK);
}

static void test_stage_name__all(void **state)
{
    (void)state;
    static const char *const names[] = {
        "storage", "decode", "memory", "transfer", "gpu", "allreduce"};
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        assert_string_equal(rig_stage_name((rig_stage)i), names[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_predict__overlapped_takes_the_slowest, set_up),
        cmocka_unit_test_setup(test_predict__without_overlap_adds_times, set_up),
        cmocka_unit_test_setup(test_predict__binding_stage, set_up),
        cmocka_unit_test_setup(test_predict__times, set_up),
        cmocka_unit_test_setup(test_predict__interval, set_up),
        cmocka_unit_test_setup(test_predict__interval_of_the_class, set_up),
        cmocka_unit_test_setup(test_predict__interval_of_the_first_epoch, set_up),
        cmocka_unit_test_setup(test_predict__unknown_is_an_upper_bound, set_up),
        cmocka_unit_test_setup(test_predict__nothing_known, set_up),
        cmocka_unit_test_setup(test_predict__out_of_memory, set_up),
        cmocka_unit_test_setup(test_predict__synthetic_needs_no_host, set_up),
        cmocka_unit_test_setup(test_predict__refuses_impossible_machines, set_up),
        cmocka_unit_test_setup(test_predict__refuses_impossible_workloads, set_up),
        cmocka_unit_test(test_stage_name__all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
