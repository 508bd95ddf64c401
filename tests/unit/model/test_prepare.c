/* SPDX-License-Identifier: GPL-3.0-or-later
 * Decode, memory and transfer stages against hand-computed rates. */
#include "support/assert_near.h"

#include "model/stages.h"
#include "round_model.h"

/* One image: decode 2 x (0.5 ms + 1 ms), augment 0.030 + 0.125 ms, overhead 0.345 ms: 3.5 ms. */
static void test_decode_rate__hand_computed(void **state)
{
    (void)state;
    const struct {
        const char *label;
        double cores, speed, gpus, workers, rate;
    } rows[] = {
        {"14 of 16 cores work", 16, 1, 1, NAN, 14 * 0.5 / 3.5e-3},
        {"twice the speed", 16, 2, 1, NAN, 14 * 0.5 / 3.5e-3 * 2},
        {"four GPUs keep four cores", 16, 1, 4, NAN, 11 * 0.5 / 3.5e-3},
        {"a quarter of the cores is left", 16, 1, 16, NAN, 4 * 0.5 / 3.5e-3},
        {"workers limit", 16, 1, 1, 7, 7 * 0.5 / 3.5e-3},
        {"more workers than cores", 16, 1, 1, 99, 14 * 0.5 / 3.5e-3},
        {"no workers", 16, 1, 1, 0, 0},
        {"unknown cores", NAN, 1, 1, NAN, NAN},
        {"unknown speed", 16, NAN, 1, NAN, NAN},
    };
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        w.workload.workers = rows[i].workers;
        ASSERT_SAME(rows[i].label,
                    rig_decode_rate(&k, &w.workload, rows[i].cores, rows[i].speed, rows[i].gpus),
                    rows[i].rate);
    }
}

static void test_decode_rate__contention(void **state)
{
    (void)state;
    rig_constants k = round_constants();
    k.core_contention = 0.01;
    round_workload w;
    round_workload_init(&w);
    ASSERT_SAME("13 others", rig_decode_rate(&k, &w.workload, 16, 1, 1), 14 / 1.13 * 0.5 / 3.5e-3);
    w.workload.workers = 0.5;
    ASSERT_SAME("no others", rig_decode_rate(&k, &w.workload, 16, 1, 1), 0.5 * 0.5 / 3.5e-3);
}

static void test_prepare_s__kinds(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    ASSERT_SAME("decode on the host", rig__model_prepare_s(&k, &w.workload), 3.5e-3);
    w.dataset.mean_px = NAN;
    ASSERT_SAME("pixels from bytes: 2e5",
                rig__model_prepare_s(&k, &w.workload),
                2 * (0.2e-3 + 1e-3) + 0.030e-3 + 0.050e-3 + 0.345e-3);
    w.dataset.mean_px = 5e5;
    w.loader.host_share = 0.5;
    ASSERT_SAME("half on the GPU", rig__model_prepare_s(&k, &w.workload), 2e-3);
    w.dataset.layout = "raw";
    ASSERT_SAME("nothing to decode", rig__model_prepare_s(&k, &w.workload), 0.5e-3);
    w.loader.decode = "none";
    ASSERT_SAME("synthetic", rig__model_prepare_s(&k, &w.workload), 0.0);
}

static void test_memory_rate__hand_computed(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    /* 0.5 x 2 channels x 1 GT/s x 8 B = 8 GB/s; 100 kB + 1500 kB + 30 kB per image. */
    ASSERT_SAME("files", rig_memory_rate(&k, &w.workload, 2, 1000), 8e9 / 1.63e6);
    w.loader.output_bytes = 4;
    ASSERT_SAME("floats", rig_memory_rate(&k, &w.workload, 2, 1000), 8e9 / 1.72e6);
    w.dataset.layout = "raw";
    ASSERT_SAME("raw", rig_memory_rate(&k, &w.workload, 2, 1000), 8e9 / 0.22e6);
    ASSERT_SAME("unknown channels", rig_memory_rate(&k, &w.workload, NAN, 1000), NAN);
    w.loader.decode = "none";
    ASSERT_SAME("synthetic", rig_memory_rate(&k, &w.workload, NAN, 1000), INFINITY);
}

static void test_transfer_rate__hand_computed(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    ASSERT_SAME("3 GB/s of 30 kB", rig_transfer_rate(&k, &w.workload, 1, 6), 1e5);
    ASSERT_SAME("per GPU", rig_transfer_rate(&k, &w.workload, 4, 6), 4e5);
    w.loader.ipc_gbs = 1.5;
    ASSERT_SAME("one process hands over 1.5 GB/s", rig_transfer_rate(&k, &w.workload, 4, 6), 2e5);
    ASSERT_SAME("unknown link", rig_transfer_rate(&k, &w.workload, 1, NAN), NAN);
    w.loader.ipc_gbs = NAN;
    w.loader.decode = "gpu";
    ASSERT_SAME("stored bytes", rig_transfer_rate(&k, &w.workload, 1, 6), 3e4);
    w.loader.decode = "none";
    ASSERT_SAME("synthetic", rig_transfer_rate(&k, &w.workload, 1, NAN), INFINITY);
}

static void assert_not_less(const char *what, double more, double less)
{
    if (!(more >= less)) {
        print_error("%s: %.17g is less than %.17g\n", what, more, less);
        fail();
    }
}

/* The optimiser relies on these directions. */
static void test_rates__are_monotone(void **state)
{
    (void)state;
    rig_constants k = round_constants();
    k.core_contention = 0.001;
    round_workload w;
    round_workload_init(&w);
    const rig_workload *p = &w.workload;
    for (double x = 1; x < 300; x += 1) {
        assert_not_less(
            "cores", rig_decode_rate(&k, p, x + 1, 1, 4), rig_decode_rate(&k, p, x, 1, 4));
        assert_not_less("speed",
                        rig_decode_rate(&k, p, 64, (x + 1) / 50, 4),
                        rig_decode_rate(&k, p, 64, x / 50, 4));
        assert_not_less(
            "fewer GPUs", rig_decode_rate(&k, p, 64, 1, x), rig_decode_rate(&k, p, 64, 1, x + 1));
        assert_not_less(
            "channels", rig_memory_rate(&k, p, x + 1, 3200), rig_memory_rate(&k, p, x, 3200));
        assert_not_less(
            "MT/s", rig_memory_rate(&k, p, 8, 20 * (x + 1)), rig_memory_rate(&k, p, 8, 20 * x));
        assert_not_less("PCIe", rig_transfer_rate(&k, p, 4, x + 1), rig_transfer_rate(&k, p, 4, x));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode_rate__hand_computed),
        cmocka_unit_test(test_decode_rate__contention),
        cmocka_unit_test(test_prepare_s__kinds),
        cmocka_unit_test(test_memory_rate__hand_computed),
        cmocka_unit_test(test_transfer_rate__hand_computed),
        cmocka_unit_test(test_rates__are_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
