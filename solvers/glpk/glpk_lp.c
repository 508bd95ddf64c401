/* SPDX-License-Identifier: GPL-3.0-or-later
 * Linear relaxation of a choice problem in GLPK, and bounds that its duals prove. */
#include "solvers/glpk/glpk_lp.h"

#include <float.h>
#include <math.h>

#include "solvers/choice.h"

/* Side conditions are loosened by this much of their room so that the simplex method, which works
 * to 1e-7, never cuts off a choice that holds; choices that only hold loosened are found and
 * forbidden one by one. */
#define ROW_LOOSENING 1e-6

/* Largest cost in the objective: from 1000 on GLPK would scale costs by itself. */
#define OBJECTIVE_MAX 1000.0

rig_status rig__glpk_lp_init(rig__glpk_lp *lp,
                             const rig__domains *domains,
                             rig__option_set *set,
                             rig__arena *arena)
{
    const rig_choice_problem *const problem = domains->problem;
    const size_t n = domains->n_options;
    *lp = (rig__glpk_lp){.domains = domains, .set = set};
    lp->option_start = rig__arena_alloc(arena, problem->n_groups, sizeof *lp->option_start);
    lp->column_of = rig__arena_alloc(arena, n, sizeof *lp->column_of);
    lp->option_of = rig__arena_alloc(arena, n + 1, sizeof *lp->option_of);
    lp->group_of = rig__arena_alloc(arena, n + 1, sizeof *lp->group_of);
    lp->excess = rig__arena_alloc(arena, n + 1, sizeof *lp->excess);
    lp->x = rig__arena_alloc(arena, n, sizeof *lp->x);
    lp->reduced = rig__arena_alloc(arena, n + 1, sizeof *lp->reduced);
    lp->least = rig__arena_alloc(arena, problem->n_groups, sizeof *lp->least);
    lp->index = rig__arena_alloc(arena, n + 1, sizeof *lp->index);
    lp->value = rig__arena_alloc(arena, n + 1, sizeof *lp->value);
    lp->cut.from = rig__arena_alloc(arena, domains->n_words, sizeof *lp->cut.from);
    lp->cut.to = rig__arena_alloc(arena, domains->n_words, sizeof *lp->cut.to);
    if (lp->option_start == NULL || lp->column_of == NULL || lp->option_of == NULL ||
        lp->group_of == NULL || lp->excess == NULL || lp->x == NULL || lp->reduced == NULL ||
        lp->least == NULL || lp->index == NULL || lp->value == NULL || lp->cut.from == NULL ||
        lp->cut.to == NULL) {
        return RIG_E_NOMEM;
    }
    for (size_t g = 1; g < problem->n_groups; g++) {
        lp->option_start[g] = lp->option_start[g - 1] + problem->n_options[g - 1];
    }
    return RIG_OK;
}

static int column(const rig__glpk_lp *lp, size_t group, size_t option)
{
    return lp->column_of[lp->option_start[group] + option];
}

static int64_t cost_of(const rig__glpk_lp *lp, int j)
{
    return lp->domains->problem->costs[lp->group_of[j]][lp->option_of[j]];
}

/* Numbers the columns of the options in the set, by group. */
static void number_columns(rig__glpk_lp *lp)
{
    const rig_choice_problem *const problem = lp->domains->problem;
    lp->n_columns = 0;
    for (size_t g = 0; g < problem->n_groups; g++) {
        for (size_t i = 0; i < problem->n_options[g]; i++) {
            int number = 0;
            if (rig__domains_has(lp->domains, lp->set, g, i)) {
                number = ++lp->n_columns;
                lp->group_of[number] = g;
                lp->option_of[number] = i;
            }
            lp->column_of[lp->option_start[g] + i] = number;
        }
    }
}

/* Exactly one option per group is chosen, so the least cost of each group is paid anyway. */
static void set_objective(rig__glpk_lp *lp)
{
    int64_t largest = 0;
    lp->shift = 0;
    for (int j = 1; j <= lp->n_columns;) {
        const size_t g = lp->group_of[j];
        int64_t least = cost_of(lp, j);
        int64_t most = least;
        int end = j;
        for (; end <= lp->n_columns && lp->group_of[end] == g; end++) {
            const int64_t cost = cost_of(lp, end);
            least = cost < least ? cost : least;
            most = cost > most ? cost : most;
        }
        for (; j < end; j++) {
            lp->excess[j] = (double)(cost_of(lp, j) - least);
        }
        lp->shift += least;
        largest = most - least > largest ? most - least : largest;
    }
    lp->scale = largest > 0 ? (double)largest / OBJECTIVE_MAX : 1.0;
    for (int j = 1; j <= lp->n_columns; j++) {
        glp_set_obj_coef(lp->prob, j, lp->excess[j] / lp->scale);
    }
}

static void add_group_rows(rig__glpk_lp *lp)
{
    const int n_groups = (int)lp->domains->problem->n_groups;
    glp_add_rows(lp->prob, n_groups);
    int j = 1;
    for (int g = 0; g < n_groups; g++) {
        int length = 0;
        for (; j <= lp->n_columns && lp->group_of[j] == (size_t)g; j++) {
            lp->index[++length] = j;
            lp->value[length] = 1.0;
        }
        glp_set_mat_row(lp->prob, g + 1, length, lp->index, lp->value);
        glp_set_row_bnds(lp->prob, g + 1, GLP_FX, 1.0, 1.0);
    }
}

typedef struct range {
    double least, most, magnitude;
} range;

static range range_of(const rig__glpk_lp *lp, const rig_choice_row *row, int first, int end)
{
    range r = {(double)INFINITY, -(double)INFINITY, 0.0};
    for (int j = first; j < end; j++) {
        const double value = rig__choice_coefficient(row, lp->group_of[j], lp->option_of[j]);
        r.least = fmin(r.least, value);
        r.most = fmax(r.most, value);
        r.magnitude = fmax(r.magnitude, fabs(value));
    }
    return r;
}

static int end_of_group(const rig__glpk_lp *lp, int first)
{
    int end = first;
    while (end <= lp->n_columns && lp->group_of[end] == lp->group_of[first]) {
        end++;
    }
    return end;
}

/* Weight of an option: what it takes of the room that the least coefficients leave. */
static void add_side_row(rig__glpk_lp *lp, const rig_choice_row *row)
{
    double least = 0.0;
    double most = 0.0;
    double magnitude = fabs(row->limit);
    for (int j = 1; j <= lp->n_columns; j = end_of_group(lp, j)) {
        const range r = range_of(lp, row, j, end_of_group(lp, j));
        least += r.least;
        most += r.most;
        magnitude += r.magnitude;
    }
    /* twice the tolerance of a row: the sums above are rounded as well */
    const double room = row->limit - least + 2.0 * RIG__ROW_TOLERANCE * magnitude;
    if (most <= row->limit || !(room > 0.0)) {
        return; /* holds for every choice */
    }
    int length = 0;
    for (int j = 1; j <= lp->n_columns;) {
        const int end = end_of_group(lp, j);
        const double base = range_of(lp, row, j, end).least;
        for (; j < end; j++) {
            const double value = rig__choice_coefficient(row, lp->group_of[j], lp->option_of[j]);
            if (value - base > 0.0) {
                lp->index[++length] = j;
                lp->value[length] = (value - base) / room;
            }
        }
    }
    const int i = glp_add_rows(lp->prob, 1);
    glp_set_mat_row(lp->prob, i, length, lp->index, lp->value);
    glp_set_row_bnds(lp->prob, i, GLP_UP, 0.0, 1.0 + ROW_LOOSENING);
}

void rig__glpk_lp_load(rig__glpk_lp *lp)
{
    const rig_choice_problem *const problem = lp->domains->problem;
    if (lp->prob != NULL) {
        glp_delete_prob(lp->prob);
    }
    lp->prob = glp_create_prob();
    glp_set_obj_dir(lp->prob, GLP_MIN);
    number_columns(lp);
    glp_add_cols(lp->prob, lp->n_columns);
    for (int j = 1; j <= lp->n_columns; j++) {
        glp_set_col_kind(lp->prob, j, GLP_BV);
    }
    set_objective(lp);
    add_group_rows(lp);
    for (size_t r = 0; r < problem->n_rows; r++) {
        add_side_row(lp, &problem->rows[r]);
    }
    lp->n_rows_exact = glp_get_num_rows(lp->prob);
}

void rig__glpk_lp_read(rig__glpk_lp *lp, glp_prob *prob)
{
    for (size_t i = 0; i < lp->domains->n_options; i++) {
        const int j = lp->column_of[i];
        lp->x[i] = j > 0 ? glp_get_col_prim(prob, j) : 0.0;
    }
}

/* Appends the columns of the options in words with a coefficient. @return new length */
static int append_columns(
    rig__glpk_lp *lp, const uint64_t *words, size_t group, double coefficient, int length)
{
    for (size_t i = 0; i < lp->domains->problem->n_options[group]; i++) {
        const int j = column(lp, group, i);
        if ((words[i / 64] >> (i % 64) & 1) != 0 && j > 0) {
            lp->index[++length] = j;
            lp->value[length] = coefficient;
        }
    }
    return length;
}

rig_status
rig__glpk_lp_add_pair_cuts(rig__glpk_lp *lp, glp_prob *prob, double least_violation, int *n_added)
{
    const rig_choice_problem *const problem = lp->domains->problem;
    *n_added = 0;
    for (size_t p = 0; p < problem->n_pairs; p++) {
        const rig_choice_pair *const pair = &problem->pairs[p];
        const double *const x_first = lp->x + lp->option_start[pair->first];
        const double *const x_second = lp->x + lp->option_start[pair->second];
        if (rig__pair_cut_find(lp->domains, p, lp->set, x_first, x_second, &lp->cut) != RIG_OK) {
            return RIG_E_NOMEM;
        }
        if (lp->cut.violation <= least_violation) {
            continue;
        }
        int length = append_columns(lp, lp->cut.from, pair->first, 1.0, 0);
        length = append_columns(lp, lp->cut.to, pair->second, -1.0, length);
        const int i = glp_add_rows(prob, 1);
        glp_set_mat_row(prob, i, length, lp->index, lp->value);
        glp_set_row_bnds(prob, i, GLP_UP, 0.0, 0.0);
        (*n_added)++;
    }
    return RIG_OK;
}

void rig__glpk_lp_forbid(rig__glpk_lp *lp, glp_prob *prob, const size_t *chosen)
{
    const int n_groups = (int)lp->domains->problem->n_groups;
    for (int g = 0; g < n_groups; g++) {
        lp->index[g + 1] = column(lp, (size_t)g, chosen[g]);
        lp->value[g + 1] = 1.0;
    }
    const int i = glp_add_rows(prob, 1);
    glp_set_mat_row(prob, i, n_groups, lp->index, lp->value);
    glp_set_row_bnds(prob, i, GLP_UP, 0.0, (double)n_groups - 1.0);
}

void rig__glpk_lp_close(rig__glpk_lp *lp, glp_prob *prob)
{
    int length = 0;
    for (int j = 1; j <= lp->n_columns && lp->group_of[j] == 0; j++) {
        lp->index[++length] = j;
        lp->value[length] = 1.0;
    }
    const int i = glp_add_rows(prob, 1);
    glp_set_mat_row(prob, i, length, lp->index, lp->value);
    glp_set_row_bnds(prob, i, GLP_UP, 0.0, 0.0);
}

/* Dual of a row with the sign that makes it prove something, in cents; b its right side. */
static double usable_dual(const rig__glpk_lp *lp, glp_prob *prob, int i, double *b)
{
    const double dual = glp_get_row_dual(prob, i) * lp->scale;
    switch (glp_get_row_type(prob, i)) {
    case GLP_UP:
        /* a choice that holds keeps the side conditions without the loosening */
        *b = i <= lp->n_rows_exact ? 1.0 : glp_get_row_ub(prob, i);
        return fmin(dual, 0.0);
    case GLP_LO:
        *b = glp_get_row_lb(prob, i);
        return fmax(dual, 0.0);
    default:
        *b = 0.0;
        return 0.0;
    }
}

/* Sum of the least reduced cost of each group under the bounds of the columns. */
static double sum_least(rig__glpk_lp *lp, glp_prob *prob)
{
    double sum = 0.0;
    for (int j = 1; j <= lp->n_columns;) {
        const size_t g = lp->group_of[j];
        const int end = end_of_group(lp, j);
        double least = (double)INFINITY;
        double forced = (double)INFINITY;
        for (; j < end; j++) {
            if (glp_get_col_ub(prob, j) > 0.5) {
                least = fmin(least, lp->reduced[j]);
            }
            if (glp_get_col_lb(prob, j) > 0.5) {
                forced = lp->reduced[j];
            }
        }
        lp->least[g] = isinf(forced) ? least : forced;
        sum += lp->least[g];
    }
    return sum;
}

double rig__glpk_lp_bound(rig__glpk_lp *lp, glp_prob *prob)
{
    const int n_groups = (int)lp->domains->problem->n_groups;
    const int n_rows = glp_get_num_rows(prob);
    double sum = 0.0;
    double magnitude = lp->scale * OBJECTIVE_MAX * n_groups;
    for (int j = 1; j <= lp->n_columns; j++) {
        lp->reduced[j] = lp->excess[j];
    }
    for (int i = n_groups + 1; i <= n_rows; i++) {
        double b = 0.0;
        const double dual = usable_dual(lp, prob, i, &b);
        if (!(fabs(dual) > 0.0) || !isfinite(dual)) {
            continue;
        }
        const int length = glp_get_mat_row(prob, i, lp->index, lp->value);
        double largest = 0.0;
        for (int k = 1; k <= length; k++) {
            lp->reduced[lp->index[k]] -= dual * lp->value[k];
            largest = fmax(largest, fabs(lp->value[k]));
        }
        sum += dual * b;
        magnitude += fabs(dual) * (fabs(b) + largest * n_groups);
    }
    /* each of the numbers added has at most n_rows + n_groups + 2 roundings behind it */
    const double margin = 4.0 * DBL_EPSILON * (n_rows + n_groups + 2) * magnitude;
    const double rest = sum + sum_least(lp, prob) - margin;
    const double shift = (double)lp->shift;
    return shift + rest - 2.0 * DBL_EPSILON * (shift + fabs(rest));
}

int64_t rig__glpk_lp_round_up(double bound_cents)
{
    if (!(bound_cents > 0.0)) {
        return 0;
    }
    return bound_cents < 9e18 ? (int64_t)ceil(bound_cents) : INT64_MAX;
}

double rig__glpk_lp_prices(const rig__glpk_lp *lp, double bound_cents, double *price)
{
    const rig_choice_problem *const problem = lp->domains->problem;
    for (size_t g = 0; g < problem->n_groups; g++) {
        for (size_t i = 0; i < problem->n_options[g]; i++) {
            const int j = column(lp, g, i);
            /* above the least of the group, so that base is the bound itself */
            price[lp->option_start[g] + i] = j > 0 ? lp->reduced[j] - lp->least[g] : 0.0;
        }
    }
    return bound_cents;
}
