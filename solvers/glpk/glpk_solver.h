/* SPDX-License-Identifier: GPL-3.0-or-later
 * Solver that proves the optimum by integer programming with GLPK. */
#ifndef RIG_SOLVERS_GLPK_SOLVER_H
#define RIG_SOLVERS_GLPK_SOLVER_H

#include "trainrig/solver.h"

extern const rig_solver rig__solver_glpk;

/** Nodes of the depth-first searches that support the integer program. */
typedef struct rig__glpk_effort {
    int64_t nodes_first;  /**< before the relaxation */
    int64_t nodes_narrow; /**< of each narrow search after it */
    int64_t nodes_priced; /**< of the full search after it */
    int64_t nodes_last;   /**< when GLPK fails */
} rig__glpk_effort;

/** The solver with an effort of choice; with 0 nodes everywhere GLPK decides alone.
 *  Contract as rig_solver.solve. */
rig_status rig__glpk_solve(const rig_choice_problem *problem,
                           const rig_solver_limits *limits,
                           const rig__glpk_effort *effort,
                           rig_choice_solution *solution,
                           rig_error *err);

#endif
