/* SPDX-License-Identifier: GPL-3.0-or-later
 * Messages on standard error, and the result on standard output or in a file. */
#ifndef RIG_CLI_CLI_OUTPUT_H
#define RIG_CLI_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/cli_options.h"
#include "trainrig/report.h"
#include "trainrig/status.h"

/* One line on standard error, "trainrig: ..."; control characters of file names are replaced. */
void rig__cli_error(const char *format, ...) RIG_PRINTF(1, 2);
void rig__cli_note(const char *format, ...) RIG_PRINTF(1, 2); /**< silent with --quiet */
/** Second line of an error; nothing if the hint is NULL or empty. */
void rig__cli_hint(const char *hint);
/** Appends to a list in a message; what does not fit is left out. */
void rig__cli_append(char *buffer, size_t size, const char *text);
/** From here on the first message is also copied there; NULL: no longer. */
void rig__cli_capture(char *buffer, size_t size);
void rig__cli_set_quiet(bool is_quiet);
bool rig__cli_is_quiet(void);

/** Prints an error of the library: FILE:LINE:COLUMN or the origin of the option first. */
void rig__cli_print_error(const rig_error *err, const char *where);

/** Exit code of a library status. is_input: the status is about the contents of a file. */
cli_exit rig__cli_exit_of(rig_status status, bool is_input);

/** Result being written: standard output, a device, or a temporary file that takes the place of the
 *  named one when it is complete. */
typedef struct cli_output {
    FILE *stream;
    char *path;      /**< final name, NULL: write directly */
    char *temporary; /**< name of the temporary file, NULL: write directly */
    const char *label;
    int error; /**< errno of the first failure, 0: none */
} cli_output;

/** Opens the file of --output, or standard output. Prints what is wrong. */
cli_exit rig__cli_output_open(cli_output *output, const cli_input *input);
/** The same for another file; NULL or "-": standard output. */
cli_exit rig__cli_output_open_path(cli_output *output, const char *path);
/** Ends the writing: renames, or removes the temporary file if anything failed or keep is false. */
cli_exit rig__cli_output_close(cli_output *output, bool keep);
/** Removes an unfinished file; for signal handlers. */
void rig__cli_output_discard(void);
/** A rig_write_sink; payload is the cli_output. */
bool rig__cli_sink(const char *bytes, size_t length, void *payload);
void rig__cli_printf(cli_output *output, const char *format, ...) RIG_PRINTF(2, 3);

/** Form of the result as options and terminal say. */
rig_report_options rig__cli_report_options(const cli_input *input);

#endif
