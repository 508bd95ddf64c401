/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lists of hosts by shape of the GPUs they take, made when first asked for. */
#include "optimizer/host_lists.h"

#include <math.h>
#include <stdlib.h>

/* The members that rig__fits_host_gpu reads of a GPU option. */
static rig__host_list shape_of(const rig__gpu_option *gpu)
{
    if (gpu->gpu == NULL) {
        return (rig__host_list){.form = NULL};
    }
    if (gpu->baseboard != NULL) {
        return (rig__host_list){
            .form = gpu->baseboard->form, .is_baseboard = true, .count = gpu->count};
    }
    return (rig__host_list){.form = gpu->gpu->form, .width = gpu->width, .count = gpu->count};
}

static bool is_same_shape(const rig__host_list *a, const rig__host_list *b)
{
    return rig__is_same_text(a->form, b->form) && a->is_baseboard == b->is_baseboard &&
           a->width == b->width && a->count == b->count;
}

static bool list_fill(rig__host_list *list, const rig__space *space, const rig__gpu_option *gpu)
{
    double best = 0;
    list->hosts = malloc((space->n_hosts + 1) * sizeof *list->hosts);
    list->best_rates = malloc((space->n_hosts + 1) * sizeof *list->best_rates);
    if (list->hosts == NULL || list->best_rates == NULL) {
        free(list->hosts);
        free(list->best_rates);
        return false;
    }
    for (size_t i = 0; i < space->n_hosts; i++) {
        const rig__host *host = &space->hosts[i];
        if (rig__fits_host_gpu(space, host, gpu)) {
            best = fmax(best, rig__host_rate_bound(space, host, list->count));
            list->best_rates[list->n_hosts] = best;
            list->hosts[list->n_hosts++] = i;
        }
    }
    return true;
}

const rig__host_list *
rig__host_lists_get(rig__host_lists *lists, const rig__space *space, const rig__gpu_option *gpu)
{
    rig__host_list shape = shape_of(gpu);
    for (size_t i = 0; i < lists->n_lists; i++) {
        if (is_same_shape(&lists->lists[i], &shape)) {
            return &lists->lists[i];
        }
    }
    if (lists->n_lists == lists->cap_lists) {
        const size_t cap = lists->cap_lists == 0 ? 64 : 2 * lists->cap_lists;
        rig__host_list *grown = realloc(lists->lists, cap * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        lists->lists = grown;
        lists->cap_lists = cap;
    }
    if (!list_fill(&shape, space, gpu)) {
        return NULL;
    }
    lists->lists[lists->n_lists] = shape;
    return &lists->lists[lists->n_lists++];
}

void rig__host_lists_free(rig__host_lists *lists)
{
    for (size_t i = 0; i < lists->n_lists; i++) {
        free(lists->lists[i].hosts);
        free(lists->lists[i].best_rates);
    }
    free(lists->lists);
}

size_t
rig__host_list_within(const rig__host_list *list, const rig__space *space, int64_t most_cents)
{
    size_t low = 0, high = list->n_hosts;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (rig__host_least_cents(&space->hosts[list->hosts[middle]]) <= most_cents) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
