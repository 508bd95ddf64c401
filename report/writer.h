/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interface behind which all writers stand: one format, four kinds of report. */
#ifndef RIG_REPORT_WRITER_H
#define RIG_REPORT_WRITER_H

#include "report/output.h"
#include "trainrig/report.h"

/** One column of a listing of catalogue rows. */
typedef struct rig__report_column {
    const char *name;
    const rig_column *column; /**< NULL: the name of the row */
} rig__report_column;

/** A format. Failures of the sink and of memory are remembered in the output. */
typedef struct rig__writer {
    const char *name; /**< as written after --format */
    void (*write_result)(rig__output *output, const rig_result *result, bool is_prediction);
    void (*write_frontier)(rig__output *output, const rig_result *result, int64_t from_cents);
    void (*write_requirements)(rig__output *output, const rig_requirements *requirements);
    /** Rows, all of one table, and the columns to show; is_all_columns: the user named none. */
    void (*write_rows)(rig__output *output,
                       const rig_row *const *rows,
                       size_t n_rows,
                       const rig__report_column *columns,
                       size_t n_columns,
                       bool is_all_columns);
} rig__writer;

extern const rig__writer rig__table_writer;
extern const rig__writer rig__csv_writer;
extern const rig__writer rig__json_writer;
extern const rig__writer rig__markdown_writer;
extern const rig__writer rig__html_writer;

#endif
