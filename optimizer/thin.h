/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reduction of parts, before they are counted and combined. */
#ifndef RIG_OPTIMIZER_THIN_H
#define RIG_OPTIMIZER_THIN_H

#include "optimizer/dominance.h"
#include "optimizer/options.h"

/** Rows of a table without those that another row always replaces, in any number and beside
 *  whatever else. Rows that are no options for another reason (no price, a condition, not
 *  measured) stay, for whoever counts them.
 *
 *  @param table  CPU, GPU, MEMORY or STORAGE
 *  @param[out] out  in the order of the catalogue, owned by the arena of the space
 *  @return RIG_OK, RIG_E_NOMEM   @source docs/optimisation.md */
rig_status rig__thin_rows(
    rig__space *space, rig_table table, const rig_row ***out, size_t *n_out, rig_error *err);

/** Dominators of other signatures that it takes to leave out a part or host that the shortlist
 *  tells apart at this level; 0: it tells none apart. */
size_t rig__thin_needed(const rig__space *space, rig_distinct level);

/** What takes part in limits, one figure per limit of the space: less is better. */
void rig__thin_limits(const rig__space *space, const double totals[RIG_N_TOTALS], double *out);

/** Is the row for sale, and does no condition on anything but its number exclude it? Conditions on
 *  numbers treat all rows alike, so rows that pass may replace each other. */
bool rig__thin_is_open(const rig__space *space, const rig_row *row);

/** Bracket positions one card takes up, as planned for. */
int rig__gpu_width(const rig_gpu *gpu);
/** Where a drive is mounted. */
rig__bay rig__drive_bay(const rig_storage *storage);

#endif
