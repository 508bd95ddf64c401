/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals from residuals: split-conformal half-widths by group with fallback to ancestors. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "trainrig/accuracy.h"

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Residuals and the groups they fall into. */
typedef struct sample {
    const double *residuals, *scales;
    const size_t *groups;
    size_t n_rows;
    const size_t *parents;
    size_t n_groups;
} sample;

static rig_status fail_group(size_t value, const char *what, rig_error *err)
{
    return rig__error_set(
        err, RIG_E_RANGE, NULL, 0, 0, "%s: '%zu' (expected the index of a group)", what, value);
}

static rig_status check_groups(const sample *from, rig_error *err)
{
    for (size_t i = 0; i < from->n_rows; i++) {
        if (from->groups[i] >= from->n_groups) {
            return fail_group(from->groups[i], "no such group", err);
        }
    }
    for (size_t i = 0; i < from->n_groups; i++) {
        size_t n_steps = 0;
        for (size_t at = i; from->parents[at] != RIG_NO_PARENT; at = from->parents[at]) {
            if (from->parents[at] >= from->n_groups) {
                return fail_group(from->parents[at], "no such parent", err);
            }
            if (++n_steps > from->n_groups) {
                return fail_group(i, "group is its own ancestor", err);
            }
        }
    }
    return RIG_OK;
}

static bool is_within(const sample *from, size_t group, size_t ancestor)
{
    while (group != ancestor && group != RIG_NO_PARENT) {
        group = from->parents[group];
    }
    return group == ancestor;
}

/* Sizes of the residuals of a group and its descendants. @return how many */
static size_t gather(const sample *from, size_t group, double *out)
{
    size_t n = 0;
    for (size_t i = 0; i < from->n_rows; i++) {
        if (is_within(from, from->groups[i], group)) {
            const double scale = from->scales == NULL ? 1.0 : from->scales[i];
            out[n++] = fabs(from->residuals[i]) / scale;
        }
    }
    return n;
}

static rig_conformal_width
width_of(const sample *from, size_t group, double coverage, size_t rows_min, double *scratch)
{
    rig_conformal_width out = {.half_width = INFINITY};
    for (size_t at = group; at != RIG_NO_PARENT; at = from->parents[at]) {
        const size_t n = gather(from, at, scratch);
        /* A rounding error must not ask for one row more. */
        const double exact = (double)(n + 1) * coverage;
        const size_t rank = (size_t)ceil(exact - 1e-9 * exact);
        out.rows = n;
        if (n >= rows_min && rank <= n) {
            qsort(scratch, n, sizeof *scratch, compare_numbers);
            out.half_width = scratch[rank == 0 ? 0 : rank - 1];
            return out;
        }
        out.level++;
    }
    return out;
}

/* NOLINTNEXTLINE(readability-function-size): the public signature has eleven parameters */
rig_status rig_conformal_widths(const double *residuals,
                                const double *scales,
                                const size_t *groups,
                                size_t n_rows,
                                const size_t *parents,
                                size_t n_groups,
                                double coverage,
                                size_t rows_min,
                                double *scratch,
                                rig_conformal_width *out,
                                rig_error *err)
{
    const sample from = {residuals, scales, groups, n_rows, parents, n_groups};
    if (!(coverage > 0.0 && coverage < 1.0)) {
        char value[32];
        return rig__error_set(err,
                              RIG_E_RANGE,
                              NULL,
                              0,
                              0,
                              "coverage out of range: '%s' (expected more than 0 and less than 1)",
                              rig__number_format(value, sizeof value, coverage));
    }
    RIG_TRY(check_groups(&from, err));
    for (size_t i = 0; i < n_groups; i++) {
        out[i] = width_of(&from, i, coverage, rows_min, scratch);
    }
    return RIG_OK;
}
