/* SPDX-License-Identifier: GPL-3.0-or-later
 * Workloads by name and precisions, on the data of the project. */
#include "support/assert_near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trainrig/model.h"

static int set_up(void **state)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    rig_catalog *catalog;
    if (rig_catalog_load(&catalog, &options, NULL) != RIG_OK) {
        return -1;
    }
    *state = catalog;
    return 0;
}

static int tear_down(void **state)
{
    rig_catalog_free(*state);
    return 0;
}

static void test_workload_find__by_name(void **state)
{
    const rig_catalog *catalog = *state;
    rig_workload w;
    assert_int_equal(rig_workload_find(catalog, "resnet50-imagenet", &w, NULL), RIG_OK);
    assert_string_equal(w.name, "resnet50-imagenet");
    assert_string_equal(w.network->row.name, "resnet50");
    assert_string_equal(w.dataset->row.name, "imagenet");
    assert_string_equal(w.loader->row.name, "pytorch-simd");
    assert_string_equal(w.stack->row.name, "pytorch");
    assert_int_equal(w.precision, RIG_PRECISION_AMP);
    assert_int_equal(w.batch_per_gpu, 256);
    assert_int_equal(w.epochs, 90);
    assert_int_equal(w.cache, RIG_CACHE_PAGE);
    assert_true(w.is_overlapped);
    assert_false(w.is_sequential);
    ASSERT_SAME("one worker per core", w.workers, NAN);
}

static void test_workload_find__by_network_and_dataset(void **state)
{
    const rig_catalog *catalog = *state;
    const struct {
        const char *name, *network, *dataset;
    } rows[] = {
        {"resnet101-cifar10", "resnet101", "cifar10"},
        {"resnet50@288-imagenet-ffcv-512", "resnet50@288", "imagenet-ffcv-512"},
        {"pycls:R-50-1x64d-imagenet-val", "pycls:R-50-1x64d", "imagenet-val"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_workload w;
        rig_error err;
        if (rig_workload_find(catalog, rows[i].name, &w, &err) != RIG_OK) {
            print_error("%s: %s\n", rows[i].name, err.message);
            fail();
        }
        assert_string_equal(w.network->row.name, rows[i].network);
        assert_string_equal(w.dataset->row.name, rows[i].dataset);
        assert_string_equal(w.loader->row.name, "pytorch-simd");
        assert_string_equal(w.stack->row.name, "pytorch");
        assert_int_equal(w.batch_per_gpu, 256);
        assert_int_equal(w.epochs, 90);
    }
}

static void test_workload_find__not_found(void **state)
{
    const rig_catalog *catalog = *state;
    const char *const names[] = {"resnet51-imagnet", "resnet50", "-", "", "-imagenet"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rig_workload w;
        rig_error err;
        const rig_status status = rig_workload_find(catalog, names[i], &w, &err);
        assert_true(status == RIG_E_NOTFOUND || status == RIG_E_INVALID);
        assert_int_equal(err.status, status);
    }
    rig_workload w;
    rig_error err;
    assert_int_equal(rig_workload_find(catalog, "resnet51-imagnet", &w, &err), RIG_E_NOTFOUND);
    assert_non_null(strstr(err.hint, "resnet50-imagenet"));
    char longest[2000];
    memset(longest, 'x', sizeof longest);
    longest[600] = '-';
    longest[sizeof longest - 1] = '\0';
    assert_int_not_equal(rig_workload_find(catalog, longest, &w, &err), RIG_OK);
}

/* A directory with one file; removed by forget. */
typedef struct directory {
    char name[32];
    char file[64];
} directory;

static directory directory_with(const char *file_name, const char *text)
{
    directory d = {.name = "/tmp/test_workload.XXXXXX"};
    assert_non_null(mkdtemp(d.name));
    (void)snprintf(d.file, sizeof d.file, "%s/%s", d.name, file_name);
    FILE *stream = fopen(d.file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    return d;
}

static void forget(const directory *d)
{
    (void)unlink(d->file);
    (void)rmdir(d->name);
}

static void test_workload_find__own_workloads(void **state)
{
    (void)state;
    const directory own =
        directory_with("workloads.csv",
                       "name,network,dataset,loader,stack,precision,batch_per_gpu,epochs\n"
                       "good,resnet50,imagenet,pytorch,pytorch,tf32,64,3\n");
    const char *const directories[] = {RIG_SOURCE_DIR "/model/data", own.name};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    rig_catalog *catalog;
    assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
    rig_workload w;
    rig_error err;
    assert_int_equal(rig_workload_find(catalog, "good", &w, &err), RIG_OK);
    assert_int_equal(w.precision, RIG_PRECISION_TF32);
    assert_int_equal(w.batch_per_gpu, 64);
    rig_catalog_free(catalog);
    forget(&own);
}

/* A precision that the model does not know never gets as far as a workload. */
static void test_workload_find__unknown_precision(void **state)
{
    (void)state;
    const directory own =
        directory_with("workloads.csv",
                       "name,network,dataset,loader,stack,precision,batch_per_gpu,epochs\n"
                       "bad,resnet50,imagenet,pytorch,pytorch,fp8,64,3\n");
    const char *const directories[] = {RIG_SOURCE_DIR "/model/data", own.name};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    rig_catalog *catalog;
    rig_error err;
    assert_int_equal(rig_catalog_load(&catalog, &options, &err), RIG_E_RANGE);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 39);
    assert_string_equal(err.message,
                        "unknown word: 'fp8' in column 'precision' (expected amp|tf32|fp32)");
    assert_null(catalog);
    forget(&own);
}

/* Without the project's own tables the defaults of "NETWORK-DATASET" do not exist. */
static void test_workload_find__defaults_missing(void **state)
{
    (void)state;
    const directory networks =
        directory_with("networks.csv",
                       "name,params_m,gmacs,input_px,activations_m,kind,source\n"
                       "net,1,1,224,1,cnn,test\n");
    const directory datasets = directory_with("datasets.csv",
                                              "name,images,mean_bytes,mean_px,layout,source\n"
                                              "data,1,1,1,files,test\n");
    const directory constants = directory_with("constants.csv",
                                               "name,value,unit,log_sd,source\n"
                                               "default_batch_per_gpu,8,,,test\n"
                                               "default_epochs,8,,,test\n");
    const char *const directories[] = {networks.name, datasets.name, constants.name};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    rig_workload w;
    rig_error err;
    static const char *const messages[] = {
        "unknown constant: 'default_batch_per_gpu' (expected a name of constants.csv)",
        "unknown loader: 'pytorch-simd' (expected a name of loaders.csv)",
    };
    for (size_t i = 0; i < 2; i++) {
        rig_catalog *catalog;
        options.n_directories = 2 + i;
        assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
        assert_int_equal(rig_workload_find(catalog, "net-data", &w, &err), RIG_E_NOTFOUND);
        assert_string_equal(err.message, messages[i]);
        rig_catalog_free(catalog);
    }
    forget(&networks);
    forget(&datasets);
    forget(&constants);
}

static void test_workloads_csv__all_can_be_found(void **state)
{
    const rig_catalog *catalog = *state;
    const size_t count = rig_catalog_count(catalog, RIG_TABLE_WORKLOAD);
    assert_true(count >= 12);
    for (size_t i = 0; i < count; i++) {
        rig_workload w;
        const rig_row *row = rig_catalog_row(catalog, RIG_TABLE_WORKLOAD, i);
        assert_int_equal(rig_workload_find(catalog, row->name, &w, NULL), RIG_OK);
    }
}

static void test_precision__parse_and_name(void **state)
{
    (void)state;
    rig_precision p;
    for (int i = 0; i <= RIG_PRECISION_FP32; i++) {
        assert_int_equal(rig_precision_parse(rig_precision_name((rig_precision)i), &p, NULL),
                         RIG_OK);
        assert_int_equal(p, i);
    }
    assert_int_equal(rig_precision_parse("AMP", &p, NULL), RIG_OK);
    rig_error err;
    assert_int_equal(rig_precision_parse("int8", &p, &err), RIG_E_INVALID);
    assert_string_equal(err.message, "unknown precision: 'int8' (expected amp, tf32 or fp32)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workload_find__by_name),
        cmocka_unit_test(test_workload_find__by_network_and_dataset),
        cmocka_unit_test(test_workload_find__not_found),
        cmocka_unit_test(test_workload_find__own_workloads),
        cmocka_unit_test(test_workload_find__unknown_precision),
        cmocka_unit_test(test_workload_find__defaults_missing),
        cmocka_unit_test(test_workloads_csv__all_can_be_found),
        cmocka_unit_test(test_precision__parse_and_name),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
