/* SPDX-License-Identifier: GPL-3.0-or-later
 * Each distinct text once: open addressing, at most half full. */
#include "catalog/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/fingerprint.h"

#define N_SLOTS_FIRST 1024

struct rig__intern {
    rig__arena *arena;
    const char **slots;
    size_t n_slots; /* power of two */
    size_t n_used;
};

rig__intern *rig__intern_new(rig__arena *arena)
{
    rig__intern *const intern = calloc(1, sizeof *intern);
    if (intern == NULL) {
        return NULL;
    }
    intern->arena = arena;
    intern->n_slots = N_SLOTS_FIRST;
    intern->slots = calloc(N_SLOTS_FIRST, sizeof *intern->slots);
    if (intern->slots == NULL) {
        free(intern);
        return NULL;
    }
    return intern;
}

void rig__intern_free(rig__intern *intern)
{
    if (intern != NULL) {
        free((void *)intern->slots);
        free(intern);
    }
}

static size_t find_slot(const char *const *slots, size_t n_slots, const char *text, size_t length)
{
    const uint64_t hash = rig__fingerprint_bytes(RIG__FINGERPRINT_START, text, length);
    size_t i = (size_t)(hash ^ (hash >> 32)) & (n_slots - 1);
    while (slots[i] != NULL && (strncmp(slots[i], text, length) != 0 || slots[i][length] != '\0')) {
        i = (i + 1) & (n_slots - 1);
    }
    return i;
}

static const char **grow(rig__intern *intern)
{
    const size_t n_slots = intern->n_slots * 2;
    const char **const slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < intern->n_slots; i++) {
        const char *const text = intern->slots[i];
        if (text != NULL) {
            slots[find_slot(slots, n_slots, text, strlen(text))] = text;
        }
    }
    free((void *)intern->slots);
    intern->slots = slots;
    intern->n_slots = n_slots;
    return slots;
}

const char *rig__intern_text(rig__intern *intern, const char *text, size_t length)
{
    if (intern->n_used * 2 >= intern->n_slots && grow(intern) == NULL) {
        return NULL;
    }
    const size_t i = find_slot(intern->slots, intern->n_slots, text, length);
    if (intern->slots[i] == NULL) {
        intern->slots[i] = rig__arena_copy(intern->arena, text, length);
        intern->n_used += intern->slots[i] != NULL;
    }
    return intern->slots[i];
}
