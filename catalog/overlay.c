/* SPDX-License-Identifier: GPL-3.0-or-later
 * Overlay of single rows over a frozen catalogue. */
#include "catalog/overlay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog_load.h"
#include "catalog/fingerprint.h"
#include "catalog/schema.h"

rig_catalog *rig__overlay_new(const rig_catalog *base)
{
    rig_catalog *const overlay = malloc(sizeof *overlay);
    if (overlay == NULL) {
        return NULL;
    }
    *overlay = *base;
    overlay->arena = rig__arena_new();
    if (overlay->arena == NULL) {
        free(overlay);
        return NULL;
    }
    return overlay;
}

static rig_row *new_row(rig_catalog *overlay, rig_table table, const char *name)
{
    rig_row *const row = rig__arena_alloc(overlay->arena, 1, rig__schema_row_size(table));
    if (row == NULL) {
        return NULL;
    }
    row->name = rig__overlay_text(overlay, name);
    row->table = table;
    row->price.cents = -1;
    row->price.trust = RIG_TRUST_FAIR;
    const double unknown = (double)NAN;
    for (size_t i = 0; i < rig_column_count(table); i++) {
        const rig_column *const column = rig_column_at(table, i);
        if (column->type == RIG_COLUMN_NUMBER || column->type == RIG_COLUMN_INTEGER) {
            memcpy((char *)row + column->offset, &unknown, sizeof unknown);
        }
    }
    return row->name == NULL ? NULL : row;
}

/* The overlay's own array of rows, with `row` at its place among the names. */
static bool
put_row(rig_catalog *overlay, rig_table table, size_t index, bool is_new, const rig_row *row)
{
    rig__row_list *const list = &overlay->tables[table];
    const size_t n_rows = list->n_rows + (is_new ? 1 : 0);
    const rig_row **const rows = rig__arena_alloc(overlay->arena, n_rows, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    const size_t n_after = list->n_rows - index - (is_new ? 0 : 1);
    memcpy((void *)rows, (const void *)list->rows, index * sizeof *rows);
    rows[index] = row;
    memcpy((void *)(rows + index + 1),
           (const void *)(list->rows + (list->n_rows - n_after)),
           n_after * sizeof *rows);
    list->rows = rows;
    list->n_rows = n_rows;
    overlay->summary.rows[table] = n_rows;
    return true;
}

/* Place of a name that is not there. */
static size_t place_of(const rig__row_list *list, const char *name)
{
    size_t i = 0;
    while (i < list->n_rows && strcmp(list->rows[i]->name, name) < 0) {
        i++;
    }
    return i;
}

rig_row *
rig__overlay_row(rig_catalog *overlay, const rig_catalog *base, rig_table table, const char *name)
{
    assert(!rig_table_is_part(table));
    rig__row_list *const list = &overlay->tables[table];
    const size_t index = rig__catalog_index(overlay, table, name);
    if (index == list->n_rows) {
        rig_row *const row = new_row(overlay, table, name);
        return row != NULL && put_row(overlay, table, place_of(list, name), true, row) ? row : NULL;
    }
    const rig_row *const shared = rig_catalog_get(base, table, name);
    if (list->rows[index] != shared) {
        /* Made here by an earlier call, in memory of this overlay. */
        rig_row *own = NULL;
        memcpy(&own, (const void *)&list->rows[index], sizeof own);
        return own;
    }
    rig_row *const row = rig__arena_alloc(overlay->arena, 1, rig__schema_row_size(table));
    if (row == NULL) {
        return NULL;
    }
    memcpy(row, shared, rig__schema_row_size(table));
    return put_row(overlay, table, index, false, row) ? row : NULL;
}

const char *rig__overlay_text(rig_catalog *overlay, const char *text)
{
    return rig__arena_copy(overlay->arena, text, strlen(text));
}

void rig__overlay_hash(rig_catalog *overlay, uint64_t hash)
{
    overlay->summary.hash = rig__fingerprint_whole(overlay->summary.hash, hash);
}
