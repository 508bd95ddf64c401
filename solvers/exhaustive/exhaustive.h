/* SPDX-License-Identifier: GPL-3.0-or-later
 * Solver that looks at every combination: slow, and simple enough to check the others. */
#ifndef RIG_SOLVERS_EXHAUSTIVE_H
#define RIG_SOLVERS_EXHAUSTIVE_H

#include "trainrig/solver.h"

extern const rig_solver rig__solver_exhaustive;

#endif
