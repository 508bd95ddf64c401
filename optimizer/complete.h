/* SPDX-License-Identifier: GPL-3.0-or-later
 * Completing a host and its GPUs with memory, drives, supply and chassis. */
#ifndef RIG_OPTIMIZER_COMPLETE_H
#define RIG_OPTIMIZER_COMPLETE_H

#include "optimizer/options.h"

/** One way to complete a pair; called for every completion that a visitor has not ruled out.
 *  @return true to go on, false to stop */
typedef struct rig__pair {
    size_t host, gpu;
    int64_t cost_cents; /**< of both */
    double rate;        /**< upper bound from the two [1/s] */
    double power_w;
} rig__pair;

/** Cheapest supply and chassis for a pair with this memory and these drives; adds their cost.
 *  @return false if none fits or a limit is broken */
bool rig__complete(const rig__space *space, const rig__pair *pair, rig__choice *choice);

/** Rate of a complete choice: least of the pair's, the memory's and the storage's [1/s]. */
double
rig__storage_rate(const rig__space *space, const rig__pair *pair, size_t memory, size_t drive);

#endif
