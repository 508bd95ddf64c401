/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of requirements: each need solved back through the model's own functions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "support/assert_near.h"
#include "support/fail_alloc.h"

#define TARGET 1000.0

static rig_request request_of(const fixture *fix)
{
    rig_request request = rig_request_default();
    request.workload = fix->workload;
    request.workload.batch_per_gpu = 64;
    return request;
}

static rig_requirements *required(const fixture *fix, const rig_build *build, double images_per_s)
{
    const rig_request request = request_of(fix);
    rig_requirements *out = NULL;
    rig_error err = {0};
    if (rig_require(&out, fix->catalog, &fix->constants, &request, build, images_per_s, &err) !=
        RIG_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

static const rig_requirement *item(const rig_requirements *all, const char *what)
{
    for (size_t i = 0; i < all->n_items; i++) {
        if (strstr(all->items[i].what, what) != NULL) {
            return &all->items[i];
        }
    }
    fail_msg("no requirement '%s'", what);
    return NULL;
}

static void test_require__inverts_the_model(void **state)
{
    const fixture *const fix = *state;
    const rig_constants *const k = &fix->constants;
    const rig_build build = fixture_desktop(fix);
    rig_workload workload = fix->workload;
    workload.batch_per_gpu = 64;
    rig_requirements *const all = required(fix, &build, TARGET);
    ASSERT_SAME("target", all->target_images_per_s, TARGET);
    ASSERT_SAME("epoch", all->epoch_s, 1000);

    const double cores = item(all, "CPU cores")->need;
    ASSERT_NEAR("cores", rig_decode_rate(k, &workload, cores, 1, 2), TARGET, 1e-6, 0);
    assert_true(rig_decode_rate(k, &workload, cores * 0.999, 1, 2) < TARGET);

    const double memory_gbs = item(all, "memory bandwidth")->need;
    ASSERT_NEAR("memory", rig_memory_rate(k, &workload, 1, memory_gbs * 125), TARGET, 1e-6, 0);

    const rig_requirement *const read = item(all, "storage read");
    ASSERT_NEAR(
        "first epoch", rig_storage_rate(&workload, read->need_first_epoch, 0), TARGET, 1e-6, 0);
    ASSERT_NEAR("first epoch by hand", read->need_first_epoch, 0.1, 1e-6, 0);
    /* 128 GB of memory hold the 100 GB data set */
    ASSERT_SAME("later epochs", read->need, 0);

    const double whole_gb = item(all, "whole data set")->need;
    const double cached = rig_cache_bytes(k, &workload, whole_gb * RIG_MEMORY_GB_BYTES, 2, 8);
    ASSERT_NEAR("cache", cached, 1e11, 1e-6, 0);
    const double least_gb = item(all, "system and workers")->need;
    ASSERT_NEAR("least memory",
                rig_cache_bytes(k, &workload, least_gb * RIG_MEMORY_GB_BYTES, 2, 8),
                0,
                0,
                10);

    const double pcie_gbs = item(all, "PCIe bandwidth of each GPU")->need;
    ASSERT_NEAR("transfer", rig_transfer_rate(k, &workload, 2, pcie_gbs), TARGET, 1e-6, 0);

    const double mem_gb = item(all, "GPU memory")->need;
    assert_true(rig_batch_max(k, &workload, mem_gb * RIG_MEMORY_GB_BYTES, 2) >= 64);
    assert_true(rig_batch_max(k, &workload, mem_gb * 0.999 * RIG_MEMORY_GB_BYTES, 2) < 64);
    rig_requirements_free(all);
}

static void test_require__keeps_the_gpus_busy(void **state)
{
    const fixture *const fix = *state;
    const rig_build build = fixture_desktop(fix);
    rig_requirements *const all = required(fix, &build, NAN);
    rig_machine machine;
    rig_workload workload = fix->workload;
    workload.batch_per_gpu = 64;
    assert_int_equal(
        rig_build_machine(
            &build, fix->catalog, &fix->constants, &workload, &machine, NULL, NULL, NULL),
        RIG_OK);
    ASSERT_SAME("target",
                all->target_images_per_s,
                rig_allreduce_rate(&fix->constants, &workload, &machine));
    ASSERT_SAME("its own count", item(all, "GPUs")->need, 2);
    const rig_requirement *const link = item(all, "gradient exchange");
    assert_int_equal(link->stage, RIG_STAGE_ALLREDUCE);
    assert_true(link->need <= machine.gpu_pcie_gbs * (1 + 1e-6));
    rig_requirements_free(all);
}

static void test_require__names_the_cheapest_parts(void **state)
{
    const fixture *const fix = *state;
    const rig_constants *const k = &fix->constants;
    rig_build build = rig_build_empty();
    rig_workload workload = fix->workload;
    workload.batch_per_gpu = 64;
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two x2");
    rig_requirements *const all = required(fix, &build, 500);

    /* no cheaper processor, alone or in pairs, meets the need */
    const rig_requirement *const cores = item(all, "CPU cores");
    assert_non_null(cores->cheapest.row);
    assert_true(cores->price_cents == cores->cheapest.row->price.cents * cores->cheapest.count);
    for (size_t i = 0; i < rig_catalog_count(fix->catalog, RIG_TABLE_CPU); i++) {
        const rig_cpu *const cpu = (const rig_cpu *)rig_catalog_row(fix->catalog, RIG_TABLE_CPU, i);
        double speed = 0;
        double single = 0;
        if (cpu->row.price.cents < 0 || !rig_core_speed(k, cpu, &speed, &single)) {
            continue;
        }
        for (int count = 1; count <= 2 && count <= cpu->max_sockets; count++) {
            if (cpu->row.price.cents * count < cores->price_cents) {
                assert_true(rig_decode_rate(k, &workload, cpu->cores * count, speed, 2) < 500);
            }
        }
    }

    /* 80 dollars for 32 GB of DDR4 are the cheapest kit */
    const rig_requirement *const least = item(all, "system and workers");
    assert_string_equal(least->cheapest.row->name, "UDIMM 2x16 D4");
    /* 150 GB at 0.05 GB/s from the cheapest drive that has them */
    const rig_requirement *const read = item(all, "storage read");
    ASSERT_NEAR("read", read->need, 0.05, 1e-6, 0);
    assert_string_equal(read->cheapest.row->name, "Stick Unrated");
    const rig_requirement *const room = item(all, "storage capacity");
    assert_string_equal(room->cheapest.row->name, "Stick Unrated");
    assert_int_equal(room->cheapest.count, 1);
    assert_non_null(strstr(item(all, "PCIe bandwidth of each GPU")->comment, "of PCIe 3.0"));
    rig_requirements_free(all);
}

static void test_require__keeps_to_given_parts(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two");
    fixture_add(fix, &build, RIG_TABLE_BOARD, "Dual Rome");
    rig_requirements *all = required(fix, &build, 200);
    const rig_requirement *cores = item(all, "CPU cores");
    assert_string_equal(((const rig_cpu *)cores->cheapest.row)->socket, "SP3");
    assert_string_equal(item(all, "system and workers")->cheapest.row->name, "RDIMM 32 D4");
    rig_requirements_free(all);

    /* conditions of the request hold too */
    rig_request request = request_of(fix);
    rig_condition condition;
    rig_error err = {0};
    assert_int_equal(rig_condition_parse(
                         fix->catalog, RIG_CONDITION_FORBID, "cpu = Epyc Single", &condition, &err),
                     RIG_OK);
    request.conditions = &condition;
    request.n_conditions = 1;
    assert_int_equal(rig_require(&all, fix->catalog, &fix->constants, &request, &build, 200, &err),
                     RIG_OK);
    cores = item(all, "CPU cores");
    assert_string_equal(cores->cheapest.row->name, "Epyc Sixteen");
    rig_requirements_free(all);
}

static void test_require__finds_gpus_for_a_target(void **state)
{
    const fixture *const fix = *state;
    const rig_build build = rig_build_empty();
    rig_requirements *const all = required(fix, &build, TARGET);
    const rig_requirement *const gpus = item(all, "GPUs");
    assert_non_null(gpus->cheapest.row);
    ASSERT_SAME("count", gpus->need, gpus->cheapest.count);
    assert_string_not_equal(gpus->cheapest.row->name, "Stranger"); /* not measured */
    assert_true(all->warnings.count >= 1);
    assert_non_null(strstr(all->warnings.items[0], "no GPU is named"));
    rig_requirements_free(all);
}

static void test_require__says_what_cannot_be_met(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card One");
    build.unnamed.workers = 1;
    rig_requirements *const all = required(fix, &build, 1e6);
    const rig_requirement *const cores = item(all, "CPU cores");
    assert_true(isinf(cores->need));
    assert_null(cores->cheapest.row);
    assert_true(cores->price_cents == -1);
    assert_string_equal(cores->comment, "the number of loader workers limits it");
    assert_true(isinf(item(all, "GPUs")->need));
    rig_requirements_free(all);
}

static void test_require__judges_a_given_processor(void **state)
{
    const fixture *const fix = *state;
    static const struct {
        double cores, images_per_s;
        const char *verdict;
    } rows[] = {
        {64, 10, "; the given processor suffices: it prepares "},
        {1, 1e5, "; the given processor does not suffice: it prepares "},
        {NAN, 10, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_build build = rig_build_empty();
        fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two");
        build.unnamed.cores = rows[i].cores;
        rig_requirements *const all = required(fix, &build, rows[i].images_per_s);
        const char *const comment = item(all, "CPU cores")->comment;
        assert_non_null(strstr(comment, "about one of a modern Xeon"));
        if (rows[i].verdict == NULL) {
            assert_null(strstr(comment, "given processor"));
        } else {
            assert_non_null(strstr(comment, rows[i].verdict));
        }
        for (size_t k = 0; k < all->warnings.count; k++) {
            assert_null(strstr(all->warnings.items[k], "not predicted"));
        }
        rig_requirements_free(all);
    }
}

static void test_require__gpu_memory_of_measured_gpus(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    rig_request request = request_of(fix);
    rig_requirements *all = NULL;
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card One");
    rig_condition conditions[1];
    assert_int_equal(
        rig_condition_parse(
            fix->catalog, RIG_CONDITION_REQUIRE, "gpu.name = Stranger", &conditions[0], NULL),
        RIG_OK);
    request.conditions = conditions;
    request.n_conditions = 1;
    for (int allow = 0; allow <= 1; allow++) {
        request.allow_unmeasured = allow == 1;
        assert_int_equal(
            rig_require(&all, fix->catalog, &fix->constants, &request, &build, NAN, NULL), RIG_OK);
        assert_true((item(all, "GPU memory")->cheapest.row != NULL) == request.allow_unmeasured);
        rig_requirements_free(all);
    }
}

static void test_require__server(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    fixture_add(fix, &build, RIG_TABLE_SERVER, "Complete");
    rig_requirements *const all = required(fix, &build, NAN);
    ASSERT_SAME("GPUs", item(all, "GPUs")->need, 8);
    assert_non_null(strstr(item(all, "link of each GPU")->unit, "GB/s"));
    ASSERT_SAME("all cached", item(all, "storage read")->need, 0);
    rig_requirements_free(all);
}

static void test_require__refuses(void **state)
{
    const fixture *const fix = *state;
    static const double bad[] = {0, -1, INFINITY, -INFINITY};
    rig_build build = fixture_desktop(fix);
    rig_request request = request_of(fix);
    rig_requirements *out = NULL;
    rig_error err = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(
            rig_require(&out, fix->catalog, &fix->constants, &request, &build, bad[i], &err),
            RIG_E_RANGE);
        assert_non_null(strstr(err.message, "target rate is out of range"));
        assert_null(out);
    }
    build = rig_build_empty();
    assert_int_equal(rig_require(&out, fix->catalog, &fix->constants, &request, &build, NAN, &err),
                     RIG_E_INVALID);
    assert_non_null(strstr(err.message, "neither a target rate nor a GPU"));
    assert_int_equal(rig_require(&out, fix->catalog, &fix->constants, &request, &build, 1e12, &err),
                     RIG_E_INVALID);
    assert_non_null(strstr(err.message, "no GPU of the catalogue reaches the target"));
    build = fixture_desktop(fix);
    request.workload.batch_per_gpu = 0;
    assert_int_equal(rig_require(&out, fix->catalog, &fix->constants, &request, &build, 100, &err),
                     RIG_E_RANGE);
    assert_non_null(strstr(err.message, "batch per GPU"));
    request = rig_request_default();
    assert_int_equal(rig_require(&out, fix->catalog, &fix->constants, &request, &build, 1, &err),
                     RIG_E_INVALID);
    rig_requirements_free(NULL);
}

/* Every allocation fails once: no crash, no leak, and the status says why. */
static void test_require__survives_lack_of_memory(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    const rig_build build = fixture_desktop(fix);
    bool has_failed = true;
    for (long n = 1; has_failed && n < 1000; n++) {
        rig_requirements *out = NULL;
        rig_error err = {0};
        fail_alloc_at(n);
        const rig_status status =
            rig_require(&out, fix->catalog, &fix->constants, &request, &build, NAN, &err);
        has_failed = fail_alloc_stop();
        assert_int_equal(status, has_failed ? RIG_E_NOMEM : RIG_OK);
        assert_true((out == NULL) == has_failed);
        assert_true(has_failed || n > 1);
        rig_requirements_free(out);
    }
    assert_false(has_failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_require__inverts_the_model),
        cmocka_unit_test(test_require__keeps_the_gpus_busy),
        cmocka_unit_test(test_require__names_the_cheapest_parts),
        cmocka_unit_test(test_require__keeps_to_given_parts),
        cmocka_unit_test(test_require__finds_gpus_for_a_target),
        cmocka_unit_test(test_require__says_what_cannot_be_met),
        cmocka_unit_test(test_require__judges_a_given_processor),
        cmocka_unit_test(test_require__gpu_memory_of_measured_gpus),
        cmocka_unit_test(test_require__server),
        cmocka_unit_test(test_require__refuses),
        cmocka_unit_test(test_require__survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
