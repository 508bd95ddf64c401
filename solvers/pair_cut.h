/* SPDX-License-Identifier: GPL-3.0-or-later
 * Inequalities that a fractional choice violates for a pair of groups. */
#ifndef RIG_SOLVERS_PAIR_CUT_H
#define RIG_SOLVERS_PAIR_CUT_H

#include "solvers/domains.h"

/** sum of x over the options in from <= sum of x over the options in to. */
typedef struct rig__pair_cut {
    uint64_t *from;   /**< words of group pair->first */
    uint64_t *to;     /**< words of group pair->second */
    double violation; /**< left side less right side at x */
} rig__pair_cut;

/** Finds the most violated inequality x(S) <= x(N(S)), S options of the first group and N(S) all
 *  their allowed partners.
 *
 *  A fractional choice of the two groups is a mixture of allowed pairs if and only if all these
 *  inequalities hold (max-flow min-cut on the bipartite graph of allowed pairs), so they are the
 *  tightest description of a pair. S is completed to every option whose partners lie in N(S).
 *
 *  @param x_first   weight per option of the first group, >= 0; x_second likewise
 *  @param set       options that are left; others are ignored
 *  @param[out] cut  its words are cleared and filled
 *  @return RIG_OK, with violation 0 if there is none; RIG_E_NOMEM   @thread safe
 *  @source L. R. Ford, D. R. Fulkerson, "Maximal flow through a network", 1956 */
rig_status rig__pair_cut_find(const rig__domains *domains,
                              size_t i_pair,
                              const rig__option_set *set,
                              const double *x_first,
                              const double *x_second,
                              rig__pair_cut *cut);

#endif
