/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds from a CSV file or from standard input. */
#include "cli/build_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_output.h"

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

cli_exit rig__cli_read_file(const cli_session *session, const char *path, cli_builds *builds)
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

cli_exit rig__cli_read_stdin(const cli_session *session, cli_builds *builds)
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
        code = rig__cli_read_file(session, path, builds);
    }
    close(descriptor);
    unlink(path);
    return code;
}
