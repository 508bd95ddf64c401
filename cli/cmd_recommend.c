/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb recommend: the best builds for a budget. */
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/session.h"

/* What must be given, before anything is read. */
static cli_exit check_usage(const cli_input *input)
{
    if (input->n_arguments > 0) {
        rig__cli_error("unexpected argument: '%s' (recommend takes options only)",
                       input->arguments[0]);
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(rig__cli_check_objective(input));
    return rig__cli_fail_if_check(input);
}

static cli_exit solve(cli_session *session, rig_result **out)
{
    rig_error err = {0};
    session->request.is_cancelled = rig__cli_is_interrupted;
    rig__cli_interrupt_start(!rig__cli_is_quiet());
    const rig_status status =
        rig_recommend(out, session->catalog, session->constants, &session->request, &err);
    rig__cli_interrupt_stop();
    if (status == RIG_E_CANCELLED) {
        rig__cli_error("interrupted");
        return rig__cli_interrupt_exit();
    }
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
    }
    return rig__cli_exit_of(status, false);
}

static cli_exit write_result(cli_session *session, cli_output *output)
{
    rig_result *result = NULL;
    CLI_TRY(solve(session, &result));
    const cli_exit code = rig__cli_write_answer(session->input, result, output);
    rig_result_free(result);
    return code;
}

cli_exit rig__cli_recommend(const cli_input *input)
{
    cli_session session;
    cli_output output;
    CLI_TRY(check_usage(input));
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = rig__cli_session_request(&session);
    }
    if (code == CLI_EXIT_OK) {
        code = rig__cli_output_open(&output, input);
        if (code == CLI_EXIT_OK) {
            code = write_result(&session, &output);
            const cli_exit closed = rig__cli_output_close(&output, rig__cli_is_worth_keeping(code));
            code = closed != CLI_EXIT_OK ? closed : code;
        }
    }
    rig__cli_session_free(&session);
    return code;
}
