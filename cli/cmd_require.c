/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb require: what each part must deliver. */
#include <math.h>

#include "cli/commands.h"
#include "cli/session.h"

static cli_exit check_usage(const cli_input *input)
{
    const bool has_rate = rig__cli_is_given(input, OPT_IMAGES_PER_S);
    const bool has_time = rig__cli_is_given(input, OPT_EPOCH_TIME);
    if (input->n_arguments > 0) {
        rig__cli_error("unexpected argument: '%s' (require takes options only)",
                       input->arguments[0]);
        return CLI_EXIT_USAGE;
    }
    if (has_rate && has_time) {
        rig__cli_error("two targets: --images-per-s and --epoch-time (expected one of the two)");
        return CLI_EXIT_USAGE;
    }
    if (!has_rate && !has_time && !rig__cli_is_given(input, OPT_GPU) &&
        !rig__cli_is_given(input, OPT_SERVER) && !rig__cli_is_given(input, OPT_BASEBOARD)) {
        rig__cli_error("no target, as in: trainrig require --images-per-s 2000, or --epoch-time "
                       "20min, or --gpu 'RTX 4090 x2' to keep these busy");
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

/* Images per second of the target, NAN: those of the GPUs. */
static double find_target(const cli_session *session)
{
    const cli_input *input = session->input;
    const double epoch_s = rig__cli_number(input, OPT_EPOCH_TIME, NAN);
    return isnan(epoch_s) ? rig__cli_number(input, OPT_IMAGES_PER_S, NAN)
                          : session->request.workload.dataset->images / epoch_s;
}

static cli_exit write_result(const cli_session *session, const rig_requirements *requirements)
{
    const cli_input *input = session->input;
    rig_error err = {0};
    cli_output output;
    CLI_TRY(rig__cli_output_open(&output, input));
    const rig_report_options options = rig__cli_report_options(input);
    rig__cli_compare_measured(input, requirements->target_images_per_s, output.stream);
    const rig_status status =
        rig_report_requirements(requirements, &options, rig__cli_sink, &output, &err);
    cli_exit code = CLI_EXIT_OK;
    if (status != RIG_OK && output.error == 0) {
        rig__cli_print_error(&err, NULL);
        code = rig__cli_exit_of(status, false);
    } else if (options.format == RIG_FORMAT_CSV) {
        rig__cli_warn_all(&requirements->warnings);
    }
    const cli_exit closed = rig__cli_output_close(&output, code == CLI_EXIT_OK);
    return closed != CLI_EXIT_OK ? closed : code;
}

static cli_exit run(cli_session *session)
{
    rig_requirements *requirements = NULL;
    rig_error err = {0};
    rig_build build;
    size_t n_parts = 0;
    CLI_TRY(rig__cli_session_workload(session));
    CLI_TRY(rig__cli_session_build(session, &build, &n_parts));
    const rig_status status = rig_require(&requirements,
                                          session->catalog,
                                          session->constants,
                                          &session->request,
                                          &build,
                                          find_target(session),
                                          &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    const cli_exit code = write_result(session, requirements);
    rig_requirements_free(requirements);
    return code;
}

cli_exit rig__cli_require(const cli_input *input)
{
    cli_session session;
    CLI_TRY(check_usage(input));
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = run(&session);
    }
    rig__cli_session_free(&session);
    return code;
}
