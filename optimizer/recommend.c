/* SPDX-License-Identifier: GPL-3.0-or-later
 * The main job: option space, search, proof, check of every answer, and its explanation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "optimizer/build_report.h"
#include "optimizer/explain.h"
#include "optimizer/pair_search.h"
#include "optimizer/prove.h"

enum { MOST_BUILDS = 100 };

static const char method_search[] = "bounded enumeration of every host and GPU pair";
static const char method_both[] =
    "bounded enumeration of every host and GPU pair, certified by integer programming";
static const char method_program[] = "threshold search by integer programming";

/* One recommendation under way. */
typedef struct recommendation {
    const rig_catalog *catalog;
    const rig_constants *constants;
    rig_result *result;
    rig__arena *arena;   /* of the result */
    rig__arena *scratch; /* of the option space */
    rig__space space;
    rig__found found;
    rig__proof_work work;
    rig__text_list warnings, assumptions, reasons;
} recommendation;

static rig_status request_check(const rig_request *request, rig_error *err)
{
    RIG_TRY(rig__optimizer_request_check(request, err));
    if (request->top < 1 || request->top > MOST_BUILDS) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "number of builds out of range: '%zu' (expected 1 to %d)",
                              request->top,
                              MOST_BUILDS);
    }
    if (request->budget_cents < 0) {
        return rig__error_set(
            err, RIG_E_INVALID, NULL, 0, 0, "the budget is negative (expected 0 or more)");
    }
    if (!(request->epoch_time_max_s > 0)) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "the longest epoch is out of range (expected more than 0 s)");
    }
    if (!(request->gap_frac >= 0) || !(request->time_limit_s >= 0)) {
        return rig__error_set(
            err, RIG_E_INVALID, NULL, 0, 0, "gap or time limit out of range (expected 0 or more)");
    }
    if (rig_solver_find(request->solver) == NULL) {
        return rig__error_set(
            err, RIG_E_INVALID, NULL, 0, 0, "no such solver: '%s'", request->solver);
    }
    return RIG_OK;
}

/* ---- search and proof ------------------------------------------------------------------------ */

static bool is_auto(const rig_request *request)
{
    return strcmp(request->solver, "auto") == 0;
}

static rig_status solve(recommendation *r, rig_error *err)
{
    const rig__question question = rig__question_of(&r->space);
    rig_proof *proof = &r->result->proof;
    if (!rig__program_applies(&r->space, &question)) {
        proof->method = method_search;
        return rig__pair_search(&r->space, &question, &r->found, err);
    }
    if (!is_auto(&r->result->request)) {
        proof->method = method_program;
        return rig__search_by_program(&r->space, &question, &r->found, &r->work, err);
    }
    proof->method = method_search;
    RIG_TRY(rig__pair_search(&r->space, &question, &r->found, err));
    if (!r->found.is_complete) {
        return RIG_OK;
    }
    RIG_TRY(rig__prove(&r->space, &question, &r->found, &r->work, err));
    if (!r->work.is_stopped) {
        proof->method = method_both;
    }
    return RIG_OK;
}

static double gap_of(const recommendation *r)
{
    if (r->found.is_complete || r->found.n_choices == 0) {
        return 0;
    }
    const double best = r->found.choices[0].objective;
    return best == 0 ? (double)INFINITY : fabs((best - r->found.bound_objective) / best);
}

static void judge(recommendation *r)
{
    rig_result *result = r->result;
    const bool has_build = r->found.n_choices > 0;
    result->outcome = r->found.is_complete
                          ? (has_build ? RIG_OUTCOME_OPTIMAL : RIG_OUTCOME_INFEASIBLE)
                          : (has_build ? RIG_OUTCOME_FEASIBLE : RIG_OUTCOME_LIMIT);
    result->proof.gap_frac = gap_of(r);
    result->proof.bound_images_per_s = r->found.bound_rate;
    result->proof.n_options = (int64_t)r->space.n_before;
    result->proof.n_reduced = (int64_t)(r->space.n_hosts + r->space.n_gpus + r->space.n_memories +
                                        r->space.n_drives + r->space.n_psus + r->space.n_chassis);
    result->proof.n_evaluated = r->found.n_evaluated;
    result->proof.n_solver_calls = r->work.n_calls;
    result->proof.n_solver_nodes = r->work.n_nodes;
}

/* ---- every answer is checked anew ------------------------------------------------------------ */

static rig_status disagreement(rig_error *err, const char *what, const char *detail)
{
    return rig__error_set(err,
                          RIG_E_SOLVER,
                          NULL,
                          0,
                          0,
                          "a recommended build does not pass the independent check: %s: %s",
                          what,
                          detail);
}

static rig_status
check_conditions(const recommendation *r, const rig_build_report *report, rig_error *err)
{
    const rig_request *request = &r->result->request;
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->kind == RIG_CONDITION_LIMIT) {
            const double value =
                rig_total_value(condition->total, &report->totals, report->price_cents);
            const double slack = 1e-5 * fmax(1, fabs(condition->number));
            const bool is_upper =
                condition->comparison == RIG_LE || condition->comparison == RIG_LT;
            const bool is_lower =
                condition->comparison == RIG_GE || condition->comparison == RIG_GT;
            if ((!is_lower && !(value <= condition->number + slack)) ||
                (!is_upper && !(value >= condition->number - slack))) {
                return disagreement(err, "limit", condition->text);
            }
            continue;
        }
        const rig_part_use *use = (size_t)condition->table < RIG_N_BUILD_CLASSES
                                      ? &report->build.parts[condition->table]
                                      : NULL;
        if (use != NULL && use->row != NULL &&
            !rig_condition_allows(condition, use->row, use->count)) {
            return disagreement(err, "condition", condition->text);
        }
    }
    return RIG_OK;
}

static rig_status check_build(const recommendation *r,
                              const rig__choice *choice,
                              const rig_build_report *report,
                              rig_error *err)
{
    rig_violation violation;
    char detail[128];
    if (rig_build_check(&report->build, r->catalog, r->constants, true, &violation, 1) > 0) {
        return disagreement(err, violation.rule, violation.message);
    }
    if (report->price_cents != choice->cost_cents + r->space.nic_cents ||
        report->price_cents > r->result->request.budget_cents) {
        return disagreement(err,
                            "price",
                            report->build.parts[RIG_TABLE_GPU].row == NULL
                                ? "server"
                                : report->build.parts[RIG_TABLE_GPU].row->name);
    }
    if (!rig__near(report->prediction.images_per_s, choice->rate)) {
        (void)snprintf(detail,
                       sizeof detail,
                       "%.17g images/s by the model, %.17g by the program",
                       report->prediction.images_per_s,
                       choice->rate);
        return disagreement(err, "rate", detail);
    }
    if (!rig__optimizer_build_fits_workload(
            &report->build, &r->result->request.workload, r->constants) ||
        report->prediction.is_out_of_memory) {
        return disagreement(err, "capacity", "the workload does not fit");
    }
    return check_conditions(r, report, err);
}

static rig_status report_builds(recommendation *r, rig_error *err)
{
    rig_result *result = r->result;
    result->builds = rig__arena_alloc(r->arena, r->found.n_choices, sizeof *result->builds);
    if (result->builds == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < r->found.n_choices; i++) {
        const rig_build build = rig__choice_build(&r->space, &r->found.choices[i]);
        rig_build_report *report = &result->builds[i];
        RIG_TRY(rig__optimizer_report_fill(
            report, &build, r->catalog, r->constants, &result->request, r->arena, err));
        RIG_TRY(check_build(r, &r->found.choices[i], report, err));
        report->rank = (int)i + 1;
        result->n_builds = i + 1;
    }
    return RIG_OK;
}

/* ---- explanation ----------------------------------------------------------------------------- */

static void warn_removed(recommendation *r)
{
    const rig__removed *removed = &r->space.removed;
    rig__text_list *list = &r->warnings;
    if (removed->not_known > 0) {
        rig__text_list_add(list,
                           "%zu parts left out because a figure that decides whether they fit is "
                           "not known",
                           removed->not_known);
    }
    if (removed->unmeasured > 0) {
        rig__text_list_add(
            list,
            "%zu GPU options left out because no GPU of their make has been measured "
            "(--unmeasured offers them)",
            removed->unmeasured);
    }
    if (removed->by_condition > 0) {
        rig__text_list_add(
            list, "%zu options left out by the conditions of the request", removed->by_condition);
    }
    const rig_catalog_summary *summary = rig_catalog_summary_get(r->catalog);
    if (summary->excluded_used + summary->excluded_absurd + summary->excluded_date +
            summary->excluded_trust >
        0) {
        rig__text_list_add(list,
                           "prices left out: %zu second-hand, %zu absurd, %zu too old, %zu of too "
                           "low trust",
                           summary->excluded_used,
                           summary->excluded_absurd,
                           summary->excluded_date,
                           summary->excluded_trust);
    }
}

static rig_status explain(recommendation *r, rig_error *err)
{
    rig_result *result = r->result;
    warn_removed(r);
    rig__optimizer_assumptions(&result->request, &r->assumptions);
    if (result->outcome == RIG_OUTCOME_INFEASIBLE) {
        RIG_TRY(rig__explain_conflict(result, r->catalog, r->constants, r->arena, err));
    } else if (result->n_builds > 0 && result->outcome == RIG_OUTCOME_OPTIMAL) {
        RIG_TRY(rig__explain_choice(&r->space, &r->found, &r->reasons, err));
    }
    result->warnings = r->warnings.texts;
    result->assumptions = r->assumptions.texts;
    result->reasons = r->reasons.texts;
    return r->warnings.is_nomem || r->assumptions.is_nomem || r->reasons.is_nomem
               ? rig__error_nomem(err)
               : RIG_OK;
}

static rig_status recommend(recommendation *r, rig_error *err)
{
    rig_result *result = r->result;
    RIG_TRY(rig__space_new(&r->space, r->scratch, r->catalog, r->constants, &result->request, err));
    RIG_TRY(rig__space_reduce(&r->space, err));
    RIG_TRY(solve(r, err));
    judge(r);
    RIG_TRY(report_builds(r, err));
    return explain(r, err);
}

rig_status rig_recommend(rig_result **out,
                         const rig_catalog *catalog,
                         const rig_constants *constants,
                         const rig_request *request,
                         rig_error *err)
{
    *out = NULL;
    RIG_TRY(request_check(request, err));
    rig_status status = RIG_E_NOMEM;
    recommendation r;
    memset(&r, 0, sizeof r);
    r.catalog = catalog;
    r.constants = constants;
    r.arena = rig__arena_new();
    r.scratch = rig__arena_new();
    r.result = r.arena == NULL ? NULL : rig__arena_alloc(r.arena, 1, sizeof *r.result);
    if (r.scratch == NULL || r.result == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    r.warnings.arena = r.assumptions.arena = r.reasons.arena = r.arena;
    r.result->arena = r.arena;
    r.result->request = *request;
    r.result->least_budget_cents = -1;
    r.result->catalog_hash = rig_catalog_summary_get(catalog)->hash;
    status = recommend(&r, err);
done:
    rig__arena_free(r.scratch);
    if (status != RIG_OK) {
        rig__arena_free(r.arena);
        return status;
    }
    *out = r.result;
    return RIG_OK;
}
