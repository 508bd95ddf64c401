/* SPDX-License-Identifier: GPL-3.0-or-later
 * One HTML page that loads nothing: readable on a narrow screen, in the dark and on paper. */
#include <math.h>
#include <string.h>

#include "report/figures.h"
#include "report/html_chart.h"
#include "report/html_page.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/writer.h"
#include "trainrig/version.h"

/* ---- page ----------------------------------------------------------------------------------- */

/** Everything before the first section; the policy forbids scripts and any request. */
static void begin_page(rig__output *output, const char *title, const char *answer)
{
    const char *escaped = rig__html_escape(output, title);
    rig__output_format(
        output,
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        "<meta name=\"generator\" content=\"trainrig %s\"/>\n<title>%s</title>\n<style>\n",
        RIG_VERSION_STRING,
        escaped);
    rig__output_text(output, rig__html_style);
    rig__output_format(output, "</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n", escaped);
    if (answer != NULL) {
        rig__output_format(output, "<p class=\"answer\">%s</p>\n", answer); /* escaped before */
    }
    rig__output_text(output, "</header>\n<main>\n");
}

/** What the page was made from and with; no time stamp, so that the same input gives the same page.
 */
static void end_page(rig__output *output, const rig_result *result)
{
    rig__output_format(output, "</main>\n<footer>\n<p>trainrig %s", RIG_VERSION_STRING);
    if (result != NULL) {
        rig__output_format(output, ", catalogue %s", rig__report_hash(output, result));
    }
    rig__output_text(output, "</p>\n</footer>\n</body>\n</html>\n");
}

static void begin_section(rig__output *output, const char *heading)
{
    rig__output_format(output, "<section>\n<h2>%s</h2>\n", heading);
}

static void end_section(rig__output *output)
{
    rig__output_text(output, "</section>\n");
}

/** A line of the answer in large type. */
static void put_figures(rig__output *output, const rig_build_report *report)
{
    const rig_prediction *prediction = &report->prediction;
    if (prediction->is_out_of_memory) {
        return;
    }
    const struct {
        const char *name, *value;
    } figures[] = {
        {"Price", rig__report_money(output, report->price_cents)},
        {prediction->has_unknown ? "Images/s, at most" : "Images/s",
         rig__report_number(output, prediction->images_per_s)},
        {prediction->has_unknown ? "One epoch, at least" : "One epoch",
         rig__report_duration(output, prediction->epoch_s)},
        {"Binding stage", rig_stage_name(prediction->binding)},
    };
    rig__output_text(output, "<dl class=\"figures\">\n");
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        rig__html_fact(output, figures[i].name, figures[i].value);
    }
    rig__output_text(output, "</dl>\n");
}

/* ---- recommendation and prediction ---------------------------------------------------------- */

static const char *no_answer(rig__output *output, const rig_result *result)
{
    const char *least = "";
    if (result->least_budget_cents >= 0) {
        least = rig__output_string(output,
                                   "; the least budget that works is %s",
                                   rig__report_money(output, result->least_budget_cents));
    }
    return rig__output_string(
        output, "No build meets the request: %s%s.", rig__report_proof(output, result), least);
}

/** The answer in one sentence. @return escaped */
static const char *answer_of(rig__output *output, const rig_result *result, bool is_prediction)
{
    if (result->n_builds == 0) {
        return is_prediction ? "There is no build." : no_answer(output, result);
    }
    if (is_prediction && result->n_builds > 1) {
        return rig__output_string(output, "Predictions for %zu builds.", result->n_builds);
    }
    const rig_build_report *report = &result->builds[0];
    const rig_prediction *prediction = &report->prediction;
    const char *verb = is_prediction ? "" : "Buy ";
    const char *hardware = rig__html_hardware(output, &report->build);
    if (prediction->is_out_of_memory) {
        return rig__output_string(
            output, "%s%s: does not run, the memory is too small.", verb, hardware);
    }
    return rig__output_string(
        output,
        "%s<strong>%s</strong>: %s, %s%s images/s, one epoch in %s%s; %s is the limit%s%s.",
        verb,
        hardware,
        rig__report_money(output, report->price_cents),
        prediction->has_unknown ? "at most " : "",
        rig__report_number(output, prediction->images_per_s),
        prediction->has_unknown ? "at least " : "",
        rig__report_duration(output, prediction->epoch_s),
        rig_stage_name(prediction->binding),
        is_prediction ? "" : "; ",
        is_prediction ? "" : rig__html_escape(output, rig__report_proof(output, result)));
}

static void put_warnings(rig__output *output, const char *heading, const rig_texts *warnings)
{
    if (warnings->count == 0) {
        return;
    }
    rig__output_format(output, "<h3>%s</h3>\n<ul class=\"warnings\">\n", heading);
    for (size_t i = 0; i < warnings->count; i++) {
        rig__output_format(output, "<li>%s</li>\n", rig__html_escape(output, warnings->items[i]));
    }
    rig__output_text(output, "</ul>\n");
}

static void
put_build(rig__output *output, const rig_result *result, size_t index, bool is_prediction)
{
    const rig_build_report *report = &result->builds[index];
    const int place = rig__report_place(result, index);
    const rig_texts warnings = rig__report_own_warnings(output, result, index, is_prediction);
    begin_section(
        output, result->n_builds > 1 ? rig__output_string(output, "Build %d", place) : "The build");
    if (report->comment != NULL) {
        rig__output_format(output, "<p>%s</p>\n", rig__html_escape(output, report->comment));
    }
    put_figures(output, report);
    rig__output_text(output, "<h3>Parts</h3>\n");
    rig__html_parts(output, result, report);
    rig__output_text(output, "<h3>Performance</h3>\n");
    rig__html_performance(output, result, report);
    rig__output_text(output, "<h3>Stages</h3>\n");
    rig__html_stages(output, &result->request.workload, &report->prediction);
    put_warnings(output, "Warnings about this build", &warnings);
    end_section(output);
}

static void put_conflict(rig__output *output, const rig_result *result)
{
    begin_section(output, "What cannot hold together");
    rig__output_format(
        output,
        "<p>%s</p>\n<div class=\"wide\"><table class=\"texts\">\n<caption>Conditions "
        "in conflict</caption>\n<thead><tr><th scope=\"col\">Condition</th>"
        "<th scope=\"col\">What alone would do</th></tr></thead>\n<tbody>\n",
        result->is_conflict_minimal ? "None of these conditions can be left out of the list."
                                    : "The list is not proved to be the shortest.");
    for (size_t i = 0; i < result->n_conflict; i++) {
        rig__output_format(output,
                           "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n",
                           rig__html_escape(output, result->conflict[i].condition),
                           rig__html_escape(output, result->conflict[i].detail));
    }
    rig__output_format(output,
                       "</tbody>\n</table></div>\n<p>Least budget: %s.</p>\n",
                       result->least_budget_cents < 0
                           ? "no budget is enough"
                           : rig__report_money(output, result->least_budget_cents));
    end_section(output);
}

static void put_count(rig__output *output, const char *name, int64_t count)
{
    rig__html_fact(output, name, rig__report_number(output, (double)count));
}

static void put_proof(rig__output *output, const rig_result *result, const char *status)
{
    const rig_proof *proof = &result->proof;
    begin_section(output, "Proof");
    rig__output_text(output, "<dl>\n");
    rig__html_fact(output, "Status", status);
    if (proof->method != NULL) {
        rig__html_fact(output, "Method", proof->method);
    }
    if (isfinite(proof->bound_images_per_s) && proof->bound_images_per_s > 0.0) {
        rig__html_fact(output,
                       "Bound",
                       rig__output_string(output,
                                          "no allowed build is faster than %s images/s",
                                          rig__report_number(output, proof->bound_images_per_s)));
    }
    put_count(output, "Options", proof->n_options);
    put_count(output, "After reduction", proof->n_reduced);
    put_count(output, "Combinations rated", proof->n_evaluated);
    put_count(output, "Solver calls", proof->n_solver_calls);
    put_count(output, "Solver nodes", proof->n_solver_nodes);
    rig__output_text(output, "</dl>\n");
    end_section(output);
}

/** The conditions as the user wrote them. */
static void put_conditions(rig__output *output, const rig_request *request)
{
    static const char *const kinds[] = {"require", "forbid", "limit", "fix", "own"};
    if (request->n_conditions == 0) {
        return;
    }
    begin_section(output, "Conditions");
    rig__output_text(output, "<ul>\n");
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        rig__output_format(output,
                           "<li>%s: %s</li>\n",
                           (size_t)condition->kind < 5 ? kinds[condition->kind] : "condition",
                           rig__html_escape(output, condition->text));
    }
    rig__output_text(output, "</ul>\n");
    end_section(output);
}

static void
put_list(rig__output *output, const rig_result *result, const char *heading, const char *caption)
{
    if (result->n_builds > 1) {
        begin_section(output, heading);
        rig__html_list(output, result, caption, false);
        end_section(output);
    }
}

/** The shortlist, the best build and why, then the others. */
static void put_recommendation(rig__output *output, const rig_result *result)
{
    if (result->outcome == RIG_OUTCOME_INFEASIBLE) {
        put_conflict(output, result);
    }
    put_list(output, result, "Shortlist", "All builds, best first");
    for (size_t i = 0; i < result->n_builds; i++) {
        put_build(output, result, i, false);
        if (i == 0) {
            rig__html_texts(output, "Why this build and not another", &result->reasons);
        }
    }
    put_conditions(output, &result->request);
    put_proof(output, result, rig__report_proof(output, result));
}

static void put_predictions(rig__output *output, const rig_result *result)
{
    const rig_texts shared = rig__report_shared_warnings(output, result, true);
    put_list(output, result, "All builds", "All builds in the order given");
    rig__html_texts(output, "Warnings about every build", &shared);
    for (size_t i = 0; i < result->n_builds; i++) {
        put_build(output, result, i, true);
    }
}

static void write_result(rig__output *output, const rig_result *result, bool is_prediction)
{
    begin_page(output,
               rig__report_title(output, result, is_prediction),
               answer_of(output, result, is_prediction));
    if (is_prediction) {
        put_predictions(output, result);
    } else {
        put_recommendation(output, result);
    }
    rig__html_texts(output, "Assumptions", &result->assumptions);
    rig__html_texts(output, "Left out", &result->warnings);
    end_page(output, result);
}

/* ---- frontier ------------------------------------------------------------------------------- */

static const char *frontier_answer(rig__output *output, const rig_result *result)
{
    if (result->n_builds == 0) {
        return rig__output_string(
            output, "No build: %s.", rig__report_frontier_proof(output, result));
    }
    const rig_build_report *first = &result->builds[0];
    const rig_build_report *last = &result->builds[result->n_builds - 1];
    return rig__output_string(output,
                              "%zu build%s worth the price: from %s images/s for %s to %s images/s "
                              "for %s.",
                              result->n_builds,
                              result->n_builds == 1 ? "" : "s",
                              rig__report_number(output, first->prediction.images_per_s),
                              rig__report_money(output, first->price_cents),
                              rig__report_number(output, last->prediction.images_per_s),
                              rig__report_money(output, last->price_cents));
}

static void write_frontier(rig__output *output, const rig_result *result, int64_t from_cents)
{
    begin_page(output,
               rig__report_frontier_title(output, result, from_cents),
               frontier_answer(output, result));
    if (result->n_builds > 0) {
        begin_section(output, "Price and rate");
        rig__html_frontier_chart(output, result, from_cents);
        rig__html_list(output,
                       result,
                       "Builds from the cheapest to the fastest; below each what changes from the "
                       "one before and what that buys",
                       true);
        rig__output_text(output, "<p>Not included: " RIG__REPORT_NOT_INCLUDED ".</p>\n");
        end_section(output);
    }
    put_conditions(output, &result->request);
    put_proof(output, result, rig__report_frontier_proof(output, result));
    rig__html_texts(output, "Assumptions", &result->assumptions);
    rig__html_texts(output, "Left out", &result->warnings);
    end_page(output, result);
}

/* ---- requirements and rows ------------------------------------------------------------------ */

static void put_requirement(rig__output *output, const rig_requirement *item)
{
    const bool is_met = item->cheapest.row != NULL;
    const char *part = rig__report_uses(output, &item->cheapest, RIG__CLEAN_UTF8);
    const char *first =
        isnan(item->need_first_epoch)
            ? ""
            : rig__output_string(output,
                                 "; first epoch %s",
                                 rig__report_need(output, item->need_first_epoch, item->unit));
    rig__output_format(output,
                       "<tr><th scope=\"row\"><small>%s</small> %s</th><td>%s%s</td><td>%s"
                       "<small>%s</small></td><td>%s</td></tr>\n",
                       rig_stage_name(item->stage),
                       rig__html_escape(output, item->what),
                       rig__html_escape(output, rig__report_need(output, item->need, item->unit)),
                       rig__html_escape(output, first),
                       is_met ? rig__html_escape(output, part) : "",
                       is_met || item->comment != NULL ? rig__html_escape(output, item->comment)
                                                       : "none in the catalogue",
                       is_met ? rig__report_amount(output, item->price_cents) : "");
}

static void write_requirements(rig__output *output, const rig_requirements *requirements)
{
    begin_page(output,
               rig__output_string(output,
                                  "Parts for %s images/s",
                                  rig__report_number(output, requirements->target_images_per_s)),
               rig__output_string(output,
                                  "For one epoch in %s %s must deliver what is listed.",
                                  rig__report_duration(output, requirements->epoch_s),
                                  rig__report_each_part(output, requirements)));
    begin_section(output, "What each part must deliver");
    rig__output_text(
        output,
        "<div class=\"wide\"><table class=\"texts\">\n<caption>Needs, and the cheapest "
        "part that meets each</caption>\n<thead><tr><th scope=\"col\">What</th>"
        "<th scope=\"col\">Need</th><th scope=\"col\">Cheapest part</th>"
        "<th scope=\"col\">USD</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < requirements->n_items; i++) {
        put_requirement(output, &requirements->items[i]);
    }
    rig__output_text(output,
                     "</tbody>\n</table></div>\n<p>Note: " RIG__REPORT_ROWS_APART ".</p>\n");
    end_section(output);
    rig__html_texts(output, "Warnings", &requirements->warnings);
    end_page(output, NULL);
}

static void put_cell(rig__output *output, const rig_row *row, const rig__report_column *column)
{
    if (column->column == NULL) {
        rig__output_format(
            output, "<th scope=\"row\">%s</th>", rig__html_escape(output, row->name));
        return;
    }
    if (rig__report_is_text(column->column)) {
        rig__output_format(output,
                           "<td class=\"text\">%s</td>",
                           rig__html_escape(output, rig_row_text(row, column->column)));
        return;
    }
    const double value = rig_row_number(row, column->column);
    rig__output_format(
        output, "<td>%s</td>", isfinite(value) ? rig__report_exact(output, value) : "");
}

static void write_rows(rig__output *output,
                       const rig_row *const *rows,
                       size_t n_rows,
                       const rig__report_column *columns,
                       size_t n_columns,
                       bool is_all_columns)
{
    (void)is_all_columns;
    const char *stem = n_rows > 0 ? rig_table_stem(rows[0]->table) : "parts";
    begin_page(output, rig__output_string(output, "Catalogue: %s", stem), NULL);
    rig__output_format(output,
                       "<div class=\"wide\"><table>\n<caption>%s</caption>\n<thead><tr>",
                       rig__report_count(output, (double)n_rows, "row"));
    for (size_t j = 0; j < n_columns; j++) {
        const char *unit = columns[j].column == NULL ? NULL : columns[j].column->unit;
        rig__output_format(output,
                           "<th scope=\"col\">%s <small>%s</small></th>",
                           rig__html_escape(output, columns[j].name),
                           rig__html_escape(output, unit));
    }
    rig__output_text(output, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n_rows; i++) {
        rig__output_text(output, "<tr>");
        for (size_t j = 0; j < n_columns; j++) {
            put_cell(output, rows[i], &columns[j]);
        }
        rig__output_text(output, "</tr>\n");
    }
    rig__output_text(output, "</tbody>\n</table></div>\n");
    end_page(output, NULL);
}

const rig__writer rig__html_writer = {
    .name = "html",
    .write_result = write_result,
    .write_frontier = write_frontier,
    .write_requirements = write_requirements,
    .write_rows = write_rows,
};

void rig__html_page_begin(rig__output *output, const char *title, const char *answer)
{
    begin_page(output, title, answer);
}

void rig__html_page_end(rig__output *output)
{
    end_page(output, NULL);
}
