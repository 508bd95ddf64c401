/* SPDX-License-Identifier: GPL-3.0-or-later
 * Depth-first search over option sets: quick solutions, and the proof where it comes to an end. */
#ifndef RIG_SOLVERS_SEARCH_H
#define RIG_SOLVERS_SEARCH_H

#include "solvers/domains.h"

/** Best solution so far, shared by the steps of a solver. */
typedef struct rig__incumbent {
    size_t *chosen;     /**< n_groups, valid once has_solution */
    int64_t cost_below; /**< only solutions that cost less count: cost of chosen, or limit + 1 */
    bool has_solution;
} rig__incumbent;

/** Copies chosen if it holds and costs less. @return true if it was taken */
bool rig__incumbent_offer(rig__incumbent *best,
                          const rig_choice_problem *problem,
                          const size_t *chosen);

/** When a solver has to stop. */
typedef struct rig__stop {
    const rig_solver_limits *limits; /**< not NULL */
    double end_s;                    /**< by rig__clock_s */
} rig__stop;
bool rig__stop_now(const rig__stop *stop);

/** How long and how wide a search is. */
typedef struct rig__search_effort {
    int64_t nodes; /**< after which it gives up */
    size_t width;  /**< options tried per node, SIZE_MAX: all. A narrow search is no proof, but it
                        changes its first decisions early and so finds good solutions sooner */
} rig__search_effort;

/** Looks through set, group of fewest options first, cheapest option first, with propagation in
 *  each node, and improves best.
 *
 *  @param set            borrowed; propagated
 *  @param[in,out] nodes  counter
 *  @param[out] complete_out  true: nothing in set costs less than best->cost_below any more
 *  @return RIG_OK, RIG_E_NOMEM   @thread safe */
rig_status rig__search(const rig__domains *domains,
                       const rig__option_set *set,
                       rig__search_effort effort,
                       const rig__stop *stop,
                       rig__incumbent *best,
                       int64_t *nodes,
                       bool *complete_out);

#endif
