/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reports for people at a terminal. */
#include <math.h>
#include <string.h>

#include "report/figures.h"
#include "report/grid.h"
#include "report/table_frontier.h"
#include "report/table_lists.h"
#include "report/writer.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

/* Predictions of more builds than this are listed, not shown in full. */
#define FULL_BUILDS 3

/* ---- parts of one build --------------------------------------------------------------------- */

/** "street 2025-07-23", with a mark when the price is not to be trusted. */
static const char *price_origin(rig__output *output, const rig_part_use *use)
{
    const rig_price *price = &use->row->price;
    if (use->is_owned) {
        return "owned";
    }
    if (price->cents < 0) {
        return "no price";
    }
    return rig__output_string(
        output,
        "%s %s%s",
        price->kind == NULL ? "unknown kind"
                            : rig__output_clean(output, price->kind, RIG__CLEAN_LINE),
        price->date == NULL ? "undated" : rig__output_clean(output, price->date, RIG__CLEAN_LINE),
        price->trust == RIG_TRUST_LOW ? " !" : "");
}

/** What a server row holds besides itself, one row each. */
static void add_contents(rig__grid *grid, const rig_server *server)
{
    rig__output *output = grid->output;
    const struct {
        const char *what, *name;
        double count;
        const char *unit;
    } held[] = {
        {" cpu", server->cpu_name, server->cpu_count, NULL},
        {" gpu", server->gpu_name, server->gpu_count, NULL},
        {" memory", NULL, server->ram_gb, "GB"},
        {" storage", NULL, server->storage_gb, "GB"},
    };
    for (size_t i = 0; i < N_ITEMS(held); i++) {
        const bool is_named = held[i].name != NULL;
        if (!is_named && !isfinite(held[i].count)) {
            continue;
        }
        const char *number = rig__report_number(output, held[i].count);
        const char *cells[] = {
            held[i].what,
            is_named ? rig__output_clean(output, held[i].name, RIG__CLEAN_LINE)
                     : rig__output_string(output, "%s %s", number, "GB"),
            is_named && isfinite(held[i].count) ? number : "",
            "",
            "",
            "included",
        };
        rig__grid_add(grid, cells, RIG__COLOUR_NONE);
    }
}

/** Hardware known by its figures only. */
static void add_unnamed(rig__grid *grid, const rig_unnamed *unnamed)
{
    rig__output *output = grid->output;
    const struct {
        const char *what;
        double value;
        const char *unit;
    } given[] = {
        {"cpu", unnamed->cores, "cores"},
        {"memory", unnamed->ram_gb, "GB"},
        {"storage", unnamed->drive_gbs, "GB/s read"},
        {"storage", unnamed->drive_iops, "random reads/s"},
        {"loader", unnamed->workers, "workers"},
    };
    for (size_t i = 0; i < N_ITEMS(given); i++) {
        if (!isfinite(given[i].value)) {
            continue;
        }
        const char *cells[] = {
            given[i].what,
            rig__output_string(
                output, "%s %s", rig__report_number(output, given[i].value), given[i].unit),
            "",
            "",
            "",
            "given by figures",
        };
        rig__grid_add(grid, cells, RIG__COLOUR_NONE);
    }
}

/** @return whether a price of low trust was marked */
static bool write_parts(rig__output *output, const rig_build *build)
{
    static const rig__grid_column columns[] = {
        {"PART", false, false},
        {"NAME", false, true},
        {"N", true, false},
        {"EACH USD", true, false},
        {"USD", true, false},
        {"PRICE", false, true},
    };
    rig__grid grid = rig__grid_new(output, columns, N_ITEMS(columns));
    bool has_low = false;
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use bought = rig__report_bought(build, i), *use = &bought;
        if (use->row == NULL || use->count < 1) {
            continue;
        }
        const rig_price *price = &use->row->price;
        const bool is_low = !use->is_owned && price->cents >= 0 && price->trust == RIG_TRUST_LOW;
        has_low = has_low || is_low;
        const char *cells[] = {
            rig_table_singular((rig_table)i),
            rig__output_clean(output, use->row->name, RIG__CLEAN_LINE),
            rig__output_string(output, "%d", use->count),
            rig__report_amount(output, price->cents),
            rig__report_amount(output, rig__report_line_cents(use)),
            price_origin(output, use),
        };
        rig__grid_add(&grid, cells, is_low ? RIG__COLOUR_ALERT : RIG__COLOUR_NONE);
        if (use->row->table == RIG_TABLE_SERVER) {
            add_contents(&grid, (const rig_server *)use->row);
        }
    }
    add_unnamed(&grid, &build->unnamed);
    rig__grid_write(&grid);
    return has_low;
}

/* ---- stages --------------------------------------------------------------------------------- */

#define BAR_WIDTH 20

/** How much of what a stage can do is used: full when it binds. */
static const char *bar(rig__output *output, double load_frac)
{
    const char *full = output->is_utf8 ? "\xE2\x96\x88" : "#";
    const char *empty = output->is_utf8 ? "\xE2\x96\x91" : ".";
    const long n_full = load_frac > 0.0 ? lround(fmin(load_frac, 1.0) * BAR_WIDTH) : 0;
    char text[BAR_WIDTH * 3 + 1];
    size_t length = 0;
    for (long i = 0; i < BAR_WIDTH; i++) {
        const char *piece = i < n_full ? full : empty;
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    text[length] = '\0';
    return rig__output_string(output, "%s", text);
}

static void
write_stages(rig__output *output, const rig_workload *workload, const rig_prediction *prediction)
{
    static const rig__grid_column columns[] = {
        {"STAGE", false, false},
        {"IMAGES/S", true, false},
        {"SLACK", true, false},
        {"BINDS", true, false},
        {"LOAD", false, false},
        {"", false, true},
    };
    double probabilities[RIG_N_STAGES];
    rig__grid grid = rig__grid_new(output, columns, N_ITEMS(columns));
    rig_stage_probabilities(prediction, probabilities);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const rig_stage_rate *stage = &prediction->stages[i];
        const char *remark = rig__report_stage_remark(output, workload, prediction, (rig_stage)i);
        const bool is_known = isfinite(stage->images_per_s);
        const char *cells[] = {
            rig_stage_name((rig_stage)i),
            rig__report_stage_rate(output, stage),
            is_known ? rig__report_percent(output, stage->slack_frac) : "",
            is_known ? rig__report_probability(output, probabilities[i]) : "",
            is_known ? bar(output, 1.0 - stage->slack_frac) : "",
            remark[0] == '\0' ? "" : rig__output_string(output, "< %s", remark),
        };
        const bool is_binding = i == (size_t)prediction->binding && is_known;
        rig__grid_add(&grid, cells, is_binding ? RIG__COLOUR_ALERT : RIG__COLOUR_NONE);
    }
    rig__grid_write(&grid);
}

/* ---- one build in full ---------------------------------------------------------------------- */

/* Most items of a list unless the report is verbose: one build and why should fit one screen. */
#define SHOWN_TEXTS 5

static void write_texts(rig__output *output,
                        const char *label,
                        const rig_texts *texts,
                        const char *sign,
                        const char *colour)
{
    const bool is_cut = !output->options->is_verbose && texts->count > SHOWN_TEXTS + 1;
    const size_t n_shown = is_cut ? SHOWN_TEXTS : texts->count;
    for (size_t i = 0; i < n_shown; i++) {
        rig__grid_item(output,
                       i == 0 ? label : "",
                       sign,
                       rig__output_clean(output, texts->items[i], RIG__CLEAN_LINE),
                       colour);
    }
    if (is_cut) {
        rig__grid_item(output,
                       "",
                       sign,
                       rig__output_string(
                           output, "and %zu more, in the verbose report", texts->count - n_shown),
                       colour);
    }
}

static void write_heading(rig__output *output, const rig_result *result, size_t index)
{
    const rig_build_report *report = &result->builds[index];
    const rig_prediction *prediction = &report->prediction;
    const char *rate =
        prediction->is_out_of_memory
            ? "does not run: out of memory"
            : rig__output_string(output,
                                 "%s%s images/s, epoch %s%s",
                                 prediction->has_unknown ? "at most " : "",
                                 rig__report_number(output, prediction->images_per_s),
                                 prediction->has_unknown ? "at least " : "",
                                 rig__report_duration(output, prediction->epoch_s));
    rig__grid_paragraph(output,
                        rig__output_string(output,
                                           "%d. %s, %s",
                                           rig__report_place(result, index),
                                           rig__report_money(output, report->price_cents),
                                           rate),
                        RIG__COLOUR_STRONG);
    if (report->comment != NULL) {
        rig__grid_paragraph(
            output, rig__output_clean(output, report->comment, RIG__CLEAN_LINE), RIG__COLOUR_NONE);
    }
    rig__output_text(output, "\n");
}

static void
write_build(rig__output *output, const rig_result *result, size_t index, bool is_prediction)
{
    const rig_build_report *report = &result->builds[index];
    const rig_prediction *prediction = &report->prediction;
    const rig_workload *workload = &result->request.workload;
    const bool is_bad = prediction->is_out_of_memory;
    const rig_texts warnings = rig__report_own_warnings(output, result, index, is_prediction);
    write_heading(output, result, index);
    const char *network = rig__report_network(output, report);
    if (network[0] != '\0') {
        rig__grid_paragraph(output,
                            rig__output_string(output,
                                               "%d equal nodes and what joins them, together:",
                                               rig_build_nodes(&report->build)),
                            RIG__COLOUR_NONE);
    }
    const bool has_low = write_parts(output, &report->build);
    rig__grid_field(output, "Total", rig__report_total(output, result, report), RIG__COLOUR_STRONG);
    if (has_low) {
        rig__grid_field(output, "", "! price of low trust: ask for a quote", RIG__COLOUR_ALERT);
    }
    rig__output_text(output, "\n");
    rig__grid_field(output,
                    "Rate",
                    rig__report_rate(output, prediction),
                    is_bad ? RIG__COLOUR_BAD : RIG__COLOUR_NONE);
    if (report->worst_parts.count > 0) {
        rig__grid_field(output, "At worst", rig__report_at_worst(output, report), RIG__COLOUR_NONE);
    }
    rig__grid_field(
        output, "Epoch", rig__report_epoch(output, prediction, workload->epochs), RIG__COLOUR_NONE);
    rig__grid_field(
        output, "Training", rig__report_training(output, workload, prediction), RIG__COLOUR_NONE);
    if (network[0] != '\0') {
        rig__grid_field(output, "Network", network, RIG__COLOUR_NONE);
    }
    rig__grid_field(output, "Power", rig__report_power(output, report), RIG__COLOUR_NONE);
    rig__grid_field(output, "Cost", rig__report_cost(output, report), RIG__COLOUR_NONE);
    rig__output_text(output, "\n");
    write_stages(output, workload, prediction);
    rig__grid_field(output, "Balance", rig__report_balance(output, prediction), RIG__COLOUR_NONE);
    write_texts(output, "Warnings", &warnings, "! ", RIG__COLOUR_ALERT);
}

/* ---- shortlist ------------------------------------------------------------------------------ */

/** What stands for the machine in one line when a class is not listed apart. */
static const char *cpus_or_server(rig__output *output, const rig_build *build)
{
    const rig_part_use *server = &build->parts[RIG_TABLE_SERVER];
    return server->row != NULL ? rig__report_uses(output, server, RIG__CLEAN_LINE)
                               : rig__report_cpus(output, build, RIG__CLEAN_LINE, true);
}

static void write_shortlist(rig__output *output, const rig_result *result)
{
    static const rig__grid_column columns[] = {
        {"#", true, false},
        {"USD", true, false},
        {"IMAGES/S", true, false},
        {"EPOCH", true, false},
        {"GPU", false, true},
        {"CPU OR SERVER", false, true},
        {"BINDS", false, false},
    };
    rig__grid grid = rig__grid_new(output, columns, N_ITEMS(columns));
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *report = &result->builds[i];
        const rig_prediction *prediction = &report->prediction;
        const bool is_bad = prediction->is_out_of_memory;
        const char *cells[] = {
            rig__output_string(output, "%d", rig__report_place(result, i)),
            rig__report_amount(output, report->price_cents),
            is_bad ? "none" : rig__report_number(output, prediction->images_per_s),
            is_bad ? "none" : rig__report_duration(output, prediction->epoch_s),
            rig__report_gpus(output, &report->build, RIG__CLEAN_LINE, true),
            cpus_or_server(output, &report->build),
            is_bad ? "memory" : rig_stage_name(prediction->binding),
        };
        rig__grid_add(&grid, cells, RIG__COLOUR_NONE);
    }
    rig__grid_write(&grid);
}

/** How many builds are shown in full. */
static size_t full_count(const rig__output *output, const rig_result *result, bool is_prediction)
{
    if (output->options->is_verbose || result->n_builds <= 1) {
        return result->n_builds;
    }
    if (is_prediction) {
        return result->n_builds <= FULL_BUILDS ? result->n_builds : 0;
    }
    return 1;
}

/* ---- whole answers -------------------------------------------------------------------------- */

static void write_statistics(rig__output *output, const rig_proof *proof)
{
    if (proof->method != NULL) {
        rig__grid_field(output, "Method", proof->method, RIG__COLOUR_NONE);
    }
    if (output->options->is_verbose) {
        rig__grid_field(output,
                        "Search",
                        rig__output_string(
                            output,
                            "%s, %s after reduction; %s rated; %s, %s",
                            rig__report_count(output, (double)proof->n_options, "option"),
                            rig__report_number(output, (double)proof->n_reduced),
                            rig__report_count(output, (double)proof->n_evaluated, "combination"),
                            rig__report_count(output, (double)proof->n_solver_calls, "solver call"),
                            rig__report_count(output, (double)proof->n_solver_nodes, "node")),
                        RIG__COLOUR_NONE);
    }
}

static void write_conflict(rig__output *output, const rig_result *result)
{
    static const rig__grid_column columns[] = {
        {"CONDITION", false, true},
        {"WHAT ALONE WOULD DO", false, true},
    };
    rig__grid grid = rig__grid_new(output, columns, N_ITEMS(columns));
    for (size_t i = 0; i < result->n_conflict; i++) {
        const char *cells[] = {
            rig__output_clean(output, result->conflict[i].condition, RIG__CLEAN_LINE),
            rig__output_clean(output, result->conflict[i].detail, RIG__CLEAN_LINE),
        };
        rig__grid_add(&grid, cells, RIG__COLOUR_NONE);
    }
    rig__grid_paragraph(output, "No build meets the request.", RIG__COLOUR_BAD);
    if (result->n_conflict > 0) {
        rig__grid_paragraph(output,
                            result->is_conflict_minimal
                                ? "These conditions cannot hold together; none of them can be left "
                                  "out of the list:"
                                : "These conditions cannot hold together; the list is not proved "
                                  "to be the shortest:",
                            RIG__COLOUR_NONE);
        rig__output_text(output, "\n");
        rig__grid_write(&grid);
    }
    rig__output_text(output, "\n");
    rig__grid_field(output,
                    "Least budget",
                    result->least_budget_cents < 0
                        ? "no budget is enough"
                        : rig__report_money(output, result->least_budget_cents),
                    RIG__COLOUR_STRONG);
}

/* Most warnings about single builds below a list. */
#define LISTED_WARNINGS 12

/** Warnings of builds that are listed only. */
static void write_listed_warnings(rig__output *output, const rig_result *result)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_texts warnings = rig__report_own_warnings(output, result, i, true);
        for (size_t j = 0; j < warnings.count; j++, n++) {
            if (n >= LISTED_WARNINGS) {
                continue;
            }
            const char *text = rig__output_clean(output, warnings.items[j], RIG__CLEAN_LINE);
            rig__grid_item(
                output,
                n == 0 ? "Warnings" : "",
                "! ",
                rig__output_string(output, "build %d: %s", rig__report_place(result, i), text),
                RIG__COLOUR_ALERT);
        }
    }
    if (n > LISTED_WARNINGS) {
        rig__grid_item(output,
                       "",
                       "! ",
                       rig__output_string(output, "and %zu more", n - LISTED_WARNINGS),
                       RIG__COLOUR_ALERT);
    }
}

static void write_builds(rig__output *output, const rig_result *result, bool is_prediction)
{
    const size_t n_full = full_count(output, result, is_prediction);
    if (result->n_builds > 1) {
        write_shortlist(output, result);
        rig__output_text(output, n_full > 0 ? "\n" : "");
    }
    for (size_t i = 0; i < n_full; i++) {
        rig__output_text(output, i > 0 ? "\n" : "");
        write_build(output, result, i, is_prediction);
    }
    if (n_full == 0 && result->n_builds > 0) {
        rig__output_text(output, "\n");
        write_listed_warnings(output, result);
    }
    const rig_texts shared = rig__report_shared_warnings(output, result, is_prediction);
    rig__output_text(output, shared.count > 0 ? "\n" : "");
    write_texts(output, "All builds", &shared, "! ", RIG__COLOUR_ALERT);
}

static void write_result(rig__output *output, const rig_result *result, bool is_prediction)
{
    rig__grid_paragraph(
        output, rig__report_title(output, result, is_prediction), RIG__COLOUR_STRONG);
    if (!is_prediction) {
        rig__grid_field(output, "Status", rig__report_proof(output, result), RIG__COLOUR_NONE);
        write_statistics(output, &result->proof);
    }
    rig__output_text(output, "\n");
    if (!is_prediction && result->outcome == RIG_OUTCOME_INFEASIBLE) {
        write_conflict(output, result);
    }
    write_builds(output, result, is_prediction);
    rig__output_text(output, "\n");
    write_texts(output, "Why", &result->reasons, "- ", RIG__COLOUR_NONE);
    write_texts(output, "Assumes", &result->assumptions, "- ", RIG__COLOUR_NONE);
    write_texts(output, "Left out", &result->warnings, "! ", RIG__COLOUR_ALERT);
    if (result->n_builds > 0) {
        rig__grid_field(output, "Not included", RIG__REPORT_NOT_INCLUDED, RIG__COLOUR_NONE);
    }
}

static void write_frontier(rig__output *output, const rig_result *result, int64_t from_cents)
{
    rig__grid_paragraph(
        output, rig__report_frontier_title(output, result, from_cents), RIG__COLOUR_STRONG);
    rig__grid_field(output, "Status", rig__report_frontier_proof(output, result), RIG__COLOUR_NONE);
    write_statistics(output, &result->proof);
    rig__output_text(output, "\n");
    if (result->n_builds > 0) {
        rig__table_frontier(output, result);
        rig__output_text(output, "\n");
    }
    write_texts(output, "Assumes", &result->assumptions, "- ", RIG__COLOUR_NONE);
    write_texts(output, "Left out", &result->warnings, "! ", RIG__COLOUR_ALERT);
    rig__grid_field(output, "Not included", RIG__REPORT_NOT_INCLUDED, RIG__COLOUR_NONE);
}

static void write_requirements(rig__output *output, const rig_requirements *requirements)
{
    rig__grid_paragraph(
        output,
        rig__output_string(output,
                           "To train %s images/s (epoch %s) %s must deliver:",
                           rig__report_number(output, requirements->target_images_per_s),
                           rig__report_duration(output, requirements->epoch_s),
                           rig__report_each_part(output, requirements)),
        RIG__COLOUR_STRONG);
    rig__output_text(output, "\n");
    rig__table_requirement_grid(output, requirements);
    rig__output_text(output, "\n");
    rig__grid_field(output, "Note", RIG__REPORT_ROWS_APART, RIG__COLOUR_NONE);
    rig__output_text(output, requirements->warnings.count > 0 ? "\n" : "");
    write_texts(output, "Warnings", &requirements->warnings, "! ", RIG__COLOUR_ALERT);
}

const rig__writer rig__table_writer = {
    .name = "table",
    .write_result = write_result,
    .write_frontier = write_frontier,
    .write_requirements = write_requirements,
    .write_rows = rig__table_rows,
};
