/* SPDX-License-Identifier: GPL-3.0-or-later
 * Each distinct text once: open addressing, at most half full. */
#include "catalog/intern.h"

#include <stdlib.h>
#include <string.h>

#include "catalog/fingerprint.h"

#define N_SLOTS_FIRST 1024

typedef struct slot {
    const char *text; /* NULL: free */
    uint64_t hash;
} slot;

struct rig__intern {
    rig__arena *arena;
    slot *slots;
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
        free(intern->slots);
        free(intern);
    }
}

static size_t
find_slot(const slot *slots, size_t n_slots, const char *text, size_t length, uint64_t hash)
{
    size_t i = (size_t)(hash ^ (hash >> 32)) & (n_slots - 1);
    while (slots[i].text != NULL &&
           (slots[i].hash != hash || strncmp(slots[i].text, text, length) != 0 ||
            slots[i].text[length] != '\0')) {
        i = (i + 1) & (n_slots - 1);
    }
    return i;
}

static slot *grow(rig__intern *intern)
{
    const size_t n_slots = intern->n_slots * 2;
    slot *const slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < intern->n_slots; i++) {
        const slot *const old = &intern->slots[i];
        if (old->text != NULL) {
            slots[find_slot(slots, n_slots, old->text, strlen(old->text), old->hash)] = *old;
        }
    }
    free(intern->slots);
    intern->slots = slots;
    intern->n_slots = n_slots;
    return slots;
}

const char *
rig__intern_text(rig__intern *intern, const char *text, size_t length, uint64_t *hash_out)
{
    if (intern->n_used * 2 >= intern->n_slots && grow(intern) == NULL) {
        return NULL;
    }
    const uint64_t hash = rig__fingerprint_bytes(RIG__FINGERPRINT_START, text, length);
    slot *const found =
        &intern->slots[find_slot(intern->slots, intern->n_slots, text, length, hash)];
    if (found->text == NULL) {
        found->text = rig__arena_copy(intern->arena, text, length);
        found->hash = hash;
        intern->n_used += found->text != NULL;
    }
    if (hash_out != NULL) {
        *hash_out = hash;
    }
    return found->text;
}
