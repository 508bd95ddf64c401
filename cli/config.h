/* SPDX-License-Identifier: GPL-3.0-or-later
 * Settings from configuration files and the environment. */
#ifndef RIG_CLI_CONFIG_H
#define RIG_CLI_CONFIG_H

#include "cli/cli_options.h"

/** Adds what $XDG_CONFIG_HOME/trainrig/config, ./trainrig.conf and TRAINRIG_* say. Prints the first
 *  error. A file that is not there is no error. */
cli_exit rig__cli_config_load(cli_input *input);

/** Prints on standard error where each setting came from. */
void rig__cli_config_print(const cli_input *input);

#endif
