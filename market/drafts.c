/* SPDX-License-Identifier: GPL-3.0-or-later
 * Many drafts of one table, found by the words of their names. */
#include "market/drafts.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char letter_of(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return (char)(c - 'A' + 'a');
    }
    return (c >= 'a' && c <= 'z') || is_digit(c) ? c : '\0';
}

static bool is_unit(const char *word)
{
    static const char *const units[] = {"gb", "tb", "mb", "w", "mm", "mhz"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(word, units[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_number(const char *word)
{
    return word[0] != '\0' && word[strspn(word, "0123456789")] == '\0';
}

void rig__words_of(const char *text, rig__words *out)
{
    char *to = out->text;
    const char *const end = out->text + sizeof out->text - 1;
    out->n = 0;
    while (*text != '\0' && out->n < RIG__WORDS_CAP && to < end) {
        char *const word = to;
        for (; letter_of(*text) != '\0' && to < end; text++) {
            *to++ = letter_of(*text);
        }
        *to = '\0';
        if (to > word && is_unit(word) && out->n > 0 && is_number(out->items[out->n - 1])) {
            /* closes the gap to the number before */
            memmove(word - 1, word, (size_t)(to - word) + 1);
        } else if (to > word) {
            out->items[out->n++] = word;
            to++;
        }
        while (*text != '\0' && letter_of(*text) == '\0') {
            text++;
        }
    }
}

bool rig__words_hold(const rig__words *words, const char *word)
{
    for (size_t i = 0; i < words->n; i++) {
        if (strcmp(words->items[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- postings ------------------------------------------------------------------------------- */

/* Drafts that hold a word; index + 1 of each, in the order they were added. */
typedef struct posting {
    const char *word;
    size_t *drafts;
    size_t n, cap;
} posting;

typedef struct entry {
    rig__draft *draft;
    size_t n_words;
} entry;

struct rig__drafts {
    rig__arena *arena; /* of the words */
    entry *entries;
    size_t n, cap;
    posting *postings; /* open addressing, a power of two */
    size_t n_postings, cap_postings;
};

rig__drafts *rig__drafts_new(void)
{
    rig__drafts *const drafts = calloc(1, sizeof *drafts);
    if (drafts == NULL) {
        return NULL;
    }
    drafts->arena = rig__arena_new();
    drafts->cap_postings = 1024;
    drafts->postings = calloc(drafts->cap_postings, sizeof *drafts->postings);
    if (drafts->arena == NULL || drafts->postings == NULL) {
        rig__drafts_free(drafts);
        return NULL;
    }
    return drafts;
}

void rig__drafts_free(rig__drafts *drafts)
{
    if (drafts == NULL) {
        return;
    }
    for (size_t i = 0; drafts->postings != NULL && i < drafts->cap_postings; i++) {
        free(drafts->postings[i].drafts);
    }
    free(drafts->postings);
    free(drafts->entries);
    rig__arena_free(drafts->arena);
    free(drafts);
}

static uint64_t hash_of(const char *word)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *word != '\0'; word++) {
        hash = (hash ^ (unsigned char)*word) * UINT64_C(0x100000001b3);
    }
    return hash ^ hash >> 32;
}

/* Slot of a word: its posting, or the empty one where it would stand. */
static posting *slot_of(posting *postings, size_t cap, const char *word)
{
    size_t i = hash_of(word) & (cap - 1);
    while (postings[i].word != NULL && strcmp(postings[i].word, word) != 0) {
        i = (i + 1) & (cap - 1);
    }
    return &postings[i];
}

static bool grow(rig__drafts *drafts)
{
    if (2 * drafts->n_postings < drafts->cap_postings) {
        return true;
    }
    const size_t cap = 2 * drafts->cap_postings;
    posting *const larger = calloc(cap, sizeof *larger);
    if (larger == NULL) {
        return false;
    }
    for (size_t i = 0; i < drafts->cap_postings; i++) {
        if (drafts->postings[i].word != NULL) {
            *slot_of(larger, cap, drafts->postings[i].word) = drafts->postings[i];
        }
    }
    free(drafts->postings);
    drafts->postings = larger;
    drafts->cap_postings = cap;
    return true;
}

static bool post(rig__drafts *drafts, const char *word, size_t index)
{
    if (!grow(drafts)) {
        return false;
    }
    posting *const slot = slot_of(drafts->postings, drafts->cap_postings, word);
    if (slot->word == NULL) {
        slot->word = rig__arena_copy(drafts->arena, word, strlen(word));
        if (slot->word == NULL) {
            return false;
        }
        drafts->n_postings++;
    }
    if (slot->n > 0 && slot->drafts[slot->n - 1] == index) {
        return true; /* a word that the name holds twice */
    }
    if (slot->n == slot->cap) {
        const size_t cap = slot->cap == 0 ? 4 : 2 * slot->cap;
        size_t *const larger = realloc(slot->drafts, cap * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        slot->drafts = larger;
        slot->cap = cap;
    }
    slot->drafts[slot->n++] = index;
    return true;
}

bool rig__drafts_add(rig__drafts *drafts, rig__draft *draft)
{
    rig__words words;
    if (drafts->n == drafts->cap) {
        const size_t cap = drafts->cap == 0 ? 256 : 2 * drafts->cap;
        entry *const larger = realloc(drafts->entries, cap * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        drafts->entries = larger;
        drafts->cap = cap;
    }
    rig__words_of(draft->name, &words);
    for (size_t i = 0; i < words.n; i++) {
        if (!post(drafts, words.items[i], drafts->n)) {
            return false;
        }
    }
    drafts->entries[drafts->n++] = (entry){.draft = draft, .n_words = words.n};
    return true;
}

size_t rig__drafts_count(const rig__drafts *drafts)
{
    return drafts->n;
}

rig__draft *rig__drafts_at(const rig__drafts *drafts, size_t index)
{
    return drafts->entries[index].draft;
}

/* Postings are ascending, so that a word is looked up by bisection. */
static bool holds(const posting *slot, size_t index)
{
    size_t low = 0, high = slot->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (slot->drafts[middle] < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < slot->n && slot->drafts[low] == index;
}

rig__draft *rig__drafts_find(const rig__drafts *drafts,
                             const rig__draft *wanted,
                             rig__drafts_match matches)
{
    const posting *slots[RIG__WORDS_CAP], *rarest = NULL;
    rig__words words;
    const entry *best = NULL;
    rig__words_of(wanted->name, &words);
    for (size_t i = 0; i < words.n; i++) {
        slots[i] = slot_of(drafts->postings, drafts->cap_postings, words.items[i]);
        if (slots[i]->word == NULL) {
            return NULL;
        }
        rarest = rarest == NULL || slots[i]->n < rarest->n ? slots[i] : rarest;
    }
    for (size_t k = 0; rarest != NULL && k < rarest->n; k++) {
        const entry *const candidate = &drafts->entries[rarest->drafts[k]];
        bool has_all = best == NULL || candidate->n_words < best->n_words;
        for (size_t i = 0; i < words.n && has_all; i++) {
            has_all = holds(slots[i], rarest->drafts[k]);
        }
        if (has_all && (matches == NULL || matches(candidate->draft, wanted))) {
            best = candidate;
        }
    }
    return best == NULL ? NULL : best->draft;
}
