/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choice problem and the contract of its solvers: pick one option per group at least cost. */
#ifndef RIG_SOLVER_H
#define RIG_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A linear side condition: sum of coefficient[chosen option] over all groups <= limit.
 *  coefficients holds one array per group (n_options of it), or NULL for all zero. Finite. */
typedef struct rig_choice_row {
    const char *name;
    const double *const *coefficients;
    double limit;
} rig_choice_row;

/** Options of two groups that go together: allowed[i_first * n_options(second) + i_second]. */
typedef struct rig_choice_pair {
    const char *name;
    size_t first, second; /**< groups, first != second */
    const unsigned char *allowed;
} rig_choice_pair;

/** min sum of cost over the chosen options, exactly one option per group, all rows and pairs hold.
 *  Costs are whole numbers (cents), so optimal values compare exactly. All arrays are borrowed. */
typedef struct rig_choice_problem {
    size_t n_groups;
    const size_t *n_options;        /**< per group, each >= 1 */
    const char *const *group_names; /**< may be NULL */
    const int64_t *const *costs;    /**< per group, per option, >= 0, at most 1e13 */
    size_t n_rows;
    const rig_choice_row *rows;
    size_t n_pairs;
    const rig_choice_pair *pairs;
    int64_t cost_limit; /**< solutions above it do not count; INT64_MAX: none */
} rig_choice_problem;

typedef enum rig_outcome {
    RIG_OUTCOME_OPTIMAL,    /**< proved */
    RIG_OUTCOME_FEASIBLE,   /**< a solution, stopped before the proof */
    RIG_OUTCOME_INFEASIBLE, /**< proved that there is none (within cost_limit) */
    RIG_OUTCOME_LIMIT       /**< stopped with nothing */
} rig_outcome;
RIG_API const char *rig_outcome_name(rig_outcome outcome); /**< "optimal" ... */

typedef struct rig_solver_limits {
    double time_s;                       /**< INFINITY: none */
    bool (*is_cancelled)(void *payload); /**< polled now and then; NULL: never */
    void *payload;
} rig_solver_limits;
RIG_API rig_solver_limits rig_solver_limits_default(void);

typedef struct rig_choice_solution {
    rig_outcome outcome;
    size_t *chosen;     /**< caller's array of n_groups, filled when OPTIMAL or FEASIBLE */
    int64_t cost;       /**< of chosen */
    int64_t cost_bound; /**< proved lower bound; equal to cost when OPTIMAL */
    int64_t nodes;      /**< nodes or combinations looked at */
} rig_choice_solution;

/** A solver: stateless, so the table is const and shared. */
typedef struct rig_solver {
    const char *name; /**< "glpk", "exhaustive" */
    const char *description;
    /** Solves to optimality unless a limit stops it. Validates the problem (finite, indices).
     *  @return RIG_OK with solution->outcome; RIG_E_INVALID, RIG_E_NOMEM, RIG_E_SOLVER */
    rig_status (*solve)(const rig_choice_problem *problem,
                        const rig_solver_limits *limits,
                        rig_choice_solution *solution,
                        rig_error *err);
} rig_solver;

/** Solvers built in, best first; rig_solver_find("auto") is the first. @return NULL if none such */
RIG_API size_t rig_solver_count(void);
RIG_API const rig_solver *rig_solver_at(size_t index);
RIG_API const rig_solver *rig_solver_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
