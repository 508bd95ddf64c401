/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables and paragraphs for a terminal of a given width. */
#ifndef RIG_REPORT_GRID_H
#define RIG_REPORT_GRID_H

#include "report/output.h"

#define RIG__GRID_COLUMNS 48 /**< most columns of one table */

typedef struct rig__grid_column {
    const char *header;
    bool is_right;    /**< numbers */
    bool is_flexible; /**< broken into lines when the table is too wide */
} rig__grid_column;

/** Rows gathered before they are shown; all texts live in the arena of the report or longer. */
typedef struct rig__grid {
    rig__output *output;
    const rig__grid_column *columns;
    size_t n_columns;
    const char ***rows; /**< [row][column], the colour of the row after the last column */
    size_t n_rows, cap_rows;
} rig__grid;

/** Colours by their purpose; each is only ever an addition to a word or a sign. */
#define RIG__COLOUR_NONE ""
#define RIG__COLOUR_STRONG "\033[1m"
#define RIG__COLOUR_ALERT "\033[33m"
#define RIG__COLOUR_BAD "\033[31m"
#define RIG__COLOUR_END "\033[0m"

rig__grid rig__grid_new(rig__output *output, const rig__grid_column *columns, size_t n_columns);
/** Adds a row of n_columns texts, NULL is empty; colour is one of the above. */
void rig__grid_add(rig__grid *grid, const char *const *cells, const char *colour);
/** Writes the table; nothing to free. */
void rig__grid_write(const rig__grid *grid);

/** Writes "LABEL   text ..." with the text broken at blanks and indented below itself. A text that
 *  follows an empty label goes on under the last one. */
void rig__grid_field(rig__output *output, const char *label, const char *text, const char *colour);
/** The same with a sign before the text, to which the lines below the first are indented. */
void rig__grid_item(
    rig__output *output, const char *label, const char *sign, const char *text, const char *colour);
/** Writes a line or a paragraph from the left edge. */
void rig__grid_paragraph(rig__output *output, const char *text, const char *colour);

/** Text broken at blanks into lines of at most width characters; longer words are cut. */
const char *rig__grid_wrap(rig__output *output, const char *text, size_t width);

#endif
