/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calibrations as table, CSV, Markdown and HTML. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/calibration_figures.h"
#include "report/csv_cells.h"
#include "report/figures.h"
#include "report/sheet.h"
#include "report/validation_figures.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

/* Rows that people are shown. */
#define CHANGES_SHOWN 10
#define CONTRADICTIONS_SHOWN 10

const char *rig__calibration_table(rig_profile_table table)
{
    static const char *const words[RIG_N_PROFILE_TABLES] = {
#define RIG__TABLE_WORD(enumerator, word, catalog_table, column) word,
        RIG_PROFILE_TABLE_MAP(RIG__TABLE_WORD)
#undef RIG__TABLE_WORD
    };
    return words[table];
}

const char *rig__calibration_place(rig__output *output, const rig_measurement *row)
{
    return rig__output_string(output, "%s:%ld", row->file, row->line);
}

/* ---- for people ----------------------------------------------------------------------------- */

static const char *error_text(rig__output *output, const rig_score *score)
{
    if (score->rows == 0) {
        return "";
    }
    return rig__output_string(output,
                              "%s mean, %s median, %s bias",
                              rig__validation_percent(output, score->mape_frac),
                              rig__validation_percent(output, score->median_ape_frac),
                              rig__validation_bias(output, score->bias_frac));
}

static const char *held_out_text(rig__output *output, const rig_calibration_report *calibration)
{
    const rig_validation *const held_out = calibration->held_out;
    if (held_out == NULL || held_out->score.rows == 0) {
        return "";
    }
    const bool is_by_row = strcmp(held_out->left_out, "row") == 0;
    return rig__output_string(
        output,
        "%s with these rows, %s without (%s, each %s left out of the fit in turn)",
        rig__validation_percent(output, held_out->score.mape_frac),
        rig__validation_percent(output, calibration->held_out_start.mape_frac),
        rig__report_count(output, (double)held_out->score.rows, "row"),
        is_by_row ? "row" : held_out->left_out);
}

static void fill_facts(rig__sheet *sheet, const rig_calibration_report *calibration)
{
    rig__output *const output = sheet->output;
    const rig_validation *const start = calibration->start;
    size_t index = 0;
    const char *label = "Skipped";
    while (index < start->n_skips) {
        size_t count = 0;
        const char *const reason = start->skips[index].reason;
        const char *const names = rig__validation_skip(output, start, &index, &count);
        const char *const colon = names[0] == '\0' ? "" : ": ";
        if (sheet->n_facts < RIG__SHEET_FACTS - 5) { /* room for those below */
            rig__sheet_fact(sheet,
                            label,
                            rig__output_string(output, "%zu: %s%s%s", count, reason, colon, names));
        }
        label = "";
    }
    rig__sheet_fact(
        sheet,
        "Profile",
        rig__output_string(output,
                           "%s, %s",
                           calibration->profile_path == NULL ? "standard output"
                                                             : calibration->profile_path,
                           rig__report_count(output, (double)calibration->n_figures, "figure")));
    rig__sheet_fact(sheet, "Error before", error_text(output, &start->score));
    rig__sheet_fact(sheet, "Error after", error_text(output, &calibration->after->score));
    rig__sheet_fact(sheet, "Held out", held_out_text(output, calibration));
}

static const char *figure(rig__output *output, double value)
{
    return isnan(value) ? "" : rig__output_string(output, "%.4g", value);
}

static void add_changes(rig__sheet *sheet, const rig_calibration_report *calibration)
{
    static const rig__grid_column columns[] = {{"Table", false, false},
                                               {"Figure", false, true},
                                               {"Before", true, false},
                                               {"After", true, false},
                                               {"+-", true, false},
                                               {"Rows", true, false}};
    rig__output *const output = sheet->output;
    rig__sheet_table *const table = rig__sheet_table_begin(
        sheet, "Figures that changed most", columns, N_ITEMS(columns), CHANGES_SHOWN);
    for (size_t i = 0; i < calibration->n_changes && i < CHANGES_SHOWN; i++) {
        const rig_figure_change *const change = &calibration->changes[i];
        const rig_profile_entry *const entry = change->entry;
        const char *const cells[N_ITEMS(columns)] = {
            rig__calibration_table(entry->table),
            entry->name,
            isnan(change->before) ? "new" : figure(output, change->before),
            figure(output, entry->value),
            rig__validation_percent(output, entry->log_sd),
            isnan(entry->rows) ? "" : rig__report_number(output, entry->rows)};
        rig__sheet_row(table, cells);
    }
    if (table != NULL && calibration->n_changes > CHANGES_SHOWN) {
        table->n_left_out = calibration->n_changes - CHANGES_SHOWN;
    }
}

static void add_contradictions(rig__sheet *sheet, const rig_calibration_report *calibration)
{
    static const rig__grid_column columns[] = {{"Row", false, true},
                                               {"Measured", true, false},
                                               {"Predicted", true, false},
                                               {"Off", true, false}};
    rig__output *const output = sheet->output;
    rig__sheet_table *const table = rig__sheet_table_begin(
        sheet, "Rows that contradict the others", columns, N_ITEMS(columns), CONTRADICTIONS_SHOWN);
    for (size_t i = 0; i < calibration->n_contradictions && i < CONTRADICTIONS_SHOWN; i++) {
        const rig_residual *const residual = calibration->contradictions[i];
        const double off_frac = exp(residual->log_ratio) - 1.0;
        const char *const cells[N_ITEMS(columns)] = {
            rig__calibration_place(output, residual->row),
            figure(output, residual->row->observed_images_per_s),
            figure(output, residual->predicted_images_per_s),
            rig__validation_bias(output, off_frac)};
        rig__sheet_row(table, cells);
    }
    if (table != NULL && calibration->n_contradictions > CONTRADICTIONS_SHOWN) {
        table->n_left_out = calibration->n_contradictions - CONTRADICTIONS_SHOWN;
    }
}

static void write_sheet(rig__output *output, const rig_calibration_report *calibration)
{
    rig__sheet sheet = {.output = output};
    sheet.title =
        rig__output_string(output,
                           "Model fitted to %s of %s measurements",
                           rig__report_number(output, (double)calibration->start->n_used),
                           rig__report_number(output, (double)calibration->start->n_read));
    fill_facts(&sheet, calibration);
    add_changes(&sheet, calibration);
    add_contradictions(&sheet, calibration);
    rig__sheet_write(&sheet);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void
csv_error(rig__csv *out, const char *name, const rig_score *before, const rig_score *after)
{
    rig__csv_text(out, "error");
    rig__csv_text(out, NULL);
    rig__csv_text(out, name);
    rig__csv_number(out, before->mape_frac);
    rig__csv_number(out, after->mape_frac);
    rig__csv_text(out, NULL);
    rig__csv_number(out, (double)after->rows);
    rig__csv_end_row(out);
}

static void write_csv(rig__output *output, const rig_calibration_report *calibration)
{
    static const char *const names[] = {
        "section", "table", "name", "before", "after", "log_sd", "rows"};
    rig__csv out = rig__csv_begin(output);
    rig__csv_names(&out, names, N_ITEMS(names));
    rig__csv_end_row(&out);
    csv_error(&out, "fitted rows", &calibration->start->score, &calibration->after->score);
    if (calibration->held_out != NULL) {
        csv_error(
            &out, "rows held out", &calibration->held_out_start, &calibration->held_out->score);
    }
    for (size_t i = 0; i < calibration->n_changes; i++) {
        const rig_figure_change *const change = &calibration->changes[i];
        rig__csv_text(&out, "figure");
        rig__csv_text(&out, rig__calibration_table(change->entry->table));
        rig__csv_text(&out, change->entry->name);
        rig__csv_number(&out, change->before);
        rig__csv_number(&out, change->entry->value);
        rig__csv_number(&out, change->entry->log_sd);
        rig__csv_number(&out, change->entry->rows);
        rig__csv_end_row(&out);
    }
    for (size_t i = 0; i < calibration->n_contradictions; i++) {
        const rig_residual *const residual = calibration->contradictions[i];
        rig__csv_text(&out, "contradiction");
        rig__csv_text(&out, NULL);
        rig__csv_text(&out, rig__calibration_place(output, residual->row));
        rig__csv_number(&out, residual->row->observed_images_per_s);
        rig__csv_figure(&out, residual->predicted_images_per_s);
        rig__csv_text(&out, NULL);
        rig__csv_text(&out, NULL);
        rig__csv_end_row(&out);
    }
}

rig_status rig_report_calibration(const rig_calibration_report *calibration,
                                  const rig_report_options *options,
                                  rig_write_sink sink,
                                  void *payload,
                                  rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    if (options->format == RIG_FORMAT_CSV) {
        write_csv(&output, calibration);
    } else if (options->format == RIG_FORMAT_JSON) {
        rig__json_calibration(&output, calibration);
    } else {
        write_sheet(&output, calibration);
    }
    return rig__output_finish(&output, err);
}
