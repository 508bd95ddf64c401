/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of a CSV text with the exact place of every cell. */
#ifndef RIG_CATALOG_CSV_READER_H
#define RIG_CATALOG_CSV_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "trainrig/status.h"

#define RIG__CSV_CELL_BYTES 65536 /**< longest cell, as written in the file */
#define RIG__CSV_ROW_BYTES 1048576
#define RIG__CSV_ROWS 1000000

/** One cell; valid until the row callback returns. */
typedef struct rig__csv_cell {
    const char *text; /**< NUL-terminated, "" if empty, valid UTF-8 without NUL */
    size_t length;
    long line;   /**< physical line of the file where the cell starts, from 1 */
    long column; /**< byte of that line where it starts, from 1; a BOM is not counted */
} rig__csv_cell;

typedef struct rig__csv_row {
    const rig__csv_cell *cells;
    size_t n_cells; /**< >= 1 */
    size_t i_row;   /**< 0 for the header; blank lines are not counted */
} rig__csv_row;

/** Takes one row; any status but RIG_OK ends the reading and is passed up. */
typedef rig_status (*rig__csv_on_row)(const rig__csv_row *row, void *payload, rig_error *err);

typedef struct rig__csv_options {
    const char *name;     /**< file name for messages, borrowed as long as the reader lives */
    bool is_comma_forced; /**< false: ',' ';' or TAB, whichever the header holds most of */
    rig__csv_on_row on_row;
    void *payload;
} rig__csv_options;

typedef struct rig__csv_reader rig__csv_reader;

/** @return NULL: out of memory */
rig__csv_reader *rig__csv_reader_new(const rig__csv_options *options);
void rig__csv_reader_free(rig__csv_reader *reader);

/** Feeds the next bytes; how the text is cut into pieces makes no difference.
 *
 *  Lines end with LF, CR or CRLF; blank lines are skipped; a UTF-8 BOM is dropped; there are no
 *  comments. Quotes are strict RFC 4180.
 *  @return RIG_OK; RIG_E_PARSE with line and column; RIG_E_NOMEM; or what on_row returned. After
 *          a failure the reader may only be freed. */
RIG_NODISCARD rig_status rig__csv_reader_feed(rig__csv_reader *reader,
                                              const char *bytes,
                                              size_t length,
                                              rig_error *err);

/** Ends the text: delivers a last row without newline, finds unclosed quotes and empty files. */
RIG_NODISCARD rig_status rig__csv_reader_finish(rig__csv_reader *reader, rig_error *err);

/** Reads a whole file. @return as feed, or RIG_E_IO */
RIG_NODISCARD rig_status rig__csv_read_file(const char *path,
                                            const rig__csv_options *options,
                                            rig_error *err);

/** Reads a text in memory. */
RIG_NODISCARD rig_status rig__csv_read_memory(const char *bytes,
                                              size_t length,
                                              const rig__csv_options *options,
                                              rig_error *err);

/** RIG_E_PARSE naming the numbers if the row has not n_expected cells. */
RIG_NODISCARD rig_status rig__csv_row_check(const rig__csv_row *row,
                                            size_t n_expected,
                                            const char *name,
                                            rig_error *err);

#endif
