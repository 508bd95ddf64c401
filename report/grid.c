/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables and paragraphs for a terminal of a given width; the only user of libsmartcols. */
#include "report/grid.h"

#include <assert.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR "  "
#define SEPARATOR_WIDTH 2
#define NARROWEST 14   /* a flexible column is not made narrower */
#define LABEL_WIDTH 14 /* of the fields below each other */

rig__grid rig__grid_new(rig__output *output, const rig__grid_column *columns, size_t n_columns)
{
    assert(n_columns <= RIG__GRID_COLUMNS);
    const rig__grid grid = {.output = output, .columns = columns, .n_columns = n_columns};
    return grid;
}

/** Makes room for one more row. The old array stays in the arena, at most as much again. */
static bool grow(rig__grid *grid)
{
    if (grid->n_rows < grid->cap_rows) {
        return true;
    }
    const size_t cap = grid->cap_rows == 0 ? 16 : grid->cap_rows * 2;
    const char ***rows = rig__arena_alloc(grid->output->arena, cap, sizeof(*rows));
    if (rows == NULL) {
        grid->output->is_nomem = true;
        return false;
    }
    if (grid->n_rows > 0) {
        memcpy(rows, grid->rows, grid->n_rows * sizeof(*rows));
    }
    grid->rows = rows;
    grid->cap_rows = cap;
    return true;
}

void rig__grid_add(rig__grid *grid, const char *const *cells, const char *colour)
{
    if (!grow(grid)) {
        return;
    }
    const char **row = rig__arena_alloc(grid->output->arena, grid->n_columns + 1, sizeof(*row));
    if (row == NULL) {
        grid->output->is_nomem = true;
        return;
    }
    for (size_t i = 0; i < grid->n_columns; i++) {
        row[i] = cells[i] == NULL ? "" : cells[i];
    }
    row[grid->n_columns] = colour;
    grid->rows[grid->n_rows++] = row;
}

/* ---- line breaking -------------------------------------------------------------------------- */

/** Bytes of the longest start of a text of at most width characters. */
static size_t bytes_within(const char *text, size_t width)
{
    size_t i = 0;
    while (text[i] != '\0') {
        const bool is_start = ((unsigned char)text[i] & 0xC0U) != 0x80U;
        if (is_start && width-- == 0) {
            break;
        }
        i++;
    }
    return i;
}

/** Bytes of the next line: up to the last blank that fits, else all that fits. */
static size_t line_length(const char *text, size_t width)
{
    const size_t fits = bytes_within(text, width);
    if (text[fits] == '\0' || text[fits] == ' ') {
        return fits;
    }
    for (size_t i = fits; i > 0; i--) {
        if (text[i] == ' ') {
            return i;
        }
    }
    return fits > 0 ? fits : bytes_within(text, 1);
}

/** Appends the lines of a text to a place that holds them, each break followed by the indent. */
static void wrap_into(char *out, const char *text, size_t width, size_t indent)
{
    while (*text != '\0') {
        const size_t length = line_length(text, width);
        const char *line = out;
        memcpy(out, text, length);
        out += length;
        text += length;
        while (out > line && out[-1] == ' ') {
            out--;
        }
        while (*text == ' ') {
            text++;
        }
        if (*text != '\0') {
            *out++ = '\n';
            memset(out, ' ', indent);
            out += indent;
        }
    }
    *out = '\0';
}

static const char *wrap_indented(rig__output *output, const char *text, size_t width, size_t indent)
{
    if (rig__output_width(text) <= width) {
        return text;
    }
    char *out = rig__arena_alloc(output->arena, strlen(text) + 1, indent + 2);
    if (out == NULL) {
        output->is_nomem = true;
        return "";
    }
    wrap_into(out, text, width, indent);
    return out;
}

const char *rig__grid_wrap(rig__output *output, const char *text, size_t width)
{
    return wrap_indented(output, text, width == 0 ? 1 : width, 0);
}

static void put_coloured(rig__output *output, const char *text, const char *colour)
{
    const bool is_coloured = output->options->use_colour && colour[0] != '\0';
    rig__output_text(output, is_coloured ? colour : "");
    rig__output_text(output, text);
    rig__output_text(output, is_coloured ? RIG__COLOUR_END : "");
}

/** Room for text after an indent; unlimited when the width is 0. */
static size_t room(const rig__output *output, size_t indent)
{
    const int width = output->options->width;
    if (width <= 0) {
        return SIZE_MAX;
    }
    return (size_t)width > indent + NARROWEST ? (size_t)width - indent : NARROWEST;
}

void rig__grid_item(
    rig__output *output, const char *label, const char *sign, const char *text, const char *colour)
{
    const size_t indent = LABEL_WIDTH + rig__output_width(sign);
    rig__output_format(output, "%-*s", LABEL_WIDTH, label);
    put_coloured(
        output,
        rig__output_string(
            output, "%s%s", sign, wrap_indented(output, text, room(output, indent), indent)),
        colour);
    rig__output_text(output, "\n");
}

void rig__grid_field(rig__output *output, const char *label, const char *text, const char *colour)
{
    rig__grid_item(output, label, "", text, colour);
}

void rig__grid_paragraph(rig__output *output, const char *text, const char *colour)
{
    put_coloured(output, wrap_indented(output, text, room(output, 0), 0), colour);
    rig__output_text(output, "\n");
}

/* ---- tables --------------------------------------------------------------------------------- */

/** Natural widths of the columns. @return of the whole table */
static size_t measure(const rig__grid *grid, size_t *widths)
{
    size_t total = 0;
    for (size_t i = 0; i < grid->n_columns; i++) {
        widths[i] = rig__output_width(grid->columns[i].header);
        for (size_t j = 0; j < grid->n_rows; j++) {
            const size_t width = rig__output_width(grid->rows[j][i]);
            widths[i] = width > widths[i] ? width : widths[i];
        }
        total += widths[i] + (i > 0 ? SEPARATOR_WIDTH : 0);
    }
    return total;
}

/** Narrows the widest flexible column, one character at a time, until the table fits. */
static void fit(const rig__grid *grid, size_t *widths, size_t total, size_t width)
{
    while (total > width) {
        size_t widest = SIZE_MAX;
        for (size_t i = 0; i < grid->n_columns; i++) {
            if (grid->columns[i].is_flexible && widths[i] > NARROWEST &&
                (widest == SIZE_MAX || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest == SIZE_MAX) {
            return; /* nothing left to narrow: the terminal breaks the lines */
        }
        widths[widest]--;
        total--;
    }
}

/** Longest line of a column once its texts are broken. */
static size_t broken_width(const rig__grid *grid, size_t column, size_t width)
{
    size_t longest = rig__output_width(grid->columns[column].header);
    for (size_t i = 0; i < grid->n_rows; i++) {
        const char *line = rig__grid_wrap(grid->output, grid->rows[i][column], width);
        while (*line != '\0') {
            const size_t n_bytes = strcspn(line, "\n");
            size_t length = 0;
            for (size_t j = 0; j < n_bytes; j++) {
                length += ((unsigned char)line[j] & 0xC0U) != 0x80U;
            }
            longest = length > longest ? length : longest;
            line += n_bytes + (line[n_bytes] == '\n');
        }
    }
    return longest;
}

/** Gives what broken columns leave unused to those that were narrowed. */
static void share_rest(const rig__grid *grid, const size_t *natural, size_t *widths)
{
    size_t rest = 0;
    for (size_t i = 0; i < grid->n_columns; i++) {
        if (grid->columns[i].is_flexible && widths[i] < natural[i]) {
            const size_t used = broken_width(grid, i, widths[i]);
            rest += used < widths[i] ? widths[i] - used : 0;
            widths[i] = used < widths[i] ? used : widths[i];
        }
    }
    for (size_t i = 0; i < grid->n_columns && rest > 0; i++) {
        if (grid->columns[i].is_flexible && widths[i] < natural[i]) {
            const size_t wanted = natural[i] - widths[i];
            const size_t more = wanted < rest ? wanted : rest;
            widths[i] += more;
            rest -= more;
        }
    }
}

static bool add_columns(const rig__grid *grid, struct libscols_table *table)
{
    for (size_t i = 0; i < grid->n_columns; i++) {
        const rig__grid_column *column = &grid->columns[i];
        const int flags =
            (column->is_right ? SCOLS_FL_RIGHT : 0) | (column->is_flexible ? SCOLS_FL_WRAP : 0);
        struct libscols_column *added = scols_table_new_column(table, column->header, 0, flags);
        if (added == NULL) {
            return false;
        }
        if (column->is_flexible &&
            (scols_column_set_wrapfunc(
                 added, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL) != 0 ||
             scols_column_set_safechars(added, "\n") != 0)) {
            return false;
        }
    }
    return true;
}

static bool add_row(const rig__grid *grid,
                    struct libscols_table *table,
                    const size_t *widths,
                    const char *const *row)
{
    struct libscols_line *line = scols_table_new_line(table, NULL);
    if (line == NULL) {
        return false;
    }
    for (size_t i = 0; i < grid->n_columns; i++) {
        const char *text =
            grid->columns[i].is_flexible ? rig__grid_wrap(grid->output, row[i], widths[i]) : row[i];
        if (scols_line_set_data(line, i, text) != 0) {
            return false;
        }
    }
    const char *colour = row[grid->n_columns];
    return colour[0] == '\0' || scols_line_set_color(line, colour) == 0;
}

static bool fill(const rig__grid *grid, struct libscols_table *table)
{
    size_t widths[RIG__GRID_COLUMNS];
    size_t natural[RIG__GRID_COLUMNS];
    const size_t total = measure(grid, widths);
    const rig_report_options *options = grid->output->options;
    if (options->width > 0 && total > (size_t)options->width) {
        memcpy(natural, widths, grid->n_columns * sizeof(*widths));
        fit(grid, widths, total, (size_t)options->width);
        share_rest(grid, natural, widths);
    }
    if (scols_table_set_column_separator(table, SEPARATOR) != 0 ||
        scols_table_enable_ascii(table, !grid->output->is_utf8) != 0 ||
        scols_table_enable_colors(table, options->use_colour) != 0 ||
        scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER) != 0 || !add_columns(grid, table)) {
        return false;
    }
    for (size_t i = 0; i < grid->n_rows; i++) {
        if (!add_row(grid, table, widths, grid->rows[i])) {
            return false;
        }
    }
    return true;
}

/** Writes lines without the blanks that pad the last column. */
static void put_trimmed(rig__output *output, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        size_t kept = length;
        while (kept > 0 && text[kept - 1] == ' ') {
            kept--;
        }
        rig__output_bytes(output, text, kept);
        rig__output_text(output, "\n");
        text += length + (text[length] == '\n');
    }
}

void rig__grid_write(const rig__grid *grid)
{
    if (grid->n_rows == 0 || grid->output->is_nomem) {
        return;
    }
    char *text = NULL;
    struct libscols_table *table = scols_new_table();
    if (table == NULL || !fill(grid, table) || scols_print_table_to_string(table, &text) != 0 ||
        text == NULL) {
        grid->output->is_nomem = true;
    } else {
        put_trimmed(grid->output, text);
    }
    free(text);
    scols_unref_table(table);
}
