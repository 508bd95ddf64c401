/* SPDX-License-Identifier: GPL-3.0-or-later
 * Storage and page cache in a linear program: the product of rate and hit share, without loss. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/whole.h"

/* Bytes of cache that differ less than this are one size [share]. */
static const double size_resolution = 1e-9;
static const double bytes_per_gb = 1e9;

/* ---- sizes of the cache ---------------------------------------------------------------------- */

/* One size of cache that some machine has. */
typedef struct cache_size {
    double gb;
    double miss; /* share of reads that it does not serve */
} cache_size;

/* What groups contribute to the size: the different values, and the value of each member. */
typedef struct shares {
    double *value; /* different values, ascending */
    size_t n;
    size_t *of; /* per member */
} shares;

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static size_t place_of(const shares *s, double value)
{
    size_t low = 0, high = s->n;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (s->value[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool shares_fill(const rig__whole *whole, rig__group group, shares *out)
{
    const rig__members *members = &whole->groups[group];
    const rig__sum_rule *rule = &rig__sum_rules[RIG__SUM_CACHE];
    *out = (shares){.value = rig__arena_alloc(whole->arena, members->n, sizeof *out->value),
                    .of = rig__arena_alloc(whole->arena, members->n, sizeof *out->of)};
    if (out->value == NULL || out->of == NULL) {
        return false;
    }
    for (size_t i = 0; i < members->n; i++) {
        out->value[i] = -rig__sum_coefficient(whole->space, rule, group, members->at[i]);
    }
    if (members->n > 0) {
        qsort(out->value, members->n, sizeof *out->value, compare_numbers);
    }
    for (size_t i = 0; i < members->n; i++) {
        if (out->n == 0 || out->value[i] > out->value[out->n - 1]) {
            out->value[out->n++] = out->value[i];
        }
    }
    for (size_t i = 0; i < members->n; i++) {
        out->of[i] =
            place_of(out, -rig__sum_coefficient(whole->space, rule, group, members->at[i]));
    }
    return true;
}

/* Which values of two groups occur together in a pair that fits. */
static unsigned char *together(const rig__whole *whole,
                               const rig__pair_rule *rule,
                               const shares *first,
                               const shares *second)
{
    const rig__members *a = &whole->groups[rule->first], *b = &whole->groups[rule->second];
    unsigned char *out = rig__arena_alloc(whole->arena, first->n * second->n + 1, 1);
    for (size_t i = 0; i < a->n && out != NULL; i++) {
        for (size_t j = 0; j < b->n; j++) {
            unsigned char *cell = &out[first->of[i] * second->n + second->of[j]];
            if (!*cell && rule->fits(whole->space, a->at[i], b->at[j])) {
                *cell = 1;
            }
        }
    }
    return out;
}

typedef struct size_list {
    double *gb;
    size_t n, cap;
} size_list;

static bool list_add(size_list *list, double gb)
{
    if (list->n == list->cap) {
        const size_t more = list->cap == 0 ? 1024 : list->cap * 2;
        double *moved = realloc(list->gb, more * sizeof *moved);
        if (moved == NULL) {
            return false;
        }
        list->gb = moved;
        list->cap = more;
    }
    list->gb[list->n++] = gb;
    return true;
}

/* All sizes of machines whose parts fit in pairs, between nothing and the whole data set. */
static bool sizes_collect(const rig__whole *whole, size_list *list)
{
    shares hosts, gpus, memories;
    if (!shares_fill(whole, RIG__GROUP_HOST, &hosts) ||
        !shares_fill(whole, RIG__GROUP_GPU, &gpus) ||
        !shares_fill(whole, RIG__GROUP_MEMORY, &memories)) {
        return false;
    }
    const unsigned char *host_gpu =
        together(whole, &rig__pair_rules[RIG__PAIR_HOST_GPU], &hosts, &gpus);
    const unsigned char *host_memory =
        together(whole, &rig__pair_rules[RIG__PAIR_HOST_MEMORY], &hosts, &memories);
    const unsigned char *gpu_memory =
        together(whole, &rig__pair_rules[RIG__PAIR_GPU_MEMORY], &gpus, &memories);
    const rig_dataset *dataset = whole->space->request->workload.dataset;
    const double most_gb = dataset->images * dataset->mean_bytes / bytes_per_gb;
    bool is_done = host_gpu != NULL && host_memory != NULL && gpu_memory != NULL;
    for (size_t i = 0; i < hosts.n * gpus.n && is_done; i++) {
        const size_t host = i / gpus.n, gpu = i % gpus.n;
        for (size_t m = 0; m < memories.n && host_gpu[i] && is_done; m++) {
            const double gb = hosts.value[host] + gpus.value[gpu] + memories.value[m];
            if (host_memory[host * memories.n + m] && gpu_memory[gpu * memories.n + m] && gb > 0) {
                is_done = list_add(list, fmin(gb, most_gb));
            }
        }
    }
    return is_done;
}

/* ---- which sizes matter ---------------------------------------------------------------------- */

/* Rate of drives without a cache, as far as it matters. */
static double cold_rate(const rig__drive_option *drive, double most)
{
    return drive->storage == NULL ? most : fmin(drive->cold_rate, most);
}

/* With this share of misses or less no drives ever hold a machine back: they feed a share of what
 * the GPUs train even without a cache. */
static double idle_miss(const rig__whole *whole, double most)
{
    const double share = rig__space_constant(whole->space, "cold_storage_share_min");
    const rig__members *drives = &whole->groups[RIG__GROUP_DRIVE];
    double least = 1;
    for (size_t i = 0; i < drives->n; i++) {
        const double cold = cold_rate(&whole->space->drives[drives->at[i]], most);
        const double needed = share > 0 ? fmin(most, cold / share) : most;
        least = fmin(least, needed > 0 ? cold / needed : 1);
    }
    return least;
}

/* Sizes with different misses, ascending; the first is no cache at all.
 * @return how many; 0: out of memory */
static size_t sizes_fill(const rig__whole *whole, double most, cache_size **out)
{
    const rig__space *space = whole->space;
    size_list list = {NULL, 0, 0};
    size_t n = 0;
    const bool is_done = sizes_collect(whole, &list);
    *out = is_done ? rig__arena_alloc(whole->arena, list.n + 1, sizeof **out) : NULL;
    if (*out != NULL) {
        const double idle = idle_miss(whole, most);
        (*out)[n++] = (cache_size){0, idle >= 1 ? 0 : 1};
        if (list.n > 0) {
            qsort(list.gb, list.n, sizeof *list.gb, compare_numbers);
        }
        for (size_t i = 0; i < list.n; i++) {
            const cache_size *last = &(*out)[n - 1];
            const double hit = rig_cache_hit(
                space->constants, &space->request->workload, list.gb[i] * bytes_per_gb);
            const double miss = 1 - hit <= idle ? 0 : 1 - hit;
            if (miss < last->miss && list.gb[i] - last->gb > size_resolution * list.gb[i]) {
                (*out)[n++] = (cache_size){list.gb[i], miss};
            }
        }
    }
    free(list.gb);
    return n;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_used(rig__whole *whole)
{
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        const rig__members *members = &whole->groups[group];
        for (size_t i = 0; i < members->n; i++) {
            rig__linear_put(&whole->linear,
                            members->column[i],
                            rig__sum_coefficient(whole->space,
                                                 &rig__sum_rules[RIG__SUM_CACHE],
                                                 (rig__group)group,
                                                 members->at[i]));
        }
    }
}

/* A rate that is given: drives need so many bytes of cache, or are out of the question. */
static void add_needed(rig__whole *whole, double rate)
{
    const rig__space *space = whole->space;
    const rig__members *drives = &whole->groups[RIG__GROUP_DRIVE];
    const double most_gb = rig__cache_most_gb(space);
    rig__linear_row_begin(&whole->linear, rig__sum_rules[RIG__SUM_CACHE].name);
    put_used(whole);
    for (size_t i = 0; i < drives->n; i++) {
        const double needed_gb =
            rig__cache_needed_gb(space, &space->drives[drives->at[i]], rate, most_gb);
        if (isnan(needed_gb)) {
            whole->linear.columns[drives->column[i]].high = 0;
        } else {
            rig__linear_put(&whole->linear, drives->column[i], needed_gb);
        }
    }
    rig__linear_row_end(&whole->linear, RIG__AT_MOST, rig__sum_rules[RIG__SUM_CACHE].limit);
}

/* Columns of the sizes: is it this one, and the rate if it is, as a share of the greatest rate. */
typedef struct size_columns {
    size_t *is_chosen, *rate;
} size_columns;

static bool add_sizes(rig__whole *whole, size_t n, size_columns *out)
{
    rig__linear *linear = &whole->linear;
    out->is_chosen = rig__arena_alloc(whole->arena, n, sizeof(size_t));
    out->rate = rig__arena_alloc(whole->arena, n, sizeof(size_t));
    for (size_t i = 0; i < n && out->is_chosen != NULL && out->rate != NULL; i++) {
        out->is_chosen[i] = rig__linear_column_add(
            linear,
            (rig__linear_column){.name = rig__linear_name(whole->arena, "cache", i + 1, ""),
                                 .high = 1,
                                 .is_integer = true});
        out->rate[i] = rig__linear_column_add(
            linear,
            (rig__linear_column){.name = rig__linear_name(whole->arena, "cached", i + 1, "rate"),
                                 .high = (double)INFINITY});
        rig__linear_row_begin(linear, "rate of cache");
        rig__linear_put(linear, out->rate[i], 1);
        rig__linear_put(linear, out->is_chosen[i], -1);
        rig__linear_row_end(linear, RIG__AT_MOST, 0);
    }
    return out->is_chosen != NULL && out->rate != NULL;
}

/* The cache is at least the size chosen; without sizes it holds the workers. */
static void
add_cache(rig__whole *whole, const cache_size *sizes, size_t n, const size_columns *columns)
{
    if (columns != NULL) {
        rig__linear_row_begin(&whole->linear, "one cache");
        for (size_t i = 0; i < n; i++) {
            rig__linear_put(&whole->linear, columns->is_chosen[i], 1);
        }
        rig__linear_row_end(&whole->linear, RIG__EQUAL, 1);
    }
    rig__linear_row_begin(&whole->linear, "memory holds workers and cache GB");
    put_used(whole);
    for (size_t i = 0; i < n && columns != NULL; i++) {
        rig__linear_put(&whole->linear, columns->is_chosen[i], sizes[i].gb);
    }
    rig__linear_row_end(&whole->linear, RIG__AT_MOST, rig__sum_rules[RIG__SUM_CACHE].limit);
}

static void put_rate(rig__whole *whole, const rig__rate_columns *rate)
{
    rig__linear_put(&whole->linear, 0, rate->base / rate->most);
    for (size_t i = 0; i < rate->n; i++) {
        rig__linear_put(&whole->linear, rate->column[i], rate->weight[i] / rate->most);
    }
}

static void put_drives(rig__whole *whole, double most)
{
    const rig__members *drives = &whole->groups[RIG__GROUP_DRIVE];
    for (size_t i = 0; i < drives->n; i++) {
        rig__linear_put(&whole->linear,
                        drives->column[i],
                        -cold_rate(&whole->space->drives[drives->at[i]], most) / most);
    }
}

/* Misses of the rate are read from the drives: sum over sizes of miss x rate <= drives. */
static void add_reads(rig__whole *whole,
                      const rig__rate_columns *rate,
                      const cache_size *sizes,
                      size_t n,
                      const size_columns *columns)
{
    rig__linear *linear = &whole->linear;
    if (columns != NULL) {
        rig__linear_row_begin(linear, "rate by cache");
        put_rate(whole, rate);
        for (size_t i = 0; i < n; i++) {
            rig__linear_put(linear, columns->rate[i], -1);
        }
        rig__linear_row_end(linear, RIG__EQUAL, 0);
    }
    rig__linear_row_begin(linear, "drives read what the cache misses");
    if (columns == NULL) {
        put_rate(whole, rate);
    }
    for (size_t i = 0; i < n && columns != NULL; i++) {
        rig__linear_put(linear, columns->rate[i], sizes[i].miss);
    }
    put_drives(whole, rate->most);
    rig__linear_row_end(linear, RIG__AT_MOST, 0);
}

rig_status rig__whole_storage(rig__whole *whole, const rig__rate_columns *rate, rig_error *err)
{
    cache_size *sizes = NULL;
    size_columns columns;
    if (rate->n == 0) {
        add_needed(whole, whole->least_rate);
        return whole->linear.is_nomem ? rig__error_nomem(err) : RIG_OK;
    }
    const size_t n = sizes_fill(whole, rate->most, &sizes);
    if (n == 0 || (n > 1 && !add_sizes(whole, n, &columns))) {
        return rig__error_nomem(err);
    }
    const size_columns *several = n > 1 ? &columns : NULL;
    add_cache(whole, sizes, n, several);
    if (several != NULL || sizes[0].miss > 0) {
        add_reads(whole, rate, sizes, n, several);
    }
    return whole->linear.is_nomem ? rig__error_nomem(err) : RIG_OK;
}
