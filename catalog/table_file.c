/* SPDX-License-Identifier: GPL-3.0-or-later
 * One CSV file of a known table: header to columns, rows to structs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/catalog_load.h"
#include "catalog/cell.h"
#include "catalog/csv_reader.h"
#include "catalog/fingerprint.h"
#include "catalog/schema.h"

/* What every cell of a column needs, found once. */
typedef struct file_column {
    const rig_column *column; /* NULL: not a column */
    bool is_required;
    bool is_notes;
    bool is_reference;
    rig_table target;
    uint64_t hash;    /* of the name */
    const char *last; /* text of the row before: most texts of a column repeat it */
    size_t last_length;
    uint64_t last_hash;
} file_column;

typedef struct table_file {
    rig__load *load;
    rig_table table;
    const char *path; /* in the arena */
    bool is_own;
    rig__pile *pile;
    const rig_row *blank; /* a row with every value unknown */
    file_column *columns; /* by position in the file */
    size_t n_columns;
    bool is_last_unnamed;
} table_file;

static bool is_cell_required(const table_file *file, const rig_column *column)
{
    if (!file->is_own) {
        return column->is_required;
    }
    return column->is_required && strcmp(column->name, "part_class") != 0;
}

/* ---- header ---------------------------------------------------------------------------------- */

static rig_status fail_unknown_column(const table_file *file, const rig__csv_cell *cell)
{
    rig_error problem;
    rig__error_set(&problem,
                   RIG_E_SCHEMA,
                   file->path,
                   cell->line,
                   cell->column,
                   "unknown column: '%.60s' (expected a column of %s.csv)",
                   cell->text,
                   rig_table_stem(file->table));
    const char *const near = rig__schema_near_column(file->table, cell->text);
    if (near != NULL) {
        rig__error_hint(&problem, "nearest: %s", near);
    }
    return rig__load_problem(file->load, &problem);
}

static rig_status read_column(table_file *file, const rig__csv_row *row, size_t i)
{
    const rig__csv_cell *const cell = &row->cells[i];
    rig_error problem;
    if (cell->length == 0 && i + 1 == row->n_cells && i > 0) {
        rig__error_set(&problem,
                       RIG_E_SCHEMA,
                       file->path,
                       cell->line,
                       cell->column,
                       "delimiter at the end of the header line (the last column has no name)");
        rig__load_warning(file->load, &problem);
        file->is_last_unnamed = true;
        return RIG_OK; /* spreadsheets do this; the cells below must be empty */
    }
    const rig_column *const column = rig_column_find(file->table, cell->text);
    if (column == NULL) {
        return fail_unknown_column(file, cell);
    }
    for (size_t k = 0; k < i; k++) {
        if (file->columns[k].column == column) {
            rig__error_set(&problem,
                           RIG_E_DUPLICATE,
                           file->path,
                           cell->line,
                           cell->column,
                           "column given twice: '%s' (also column %zu of the header)",
                           cell->text,
                           k + 1);
            return rig__load_problem(file->load, &problem);
        }
    }
    file_column *const own = &file->columns[i];
    own->column = column;
    own->is_required = is_cell_required(file, column);
    own->is_notes = strcmp(column->name, "notes") == 0;
    own->is_reference = rig__schema_reference(file->table, column, &own->target);
    own->hash = rig__fingerprint_text(RIG__FINGERPRINT_START, column->name);
    return RIG_OK;
}

static bool has_column(const table_file *file, const rig_column *column)
{
    for (size_t i = 0; i < file->n_columns; i++) {
        if (file->columns[i].column == column) {
            return true;
        }
    }
    return false;
}

static rig_status read_header(table_file *file, const rig__csv_row *row)
{
    file->n_columns = row->n_cells;
    file->columns = calloc(row->n_cells, sizeof *file->columns);
    if (file->columns == NULL) {
        return RIG_E_NOMEM;
    }
    for (size_t i = 0; i < row->n_cells; i++) {
        RIG_TRY(read_column(file, row, i));
    }
    for (size_t i = 0; i < rig_column_count(file->table); i++) {
        const rig_column *const column = rig_column_at(file->table, i);
        const bool is_own_price = file->is_own && column->type == RIG_COLUMN_MONEY;
        if ((!is_cell_required(file, column) && !is_own_price) || has_column(file, column)) {
            continue;
        }
        rig_error problem;
        rig__error_set(&problem,
                       RIG_E_SCHEMA,
                       file->path,
                       row->cells[0].line,
                       0,
                       "missing column: '%s' (required in %s.csv)",
                       column->name,
                       rig_table_stem(file->table));
        RIG_TRY(rig__load_problem(file->load, &problem));
    }
    return RIG_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Not a present offer of a new part: second-hand, a leftover, or a launch price of years ago. */
static bool is_used_kind(const char *kind)
{
    return kind != NULL && (rig__text_has_prefix_nocase(kind, "used") ||
                            rig__text_has_prefix_nocase(kind, "ebay") ||
                            rig__text_has_prefix_nocase(kind, "renewed") ||
                            rig__text_has_prefix_nocase(kind, "release"));
}

static rig_row *new_blank(const table_file *file)
{
    rig_row *const row =
        rig__arena_alloc(file->load->catalog->arena, 1, rig__schema_row_size(file->table));
    if (row == NULL) {
        return NULL;
    }
    row->file = file->path;
    row->table = file->table;
    row->price.cents = -1;
    row->price.trust = RIG_TRUST_FAIR;
    const double unknown = (double)NAN;
    for (size_t i = 0; i < rig_column_count(file->table); i++) {
        const rig_column *const column = rig_column_at(file->table, i);
        if (column->type == RIG_COLUMN_NUMBER || column->type == RIG_COLUMN_INTEGER) {
            memcpy((char *)row + column->offset, &unknown, sizeof unknown);
        }
    }
    return row;
}

static rig_row *new_row(const table_file *file, long line)
{
    const size_t size = rig__schema_row_size(file->table);
    rig_row *const row = rig__arena_alloc(file->load->catalog->arena, 1, size);
    if (row != NULL) {
        memcpy(row, file->blank, size);
        row->line = line;
    }
    return row;
}

static rig_status store_text(const table_file *file,
                             rig_row *row,
                             file_column *own,
                             const rig__cell_value *value,
                             uint64_t *hash)
{
    if (own->last == NULL || own->last_length != value->length ||
        memcmp(own->last, value->text, value->length) != 0) {
        own->last_length = value->length;
        own->last =
            rig__intern_text(file->load->strings, value->text, value->length, &own->last_hash);
        if (own->last == NULL) {
            return RIG_E_NOMEM;
        }
    }
    const char *const text = own->last;
    memcpy((char *)row + own->column->offset, &text, sizeof text);
    if (own->is_notes) {
        row->notes = text; /* tables may have a column `notes` of their own */
    }
    if (own->column->type == RIG_COLUMN_DATE) {
        row->price.date_ymd = value->date_ymd;
    }
    *hash += rig__fingerprint_whole(own->hash, own->last_hash);
    return RIG_OK;
}

/* Stores one value and adds it to the hash of the row, a sum: the order of the columns in the file
 * does not matter. */
static rig_status store(const table_file *file,
                        rig_row *row,
                        file_column *own,
                        const rig__cell_value *value,
                        uint64_t *hash)
{
    if (value->length == 0) {
        return RIG_OK;
    }
    if (rig__schema_is_trust(own->column)) {
        row->price.trust = value->trust;
        *hash += rig__fingerprint_whole(own->hash, (uint64_t)value->trust);
        return RIG_OK;
    }
    switch (own->column->type) {
    case RIG_COLUMN_TEXT:
    case RIG_COLUMN_DATE:
        return store_text(file, row, own, value, hash);
    case RIG_COLUMN_MONEY:
        row->price.cents = value->cents;
        *hash += rig__fingerprint_whole(own->hash, (uint64_t)value->cents);
        break;
    case RIG_COLUMN_NUMBER:
    case RIG_COLUMN_INTEGER:
        memcpy((char *)row + own->column->offset, &value->number, sizeof value->number);
        *hash += rig__fingerprint_number(own->hash, value->number);
        break;
    }
    return RIG_OK;
}

static rig_status keep_reference(rig__load *load,
                                 const rig_row *row,
                                 const file_column *own,
                                 const rig__csv_cell *cell)
{
    const char *const text = own->is_reference ? rig_row_text(row, own->column) : NULL;
    if (text == NULL) {
        return RIG_OK;
    }
    rig__reference *const references = rig__load_grow(
        load->references, load->n_references, &load->cap_references, sizeof *references);
    if (references == NULL) {
        return RIG_E_NOMEM;
    }
    load->references = references;
    load->references[load->n_references++] =
        (rig__reference){row, own->column, own->target, text, cell->line, cell->column};
    return RIG_OK;
}

/* Class of a quote's part; an empty one of an own file means any part of that name. */
static rig_status read_part_class(const table_file *file,
                                  const rig_row *row,
                                  const rig__csv_row *from,
                                  rig__entry *entry,
                                  bool *is_whole)
{
    const char *const text = ((const rig_quote *)row)->part_class;
    entry->is_any_part = text == NULL;
    if (text == NULL) {
        return RIG_OK;
    }
    rig_error problem;
    if (rig_table_parse(text, &entry->part, NULL) == RIG_OK && rig_table_is_part(entry->part)) {
        return RIG_OK;
    }
    *is_whole = false;
    size_t i = 0;
    while (file->columns[i].column == NULL ||
           strcmp(file->columns[i].column->name, "part_class") != 0) {
        i++;
    }
    rig__error_set(&problem,
                   RIG_E_RANGE,
                   file->path,
                   from->cells[i].line,
                   from->cells[i].column,
                   "unknown class: '%.60s' in column 'part_class' (expected cpu, gpu, memory ...)",
                   text);
    const char *const near = rig__schema_near_table(text);
    if (near != NULL) {
        rig__error_hint(&problem, "nearest: %s", near);
    }
    return rig__load_problem(file->load, &problem);
}

static rig_status keep_row(const table_file *file, rig__entry entry)
{
    rig__pile *const pile = file->pile;
    rig__entry *const entries =
        rig__load_grow(pile->entries, pile->n_entries, &pile->cap_entries, sizeof *entries);
    if (entries == NULL) {
        return RIG_E_NOMEM;
    }
    pile->entries = entries;
    pile->entries[pile->n_entries++] = entry;
    return RIG_OK;
}

static rig_status fail_stray_cell(const table_file *file, const rig__csv_cell *cell)
{
    rig_error problem;
    rig__error_set(&problem,
                   RIG_E_SCHEMA,
                   file->path,
                   cell->line,
                   cell->column,
                   "cell in a column without a name: '%.60s' (expected an empty cell)",
                   cell->text);
    return rig__load_problem(file->load, &problem);
}

/* Sets *is_whole to false if a cell was wrong and loading goes on. */
static bool is_word_of(const char *words, const char *text, size_t length)
{
    for (const char *word = words; *word != '\0';) {
        const size_t word_length = strcspn(word, "|");
        if (word_length == length && memcmp(word, text, length) == 0) {
            return true;
        }
        word += word_length + (word[word_length] == '|');
    }
    return false;
}

static rig_status check_word(const table_file *file,
                             const rig_column *column,
                             const rig__csv_cell *cell,
                             const rig__cell_value *value,
                             rig_error *problem)
{
    const char *const words =
        column->type == RIG_COLUMN_TEXT ? rig__schema_words(file->table, column->name) : NULL;
    if (words == NULL || value->length == 0 || is_word_of(words, value->text, value->length)) {
        return RIG_OK;
    }
    return rig__error_set(problem,
                          RIG_E_RANGE,
                          file->path,
                          cell->line,
                          cell->column,
                          "unknown word: '%.*s' in column '%s' (expected %s)",
                          value->length > 40 ? 40 : (int)value->length,
                          value->text,
                          column->name,
                          words);
}

static rig_status read_cell(const table_file *file,
                            rig_row *row,
                            const rig__csv_row *from,
                            size_t i,
                            rig__entry *entry,
                            bool *is_whole)
{
    const rig__csv_cell *const cell = &from->cells[i];
    file_column *const own = &file->columns[i];
    if (own->column == NULL) {
        const bool is_stray = file->is_last_unnamed && i + 1 == from->n_cells && cell->length > 0;
        return is_stray ? fail_stray_cell(file, cell) : RIG_OK;
    }
    rig__cell_value value;
    rig_error problem;
    if (rig__cell_parse(cell, own->column, own->is_required, file->path, &value, &problem) !=
        RIG_OK) {
        *is_whole = false;
        return rig__load_problem(file->load, &problem);
    }
    if (check_word(file, own->column, cell, &value, &problem) != RIG_OK) {
        *is_whole = false;
        return rig__load_problem(file->load, &problem);
    }
    RIG_TRY(store(file, row, own, &value, &entry->hash));
    if (own->column->offset == offsetof(rig_row, name)) {
        entry->column = cell->column;
    }
    return keep_reference(file->load, row, own, cell);
}

static bool is_blank_row(const rig__csv_row *row)
{
    for (size_t i = 0; i < row->n_cells; i++) {
        if (row->cells[i].length > 0) {
            return false;
        }
    }
    return true;
}

static rig_status check_own_price(const table_file *file, const rig_row *row)
{
    if (!file->is_own || row->price.cents >= 0 || !isnan(((const rig_quote *)row)->price_local)) {
        return RIG_OK;
    }
    rig_error problem;
    rig__error_set(&problem,
                   RIG_E_PARSE,
                   file->path,
                   row->line,
                   0,
                   "quote without a price: '%.100s' (expected a number in price_usd)",
                   row->name);
    return rig__load_problem(file->load, &problem);
}

static rig_status read_row(const table_file *file, const rig__csv_row *from)
{
    rig_error problem;
    if (is_blank_row(from)) {
        return RIG_OK; /* spreadsheets leave lines of delimiters behind */
    }
    if (rig__csv_row_check(from, file->n_columns, file->path, &problem) != RIG_OK) {
        return rig__load_problem(file->load, &problem);
    }
    rig_row *const row = new_row(file, from->cells[0].line);
    if (row == NULL) {
        return RIG_E_NOMEM;
    }
    bool is_whole = true;
    rig__entry entry = {.row = row, .i_source = file->load->i_source};
    for (size_t i = 0; i < from->n_cells; i++) {
        RIG_TRY(read_cell(file, row, from, i, &entry, &is_whole));
    }
    row->price.is_used = is_used_kind(row->price.kind);
    if (!is_whole || row->name == NULL) {
        return RIG_OK;
    }
    if (file->table == RIG_TABLE_QUOTE) {
        RIG_TRY(read_part_class(file, row, from, &entry, &is_whole));
        RIG_TRY(check_own_price(file, row));
    }
    return is_whole ? keep_row(file, entry) : RIG_OK;
}

static rig_status take_row(const rig__csv_row *row, void *payload, rig_error *err)
{
    table_file *const file = payload;
    const rig_status status = row->i_row == 0 ? read_header(file, row) : read_row(file, row);
    if (status == RIG_E_NOMEM) {
        return rig__error_nomem(err);
    }
    if (status != RIG_OK && err != NULL) {
        *err = file->load->first;
    }
    return status;
}

static rig_status read_file(table_file *file, const char *path, const rig__table_text *text)
{
    file->path = rig__intern_text(file->load->strings, path, strlen(path), NULL);
    file->blank = file->path == NULL ? NULL : new_blank(file);
    if (file->blank == NULL) {
        return RIG_E_NOMEM;
    }
    const rig__csv_options options = {.name = file->path, .on_row = take_row, .payload = file};
    rig_error problem;
    const rig_status status =
        text == NULL ? rig__csv_read_file(path, &options, &problem)
                     : rig__csv_read_memory(text->bytes, text->length, &options, &problem);
    free(file->columns);
    return status == RIG_OK ? RIG_OK : rig__load_problem(file->load, &problem);
}

rig_status rig__load_table_file(rig__load *load, rig_table table, const char *path, bool is_own)
{
    table_file file = {.load = load,
                       .table = table,
                       .is_own = is_own,
                       .pile = is_own ? &load->own : &load->piles[table]};
    return read_file(&file, path, NULL);
}

rig_status rig__load_table_text(rig__load *load, const rig__table_text *text)
{
    table_file file = {.load = load, .table = text->table, .pile = &load->piles[text->table]};
    return read_file(&file, text->name, text);
}
