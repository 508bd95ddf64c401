/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cells and rows of CSV after RFC 4180, guarded against spreadsheets that run formulas. */
#ifndef RIG_REPORT_CSV_CELLS_H
#define RIG_REPORT_CSV_CELLS_H

#include "report/output.h"

/** Where in the file the writer is. */
typedef struct rig__csv {
    rig__output *output;
    bool is_row_started;
    bool is_guarded, is_quoted, has_crlf;
    bool has_lead; /**< columns that a frontier puts in front are not repeated */
} rig__csv;

/** Starts a file as the options of the report say. */
rig__csv rig__csv_begin(rig__output *output);
void rig__csv_end_row(rig__csv *out);
/** A cell as it is, quoted if its bytes need it. */
void rig__csv_raw(rig__csv *out, const char *text, bool is_quoted);
/** A text; NULL is an empty cell. */
void rig__csv_text(rig__csv *out, const char *text);
/** A number; NAN and infinity are empty cells. */
void rig__csv_number(rig__csv *out, double value);
/** A figure of the model with six digits: it is not known to more. */
void rig__csv_figure(rig__csv *out, double value);
void rig__csv_bool(rig__csv *out, bool value);
void rig__csv_names(rig__csv *out, const char *const *names, size_t n_names);

#endif
