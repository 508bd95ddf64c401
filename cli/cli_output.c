/* SPDX-License-Identifier: GPL-3.0-or-later
 * The result: opened, written, checked and renamed. */
#define _XOPEN_SOURCE 700 /* realpath */ /* NOLINT(readability-identifier-naming) */

#include "cli/cli_output.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_WIDTH 80
#define LEAST_WIDTH 40

/* Name of the temporary file being written, for a signal handler that leaves at once. */
static char pending[4096];
static volatile sig_atomic_t is_pending;

void rig__cli_output_discard(void)
{
    if (is_pending) {
        unlink(pending);
    }
}

static void set_pending(const char *path)
{
    is_pending = 0;
    if (path != NULL && strlen(path) < sizeof pending) {
        strcpy(pending, path);
        is_pending = 1;
    }
}

/* Nothing to rename: standard output, a device, a pipe. */
static bool is_direct(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Permissions of the new file: those of the old one, else what the mask of the process leaves. */
static mode_t mode_for(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        return status.st_mode & 0777;
    }
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Opens a temporary file beside the named one, so that renaming stays within one file system. */
static FILE *open_temporary(cli_output *output)
{
    static const char suffix[] = ".XXXXXX";
    output->temporary = malloc(strlen(output->path) + sizeof suffix);
    if (output->temporary == NULL) {
        return NULL;
    }
    sprintf(output->temporary, "%s%s", output->path, suffix);
    const int descriptor = mkstemp(output->temporary);
    if (descriptor < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return NULL;
    }
    FILE *stream = fdopen(descriptor, "w");
    if (stream == NULL || fchmod(descriptor, mode_for(output->path)) != 0) {
        const int error = errno;
        unlink(output->temporary);
        if (stream != NULL) {
            fclose(stream);
        } else {
            close(descriptor);
        }
        errno = error;
        return NULL;
    }
    set_pending(output->temporary);
    return stream;
}

cli_exit rig__cli_output_open(cli_output *output, const cli_input *input)
{
    return rig__cli_output_open_path(output, rig__cli_text(input, OPT_OUTPUT));
}

cli_exit rig__cli_output_open_path(cli_output *output, const char *path)
{
    *output = (cli_output){.stream = stdout, .label = "standard output"};
    if (path == NULL || strcmp(path, "-") == 0) {
        return CLI_EXIT_OK;
    }
    output->label = path;
    if (is_direct(path)) {
        output->stream = fopen(path, "w");
    } else {
        /* A symbolic link keeps pointing where it does: its target is replaced, not the link. */
        output->path = realpath(path, NULL);
        if (output->path == NULL && errno == ENOENT) {
            output->path = malloc(strlen(path) + 1);
            if (output->path != NULL) {
                strcpy(output->path, path);
            }
        }
        output->stream = output->path == NULL ? NULL : open_temporary(output);
    }
    if (output->stream == NULL) {
        rig__cli_error("%s: cannot be written: %s", path, strerror(errno));
        free(output->path);
        free(output->temporary);
        return CLI_EXIT_FILE;
    }
    return CLI_EXIT_OK;
}

bool rig__cli_sink(const char *bytes, size_t length, void *payload)
{
    cli_output *output = payload;
    if (output->error == 0 && fwrite(bytes, 1, length, output->stream) != length) {
        output->error = errno != 0 ? errno : EIO;
    }
    return output->error == 0;
}

void rig__cli_printf(cli_output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (output->error == 0 && vfprintf(output->stream, format, arguments) < 0) {
        output->error = errno != 0 ? errno : EIO;
    }
    va_end(arguments);
}

cli_exit rig__cli_output_close(cli_output *output, bool keep)
{
    if (output->stream == NULL) {
        return CLI_EXIT_OK;
    }
    if ((fflush(output->stream) != 0 || ferror(output->stream)) && output->error == 0) {
        output->error = errno != 0 ? errno : EIO;
    }
    if (fclose(output->stream) != 0 && output->error == 0) {
        output->error = errno;
    }
    output->stream = NULL;
    if (output->temporary != NULL) {
        if (!keep || output->error != 0) {
            unlink(output->temporary);
        } else if (rename(output->temporary, output->path) != 0) {
            output->error = errno;
            unlink(output->temporary);
        }
    }
    set_pending(NULL);
    free(output->path);
    free(output->temporary);
    output->path = output->temporary = NULL;
    if (output->error != 0) {
        rig__cli_error("%s: cannot be written: %s", output->label, strerror(output->error));
        return CLI_EXIT_FILE;
    }
    return CLI_EXIT_OK;
}

/* Text of an environment variable, NULL if it is not set or empty. */
static const char *environment(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

/* Columns for the table: those of the terminal, but more than 80 only if asked for. */
static int find_width(bool is_wide, bool is_terminal)
{
    struct winsize size;
    const char *columns = environment("COLUMNS");
    long width = is_wide ? 0 : DEFAULT_WIDTH;
    if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        width = size.ws_col;
    } else if (columns != NULL) {
        width = strtol(columns, NULL, 10);
        width = width < LEAST_WIDTH || width > 10000 ? DEFAULT_WIDTH : width;
    }
    if (!is_wide && width > DEFAULT_WIDTH) {
        width = DEFAULT_WIDTH;
    }
    return width > 0 && width < LEAST_WIDTH ? LEAST_WIDTH : (int)width;
}

/* An explicit --color wins; NO_COLOR wins over CLICOLOR_FORCE. */
static bool find_colour(const cli_input *input, bool is_terminal)
{
    enum { AUTO, ALWAYS, NEVER }; /* the order of the choices of --color */
    const int choice = rig__cli_choice(input, OPT_COLOR);
    if (choice != AUTO) {
        return choice == ALWAYS;
    }
    if (environment("NO_COLOR") != NULL) {
        return false;
    }
    const char *force = environment("CLICOLOR_FORCE");
    if (force != NULL && strcmp(force, "0") != 0) {
        return true;
    }
    const char *term = environment("TERM");
    return is_terminal && term != NULL && strcmp(term, "dumb") != 0;
}

/* Does the locale of the environment name UTF-8? The locale itself is never set: it would change
 * the decimal sign. */
static bool is_utf8_locale(void)
{
    const char *locale = environment("LC_ALL");
    locale = locale != NULL ? locale : environment("LC_CTYPE");
    locale = locale != NULL ? locale : environment("LANG");
    if (locale == NULL) {
        return false;
    }
    return strstr(locale, "UTF-8") != NULL || strstr(locale, "utf8") != NULL ||
           strstr(locale, "utf-8") != NULL || strstr(locale, "UTF8") != NULL;
}

rig_report_options rig__cli_report_options(const cli_input *input)
{
    rig_report_options options = rig_report_options_default();
    const char *path = rig__cli_text(input, OPT_OUTPUT);
    const bool is_stdout = path == NULL || strcmp(path, "-") == 0;
    const bool is_terminal = is_stdout && isatty(STDOUT_FILENO) == 1;
    options.format = (rig_format)rig__cli_choice(input, OPT_FORMAT);
    options.width = find_width(rig__cli_is_given(input, OPT_WIDE), is_terminal);
    options.use_colour = find_colour(input, is_terminal);
    options.use_utf8 = is_terminal && is_utf8_locale();
    options.is_long = rig__cli_is_given(input, OPT_LONG);
    options.use_crlf = rig__cli_is_given(input, OPT_CRLF);
    options.is_excel = rig__cli_is_given(input, OPT_EXCEL);
    options.no_csv_guard = rig__cli_is_given(input, OPT_NO_CSV_GUARD);
    options.is_verbose = rig__cli_is_given(input, OPT_VERBOSE);
    return options;
}
