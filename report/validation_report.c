/* SPDX-License-Identifier: GPL-3.0-or-later
 * Validations as table, CSV, Markdown and HTML. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/csv_cells.h"
#include "report/figures.h"
#include "report/grid.h"
#include "report/html_page.h"
#include "report/html_text.h"
#include "report/markdown_text.h"
#include "report/validation_figures.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))
#define N_CELLS 7

static const rig_group default_groups[] = {RIG_GROUP_KIND,
                                           RIG_GROUP_GPU,
                                           RIG_GROUP_NETWORK,
                                           RIG_GROUP_STACK,
                                           RIG_GROUP_CPU,
                                           RIG_GROUP_SOURCE,
                                           RIG_GROUP_STAGE};

/** Cells of a group for people, all but the name, which each form escapes in its way. */
static void fill_cells(rig__output *output, const rig_group_score *group, const char *out[N_CELLS])
{
    out[0] = rig_group_name(group->by);
    out[1] = group->name;
    out[2] = rig__report_number(output, (double)group->score.rows);
    out[3] = rig__validation_percent(output, group->score.mape_frac);
    out[4] = rig__validation_bias(output, group->score.bias_frac);
    out[5] = rig__validation_percent(output, group->score.coverage_frac);
    out[6] = rig__validation_fitted(group->fitted);
}

/* ---- terminal ------------------------------------------------------------------------------- */

static void table_skips(rig__output *output, const rig_validation *validation)
{
    size_t index = 0;
    const char *label = "Skipped";
    while (index < validation->n_skips) {
        size_t count = 0;
        const char *reason = validation->skips[index].reason;
        const char *names = rig__validation_skip(output, validation, &index, &count);
        rig__grid_field(output,
                        label,
                        rig__output_string(output,
                                           "%zu: %s%s%s",
                                           count,
                                           reason,
                                           names[0] == '\0' ? "" : ": ",
                                           rig__output_clean(output, names, RIG__CLEAN_LINE)),
                        RIG__COLOUR_NONE);
        label = "";
    }
}

static void write_table(rig__output *output, const rig__validation_view *view)
{
    static const rig__grid_column columns[N_CELLS] = {{"By", false, false},
                                                      {"Name", false, true},
                                                      {"Rows", true, false},
                                                      {"Error", true, false},
                                                      {"Bias", true, false},
                                                      {"In 90 %", true, false},
                                                      {"Fitted", false, false}};
    const rig_validation *validation = view->validation;
    rig__validation_fact facts[RIG__VALIDATION_FACTS];
    rig__validation_facts(output, validation, facts);
    rig__grid_paragraph(output, rig__validation_title(output, validation), RIG__COLOUR_STRONG);
    rig__output_text(output, "\n");
    for (size_t i = 0; facts[i].name != NULL; i++) {
        rig__grid_field(output, facts[i].name, facts[i].value, RIG__COLOUR_NONE);
    }
    table_skips(output, validation);
    rig__output_text(output, "\n");
    rig__grid grid = rig__grid_new(output, columns, N_CELLS);
    for (size_t i = 0; i < validation->n_groups; i++) {
        const char *cells[N_CELLS];
        if (rig__validation_shows(view, &validation->groups[i])) {
            fill_cells(output, &validation->groups[i], cells);
            cells[1] = rig__output_clean(output, cells[1], RIG__CLEAN_LINE);
            rig__grid_add(&grid, cells, RIG__COLOUR_NONE);
        }
    }
    rig__grid_write(&grid);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void csv_score(rig__csv *out, const char *by, const char *name, const rig_score *score)
{
    rig__csv_text(out, by);
    rig__csv_text(out, name);
    rig__csv_number(out, (double)score->rows);
    rig__csv_number(out, score->mape_frac);
    rig__csv_number(out, score->median_ape_frac);
    rig__csv_number(out, score->p90_ape_frac);
    rig__csv_number(out, score->bias_frac);
    rig__csv_number(out, score->coverage_frac);
    rig__csv_number(out, (double)score->binding_rows);
    rig__csv_number(out, score->binding_accuracy_frac);
}

static void csv_fitted(rig__csv *out, rig_fitted fitted)
{
    if (fitted == RIG_FITTED_UNKNOWN) {
        rig__csv_text(out, NULL);
    } else {
        rig__csv_bool(out, fitted == RIG_FITTED_YES);
    }
    rig__csv_end_row(out);
}

static void write_csv(rig__output *output, const rig__validation_view *view)
{
    static const char *const names[] = {"by",
                                        "name",
                                        "rows",
                                        "mape_frac",
                                        "median_ape_frac",
                                        "p90_ape_frac",
                                        "bias_frac",
                                        "coverage_90_frac",
                                        "binding_rows",
                                        "binding_accuracy_frac",
                                        "is_fitted"};
    const rig_validation *validation = view->validation;
    rig__csv out = rig__csv_begin(output);
    rig__csv_names(&out, names, N_ITEMS(names));
    rig__csv_end_row(&out);
    csv_score(&out, "all", NULL, &validation->score);
    csv_fitted(&out, RIG_FITTED_UNKNOWN);
    if (validation->first_epoch.rows > 0) {
        csv_score(&out, "first-epoch", NULL, &validation->first_epoch);
        csv_fitted(&out, RIG_FITTED_UNKNOWN);
    }
    for (size_t i = 0; i < validation->n_groups; i++) {
        const rig_group_score *group = &validation->groups[i];
        if (rig__validation_shows(view, group)) {
            csv_score(&out, rig_group_name(group->by), group->name, &group->score);
            csv_fitted(&out, group->fitted);
        }
    }
}

/* ---- Markdown ------------------------------------------------------------------------------- */

static void markdown_skips(rig__output *output, const rig_validation *validation)
{
    size_t index = 0;
    if (validation->n_skips > 0) {
        rig__output_text(output,
                         "\n## Skipped rows\n\n| Rows | Reason | Which |\n| ---: | --- | --- |\n");
    }
    while (index < validation->n_skips) {
        size_t count = 0;
        const char *reason = validation->skips[index].reason;
        const char *names = rig__validation_skip(output, validation, &index, &count);
        rig__output_format(output,
                           "| %zu | %s | %s |\n",
                           count,
                           rig__markdown_escape(output, reason),
                           rig__markdown_escape(output, names));
    }
}

static void write_markdown(rig__output *output, const rig__validation_view *view)
{
    const rig_validation *validation = view->validation;
    rig__validation_fact facts[RIG__VALIDATION_FACTS];
    rig__validation_facts(output, validation, facts);
    rig__output_format(output, "# %s\n\n", rig__validation_title(output, validation));
    for (size_t i = 0; facts[i].name != NULL; i++) {
        rig__output_format(output, "- %s: %s\n", facts[i].name, facts[i].value);
    }
    rig__output_text(output,
                     "\n| By | Name | Rows | Error | Bias | In 90 % | Fitted |\n"
                     "| --- | --- | ---: | ---: | ---: | ---: | --- |\n");
    for (size_t i = 0; i < validation->n_groups; i++) {
        const char *cells[N_CELLS];
        if (!rig__validation_shows(view, &validation->groups[i])) {
            continue;
        }
        fill_cells(output, &validation->groups[i], cells);
        cells[1] = rig__markdown_escape(output, cells[1]);
        for (size_t k = 0; k < N_CELLS; k++) {
            rig__output_format(output, "| %s ", cells[k]);
        }
        rig__output_text(output, "|\n");
    }
    markdown_skips(output, validation);
}

/* ---- HTML ----------------------------------------------------------------------------------- */

static void html_skips(rig__output *output, const rig_validation *validation)
{
    size_t index = 0;
    if (validation->n_skips == 0) {
        return;
    }
    rig__output_text(output, "<section>\n<h2>Skipped rows</h2>\n<ul>\n");
    while (index < validation->n_skips) {
        size_t count = 0;
        const char *reason = validation->skips[index].reason;
        const char *names = rig__validation_skip(output, validation, &index, &count);
        rig__output_format(output,
                           "<li>%zu: %s%s%s</li>\n",
                           count,
                           rig__html_escape(output, reason),
                           names[0] == '\0' ? "" : ": ",
                           rig__html_escape(output, names));
    }
    rig__output_text(output, "</ul>\n</section>\n");
}

static void write_html(rig__output *output, const rig__validation_view *view)
{
    const rig_validation *validation = view->validation;
    rig__validation_fact facts[RIG__VALIDATION_FACTS];
    rig__validation_facts(output, validation, facts);
    rig__html_page_begin(output, rig__validation_title(output, validation), NULL);
    rig__output_text(output, "<section>\n<h2>All rows</h2>\n<dl>\n");
    for (size_t i = 0; facts[i].name != NULL; i++) {
        rig__html_fact(output, facts[i].name, facts[i].value);
    }
    rig__output_text(
        output,
        "</dl>\n</section>\n<section>\n<h2>Groups</h2>\n<div class=\"wide\"><table>\n"
        "<caption>Error by group</caption>\n<thead><tr><th scope=\"col\">By</th>"
        "<th scope=\"col\">Name</th><th scope=\"col\">Rows</th><th scope=\"col\">Error</th>"
        "<th scope=\"col\">Bias</th><th scope=\"col\">In 90 %</th>"
        "<th scope=\"col\">Fitted</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < validation->n_groups; i++) {
        const char *cells[N_CELLS];
        if (!rig__validation_shows(view, &validation->groups[i])) {
            continue;
        }
        fill_cells(output, &validation->groups[i], cells);
        rig__output_text(output, "<tr>");
        for (size_t k = 0; k < N_CELLS; k++) {
            rig__output_format(output, "<td>%s</td>", rig__html_escape(output, cells[k]));
        }
        rig__output_text(output, "</tr>\n");
    }
    rig__output_text(output, "</tbody>\n</table></div>\n</section>\n");
    html_skips(output, validation);
    rig__html_page_end(output);
}

/* ---- entry points --------------------------------------------------------------------------- */

rig_status rig_report_validation(const rig_validation *validation,
                                 const rig_group *by,
                                 size_t n_by,
                                 const rig_report_options *options,
                                 rig_write_sink sink,
                                 void *payload,
                                 rig_error *err)
{
    static void (*const writers[])(rig__output * output, const rig__validation_view *view) = {
        [RIG_FORMAT_TABLE] = write_table,
        [RIG_FORMAT_CSV] = write_csv,
        [RIG_FORMAT_JSON] = rig__json_validation,
        [RIG_FORMAT_MARKDOWN] = write_markdown,
        [RIG_FORMAT_HTML] = write_html,
    };
    rig__output output;
    rig__validation_view view = {.validation = validation};
    if (by == NULL) {
        by = default_groups;
        n_by = N_ITEMS(default_groups);
    }
    for (size_t i = 0; i < n_by; i++) {
        view.groups |= 1U << by[i];
    }
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    writers[options->format](&output, &view);
    return rig__output_finish(&output, err);
}
