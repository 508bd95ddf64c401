/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds from a CSV file or from standard input. */
#ifndef RIG_CLI_BUILD_FILE_H
#define RIG_CLI_BUILD_FILE_H

#include "cli/session.h"

/** Builds given by the user and where they come from. */
typedef struct cli_builds {
    rig_build single;
    rig_build *many; /**< from a file, free with rig_builds_free; NULL: only single */
    size_t count;
    const char *label; /**< of the file, NULL: options */
} cli_builds;

/** The builds, builds->count of them. */
const rig_build *rig__cli_builds_all(const cli_builds *builds);

/** Is any of --cpu, --gpu ... given? */
bool rig__cli_has_part_option(const cli_input *input);
/** Checks what the user gave of a file and part options: at most one of the two. Prints what is
 *  wrong. */
cli_exit rig__cli_builds_usage(const cli_input *input);
/** Builds of the file or standard input that the argument names, or of the options. Prints what is
 *  wrong. */
cli_exit rig__cli_builds_read(const cli_session *session, cli_builds *builds);
/** Builds of a named file; "-": standard input. Prints what is wrong. */
cli_exit
rig__cli_builds_read_file(const cli_session *session, const char *path, cli_builds *builds);
/** Prints what does not go together in each build: errors, or warnings with --force-incompatible.
 */
cli_exit rig__cli_builds_check(const cli_session *session, const cli_builds *builds);

#endif
