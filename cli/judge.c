/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said about a result beside the result: warnings, --fail-if, --measured. */
#include "cli/session.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_output.h"
#include "cli/interrupt.h"
#include "cli/nearest.h"

/* Above this ratio of what the hardware could do to what is seen, software is to blame: the model
 * itself is not that far off. Assumption. */
#define SOFTWARE_RATIO 1.5

void rig__cli_warn_all(const rig_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        rig__cli_note("warning: %s", texts->items[i]);
    }
}

void rig__cli_warn_result(const rig_result *result, rig_format format)
{
    size_t n_of_builds = 0;
    if (format != RIG_FORMAT_CSV) {
        return;
    }
    rig__cli_warn_all(&result->warnings);
    for (size_t i = 0; i < result->n_builds; i++) {
        n_of_builds += result->builds[i].warnings.count;
    }
    if (n_of_builds > 0) {
        rig__cli_note("warning: %zu warning%s about the builds, in the column 'warnings'",
                      n_of_builds,
                      n_of_builds == 1 ? "" : "s");
    }
}

/* Fields of --fail-if: name and value. */
#define FAIL_FIELD_MAP(X)                                                                          \
    X("price_usd", build->price_cents < 0 ? (double)NAN : (double)build->price_cents / 100)        \
    X("images_per_s", build->prediction.images_per_s)                                              \
    X("epoch_s", build->prediction.epoch_s)                                                        \
    X("cost_per_epoch_usd", build->cost_per_epoch_usd)                                             \
    X("power_w", build->prediction.power_w)                                                        \
    X("gap_frac", gap_frac)

static const char *const fail_fields[] = {
#define FAIL_FIELD_NAME(name, value) name,
    FAIL_FIELD_MAP(FAIL_FIELD_NAME)
#undef FAIL_FIELD_NAME
};
#define N_FAIL_FIELDS (sizeof fail_fields / sizeof fail_fields[0])

static const char *const operators[] = {"<=", ">=", "!=", "==", "=", "<", ">"};
enum { OP_LE, OP_GE, OP_NE, OP_EQ, OP_IS, OP_LT, OP_GT, N_OPERATORS };

/* Condition of --fail-if, taken apart. */
typedef struct cli_fail {
    size_t i_field;
    int comparison;
    double number;
} cli_fail;

static size_t find_field(const char *text, size_t length)
{
    size_t i = 0;
    while (i < N_FAIL_FIELDS &&
           (strncmp(fail_fields[i], text, length) != 0 || fail_fields[i][length] != '\0')) {
        i++;
    }
    return i;
}

static cli_exit report_field(const cli_input *input, const char *text, size_t length)
{
    char where[CLI_WHERE_SIZE], list[256] = "";
    cli_nearest nearest = rig__cli_nearest_start(text, length);
    for (size_t i = 0; i < N_FAIL_FIELDS; i++) {
        rig__cli_nearest_offer(&nearest, fail_fields[i]);
        rig__cli_append(list, sizeof list, i > 0 ? ", " : "");
        rig__cli_append(list, sizeof list, fail_fields[i]);
    }
    rig__cli_error("%s: unknown field: '%.*s' (expected %s)",
                   rig__cli_where(input, OPT_FAIL_IF, 0, where),
                   (int)length,
                   text,
                   list);
    const char *found = rig__cli_nearest_name(&nearest);
    if (found != NULL) {
        rig__cli_error("hint: did you mean %s?", found);
    }
    return rig__cli_blame(input, OPT_FAIL_IF);
}

static cli_exit parse_fail_if(const cli_input *input, cli_fail *out)
{
    const char *text = rig__cli_text(input, OPT_FAIL_IF);
    char where[CLI_WHERE_SIZE];
    rig_error err = {0};
    text += strspn(text, " ");
    const size_t length = strcspn(text, " <>=!");
    out->i_field = find_field(text, length);
    if (out->i_field == N_FAIL_FIELDS) {
        return report_field(input, text, length);
    }
    const char *at = text + length + strspn(text + length, " ");
    int op = 0;
    while (op < N_OPERATORS && strncmp(at, operators[op], strlen(operators[op])) != 0) {
        op++;
    }
    if (op == N_OPERATORS) {
        rig__cli_error("%s: no comparison: '%s' (expected one of < <= = != >= >)",
                       rig__cli_where(input, OPT_FAIL_IF, 0, where),
                       text);
        return rig__cli_blame(input, OPT_FAIL_IF);
    }
    out->comparison = op;
    at += strlen(operators[op]);
    if (rig_quantity_parse(at, RIG_QUANTITY_NUMBER, &out->number, &err) != RIG_OK) {
        rig__cli_print_error(&err, rig__cli_where(input, OPT_FAIL_IF, 0, where));
        return rig__cli_blame(input, OPT_FAIL_IF);
    }
    return CLI_EXIT_OK;
}

cli_exit rig__cli_fail_if_check(const cli_input *input)
{
    cli_fail fail;
    return rig__cli_is_given(input, OPT_FAIL_IF) ? parse_fail_if(input, &fail) : CLI_EXIT_OK;
}

static bool holds(const cli_fail *fail, double value)
{
    const bool is_equal = !(value < fail->number) && !(value > fail->number);
    switch (fail->comparison) {
    case OP_LE:
        return value < fail->number || is_equal;
    case OP_GE:
        return value > fail->number || is_equal;
    case OP_NE:
        return !is_equal;
    case OP_LT:
        return value < fail->number;
    case OP_GT:
        return value > fail->number;
    default:
        return is_equal;
    }
}

cli_exit rig__cli_fail_if(const cli_input *input, const rig_build_report *build, double gap_frac)
{
    cli_fail fail;
    if (!rig__cli_is_given(input, OPT_FAIL_IF)) {
        return CLI_EXIT_OK;
    }
    CLI_TRY(parse_fail_if(input, &fail));
    const double values[] = {
#define FAIL_FIELD_VALUE(name, value) value,
        FAIL_FIELD_MAP(FAIL_FIELD_VALUE)
#undef FAIL_FIELD_VALUE
    };
    const double value = values[fail.i_field];
    if (isnan(value)) {
        rig__cli_note("--fail-if: %s is unknown: the condition does not hold",
                      fail_fields[fail.i_field]);
        return CLI_EXIT_OK;
    }
    if (!holds(&fail, value)) {
        return CLI_EXIT_OK;
    }
    rig__cli_note("--fail-if: '%s' holds: %s is %.10g",
                  rig__cli_text(input, OPT_FAIL_IF),
                  fail_fields[fail.i_field],
                  value);
    return CLI_EXIT_CONDITION;
}

static const char *explain(double ratio)
{
    if (ratio > SOFTWARE_RATIO) {
        return "software, not hardware, is the limit";
    }
    return ratio < 1 / SOFTWARE_RATIO
               ? "more than this hardware should give: is it the same workload?"
               : "the hardware explains what is seen";
}

void rig__cli_compare_measured(const cli_input *input, double bound_images_per_s, FILE *stream)
{
    char bound[64], seen[64], line[256];
    const double measured = rig__cli_number(input, OPT_MEASURED, NAN);
    if (isnan(measured) || isnan(bound_images_per_s)) {
        return;
    }
    const double ratio = bound_images_per_s / measured;
    snprintf(line,
             sizeof line,
             "hardware bound %s images/s over measured %s images/s = %.2f: %s",
             rig_format_number(bound, sizeof bound, bound_images_per_s),
             rig_format_number(seen, sizeof seen, measured),
             ratio,
             explain(ratio));
    const int format = rig__cli_choice(input, OPT_FORMAT);
    if (format == RIG_FORMAT_TABLE || format == RIG_FORMAT_MARKDOWN) {
        fprintf(stream, "%s\n\n", line);
    } else {
        rig__cli_note("%s", line);
    }
}

cli_exit rig__cli_exit_of_result(const rig_result *result, cli_exit interrupted)
{
    switch (result->outcome) {
    case RIG_OUTCOME_INFEASIBLE:
        return CLI_EXIT_INFEASIBLE;
    case RIG_OUTCOME_LIMIT:
        return interrupted != CLI_EXIT_OK ? interrupted : CLI_EXIT_NOTHING;
    case RIG_OUTCOME_FEASIBLE:
        /* without a gap asked for, only a proof is a success */
        return result->request.gap_frac > 0 && result->proof.gap_frac <= result->request.gap_frac
                   ? CLI_EXIT_OK
                   : CLI_EXIT_STOPPED;
    default:
        return CLI_EXIT_OK;
    }
}

/* "; least budget that works: USD 1,234.00", or nothing. */
static char *least_budget(const rig_result *result, char *buffer, size_t size)
{
    char money[64];
    buffer[0] = '\0';
    if (result->least_budget_cents >= 0) {
        snprintf(buffer,
                 size,
                 "; least budget that works: USD %s",
                 rig_format_money(money, sizeof money, result->least_budget_cents));
    }
    return buffer;
}

void rig__cli_print_conflict(const rig_result *result)
{
    char list[1024] = "", budget[128];
    for (size_t i = 0; i < result->n_conflict; i++) {
        rig__cli_append(list, sizeof list, i > 0 ? ", '" : "'");
        rig__cli_append(list, sizeof list, result->conflict[i].condition);
        rig__cli_append(list, sizeof list, "'");
    }
    rig__cli_error("no build meets %s%s%s%s",
                   list[0] != '\0' ? list : "the request",
                   result->n_conflict > 1 ? " together" : "",
                   result->is_conflict_minimal ? "" : " (not proved to be the smallest set)",
                   least_budget(result, budget, sizeof budget));
    for (size_t i = 0; i < result->n_conflict; i++) {
        if (result->conflict[i].detail != NULL) {
            rig__cli_note("%s: %s", result->conflict[i].condition, result->conflict[i].detail);
        }
    }
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void rig__cli_print_proof(const rig_result *result)
{
    rig__cli_note("catalogue %016" PRIx64 ", method: %s",
                  result->catalog_hash,
                  result->proof.method != NULL ? result->proof.method : "unknown");
    const rig_proof *proof = &result->proof;
    rig__cli_note("%" PRId64 " option%s, %" PRId64 " after reduction; %" PRId64
                  " combination%s rated; %" PRId64 " solver call%s, %" PRId64 " node%s",
                  proof->n_options,
                  plural(proof->n_options),
                  proof->n_reduced,
                  proof->n_evaluated,
                  plural(proof->n_evaluated),
                  proof->n_solver_calls,
                  plural(proof->n_solver_calls),
                  proof->n_solver_nodes,
                  plural(proof->n_solver_nodes));
}

/* Exit code of a result, and what it says on standard error. */
static cli_exit judge(const cli_input *input, const rig_result *result)
{
    const double gap_frac = result->proof.gap_frac;
    const cli_exit code = rig__cli_exit_of_result(result, rig__cli_interrupt_exit());
    if (result->outcome == RIG_OUTCOME_INFEASIBLE) {
        rig__cli_print_conflict(result);
        return code;
    }
    if (result->outcome == RIG_OUTCOME_LIMIT) {
        rig__cli_error("stopped with nothing found");
        return code;
    }
    if (code == CLI_EXIT_STOPPED) {
        rig__cli_note("stopped before the proof: a better build is at most %.3g %% better",
                      gap_frac * 100);
    }
    const cli_exit failed =
        result->n_builds > 0 ? rig__cli_fail_if(input, &result->builds[0], gap_frac) : CLI_EXIT_OK;
    return failed != CLI_EXIT_OK ? failed : code;
}

cli_exit rig__cli_write_answer(const cli_input *input, const rig_result *result, cli_output *output)
{
    rig_error err = {0};
    const rig_report_options options = rig__cli_report_options(input);
    const rig_status status =
        rig_report_result(result, false, &options, rig__cli_sink, output, &err);
    if (status != RIG_OK && output->error == 0) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    if (rig__cli_is_given(input, OPT_VERBOSE)) {
        rig__cli_print_proof(result);
    }
    rig__cli_warn_result(result, options.format);
    return judge(input, result);
}

bool rig__cli_is_worth_keeping(cli_exit code)
{
    return code != CLI_EXIT_USAGE && code != CLI_EXIT_INTERNAL && code != CLI_EXIT_INTERRUPT &&
           code != CLI_EXIT_TERMINATE;
}
