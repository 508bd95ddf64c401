/* SPDX-License-Identifier: GPL-3.0-or-later
 * Solver that looks at every combination: slow, and simple enough to check the others.
 *
 * Groups are taken in their order, options of a group from the cheapest on. A branch ends when its
 * cost and the least costs of the groups to come cannot beat the best solution, or when a pair of
 * chosen options is not allowed. Rows are checked on whole combinations only. */
#include "solvers/exhaustive/exhaustive.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "solvers/choice.h"

/* Looking at the clock costs about as much as this many combinations. */
#define NODES_PER_POLL 1024

typedef struct ranked {
    int64_t cost;
    size_t option;
} ranked;

typedef struct search {
    const rig_choice_problem *problem;
    const rig_solver_limits *limits;
    double end_s;
    ranked **order;           /* per group, by cost */
    int64_t *least_cost_from; /* sum of the least costs of groups g, g + 1, ... */
    size_t *position;         /* per group, index into order */
    size_t *chosen;
    int64_t *cost_until; /* cost of groups 0 .. g - 1 */
    int64_t cost_best;   /* only lower costs count */
    int64_t nodes;
    bool has_solution;
    bool is_stopped;
} search;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *const x = a;
    const ranked *const y = b;
    if (x->cost != y->cost) {
        return x->cost < y->cost ? -1 : 1;
    }
    return x->option < y->option ? -1 : x->option > y->option ? 1 : 0;
}

static bool set_up(search *s, rig__arena *arena)
{
    const size_t n_groups = s->problem->n_groups;
    s->order = rig__arena_alloc(arena, n_groups, sizeof *s->order);
    s->least_cost_from = rig__arena_alloc(arena, n_groups + 1, sizeof *s->least_cost_from);
    s->position = rig__arena_alloc(arena, n_groups, sizeof *s->position);
    s->chosen = rig__arena_alloc(arena, n_groups, sizeof *s->chosen);
    s->cost_until = rig__arena_alloc(arena, n_groups + 1, sizeof *s->cost_until);
    if (s->order == NULL || s->least_cost_from == NULL || s->position == NULL ||
        s->chosen == NULL || s->cost_until == NULL) {
        return false;
    }
    for (size_t g = n_groups; g-- > 0;) {
        const size_t n = s->problem->n_options[g];
        s->order[g] = rig__arena_alloc(arena, n, sizeof **s->order);
        if (s->order[g] == NULL) {
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            s->order[g][i] = (ranked){s->problem->costs[g][i], i};
        }
        qsort(s->order[g], n, sizeof **s->order, compare_ranked);
        s->least_cost_from[g] = s->least_cost_from[g + 1] + s->order[g][0].cost;
    }
    return true;
}

/* Do the pairs between group and the groups before it hold? */
static bool are_pairs_kept(const search *s, size_t group)
{
    const rig_choice_problem *const problem = s->problem;
    for (size_t p = 0; p < problem->n_pairs; p++) {
        const rig_choice_pair *const pair = &problem->pairs[p];
        const size_t later = pair->first > pair->second ? pair->first : pair->second;
        if (later == group &&
            pair->allowed[s->chosen[pair->first] * problem->n_options[pair->second] +
                          s->chosen[pair->second]] == 0) {
            return false;
        }
    }
    return true;
}

static void poll(search *s)
{
    if (s->nodes % NODES_PER_POLL == 0 &&
        (rig__clock_s() >= s->end_s || rig__limits_cancelled(s->limits))) {
        s->is_stopped = true;
    }
}

/* Odometer instead of recursion: depth is as large as the number of groups. */
static void enumerate(search *s, rig_choice_solution *solution)
{
    const size_t n_groups = s->problem->n_groups;
    size_t g = 0;
    for (;;) {
        poll(s);
        const bool is_left = s->position[g] < s->problem->n_options[g];
        const ranked *const next = is_left ? &s->order[g][s->position[g]] : NULL;
        /* options come by cost: once one is too expensive, all later ones are */
        if (s->is_stopped || next == NULL ||
            s->cost_until[g] + next->cost + s->least_cost_from[g + 1] >= s->cost_best) {
            if (s->is_stopped || g == 0) {
                return;
            }
            g--;
            continue;
        }
        s->position[g]++;
        s->nodes++;
        s->chosen[g] = next->option;
        s->cost_until[g + 1] = s->cost_until[g] + next->cost;
        if (!are_pairs_kept(s, g)) {
            continue;
        }
        if (g + 1 < n_groups) {
            g++;
            s->position[g] = 0;
        } else if (rig__choice_holds(s->problem, s->chosen)) {
            s->cost_best = s->cost_until[n_groups];
            s->has_solution = true;
            for (size_t i = 0; i < n_groups; i++) {
                solution->chosen[i] = s->chosen[i];
            }
        }
    }
}

static rig_status solve(const rig_choice_problem *problem,
                        const rig_solver_limits *limits,
                        rig_choice_solution *solution,
                        rig_error *err)
{
    const rig_solver_limits none = rig_solver_limits_default();
    RIG_TRY(rig__choice_check(problem, limits, err));
    rig__arena *const arena = rig__arena_new();
    if (arena == NULL) {
        return rig__error_nomem(err);
    }
    search s = {.problem = problem, .limits = limits != NULL ? limits : &none};
    s.end_s = rig__clock_s() + s.limits->time_s;
    s.cost_best = problem->cost_limit < INT64_MAX ? problem->cost_limit + 1 : INT64_MAX;
    rig_status status = RIG_OK;
    if (!set_up(&s, arena)) {
        status = rig__error_nomem(err);
        goto done;
    }
    enumerate(&s, solution);
    solution->nodes = s.nodes;
    solution->cost = s.has_solution ? s.cost_best : 0;
    if (s.is_stopped) {
        solution->outcome = s.has_solution ? RIG_OUTCOME_FEASIBLE : RIG_OUTCOME_LIMIT;
        solution->cost_bound = s.least_cost_from[0];
    } else {
        solution->outcome = s.has_solution ? RIG_OUTCOME_OPTIMAL : RIG_OUTCOME_INFEASIBLE;
        solution->cost_bound = solution->cost;
    }
done:
    rig__arena_free(arena);
    return status;
}

const rig_solver rig__solver_exhaustive = {
    "exhaustive",
    "enumeration of all combinations, exact, for small problems",
    solve,
};
