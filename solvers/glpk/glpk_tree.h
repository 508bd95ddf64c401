/* SPDX-License-Identifier: GPL-3.0-or-later
 * Branch and bound of GLPK, steered so that its own tolerances decide as little as possible. */
#ifndef RIG_SOLVERS_GLPK_TREE_H
#define RIG_SOLVERS_GLPK_TREE_H

#include "solvers/glpk/glpk_lp.h"
#include "solvers/search.h"

/** What the branch and bound works on and reports. */
typedef struct rig__glpk_tree {
    rig__glpk_lp *lp;      /**< loaded and solved */
    rig__incumbent *best;  /**< improved */
    const rig__stop *stop; /**< polled in every node */
    int64_t nodes;         /**< counted */
    int64_t cost_bound;    /**< raised: proved lower bound of what costs less than the best */
    size_t *chosen;        /**< room for a choice */
    bool is_complete;      /**< result: nothing costs less than best->cost_below */
    rig_status status;     /**< RIG_OK, RIG_E_NOMEM */
    int node;              /**< in work, and rounds of cuts in it */
    int n_rounds;
} rig__glpk_tree;

/** Searches the tree of the loaded relaxation until it is empty or a limit stops it.
 *
 *  GLPK never sees a solution: each integral point is checked and recorded here and then cut off,
 *  and a node is closed when its proved bound in whole cents reaches the best cost. So GLPK's
 *  tolerances on gap and integrality play no part in the proof, only its finding that a relaxation
 *  with weights 0..1, loosened by ten times its tolerance, has no point at all. */
void rig__glpk_tree_run(rig__glpk_tree *tree);

#endif
