/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominance: leaves out options that another option of the same group can always replace. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/options.h"

/* A option replaces b under every active limit when it takes no more of what is limited. */
static bool limits_no_worse(const rig__space *space, const rig__option *a, const rig__option *b)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        const rig__limit *limit = &space->limits[i];
        const double of_a = limit->sign * a->total[limit->total];
        const double of_b = limit->sign * b->total[limit->total];
        if (!isnan(of_b) && !(of_a <= of_b)) {
            return false;
        }
    }
    return a->total[RIG_TOTAL_POWER_W] <= b->total[RIG_TOTAL_POWER_W];
}

/* ---- hosts ----------------------------------------------------------------------------------- */

/* The kinds of cards among the GPU options, as far as a link tells them apart. */
typedef struct card_kinds {
    rig_gpu *cards; /* only pcie_gen and pcie_lanes are set */
    size_t n;
} card_kinds;

static rig_status cards_collect(const rig__space *space, card_kinds *out, rig_error *err)
{
    out->n = 0;
    out->cards = rig__arena_alloc(space->arena, space->n_gpus, sizeof *out->cards);
    if (out->cards == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < space->n_gpus; i++) {
        const rig_gpu *gpu = space->gpus[i].gpu;
        bool is_new = gpu != NULL;
        for (size_t j = 0; j < out->n && is_new; j++) {
            is_new = gpu->pcie_gen != out->cards[j].pcie_gen ||
                     gpu->pcie_lanes != out->cards[j].pcie_lanes;
        }
        if (is_new) {
            out->cards[out->n++] =
                (rig_gpu){.pcie_gen = gpu->pcie_gen, .pcie_lanes = gpu->pcie_lanes};
        }
    }
    return RIG_OK;
}

/* Bandwidth of every kind of card in every number, one row of a table per host. */
static void
links_fill(const rig__space *space, const rig__host *host, const card_kinds *kinds, double *row)
{
    for (size_t i = 0; i < kinds->n; i++) {
        for (int count = 1; count <= RIG__MAX_GPUS; count++) {
            *row++ = rig__pcie_gbs(space, host, &kinds->cards[i], count);
        }
    }
}

static bool links_no_worse(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] < b[i]) {
            return false;
        }
    }
    return true;
}

static bool slots_no_worse(const rig__host *a, const rig__host *b)
{
    for (int width = 1; width <= RIG__MAX_CARD_WIDTH; width++) {
        if (a->gpu_capacity[width] < b->gpu_capacity[width]) {
            return false;
        }
    }
    return a->is_layout_known >= b->is_layout_known && a->m2_slots >= b->m2_slots &&
           a->nvme_bays >= b->nvme_bays && a->sata_ports >= b->sata_ports &&
           a->sas_bays >= b->sas_bays && a->needs_large_case <= b->needs_large_case;
}

/* Places for network cards, beside any number of GPUs, and the links of the cards. */
static bool networks_no_worse(const rig__host *a, const rig__host *b)
{
    for (int n_nics = 1; n_nics <= RIG__MAX_NICS; n_nics++) {
        for (int width = 1; width <= RIG__MAX_CARD_WIDTH; width++) {
            if (a->capacity_beside[n_nics][width] < b->capacity_beside[n_nics][width]) {
                return false;
            }
        }
    }
    for (int size = 0; size < RIG__N_SLOT_SIZES; size++) {
        if (a->card_slots[size] < b->card_slots[size]) {
            return false;
        }
    }
    /* more lanes of the processors are never worse beside cards that take some of them */
    return a->nic_slots >= b->nic_slots && a->is_desktop <= b->is_desktop &&
           a->pcie_gen >= b->pcie_gen && a->gpu_lanes >= b->gpu_lanes;
}

static bool processors_no_worse(const rig__host *a, const rig__host *b)
{
    for (int count = 0; count <= RIG__MAX_GPUS; count++) {
        if (a->decode[count] < b->decode[count]) {
            return false;
        }
    }
    /* fewer cores need less memory for their workers */
    return a->core_speed_1t >= b->core_speed_1t && a->cores <= b->cores;
}

static bool memory_no_worse(const rig__host *a, const rig__host *b)
{
    return rig__is_same_text(a->board->mem_type, b->board->mem_type) &&
           rig__is_same_text(a->board->dimm_kind, b->board->dimm_kind) &&
           rig__is_same_text(a->cpu->mem_type, b->cpu->mem_type) &&
           a->dimm_slots >= b->dimm_slots && a->max_mem_gb >= b->max_mem_gb &&
           a->mem_channels >= b->mem_channels && a->cpu->mem_mts >= b->cpu->mem_mts &&
           /* channels with a slot want to be filled, so more of them need more modules */
           a->n_cpus == b->n_cpus && rig__host_channels(a) == rig__host_channels(b);
}

static bool is_same_signature(rig_distinct distinct, const rig__host *a, const rig__host *b)
{
    if (distinct == RIG_DISTINCT_HOST) {
        return false; /* every board is a choice of its own */
    }
    return distinct == RIG_DISTINCT_GPU || (a->cpu == b->cpu && a->n_cpus == b->n_cpus);
}

static bool host_beats(const rig__space *space, const rig__host *a, const rig__host *b)
{
    return a->is_barebone == b->is_barebone && a->option.cost_cents <= b->option.cost_cents &&
           a->supply_w >= b->supply_w &&
           rig__is_same_text(a->board->gpu_form, b->board->gpu_form) &&
           is_same_signature(space->request->distinct, a, b) && slots_no_worse(a, b) &&
           processors_no_worse(a, b) && memory_no_worse(a, b) &&
           (!space->may_network || networks_no_worse(a, b)) &&
           limits_no_worse(space, &a->option, &b->option);
}

static int compare_names(const rig_row *a, const rig_row *b)
{
    return a == b ? 0 : a == NULL ? -1 : b == NULL ? 1 : strcmp(a->name, b->name);
}

/* Cheapest first; equal cost by watts, then by names, so that the order of rows never matters. */
static int compare_hosts(const void *left, const void *right)
{
    const rig__host *a = left, *b = right;
    if ((a->server != NULL) != (b->server != NULL)) {
        return a->server != NULL ? 1 : -1; /* servers last */
    }
    if (a->option.cost_cents != b->option.cost_cents) {
        return a->option.cost_cents < b->option.cost_cents ? -1 : 1;
    }
    const double a_w = a->option.total[RIG_TOTAL_POWER_W];
    const double b_w = b->option.total[RIG_TOTAL_POWER_W];
    if (a_w != b_w) {
        return a_w < b_w ? -1 : 1;
    }
    if (a->server != NULL) {
        return compare_names(&a->server->row, &b->server->row);
    }
    const int by_board = compare_names(&a->board->row, &b->board->row);
    const int by_cpu = compare_names(&a->cpu->row, &b->cpu->row);
    return by_board != 0 ? by_board : by_cpu != 0 ? by_cpu : a->n_cpus - b->n_cpus;
}

static rig_status hosts_reduce(rig__space *space, rig_error *err)
{
    card_kinds kinds;
    RIG_TRY(cards_collect(space, &kinds, err));
    const size_t n_links = kinds.n * RIG__MAX_GPUS;
    double *links = calloc(space->n_hosts + 1, (n_links + 1) * sizeof *links);
    if (links == NULL) {
        return rig__error_nomem(err);
    }
    qsort(space->hosts, space->n_hosts, sizeof *space->hosts, compare_hosts);
    size_t n_kept = 0;
    for (size_t i = 0; i < space->n_hosts; i++) {
        const rig__host *host = &space->hosts[i];
        double *own = &links[n_kept * n_links];
        bool is_beaten = false;
        if (host->server == NULL) {
            links_fill(space, host, &kinds, own);
            /* a kept host is never dearer, so looking back suffices */
            for (size_t j = 0; j < n_kept && !is_beaten; j++) {
                is_beaten = host_beats(space, &space->hosts[j], host) &&
                            links_no_worse(&links[j * n_links], own, n_links);
            }
        }
        if (!is_beaten) {
            space->hosts[n_kept++] = *host;
        }
    }
    space->n_hosts = n_kept;
    free(links);
    return RIG_OK;
}

/* ---- the other groups ------------------------------------------------------------------------ */

/* One group as the generic filter sees it. */
typedef struct group_view {
    void *items;
    size_t size;
    size_t *n;
    bool (*beats)(const rig__space *space, const void *a, const void *b);
} group_view;

static bool memory_beats(const rig__space *space, const void *left, const void *right)
{
    const rig__memory_option *a = left, *b = right;
    /* capacity must be equal: a board's limit may exclude the larger one */
    return a->memory != NULL && b->memory != NULL &&
           rig__is_same_text(a->memory->type, b->memory->type) &&
           rig__is_same_text(a->memory->kind, b->memory->kind) && a->modules == b->modules &&
           a->gb == b->gb && a->memory->mts >= b->memory->mts &&
           limits_no_worse(space, &a->option, &b->option);
}

static bool drive_beats(const rig__space *space, const void *left, const void *right)
{
    const rig__drive_option *a = left, *b = right;
    return a->storage != NULL && b->storage != NULL && a->bay == b->bay && a->count <= b->count &&
           a->is_35 <= b->is_35 && a->read_gbs >= b->read_gbs &&
           limits_no_worse(space, &a->option, &b->option);
}

static bool psu_beats(const rig__space *space, const void *left, const void *right)
{
    const rig__psu_option *a = left, *b = right;
    return a->psu != NULL && b->psu != NULL && a->wattage_w >= b->wattage_w &&
           a->connector_w >= b->connector_w && limits_no_worse(space, &a->option, &b->option);
}

static bool chassis_beats(const rig__space *space, const void *left, const void *right)
{
    const rig__chassis_option *a = left, *b = right;
    return a->chassis != NULL && b->chassis != NULL && a->slots >= b->slots &&
           a->bays_35 >= b->bays_35 && a->max_length_mm >= b->max_length_mm &&
           a->takes_board >= b->takes_board && a->takes_large_board >= b->takes_large_board &&
           limits_no_worse(space, &a->option, &b->option);
}

static const rig__option *option_at(const group_view *view, size_t index)
{
    return (const rig__option *)((const char *)view->items + index * view->size);
}

/* Items come in name order; sorted by cost with that as the tie-break, by insertion, which also
 * filters: an item enters unless one before it beats it. */
static void group_reduce(const rig__space *space, const group_view *view)
{
    char *items = view->items;
    size_t n_kept = 0;
    for (size_t i = 0; i < *view->n; i++) {
        bool is_beaten = false;
        for (size_t j = 0; j < n_kept && !is_beaten; j++) {
            is_beaten = view->beats(space, items + j * view->size, items + i * view->size);
        }
        if (!is_beaten) {
            memmove(items + n_kept++ * view->size, items + i * view->size, view->size);
        }
    }
    *view->n = n_kept;
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

static rig_status group_sort(const group_view *view, rig_error *err)
{
    const size_t n = *view->n;
    sort_key *keys = malloc((n + 1) * sizeof *keys);
    char *sorted = malloc((n + 1) * view->size);
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
        memcpy(sorted + i * view->size, option_at(view, keys[i].at), view->size);
    }
    memcpy(view->items, sorted, n * view->size);
done:
    free(keys);
    free(sorted);
    return status;
}

rig_status rig__space_reduce(rig__space *space, rig_error *err)
{
    const group_view views[] = {
        {space->memories, sizeof *space->memories, &space->n_memories, memory_beats},
        {space->drives, sizeof *space->drives, &space->n_drives, drive_beats},
        {space->psus, sizeof *space->psus, &space->n_psus, psu_beats},
        {space->chassis, sizeof *space->chassis, &space->n_chassis, chassis_beats},
    };
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        RIG_TRY(group_sort(&views[i], err));
        group_reduce(space, &views[i]);
    }
    RIG_TRY(hosts_reduce(space, err));
    rig__space_bound(space);
    return RIG_OK;
}
