/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counts of rows left out, by reason and name. */
#ifndef RIG_ACCURACY_SKIPS_H
#define RIG_ACCURACY_SKIPS_H

#include "trainrig/accuracy.h"

/** Zero is empty. Texts are borrowed. */
typedef struct rig__skips {
    rig_skip *items;
    size_t n_items, cap_items;
} rig__skips;

/** Counts more rows; name may be NULL. @return false: out of memory */
bool rig__skips_add(rig__skips *skips, const char *reason, const char *name, size_t count);
/** Sorts by reason and name, and copies. @param out room for n_items @return n_items */
size_t rig__skips_sorted(rig__skips *skips, rig_skip *out);
void rig__skips_free(rig__skips *skips);

#endif
