/* SPDX-License-Identifier: GPL-3.0-or-later
 * Beginning, checking and handing over an answer. */
#include "optimizer/answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum { MOST_BUILDS = 100 };

rig_status rig__answer_check(const rig_request *request, rig_error *err)
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
    if (!isnan(request->circuit_w) && !(request->circuit_w > 0 && isfinite(request->circuit_w))) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "the mains circuit is out of range (expected more than 0 W)");
    }
    if (request->nodes_least < 1 || request->nodes_most > RIG_MAX_NODES ||
        request->nodes_least > request->nodes_most) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "number of nodes out of range: '%d..%d' (expected 1 to %d, the least "
                              "first)",
                              request->nodes_least,
                              request->nodes_most,
                              RIG_MAX_NODES);
    }
    if ((unsigned)request->objective > RIG_OBJECTIVE_IMAGES_PER_DOLLAR ||
        (unsigned)request->distinct > RIG_DISTINCT_HOST) {
        return rig__error_set(
            err, RIG_E_INVALID, NULL, 0, 0, "objective or distinctness is no value of its list");
    }
    if (request->solver == NULL) {
        return rig__error_set(err, RIG_E_INVALID, NULL, 0, 0, "no solver is named");
    }
    if (rig_solver_find(request->solver) == NULL) {
        return rig__error_set(
            err, RIG_E_INVALID, NULL, 0, 0, "no such solver: '%s'", request->solver);
    }
    return RIG_OK;
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
check_conditions(const rig__answer *answer, const rig_build_report *report, rig_error *err)
{
    const rig_request *request = &answer->result->request;
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->kind == RIG_CONDITION_LIMIT) {
            const double value =
                rig_condition_total(condition, &report->totals, report->price_cents);
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

static rig_status check_build(const rig__answer *answer,
                              const rig__choice *choice,
                              const rig_build_report *report,
                              rig_error *err)
{
    rig_violation violation;
    char detail[128];
    if (rig_build_check(&report->build, answer->catalog, answer->constants, true, &violation, 1) >
        0) {
        return disagreement(err, violation.rule, violation.message);
    }
    if (report->price_cents != rig__choice_price(choice) ||
        report->price_cents > answer->result->request.budget_cents) {
        return disagreement(err,
                            "price",
                            report->build.parts[RIG_TABLE_GPU].row == NULL
                                ? "server"
                                : report->build.parts[RIG_TABLE_GPU].row->name);
    }
    if (!rig__near(report->prediction.images_per_s, rig__choice_all_rate(choice))) {
        (void)snprintf(detail,
                       sizeof detail,
                       "%.17g images/s by the model, %.17g by the program",
                       report->prediction.images_per_s,
                       rig__choice_all_rate(choice));
        return disagreement(err, "rate", detail);
    }
    if (!rig__optimizer_build_fits_workload(
            &report->build, &choice->space->request->workload, answer->constants) ||
        report->prediction.is_out_of_memory) {
        return disagreement(err, "capacity", "the workload does not fit");
    }
    return check_conditions(answer, report, err);
}

rig_status rig__answer_report(rig__answer *answer,
                              const rig__choice *choices,
                              size_t n_choices,
                              rig_error *err)
{
    rig_result *result = answer->result;
    result->builds = rig__arena_alloc(answer->arena, n_choices, sizeof *result->builds);
    if (result->builds == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < n_choices; i++) {
        const rig_build build = rig__choice_build(choices[i].space, &choices[i]);
        rig_build_report *report = &result->builds[i];
        RIG_TRY(rig__optimizer_report_fill(report,
                                           &build,
                                           answer->catalog,
                                           answer->constants,
                                           &result->request,
                                           answer->arena,
                                           err));
        RIG_TRY(check_build(answer, &choices[i], report, err));
        report->rank = (int)i + 1;
        result->n_builds = i + 1;
    }
    return RIG_OK;
}

/* ---- begin and end ---- */

/* Does a condition tell any part of its table from another? One that does not is likely a slip. */
static bool is_idle(const rig__answer *answer, const rig_condition *condition)
{
    const bool is_filter =
        (condition->kind == RIG_CONDITION_REQUIRE || condition->kind == RIG_CONDITION_FORBID) &&
        !condition->column_is_count;
    const bool matches_by_allowing = condition->kind == RIG_CONDITION_REQUIRE;
    if (!is_filter) {
        return false;
    }
    const size_t n_rows = rig_catalog_count(answer->catalog, condition->table);
    for (size_t i = 0; i < n_rows; i++) {
        const rig_row *row = rig_catalog_row(answer->catalog, condition->table, i);
        if (rig_condition_allows(condition, row, 1) == matches_by_allowing) {
            return false;
        }
    }
    return true;
}

static void warn_conditions(rig__answer *answer)
{
    const rig_request *request = &answer->result->request;
    for (size_t i = 0; i < request->n_conditions; i++) {
        if (is_idle(answer, &request->conditions[i])) {
            rig__text_list_add(&answer->warnings,
                               "no %s of the catalogue matches '%s'",
                               rig_table_singular(request->conditions[i].table),
                               request->conditions[i].text);
        }
    }
}

/* Baseboards are sold to server makers; without a board that takes one they cannot be a purchase.
 */
static void warn_baseboards(rig__answer *answer)
{
    const size_t n_boards = rig_catalog_count(answer->catalog, RIG_TABLE_BOARD);
    const size_t n_baseboards = rig_catalog_count(answer->catalog, RIG_TABLE_BASEBOARD);
    for (size_t i = 0; i < n_baseboards; i++) {
        const rig_baseboard *baseboard =
            (const rig_baseboard *)rig_catalog_row(answer->catalog, RIG_TABLE_BASEBOARD, i);
        bool is_taken = false;
        for (size_t j = 0; j < n_boards && !is_taken; j++) {
            const rig_board *board =
                (const rig_board *)rig_catalog_row(answer->catalog, RIG_TABLE_BOARD, j);
            is_taken = rig__is_same_text(board->gpu_form, baseboard->form);
        }
        if (!is_taken) {
            rig__text_list_add(&answer->warnings,
                               "no board of the catalogue takes '%s' baseboards: such GPUs come in "
                               "complete servers only",
                               baseboard->form);
        }
    }
}

static void warn_removed(rig__answer *answer)
{
    const rig__removed *removed = &answer->cluster.removed;
    rig__text_list *list = &answer->warnings;
    if (removed->not_known > 0) {
        rig__text_list_add(list,
                           "%zu part(s) left out because a figure that decides whether they fit is "
                           "not known",
                           removed->not_known);
    }
    if (removed->unmeasured > 0) {
        rig__text_list_add(
            list,
            "%zu GPU option(s) left out because no GPU of their make has been measured "
            "(--unmeasured offers them)",
            removed->unmeasured);
    }
    if (removed->by_condition > 0) {
        rig__text_list_add(
            list, "%zu option(s) left out by the conditions of the request", removed->by_condition);
    }
    const rig_catalog_summary *summary = rig_catalog_summary_get(answer->catalog);
    if (summary->excluded_used + summary->excluded_absurd + summary->excluded_date +
            summary->excluded_trust >
        0) {
        rig__text_list_add(
            list,
            "prices left out: %zu second-hand or launch, %zu absurd, %zu too old, %zu of too "
            "low trust",
            summary->excluded_used,
            summary->excluded_absurd,
            summary->excluded_date,
            summary->excluded_trust);
    }
}

static void warn_unjoined(rig__answer *answer)
{
    if (answer->cluster.unjoined_nodes > 1) {
        rig__text_list_add(&answer->warnings,
                           "no network card and switch of the catalogue join %d nodes (one switch "
                           "joins all of them; switches behind switches are not planned)",
                           answer->cluster.unjoined_nodes);
    }
}

void rig__answer_summarise(rig__answer *answer)
{
    rig_proof *proof = &answer->result->proof;
    proof->n_options = (int64_t)answer->cluster.n_options;
    proof->n_reduced = (int64_t)answer->cluster.n_reduced;
    warn_conditions(answer);
    warn_baseboards(answer);
    warn_removed(answer);
    warn_unjoined(answer);
    rig__optimizer_assumptions(&answer->result->request, &answer->assumptions);
}

rig_status rig__answer_begin(rig__answer *answer,
                             const rig_catalog *catalog,
                             const rig_constants *constants,
                             const rig_request *request,
                             rig_error *err)
{
    memset(answer, 0, sizeof *answer);
    RIG_TRY(rig__answer_check(request, err));
    answer->catalog = catalog;
    answer->constants = constants;
    answer->arena = rig__arena_new();
    answer->scratch = rig__arena_new();
    answer->result =
        answer->arena == NULL ? NULL : rig__arena_alloc(answer->arena, 1, sizeof *answer->result);
    if (answer->scratch == NULL || answer->result == NULL) {
        return rig__error_nomem(err);
    }
    answer->warnings.arena = answer->assumptions.arena = answer->reasons.arena = answer->arena;
    answer->result->arena = answer->arena;
    answer->result->request = *request;
    answer->result->least_budget_cents = -1;
    answer->result->catalog_hash = rig_catalog_summary_get(catalog)->hash;
    return rig__cluster_new(
        &answer->cluster, answer->scratch, catalog, constants, &answer->result->request, true, err);
}

rig_status rig__answer_end(rig__answer *answer, rig_status status, rig_result **out, rig_error *err)
{
    rig__arena_free(answer->scratch);
    if (status == RIG_OK &&
        (answer->warnings.is_nomem || answer->assumptions.is_nomem || answer->reasons.is_nomem)) {
        status = rig__error_nomem(err);
    }
    if (status != RIG_OK) {
        rig__arena_free(answer->arena);
        return status;
    }
    answer->result->warnings = answer->warnings.texts;
    answer->result->assumptions = answer->assumptions.texts;
    answer->result->reasons = answer->reasons.texts;
    *out = answer->result;
    return RIG_OK;
}
