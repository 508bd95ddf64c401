/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of request defaults and objective names. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trainrig/optimizer.h"

static void test_objective__round_trip(void **state)
{
    (void)state;
    for (int i = RIG_OBJECTIVE_EPOCH_TIME; i <= RIG_OBJECTIVE_IMAGES_PER_DOLLAR; i++) {
        rig_objective back = RIG_OBJECTIVE_PRICE;
        assert_int_equal(rig_objective_parse(rig_objective_name((rig_objective)i), &back, NULL),
                         RIG_OK);
        assert_int_equal(back, i);
    }
    assert_string_equal(rig_objective_name((rig_objective)99), "");
}

static void test_objective_parse__refuses(void **state)
{
    static const struct {
        const char *text, *hint;
    } rows[] = {
        {"epoch_time", "epoch-time"},
        {"Price", "price"},
        {"image-per-dollar", "images-per-dollar"},
        {"", "price"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_objective objective = RIG_OBJECTIVE_COST_PER_EPOCH;
        rig_error err = {0};
        assert_int_equal(rig_objective_parse(rows[i].text, &objective, &err), RIG_E_PARSE);
        assert_int_equal(objective, RIG_OBJECTIVE_COST_PER_EPOCH);
        assert_non_null(strstr(err.message, "cost-per-epoch or images-per-dollar"));
        assert_non_null(strstr(err.hint, rows[i].hint));
    }
}

static void test_request_default__limits_nothing(void **state)
{
    const rig_request request = rig_request_default();
    (void)state;
    assert_true(request.budget_cents == INT64_MAX);
    assert_int_equal(request.objective, RIG_OBJECTIVE_EPOCH_TIME);
    assert_true(isinf(request.epoch_time_max_s));
    assert_true(isinf(request.time_limit_s));
    assert_true(isnan(request.circuit_w));
    assert_true(isnan(request.workload.workers));
    assert_true(request.workload.is_overlapped);
    assert_true(request.top >= 1 && request.top <= 100);
    assert_string_equal(request.solver, "auto");
    assert_true(request.economics.lifetime_s > 0);
    assert_null(request.conditions);
    assert_false(request.allow_unmeasured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objective__round_trip),
        cmocka_unit_test(test_objective_parse__refuses),
        cmocka_unit_test(test_request_default__limits_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
