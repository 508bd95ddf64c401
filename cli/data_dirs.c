/* SPDX-License-Identifier: GPL-3.0-or-later
 * Search for the shipped data. */
#include "cli/data_dirs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_output.h"

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Writes root/rest. @return false: too long, or no directory of that name */
static bool join(char out[CLI_PATH_SIZE], const char *root, const char *rest)
{
    const int length = snprintf(out, CLI_PATH_SIZE, "%s/%s", root, rest);
    return length > 0 && length < CLI_PATH_SIZE && is_directory(out);
}

/* A root has the data either as in the source tree or as installed. */
static bool try_root(cli_data_dirs *out, const char *root)
{
    if (!join(out->measurements, root, "model/measurements") &&
        !join(out->measurements, root, "measurements")) {
        out->measurements[0] = '\0';
    }
    if (join(out->catalog, root, "catalog/data") && join(out->model, root, "model/data")) {
        return true;
    }
    return join(out->catalog, root, "catalog") && join(out->model, root, "model");
}

/* share/trainrig beside the bin directory that holds the program. */
static bool try_program(cli_data_dirs *out)
{
    char path[CLI_PATH_SIZE];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || (size_t)length >= sizeof path) {
        return false;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    static const char beside[] = "/../share/trainrig";
    if (slash == NULL || (size_t)(slash - path) + sizeof beside > sizeof path) {
        return false;
    }
    strcpy(slash, beside);
    return try_root(out, path);
}

cli_exit rig__cli_find_data(cli_data_dirs *out)
{
    const char *root = getenv("TRAINRIG_DATA");
    if (root != NULL && root[0] != '\0') {
        if (try_root(out, root)) {
            return CLI_EXIT_OK;
        }
        rig__cli_error("TRAINRIG_DATA: no data directory: '%s' (expected one that holds catalog/ "
                       "and model/)",
                       root);
        return CLI_EXIT_FILE;
    }
    if (try_program(out) || try_root(out, RIG_DATA_DIR_INSTALL) ||
        try_root(out, RIG_DATA_DIR_BUILD)) {
        return CLI_EXIT_OK;
    }
    rig__cli_error("the shipped catalogue is not found (expected in %s)", RIG_DATA_DIR_INSTALL);
    rig__cli_hint("set TRAINRIG_DATA to a directory that holds catalog/ and model/");
    return CLI_EXIT_FILE;
}
