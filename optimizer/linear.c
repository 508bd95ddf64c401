/* SPDX-License-Identifier: GPL-3.0-or-later
 * Building a mixed integer linear program row by row. */
#include "optimizer/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries below this are noise for every solver: most drop them at 1e-9 themselves. */
static const double least_entry = 1e-9;

void rig__linear_fini(rig__linear *linear)
{
    free(linear->columns);
    free(linear->rows);
    free(linear->index);
    free(linear->value);
    *linear = (rig__linear){.arena = NULL};
}

/* Makes room for one more item. @return false: out of memory, which is remembered */
static bool grow(rig__linear *linear, void *items, size_t n, size_t *cap, size_t size)
{
    void **array = items;
    if (n < *cap) {
        return true;
    }
    const size_t more = *cap == 0 ? 256 : *cap * 2;
    void *moved = more > SIZE_MAX / size ? NULL : realloc(*array, more * size);
    if (moved == NULL) {
        linear->is_nomem = true;
        return false;
    }
    *array = moved;
    *cap = more;
    return true;
}

size_t rig__linear_column_add(rig__linear *linear, rig__linear_column column)
{
    linear->is_nomem |= column.name == NULL;
    if (!grow(linear,
              &linear->columns,
              linear->n_columns,
              &linear->cap_columns,
              sizeof *linear->columns)) {
        return 0;
    }
    linear->columns[linear->n_columns] = column;
    return linear->n_columns++;
}

void rig__linear_row_begin(rig__linear *linear, const char *name)
{
    if (!grow(linear, &linear->rows, linear->n_rows, &linear->cap_rows, sizeof *linear->rows)) {
        return;
    }
    linear->rows[linear->n_rows] =
        (rig__linear_row){.name = rig__linear_name(linear->arena, "c", linear->n_rows + 1, name),
                          .start = linear->n_entries};
    linear->is_nomem |= linear->rows[linear->n_rows].name == NULL;
}

void rig__linear_put(rig__linear *linear, size_t column, double value)
{
    if (fabs(value) < least_entry || linear->is_nomem) {
        return;
    }
    size_t cap = linear->cap_entries;
    if (!grow(linear, &linear->index, linear->n_entries, &cap, sizeof *linear->index) ||
        !grow(linear,
              &linear->value,
              linear->n_entries,
              &linear->cap_entries,
              sizeof *linear->value)) {
        return;
    }
    linear->index[linear->n_entries] = column;
    linear->value[linear->n_entries++] = value;
}

/* Entry of the fixed column with which a row that cannot hold stays so. */
static double contradiction(rig__sense sense, double right)
{
    switch (sense) {
    case RIG__AT_MOST:
        return right < 0 ? 1 : 0;
    case RIG__AT_LEAST:
        return right > 0 ? -1 : 0;
    case RIG__EQUAL:
        break;
    }
    return right == 0 ? 0 : -right;
}

void rig__linear_row_end(rig__linear *linear, rig__sense sense, double right)
{
    if (linear->is_nomem) {
        return;
    }
    rig__linear_row *row = &linear->rows[linear->n_rows];
    row->sense = sense;
    row->right = right;
    if (linear->n_entries == row->start) {
        rig__linear_put(linear, 0, contradiction(sense, right));
    }
    row->length = linear->n_entries - row->start;
    linear->n_rows += row->length > 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

const char *rig__linear_name(rig__arena *arena, const char *prefix, size_t number, const char *text)
{
    enum { MOST_LETTERS = 48 };
    char word[MOST_LETTERS + 2] = "";
    size_t length = 0;
    for (; *text != '\0' && length < MOST_LETTERS; text++) {
        const bool is_gap = length > 0 && word[length - 1] != '_';
        if (is_word(*text)) {
            word[length++] = *text;
        } else if (is_gap) {
            word[length++] = '_';
        }
    }
    while (length > 0 && word[length - 1] == '_') {
        length--;
    }
    word[length] = '\0';
    return rig__arena_format(arena, "%s%zu%s%s", prefix, number, length > 0 ? "_" : "", word);
}
