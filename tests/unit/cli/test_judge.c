/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of cli/judge.c. */
#include "cli/session.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_exit_of_result__every_outcome(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        rig_outcome outcome;
        double gap_frac, accepted_frac;
        cli_exit interrupted;
        int code;
    } rows[] = {
        {"optimal", RIG_OUTCOME_OPTIMAL, 0, 0, CLI_EXIT_OK, 0},
        {"within the gap", RIG_OUTCOME_FEASIBLE, 0.01, 0.02, CLI_EXIT_OK, 0},
        {"beyond the gap", RIG_OUTCOME_FEASIBLE, 0.03, 0.02, CLI_EXIT_OK, 4},
        {"gap unknown", RIG_OUTCOME_FEASIBLE, NAN, 0.02, CLI_EXIT_OK, 4},
        {"interrupted with a build", RIG_OUTCOME_FEASIBLE, 0.03, 0, CLI_EXIT_INTERRUPT, 4},
        {"infeasible", RIG_OUTCOME_INFEASIBLE, 0, 0, CLI_EXIT_OK, 3},
        {"nothing found", RIG_OUTCOME_LIMIT, 0, 0, CLI_EXIT_OK, 5},
        {"interrupted with nothing", RIG_OUTCOME_LIMIT, 0, 0, CLI_EXIT_INTERRUPT, 130},
        {"terminated with nothing", RIG_OUTCOME_LIMIT, 0, 0, CLI_EXIT_TERMINATE, 143},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_result result = {.outcome = rows[i].outcome};
        result.proof.gap_frac = rows[i].gap_frac;
        result.request.gap_frac = rows[i].accepted_frac;
        const int code = (int)rig__cli_exit_of_result(&result, rows[i].interrupted);
        if (code != rows[i].code) {
            fail_msg("%s: %d instead of %d", rows[i].name, code, rows[i].code);
        }
    }
}

static void test_fail_if__conditions(void **state)
{
    (void)state;
    static const struct {
        const char *condition;
        int code;
    } rows[] = {
        {"price_usd > 100", 8},
        {"price_usd>123.45", 0},
        {"price_usd >= 123.45", 8},
        {"price_usd < 1k", 8},
        {"price_usd <= 123.45", 8},
        {"price_usd = 123.45", 8},
        {"price_usd == 123.45", 8},
        {"price_usd != 123.45", 0},
        {"images_per_s < 10", 0},
        {"epoch_s > 5", 8},
        {"power_w > 1", 0}, /* unknown */
        {"cost_per_epoch_usd < 1", 8},
        {"gap_frac > 0.1", 8},
        {"price > 1", 2},
        {"price_usd", 2},
        {"price_usd > x", 2},
        {"price_usd >", 2},
    };
    rig_build_report build = {.price_cents = 12345, .cost_per_epoch_usd = 0.5};
    build.prediction.images_per_s = 10;
    build.prediction.epoch_s = 6;
    build.prediction.power_w = NAN;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cli_input input = {.verb = VERB_RECOMMEND};
        assert_true(
            rig__cli_put(&input, OPT_FAIL_IF, LEVEL_FLAG, (cli_value){.text = rows[i].condition}));
        const int code = (int)rig__cli_fail_if(&input, &build, 0.2);
        rig__cli_input_free(&input);
        if (code != rows[i].code) {
            fail_msg("'%s': %d instead of %d", rows[i].condition, code, rows[i].code);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exit_of_result__every_outcome),
                                       cmocka_unit_test(test_fail_if__conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
