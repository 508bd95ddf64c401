/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb predict: epoch time of builds given by options or by a CSV file. */
#include "cli/build_file.h"
#include "cli/commands.h"

static cli_exit check_usage(const cli_input *input)
{
    if (input->n_arguments == 0 && !rig__cli_has_part_option(input)) {
        rig__cli_error("no build, as in: trainrig predict --gpu 'RTX 4090 x2' --cpu 'EPYC 9354', "
                       "or: trainrig predict builds.csv");
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(rig__cli_builds_usage(input));
    return rig__cli_fail_if_check(input);
}

static cli_exit
write_result(const cli_session *session, const rig_result *result, cli_output *output)
{
    rig_error err = {0};
    const cli_input *input = session->input;
    const rig_report_options options = rig__cli_report_options(input);
    if (result->n_builds > 0) {
        rig__cli_compare_measured(input, result->builds[0].prediction.images_per_s, output->stream);
    }
    const rig_status status =
        rig_report_result(result, true, &options, rig__cli_sink, output, &err);
    if (status != RIG_OK && output->error == 0) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    rig__cli_warn_result(result, options.format);
    if (result->n_builds == 0) {
        return CLI_EXIT_OK;
    }
    return rig__cli_fail_if(input, &result->builds[0], result->proof.gap_frac);
}

static cli_exit predict(const cli_session *session, const cli_builds *builds)
{
    rig_result *result = NULL;
    rig_error err = {0};
    cli_output output;
    const rig_status status = rig_predict(&result,
                                          session->catalog,
                                          session->constants,
                                          &session->request,
                                          rig__cli_builds_all(builds),
                                          builds->count,
                                          &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, builds->label);
        return rig__cli_exit_of(status, builds->label != NULL);
    }
    cli_exit code = rig__cli_output_open(&output, session->input);
    if (code == CLI_EXIT_OK) {
        code = write_result(session, result, &output);
        const cli_exit closed =
            rig__cli_output_close(&output, code == CLI_EXIT_OK || code == CLI_EXIT_CONDITION);
        code = closed != CLI_EXIT_OK ? closed : code;
    }
    rig_result_free(result);
    return code;
}

cli_exit rig__cli_predict(const cli_input *input)
{
    cli_session session;
    cli_builds builds = {.single = rig_build_empty()};
    CLI_TRY(check_usage(input));
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = rig__cli_session_workload(&session);
    }
    if (code == CLI_EXIT_OK) {
        code = rig__cli_builds_read(&session, &builds);
    }
    if (code == CLI_EXIT_OK) {
        code = rig__cli_builds_check(&session, &builds);
    }
    if (code == CLI_EXIT_OK) {
        code = predict(&session, &builds);
    }
    rig_builds_free(builds.many);
    rig__cli_session_free(&session);
    return code;
}
