/* SPDX-License-Identifier: GPL-3.0-or-later
 * One function per verb. */
#ifndef RIG_CLI_COMMANDS_H
#define RIG_CLI_COMMANDS_H

#include <stdio.h>

#include "cli/cli_options.h"
#include "cli/cli_output.h"

/* Each prints its own errors and returns the exit code. */
cli_exit rig__cli_recommend(const cli_input *input);
cli_exit rig__cli_sweep(const cli_input *input);
cli_exit rig__cli_frontier(const cli_input *input);
cli_exit rig__cli_compare(const cli_input *input);
cli_exit rig__cli_export(const cli_input *input);
cli_exit rig__cli_predict(const cli_input *input);
cli_exit rig__cli_require(const cli_input *input);
cli_exit rig__cli_validate_model(const cli_input *input);
cli_exit rig__cli_calibrate(const cli_input *input);
cli_exit rig__cli_catalog(const cli_input *input);
cli_exit rig__cli_help(const cli_input *input);
cli_exit rig__cli_completion(const cli_input *input);

/** Help on a verb: usage, examples, options. */
void rig__cli_verb_help(FILE *stream, cli_verb verb);
/** The short help shown when nothing is given. */
void rig__cli_short_help(FILE *stream);
/** A topic of help by its name. Prints what is wrong on standard error. */
cli_exit rig__cli_print_topic(FILE *stream, const char *name);
/** The manual page in troff form. */
void rig__cli_man_page(FILE *stream);
/** Examples of a verb, one a line. */
extern const char *const rig__cli_examples[N_VERBS];

/** catalog check [DIR]... */
cli_exit rig__cli_catalog_check(const cli_input *input);
/** catalog import DIR... --into DIR */
cli_exit rig__cli_catalog_import(const cli_input *input);

#endif
