/* SPDX-License-Identifier: GPL-3.0-or-later
 * Errors of predictions over many rows. */
#include <math.h>
#include <stdlib.h>

#include "trainrig/accuracy.h"

static const double p90 = 0.9;

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *sorted, size_t n)
{
    return n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

/* Least value that at least the share of the rows does not exceed. */
static double quantile(const double *sorted, size_t n, double share)
{
    const size_t rank = (size_t)ceil(share * (double)n);
    return sorted[rank == 0 ? 0 : rank - 1];
}

static double share_of(size_t part, size_t whole)
{
    return whole == 0 ? (double)NAN : (double)part / (double)whole;
}

void rig_score_rows(const rig_error_row *rows, size_t n_rows, double *scratch, rig_score *out)
{
    *out = (rig_score){.mape_frac = NAN,
                       .median_ape_frac = NAN,
                       .p90_ape_frac = NAN,
                       .bias_frac = NAN,
                       .coverage_frac = NAN,
                       .binding_accuracy_frac = NAN};
    double sum_ape = 0.0, sum_log = 0.0;
    size_t n = 0, n_covered = 0, n_right = 0;
    for (size_t i = 0; i < n_rows; i++) {
        out->binding_rows += rows[i].has_binding ? 1 : 0;
        n_right += rows[i].has_binding && rows[i].is_binding_right ? 1 : 0;
        if (isnan(rows[i].log_ratio)) {
            continue;
        }
        scratch[n] = fabs(expm1(rows[i].log_ratio));
        sum_ape += scratch[n++];
        sum_log += rows[i].log_ratio;
        n_covered += rows[i].is_covered ? 1 : 0;
    }
    out->rows = n;
    out->binding_accuracy_frac = share_of(n_right, out->binding_rows);
    if (n == 0) {
        return;
    }
    qsort(scratch, n, sizeof *scratch, compare_numbers);
    out->mape_frac = sum_ape / (double)n;
    out->median_ape_frac = median(scratch, n);
    out->p90_ape_frac = quantile(scratch, n, p90);
    out->bias_frac = sum_log / (double)n;
    out->coverage_frac = share_of(n_covered, n);
}
