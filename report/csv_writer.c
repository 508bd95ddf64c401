/* SPDX-License-Identifier: GPL-3.0-or-later
 * CSV after RFC 4180: one row per build or per part, with cells that no spreadsheet runs. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/writer.h"
#include "trainrig/version.h"

#define FIGURE_DIGITS 6

/** Where in the file the writer is. */
typedef struct csv {
    rig__output *output;
    bool is_row_started;
    bool is_guarded, is_quoted, has_crlf;
    bool has_lead; /**< the columns of frontier_lead stand first and are not repeated */
} csv;

static csv csv_begin(rig__output *output)
{
    const rig_report_options *options = output->options;
    const csv out = {
        .output = output,
        .is_guarded = options->is_excel || !options->no_csv_guard,
        .is_quoted = options->is_excel,
        .has_crlf = options->is_excel || options->use_crlf,
    };
    if (options->is_excel) {
        rig__output_text(output, "\xEF\xBB\xBF");
    }
    return out;
}

static void start_cell(csv *out)
{
    if (out->is_row_started) {
        rig__output_text(out->output, ",");
    }
    out->is_row_started = true;
}

static void end_row(csv *out)
{
    rig__output_text(out->output, out->has_crlf ? "\r\n" : "\n");
    out->is_row_started = false;
}

/** A cell as it is, quoted if its bytes need it. */
static void put_raw(csv *out, const char *text, bool is_quoted)
{
    start_cell(out);
    if (!is_quoted && strpbrk(text, ",\"\r\n") == NULL) {
        rig__output_text(out->output, text);
        return;
    }
    rig__output_text(out->output, "\"");
    for (const char *quote = strchr(text, '"'); quote != NULL; quote = strchr(text, '"')) {
        rig__output_bytes(out->output, text, (size_t)(quote - text) + 1);
        rig__output_text(out->output, "\"");
        text = quote + 1;
    }
    rig__output_text(out->output, text);
    rig__output_text(out->output, "\"");
}

/** A text; NULL is an empty cell. A spreadsheet runs text that starts like a formula even when it
 *  is quoted, so an apostrophe goes before it. */
static void put_text(csv *out, const char *text)
{
    const char *cell = rig__output_clean(out->output, text, RIG__CLEAN_CELL);
    if (out->is_guarded && cell[0] != '\0' && strchr("=+-@\t\r", cell[0]) != NULL) {
        cell = rig__output_string(out->output, "'%s", cell);
    }
    put_raw(out, cell, out->is_quoted && cell[0] != '\0');
}

/** A number; NAN and infinity are empty cells. */
static void put_number(csv *out, double value)
{
    char text[32];
    put_raw(out, rig__number_format(text, sizeof(text), value), false);
}

/** A figure of the model with six digits: it is not known to more. */
static void put_figure(csv *out, double value)
{
    char text[32];
    double rounded = (double)NAN;
    if (isfinite(value)) {
        rig__decimal_print(text, sizeof(text), FIGURE_DIGITS, value);
        (void)rig__number_parse(text, strlen(text), &rounded);
    }
    put_number(out, rounded); /* without an exponent where it can be */
}

static void put_bool(csv *out, bool value)
{
    put_raw(out, value ? "true" : "false", false);
}

static void put_names(csv *out, const char *const *names, size_t n_names)
{
    for (size_t i = 0; i < n_names; i++) {
        put_raw(out, names[i], false);
    }
}

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
};

static bool is_lead(const char *name)
{
    for (size_t i = 0; i < N_NAMES(frontier_lead); i++) {
        if (strcmp(frontier_lead[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void put_wide_header(csv *out)
{
    for (size_t i = 0; i < N_NAMES(wide_head); i++) {
        if (!out->has_lead || !is_lead(wide_head[i])) {
            put_raw(out, wide_head[i], false);
        }
    }
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const char *class_name = rig_table_singular((rig_table)i);
        put_raw(out, rig__output_string(out->output, "%s_name", class_name), false);
        put_raw(out, rig__output_string(out->output, "%s_count", class_name), false);
        put_raw(out, rig__output_string(out->output, "%s_price_usd", class_name), false);
    }
    put_names(out, wide_tail, N_NAMES(wide_tail));
}

/** A figure of frontier_lead, unless it stands in front already. */
static void put_lead(csv *out, double value)
{
    if (!out->has_lead) {
        put_figure(out, value);
    }
}

static void put_prediction(csv *out, const rig_build_report *report)
{
    const rig_prediction *prediction = &report->prediction;
    put_lead(out, prediction->images_per_s);
    put_figure(out, prediction->images_per_s_low);
    put_figure(out, prediction->images_per_s_high);
    put_lead(out, prediction->epoch_s);
    put_figure(out, prediction->first_epoch_s);
    put_figure(out, prediction->run_s);
    put_figure(out, report->cost_per_epoch_usd);
    put_figure(out, prediction->energy_kwh_per_epoch);
    put_figure(out, prediction->power_w);
    put_number(out, report->totals.peak_w);
    put_figure(out, prediction->balance_frac);
    if (!out->has_lead) {
        put_text(out, rig_stage_name(prediction->binding));
    }
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        put_figure(out, prediction->stages[i].images_per_s);
    }
    put_figure(out, prediction->gpu_busy_frac);
    put_figure(out, prediction->cpu_busy_frac);
    put_number(out, prediction->batch_per_gpu);
}

static void put_parts(csv *out, const rig_build *build)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *use = &build->parts[i];
        const bool is_there = use->row != NULL && use->count > 0;
        put_text(out, is_there ? use->row->name : NULL);
        put_number(out, is_there ? (double)use->count : (double)NAN);
        put_number(out, is_there ? rig__report_usd(use->row->price.cents) : (double)NAN);
    }
}

/** Classes of the owned parts, separated by ';'. */
static const char *owned_classes(csv *out, const rig_build *build)
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

static void put_wide_tail(csv *out, const rig_result *result, const rig_build_report *report)
{
    const rig_unnamed *unnamed = &report->build.unnamed;
    put_text(out, rig__report_oldest_date(&report->build));
    put_text(out, rig__report_lowest_trust(&report->build));
    put_text(out, result->request.workload.name);
    put_text(out, rig__report_warnings(out->output, result, report));
    put_text(out, rig__report_hash(out->output, result));
    put_text(out, RIG_VERSION_STRING);
    put_text(out, owned_classes(out, &report->build));
    put_number(out, unnamed->cores);
    put_number(out, unnamed->core_speed);
    put_number(out, unnamed->ram_gb);
    put_number(out, unnamed->drive_gbs);
    put_number(out, unnamed->drive_iops);
    put_number(out, unnamed->workers);
}

/** The columns of one build, without the end of the row. */
static void put_wide_row(csv *out, const rig_result *result, size_t index, bool is_prediction)
{
    const rig_build_report *report = &result->builds[index];
    put_number(out, rig__report_place(result, index));
    put_text(out, rig__report_status(result, is_prediction));
    put_figure(out, is_prediction ? (double)NAN : result->proof.gap_frac);
    put_text(out, is_prediction ? NULL : rig_objective_name(result->request.objective));
    if (!out->has_lead) {
        put_number(out, rig__report_usd(report->price_cents));
    }
    put_number(out, rig__report_budget_usd(&result->request));
    put_prediction(out, report);
    put_parts(out, &report->build);
    put_wide_tail(out, result, report);
}

static void put_wide(csv *out, const rig_result *result, bool is_prediction)
{
    put_wide_header(out);
    end_row(out);
    for (size_t i = 0; i < result->n_builds; i++) {
        put_wide_row(out, result, i, is_prediction);
        end_row(out);
    }
}

/** A row per point: the lead, the other columns of a build, what changed. */
static void put_frontier(csv *out, const rig_result *result)
{
    put_names(out, frontier_lead, N_NAMES(frontier_lead));
    out->has_lead = true;
    put_wide_header(out);
    put_raw(out, "comment", false);
    end_row(out);
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *report = &result->builds[i];
        put_number(out, rig__report_usd(report->price_cents));
        put_figure(out, report->prediction.images_per_s);
        put_figure(out, report->prediction.epoch_s);
        put_text(out, rig_stage_name(report->prediction.binding));
        put_wide_row(out, result, i, false);
        put_text(out, report->comment);
        end_row(out);
    }
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
};

static void put_long(csv *out, const rig_result *result)
{
    put_names(out, long_names, N_NAMES(long_names));
    end_row(out);
    for (size_t i = 0; i < result->n_builds; i++) {
        for (size_t j = 0; j < RIG_N_BUILD_CLASSES; j++) {
            const rig_part_use *use = &result->builds[i].build.parts[j];
            if (use->row == NULL || use->count < 1) {
                continue;
            }
            const rig_price *price = &use->row->price;
            put_number(out, rig__report_place(result, i));
            put_text(out, rig_table_singular((rig_table)j));
            put_text(out, use->row->name);
            put_number(out, use->count);
            put_number(out, rig__report_usd(price->cents));
            put_number(out, rig__report_usd(rig__report_line_cents(use)));
            put_text(out, price->kind);
            put_text(out, price->cents < 0 ? NULL : rig__report_trust(price->trust));
            put_text(out, price->date);
            put_text(out, price->source);
            put_bool(out, use->is_owned);
            end_row(out);
        }
    }
}

static void write_result(rig__output *output, const rig_result *result, bool is_prediction)
{
    csv out = csv_begin(output);
    if (output->options->is_long) {
        put_long(&out, result);
    } else {
        put_wide(&out, result, is_prediction);
    }
}

static void write_frontier(rig__output *output, const rig_result *result, int64_t from_cents)
{
    (void)from_cents;
    csv out = csv_begin(output);
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
    csv out = csv_begin(output);
    put_names(&out, names, N_NAMES(names));
    end_row(&out);
    for (size_t i = 0; i < requirements->n_items; i++) {
        const rig_requirement *item = &requirements->items[i];
        const rig_row *row = item->cheapest.row;
        put_figure(&out, requirements->target_images_per_s);
        put_figure(&out, requirements->epoch_s);
        put_text(&out, rig_stage_name(item->stage));
        put_text(&out, item->what);
        put_text(&out, item->unit);
        put_figure(&out, item->need);
        put_figure(&out, item->need_first_epoch);
        if (isnan(item->need)) {
            put_text(&out, NULL);
        } else {
            put_bool(&out, !isinf(item->need));
        }
        put_text(&out, row == NULL ? NULL : rig_table_singular(row->table));
        put_text(&out, row == NULL ? NULL : row->name);
        put_number(&out, row == NULL ? (double)NAN : (double)item->cheapest.count);
        put_number(&out, row == NULL ? (double)NAN : rig__report_usd(item->price_cents));
        put_text(&out, item->comment);
        end_row(&out);
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
    csv out = csv_begin(output);
    for (size_t i = 0; i < n_columns; i++) {
        put_text(&out, columns[i].name);
    }
    end_row(&out);
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++) {
            const rig_column *column = columns[j].column;
            if (column == NULL) {
                put_text(&out, rows[i]->name);
            } else if (rig__report_is_text(column)) {
                put_text(&out, rig_row_text(rows[i], column));
            } else {
                put_number(&out, rig_row_number(rows[i], column));
            }
        }
        end_row(&out);
    }
}

const rig__writer rig__csv_writer = {
    .name = "csv",
    .write_result = write_result,
    .write_frontier = write_frontier,
    .write_requirements = write_requirements,
    .write_rows = write_rows,
};
