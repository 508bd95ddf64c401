/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measurement files: what is read of each shape, what is skipped and why, what is an error. */
#include "tiny_rows.h"

#include "accuracy/measurement_rows.h"

static const char system_head[] =
    "id,source,network,dataset,stack,loader,precision,batch_per_gpu,nodes,gpu,gpus_per_node,"
    "images_per_s,epoch_s,first_epoch_s,exclude\n";
static const char gpu_head[] = "network,gpu_model,gpu_count,system,cpu_model,framework,loader,"
                               "precision,batch_per_gpu,images_per_s,source_repo,notes\n";
static const char cpu_head[] =
    "loader,pipeline,cpu_model,cores_or_workers,images_per_s,image_set,source,notes\n";
static const char storage_head[] = "storage,system,workload,accelerators,samples_per_s,notes\n";

static const rig_measurement *by_id(const rig_measurements *set, const char *id)
{
    for (size_t i = 0; i < set->n_rows; i++) {
        if (strcmp(set->rows[i].id, id) == 0) {
            return &set->rows[i];
        }
    }
    fail_msg("no row %s", id);
    return NULL;
}

static void test_read__complete_system(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    const rig_measurement *const row = by_id(set, "made-up-1");
    assert_int_equal(row->kind, RIG_MEASUREMENT_SYSTEM);
    assert_int_equal(row->line, 2);
    ASSERT_SAME("rate", row->observed_images_per_s, 16000);
    ASSERT_SAME("slow first epoch", row->first_epoch_s, 400);
    ASSERT_SAME("usual first epoch", by_id(set, "made-up-3")->first_epoch_s, NAN);
    ASSERT_SAME("workers", row->workload.workers, 48);
    ASSERT_SAME("drives", row->n_drives, 2);
    assert_true(row->is_nvme);
    ASSERT_SAME("gen", row->pcie_gen, 4);
    ASSERT_SAME("cores", row->cores_per_socket, 16);
    ASSERT_SAME("nodes", by_id(set, "made-up-2")->nodes, 2);
    assert_int_equal(row->build.parts[RIG_TABLE_GPU].count, 8);
    assert_string_equal(row->labels[RIG_GROUP_GPU], "NVIDIA L40S");
    assert_string_equal(row->labels[RIG_GROUP_GENERATION], "NVIDIA Ada");
    assert_string_equal(row->labels[RIG_GROUP_CPU_FAMILY], "Rome");
    assert_string_equal(row->labels[RIG_GROUP_SYSTEM], "one box A");
    assert_string_equal(row->labels[RIG_GROUP_SUBMITTER], "one");
    assert_string_equal(row->labels[RIG_GROUP_SOURCE], "made-up");
    assert_string_equal(row->labels[RIG_GROUP_STACK], "mxnet-dali");
    assert_string_equal(row->labels[RIG_GROUP_FILE], "mlperf_resnet50.csv");
    assert_null(row->labels[RIG_GROUP_STAGE]);
    ASSERT_SAME("two rows of one system", row->weight, 1.0 / sqrt(2.0));
    rig_measurements_free(set);
}

static void test_read__gpu_rates(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    const unsigned training = 1U << RIG_STAGE_GPU | 1U << RIG_STAGE_ALLREDUCE;
    const rig_measurement *const synthetic = by_id(set, "gpu_training.csv:2");
    assert_int_equal(synthetic->kind, RIG_MEASUREMENT_GPU);
    assert_string_equal(synthetic->workload.loader->row.name, "none");
    assert_int_equal(synthetic->workload.batch_per_gpu, 128);
    assert_int_equal(synthetic->build.parts[RIG_TABLE_CPU].count, 1); /* a desktop has one */
    assert_int_equal(synthetic->expected_stages, 0);
    assert_int_equal(by_id(set, "gpu_training.csv:3")->expected_stages, training);
    const rig_measurement *const bound = by_id(set, "gpu_training.csv:5");
    assert_true(bound->expected_stages != 0 && (bound->expected_stages & training) == 0);
    assert_int_equal(by_id(set, "gpu_training.csv:6")->workload.precision, RIG_PRECISION_TF32);
    rig_measurements_free(set);
}

static void test_read__hosts(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    const rig_measurement *const cpu = by_id(set, "cpu_preparation.csv:2");
    assert_int_equal(cpu->kind, RIG_MEASUREMENT_CPU);
    assert_int_equal(cpu->preparation, RIG_PREPARATION_TRAIN);
    ASSERT_SAME("workers", cpu->workload.workers, 8);
    assert_string_equal(cpu->workload.dataset->row.name, "imagenet-ffcv-512");
    const rig_measurement *const demand = by_id(set, "storage.csv:2");
    assert_int_equal(demand->kind, RIG_MEASUREMENT_STORAGE);
    ASSERT_SAME("ten H100", demand->demand_images_per_s, 10 * 400 / 0.224);
    assert_null(demand->build.parts[RIG_TABLE_STORAGE].row);
    assert_non_null(by_id(set, "storage.csv:3")->build.parts[RIG_TABLE_STORAGE].row);
    rig_measurements_free(set);
}

static void test_read__counts_what_is_skipped(void **state)
{
    static const struct {
        const char *reason, *name;
    } expected[] = {
        {"GPU not in the catalogue", "NVIDIA Tesla K80"},
        {"called suspect by the file", NULL},
        {"excluded by the file", "outlier"},
        {"network not in networks.csv", "no-such-net"},
        {"no batch size", NULL},
        {"pipeline not modelled", "single op (no decode)"},
        {"precision not known", "INT8"},
        {"processor not in the catalogue", "VIA Nano"},
        {"software stack not in stacks.csv", "tinygrad"},
        {"storage not in the catalogue", "made-up cloud"},
    };
    rig_measurements *const set = tiny_read(*state);
    assert_int_equal(set->n_read, 21);
    assert_int_equal(set->n_rows, 11);
    assert_int_equal(set->n_skips, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < set->n_skips; i++) {
        assert_string_equal(set->skips[i].reason, expected[i].reason);
        assert_int_equal(set->skips[i].count, 1);
        if (expected[i].name != NULL) {
            assert_string_equal(set->skips[i].name, expected[i].name);
        } else {
            assert_null(set->skips[i].name);
        }
    }
    rig_measurements_free(set);
}

/* One row of a shape, and why it is left out. */
static void test_read__reasons(void **state)
{
    static const struct {
        const char *label, *head, *row, *reason;
    } cases[] = {
        {"no GPUs",
         system_head,
         "a,s,resnet50,imagenet1k,mxnet-dali,DALI,amp,400,1,NVIDIA L40S,,1,1,,",
         "no number of GPUs"},
        {"data set",
         system_head,
         "a,s,resnet50,mnist,mxnet-dali,DALI,amp,400,1,NVIDIA L40S,1,1,1,,",
         "data set not in datasets.csv"},
        {"loader",
         system_head,
         "a,s,resnet50,imagenet1k,mxnet-dali,shovel,amp,400,1,NVIDIA L40S,1,1,1,,",
         "loader not in loaders.csv"},
        {"lower bound",
         cpu_head,
         "FFCV,decode + RandomResizedCrop 224,AMD EPYC 7302P,8,1,ImageNet 512px,s,lower bound",
         "a lower bound, not a rate"},
        {"hidden",
         cpu_head,
         "FFCV,decode + RandomResizedCrop 224,AMD EPYC 7302P,VM with 4 GPU(s),1,ImageNet 512px,s,",
         "number of cores not known"},
        {"EBS",
         cpu_head,
         "FFCV,decode + RandomResizedCrop 224 (EBS),AMD EPYC 7302P,8,1,ImageNet 512px,s,",
         "storage not in the catalogue"},
        {"GPU decode",
         cpu_head,
         "DALI,decode + RandomResizedCrop 224,AMD EPYC 7302P,8,1,ImageNet 512px,s,",
         "decoded on a GPU that the row does not name"},
        {"storage", storage_head, "tape,s,files,,1,", "storage not in the catalogue"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        rig_measurements *set = NULL;
        rig_error err = {0};
        (void)snprintf(text, sizeof text, "%s%s\n", cases[i].head, cases[i].row);
        if (tiny_read_text(*state, text, &set, &err) != RIG_OK) {
            fail_msg("%s: %s", cases[i].label, err.message);
        }
        if (set->n_rows != 0 || set->n_skips != 1 ||
            strcmp(set->skips[0].reason, cases[i].reason) != 0) {
            fail_msg("%s: %s", cases[i].label, set->n_skips == 0 ? "read" : set->skips[0].reason);
        }
        rig_measurements_free(set);
    }
}

static void test_read__cores_and_consumers(void **state)
{
    static const struct {
        const char *pipeline, *cores, *notes;
        double workers, processes, output_bytes;
    } cases[] = {
        {"decode + RandomResizedCrop 224", "12 cores (vCPU)", "", 12, 1, NAN},
        {"decode + RandomResizedCrop 224", "16 cores", "", NAN, 1, NAN},
        {"decode + RandomResizedCrop 224", "96 vCPU", "8xA100 e2e", NAN, 8, NAN},
        {"decode + RRC 224 (8 concurrent ResNet18)", "8", "", 8, 8, NAN},
        {"one ImageNet epoch, 8 GPU processes, data in RAM", "8", "", 8, 8, NAN},
        {"TFRecord read + decode; output fp16",
         "16 cores",
         "(alexnet, 4 GPU; synthetic 9)",
         NAN,
         4,
         2},
        {"TFRecord read + decode; output fp32", "16 cores", "", NAN, 1, 4},
        {"decode + RandomResizedCrop 224", "0 (main process)", "", 1, 1, NAN},
        {"decode + RandomResizedCrop 224", "library default threads (serial)", "", 1, 1, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        rig_measurements *set = NULL;
        (void)snprintf(text,
                       sizeof text,
                       "%sFFCV,\"%s\",AMD EPYC 7302P,%s,1,ImageNet 512px,s,\"%s\"\n",
                       cpu_head,
                       cases[i].pipeline,
                       cases[i].cores,
                       cases[i].notes);
        assert_int_equal(tiny_read_text(*state, text, &set, NULL), RIG_OK);
        assert_int_equal(set->n_rows, 1);
        ASSERT_SAME(cases[i].pipeline, set->rows[0].workload.workers, cases[i].workers);
        ASSERT_SAME(cases[i].pipeline, set->rows[0].processes, cases[i].processes);
        ASSERT_SAME(cases[i].pipeline, set->rows[0].output_bytes, cases[i].output_bytes);
        rig_measurements_free(set);
    }
}

static void test_read__nodes_of_gpu_rows(void **state)
{
    static const struct {
        const char *count, *system;
        double nodes;
        int n_gpus;
    } cases[] = {{"8", "box", 1, 8},
                 {"16", "DGX-2", 1, 16},
                 {"32", "DGX A100 x4 nodes", 4, 8},
                 {"64", "box", 8, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        rig_measurements *set = NULL;
        (void)snprintf(text,
                       sizeof text,
                       "%sresnet50,NVIDIA L40S,%s,%s,,PyTorch,synthetic,AMP,64,100,s,\n",
                       gpu_head,
                       cases[i].count,
                       cases[i].system);
        assert_int_equal(tiny_read_text(*state, text, &set, NULL), RIG_OK);
        assert_int_equal(set->n_rows, 1);
        ASSERT_SAME(cases[i].system, set->rows[0].nodes, cases[i].nodes);
        assert_int_equal(set->rows[0].build.parts[RIG_TABLE_GPU].count, cases[i].n_gpus);
        assert_string_equal(set->rows[0].software, "PyTorch");
        rig_measurements_free(set);
    }
}

static void test_read__errors(void **state)
{
    static const struct {
        const char *label, *head, *row;
        rig_status status;
        long line, column;
        const char *message;
    } cases[] = {
        {"shape",
         "a,b\n",
         "1,2\n",
         RIG_E_SCHEMA,
         1,
         1,
         "not a file of measurements: first column 'a'"},
        {"rate",
         gpu_head,
         "n,g,1,s,,f,synthetic,AMP,64,fast,s,\n",
         RIG_E_PARSE,
         2,
         29,
         "not a number: 'fast' in column 'images_per_s'"},
        {"no rate", gpu_head, "n,g,1,s,,f,synthetic,AMP,64,,s,\n", RIG_E_PARSE, 2, 29, "no rate"},
        {"zero",
         gpu_head,
         "n,g,1,s,,f,synthetic,AMP,64,0,s,\n",
         RIG_E_RANGE,
         2,
         29,
         "out of range"},
        {"negative", gpu_head, "n,g,1,s,,f,synthetic,AMP,64,-5,s,\n", RIG_E_RANGE, 2, 29, "'-5'"},
        {"batch",
         gpu_head,
         "n,g,1,s,,f,synthetic,AMP,0.5,9,s,\n",
         RIG_E_RANGE,
         2,
         26,
         "in column 'batch_per_gpu'"},
        {"count", gpu_head, "n,g,none,s,,f,synthetic,AMP,64,9,s,\n", RIG_E_PARSE, 2, 5, "'none'"},
        {"nodes", system_head, "a,s,n,d,k,l,amp,400,two,g,1,1,1,,\n", RIG_E_PARSE, 2, 21, "'two'"},
        {"samples", storage_head, "x,s,w,,lots,\n", RIG_E_PARSE, 2, 8, "'lots'"},
        {"accelerators", storage_head, "x,s,w,many,5,\n", RIG_E_PARSE, 2, 7, "'many'"},
        {"cpu rate", cpu_head, "l,p,c,1,?,i,s,\n", RIG_E_PARSE, 2, 9, "'?'"},
        {"ragged", cpu_head, "l,p\n", RIG_E_PARSE, 2, 0, "2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        rig_measurements *set = NULL;
        rig_error err = {0};
        (void)snprintf(text, sizeof text, "%s%s", cases[i].head, cases[i].row);
        const rig_status status = tiny_read_text(*state, text, &set, &err);
        const bool is_place = cases[i].column == 0 || err.column == cases[i].column;
        if (status != cases[i].status || err.line != cases[i].line || !is_place ||
            strstr(err.message, cases[i].message) == NULL) {
            fail_msg("%s: %s at %ld:%ld", cases[i].label, err.message, err.line, err.column);
        }
        assert_null(set);
    }
    const tiny *const own = *state;
    rig_measurements *set = NULL;
    const char *const path = "/nowhere/rows.csv";
    assert_int_equal(rig_measurements_read(&set, own->catalog, &path, 1, NULL, NULL), RIG_E_IO);
    assert_int_equal(rig_measurements_read(&set, own->catalog, NULL, 0, "/nowhere/a", NULL),
                     RIG_E_IO);
}

static void test_printed_drives__forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double n_drives;
        bool is_nvme;
    } cases[] = {
        {"NVMe 1x 1.5TB NVMe + 2x 512GB SSD", 1, true},
        {"NVMe SSD 2x 1.92TB NVMe SSD + 8x 3.84TB NVMe U.2", 8, true},
        {"NVMe SSD 7 TB", 1, true},
        {"NVMe 4x6.4TB NVMe", 4, true},
        {"SSD 96TB", 1, false},
        {"NVMe SSD 8x 3.5T + 2x 894.3G", 8, true},
        {"NVMe SSD", NAN, true},
        {"", NAN, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is_nvme = false;
        ASSERT_SAME(cases[i].text, rig__printed_drives(cases[i].text, &is_nvme), cases[i].n_drives);
        assert_int_equal(is_nvme, cases[i].is_nvme);
    }
}

static void test_group_parse__names(void **state)
{
    (void)state;
    rig_error err = {0};
    for (int i = 0; i < RIG_N_GROUPS; i++) {
        rig_group group = RIG_N_GROUPS;
        assert_int_equal(rig_group_parse(rig_group_name((rig_group)i), &group, NULL), RIG_OK);
        assert_int_equal(group, i);
    }
    rig_group group = RIG_GROUP_GPU;
    assert_int_equal(rig_group_parse("colour", &group, &err), RIG_E_INVALID);
    assert_non_null(strstr(err.message, "unknown group: 'colour'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__complete_system),
        cmocka_unit_test(test_read__gpu_rates),
        cmocka_unit_test(test_read__hosts),
        cmocka_unit_test(test_read__counts_what_is_skipped),
        cmocka_unit_test(test_read__reasons),
        cmocka_unit_test(test_read__cores_and_consumers),
        cmocka_unit_test(test_read__nodes_of_gpu_rows),
        cmocka_unit_test(test_read__errors),
        cmocka_unit_test(test_printed_drives__forms),
        cmocka_unit_test(test_group_parse__names),
    };
    return cmocka_run_group_tests(tests, tiny_set_up, tiny_tear_down);
}
