/* SPDX-License-Identifier: GPL-3.0-or-later
 * A row of a catalogue table in the making: cells as texts, each checked when it is set. */
#ifndef RIG_MARKET_DRAFT_H
#define RIG_MARKET_DRAFT_H

#include "base/arena.h"
#include "trainrig/catalog.h"

typedef struct rig__draft {
    rig_table table;
    const char *name;
    const char **cells; /**< one per column of the table, NULL: unknown */
    int64_t cents;      /**< price, -1: unknown */
    const char *file;   /**< where it was read */
    long line;
    const char *reason; /**< why it is left out, NULL: it is not; static */
    const char *detail; /**< the value behind the reason, may be NULL */
} rig__draft;

/** @return NULL: out of memory */
rig__draft *rig__draft_new(rig__arena *arena, rig_table table, const char *file, long line);

/** Sets a cell unless the text is empty. A value that the column does not take leaves the draft
 *  out, with column and value as the detail. @return false: out of memory */
bool rig__draft_set(rig__arena *arena, rig__draft *draft, const char *column, const char *text);
bool rig__draft_set_number(rig__arena *arena, rig__draft *draft, const char *column, double value);

/** Cell of a column; NULL: unknown. */
const char *rig__draft_get(const rig__draft *draft, const char *column);
/** Number in a cell; NAN: unknown. */
double rig__draft_number(const rig__draft *draft, const char *column);

/** Fills cells that are unknown from another draft of the table. */
void rig__draft_fill(rig__draft *draft, const rig__draft *from);
/** Fills cells that are unknown from a row of the catalogue; its price and notes are left.
 *  @return false: out of memory */
bool rig__draft_fill_from_row(rig__arena *arena, rig__draft *draft, const rig_row *row);

/** Fills price and notes that are unknown from another draft of the table. */
void rig__draft_fill_offer(rig__draft *draft, const rig__draft *from);

/** Leaves a draft out, unless it is left out already. */
void rig__draft_drop(rig__draft *draft, const char *reason, const char *detail);

/** Adds words to the notes: what was bounded or taken from elsewhere. @return false: no memory */
bool rig__draft_note(rig__arena *arena, rig__draft *draft, const char *text);

/** Leaves it out if a required cell is unknown. */
void rig__draft_check(rig__draft *draft);

#endif
