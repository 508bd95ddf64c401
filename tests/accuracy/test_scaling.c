/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scaling from one to several GPUs against published efficiencies, ResNet-50, synthetic data. */
#include "support/assert_near.h"

#include <string.h>

#include "trainrig/model.h"

/* Tolerances are a little above what the model reaches.
 * lambdal/deeplearning-benchmark, lambdal/lambda-tensorflow-benchmark and cgnorthcutt,
 * server-gear rows: rate of n GPUs over n times the rate of one. */
typedef struct scaling {
    const char *label;
    const char *gpu;
    const char *stack;
    int batch_per_gpu;
    int n_gpus;
    rig_gpu_link link;
    double pcie_gbs;
    double measured, tolerance;
} scaling;

static const scaling rows[] = {
    {"2x 2080 Ti",
     "NVIDIA GeForce RTX 2080 Ti",
     "tensorflow",
     128,
     2,
     RIG_LINK_PCIE_HOST,
     15.76,
     0.90,
     0.08},
    {"4x 2080 Ti",
     "NVIDIA GeForce RTX 2080 Ti",
     "tensorflow",
     128,
     4,
     RIG_LINK_PCIE_HOST,
     15.76,
     0.83,
     0.08},
    {"8x 2080 Ti",
     "NVIDIA GeForce RTX 2080 Ti",
     "tensorflow",
     128,
     8,
     RIG_LINK_PCIE_HOST,
     15.76,
     0.64, /* mean of seven networks, some with far more parameters than ResNet-50 */
     0.21},
    {"8x 3090, batch 64",
     "NVIDIA GeForce RTX 3090",
     "pytorch-nchw",
     64,
     8,
     RIG_LINK_PCIE_HOST,
     15.76,
     0.49, /* small batches: the host of these rows may be slower than its PCIe rate tells */
     0.14},
    {"8x 3090, batch 128",
     "NVIDIA GeForce RTX 3090",
     "pytorch-nchw",
     128,
     8,
     RIG_LINK_PCIE_HOST,
     15.76,
     0.67,
     0.1},
    {"8x 3090, batch 256",
     "NVIDIA GeForce RTX 3090",
     "pytorch-nchw",
     256,
     8,
     RIG_LINK_PCIE_HOST,
     15.76,
     0.78,
     0.08},
    {"8x 3090, batch 512",
     "NVIDIA GeForce RTX 3090",
     "pytorch-nchw",
     512,
     8,
     RIG_LINK_PCIE_HOST,
     15.76,
     0.91,
     0.08},
    {"4x 4090, batch 64",
     "NVIDIA GeForce RTX 4090",
     "pytorch-nchw",
     64,
     4,
     RIG_LINK_PCIE_HOST,
     31.5,
     0.63, /* the same */
     0.16},
    {"4x 4090, batch 512",
     "NVIDIA GeForce RTX 4090",
     "pytorch-nchw",
     512,
     4,
     RIG_LINK_PCIE_HOST,
     31.5,
     0.94,
     0.08},
    {"8x A6000", "NVIDIA RTX A6000", "pytorch-nchw", 928, 8, RIG_LINK_PCIE_P2P, 31.5, 0.985, 0.05},
    {"8x H100 SXM",
     "NVIDIA H100 SXM5 80GB",
     "pytorch-nchw",
     1280,
     8,
     RIG_LINK_NVLINK,
     63.0,
     0.99,
     0.05},
    {"8x A100 SXM",
     "NVIDIA A100 SXM4 80GB",
     "pytorch-nchw",
     1280,
     8,
     RIG_LINK_NVLINK,
     31.5,
     0.94,
     0.05},
};

typedef struct fixture {
    rig_catalog *catalog;
    rig_constants *constants;
} fixture;

static int set_up(void **state)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    static fixture f;
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    *state = &f;
    if (rig_catalog_load(&f.catalog, &options, NULL) != RIG_OK) {
        return -1;
    }
    return rig_constants_new(&f.constants, f.catalog, NULL) == RIG_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    rig_constants_free(f->constants);
    rig_catalog_free(f->catalog);
    return 0;
}

static rig_machine machine_of(const fixture *f, const rig_workload *workload, const char *name)
{
    const rig_gpu *gpu =
        (const rig_gpu *)(const void *)rig_catalog_get(f->catalog, RIG_TABLE_GPU, name);
    assert_non_null(gpu);
    rig_machine machine = {.core_speed_1t = 1.0, .n_gpus = 1.0};
    rig_machine_set_gpu(&machine, gpu);
    machine.gpu_step_factor = rig_gpu_factor_get(f->catalog, gpu, workload, 1.0).step_factor;
    return machine;
}

static void test_allreduce_rate__scales_as_published(void **state)
{
    const fixture *f = *state;
    rig_workload w;
    assert_int_equal(rig_workload_find(f->catalog, "resnet50-imagenet", &w, NULL), RIG_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const scaling *row = &rows[i];
        w.stack = (const rig_stack *)(const void *)rig_catalog_get(
            f->catalog, RIG_TABLE_STACK, row->stack);
        w.batch_per_gpu = row->batch_per_gpu;
        rig_machine m = machine_of(f, &w, row->gpu);
        const double one = rig_allreduce_rate(f->constants, &w, &m);
        m.n_gpus = row->n_gpus;
        m.gpu_link = row->link;
        m.gpu_pcie_gbs = row->pcie_gbs;
        const double many = rig_allreduce_rate(f->constants, &w, &m);
        const double efficiency = many / one / row->n_gpus;
        print_message("%-20s measured %.2f model %.2f\n", row->label, row->measured, efficiency);
        ASSERT_NEAR(row->label, efficiency, row->measured, 0.0, row->tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allreduce_rate__scales_as_published),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
