/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb predict: epoch time of builds given by options or by a CSV file. */
#include <string.h>
#include <unistd.h>

#include "cli/build_file.h"
#include "cli/commands.h"

#define MAX_VIOLATIONS 32

static const rig_build *builds_of(const cli_builds *builds)
{
    return builds->many != NULL ? builds->many : &builds->single;
}

static bool has_part_option(const cli_input *input)
{
    for (int id = OPT_CPU; id <= OPT_STORAGE_RATE; id++) {
        if (rig__cli_is_given(input, (cli_id)id)) {
            return true;
        }
    }
    return false;
}

static cli_exit check_usage(const cli_input *input)
{
    if (input->n_arguments > 1) {
        rig__cli_error("unexpected argument: '%s' (predict takes one file)", input->arguments[1]);
        return CLI_EXIT_USAGE;
    }
    if (input->n_arguments == 0 && !has_part_option(input)) {
        rig__cli_error("no build, as in: trainrig predict --gpu 'RTX 4090 x2' --cpu 'EPYC 9354', "
                       "or: trainrig predict builds.csv");
        return CLI_EXIT_USAGE;
    }
    if (input->n_arguments == 1 && has_part_option(input)) {
        rig__cli_error("both a file and part options: '%s' (expected one of the two)",
                       input->arguments[0]);
        return CLI_EXIT_USAGE;
    }
    if (input->n_arguments == 1 && strcmp(input->arguments[0], "-") == 0 &&
        isatty(STDIN_FILENO) == 1) {
        rig__cli_error("standard input is a terminal (expected a CSV file of builds)");
        return CLI_EXIT_USAGE;
    }
    if (input->n_arguments == 0 && !rig__cli_is_given(input, OPT_GPU) &&
        !rig__cli_is_given(input, OPT_SERVER) && !rig__cli_is_given(input, OPT_BASEBOARD)) {
        rig__cli_error("no GPU, as in: trainrig predict --gpu 'RTX 4090 x2'");
        return CLI_EXIT_USAGE;
    }
    return rig__cli_fail_if_check(input);
}

/* The builds as options or file name them. */
static cli_exit read_builds(const cli_session *session, cli_builds *builds)
{
    const cli_input *input = session->input;
    size_t n_parts = 0;
    if (input->n_arguments == 0) {
        builds->count = 1;
        return rig__cli_session_build(session, &builds->single, &n_parts);
    }
    const bool is_stdin = strcmp(input->arguments[0], "-") == 0;
    builds->label = is_stdin ? "standard input" : input->arguments[0];
    CLI_TRY(is_stdin ? rig__cli_read_stdin(session, builds)
                     : rig__cli_read_file(session, input->arguments[0], builds));
    if (builds->count == 0) {
        rig__cli_error("%s: no build (expected a row per build)", builds->label);
        return CLI_EXIT_INPUT;
    }
    return CLI_EXIT_OK;
}

/* Prints what does not go together in one build. @return number of violations */
static size_t check_build(const cli_session *session, const cli_builds *builds, size_t index)
{
    rig_violation violations[MAX_VIOLATIONS];
    const size_t n = rig_build_check(&builds_of(builds)[index],
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

static cli_exit check_builds(const cli_session *session, const cli_builds *builds)
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
                                          builds_of(builds),
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
        code = read_builds(&session, &builds);
    }
    if (code == CLI_EXIT_OK) {
        code = check_builds(&session, &builds);
    }
    if (code == CLI_EXIT_OK) {
        code = predict(&session, &builds);
    }
    rig_builds_free(builds.many);
    rig__cli_session_free(&session);
    return code;
}
