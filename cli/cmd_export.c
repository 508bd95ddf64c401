/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb export: the integer program of a request for other solvers, and their answers read back. */
#include <string.h>

#include "cli/commands.h"
#include "cli/session.h"
#include "trainrig/program.h"

/* The order of the choices of --as. */
enum { AS_AUTO, AS_LP, AS_MPS };

static bool is_mps(const cli_input *input)
{
    static const char suffix[] = ".mps";
    const int choice = rig__cli_choice(input, OPT_AS);
    const char *path = rig__cli_text(input, OPT_OUTPUT);
    const size_t length = path == NULL ? 0 : strlen(path);
    return choice == AS_MPS || (choice == AS_AUTO && length >= strlen(suffix) &&
                                strcmp(path + length - strlen(suffix), suffix) == 0);
}

/* Sizes on standard error: what a solver will have to do. */
static void note_size(const rig_program *program)
{
    const rig_program_size size = rig_program_size_get(program);
    rig__cli_note("program of %zu columns (%zu whole), %zu rows and %zu entries, from %zu options",
                  size.n_columns,
                  size.n_integers,
                  size.n_rows,
                  size.n_entries,
                  size.n_options);
}

static cli_exit
write_program(const cli_input *input, const rig_program *program, cli_output *output)
{
    rig_error err = {0};
    const rig_status status = rig_program_write(
        program, is_mps(input) ? RIG_PROGRAM_MPS : RIG_PROGRAM_LP, rig__cli_sink, output, &err);
    if (status != RIG_OK && output->error == 0) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    note_size(program);
    return CLI_EXIT_OK;
}

static cli_exit
explain_solution(const cli_input *input, const rig_program *program, cli_output *output)
{
    rig_result *result = NULL;
    rig_error err = {0};
    const char *path = rig__cli_text(input, OPT_READ_SOLUTION);
    const rig_status status = rig_program_solution_read(&result, program, path, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, true);
    }
    const cli_exit code = rig__cli_write_answer(input, result, output);
    rig_result_free(result);
    return code;
}

static cli_exit export_program(const cli_session *session)
{
    const cli_input *input = session->input;
    rig_program *program = NULL;
    rig_error err = {0};
    cli_output output;
    const rig_status status = rig_program_new(&program,
                                              session->catalog,
                                              session->constants,
                                              &session->request,
                                              rig__cli_is_given(input, OPT_FULL),
                                              &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    cli_exit code = rig__cli_output_open(&output, input);
    if (code == CLI_EXIT_OK) {
        code = rig__cli_is_given(input, OPT_READ_SOLUTION)
                   ? explain_solution(input, program, &output)
                   : write_program(input, program, &output);
        const cli_exit closed = rig__cli_output_close(
            &output, rig__cli_is_worth_keeping(code) && code != CLI_EXIT_INPUT);
        code = closed != CLI_EXIT_OK ? closed : code;
    }
    rig_program_free(program);
    return code;
}

cli_exit rig__cli_export(const cli_input *input)
{
    cli_session session;
    if (input->n_arguments > 0) {
        rig__cli_error("unexpected argument: '%s' (export takes options only)",
                       input->arguments[0]);
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(rig__cli_check_objective(input));
    CLI_TRY(rig__cli_fail_if_check(input));
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = rig__cli_session_request(&session);
    }
    if (code == CLI_EXIT_OK) {
        code = export_program(&session);
    }
    rig__cli_session_free(&session);
    return code;
}
