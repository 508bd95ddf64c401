/* SPDX-License-Identifier: GPL-3.0-or-later
 * What all solvers share: checks of a choice problem and exact evaluation of a choice. */
#ifndef RIG_SOLVERS_CHOICE_H
#define RIG_SOLVERS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/solver.h"

/** Largest cost of an option, in cents. */
#define RIG__COST_MAX INT64_C(10000000000000)

/** Most groups: the sum of their costs stays far inside of int64_t. */
#define RIG__GROUPS_MAX ((size_t)4096)

/** Most options of all groups together. */
#define RIG__OPTIONS_MAX ((size_t)4000000)

/** Largest magnitude of a coefficient or limit: sums and products stay finite. */
#define RIG__COEFFICIENT_MAX 1e100

/** A row counts as kept up to this part of the magnitudes that were added and compared. */
#define RIG__ROW_TOLERANCE 1e-9

/** Checks that every number is finite and in range and every index exists.
 *  @param problem  not NULL; limits may be NULL
 *  @return RIG_OK, RIG_E_INVALID with the first thing that is wrong   @thread safe */
rig_status rig__choice_check(const rig_choice_problem *problem,
                             const rig_solver_limits *limits,
                             rig_error *err);

/** Options of all groups. */
size_t rig__choice_count(const rig_choice_problem *problem);

/** Coefficient of an option in a row, 0 where the row has none for the group. */
double rig__choice_coefficient(const rig_choice_row *row, size_t group, size_t option);

/** Does the row hold for sum, of terms whose magnitudes add up to magnitude?
 *  sum - limit <= 1e-9 * (|limit| + magnitude): decimal fractions such as 0.1 + 0.2 <= 0.3 hold. */
bool rig__choice_row_holds(const rig_choice_row *row, double sum, double magnitude);

/** Do all rows and pairs hold for chosen (n_groups valid options)? Does not look at the cost. */
bool rig__choice_holds(const rig_choice_problem *problem, const size_t *chosen);

/** Sum of the costs of chosen. */
int64_t rig__choice_cost(const rig_choice_problem *problem, const size_t *chosen);

/** Is the caller's cancel flag set? */
bool rig__limits_cancelled(const rig_solver_limits *limits);

/** Seconds of a clock that never goes back. */
double rig__clock_s(void);

#endif
