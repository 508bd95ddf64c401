/* SPDX-License-Identifier: GPL-3.0-or-later
 * Linear relaxation of a choice problem in GLPK, and bounds that its duals prove. */
#ifndef RIG_SOLVERS_GLPK_LP_H
#define RIG_SOLVERS_GLPK_LP_H

#include <glpk.h>

#include "solvers/domains.h"
#include "solvers/pair_cut.h"

/** Relaxation over the options of a set: one column per option, one row sum = 1 per group, one row
 *  per side condition that can fail; pairs come as cuts. Rows are shifted and divided so that
 *  weights lie in 0..1 and the limit is 1; costs so that they lie in 0..1000. */
typedef struct rig__glpk_lp {
    const rig__domains *domains;
    rig__option_set *set; /**< options with a column */
    glp_prob *prob;       /**< NULL until loaded */
    size_t *option_start; /**< per group: number of its first option among all options */
    int *column_of;       /**< per option: its column, 0: none */
    size_t *option_of;    /**< per column from 1: its option within its group */
    size_t *group_of;     /**< per column from 1 */
    int n_columns;
    int n_rows_exact; /**< rows of groups and side conditions; cuts follow */
    int64_t shift;    /**< cents that every choice costs */
    double scale;     /**< cents per unit of the objective */
    double *excess;   /**< per column from 1, cost above the least of its group [cents] */
    double *x;        /**< per option, the last point read */
    double *reduced;  /**< per column from 1, reduced excess [cents] of the last bound */
    double *least;    /**< per group, least reduced excess [cents] of the last bound */
    int *index;       /**< room for one row */
    double *value;
    rig__pair_cut cut; /**< room for one cut */
} rig__glpk_lp;

/** Allocates all arrays for the options of domains. @return RIG_OK, RIG_E_NOMEM */
rig_status rig__glpk_lp_init(rig__glpk_lp *lp,
                             const rig__domains *domains,
                             rig__option_set *set,
                             rig__arena *arena);

/** Builds the relaxation over the options now in the set; any earlier one is deleted. */
void rig__glpk_lp_load(rig__glpk_lp *lp);

/** Reads the point of the last solved relaxation into lp->x. */
void rig__glpk_lp_read(rig__glpk_lp *lp, glp_prob *prob);

/** Adds the inequalities of pairs that lp->x violates by more than least_violation.
 *  @param[out] n_added  rows added to prob   @return RIG_OK, RIG_E_NOMEM */
rig_status
rig__glpk_lp_add_pair_cuts(rig__glpk_lp *lp, glp_prob *prob, double least_violation, int *n_added);

/** Adds the row that forbids chosen and nothing else. */
void rig__glpk_lp_forbid(rig__glpk_lp *lp, glp_prob *prob, const size_t *chosen);

/** Adds a row that no choice fulfils. */
void rig__glpk_lp_close(rig__glpk_lp *lp, glp_prob *prob);

/** Least cost that the duals of the last solved relaxation prove, under the bounds of its columns.
 *
 *  L(pi) = sum pi_r b_r + sum over groups of min over options (cost - sum pi_r a_r)
 *  is a lower bound for every pi of the right sign, however inexact the simplex method was; the
 *  rounding of this sum is bounded and taken off.
 *  @return cents, INFINITY: some group has no option
 *  @source A. M. Geoffrion, "Lagrangean relaxation for integer programming", 1974 */
double rig__glpk_lp_bound(rig__glpk_lp *lp, glp_prob *prob);

/** Least whole number of cents, 0 or more, that is not below bound_cents. */
int64_t rig__glpk_lp_round_up(double bound_cents);

/** Prices of all options by the last bound, for rig__domains: price of an option without a column
 *  is 0. @return price_base */
double rig__glpk_lp_prices(const rig__glpk_lp *lp, double bound_cents, double *price);

#endif
