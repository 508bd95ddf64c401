/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rate of a machine in a linear program: what each stage allows, segment by segment. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "optimizer/whole.h"

/* Parts of the scale of rates. One would be exact as well; more make the relaxation tighter, for
 * then a slow and a fast option cannot be mixed to pass for a middling one. */
enum { N_SEGMENTS = 16 };

/* ---- stages ---------------------------------------------------------------------------------- */

static double decode_rate(const void *context, size_t host_at, size_t gpu_at)
{
    const rig__space *space = context;
    const rig__host *host = &space->hosts[host_at];
    return host->server != NULL ? (double)INFINITY : host->decode[space->gpus[gpu_at].count];
}

/* Transfer, GPU and all-reduce. Pairs that do not fit are bounded all the same, so that their rows
 * are tight. */
static double train_rate(const void *context, size_t host_at, size_t gpu_at)
{
    const rig__space *space = context;
    const rig__host *host = &space->hosts[host_at];
    const rig__gpu_option *gpu = &space->gpus[gpu_at];
    if (host->server != NULL) {
        return host->server_rate;
    }
    return gpu->gpu == NULL ? 0 : rig__host_gpu_train_rate(space, host, gpu);
}

static bool is_train_same(const void *context, size_t a_at, size_t b_at)
{
    const rig__space *space = context;
    const rig__host *a = &space->hosts[a_at], *b = &space->hosts[b_at];
    return a->server == NULL && b->server == NULL && a->core_speed_1t == b->core_speed_1t &&
           rig__is_link_same(a, b);
}

static double memory_rate(const void *context, size_t host_at, size_t memory_at)
{
    const rig__space *space = context;
    const rig__host *host = &space->hosts[host_at];
    const rig__memory_option *memory = &space->memories[memory_at];
    return host->server != NULL || memory->memory == NULL
               ? (double)INFINITY
               : rig__host_memory_rate(space, host, memory);
}

/* Stages that depend on two groups. */
enum { STAGE_DECODE, STAGE_TRAIN, STAGE_MEMORY, N_STAGES };

static rig_status fill_stages(rig__whole *whole, rig__relation stages[N_STAGES], rig_error *err)
{
    const rig__members *hosts = &whole->groups[RIG__GROUP_HOST];
    const rig__members *gpus = &whole->groups[RIG__GROUP_GPU];
    const rig__relation_source sources[N_STAGES] = {
        [STAGE_DECODE] = {"decode", hosts, gpus, decode_rate, NULL, whole->space},
        [STAGE_TRAIN] = {"train", hosts, gpus, train_rate, is_train_same, whole->space},
        [STAGE_MEMORY] = {"memory bandwidth",
                          hosts,
                          &whole->groups[RIG__GROUP_MEMORY],
                          memory_rate,
                          NULL,
                          whole->space},
    };
    for (int stage = 0; stage < N_STAGES; stage++) {
        RIG_TRY(rig__relation_fill(&stages[stage], &sources[stage], whole->arena, err));
    }
    return RIG_OK;
}

static rig_status add_rows(rig__whole *whole,
                           rig__relation stages[N_STAGES],
                           const rig__segment *segment,
                           rig_error *err)
{
    for (int stage = 0; stage < N_STAGES; stage++) {
        RIG_TRY(rig__relation_rows(&whole->linear, &stages[stage], segment, err));
    }
    return RIG_OK;
}

/* ---- segments -------------------------------------------------------------------------------- */

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static bool
is_affordable(const rig__whole *whole, const rig__host *host, const rig__gpu_option *gpu)
{
    const int64_t cents = host->option.cost_cents + gpu->option.cost_cents + host->least_rest_cents;
    return cents <= whole->budget_cents;
}

/* Different rates of affordable pairs of host and GPUs above the least rate, ascending.
 * @return how many; SIZE_MAX: out of memory */
static size_t
pair_rates(const rig__whole *whole, const rig__relation stages[N_STAGES], double **out)
{
    const rig__space *space = whole->space;
    const rig__members *hosts = &whole->groups[RIG__GROUP_HOST];
    const rig__members *gpus = &whole->groups[RIG__GROUP_GPU];
    double *rates = calloc(hosts->n * gpus->n + 1, sizeof *rates);
    size_t n = 0, n_different = 0;
    *out = rates;
    for (size_t i = 0; i < hosts->n && rates != NULL; i++) {
        for (size_t j = 0; j < gpus->n; j++) {
            const rig__host *host = &space->hosts[hosts->at[i]];
            const rig__gpu_option *gpu = &space->gpus[gpus->at[j]];
            const double rate = fmin(rig__relation_value(&stages[STAGE_DECODE], i, j),
                                     rig__relation_value(&stages[STAGE_TRAIN], i, j));
            if (rate > whole->least_rate && is_affordable(whole, host, gpu) &&
                rig__fits_host_gpu(space, host, gpu)) {
                rates[n++] = rate;
            }
        }
    }
    if (rates == NULL) {
        return SIZE_MAX;
    }
    qsort(rates, n, sizeof *rates, compare_numbers);
    for (size_t i = 0; i < n; i++) {
        if (n_different == 0 || rates[i] > rates[n_different - 1]) {
            rates[n_different++] = rates[i];
        }
    }
    return n_different;
}

/* Adds one segment: its variable, with its images/s in the objective, and its rows. */
static rig_status add_segment(rig__whole *whole,
                              rig__relation stages[N_STAGES],
                              size_t number,
                              rig__segment *segment,
                              rig_error *err)
{
    segment->column = rig__linear_column_add(
        &whole->linear,
        (rig__linear_column){.name = rig__linear_name(whole->arena, "rate", number, ""),
                             .objective = -(segment->high - segment->low),
                             .high = 1});
    return add_rows(whole, stages, segment, err);
}

static rig_status maximise_rate(rig__whole *whole, rig__relation stages[N_STAGES], rig_error *err)
{
    size_t columns[N_SEGMENTS];
    double weights[N_SEGMENTS];
    double *rates = NULL;
    const size_t n_rates = pair_rates(whole, stages, &rates);
    if (n_rates == SIZE_MAX) {
        return rig__error_nomem(err);
    }
    rig__rate_columns rate = {.base = whole->least_rate > DBL_MIN ? whole->least_rate : 0,
                              .column = columns,
                              .weight = weights};
    rate.most = n_rates > 0 ? rates[n_rates - 1] : rate.base;
    whole->linear.columns[0].objective = -rate.base; /* a constant: that column is fixed at 1 */
    rig_status status = RIG_OK;
    double low = rate.base;
    for (size_t i = 0; i < N_SEGMENTS && status == RIG_OK; i++) {
        const double high = n_rates == 0 ? low : rates[(n_rates * (i + 1) - 1) / N_SEGMENTS];
        if (high > low) {
            rig__segment segment = {.low = low, .high = high};
            status = add_segment(whole, stages, i + 1, &segment, err);
            weights[rate.n] = high - low;
            columns[rate.n++] = segment.column;
            low = high;
        }
    }
    free(rates);
    return status != RIG_OK ? status : rig__whole_storage(whole, &rate, err);
}

rig_status rig__whole_rates(rig__whole *whole, rig_error *err)
{
    rig__relation stages[N_STAGES];
    const rig__segment least = {
        .low = whole->least_rate, .high = whole->least_rate, .is_required = true};
    RIG_TRY(fill_stages(whole, stages, err));
    RIG_TRY(add_rows(whole, stages, &least, err));
    if (whole->objective == RIG_OBJECTIVE_EPOCH_TIME) {
        return maximise_rate(whole, stages, err);
    }
    const rig__rate_columns fixed = {.base = whole->least_rate, .most = whole->least_rate};
    return rig__whole_storage(whole, &fixed, err);
}
