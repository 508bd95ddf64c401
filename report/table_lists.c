/* SPDX-License-Identifier: GPL-3.0-or-later
 * Listings for a terminal: requirements and catalogue rows. */
#include "report/table_lists.h"

#include <math.h>

#include "report/figures.h"
#include "report/grid.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

/* ---- requirements --------------------------------------------------------------------------- */

/** Part that meets a requirement; a remark stands for it when there is none, else is numbered and
 *  written below the table. */
static const char *part_text(rig__output *output, const rig_requirement *item, size_t *n_notes)
{
    const char *remark = rig__output_clean(output, item->comment, RIG__CLEAN_LINE);
    if (item->cheapest.row == NULL) {
        return item->comment == NULL ? "none in the catalogue" : remark;
    }
    const char *part = rig__report_uses(output, &item->cheapest, RIG__CLEAN_LINE);
    if (item->comment == NULL) {
        return part;
    }
    ++*n_notes;
    return rig__output_string(output, "%s (%zu)", part, *n_notes);
}

static void write_notes(rig__output *output, const rig_requirements *requirements)
{
    size_t n_notes = 0;
    for (size_t i = 0; i < requirements->n_items; i++) {
        const rig_requirement *item = &requirements->items[i];
        if (item->cheapest.row == NULL || item->comment == NULL) {
            continue;
        }
        n_notes++;
        rig__output_text(output, n_notes == 1 ? "\n" : "");
        rig__grid_item(output,
                       n_notes == 1 ? "Notes" : "",
                       rig__output_string(output, "(%zu) ", n_notes),
                       rig__output_clean(output, item->comment, RIG__CLEAN_LINE),
                       RIG__COLOUR_NONE);
    }
}

static void add_first_epoch(rig__grid *grid, const rig_requirement *item)
{
    const char *cells[] = {
        "",
        "in the first epoch",
        rig__report_need(grid->output, item->need_first_epoch, item->unit),
        "",
        "",
    };
    rig__grid_add(grid, cells, RIG__COLOUR_NONE);
}

void rig__table_requirement_grid(rig__output *output, const rig_requirements *requirements)
{
    static const rig__grid_column columns[] = {
        {"STAGE", false, false},
        {"WHAT", false, true},
        {"NEED", true, false},
        {"CHEAPEST THAT DOES", false, true},
        {"USD", true, false},
    };
    rig__grid grid = rig__grid_new(output, columns, N_ITEMS(columns));
    size_t n_notes = 0;
    for (size_t i = 0; i < requirements->n_items; i++) {
        const rig_requirement *item = &requirements->items[i];
        const bool is_met = item->cheapest.row != NULL;
        const char *cells[] = {
            rig_stage_name(item->stage),
            item->what,
            rig__report_need(output, item->need, item->unit),
            part_text(output, item, &n_notes),
            is_met ? rig__report_amount(output, item->price_cents) : "",
        };
        rig__grid_add(&grid, cells, isinf(item->need) ? RIG__COLOUR_BAD : RIG__COLOUR_NONE);
        if (!isnan(item->need_first_epoch)) {
            add_first_epoch(&grid, item);
        }
    }
    rig__grid_write(&grid);
    write_notes(output, requirements);
}

/* ---- catalogue rows ------------------------------------------------------------------------- */

/** Value of a cell for people; "" when unknown. */
static const char *cell(rig__output *output, const rig_row *row, const rig__report_column *column)
{
    if (column->column == NULL) {
        return rig__output_clean(output, row->name, RIG__CLEAN_LINE);
    }
    if (rig__report_is_text(column->column)) {
        return rig__output_clean(output, rig_row_text(row, column->column), RIG__CLEAN_LINE);
    }
    const double value = rig_row_number(row, column->column);
    if (!isfinite(value)) {
        return "";
    }
    if (column->column->type == RIG_COLUMN_MONEY && fabs(value) < 1e12) {
        return rig__report_amount(output, llround(value * 100.0));
    }
    return rig__report_exact(output, value);
}

/** Name with its unit in full; in tables across, the suffix of the name has to do. */
static const char *header(rig__output *output, const rig__report_column *column)
{
    const char *unit = column->column == NULL ? NULL : column->column->unit;
    return unit == NULL || unit[0] == '\0'
               ? rig__output_clean(output, column->name, RIG__CLEAN_LINE)
               : rig__output_string(output, "%s [%s]", column->name, unit);
}

static void write_downwards(rig__output *output,
                            const rig_row *row,
                            const rig__report_column *columns,
                            size_t n_columns)
{
    static const rig__grid_column grid_columns[] = {
        {"COLUMN", false, false},
        {"VALUE", false, true},
    };
    rig__grid grid = rig__grid_new(output, grid_columns, N_ITEMS(grid_columns));
    for (size_t i = 0; i < n_columns; i++) {
        const char *value = cell(output, row, &columns[i]);
        const char *cells[] = {
            header(output, &columns[i]),
            value[0] == '\0' ? "unknown" : value,
        };
        rig__grid_add(&grid, cells, RIG__COLOUR_NONE);
    }
    rig__grid_write(&grid);
}

/** Width of a column over all rows. */
static size_t column_width(rig__output *output,
                           const rig_row *const *rows,
                           size_t n_rows,
                           const rig__report_column *column)
{
    size_t widest = rig__output_width(column->name);
    for (size_t i = 0; i < n_rows; i++) {
        const size_t width = rig__output_width(cell(output, rows[i], column));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* The name may be broken into lines down to this width to make room for figures. */
#define NAME_WIDTH 30
#define SEPARATOR_WIDTH 2

/** Picks the columns to show: the name, the price, then the others in order as long as they fit.
 *  @return how many */
static size_t choose(rig__output *output,
                     const rig_row *const *rows,
                     size_t n_rows,
                     const rig__report_column *columns,
                     size_t n_columns,
                     size_t *chosen)
{
    const int width = output->options->width;
    const size_t budget = width > 0 ? (size_t)width : SIZE_MAX;
    bool is_chosen[RIG__GRID_COLUMNS] = {false};
    size_t used = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n_columns; i++) {
            const bool is_first =
                columns[i].column == NULL || columns[i].column->type == RIG_COLUMN_MONEY;
            if (is_chosen[i] || is_first != (pass == 0)) {
                continue;
            }
            size_t needed = column_width(output, rows, n_rows, &columns[i]) + SEPARATOR_WIDTH;
            if (columns[i].column == NULL && needed > NAME_WIDTH) {
                needed = NAME_WIDTH;
            }
            is_chosen[i] = is_first || used + needed <= budget + SEPARATOR_WIDTH;
            used += is_chosen[i] ? needed : 0;
        }
    }
    size_t n = 0;
    for (size_t i = 0; i < n_columns; i++) {
        if (is_chosen[i]) {
            chosen[n++] = i;
        }
    }
    return n;
}

static void write_across(rig__output *output,
                         const rig_row *const *rows,
                         size_t n_rows,
                         const rig__report_column *columns,
                         const size_t *chosen,
                         size_t n_chosen)
{
    rig__grid_column grid_columns[RIG__GRID_COLUMNS];
    for (size_t i = 0; i < n_chosen; i++) {
        const rig__report_column *column = &columns[chosen[i]];
        const bool is_text = column->column == NULL || rig__report_is_text(column->column);
        grid_columns[i] = (rig__grid_column){
            rig__output_clean(output, column->name, RIG__CLEAN_LINE), !is_text, is_text};
    }
    rig__grid grid = rig__grid_new(output, grid_columns, n_chosen);
    for (size_t i = 0; i < n_rows; i++) {
        const char *cells[RIG__GRID_COLUMNS];
        for (size_t j = 0; j < n_chosen; j++) {
            cells[j] = cell(output, rows[i], &columns[chosen[j]]);
        }
        rig__grid_add(&grid, cells, RIG__COLOUR_NONE);
    }
    rig__grid_write(&grid);
}

void rig__table_rows(rig__output *output,
                     const rig_row *const *rows,
                     size_t n_rows,
                     const rig__report_column *columns,
                     size_t n_columns,
                     bool is_all_columns)
{
    if (n_rows == 0) {
        rig__output_text(output, "no rows\n");
        return;
    }
    if (n_rows == 1 && is_all_columns) {
        write_downwards(output, rows[0], columns, n_columns);
        return;
    }
    const size_t n_known = n_columns < RIG__GRID_COLUMNS ? n_columns : RIG__GRID_COLUMNS;
    size_t chosen[RIG__GRID_COLUMNS];
    size_t n_chosen = n_known;
    for (size_t i = 0; i < n_known; i++) {
        chosen[i] = i;
    }
    if (is_all_columns) {
        n_chosen = choose(output, rows, n_rows, columns, n_known, chosen);
    }
    write_across(output, rows, n_rows, columns, chosen, n_chosen);
    if (n_chosen < n_columns) {
        const size_t n_hidden = n_columns - n_chosen;
        rig__output_format(
            output, "\n%zu more column%s not shown\n", n_hidden, n_hidden == 1 ? " is" : "s are");
    }
}
