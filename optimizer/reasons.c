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

static char *money(const rig__space *space, int64_t cents, char *buffer, size_t size)
{
    return rig_format_money(buffer, size, cents + space->nic_cents);
}

/* "4x NVIDIA RTX A6000 with AMD EPYC 7313P", or the name of a server. */
static char *describe(const rig__space *space, const rig__choice *choice, char *buffer, size_t size)
{
    const rig__host *host = &space->hosts[choice->at[RIG__GROUP_HOST]];
    const rig__gpu_option *gpu = &space->gpus[choice->at[RIG__GROUP_GPU]];
    if (host->server != NULL) {
        (void)snprintf(buffer, size, "%s", host->server->row.name);
    } else if (gpu->baseboard != NULL) {
        (void)snprintf(buffer, size, "%s with %s", gpu->baseboard->row.name, host->cpu->row.name);
    } else {
        (void)snprintf(buffer,
                       size,
                       "%dx %s with %dx %s",
                       gpu->count,
                       gpu->gpu->row.name,
                       host->n_cpus,
                       host->cpu->row.name);
    }
    return buffer;
}

static double percent_slower(const rig__choice *choice, const rig__choice *best)
{
    return 100 * (1 - choice->rate / best->rate);
}

/* Answers one more question on a space, perhaps one with fewer GPU options. */
static rig_status ask(const rig__space *space,
                      rig_objective objective,
                      int64_t budget_cents,
                      double least_rate,
                      rig__found *out,
                      rig_error *err)
{
    const rig__question question = {objective, budget_cents, least_rate, 1};
    return rig__pair_search(space, &question, out, err);
}

/* The nearest rate at which the saving is worth more than the speed lost. */
static rig_status reason_cheaper(const rig__space *space,
                                 const rig__choice *best,
                                 rig__text_list *reasons,
                                 rig_error *err)
{
    for (size_t i = 0; i < sizeof slower_shares / sizeof slower_shares[0]; i++) {
        rig__found found;
        char saved[32], what[SHORT_TEXT];
        RIG_TRY(ask(space,
                    RIG_OBJECTIVE_PRICE,
                    best->cost_cents,
                    slower_shares[i] * best->rate,
                    &found,
                    err));
        if (found.n_choices == 0) {
            return RIG_OK;
        }
        const rig__choice *other = &found.choices[0];
        const int64_t saved_cents = best->cost_cents - other->cost_cents;
        const double saving = (double)saved_cents / (double)best->cost_cents;
        if (saving > worthwhile_saving && saving > 2 * (1 - other->rate / best->rate)) {
            rig__text_list_add(reasons,
                               "%.1f %% less speed would save USD %s: %s",
                               percent_slower(other, best),
                               rig_format_money(saved, sizeof saved, saved_cents),
                               describe(space, other, what, sizeof what));
            return RIG_OK;
        }
    }
    return RIG_OK;
}

static rig_status reason_faster(const rig__space *space,
                                const rig__choice *best,
                                rig__text_list *reasons,
                                rig_error *err)
{
    rig__found found;
    char price[32], what[SHORT_TEXT];
    RIG_TRY(
        ask(space, RIG_OBJECTIVE_PRICE, INT64_MAX, nextafter(best->rate, INFINITY), &found, err));
    if (found.n_choices == 0) {
        rig__text_list_add(reasons,
                           space->request->n_conditions == 0
                               ? "no machine of this catalogue is faster at any price"
                               : "no machine that meets the conditions is faster at any price");
        return RIG_OK;
    }
    const rig__choice *other = &found.choices[0];
    if (other->cost_cents > space->budget_cents) {
        rig__text_list_add(reasons,
                           "the next faster machine costs USD %s (%+.1f %% speed): %s",
                           money(space, other->cost_cents, price, sizeof price),
                           -percent_slower(other, best),
                           describe(space, other, what, sizeof what));
    }
    return RIG_OK;
}

/* A copy of the space with some GPU options only; rows and arrays are shared. */
static rig_status narrow(const rig__space *space,
                         bool (*keeps)(const rig__gpu_option *option, const rig__gpu_option *best),
                         const rig__gpu_option *best,
                         rig__space *out,
                         rig_error *err)
{
    *out = *space;
    out->gpus = rig__arena_alloc(space->arena, space->n_gpus, sizeof *out->gpus);
    out->n_gpus = 0;
    if (out->gpus == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < space->n_gpus; i++) {
        if (keeps(&space->gpus[i], best)) {
            out->gpus[out->n_gpus++] = space->gpus[i];
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

static rig_status reason_one_more(const rig__space *space,
                                  const rig__choice *best,
                                  rig__text_list *reasons,
                                  rig_error *err)
{
    const rig__gpu_option *gpu = &space->gpus[best->at[RIG__GROUP_GPU]];
    rig__space narrowed;
    rig__found found;
    char price[32];
    if (gpu->gpu == NULL || gpu->baseboard != NULL || is_count_given(space->request)) {
        return RIG_OK;
    }
    RIG_TRY(narrow(space, is_one_more, gpu, &narrowed, err));
    RIG_TRY(ask(&narrowed, RIG_OBJECTIVE_PRICE, INT64_MAX, 0, &found, err));
    if (found.n_choices == 0) {
        rig__text_list_add(
            reasons, "no machine of this catalogue takes %d of these GPUs", gpu->count + 1);
        return RIG_OK;
    }
    const rig__choice *cheapest = &found.choices[0];
    if (cheapest->cost_cents > space->budget_cents) {
        rig__text_list_add(reasons,
                           "with %d of these GPUs a machine costs at least USD %s",
                           gpu->count + 1,
                           money(space, cheapest->cost_cents, price, sizeof price));
        return RIG_OK;
    }
    RIG_TRY(ask(&narrowed, RIG_OBJECTIVE_EPOCH_TIME, space->budget_cents, 0, &found, err));
    if (found.n_choices > 0) {
        rig__text_list_add(reasons,
                           "with %d of these GPUs the best machine within the budget is %.1f %% "
                           "slower: what is left does not keep them busy",
                           gpu->count + 1,
                           percent_slower(&found.choices[0], best));
    }
    return RIG_OK;
}

static bool is_same_option(const rig__gpu_option *option, const rig__gpu_option *best)
{
    return option->gpu == best->gpu && option->baseboard == best->baseboard &&
           option->count == best->count;
}

/* Preparation just faster than training is a knife edge: loaders are known to a third or so. */
static rig_status reason_preparation(const rig__space *space,
                                     const rig__choice *best,
                                     rig__text_list *reasons,
                                     rig_error *err)
{
    const rig__gpu_option *gpu = &space->gpus[best->at[RIG__GROUP_GPU]];
    const rig__host *host = &space->hosts[best->at[RIG__GROUP_HOST]];
    rig__space narrowed;
    rig__found found;
    char more[32], what[SHORT_TEXT];
    if (host->server != NULL || host->decode[gpu->count] >= ample_preparation * best->rate) {
        return RIG_OK;
    }
    RIG_TRY(narrow(space, is_same_option, gpu, &narrowed, err));
    narrowed.hosts = rig__arena_alloc(space->arena, space->n_hosts, sizeof *narrowed.hosts);
    narrowed.n_hosts = 0;
    if (narrowed.hosts == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < space->n_hosts; i++) {
        if (space->hosts[i].decode[gpu->count] >= ample_preparation * best->rate) {
            narrowed.hosts[narrowed.n_hosts++] = space->hosts[i];
        }
    }
    RIG_TRY(ask(&narrowed, RIG_OBJECTIVE_PRICE, INT64_MAX, best->rate, &found, err));
    if (found.n_choices > 0) {
        const int64_t extra_cents = found.choices[0].cost_cents - best->cost_cents;
        if ((double)extra_cents <= worthwhile_extra * (double)best->cost_cents) {
            rig__text_list_add(
                reasons,
                "USD %s more gives preparation at least %.0f %% to spare, should the "
                "loader be slower than modelled: %s",
                rig_format_money(more, sizeof more, extra_cents),
                100 * (ample_preparation - 1),
                describe(&narrowed, &found.choices[0], what, sizeof what));
        }
    }
    return RIG_OK;
}

static rig_status reason_other_model(const rig__space *space,
                                     const rig__choice *best,
                                     rig__text_list *reasons,
                                     rig_error *err)
{
    rig__space narrowed;
    rig__found found;
    char price[32], what[SHORT_TEXT];
    RIG_TRY(narrow(space, is_other_model, &space->gpus[best->at[RIG__GROUP_GPU]], &narrowed, err));
    RIG_TRY(ask(&narrowed, RIG_OBJECTIVE_EPOCH_TIME, space->budget_cents, 0, &found, err));
    if (found.n_choices > 0) {
        const rig__choice *other = &found.choices[0];
        char slower[32];
        (void)snprintf(slower, sizeof slower, "%.1f %% slower", percent_slower(other, best));
        rig__text_list_add(reasons,
                           "the best machine with other GPUs is %s for USD %s: %s",
                           percent_slower(other, best) < 0.05 ? "as fast" : slower,
                           money(space, other->cost_cents, price, sizeof price),
                           describe(&narrowed, other, what, sizeof what));
    }
    return RIG_OK;
}

/* What is owned is used; says so when the best machine without it is faster. */
static rig_status reason_without_owned(const rig__space *space,
                                       const rig__choice *best,
                                       rig__text_list *reasons,
                                       rig_error *err)
{
    rig_request request = *space->request;
    rig__space whole;
    rig__found found;
    char price[32], what[SHORT_TEXT];
    rig_condition *kept = rig__arena_alloc(space->arena, request.n_conditions + 1, sizeof *kept);
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
    RIG_TRY(rig__space_new(&whole, space->arena, space->catalog, space->constants, &request, err));
    RIG_TRY(rig__space_reduce(&whole, err));
    RIG_TRY(ask(&whole, RIG_OBJECTIVE_EPOCH_TIME, whole.budget_cents, 0, &found, err));
    if (found.n_choices > 0 && found.choices[0].rate > best->rate * 1.001) {
        rig__text_list_add(
            reasons,
            "owned parts are used as they are, with no others of their class; without "
            "them the best machine is %.1f times as fast for USD %s: %s",
            found.choices[0].rate / best->rate,
            money(&whole, found.choices[0].cost_cents, price, sizeof price),
            describe(&whole, &found.choices[0], what, sizeof what));
    }
    return RIG_OK;
}

rig_status rig__explain_choice(const rig__space *space,
                               const rig__found *found,
                               rig__text_list *reasons,
                               rig_error *err)
{
    const rig__choice *best = &found->choices[0];
    if (space->request->objective != RIG_OBJECTIVE_EPOCH_TIME) {
        return reason_faster(space, best, reasons, err);
    }
    RIG_TRY(reason_other_model(space, best, reasons, err));
    RIG_TRY(reason_one_more(space, best, reasons, err));
    RIG_TRY(reason_cheaper(space, best, reasons, err));
    RIG_TRY(reason_preparation(space, best, reasons, err));
    RIG_TRY(reason_without_owned(space, best, reasons, err));
    return reason_faster(space, best, reasons, err);
}
