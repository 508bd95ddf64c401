/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spread of the errors at one installation over that at all, from residuals. */
#ifndef RIG_ACCURACY_SPREADS_H
#define RIG_ACCURACY_SPREADS_H

#include "accuracy/folds.h"

/** Who installed the software of a row: its submitter if it is a complete system, else its source.
 */
rig_group rig__installation_of(const rig_measurement *row);

/** Sums of relative errors by installation. */
typedef struct rig__spreads {
    const rig__labels *labels; /**< borrowed */
    double *sums;              /**< by number of the label: sources, then submitters */
    size_t *rows;
    double family_sums[4]; /**< of sizes of errors, by family of the stack */
    size_t family_rows[4];
} rig__spreads;

/** @return false: out of memory; out may be freed all the same */
bool rig__spreads_init(rig__spreads *out, const rig__labels *labels);
void rig__spreads_fini(rig__spreads *spreads);

/** Spreads from the residuals of some rows.
 *  @param is_left_out  rows that do not count; NULL: all count */
void rig__spreads_fill(rig__spreads *spreads,
                       const rig_residual *residuals,
                       const bool *is_left_out);

/** Spread at the installation of row i: (sum over its rows of |error| / mean |error| of its family
 * + 10) / (rows + 10); 1 if none of its rows counted. */
double rig__spreads_get(const rig__spreads *spreads, const rig_measurement *row, size_t i);
/** Rows behind it. */
size_t rig__spreads_rows(const rig__spreads *spreads, const rig_measurement *row, size_t i);

#endif
