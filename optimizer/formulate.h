/* SPDX-License-Identifier: GPL-3.0-or-later
 * The integer program: least cost of a machine whose every stage reaches a given rate. */
#ifndef RIG_OPTIMIZER_FORMULATE_H
#define RIG_OPTIMIZER_FORMULATE_H

#include "optimizer/options.h"
#include "trainrig/solver.h"

/** Which machines a program is about. */
typedef struct rig__program_question {
    double least_rate;         /**< theta: every stage must reach it [1/s] */
    int64_t cost_limit;        /**< cents; dearer machines do not count */
    const rig__choice *banned; /**< machines of these signatures do not count */
    size_t n_banned;
} rig__program_question;

/** A choice problem with the way back to the options of the space. */
typedef struct rig__program {
    rig_choice_problem problem;
    size_t *origin[RIG__N_GROUPS]; /**< option of the space for each option of the program */
    bool is_trivially_infeasible;  /**< some group has no option left */
} rig__program;

/** F(theta) = min cost s.t. every stage >= theta, as a choice problem.
 *
 *  For a fixed theta all conditions are linear with constant coefficients or pair rules: stages of
 *  host and GPUs, and of host and memory, become allowed pairs; storage with page cache becomes one
 *  row, because a drive of bandwidth B needs a hit share of 1 - B / (theta b), that is so many
 * bytes of memory, and the bytes left for the cache are linear in host, GPUs and memory. Valid for
 *  overlapped pipelines (the rate is the least stage).
 *  @return RIG_OK, RIG_E_NOMEM   @source docs/optimisation.md */
rig_status rig__formulate(const rig__space *space,
                          const rig__program_question *question,
                          rig__arena *arena,
                          rig__program *out,
                          rig_error *err);

#endif
