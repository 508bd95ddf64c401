/* SPDX-License-Identifier: GPL-3.0-or-later
 * The frontier: every build that no other build of the same price or less outruns. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/answer.h"
#include "solvers/choice.h"
#include "trainrig/units.h"

/* Points found from the dearest down; grows as needed. */
typedef struct points {
    rig__arena *arena;
    rig__choice *choices;
    size_t n, cap;
} points;

static rig_status points_add(points *list, const rig__choice *choice, rig_error *err)
{
    if (list->n == list->cap) {
        const size_t cap = list->cap == 0 ? 64 : 2 * list->cap;
        rig__choice *larger = rig__arena_alloc(list->arena, cap, sizeof *larger);
        if (larger == NULL) {
            return rig__error_nomem(err);
        }
        if (list->n > 0) {
            memcpy(larger, list->choices, list->n * sizeof *larger);
        }
        list->choices = larger;
        list->cap = cap;
    }
    list->choices[list->n++] = *choice;
    return RIG_OK;
}

/* The fastest build within a budget, at its least price, is on the frontier; so is the next one
 * below that price, and so on down. */
static rig_status
walk(rig__answer *answer, int64_t from_cents, int64_t to_cents, points *list, rig_error *err)
{
    rig_result *result = answer->result;
    rig__question question = rig__cluster_question(&answer->cluster);
    question.budget_cents = to_cents;
    question.top = 1;
    result->outcome = RIG_OUTCOME_OPTIMAL;
    const double limit_s = result->request.time_limit_s, end_s = rig__clock_s() + limit_s;
    while (question.budget_cents >= from_cents) {
        rig__found found;
        /* one search must not take more than what is left for all of them */
        result->request.time_limit_s = fmax(end_s - rig__clock_s(), 0.0);
        const rig_status status = rig__cluster_search(&answer->cluster, &question, &found, err);
        result->request.time_limit_s = limit_s;
        RIG_TRY(status);
        result->proof.n_evaluated += found.n_evaluated;
        if (!found.is_complete) {
            result->outcome = RIG_OUTCOME_FEASIBLE;
            return RIG_OK;
        }
        if (found.n_choices == 0 || rig__choice_price(&found.choices[0]) < from_cents) {
            return RIG_OK;
        }
        RIG_TRY(points_add(list, &found.choices[0], err));
        question.budget_cents = rig__choice_price(&found.choices[0]) - 1;
    }
    return RIG_OK;
}

static void reverse(points *list)
{
    for (size_t i = 0; i + 1 < list->n - i; i++) {
        const rig__choice held = list->choices[i];
        list->choices[i] = list->choices[list->n - 1 - i];
        list->choices[list->n - 1 - i] = held;
    }
}

/* What changes from one point to the next, as "gpu, cpu, psu". */
static const char *changes(rig__arena *arena, const rig_build *before, const rig_build *after)
{
    const char *text = rig_build_nodes(before) == rig_build_nodes(after) ? "" : "nodes";
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *a = &before->parts[i], *b = &after->parts[i];
        if (text != NULL && (a->row != b->row || a->count != b->count)) {
            text = rig__arena_format(
                arena, "%s%s%s", text, *text == '\0' ? "" : ", ", rig_table_singular((rig_table)i));
        }
    }
    return text;
}

static rig_status comment(rig__answer *answer, rig_error *err)
{
    rig_result *result = answer->result;
    for (size_t i = 1; i < result->n_builds; i++) {
        const rig_build_report *before = &result->builds[i - 1];
        rig_build_report *after = &result->builds[i];
        const double more = (double)(after->price_cents - before->price_cents) / 100.0;
        const double gain = after->prediction.images_per_s - before->prediction.images_per_s;
        const char *what = changes(answer->arena, &before->build, &after->build);
        after->comment =
            what == NULL
                ? NULL
                : rig__arena_format(
                      answer->arena, "%s; +%.1f images/s for USD %.2f more", what, gain, more);
        if (after->comment == NULL) {
            return rig__error_nomem(err);
        }
    }
    return RIG_OK;
}

static rig_status
frontier(rig__answer *answer, int64_t from_cents, int64_t to_cents, rig_error *err)
{
    rig_result *result = answer->result;
    points list = {.arena = answer->scratch};
    RIG_TRY(walk(answer, from_cents, to_cents, &list, err));
    if (list.n == 0) {
        result->outcome =
            result->outcome == RIG_OUTCOME_OPTIMAL ? RIG_OUTCOME_INFEASIBLE : RIG_OUTCOME_LIMIT;
    } else {
        reverse(&list);
        result->proof.bound_images_per_s = rig__choice_all_rate(&list.choices[list.n - 1]);
    }
    result->proof.method =
        result->request.nodes_most > 1
            ? "bounded enumeration of every number of nodes, network, host and GPU, point by point"
            : "bounded enumeration of every host and GPU pair, point by point";
    RIG_TRY(rig__answer_report(answer, list.choices, list.n, err));
    rig__answer_summarise(answer);
    return comment(answer, err);
}

rig_status rig_frontier(rig_result **out,
                        const rig_catalog *catalog,
                        const rig_constants *constants,
                        const rig_request *request,
                        int64_t from_cents,
                        int64_t to_cents,
                        rig_error *err)
{
    rig__answer answer;
    rig_request whole = *request;
    whole.budget_cents = to_cents;
    whole.objective = RIG_OBJECTIVE_EPOCH_TIME;
    *out = NULL;
    if (from_cents > to_cents) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "the lower budget is above the upper one (expected from <= to)");
    }
    rig_status status = rig__answer_begin(&answer, catalog, constants, &whole, err);
    if (status == RIG_OK) {
        status = frontier(&answer, from_cents, to_cents, err);
    }
    return rig__answer_end(&answer, status, out, err);
}
