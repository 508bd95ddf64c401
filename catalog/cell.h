/* SPDX-License-Identifier: GPL-3.0-or-later
 * One cell of a known column: from text to a checked value. */
#ifndef RIG_CATALOG_CELL_H
#define RIG_CATALOG_CELL_H

#include "catalog/csv_reader.h"
#include "trainrig/catalog.h"

typedef struct rig__cell_value {
    const char *text; /**< without blanks around, not NUL-terminated; length 0: unknown */
    size_t length;
    double number; /**< NUMBER and INTEGER; NAN: unknown */
    int64_t cents; /**< MONEY; -1: unknown */
    int32_t date_ymd;
    rig_trust trust; /**< of the trust column; unknown counts as fair */
} rig__cell_value;

/** Reads a cell by the rules of its column.
 *
 *  @param is_required  column->is_required, or not so where a file relaxes it
 *  @param file  name for messages
 *  @return RIG_OK; RIG_E_PARSE (empty though required, not a number or date, line break in a
 *          name, control character); RIG_E_RANGE; with the place of the cell   @thread safe */
RIG_NODISCARD rig_status rig__cell_parse(const rig__csv_cell *cell,
                                         const rig_column *column,
                                         bool is_required,
                                         const char *file,
                                         rig__cell_value *out,
                                         rig_error *err);

#endif
