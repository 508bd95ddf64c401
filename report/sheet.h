/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report of facts and tables for people: written once, shown as terminal table, Markdown and
 * HTML. */
#ifndef RIG_REPORT_SHEET_H
#define RIG_REPORT_SHEET_H

#include "report/grid.h"
#include "report/output.h"

#define RIG__SHEET_TABLES 4
#define RIG__SHEET_FACTS 16

/** A table of a sheet; all texts as they are, each form escapes them in its way. */
typedef struct rig__sheet_table {
    const char *heading;
    const rig__grid_column *columns;
    size_t n_columns;
    const char **cells; /**< n_rows times n_columns, in the arena of the report */
    size_t n_rows, cap_rows;
    size_t n_left_out; /**< rows that only machine formats show */
} rig__sheet_table;

typedef struct rig__sheet {
    rig__output *output;
    const char *title;
    const char *names[RIG__SHEET_FACTS], *values[RIG__SHEET_FACTS];
    size_t n_facts;
    rig__sheet_table tables[RIG__SHEET_TABLES];
    size_t n_tables;
} rig__sheet;

/** Adds a fact unless its value is empty. An empty name goes on with the fact before. */
void rig__sheet_fact(rig__sheet *sheet, const char *name, const char *value);

/** Starts a table for up to cap_rows rows. @return NULL: out of memory, which is remembered */
rig__sheet_table *rig__sheet_table_begin(rig__sheet *sheet,
                                         const char *heading,
                                         const rig__grid_column *columns,
                                         size_t n_columns,
                                         size_t cap_rows);
/** Adds n_columns texts; table may be NULL. */
void rig__sheet_row(rig__sheet_table *table, const char *const *cells);

/** Writes it in the format of the options: table, Markdown or HTML. Tables without rows are left
 *  out. */
void rig__sheet_write(const rig__sheet *sheet);

#endif
