/* SPDX-License-Identifier: GPL-3.0-or-later
 * Imports of a market as table, CSV, Markdown and HTML, and the tables of the new catalogue. */
#include "report/market_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/csv_cells.h"
#include "report/figures.h"
#include "report/sheet.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

/* ---- a table of the catalogue --------------------------------------------------------------- */

rig_status rig_report_market_table(const rig_market *market,
                                   rig_table table,
                                   const rig_report_options *options,
                                   rig_write_sink sink,
                                   void *payload,
                                   rig_error *err)
{
    rig__output output;
    rig_report_options plain = *options;
    plain.no_csv_guard = true; /* names are keys: they must stay as they are */
    plain.is_excel = false;
    RIG_TRY(rig__output_init(&output, &plain, sink, payload, err));
    rig__csv out = rig__csv_begin(&output);
    const rig_market_table *const from = &market->tables[table];
    const size_t n_columns = rig_column_count(table);
    for (size_t k = 0; k < n_columns; k++) {
        rig__csv_text(&out, rig_column_at(table, k)->name);
    }
    rig__csv_end_row(&out);
    for (size_t i = 0; i < from->n_rows; i++) {
        for (size_t k = 0; k < n_columns; k++) {
            rig__csv_text(&out, from->rows[i][k]);
        }
        rig__csv_end_row(&out);
    }
    return rig__output_finish(&output, err);
}

/* ---- what was left out ---------------------------------------------------------------------- */

static int compare_drops(const void *a, const void *b)
{
    const rig_market_drop *const x = *(const rig_market_drop *const *)a;
    const rig_market_drop *const y = *(const rig_market_drop *const *)b;
    return x->table != y->table ? (x->table < y->table ? -1 : 1) : strcmp(x->reason, y->reason);
}

static int compare_counts(const void *a, const void *b)
{
    const rig__drop_count *const x = a, *const y = b;
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return x->table != y->table ? (x->table < y->table ? -1 : 1) : strcmp(x->reason, y->reason);
}

const rig__drop_count *
rig__market_reasons(rig__output *output, const rig_market *market, size_t *n_out)
{
    const size_t n = market->n_drops;
    const rig_market_drop **const drops =
        rig__arena_alloc(output->arena, n, sizeof(const rig_market_drop *));
    rig__drop_count *const counts = rig__arena_alloc(output->arena, n, sizeof *counts);
    *n_out = 0;
    if (drops == NULL || counts == NULL) {
        output->is_nomem = true;
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        drops[i] = &market->drops[i];
    }
    if (n > 0) {
        qsort(drops, n, sizeof *drops, compare_drops);
    }
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_drops(&drops[i - 1], &drops[i]) != 0) {
            counts[(*n_out)++] =
                (rig__drop_count){.table = drops[i]->table, .reason = drops[i]->reason};
        }
        counts[*n_out - 1].count++;
    }
    if (*n_out > 0) {
        qsort(counts, *n_out, sizeof *counts, compare_counts);
    }
    return counts;
}

/* ---- for people ----------------------------------------------------------------------------- */

static void add_classes(rig__sheet *sheet, const rig_market *market)
{
    static const rig__grid_column columns[] = {{"Class", false, false},
                                               {"Listed", true, false},
                                               {"Rows", true, false},
                                               {"Dearer", true, false},
                                               {"Left out", true, false},
                                               {"New", true, false},
                                               {"Repriced", true, false},
                                               {"Same", true, false},
                                               {"Gone", true, false}};
    rig__output *const output = sheet->output;
    rig__sheet_table *const table =
        rig__sheet_table_begin(sheet, "By class", columns, N_ITEMS(columns), RIG_N_TABLES);
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        const rig_market_table *const from = &market->tables[t];
        const double figures[] = {(double)from->n_listed,
                                  (double)from->n_rows,
                                  (double)from->n_folded,
                                  (double)from->n_dropped,
                                  (double)from->n_new,
                                  (double)from->n_repriced,
                                  (double)from->n_same,
                                  (double)from->n_gone};
        const char *cells[N_ITEMS(columns)] = {rig_table_singular((rig_table)t)};
        for (size_t k = 0; k < N_ITEMS(figures); k++) {
            cells[k + 1] = rig__report_number(output, figures[k]);
        }
        if (from->n_listed + from->n_gone > 0) {
            rig__sheet_row(table, cells);
        }
    }
}

static void add_reasons(rig__sheet *sheet, const rig_market *market)
{
    static const rig__grid_column columns[] = {
        {"Class", false, false}, {"Reason", false, true}, {"Left out", true, false}};
    rig__output *const output = sheet->output;
    size_t n = 0;
    const rig__drop_count *const counts = rig__market_reasons(output, market, &n);
    rig__sheet_table *const table =
        rig__sheet_table_begin(sheet, "Left out, by reason", columns, N_ITEMS(columns), n);
    for (size_t i = 0; i < n; i++) {
        const char *const cells[N_ITEMS(columns)] = {
            rig_table_singular(counts[i].table),
            counts[i].reason,
            rig__report_number(output, (double)counts[i].count)};
        rig__sheet_row(table, cells);
    }
}

static void write_sheet(rig__output *output, const rig_market *market)
{
    rig__sheet sheet = {.output = output, .title = "Market imported"};
    size_t n_rows = 0;
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        n_rows += market->tables[t].n_rows;
    }
    rig__sheet_fact(&sheet,
                    "Read",
                    rig__output_string(output,
                                       "%s, %s of them specifications, %s broken",
                                       rig__report_count(output, (double)market->n_lines, "line"),
                                       rig__report_number(output, (double)market->n_specs),
                                       rig__report_number(output, (double)market->n_broken)));
    rig__sheet_fact(&sheet, "Written", rig__report_count(output, (double)n_rows, "part"));
    add_classes(&sheet, market);
    add_reasons(&sheet, market);
    rig__sheet_write(&sheet);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void write_csv(rig__output *output, const rig_market *market)
{
    static const char *const names[] = {"class", "reason", "detail", "name", "file", "line"};
    rig__csv out = rig__csv_begin(output);
    rig__csv_names(&out, names, N_ITEMS(names));
    rig__csv_end_row(&out);
    for (size_t i = 0; i < market->n_drops; i++) {
        const rig_market_drop *const drop = &market->drops[i];
        rig__csv_text(&out, rig_table_singular(drop->table));
        rig__csv_text(&out, drop->reason);
        rig__csv_text(&out, drop->detail);
        rig__csv_text(&out, drop->name);
        rig__csv_text(&out, drop->file);
        rig__csv_number(&out, (double)drop->line);
        rig__csv_end_row(&out);
    }
}

rig_status rig_report_market(const rig_market *market,
                             const rig_report_options *options,
                             rig_write_sink sink,
                             void *payload,
                             rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    if (options->format == RIG_FORMAT_CSV) {
        write_csv(&output, market);
    } else if (options->format == RIG_FORMAT_JSON) {
        rig__json_market(&output, market);
    } else {
        write_sheet(&output, market);
    }
    return rig__output_finish(&output, err);
}
