/* SPDX-License-Identifier: GPL-3.0-or-later
 * Power and cost against hand-computed values. */
#include "support/assert_near.h"

#include "model/stages.h"
#include "round_model.h"

static void test_cost_per_epoch__to_the_cent(void **state)
{
    (void)state;
    /* 20 000 USD over 10 000 h of use for 0.5 h, 0.4 kWh x 1.5 x 0.25 USD: 1.00 + 0.15 USD. */
    const rig_prediction p = {.images_per_s = 1, .epoch_s = 1800, .energy_kwh_per_epoch = 0.4};
    const rig_economics e = {.electricity_usd_kwh = 0.25,
                             .pue = 1.5,
                             .lifetime_s = 20000.0 * 3600.0,
                             .utilisation_frac = 0.5};
    ASSERT_SAME("new", rig_cost_per_epoch_usd(&p, 2000000, &e), 1.15);
    ASSERT_SAME("free of charge", rig_cost_per_epoch_usd(&p, 0, &e), 0.15);
    const rig_prediction stopped = {.images_per_s = 0, .epoch_s = INFINITY};
    ASSERT_SAME("nothing runs", rig_cost_per_epoch_usd(&stopped, 2000000, &e), INFINITY);
    const rig_prediction unknown = {.images_per_s = NAN, .epoch_s = NAN};
    ASSERT_SAME("unknown rate", rig_cost_per_epoch_usd(&unknown, 2000000, &e), INFINITY);
}

/* A machine of 10 000 USD kept two years of 365 days, half of the time in use: 8 760 hours. An
 * epoch of 30 minutes is 1 / 17 520 of them. */
static void test_cost_of_epoch__every_ingredient_to_the_cent(void **state)
{
    (void)state;
    const rig_prediction p = {.images_per_s = 1, .epoch_s = 1800, .energy_kwh_per_epoch = 2};
    const rig_economics e = {.electricity_usd_kwh = 0.20,
                             .pue = 1.25,
                             .lifetime_s = 2.0 * 365.0 * 86400.0,
                             .utilisation_frac = 0.5,
                             .resale_frac = 0.21,
                             .interest_frac = 0.10,
                             .maintenance_frac = 0.05,
                             .hosting_usd_month = 73};
    /* (10 000 - 2 100 / 1.21) x 0.1 / (1 - 1 / 1.21) = 4 761.90 USD a year. */
    ASSERT_NEAR("annuity", rig_annuity_usd(10000, &e), 4761.9047619, 1e-9, 0);
    const rig_cost c = rig_cost_of_epoch(&p, 1000000, &e);
    ASSERT_NEAR("depreciation", c.depreciation_usd, 7900.0 / 17520, 1e-9, 0);
    ASSERT_NEAR("interest", c.interest_usd, (2 * 4761.9047619047 - 7900.0) / 17520, 1e-9, 0);
    ASSERT_NEAR("maintenance", c.maintenance_usd, 1000.0 / 17520, 1e-9, 0);
    ASSERT_NEAR("hosting", c.hosting_usd, 24 * 73.0 / 17520, 1e-9, 0);
    ASSERT_NEAR("electricity", c.electricity_usd, 0.5, 1e-9, 0);
    ASSERT_NEAR(
        "total", c.total_usd, (2 * 4761.9047619047 + 1000 + 24 * 73.0) / 17520 + 0.5, 1e-9, 0);
}

static void test_annuity__little_interest_is_nearly_none(void **state)
{
    (void)state;
    rig_economics e = rig_economics_default();
    e.resale_frac = 0.25;
    const double without = rig_annuity_usd(9000, &e);
    ASSERT_SAME("none", without, 2250);
    e.interest_frac = 1e-12;
    ASSERT_NEAR("little", rig_annuity_usd(9000, &e), without, 1e-9, 0);
}

static void test_economics_default__documented(void **state)
{
    (void)state;
    const rig_economics e = rig_economics_default();
    ASSERT_SAME("electricity", e.electricity_usd_kwh, 0.15);
    ASSERT_SAME("PUE", e.pue, 1.4);
    ASSERT_SAME("lifetime", e.lifetime_s, 94608000.0);
    ASSERT_SAME("utilisation", e.utilisation_frac, 0.7);
    ASSERT_SAME("resale", e.resale_frac, 0);
    ASSERT_SAME("interest", e.interest_frac, 0);
    ASSERT_SAME("maintenance", e.maintenance_frac, 0);
    ASSERT_SAME("hosting", e.hosting_usd_month, 0);
    ASSERT_SAME("grid", e.grid_kg_kwh, NAN);
}

static void test_power_w__hand_computed(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    rig_machine m = round_machine();
    /* 60 + 2 x 200 x 0.25 + 300 x 0.1 + 2 x 10 + 2 x 5 = 220 W, x 1.1 / 0.8. */
    ASSERT_SAME("idle", rig__model_power_w(&k, &m, 0, 0), 220 * 1.1 / 0.8);
    /* 60 + 400 + 270 + 20 + 10 = 760 W. */
    ASSERT_SAME("busy", rig__model_power_w(&k, &m, 1, 1), 760 * 1.1 / 0.8);
    /* 60 + 250 + 150 + 30 = 490 W. */
    ASSERT_SAME("half", rig__model_power_w(&k, &m, 0.5, 0.5), 490 * 1.1 / 0.8);
    m.base_power_w = 200;
    m.drives[0].power_w = NAN;
    /* 200 + 100 + 30 + 16 + 10 = 356 W. */
    ASSERT_SAME("given base, unknown drives", rig__model_power_w(&k, &m, 0, 0), 356 * 1.1 / 0.8);
    m.gpu_tdp_w = NAN;
    ASSERT_SAME("unknown GPU", rig__model_power_w(&k, &m, 0, 0), NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost_per_epoch__to_the_cent),
        cmocka_unit_test(test_cost_of_epoch__every_ingredient_to_the_cent),
        cmocka_unit_test(test_annuity__little_interest_is_nearly_none),
        cmocka_unit_test(test_economics_default__documented),
        cmocka_unit_test(test_power_w__hand_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
