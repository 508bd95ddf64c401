/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measurement files: those named on the command line, and the shipped ones with what lies beside
 * them. */
#include "cli/measurement_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_output.h"

static const char *const shipped_files[] = {
    "mlperf_resnet50.csv", "gpu_training.csv", "cpu_preparation.csv", "storage.csv"};
#define N_SHIPPED (sizeof shipped_files / sizeof shipped_files[0])
static const char aliases_file[] = "aliases.csv";
static const char fitted_file[] = "fitted.csv";
static const char priors_file[] = "priors.csv";

const char *rig__cli_beside(const cli_data_dirs *data, const char *name, char path[CLI_FILE_SIZE])
{
    const int length = snprintf(path, CLI_FILE_SIZE, "%s/%s", data->measurements, name);
    return data->measurements[0] != '\0' && length < CLI_FILE_SIZE && access(path, R_OK) == 0
               ? path
               : NULL;
}

static cli_exit read_paths(const cli_session *session,
                           const cli_data_dirs *data,
                           const char *const *paths,
                           size_t n_paths,
                           rig_measurements **out)
{
    char aliases[CLI_FILE_SIZE];
    rig_error err = {0};
    const rig_status status = rig_measurements_read(
        out, session->catalog, paths, n_paths, rig__cli_beside(data, aliases_file, aliases), &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
    }
    return rig__cli_exit_of(status, true);
}

cli_exit rig__cli_read_measurements(const cli_session *session,
                                    const cli_data_dirs *data,
                                    bool with_shipped,
                                    rig_measurements **out)
{
    const cli_input *input = session->input;
    const char **paths = calloc(input->n_arguments + N_SHIPPED, sizeof *paths);
    char(*shipped)[CLI_FILE_SIZE] = malloc(N_SHIPPED * sizeof *shipped);
    size_t n_paths = 0;
    cli_exit code = CLI_EXIT_INTERNAL;
    if (paths == NULL || shipped == NULL) {
        rig__cli_error("out of memory");
        goto done;
    }
    for (size_t i = 0; i < input->n_arguments; i++) {
        const bool is_stdin = strcmp(input->arguments[i], "-") == 0;
        paths[n_paths++] = is_stdin ? "/dev/stdin" : input->arguments[i];
    }
    for (size_t i = 0; i < N_SHIPPED && with_shipped; i++) {
        paths[n_paths] = rig__cli_beside(data, shipped_files[i], shipped[i]);
        n_paths += paths[n_paths] != NULL ? 1 : 0;
    }
    if (with_shipped && n_paths == input->n_arguments) {
        rig__cli_error("the shipped measurements are not found (name a file of measurements)");
        code = CLI_EXIT_FILE;
    } else {
        code = read_paths(session, data, paths, n_paths, out);
    }
done:
    free(shipped);
    free(paths);
    return code;
}

/* Rows know the last part of the name of their file. */
static bool is_named(const cli_input *input, const char *file)
{
    for (size_t i = 0; i < input->n_arguments; i++) {
        const char *slash = strrchr(input->arguments[i], '/');
        if (strcmp(slash == NULL ? input->arguments[i] : slash + 1, file) == 0) {
            return true;
        }
    }
    return false;
}

bool rig__cli_is_shipped_row(const cli_input *input, const rig_measurement *row)
{
    for (size_t i = 0; i < N_SHIPPED; i++) {
        if (strcmp(row->file, shipped_files[i]) == 0) {
            return !is_named(input, row->file);
        }
    }
    return false;
}

cli_exit rig__cli_read_fitted(const cli_data_dirs *data, rig_profile **out)
{
    char path[CLI_FILE_SIZE];
    rig_error err = {0};
    *out = NULL;
    if (rig__cli_beside(data, fitted_file, path) == NULL) {
        return CLI_EXIT_OK;
    }
    const rig_status status = rig_profile_read(out, path, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
    }
    return rig__cli_exit_of(status, true);
}

cli_exit rig__cli_find_priors(const cli_data_dirs *data, char path[CLI_FILE_SIZE])
{
    if (rig__cli_beside(data, priors_file, path) != NULL) {
        return CLI_EXIT_OK;
    }
    rig__cli_error("the priors of the calibration are not found (expected %s beside the shipped "
                   "measurements)",
                   priors_file);
    return CLI_EXIT_FILE;
}
