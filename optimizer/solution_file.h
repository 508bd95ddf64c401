/* SPDX-License-Identifier: GPL-3.0-or-later
 * Solution files of glpsol, cbc and HiGHS, as columns and values. */
#ifndef RIG_OPTIMIZER_SOLUTION_FILE_H
#define RIG_OPTIMIZER_SOLUTION_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "trainrig/status.h"

/** Value of one column, which the file gives by name or by number. */
typedef struct rig__solution_value {
    const char *name; /**< NULL: by number */
    size_t number;    /**< 1 is the first column */
    double value;
    long line;
} rig__solution_value;

typedef enum rig__solution_status {
    RIG__SOLUTION_OPTIMAL,
    RIG__SOLUTION_FEASIBLE, /**< a solution without a proof */
    RIG__SOLUTION_NONE,     /**< proved that there is none */
    RIG__SOLUTION_UNKNOWN   /**< stopped with nothing */
} rig__solution_status;

typedef struct rig__solution {
    const char *solver; /**< "glpsol", "cbc", "HiGHS" */
    rig__solution_status status;
    size_t n_columns; /**< that the file says the program has, 0: does not say */
    rig__solution_value *values;
    size_t n_values; /**< columns that are not listed are 0 */
} rig__solution;

/** Reads a solution file; its form is told from the first line.
 *  @param arena  owner of names and values
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE (no form that is known, cut short; with line), RIG_E_NOMEM
 */
rig_status
rig__solution_read(rig__solution *out, const char *path, rig__arena *arena, rig_error *err);

#endif
