/* SPDX-License-Identifier: GPL-3.0-or-later
 * What every form of a calibration or of targets shows. */
#ifndef RIG_REPORT_CALIBRATION_FIGURES_H
#define RIG_REPORT_CALIBRATION_FIGURES_H

#include "report/output.h"

/** Word of a table of a profile, as "stacks". */
const char *rig__calibration_table(rig_profile_table table);
/** Where a measurement stands: FILE:LINE. */
const char *rig__calibration_place(rig__output *output, const rig_measurement *row);

/** Groups whose coverage is told for each cross-validation. @return how many there are */
size_t rig__targets_groups(const rig_group **out);

void rig__json_calibration(rig__output *output, const rig_calibration_report *calibration);
void rig__json_targets(rig__output *output,
                       const rig_target_score scores[RIG_N_TARGETS],
                       const rig_folds *folds);

#endif
