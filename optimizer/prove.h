/* SPDX-License-Identifier: GPL-3.0-or-later
 * Proof by integer programming: certifies what the search found, or finds it alone. */
#ifndef RIG_OPTIMIZER_PROVE_H
#define RIG_OPTIMIZER_PROVE_H

#include "optimizer/cluster.h"

/** Counts of a proof. */
typedef struct rig__proof_work {
    int64_t n_calls, n_nodes;
    bool is_stopped; /**< a limit stopped a solver: nothing is certified */
} rig__proof_work;

/** Certifies every choice of a found list with the solver of the request, in every space of the
 *  cluster: no machine of another
 *  signature is faster by more than one part in 1e6 (the program at that rate is infeasible within
 *  the budget), and
 *  none as fast is cheaper. For objectives epoch-time and price with an overlapped pipeline.
 *  @return RIG_OK; RIG_E_SOLVER if the solver contradicts the search or fails */
rig_status rig__prove(const rig__cluster *cluster,
                      const rig__question *question,
                      const rig__found *found,
                      rig__proof_work *work,
                      rig_error *err);

/** Finds the best choice with the solver alone, by threshold search on the rate: solve the program,
 *  rate its answer, ask for more, until infeasible; then the least cost at the best rate.
 *  Same contract as rig__pair_search, for the objectives of rig__prove. */
rig_status rig__search_by_program(const rig__space *space,
                                  const rig__question *question,
                                  rig__found *out,
                                  rig__proof_work *work,
                                  rig_error *err);

/** The same over all spaces of a cluster. */
rig_status rig__cluster_by_program(const rig__cluster *cluster,
                                   const rig__question *question,
                                   rig__found *out,
                                   rig__proof_work *work,
                                   rig_error *err);

/** Fills rate, watts and objective of a choice made by a solver, from the options alone. Its parts
 *  fit in pairs and its cost is known. */
void rig__choice_rate(const rig__space *space, rig_objective objective, rig__choice *choice);

/** Can the program answer this question at all? */
bool rig__program_applies(const rig_request *request, const rig__question *question);

#endif
