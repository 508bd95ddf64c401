/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominance: leaves out options that another option of the same group can always replace. Hosts and
 * GPU options are not compared any more: their parts were, before they were combined. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/thin.h"

/* One group as the filter sees it. An item begins with its rig__option. */
typedef struct group_view {
    void *items; /* of the space; sorted and filtered in place */
    size_t item_size;
    size_t *n_items;
    size_t n_equal, n_less; /* figures without the limits */
    void (*fill)(const void *item, double *figures);
} group_view;

/* ---- what options are compared by ------------------------------------------------------------ */

/* Capacity must be equal: a board's limit may exclude the larger one. */
static void memory_fill(const void *item, double *figures)
{
    const rig__memory_option *memory = item;
    const double values[] = {rig__figure_of(memory->memory->type),
                             rig__figure_of(memory->memory->kind),
                             memory->modules,
                             memory->gb,
                             (double)memory->option.cost_cents,
                             memory->option.total[RIG_TOTAL_POWER_W],
                             -memory->memory->mts};
    memcpy(figures, values, sizeof values);
}

static void drive_fill(const void *item, double *figures)
{
    const rig__drive_option *drive = item;
    const double values[] = {(double)drive->bay,
                             (double)drive->option.cost_cents,
                             drive->option.total[RIG_TOTAL_POWER_W],
                             drive->count,
                             drive->is_35,
                             -drive->read_gbs};
    memcpy(figures, values, sizeof values);
}

static void psu_fill(const void *item, double *figures)
{
    const rig__psu_option *psu = item;
    const double values[] = {0,
                             (double)psu->option.cost_cents,
                             psu->option.total[RIG_TOTAL_POWER_W],
                             -psu->wattage_w,
                             -psu->connector_w};
    memcpy(figures, values, sizeof values);
}

static void chassis_fill(const void *item, double *figures)
{
    const rig__chassis_option *chassis = item;
    const double values[] = {0,
                             (double)chassis->option.cost_cents,
                             chassis->option.total[RIG_TOTAL_POWER_W],
                             -chassis->slots,
                             -chassis->bays_35,
                             -chassis->max_length_mm,
                             !chassis->takes_board,
                             !chassis->takes_large_board};
    memcpy(figures, values, sizeof values);
}

/* ---- one group ------------------------------------------------------------------------------- */

static const void *item_at(const group_view *view, size_t index)
{
    return (const char *)view->items + index * view->item_size;
}

static const rig__option *option_at(const group_view *view, size_t index)
{
    return item_at(view, index);
}

typedef struct sort_key {
    int64_t cost_cents;
    double power_w;
    size_t at;
} sort_key;

static int compare_keys(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;
    if (a->cost_cents != b->cost_cents) {
        return a->cost_cents < b->cost_cents ? -1 : 1;
    }
    if (a->power_w != b->power_w) {
        return a->power_w < b->power_w ? -1 : 1;
    }
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Cheapest first, then by watts; items come in name order, which is the tie-break. */
static rig_status group_sort(const group_view *view, rig_error *err)
{
    const size_t n = *view->n_items;
    sort_key *keys = malloc((n + 1) * sizeof *keys);
    char *sorted = malloc((n + 1) * view->item_size);
    rig_status status = RIG_OK;
    if (keys == NULL || sorted == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        const rig__option *option = option_at(view, i);
        keys[i] = (sort_key){option->cost_cents, option->total[RIG_TOTAL_POWER_W], i};
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n; i++) {
        memcpy(sorted + i * view->item_size, item_at(view, keys[i].at), view->item_size);
    }
    memcpy(view->items, sorted, n * view->item_size);
done:
    free(keys);
    free(sorted);
    return status;
}

/* "None" and "included in a server" are options that nothing replaces. */
static bool is_of_parts(const rig__space *space, rig__group group, size_t at)
{
    switch (group) {
    case RIG__GROUP_MEMORY:
        return space->memories[at].memory != NULL;
    case RIG__GROUP_DRIVE:
        return space->drives[at].storage != NULL;
    case RIG__GROUP_PSU:
        return space->psus[at].psu != NULL;
    case RIG__GROUP_CHASSIS:
        return space->chassis[at].chassis != NULL;
    case RIG__GROUP_HOST:
    case RIG__GROUP_GPU:
    case RIG__N_GROUPS:
        break;
    }
    return false;
}

/* Sweeps the items of parts; at[i] is the place of the i-th of them. */
static rig_status group_sweep(const rig__space *space,
                              rig__group group,
                              const group_view *view,
                              size_t *at,
                              bool *is_kept,
                              rig_error *err)
{
    rig__figures figures;
    const size_t n_own = view->n_equal + view->n_less;
    RIG_TRY(
        rig__figures_new(&figures, *view->n_items, view->n_equal, n_own + space->n_limits, 0, err));
    figures.n_items = 0;
    for (size_t i = 0; i < *view->n_items; i++) {
        if (!is_of_parts(space, group, i)) {
            continue;
        }
        double *own = rig__figures_row(&figures, figures.n_items);
        view->fill(item_at(view, i), own);
        rig__thin_limits(space, option_at(view, i)->total, own + n_own);
        at[figures.n_items++] = i;
    }
    bool *is_part_kept = malloc(figures.n_items + 1);
    rig_status status = is_part_kept == NULL ? rig__error_nomem(err)
                                             : rig__figures_sweep(&figures, is_part_kept, err);
    for (size_t i = 0; i < figures.n_items && status == RIG_OK; i++) {
        is_kept[at[i]] = is_part_kept[i];
    }
    free(is_part_kept);
    rig__figures_free(&figures);
    return status;
}

static rig_status
group_reduce(const rig__space *space, rig__group group, const group_view *view, rig_error *err)
{
    const size_t n = *view->n_items;
    RIG_TRY(group_sort(view, err));
    size_t *at = malloc((n + 1) * sizeof *at);
    bool *is_kept = malloc(n + 1);
    rig_status status = RIG_OK;
    if (at == NULL || is_kept == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    memset(is_kept, true, n);
    status = group_sweep(space, group, view, at, is_kept, err);
    if (status != RIG_OK) {
        goto done;
    }
    *view->n_items = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_kept[i]) {
            memmove((char *)view->items + (*view->n_items)++ * view->item_size,
                    item_at(view, i),
                    view->item_size);
        }
    }
done:
    free(at);
    free(is_kept);
    return status;
}

rig_status rig__space_reduce(rig__space *space, rig_error *err)
{
    const struct {
        rig__group group;
        group_view view;
    } groups[] = {
        {RIG__GROUP_MEMORY,
         {space->memories, sizeof *space->memories, &space->n_memories, 4, 3, memory_fill}},
        {RIG__GROUP_DRIVE,
         {space->drives, sizeof *space->drives, &space->n_drives, 1, 5, drive_fill}},
        {RIG__GROUP_PSU, {space->psus, sizeof *space->psus, &space->n_psus, 1, 4, psu_fill}},
        {RIG__GROUP_CHASSIS,
         {space->chassis, sizeof *space->chassis, &space->n_chassis, 1, 7, chassis_fill}},
    };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        RIG_TRY(group_reduce(space, groups[i].group, &groups[i].view, err));
    }
    return rig__space_bound(space, err);
}
