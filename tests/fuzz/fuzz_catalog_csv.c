/* SPDX-License-Identifier: GPL-3.0-or-later
 * Any bytes as a catalogue file: no crash, an error that names the file, rows that do not depend on
 * how the text is cut into pieces. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog_load.h"
#include "catalog/csv_reader.h"
#include "catalog/fingerprint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int is_true)
{
    if (!is_true) {
        abort();
    }
}

static rig_status take_row(const rig__csv_row *row, void *payload, rig_error *err)
{
    uint64_t *const hash = payload;
    (void)err;
    for (size_t i = 0; i < row->n_cells; i++) {
        const rig__csv_cell *const cell = &row->cells[i];
        require(strlen(cell->text) == cell->length);
        require(cell->line > 0 && cell->column > 0);
        *hash = rig__fingerprint_text(*hash, cell->text);
        *hash = rig__fingerprint_whole(*hash, (uint64_t)cell->line << 32 | (uint64_t)cell->column);
    }
    *hash = rig__fingerprint_text(*hash, NULL);
    return RIG_OK;
}

static rig_status
read_chunked(const char *bytes, size_t size, size_t n_chunk, uint64_t *hash, rig_error *err)
{
    const rig__csv_options options = {.name = "f.csv", .on_row = take_row, .payload = hash};
    rig__csv_reader *const reader = rig__csv_reader_new(&options);
    require(reader != NULL);
    rig_status status = RIG_OK;
    *hash = RIG__FINGERPRINT_START;
    for (size_t i = 0; i < size && status == RIG_OK; i += n_chunk) {
        const size_t n = size - i < n_chunk ? size - i : n_chunk;
        status = rig__csv_reader_feed(reader, bytes + i, n, err);
    }
    if (status == RIG_OK) {
        status = rig__csv_reader_finish(reader, err);
    }
    rig__csv_reader_free(reader);
    return status;
}

static int is_same_error(const rig_error *a, const rig_error *b)
{
    return a->status == b->status && a->line == b->line && a->column == b->column &&
           strcmp(a->where, b->where) == 0 && strcmp(a->message, b->message) == 0 &&
           strcmp(a->hint, b->hint) == 0;
}

static void compare_chunkings(const char *bytes, size_t size)
{
    rig_error whole_err = {0};
    uint64_t whole = 0;
    const rig_status status = read_chunked(bytes, size, size + 1, &whole, &whole_err);
    static const size_t chunks[] = {1, 2, 7, 4096};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        rig_error err = {0};
        uint64_t hash = 0;
        require(read_chunked(bytes, size, chunks[i], &hash, &err) == status);
        require(hash == whole);
        require(is_same_error(&err, &whole_err));
    }
}

static void check_rows(const rig_catalog *catalog, rig_table table)
{
    for (size_t i = 0; i < rig_catalog_count(catalog, table); i++) {
        const rig_row *const row = rig_catalog_row(catalog, table, i);
        const rig_row *found = NULL;
        require(rig_catalog_find(catalog, table, row->name, &found, NULL) == RIG_OK);
        for (size_t k = 0; k < rig_column_count(table); k++) {
            const rig_column *const column = rig_column_at(table, k);
            const double number = rig_row_number(row, column);
            const int is_value = column->type != RIG_COLUMN_TEXT && column->type != RIG_COLUMN_DATE;
            require(!is_value || isnan(number) ||
                    (number >= column->low && number <= column->high));
        }
    }
}

static void load_as(rig_table table, bool is_check, const char *bytes, size_t size)
{
    const rig__table_text text = {table, "f.csv", bytes, size};
    rig_catalog_options options = rig_catalog_options_default();
    options.is_check = is_check;
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    const rig_status status = rig__catalog_load_text(&catalog, &text, &options, &err);
    require((status == RIG_OK) == (catalog != NULL));
    require(status == RIG_OK || strcmp(err.where, "f.csv") == 0);
    if (catalog != NULL) {
        check_rows(catalog, table);
    }
    rig_catalog_free(catalog);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A part, quotes, references to parts and to data, a table without prices. */
    static const rig_table tables[] = {
        RIG_TABLE_PSU, RIG_TABLE_QUOTE, RIG_TABLE_SERVER, RIG_TABLE_WORKLOAD, RIG_TABLE_CONSTANT};
    const char *const bytes = size == 0 ? "" : (const char *)data;
    compare_chunkings(bytes, size);
    load_as(RIG_TABLE_PSU, true, bytes, size);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        load_as(tables[i], false, bytes, size);
    }
    return 0;
}
