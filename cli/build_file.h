/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds from a CSV file or from standard input. */
#ifndef RIG_CLI_BUILD_FILE_H
#define RIG_CLI_BUILD_FILE_H

#include "cli/session.h"

/** Builds to predict and where they come from. */
typedef struct cli_builds {
    rig_build single;
    rig_build *many; /**< from a file, NULL: only single */
    size_t count;
    const char *label; /**< of the file, NULL: options */
} cli_builds;

/** Reads builds->many; builds->label names the file in messages. Prints what is wrong. */
cli_exit rig__cli_read_file(const cli_session *session, const char *path, cli_builds *builds);
cli_exit rig__cli_read_stdin(const cli_session *session, cli_builds *builds);

#endif
