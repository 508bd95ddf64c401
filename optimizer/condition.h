/* SPDX-License-Identifier: GPL-3.0-or-later
 * Comparison shared by conditions on parts and limits on totals. */
#ifndef RIG_OPTIMIZER_CONDITION_H
#define RIG_OPTIMIZER_CONDITION_H

#include "trainrig/optimizer.h"

/** Does value stand in this relation to number, within a relative tolerance of 1e-9? An unknown
 *  value (NAN) never does. */
bool rig__comparison_holds(rig_comparison comparison, double value, double number);

#endif
