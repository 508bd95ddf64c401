/* SPDX-License-Identifier: GPL-3.0-or-later
 * catalog import: a shop's part lists as a catalogue. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/catalog_rows.h"
#include "cli/cli_output.h"
#include "cli/commands.h"
#include "cli/session.h"

static void print_problem(const rig_error *problem, void *payload)
{
    (void)payload;
    if (!rig__cli_is_quiet()) {
        rig__cli_print_error(problem, NULL);
    }
}

static cli_exit check_usage(const cli_input *input)
{
    if (input->n_arguments < 2 || !rig__cli_is_given(input, OPT_INTO)) {
        rig__cli_error("catalog import needs a market and where to write, as in: trainrig catalog "
                       "import lists/ specifications/ --into my-market/");
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

/* What an earlier import wrote there; NULL: nothing yet. */
static cli_exit load_before(const char *directory, rig_catalog **out)
{
    struct stat about;
    rig_error err = {0};
    *out = NULL;
    if (stat(directory, &about) != 0) {
        if (errno == ENOENT && mkdir(directory, 0777) == 0) {
            return CLI_EXIT_OK;
        }
        rig__cli_error("%s: cannot be written: %s", directory, strerror(errno));
        return CLI_EXIT_FILE;
    }
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = &directory;
    options.n_directories = 1;
    options.policy.allow_used = true;
    options.policy.allow_absurd = true;
    options.is_check = true; /* references to shipped rows dangle here */
    if (rig_catalog_load(out, &options, &err) != RIG_OK && err.status == RIG_E_IO) {
        rig__cli_print_error(&err, NULL);
        return CLI_EXIT_FILE;
    }
    return CLI_EXIT_OK;
}

/* Each file takes the place of the old one when it is whole. */
static cli_exit write_table(const rig_market *market, rig_table table, const char *directory)
{
    char path[4096];
    cli_output output;
    rig_error err = {0};
    const rig_report_options options = rig_report_options_default();
    if (snprintf(path, sizeof path, "%s/%s.csv", directory, rig_table_stem(table)) >=
        (int)sizeof path) {
        rig__cli_error("%s: cannot be written: %s", directory, strerror(ENAMETOOLONG));
        return CLI_EXIT_FILE;
    }
    CLI_TRY(rig__cli_output_open_path(&output, path));
    const rig_status status =
        rig_report_market_table(market, table, &options, rig__cli_sink, &output, &err);
    if (status != RIG_OK && output.error == 0) {
        rig__cli_print_error(&err, NULL);
    }
    const cli_exit closed = rig__cli_output_close(&output, status == RIG_OK);
    return closed != CLI_EXIT_OK ? closed : rig__cli_exit_of(status, false);
}

static cli_exit write_all(const cli_input *input, const rig_market *market)
{
    cli_output output;
    rig_error err = {0};
    const char *directory = rig__cli_text(input, OPT_INTO);
    for (int table = 0; table < RIG_N_TABLES; table++) {
        if (market->tables[table].n_rows + market->tables[table].n_gone > 0) {
            CLI_TRY(write_table(market, (rig_table)table, directory));
        }
    }
    const rig_report_options options = rig__cli_report_options(input);
    CLI_TRY(rig__cli_output_open(&output, input));
    const rig_status status = rig_report_market(market, &options, rig__cli_sink, &output, &err);
    if (status != RIG_OK && output.error == 0) {
        rig__cli_print_error(&err, NULL);
    }
    const cli_exit closed = rig__cli_output_close(&output, status == RIG_OK);
    return closed != CLI_EXIT_OK ? closed : rig__cli_exit_of(status, false);
}

static cli_exit import(const cli_session *session, const rig_catalog *before)
{
    const cli_input *input = session->input;
    rig_market *market = NULL;
    rig_error err = {0};
    const rig_market_options options = {.directories = input->arguments + 1,
                                        .n_directories = input->n_arguments - 1,
                                        .shipped = session->catalog,
                                        .before = before,
                                        .on_problem = print_problem};
    const rig_status status = rig_market_import(&market, &options, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, true);
    }
    const cli_exit code = write_all(input, market);
    rig_market_free(market);
    return code;
}

cli_exit rig__cli_catalog_import(const cli_input *input)
{
    cli_session session;
    rig_catalog *before = NULL;
    CLI_TRY(check_usage(input));
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = load_before(rig__cli_text(input, OPT_INTO), &before);
    }
    if (code == CLI_EXIT_OK) {
        code = import(&session, before);
    }
    rig_catalog_free(before);
    rig__cli_session_free(&session);
    return code;
}
