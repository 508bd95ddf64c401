/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where the shipped catalogue and model tables lie. */
#ifndef RIG_CLI_DATA_DIRS_H
#define RIG_CLI_DATA_DIRS_H

#include "cli/cli_options.h"

#define CLI_PATH_SIZE 4096

/** Directories of the shipped data. */
typedef struct cli_data_dirs {
    char catalog[CLI_PATH_SIZE];
    char model[CLI_PATH_SIZE];
    char measurements[CLI_PATH_SIZE]; /**< "": there is none */
} cli_data_dirs;

/** Finds them: $TRAINRIG_DATA, else beside the program, else where it was installed, else the
 * source tree it was built from. Prints what is wrong. */
cli_exit rig__cli_find_data(cli_data_dirs *out);

#endif
