/* SPDX-License-Identifier: GPL-3.0-or-later
 * Inequalities that a fractional choice violates for a pair of groups. */
#include "solvers/pair_cut.h"

#include <stdlib.h>
#include <string.h>

/* Flows and weights below this are rounding. */
#define FLOW_EPSILON 1e-9

/* Bipartite graph of the options with weight, which are few: as many as a basic solution has. */
typedef struct graph {
    size_t n, m;   /* options with weight of the first and the second group */
    size_t *first; /* their numbers */
    size_t *second;
    double *supply;       /* weight not yet sent */
    double *demand;       /* weight not yet taken */
    double *flow;         /* n * m */
    size_t *parent_first; /* of second: first it was reached from; of first: second, or none */
    size_t *parent_second;
    bool *is_first_seen;
    bool *is_second_seen;
    size_t *queue; /* first options that were reached */
} graph;

static size_t collect(const rig__domains *domains,
                      const rig__option_set *set,
                      size_t group,
                      const double *x,
                      size_t *options,
                      double *weights)
{
    size_t count = 0;
    const size_t n_options = domains->problem->n_options[group];
    for (size_t i = rig__domains_next(domains, set, group, 0); i < n_options;
         i = rig__domains_next(domains, set, group, i + 1)) {
        if (x[i] > FLOW_EPSILON) {
            options[count] = i;
            weights[count++] = x[i];
        }
    }
    return count;
}

static bool
is_allowed(const rig_choice_problem *problem, const rig_choice_pair *pair, size_t i, size_t j)
{
    return pair->allowed[i * problem->n_options[pair->second] + j] != 0;
}

/* Breadth-first from every first option with supply. @return second option with demand, m: none */
static size_t find_path(graph *g, const rig_choice_problem *problem, const rig_choice_pair *pair)
{
    size_t head = 0;
    size_t tail = 0;
    memset(g->is_second_seen, 0, g->m * sizeof *g->is_second_seen);
    for (size_t i = 0; i < g->n; i++) {
        g->is_first_seen[i] = g->supply[i] > FLOW_EPSILON;
        g->parent_second[i] = g->m;
        if (g->is_first_seen[i]) {
            g->queue[tail++] = i;
        }
    }
    while (head < tail) {
        const size_t i = g->queue[head++];
        for (size_t j = 0; j < g->m; j++) {
            if (g->is_second_seen[j] || !is_allowed(problem, pair, g->first[i], g->second[j])) {
                continue;
            }
            g->is_second_seen[j] = true;
            g->parent_first[j] = i;
            if (g->demand[j] > FLOW_EPSILON) {
                return j;
            }
            for (size_t k = 0; k < g->n; k++) {
                if (!g->is_first_seen[k] && g->flow[k * g->m + j] > FLOW_EPSILON) {
                    g->is_first_seen[k] = true;
                    g->parent_second[k] = j;
                    g->queue[tail++] = k;
                }
            }
        }
    }
    return g->m;
}

static void send(graph *g, size_t last)
{
    double amount = g->demand[last];
    size_t j = last;
    for (;;) {
        const size_t i = g->parent_first[j];
        const size_t before = g->parent_second[i];
        const double room = before == g->m ? g->supply[i] : g->flow[i * g->m + before];
        amount = room < amount ? room : amount;
        if (before == g->m) {
            break;
        }
        j = before;
    }
    g->demand[last] -= amount;
    j = last;
    for (;;) {
        const size_t i = g->parent_first[j];
        const size_t before = g->parent_second[i];
        g->flow[i * g->m + j] += amount;
        if (before == g->m) {
            g->supply[i] -= amount;
            break;
        }
        g->flow[i * g->m + before] -= amount;
        j = before;
    }
}

/* S: the options that the last, failed search reached; N(S): all their partners left. */
static void fill_cut(const graph *g,
                     const rig__domains *domains,
                     size_t i_pair,
                     const rig__option_set *set,
                     rig__pair_cut *cut)
{
    const rig_choice_pair *const pair = &domains->problem->pairs[i_pair];
    const size_t start = domains->word_start[pair->second];
    const size_t n_words = domains->word_start[pair->second + 1] - start;
    const uint64_t *const allowed = domains->allowed_second[i_pair];
    for (size_t i = 0; i < g->n; i++) {
        for (size_t w = 0; w < n_words && g->is_first_seen[i]; w++) {
            cut->to[w] |= allowed[g->first[i] * n_words + w] & set[start + w];
        }
    }
    const size_t n_first = domains->problem->n_options[pair->first];
    for (size_t i = rig__domains_next(domains, set, pair->first, 0); i < n_first;
         i = rig__domains_next(domains, set, pair->first, i + 1)) {
        bool is_inside = true;
        for (size_t w = 0; w < n_words && is_inside; w++) {
            is_inside = (allowed[i * n_words + w] & set[start + w] & ~cut->to[w]) == 0;
        }
        if (is_inside) {
            cut->from[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
}

static double weight_of(const uint64_t *words, size_t n_options, const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < n_options; i++) {
        if ((words[i / 64] >> (i % 64) & 1) != 0) {
            sum += x[i];
        }
    }
    return sum;
}

/* One block of memory for all arrays. */
static bool set_up(graph *g, rig__arena *arena, size_t n_first, size_t n_second)
{
    g->first = rig__arena_alloc(arena, n_first, sizeof *g->first);
    g->second = rig__arena_alloc(arena, n_second, sizeof *g->second);
    g->supply = rig__arena_alloc(arena, n_first, sizeof *g->supply);
    g->demand = rig__arena_alloc(arena, n_second, sizeof *g->demand);
    return g->first != NULL && g->second != NULL && g->supply != NULL && g->demand != NULL;
}

static bool set_up_flow(graph *g, rig__arena *arena)
{
    g->flow = rig__arena_alloc(arena, g->n * g->m, sizeof *g->flow);
    g->parent_first = rig__arena_alloc(arena, g->m, sizeof *g->parent_first);
    g->parent_second = rig__arena_alloc(arena, g->n, sizeof *g->parent_second);
    g->is_first_seen = rig__arena_alloc(arena, g->n, sizeof *g->is_first_seen);
    g->is_second_seen = rig__arena_alloc(arena, g->m, sizeof *g->is_second_seen);
    g->queue = rig__arena_alloc(arena, g->n, sizeof *g->queue);
    return g->flow != NULL && g->parent_first != NULL && g->parent_second != NULL &&
           g->is_first_seen != NULL && g->is_second_seen != NULL && g->queue != NULL;
}

rig_status rig__pair_cut_find(const rig__domains *domains,
                              size_t i_pair,
                              const rig__option_set *set,
                              const double *x_first,
                              const double *x_second,
                              rig__pair_cut *cut)
{
    const rig_choice_problem *const problem = domains->problem;
    const rig_choice_pair *const pair = &problem->pairs[i_pair];
    const size_t n_first = problem->n_options[pair->first];
    const size_t n_second = problem->n_options[pair->second];
    rig__arena *const arena = rig__arena_new();
    graph g = {0};
    rig_status status = RIG_E_NOMEM;
    if (arena == NULL || !set_up(&g, arena, n_first, n_second)) {
        goto done;
    }
    g.n = collect(domains, set, pair->first, x_first, g.first, g.supply);
    g.m = collect(domains, set, pair->second, x_second, g.second, g.demand);
    if (!set_up_flow(&g, arena)) {
        goto done;
    }
    status = RIG_OK;
    size_t reached = find_path(&g, problem, pair);
    while (reached < g.m) {
        send(&g, reached);
        reached = find_path(&g, problem, pair);
    }
    memset(cut->from, 0, (n_first + 63) / 64 * sizeof *cut->from);
    memset(cut->to, 0, (n_second + 63) / 64 * sizeof *cut->to);
    fill_cut(&g, domains, i_pair, set, cut);
    cut->violation =
        weight_of(cut->from, n_first, x_first) - weight_of(cut->to, n_second, x_second);
    if (cut->violation < 0.0) {
        cut->violation = 0.0;
    }
done:
    rig__arena_free(arena);
    return status;
}
