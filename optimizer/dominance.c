/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominance by a sweep within classes of comparable items. */
#include "optimizer/dominance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* What the sweep sorts. */
typedef struct sweep_key {
    uint64_t class; /* mix of the equal figures */
    double cost, power_w;
    size_t at;
} sweep_key;

rig_status rig__figures_new(rig__figures *out,
                            size_t n_items,
                            size_t n_equal,
                            size_t n_figures,
                            size_t n_needed,
                            rig_error *err)
{
    *out = (rig__figures){.n_items = n_items,
                          .n_figures = n_figures,
                          .n_equal = n_equal,
                          .n_needed = n_needed == 0 ? 1 : n_needed};
    out->rows = calloc(n_items + 1, n_figures * sizeof *out->rows);
    out->signatures = n_needed == 0 ? NULL : calloc(n_items + 1, sizeof *out->signatures);
    if (out->rows == NULL || (n_needed > 0 && out->signatures == NULL)) {
        rig__figures_free(out);
        return rig__error_nomem(err);
    }
    return RIG_OK;
}

void rig__figures_free(rig__figures *figures)
{
    free(figures->rows);
    free(figures->signatures);
    figures->rows = NULL;
    figures->signatures = NULL;
}

double *rig__figures_row(const rig__figures *figures, size_t i_item)
{
    return &figures->rows[i_item * figures->n_figures];
}

double rig__figure_of(const void *pointer)
{
    return (double)(uintptr_t)pointer; /* addresses of user space are below 2^53 */
}

static bool is_equal(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool replaces(const rig__figures *figures, size_t i_a, size_t i_b)
{
    const double *a = rig__figures_row(figures, i_a), *b = rig__figures_row(figures, i_b);
    for (size_t i = 0; i < figures->n_equal; i++) {
        if (!is_equal(a[i], b[i])) {
            return false; /* two classes of one mix */
        }
    }
    for (size_t i = figures->n_equal; i < figures->n_figures; i++) {
        if (!(a[i] <= b[i] || isnan(b[i]))) {
            return false;
        }
    }
    return true;
}

static uint64_t mix_class(const double *row, size_t n_equal)
{
    uint64_t mix = 0;
    for (size_t i = 0; i < n_equal; i++) {
        const double value = row[i] + 0.0; /* no -0 */
        uint64_t bits = UINT64_MAX;
        if (!isnan(value)) {
            memcpy(&bits, &value, sizeof bits);
        }
        mix = (mix ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        mix ^= mix >> 32;
    }
    return mix;
}

static int compare_numbers(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : (a > b) - (a < b);
}

static int compare_keys(const void *left, const void *right)
{
    const sweep_key *a = left, *b = right;
    if (a->class != b->class) {
        return a->class < b->class ? -1 : 1;
    }
    const int by_cost = compare_numbers(a->cost, b->cost);
    const int by_power = by_cost != 0 ? by_cost : compare_numbers(a->power_w, b->power_w);
    return by_power != 0 ? by_power : (a->at > b->at) - (a->at < b->at);
}

/* One run of items of a class. */
typedef struct sweep_run {
    const rig__figures *figures;
    size_t *kept; /* items */
    size_t n_kept;
    uint64_t *seen; /* signatures of the dominators of the present item */
} sweep_run;

static bool holds(const uint64_t *items, size_t n, uint64_t wanted)
{
    size_t i = 0;
    while (i < n && items[i] != wanted) {
        i++;
    }
    return i < n;
}

static bool is_superfluous(const sweep_run *run, size_t at)
{
    const rig__figures *const figures = run->figures;
    size_t n_seen = 0;
    for (size_t i = 0; i < run->n_kept; i++) {
        if (!replaces(figures, run->kept[i], at)) {
            continue;
        }
        if (figures->signatures == NULL) {
            return true;
        }
        const uint64_t signature = figures->signatures[run->kept[i]];
        if (!holds(run->seen, n_seen, signature)) {
            run->seen[n_seen++] = signature;
        }
        if (signature == figures->signatures[at] || n_seen == figures->n_needed) {
            return true;
        }
    }
    return false;
}

static void sweep(sweep_run *run, const sweep_key *keys, size_t n, bool *is_kept)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && keys[i].class != keys[i - 1].class) {
            run->n_kept = 0;
        }
        is_kept[keys[i].at] = !is_superfluous(run, keys[i].at);
        if (is_kept[keys[i].at]) {
            run->kept[run->n_kept++] = keys[i].at;
        }
    }
}

rig_status rig__figures_sweep(const rig__figures *figures, bool *is_kept, rig_error *err)
{
    const size_t n = figures->n_items;
    sweep_key *const keys = malloc((n + 1) * sizeof *keys);
    sweep_run run = {.figures = figures,
                     .kept = malloc((n + 1) * sizeof *run.kept),
                     .seen = malloc(figures->n_needed * sizeof *run.seen)};
    rig_status status = RIG_OK;
    if (keys == NULL || run.kept == NULL || run.seen == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        const double *row = rig__figures_row(figures, i);
        keys[i] = (sweep_key){
            mix_class(row, figures->n_equal), row[figures->n_equal], row[figures->n_equal + 1], i};
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    sweep(&run, keys, n, is_kept);
done:
    free(keys);
    free(run.kept);
    free(run.seen);
    return status;
}
