/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arena: many small allocations freed at once. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks double up to the largest, so n small allocations need O(log n + bytes / 1 MiB) mallocs. */
#define BLOCK_BYTES_FIRST ((size_t)4096)
#define BLOCK_BYTES_LARGEST ((size_t)1 << 20)

typedef struct block {
    struct block *next;
    size_t used;
    size_t capacity;
    max_align_t data[];
} block;

struct rig__arena {
    block *blocks; /* the first one is filled */
    size_t next_bytes;
};

static size_t round_up(size_t bytes)
{
    const size_t unit = sizeof(max_align_t);
    return (bytes + unit - 1) / unit * unit;
}

static block *add_block(rig__arena *arena, size_t bytes)
{
    /* a large request gets a block of its own behind the one in use */
    const bool is_own = bytes > arena->next_bytes / 4;
    const size_t capacity = is_own ? bytes : arena->next_bytes;
    block *const fresh = calloc(1, sizeof(block) + capacity);
    if (fresh == NULL) {
        return NULL;
    }
    fresh->capacity = capacity;
    if (is_own && arena->blocks != NULL) {
        fresh->next = arena->blocks->next;
        arena->blocks->next = fresh;
    } else {
        fresh->next = arena->blocks;
        arena->blocks = fresh;
    }
    if (!is_own && arena->next_bytes < BLOCK_BYTES_LARGEST) {
        arena->next_bytes *= 2;
    }
    return fresh;
}

rig__arena *rig__arena_new(void)
{
    rig__arena *const arena = calloc(1, sizeof *arena);
    if (arena != NULL) {
        arena->next_bytes = BLOCK_BYTES_FIRST;
    }
    return arena;
}

void rig__arena_free(rig__arena *arena)
{
    if (arena == NULL) {
        return;
    }
    block *current = arena->blocks;
    while (current != NULL) {
        block *const next = current->next;
        free(current);
        current = next;
    }
    free(arena);
}

void *rig__arena_alloc(rig__arena *arena, size_t count, size_t size)
{
    const size_t bytes_max = SIZE_MAX / 2 - sizeof(block);
    if (size != 0 && count > bytes_max / size) {
        return NULL;
    }
    const size_t wanted = count * size;
    const size_t bytes = round_up(wanted == 0 ? 1 : wanted);
    block *home = arena->blocks;
    if (home == NULL || home->capacity - home->used < bytes) {
        home = add_block(arena, bytes);
        if (home == NULL) {
            return NULL;
        }
    }
    void *const memory = (char *)home->data + home->used;
    home->used += bytes;
    return memory;
}

char *rig__arena_copy(rig__arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX) {
        return NULL;
    }
    char *const copy = rig__arena_alloc(arena, length + 1, 1);
    if (copy != NULL && length > 0) {
        memcpy(copy, text, length);
    }
    return copy; /* the arena is zeroed, so the text is terminated */
}

char *rig__arena_format(rig__arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list measured;
    va_copy(measured, arguments);
    const int length = vsnprintf(NULL, 0, format, measured);
    va_end(measured);
    char *text = NULL;
    if (length >= 0) {
        text = rig__arena_alloc(arena, (size_t)length + 1, 1);
    }
    if (text != NULL) {
        (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    }
    va_end(arguments);
    return text;
}
