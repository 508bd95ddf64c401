/* SPDX-License-Identifier: GPL-3.0-or-later
 * A whole CSV file in memory with any columns: cells by row and header name. */
#ifndef RIG_CATALOG_CSV_TABLE_H
#define RIG_CATALOG_CSV_TABLE_H

#include "catalog/csv_reader.h"

typedef struct rig__csv_table rig__csv_table;

/** Reads a file: header line, then rows of as many cells; column names are unique.
 *
 *  @param[out] out  NULL on failure; free with rig__csv_table_free
 *  @return RIG_OK; RIG_E_IO; RIG_E_PARSE or RIG_E_DUPLICATE (column) with place; RIG_E_NOMEM
 *  @thread safe */
RIG_NODISCARD rig_status rig__csv_table_read_file(rig__csv_table **out,
                                                  const char *path,
                                                  rig_error *err);

/** The same from memory; name is used in messages. */
RIG_NODISCARD rig_status rig__csv_table_read_memory(
    rig__csv_table **out, const char *name, const char *bytes, size_t length, rig_error *err);

void rig__csv_table_free(rig__csv_table *table);

size_t rig__csv_table_n_rows(const rig__csv_table *table); /**< without the header */
size_t rig__csv_table_n_columns(const rig__csv_table *table);
const char *rig__csv_table_header(const rig__csv_table *table, size_t i_column);

/** Column of that exact name. @return n_columns if there is none */
size_t rig__csv_table_find(const rig__csv_table *table, const char *header);

/** Columns of several names.
 *
 *  @param[out] out  n indices
 *  @param expected  ends the message: "a profile has the columns ..."
 *  @return RIG_OK; RIG_E_SCHEMA with the first name that is missing   @thread safe */
RIG_NODISCARD rig_status rig__csv_table_columns(const rig__csv_table *table,
                                                const char *const *headers,
                                                size_t n,
                                                const char *expected,
                                                size_t *out,
                                                rig_error *err);

/** Cell with its place; text is "" if empty. The text lives as long as the table. */
rig__csv_cell rig__csv_table_cell(const rig__csv_table *table, size_t i_row, size_t i_column);

/** Fills err with the place of a cell and a message; returns status. */
rig_status rig__csv_table_fail(const rig__csv_table *table,
                               size_t i_row,
                               size_t i_column,
                               rig_status status,
                               const char *message,
                               rig_error *err);

#endif
