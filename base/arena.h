/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arena: many small allocations freed at once. */
#ifndef RIG_BASE_ARENA_H
#define RIG_BASE_ARENA_H

#include <stddef.h>

typedef struct rig__arena rig__arena;

rig__arena *rig__arena_new(void); /**< NULL: out of memory */
void rig__arena_free(rig__arena *arena);

/** Zeroed, suitably aligned; count * size is checked for overflow. @return NULL: out of memory.
 *  A count or size of 0 yields a valid pointer. */
void *rig__arena_alloc(rig__arena *arena, size_t count, size_t size);

/** NUL-terminated copy of length bytes. @return NULL: out of memory */
char *rig__arena_copy(rig__arena *arena, const char *text, size_t length);

/** printf into the arena. @return NULL: out of memory */
char *rig__arena_format(rig__arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
