/* SPDX-License-Identifier: GPL-3.0-or-later
 * All numbers of nodes and networks that a request allows, each with its option space. */
#ifndef RIG_OPTIMIZER_CLUSTER_H
#define RIG_OPTIMIZER_CLUSTER_H

#include "optimizer/pair_search.h"

/** One machine, or several joined by a network. Owned by an arena. */
typedef struct rig__cluster {
    const rig_request *request;
    rig__arena *arena;
    rig__space *spaces; /**< one per number of nodes and network, fewest nodes first */
    size_t n_spaces;
    size_t n_options, n_reduced; /**< options of parts before and after reduction */
    size_t n_networks;           /**< ways to join nodes that were looked at */
    rig__removed removed;
    int unjoined_nodes; /**< least number of nodes asked for that nothing joins, 0: none */
} rig__cluster;

/** Builds the spaces. Networks that another for the same number of nodes can always replace are
 *  left out: no dearer, no more watts, slots and lanes, no slower in any host.
 *  @param is_reduced  false: keep dominated parts and networks, for tests
 *  @return RIG_OK (possibly without a space), RIG_E_NOMEM, RIG_E_INVALID */
rig_status rig__cluster_new(rig__cluster *cluster,
                            rig__arena *arena,
                            const rig_catalog *catalog,
                            const rig_constants *constants,
                            const rig_request *request,
                            bool is_reduced,
                            rig_error *err);

/** Question that the request itself asks, in prices and rates of everything. */
rig__question rig__cluster_question(const rig__cluster *cluster);

/** The same question for one space: budget and rate of one node.
 *  @return false: the network alone costs more than the budget */
bool rig__cluster_question_for(const rig__space *space,
                               const rig__question *question,
                               rig__question *out);

/** The best `top` distinct choices of all spaces, exactly: the spaces are searched one after the
 *  other, each only for what beats or equals the worst of a full list.
 *  @return as rig__pair_search */
rig_status rig__cluster_search(const rig__cluster *cluster,
                               const rig__question *question,
                               rig__found *out,
                               rig_error *err);

#endif
