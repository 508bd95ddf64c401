/* SPDX-License-Identifier: GPL-3.0-or-later
 * Solver that proves the optimum by integer programming with GLPK.
 *
 * 1. Options that no solution can contain are removed; a short depth-first search looks for a
 *    first solution. Small problems end here.
 * 2. The linear relaxation is solved with the pair inequalities it violates. Its duals give each
 *    option a price, and prices prove bounds; options that reach the best cost are removed, the
 *    search is repeated with prices, and all that again as long as it helps.
 * 3. GLPK's branch and bound settles what is left; should GLPK fail, the depth-first search goes on
 *    for longer. */
#include "solvers/glpk/glpk_solver.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "solvers/choice.h"
#include "solvers/glpk/glpk_cage.h"
#include "solvers/glpk/glpk_tree.h"

/* Measured on problems of 7 groups with 2080 options, 4 rows and 8 random pairs: nearly all end
 * within these, in a second; the relaxation alone or the tree alone takes a hundred times as long.
 */
static const rig__glpk_effort effort_default = {2000, 1000, 60000, 3000000};

/* Widths of the narrow searches are 2, 4, ... */
#define WIDTH_MAX 8

#define ROOT_PASSES_MAX 8
#define ROOT_CUT_ROUNDS_MAX 12
#define ROOT_CUT_VIOLATION 1e-3

/* A pass that removes fewer than this part of the options is the last. */
#define ROOT_GAIN_LEAST 0.1

typedef struct work {
    const rig_choice_problem *problem;
    const rig__glpk_effort *effort;
    rig__stop stop;
    rig__domains domains;
    rig__option_set *set;
    rig__incumbent best;
    rig__glpk_lp lp;
    size_t *chosen;
    double *price;
    int64_t nodes;
    int64_t cost_bound;
    bool is_complete; /* nothing costs less than best.cost_below */
} work;

static rig_status search_for(work *w, int64_t nodes, size_t width)
{
    const rig__search_effort effort = {nodes, width};
    return rig__search(&w->domains, w->set, effort, &w->stop, &w->best, &w->nodes, &w->is_complete);
}

static void raise_bound(work *w, double bound_cents)
{
    const int64_t bound = rig__glpk_lp_round_up(bound_cents);
    if (bound > w->cost_bound) {
        w->cost_bound = bound < w->best.cost_below ? bound : w->best.cost_below;
    }
    if (w->best.cost_below < INT64_MAX && bound >= w->best.cost_below) {
        w->is_complete = true;
    }
}

/* Seconds left as the simplex method wants them. */
static int left_ms(const work *w)
{
    const double left_s = w->stop.end_s - rig__clock_s();
    if (!(left_s < 1e6)) {
        return INT_MAX;
    }
    return left_s > 0.0 ? (int)(left_s * 1000.0) : 0;
}

/* Solves the relaxation, adds the violated pair inequalities and repeats.
 * @return false: stopped, or GLPK failed; is_complete: it has no point */
static bool solve_root(work *w, rig_status *status)
{
    glp_smcp parm;
    glp_init_smcp(&parm);
    parm.msg_lev = GLP_MSG_OFF;
    parm.presolve = GLP_OFF;
    parm.meth = GLP_DUALP;
    rig__glpk_lp_load(&w->lp);
    for (int round = 0;; round++) {
        parm.tm_lim = left_ms(w);
        const int code = glp_simplex(w->lp.prob, &parm);
        const int state = glp_get_status(w->lp.prob);
        if (code == 0 && state == GLP_NOFEAS) {
            w->is_complete = true;
            return true;
        }
        if (code != 0 || state != GLP_OPT || rig__stop_now(&w->stop)) {
            return false;
        }
        if (round == ROOT_CUT_ROUNDS_MAX) {
            return true;
        }
        int n_added = 0;
        rig__glpk_lp_read(&w->lp, w->lp.prob);
        *status = rig__glpk_lp_add_pair_cuts(&w->lp, w->lp.prob, ROOT_CUT_VIOLATION, &n_added);
        if (*status != RIG_OK || n_added == 0) {
            return *status == RIG_OK;
        }
    }
}

static size_t count_left(const work *w)
{
    size_t count = 0;
    for (size_t g = 0; g < w->problem->n_groups; g++) {
        count += rig__domains_count(&w->domains, w->set, g);
    }
    return count;
}

/* Narrow searches for a good solution, then a full one for the proof. */
static rig_status search_priced(work *w)
{
    for (size_t width = 2; width <= WIDTH_MAX; width *= 2) {
        RIG_TRY(search_for(w, w->effort->nodes_narrow, width));
        if (w->is_complete) {
            return RIG_OK;
        }
    }
    return search_for(w, w->effort->nodes_priced, SIZE_MAX);
}

/* Step 2. @return false: the relaxation could not be solved */
static bool shrink_by_root(work *w, rig_status *status)
{
    for (int pass = 0; pass < ROOT_PASSES_MAX; pass++) {
        if (!solve_root(w, status)) {
            return false;
        }
        if (w->is_complete) {
            return true;
        }
        const double bound = rig__glpk_lp_bound(&w->lp, w->lp.prob);
        raise_bound(w, bound);
        if (w->is_complete) {
            return true;
        }
        const size_t n_before = count_left(w);
        w->domains.price_base = rig__glpk_lp_prices(&w->lp, bound, w->price);
        w->domains.price = w->price;
        if (!rig__domains_propagate(
                &w->domains, w->set, w->best.cost_below, w->problem->n_groups)) {
            w->is_complete = true;
            return true;
        }
        *status = search_priced(w);
        if (*status != RIG_OK || w->is_complete) {
            return *status == RIG_OK;
        }
        const size_t n_after = count_left(w);
        if ((double)(n_before - n_after) < ROOT_GAIN_LEAST * (double)n_before) {
            break;
        }
    }
    /* once more without the options that were removed last, for the tree */
    return solve_root(w, status);
}

/* What is done with GLPK. It owns nothing but what GLPK and the arena of the caller free. */
static rig_status run_glpk(void *payload)
{
    work *const w = payload;
    rig_status status = RIG_OK;
    const bool is_root_solved = shrink_by_root(w, &status);
    if (status == RIG_OK && is_root_solved && !w->is_complete) {
        rig__glpk_tree tree = {.lp = &w->lp, .best = &w->best, .stop = &w->stop};
        tree.chosen = w->chosen;
        tree.cost_bound = w->cost_bound;
        rig__glpk_tree_run(&tree);
        w->nodes += tree.nodes;
        w->cost_bound = tree.cost_bound;
        w->is_complete = tree.is_complete;
        status = tree.status;
    }
    if (w->lp.prob != NULL) {
        glp_delete_prob(w->lp.prob);
        w->lp.prob = NULL;
    }
    return status;
}

/* Steps 1 to 3. */
static rig_status run_steps(work *w, rig_error *err)
{
    if (rig__stop_now(&w->stop)) {
        return RIG_OK;
    }
    if (!rig__domains_propagate(&w->domains, w->set, w->best.cost_below, w->problem->n_groups)) {
        w->is_complete = true;
        return RIG_OK;
    }
    rig_status status = search_for(w, w->effort->nodes_first, SIZE_MAX);
    if (status != RIG_OK) {
        return rig__error_nomem(err);
    }
    if (w->is_complete || rig__stop_now(&w->stop)) {
        return RIG_OK;
    }
    rig_error trouble = {0};
    status = rig__glpk_cage_run(run_glpk, w, &trouble);
    if (w->is_complete || rig__stop_now(&w->stop)) {
        return RIG_OK;
    }
    if (status == RIG_E_NOMEM) {
        return rig__error_nomem(err);
    }
    /* GLPK failed; a proof without it is as good, and a solution is better than an error */
    if (search_for(w, w->effort->nodes_last, SIZE_MAX) != RIG_OK) {
        return rig__error_nomem(err);
    }
    if (w->is_complete || w->best.has_solution || rig__stop_now(&w->stop)) {
        return RIG_OK;
    }
    return rig__error_set(err,
                          RIG_E_SOLVER,
                          NULL,
                          0,
                          0,
                          "GLPK found no end: '%s' (expected a proof)",
                          trouble.message);
}

static rig_status set_up(work *w, rig_choice_solution *solution, rig__arena *arena)
{
    const size_t n_groups = w->problem->n_groups;
    w->best.cost_below =
        w->problem->cost_limit < INT64_MAX ? w->problem->cost_limit + 1 : INT64_MAX;
    w->best.chosen = solution->chosen;
    RIG_TRY(rig__domains_init(&w->domains, w->problem, arena));
    w->set = rig__domains_full(&w->domains, arena);
    w->chosen = rig__arena_alloc(arena, n_groups, sizeof *w->chosen);
    w->price = rig__arena_alloc(arena, w->domains.n_options, sizeof *w->price);
    if (w->set == NULL || w->chosen == NULL || w->price == NULL) {
        return RIG_E_NOMEM;
    }
    w->cost_bound = rig__domains_least_cost(&w->domains, w->set);
    return rig__glpk_lp_init(&w->lp, &w->domains, w->set, arena);
}

static void report(const work *w, rig_choice_solution *solution)
{
    const bool has_solution = w->best.has_solution;
    solution->nodes = w->nodes;
    solution->cost = has_solution ? w->best.cost_below : 0;
    if (w->is_complete) {
        solution->outcome = has_solution ? RIG_OUTCOME_OPTIMAL : RIG_OUTCOME_INFEASIBLE;
        solution->cost_bound = solution->cost;
        return;
    }
    solution->outcome = has_solution ? RIG_OUTCOME_FEASIBLE : RIG_OUTCOME_LIMIT;
    solution->cost_bound =
        has_solution && w->cost_bound > solution->cost ? solution->cost : w->cost_bound;
}

rig_status rig__glpk_solve(const rig_choice_problem *problem,
                           const rig_solver_limits *limits,
                           const rig__glpk_effort *effort,
                           rig_choice_solution *solution,
                           rig_error *err)
{
    const rig_solver_limits none = rig_solver_limits_default();
    RIG_TRY(rig__choice_check(problem, limits, err));
    rig__arena *const arena = rig__arena_new();
    if (arena == NULL) {
        return rig__error_nomem(err);
    }
    work w = {.problem = problem, .effort = effort};
    w.stop.limits = limits != NULL ? limits : &none;
    w.stop.end_s = rig__clock_s() + w.stop.limits->time_s;
    rig_status status = set_up(&w, solution, arena);
    if (status != RIG_OK) {
        status = rig__error_nomem(err);
        goto done;
    }
    status = run_steps(&w, err);
    if (status == RIG_OK) {
        report(&w, solution);
    }
done:
    rig__arena_free(arena);
    return status;
}

static rig_status solve(const rig_choice_problem *problem,
                        const rig_solver_limits *limits,
                        rig_choice_solution *solution,
                        rig_error *err)
{
    return rig__glpk_solve(problem, limits, &effort_default, solution, err);
}

const rig_solver rig__solver_glpk = {
    "glpk",
    "integer program with cuts, solved and proved by GLPK",
    solve,
};
