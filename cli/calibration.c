/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a calibration changed, and which rows contradict it. */
#include "cli/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Student's t with four degrees of freedom, as the fit weighs its rows: w = 5 / (4 + (r / s)^2). */
#define T_FREEDOM 4.0
#define LOW_WEIGHT 0.3
/* Spread of equal systems measured by one source; rows within it do not contradict each other.
 * Source: docs/accuracy.md, noise floor. */
#define LEAST_SPREAD 0.07
/* Half the width of a normal distribution that holds the middle half, inverted. */
#define SD_PER_MEDIAN 1.4826
/* Shifts that are no more than rounding. */
#define LEAST_SHIFT 1e-6
/* No figure is known better than that. */
#define LEAST_SD 0.02

rig_status rig__cli_profile_merge(rig_profile *out, const rig_profile *from, rig_error *err)
{
    for (size_t i = 0; i < rig_profile_count(from); i++) {
        const rig_status status = rig_profile_add(out, rig_profile_at(from, i), err);
        if (status != RIG_OK) {
            return status;
        }
    }
    return RIG_OK;
}

/* ---- changes -------------------------------------------------------------------------------- */

static const struct {
    rig_table table;
    const char *column;
} profile_tables[RIG_N_PROFILE_TABLES] = {
#define CLI_PROFILE_TABLE(enumerator, word, table, column) {table, column},
    RIG_PROFILE_TABLE_MAP(CLI_PROFILE_TABLE)
#undef CLI_PROFILE_TABLE
};

/* Value of a row by its whole name, or of the column behind the last dot. */
static double shipped_value(const rig_profile_entry *entry, const rig_catalog *catalog)
{
    const rig_table table = profile_tables[entry->table].table;
    const char *column = profile_tables[entry->table].column;
    const rig_row *row = rig_catalog_get(catalog, table, entry->name);
    const char *dot = strrchr(entry->name, '.');
    char name[512];
    if (row == NULL && dot != NULL && (size_t)(dot - entry->name) < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(dot - entry->name), entry->name);
        row = rig_catalog_get(catalog, table, name);
        column = dot + 1;
    }
    const rig_column *found = rig_column_find(table, column);
    return row == NULL || found == NULL ? (double)NAN : rig_row_number(row, found);
}

/* A factor that is new was 1 before. */
static double shift_of(double before, double after)
{
    before = isnan(before) ? 1.0 : before;
    return before > 0.0 && after > 0.0 ? log(after / before) : after - before;
}

/* Shift against what is not known: a guess that moves a little has not changed much. */
static double size_of(const rig_figure_change *change)
{
    const double sd = change->entry->log_sd;
    return fabs(change->shift) / (isnan(sd) ? 1.0 : fmax(sd, LEAST_SD));
}

static int compare_changes(const void *a, const void *b)
{
    const rig_figure_change *x = a, *y = b;
    const double left = size_of(x), right = size_of(y);
    if (left < right || left > right) {
        return left > right ? -1 : 1;
    }
    if (x->entry->table != y->entry->table) {
        return x->entry->table < y->entry->table ? -1 : 1;
    }
    return strcmp(x->entry->name, y->entry->name);
}

bool rig__cli_changes(const rig_profile *profile,
                      const rig_catalog *catalog,
                      rig_figure_change **out,
                      size_t *n_out)
{
    const size_t n = rig_profile_count(profile);
    *n_out = 0;
    *out = calloc(n + 1, sizeof **out);
    for (size_t i = 0; i < n && *out != NULL; i++) {
        const rig_profile_entry *entry = rig_profile_at(profile, i);
        if (profile_tables[entry->table].table == RIG_N_TABLES || isnan(entry->value)) {
            continue; /* a record, no figure of the model */
        }
        const double before = shipped_value(entry, catalog);
        const double shift = shift_of(before, entry->value);
        if (fabs(shift) > LEAST_SHIFT) {
            (*out)[(*n_out)++] = (rig_figure_change){entry, before, shift};
        }
    }
    if (*n_out > 0) {
        qsort(*out, *n_out, sizeof **out, compare_changes);
    }
    return *out != NULL;
}

/* ---- contradictions ------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_residuals(const void *a, const void *b)
{
    const rig_residual *x = *(const rig_residual *const *)a, *y = *(const rig_residual *const *)b;
    const double left = fabs(x->log_ratio), right = fabs(y->log_ratio);
    if (left < right || left > right) {
        return left > right ? -1 : 1;
    }
    return (x->row > y->row) - (x->row < y->row);
}

/* Spread of the errors, from the median of their sizes so that a few wild ones do not hide. */
static double spread(const rig_validation *fitted, double *sizes)
{
    size_t n = 0;
    for (size_t i = 0; i < fitted->n_residuals; i++) {
        if (fitted->residuals[i].unsupported == NULL) {
            sizes[n++] = fabs(fitted->residuals[i].log_ratio);
        }
    }
    if (n == 0) {
        return LEAST_SPREAD;
    }
    qsort(sizes, n, sizeof *sizes, compare_numbers);
    return fmax(SD_PER_MEDIAN * sizes[n / 2], LEAST_SPREAD);
}

bool rig__cli_contradictions(const rig_validation *fitted, const rig_residual ***out, size_t *n_out)
{
    double *sizes = malloc((fitted->n_residuals + 1) * sizeof *sizes);
    *n_out = 0;
    *out = calloc(fitted->n_residuals + 1, sizeof **out);
    if (sizes == NULL || *out == NULL) {
        free(sizes);
        return false;
    }
    const double s = spread(fitted, sizes);
    for (size_t i = 0; i < fitted->n_residuals; i++) {
        const rig_residual *residual = &fitted->residuals[i];
        const double r = residual->log_ratio / s;
        if (residual->unsupported == NULL && (T_FREEDOM + 1.0) / (T_FREEDOM + r * r) < LOW_WEIGHT) {
            (*out)[(*n_out)++] = residual;
        }
    }
    if (*n_out > 0) {
        qsort(*out, *n_out, sizeof **out, compare_residuals);
    }
    free(sizes);
    return true;
}

/* ---- the same rows -------------------------------------------------------------------------- */

bool rig__cli_score_of(const rig_validation *validation, const rig_validation *of, rig_score *out)
{
    const size_t n = validation->n_residuals;
    rig_error_row *rows = calloc(n + 1, sizeof *rows);
    double *scratch = calloc(n + 1, sizeof *scratch);
    const bool is_able = rows != NULL && scratch != NULL;
    size_t n_rows = 0;
    for (size_t i = 0; i < n && is_able; i++) {
        const rig_residual *residual = &validation->residuals[i];
        if (residual->unsupported == NULL && of->residuals[i].unsupported == NULL) {
            rows[n_rows++] = (rig_error_row){.log_ratio = residual->log_ratio,
                                             .is_covered = residual->is_covered};
        }
    }
    if (is_able) {
        rig_score_rows(rows, n_rows, scratch, out);
    }
    free(rows);
    free(scratch);
    return is_able;
}
