/* SPDX-License-Identifier: GPL-3.0-or-later
 * Why this build and not the obvious alternatives. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/explain.h"
#include "trainrig/units.h"

/* A little slower: what these shares of the speed cost less. */
static const double slower_shares[] = {0.98, 0.95, 0.9};
/* Preparation that runs this much faster than training is safely enough for it; processors that
 * give it are worth a line while they cost at most this share more. */
static const double ample_preparation = 1.25, worthwhile_extra = 0.05;
/* Alternatives that save less than this share of the price are not worth a line. */
static const double worthwhile_saving = 0.02;

enum { SHORT_TEXT = 192 };

static char *price_of(const rig__choice *choice, char *buffer, size_t size)
{
    return rig_format_money(buffer, size, rig__choice_price(choice));
}

/* "2 nodes of 4x NVIDIA RTX A6000 with 1x AMD EPYC 7313P", or the name of a server. */
static char *describe(const rig__choice *choice, char *buffer, size_t size)
{
    const rig__space *space = choice->space;
    const rig__host *host = &space->hosts[choice->at[RIG__GROUP_HOST]];
    const rig__gpu_option *gpu = &space->gpus[choice->at[RIG__GROUP_GPU]];
    char nodes[32] = "";
    if (space->nodes > 1) {
        (void)snprintf(nodes, sizeof nodes, "%d nodes of ", space->nodes);
    }
    if (host->server != NULL) {
        (void)snprintf(buffer, size, "%s%s", nodes, host->server->row.name);
    } else if (gpu->baseboard != NULL) {
        (void)snprintf(
            buffer, size, "%s%s with %s", nodes, gpu->baseboard->row.name, host->cpu->row.name);
    } else {
        (void)snprintf(buffer,
                       size,
                       "%s%dx %s with %dx %s",
                       nodes,
                       gpu->count,
                       gpu->gpu->row.name,
                       host->n_cpus,
                       host->cpu->row.name);
    }
    return buffer;
}

static double percent_slower(const rig__choice *choice, const rig__choice *best)
{
    return 100 * (1 - rig__choice_all_rate(choice) / rig__choice_all_rate(best));
}

/* Answers one more question on a cluster, perhaps one with fewer options. */
static rig_status ask(const rig__cluster *cluster,
                      rig_objective objective,
                      int64_t budget_cents,
                      double least_rate,
                      rig__found *out,
                      rig_error *err)
{
    const rig__question question = {
        .objective = objective, .budget_cents = budget_cents, .least_rate = least_rate, .top = 1};
    return rig__cluster_search(cluster, &question, out, err);
}

/* The nearest rate at which the saving is worth more than the speed lost. */
static rig_status reason_cheaper(const rig__cluster *cluster,
                                 const rig__choice *best,
                                 rig__text_list *reasons,
                                 rig_error *err)
{
    const int64_t best_cents = rig__choice_price(best);
    for (size_t i = 0; i < sizeof slower_shares / sizeof slower_shares[0]; i++) {
        rig__found found;
        char saved[32], what[SHORT_TEXT];
        RIG_TRY(ask(cluster,
                    RIG_OBJECTIVE_PRICE,
                    best_cents,
                    slower_shares[i] * rig__choice_all_rate(best),
                    &found,
                    err));
        if (found.n_choices == 0) {
            return RIG_OK;
        }
        const rig__choice *other = &found.choices[0];
        const int64_t saved_cents = best_cents - rig__choice_price(other);
        const double saving = (double)saved_cents / (double)best_cents;
        if (saving > worthwhile_saving && saving > 2 * percent_slower(other, best) / 100) {
            rig__text_list_add(reasons,
                               "%.1f %% less speed would save USD %s: %s",
                               percent_slower(other, best),
                               rig_format_money(saved, sizeof saved, saved_cents),
                               describe(other, what, sizeof what));
            return RIG_OK;
        }
    }
    return RIG_OK;
}

static rig_status reason_faster(const rig__cluster *cluster,
                                const rig__choice *best,
                                rig__text_list *reasons,
                                rig_error *err)
{
    const char *const thing = cluster->request->nodes_most > 1 ? "machine or cluster" : "machine";
    rig__found found;
    char price[32], what[SHORT_TEXT];
    RIG_TRY(ask(cluster,
                RIG_OBJECTIVE_PRICE,
                INT64_MAX,
                nextafter(rig__choice_all_rate(best), INFINITY),
                &found,
                err));
    if (found.n_choices == 0) {
        rig__text_list_add(reasons,
                           cluster->request->n_conditions == 0
                               ? "no %s of this catalogue is faster at any price"
                               : "no %s that meets the conditions is faster at any price",
                           thing);
        return RIG_OK;
    }
    const rig__choice *other = &found.choices[0];
    if (rig__choice_price(other) > cluster->request->budget_cents) {
        rig__text_list_add(reasons,
                           "the next faster %s costs USD %s (%+.1f %% speed): %s",
                           thing,
                           price_of(other, price, sizeof price),
                           -percent_slower(other, best),
                           describe(other, what, sizeof what));
    }
    return RIG_OK;
}

/* A cluster of the one space of a choice. */
static rig__cluster own_space(const rig__cluster *cluster, const rig__choice *choice)
{
    rig__cluster own = *cluster;
    own.spaces = &cluster->spaces[choice->space - cluster->spaces];
    own.n_spaces = 1;
    return own;
}

/* A copy of the cluster with some GPU options only; rows and arrays are shared. */
static rig_status narrow(const rig__cluster *cluster,
                         bool (*keeps)(const rig__gpu_option *option, const rig__gpu_option *best),
                         const rig__gpu_option *best,
                         rig__cluster *out,
                         rig_error *err)
{
    *out = *cluster;
    out->spaces = rig__arena_alloc(cluster->arena, cluster->n_spaces, sizeof *out->spaces);
    if (out->spaces == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < cluster->n_spaces; i++) {
        const rig__space *from = &cluster->spaces[i];
        rig__space *space = &out->spaces[i];
        *space = *from;
        space->gpus = rig__arena_alloc(cluster->arena, from->n_gpus, sizeof *space->gpus);
        space->n_gpus = 0;
        if (space->gpus == NULL) {
            return rig__error_nomem(err);
        }
        for (size_t j = 0; j < from->n_gpus; j++) {
            if (keeps(&from->gpus[j], best)) {
                space->gpus[space->n_gpus++] = from->gpus[j];
            }
        }
    }
    return RIG_OK;
}

static bool is_one_more(const rig__gpu_option *option, const rig__gpu_option *best)
{
    return option->gpu == best->gpu && option->baseboard == NULL &&
           option->count == best->count + 1;
}

static bool is_other_model(const rig__gpu_option *option, const rig__gpu_option *best)
{
    return option->gpu != best->gpu;
}

/* Does a condition of the request say how many GPUs there are? */
static bool is_count_given(const rig_request *request)
{
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        const bool is_of_gpu =
            condition->kind != RIG_CONDITION_LIMIT &&
            (condition->table == RIG_TABLE_GPU || condition->table == RIG_TABLE_BASEBOARD);
        if ((is_of_gpu && (condition->row != NULL || condition->column_is_count)) ||
            (condition->kind == RIG_CONDITION_LIMIT &&
             (condition->total == RIG_TOTAL_GPU_COUNT ||
              condition->total == RIG_TOTAL_GPU_MEM_GB))) {
            return true;
        }
    }
    return false;
}

static rig_status reason_one_more(const rig__cluster *cluster,
                                  const rig__choice *best,
                                  rig__text_list *reasons,
                                  rig_error *err)
{
    const rig__gpu_option *gpu = &best->space->gpus[best->at[RIG__GROUP_GPU]];
    const char *const each = best->space->nodes > 1 ? " in each node" : "";
    const int64_t budget_cents = cluster->request->budget_cents;
    const rig__cluster own = own_space(cluster, best);
    rig__cluster narrowed;
    rig__found found;
    char price[32];
    if (gpu->gpu == NULL || gpu->baseboard != NULL || is_count_given(cluster->request)) {
        return RIG_OK;
    }
    RIG_TRY(narrow(&own, is_one_more, gpu, &narrowed, err));
    RIG_TRY(ask(&narrowed, RIG_OBJECTIVE_PRICE, INT64_MAX, 0, &found, err));
    if (found.n_choices == 0) {
        rig__text_list_add(reasons,
                           "no machine of this catalogue takes %d of these GPUs%s",
                           gpu->count + 1,
                           best->space->network.n_nics > 0 ? " and the network card" : "");
        return RIG_OK;
    }
    const rig__choice *cheapest = &found.choices[0];
    if (rig__choice_price(cheapest) > budget_cents) {
        rig__text_list_add(reasons,
                           "with %d of these GPUs%s a %s costs at least USD %s",
                           gpu->count + 1,
                           each,
                           best->space->nodes > 1 ? "cluster" : "machine",
                           price_of(cheapest, price, sizeof price));
        return RIG_OK;
    }
    RIG_TRY(ask(&narrowed, RIG_OBJECTIVE_EPOCH_TIME, budget_cents, 0, &found, err));
    if (found.n_choices > 0) {
        rig__text_list_add(reasons,
                           "with %d of these GPUs%s the best %s within the budget is %.1f %% "
                           "slower: what is left does not keep them busy",
                           gpu->count + 1,
                           each,
                           best->space->nodes > 1 ? "cluster" : "machine",
                           percent_slower(&found.choices[0], best));
    }
    return RIG_OK;
}

/* One big machine or several small ones: the best of the other numbers of nodes. */
static rig_status reason_nodes(const rig__cluster *cluster,
                               const rig__choice *best,
                               rig__text_list *reasons,
                               rig_error *err)
{
    rig__cluster others = *cluster;
    rig__found found;
    char price[32], what[SHORT_TEXT];
    if (cluster->request->nodes_least == cluster->request->nodes_most) {
        return RIG_OK;
    }
    others.spaces = rig__arena_alloc(cluster->arena, cluster->n_spaces, sizeof *others.spaces);
    others.n_spaces = 0;
    if (others.spaces == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < cluster->n_spaces; i++) {
        if (cluster->spaces[i].nodes != best->space->nodes) {
            others.spaces[others.n_spaces++] = cluster->spaces[i];
        }
    }
    RIG_TRY(ask(&others, RIG_OBJECTIVE_EPOCH_TIME, cluster->request->budget_cents, 0, &found, err));
    if (found.n_choices > 0) {
        const rig__choice *other = &found.choices[0];
        rig__text_list_add(reasons,
                           "the best with another number of nodes is %.1f %% slower for USD %s: "
                           "%s%s",
                           percent_slower(other, best),
                           price_of(other, price, sizeof price),
                           other->space->nodes == 1 ? "one machine of " : "",
                           describe(other, what, sizeof what));
    }
    return RIG_OK;
}

static bool is_same_option(const rig__gpu_option *option, const rig__gpu_option *best)
{
    return option->gpu == best->gpu && option->baseboard == best->baseboard &&
           option->count == best->count;
}

/* Preparation just faster than training is a knife edge: loaders are known to a third or so. */
static rig_status reason_preparation(const rig__cluster *cluster,
                                     const rig__choice *best,
                                     rig__text_list *reasons,
                                     rig_error *err)
{
    const rig__space *space = best->space;
    const rig__gpu_option *gpu = &space->gpus[best->at[RIG__GROUP_GPU]];
    const rig__host *host = &space->hosts[best->at[RIG__GROUP_HOST]];
    const rig__cluster own = own_space(cluster, best);
    rig__cluster narrowed;
    rig__found found;
    char more[32], what[SHORT_TEXT];
    if (host->server != NULL || host->decode[gpu->count] >= ample_preparation * best->rate) {
        return RIG_OK;
    }
    RIG_TRY(narrow(&own, is_same_option, gpu, &narrowed, err));
    rig__space *const fewer = &narrowed.spaces[0];
    fewer->hosts = rig__arena_alloc(cluster->arena, space->n_hosts, sizeof *fewer->hosts);
    fewer->n_hosts = 0;
    if (fewer->hosts == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < space->n_hosts; i++) {
        if (space->hosts[i].decode[gpu->count] >= ample_preparation * best->rate) {
            fewer->hosts[fewer->n_hosts++] = space->hosts[i];
        }
    }
    RIG_TRY(
        ask(&narrowed, RIG_OBJECTIVE_PRICE, INT64_MAX, rig__choice_all_rate(best), &found, err));
    if (found.n_choices > 0) {
        const int64_t best_cents = rig__choice_price(best);
        const int64_t extra_cents = rig__choice_price(&found.choices[0]) - best_cents;
        if ((double)extra_cents <= worthwhile_extra * (double)best_cents) {
            rig__text_list_add(
                reasons,
                "USD %s more gives preparation at least %.0f %% to spare, should the "
                "loader be slower than modelled: %s",
                rig_format_money(more, sizeof more, extra_cents),
                100 * (ample_preparation - 1),
                describe(&found.choices[0], what, sizeof what));
        }
    }
    return RIG_OK;
}

static rig_status reason_other_model(const rig__cluster *cluster,
                                     const rig__choice *best,
                                     rig__text_list *reasons,
                                     rig_error *err)
{
    rig__cluster narrowed;
    rig__found found;
    char price[32], what[SHORT_TEXT];
    const rig__gpu_option *gpu = &best->space->gpus[best->at[RIG__GROUP_GPU]];
    RIG_TRY(narrow(cluster, is_other_model, gpu, &narrowed, err));
    RIG_TRY(
        ask(&narrowed, RIG_OBJECTIVE_EPOCH_TIME, cluster->request->budget_cents, 0, &found, err));
    if (found.n_choices > 0) {
        const rig__choice *other = &found.choices[0];
        char slower[32];
        (void)snprintf(slower, sizeof slower, "%.1f %% slower", percent_slower(other, best));
        rig__text_list_add(reasons,
                           "the best %s with other GPUs is %s for USD %s: %s",
                           cluster->request->nodes_most > 1 ? "choice" : "machine",
                           percent_slower(other, best) < 0.05 ? "as fast" : slower,
                           price_of(other, price, sizeof price),
                           describe(other, what, sizeof what));
    }
    return RIG_OK;
}

/* What is owned is used; says so when the best machine without it is faster. */
static rig_status reason_without_owned(const rig__cluster *cluster,
                                       const rig__choice *best,
                                       rig__text_list *reasons,
                                       rig_error *err)
{
    rig_request request = *cluster->request;
    rig__cluster whole;
    rig__found found;
    char price[32], what[SHORT_TEXT];
    rig_condition *kept = rig__arena_alloc(cluster->arena, request.n_conditions + 1, sizeof *kept);
    if (kept == NULL) {
        return rig__error_nomem(err);
    }
    size_t n_kept = 0;
    for (size_t i = 0; i < request.n_conditions; i++) {
        if (request.conditions[i].kind != RIG_CONDITION_OWN) {
            kept[n_kept++] = request.conditions[i];
        }
    }
    if (n_kept == request.n_conditions) {
        return RIG_OK;
    }
    request.conditions = kept;
    request.n_conditions = n_kept;
    const rig__space *space = best->space;
    RIG_TRY(rig__cluster_new(
        &whole, cluster->arena, space->catalog, space->constants, &request, true, err));
    RIG_TRY(ask(&whole, RIG_OBJECTIVE_EPOCH_TIME, request.budget_cents, 0, &found, err));
    if (found.n_choices > 0 &&
        rig__choice_all_rate(&found.choices[0]) > rig__choice_all_rate(best) * 1.001) {
        rig__text_list_add(
            reasons,
            "owned parts are used as they are, with no others of their class; without "
            "them the best machine is %.1f times as fast for USD %s: %s",
            rig__choice_all_rate(&found.choices[0]) / rig__choice_all_rate(best),
            price_of(&found.choices[0], price, sizeof price),
            describe(&found.choices[0], what, sizeof what));
    }
    return RIG_OK;
}

rig_status rig__explain_choice(const rig__cluster *cluster,
                               const rig__found *found,
                               rig__text_list *reasons,
                               rig_error *err)
{
    const rig__choice *best = &found->choices[0];
    if (cluster->request->objective != RIG_OBJECTIVE_EPOCH_TIME) {
        return reason_faster(cluster, best, reasons, err);
    }
    RIG_TRY(reason_nodes(cluster, best, reasons, err));
    RIG_TRY(reason_other_model(cluster, best, reasons, err));
    RIG_TRY(reason_one_more(cluster, best, reasons, err));
    RIG_TRY(reason_cheaper(cluster, best, reasons, err));
    RIG_TRY(reason_preparation(cluster, best, reasons, err));
    RIG_TRY(reason_without_owned(cluster, best, reasons, err));
    return reason_faster(cluster, best, reasons, err);
}
