/* SPDX-License-Identifier: GPL-3.0-or-later
 * Profiles: fitted figures as a list, read from CSV. */
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/csv_table.h"

static const char *const words[RIG_N_PROFILE_TABLES] = {
#define RIG__PROFILE_WORD(enumerator, word, table, column) word,
    RIG_PROFILE_TABLE_MAP(RIG__PROFILE_WORD)
#undef RIG__PROFILE_WORD
};

const char *rig__profile_word(rig_profile_table table)
{
    return words[table];
}

rig_profile *rig_profile_new(const char *name)
{
    rig_profile *const profile = calloc(1, sizeof *profile);
    if (profile == NULL) {
        return NULL;
    }
    profile->arena = rig__arena_new();
    profile->name =
        profile->arena == NULL ? NULL : rig__arena_copy(profile->arena, name, strlen(name));
    if (profile->name == NULL) {
        rig_profile_free(profile);
        return NULL;
    }
    return profile;
}

void rig_profile_free(rig_profile *profile)
{
    if (profile == NULL) {
        return;
    }
    rig__arena_free(profile->arena);
    free(profile->rows);
    free(profile);
}

static size_t index_of(const rig_profile *profile, rig_profile_table table, const char *name)
{
    size_t i = 0;
    while (i < profile->n_rows && (profile->rows[i].entry.table != table ||
                                   strcmp(profile->rows[i].entry.name, name) != 0)) {
        i++;
    }
    return i;
}

const rig_profile_entry *
rig__profile_find(const rig_profile *profile, rig_profile_table table, const char *name)
{
    const size_t i = index_of(profile, table, name);
    return i == profile->n_rows ? NULL : &profile->rows[i].entry;
}

static rig_status keep(rig_profile *profile, const rig__profile_row *row, rig_error *err)
{
    rig__profile_row own = *row;
    const char *const source = row->entry.source == NULL ? "" : row->entry.source;
    own.entry.name = rig__arena_copy(profile->arena, row->entry.name, strlen(row->entry.name));
    own.entry.source = rig__arena_copy(profile->arena, source, strlen(source));
    if (own.entry.name == NULL || own.entry.source == NULL) {
        return rig__error_nomem(err);
    }
    const size_t i = index_of(profile, own.entry.table, own.entry.name);
    if (i == profile->cap_rows) {
        const size_t cap = profile->cap_rows == 0 ? 32 : profile->cap_rows * 2;
        rig__profile_row *const rows = realloc(profile->rows, cap * sizeof *rows);
        if (rows == NULL) {
            return rig__error_nomem(err);
        }
        profile->rows = rows;
        profile->cap_rows = cap;
    }
    profile->rows[i] = own;
    profile->n_rows += i == profile->n_rows ? 1 : 0;
    return RIG_OK;
}

rig_status rig_profile_add(rig_profile *profile, const rig_profile_entry *entry, rig_error *err)
{
    const rig__profile_row row = {.entry = *entry};
    return keep(profile, &row, err);
}

size_t rig_profile_count(const rig_profile *profile)
{
    return profile->n_rows;
}

const rig_profile_entry *rig_profile_at(const rig_profile *profile, size_t index)
{
    return &profile->rows[index].entry;
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef enum column { TABLE, NAME, VALUE, LOG_SD, ROWS, SOURCE, N_COLUMNS } column;

static const char *const headers[N_COLUMNS] = {
    "table", "name", "value", "log_sd", "rows", "source"};

typedef struct reading {
    rig_profile *profile;
    const rig__csv_table *table;
    size_t columns[N_COLUMNS];
    size_t i_row;
} reading;

static rig_status find_columns(reading *from, const char *path, rig_error *err)
{
    static const char expected[] =
        "a profile has the columns table, name, value, log_sd, rows, source";
    RIG_TRY(rig__csv_table_columns(from->table, headers, N_COLUMNS, expected, from->columns, err));
    const size_t n_columns = rig__csv_table_n_columns(from->table);
    for (size_t i = 0; i < n_columns; i++) {
        const char *const header = rig__csv_table_header(from->table, i);
        size_t k = 0;
        while (k < N_COLUMNS && strcmp(headers[k], header) != 0) {
            k++;
        }
        if (k == N_COLUMNS) {
            return rig__error_set(
                err, RIG_E_SCHEMA, path, 1, 0, "unknown column: '%.60s' (%s)", header, expected);
        }
    }
    return RIG_OK;
}

static rig__csv_cell cell_of(const reading *from, column which)
{
    return rig__csv_table_cell(from->table, from->i_row, from->columns[which]);
}

static rig_status
fail_cell(const reading *from, column which, rig_status status, const char *what, rig_error *err)
{
    return rig__csv_table_fail(from->table, from->i_row, from->columns[which], status, what, err);
}

/* A number of at least low; NAN for an empty cell unless it is required. */
static rig_status read_number(
    const reading *from, column which, bool is_required, double low, double *out, rig_error *err)
{
    const rig__csv_cell cell = cell_of(from, which);
    *out = NAN;
    if (cell.length == 0 && !is_required) {
        return RIG_OK;
    }
    if (!rig__number_parse(cell.text, cell.length, out)) {
        return fail_cell(from, which, RIG_E_PARSE, "not a number", err);
    }
    return *out < low ? fail_cell(from, which, RIG_E_RANGE, "number too small", err) : RIG_OK;
}

static rig_status read_row(const reading *from, rig_error *err)
{
    const rig__csv_cell table = cell_of(from, TABLE), name = cell_of(from, NAME);
    rig__profile_row row = {.entry = {.table = RIG_N_PROFILE_TABLES}};
    for (size_t i = 0; i < RIG_N_PROFILE_TABLES; i++) {
        if (strcmp(words[i], table.text) == 0) {
            row.entry.table = (rig_profile_table)i;
        }
    }
    if (row.entry.table == RIG_N_PROFILE_TABLES) {
        return fail_cell(
            from,
            TABLE,
            RIG_E_SCHEMA,
            "unknown table (expected constants, efficiency, stacks, loaders, networks, intervals, "
            "fitted or correlation)",
            err);
    }
    if (name.length == 0) {
        return fail_cell(from, NAME, RIG_E_PARSE, "no name", err);
    }
    const bool is_figure =
        row.entry.table != RIG_PROFILE_FITTED && row.entry.table != RIG_PROFILE_CORRELATION;
    RIG_TRY(read_number(from, VALUE, is_figure, (double)-INFINITY, &row.entry.value, err));
    RIG_TRY(read_number(from, LOG_SD, false, 0.0, &row.entry.log_sd, err));
    RIG_TRY(read_number(from, ROWS, false, 0.0, &row.entry.rows, err));
    if (index_of(from->profile, row.entry.table, name.text) < from->profile->n_rows) {
        return fail_cell(from, NAME, RIG_E_DUPLICATE, "name given twice for this table", err);
    }
    row.entry.name = name.text;
    row.entry.source = cell_of(from, SOURCE).text;
    row.entry.line = name.line;
    row.name_column = name.column;
    row.value_column = cell_of(from, VALUE).column;
    return keep(from->profile, &row, err);
}

rig_status rig_profile_read(rig_profile **out, const char *path, rig_error *err)
{
    rig__csv_table *table = NULL;
    *out = NULL;
    RIG_TRY(rig__csv_table_read_file(&table, path, err));
    reading from = {.profile = rig_profile_new(path), .table = table};
    rig_status status =
        from.profile == NULL ? rig__error_nomem(err) : find_columns(&from, path, err);
    const size_t n_rows = rig__csv_table_n_rows(table);
    for (from.i_row = 0; from.i_row < n_rows && status == RIG_OK; from.i_row++) {
        status = read_row(&from, err);
    }
    rig__csv_table_free(table);
    if (status != RIG_OK) {
        rig_profile_free(from.profile);
        return status;
    }
    *out = from.profile;
    return RIG_OK;
}
