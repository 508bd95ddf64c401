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
                .is_integer = true});
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

/* What an option costs beyond the cheapest of its group, or, with sign -1, less than the dearest:
 * exactly one of each group is chosen, so that is taken off both sides. */
static int64_t *money_of(rig__whole *whole, rig__group group, int sign, int64_t *right)
{
    const rig__members *members = &whole->groups[group];
    int64_t *cents = rig__arena_alloc(whole->arena, members->n, sizeof *cents);
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < members->n && cents != NULL; i++) {
        cents[i] = sign * rig__space_option(whole->space, group, members->at[i])->cost_cents;
        least = cents[i] < least ? cents[i] : least;
    }
    for (size_t i = 0; i < members->n && cents != NULL; i++) {
        cents[i] -= least;
    }
    *right -= members->n > 0 ? least : 0;
    whole->linear.is_nomem |= cents == NULL;
    return cents;
}

/* sign * sum of cents <= sign * bound, to the cent.
 *
 * Solvers take 0.99999 for 1, and of a server that is many cents. So the sum is made as on paper:
 * digits of base 10,000, lowest first, with whole carries that leave each digit,
 *
 *     digit of the sum + carry from below - 10,000 x carry <= digit of the bound
 *
 * which holds for some carries exactly if the whole sum does, and no coefficient is larger than
 * the base. */
static void add_money(rig__whole *whole, const char *name, int sign, int64_t bound_cents)
{
    enum { BASE = 10000, MOST_CARRY = RIG__N_GROUPS + 1 };
    rig__linear *linear = &whole->linear;
    int64_t right = sign * bound_cents;
    int64_t *cents[RIG__N_GROUPS];
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        cents[group] = money_of(whole, (rig__group)group, sign, &right);
    }
    size_t from_below = 0;
    for (int64_t unit = 1; !linear->is_nomem; unit *= BASE) {
        const bool is_last = right < unit * BASE;
        const size_t carry =
            is_last ? 0
                    : rig__linear_column_add(
                          linear,
                          (rig__linear_column){.name = rig__linear_name(
                                                   linear->arena, "carry", linear->n_columns, ""),
                                               .high = MOST_CARRY,
                                               .is_integer = true});
        rig__linear_row_begin(linear, name);
        for (int group = 0; group < RIG__N_GROUPS && !linear->is_nomem; group++) {
            const rig__members *members = &whole->groups[group];
            for (size_t i = 0; i < members->n; i++) {
                const int64_t above = cents[group][i] / unit;
                rig__linear_put(
                    linear, members->column[i], (double)(is_last ? above : above % BASE));
            }
        }
        if (from_below != 0) {
            rig__linear_put(linear, from_below, 1);
        }
        if (is_last) {
            rig__linear_row_end(linear, RIG__AT_MOST, (double)(right < 0 ? right : right / unit));
            return;
        }
        rig__linear_put(linear, carry, -BASE);
        rig__linear_row_end(linear, RIG__AT_MOST, (double)(right / unit % BASE));
        from_below = carry;
    }
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
    if (limit->total == RIG_TOTAL_PRICE_USD) {
        const double cents = floor(rig__limit_bound(whole->space, limit) * 100.0);
        if (fabs(cents) < 1e15) {
            const int sign = limit->sign > 0 ? 1 : -1;
            add_money(whole, "price limit", sign, sign * (int64_t)cents);
        }
        return;
    }
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
    if (whole->budget_cents != INT64_MAX) {
        add_money(whole, "budget", 1, whole->budget_cents);
    }
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
