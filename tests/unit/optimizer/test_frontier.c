/* SPDX-License-Identifier: GPL-3.0-or-later
 * Frontier on the tiny catalogue: complete, non-dominated, and the same as single recommendations.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_near.h"
#include "trainrig/optimizer.h"

typedef struct fixture {
    rig_catalog *catalog;
    rig_constants *constants;
    rig_request request;
} fixture;

static fixture fix;

static int group_setup(void **state)
{
    (void)state;
    static const char *const directories[] = {
        RIG_SOURCE_DIR "/tests/data/tiny_catalog/catalog",
        RIG_SOURCE_DIR "/tests/data/tiny_catalog/model",
    };
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    fix.request = rig_request_default();
    return rig_catalog_load(&fix.catalog, &options, NULL) == RIG_OK &&
                   rig_constants_new(&fix.constants, fix.catalog, NULL) == RIG_OK &&
                   rig_workload_find(
                       fix.catalog, "resnet50-imagenet", &fix.request.workload, NULL) == RIG_OK
               ? 0
               : -1;
}

static int group_teardown(void **state)
{
    (void)state;
    rig_constants_free(fix.constants);
    rig_catalog_free(fix.catalog);
    return 0;
}

static rig_result *frontier(const rig_request *request, int64_t from_cents, int64_t to_cents)
{
    rig_result *result = NULL;
    assert_int_equal(
        rig_frontier(&result, fix.catalog, fix.constants, request, from_cents, to_cents, NULL),
        RIG_OK);
    return result;
}

static rig_result *best_within(const rig_request *asked, int64_t budget_cents)
{
    rig_result *result = NULL;
    rig_request request = *asked;
    request.budget_cents = budget_cents;
    request.top = 1;
    assert_int_equal(rig_recommend(&result, fix.catalog, fix.constants, &request, NULL), RIG_OK);
    return result;
}

static void
assert_best(const rig_request *request, int64_t budget_cents, const rig_build_report *point)
{
    rig_result *best = best_within(request, budget_cents);
    assert_int_equal(best->outcome, RIG_OUTCOME_OPTIMAL);
    assert_int_equal(best->n_builds, 1);
    assert_int_equal(best->builds[0].price_cents, point->price_cents);
    ASSERT_SAME("rate", best->builds[0].prediction.images_per_s, point->prediction.images_per_s);
    rig_result_free(best);
}

/* At its price, and up to a cent below the next one, a point is what recommend finds; a cent below
 * its price recommend finds the point before, so none is missing. */
static void assert_complete(const rig_request *request, const rig_result *result, int64_t to_cents)
{
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *point = &result->builds[i];
        const bool is_last = i + 1 == result->n_builds;
        assert_int_equal(point->rank, (int)i + 1);
        if (i > 0) {
            assert_true(point->price_cents > result->builds[i - 1].price_cents);
            assert_true(point->prediction.images_per_s >
                        result->builds[i - 1].prediction.images_per_s);
            assert_non_null(point->comment);
        }
        assert_best(request, point->price_cents, point);
        assert_best(request, is_last ? to_cents : result->builds[i + 1].price_cents - 1, point);
    }
}

static void test_frontier__is_recommend_at_every_budget(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        rig_condition_kind kind;
        double epoch_time_max_s;
    } cases[] = {
        {"plain", NULL, RIG_CONDITION_REQUIRE, (double)INFINITY},
        {"large cards", "gpu.mem_gb >= 24", RIG_CONDITION_REQUIRE, (double)INFINITY},
        {"power", "power_w <= 900", RIG_CONDITION_LIMIT, (double)INFINITY},
        {"time", NULL, RIG_CONDITION_REQUIRE, 1000},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rig_condition condition;
        rig_request request = fix.request;
        request.epoch_time_max_s = cases[i].epoch_time_max_s;
        if (cases[i].text != NULL) {
            assert_int_equal(
                rig_condition_parse(fix.catalog, cases[i].kind, cases[i].text, &condition, NULL),
                RIG_OK);
            request.conditions = &condition;
            request.n_conditions = 1;
        }
        rig_result *result = frontier(&request, 1, 2000000);
        if (result->outcome != RIG_OUTCOME_OPTIMAL || result->n_builds < 2) {
            fail_msg("%s: %zu builds", cases[i].name, result->n_builds);
        }
        assert_null(result->builds[0].comment);
        assert_complete(&request, result, 2000000);
        rig_result *none = best_within(&request, result->builds[0].price_cents - 1);
        assert_int_equal(none->outcome, RIG_OUTCOME_INFEASIBLE);
        rig_result_free(none);
        rig_result_free(result);
    }
}

static void test_frontier__range_cuts(void **state)
{
    (void)state;
    rig_result *all = frontier(&fix.request, 1, 2000000);
    assert_true(all->n_builds >= 3);
    const int64_t from_cents = all->builds[1].price_cents, to_cents = all->builds[2].price_cents;
    rig_result *part = frontier(&fix.request, from_cents, to_cents);
    assert_int_equal(part->n_builds, 2);
    assert_int_equal(part->builds[0].price_cents, from_cents);
    assert_int_equal(part->builds[1].price_cents, to_cents);
    rig_result_free(part);
    part = frontier(&fix.request, from_cents + 1, to_cents - 1);
    assert_int_equal(part->n_builds, 0);
    assert_int_equal(part->outcome, RIG_OUTCOME_INFEASIBLE);
    rig_result_free(part);
    rig_result_free(all);
}

static void test_frontier__no_time_finds_nothing(void **state)
{
    (void)state;
    rig_request request = fix.request;
    request.time_limit_s = 0;
    rig_result *result = frontier(&request, 1, 2000000);
    assert_int_equal(result->outcome, RIG_OUTCOME_LIMIT);
    assert_int_equal(result->n_builds, 0);
    ASSERT_SAME("limit", result->request.time_limit_s, 0);
    rig_result_free(result);
}

static void test_frontier__upside_down(void **state)
{
    (void)state;
    rig_result *result = NULL;
    rig_error err = {0};
    assert_int_equal(
        rig_frontier(&result, fix.catalog, fix.constants, &fix.request, 200, 100, &err),
        RIG_E_INVALID);
    assert_null(result);
    assert_string_equal(err.message,
                        "the lower budget is above the upper one (expected from <= to)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frontier__is_recommend_at_every_budget),
        cmocka_unit_test(test_frontier__range_cuts),
        cmocka_unit_test(test_frontier__no_time_finds_nothing),
        cmocka_unit_test(test_frontier__upside_down),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
