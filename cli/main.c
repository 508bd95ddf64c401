/* SPDX-License-Identifier: GPL-3.0-or-later
 * Program trainrig: reads the command line and the configuration, and calls the verb. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "trainrig/version.h"

/* Ends what was printed on standard output: a full disk is no success. */
static cli_exit check_printed(cli_exit code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        rig__cli_error("standard output: cannot be written: %s", strerror(errno));
        return CLI_EXIT_FILE;
    }
    return code;
}

static cli_exit run_verb(cli_input *input)
{
    if (input->verb == VERB_HELP) {
        return rig__cli_help(input);
    }
    if (input->verb == VERB_COMPLETION) {
        return rig__cli_completion(input);
    }
    CLI_TRY(rig__cli_config_load(input));
    CLI_TRY(rig__cli_validate(input));
    rig__cli_set_quiet(rig__cli_is_given(input, OPT_QUIET));
    if (rig__cli_is_given(input, OPT_VERBOSE)) {
        rig__cli_config_print(input);
    }
    switch (input->verb) {
    case VERB_RECOMMEND:
        return rig__cli_recommend(input);
    case VERB_SWEEP:
        return rig__cli_sweep(input);
    case VERB_FRONTIER:
        return rig__cli_frontier(input);
    case VERB_COMPARE:
        return rig__cli_compare(input);
    case VERB_EXPORT:
        return rig__cli_export(input);
    case VERB_PREDICT:
        return rig__cli_predict(input);
    case VERB_REQUIRE:
        return rig__cli_require(input);
    case VERB_VALIDATE:
        return rig__cli_validate_model(input);
    case VERB_CALIBRATE:
        return rig__cli_calibrate(input);
    default:
        return rig__cli_catalog(input);
    }
}

static cli_exit run(int argc, char **argv, cli_input *input)
{
    CLI_TRY(rig__cli_parse(argc, argv, input));
    if (rig__cli_is_given(input, OPT_VERSION)) {
        printf("trainrig %s\n", RIG_VERSION_STRING);
        return check_printed(CLI_EXIT_OK);
    }
    if (input->verb == VERB_NONE) {
        const bool is_wanted = rig__cli_is_given(input, OPT_HELP);
        if (!is_wanted && argc > 1) {
            rig__cli_error("no verb (see 'trainrig --help')");
            return CLI_EXIT_USAGE;
        }
        rig__cli_short_help(stdout);
        return check_printed(is_wanted ? CLI_EXIT_OK : CLI_EXIT_USAGE);
    }
    if (rig__cli_is_given(input, OPT_HELP)) {
        rig__cli_verb_help(stdout, input->verb);
        return check_printed(CLI_EXIT_OK);
    }
    return run_verb(input);
}

int main(int argc, char **argv)
{
    cli_input input = {.verb = VERB_NONE};
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is reported as what it is: a failed write */
    const cli_exit code = run(argc, argv, &input);
    rig__cli_input_free(&input);
    return (int)code;
}
