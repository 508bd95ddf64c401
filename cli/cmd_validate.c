/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb validate: error of the model on measurement files, by group. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/crossing.h"
#include "cli/data_dirs.h"
#include "cli/interrupt.h"
#include "cli/measurement_files.h"
#include "cli/session.h"

typedef struct validation_run {
    cli_session session;
    cli_data_dirs data;
    rig_group by[RIG_N_GROUPS];
    size_t n_by; /* 0: the usual ones */
    rig_measurements *measurements;
    rig_profile *fitted; /* record of what the shipped constants were fitted on */
    rig_validation *validation;
    char priors[CLI_FILE_SIZE];
    rig_calibration calibration;
    cli_row_set single_rows;
    cli_folds folds;
} validation_run;

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

/* With a profile it tells itself what was fitted; the shipped constants have a file for it. */
static cli_exit read_fitted(validation_run *run)
{
    return run->session.profile != NULL ? CLI_EXIT_OK
                                        : rig__cli_read_fitted(&run->data, &run->fitted);
}

/* What is left out, and what is fitted to the rest. */
static cli_exit set_crossing(validation_run *run, const cli_input *input, cli_crossing *out)
{
    /* The shipped figures know the shipped rows: as a start they would tell what is held out. */
    const bool is_from_priors =
        input->n_arguments == 0 || rig__cli_is_given(input, OPT_FROM_PRIORS);
    run->calibration =
        (rig_calibration){.priors_path = run->priors, .is_from_priors = is_from_priors};
    *out = (cli_crossing){
        .measurements = run->measurements,
        .catalog = run->session.catalog,
        .calibration = &run->calibration,
        .n_folds = (size_t)rig__cli_number(input, OPT_FOLDS, CLI_FOLDS),
    };
    return rig__cli_find_priors(&run->data, run->priors);
}

static rig_status
cross(validation_run *run, const cli_input *input, const cli_crossing *crossing, rig_error *err)
{
    enum { NOTHING, STACKS, MODEL }; /* the order of the choices of --fit */
    static const rig_fit fits[] = {rig_fit_nothing, rig_fit_stacks, rig_fit_model};
    const int kind = rig__cli_is_given(input, OPT_FIT) ? rig__cli_choice(input, OPT_FIT) : STACKS;
    rig_group key = RIG_GROUP_FILE;
    if (!rig__cli_key(input, &key)) {
        return rig__cli_cross(crossing, key, fits[kind], &run->validation, err);
    }
    const rig_status status =
        rig__cli_row_set_init(&run->single_rows, run->measurements, NULL) ? RIG_OK : RIG_E_NOMEM;
    if (status != RIG_OK) {
        return status;
    }
    cli_crossing single = *crossing;
    single.measurements = &run->single_rows.measurements;
    single.word = rig__cli_row_word;
    const rig_status crossed =
        rig__cli_cross(&single, RIG_GROUP_FILE, fits[kind], &run->validation, err);
    if (crossed == RIG_OK) {
        run->validation->left_out = rig__cli_row_word;
    }
    return crossed;
}

static cli_exit predict(validation_run *run, const cli_input *input)
{
    const cli_session *session = &run->session;
    rig_error err = {0};
    rig_status status = RIG_OK;
    if (rig__cli_text(input, OPT_LEAVE_OUT) == NULL) {
        status = rig_validate(&run->validation,
                              run->measurements,
                              session->catalog,
                              session->constants,
                              session->profile != NULL ? session->profile : run->fitted,
                              &err);
    } else {
        cli_crossing crossing;
        CLI_TRY(set_crossing(run, input, &crossing));
        rig__cli_busy_start(!rig__cli_is_quiet());
        status = cross(run, input, &crossing, &err);
        rig__cli_busy_stop();
    }
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    return CLI_EXIT_OK;
}

/* All cross-validations that the targets need, and their scores. */
static cli_exit write_targets(validation_run *run, const cli_input *input)
{
    const rig_report_options options = rig__cli_report_options(input);
    rig_target_score scores[RIG_N_TARGETS];
    cli_crossing crossing;
    rig_error err = {0};
    cli_output output;
    CLI_TRY(set_crossing(run, input, &crossing));
    rig__cli_busy_start(!rig__cli_is_quiet());
    rig_status status = rig__cli_cross_all(&crossing, false, &run->folds, &err);
    rig__cli_busy_stop();
    if (status == RIG_OK) {
        status = rig_targets_score(&run->folds.folds, scores, &err);
    }
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    CLI_TRY(rig__cli_output_open(&output, input));
    status = rig_report_targets(scores, &run->folds.folds, &options, rig__cli_sink, &output, &err);
    if (status != RIG_OK && output.error == 0) {
        rig__cli_print_error(&err, NULL);
    }
    const cli_exit closed = rig__cli_output_close(&output, status == RIG_OK);
    return closed != CLI_EXIT_OK ? closed : rig__cli_exit_of(status, false);
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
    if (rig__cli_is_given(input, OPT_FOLDS) && !rig__cli_is_given(input, OPT_LEAVE_OUT) &&
        !rig__cli_is_given(input, OPT_TARGETS)) {
        rig__cli_error("--folds without --leave-out (nothing is held out otherwise)");
        return CLI_EXIT_USAGE;
    }
    if (rig__cli_is_given(input, OPT_TARGETS) &&
        (rig__cli_is_given(input, OPT_LEAVE_OUT) || residuals != NULL)) {
        rig__cli_error("--targets with %s (it makes cross-validations of its own)",
                       residuals != NULL ? "--residuals" : "--leave-out");
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
    const rig_status status =
        rig_constants_new(&run->session.constants, run->session.catalog, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, true);
    }
    CLI_TRY(rig__cli_read_measurements(
        &run->session, &run->data, input->n_arguments == 0, &run->measurements));
    if (rig__cli_is_given(input, OPT_TARGETS)) {
        return write_targets(run, input);
    }
    CLI_TRY(read_fitted(run));
    CLI_TRY(predict(run, input));
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
    rig__cli_row_set_free(&run->single_rows);
    rig__cli_folds_free(&run->folds);
    rig_measurements_free(run->measurements);
    rig_profile_free(run->fitted);
    rig__cli_session_free(&run->session);
    free(run);
    return code;
}
