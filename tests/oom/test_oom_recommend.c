/* SPDX-License-Identifier: GPL-3.0-or-later
 * Recommending, predicting and reporting when memory runs out at any point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oom/sweep.h"
#include "trainrig/trainrig.h"

struct fixture {
    rig_catalog *catalog;
    rig_constants *constants;
    rig_request request;
    rig_result *result; /* of the request, for the writers */
    rig_format format;
};

static int setup(void **state)
{
    static struct fixture fixture;
    static const char *const directories[] = {RIG_SOURCE_DIR "/tests/data/tiny_catalog/catalog",
                                              RIG_SOURCE_DIR "/tests/data/tiny_catalog/model"};
    rig_catalog_options options = rig_catalog_options_default();
    rig_error err = {0};
    options.directories = directories;
    options.n_directories = 2;
    fixture.request = rig_request_default();
    fixture.request.budget_cents = 1000000;
    fixture.request.top = 2;
    if (rig_catalog_load(&fixture.catalog, &options, &err) != RIG_OK ||
        rig_constants_new(&fixture.constants, fixture.catalog, &err) != RIG_OK ||
        rig_workload_find(fixture.catalog, "resnet50-imagenet", &fixture.request.workload, &err) !=
            RIG_OK ||
        rig_recommend(
            &fixture.result, fixture.catalog, fixture.constants, &fixture.request, &err) !=
            RIG_OK) {
        print_error("%s: %s\n", err.where, err.message);
        return -1;
    }
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    rig_result_free(fixture->result);
    rig_constants_free(fixture->constants);
    rig_catalog_free(fixture->catalog);
    return 0;
}

static rig_status recommend(void *payload, rig_error *err)
{
    const struct fixture *fixture = payload;
    rig_result *result = NULL;
    const rig_status status =
        rig_recommend(&result, fixture->catalog, fixture->constants, &fixture->request, err);
    if (status != RIG_OK) {
        assert_null(result);
    }
    rig_result_free(result);
    return status;
}

static rig_status predict(void *payload, rig_error *err)
{
    const struct fixture *fixture = payload;
    const rig_build *build = &fixture->result->builds[0].build;
    rig_result *result = NULL;
    const rig_status status = rig_predict(
        &result, fixture->catalog, fixture->constants, &fixture->request, build, 1, err);
    if (status != RIG_OK) {
        assert_null(result);
    }
    rig_result_free(result);
    return status;
}

static bool drop_bytes(const char *bytes, size_t length, void *payload)
{
    (void)bytes;
    (void)length;
    (void)payload;
    return true;
}

static rig_status report(void *payload, rig_error *err)
{
    const struct fixture *fixture = payload;
    rig_report_options options = rig_report_options_default();
    options.format = fixture->format;
    return rig_report_result(fixture->result, false, &options, drop_bytes, NULL, err);
}

static void test_rig_recommend__out_of_memory(void **state)
{
    sweep_allocations(recommend, *state, 200);
}

static void test_rig_recommend__infeasible_out_of_memory(void **state)
{
    struct fixture fixture = *(struct fixture *)*state;
    fixture.request.budget_cents = 10000;
    sweep_allocations(recommend, &fixture, 200);
}

static void test_rig_recommend__cluster_out_of_memory(void **state)
{
    struct fixture fixture = *(struct fixture *)*state;
    fixture.request.nodes_most = 3;
    fixture.request.is_sharded = true;
    sweep_allocations(recommend, &fixture, 200);
}

static void test_rig_predict__out_of_memory(void **state)
{
    sweep_allocations(predict, *state, 200);
}

static void test_rig_report_result__out_of_memory(void **state)
{
    struct fixture *fixture = *state;
    static const rig_format formats[] = {
        RIG_FORMAT_CSV, RIG_FORMAT_JSON, RIG_FORMAT_MARKDOWN, RIG_FORMAT_TABLE};
    assert_true(fixture->result->n_builds > 0);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        fixture->format = formats[i];
        sweep_allocations(report, fixture, 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rig_recommend__out_of_memory),
        cmocka_unit_test(test_rig_recommend__infeasible_out_of_memory),
        cmocka_unit_test(test_rig_recommend__cluster_out_of_memory),
        cmocka_unit_test(test_rig_predict__out_of_memory),
        cmocka_unit_test(test_rig_report_result__out_of_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
