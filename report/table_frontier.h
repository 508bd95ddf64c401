/* SPDX-License-Identifier: GPL-3.0-or-later
 * The points of a frontier for a terminal. */
#ifndef RIG_REPORT_TABLE_FRONTIER_H
#define RIG_REPORT_TABLE_FRONTIER_H

#include "report/output.h"

/** One line per build: price, rate, epoch, what each dollar more bought over the build before, and
 * what changes. */
void rig__table_frontier(rig__output *output, const rig_result *result);

#endif
