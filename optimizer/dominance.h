/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominance in general: which of many items no other item always replaces. */
#ifndef RIG_OPTIMIZER_DOMINANCE_H
#define RIG_OPTIMIZER_DOMINANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/status.h"

/** Items as rows of figures. Item a replaces item b if the first n_equal figures are equal and each
 *  of the others is no more in a than in b: "the more the better" enters with its sign turned.
 *  The first two of those others are cost and watts. Free with rig__figures_free. */
typedef struct rig__figures {
    double *rows; /**< n_items rows of n_figures; NAN equals NAN and is above every number */
    size_t n_items, n_figures, n_equal;
    uint64_t *signatures; /**< items that the shortlist tells apart; NULL: it tells none apart */
    size_t n_needed;      /**< dominators of different signature that make an item superfluous */
} rig__figures;

/** Room for items; the rows are zero.
 *  @param n_needed  0: the shortlist tells no items apart, so that one dominator suffices
 *  @return RIG_OK, RIG_E_NOMEM (nothing to free) */
rig_status rig__figures_new(rig__figures *out,
                            size_t n_items,
                            size_t n_equal,
                            size_t n_figures,
                            size_t n_needed,
                            rig_error *err);
void rig__figures_free(rig__figures *figures);
double *rig__figures_row(const rig__figures *figures, size_t i_item);

/** A pointer as a figure that can only be compared for equality. */
double rig__figure_of(const void *pointer);

/** Finds the items to keep: those without a dominator of their own signature and with fewer than
 *  n_needed dominators of other signatures. Of items that replace each other the cheaper, then the
 *  one of fewer watts, then the earlier stays.
 *
 *  Items are sorted by class, cost and watts, then each is held against those kept before it in its
 *  class: n log n, times the items that a class keeps.
 *  @param[out] is_kept  n_items flags
 *  @return RIG_OK, RIG_E_NOMEM   @source docs/optimisation.md */
rig_status rig__figures_sweep(const rig__figures *figures, bool *is_kept, rig_error *err);

#endif
