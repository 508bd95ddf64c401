/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table of solvers. */
#include "trainrig/solver.h"

#include <math.h>
#include <string.h>

#include "solvers/exhaustive/exhaustive.h"
#ifdef RIG_HAVE_GLPK
#include "solvers/glpk/glpk_solver.h"
#endif

/* best first */
static const rig_solver *const solvers[] = {
#ifdef RIG_HAVE_GLPK
    &rig__solver_glpk,
#endif
    &rig__solver_exhaustive,
};

static const size_t n_solvers = sizeof solvers / sizeof solvers[0];

size_t rig_solver_count(void)
{
    return n_solvers;
}

const rig_solver *rig_solver_at(size_t index)
{
    return index < n_solvers ? solvers[index] : NULL;
}

const rig_solver *rig_solver_find(const char *name)
{
    if (strcmp(name, "auto") == 0) {
        return solvers[0];
    }
    for (size_t i = 0; i < n_solvers; i++) {
        if (strcmp(solvers[i]->name, name) == 0) {
            return solvers[i];
        }
    }
    return NULL;
}

const char *rig_outcome_name(rig_outcome outcome)
{
    switch (outcome) {
    case RIG_OUTCOME_OPTIMAL:
        return "optimal";
    case RIG_OUTCOME_FEASIBLE:
        return "feasible";
    case RIG_OUTCOME_INFEASIBLE:
        return "infeasible";
    case RIG_OUTCOME_LIMIT:
        return "limit";
    }
    return "unknown";
}

rig_solver_limits rig_solver_limits_default(void)
{
    return (rig_solver_limits){(double)INFINITY, NULL, NULL};
}
