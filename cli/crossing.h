/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cross-validations as the options ask for them, with progress. */
#ifndef RIG_CLI_CROSSING_H
#define RIG_CLI_CROSSING_H

#include "cli/cli_options.h"
#include "trainrig/accuracy.h"

/** Fits of a cross-validation unless --folds says more. */
#define CLI_FOLDS 10
#define CLI_ROW_NAME_SIZE 32

/** How to hold out. */
typedef struct cli_crossing {
    const rig_measurements *measurements;
    const rig_catalog *catalog;
    rig_calibration *calibration; /**< of rig_fit_model */
    size_t n_folds;               /**< 0: each group by itself */
    const char *word;             /**< for what is left out, NULL: that of the key */
} cli_crossing;

/** Key of --leave-out. @return true: each row by itself, *key is left alone */
bool rig__cli_key(const cli_input *input, rig_group *key);

/** A cross-validation by key with a fit that needs no calibration, or with rig_fit_model. */
rig_status rig__cli_cross(
    const cli_crossing *crossing, rig_group key, rig_fit fit, rig_validation **out, rig_error *err);

/** Measurements whose rows are groups of their own, to be held out by RIG_GROUP_FILE. */
typedef struct cli_row_set {
    rig_measurements measurements;
    char (*names)[CLI_ROW_NAME_SIZE];
} cli_row_set;
/** @param is_kept  rows that take part in every fit, NULL: none  @return false: out of memory */
bool rig__cli_row_set_init(cli_row_set *out,
                           const rig_measurements *measurements,
                           const bool *is_kept);
void rig__cli_row_set_free(cli_row_set *set);
/** What a validation of such a set says of itself. */
extern const char rig__cli_row_word[];

/** All cross-validations that targets and intervals need. */
typedef struct cli_folds {
    rig_validation *owned[RIG_N_GROUPS + 1];
    rig_folds folds;
} cli_folds;
/** @param for_intervals  also those that only the intervals need */
rig_status rig__cli_cross_all(const cli_crossing *crossing,
                              bool for_intervals,
                              cli_folds *out,
                              rig_error *err);
void rig__cli_folds_free(cli_folds *folds);

#endif
