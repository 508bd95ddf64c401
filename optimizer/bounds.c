/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bounds that the search prunes by: what completing a host costs at least, and how fast a GPU
 * option is at best. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/options.h"

/* More places for drives than this are as good as this many. */
enum { MOST_BAYS = 128 };

/* Of the memory options that fit one kind of host. */
typedef struct memory_bound {
    const rig__host *host; /* the first of its kind, NULL: free */
    int64_t cents;
    double power_w, most_gb;
} memory_bound;

/* What completes hosts, found once. */
typedef struct completions {
    int64_t drive_cents[RIG__N_BAYS][MOST_BAYS + 1]; /* by places, of any count up to that */
    double drive_w[RIG__N_BAYS][MOST_BAYS + 1];
    int64_t psu_cents, large_chassis_cents, chassis_cents;
    bool has_no_psu, has_no_chassis; /* barebones and servers need that */
    int64_t server_drive_cents;
    memory_bound *known; /* by what memory asks of a host; open addressing */
    size_t n_known;      /* power of two, more than there are hosts */
} completions;

static int64_t cheaper(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- what completes hosts -------------------------------------------------------------------- */

static void drives_gather(const rig__space *space, completions *out)
{
    for (int bay = 0; bay < RIG__N_BAYS; bay++) {
        for (int places = 0; places <= MOST_BAYS; places++) {
            out->drive_cents[bay][places] = INT64_MAX;
            out->drive_w[bay][places] = INFINITY;
        }
    }
    out->server_drive_cents = INT64_MAX;
    for (size_t i = 0; i < space->n_drives; i++) {
        const rig__drive_option *drive = &space->drives[i];
        if (drive->storage == NULL) {
            out->server_drive_cents = cheaper(out->server_drive_cents, drive->option.cost_cents);
        }
        for (int places = drive->count; drive->storage != NULL && places <= MOST_BAYS; places++) {
            int64_t *cents = &out->drive_cents[drive->bay][places];
            double *power_w = &out->drive_w[drive->bay][places];
            *cents = cheaper(*cents, drive->option.cost_cents);
            *power_w = fmin(*power_w, drive->option.total[RIG_TOTAL_POWER_W]);
        }
    }
}

static void enclosures_gather(const rig__space *space, completions *out)
{
    out->psu_cents = out->chassis_cents = out->large_chassis_cents = INT64_MAX;
    for (size_t i = 0; i < space->n_psus; i++) {
        const rig__psu_option *psu = &space->psus[i];
        out->has_no_psu = out->has_no_psu || psu->psu == NULL;
        out->psu_cents =
            psu->psu == NULL ? out->psu_cents : cheaper(out->psu_cents, psu->option.cost_cents);
    }
    for (size_t i = 0; i < space->n_chassis; i++) {
        const rig__chassis_option *chassis = &space->chassis[i];
        const int64_t cents = chassis->option.cost_cents;
        if (chassis->chassis == NULL) {
            out->has_no_chassis = true;
            continue;
        }
        if (chassis->takes_board) {
            out->chassis_cents = cheaper(out->chassis_cents, cents);
        }
        if (chassis->takes_large_board) {
            out->large_chassis_cents = cheaper(out->large_chassis_cents, cents);
        }
    }
}

static rig_status completions_new(const rig__space *space, completions *out, rig_error *err)
{
    memset(out, 0, sizeof *out);
    out->n_known = 64;
    while (out->n_known < 2 * space->n_hosts) {
        out->n_known *= 2;
    }
    out->known = calloc(out->n_known, sizeof *out->known);
    if (out->known == NULL) {
        return rig__error_nomem(err);
    }
    drives_gather(space, out);
    enclosures_gather(space, out);
    return RIG_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Do the same memory options fit both? These are the members that rig__fits_host_memory reads. */
static bool is_same_to_memory(const rig__host *a, const rig__host *b)
{
    if (a->server != NULL || b->server != NULL) {
        return a->server != NULL && b->server != NULL;
    }
    return rig__is_same_text(a->board->mem_type, b->board->mem_type) &&
           rig__is_same_text(a->board->dimm_kind, b->board->dimm_kind) &&
           a->dimm_slots == b->dimm_slots && a->max_mem_gb == b->max_mem_gb &&
           a->n_cpus == b->n_cpus && rig__host_channels(a) == rig__host_channels(b);
}

static size_t memory_place(const completions *known, const rig__host *host)
{
    uint64_t mix = 0;
    if (host->server == NULL) {
        mix = (uint64_t)(uintptr_t)host->board->mem_type;
        mix = mix * 31 + (uint64_t)(uintptr_t)host->board->dimm_kind;
        mix = mix * 31 + (uint64_t)host->dimm_slots;
        mix = mix * 31 + (uint64_t)host->max_mem_gb;
        mix = mix * 31 + (uint64_t)host->n_cpus;
        mix = mix * 31 + (uint64_t)rig__host_channels(host);
        mix *= UINT64_C(0x9e3779b97f4a7c15);
    }
    size_t place = (size_t)(mix >> 32) & (known->n_known - 1);
    while (known->known[place].host != NULL && !is_same_to_memory(known->known[place].host, host)) {
        place = (place + 1) & (known->n_known - 1);
    }
    return place;
}

static const memory_bound *
memory_of(const rig__space *space, completions *known, const rig__host *host)
{
    memory_bound *bound = &known->known[memory_place(known, host)];
    if (bound->host != NULL) {
        return bound;
    }
    *bound = (memory_bound){host, INT64_MAX, INFINITY, 0};
    for (size_t i = 0; i < space->n_memories; i++) {
        const rig__memory_option *option = &space->memories[i];
        if (rig__fits_host_memory(space, host, option)) {
            bound->cents = cheaper(bound->cents, option->option.cost_cents);
            bound->most_gb = fmax(bound->most_gb, option->gb);
            bound->power_w = fmin(bound->power_w, option->option.total[RIG_TOTAL_POWER_W]);
        }
    }
    return bound;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static void drives_of(const completions *all, rig__host *host, double *power_w)
{
    host->least_drive_cents = host->server != NULL ? all->server_drive_cents : INT64_MAX;
    *power_w = host->server != NULL ? 0 : INFINITY;
    for (int bay = 0; bay < RIG__N_BAYS && host->server == NULL; bay++) {
        const int bays = rig__host_bays(host, (rig__bay)bay);
        const int places = bays > MOST_BAYS ? MOST_BAYS : bays;
        host->least_drive_cents = cheaper(host->least_drive_cents, all->drive_cents[bay][places]);
        *power_w = fmin(*power_w, all->drive_w[bay][places]);
    }
}

static int64_t enclosure_cents(const completions *all, const rig__host *host)
{
    if (host->server != NULL || host->is_barebone) {
        return all->has_no_psu && all->has_no_chassis ? 0 : INT64_MAX;
    }
    const int64_t chassis = host->needs_large_case ? all->large_chassis_cents : all->chassis_cents;
    return chassis == INT64_MAX || all->psu_cents == INT64_MAX ? INT64_MAX
                                                               : chassis + all->psu_cents;
}

static void bound_host(const rig__space *space, completions *all, rig__host *host)
{
    const memory_bound *memory = memory_of(space, all, host);
    double drive_w = 0;
    drives_of(all, host, &drive_w);
    const int64_t enclosure = enclosure_cents(all, host);
    /* host memory must hold the workers of one GPU at least */
    const bool holds_workers =
        host->server != NULL || rig_cache_bytes(space->constants,
                                                &space->request->workload,
                                                memory->most_gb * RIG_MEMORY_GB_BYTES,
                                                1,
                                                host->cores) >= 0;
    const bool is_complete = holds_workers && memory->cents < INT64_MAX &&
                             host->least_drive_cents < INT64_MAX && enclosure < INT64_MAX;
    host->least_memory_cents = memory->cents;
    host->least_enclosure_cents = is_complete ? enclosure : INT64_MAX;
    host->least_rest_cents =
        is_complete ? memory->cents + host->least_drive_cents + enclosure : INT64_MAX;
    host->least_power_w = memory->power_w + drive_w;
}

/* The most that any host gives. */
static void bound_over_hosts(rig__space *space, const rig__host *host)
{
    space->least_host_cents =
        cheaper(space->least_host_cents, host->option.cost_cents + host->least_rest_cents);
    space->most_speed_1t = fmax(space->most_speed_1t, host->core_speed_1t);
    for (int count = 0; count <= RIG__MAX_GPUS; count++) {
        space->most_decode[count] = fmax(space->most_decode[count], host->decode[count]);
    }
}

static void bound_gpu(const rig__space *space, rig__gpu_option *gpu)
{
    if (gpu->gpu != NULL) {
        gpu->alone_rate = rig__gpu_own_rate(space, gpu);
        gpu->best_rate =
            rig__gpu_rate_bound(space, gpu, space->most_decode[gpu->count], space->most_speed_1t);
        return;
    }
    gpu->alone_rate = 0;
    for (size_t i = 0; i < space->n_hosts; i++) {
        if (space->hosts[i].server != NULL) {
            gpu->alone_rate = fmax(gpu->alone_rate, rig__server_rate(space, &space->hosts[i]));
        }
    }
    gpu->best_rate = gpu->alone_rate;
}

void rig__space_bound_gpus(rig__space *space)
{
    for (size_t i = 0; i < space->n_gpus; i++) {
        bound_gpu(space, &space->gpus[i]);
    }
}

/* ---- order of hosts -------------------------------------------------------------------------- */

typedef struct host_key {
    int64_t cents;
    size_t at;
} host_key;

static int compare_keys(const void *left, const void *right)
{
    const host_key *a = left, *b = right;
    if (a->cents != b->cents) {
        return a->cents < b->cents ? -1 : 1;
    }
    return (a->at > b->at) - (a->at < b->at);
}

/* Hosts that cannot be completed are dropped, the others sorted by the least cost of a machine. */
static rig_status sort_hosts(rig__space *space, rig_error *err)
{
    host_key *keys = malloc((space->n_hosts + 1) * sizeof *keys);
    rig__host *sorted = rig__arena_alloc(space->arena, space->n_hosts, sizeof *sorted);
    if (keys == NULL || sorted == NULL) {
        free(keys);
        return rig__error_nomem(err);
    }
    size_t n_kept = 0;
    for (size_t i = 0; i < space->n_hosts; i++) {
        const rig__host *host = &space->hosts[i];
        if (host->least_rest_cents < INT64_MAX) {
            keys[n_kept++] = (host_key){host->option.cost_cents + host->least_rest_cents, i};
        }
    }
    qsort(keys, n_kept, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n_kept; i++) {
        sorted[i] = space->hosts[keys[i].at];
    }
    space->hosts = sorted;
    space->n_hosts = n_kept;
    free(keys);
    return RIG_OK;
}

rig_status rig__space_bound(rig__space *space, rig_error *err)
{
    completions *all = malloc(sizeof *all);
    rig_status status = all == NULL ? rig__error_nomem(err) : completions_new(space, all, err);
    if (status == RIG_OK) {
        for (size_t i = 0; i < space->n_hosts; i++) {
            bound_host(space, all, &space->hosts[i]);
        }
        free(all->known);
        status = sort_hosts(space, err);
    }
    free(all);
    space->least_host_cents = INT64_MAX / 4;
    for (size_t i = 0; i < space->n_hosts && status == RIG_OK; i++) {
        bound_over_hosts(space, &space->hosts[i]);
    }
    return status;
}
