/* SPDX-License-Identifier: GPL-3.0-or-later
 * Storage of a profile, shared by reading, applying and fitting. */
#ifndef RIG_MODEL_PROFILE_H
#define RIG_MODEL_PROFILE_H

#include "base/arena.h"
#include "trainrig/accuracy.h"

typedef struct rig__profile_row {
    rig_profile_entry entry;
    long name_column, value_column; /**< of the file, 0: none */
} rig__profile_row;

struct rig_profile {
    rig__arena *arena;
    const char *name;
    rig__profile_row *rows;
    size_t n_rows, cap_rows;
};

/** Entry of a table by name; NULL if there is none. */
const rig_profile_entry *
rig__profile_find(const rig_profile *profile, rig_profile_table table, const char *name);

/** Word of a table, as "constants". */
const char *rig__profile_word(rig_profile_table table);

#endif
