/* SPDX-License-Identifier: GPL-3.0-or-later
 * Clusters against plain enumeration of every number of nodes, network card, switch and machine,
 * and relations between answers for different numbers of nodes. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "property.h"

enum { USUAL_CASES = 200, MOST_PRINTED = 5, MOST_PRICES = 4096 };

static int setup(void **state)
{
    *state = random_directory_new();
    return *state == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    random_directory_free(*state);
    return 0;
}

/* Some limits of a machine become limits of all nodes and switches, and looser by as much. */
static void widen_limits(property_case *c, rig_request *request)
{
    for (size_t i = 0; i < request->n_conditions; i++) {
        rig_condition *condition = &c->conditions[i];
        if (condition->kind == RIG_CONDITION_LIMIT && !condition->is_of_all &&
            random_chance(&c->source, 50)) {
            condition->is_of_all = true;
            condition->number *= request->nodes_most;
        }
    }
}

/* Exactly enough for some cluster, a cent too little for the cheapest, or generous. */
static void choose_budget(property_case *c, rig_request *request)
{
    static int64_t prices[MOST_PRICES];
    request->budget_cents = INT64_MAX;
    const size_t n = oracle_prices(&c->machines, request, prices, MOST_PRICES);
    if (n == 0 || random_chance(&c->source, 10)) {
        return;
    }
    int64_t least = prices[0];
    for (size_t i = 1; i < n; i++) {
        least = prices[i] < least ? prices[i] : least;
    }
    request->budget_cents =
        random_chance(&c->source, 10) ? least - 1 : prices[random_below(&c->source, n)];
}

/* Is there anything to join nodes with? */
static bool has_network(const property_case *c)
{
    return rig_catalog_count(c->catalog, RIG_TABLE_NIC) > 0 &&
           rig_catalog_count(c->catalog, RIG_TABLE_SWITCH) > 0;
}

static rig_request cluster_request(property_case *c)
{
    rig_request request = property_request(c);
    if (random_chance(&c->source, 50)) {
        request.n_conditions = 0;
        request.circuit_w = NAN;
        request.epoch_time_max_s = INFINITY;
    }
    request.nodes_least = 1 + (int)random_below(&c->source, 3);
    request.nodes_most = request.nodes_least + (int)random_below(&c->source, 2);
    request.is_sharded = random_chance(&c->source, 40);
    request.epoch_time_max_s /= request.nodes_least;
    widen_limits(c, &request);
    choose_budget(c, &request);
    return request;
}

static void test_recommend__finds_the_best_cluster(void **state)
{
    static property_case c;
    const uint64_t n_cases = property_count(USUAL_CASES), first = property_first_seed();
    uint64_t n_wrong = 0, n_requests = 0, n_feasible = 0, n_several = 0;
    for (uint64_t seed = first; seed < first + n_cases && n_wrong < MOST_PRINTED; seed++) {
        property_case_new(&c, seed, NULL, *state);
        if (!has_network(&c)) {
            property_case_free(&c);
            continue;
        }
        n_requests++;
        const rig_request request = cluster_request(&c);
        oracle_answer best[PROPERTY_MAX_TOP];
        const size_t n = oracle_best(&c.machines, &request, best);
        n_feasible += n > 0;
        n_several += n > 0 && rig_build_nodes(&best[0].build) > 1;
        n_wrong += !property_agrees(&c, &request, "auto");
        if (seed % 4 == 0 && rig_solver_find("glpk") != NULL) {
            n_wrong += !property_agrees(&c, &request, "glpk");
        }
        property_case_free(&c);
    }
    print_message("%" PRIu64 " requests, %" PRIu64 " feasible, %" PRIu64 " with several nodes\n",
                  n_requests,
                  n_feasible,
                  n_several);
    assert_int_equal(n_wrong, 0);
    if (n_cases >= USUAL_CASES) { /* else the requests tried nothing */
        assert_true(n_several > n_requests / 6);
        assert_true(n_feasible < n_requests);
    }
}

static double objective_of(const rig_request *request, const rig_result *result)
{
    return result->n_builds == 0 ? (double)INFINITY
                                 : oracle_objective(request,
                                                    &result->builds[0].prediction,
                                                    result->builds[0].price_cents);
}

/* Asks again with something more allowed. */
static void assert_no_worse(const property_case *c,
                            const rig_request *request,
                            const rig_request *freer,
                            const char *what)
{
    rig_result *before = property_recommend(c, request), *after = property_recommend(c, freer);
    const double was = objective_of(request, before), is = objective_of(request, after);
    if (!(is <= was || is <= was + 1e-12 * fabs(was))) {
        property_print(c, request, what);
        fail_msg("objective %.17g before, %.17g after", was, is);
    }
    rig_result_free(before);
    rig_result_free(after);
}

static void test_recommend__more_is_never_worse(void **state)
{
    static property_case c;
    const uint64_t n_cases = property_count(USUAL_CASES), first = property_first_seed();
    for (uint64_t seed = first; seed < first + n_cases; seed++) {
        property_case_new(&c, seed, NULL, *state);
        if (!has_network(&c)) {
            property_case_free(&c);
            continue;
        }
        const rig_request request = cluster_request(&c);
        rig_request more_nodes = request, fewer_nodes = request, richer = request;
        more_nodes.nodes_most++;
        fewer_nodes.nodes_least = 1;
        if (request.budget_cents != INT64_MAX) {
            richer.budget_cents += request.budget_cents / 4 + 1;
        }
        assert_no_worse(&c, &request, &more_nodes, "more nodes allowed");
        assert_no_worse(&c, &request, &fewer_nodes, "fewer nodes allowed");
        assert_no_worse(&c, &request, &richer, "more budget");
        property_case_free(&c);
    }
}

/* One node as a cluster of one is the machine itself. */
static void test_recommend__one_node_is_one_machine(void **state)
{
    static property_case c;
    const uint64_t n_cases = property_count(USUAL_CASES), first = property_first_seed();
    for (uint64_t seed = first; seed < first + n_cases; seed++) {
        property_case_new(&c, seed, NULL, *state);
        rig_request alone = property_request(&c);
        rig_request sharded = alone;
        sharded.is_sharded = true;
        rig_result *a = property_recommend(&c, &alone), *b = property_recommend(&c, &sharded);
        assert_int_equal(a->n_builds, b->n_builds);
        for (size_t i = 0; i < a->n_builds; i++) {
            assert_int_equal(rig_build_nodes(&a->builds[i].build), 1);
            assert_true(oracle_is_equal_build(&a->builds[i].build, &b->builds[i].build));
        }
        rig_result_free(a);
        rig_result_free(b);
        property_case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_recommend__finds_the_best_cluster, setup, teardown),
        cmocka_unit_test_setup_teardown(test_recommend__more_is_never_worse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_recommend__one_node_is_one_machine, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
