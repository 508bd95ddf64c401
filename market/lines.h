/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files of which a broken line costs only itself. */
#ifndef RIG_MARKET_LINES_H
#define RIG_MARKET_LINES_H

#include "catalog/csv_reader.h"

/** A row of a CSV file by the names of its columns. */
typedef struct rig__line {
    const char *file;
    long line;
    const char *const *headers;
    const rig__csv_cell *cells;
    size_t n_cells;
    const char *text; /**< NDJSON: the line itself; CSV: NULL */
    size_t length;
} rig__line;

/** Cell of a column, "" if it is empty or there is no such column. */
const char *rig__line_get(const rig__line *line, const char *header);

/** Takes lines and what is wrong with broken ones; a status other than RIG_OK ends the reading. */
typedef struct rig__line_sink {
    rig_status (*take)(const rig__line *line, void *payload, rig_error *err);
    rig_status (*broken)(const rig_error *problem, void *payload, rig_error *err);
    void *payload;
} rig__line_sink;

/** Reads a CSV file. After a line that is no CSV, or has more or fewer cells than the header, it
 *  goes on with the next physical line.
 *  @return RIG_OK; RIG_E_IO; RIG_E_PARSE if the header is broken; RIG_E_NOMEM; or what the sink
 *          returned */
RIG_NODISCARD rig_status rig__csv_lines(const char *path,
                                        const rig__line_sink *sink,
                                        rig_error *err);

#define RIG__LINE_BYTES 1048576 /**< longest line of an NDJSON file */

/** Reads the lines of an NDJSON file; blank ones are skipped, longer ones are broken.
 *  @return as above */
RIG_NODISCARD rig_status rig__text_lines(const char *path,
                                         const rig__line_sink *sink,
                                         rig_error *err);

#endif
