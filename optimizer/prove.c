/* SPDX-License-Identifier: GPL-3.0-or-later
 * Certifies and finds best machines with a solver of choice problems. */
#include "optimizer/prove.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/complete.h"
#include "optimizer/formulate.h"

/* Rates nearer than this are one rate: the sums of a linear row are rounded. */
static const double rate_resolution = 1e-6;

bool rig__program_applies(const rig_request *request, const rig__question *question)
{
    return request->workload.is_overlapped && (question->objective == RIG_OBJECTIVE_EPOCH_TIME ||
                                               question->objective == RIG_OBJECTIVE_PRICE);
}

void rig__choice_rate(const rig__space *space, rig_objective objective, rig__choice *choice)
{
    const rig__host *host = &space->hosts[choice->at[RIG__GROUP_HOST]];
    const rig__gpu_option *gpu = &space->gpus[choice->at[RIG__GROUP_GPU]];
    const rig__memory_option *memory = &space->memories[choice->at[RIG__GROUP_MEMORY]];
    const rig__drive_option *drive = &space->drives[choice->at[RIG__GROUP_DRIVE]];
    choice->space = space;
    const rig__pair pair = {.host = choice->at[RIG__GROUP_HOST], .gpu = choice->at[RIG__GROUP_GPU]};
    choice->rate =
        fmin(rig__host_gpu_rate(space, host, gpu),
             fmin(rig__host_memory_rate(space, host, memory),
                  rig__storage_rate(
                      space, &pair, choice->at[RIG__GROUP_MEMORY], choice->at[RIG__GROUP_DRIVE])));
    choice->power_w = host->option.total[RIG_TOTAL_POWER_W] + gpu->option.total[RIG_TOTAL_POWER_W] +
                      memory->option.total[RIG_TOTAL_POWER_W] +
                      drive->option.total[RIG_TOTAL_POWER_W] + space->network.nic_w;
    choice->objective = rig__objective_value(space, objective, choice);
}

typedef struct program_answer {
    rig_outcome outcome;
    rig__choice choice;
} program_answer;

/* The callback's payload is not const, so the request goes in a holder. */
typedef struct cancel_holder {
    const rig_request *request;
} cancel_holder;

static bool solve_limits_cancelled(void *payload)
{
    const rig_request *request = ((const cancel_holder *)payload)->request;
    return request->is_cancelled != NULL && request->is_cancelled(request->payload);
}

/* Solves one program in an arena of its own, so that a long proof does not pile up memory. */
static rig_status solve_program(const rig__space *space,
                                const rig__program_question *question,
                                rig_objective objective,
                                rig__proof_work *work,
                                program_answer *out,
                                rig_error *err)
{
    const rig_solver *solver = rig_solver_find(space->request->solver);
    rig__arena *arena = rig__arena_new();
    rig__program program;
    size_t chosen[RIG__N_GROUPS] = {0};
    rig_choice_solution solution = {.chosen = chosen};
    cancel_holder holder = {space->request};
    const rig_solver_limits limits = {
        space->request->time_limit_s, solve_limits_cancelled, &holder};
    out->outcome = RIG_OUTCOME_INFEASIBLE;
    rig_status status = arena == NULL ? rig__error_nomem(err)
                                      : rig__formulate(space, question, arena, &program, err);
    if (status != RIG_OK || program.is_trivially_infeasible) {
        goto done;
    }
    status = solver->solve(&program.problem, &limits, &solution, err);
    work->n_calls++;
    work->n_nodes += solution.nodes;
    if (status != RIG_OK) {
        goto done;
    }
    out->outcome = solution.outcome;
    work->is_stopped |=
        solution.outcome == RIG_OUTCOME_LIMIT || solution.outcome == RIG_OUTCOME_FEASIBLE;
    if (solution.outcome == RIG_OUTCOME_OPTIMAL || solution.outcome == RIG_OUTCOME_FEASIBLE) {
        for (int group = 0; group < RIG__N_GROUPS; group++) {
            out->choice.at[group] = program.origin[group][chosen[group]];
        }
        out->choice.cost_cents = solution.cost;
        rig__choice_rate(space, objective, &out->choice);
    }
done:
    rig__arena_free(arena);
    return status;
}

static rig_status contradiction(rig_error *err, const char *what, double found, double proved)
{
    return rig__error_set(err,
                          RIG_E_SOLVER,
                          NULL,
                          0,
                          0,
                          "integer program and search disagree: %s %.17g against %.17g",
                          what,
                          found,
                          proved);
}

/* No machine of this space, of a signature outside the first i, is faster than choice i. */
static rig_status certify_rate(const rig__space *space,
                               const rig__question *question,
                               const rig__found *found,
                               size_t i,
                               rig__proof_work *work,
                               rig_error *err)
{
    program_answer answer;
    rig__question asked;
    const double rate = rig__choice_all_rate(&found->choices[i]);
    if (!rig__cluster_question_for(space, question, &asked)) {
        return RIG_OK;
    }
    const rig__program_question faster = {
        rate / space->nodes * (1 + rate_resolution), asked.budget_cents, found->choices, i};
    RIG_TRY(solve_program(space, &faster, question->objective, work, &answer, err));
    if (answer.outcome == RIG_OUTCOME_OPTIMAL) {
        return contradiction(err, "images/s", rate, rig__choice_all_rate(&answer.choice));
    }
    return RIG_OK;
}

/* None of its own space as fast (or fast enough, when the price is the objective) is cheaper than
 * choice i. */
static rig_status certify_cost(const rig__question *question,
                               const rig__found *found,
                               size_t i,
                               rig__proof_work *work,
                               rig_error *err)
{
    program_answer answer;
    const rig__choice *choice = &found->choices[i];
    const rig__space *space = choice->space;
    const rig__program_question cheaper = {question->objective == RIG_OBJECTIVE_PRICE
                                               ? question->least_rate / space->nodes
                                               : choice->rate,
                                           choice->cost_cents,
                                           found->choices,
                                           i};
    RIG_TRY(solve_program(space, &cheaper, question->objective, work, &answer, err));
    if (answer.outcome == RIG_OUTCOME_INFEASIBLE ||
        (answer.outcome == RIG_OUTCOME_OPTIMAL && answer.choice.cost_cents != choice->cost_cents)) {
        return contradiction(err,
                             "cents",
                             (double)choice->cost_cents,
                             answer.outcome == RIG_OUTCOME_OPTIMAL
                                 ? (double)answer.choice.cost_cents
                                 : (double)INFINITY);
    }
    return RIG_OK;
}

/* None of another space, fast enough, is cheaper than choice i. */
static rig_status certify_price(const rig__space *space,
                                const rig__question *question,
                                const rig__found *found,
                                size_t i,
                                rig__proof_work *work,
                                rig_error *err)
{
    program_answer answer;
    const int64_t price = rig__choice_price(&found->choices[i]);
    const rig__program_question cheaper = {question->least_rate / space->nodes,
                                           rig__space_node_budget(space, price - 1),
                                           found->choices,
                                           i};
    if (space == found->choices[i].space || cheaper.cost_limit < 0) {
        return RIG_OK;
    }
    RIG_TRY(solve_program(space, &cheaper, question->objective, work, &answer, err));
    return answer.outcome == RIG_OUTCOME_OPTIMAL
               ? contradiction(err,
                               "cents",
                               (double)price,
                               (double)rig__space_price(space, answer.choice.cost_cents))
               : RIG_OK;
}

static rig_status certify_choice(const rig__cluster *cluster,
                                 const rig__question *question,
                                 const rig__found *found,
                                 size_t i,
                                 rig__proof_work *work,
                                 rig_error *err)
{
    const bool is_by_price = question->objective == RIG_OBJECTIVE_PRICE;
    for (size_t j = 0; j < cluster->n_spaces && !work->is_stopped; j++) {
        RIG_TRY((is_by_price ? certify_price
                             : certify_rate)(&cluster->spaces[j], question, found, i, work, err));
    }
    return work->is_stopped ? RIG_OK : certify_cost(question, found, i, work, err);
}

rig_status rig__prove(const rig__cluster *cluster,
                      const rig__question *question,
                      const rig__found *found,
                      rig__proof_work *work,
                      rig_error *err)
{
    for (size_t i = 0; i < found->n_choices && !work->is_stopped; i++) {
        RIG_TRY(certify_choice(cluster, question, found, i, work, err));
    }
    if (found->n_choices > 0 || !found->is_complete) {
        return RIG_OK;
    }
    for (size_t i = 0; i < cluster->n_spaces && !work->is_stopped; i++) {
        program_answer answer;
        rig__question asked;
        if (!rig__cluster_question_for(&cluster->spaces[i], question, &asked)) {
            continue;
        }
        const rig__program_question any = {
            fmax(asked.least_rate, nextafter(0, 1)), asked.budget_cents, NULL, 0};
        RIG_TRY(solve_program(&cluster->spaces[i], &any, question->objective, work, &answer, err));
        if (answer.outcome == RIG_OUTCOME_OPTIMAL) {
            return contradiction(err, "images/s", 0, rig__choice_all_rate(&answer.choice));
        }
    }
    return RIG_OK;
}

/* ---- by the program alone -------------------------------------------------------------------- */

/* The fastest rate within the budget, for machines outside the first n of the list. */
static rig_status fastest(const rig__space *space,
                          const rig__question *question,
                          const rig__found *found,
                          rig__proof_work *work,
                          program_answer *best,
                          rig_error *err)
{
    double low = fmax(question->least_rate, nextafter(0, 1)), high = 0;
    best->outcome = RIG_OUTCOME_INFEASIBLE;
    for (size_t i = 0; i < space->n_gpus; i++) {
        high = fmax(high, space->gpus[i].best_rate);
    }
    double target = low;
    while (target <= high && !work->is_stopped) {
        program_answer answer;
        const rig__program_question asked = {
            target, question->budget_cents, found->choices, found->n_choices};
        RIG_TRY(solve_program(space, &asked, question->objective, work, &answer, err));
        if (answer.outcome == RIG_OUTCOME_INFEASIBLE) {
            if (target <= low) {
                break;
            }
            high = nextafter(target, 0);
        } else if (answer.outcome == RIG_OUTCOME_OPTIMAL) {
            *best = answer;
            low = answer.choice.rate * (1 + rate_resolution);
        }
        const double middle = low + (high - low) / 2;
        target = middle > low * (1 + rate_resolution) ? middle : low;
    }
    return RIG_OK;
}

static rig_status next_choice(const rig__space *space,
                              const rig__question *question,
                              const rig__found *found,
                              rig__proof_work *work,
                              program_answer *best,
                              rig_error *err)
{
    rig__program_question cheapest = {fmax(question->least_rate, nextafter(0, 1)),
                                      question->budget_cents,
                                      found->choices,
                                      found->n_choices};
    if (question->objective == RIG_OBJECTIVE_EPOCH_TIME) {
        RIG_TRY(fastest(space, question, found, work, best, err));
        if (best->outcome != RIG_OUTCOME_OPTIMAL || work->is_stopped) {
            return RIG_OK;
        }
        cheapest.least_rate = best->choice.rate;
    }
    return solve_program(space, &cheapest, question->objective, work, best, err);
}

rig_status rig__search_by_program(const rig__space *space,
                                  const rig__question *question,
                                  rig__found *out,
                                  rig__proof_work *work,
                                  rig_error *err)
{
    memset(out, 0, sizeof *out);
    out->choices = rig__arena_alloc(space->arena, question->top, sizeof *out->choices);
    if (out->choices == NULL) {
        return rig__error_nomem(err);
    }
    while (out->n_choices < question->top && !work->is_stopped) {
        program_answer best = {.outcome = RIG_OUTCOME_INFEASIBLE};
        RIG_TRY(next_choice(space, question, out, work, &best, err));
        if (best.outcome != RIG_OUTCOME_OPTIMAL && best.outcome != RIG_OUTCOME_FEASIBLE) {
            break;
        }
        out->choices[out->n_choices++] = best.choice;
    }
    out->is_complete = !work->is_stopped;
    if (out->n_choices > 0) {
        out->bound_objective = out->choices[0].objective;
        out->bound_rate = rig__choice_all_rate(&out->choices[0]);
    }
    return RIG_OK;
}

rig_status rig__cluster_by_program(const rig__cluster *cluster,
                                   const rig__question *question,
                                   rig__found *out,
                                   rig__proof_work *work,
                                   rig_error *err)
{
    memset(out, 0, sizeof *out);
    out->choices = rig__arena_alloc(cluster->arena, question->top, sizeof *out->choices);
    if (out->choices == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < cluster->n_spaces && !work->is_stopped; i++) {
        rig__question asked;
        rig__found part;
        if (!rig__cluster_question_for(&cluster->spaces[i], question, &asked)) {
            continue;
        }
        RIG_TRY(rig__search_by_program(&cluster->spaces[i], &asked, &part, work, err));
        for (size_t j = 0; j < part.n_choices; j++) {
            rig__choice_offer(out->choices, &out->n_choices, question->top, &part.choices[j]);
        }
    }
    out->is_complete = !work->is_stopped;
    if (out->n_choices > 0) {
        out->bound_objective = out->choices[0].objective;
        out->bound_rate = rig__choice_all_rate(&out->choices[0]);
    }
    return RIG_OK;
}
