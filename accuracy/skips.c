/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counts of rows left out. */
#include "accuracy/skips.h"

#include <stdlib.h>
#include <string.h>

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

static int compare_skips(const void *a, const void *b)
{
    const rig_skip *const x = a;
    const rig_skip *const y = b;
    const int by_reason = strcmp(x->reason, y->reason);
    return by_reason != 0 ? by_reason : compare_texts(x->name, y->name);
}

bool rig__skips_add(rig__skips *skips, const char *reason, const char *name, size_t count)
{
    for (size_t i = 0; i < skips->n_items; i++) {
        rig_skip *const item = &skips->items[i];
        if (strcmp(item->reason, reason) == 0 && compare_texts(item->name, name) == 0) {
            item->count += count;
            return true;
        }
    }
    if (skips->n_items == skips->cap_items) {
        const size_t cap = skips->cap_items == 0 ? 16 : skips->cap_items * 2;
        rig_skip *const items = realloc(skips->items, cap * sizeof *items);
        if (items == NULL) {
            return false;
        }
        skips->items = items;
        skips->cap_items = cap;
    }
    skips->items[skips->n_items++] = (rig_skip){.reason = reason, .name = name, .count = count};
    return true;
}

size_t rig__skips_sorted(rig__skips *skips, rig_skip *out)
{
    if (skips->n_items > 0) {
        qsort(skips->items, skips->n_items, sizeof *skips->items, compare_skips);
        memcpy(out, skips->items, skips->n_items * sizeof *out);
    }
    return skips->n_items;
}

void rig__skips_free(rig__skips *skips)
{
    free(skips->items);
    *skips = (rig__skips){0};
}
