/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact search over pairs of host and GPUs, best bound first. */
#include "optimizer/pair_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "model/stages.h"
#include "optimizer/complete.h"
#include "optimizer/host_lists.h"

enum { POLL_INTERVAL = 4096 };

static const double joules_per_kwh = 3.6e6;

typedef struct search {
    const rig__space *space;
    const rig__question *question;
    rig__choice *best; /* sorted, at most question->top */
    size_t n_best;
    const rig__choice *rival; /* what a completion of the present pair must beat, NULL: nothing */
    double energy_kwh;        /* least energy per epoch of the present pair, 0: not known yet */
    rig__host_lists lists;
    size_t *gpu_order; /* GPU options, most promising first */
    int64_t n_evaluated;
    int64_t n_polls;
    double deadline_s; /* on the monotonic clock */
    bool is_stopped;
} search;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool should_stop(search *s)
{
    if (!s->is_stopped && s->n_polls++ % POLL_INTERVAL == 0) {
        const rig_request *request = s->space->request;
        s->is_stopped =
            (request->is_cancelled != NULL && request->is_cancelled(request->payload)) ||
            (!isinf(s->deadline_s) && now_s() > s->deadline_s);
    }
    return s->is_stopped;
}

rig__question rig__question_of(const rig__space *space)
{
    const rig_request *request = space->request;
    return (rig__question){.objective = request->objective,
                           .budget_cents = space->budget_cents,
                           .least_rate = space->least_rate,
                           .top = request->top};
}

/* ---- objective and order --------------------------------------------------------------------- */

static double dollars(const rig__space *space, int64_t cents)
{
    const int64_t all = rig__space_price(space, cents);
    return (double)(all < 1 ? 1 : all) / 100.0; /* owned parts only: any rate is a bargain */
}

static double cost_per_epoch(const rig__space *space, const rig__choice *choice)
{
    const rig_build build = rig__choice_build(space, choice);
    const rig_workload *workload = &space->request->workload;
    rig_machine machine;
    rig_prediction prediction;
    if (rig_build_machine(
            &build, space->catalog, space->constants, workload, &machine, NULL, NULL, NULL) !=
            RIG_OK ||
        rig_predict_machine(&machine, workload, space->constants, &prediction, NULL) != RIG_OK) {
        return INFINITY;
    }
    return rig_cost_per_epoch_usd(
        &prediction, rig__space_price(space, choice->cost_cents), &space->request->economics);
}

double
rig__objective_value(const rig__space *space, rig_objective objective, const rig__choice *choice)
{
    switch (objective) {
    case RIG_OBJECTIVE_EPOCH_TIME:
        return -choice->rate * space->nodes;
    case RIG_OBJECTIVE_PRICE:
        return (double)rig__space_price(space, choice->cost_cents);
    case RIG_OBJECTIVE_COST_PER_EPOCH:
        return cost_per_epoch(space, choice);
    case RIG_OBJECTIVE_IMAGES_PER_DOLLAR:
        return -choice->rate * space->nodes / dollars(space, choice->cost_cents);
    }
    return INFINITY;
}

static int compare_rows(const rig_row *a, const rig_row *b)
{
    return a == b ? 0 : a == NULL ? -1 : b == NULL ? 1 : strcmp(a->name, b->name);
}

static int compare_parts(const rig__choice *a, const rig__choice *b)
{
    const rig_build x = rig__choice_build(a->space, a), y = rig__choice_build(b->space, b);
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const int by_name = compare_rows(x.parts[i].row, y.parts[i].row);
        if (by_name != 0) {
            return by_name;
        }
        if (x.parts[i].count != y.parts[i].count) {
            return x.parts[i].count - y.parts[i].count;
        }
    }
    return 0;
}

int rig__choice_compare(const rig__choice *a, const rig__choice *b)
{
    if (a->objective != b->objective) {
        return a->objective < b->objective ? -1 : 1;
    }
    const int64_t a_cents = rig__choice_price(a), b_cents = rig__choice_price(b);
    if (a_cents != b_cents) {
        return a_cents < b_cents ? -1 : 1;
    }
    if (a->space->nodes != b->space->nodes) {
        return a->space->nodes - b->space->nodes;
    }
    if (a->rate != b->rate) {
        return a->rate > b->rate ? -1 : 1;
    }
    if (a->power_w != b->power_w) {
        return a->power_w < b->power_w ? -1 : 1;
    }
    return compare_parts(a, b);
}

/* What tells machines apart, wherever the parts are: in a server, on a baseboard or loose. */
typedef struct signature {
    const rig_gpu *gpu;
    const rig_cpu *cpu;
    const rig_board *board;
    const rig_server *server;
    int n_gpus, n_cpus, nodes;
} signature;

static signature signature_of(const rig__choice *choice)
{
    const rig__space *space = choice->space;
    const rig__host *host = &space->hosts[choice->at[RIG__GROUP_HOST]];
    const rig__gpu_option *gpu = &space->gpus[choice->at[RIG__GROUP_GPU]];
    if (host->server != NULL) {
        return (signature){host->server_gpu,
                           host->server_cpu,
                           NULL,
                           host->server,
                           host->n_server_gpus,
                           host->n_server_cpus,
                           space->nodes};
    }
    return (signature){
        gpu->gpu, host->cpu, host->board, NULL, gpu->count, host->n_cpus, space->nodes};
}

bool rig__choice_is_same(const rig__choice *a, const rig__choice *b)
{
    const rig_distinct distinct = a->space->request->distinct;
    const signature x = signature_of(a), y = signature_of(b);
    if (x.gpu != y.gpu || x.n_gpus != y.n_gpus || x.nodes != y.nodes) {
        return false;
    }
    if (distinct == RIG_DISTINCT_GPU) {
        return true;
    }
    return x.cpu == y.cpu && x.n_cpus == y.n_cpus &&
           (distinct == RIG_DISTINCT_CPU || (x.board == y.board && x.server == y.server));
}

/* ---- the list of the best -------------------------------------------------------------------- */

static const rig__choice *worst_kept(const search *s)
{
    return s->n_best < s->question->top ? NULL : &s->best[s->n_best - 1];
}

void rig__choice_offer(rig__choice *list, size_t *n, size_t top, const rig__choice *choice)
{
    if (*n == top && rig__choice_compare(choice, &list[top - 1]) >= 0) {
        return;
    }
    for (size_t i = 0; i < *n; i++) {
        if (rig__choice_is_same(choice, &list[i])) {
            if (rig__choice_compare(choice, &list[i]) >= 0) {
                return;
            }
            memmove(&list[i], &list[i + 1], (*n - i - 1) * sizeof *list);
            (*n)--;
            break;
        }
    }
    if (*n == top) {
        (*n)--;
    }
    size_t at = (*n)++;
    for (; at > 0 && rig__choice_compare(choice, &list[at - 1]) < 0; at--) {
        list[at] = list[at - 1];
    }
    list[at] = *choice;
}

/* A pair competes with its own entry in the list, if it has one, else with the last one. */
static void rival_find(search *s, size_t host, size_t gpu)
{
    const rig__choice probe = {.space = s->space,
                               .at = {[RIG__GROUP_HOST] = host, [RIG__GROUP_GPU] = gpu}};
    s->rival = worst_kept(s);
    for (size_t i = 0; i < s->n_best; i++) {
        if (rig__choice_is_same(&probe, &s->best[i])) {
            s->rival = &s->best[i];
            return;
        }
    }
}

/* Least objective of anything with at most this rate and at least this cost. */
static double least_objective(const search *s, double rate, int64_t cost_cents)
{
    const rig__space *space = s->space;
    const double all_rate = rate * space->nodes;
    switch (s->question->objective) {
    case RIG_OBJECTIVE_EPOCH_TIME:
        return -all_rate;
    case RIG_OBJECTIVE_PRICE:
        return (double)rig__space_price(space, cost_cents);
    case RIG_OBJECTIVE_COST_PER_EPOCH: {
        const rig_prediction least = {
            .images_per_s = all_rate,
            .epoch_s = space->request->workload.dataset->images / all_rate,
            .energy_kwh_per_epoch = s->energy_kwh,
        };
        return rig_cost_per_epoch_usd(
            &least, rig__space_price(space, cost_cents), &space->request->economics);
    }
    case RIG_OBJECTIVE_IMAGES_PER_DOLLAR:
        return -all_rate / dollars(space, cost_cents);
    }
    return -(double)INFINITY;
}

static bool beats(const search *s, double objective, int64_t cost_cents, const rig__choice *rival)
{
    return rival == NULL || objective < rival->objective ||
           (objective == rival->objective &&
            rig__space_price(s->space, cost_cents) <= rig__choice_price(rival));
}

/* Could anything with this rate and at least this cost still enter the list? */
static bool is_promising(const search *s, double rate, int64_t cost_cents)
{
    if (cost_cents > s->question->budget_cents || rate < s->question->least_rate || !(rate > 0)) {
        return false;
    }
    if (s->rival == NULL && s->question->rival == NULL) {
        return true;
    }
    const double objective = least_objective(s, rate, cost_cents);
    return beats(s, objective, cost_cents, s->rival) &&
           beats(s, objective, cost_cents, s->question->rival);
}

/* ---- completing pairs ------------------------------------------------------------------------ */

static void
offer_completion(search *s, const rig__pair *pair, size_t memory, size_t drive, double rate)
{
    const rig__space *space = s->space;
    rig__choice choice = {.space = space, .rate = rate};
    choice.at[RIG__GROUP_HOST] = pair->host;
    choice.at[RIG__GROUP_GPU] = pair->gpu;
    choice.at[RIG__GROUP_MEMORY] = memory;
    choice.at[RIG__GROUP_DRIVE] = drive;
    choice.power_w = pair->power_w + space->memories[memory].option.total[RIG_TOTAL_POWER_W] +
                     space->drives[drive].option.total[RIG_TOTAL_POWER_W];
    choice.cost_cents = pair->cost_cents + space->memories[memory].option.cost_cents +
                        space->drives[drive].option.cost_cents;
    s->n_evaluated++;
    if (!rig__complete(space, pair, &choice) || !is_promising(s, rate, choice.cost_cents)) {
        return;
    }
    choice.objective = rig__objective_value(space, s->question->objective, &choice);
    rig__choice_offer(s->best, &s->n_best, s->question->top, &choice);
    rival_find(s, pair->host, pair->gpu);
}

/* Rate of the whole machine: the least stage, or the whole model where stages do not overlap. */
static double whole_rate(const search *s, const rig__pair *pair, size_t memory, size_t drive)
{
    const rig__space *space = s->space;
    const rig__host *host = &space->hosts[pair->host];
    const double by_memory = rig__host_memory_rate(space, host, &space->memories[memory]);
    const double by_storage = rig__storage_rate(space, pair, memory, drive);
    const double least = fmin(pair->rate, fmin(by_memory, by_storage));
    if (space->request->workload.is_overlapped || host->server != NULL || !(least > 0)) {
        return least;
    }
    rig__choice choice = {.space = space, .at = {pair->host, pair->gpu, memory, drive, 0, 0}};
    rig_build build = rig__choice_build(space, &choice);
    build.parts[RIG_TABLE_PSU].row = NULL;
    build.parts[RIG_TABLE_CHASSIS].row = NULL;
    rig_machine machine;
    rig_prediction prediction;
    const rig_workload *workload = &space->request->workload;
    if (rig_build_machine(
            &build, space->catalog, space->constants, workload, &machine, NULL, NULL, NULL) !=
            RIG_OK ||
        rig_predict_machine(&machine, workload, space->constants, &prediction, NULL) != RIG_OK) {
        return 0;
    }
    return prediction.images_per_s / space->nodes;
}

static void complete_with_memory(search *s, const rig__pair *pair, size_t memory)
{
    const rig__space *space = s->space;
    const rig__host *host = &space->hosts[pair->host];
    const int64_t base =
        pair->cost_cents + space->memories[memory].option.cost_cents + host->least_enclosure_cents;
    for (size_t drive = 0; drive < space->n_drives; drive++) {
        const int64_t cost = base + space->drives[drive].option.cost_cents;
        if (!rig__fits_host_drive(host, &space->drives[drive]) ||
            !rig__fits_gpu_drive(&space->gpus[pair->gpu], &space->drives[drive])) {
            continue;
        }
        if (!is_promising(s, pair->rate, cost)) {
            break; /* drives are sorted by cost */
        }
        const double rate = whole_rate(s, pair, memory, drive);
        if (is_promising(s, rate, cost)) {
            offer_completion(s, pair, memory, drive, rate);
        }
    }
}

static void complete_pair(search *s, const rig__pair *pair)
{
    const rig__space *space = s->space;
    const rig__host *host = &space->hosts[pair->host];
    for (size_t memory = 0; memory < space->n_memories && !should_stop(s); memory++) {
        const rig__memory_option *option = &space->memories[memory];
        if (!rig__fits_host_memory(space, host, option) ||
            !rig__fits_gpu_memory(space, &space->gpus[pair->gpu], option)) {
            continue;
        }
        const int64_t cost = pair->cost_cents + option->option.cost_cents +
                             host->least_drive_cents + host->least_enclosure_cents;
        if (!is_promising(s, pair->rate, cost)) {
            break; /* memories are sorted by cost */
        }
        const double rate = fmin(pair->rate, rig__host_memory_rate(space, host, option));
        if (is_promising(s, rate, cost)) {
            complete_with_memory(s, pair, memory);
        }
    }
}

/* Least energy per epoch of any completion of a pair, without memory and drives: busy shares grow
 * in proportion to the rate, so energy per image is least at the pair's best rate. */
static double least_energy_kwh(const rig__space *space, const rig__pair *pair)
{
    const rig__host *host = &space->hosts[pair->host];
    const rig__gpu_option *gpu = &space->gpus[pair->gpu];
    if (host->server != NULL) {
        return 0;
    }
    const rig_machine machine = {.sockets = host->n_cpus,
                                 .cpu_tdp_w = host->cpu->tdp_w,
                                 .n_gpus = gpu->count,
                                 .gpu_tdp_w = gpu->gpu->tdp_w,
                                 .base_power_w = host->base_power_w};
    const double power_w = rig__model_power_w(space->constants,
                                              &machine,
                                              fmin(1, pair->rate / host->decode[gpu->count]),
                                              fmin(1, pair->rate / gpu->alone_rate));
    return power_w * space->request->workload.dataset->images / pair->rate / joules_per_kwh;
}

/* Is some limit broken whatever completes the pair? Memory and drives add to the watts only. */
static bool breaks_limit(const rig__space *space, const rig__pair *pair, double least_w)
{
    const rig__option *host = &space->hosts[pair->host].option,
                      *gpu = &space->gpus[pair->gpu].option;
    for (size_t i = 0; i < space->n_limits; i++) {
        const rig__limit *limit = &space->limits[i];
        const bool is_settled = limit->total == RIG_TOTAL_GPU_COUNT ||
                                limit->total == RIG_TOTAL_GPU_MEM_GB ||
                                limit->total == RIG_TOTAL_CPU_CORES;
        const double total = host->total[limit->total] + gpu->total[limit->total];
        if ((is_settled && !(limit->sign * total <= limit->bound + RIG__POWER_SLACK_W)) ||
            (limit->total == RIG_TOTAL_POWER_W && limit->sign > 0 &&
             !(least_w <= limit->bound + RIG__POWER_SLACK_W))) {
            return true;
        }
    }
    return false;
}

static void try_pair(search *s, size_t host_at, size_t gpu_at)
{
    const rig__space *space = s->space;
    const rig__host *host = &space->hosts[host_at];
    const rig__gpu_option *gpu = &space->gpus[gpu_at];
    rig__pair pair = {.host = host_at, .gpu = gpu_at};
    pair.cost_cents = host->option.cost_cents + gpu->option.cost_cents;
    const int64_t least_cents = pair.cost_cents + host->least_rest_cents;
    rival_find(s, host_at, gpu_at);
    pair.rate = rig__host_gpu_rate(space, host, gpu);
    pair.power_w = host->option.total[RIG_TOTAL_POWER_W] + gpu->option.total[RIG_TOTAL_POWER_W] +
                   space->network.nic_w;
    s->energy_kwh = least_energy_kwh(space, &pair);
    const double least_w = pair.power_w + host->least_power_w;
    if ((host->is_barebone &&
         rig__supply_needed_w(space, least_w) > host->supply_w + RIG__POWER_SLACK_W) ||
        !is_promising(s, pair.rate, least_cents) || breaks_limit(space, &pair, least_w)) {
        return;
    }
    complete_pair(s, &pair);
}

/* ---- order of visit -------------------------------------------------------------------------- */

typedef struct gpu_rank {
    double key;
    const char *name;
    int count;
    size_t at;
} gpu_rank;

static int compare_ranks(const void *left, const void *right)
{
    const gpu_rank *a = left, *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    const int by_name = strcmp(a->name, b->name);
    return by_name != 0 ? by_name : a->count - b->count;
}

static rig_status order_gpus(search *s, rig_error *err)
{
    const rig__space *space = s->space;
    gpu_rank *ranks = malloc((space->n_gpus + 1) * sizeof *ranks);
    s->gpu_order = malloc((space->n_gpus + 1) * sizeof *s->gpu_order);
    if (ranks == NULL || s->gpu_order == NULL) {
        free(ranks);
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < space->n_gpus; i++) {
        const rig__gpu_option *gpu = &space->gpus[i];
        const double cents = (double)gpu->option.cost_cents;
        const double key = s->question->objective == RIG_OBJECTIVE_EPOCH_TIME ? -gpu->best_rate
                           : s->question->objective == RIG_OBJECTIVE_PRICE
                               ? cents
                               : cents / fmax(gpu->best_rate, 1e-9);
        const char *name = gpu->baseboard != NULL ? gpu->baseboard->row.name
                           : gpu->gpu != NULL     ? gpu->gpu->row.name
                                                  : "";
        ranks[i] = (gpu_rank){key, name, gpu->count, i};
    }
    qsort(ranks, space->n_gpus, sizeof *ranks, compare_ranks);
    for (size_t i = 0; i < space->n_gpus; i++) {
        s->gpu_order[i] = ranks[i].at;
    }
    free(ranks);
    return RIG_OK;
}

/* Bounds over what was not visited, for an answer that was stopped early. */
static void bound_rest(const search *s, size_t next, rig__found *out)
{
    double rate = 0;
    for (size_t i = next; i < s->space->n_gpus; i++) {
        rate = fmax(rate, s->space->gpus[s->gpu_order[i]].best_rate);
    }
    out->bound_rate = rate * s->space->nodes;
    out->bound_objective =
        s->question->objective == RIG_OBJECTIVE_EPOCH_TIME ? -out->bound_rate : -(double)INFINITY;
    if (s->question->objective == RIG_OBJECTIVE_PRICE ||
        s->question->objective == RIG_OBJECTIVE_COST_PER_EPOCH) {
        out->bound_objective = 0;
    }
}

/* Visits the hosts that take these GPUs, cheapest machine first, for as long as one at that cost
 * could enter the list. */
static rig_status visit_hosts(search *s, size_t gpu_at, rig_error *err)
{
    const rig__space *space = s->space;
    const rig__gpu_option *gpu = &space->gpus[gpu_at];
    const int64_t gpu_cents = gpu->option.cost_cents;
    s->rival = worst_kept(s);
    s->energy_kwh = 0;
    if (!is_promising(s, gpu->best_rate, gpu_cents + space->least_host_cents)) {
        return RIG_OK;
    }
    const rig__host_list *list = rig__host_lists_get(&s->lists, space, gpu);
    if (list == NULL) {
        return rig__error_nomem(err);
    }
    const size_t n_hosts =
        rig__host_list_within(list, space, s->question->budget_cents - gpu_cents);
    const double best_rate = n_hosts == 0 ? 0 : fmin(gpu->best_rate, list->best_rates[n_hosts - 1]);
    for (size_t i = 0; i < n_hosts && !should_stop(s); i++) {
        const rig__host *host = &space->hosts[list->hosts[i]];
        const int64_t cents = gpu_cents + rig__host_least_cents(host);
        s->rival = worst_kept(s);
        s->energy_kwh = 0;
        if (!is_promising(s, best_rate, cents)) {
            break;
        }
        if (is_promising(
                s, fmin(best_rate, rig__host_rate_bound(space, host, gpu->count)), cents)) {
            try_pair(s, list->hosts[i], gpu_at);
        }
    }
    return RIG_OK;
}

static rig_status visit_pairs(search *s, rig__found *out, rig_error *err)
{
    const rig__space *space = s->space;
    for (size_t i = 0; i < space->n_gpus; i++) {
        RIG_TRY(visit_hosts(s, s->gpu_order[i], err));
        if (should_stop(s)) {
            bound_rest(s, i, out);
            return RIG_OK;
        }
    }
    out->is_complete = true;
    return RIG_OK;
}

rig_status rig__pair_search(const rig__space *space,
                            const rig__question *question,
                            rig__found *out,
                            rig_error *err)
{
    memset(out, 0, sizeof *out);
    rig__question asked = *question;
    asked.budget_cents = question->budget_cents < space->price_limit_cents
                             ? question->budget_cents
                             : space->price_limit_cents;
    search s = {.space = space, .question = &asked};
    s.deadline_s = question->deadline_s > 0              ? question->deadline_s
                   : isinf(space->request->time_limit_s) ? (double)INFINITY
                                                         : now_s() + space->request->time_limit_s;
    out->choices = rig__arena_alloc(space->arena, question->top, sizeof *out->choices);
    if (out->choices == NULL) {
        return rig__error_nomem(err);
    }
    s.best = out->choices;
    rig_status status = order_gpus(&s, err);
    if (status == RIG_OK) {
        status = visit_pairs(&s, out, err);
        out->n_choices = s.n_best;
        out->n_evaluated = s.n_evaluated;
    }
    free(s.gpu_order);
    rig__host_lists_free(&s.lists);
    if (out->is_complete && s.n_best > 0) {
        out->bound_objective = s.best[0].objective;
        out->bound_rate = rig__choice_all_rate(&s.best[0]);
    }
    return status;
}
