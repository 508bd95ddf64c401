/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signals, and a progress line for long searches on a terminal. */
#include "cli/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli_output.h"

#define FIRST_PROGRESS_S 0.5
#define NEXT_PROGRESS_S 0.5

static atomic_int caught; /* also read by other threads: the first signal, 0: none */
static bool is_progress_on;
static volatile sig_atomic_t is_line_shown;
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
        is_line_shown = 0;
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
            is_line_shown = 1;
            next_s = elapsed_s + NEXT_PROGRESS_S;
        }
    }
    return caught != 0;
}

bool rig__cli_is_caught(void *payload)
{
    (void)payload;
    return caught != 0;
}

cli_exit rig__cli_interrupt_exit(void)
{
    if (caught == SIGINT) {
        return CLI_EXIT_INTERRUPT;
    }
    return caught == SIGTERM ? CLI_EXIT_TERMINATE : CLI_EXIT_OK;
}

/* ---- work that cannot be asked to stop ------------------------------------------------------ */

#define BUSY_SIZE 64

static char busy_text[BUSY_SIZE];
static volatile sig_atomic_t busy_s;

static void on_leave(int signal_number)
{
    rig__cli_output_discard();
    if (is_line_shown && write(STDERR_FILENO, "\r\033[K", 4) < 0) {
        _exit(128 + signal_number); /* the terminal is gone */
    }
    _exit(128 + signal_number);
}

/* Writes "\rTEXT, 12 s" with calls that a signal handler may make. */
static void on_tick(int signal_number)
{
    char line[BUSY_SIZE + 32] = "\r";
    char digits[12];
    size_t length = 1, n_digits = 0;
    const int error = errno;
    (void)signal_number;
    busy_s++;
    for (size_t i = 0; busy_text[i] != '\0'; i++) {
        line[length++] = busy_text[i];
    }
    line[length++] = ',';
    line[length++] = ' ';
    for (int rest = busy_s; rest > 0 && n_digits < sizeof digits; rest /= 10) {
        digits[n_digits++] = (char)('0' + rest % 10);
    }
    while (n_digits > 0) {
        line[length++] = digits[--n_digits];
    }
    memcpy(line + length, " s\033[K", 5);
    is_line_shown = write(STDERR_FILENO, line, length + 5) > 0;
    alarm(1);
    errno = error;
}

static void set_tick(void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
}

void rig__cli_busy_start(bool show_progress)
{
    set_handlers(on_leave);
    busy_s = 0;
    if (show_progress && is_progress_wanted()) {
        set_tick(on_tick);
        alarm(1);
    }
}

void rig__cli_busy_say(const char *format, ...)
{
    sigset_t tick, old;
    va_list arguments;
    va_start(arguments, format);
    sigemptyset(&tick);
    sigaddset(&tick, SIGALRM);
    sigprocmask(SIG_BLOCK, &tick, &old); /* the handler reads the text */
    vsnprintf(busy_text, sizeof busy_text, format, arguments);
    sigprocmask(SIG_SETMASK, &old, NULL);
    va_end(arguments);
}

void rig__cli_busy_stop(void)
{
    alarm(0);
    set_tick(SIG_DFL);
    rig__cli_interrupt_stop();
}
