/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lines of a shop's part lists as drafts: prices and what the list says of each part. */
#ifndef RIG_MARKET_LISTINGS_H
#define RIG_MARKET_LISTINGS_H

#include "market/draft.h"
#include "market/lines.h"

/** Reads one line of a list into a draft. @return false: out of memory */
typedef bool (*rig__listing_read)(const rig__line *line, rig__draft *draft, rig__arena *arena);

typedef struct rig__listing {
    const char *file_name; /**< "cpu.csv" */
    rig_table table;
    rig__listing_read read;
} rig__listing;

/** What a file of a shop's lists holds; NULL: nothing that a machine is planned of. */
const rig__listing *rig__listing_of_file(const char *file_name);

#endif
