/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measurement files: those named on the command line, and the shipped ones with what lies beside
 * them. */
#ifndef RIG_CLI_MEASUREMENT_FILES_H
#define RIG_CLI_MEASUREMENT_FILES_H

#include "cli/data_dirs.h"
#include "cli/session.h"

#define CLI_FILE_SIZE (CLI_PATH_SIZE + 64)

/** Path of a file beside the shipped measurements. @return path, NULL: it is not there */
const char *rig__cli_beside(const cli_data_dirs *data, const char *name, char path[CLI_FILE_SIZE]);

/** Reads the files named on the command line and, if wanted, the shipped ones. Prints what is
 *  wrong. */
cli_exit rig__cli_read_measurements(const cli_session *session,
                                    const cli_data_dirs *data,
                                    bool with_shipped,
                                    rig_measurements **out);

/** Is a row one of the shipped ones, and not of a file of the command line? */
bool rig__cli_is_shipped_row(const cli_input *input, const rig_measurement *row);

/** Record of what the shipped constants were fitted on; NULL if there is none. */
cli_exit rig__cli_read_fitted(const cli_data_dirs *data, rig_profile **out);

/** Path of the priors of a calibration. Prints what is wrong if there are none. */
cli_exit rig__cli_find_priors(const cli_data_dirs *data, char path[CLI_FILE_SIZE]);

#endif
