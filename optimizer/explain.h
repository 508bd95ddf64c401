/* SPDX-License-Identifier: GPL-3.0-or-later
 * Explanations: why this build and not another, and why a request cannot be met. */
#ifndef RIG_OPTIMIZER_EXPLAIN_H
#define RIG_OPTIMIZER_EXPLAIN_H

#include "optimizer/build_report.h"
#include "optimizer/cluster.h"

/** Reasons for the best choice: what a little less speed saves, what the next faster machine costs,
 *  why not one more GPU, and the best machine with other GPUs. Each is an exact search of its own.
 *  @return RIG_OK, RIG_E_NOMEM */
rig_status rig__explain_choice(const rig__cluster *cluster,
                               const rig__found *found,
                               rig__text_list *reasons,
                               rig_error *err);

/** Fills conflict, is_conflict_minimal and least_budget_cents of an infeasible result: a smallest
 *  set of conditions that cannot hold together (by leaving out one after the other), and what each
 *  alone would have to become.
 *  @return RIG_OK, RIG_E_NOMEM */
rig_status rig__explain_conflict(rig_result *result,
                                 const rig_catalog *catalog,
                                 const rig_constants *constants,
                                 rig__arena *arena,
                                 rig_error *err);

#endif
