/* SPDX-License-Identifier: GPL-3.0-or-later
 * Markdown with tables as GitHub shows them. */
#include <math.h>
#include <string.h>

#include "report/figures.h"
#include "report/markdown_text.h"
#include "report/writer.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

/** Text of a catalogue or a user, so that none of it is markup or ends a table cell. */
static const char *escape(rig__output *output, const char *text)
{
    const char *clean = rig__output_clean(output, text, RIG__CLEAN_UTF8);
    /* '<' and '>' become entities of four bytes, '&' one of five */
    char *escaped = rig__arena_alloc(output->arena, strlen(clean) + 1, 5);
    if (escaped == NULL) {
        output->is_nomem = true;
        return "";
    }
    char *end = escaped;
    for (const char *c = clean; *c != '\0'; c++) {
        const char *entity = *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : *c == '&' ? "&amp;" : NULL;
        if (entity != NULL) {
            memcpy(end, entity, strlen(entity));
            end += strlen(entity);
            continue;
        }
        if (strchr("\\`*_[]|~#", *c) != NULL) {
            *end++ = '\\';
        }
        *end++ = *c;
    }
    *end = '\0';
    return escaped;
}

/* ---- tables --------------------------------------------------------------------------------- */

static void put_row(rig__output *output, const char *const *cells, size_t n_cells)
{
    for (size_t i = 0; i < n_cells; i++) {
        rig__output_format(output, "| %s ", cells[i]);
    }
    rig__output_text(output, "|\n");
}

/** Header and alignment; numbers stand right. marks holds one of 'l' and 'r' per column. */
static void put_header(rig__output *output, const char *const *names, const char *marks)
{
    put_row(output, names, strlen(marks));
    for (const char *mark = marks; *mark != '\0'; mark++) {
        rig__output_text(output, *mark == 'r' ? "| ---: " : "| --- ");
    }
    rig__output_text(output, "|\n");
}

static void put_part(rig__output *output, rig_table table, const rig_part_use *use)
{
    const rig_price *price = &use->row->price;
    const bool is_priced = price->cents >= 0;
    const char *cells[] = {
        rig_table_singular(table),
        escape(output, use->row->name),
        rig__output_string(output, "%d", use->count),
        rig__report_amount(output, price->cents),
        rig__report_amount(output, rig__report_line_cents(use)),
        use->is_owned ? "owned" : escape(output, price->kind),
        escape(output, price->date),
        is_priced && !use->is_owned ? rig__report_trust(price->trust) : "",
    };
    put_row(output, cells, N_ITEMS(cells));
}

static void put_parts(rig__output *output, const rig_build *build)
{
    static const char *const names[] = {
        "Part", "Name", "Count", "Each [USD]", "Line [USD]", "Price", "Date", "Trust"};
    put_header(output, names, "llrrrlll");
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        if (build->parts[i].row != NULL && build->parts[i].count > 0) {
            const rig_part_use bought = rig__report_bought(build, i);
            put_part(output, (rig_table)i, &bought);
        }
    }
    const struct {
        const char *what;
        double value;
    } given[] = {
        {"cores", build->unnamed.cores},
        {"GB of memory", build->unnamed.ram_gb},
        {"GB/s of storage", build->unnamed.drive_gbs},
        {"random reads/s", build->unnamed.drive_iops},
        {"loader workers", build->unnamed.workers},
    };
    for (size_t i = 0; i < N_ITEMS(given); i++) {
        if (isfinite(given[i].value)) {
            const char *number = rig__report_number(output, given[i].value);
            const char *cells[] = {"given", given[i].what, number, "", "", "", "", ""};
            put_row(output, cells, N_ITEMS(cells));
        }
    }
    rig__output_text(output, "\n");
}

static void
put_stages(rig__output *output, const rig_workload *workload, const rig_prediction *prediction)
{
    static const char *const names[] = {"Stage", "Images/s", "Slack", "Binds", "Remark"};
    double probabilities[RIG_N_STAGES];
    put_header(output, names, "lrrrl");
    rig_stage_probabilities(prediction, probabilities);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const rig_stage_rate *stage = &prediction->stages[i];
        const bool is_known = isfinite(stage->images_per_s);
        const char *cells[] = {
            rig_stage_name((rig_stage)i),
            rig__report_stage_rate(output, stage),
            is_known ? rig__report_percent(output, stage->slack_frac) : "",
            is_known ? escape(output, rig__report_probability(output, probabilities[i])) : "",
            rig__report_stage_remark(output, workload, prediction, (rig_stage)i),
        };
        put_row(output, cells, N_ITEMS(cells));
    }
    rig__output_text(output, "\n");
}

static void put_facts(rig__output *output, const rig_result *result, const rig_build_report *report)
{
    const rig_workload *workload = &result->request.workload;
    const rig_prediction *prediction = &report->prediction;
    const struct {
        const char *name, *value;
    } facts[] = {
        {"Total", rig__report_total(output, result, report)},
        {"Rate", rig__report_rate(output, prediction)},
        {"At worst", rig__report_at_worst(output, report)}, /* where parts are not named */
        {"Epoch", rig__report_epoch(output, prediction, workload->epochs)},
        {"Training", rig__report_training(output, workload, prediction)},
        {"Network", rig__report_network(output, report)}, /* of several nodes */
        {"Power", rig__report_power(output, report)},
        {"Cost", rig__report_cost(output, report)},
        {"Balance", rig__report_balance(output, prediction)},
    };
    for (size_t i = 0; i < N_ITEMS(facts); i++) {
        if (facts[i].value[0] != '\0') {
            rig__output_format(output, "- %s: %s\n", facts[i].name, escape(output, facts[i].value));
        }
    }
    rig__output_text(output, "\n");
}

/* ---- whole answers -------------------------------------------------------------------------- */

static void put_texts(rig__output *output, const char *title, const rig_texts *texts)
{
    if (texts->count == 0) {
        return;
    }
    rig__output_format(output, "%s:\n\n", title);
    for (size_t i = 0; i < texts->count; i++) {
        rig__output_format(output, "- %s\n", escape(output, texts->items[i]));
    }
    rig__output_text(output, "\n");
}

static void
put_build(rig__output *output, const rig_result *result, size_t index, bool is_prediction)
{
    const rig_texts warnings = rig__report_own_warnings(output, result, index, is_prediction);
    const rig_build_report *report = &result->builds[index];
    rig__output_format(output,
                       "## %d. %s\n\n",
                       rig__report_place(result, index),
                       rig__report_money(output, report->price_cents));
    if (report->comment != NULL) {
        rig__output_format(output, "%s\n\n", escape(output, report->comment));
    }
    put_parts(output, &report->build);
    put_facts(output, result, report);
    put_stages(output, &result->request.workload, &report->prediction);
    put_texts(output, "Warnings", &warnings);
}

static void put_shortlist(rig__output *output, const rig_result *result)
{
    static const char *const names[] = {
        "#", "Price [USD]", "Images/s", "Epoch", "GPU", "CPU", "Server", "Binds"};
    put_header(output, names, "rrrrllll");
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *report = &result->builds[i];
        const rig_part_use *server = &report->build.parts[RIG_TABLE_SERVER];
        const char *cells[] = {
            rig__output_string(output, "%d", rig__report_place(result, i)),
            rig__report_amount(output, report->price_cents),
            rig__report_number(output, report->prediction.images_per_s),
            rig__report_duration(output, report->prediction.epoch_s),
            escape(output, rig__report_gpus(output, &report->build, RIG__CLEAN_UTF8, false)),
            escape(output, rig__report_cpus(output, &report->build, RIG__CLEAN_UTF8, false)),
            escape(output, rig__report_uses(output, server, RIG__CLEAN_UTF8)),
            rig_stage_name(report->prediction.binding),
        };
        put_row(output, cells, N_ITEMS(cells));
    }
    rig__output_text(output, "\n");
}

static void put_conflict(rig__output *output, const rig_result *result)
{
    static const char *const names[] = {"Condition", "What alone would do"};
    rig__output_text(output,
                     result->is_conflict_minimal
                         ? "No build meets the request. These conditions cannot hold together; "
                           "none of them can be left out of the list:\n\n"
                         : "No build meets the request. These conditions cannot hold together; "
                           "the list is not proved to be the shortest:\n\n");
    put_header(output, names, "ll");
    for (size_t i = 0; i < result->n_conflict; i++) {
        const char *cells[] = {
            escape(output, result->conflict[i].condition),
            escape(output, result->conflict[i].detail),
        };
        put_row(output, cells, N_ITEMS(cells));
    }
    rig__output_format(output,
                       "\nLeast budget: %s\n\n",
                       result->least_budget_cents < 0
                           ? "no budget is enough"
                           : rig__report_money(output, result->least_budget_cents));
}

static void write_result(rig__output *output, const rig_result *result, bool is_prediction)
{
    rig__output_format(
        output, "# %s\n\n", escape(output, rig__report_title(output, result, is_prediction)));
    if (!is_prediction) {
        rig__output_format(output, "Status: %s\n\n", rig__report_proof(output, result));
    }
    if (!is_prediction && result->outcome == RIG_OUTCOME_INFEASIBLE) {
        put_conflict(output, result);
    }
    if (result->n_builds > 1) {
        put_shortlist(output, result);
    }
    for (size_t i = 0; i < result->n_builds; i++) {
        put_build(output, result, i, is_prediction);
    }
    const rig_texts shared = rig__report_shared_warnings(output, result, is_prediction);
    put_texts(output, "Warnings about every build", &shared);
    put_texts(output, "Why", &result->reasons);
    put_texts(output, "Assumptions", &result->assumptions);
    put_texts(output, "Left out", &result->warnings);
    if (result->n_builds > 0) {
        rig__output_text(output, "Not included: " RIG__REPORT_NOT_INCLUDED ".\n");
    }
}

static void put_point(rig__output *output, const rig_result *result, size_t index)
{
    const rig_build_report *report = &result->builds[index];
    const rig_part_use *server = &report->build.parts[RIG_TABLE_SERVER];
    const char *cells[] = {
        rig__report_amount(output, report->price_cents),
        rig__report_number(output, report->prediction.images_per_s),
        rig__report_duration(output, report->prediction.epoch_s),
        rig_stage_name(report->prediction.binding),
        escape(output, rig__report_gpus(output, &report->build, RIG__CLEAN_UTF8, false)),
        escape(output, rig__report_cpus(output, &report->build, RIG__CLEAN_UTF8, false)),
        escape(output, rig__report_uses(output, server, RIG__CLEAN_UTF8)),
        escape(output, rig__report_step(output, result, index)),
    };
    put_row(output, cells, N_ITEMS(cells));
}

static void write_frontier(rig__output *output, const rig_result *result, int64_t from_cents)
{
    static const char *const names[] = {"Price [USD]",
                                        "Images/s",
                                        "Epoch",
                                        "Binds",
                                        "GPU",
                                        "CPU",
                                        "Server",
                                        "What changes and what it buys"};
    rig__output_format(output,
                       "# %s\n\nStatus: %s\n\n",
                       escape(output, rig__report_frontier_title(output, result, from_cents)),
                       rig__report_frontier_proof(output, result));
    put_header(output, names, "rrrlllll");
    for (size_t i = 0; i < result->n_builds; i++) {
        put_point(output, result, i);
    }
    rig__output_text(output, "\n");
    put_texts(output, "Assumptions", &result->assumptions);
    put_texts(output, "Left out", &result->warnings);
    rig__output_text(output, "Not included: " RIG__REPORT_NOT_INCLUDED ".\n");
}

/** Figure, or why there is none. */
static const char *need_text(rig__output *output, double need)
{
    if (isnan(need)) {
        return "unknown";
    }
    return isinf(need) ? "cannot be met" : rig__report_number(output, need);
}

static void write_requirements(rig__output *output, const rig_requirements *requirements)
{
    static const char *const names[] = {
        "Stage", "What", "Need", "First epoch", "Unit", "Cheapest part", "Price [USD]", "Remark"};
    rig__output_format(output,
                       "# Parts for %s images/s\n\nEpoch: %s\n\n",
                       rig__report_number(output, requirements->target_images_per_s),
                       rig__report_duration(output, requirements->epoch_s));
    if (requirements->nodes > 1) {
        rig__output_format(output, "Needs of %s.\n\n", rig__report_each_part(output, requirements));
    }
    put_header(output, names, "llrrllrl");
    for (size_t i = 0; i < requirements->n_items; i++) {
        const rig_requirement *item = &requirements->items[i];
        const bool is_met = item->cheapest.row != NULL;
        const char *part = rig__report_uses(output, &item->cheapest, RIG__CLEAN_UTF8);
        const char *cells[] = {
            rig_stage_name(item->stage),
            escape(output, item->what),
            need_text(output, item->need),
            isnan(item->need_first_epoch) ? "" : need_text(output, item->need_first_epoch),
            escape(output, item->unit),
            is_met ? escape(output, part) : "none in the catalogue",
            is_met ? rig__report_amount(output, item->price_cents) : "",
            escape(output, item->comment),
        };
        put_row(output, cells, N_ITEMS(cells));
    }
    rig__output_text(output, "\nNote: " RIG__REPORT_ROWS_APART ".\n\n");
    put_texts(output, "Warnings", &requirements->warnings);
}

static const char *cell(rig__output *output, const rig_row *row, const rig__report_column *column)
{
    if (column->column == NULL) {
        return escape(output, row->name);
    }
    if (rig__report_is_text(column->column)) {
        return escape(output, rig_row_text(row, column->column));
    }
    const double value = rig_row_number(row, column->column);
    return isfinite(value) ? rig__report_exact(output, value) : "";
}

static void write_rows(rig__output *output,
                       const rig_row *const *rows,
                       size_t n_rows,
                       const rig__report_column *columns,
                       size_t n_columns,
                       bool is_all_columns)
{
    (void)is_all_columns;
    for (size_t j = 0; j < n_columns; j++) {
        const char *unit = columns[j].column == NULL ? NULL : columns[j].column->unit;
        rig__output_format(output, "| %s ", escape(output, columns[j].name));
        if (unit != NULL && unit[0] != '\0') {
            rig__output_format(
                output, "%s ", escape(output, rig__output_string(output, "[%s]", unit)));
        }
    }
    rig__output_text(output, "|\n");
    for (size_t j = 0; j < n_columns; j++) {
        const bool is_text = columns[j].column == NULL || rig__report_is_text(columns[j].column);
        rig__output_text(output, is_text ? "| --- " : "| ---: ");
    }
    rig__output_text(output, "|\n");
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++) {
            rig__output_format(output, "| %s ", cell(output, rows[i], &columns[j]));
        }
        rig__output_text(output, "|\n");
    }
}

const rig__writer rig__markdown_writer = {
    .name = "markdown",
    .write_result = write_result,
    .write_frontier = write_frontier,
    .write_requirements = write_requirements,
    .write_rows = write_rows,
};

const char *rig__markdown_escape(rig__output *output, const char *text)
{
    return escape(output, text);
}
