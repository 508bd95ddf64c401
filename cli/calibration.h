/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a calibration changed, and which rows contradict it. */
#ifndef RIG_CLI_CALIBRATION_H
#define RIG_CLI_CALIBRATION_H

#include "trainrig/report.h"

/** Puts the entries of one profile over those of another. */
rig_status rig__cli_profile_merge(rig_profile *out, const rig_profile *from, rig_error *err);

/** Figures of a profile that differ from those of a catalogue, the largest shift first, in terms of
 *  their uncertainty.
 *  @param[out] out  free with free  @return false: out of memory */
bool rig__cli_changes(const rig_profile *profile,
                      const rig_catalog *catalog,
                      rig_figure_change **out,
                      size_t *n_out);

/** Rows that a fit gives little weight, since they are far from what the others say; worst first.
 *  @param[out] out  free with free  @return false: out of memory */
bool rig__cli_contradictions(const rig_validation *fitted,
                             const rig_residual ***out,
                             size_t *n_out);

/** Score of the rows of one validation that another one predicted too: both are of the same
 *  measurements. @return false: out of memory */
bool rig__cli_score_of(const rig_validation *validation, const rig_validation *of, rig_score *out);

#endif
