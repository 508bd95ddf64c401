/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of comparisons: costs, order and break-even against hand calculation. */
#include "trainrig/compare.h"

#include <string.h>

#include "fixture.h"
#include "support/assert_near.h"
#include "support/fail_alloc.h"

/* An instance with the cards of the desktop. */
static rig_cloud instance(double usd_per_hour, double spot_usd_per_hour)
{
    rig_cloud cloud;
    memset(&cloud, 0, sizeof cloud);
    cloud.row.name = "rented desk";
    cloud.row.table = RIG_TABLE_CLOUD;
    cloud.gpu = "card";
    cloud.gpu_name = "Card Two";
    cloud.gpus = 2;
    cloud.vcpus = 16;
    cloud.mem_gib = 64;
    cloud.usd_per_hour = usd_per_hour;
    cloud.spot_usd_per_hour = spot_usd_per_hour;
    return cloud;
}

static rig_request request_of(const fixture *fix)
{
    rig_request request = rig_request_default();
    request.workload = fix->workload;
    request.economics.interest_frac = 0.05;
    request.economics.resale_frac = 0.2;
    request.economics.maintenance_frac = 0.04;
    request.economics.hosting_usd_month = 50;
    request.economics.grid_kg_kwh = 0.4;
    return request;
}

static rig_cost_comparison *
compared(const fixture *fix, const rig_request *request, const rig_contender *contenders, size_t n)
{
    rig_cost_comparison *comparison = NULL;
    rig_error err = {0};
    if (rig_compare(&comparison, fix->catalog, &fix->constants, request, contenders, n, &err) !=
        RIG_OK) {
        fail_msg("%s", err.message);
    }
    return comparison;
}

static const rig_offer *offer_of(const rig_cost_comparison *comparison, const char *label)
{
    for (size_t i = 0; i < comparison->n_offers; i++) {
        if (strcmp(comparison->offers[i].label, label) == 0) {
            return &comparison->offers[i];
        }
    }
    fail_msg("no offer '%s'", label);
    return NULL;
}

static void test_compare__bought_owned_rented(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    const rig_cloud cloud = instance(3.0, 1.0);
    const rig_contender contenders[] = {
        {RIG_HOLDING_RENT, "rented", rig_build_empty(), &cloud},
        {RIG_HOLDING_BUY, "bought", fixture_desktop(fix), NULL},
        {RIG_HOLDING_OWN, "owned", fixture_desktop(fix), NULL},
    };
    rig_cost_comparison *const comparison = compared(fix, &request, contenders, 3);
    assert_int_equal(comparison->n_offers, 3);
    for (size_t i = 1; i < 3; i++) {
        assert_true(comparison->offers[i - 1].cost.total_usd <=
                    comparison->offers[i].cost.total_usd);
    }

    const rig_offer *const bought = offer_of(comparison, "bought");
    const rig_cost cost = rig_cost_of_epoch(
        &bought->report.prediction, bought->report.price_cents, &request.economics);
    ASSERT_SAME("bought", bought->cost.total_usd, cost.total_usd);
    ASSERT_SAME("carbon",
                bought->carbon_kg,
                bought->report.prediction.energy_kwh_per_epoch * request.economics.pue * 0.4);
    ASSERT_SAME("images per dollar",
                bought->images_per_usd * bought->cost.total_usd,
                fix->workload.dataset->images);

    const rig_offer *const owned = offer_of(comparison, "owned");
    ASSERT_SAME("capital is spent", owned->cost.depreciation_usd, 0);
    ASSERT_SAME("and bears no interest", owned->cost.interest_usd, 0);
    ASSERT_SAME("upkeep goes on", owned->cost.maintenance_usd, cost.maintenance_usd);
    ASSERT_SAME("electricity too", owned->cost.electricity_usd, cost.electricity_usd);

    const rig_offer *const rented = offer_of(comparison, "rented");
    const double epoch_h = rented->report.prediction.epoch_s / 3600;
    ASSERT_SAME("on demand", rented->cost.total_usd, 3 * epoch_h);
    ASSERT_SAME("spot", rented->spot_per_epoch_usd, epoch_h);
    rig_cost_comparison_free(comparison);
}

/* At the break-even, a week of the own machine costs what the same epochs cost rented. */
static void test_compare__break_even_is_where_costs_meet(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    const rig_cloud cloud = instance(3.0, 1.0);
    const rig_contender contenders[] = {
        {RIG_HOLDING_RENT, "rented", rig_build_empty(), &cloud},
        {RIG_HOLDING_BUY, "bought", fixture_desktop(fix), NULL},
    };
    rig_cost_comparison *const comparison = compared(fix, &request, contenders, 2);
    assert_int_equal(comparison->n_break_evens, 2);
    for (size_t i = 0; i < 2; i++) {
        const rig_break_even *const even = &comparison->break_evens[i];
        const rig_offer *const own = &comparison->offers[even->i_own];
        const rig_offer *const rent = &comparison->offers[even->i_rent];
        assert_int_equal(own->holding, RIG_HOLDING_BUY);
        assert_int_equal(rent->holding, RIG_HOLDING_RENT);
        /* used so many hours of 168, an own epoch costs as much as a rented one */
        rig_economics terms = request.economics;
        terms.utilisation_frac = even->hours_per_week / 168.0;
        assert_true(terms.utilisation_frac > 0 && terms.utilisation_frac < 1);
        const rig_cost cost =
            rig_cost_of_epoch(&own->report.prediction, own->report.price_cents, &terms);
        ASSERT_SAME("cost of an epoch",
                    cost.total_usd,
                    even->is_spot ? rent->spot_per_epoch_usd : rent->cost.total_usd);
        ASSERT_SAME("epochs of the lifetime",
                    even->epochs * own->report.prediction.epoch_s,
                    terms.lifetime_s * terms.utilisation_frac);
    }
    assert_true(comparison->break_evens[1].hours_per_week >
                comparison->break_evens[0].hours_per_week);
    rig_cost_comparison_free(comparison);
}

static void test_compare__renting_below_electricity_is_never_beaten(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    const rig_cloud cloud = instance(1e-4, (double)NAN);
    const rig_contender contenders[] = {
        {RIG_HOLDING_BUY, "bought", fixture_desktop(fix), NULL},
        {RIG_HOLDING_RENT, "rented", rig_build_empty(), &cloud},
    };
    rig_cost_comparison *const comparison = compared(fix, &request, contenders, 2);
    assert_int_equal(comparison->n_break_evens, 1);
    ASSERT_SAME("never", comparison->break_evens[0].hours_per_week, INFINITY);
    ASSERT_SAME("no spot price", offer_of(comparison, "rented")->spot_per_epoch_usd, (double)NAN);
    rig_cost_comparison_free(comparison);
}

static void test_compare__unknown_gpu_and_bad_economics(void **state)
{
    const fixture *const fix = *state;
    rig_request request = request_of(fix);
    rig_cloud cloud = instance(3.0, 1.0);
    const rig_contender contender = {RIG_HOLDING_RENT, "rented", rig_build_empty(), &cloud};
    rig_cost_comparison *comparison = NULL;
    rig_error err = {0};
    cloud.gpu_name = NULL;
    assert_int_equal(
        rig_compare(&comparison, fix->catalog, &fix->constants, &request, &contender, 1, &err),
        RIG_E_NOTFOUND);
    assert_null(comparison);
    assert_non_null(strstr(err.message, "rented desk"));
    cloud.gpu_name = "Card Two";
    request.economics.interest_frac = -0.1;
    assert_int_equal(
        rig_compare(&comparison, fix->catalog, &fix->constants, &request, &contender, 1, &err),
        RIG_E_INVALID);
    assert_non_null(strstr(err.message, "interest"));
}

static void test_compare__out_of_memory(void **state)
{
    const fixture *const fix = *state;
    const rig_request request = request_of(fix);
    const rig_cloud cloud = instance(3.0, 1.0);
    const rig_contender contenders[] = {
        {RIG_HOLDING_BUY, "bought", fixture_desktop(fix), NULL},
        {RIG_HOLDING_RENT, "rented", rig_build_empty(), &cloud},
    };
    rig_status status = RIG_E_NOMEM;
    for (long n = 1; n < 1000 && status == RIG_E_NOMEM; n++) {
        rig_cost_comparison *comparison = NULL;
        rig_error err = {0};
        fail_alloc_at(n);
        status =
            rig_compare(&comparison, fix->catalog, &fix->constants, &request, contenders, 2, &err);
        (void)fail_alloc_stop();
        assert_true(status == RIG_OK || comparison == NULL);
        rig_cost_comparison_free(comparison);
    }
    assert_int_equal(status, RIG_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare__bought_owned_rented),
        cmocka_unit_test(test_compare__break_even_is_where_costs_meet),
        cmocka_unit_test(test_compare__renting_below_electricity_is_never_beaten),
        cmocka_unit_test(test_compare__unknown_gpu_and_bad_economics),
        cmocka_unit_test(test_compare__out_of_memory),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
