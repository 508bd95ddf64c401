/* SPDX-License-Identifier: GPL-3.0-or-later
 * Depth-first search over option sets: quick solutions, and the proof where it comes to an end. */
#include "solvers/search.h"

#include <string.h>

#include "base/error.h"
#include "solvers/choice.h"

/* Propagation takes microseconds or more, so the clock costs nothing beside this many. */
#define NODES_PER_POLL 16

typedef struct level {
    rig__option_set *set; /* what is left to look through */
    size_t group;         /* branched on */
    size_t n_tried;       /* options of it */
} level;

bool rig__incumbent_offer(rig__incumbent *best,
                          const rig_choice_problem *problem,
                          const size_t *chosen)
{
    const int64_t cost = rig__choice_cost(problem, chosen);
    if (cost >= best->cost_below || !rig__choice_holds(problem, chosen)) {
        return false;
    }
    memcpy(best->chosen, chosen, problem->n_groups * sizeof *chosen);
    best->cost_below = cost;
    best->has_solution = true;
    return true;
}

bool rig__stop_now(const rig__stop *stop)
{
    return rig__clock_s() >= stop->end_s || rig__limits_cancelled(stop->limits);
}

/* Group of fewest options among those with several. @return n_groups: every group has one */
static size_t pick_group(const rig__domains *domains, const rig__option_set *set)
{
    size_t picked = domains->problem->n_groups;
    size_t fewest = SIZE_MAX;
    for (size_t g = 0; g < domains->problem->n_groups; g++) {
        const size_t count = rig__domains_count(domains, set, g);
        if (count > 1 && count < fewest) {
            picked = g;
            fewest = count;
        }
    }
    return picked;
}

/* By price where there are prices: they know about the side conditions. */
static size_t cheapest_option(const rig__domains *domains, const rig__option_set *set, size_t group)
{
    const size_t n_options = domains->problem->n_options[group];
    const int64_t *const costs = domains->problem->costs[group];
    const double *const prices =
        domains->price != NULL ? domains->price + domains->option_start[group] : NULL;
    size_t cheapest = n_options;
    for (size_t i = rig__domains_next(domains, set, group, 0); i < n_options;
         i = rig__domains_next(domains, set, group, i + 1)) {
        if (cheapest == n_options ||
            (prices != NULL ? prices[i] < prices[cheapest] : costs[i] < costs[cheapest])) {
            cheapest = i;
        }
    }
    return cheapest;
}

typedef struct run {
    const rig__domains *domains;
    rig__arena *arena;
    level *levels;
    size_t n_levels; /* with memory */
    size_t *chosen;
    rig__search_effort effort;
    bool is_cut_short; /* a node had more options than the width */
} run;

/* Memory of a level, made when the search first gets there. */
static bool reach_level(run *r, size_t depth)
{
    if (depth < r->n_levels) {
        return true;
    }
    r->levels[depth].set = rig__arena_alloc(r->arena, r->domains->n_words, sizeof(rig__option_set));
    r->n_levels = depth + 1;
    return r->levels[depth].set != NULL;
}

/* Every group has one option: offers it. */
static void offer_leaf(run *r, const rig__option_set *set, rig__incumbent *best)
{
    const rig_choice_problem *const problem = r->domains->problem;
    for (size_t g = 0; g < problem->n_groups; g++) {
        r->chosen[g] = rig__domains_next(r->domains, set, g, 0);
    }
    (void)rig__incumbent_offer(best, problem, r->chosen);
}

/* Takes the cheapest option of the branching group out of levels[depth] and puts the rest of the
 * choice into levels[depth + 1]. @return false: none is left, or none can be better */
static bool branch(run *r, size_t depth, int64_t cost_below)
{
    level *const from = &r->levels[depth];
    /* the incumbent may have improved since the level was propagated */
    const size_t option = cheapest_option(r->domains, from->set, from->group);
    if (option == r->domains->problem->n_options[from->group] ||
        rig__domains_least_cost(r->domains, from->set) >= cost_below) {
        return false;
    }
    if (from->n_tried == r->effort.width) {
        r->is_cut_short = true;
        return false;
    }
    from->n_tried++;
    rig__option_set *const child = r->levels[depth + 1].set;
    memcpy(child, from->set, r->domains->n_words * sizeof *child);
    rig__domains_choose(r->domains, child, from->group, option);
    rig__domains_remove(r->domains, from->set, from->group, option);
    return true;
}

static rig_status search_levels(
    run *r, const rig__stop *stop, rig__incumbent *best, int64_t *nodes, bool *complete_out)
{
    const size_t n_groups = r->domains->problem->n_groups;
    const int64_t nodes_end = *nodes + r->effort.nodes;
    *complete_out = false;
    size_t depth = 0;
    bool is_new = true;
    for (;;) {
        if (is_new) {
            (*nodes)++;
            if (*nodes > nodes_end || (*nodes % NODES_PER_POLL == 0 && rig__stop_now(stop))) {
                return RIG_OK;
            }
            level *const at = &r->levels[depth];
            const size_t changed = depth > 0 ? r->levels[depth - 1].group : n_groups;
            bool is_open = rig__domains_propagate(r->domains, at->set, best->cost_below, changed);
            at->n_tried = 0;
            at->group = is_open ? pick_group(r->domains, at->set) : n_groups;
            if (is_open && at->group == n_groups) {
                offer_leaf(r, at->set, best);
                is_open = false;
            }
            if (!is_open) {
                if (depth == 0) {
                    break;
                }
                depth--;
            }
        }
        if (!reach_level(r, depth + 1)) {
            return RIG_E_NOMEM;
        }
        is_new = branch(r, depth, best->cost_below);
        if (is_new) {
            depth++;
        } else if (depth == 0) {
            break;
        } else {
            depth--;
        }
    }
    *complete_out = !r->is_cut_short;
    return RIG_OK;
}

rig_status rig__search(const rig__domains *domains,
                       const rig__option_set *set,
                       rig__search_effort effort,
                       const rig__stop *stop,
                       rig__incumbent *best,
                       int64_t *nodes,
                       bool *complete_out)
{
    rig__arena *const arena = rig__arena_new();
    if (arena == NULL) {
        return RIG_E_NOMEM;
    }
    rig_status status = RIG_E_NOMEM;
    run r = {.domains = domains, .arena = arena, .effort = effort};
    /* each level settles one more group */
    r.levels = rig__arena_alloc(arena, domains->problem->n_groups + 2, sizeof *r.levels);
    r.chosen = rig__arena_alloc(arena, domains->problem->n_groups, sizeof *r.chosen);
    if (r.levels != NULL && r.chosen != NULL && reach_level(&r, 0)) {
        memcpy(r.levels[0].set, set, domains->n_words * sizeof *set);
        status = search_levels(&r, stop, best, nodes, complete_out);
    }
    rig__arena_free(arena);
    return status;
}
