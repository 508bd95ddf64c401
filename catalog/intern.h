/* SPDX-License-Identifier: GPL-3.0-or-later
 * Each distinct text once: a catalogue repeats makers, sockets and sources thousands of times. */
#ifndef RIG_CATALOG_INTERN_H
#define RIG_CATALOG_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct rig__intern rig__intern;

/** Texts live in the arena; the table of them is freed apart. @return NULL: out of memory */
rig__intern *rig__intern_new(rig__arena *arena);
void rig__intern_free(rig__intern *intern);

/** The one copy of a text, NUL-terminated.
 *  @param[out] hash_out  fingerprint of its bytes; may be NULL
 *  @return NULL: out of memory */
const char *
rig__intern_text(rig__intern *intern, const char *text, size_t length, uint64_t *hash_out);

#endif
