/* SPDX-License-Identifier: GPL-3.0-or-later
 * Effects: keys of every level, names that profiles may use, factors and what they fall back to. */
#include "support/assert_near.h"

#include "unit/catalog/temp_catalog.h"

#include "model/effects.h"

static const char gpus_csv[] =
    "name,vendor,arch,year,mem_gb,mem_gbs,fp32_tflops,tensor_fp16_tflops,tf32_tflops,pcie_gen,"
    "pcie_lanes,form,slots,tdp_w\n"
    "Alpha,NVIDIA,Ada,2023,24,900,40,160,80,4,16,pcie,2,300\n"
    "Beta,NVIDIA,Ada,2023,16,500,20,80,40,4,16,pcie,2,200\n"
    "Gamma,NVIDIA,Pascal,2016,8,300,8,16,,3,16,pcie,2,200\n"
    "Delta,AMD,CDNA,2020,32,1200,20,180,,4,16,pcie,2,300\n"
    "Omega,Other,New,2024,32,1200,20,180,,4,16,pcie,2,300\n";

static const char cpus_csv[] =
    "name,vendor,family,segment,socket,max_sockets,cores,threads,base_ghz,boost_ghz,tdp_w,"
    "mem_type,mem_channels,mem_mts,pcie_gen,pcie_lanes\n"
    "Sixteen,AMD,Rome,server,SP3,2,16,32,3,3.4,155,DDR4,8,3200,4,128\n"
    "Thirty,AMD,Milan,server,SP3,2,32,64,3,3.4,155,DDR4,8,3200,4,128\n";

static const char networks_csv[] = "name,params_m,gmacs,input_px,kind,source\n"
                                   "net,25,4,224,cnn,test\n"
                                   "vgg,138,15,224,vgg,test\n";

static const char stacks_csv[] =
    "name,family,step_factor,compute_factor,memory_factor,launch_factor,contention,log_sd,source\n"
    "torch,eager,1,1,1,1,0,0.1,test\n"
    "flow,graph,1,1,1,1,0,0.1,test\n";

static const char loaders_csv[] =
    "name,decode,decode_factor,augment_factor,overhead_ms,host_share,worker_ram_gb,ipc_gbs,"
    "output_bytes,log_sd,source\n"
    "load,cpu,1,1,0.5,1,1,,4,0.2,test\n";

/* step_factor is a prime each, so that a product tells its factors; log_sd 0.1 each but OWN. */
static const char efficiency_csv[] = "name,step_factor,log_sd,rows,source\n"
                                     "NVIDIA | eager,2,0.1,1,test\n"
                                     "NVIDIA Ada | eager,3,0.1,1,test\n"
                                     "Alpha | eager,5,0.1,1,test\n"
                                     "Alpha | graph,1.5,0.1,1,test\n"
                                     "Alpha | vgg | eager,7,0.1,1,test\n"
                                     "Alpha | tf32 | eager,11,0.1,1,test\n"
                                     "Alpha | nodes | eager,13,0.1,1,test\n"
                                     "net | eager,1.7,0.1,1,test\n"
                                     "torch | tf32,1.9,0.1,1,test\n"
                                     "torch | vgg | amp,2.3,0.1,1,test\n"
                                     "torch | own,0.29,0.2,1,test\n"
                                     "torch | source lab,3.1,0.1,1,test\n"
                                     "torch | @v1,3.7,0.1,1,test\n"
                                     "torch | @v1 | NVIDIA Ada,4.1,0.1,1,test\n"
                                     "Rome | cpu,1.1,0.1,1,test\n"
                                     "Milan | cpu,1.2,0.1,1,test\n"
                                     "Thirty | cpu,1.3,0.1,1,test\n"
                                     "Thirty | load | cpu,1.4,0.1,1,test\n";

typedef struct fixture {
    temp_catalog temp;
    rig_catalog *catalog;
    rig_workload workload; /* torch, net, load, amp */
} fixture;

static const rig_row *row_of(const fixture *f, rig_table table, const char *name)
{
    const rig_row *const row = rig_catalog_get(f->catalog, table, name);
    assert_non_null(row);
    return row;
}

static const rig_gpu *gpu_of(const fixture *f, const char *name)
{
    return (const rig_gpu *)(const void *)row_of(f, RIG_TABLE_GPU, name);
}

static const rig_cpu *cpu_of(const fixture *f, const char *name)
{
    return (const rig_cpu *)(const void *)row_of(f, RIG_TABLE_CPU, name);
}

static void set_network(fixture *f, const char *name)
{
    f->workload.network = (const rig_network *)(const void *)row_of(f, RIG_TABLE_NETWORK, name);
}

static void set_stack(fixture *f, const char *name)
{
    f->workload.stack = (const rig_stack *)(const void *)row_of(f, RIG_TABLE_STACK, name);
}

static int set_up(void **state)
{
    static fixture f;
    rig_error err = {0};
    const char *const directories[] = {f.temp.path};
    rig_catalog_options options = rig_catalog_options_default();
    temp_catalog_open(&f.temp);
    temp_catalog_write(&f.temp, "gpus.csv", gpus_csv);
    temp_catalog_write(&f.temp, "cpus.csv", cpus_csv);
    temp_catalog_write(&f.temp, "networks.csv", networks_csv);
    temp_catalog_write(&f.temp, "stacks.csv", stacks_csv);
    temp_catalog_write(&f.temp, "loaders.csv", loaders_csv);
    temp_catalog_write(&f.temp, "efficiency.csv", efficiency_csv);
    options.directories = directories;
    options.n_directories = 1;
    if (rig_catalog_load(&f.catalog, &options, &err) != RIG_OK) {
        fail_msg("%s:%ld:%ld: %s", err.where, err.line, err.column, err.message);
    }
    f.workload = (rig_workload){.precision = RIG_PRECISION_AMP, .software_year = NAN};
    set_network(&f, "net");
    set_stack(&f, "torch");
    f.workload.loader = (const rig_loader *)(const void *)row_of(&f, RIG_TABLE_LOADER, "load");
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *const f = *state;
    rig_catalog_free(f->catalog);
    temp_catalog_close(&f->temp);
    return 0;
}

static void test_effect_key__every_level(void **state)
{
    fixture *const f = *state;
    static const char *const keys[RIG__N_EFFECTS] = {
        [RIG__EFFECT_VENDOR] = "NVIDIA | eager",
        [RIG__EFFECT_ARCH] = "NVIDIA Ada | eager",
        [RIG__EFFECT_GPU] = "Alpha | eager",
        [RIG__EFFECT_GPU_KIND] = "Alpha | cnn | eager",
        [RIG__EFFECT_GPU_PRECISION] = "Alpha | amp | eager",
        [RIG__EFFECT_GPU_NODES] = "Alpha | nodes | eager",
        [RIG__EFFECT_NETWORK] = "net | eager",
        [RIG__EFFECT_STACK_PRECISION] = "torch | amp",
        [RIG__EFFECT_STACK_KIND] = "torch | cnn | amp",
        [RIG__EFFECT_OWN] = "torch | own",
        [RIG__EFFECT_SOURCE] = "torch | source lab",
        [RIG__EFFECT_RELEASE] = "torch | @v1",
        [RIG__EFFECT_RELEASE_ARCH] = "torch | @v1 | NVIDIA Ada",
        [RIG__EFFECT_CPU_FAMILY] = "Rome | cpu",
        [RIG__EFFECT_CPU] = "Sixteen | cpu",
        [RIG__EFFECT_CPU_LOADER] = "Sixteen | load | cpu",
    };
    f->workload.source = "lab";
    f->workload.release = "v1";
    const rig__effect_subject subject = {.gpu = gpu_of(f, "Alpha"),
                                         .cpu = cpu_of(f, "Sixteen"),
                                         .workload = &f->workload,
                                         .nodes = 2};
    for (size_t i = 0; i < RIG__N_EFFECTS; i++) {
        char key[RIG__EFFECT_KEY_BYTES] = "";
        assert_true(rig__model_effect_key((rig__effect)i, &subject, key));
        assert_string_equal(key, keys[i]);
        if (!rig__model_effect_is_key(f->catalog, key)) {
            fail_msg("%s: '%s' is no key", rig__model_effect_word((rig__effect)i), key);
        }
    }
}

static void test_effect_key__what_does_not_apply(void **state)
{
    fixture *const f = *state;
    char key[RIG__EFFECT_KEY_BYTES];
    rig_workload empty = {0};
    const rig__effect_subject none = {.workload = &empty};
    const rig__effect_subject nothing = {0};
    for (size_t i = 0; i < RIG__N_EFFECTS; i++) {
        assert_false(rig__model_effect_key((rig__effect)i, &none, key));
        assert_false(rig__model_effect_key((rig__effect)i, &nothing, key));
    }
    const rig__effect_subject single = {
        .gpu = gpu_of(f, "Alpha"), .workload = &f->workload, .nodes = 1};
    assert_false(rig__model_effect_key(RIG__EFFECT_GPU_NODES, &single, key));
    assert_false(rig__model_effect_key(RIG__EFFECT_SOURCE, &single, key));
    assert_false(rig__model_effect_key(RIG__EFFECT_RELEASE, &single, key));
    assert_false(rig__model_effect_key(RIG__EFFECT_CPU, &single, key));
    const rig__effect_subject unknown = {
        .gpu = gpu_of(f, "Alpha"), .workload = &f->workload, .nodes = NAN};
    assert_false(rig__model_effect_key(RIG__EFFECT_GPU_NODES, &unknown, key));
    f->workload.release = "v1";
    const rig__effect_subject no_gpu = {.workload = &f->workload};
    assert_true(rig__model_effect_key(RIG__EFFECT_RELEASE, &no_gpu, key));
    assert_false(rig__model_effect_key(RIG__EFFECT_RELEASE_ARCH, &no_gpu, key));
    assert_false(rig__model_effect_key(RIG__EFFECT_GPU, &no_gpu, key));
}

/* A name that leaves no room for the key is no key, rather than half of one. */
static void test_effect_key__too_long(void **state)
{
    fixture *const f = *state;
    char name[300], key[RIG__EFFECT_KEY_BYTES];
    const size_t room = RIG__EFFECT_KEY_BYTES - sizeof "torch | @";
    for (size_t length = room; length <= room + 1; length++) {
        memset(name, 'x', length);
        name[length] = '\0';
        f->workload.release = name;
        const rig__effect_subject subject = {.workload = &f->workload};
        assert_int_equal(rig__model_effect_key(RIG__EFFECT_RELEASE, &subject, key), length == room);
    }
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    f->workload.source = f->workload.release = name;
    const rig__effect_subject subject = {.gpu = gpu_of(f, "Alpha"), .workload = &f->workload};
    assert_false(rig__model_effect_key(RIG__EFFECT_SOURCE, &subject, key));
    assert_false(rig__model_effect_key(RIG__EFFECT_RELEASE, &subject, key));
    assert_false(rig__model_effect_key(RIG__EFFECT_RELEASE_ARCH, &subject, key));
}

static void test_effect_key__modes(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *gpu;
        rig_precision precision;
        const char *key;
    } rows[] = {
        {"Alpha", RIG_PRECISION_AMP, "torch | amp"},
        {"Alpha", RIG_PRECISION_TF32, "torch | tf32"},
        {"Alpha", RIG_PRECISION_FP32, "torch | fp32"},
        {"Gamma", RIG_PRECISION_AMP, "torch | fp16"}, /* no matrix units */
        {"Gamma", RIG_PRECISION_TF32, "torch | fp32"},
        {"Delta", RIG_PRECISION_AMP, "torch | amp"},
        {"Delta", RIG_PRECISION_TF32, "torch | fp32"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char key[RIG__EFFECT_KEY_BYTES] = "";
        f->workload.precision = rows[i].precision;
        const rig__effect_subject subject = {.gpu = gpu_of(f, rows[i].gpu),
                                             .workload = &f->workload};
        assert_true(rig__model_effect_key(RIG__EFFECT_STACK_PRECISION, &subject, key));
        assert_string_equal(key, rows[i].key);
    }
    assert_int_equal(rig__model_mode(RIG_PRECISION_AMP, true, NAN, NAN), RIG__MODE_FP16);
}

static void test_effect_is_key__refuses(void **state)
{
    const fixture *const f = *state;
    static const char *const others[] = {
        "",
        " ",
        " | ",
        " |  | ",
        "Alpha",
        "Alpha |",
        "Alpha | ",
        " | eager",
        "Alpha|eager",
        "Alpha | eager ",
        "Alpha | fast",
        "Alpha | Eager",
        "alpha | eager",
        "Unknown | eager",
        "NVIDIA Volta | eager",
        "NVIDIA Ada | cnn | eager", /* of single GPUs only */
        "Alpha | cnn | amp",
        "Alpha | cnn | amp | eager",
        "Alpha | eager;graph",
        "Alpha | node | eager",
        "Alpha | amp",
        "torch | eager",
        "flow | fp8",
        "torch | cnn",
        "torch | amp | cnn",
        "jax | own",
        "torch | Own",
        "torch | source",
        "torch | @v1 | Unknown",
        "torch | v1 | Alpha",
        "Sixteen | eager",
        "Alpha | cpu",
        "Sixteen | shovel | cpu",
        "Rome | load | cpu", /* of single processors only */
        "load | cpu",
        "cpu",
        "| | |",
        "Alpha | | eager",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (rig__model_effect_is_key(f->catalog, others[i])) {
            fail_msg("'%s' is taken for a key", others[i]);
        }
    }
}

static void test_effect_is_key__hostile_lengths(void **state)
{
    const fixture *const f = *state;
    static char text[100000];
    static const size_t lengths[] = {
        RIG__EFFECT_KEY_BYTES - 1, RIG__EFFECT_KEY_BYTES, RIG__EFFECT_KEY_BYTES + 1, 99999};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        memset(text, '|', lengths[i]);
        text[lengths[i]] = '\0';
        assert_false(rig__model_effect_is_key(f->catalog, text));
        for (size_t k = 0; k + 3 <= lengths[i]; k += 3) {
            memcpy(text + k, " | ", 3);
        }
        assert_false(rig__model_effect_is_key(f->catalog, text));
        /* a release of any length that fits is a key, one that does not is none */
        memset(text, 'x', lengths[i]);
        memcpy(text, "torch | @", 9);
        assert_int_equal(rig__model_effect_is_key(f->catalog, text),
                         lengths[i] < RIG__EFFECT_KEY_BYTES);
    }
}

static void test_gpu_efficiency__name_then_arch_then_maker(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *gpu, *stack, *key;
    } rows[] = {
        {"Alpha", "torch", "Alpha | eager"},
        {"Beta", "torch", "NVIDIA Ada | eager"},
        {"Gamma", "torch", "NVIDIA | eager"},
        {"Delta", "torch", NULL},
        {"Omega", "torch", NULL},
        {"Alpha", "flow", "Alpha | graph"},
        {"Beta", "flow", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_stack(f, rows[i].stack);
        const rig_efficiency *const found =
            rig_gpu_efficiency(f->catalog, gpu_of(f, rows[i].gpu), &f->workload);
        if (rows[i].key == NULL) {
            assert_null(found);
        } else {
            assert_non_null(found);
            assert_string_equal(found->row.name, rows[i].key);
        }
    }
}

static void test_gpu_factor_get__products(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *label, *gpu, *network, *stack;
        rig_precision precision;
        double nodes;
        const char *source, *release;
        double factor, n_rows; /* of log_sd 0.1 beside OWN, which has 0.2 */
    } rows[] = {
        {"GPU, network, own",
         "Alpha",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         1,
         NULL,
         NULL,
         5 * 1.7 * 0.29,
         2},
        {"architecture",
         "Beta",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         1,
         NULL,
         NULL,
         3 * 1.7 * 0.29,
         2},
        {"maker", "Gamma", "net", "torch", RIG_PRECISION_AMP, 1, NULL, NULL, 2 * 1.7 * 0.29, 2},
        {"none of its own",
         "Delta",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         1,
         NULL,
         NULL,
         1.7 * 0.29,
         1},
        {"kind, with GPU and with stack",
         "Alpha",
         "vgg",
         "torch",
         RIG_PRECISION_AMP,
         1,
         NULL,
         NULL,
         5 * 7 * 2.3 * 0.29,
         3},
        {"precision, with GPU and with stack",
         "Alpha",
         "net",
         "torch",
         RIG_PRECISION_TF32,
         1,
         NULL,
         NULL,
         5 * 11 * 1.7 * 1.9 * 0.29,
         4},
        {"several nodes",
         "Alpha",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         2,
         NULL,
         NULL,
         5 * 13 * 1.7 * 0.29,
         3},
        {"source",
         "Alpha",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         1,
         "lab",
         NULL,
         5 * 1.7 * 0.29 * 3.1,
         3},
        {"another source",
         "Alpha",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         1,
         "bar",
         NULL,
         5 * 1.7 * 0.29,
         2},
        {"release",
         "Alpha",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         1,
         NULL,
         "v1",
         5 * 1.7 * 0.29 * 3.7 * 4.1,
         4},
        {"release on another architecture",
         "Gamma",
         "net",
         "torch",
         RIG_PRECISION_AMP,
         1,
         NULL,
         "v1",
         2 * 1.7 * 0.29 * 3.7,
         3},
        {"another family", "Alpha", "net", "flow", RIG_PRECISION_AMP, 1, NULL, NULL, 1.5, 1},
        {"nothing", "Omega", "net", "flow", RIG_PRECISION_AMP, 1, NULL, NULL, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_network(f, rows[i].network);
        set_stack(f, rows[i].stack);
        f->workload.precision = rows[i].precision;
        f->workload.source = rows[i].source;
        f->workload.release = rows[i].release;
        const rig_gpu_factor factor =
            rig_gpu_factor_get(f->catalog, gpu_of(f, rows[i].gpu), &f->workload, rows[i].nodes);
        const bool is_own = strcmp(rows[i].stack, "torch") == 0;
        ASSERT_SAME(rows[i].label, factor.step_factor, rows[i].factor);
        ASSERT_SAME(
            rows[i].label, factor.log_sd, sqrt(0.01 * rows[i].n_rows + (is_own ? 0.04 : 0)));
    }
}

static void test_cpu_factor_get__name_then_family(void **state)
{
    fixture *const f = *state;
    ASSERT_SAME("family", rig_cpu_factor_get(f->catalog, cpu_of(f, "Sixteen"), &f->workload), 1.1);
    ASSERT_SAME("its own, and with the loader",
                rig_cpu_factor_get(f->catalog, cpu_of(f, "Thirty"), &f->workload),
                1.3 * 1.4);
    f->workload.loader = NULL;
    ASSERT_SAME(
        "no loader", rig_cpu_factor_get(f->catalog, cpu_of(f, "Thirty"), &f->workload), 1.3);
    const rig_cpu stranger = {.row.name = "Stranger", .family = "Strange"};
    ASSERT_SAME("neither", rig_cpu_factor_get(f->catalog, &stranger, &f->workload), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_effect_key__every_level),
        TEST(test_effect_key__what_does_not_apply),
        TEST(test_effect_key__too_long),
        TEST(test_effect_key__modes),
        TEST(test_effect_is_key__refuses),
        TEST(test_effect_is_key__hostile_lengths),
        TEST(test_gpu_efficiency__name_then_arch_then_maker),
        TEST(test_gpu_factor_get__products),
        TEST(test_cpu_factor_get__name_then_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
