/* SPDX-License-Identifier: GPL-3.0-or-later
 * Listings for a terminal: requirements and catalogue rows. */
#ifndef RIG_REPORT_TABLE_LISTS_H
#define RIG_REPORT_TABLE_LISTS_H

#include "report/writer.h"

void rig__table_requirement_grid(rig__output *output, const rig_requirements *requirements);

/** One row is shown downwards; of many rows, unless the columns were named, only the columns that
 *  fit the width, and what was left out is said. */
void rig__table_rows(rig__output *output,
                     const rig_row *const *rows,
                     size_t n_rows,
                     const rig__report_column *columns,
                     size_t n_columns,
                     bool is_all_columns);

#endif
