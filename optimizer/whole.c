/* SPDX-License-Identifier: GPL-3.0-or-later
 * Options and rules of a request as columns and rows. */
#include "optimizer/whole.h"

#include <math.h>

#include "base/error.h"

static const char *const group_prefixes[RIG__N_GROUPS] = {
    "host", "gpu", "memory", "drives", "supply", "chassis"};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *counted(const rig__whole *whole, const rig_row *row, int count)
{
    return count == 1 ? row->name : rig__arena_format(whole->arena, "%s x%d", row->name, count);
}

static const char *host_text(const rig__whole *whole, const rig__host *host)
{
    if (host->server != NULL) {
        return host->server->row.name;
    }
    return rig__arena_format(
        whole->arena, "%s x%d %s", host->cpu->row.name, host->n_cpus, host->board->row.name);
}

const char *rig__whole_option_text(const rig__whole *whole, rig__group group, size_t at)
{
    const rig__space *space = whole->space;
    switch (group) {
    case RIG__GROUP_HOST:
        return host_text(whole, &space->hosts[at]);
    case RIG__GROUP_GPU: {
        const rig__gpu_option *gpu = &space->gpus[at];
        return gpu->baseboard != NULL ? gpu->baseboard->row.name
               : gpu->gpu != NULL     ? counted(whole, &gpu->gpu->row, gpu->count)
                                      : "included";
    }
    case RIG__GROUP_MEMORY: {
        const rig__memory_option *memory = &space->memories[at];
        return memory->memory != NULL ? counted(whole, &memory->memory->row, memory->count)
                                      : "included";
    }
    case RIG__GROUP_DRIVE: {
        const rig__drive_option *drive = &space->drives[at];
        return drive->storage != NULL ? counted(whole, &drive->storage->row, drive->count)
                                      : "included";
    }
    case RIG__GROUP_PSU:
        return space->psus[at].psu != NULL ? space->psus[at].psu->row.name : "none";
    case RIG__GROUP_CHASSIS:
    case RIG__N_GROUPS:
        break;
    }
    return space->chassis[at].chassis != NULL ? space->chassis[at].chassis->row.name : "none";
}

/* ---- columns --------------------------------------------------------------------------------- */

static rig_status add_group(rig__whole *whole, rig__group group, rig_error *err)
{
    rig__members *members = &whole->groups[group];
    rig__linear *linear = &whole->linear;
    members->column = rig__arena_alloc(whole->arena, members->n, sizeof *members->column);
    if (members->column == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < members->n; i++) {
        const char *text = rig__whole_option_text(whole, group, members->at[i]);
        if (text == NULL) {
            return rig__error_nomem(err);
        }
        const rig__option *option = rig__space_option(whole->space, group, members->at[i]);
        members->column[i] = rig__linear_column_add(
            linear,
            (rig__linear_column){
                .name = rig__linear_name(whole->arena, group_prefixes[group], i + 1, text),
                .objective =
                    whole->objective == RIG_OBJECTIVE_PRICE ? (double)option->cost_cents : 0,
                .high = 1,
                .is_binary = true});
    }
    return linear->is_nomem ? rig__error_nomem(err) : RIG_OK;
}

static void choose_one(rig__whole *whole, rig__group group)
{
    static const char *const names[RIG__N_GROUPS] = {
        "one host", "one gpu", "one memory", "one drives", "one supply", "one chassis"};
    const rig__members *members = &whole->groups[group];
    rig__linear_row_begin(&whole->linear, names[group]);
    for (size_t i = 0; i < members->n; i++) {
        rig__linear_put(&whole->linear, members->column[i], 1);
    }
    rig__linear_row_end(&whole->linear, RIG__EQUAL, 1);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Exactly one of each group is chosen, so the least of each is taken off both sides: what is left
 * is smaller and rounds less. */
static void add_budget(rig__whole *whole)
{
    int64_t room = whole->budget_cents;
    if (room == INT64_MAX) {
        return;
    }
    rig__linear_row_begin(&whole->linear, "budget cents");
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        const rig__members *members = &whole->groups[group];
        int64_t least = INT64_MAX;
        for (size_t i = 0; i < members->n; i++) {
            const int64_t cents =
                rig__space_option(whole->space, (rig__group)group, members->at[i])->cost_cents;
            least = cents < least ? cents : least;
        }
        for (size_t i = 0; i < members->n; i++) {
            const int64_t cents =
                rig__space_option(whole->space, (rig__group)group, members->at[i])->cost_cents;
            rig__linear_put(&whole->linear, members->column[i], (double)(cents - least));
        }
        room -= members->n > 0 ? least : 0;
    }
    rig__linear_row_end(&whole->linear, RIG__AT_MOST, (double)room);
}

static void add_sum(rig__whole *whole, const rig__sum_rule *rule)
{
    rig__linear_row_begin(&whole->linear, rule->name);
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        const rig__members *members = &whole->groups[group];
        for (size_t i = 0; i < members->n; i++) {
            rig__linear_put(
                &whole->linear,
                members->column[i],
                rig__sum_coefficient(whole->space, rule, (rig__group)group, members->at[i]));
        }
    }
    rig__linear_row_end(&whole->linear, RIG__AT_MOST, rule->limit);
}

static void add_limit(rig__whole *whole, const rig__limit *limit)
{
    rig__linear_row_begin(&whole->linear, rig_total_name(limit->total));
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        const rig__members *members = &whole->groups[group];
        for (size_t i = 0; i < members->n; i++) {
            const rig__option *option =
                rig__space_option(whole->space, (rig__group)group, members->at[i]);
            rig__linear_put(
                &whole->linear, members->column[i], limit->sign * option->total[limit->total]);
        }
    }
    rig__linear_row_end(&whole->linear, RIG__AT_MOST, rig__limit_bound(whole->space, limit));
}

/* A pair rule with its space, for the relation. */
typedef struct pair_context {
    const rig__space *space;
    const rig__pair_rule *rule;
} pair_context;

static double pair_value(const void *context, size_t first, size_t second)
{
    const pair_context *pair = context;
    return pair->rule->fits(pair->space, first, second) ? 1 : 0;
}

static rig_status add_pair(rig__whole *whole, const rig__pair_rule *rule, rig_error *err)
{
    static const rig__segment fits = {.low = 1, .high = 1, .is_required = true};
    const pair_context context = {whole->space, rule};
    const rig__relation_source source = {.name = rule->name,
                                         .first = &whole->groups[rule->first],
                                         .second = &whole->groups[rule->second],
                                         .value = pair_value,
                                         .context = &context};
    rig__relation relation;
    RIG_TRY(rig__relation_fill(&relation, &source, whole->arena, err));
    return rig__relation_rows(&whole->linear, &relation, &fits, err);
}

rig_status rig__whole_rules(rig__whole *whole, rig_error *err)
{
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        RIG_TRY(add_group(whole, (rig__group)group, err));
    }
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        choose_one(whole, (rig__group)group);
    }
    add_budget(whole);
    for (size_t i = 0; i < RIG__N_PAIR_RULES; i++) {
        RIG_TRY(add_pair(whole, &rig__pair_rules[i], err));
    }
    add_sum(whole, &rig__sum_rules[RIG__SUM_SUPPLY]);
    add_sum(whole, &rig__sum_rules[RIG__SUM_SPREAD]);
    for (size_t i = 0; i < whole->space->n_limits; i++) {
        add_limit(whole, &whole->space->limits[i]);
    }
    return whole->linear.is_nomem ? rig__error_nomem(err) : RIG_OK;
}
