/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb compare: machines to buy, owned and rented side by side. */
#include <stdlib.h>
#include <string.h>

#include "cli/build_file.h"
#include "cli/commands.h"

#define LABEL_SIZE 192

/* Machines that take part, with the labels they point to. */
typedef struct contenders {
    rig_contender *items;
    char (*labels)[LABEL_SIZE];
    size_t count, cap;
} contenders;

static bool wants_recommendation(const cli_input *input)
{
    return rig__cli_is_given(input, OPT_BUDGET) || rig__cli_is_given(input, OPT_EPOCH_TIME_MAX);
}

static bool has_builds(const cli_input *input)
{
    return input->n_arguments > 0 || rig__cli_has_part_option(input);
}

static cli_exit check_usage(const cli_input *input)
{
    if (!wants_recommendation(input) && !has_builds(input) &&
        rig__cli_count(input, OPT_OWNED) + rig__cli_count(input, OPT_CLOUD) == 0) {
        rig__cli_error("no machine, as in: trainrig compare --budget 20k, or: trainrig compare "
                       "builds.csv");
        return CLI_EXIT_USAGE;
    }
    if (rig__cli_is_given(input, OPT_CLOUD) && rig__cli_is_given(input, OPT_NO_CLOUD)) {
        rig__cli_error("both --cloud and --no-cloud: '%s' (expected one of the two)",
                       rig__cli_item(input, OPT_CLOUD, 0));
        return CLI_EXIT_USAGE;
    }
    if (rig__cli_count(input, OPT_WORKLOAD) > 1 &&
        (rig__cli_is_given(input, OPT_NETWORK) || rig__cli_is_given(input, OPT_DATASET))) {
        rig__cli_error("several workloads with another network or data set for all of them "
                       "(expected --workload alone)");
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(rig__cli_builds_usage(input));
    return wants_recommendation(input) ? rig__cli_check_objective(input) : CLI_EXIT_OK;
}

/* ---- who takes part ------------------------------------------------------------------------- */

/* Next free entry, labelled. @return NULL: out of memory, printed */
static rig_contender *add(contenders *list, rig_holding holding, const char *label, size_t number)
{
    if (list->count == list->cap) {
        const size_t cap = list->cap == 0 ? 32 : 2 * list->cap;
        rig_contender *items = realloc(list->items, cap * sizeof *items);
        list->items = items != NULL ? items : list->items;
        char(*labels)[LABEL_SIZE] = realloc(list->labels, cap * sizeof *labels);
        list->labels = labels != NULL ? labels : list->labels;
        if (items == NULL || labels == NULL) {
            rig__cli_error("out of memory");
            return NULL;
        }
        list->cap = cap;
    }
    char *text = list->labels[list->count];
    if (number > 0) {
        snprintf(text, LABEL_SIZE, "%s %zu", label, number);
    } else {
        snprintf(text, LABEL_SIZE, "%s", label);
    }
    rig_contender *item = &list->items[list->count++];
    *item = (rig_contender){.holding = holding, .build = rig_build_empty()};
    return item;
}

/* The best builds within the budget, for the first workload. */
static cli_exit add_recommended(cli_session *session, contenders *list)
{
    rig_result *result = NULL;
    rig_error err = {0};
    const rig_status status =
        rig_recommend(&result, session->catalog, session->constants, &session->request, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    cli_exit code = rig__cli_exit_of_result(result, CLI_EXIT_OK);
    if (result->outcome == RIG_OUTCOME_INFEASIBLE) {
        rig__cli_print_conflict(result);
    } else if (result->n_builds == 0) {
        rig__cli_error("stopped with nothing found");
    } else {
        code = CLI_EXIT_OK;
    }
    for (size_t i = 0; i < result->n_builds && code == CLI_EXIT_OK; i++) {
        rig_contender *item =
            add(list, RIG_HOLDING_BUY, "recommended", result->n_builds > 1 ? i + 1 : 0);
        code = item == NULL ? CLI_EXIT_INTERNAL : code;
        if (item != NULL) {
            item->build = result->builds[i].build;
        }
    }
    rig_result_free(result);
    return code;
}

static cli_exit add_builds(const cli_session *session,
                           const cli_builds *builds,
                           rig_holding holding,
                           contenders *list)
{
    CLI_TRY(rig__cli_builds_check(session, builds));
    for (size_t i = 0; i < builds->count; i++) {
        const char *label = builds->label != NULL ? builds->label : "given";
        rig_contender *item = add(list, holding, label, builds->label != NULL ? i + 1 : 0);
        if (item == NULL) {
            return CLI_EXIT_INTERNAL;
        }
        item->build = rig__cli_builds_all(builds)[i];
    }
    return CLI_EXIT_OK;
}

static cli_exit add_given(const cli_session *session, contenders *list)
{
    cli_builds builds = {.single = rig_build_empty()};
    cli_exit code = rig__cli_builds_read(session, &builds);
    if (code == CLI_EXIT_OK) {
        code = add_builds(session, &builds, RIG_HOLDING_BUY, list);
    }
    rig_builds_free(builds.many);
    return code;
}

static cli_exit add_owned(const cli_session *session, contenders *list)
{
    const cli_input *input = session->input;
    cli_exit code = CLI_EXIT_OK;
    for (size_t i = 0; i < rig__cli_count(input, OPT_OWNED) && code == CLI_EXIT_OK; i++) {
        cli_builds builds = {.single = rig_build_empty()};
        code = rig__cli_builds_read_file(session, rig__cli_item(input, OPT_OWNED, i), &builds);
        if (code == CLI_EXIT_OK) {
            code = add_builds(session, &builds, RIG_HOLDING_OWN, list);
        }
        rig_builds_free(builds.many);
    }
    return code;
}

static cli_exit add_instance(const rig_row *row, contenders *list)
{
    rig_contender *item = add(list, RIG_HOLDING_RENT, row->name, 0);
    if (item == NULL) {
        return CLI_EXIT_INTERNAL;
    }
    item->cloud = (const rig_cloud *)row;
    return CLI_EXIT_OK;
}

/* The instances named, or all whose GPU is known. */
static cli_exit add_rented(const cli_session *session, contenders *list)
{
    const cli_input *input = session->input;
    const size_t n_named = rig__cli_count(input, OPT_CLOUD);
    char where[CLI_WHERE_SIZE];
    for (size_t i = 0; i < n_named; i++) {
        const rig_row *row = NULL;
        rig_error err = {0};
        if (rig_catalog_find(session->catalog,
                             RIG_TABLE_CLOUD,
                             rig__cli_item(input, OPT_CLOUD, i),
                             &row,
                             &err) != RIG_OK) {
            rig__cli_print_error(&err, rig__cli_where(input, OPT_CLOUD, i, where));
            return rig__cli_blame(input, OPT_CLOUD);
        }
        CLI_TRY(add_instance(row, list));
    }
    const bool is_all = n_named == 0 && !rig__cli_is_given(input, OPT_NO_CLOUD);
    const size_t n_rows = is_all ? rig_catalog_count(session->catalog, RIG_TABLE_CLOUD) : 0;
    size_t n_unknown = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const rig_row *row = rig_catalog_row(session->catalog, RIG_TABLE_CLOUD, i);
        if (((const rig_cloud *)row)->gpu_name == NULL) {
            n_unknown++;
        } else {
            CLI_TRY(add_instance(row, list));
        }
    }
    if (n_unknown > 0) {
        rig__cli_note("note: %zu instance(s) left out because their GPU is not in the catalogue",
                      n_unknown);
    }
    return CLI_EXIT_OK;
}

static cli_exit gather(cli_session *session, contenders *list)
{
    const cli_input *input = session->input;
    if (wants_recommendation(input)) {
        CLI_TRY(add_recommended(session, list));
    }
    if (has_builds(input)) {
        CLI_TRY(add_given(session, list));
    }
    CLI_TRY(add_owned(session, list));
    CLI_TRY(add_rented(session, list));
    for (size_t i = 0; i < list->count; i++) {
        list->items[i].label = list->labels[i]; /* stays where it is from now on */
    }
    return CLI_EXIT_OK;
}

/* ---- the comparison ------------------------------------------------------------------------- */

static cli_exit write_comparisons(const cli_session *session,
                                  const rig_cost_comparison *const *comparisons,
                                  size_t n_comparisons)
{
    cli_output output;
    rig_error err = {0};
    CLI_TRY(rig__cli_output_open(&output, session->input));
    const rig_report_options options = rig__cli_report_options(session->input);
    const rig_status status =
        rig_report_comparisons(comparisons, n_comparisons, &options, rig__cli_sink, &output, &err);
    cli_exit code = CLI_EXIT_OK;
    if (status != RIG_OK && output.error == 0) {
        rig__cli_print_error(&err, NULL);
        code = rig__cli_exit_of(status, false);
    }
    const cli_exit closed = rig__cli_output_close(&output, code == CLI_EXIT_OK);
    return closed != CLI_EXIT_OK ? closed : code;
}

static cli_exit compare(cli_session *session, const contenders *list)
{
    const size_t n = rig__cli_session_n_workloads(session);
    rig_cost_comparison **comparisons = calloc(n, sizeof(*comparisons));
    cli_exit code = CLI_EXIT_OK;
    if (comparisons == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    for (size_t i = 0; i < n && code == CLI_EXIT_OK; i++) {
        rig_error err = {0};
        code = rig__cli_session_take_workload(session, i);
        const rig_status status = code != CLI_EXIT_OK ? RIG_OK
                                                      : rig_compare(&comparisons[i],
                                                                    session->catalog,
                                                                    session->constants,
                                                                    &session->request,
                                                                    list->items,
                                                                    list->count,
                                                                    &err);
        if (status != RIG_OK) {
            rig__cli_print_error(&err, NULL);
            code = rig__cli_exit_of(status, false);
        }
    }
    if (code == CLI_EXIT_OK) {
        code = write_comparisons(session, (const rig_cost_comparison *const *)comparisons, n);
    }
    for (size_t i = 0; i < n; i++) {
        rig_cost_comparison_free(comparisons[i]);
    }
    free(comparisons);
    return code;
}

cli_exit rig__cli_compare(const cli_input *input)
{
    cli_session session;
    contenders list = {0};
    CLI_TRY(check_usage(input));
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = rig__cli_session_request(&session);
    }
    if (code == CLI_EXIT_OK) {
        code = gather(&session, &list);
    }
    if (code == CLI_EXIT_OK) {
        code = compare(&session, &list);
    }
    free(list.items);
    free(list.labels);
    rig__cli_session_free(&session);
    return code;
}
