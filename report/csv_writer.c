/* SPDX-License-Identifier: GPL-3.0-or-later
 * CSV after RFC 4180: one row per build or per part, with cells that no spreadsheet runs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/csv_cells.h"
#include "report/figures.h"
#include "report/writer.h"
#include "trainrig/scenarios.h"
#include "trainrig/version.h"

#define N_NAMES(array) (sizeof(array) / sizeof((array)[0]))

/* ---- wide: one row per build ---------------------------------------------------------------- */

/* First columns of a frontier. */
static const char *const frontier_lead[] = {
    "price_usd",
    "images_per_s",
    "epoch_s",
    "binding_stage",
};

/* Columns are never renamed or moved: new ones go to the end of wide_tail. */
static const char *const wide_head[] = {
    "rank",
    "status",
    "gap_frac",
    "objective",
    "price_usd",
    "budget_usd",
    "images_per_s",
    "images_per_s_low",
    "images_per_s_high",
    "epoch_s",
    "first_epoch_s",
    "run_s",
    "cost_per_epoch_usd",
    "energy_kwh_per_epoch",
    "power_w",
    "peak_w",
    "balance_frac",
    "binding_stage",
    "storage_images_per_s",
    "decode_images_per_s",
    "memory_images_per_s",
    "transfer_images_per_s",
    "gpu_images_per_s",
    "allreduce_images_per_s",
    "gpu_busy_frac",
    "cpu_busy_frac",
    "batch_per_gpu",
};

static const char *const wide_tail[] = {
    "price_date_oldest",
    "price_trust_lowest",
    "workload",
    "warnings",
    "catalog_hash",
    "version",
    "owned",
    "unnamed_cores",
    "unnamed_core_speed",
    "unnamed_ram_gb",
    "unnamed_drive_gbs",
    "unnamed_drive_iops",
    "unnamed_workers",
    "binding_probability",
    "first_epoch_s_low",
    "first_epoch_s_high",
};

/* Counts of parts are those of one node, so that predict reads them back. */
static const char *const wide_nodes[] = {
    "nodes",
    "switch_name",
    "switch_count",
    "switch_price_usd",
    "network_gbs",
    "total_power_w",
    "total_rack_u",
};

/* Where parts are not named. */
static const char *const wide_worst[] = {
    "at_worst_images_per_s",
    "at_worst_binding_stage",
};

/* Classes with columns of their own in the middle; switches came later. */
#define N_WIDE_CLASSES ((size_t)RIG_TABLE_SWITCH)

static bool is_lead(const char *name)
{
    for (size_t i = 0; i < N_NAMES(frontier_lead); i++) {
        if (strcmp(frontier_lead[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void put_wide_header(rig__csv *out)
{
    for (size_t i = 0; i < N_NAMES(wide_head); i++) {
        if (!out->has_lead || !is_lead(wide_head[i])) {
            rig__csv_raw(out, wide_head[i], false);
        }
    }
    for (size_t i = 0; i < N_WIDE_CLASSES; i++) {
        const char *class_name = rig_table_singular((rig_table)i);
        rig__csv_raw(out, rig__output_string(out->output, "%s_name", class_name), false);
        rig__csv_raw(out, rig__output_string(out->output, "%s_count", class_name), false);
        rig__csv_raw(out, rig__output_string(out->output, "%s_price_usd", class_name), false);
    }
    rig__csv_names(out, wide_tail, N_NAMES(wide_tail));
    rig__csv_names(out, wide_nodes, N_NAMES(wide_nodes));
    rig__csv_names(out, wide_worst, N_NAMES(wide_worst));
}

/** A figure of frontier_lead, unless it stands in front already. */
static void put_lead(rig__csv *out, double value)
{
    if (!out->has_lead) {
        rig__csv_figure(out, value);
    }
}

static void put_prediction(rig__csv *out, const rig_build_report *report)
{
    const rig_prediction *prediction = &report->prediction;
    put_lead(out, prediction->images_per_s);
    rig__csv_figure(out, prediction->images_per_s_low);
    rig__csv_figure(out, prediction->images_per_s_high);
    put_lead(out, prediction->epoch_s);
    rig__csv_figure(out, prediction->first_epoch_s);
    rig__csv_figure(out, prediction->run_s);
    rig__csv_figure(out, report->cost_per_epoch_usd);
    rig__csv_figure(out, prediction->energy_kwh_per_epoch);
    rig__csv_figure(out, prediction->power_w);
    rig__csv_number(out, report->totals.peak_w);
    rig__csv_figure(out, prediction->balance_frac);
    if (!out->has_lead) {
        rig__csv_text(out, rig_stage_name(prediction->binding));
    }
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        rig__csv_figure(out, prediction->stages[i].images_per_s);
    }
    rig__csv_figure(out, prediction->gpu_busy_frac);
    rig__csv_figure(out, prediction->cpu_busy_frac);
    rig__csv_number(out, prediction->batch_per_gpu);
}

static void put_part(rig__csv *out, const rig_part_use *use)
{
    const bool is_there = use->row != NULL && use->count > 0;
    rig__csv_text(out, is_there ? use->row->name : NULL);
    rig__csv_number(out, is_there ? (double)use->count : (double)NAN);
    rig__csv_number(out, is_there ? rig__report_usd(use->row->price.cents) : (double)NAN);
}

static void put_parts(rig__csv *out, const rig_build *build)
{
    for (size_t i = 0; i < N_WIDE_CLASSES; i++) {
        put_part(out, &build->parts[i]);
    }
}

/** Classes of the owned parts, separated by ';'. */
static const char *owned_classes(rig__csv *out, const rig_build *build)
{
    const char *owned = "";
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        if (build->parts[i].row != NULL && build->parts[i].is_owned) {
            owned = rig__output_string(out->output,
                                       "%s%s%s",
                                       owned,
                                       owned[0] == '\0' ? "" : ";",
                                       rig_table_singular((rig_table)i));
        }
    }
    return owned;
}

static void put_wide_tail(rig__csv *out, const rig_result *result, const rig_build_report *report)
{
    const rig_unnamed *unnamed = &report->build.unnamed;
    rig__csv_text(out, rig__report_oldest_date(&report->build));
    rig__csv_text(out, rig__report_lowest_trust(&report->build));
    rig__csv_text(out, result->request.workload.name);
    rig__csv_text(out, rig__report_warnings(out->output, result, report));
    rig__csv_text(out, rig__report_hash(out->output, result));
    rig__csv_text(out, RIG_VERSION_STRING);
    rig__csv_text(out, owned_classes(out, &report->build));
    rig__csv_number(out, unnamed->cores);
    rig__csv_number(out, unnamed->core_speed);
    rig__csv_number(out, unnamed->ram_gb);
    rig__csv_number(out, unnamed->drive_gbs);
    rig__csv_number(out, unnamed->drive_iops);
    rig__csv_number(out, unnamed->workers);
    rig__csv_figure(out, rig__report_binding_probability(&report->prediction));
    rig__csv_figure(out, report->prediction.first_epoch_s_low);
    rig__csv_figure(out, report->prediction.first_epoch_s_high);
    rig__csv_number(out, rig_build_nodes(&report->build));
    put_part(out, &report->build.parts[RIG_TABLE_SWITCH]);
    rig__csv_figure(out, report->totals.network_gbs);
    rig__csv_number(out, report->totals.all_peak_w);
    rig__csv_number(out, report->totals.all_rack_u);
    const bool is_ranged = report->worst_parts.count > 0;
    rig__csv_figure(out, is_ranged ? report->at_worst.images_per_s : (double)NAN);
    rig__csv_text(out, is_ranged ? rig_stage_name(report->at_worst.binding) : NULL);
}

/** The columns of one build, without the end of the row. */
static void put_wide_row(rig__csv *out, const rig_result *result, size_t index, bool is_prediction)
{
    const rig_build_report *report = &result->builds[index];
    rig__csv_number(out, rig__report_place(result, index));
    rig__csv_text(out, rig__report_status(result, is_prediction));
    rig__csv_figure(out, is_prediction ? (double)NAN : result->proof.gap_frac);
    rig__csv_text(out, is_prediction ? NULL : rig_objective_name(result->request.objective));
    if (!out->has_lead) {
        rig__csv_number(out, rig__report_usd(report->price_cents));
    }
    rig__csv_number(out, rig__report_budget_usd(&result->request));
    put_prediction(out, report);
    put_parts(out, &report->build);
    put_wide_tail(out, result, report);
}

static void put_wide(rig__csv *out, const rig_result *result, bool is_prediction)
{
    put_wide_header(out);
    rig__csv_end_row(out);
    for (size_t i = 0; i < result->n_builds; i++) {
        put_wide_row(out, result, i, is_prediction);
        rig__csv_end_row(out);
    }
}

/** A row per point: the lead, the other columns of a build, what changed. */
static void put_frontier(rig__csv *out, const rig_result *result)
{
    rig__csv_names(out, frontier_lead, N_NAMES(frontier_lead));
    out->has_lead = true;
    put_wide_header(out);
    rig__csv_raw(out, "comment", false);
    rig__csv_end_row(out);
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *report = &result->builds[i];
        rig__csv_number(out, rig__report_usd(report->price_cents));
        rig__csv_figure(out, report->prediction.images_per_s);
        rig__csv_figure(out, report->prediction.epoch_s);
        rig__csv_text(out, rig_stage_name(report->prediction.binding));
        put_wide_row(out, result, i, false);
        rig__csv_text(out, report->comment);
        rig__csv_end_row(out);
    }
}

/* ---- a sweep: scenarios in front ------------------------------------------------------------- */

static const char *const sweep_lead[] = {
    "row",
    "sweep_hash",
    "outcome",
    "proof",
    "message",
    "least_budget_usd",
};

rig_status rig_report_scenario_header(const rig_scenarios *scenarios,
                                      const rig_report_options *options,
                                      rig_write_sink sink,
                                      void *payload,
                                      rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    rig__csv out = rig__csv_begin(&output);
    rig__csv_names(&out, sweep_lead, N_NAMES(sweep_lead));
    for (size_t i = 0; i < rig_scenarios_n_columns(scenarios); i++) {
        const char *name = rig_scenarios_column(scenarios, i);
        rig__csv_text(&out, rig__output_string(&output, "scenario_%s", name));
    }
    put_wide_header(&out);
    rig__csv_end_row(&out);
    return rig__output_finish(&output, err);
}

/** Empty cells in place of the columns of put_wide_row. */
static void put_no_build(rig__csv *out)
{
    const size_t n = N_NAMES(wide_head) + 3 * RIG_N_BUILD_CLASSES + N_NAMES(wide_tail);
    for (size_t i = 0; i < n; i++) {
        rig__csv_text(out, NULL);
    }
}

/** What cannot hold together, each with what alone would do. */
static const char *conflict_text(rig__output *output, const rig_result *result)
{
    const char *text = "";
    for (size_t i = 0; i < result->n_conflict; i++) {
        text = rig__output_string(output,
                                  "%s%s%s: %s",
                                  text,
                                  i == 0 ? "" : "; ",
                                  result->conflict[i].condition,
                                  result->conflict[i].detail);
    }
    return text;
}

static const char *outcome_word(const rig_result *result)
{
    if (result == NULL) {
        return "error";
    }
    return result->outcome == RIG_OUTCOME_OPTIMAL      ? "optimal"
           : result->outcome == RIG_OUTCOME_FEASIBLE   ? "feasible"
           : result->outcome == RIG_OUTCOME_INFEASIBLE ? "infeasible"
                                                       : "limit";
}

rig_status rig_report_scenario(const rig_scenarios *scenarios,
                               size_t i_row,
                               uint64_t hash,
                               const rig_result *result,
                               const char *message,
                               const rig_report_options *options,
                               rig_write_sink sink,
                               void *payload,
                               rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    rig__csv out = rig__csv_begin(&output);
    const bool is_conflict = result != NULL && result->outcome == RIG_OUTCOME_INFEASIBLE;
    const size_t n_builds = result == NULL ? 0 : result->n_builds;
    const double least_usd =
        is_conflict ? rig__report_usd(result->least_budget_cents) : (double)NAN;
    for (size_t i = 0; i < n_builds + (n_builds == 0); i++) {
        rig__csv_number(&out, (double)(i_row + 1));
        rig__csv_raw(&out, rig__output_string(&output, "%016" PRIx64, hash), false);
        rig__csv_text(&out, outcome_word(result));
        rig__csv_text(&out, result == NULL ? NULL : result->proof.method);
        rig__csv_text(&out, is_conflict ? conflict_text(&output, result) : message);
        rig__csv_number(&out, least_usd);
        for (size_t j = 0; j < rig_scenarios_n_columns(scenarios); j++) {
            rig__csv_text(&out, rig_scenarios_cell(scenarios, i_row, j).text);
        }
        if (i < n_builds) {
            put_wide_row(&out, result, i, false);
        } else {
            put_no_build(&out);
        }
        rig__csv_end_row(&out);
    }
    return rig__output_finish(&output, err);
}

/* ---- long: one row per part ----------------------------------------------------------------- */

static const char *const long_names[] = {
    "rank",
    "class",
    "name",
    "count",
    "price_usd",
    "line_usd",
    "price_kind",
    "price_trust",
    "price_date",
    "price_source",
    "is_owned",
    "count_per_node",
    "nodes",
};

static void put_long(rig__csv *out, const rig_result *result)
{
    rig__csv_names(out, long_names, N_NAMES(long_names));
    rig__csv_end_row(out);
    for (size_t i = 0; i < result->n_builds; i++) {
        for (size_t j = 0; j < RIG_N_BUILD_CLASSES; j++) {
            const rig_build *build = &result->builds[i].build;
            const rig_part_use bought = rig__report_bought(build, j), *use = &bought;
            if (use->row == NULL || use->count < 1) {
                continue;
            }
            const rig_price *price = &use->row->price;
            rig__csv_number(out, rig__report_place(result, i));
            rig__csv_text(out, rig_table_singular((rig_table)j));
            rig__csv_text(out, use->row->name);
            rig__csv_number(out, use->count);
            rig__csv_number(out, rig__report_usd(price->cents));
            rig__csv_number(out, rig__report_usd(rig__report_line_cents(use)));
            rig__csv_text(out, price->kind);
            rig__csv_text(out, price->cents < 0 ? NULL : rig__report_trust(price->trust));
            rig__csv_text(out, price->date);
            rig__csv_text(out, price->source);
            rig__csv_bool(out, use->is_owned);
            rig__csv_number(out,
                            j == RIG_TABLE_SWITCH ? (double)NAN : (double)build->parts[j].count);
            rig__csv_number(out, rig_build_nodes(build));
            rig__csv_end_row(out);
        }
    }
}

static void write_result(rig__output *output, const rig_result *result, bool is_prediction)
{
    rig__csv out = rig__csv_begin(output);
    if (output->options->is_long) {
        put_long(&out, result);
    } else {
        put_wide(&out, result, is_prediction);
    }
}

static void write_frontier(rig__output *output, const rig_result *result, int64_t from_cents)
{
    (void)from_cents;
    rig__csv out = rig__csv_begin(output);
    if (output->options->is_long) {
        put_long(&out, result);
    } else {
        put_frontier(&out, result);
    }
}

/* ---- requirements and rows ------------------------------------------------------------------ */

static void write_requirements(rig__output *output, const rig_requirements *requirements)
{
    static const char *const names[] = {
        "target_images_per_s",
        "epoch_s",
        "stage",
        "what",
        "unit",
        "need",
        "need_first_epoch",
        "can_be_met",
        "class",
        "name",
        "count",
        "price_usd",
        "comment",
    };
    rig__csv out = rig__csv_begin(output);
    rig__csv_names(&out, names, N_NAMES(names));
    rig__csv_end_row(&out);
    for (size_t i = 0; i < requirements->n_items; i++) {
        const rig_requirement *item = &requirements->items[i];
        const rig_row *row = item->cheapest.row;
        rig__csv_figure(&out, requirements->target_images_per_s);
        rig__csv_figure(&out, requirements->epoch_s);
        rig__csv_text(&out, rig_stage_name(item->stage));
        rig__csv_text(&out, item->what);
        rig__csv_text(&out, item->unit);
        rig__csv_figure(&out, item->need);
        rig__csv_figure(&out, item->need_first_epoch);
        if (isnan(item->need)) {
            rig__csv_text(&out, NULL);
        } else {
            rig__csv_bool(&out, !isinf(item->need));
        }
        rig__csv_text(&out, row == NULL ? NULL : rig_table_singular(row->table));
        rig__csv_text(&out, row == NULL ? NULL : row->name);
        rig__csv_number(&out, row == NULL ? (double)NAN : (double)item->cheapest.count);
        rig__csv_number(&out, row == NULL ? (double)NAN : rig__report_usd(item->price_cents));
        rig__csv_text(&out, item->comment);
        rig__csv_end_row(&out);
    }
}

static void write_rows(rig__output *output,
                       const rig_row *const *rows,
                       size_t n_rows,
                       const rig__report_column *columns,
                       size_t n_columns,
                       bool is_all_columns)
{
    (void)is_all_columns;
    rig__csv out = rig__csv_begin(output);
    for (size_t i = 0; i < n_columns; i++) {
        rig__csv_text(&out, columns[i].name);
    }
    rig__csv_end_row(&out);
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++) {
            const rig_column *column = columns[j].column;
            if (column == NULL) {
                rig__csv_text(&out, rows[i]->name);
            } else if (rig__report_is_text(column)) {
                rig__csv_text(&out, rig_row_text(rows[i], column));
            } else {
                rig__csv_number(&out, rig_row_number(rows[i], column));
            }
        }
        rig__csv_end_row(&out);
    }
}

const rig__writer rig__csv_writer = {
    .name = "csv",
    .write_result = write_result,
    .write_frontier = write_frontier,
    .write_requirements = write_requirements,
    .write_rows = write_rows,
};
