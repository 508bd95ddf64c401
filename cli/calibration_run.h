/* SPDX-License-Identifier: GPL-3.0-or-later
 * The work of verb calibrate: the fit, what is held out, and what they say. */
#ifndef RIG_CLI_CALIBRATION_RUN_H
#define RIG_CLI_CALIBRATION_RUN_H

#include "cli/crossing.h"
#include "cli/measurement_files.h"

/** Everything that a calibration reads and makes; zeroed by the caller. */
typedef struct cli_calibration {
    cli_session session;
    cli_data_dirs data;
    char priors[CLI_FILE_SIZE];
    rig_calibration calibration;
    rig_measurements *measurements;
    rig_profile *profile; /**< what was fitted, over that of --profile */
    rig_catalog *catalog; /**< with it */
    rig_constants *constants;
    rig_validation *start, *after, *held_out;
    cli_row_set rows; /**< of held_out, if each row is left out by itself */
    bool *is_kept;    /**< shipped rows, when own ones are to be held out */
    cli_folds folds;
    rig_figure_change *changes;
    const rig_residual **contradictions;
    rig_calibration_report report;
} cli_calibration;

/** Fits, predicts, holds out and fills the report, from session, measurements and calibration.
 *  Prints what is wrong. */
cli_exit rig__cli_calibration_run(cli_calibration *run);
void rig__cli_calibration_free(cli_calibration *run);

/** Prints an error, of memory if it says nothing. @return the exit code */
cli_exit rig__cli_calibration_failed(const rig_error *err, rig_status status);

#endif
