/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds from options, from a CSV file or from standard input. */
#include "cli/build_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_output.h"

#define MAX_VIOLATIONS 32
#define MAX_STDIN_BYTES (64L * 1024 * 1024)

/* Copies standard input to a file that can be read by name. @return false: errno says why */
static bool copy_stdin(int descriptor)
{
    char buffer[65536];
    long total = 0;
    for (;;) {
        const ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
        if (n == 0) {
            return true;
        }
        if (n < 0 && errno == EINTR) {
            continue;
        }
        total += n;
        if (n < 0 || total > MAX_STDIN_BYTES) {
            errno = n < 0 ? errno : EFBIG;
            return false;
        }
        if (write(descriptor, buffer, (size_t)n) != n) {
            errno = errno != 0 ? errno : ENOSPC;
            return false;
        }
    }
}

/* @return descriptor of a new file whose name is written to path, -1: errno says why */
static int open_temporary(char *path, size_t size)
{
    const char *directory = getenv("TMPDIR");
    if (directory == NULL || directory[0] == '\0') {
        directory = "/tmp";
    }
    if (snprintf(path, size, "%s/trainrig.XXXXXX", directory) >= (int)size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkstemp(path);
}

static cli_exit read_file(const cli_session *session, const char *path, cli_builds *builds)
{
    rig_error err = {0};
    const rig_status status =
        rig_builds_read(path, session->catalog, &builds->many, &builds->count, &err);
    if (status == RIG_OK) {
        return CLI_EXIT_OK;
    }
    if (strcmp(err.where, path) == 0) { /* a copy of standard input has no name of its own */
        snprintf(err.where, sizeof err.where, "%s", builds->label);
    }
    rig__cli_print_error(&err, NULL);
    return rig__cli_exit_of(status, true);
}

static cli_exit read_stdin(const cli_session *session, cli_builds *builds)
{
    char path[512];
    const int descriptor = open_temporary(path, sizeof path);
    if (descriptor < 0) {
        rig__cli_error("%s: cannot be written: %s", path, strerror(errno));
        return CLI_EXIT_FILE;
    }
    cli_exit code = CLI_EXIT_FILE;
    if (!copy_stdin(descriptor)) {
        rig__cli_error("standard input: cannot be read: %s", strerror(errno));
    } else {
        code = read_file(session, path, builds);
    }
    close(descriptor);
    unlink(path);
    return code;
}

const rig_build *rig__cli_builds_all(const cli_builds *builds)
{
    return builds->many != NULL ? builds->many : &builds->single;
}

bool rig__cli_has_part_option(const cli_input *input)
{
    for (int id = OPT_CPU; id <= OPT_STORAGE_RATE; id++) {
        if (rig__cli_is_given(input, (cli_id)id)) {
            return true;
        }
    }
    return false;
}

cli_exit rig__cli_builds_usage(const cli_input *input)
{
    const char *verb = rig__cli_verbs[input->verb].name;
    const bool has_parts = rig__cli_has_part_option(input);
    if (input->n_arguments > 1) {
        rig__cli_error("unexpected argument: '%s' (%s takes one file)", input->arguments[1], verb);
        return CLI_EXIT_USAGE;
    }
    if (input->n_arguments == 1 && has_parts) {
        rig__cli_error("both a file and part options: '%s' (expected one of the two)",
                       input->arguments[0]);
        return CLI_EXIT_USAGE;
    }
    if (input->n_arguments == 1 && strcmp(input->arguments[0], "-") == 0 &&
        isatty(STDIN_FILENO) == 1) {
        rig__cli_error("standard input is a terminal (expected a CSV file of builds)");
        return CLI_EXIT_USAGE;
    }
    if (has_parts && !rig__cli_is_given(input, OPT_GPU) && !rig__cli_is_given(input, OPT_SERVER) &&
        !rig__cli_is_given(input, OPT_BASEBOARD)) {
        rig__cli_error("no GPU, as in: trainrig %s --gpu 'RTX 4090 x2'", verb);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

cli_exit rig__cli_builds_read_file(const cli_session *session, const char *path, cli_builds *builds)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    builds->label = is_stdin ? "standard input" : path;
    CLI_TRY(is_stdin ? read_stdin(session, builds) : read_file(session, path, builds));
    if (builds->count == 0) {
        rig__cli_error("%s: no build (expected a row per build)", builds->label);
        return CLI_EXIT_INPUT;
    }
    return CLI_EXIT_OK;
}

cli_exit rig__cli_builds_read(const cli_session *session, cli_builds *builds)
{
    const cli_input *input = session->input;
    size_t n_parts = 0;
    if (input->n_arguments == 1) {
        return rig__cli_builds_read_file(session, input->arguments[0], builds);
    }
    builds->count = 1;
    return rig__cli_session_build(session, &builds->single, &n_parts);
}

/* Prints what does not go together in one build. @return number of violations */
static size_t check_build(const cli_session *session, const cli_builds *builds, size_t index)
{
    rig_violation violations[MAX_VIOLATIONS];
    const size_t n = rig_build_check(&rig__cli_builds_all(builds)[index],
                                     session->catalog,
                                     session->constants,
                                     false,
                                     violations,
                                     MAX_VIOLATIONS);
    const bool is_forced = rig__cli_is_given(session->input, OPT_FORCE_INCOMPATIBLE);
    for (size_t i = 0; i < n && i < MAX_VIOLATIONS; i++) {
        const char *rule = violations[i].rule, *message = violations[i].message;
        if (is_forced) {
            rig__cli_note("warning: build %zu: %s: %s", index + 1, rule, message);
        } else if (builds->label != NULL) {
            rig__cli_error("%s: build %zu: %s: %s", builds->label, index + 1, rule, message);
        } else {
            rig__cli_error("build: %s: %s", rule, message);
        }
    }
    return n;
}

cli_exit rig__cli_builds_check(const cli_session *session, const cli_builds *builds)
{
    size_t n = 0;
    for (size_t i = 0; i < builds->count; i++) {
        n += check_build(session, builds, i);
    }
    if (n == 0 || rig__cli_is_given(session->input, OPT_FORCE_INCOMPATIBLE)) {
        return CLI_EXIT_OK;
    }
    rig__cli_hint("--force-incompatible predicts them anyway");
    return builds->label != NULL ? CLI_EXIT_INPUT : CLI_EXIT_USAGE;
}
