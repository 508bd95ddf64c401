/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb calibrate: fits the model to measurements and writes a profile. */
#include <stdlib.h>
#include <string.h>

#include "cli/calibration_run.h"
#include "cli/commands.h"

static cli_exit check_usage(const cli_input *input)
{
    const bool is_shipped = rig__cli_is_given(input, OPT_SHIPPED);
    if (input->n_arguments == 0 && !is_shipped) {
        rig__cli_error("no measurements (expected a file, or --shipped for the shipped ones)");
        rig__cli_error("hint: 'trainrig help calibrate' shows examples");
        return CLI_EXIT_USAGE;
    }
    if (rig__cli_is_given(input, OPT_INTERVALS) && !is_shipped) {
        rig__cli_error("--intervals without --shipped (own rows are too few for their widths)");
        return CLI_EXIT_USAGE;
    }
    const char *output = rig__cli_text(input, OPT_OUTPUT);
    if (output != NULL && strcmp(output, rig__cli_text(input, OPT_SAVE)) == 0 &&
        strcmp(output, "-") != 0) {
        rig__cli_error("--save and the result go to the same place: '%s' (expected two files)",
                       output);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static void write_text(const char *text, void *payload)
{
    (void)rig__cli_sink(text, strlen(text), payload);
}

static cli_exit write_profile(const cli_calibration *run, cli_output *output)
{
    rig_error err = {0};
    const rig_status status = rig_profile_write(run->profile, write_text, output, &err);
    return status == RIG_OK ? CLI_EXIT_OK : rig__cli_calibration_failed(&err, status);
}

static cli_exit write_summary(cli_calibration *run, const char *path)
{
    const rig_report_options options = rig__cli_report_options(run->session.input);
    rig_error err = {0};
    cli_output output;
    run->report.profile_path = path;
    CLI_TRY(rig__cli_output_open(&output, run->session.input));
    const rig_status status =
        rig_report_calibration(&run->report, &options, rig__cli_sink, &output, &err);
    cli_exit code = CLI_EXIT_OK;
    if (status != RIG_OK && output.error == 0) {
        code = rig__cli_calibration_failed(&err, status);
    }
    const cli_exit closed = rig__cli_output_close(&output, status == RIG_OK);
    return closed != CLI_EXIT_OK ? closed : code;
}

static cli_exit prepare(cli_calibration *run, const cli_input *input)
{
    rig_error err = {0};
    CLI_TRY(rig__cli_session_load(&run->session, input));
    CLI_TRY(rig__cli_find_data(&run->data));
    CLI_TRY(rig__cli_find_priors(&run->data, run->priors));
    const bool is_shipped = rig__cli_is_given(input, OPT_SHIPPED);
    run->calibration =
        (rig_calibration){.priors_path = run->priors,
                          .is_from_priors = is_shipped || rig__cli_is_given(input, OPT_FROM_PRIORS),
                          .is_quick = rig__cli_is_given(input, OPT_QUICK)};
    const rig_status status =
        rig_constants_new(&run->session.constants, run->session.catalog, &err);
    run->profile = rig_profile_new("calibration");
    if (status != RIG_OK || run->profile == NULL) {
        return rig__cli_calibration_failed(&err, status != RIG_OK ? status : RIG_E_NOMEM);
    }
    return rig__cli_read_measurements(&run->session, &run->data, is_shipped, &run->measurements);
}

static cli_exit calibrate(cli_calibration *run, const cli_input *input)
{
    const char *path = rig__cli_text(input, OPT_SAVE);
    CLI_TRY(check_usage(input));
    CLI_TRY(prepare(run, input));
    cli_output output; /* opened before the work, so that a wrong place is told at once */
    CLI_TRY(rig__cli_output_open_path(&output, path));
    cli_exit code = rig__cli_calibration_run(run);
    code = code == CLI_EXIT_OK ? write_profile(run, &output) : code;
    const cli_exit closed = rig__cli_output_close(&output, code == CLI_EXIT_OK);
    if (code != CLI_EXIT_OK || closed != CLI_EXIT_OK) {
        return code != CLI_EXIT_OK ? code : closed;
    }
    const bool is_taken = strcmp(path, "-") == 0 && rig__cli_text(input, OPT_OUTPUT) == NULL;
    return is_taken ? CLI_EXIT_OK : write_summary(run, strcmp(path, "-") == 0 ? NULL : path);
}

cli_exit rig__cli_calibrate(const cli_input *input)
{
    cli_calibration *run = calloc(1, sizeof *run);
    if (run == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    const cli_exit code = calibrate(run, input);
    rig__cli_calibration_free(run);
    free(run);
    return code;
}
