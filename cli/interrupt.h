/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ctrl-C once: stop and report the best found; twice: leave now. Progress while waiting. */
#ifndef RIG_CLI_INTERRUPT_H
#define RIG_CLI_INTERRUPT_H

#include <stdbool.h>

#include "cli/cli_options.h"
#include "trainrig/status.h"

/** Catches SIGINT and SIGTERM from here on; starts the clock of the progress line. */
void rig__cli_interrupt_start(bool show_progress);
/** Back to the default; takes the progress line off the terminal. */
void rig__cli_interrupt_stop(void);
/** A callback for rig_request.is_cancelled. */
bool rig__cli_is_interrupted(void *payload);
/** The same without progress; for several threads at once. */
bool rig__cli_is_caught(void *payload);
/** 130 or 143 after a signal, 0 if there was none. */
cli_exit rig__cli_interrupt_exit(void);

/** For work that has nothing to report before it ends: a signal from here on removes unfinished
 *  files and leaves at once; after a second a line on a terminal says what is done and for how
 *  long. show_progress false: no line. */
void rig__cli_busy_start(bool show_progress);
/** What the line says from now on, as "fitting 120 rows". Cut if it is longer than a line. */
void rig__cli_busy_say(const char *format, ...) RIG_PRINTF(1, 2);
/** Back to the default; takes the line off the terminal. */
void rig__cli_busy_stop(void);

#endif
