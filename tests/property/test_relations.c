/* SPDX-License-Identifier: GPL-3.0-or-later
 * Relations between answers that must hold whatever the catalogue, and conflicts that are real. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "property.h"
#include "support/assert_near.h"
#include "trainrig/units.h"

enum { USUAL_CASES = 100 };

/* Relations are about exact optima of the same numbers; only the last bits may differ. */
static const double slack = 1e-12;

/* A check on one case with a request whose best answer is given, NULL if there is none. */
typedef void (*relation)(property_case *c, rig_request *request, const rig_result *before);

/* The cases, made once for all relations, and a directory for changed catalogues. */
static property_case *cases;
static uint64_t n_cases;
static char *scratch_directory;

static int group_setup(void **state)
{
    (void)state;
    const uint64_t first = property_first_seed();
    n_cases = property_count(USUAL_CASES);
    cases = calloc(n_cases, sizeof *cases);
    scratch_directory = random_directory_new();
    if (cases == NULL || scratch_directory == NULL) {
        return -1;
    }
    for (uint64_t i = 0; i < n_cases; i++) {
        property_case_new(&cases[i], first + i, NULL, scratch_directory);
    }
    return 0;
}

static int group_teardown(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < n_cases; i++) {
        property_case_free(&cases[i]);
    }
    free(cases);
    random_directory_free(scratch_directory);
    return 0;
}

/* Runs a relation on a new request to every case; at least some of them must have an answer. */
static void for_each_case(relation check, bool wants_answer)
{
    uint64_t n_checked = 0;
    for (uint64_t i = 0; i < n_cases; i++) {
        rig_request request = property_request(&cases[i]);
        request.top = 1;
        rig_result *before = property_recommend(&cases[i], &request);
        if ((before->n_builds > 0) == wants_answer) {
            check(&cases[i], &request, before);
            n_checked++;
        }
        rig_result_free(before);
    }
    print_message("%" PRIu64 " checked\n", n_checked);
    assert_true(n_checked > n_cases / 10);
}

static double objective_of(const rig_request *request, const rig_result *result)
{
    if (result->n_builds == 0) {
        return INFINITY;
    }
    return oracle_objective(request, &result->builds[0].prediction, result->builds[0].price_cents);
}

/* Is the answer at least as good as before? A missing one is the worst. */
static void assert_no_worse(const property_case *c,
                            const rig_request *request,
                            const rig_result *before,
                            const rig_result *after,
                            const char *what)
{
    const double was = objective_of(request, before), is = objective_of(request, after);
    if (!(is <= was + slack * fabs(was))) {
        property_print(c, request, what);
        oracle_print_build("before", &before->builds[0].build);
        fail_msg("objective %.17g before, %.17g after", was, is);
    }
}

/* ---- budget and conditions ------------------------------------------------------------------ */

static void more_budget(property_case *c, rig_request *request, const rig_result *before)
{
    static const double factors[] = {1.01, 1.5, 4};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        rig_request richer = *request;
        if (request->budget_cents != INT64_MAX) {
            richer.budget_cents = (int64_t)((double)request->budget_cents * factors[i]) + 1;
        }
        rig_result *after = property_recommend(c, &richer);
        assert_no_worse(c, request, before, after, "more budget");
        rig_result_free(after);
    }
}

static void test_recommend__more_budget_is_never_worse(void **state)
{
    (void)state;
    for_each_case(more_budget, true);
}

static void one_condition_less(property_case *c, rig_request *request, const rig_result *before)
{
    if (request->n_conditions == 0) {
        return;
    }
    rig_request freer = *request;
    freer.n_conditions--;
    if (request->conditions[freer.n_conditions].kind == RIG_CONDITION_OWN) {
        return; /* an owned part makes machines cheaper */
    }
    if (request->conditions[freer.n_conditions].table == RIG_TABLE_NIC) {
        return; /* buys a card that no machine had before; a cheaper one may do */
    }
    rig_result *after = property_recommend(c, &freer);
    assert_no_worse(c, request, before, after, "one condition less");
    rig_result_free(after);
}

static void test_recommend__one_condition_less_is_never_worse(void **state)
{
    (void)state;
    for_each_case(one_condition_less, true);
}

/* Fixing every part of the best machine in turn leaves it the best. */
static void fix_part_of_best(property_case *c, rig_request *request, const rig_result *before)
{
    const rig_build *best = &before->builds[0].build;
    for (size_t table = 0; table < RIG_N_BUILD_CLASSES; table++) {
        const rig_part_use *use = &best->parts[table];
        if (use->row == NULL || table == RIG_TABLE_NIC) {
            continue;
        }
        rig_request fixed = *request;
        char text[300];
        (void)snprintf(text,
                       sizeof text,
                       "%s = %s x%d",
                       rig_table_singular((rig_table)table),
                       use->row->name,
                       use->count);
        if (!property_condition_add(c, &fixed, RIG_CONDITION_FIX, text)) {
            continue; /* no room for one more */
        }
        rig_result *after = property_recommend(c, &fixed);
        if (after->n_builds == 0 ||
            !is_near(objective_of(request, after), objective_of(request, before), slack, 0) ||
            after->builds[0].price_cents != before->builds[0].price_cents) {
            property_print(c, &fixed, "a part of the best machine was fixed");
            oracle_print_build("before", best);
            fail_msg("fixing '%s' changed the answer", text);
        }
        rig_result_free(after);
    }
}

static void test_recommend__fixing_a_part_of_the_best_changes_nothing(void **state)
{
    (void)state;
    for_each_case(fix_part_of_best, true);
}

/* ---- changed catalogues --------------------------------------------------------------------- */

/* The same request on a changed catalogue: workload and conditions are looked up by their texts. */
static rig_result *recommend_on(const property_case *c,
                                const random_catalog *parts,
                                const char *directory,
                                uint64_t shuffle_seed,
                                const rig_request *request,
                                rig_catalog **catalog_out)
{
    rig_error err = {0};
    rig_condition conditions[PROPERTY_MAX_CONDITIONS + 1];
    rig_constants *constants = NULL;
    rig_result *result = NULL;
    rig_request asked = *request;
    rig_status status = random_catalog_load(parts, directory, shuffle_seed, catalog_out, &err);
    if (status == RIG_OK) {
        status = rig_constants_new(&constants, *catalog_out, &err);
    }
    if (status == RIG_OK) {
        status = rig_workload_find(*catalog_out, c->workload.name, &asked.workload, &err);
    }
    asked.workload.is_overlapped = c->workload.is_overlapped;
    asked.workload.is_sequential = c->workload.is_sequential;
    asked.workload.workers = c->workload.workers;
    asked.workload.cache = c->workload.cache;
    asked.workload.batch_per_gpu = c->workload.batch_per_gpu;
    asked.conditions = conditions;
    for (size_t i = 0; i < request->n_conditions && status == RIG_OK; i++) {
        status = rig_condition_parse(*catalog_out,
                                     request->conditions[i].kind,
                                     request->conditions[i].text,
                                     &conditions[i],
                                     &err);
    }
    if (status == RIG_OK) {
        status = rig_recommend(&result, *catalog_out, constants, &asked, &err);
    }
    rig_constants_free(constants);
    if (status != RIG_OK) {
        property_print(c, request, err.message);
        fail_msg("changed catalogue");
    }
    return result;
}

static void assert_same_builds(const property_case *c,
                               const rig_request *request,
                               const rig_result *before,
                               const rig_result *after,
                               const char *what)
{
    bool is_same = before->outcome == after->outcome && before->n_builds == after->n_builds;
    for (size_t i = 0; is_same && i < before->n_builds; i++) {
        is_same = oracle_is_equal_build(&before->builds[i].build, &after->builds[i].build);
    }
    if (!is_same) {
        property_print(c, request, what);
        for (size_t i = 0; i < before->n_builds; i++) {
            oracle_print_build("before", &before->builds[i].build);
        }
        for (size_t i = 0; i < after->n_builds; i++) {
            oracle_print_build("after", &after->builds[i].build);
        }
        fail_msg("another answer: %s", what);
    }
}

static void shuffle_rows(property_case *c, rig_request *request, const rig_result *before)
{
    (void)before;
    request->top = PROPERTY_MAX_TOP;
    rig_result *whole = property_recommend(c, request);
    for (uint64_t shuffle = 1; shuffle <= 3; shuffle++) {
        rig_catalog *catalog = NULL;
        rig_result *after =
            recommend_on(c, &c->parts, scratch_directory, c->seed * 8 + shuffle, request, &catalog);
        assert_same_builds(c, request, whole, after, "rows in another order");
        rig_result_free(after);
        rig_catalog_free(catalog);
    }
    rig_result_free(whole);
}

static void test_recommend__order_of_rows_changes_nothing(void **state)
{
    (void)state;
    for_each_case(shuffle_rows, true);
}

/* A cheaper price of any part never hurts. */
static void cheaper_part(property_case *c, rig_request *request, const rig_result *before)
{
    static random_catalog changed;
    for (size_t table = 0; table < RIG_N_BUILD_CLASSES; table++) {
        const size_t n_rows = c->parts.n_rows[table];
        if (n_rows == 0 || table == RIG_TABLE_NIC) {
            continue;
        }
        changed = c->parts;
        char *cell = random_catalog_cell(
            &changed, (rig_table)table, random_below(&c->source, n_rows), "price_usd");
        const double usd = atof(cell);
        if (cell[0] == '\0' || usd < 1) {
            continue;
        }
        (void)snprintf(cell, RANDOM_CELL_SIZE, "%.2f", usd * 0.8);
        rig_catalog *catalog = NULL;
        rig_result *after = recommend_on(c, &changed, scratch_directory, 0, request, &catalog);
        bool is_price_limited = false;
        for (size_t i = 0; i < request->n_conditions; i++) {
            is_price_limited |= request->conditions[i].kind == RIG_CONDITION_LIMIT &&
                                request->conditions[i].total == RIG_TOTAL_PRICE_USD;
        }
        if (!is_price_limited) {
            assert_no_worse(c, request, before, after, "a cheaper part");
        }
        rig_result_free(after);
        rig_catalog_free(catalog);
    }
}

static void test_recommend__a_cheaper_part_is_never_worse(void **state)
{
    (void)state;
    for_each_case(cheaper_part, true);
}

/* A copy of a part at a higher price changes nothing. */
static void dearer_copy(property_case *c, rig_request *request, const rig_result *before)
{
    static random_catalog changed;
    for (size_t table = 0; table < RIG_N_BUILD_CLASSES; table++) {
        const size_t n_rows = c->parts.n_rows[table];
        if (n_rows == 0 || n_rows >= RANDOM_MAX_ROWS) {
            continue;
        }
        changed = c->parts;
        const size_t at = random_below(&c->source, n_rows);
        changed.rows[table][n_rows] = changed.rows[table][at];
        changed.n_rows[table]++;
        char *name = random_catalog_cell(&changed, (rig_table)table, n_rows, "name");
        char *price = random_catalog_cell(&changed, (rig_table)table, n_rows, "price_usd");
        const double usd = atof(price);
        (void)snprintf(name + strlen(name), RANDOM_CELL_SIZE - strlen(name), " copy");
        if (price[0] == '\0') {
            continue;
        }
        (void)snprintf(price, RANDOM_CELL_SIZE, "%.2f", usd + 1);
        rig_catalog *catalog = NULL;
        rig_result *after = recommend_on(c, &changed, scratch_directory, 0, request, &catalog);
        bool is_price_limited = false;
        for (size_t i = 0; i < request->n_conditions; i++) {
            const rig_condition *condition = &request->conditions[i];
            is_price_limited |= (condition->kind == RIG_CONDITION_LIMIT &&
                                 condition->total == RIG_TOTAL_PRICE_USD) ||
                                condition->column_is_name;
        }
        if (!is_price_limited) {
            assert_same_builds(c, request, before, after, "a dearer copy of a part");
        }
        rig_result_free(after);
        rig_catalog_free(catalog);
    }
}

static void test_recommend__a_dearer_copy_changes_nothing(void **state)
{
    (void)state;
    for_each_case(dearer_copy, true);
}

/* ---- units ---------------------------------------------------------------------------------- */

static void test_recommend__units_of_the_input_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *one, *other;
        rig_condition_kind kind;
    } rows[] = {
        {"watts", "power_w <= 1.2kW", "power_w <= 1200", RIG_CONDITION_LIMIT},
        {"dollars", "price_usd <= 8k", "price_usd <= 8000", RIG_CONDITION_LIMIT},
        {"drives", "storage_gb >= 1TB", "storage_gb >= 1000", RIG_CONDITION_LIMIT},
        {"memory", "gpu.mem_gb >= 12GiB", "gpu.mem_gb >= 12", RIG_CONDITION_REQUIRE},
    };
    int64_t short_cents = 0, long_cents = 1;
    assert_int_equal(rig_money_parse("20k", &short_cents, NULL), RIG_OK);
    assert_int_equal(rig_money_parse("$20,000", &long_cents, NULL), RIG_OK);
    assert_int_equal(short_cents, long_cents);
    for (uint64_t at = 0; at < n_cases && at < 20; at++) {
        property_case *c = &cases[at];
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            rig_request request = rig_request_default();
            request.workload = c->workload;
            request.conditions = c->conditions;
            request.budget_cents = short_cents;
            rig_request same = request;
            assert_true(property_condition_add(c, &request, rows[i].kind, rows[i].one));
            rig_result *one = property_recommend(c, &request);
            assert_true(property_condition_add(c, &same, rows[i].kind, rows[i].other));
            rig_result *other = property_recommend(c, &same);
            assert_same_builds(c, &request, one, other, rows[i].name);
            rig_result_free(one);
            rig_result_free(other);
        }
    }
}

/* ---- conflicts ------------------------------------------------------------------------------ */

/* The members of a conflict as a request of their own, without the member at `left_out`. */
static rig_request members_request(const rig_request *request,
                                   const rig_result *result,
                                   size_t left_out,
                                   rig_condition *conditions)
{
    rig_request members = *request;
    members.conditions = conditions;
    members.n_conditions = 0;
    members.budget_cents = INT64_MAX;
    members.epoch_time_max_s = INFINITY;
    members.circuit_w = NAN;
    for (size_t i = 0; i < result->n_conflict; i++) {
        const char *text = result->conflict[i].condition;
        bool is_condition = false;
        for (size_t j = 0; j < request->n_conditions && !is_condition; j++) {
            /* a member is named with its kind in front: "limit power_w <= 300" */
            const char *blank = strchr(text, ' ');
            is_condition = blank != NULL && strcmp(request->conditions[j].text, blank + 1) == 0;
            if (is_condition && i != left_out) {
                conditions[members.n_conditions++] = request->conditions[j];
            }
        }
        if (is_condition || i == left_out) {
            continue;
        }
        if (strncmp(text, "budget", 6) == 0) {
            members.budget_cents = request->budget_cents;
        } else if (strncmp(text, "epoch time", 10) == 0) {
            members.epoch_time_max_s = request->epoch_time_max_s;
        } else if (strncmp(text, "mains circuit", 13) == 0) {
            members.circuit_w = request->circuit_w;
        } else {
            assert_string_equal(text, "workload");
        }
    }
    return members;
}

static bool is_feasible(const property_case *c, const rig_request *request)
{
    rig_request asked = *request;
    oracle_answer answer;
    asked.top = 1;
    return oracle_best(&c->machines, &asked, &answer) > 0;
}

/* Are two conditions written alike? Then the conflict cannot tell which of them it means. */
static bool has_twins(const rig_request *request)
{
    for (size_t i = 0; i < request->n_conditions; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(request->conditions[i].text, request->conditions[j].text) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void conflict_is_real(property_case *c, rig_request *request, const rig_result *result)
{
    rig_condition conditions[PROPERTY_MAX_CONDITIONS + 1];
    if (has_twins(request)) {
        return;
    }
    assert_true(result->n_conflict > 0);
    const rig_request all = members_request(request, result, SIZE_MAX, conditions);
    if (is_feasible(c, &all)) {
        property_print(c, &all, "the conflicting conditions can be met");
        fail_msg("no conflict");
    }
    for (size_t i = 0; i < result->n_conflict && result->is_conflict_minimal; i++) {
        const rig_request fewer = members_request(request, result, i, conditions);
        if (strcmp(result->conflict[i].condition, "workload") != 0 && !is_feasible(c, &fewer)) {
            property_print(c, request, "the conflict is not minimal");
            fail_msg("without '%s' it still conflicts", result->conflict[i].condition);
        }
    }
}

static void test_recommend__conflicts_are_real_and_minimal(void **state)
{
    (void)state;
    for_each_case(conflict_is_real, false);
}

static void least_budget_is_exact(property_case *c, rig_request *request, const rig_result *result)
{
    const int64_t least = oracle_least_price_cents(&c->machines, request);
    if (result->least_budget_cents != least) {
        property_print(c, request, "least budget");
        fail_msg("%" PRId64 " cents, oracle %" PRId64, result->least_budget_cents, least);
    }
    if (least < 0) {
        return;
    }
    request->budget_cents = least;
    rig_result *enough = property_recommend(c, request);
    assert_int_equal(enough->outcome, RIG_OUTCOME_OPTIMAL);
    rig_result_free(enough);
    if (least > 0) {
        request->budget_cents = least - 1;
        rig_result *short_of = property_recommend(c, request);
        assert_int_equal(short_of->outcome, RIG_OUTCOME_INFEASIBLE);
        rig_result_free(short_of);
    }
}

static void test_recommend__least_budget_is_exact(void **state)
{
    (void)state;
    for_each_case(least_budget_is_exact, false);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_recommend__more_budget_is_never_worse),
        TEST(test_recommend__one_condition_less_is_never_worse),
        TEST(test_recommend__fixing_a_part_of_the_best_changes_nothing),
        TEST(test_recommend__order_of_rows_changes_nothing),
        TEST(test_recommend__a_cheaper_part_is_never_worse),
        TEST(test_recommend__a_dearer_copy_changes_nothing),
        TEST(test_recommend__units_of_the_input_change_nothing),
        TEST(test_recommend__conflicts_are_real_and_minimal),
        TEST(test_recommend__least_budget_is_exact),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
