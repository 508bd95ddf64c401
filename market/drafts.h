/* SPDX-License-Identifier: GPL-3.0-or-later
 * Many drafts of one table, found by the words of their names. */
#ifndef RIG_MARKET_DRAFTS_H
#define RIG_MARKET_DRAFTS_H

#include "market/draft.h"

/** Words of a text: runs of letters and digits in small letters, a number and its unit as one
 *  ("32 GB" and "32GB" give "32gb"). */
#define RIG__WORDS_CAP 48
typedef struct rig__words {
    size_t n;
    char text[512]; /**< NUL-terminated, one behind the other */
    const char *items[RIG__WORDS_CAP];
} rig__words;
void rig__words_of(const char *text, rig__words *out);
bool rig__words_hold(const rig__words *words, const char *word);

typedef struct rig__drafts rig__drafts;

/** @return NULL: out of memory; free with rig__drafts_free */
rig__drafts *rig__drafts_new(void);
void rig__drafts_free(rig__drafts *drafts);

/** Adds a draft under its name. @return false: out of memory */
bool rig__drafts_add(rig__drafts *drafts, rig__draft *draft);
size_t rig__drafts_count(const rig__drafts *drafts);
rig__draft *rig__drafts_at(const rig__drafts *drafts, size_t index);

/** Does a draft that has all words of a name match what is known otherwise? */
typedef bool (*rig__drafts_match)(const rig__draft *candidate, const rig__draft *wanted);

/** The draft whose name holds all words of that of `wanted`, with the fewest besides; the first of
 *  equals. Linear in the drafts that hold the rarest word.
 *  @param matches  may be NULL
 *  @return NULL: none   @thread safe once all are added */
rig__draft *rig__drafts_find(const rig__drafts *drafts,
                             const rig__draft *wanted,
                             rig__drafts_match matches);

#endif
