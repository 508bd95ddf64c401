/* SPDX-License-Identifier: GPL-3.0-or-later
 * Messages on standard error and the exit code of a status. */
#include "cli/cli_output.h"

#include <stdarg.h>
#include <string.h>

static bool is_quiet_program;
static char *capture_buffer;
static size_t capture_size;

void rig__cli_capture(char *buffer, size_t size)
{
    capture_buffer = buffer;
    capture_size = size;
    if (buffer != NULL) {
        buffer[0] = '\0';
    }
}

void rig__cli_set_quiet(bool is_quiet)
{
    is_quiet_program = is_quiet;
}

bool rig__cli_is_quiet(void)
{
    return is_quiet_program;
}

/* Names and values come from the user: a control character must not reach the terminal. */
static void print_line(const char *format, va_list arguments)
{
    char line[2048];
    vsnprintf(line, sizeof line, format, arguments);
    for (char *c = line; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f) {
            *c = '?';
        }
    }
    if (capture_buffer != NULL && capture_buffer[0] == '\0') {
        snprintf(capture_buffer, capture_size, "%s", line);
    }
    fflush(stdout); /* keeps the order of result and message where both go to one place */
    fprintf(stderr, "trainrig: %s\n", line);
}

void rig__cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void rig__cli_note(const char *format, ...)
{
    if (is_quiet_program) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void rig__cli_hint(const char *hint)
{
    if (hint != NULL && hint[0] != '\0') {
        rig__cli_error("hint: %s", hint);
    }
}

void rig__cli_append(char *buffer, size_t size, const char *text)
{
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", text);
}

void rig__cli_print_error(const rig_error *err, const char *where)
{
    const char *message = err->message[0] != '\0' ? err->message : rig_status_text(err->status);
    if (where != NULL) {
        rig__cli_error("%s: %s", where, message);
    } else if (err->where[0] == '\0') {
        rig__cli_error("%s", message);
    } else if (err->line <= 0) {
        rig__cli_error("%s: %s", err->where, message);
    } else if (err->column <= 0) {
        rig__cli_error("%s:%ld: %s", err->where, err->line, message);
    } else {
        rig__cli_error("%s:%ld:%ld: %s", err->where, err->line, err->column, message);
    }
    rig__cli_hint(err->hint);
}

cli_exit rig__cli_exit_of(rig_status status, bool is_input)
{
    switch (status) {
    case RIG_OK:
        return CLI_EXIT_OK;
    case RIG_E_IO:
        return CLI_EXIT_FILE;
    case RIG_E_PARSE:
    case RIG_E_SCHEMA:
    case RIG_E_RANGE:
    case RIG_E_DUPLICATE:
    case RIG_E_NOTFOUND:
    case RIG_E_INVALID:
        return is_input ? CLI_EXIT_INPUT : CLI_EXIT_USAGE;
    case RIG_E_NOMEM:
    case RIG_E_SOLVER:
    case RIG_E_CANCELLED:
        break;
    }
    return CLI_EXIT_INTERNAL;
}
