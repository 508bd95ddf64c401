/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of predictions for given builds: figures, costs and every warning once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "optimizer/build_report.h"
#include "support/assert_near.h"
#include "support/fail_alloc.h"

static rig_request request_of(const fixture *fix)
{
    rig_request request = rig_request_default();
    request.workload = fix->workload;
    return request;
}

static rig_result *
predicted(const fixture *fix, const rig_request *request, const rig_build *builds, size_t n_builds)
{
    rig_result *result = NULL;
    rig_error err = {0};
    if (rig_predict(&result, fix->catalog, &fix->constants, request, builds, n_builds, &err) !=
        RIG_OK) {
        fail_msg("%s", err.message);
    }
    return result;
}

static bool holds(const rig_texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (strstr(texts->items[i], text) != NULL) {
            return true;
        }
    }
    return false;
}

static void expect_text(const char *label, const rig_texts *texts, const char *text)
{
    if (holds(texts, text)) {
        return;
    }
    for (size_t i = 0; i < texts->count; i++) {
        print_error("%s\n", texts->items[i]);
    }
    fail_msg("%s: no warning holds '%s'", label, text);
}

static void test_predict__fills_the_report(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    const rig_build builds[] = {fixture_desktop(fix), fixture_barebone(fix)};
    rig_result *const result = predicted(fix, &request, builds, 2);
    assert_int_equal(result->n_builds, 2);
    assert_true(result->catalog_hash == rig_catalog_summary_get(fix->catalog)->hash);
    assert_true(result->assumptions.count >= 3);
    expect_text("economics", &result->assumptions, "USD/kWh");

    const rig_build_report *const report = &result->builds[0];
    rig_machine machine;
    rig_prediction expected;
    rig_error err = {0};
    assert_int_equal(
        rig_build_machine(
            &builds[0], fix->catalog, &fix->constants, &fix->workload, &machine, NULL, NULL, &err),
        RIG_OK);
    assert_int_equal(
        rig_predict_machine(&machine, &fix->workload, &fix->constants, &expected, &err), RIG_OK);
    assert_true(expected.images_per_s > 0);
    ASSERT_SAME("rate", report->prediction.images_per_s, expected.images_per_s);
    assert_true(report->price_cents == 970000);
    ASSERT_SAME("peak", report->totals.peak_w, 778);
    ASSERT_SAME("cost",
                report->cost_per_epoch_usd,
                rig_cost_per_epoch_usd(&expected, 970000, &request.economics));
    assert_int_equal(report->rank, 0);
    assert_string_equal(report->build.parts[RIG_TABLE_GPU].row->name, "Card Two");
    assert_int_equal(report->warnings.count, 1);
    expect_text("layout", &report->warnings, "slot layout of board 'Desk Board' is not known");
    rig_result_free(result);
}

static void test_predict__workers_of_the_build_win(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    rig_build builds[] = {fixture_desktop(fix), fixture_desktop(fix)};
    builds[1].unnamed.workers = 1;
    rig_result *const result = predicted(fix, &request, builds, 2);
    const double many = result->builds[0].prediction.stages[RIG_STAGE_DECODE].images_per_s;
    const double one = result->builds[1].prediction.stages[RIG_STAGE_DECODE].images_per_s;
    assert_true(one < many / 2);
    rig_result_free(result);
}

static const struct {
    const char *name;
    rig_table table; /* of the part that replaces one of the desktop */
    const char *part;
    int32_t today_ymd;
    int batch;
    double circuit_w;
    const char *warning;
} warning_rows[] = {
    {"no price", RIG_TABLE_CPU, "Priceless", 0, 64, NAN, "'Priceless' has no price"},
    {"stale",
     RIG_TABLE_CPU,
     "Epyc Sixteen",
     20260201,
     64,
     NAN,
     "1 stale price(s), the oldest of 'Epyc Sixteen': 2020-03, 2163 days old"},
    {"far apart",
     RIG_TABLE_CPU,
     "Epyc Sixteen",
     0,
     64,
     NAN,
     "prices of this build are 2132 days apart: 2020-03 to 2026-01-01"},
    {"low trust", RIG_TABLE_CPU, "Epyc Sixteen", 0, 64, NAN, "8 % of the price rests on"},
    {"assumed",
     RIG_TABLE_GPU,
     "Guess x2",
     0,
     64,
     NAN,
     "efficiency of 'Guess' is an estimate from other GPUs"},
    {"bounded M.2",
     RIG_TABLE_BOARD,
     "Desk Chipset",
     0,
     64,
     NAN,
     "M.2 slots of 'Desk Chipset' are not known, bounded at 1"},
    {"bounded bays",
     RIG_TABLE_BOARD,
     "Bare Blank",
     0,
     64,
     NAN,
     "M.2 slots of 'Bare Blank' are not known, bounded at 4"},
    {"unmeasured", RIG_TABLE_GPU, "Stranger x2", 0, 64, NAN, "no measurement of 'Stranger'"},
    {"batch", RIG_TABLE_GPU, "Card One", 0, 100000, NAN, "batch per GPU reduced from 100000"},
    {"room", RIG_TABLE_STORAGE, "Tiny", 0, 64, NAN, "need 150 GB of storage, the build has 60 GB"},
    {"bounded drive", RIG_TABLE_STORAGE, "Stick Unrated", 0, 64, NAN, "bounded at 3.5 GB/s"},
    {"length", RIG_TABLE_CHASSIS, "Blind", 0, 64, NAN, "fits chassis 'Blind' is not checked"},
    {"plugs", RIG_TABLE_PSU, "Power 1600 Blank", 0, 64, NAN, "'Power 1600 Blank' has enough"},
    {"layout", RIG_TABLE_BOARD, "Desk Chipset", 0, 64, NAN, "slot layout of board"},
    {"families", RIG_TABLE_BOARD, "Desk Chipset", 0, 64, NAN, "only the socket is checked"},
    {"most memory", RIG_TABLE_BOARD, "Desk Chipset", 0, 64, NAN, "bounded by its slots"},
    {"circuit", RIG_TABLE_GPU, "Card Two x2", 0, 64, 700, "778 W, the mains circuit gives 700 W"},
    {"unknown", RIG_TABLE_MEMORY, NULL, 0, 64, NAN, "the rate is an upper bound"},
};

static void test_predict__warns(void **state)
{
    const fixture *const fix = *state;
    for (size_t i = 0; i < sizeof warning_rows / sizeof warning_rows[0]; i++) {
        rig_request request = request_of(fix);
        rig_build build = fixture_desktop(fix);
        request.today_ymd = warning_rows[i].today_ymd;
        request.circuit_w = warning_rows[i].circuit_w;
        request.workload.batch_per_gpu = warning_rows[i].batch;
        fixture_add(fix, &build, warning_rows[i].table, warning_rows[i].part);
        rig_result *const result = predicted(fix, &request, &build, 1);
        expect_text(warning_rows[i].name, &result->builds[0].warnings, warning_rows[i].warning);
        rig_result_free(result);
    }
}

static void test_predict__says_nothing_about_a_sound_build(void **state)
{
    const fixture *const fix = *state;
    rig_request request = request_of(fix);
    rig_build build = fixture_barebone(fix);
    fixture_add(fix, &build, RIG_TABLE_CPU, "Epyc Single");
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two x4");
    request.workload.batch_per_gpu = 64;
    request.today_ymd = 20260301;
    request.circuit_w = 2000;
    rig_result *const result = predicted(fix, &request, &build, 1);
    for (size_t i = 0; i < result->builds[0].warnings.count; i++) {
        fail_msg("%s", result->builds[0].warnings.items[i]);
    }
    rig_result_free(result);
}

static void test_predict__memory_too_short(void **state)
{
    const fixture *const fix = *state;
    rig_request request = request_of(fix);
    rig_build build = fixture_desktop(fix);
    request.workload.batch_per_gpu = 64;
    fixture_add(fix, &build, RIG_TABLE_MEMORY, NULL);
    build.unnamed.ram_gb = 8;
    rig_result *const result = predicted(fix, &request, &build, 1);
    assert_true(result->builds[0].prediction.is_out_of_memory);
    expect_text("host", &result->builds[0].warnings, "8 GB of memory do not hold the system");
    rig_result_free(result);
}

static void test_predict__owned_parts_do_not_age(void **state)
{
    const fixture *const fix = *state;
    rig_request request = request_of(fix);
    rig_build build = fixture_desktop(fix);
    request.today_ymd = 20260201;
    fixture_add(fix, &build, RIG_TABLE_CPU, "Epyc Sixteen");
    build.parts[RIG_TABLE_CPU].is_owned = true;
    rig_result *const result = predicted(fix, &request, &build, 1);
    assert_false(holds(&result->builds[0].warnings, "stale"));
    assert_false(holds(&result->builds[0].warnings, "apart"));
    rig_result_free(result);
}

static void test_predict__unknown_price_has_no_cost(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    rig_build build = fixture_desktop(fix);
    fixture_add(fix, &build, RIG_TABLE_CPU, "Priceless");
    rig_result *const result = predicted(fix, &request, &build, 1);
    assert_true(result->builds[0].price_cents == -1);
    assert_true(isnan(result->builds[0].cost_per_epoch_usd));
    rig_result_free(result);
}

static void test_predict__refuses(void **state)
{
    static const struct {
        const char *name;
        double electricity, pue, lifetime_s, utilisation;
        const char *message;
    } rows[] = {
        {"electricity", -1, 1, 1, 1, "electricity price is out of range: '-1' (0 or more)"},
        {"no electricity", NAN, 1, 1, 1, "electricity price"},
        {"pue", 0.1, 0.5, 1, 1, "PUE is out of range: '0.5' (1 or more)"},
        {"lifetime", 0.1, 1, 0, 1, "lifetime is out of range: '0'"},
        {"utilisation", 0.1, 1, 1, 1.5, "utilisation is out of range: '1.5'"},
        {"no utilisation", 0.1, 1, 1, 0, "utilisation is out of range: '0'"},
    };
    const fixture *const fix = *state;
    rig_build build = fixture_desktop(fix);
    rig_result *result = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_request request = request_of(fix);
        rig_error err = {0};
        request.economics.electricity_usd_kwh = rows[i].electricity;
        request.economics.pue = rows[i].pue;
        request.economics.lifetime_s = rows[i].lifetime_s;
        request.economics.utilisation_frac = rows[i].utilisation;
        assert_int_equal(
            rig_predict(&result, fix->catalog, &fix->constants, &request, &build, 1, &err),
            RIG_E_INVALID);
        assert_null(result);
        if (strstr(err.message, rows[i].message) == NULL) {
            fail_msg("%s: %s", rows[i].name, err.message);
        }
    }
    rig_request request = rig_request_default();
    rig_error err = {0};
    assert_int_equal(rig_predict(&result, fix->catalog, &fix->constants, &request, &build, 1, &err),
                     RIG_E_INVALID);
    assert_non_null(strstr(err.message, "the workload is incomplete"));
    request = request_of(fix);
    build = rig_build_empty();
    assert_int_equal(rig_predict(&result, fix->catalog, &fix->constants, &request, &build, 1, &err),
                     RIG_E_INVALID);
    assert_non_null(strstr(err.message, "names no GPU"));
    assert_null(result);
    request.workload.batch_per_gpu = 0;
    build = fixture_desktop(fix);
    assert_int_equal(rig_predict(&result, fix->catalog, &fix->constants, &request, &build, 1, &err),
                     RIG_E_RANGE);
    rig_result_free(NULL);
}

static void test_predict__no_builds(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    rig_result *const result = predicted(fix, &request, NULL, 0);
    assert_int_equal(result->n_builds, 0);
    rig_result_free(result);
}

static void test_build_fits_workload__counts_drives(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    /* 1e6 images of 1e5 bytes are 100 GB */
    const double needed_gb =
        100 * fix->constants.dataset_capacity_margin + fix->constants.system_storage_gb;
    ASSERT_SAME(
        "needed", rig__optimizer_storage_needed_gb(&fix->workload, &fix->constants), needed_gb);
    assert_true(rig__optimizer_build_fits_workload(&build, &fix->workload, &fix->constants));
    fixture_add(fix, &build, RIG_TABLE_STORAGE, "Tiny x2");
    assert_false(rig__optimizer_build_fits_workload(&build, &fix->workload, &fix->constants));
    fixture_add(fix, &build, RIG_TABLE_STORAGE, "Tiny x3");
    assert_true(rig__optimizer_build_fits_workload(&build, &fix->workload, &fix->constants));
    fixture_add(fix, &build, RIG_TABLE_SERVER, "Complete");
    assert_true(rig__optimizer_build_fits_workload(&build, &fix->workload, &fix->constants));
}

/* Every allocation fails once: no crash, no leak, and the status says why. */
static void test_predict__survives_lack_of_memory(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    const rig_build build = fixture_desktop(fix);
    bool has_failed = true;
    for (long n = 1; has_failed && n < 1000; n++) {
        rig_result *result = NULL;
        rig_error err = {0};
        fail_alloc_at(n);
        const rig_status status =
            rig_predict(&result, fix->catalog, &fix->constants, &request, &build, 1, &err);
        has_failed = fail_alloc_stop();
        assert_int_equal(status, has_failed ? RIG_E_NOMEM : RIG_OK);
        assert_true((result == NULL) == has_failed);
        assert_true(has_failed || n > 1);
        rig_result_free(result);
    }
    assert_false(has_failed);
}

/* What is not named limits nothing at best; at worst it is poor. */
static void test_predict__range_of_what_is_not_named(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    rig_build builds[] = {rig_build_empty(), rig_build_empty(), fixture_desktop(fix)};
    fixture_add(fix, &builds[0], RIG_TABLE_GPU, "Card Two x2");
    fixture_add(fix, &builds[1], RIG_TABLE_GPU, "Card Two x2");
    builds[1].unnamed.cores = 64;
    rig_result *const result = predicted(fix, &request, builds, 3);
    const rig_build_report *const bare = &result->builds[0], *const cores = &result->builds[1];
    assert_int_equal(bare->worst_parts.count, 3);
    expect_text("processor", &bare->worst_parts, "processor: ");
    expect_text("memory", &bare->worst_parts, "memory: ");
    expect_text("storage", &bare->worst_parts, "SATA");
    assert_int_equal(cores->worst_parts.count, 2);
    assert_true(bare->at_worst.images_per_s > 0);
    assert_true(bare->at_worst.images_per_s <= bare->prediction.images_per_s);
    assert_true(cores->at_worst.images_per_s >= bare->at_worst.images_per_s);
    const rig_build_report *const whole = &result->builds[2];
    assert_int_equal(whole->worst_parts.count, 0);
    ASSERT_SAME("all is named", whole->at_worst.images_per_s, (double)NAN);
    rig_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predict__range_of_what_is_not_named),
        cmocka_unit_test(test_predict__fills_the_report),
        cmocka_unit_test(test_predict__workers_of_the_build_win),
        cmocka_unit_test(test_predict__warns),
        cmocka_unit_test(test_predict__says_nothing_about_a_sound_build),
        cmocka_unit_test(test_predict__memory_too_short),
        cmocka_unit_test(test_predict__owned_parts_do_not_age),
        cmocka_unit_test(test_predict__unknown_price_has_no_cost),
        cmocka_unit_test(test_predict__refuses),
        cmocka_unit_test(test_predict__no_builds),
        cmocka_unit_test(test_predict__survives_lack_of_memory),
        cmocka_unit_test(test_build_fits_workload__counts_drives),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
