/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report of facts and tables for people: written once, shown as terminal table, Markdown and
 * HTML. */
#include "report/sheet.h"

#include <string.h>

#include "report/html_page.h"
#include "report/html_text.h"
#include "report/markdown_text.h"

void rig__sheet_fact(rig__sheet *sheet, const char *name, const char *value)
{
    if (value[0] != '\0' && sheet->n_facts < RIG__SHEET_FACTS) {
        sheet->names[sheet->n_facts] = name;
        sheet->values[sheet->n_facts++] = value;
    }
}

rig__sheet_table *rig__sheet_table_begin(rig__sheet *sheet,
                                         const char *heading,
                                         const rig__grid_column *columns,
                                         size_t n_columns,
                                         size_t cap_rows)
{
    if (sheet->n_tables >= RIG__SHEET_TABLES) {
        return NULL;
    }
    rig__sheet_table *const table = &sheet->tables[sheet->n_tables];
    *table = (rig__sheet_table){
        .heading = heading, .columns = columns, .n_columns = n_columns, .cap_rows = cap_rows};
    table->cells =
        rig__arena_alloc(sheet->output->arena, (cap_rows + 1) * n_columns, sizeof *table->cells);
    if (table->cells == NULL) {
        sheet->output->is_nomem = true;
        return NULL;
    }
    sheet->n_tables++;
    return table;
}

void rig__sheet_row(rig__sheet_table *table, const char *const *cells)
{
    if (table != NULL && table->n_rows < table->cap_rows) {
        memcpy(table->cells + table->n_rows * table->n_columns,
               cells,
               table->n_columns * sizeof *cells);
        table->n_rows++;
    }
}

static const char *rest(rig__output *output, const rig__sheet_table *table)
{
    return rig__output_string(
        output, "and %zu more (--format csv or json lists all)", table->n_left_out);
}

/* ---- terminal ------------------------------------------------------------------------------- */

static void write_grid(rig__output *output, const rig__sheet_table *table)
{
    const char *cells[RIG__GRID_COLUMNS];
    rig__output_text(output, "\n");
    rig__grid_paragraph(output, table->heading, RIG__COLOUR_STRONG);
    rig__grid grid = rig__grid_new(output, table->columns, table->n_columns);
    for (size_t i = 0; i < table->n_rows; i++) {
        for (size_t k = 0; k < table->n_columns; k++) {
            const char *const text = table->cells[i * table->n_columns + k];
            cells[k] = rig__output_clean(output, text, RIG__CLEAN_LINE);
        }
        rig__grid_add(&grid, cells, RIG__COLOUR_NONE);
    }
    rig__grid_write(&grid);
    if (table->n_left_out > 0) {
        rig__grid_paragraph(output, rest(output, table), RIG__COLOUR_NONE);
    }
}

static void write_table(const rig__sheet *sheet)
{
    rig__output *const output = sheet->output;
    rig__grid_paragraph(
        output, rig__output_clean(output, sheet->title, RIG__CLEAN_LINE), RIG__COLOUR_STRONG);
    rig__output_text(output, sheet->n_facts > 0 ? "\n" : "");
    for (size_t i = 0; i < sheet->n_facts; i++) {
        rig__grid_field(output,
                        sheet->names[i],
                        rig__output_clean(output, sheet->values[i], RIG__CLEAN_LINE),
                        RIG__COLOUR_NONE);
    }
    for (size_t i = 0; i < sheet->n_tables; i++) {
        if (sheet->tables[i].n_rows > 0) {
            write_grid(output, &sheet->tables[i]);
        }
    }
}

/* ---- Markdown ------------------------------------------------------------------------------- */

static void write_markdown_table(rig__output *output, const rig__sheet_table *table)
{
    rig__output_format(output, "\n## %s\n\n", table->heading);
    for (size_t k = 0; k < table->n_columns; k++) {
        rig__output_format(output, "| %s ", table->columns[k].header);
    }
    rig__output_text(output, "|\n");
    for (size_t k = 0; k < table->n_columns; k++) {
        rig__output_text(output, table->columns[k].is_right ? "| ---: " : "| --- ");
    }
    rig__output_text(output, "|\n");
    for (size_t i = 0; i < table->n_rows * table->n_columns; i++) {
        rig__output_format(output, "| %s ", rig__markdown_escape(output, table->cells[i]));
        if ((i + 1) % table->n_columns == 0) {
            rig__output_text(output, "|\n");
        }
    }
    if (table->n_left_out > 0) {
        rig__output_format(output, "\n%s\n", rest(output, table));
    }
}

static void write_markdown(const rig__sheet *sheet)
{
    rig__output *const output = sheet->output;
    rig__output_format(output, "# %s\n\n", rig__markdown_escape(output, sheet->title));
    for (size_t i = 0; i < sheet->n_facts; i++) {
        const char *const value = rig__markdown_escape(output, sheet->values[i]);
        const bool is_named = sheet->names[i][0] != '\0';
        rig__output_format(output,
                           "%s%s%s%s\n",
                           is_named ? "- " : "  ",
                           sheet->names[i],
                           is_named ? ": " : "",
                           value);
    }
    for (size_t i = 0; i < sheet->n_tables; i++) {
        if (sheet->tables[i].n_rows > 0) {
            write_markdown_table(output, &sheet->tables[i]);
        }
    }
}

/* ---- HTML ----------------------------------------------------------------------------------- */

static void write_html_table(rig__output *output, const rig__sheet_table *table)
{
    rig__output_format(output,
                       "<section>\n<h2>%s</h2>\n<div class=\"wide\"><table>\n<caption>%s"
                       "</caption>\n<thead><tr>",
                       table->heading,
                       table->heading);
    for (size_t k = 0; k < table->n_columns; k++) {
        rig__output_format(output, "<th scope=\"col\">%s</th>", table->columns[k].header);
    }
    rig__output_text(output, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < table->n_rows; i++) {
        rig__output_text(output, "<tr>");
        for (size_t k = 0; k < table->n_columns; k++) {
            const char *const text = table->cells[i * table->n_columns + k];
            rig__output_format(output, "<td>%s</td>", rig__html_escape(output, text));
        }
        rig__output_text(output, "</tr>\n");
    }
    rig__output_text(output, "</tbody>\n</table></div>\n");
    if (table->n_left_out > 0) {
        rig__output_format(output, "<p>%s</p>\n", rest(output, table));
    }
    rig__output_text(output, "</section>\n");
}

static void write_html(const rig__sheet *sheet)
{
    rig__output *const output = sheet->output;
    rig__html_page_begin(output, sheet->title, NULL);
    rig__output_text(output, "<section>\n<h2>In short</h2>\n<dl>\n");
    for (size_t i = 0; i < sheet->n_facts; i++) {
        rig__html_fact(output, sheet->names[i], sheet->values[i]);
    }
    rig__output_text(output, "</dl>\n</section>\n");
    for (size_t i = 0; i < sheet->n_tables; i++) {
        if (sheet->tables[i].n_rows > 0) {
            write_html_table(output, &sheet->tables[i]);
        }
    }
    rig__html_page_end(output);
}

void rig__sheet_write(const rig__sheet *sheet)
{
    switch (sheet->output->options->format) {
    case RIG_FORMAT_MARKDOWN:
        write_markdown(sheet);
        break;
    case RIG_FORMAT_HTML:
        write_html(sheet);
        break;
    default:
        write_table(sheet);
        break;
    }
}
