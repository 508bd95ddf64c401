/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads what a calibration fits. */
#include "accuracy/priors.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "catalog/csv_table.h"

static const char *const block_words[RIG__N_BLOCKS] = {
#define RIG__BLOCK_WORD(enumerator, word) word,
    RIG__BLOCK_MAP(RIG__BLOCK_WORD)
#undef RIG__BLOCK_WORD
};

static const char *const table_words[RIG__N_PRIOR_TABLES] = {
#define RIG__PRIOR_TABLE_WORD(enumerator, word) word,
    RIG__PRIOR_TABLE_MAP(RIG__PRIOR_TABLE_WORD)
#undef RIG__PRIOR_TABLE_WORD
};

static const char *const scale_words[] = {"log", "linear", "logit"};

const char *rig__block_word(rig__block block)
{
    return block_words[block];
}

double rig__scale_to(rig__scale scale, double value)
{
    switch (scale) {
    case RIG__SCALE_LOG:
        return log(value);
    case RIG__SCALE_LOGIT:
        return log(value / (1.0 - value));
    case RIG__SCALE_LINEAR:
        break;
    }
    return value;
}

double rig__scale_from(rig__scale scale, double value)
{
    switch (scale) {
    case RIG__SCALE_LOG:
        return exp(value);
    case RIG__SCALE_LOGIT:
        return 1.0 / (1.0 + exp(-value));
    case RIG__SCALE_LINEAR:
        break;
    }
    return value;
}

typedef enum column { BLOCK, TABLE, NAME, SCALE, MEAN, SD, SOURCE, N_COLUMNS } column;

static const char *const headers[N_COLUMNS] = {
    "block", "table", "name", "scale", "mean", "sd", "source"};

typedef struct reading {
    const rig__csv_table *table;
    size_t columns[N_COLUMNS];
    size_t i_row;
} reading;

static rig_status find_columns(reading *from, rig_error *err)
{
    return rig__csv_table_columns(
        from->table,
        headers,
        N_COLUMNS,
        "priors have the columns block, table, name, scale, mean, sd, source",
        from->columns,
        err);
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

/* Index of the cell's word in a list. */
static rig_status read_word(const reading *from,
                            column which,
                            const char *const *words,
                            size_t n_words,
                            const char *what,
                            size_t *out,
                            rig_error *err)
{
    const char *const text = cell_of(from, which).text;
    for (*out = 0; *out < n_words; (*out)++) {
        if (strcmp(words[*out], text) == 0) {
            return RIG_OK;
        }
    }
    return fail_cell(from, which, RIG_E_SCHEMA, what, err);
}

static rig_status read_number(const reading *from, column which, double *out, rig_error *err)
{
    const rig__csv_cell cell = cell_of(from, which);
    return rig__number_parse(cell.text, cell.length, out)
               ? RIG_OK
               : fail_cell(from, which, RIG_E_PARSE, "not a number", err);
}

static bool fits_scale(rig__scale scale, double mean)
{
    return scale == RIG__SCALE_LINEAR || (mean > 0.0 && (scale == RIG__SCALE_LOG || mean < 1.0));
}

static rig_status read_row(const reading *from, rig__prior *out, rig_error *err)
{
    size_t block = 0, table = 0, scale = 0;
    RIG_TRY(read_word(from,
                      BLOCK,
                      block_words,
                      RIG__N_BLOCKS,
                      "unknown block (expected tuned, eager, graph, prepare or storage)",
                      &block,
                      err));
    RIG_TRY(read_word(from,
                      TABLE,
                      table_words,
                      RIG__N_PRIOR_TABLES,
                      "unknown table (expected constants, stacks, loaders, effects or noise)",
                      &table,
                      err));
    RIG_TRY(read_word(from,
                      SCALE,
                      scale_words,
                      sizeof scale_words / sizeof scale_words[0],
                      "unknown scale (expected log, linear or logit)",
                      &scale,
                      err));
    RIG_TRY(read_number(from, MEAN, &out->mean, err));
    RIG_TRY(read_number(from, SD, &out->sd, err));
    out->block = (rig__block)block;
    out->table = (rig__prior_table)table;
    out->scale = (rig__scale)scale;
    const rig__csv_cell name = cell_of(from, NAME);
    out->name = name.text;
    out->line = name.line;
    out->name_column = name.column;
    if (name.length == 0) {
        return fail_cell(from, NAME, RIG_E_PARSE, "no name", err);
    }
    if (!(out->sd > 0.0)) {
        return fail_cell(from, SD, RIG_E_RANGE, "not above 0", err);
    }
    return fits_scale(out->scale, out->mean)
               ? RIG_OK
               : fail_cell(from, MEAN, RIG_E_RANGE, "not on the scale", err);
}

static rig_status fill(rig__priors *out, const rig__csv_table *table, rig_error *err)
{
    reading from = {.table = table};
    RIG_TRY(find_columns(&from, err));
    for (size_t i = 0; i < out->n_rows; i++) {
        from.i_row = i;
        RIG_TRY(read_row(&from, &out->rows[i], err));
        out->rows[i].name =
            rig__arena_copy(out->arena, out->rows[i].name, strlen(out->rows[i].name));
        if (out->rows[i].name == NULL) {
            return rig__error_nomem(err);
        }
    }
    return RIG_OK;
}

static rig__priors *new_priors(const char *path, size_t n_rows)
{
    rig__arena *const arena = rig__arena_new();
    rig__priors *const out = arena == NULL ? NULL : rig__arena_alloc(arena, 1, sizeof *out);
    if (out == NULL) {
        rig__arena_free(arena);
        return NULL;
    }
    out->arena = arena;
    out->n_rows = n_rows;
    out->path = rig__arena_copy(arena, path, strlen(path));
    out->rows = rig__arena_alloc(arena, n_rows, sizeof *out->rows);
    if (out->path == NULL || out->rows == NULL) {
        rig__priors_free(out);
        return NULL;
    }
    return out;
}

rig_status rig__priors_read(rig__priors **out, const char *path, rig_error *err)
{
    rig__csv_table *table = NULL;
    *out = NULL;
    RIG_TRY(rig__csv_table_read_file(&table, path, err));
    rig__priors *const priors = new_priors(path, rig__csv_table_n_rows(table));
    rig_status status = priors == NULL ? rig__error_nomem(err) : fill(priors, table, err);
    rig__csv_table_free(table);
    if (status != RIG_OK) {
        rig__priors_free(priors);
        return status;
    }
    *out = priors;
    return RIG_OK;
}

void rig__priors_free(rig__priors *priors)
{
    if (priors != NULL) {
        rig__arena_free(priors->arena);
    }
}

double rig__priors_sd(const rig__priors *priors,
                      rig__block block,
                      rig__prior_table table,
                      const char *name)
{
    for (size_t i = 0; i < priors->n_rows; i++) {
        const rig__prior *const row = &priors->rows[i];
        if (row->block == block && row->table == table && strcmp(row->name, name) == 0) {
            return row->sd;
        }
    }
    return NAN;
}
