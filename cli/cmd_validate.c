/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb validate: error of the model on measurement files, by group. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/data_dirs.h"
#include "cli/session.h"

/* Files that are read when none is named, and what stands beside them. */
static const char *const shipped_files[] = {
    "mlperf_resnet50.csv", "gpu_training.csv", "cpu_preparation.csv", "storage.csv"};
#define N_SHIPPED (sizeof shipped_files / sizeof shipped_files[0])
static const char aliases_file[] = "aliases.csv";
static const char fitted_file[] = "fitted.csv";

#define FILE_SIZE (CLI_PATH_SIZE + 64)

typedef struct validation_run {
    cli_session session;
    cli_data_dirs data;
    rig_group by[RIG_N_GROUPS];
    size_t n_by; /* 0: the usual ones */
    rig_measurements *measurements;
    rig_profile *fitted; /* record of what the shipped constants were fitted on */
    rig_validation *validation;
} validation_run;

/* Path of a file beside the shipped measurements. @return NULL: it is not there */
static const char *beside(const validation_run *run, const char *name, char path[FILE_SIZE])
{
    const int length = snprintf(path, FILE_SIZE, "%s/%s", run->data.measurements, name);
    return run->data.measurements[0] != '\0' && length < FILE_SIZE && access(path, R_OK) == 0
               ? path
               : NULL;
}

/* Groups of --by: names separated by commas, or all. */
static cli_exit parse_groups(validation_run *run, const cli_input *input)
{
    const char *text = rig__cli_text(input, OPT_BY);
    char where[CLI_WHERE_SIZE], word[64];
    rig_error err = {0};
    if (text != NULL && strcmp(text, "all") == 0) {
        for (; run->n_by < RIG_N_GROUPS; run->n_by++) {
            run->by[run->n_by] = (rig_group)run->n_by;
        }
        return CLI_EXIT_OK;
    }
    while (text != NULL && run->n_by < RIG_N_GROUPS) {
        const size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (rig_group_parse(word, &run->by[run->n_by++], &err) != RIG_OK) {
            rig__cli_print_error(&err, rig__cli_where(input, OPT_BY, 0, where));
            return rig__cli_blame(input, OPT_BY);
        }
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return CLI_EXIT_OK;
}

static cli_exit read_paths(validation_run *run, const char *const *paths, size_t n_paths)
{
    char aliases[FILE_SIZE];
    rig_error err = {0};
    const rig_status status = rig_measurements_read(&run->measurements,
                                                    run->session.catalog,
                                                    paths,
                                                    n_paths,
                                                    beside(run, aliases_file, aliases),
                                                    &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
    }
    return rig__cli_exit_of(status, true);
}

static cli_exit read_shipped(validation_run *run)
{
    char(*paths)[FILE_SIZE] = malloc(N_SHIPPED * sizeof *paths);
    const char *found[N_SHIPPED];
    size_t n_found = 0;
    if (paths == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    for (size_t i = 0; i < N_SHIPPED; i++) {
        found[n_found] = beside(run, shipped_files[i], paths[i]);
        n_found += found[n_found] != NULL ? 1 : 0;
    }
    cli_exit code = CLI_EXIT_FILE;
    if (n_found == 0) {
        rig__cli_error("the shipped measurements are not found (name a file of measurements)");
    } else {
        code = read_paths(run, found, n_found);
    }
    free(paths);
    return code;
}

static cli_exit read_named(validation_run *run, const cli_input *input)
{
    const char **paths = calloc(input->n_arguments, sizeof *paths);
    if (paths == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    for (size_t i = 0; i < input->n_arguments; i++) {
        const bool is_stdin = strcmp(input->arguments[i], "-") == 0;
        paths[i] = is_stdin ? "/dev/stdin" : input->arguments[i];
    }
    const cli_exit code = read_paths(run, paths, input->n_arguments);
    free(paths);
    return code;
}

/* With a profile it tells itself what was fitted; the shipped constants have a file for it. */
static cli_exit read_fitted(validation_run *run)
{
    char path[FILE_SIZE];
    rig_error err = {0};
    if (run->session.profile != NULL || beside(run, fitted_file, path) == NULL) {
        return CLI_EXIT_OK;
    }
    const rig_status status = rig_profile_read(&run->fitted, path, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
    }
    return rig__cli_exit_of(status, true);
}

static rig_status predict(validation_run *run, const cli_input *input, rig_error *err)
{
    const cli_session *session = &run->session;
    const char *key = rig__cli_text(input, OPT_LEAVE_OUT);
    rig_group group = RIG_GROUP_SYSTEM;
    if (key == NULL) {
        return rig_validate(&run->validation,
                            run->measurements,
                            session->catalog,
                            session->constants,
                            session->profile != NULL ? session->profile : run->fitted,
                            err);
    }
    enum { NOTHING, STACKS }; /* the order of the choices of --fit */
    const rig_fit fit =
        rig__cli_choice(input, OPT_FIT) == STACKS ? rig_fit_stacks : rig_fit_nothing;
    const rig_status status = rig_group_parse(key, &group, err);
    return status != RIG_OK
               ? status
               : rig_cross_validate(
                     &run->validation, run->measurements, session->catalog, group, fit, NULL, err);
}

/* Report on one file: the result, or the residuals. */
static cli_exit write_report(const validation_run *run, const char *path, bool is_residuals)
{
    const rig_report_options options = rig__cli_report_options(run->session.input);
    rig_error err = {0};
    cli_output output;
    CLI_TRY(rig__cli_output_open_path(&output, path));
    const rig_status status =
        is_residuals ? rig_report_residuals(run->validation, &options, rig__cli_sink, &output, &err)
                     : rig_report_validation(run->validation,
                                             run->n_by == 0 ? NULL : run->by,
                                             run->n_by,
                                             &options,
                                             rig__cli_sink,
                                             &output,
                                             &err);
    cli_exit code = CLI_EXIT_OK;
    if (status != RIG_OK && output.error == 0) {
        rig__cli_print_error(&err, NULL);
        code = rig__cli_exit_of(status, false);
    }
    const cli_exit closed = rig__cli_output_close(&output, code == CLI_EXIT_OK);
    return closed != CLI_EXIT_OK ? closed : code;
}

static cli_exit check_usage(const cli_input *input)
{
    const char *residuals = rig__cli_text(input, OPT_RESIDUALS);
    const char *output = rig__cli_text(input, OPT_OUTPUT);
    if (residuals != NULL && strcmp(residuals, output == NULL ? "-" : output) == 0) {
        rig__cli_error("--residuals and the result go to the same place: '%s' (expected two files)",
                       residuals);
        return CLI_EXIT_USAGE;
    }
    if (rig__cli_is_given(input, OPT_FIT) && !rig__cli_is_given(input, OPT_LEAVE_OUT)) {
        rig__cli_error("--fit without --leave-out (nothing is fitted otherwise)");
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static cli_exit validate(validation_run *run, const cli_input *input)
{
    rig_error err = {0};
    CLI_TRY(check_usage(input));
    CLI_TRY(parse_groups(run, input));
    CLI_TRY(rig__cli_session_load(&run->session, input));
    CLI_TRY(rig__cli_find_data(&run->data));
    rig_status status = rig_constants_new(&run->session.constants, run->session.catalog, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, true);
    }
    CLI_TRY(input->n_arguments == 0 ? read_shipped(run) : read_named(run, input));
    CLI_TRY(read_fitted(run));
    status = predict(run, input, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    const char *residuals = rig__cli_text(input, OPT_RESIDUALS);
    if (residuals != NULL) {
        CLI_TRY(write_report(run, residuals, true));
    }
    return write_report(run, rig__cli_text(input, OPT_OUTPUT), false);
}

cli_exit rig__cli_validate_model(const cli_input *input)
{
    validation_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    const cli_exit code = validate(run, input);
    rig_validation_free(run->validation);
    rig_measurements_free(run->measurements);
    rig_profile_free(run->fitted);
    rig__cli_session_free(&run->session);
    free(run);
    return code;
}
