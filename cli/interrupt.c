/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signals, and a progress line for long searches on a terminal. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli_output.h"

#define FIRST_PROGRESS_S 0.5
#define NEXT_PROGRESS_S 0.5

static volatile sig_atomic_t caught; /* the first signal, 0: none */
static bool is_progress_on, is_line_shown;
static struct timespec started;
static double next_s;

static void on_signal(int signal_number)
{
    if (caught != 0) {
        rig__cli_output_discard();
        _exit(128 + signal_number);
    }
    caught = signal_number;
}

static bool is_progress_wanted(void)
{
    const char *term = getenv("TERM"), *ci = getenv("CI");
    return isatty(STDERR_FILENO) == 1 && (ci == NULL || ci[0] == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

static void set_handlers(void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void rig__cli_interrupt_start(bool show_progress)
{
    caught = 0;
    is_progress_on = show_progress && is_progress_wanted();
    next_s = FIRST_PROGRESS_S;
    clock_gettime(CLOCK_MONOTONIC, &started);
    set_handlers(on_signal);
}

void rig__cli_interrupt_stop(void)
{
    set_handlers(SIG_DFL);
    if (is_line_shown) {
        fputs("\r\033[K", stderr);
        is_line_shown = false;
    }
}

bool rig__cli_is_interrupted(void *payload)
{
    (void)payload;
    if (is_progress_on) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const double elapsed_s =
            (double)(now.tv_sec - started.tv_sec) + (double)(now.tv_nsec - started.tv_nsec) / 1e9;
        if (elapsed_s >= next_s) {
            fprintf(stderr, "\rsearching, %.1f s (Ctrl-C: stop with the best found)", elapsed_s);
            is_line_shown = true;
            next_s = elapsed_s + NEXT_PROGRESS_S;
        }
    }
    return caught != 0;
}

cli_exit rig__cli_interrupt_exit(void)
{
    if (caught == SIGINT) {
        return CLI_EXIT_INTERRUPT;
    }
    return caught == SIGTERM ? CLI_EXIT_TERMINATE : CLI_EXIT_OK;
}
