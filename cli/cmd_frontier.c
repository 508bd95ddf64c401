/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb frontier: every build between two prices that no cheaper one outruns. */
#include <math.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/session.h"

/* Prices between which builds are looked for. */
typedef struct cli_span {
    int64_t from_cents, to_cents;
} cli_span;

static cli_exit read_amount(const cli_input *input, cli_id id, const char *text, int64_t *out)
{
    char where[CLI_WHERE_SIZE];
    rig_error err = {0};
    if (text == NULL) {
        rig__cli_error("no %s price, as in: trainrig frontier --from 3000 --to 60000",
                       id == OPT_FROM ? "lowest" : "highest");
        return CLI_EXIT_USAGE;
    }
    if (rig_money_parse(text, out, &err) != RIG_OK) {
        rig__cli_print_error(&err, rig__cli_where(input, id, 0, where));
        return rig__cli_blame(input, id);
    }
    return CLI_EXIT_OK;
}

/* --from and --to; where one is missing, that end of --budget. A single budget is the upper end. */
static cli_exit read_span(const cli_input *input, cli_span *out)
{
    char low[CLI_RANGE_SIZE], high[CLI_RANGE_SIZE];
    const char *budget = rig__cli_text(input, OPT_BUDGET);
    const char *from = rig__cli_text(input, OPT_FROM), *to = rig__cli_text(input, OPT_TO);
    if (budget != NULL && rig__cli_split_range(budget, low, high)) {
        from = from != NULL ? from : low;
        to = to != NULL ? to : high;
    }
    CLI_TRY(read_amount(input, OPT_FROM, from, &out->from_cents));
    CLI_TRY(read_amount(input, OPT_TO, to != NULL ? to : budget, &out->to_cents));
    if (out->from_cents > out->to_cents) {
        rig__cli_error("the lowest price is above the highest: '%s' (expected at most %s)",
                       from,
                       to != NULL ? to : budget);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static cli_exit solve(cli_session *session, const cli_span *span, rig_result **out)
{
    rig_error err = {0};
    session->request.is_cancelled = rig__cli_is_interrupted;
    rig__cli_interrupt_start(!rig__cli_is_quiet());
    const rig_status status = rig_frontier(out,
                                           session->catalog,
                                           session->constants,
                                           &session->request,
                                           span->from_cents,
                                           span->to_cents,
                                           &err);
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

/* Says why the range holds nothing: what stands in the way at its upper end, or that the best
 * build costs less than its lower end. */
static void explain_nothing(cli_session *session, const cli_span *span)
{
    char from[64], to[64], price[64];
    rig_result *result = NULL;
    session->request.budget_cents = span->to_cents;
    rig__cli_error("no build of the frontier costs USD %s to %s",
                   rig_format_money(from, sizeof from, span->from_cents),
                   rig_format_money(to, sizeof to, span->to_cents));
    if (rig_recommend(&result, session->catalog, session->constants, &session->request, NULL) !=
        RIG_OK) {
        return;
    }
    if (result->outcome == RIG_OUTCOME_INFEASIBLE) {
        rig__cli_print_conflict(result);
    } else if (result->n_builds > 0) {
        rig__cli_error("hint: the fastest build up to USD %s costs USD %s",
                       to,
                       rig_format_money(price, sizeof price, result->builds[0].price_cents));
    }
    rig_result_free(result);
}

/* Exit code of a result, and what it says on standard error. */
static cli_exit judge(cli_session *session, const cli_span *span, const rig_result *result)
{
    char price[64];
    switch (result->outcome) {
    case RIG_OUTCOME_INFEASIBLE:
        explain_nothing(session, span);
        return CLI_EXIT_INFEASIBLE;
    case RIG_OUTCOME_LIMIT:
        rig__cli_error("stopped with nothing found");
        return rig__cli_exit_of_result(result, rig__cli_interrupt_exit());
    case RIG_OUTCOME_FEASIBLE:
        rig__cli_note("stopped before the end: builds below USD %s are missing",
                      rig_format_money(price, sizeof price, result->builds[0].price_cents));
        return CLI_EXIT_STOPPED;
    case RIG_OUTCOME_OPTIMAL:
        break;
    }
    return CLI_EXIT_OK;
}

static cli_exit write_result(cli_session *session, const cli_span *span, cli_output *output)
{
    rig_result *result = NULL;
    rig_error err = {0};
    CLI_TRY(solve(session, span, &result));
    const rig_report_options options = rig__cli_report_options(session->input);
    const rig_status status =
        rig_report_frontier(result, span->from_cents, &options, rig__cli_sink, output, &err);
    cli_exit code = CLI_EXIT_OK;
    if (status != RIG_OK && output->error == 0) {
        rig__cli_print_error(&err, NULL);
        code = rig__cli_exit_of(status, false);
    } else {
        if (rig__cli_is_given(session->input, OPT_VERBOSE)) {
            rig__cli_print_proof(result);
        }
        if (options.format == RIG_FORMAT_CSV) {
            rig__cli_warn_all(&result->warnings);
        }
        code = judge(session, span, result);
    }
    rig_result_free(result);
    return code;
}

cli_exit rig__cli_frontier(const cli_input *input)
{
    cli_session session;
    cli_output output;
    cli_span span;
    if (input->n_arguments > 0) {
        rig__cli_error("unexpected argument: '%s' (frontier takes options only)",
                       input->arguments[0]);
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(read_span(input, &span));
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = rig__cli_session_request(&session);
    }
    if (code == CLI_EXIT_OK) {
        code = rig__cli_output_open(&output, input);
        if (code == CLI_EXIT_OK) {
            code = write_result(&session, &span, &output);
            const bool keep = code != CLI_EXIT_USAGE && code != CLI_EXIT_INTERNAL &&
                              code != CLI_EXIT_INTERRUPT && code != CLI_EXIT_TERMINATE;
            const cli_exit closed = rig__cli_output_close(&output, keep);
            code = closed != CLI_EXIT_OK ? closed : code;
        }
    }
    rig__cli_session_free(&session);
    return code;
}
