/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scenarios read from CSV, and how far a sweep of them came. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/csv_table.h"
#include "catalog/fingerprint.h"
#include "trainrig/scenarios.h"

/* A rig_scenarios is a table of the reader under its public name. */
static const rig__csv_table *table_of(const rig_scenarios *scenarios)
{
    return (const rig__csv_table *)scenarios;
}

rig_status rig_scenarios_read(rig_scenarios **out, const char *path, rig_error *err)
{
    rig__csv_table *table = NULL;
    const rig_status status = rig__csv_table_read_file(&table, path, err);
    *out = (rig_scenarios *)table;
    return status;
}

void rig_scenarios_free(rig_scenarios *scenarios)
{
    rig__csv_table_free((rig__csv_table *)scenarios);
}

size_t rig_scenarios_count(const rig_scenarios *scenarios)
{
    return rig__csv_table_n_rows(table_of(scenarios));
}

size_t rig_scenarios_n_columns(const rig_scenarios *scenarios)
{
    return rig__csv_table_n_columns(table_of(scenarios));
}

const char *rig_scenarios_column(const rig_scenarios *scenarios, size_t i_column)
{
    return rig__csv_table_header(table_of(scenarios), i_column);
}

rig_scenario_cell rig_scenarios_cell(const rig_scenarios *scenarios, size_t i_row, size_t i_column)
{
    const rig__csv_cell cell = rig__csv_table_cell(table_of(scenarios), i_row, i_column);
    return (rig_scenario_cell){.text = cell.text, .line = cell.line, .column = cell.column};
}

uint64_t
rig_scenarios_hash(const rig_scenarios *scenarios, const char *const *texts, size_t n_texts)
{
    uint64_t hash = RIG__FINGERPRINT_START;
    const size_t n_columns = rig_scenarios_n_columns(scenarios);
    for (size_t j = 0; j < n_columns; j++) {
        hash = rig__fingerprint_text(hash, rig_scenarios_column(scenarios, j));
    }
    for (size_t i = 0; i < rig_scenarios_count(scenarios); i++) {
        for (size_t j = 0; j < n_columns; j++) {
            hash = rig__fingerprint_text(hash, rig_scenarios_cell(scenarios, i, j).text);
        }
    }
    for (size_t i = 0; i < n_texts; i++) {
        hash = rig__fingerprint_text(hash, texts[i]);
    }
    return hash;
}

/* ---- how far a sweep came -------------------------------------------------------------------- */

typedef struct written {
    char *bytes;
    size_t length;
} written;

static rig_status read_all(written *out, const char *path, rig_error *err)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0;
    rig_status status = RIG_OK;
    if (file == NULL) {
        return rig__error_set(
            err, RIG_E_IO, NULL, 0, 0, "%s: cannot be read: %s", path, strerror(errno));
    }
    do {
        if (out->length == room) {
            room = room == 0 ? 65536 : room * 2;
            char *bytes = realloc(out->bytes, room);
            if (bytes == NULL) {
                status = rig__error_nomem(err);
                break;
            }
            out->bytes = bytes;
        }
        out->length += fread(out->bytes + out->length, 1, room - out->length, file);
    } while (!feof(file) && !ferror(file));
    if (status == RIG_OK && ferror(file)) {
        status = rig__error_set(err, RIG_E_IO, NULL, 0, 0, "%s: cannot be read", path);
    }
    fclose(file);
    return status;
}

/* End of the record that starts at begin: past the first newline outside quotes; 0: it is torn. */
static size_t record_end(const written *file, size_t begin)
{
    bool is_quoted = false;
    for (size_t i = begin; i < file->length; i++) {
        if (file->bytes[i] == '"') {
            is_quoted = !is_quoted;
        } else if (file->bytes[i] == '\n' && !is_quoted) {
            return i + 1;
        }
    }
    return 0;
}

/* State of the walk over whole records. */
typedef struct walk {
    const char *path;
    const written *file;
    uint64_t hash;
    size_t first_row, end_row;
    bool has_header;
    size_t at;        /* where the present record starts */
    size_t row;       /* of the last scenario seen, counted from 1; 0: none */
    size_t row_begin; /* where that scenario starts */
    bool is_row_error, is_row_limit;
    rig_sweep_progress *out;
} walk;

static void count_row(walk *w)
{
    w->out->n_errors += w->is_row_error;
    w->out->n_limits += w->is_row_limit;
}

static rig_status
not_ours(const walk *w, const rig__csv_cell *cell, const char *what, rig_error *err)
{
    return rig__error_set(err,
                          RIG_E_INVALID,
                          w->path,
                          cell->line,
                          cell->column,
                          "%s: '%.64s' (expected the output of the same scenarios, options, "
                          "catalogue and shard)",
                          what,
                          cell->text);
}

static rig_status on_record(const rig__csv_row *record, void *payload, rig_error *err)
{
    walk *w = payload;
    char expected[32];
    const size_t begin = w->at;
    const bool is_header = record->i_row == 0 && w->has_header;
    w->at = record_end(w->file, begin);
    if (record->n_cells < 3) {
        return not_ours(w, &record->cells[0], "not a row of a sweep", err);
    }
    if (is_header) {
        return strcmp(record->cells[1].text, "sweep_hash") == 0
                   ? RIG_OK
                   : not_ours(w, &record->cells[1], "not the header of a sweep", err);
    }
    (void)snprintf(expected, sizeof expected, "%016" PRIx64, w->hash);
    if (strcmp(record->cells[1].text, expected) != 0) {
        return not_ours(w, &record->cells[1], "another sweep", err);
    }
    const size_t row = strtoul(record->cells[0].text, NULL, 10);
    const size_t next = w->row == 0 ? w->first_row + 1 : w->row + 1;
    if (row != w->row || row == 0) {
        if (row != next || row > w->end_row) {
            return not_ours(w, &record->cells[0], "a row out of turn", err);
        }
        count_row(w);
        w->row = row;
        w->row_begin = begin;
        w->is_row_error = strcmp(record->cells[2].text, "error") == 0;
        w->is_row_limit = strcmp(record->cells[2].text, "feasible") == 0 ||
                          strcmp(record->cells[2].text, "limit") == 0;
    }
    return RIG_OK;
}

/* Length of the text up to the end of its last whole record. */
static size_t whole_length(const written *file)
{
    size_t end = 0;
    for (size_t next = record_end(file, 0); next > 0; next = record_end(file, end)) {
        end = next;
    }
    return end;
}

static rig_status walk_records(walk *w, bool is_whole, rig_error *err)
{
    const size_t length = whole_length(w->file);
    const rig__csv_options options = {
        .name = w->path, .is_comma_forced = true, .on_row = on_record, .payload = w};
    w->out->next_row = w->first_row;
    if (length == 0) {
        return RIG_OK;
    }
    RIG_TRY(rig__csv_read_memory(w->file->bytes, length, &options, err));
    if (is_whole) {
        count_row(w);
        w->out->n_bytes = length;
        w->out->next_row = w->row == 0 ? w->first_row : w->row;
    } else if (w->row == 0) {
        w->out->n_bytes = length; /* the header */
    } else {
        w->out->n_bytes = w->row_begin;
        w->out->next_row = w->row - 1;
    }
    return RIG_OK;
}

rig_status rig_sweep_progress_read(rig_sweep_progress *out,
                                   const char *path,
                                   uint64_t hash,
                                   size_t first_row,
                                   size_t end_row,
                                   bool has_header,
                                   bool is_whole,
                                   rig_error *err)
{
    written file = {0};
    *out = (rig_sweep_progress){0};
    walk w = {.path = path,
              .file = &file,
              .hash = hash,
              .first_row = first_row,
              .end_row = end_row,
              .has_header = has_header,
              .out = out};
    rig_status status = read_all(&file, path, err);
    if (status == RIG_OK) {
        status = walk_records(&w, is_whole, err);
    }
    free(file.bytes);
    return status;
}
