/* SPDX-License-Identifier: GPL-3.0-or-later
 * Residuals of measurements and their summary, shared by validation and cross-validation. */
#ifndef RIG_ACCURACY_RESIDUALS_H
#define RIG_ACCURACY_RESIDUALS_H

#include "trainrig/accuracy.h"

/** A validation with a blank residual for every measurement. Free with rig_validation_free.
 *  @return NULL: out of memory */
rig_validation *rig__validation_new(const rig_measurements *measurements);

/** Predicts one row; what the model cannot predict is said in out->unsupported.
 *  @return RIG_OK; RIG_E_NOTFOUND if the catalogue lacks a row of the measurement */
RIG_NODISCARD rig_status rig__residual_fill(const rig_measurement *row,
                                            const rig_catalog *catalog,
                                            const rig_constants *constants,
                                            rig_residual *out,
                                            rig_error *err);

/** The same for what a fold held out: its interval is that of what the fold had seen.
 *  @param seen_groups, software_spread  as in rig_residual */
RIG_NODISCARD rig_status rig__residual_fill_held_out(const rig_measurement *row,
                                                     const rig_catalog *catalog,
                                                     const rig_constants *constants,
                                                     unsigned seen_groups,
                                                     double software_spread,
                                                     rig_residual *out,
                                                     rig_error *err);

/** Has a profile a record that the installation of a row was fitted? profile may be NULL.
 *  @param[out] spread_out  value of the record, 1 if there is none */
bool rig__residual_is_software_recorded(const rig_measurement *row,
                                        const rig_profile *profile,
                                        double *spread_out);

/** What tells whether a group was fitted. */
typedef struct rig__fitted_by {
    const rig_catalog *catalog; /**< NULL: nothing tells */
    const rig_profile *profile; /**< may be NULL */
    rig_group held_out;         /**< rows of this group were not fitted; RIG_N_GROUPS: none */
} rig__fitted_by;

/** Scores all residuals, as a whole and by every group. */
RIG_NODISCARD rig_status rig__validation_finish(rig_validation *validation,
                                                const rig_measurements *measurements,
                                                const rig__fitted_by *fitted,
                                                rig_error *err);

/** Label of a residual in a group; NULL: none. */
const char *rig__residual_label(const rig_residual *residual, rig_group group);

#endif
