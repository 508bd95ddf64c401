/* SPDX-License-Identifier: GPL-3.0-or-later
 * catalog check: every problem of a part list, and what its rows and prices amount to. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/data_dirs.h"
#include "cli/session.h"

typedef struct cli_problems {
    size_t n_errors, n_warnings;
} cli_problems;

static void on_problem(const rig_error *problem, bool is_error, void *payload)
{
    cli_problems *problems = payload;
    if (is_error) {
        problems->n_errors++;
        rig__cli_print_error(problem, NULL);
    } else {
        problems->n_warnings++;
        if (!rig__cli_is_quiet()) {
            rig__cli_print_error(problem, NULL);
        }
    }
}

/* Counts that are not per table: name for people, name for programs, value. */
typedef struct cli_count {
    const char *text, *name;
    size_t value;
} cli_count;

#define N_COUNTS 6
static void fill_counts(const rig_catalog_summary *summary, cli_count out[N_COUNTS])
{
    const cli_count counts[N_COUNTS] = {
        {"prices left out: absurd", "excluded_absurd", summary->excluded_absurd},
        {"prices left out: too old", "excluded_date", summary->excluded_date},
        {"prices left out: low trust", "excluded_trust", summary->excluded_trust},
        {"prices left out: second-hand, launch", "excluded_used", summary->excluded_used},
        {"quotes in another currency", "quotes_unused_foreign", summary->quotes_unused_foreign},
        {"rows replaced by an overlay", "overlaid", summary->overlaid}};
    for (size_t i = 0; i < N_COUNTS; i++) {
        out[i] = counts[i];
    }
}

static void print_table(cli_output *output, const rig_catalog_summary *summary)
{
    cli_count counts[N_COUNTS];
    fill_counts(summary, counts);
    rig__cli_printf(output, "%-28s %8s %8s\n", "table", "rows", "priced");
    for (int table = 0; table < RIG_N_TABLES; table++) {
        const char *stem = rig_table_stem((rig_table)table);
        if (rig_table_is_part((rig_table)table)) {
            rig__cli_printf(
                output, "%-28s %8zu %8zu\n", stem, summary->rows[table], summary->priced[table]);
        } else {
            rig__cli_printf(output, "%-28s %8zu\n", stem, summary->rows[table]);
        }
    }
    rig__cli_printf(output, "\n");
    for (size_t i = 0; i < N_COUNTS; i++) {
        rig__cli_printf(output, "%-28s %8zu\n", counts[i].text, counts[i].value);
    }
    rig__cli_printf(output, "%-28s %016" PRIx64 "\n", "hash", summary->hash);
}

static void print_json(cli_output *output, const rig_catalog_summary *summary)
{
    cli_count counts[N_COUNTS];
    fill_counts(summary, counts);
    rig__cli_printf(output, "{\n  \"schema\": \"trainrig.catalog-check/1\",\n  \"tables\": [");
    for (int table = 0; table < RIG_N_TABLES; table++) {
        rig__cli_printf(output,
                        "%s\n    {\"name\": \"%s\", \"rows\": %zu, \"priced\": ",
                        table > 0 ? "," : "",
                        rig_table_stem((rig_table)table),
                        summary->rows[table]);
        if (rig_table_is_part((rig_table)table)) {
            rig__cli_printf(output, "%zu}", summary->priced[table]);
        } else {
            rig__cli_printf(output, "null}");
        }
    }
    rig__cli_printf(output, "\n  ],\n");
    for (size_t i = 0; i < N_COUNTS; i++) {
        rig__cli_printf(output, "  \"%s\": %zu,\n", counts[i].name, counts[i].value);
    }
    rig__cli_printf(output, "  \"hash\": \"%016" PRIx64 "\"\n}\n", summary->hash);
}

/* CSV and Markdown: one row per table. */
static void print_rows(cli_output *output,
                       const rig_catalog_summary *summary,
                       bool is_markdown,
                       const char *line_end)
{
    rig__cli_printf(output,
                    is_markdown ? "| table | rows | priced |%s|:--|--:|--:|%s"
                                : "table,rows,priced%s",
                    line_end,
                    line_end);
    for (int table = 0; table < RIG_N_TABLES; table++) {
        char priced[32] = "";
        if (rig_table_is_part((rig_table)table)) {
            snprintf(priced, sizeof priced, "%zu", summary->priced[table]);
        }
        rig__cli_printf(output,
                        is_markdown ? "| %s | %zu | %s |%s" : "%s,%zu,%s%s",
                        rig_table_stem((rig_table)table),
                        summary->rows[table],
                        priced,
                        line_end);
    }
}

static cli_exit print_summary(const cli_input *input, const rig_catalog *catalog)
{
    const rig_catalog_summary *summary = rig_catalog_summary_get(catalog);
    const rig_report_options options = rig__cli_report_options(input);
    cli_output output;
    CLI_TRY(rig__cli_output_open(&output, input));
    switch (options.format) {
    case RIG_FORMAT_TABLE:
        print_table(&output, summary);
        break;
    case RIG_FORMAT_JSON:
        print_json(&output, summary);
        break;
    default:
        print_rows(&output,
                   summary,
                   options.format == RIG_FORMAT_MARKDOWN,
                   options.use_crlf || options.is_excel ? "\r\n" : "\n");
    }
    return rig__cli_output_close(&output, true);
}

/* Directories given are checked alone, with the model tables that parts refer to; without any, what
 * the other verbs would load. @return number of directories */
static size_t
fill_directories(const cli_input *input, const cli_data_dirs *data, const char **directories)
{
    size_t n = 0;
    const size_t n_given = input->n_arguments - 1;
    directories[n++] = data->model;
    if (n_given == 0) {
        directories[n++] = data->catalog;
    }
    for (size_t i = 0; i < n_given; i++) {
        directories[n++] = input->arguments[i + 1];
    }
    for (size_t i = 0; i < rig__cli_count(input, OPT_CATALOG); i++) {
        directories[n++] = rig__cli_item(input, OPT_CATALOG, i);
    }
    return n;
}

static cli_exit check(const cli_input *input, const char *const *directories, size_t n)
{
    cli_problems problems = {0};
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    rig_catalog_options options = rig__cli_catalog_options(input);
    options.directories = directories;
    options.n_directories = n;
    options.is_check = true;
    options.on_problem = on_problem;
    options.payload = &problems;
    const rig_status status = rig_catalog_load(&catalog, &options, &err);
    cli_exit code = rig__cli_exit_of(status, true);
    if (status != RIG_OK && problems.n_errors == 0) {
        rig__cli_print_error(&err, NULL);
        problems.n_errors++;
    }
    if (code == CLI_EXIT_OK && problems.n_errors > 0) {
        code = CLI_EXIT_INPUT;
    }
    if (catalog != NULL) {
        const cli_exit printed = print_summary(input, catalog);
        code = printed != CLI_EXIT_OK ? printed : code;
    }
    rig__cli_note("%zu error%s, %zu warning%s",
                  problems.n_errors,
                  problems.n_errors == 1 ? "" : "s",
                  problems.n_warnings,
                  problems.n_warnings == 1 ? "" : "s");
    rig_catalog_free(catalog);
    return code;
}

cli_exit rig__cli_catalog_check(const cli_input *input)
{
    if (rig__cli_choice(input, OPT_FORMAT) == RIG_FORMAT_HTML) {
        rig__cli_error("--format: not a form of catalog check: 'html' (expected table, csv, json "
                       "or markdown)");
        return rig__cli_blame(input, OPT_FORMAT);
    }
    cli_data_dirs *data = malloc(sizeof *data);
    const char **directories =
        calloc(input->n_arguments + rig__cli_count(input, OPT_CATALOG) + 2, sizeof *directories);
    cli_exit code = CLI_EXIT_INTERNAL;
    if (data == NULL || directories == NULL) {
        rig__cli_error("out of memory");
    } else {
        code = rig__cli_find_data(data);
    }
    if (code == CLI_EXIT_OK) {
        code = check(input, directories, fill_directories(input, data, directories));
    }
    free(directories);
    free(data);
    return code;
}
