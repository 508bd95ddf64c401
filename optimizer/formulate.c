/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds the choice problem for one rate from an option space. */
#include "optimizer/formulate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/host_lists.h"
#include "optimizer/pair_search.h"
#include "optimizer/rules.h"

typedef struct formulation {
    const rig__space *space;
    const rig__program_question *question;
    rig__arena *arena;
    rig__program *out;
    size_t n[RIG__N_GROUPS];
    rig_choice_pair *pairs;
    size_t n_pairs;
    rig_choice_row *rows;
    size_t n_rows;
    double *cache_needed_gb; /* per drive option of the space; NAN: never enough */
    bool is_nomem;
} formulation;

static void *take(formulation *f, size_t count, size_t size)
{
    void *memory = rig__arena_alloc(f->arena, count, size);
    f->is_nomem |= memory == NULL;
    return memory;
}

/* ---- which options enter --------------------------------------------------------------------- */

static bool is_banned(const formulation *f, size_t host, size_t gpu)
{
    const rig__choice probe = {.space = f->space,
                               .at = {[RIG__GROUP_HOST] = host, [RIG__GROUP_GPU] = gpu}};
    for (size_t i = 0; i < f->question->n_banned; i++) {
        if (rig__choice_is_same(&probe, &f->question->banned[i])) {
            return true;
        }
    }
    return false;
}

static bool pair_reaches(const formulation *f, size_t host_at, size_t gpu_at)
{
    const rig__space *space = f->space;
    const rig__host *host = &space->hosts[host_at];
    const rig__gpu_option *gpu = &space->gpus[gpu_at];
    const int64_t least_cents =
        host->option.cost_cents + gpu->option.cost_cents + host->least_rest_cents;
    return least_cents <= f->question->cost_limit && gpu->best_rate >= f->question->least_rate &&
           rig__host_rate_bound(space, host, gpu->count) >= f->question->least_rate &&
           rig__fits_host_gpu(space, host, gpu) && !is_banned(f, host_at, gpu_at) &&
           rig__host_gpu_rate(space, host, gpu) >= f->question->least_rate;
}

/* Keeps the options marked; the program numbers them anew. */
static void keep_marked(formulation *f, rig__group group, const unsigned char *is_kept)
{
    const size_t n = rig__space_count(f->space, group);
    f->out->origin[group] = take(f, n, sizeof(size_t));
    if (f->is_nomem) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (is_kept[i] && rig__limits_known(f->space, rig__space_option(f->space, group, i))) {
            f->out->origin[group][f->n[group]++] = i;
        }
    }
}

/* Hosts and GPUs of which some pair reaches the rate within the cost. */
static void select_pairs(formulation *f)
{
    const rig__space *space = f->space;
    unsigned char *hosts = take(f, space->n_hosts, 1);
    unsigned char *gpus = take(f, space->n_gpus, 1);
    for (size_t gpu = 0; gpu < space->n_gpus && !f->is_nomem; gpu++) {
        const int64_t left_cents = f->question->cost_limit - space->gpus[gpu].option.cost_cents;
        if (space->gpus[gpu].best_rate < f->question->least_rate) {
            continue;
        }
        for (size_t host = 0; host < space->n_hosts; host++) {
            if (rig__host_least_cents(&space->hosts[host]) > left_cents) {
                break; /* hosts are sorted by that */
            }
            if ((!hosts[host] || !gpus[gpu]) && pair_reaches(f, host, gpu)) {
                hosts[host] = gpus[gpu] = 1;
            }
        }
    }
    if (!f->is_nomem) {
        keep_marked(f, RIG__GROUP_HOST, hosts);
        keep_marked(f, RIG__GROUP_GPU, gpus);
    }
}

static void select_all(formulation *f, rig__group group)
{
    unsigned char *all = take(f, rig__space_count(f->space, group), 1);
    if (!f->is_nomem) {
        memset(all, 1, rig__space_count(f->space, group));
        keep_marked(f, group, all);
    }
}

/* Drives that reach the rate with the largest memory there is. */
static void select_drives(formulation *f)
{
    const rig__space *space = f->space;
    unsigned char *is_kept = take(f, space->n_drives, 1);
    f->cache_needed_gb = take(f, space->n_drives, sizeof *f->cache_needed_gb);
    const double most_gb = f->is_nomem ? 0 : rig__cache_most_gb(space);
    for (size_t i = 0; i < space->n_drives && !f->is_nomem; i++) {
        f->cache_needed_gb[i] =
            rig__cache_needed_gb(space, &space->drives[i], f->question->least_rate, most_gb);
        is_kept[i] = (unsigned char)!isnan(f->cache_needed_gb[i]);
    }
    if (!f->is_nomem) {
        keep_marked(f, RIG__GROUP_DRIVE, is_kept);
    }
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Besides fitting, a pair whose stages the rule is about must reach the rate. */
static bool is_allowed(const formulation *f, size_t rule, size_t first, size_t second)
{
    const rig__space *space = f->space;
    switch (rule) {
    case RIG__PAIR_HOST_GPU:
        return pair_reaches(f, first, second);
    case RIG__PAIR_HOST_MEMORY:
        return rig__pair_rules[rule].fits(space, first, second) &&
               rig__host_memory_rate(space, &space->hosts[first], &space->memories[second]) >=
                   f->question->least_rate;
    default:
        return rig__pair_rules[rule].fits(space, first, second);
    }
}

static void add_pair(formulation *f, size_t i_rule)
{
    const rig__pair_rule *rule = &rig__pair_rules[i_rule];
    const size_t n_first = f->n[rule->first], n_second = f->n[rule->second];
    unsigned char *allowed = take(f, n_first * n_second, 1);
    if (f->is_nomem) {
        return;
    }
    for (size_t i = 0; i < n_first; i++) {
        for (size_t j = 0; j < n_second; j++) {
            allowed[i * n_second + j] = is_allowed(
                f, i_rule, f->out->origin[rule->first][i], f->out->origin[rule->second][j]);
        }
    }
    f->pairs[f->n_pairs++] = (rig_choice_pair){rule->name, rule->first, rule->second, allowed};
}

static void add_pairs(formulation *f)
{
    f->pairs = take(f, RIG__N_PAIR_RULES, sizeof *f->pairs);
    for (size_t i = 0; i < RIG__N_PAIR_RULES && !f->is_nomem; i++) {
        add_pair(f, i);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static double **row_new(formulation *f, const char *name, double limit)
{
    double **coefficients = take(f, RIG__N_GROUPS, sizeof *coefficients);
    if (!f->is_nomem) {
        f->rows[f->n_rows++] = (rig_choice_row){name, (const double *const *)coefficients, limit};
    }
    return coefficients;
}

/* Coefficients of one group in a sum; the drives of the cache row need what the rate asks. */
static void row_fill(formulation *f, double **row, size_t rule, rig__group group)
{
    const bool is_need = rule == RIG__SUM_CACHE && group == RIG__GROUP_DRIVE;
    if (rig__sum_rules[rule].of[group] == NULL && !is_need) {
        return;
    }
    double *values = take(f, f->n[group], sizeof *values);
    for (size_t i = 0; i < f->n[group] && !f->is_nomem; i++) {
        const size_t at = f->out->origin[group][i];
        values[i] = is_need ? f->cache_needed_gb[at]
                            : rig__sum_coefficient(f->space, &rig__sum_rules[rule], group, at);
    }
    row[group] = values;
}

static void add_sum_row(formulation *f, size_t rule)
{
    double **row = row_new(f, rig__sum_rules[rule].name, rig__sum_rules[rule].limit);
    for (int group = 0; group < RIG__N_GROUPS && !f->is_nomem; group++) {
        row_fill(f, row, rule, (rig__group)group);
    }
}

static void add_limit_row(formulation *f, const rig__limit *limit)
{
    double **row = row_new(f, rig_total_name(limit->total), rig__limit_bound(f->space, limit));
    for (int group = 0; group < RIG__N_GROUPS && !f->is_nomem; group++) {
        double *values = take(f, f->n[group], sizeof *values);
        for (size_t i = 0; i < f->n[group] && !f->is_nomem; i++) {
            const size_t at = f->out->origin[group][i];
            const rig__option *option = rig__space_option(f->space, (rig__group)group, at);
            values[i] = limit->sign * option->total[limit->total];
        }
        if (!f->is_nomem) {
            row[group] = values;
        }
    }
}

static void add_rows(formulation *f)
{
    f->rows = take(f, RIG__N_SUM_RULES + f->space->n_limits, sizeof *f->rows);
    for (size_t i = 0; i < RIG__N_SUM_RULES && !f->is_nomem; i++) {
        add_sum_row(f, i);
    }
    for (size_t i = 0; i < f->space->n_limits && !f->is_nomem; i++) {
        add_limit_row(f, &f->space->limits[i]);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_costs(formulation *f, int64_t **costs)
{
    for (int group = 0; group < RIG__N_GROUPS && !f->is_nomem; group++) {
        costs[group] = take(f, f->n[group], sizeof *costs[group]);
        for (size_t i = 0; i < f->n[group] && !f->is_nomem; i++) {
            costs[group][i] =
                rig__space_option(f->space, (rig__group)group, f->out->origin[group][i])
                    ->cost_cents;
        }
    }
}

rig_status rig__formulate(const rig__space *space,
                          const rig__program_question *question,
                          rig__arena *arena,
                          rig__program *out,
                          rig_error *err)
{
    static const char *const names[RIG__N_GROUPS] = {
        "host", "gpu", "memory", "drives", "supply", "chassis"};
    memset(out, 0, sizeof *out);
    formulation f = {.space = space, .question = question, .arena = arena, .out = out};
    int64_t **costs = take(&f, RIG__N_GROUPS, sizeof *costs);
    size_t *n_options = take(&f, RIG__N_GROUPS, sizeof *n_options);
    select_pairs(&f);
    select_all(&f, RIG__GROUP_MEMORY);
    select_drives(&f);
    select_all(&f, RIG__GROUP_PSU);
    select_all(&f, RIG__GROUP_CHASSIS);
    for (int group = 0; group < RIG__N_GROUPS && !f.is_nomem; group++) {
        n_options[group] = f.n[group];
        out->is_trivially_infeasible |= f.n[group] == 0;
    }
    if (!f.is_nomem && !out->is_trivially_infeasible) {
        add_costs(&f, costs);
        add_pairs(&f);
        add_rows(&f);
    }
    if (f.is_nomem) {
        return rig__error_nomem(err);
    }
    out->problem = (rig_choice_problem){.n_groups = RIG__N_GROUPS,
                                        .n_options = n_options,
                                        .group_names = names,
                                        .costs = (const int64_t *const *)costs,
                                        .n_rows = f.n_rows,
                                        .rows = f.rows,
                                        .n_pairs = f.n_pairs,
                                        .pairs = f.pairs,
                                        .cost_limit = question->cost_limit};
    return RIG_OK;
}
