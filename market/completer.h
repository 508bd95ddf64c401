/* SPDX-License-Identifier: GPL-3.0-or-later
 * What chip, family, socket, standard and specification tell of a draft; what cannot be known is
 * bounded and said in its notes, or leaves the draft out. */
#ifndef RIG_MARKET_COMPLETER_H
#define RIG_MARKET_COMPLETER_H

#include "market/drafts.h"

/** What drafts are completed from, prepared once. */
typedef struct rig__completer rig__completer;

/** @param shipped  catalogue with figures of chips and families, borrowed
 *  @return NULL: out of memory; free with rig__completer_free */
rig__completer *rig__completer_new(const rig_catalog *shipped);
void rig__completer_free(rig__completer *completer);

/** Completes or drops a listing.
 *  @param specs  specifications of its table, may be NULL
 *  @return false: out of memory */
bool rig__completer_apply(const rig__completer *completer,
                   const rig__drafts *specs,
                   rig__draft *draft,
                   rig__arena *arena);

#endif
