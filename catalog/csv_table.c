/* SPDX-License-Identifier: GPL-3.0-or-later
 * A whole CSV file in memory with any columns. */
#include "catalog/csv_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"

struct rig__csv_table {
    rig__arena *arena;
    const char *name;
    rig__csv_cell *cells; /* header, then row by row */
    size_t n_cells, cap_cells;
    size_t n_columns;
};

typedef struct source {
    const char *path; /* NULL: memory */
    const char *bytes;
    size_t length;
} source;

static rig_status check_header(const rig__csv_row *row, const char *name, rig_error *err)
{
    for (size_t i = 1; i < row->n_cells; i++) {
        for (size_t k = 0; k < i; k++) {
            const rig__csv_cell *const cell = &row->cells[i];
            if (cell->length > 0 && strcmp(cell->text, row->cells[k].text) == 0) {
                return rig__error_set(err,
                                      RIG_E_DUPLICATE,
                                      name,
                                      cell->line,
                                      cell->column,
                                      "column given twice: '%s' (also column %zu of the header)",
                                      cell->text,
                                      k + 1);
            }
        }
    }
    return RIG_OK;
}

static rig_status keep_row(const rig__csv_row *row, void *payload, rig_error *err)
{
    rig__csv_table *const table = payload;
    if (row->i_row == 0) {
        RIG_TRY(check_header(row, table->name, err));
        table->n_columns = row->n_cells;
    }
    RIG_TRY(rig__csv_row_check(row, table->n_columns, table->name, err));
    if (table->n_cells + row->n_cells > table->cap_cells) {
        const size_t cap = (table->n_cells + row->n_cells) * 2;
        rig__csv_cell *const cells = realloc(table->cells, cap * sizeof *cells);
        if (cells == NULL) {
            return rig__error_nomem(err);
        }
        table->cells = cells;
        table->cap_cells = cap;
    }
    for (size_t i = 0; i < row->n_cells; i++) {
        rig__csv_cell cell = row->cells[i];
        cell.text = cell.length == 0 ? "" : rig__arena_copy(table->arena, cell.text, cell.length);
        if (cell.text == NULL) {
            return rig__error_nomem(err);
        }
        table->cells[table->n_cells++] = cell;
    }
    return RIG_OK;
}

static rig_status
read_table(rig__csv_table **out, const char *name, const source *from, rig_error *err)
{
    *out = NULL;
    rig__csv_table *const table = calloc(1, sizeof *table);
    if (table == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status = RIG_OK;
    table->arena = rig__arena_new();
    table->name = table->arena == NULL ? NULL : rig__arena_copy(table->arena, name, strlen(name));
    if (table->name == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    const rig__csv_options options = {.name = table->name, .on_row = keep_row, .payload = table};
    status = from->path != NULL ? rig__csv_read_file(from->path, &options, err)
                                : rig__csv_read_memory(from->bytes, from->length, &options, err);
done:
    if (status != RIG_OK) {
        rig__csv_table_free(table);
        return status;
    }
    *out = table;
    return RIG_OK;
}

rig_status rig__csv_table_read_file(rig__csv_table **out, const char *path, rig_error *err)
{
    const source from = {.path = path};
    return read_table(out, path, &from, err);
}

rig_status rig__csv_table_read_memory(
    rig__csv_table **out, const char *name, const char *bytes, size_t length, rig_error *err)
{
    const source from = {.bytes = bytes, .length = length};
    return read_table(out, name, &from, err);
}

void rig__csv_table_free(rig__csv_table *table)
{
    if (table == NULL) {
        return;
    }
    rig__arena_free(table->arena);
    free(table->cells);
    free(table);
}

size_t rig__csv_table_n_rows(const rig__csv_table *table)
{
    return table->n_cells / table->n_columns - 1;
}

size_t rig__csv_table_n_columns(const rig__csv_table *table)
{
    return table->n_columns;
}

const char *rig__csv_table_header(const rig__csv_table *table, size_t i_column)
{
    assert(i_column < table->n_columns);
    return table->cells[i_column].text;
}

size_t rig__csv_table_find(const rig__csv_table *table, const char *header)
{
    size_t i = 0;
    while (i < table->n_columns && strcmp(table->cells[i].text, header) != 0) {
        i++;
    }
    return i;
}

rig_status rig__csv_table_columns(const rig__csv_table *table,
                                  const char *const *headers,
                                  size_t n,
                                  const char *expected,
                                  size_t *out,
                                  rig_error *err)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = rig__csv_table_find(table, headers[i]);
        if (out[i] == table->n_columns) {
            return rig__error_set(err,
                                  RIG_E_SCHEMA,
                                  table->name,
                                  1,
                                  1,
                                  "missing column: '%s' (%s)",
                                  headers[i],
                                  expected);
        }
    }
    return RIG_OK;
}

rig__csv_cell rig__csv_table_cell(const rig__csv_table *table, size_t i_row, size_t i_column)
{
    assert(i_row < rig__csv_table_n_rows(table) && i_column < table->n_columns);
    return table->cells[(i_row + 1) * table->n_columns + i_column];
}

rig_status rig__csv_table_fail(const rig__csv_table *table,
                               size_t i_row,
                               size_t i_column,
                               rig_status status,
                               const char *message,
                               rig_error *err)
{
    const rig__csv_cell cell = rig__csv_table_cell(table, i_row, i_column);
    return rig__error_set(err,
                          status,
                          table->name,
                          cell.line,
                          cell.column,
                          "%s: '%s' in column '%s'",
                          message,
                          cell.text,
                          rig__csv_table_header(table, i_column));
}
