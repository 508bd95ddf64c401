/* SPDX-License-Identifier: GPL-3.0-or-later
 * Why a request cannot be met: a smallest conflicting set, and what each member would have to be.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/explain.h"
#include "trainrig/units.h"

/* Members beyond the user's conditions. */
typedef enum member {
    MEMBER_BUDGET,
    MEMBER_EPOCH_TIME,
    MEMBER_CIRCUIT,
    MEMBER_NODES,
    N_FIXED_MEMBERS
} member;

enum { BISECTIONS = 14 };

/* A conflict under analysis: which members are active, by index (fixed ones first). */
typedef struct analysis {
    const rig_catalog *catalog;
    const rig_constants *constants;
    const rig_request *request;
    rig_result *result;
    rig__arena *arena;
    rig_condition *conditions; /* room for the active ones */
    bool *is_active;
    size_t n_members;
    bool *is_stopped; /* a search was cut short: nothing is minimal then */
} analysis;

/* Best choice of a reduced request. */
typedef struct trial {
    bool is_feasible;
    int64_t price_cents;
    double rate;
    double total; /* of the limit asked about */
} trial;

static rig_request active_request(const analysis *a)
{
    rig_request request = *a->request;
    size_t n = 0;
    for (size_t i = 0; i < a->request->n_conditions; i++) {
        if (a->is_active[N_FIXED_MEMBERS + i]) {
            a->conditions[n++] = a->request->conditions[i];
        }
    }
    request.conditions = a->conditions;
    request.n_conditions = n;
    request.budget_cents = a->is_active[MEMBER_BUDGET] ? request.budget_cents : INT64_MAX;
    request.epoch_time_max_s =
        a->is_active[MEMBER_EPOCH_TIME] ? request.epoch_time_max_s : (double)INFINITY;
    request.circuit_w = a->is_active[MEMBER_CIRCUIT] ? request.circuit_w : (double)NAN;
    request.nodes_least = a->is_active[MEMBER_NODES] ? request.nodes_least : 1;
    request.distinct = RIG_DISTINCT_GPU; /* feasibility alone: the strongest reduction */
    request.time_limit_s = INFINITY;
    return request;
}

static rig_status solve(const analysis *a,
                        const rig_request *request,
                        rig_objective objective,
                        trial *out,
                        rig_error *err)
{
    rig__cluster cluster;
    rig__found found;
    rig_error local;
    memset(out, 0, sizeof *out);
    rig__arena *scratch = rig__arena_new();
    if (scratch == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status =
        rig__cluster_new(&cluster, scratch, a->catalog, a->constants, request, true, &local);
    if (status == RIG_OK) {
        rig__question question = rig__cluster_question(&cluster);
        question.objective = objective;
        question.top = 1;
        status = rig__cluster_search(&cluster, &question, &found, &local);
    }
    if (status == RIG_OK && !found.is_complete) {
        *a->is_stopped = true;
    }
    if (status == RIG_OK && found.n_choices > 0) {
        out->is_feasible = true;
        out->price_cents = rig__choice_price(&found.choices[0]);
        out->rate = rig__choice_all_rate(&found.choices[0]);
    }
    if (status != RIG_OK && err != NULL) {
        *err = local;
    }
    rig__arena_free(scratch);
    return status;
}

static rig_status is_feasible(const analysis *a, bool *out, rig_error *err)
{
    const rig_request request = active_request(a);
    trial found;
    RIG_TRY(solve(a, &request, RIG_OBJECTIVE_PRICE, &found, err));
    *out = found.is_feasible;
    return RIG_OK;
}

static bool applies(const analysis *a, size_t at)
{
    switch (at) {
    case MEMBER_BUDGET:
        return a->request->budget_cents != INT64_MAX;
    case MEMBER_EPOCH_TIME:
        return !isinf(a->request->epoch_time_max_s);
    case MEMBER_CIRCUIT:
        return !isnan(a->request->circuit_w);
    case MEMBER_NODES:
        return a->request->nodes_least > 1;
    default:
        return true;
    }
}

/* Leaves out one member after the other for as long as the rest still conflicts. */
static rig_status delete_filter(analysis *a, rig_error *err)
{
    for (size_t i = 0; i < a->n_members; i++) {
        a->is_active[i] = applies(a, i);
    }
    for (size_t i = 0; i < a->n_members; i++) {
        bool still_works = false;
        if (!a->is_active[i]) {
            continue;
        }
        a->is_active[i] = false;
        RIG_TRY(is_feasible(a, &still_works, err));
        a->is_active[i] = still_works;
    }
    return RIG_OK;
}

/* ---- what one member would have to become ---------------------------------------------------- */

/* All members active but one; the array is put back by the caller. */
static void all_but(analysis *a, size_t at)
{
    for (size_t i = 0; i < a->n_members; i++) {
        a->is_active[i] = applies(a, i) && i != at;
    }
}

static const char *budget_detail(analysis *a, rig_error *err, rig_status *status)
{
    char least[32], more[32];
    trial found;
    all_but(a, MEMBER_BUDGET);
    const rig_request request = active_request(a);
    *status = solve(a, &request, RIG_OBJECTIVE_PRICE, &found, err);
    if (*status != RIG_OK || !found.is_feasible) {
        return "no budget alone would do";
    }
    a->result->least_budget_cents = found.price_cents;
    return rig__arena_format(
        a->arena,
        "a budget of USD %s would do (USD %s more)",
        rig_format_money(least, sizeof least, found.price_cents),
        rig_format_money(more, sizeof more, found.price_cents - a->request->budget_cents));
}

static const char *epoch_detail(analysis *a, rig_error *err, rig_status *status)
{
    char time[48];
    trial found;
    all_but(a, MEMBER_EPOCH_TIME);
    const rig_request request = active_request(a);
    *status = solve(a, &request, RIG_OBJECTIVE_EPOCH_TIME, &found, err);
    if (*status != RIG_OK || !found.is_feasible) {
        return "no longer epoch alone would do";
    }
    return rig__arena_format(
        a->arena,
        "an epoch of %s is the fastest possible",
        rig_format_duration(time, sizeof time, a->request->workload.dataset->images / found.rate));
}

/* The nearest smaller number of nodes that works with all the rest. */
static const char *nodes_detail(analysis *a, rig_error *err, rig_status *status)
{
    all_but(a, MEMBER_NODES);
    rig_request request = active_request(a);
    *status = RIG_OK;
    for (int nodes = a->request->nodes_least - 1; nodes >= 1 && *status == RIG_OK; nodes--) {
        trial found;
        request.nodes_least = request.nodes_most = nodes;
        *status = solve(a, &request, RIG_OBJECTIVE_PRICE, &found, err);
        if (*status == RIG_OK && found.is_feasible) {
            return nodes == 1 ? "one machine would do"
                              : rig__arena_format(a->arena, "%d nodes would do", nodes);
        }
    }
    return "no smaller number alone would do";
}

/* Feasible when the numeric limit at this place of the active conditions becomes `bound`? */
static rig_status
try_bound(const analysis *a, size_t at_condition, double bound, bool *out, rig_error *err)
{
    rig_request request = active_request(a);
    trial found;
    rig_condition relaxed = a->request->conditions[at_condition];
    relaxed.number = bound;
    a->conditions[request.n_conditions++] = relaxed;
    RIG_TRY(solve(a, &request, RIG_OBJECTIVE_PRICE, &found, err));
    *out = found.is_feasible;
    return RIG_OK;
}

/* The nearest bound that works, by bisection between the present one and one that surely does. */
static rig_status relax_limit(analysis *a, size_t at_condition, double *out, rig_error *err)
{
    const rig_condition *condition = &a->request->conditions[at_condition];
    const bool is_upper = condition->comparison == RIG_LE || condition->comparison == RIG_LT;
    double bad = condition->number, good = is_upper ? fmax(1, 2 * bad) : bad / 2;
    bool works = false;
    for (int i = 0; i < BISECTIONS && !works; i++) {
        RIG_TRY(try_bound(a, at_condition, good, &works, err));
        if (!works) {
            bad = good;
            good = is_upper ? good * 2 : good / 2;
        }
    }
    for (int i = 0; works && i < BISECTIONS; i++) {
        const double middle = (good + bad) / 2;
        bool middle_works = false;
        RIG_TRY(try_bound(a, at_condition, middle, &middle_works, err));
        if (middle_works) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    *out = works ? good : (double)NAN;
    return RIG_OK;
}

static const char *condition_detail(analysis *a, size_t at, rig_error *err, rig_status *status)
{
    const size_t at_condition = at - N_FIXED_MEMBERS;
    const rig_condition *condition = &a->request->conditions[at_condition];
    bool works = false;
    all_but(a, at);
    *status = is_feasible(a, &works, err);
    if (*status != RIG_OK || !works) {
        return "leaving it out alone would not do";
    }
    const bool is_equal = condition->comparison == RIG_EQ || condition->comparison == RIG_NE;
    if (condition->kind == RIG_CONDITION_LIMIT && !is_equal) {
        double bound = NAN;
        *status = relax_limit(a, at_condition, &bound, err);
        if (*status == RIG_OK && !isnan(bound)) {
            return rig__arena_format(
                a->arena,
                "%s%s %s %.4g would do",
                condition->is_of_all && condition->total != RIG_TOTAL_PRICE_USD ? "total_" : "",
                rig_total_name(condition->total),
                condition->comparison == RIG_LE || condition->comparison == RIG_LT ? "<=" : ">=",
                bound);
        }
    }
    return "leaving it out alone would do";
}

static const char *detail_of(analysis *a, size_t at, rig_error *err, rig_status *status)
{
    *status = RIG_OK;
    if (at == MEMBER_BUDGET) {
        return budget_detail(a, err, status);
    }
    if (at == MEMBER_EPOCH_TIME) {
        return epoch_detail(a, err, status);
    }
    if (at == MEMBER_CIRCUIT) {
        return "a stronger mains circuit would do";
    }
    if (at == MEMBER_NODES) {
        return nodes_detail(a, err, status);
    }
    return condition_detail(a, at, err, status);
}

/* A forbidden thing reads as a wish without its kind. */
static const char *condition_name(const analysis *a, const rig_condition *condition)
{
    static const char *const kinds[] = {"require", "forbid", "limit", "fix", "own"};
    return rig__arena_format(a->arena, "%s %s", kinds[condition->kind], condition->text);
}

static const char *name_of(const analysis *a, size_t at)
{
    char text[48];
    switch (at) {
    case MEMBER_BUDGET:
        return rig__arena_format(a->arena,
                                 "budget USD %s",
                                 rig_format_money(text, sizeof text, a->request->budget_cents));
    case MEMBER_EPOCH_TIME:
        return rig__arena_format(
            a->arena,
            "epoch time at most %s",
            rig_format_duration(text, sizeof text, a->request->epoch_time_max_s));
    case MEMBER_CIRCUIT:
        return rig__arena_format(a->arena,
                                 a->request->nodes_most > 1 ? "mains circuit %.0f W of each node"
                                                            : "mains circuit %.0f W",
                                 a->request->circuit_w);
    case MEMBER_NODES:
        return a->request->nodes_least == a->request->nodes_most
                   ? rig__arena_format(a->arena, "%d nodes", a->request->nodes_least)
                   : rig__arena_format(a->arena, "%d nodes or more", a->request->nodes_least);
    default:
        return condition_name(a, &a->request->conditions[at - N_FIXED_MEMBERS]);
    }
}

static rig_status list_members(analysis *a, const bool *is_member, rig_error *err)
{
    rig_result *result = a->result;
    for (size_t i = 0; i < a->n_members; i++) {
        rig_status status = RIG_OK;
        if (!is_member[i]) {
            continue;
        }
        const char *detail = detail_of(a, i, err, &status);
        const char *name = name_of(a, i);
        if (status != RIG_OK) {
            return status;
        }
        if (name == NULL || detail == NULL) {
            return rig__error_nomem(err);
        }
        result->conflict[result->n_conflict++] = (rig_conflict){name, detail};
    }
    if (result->n_conflict == 0) {
        const rig_catalog_summary *summary = rig_catalog_summary_get(a->catalog);
        const size_t n_left_out = summary->excluded_date + summary->excluded_trust +
                                  summary->excluded_used + summary->excluded_absurd;
        const char *detail = rig__arena_format(a->arena,
                                               "no machine of this catalogue can run it, whatever "
                                               "the other conditions (%zu prices are "
                                               "left out by date, trust or kind)",
                                               n_left_out);
        if (detail == NULL) {
            return rig__error_nomem(err);
        }
        result->conflict[result->n_conflict++] = (rig_conflict){"workload", detail};
    }
    return RIG_OK;
}

/* The least budget is also worth knowing when the budget is not in the conflict. */
static rig_status least_budget(analysis *a, rig_error *err)
{
    trial found;
    if (a->result->least_budget_cents >= 0) {
        return RIG_OK;
    }
    all_but(a, MEMBER_BUDGET);
    const rig_request request = active_request(a);
    RIG_TRY(solve(a, &request, RIG_OBJECTIVE_PRICE, &found, err));
    a->result->least_budget_cents = found.is_feasible ? found.price_cents : -1;
    return RIG_OK;
}

rig_status rig__explain_conflict(rig_result *result,
                                 const rig_catalog *catalog,
                                 const rig_constants *constants,
                                 rig__arena *arena,
                                 rig_error *err)
{
    bool is_stopped = false;
    analysis a = {.catalog = catalog,
                  .constants = constants,
                  .request = &result->request,
                  .result = result,
                  .arena = arena,
                  .is_stopped = &is_stopped};
    a.n_members = N_FIXED_MEMBERS + result->request.n_conditions;
    a.is_active = rig__arena_alloc(arena, a.n_members, sizeof *a.is_active);
    a.conditions = rig__arena_alloc(arena, a.n_members + 1, sizeof *a.conditions);
    bool *is_member = rig__arena_alloc(arena, a.n_members, sizeof *is_member);
    result->conflict = rig__arena_alloc(arena, a.n_members + 1, sizeof *result->conflict);
    if (a.is_active == NULL || a.conditions == NULL || is_member == NULL ||
        result->conflict == NULL) {
        return rig__error_nomem(err);
    }
    RIG_TRY(delete_filter(&a, err));
    memcpy(is_member, a.is_active, a.n_members * sizeof *is_member);
    RIG_TRY(list_members(&a, is_member, err));
    RIG_TRY(least_budget(&a, err));
    result->is_conflict_minimal = !is_stopped;
    return RIG_OK;
}
