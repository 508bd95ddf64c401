/* SPDX-License-Identifier: GPL-3.0-or-later
 * A catalogue that shares all rows with another one but for a few of its own. */
#ifndef RIG_CATALOG_OVERLAY_H
#define RIG_CATALOG_OVERLAY_H

#include "trainrig/catalog.h"

/** A catalogue with the rows of base, which must outlive it. Free with rig_catalog_free.
 *  @return NULL: out of memory */
rig_catalog *rig__overlay_new(const rig_catalog *base);

/** The overlay's own copy of a row, to be written to: made at the first call; for a name that is
 *  not there a new row with every value unknown.
 *  @param table  a table without prices
 *  @return NULL: out of memory */
rig_row *
rig__overlay_row(rig_catalog *overlay, const rig_catalog *base, rig_table table, const char *name);

/** Copy of a text that lives as long as the overlay. @return NULL: out of memory */
const char *rig__overlay_text(rig_catalog *overlay, const char *text);

/** Mixes what was changed into the hash of the catalogue. */
void rig__overlay_hash(rig_catalog *overlay, uint64_t hash);

#endif
