/* SPDX-License-Identifier: GPL-3.0-or-later
 * A mixed integer linear program as sparse rows, and its two text forms. */
#ifndef RIG_OPTIMIZER_LINEAR_H
#define RIG_OPTIMIZER_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "trainrig/program.h"

/** A variable. */
typedef struct rig__linear_column {
    const char *name; /**< legal in both forms and unique */
    double objective;
    double low, high; /**< high may be INFINITY */
    bool is_integer;
} rig__linear_column;

typedef enum rig__sense { RIG__AT_MOST, RIG__EQUAL, RIG__AT_LEAST } rig__sense;

typedef struct rig__linear_row {
    const char *name;
    rig__sense sense;
    double right;
    size_t start, length; /**< entries */
} rig__linear_row;

/** min sum objective x, s.t. rows, bounds. Zero-initialise and set arena and marker. */
typedef struct rig__linear {
    rig__arena *arena; /**< of the names */
    rig__linear_column *columns;
    size_t n_columns, cap_columns;
    rig__linear_row *rows;
    size_t n_rows, cap_rows;
    size_t *index; /**< columns of the entries */
    double *value;
    size_t n_entries, cap_entries;
    bool is_nomem; /**< something is missing: nothing of it may be used */
} rig__linear;

/** Frees the arrays, not the arena. */
void rig__linear_fini(rig__linear *linear);

/** Adds a variable. @return its index; 0 when out of memory, which is remembered */
size_t rig__linear_column_add(rig__linear *linear, rig__linear_column column);

/** Begins a row; its entries follow, then rig__linear_row_end. The name is completed by a number,
 *  so it need not be unique. */
void rig__linear_row_begin(rig__linear *linear, const char *name);
/** Adds an entry to the row begun; zeros are left out, and what is too small for the tolerances of
 *  solvers counts as zero. */
void rig__linear_put(rig__linear *linear, size_t column, double value);
/** Ends the row. One without entries that holds is left out; one that does not gets an entry of
 *  column 0, which is fixed at 1, such that it still does not hold. */
void rig__linear_row_end(rig__linear *linear, rig__sense sense, double right);

/** Name made legal: letters, digits and '_' of the text after a prefix and a number that makes it
 *  unique. @return in the arena; NULL: out of memory */
const char *
rig__linear_name(rig__arena *arena, const char *prefix, size_t number, const char *text);

/** Writes the program after comment lines (of any bytes; they are cleaned).
 *  Columns have the same numbers in both forms.
 *  @return RIG_OK; RIG_E_IO if the sink fails, RIG_E_NOMEM */
rig_status rig__linear_write(const rig__linear *linear,
                             const char *name,
                             const char *const *comments,
                             size_t n_comments,
                             rig_program_format format,
                             rig_write_sink sink,
                             void *payload,
                             rig_error *err);

#endif
