/* SPDX-License-Identifier: GPL-3.0-or-later
 * The main job: search, proof, and explanation of the best builds. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/answer.h"
#include "optimizer/explain.h"
#include "optimizer/prove.h"

static const char method_search[] = "bounded enumeration of every host and GPU pair";
static const char method_both[] =
    "bounded enumeration of every host and GPU pair, certified by integer programming";
static const char method_program[] = "threshold search by integer programming";

static const char method_nodes[] =
    "bounded enumeration of every number of nodes, network, host and GPU";
static const char method_nodes_both[] = "bounded enumeration of every number of nodes, network, "
                                        "host and GPU, certified by integer programming";

static rig_status solve(const rig__cluster *cluster,
                        rig__found *found,
                        rig__proof_work *work,
                        rig_proof *proof,
                        rig_error *err)
{
    const rig__question question = rig__cluster_question(cluster);
    const bool is_auto = strcmp(cluster->request->solver, "auto") == 0;
    const bool is_single = cluster->request->nodes_most == 1;
    proof->method = is_single ? method_search : method_nodes;
    if (!rig__program_applies(cluster->request, &question)) {
        return rig__cluster_search(cluster, &question, found, err);
    }
    if (!is_auto) {
        proof->method = method_program;
        return rig__cluster_by_program(cluster, &question, found, work, err);
    }
    RIG_TRY(rig__cluster_search(cluster, &question, found, err));
    if (!found->is_complete) {
        return RIG_OK;
    }
    RIG_TRY(rig__prove(cluster, &question, found, work, err));
    if (!work->is_stopped) {
        proof->method = is_single ? method_both : method_nodes_both;
    }
    return RIG_OK;
}

static double gap_of(const rig__found *found)
{
    if (found->is_complete || found->n_choices == 0) {
        return 0;
    }
    const double best = found->choices[0].objective;
    return best == 0 ? (double)INFINITY : fabs((best - found->bound_objective) / best);
}

static void judge(rig_result *result, const rig__found *found, const rig__proof_work *work)
{
    const bool has_build = found->n_choices > 0;
    const rig_outcome proved = has_build ? RIG_OUTCOME_OPTIMAL : RIG_OUTCOME_INFEASIBLE;
    const rig_outcome stopped = has_build ? RIG_OUTCOME_FEASIBLE : RIG_OUTCOME_LIMIT;
    result->outcome = found->is_complete ? proved : stopped;
    result->proof.gap_frac = gap_of(found);
    result->proof.bound_images_per_s = found->bound_rate;
    result->proof.n_evaluated = found->n_evaluated;
    result->proof.n_solver_calls = work->n_calls;
    result->proof.n_solver_nodes = work->n_nodes;
}

static rig_status recommend(rig__answer *answer, rig_error *err)
{
    rig_result *result = answer->result;
    rig__found found = {0};
    rig__proof_work work = {0};
    RIG_TRY(solve(&answer->cluster, &found, &work, &result->proof, err));
    judge(result, &found, &work);
    RIG_TRY(rig__answer_report(answer, found.choices, found.n_choices, err));
    rig__answer_summarise(answer);
    if (result->outcome == RIG_OUTCOME_INFEASIBLE) {
        return rig__explain_conflict(
            result, answer->catalog, answer->constants, answer->arena, err);
    }
    if (result->outcome == RIG_OUTCOME_OPTIMAL) {
        return rig__explain_choice(&answer->cluster, &found, &answer->reasons, err);
    }
    return RIG_OK;
}

rig_status rig_recommend(rig_result **out,
                         const rig_catalog *catalog,
                         const rig_constants *constants,
                         const rig_request *request,
                         rig_error *err)
{
    rig__answer answer;
    *out = NULL;
    rig_status status = rig__answer_begin(&answer, catalog, constants, request, err);
    if (status == RIG_OK) {
        status = recommend(&answer, err);
    }
    return rig__answer_end(&answer, status, out, err);
}
