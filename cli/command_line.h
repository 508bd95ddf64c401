/* SPDX-License-Identifier: GPL-3.0-or-later
 * Command line into cli_input. */
#ifndef RIG_CLI_COMMAND_LINE_H
#define RIG_CLI_COMMAND_LINE_H

#include "cli/cli_options.h"

/** Reads the command line: verb, options anywhere, arguments. Prints what is wrong.
 *  The verb may be missing (VERB_NONE) with --help or --version. */
cli_exit rig__cli_parse(int argc, char **argv, cli_input *input);

#endif
