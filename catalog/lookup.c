/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finding a row by what a person writes.
 *
 * Words are compared without case, at first split at everything but letters and digits
 * ("RTX 4090" -> rtx 4090), then also between letters and digits ("RTX4090" -> rtx 4090), so that
 * a whole word wins: "A6000" is never "A 6000", "9950X" never "9950X3D". A word that makes another
 * product of the same number ("Ti") must be written: "RTX 5060" is never "RTX 5060 Ti". */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/catalog_load.h"

#define WORDS_MAX 48
#define WORD_BYTES 512
#define CANDIDATES_SHOWN 6
#define NEAREST_SHOWN 3
#define DISTANCE_MAX 64

typedef enum split { SPLIT_AT_BLANKS, SPLIT_AT_DIGITS } split;

typedef struct words {
    const char *items[WORDS_MAX];
    size_t n_items;
    char bytes[WORD_BYTES];
} words;

/* Class of a byte: 0 between words, 1 digit, 2 letter (all of UTF-8 beyond ASCII included). */
static int class_of(char c)
{
    const unsigned char byte = (unsigned char)c;
    if (byte >= '0' && byte <= '9') {
        return 1;
    }
    const bool is_letter =
        (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80;
    return is_letter ? 2 : 0;
}

/* Words beyond the limits are dropped: no name is that long. */
static void split_words(const char *text, split how, words *out)
{
    size_t n_bytes = 0;
    int previous = 0;
    out->n_items = 0;
    for (const char *at = text; *at != '\0' && n_bytes + 2 < WORD_BYTES; at++) {
        const int class = class_of(*at);
        const bool is_begin =
            class != 0 && (previous == 0 || (how == SPLIT_AT_DIGITS && class != previous));
        if (is_begin) {
            if (out->n_items == WORDS_MAX) {
                break;
            }
            if (n_bytes > 0) {
                out->bytes[n_bytes++] = '\0';
            }
            out->items[out->n_items++] = out->bytes + n_bytes;
        }
        if (class != 0) {
            out->bytes[n_bytes++] = *at;
        }
        previous = class;
    }
    out->bytes[n_bytes] = '\0';
}

static bool holds_word(const words *in, const char *word)
{
    for (size_t i = 0; i < in->n_items; i++) {
        if (rig__text_compare_nocase(in->items[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static bool holds_all(const words *in, const words *wanted)
{
    for (size_t i = 0; i < wanted->n_items; i++) {
        if (!holds_word(in, wanted->items[i])) {
            return false;
        }
    }
    return wanted->n_items > 0;
}

static bool ends_with(const words *in, const words *wanted)
{
    if (wanted->n_items > in->n_items) {
        return false;
    }
    const size_t offset = in->n_items - wanted->n_items;
    for (size_t i = 0; i < wanted->n_items; i++) {
        if (rig__text_compare_nocase(in->items[offset + i], wanted->items[i]) != 0) {
            return false;
        }
    }
    return true;
}

/* Words that set one product apart from another whose name is otherwise the same. */
static const char *const distinguishing[] = {
    "ti", "super", "xt", "xtx", "gre", "ada", "q" /* of Max-Q */, "laptop", "mobile"};

/* Has the name a distinguishing word that is not wanted? */
static bool is_another(const char *name, const words *wanted)
{
    words in;
    split_words(name, SPLIT_AT_BLANKS, &in);
    for (size_t i = 0; i < sizeof distinguishing / sizeof distinguishing[0]; i++) {
        if (holds_word(&in, distinguishing[i]) && !holds_word(wanted, distinguishing[i])) {
            return true;
        }
    }
    return false;
}

/* Is a word of the name wanted in part only, as "9354P" by "9354"? */
static bool breaks_word(const char *name, const words *wanted)
{
    words in;
    words pieces;
    split_words(name, SPLIT_AT_BLANKS, &in);
    for (size_t i = 0; i < in.n_items; i++) {
        size_t n_held = 0;
        split_words(in.items[i], SPLIT_AT_DIGITS, &pieces);
        for (size_t k = 0; k < pieces.n_items; k++) {
            n_held += holds_word(wanted, pieces.items[k]);
        }
        if (n_held > 0 && n_held < pieces.n_items) {
            return true;
        }
    }
    return false;
}

/* ---- matching -------------------------------------------------------------------------------- */

typedef struct matches {
    const rig_row *first;
    const rig_row *shown[CANDIDATES_SHOWN];
    size_t n_matches;
} matches;

static void add_match(matches *found, const rig_row *row)
{
    if (found->n_matches < CANDIDATES_SHOWN) {
        found->shown[found->n_matches] = row;
    }
    found->first = found->n_matches == 0 ? row : found->first;
    found->n_matches++;
}

static matches match_nocase(const rig__row_list *list, const char *text)
{
    matches found = {0};
    for (size_t i = 0; i < list->n_rows; i++) {
        if (rig__text_compare_nocase(list->rows[i]->name, text) == 0) {
            add_match(&found, list->rows[i]);
        }
    }
    return found;
}

static matches match_words(const rig__row_list *list, const char *text, split how)
{
    matches all = {0};
    matches ending = {0};
    words wanted;
    words in;
    split_words(text, how, &wanted);
    for (size_t i = 0; i < list->n_rows; i++) {
        split_words(list->rows[i]->name, how, &in);
        const char *name = list->rows[i]->name;
        if (!holds_all(&in, &wanted) || is_another(name, &wanted) ||
            (how == SPLIT_AT_DIGITS && breaks_word(name, &wanted))) {
            continue;
        }
        add_match(&all, list->rows[i]);
        if (ends_with(&in, &wanted)) {
            add_match(&ending, list->rows[i]);
        }
    }
    return ending.n_matches > 0 ? ending : all;
}

static void hint_candidates(const matches *found, rig_error *err)
{
    char text[sizeof err->hint - 32] = "";
    size_t n_text = 0;
    size_t n_shown = 0;
    while (n_shown < found->n_matches && n_shown < CANDIDATES_SHOWN) {
        const char *const name = found->shown[n_shown]->name;
        const size_t n_name = strlen(name);
        if (n_text + n_name + 3 > sizeof text) {
            break;
        }
        if (n_shown > 0) {
            memcpy(text + n_text, "; ", 2);
            n_text += 2;
        }
        memcpy(text + n_text, name, n_name + 1);
        n_text += n_name;
        n_shown++;
    }
    if (n_shown < found->n_matches) {
        rig__error_hint(err, "%s; and %zu more", text, found->n_matches - n_shown);
    } else {
        rig__error_hint(err, "%s", text);
    }
}

/* ---- nearest names --------------------------------------------------------------------------- */

typedef struct near_name {
    const char *name;
    size_t n_edits;   /* of every word to the nearest word of the name */
    size_t n_missing; /* bytes of the text that the name has not, in any order */
    size_t distance;
} near_name;

static bool is_nearer(const near_name *a, const near_name *b)
{
    if (a->n_edits != b->n_edits) {
        return a->n_edits < b->n_edits;
    }
    if (a->n_missing != b->n_missing) {
        return a->n_missing < b->n_missing;
    }
    return a->distance < b->distance;
}

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static size_t count_missing(const char *name, const char *text)
{
    int counts[256] = {0};
    size_t n_missing = 0;
    for (; *name != '\0'; name++) {
        counts[fold(*name)]++;
    }
    for (; *text != '\0'; text++) {
        n_missing += counts[fold(*text)]-- <= 0;
    }
    return n_missing;
}

static near_name measure(const char *name, const char *text, const words *wanted)
{
    words in;
    near_name near = {.name = name};
    split_words(name, SPLIT_AT_BLANKS, &in);
    for (size_t i = 0; i < wanted->n_items; i++) {
        size_t n_least = strlen(wanted->items[i]);
        for (size_t k = 0; k < in.n_items && n_least > 0; k++) {
            const size_t n = rig__text_distance(in.items[k], wanted->items[i], n_least);
            n_least = n < n_least ? n : n_least;
        }
        near.n_edits += n_least;
    }
    near.n_missing = count_missing(name, text);
    near.distance = rig__text_distance(name, text, DISTANCE_MAX);
    return near;
}

static void insert(near_name best[NEAREST_SHOWN], size_t *n_best, near_name item)
{
    size_t i = *n_best;
    if (i == NEAREST_SHOWN) {
        if (!is_nearer(&item, &best[i - 1])) {
            return;
        }
        i--;
    } else {
        (*n_best)++;
    }
    while (i > 0 && is_nearer(&item, &best[i - 1])) {
        best[i] = best[i - 1];
        i--;
    }
    best[i] = item;
}

void rig__catalog_hint(const rig_catalog *catalog,
                       rig_table table,
                       const char *text,
                       rig_error *err)
{
    const rig__row_list *const list = &catalog->tables[table];
    words wanted;
    near_name best[NEAREST_SHOWN];
    size_t n_best = 0;
    size_t n_bytes = 0;
    split_words(text, SPLIT_AT_BLANKS, &wanted);
    for (size_t i = 0; i < wanted.n_items; i++) {
        n_bytes += strlen(wanted.items[i]);
    }
    for (size_t i = 0; i < list->n_rows && wanted.n_items > 0; i++) {
        const near_name item = measure(list->rows[i]->name, text, &wanted);
        if (item.n_edits <= n_bytes / 2) { /* near: at most half of the words changed */
            insert(best, &n_best, item);
        }
    }
    if (n_best == 3) {
        rig__error_hint(
            err, "nearest: %.75s; %.75s; %.75s", best[0].name, best[1].name, best[2].name);
    } else if (n_best == 2) {
        rig__error_hint(err, "nearest: %.110s; %.110s", best[0].name, best[1].name);
    } else if (n_best == 1) {
        rig__error_hint(err, "nearest: %.200s", best[0].name);
    }
}

rig_status rig_catalog_find(const rig_catalog *catalog,
                            rig_table table,
                            const char *text,
                            const rig_row **out,
                            rig_error *err)
{
    const rig__row_list *const list = &catalog->tables[table];
    *out = rig_catalog_get(catalog, table, text);
    if (*out != NULL) {
        return RIG_OK;
    }
    matches found = match_nocase(list, text);
    if (found.n_matches == 0) {
        found = match_words(list, text, SPLIT_AT_BLANKS);
    }
    if (found.n_matches == 0) {
        found = match_words(list, text, SPLIT_AT_DIGITS);
    }
    if (found.n_matches == 1) {
        *out = found.first;
        return RIG_OK;
    }
    if (found.n_matches == 0) {
        rig__error_set(err,
                       RIG_E_NOTFOUND,
                       NULL,
                       0,
                       0,
                       "no such %s: '%.200s' (expected a name of %s.csv)",
                       rig_table_singular(table),
                       text,
                       rig_table_stem(table));
        if (err != NULL) {
            rig__catalog_hint(catalog, table, text, err);
        }
        return RIG_E_NOTFOUND;
    }
    rig__error_set(err,
                   RIG_E_INVALID,
                   NULL,
                   0,
                   0,
                   "ambiguous %s: '%.200s' (%zu names hold these words)",
                   rig_table_singular(table),
                   text,
                   found.n_matches);
    if (err != NULL) {
        hint_candidates(&found, err);
    }
    return RIG_E_INVALID;
}
