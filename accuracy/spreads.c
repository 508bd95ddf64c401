/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spread of the errors at one installation over that at all, from residuals. */
#include "accuracy/spreads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/intervals.h"

/* Rows of an average installation that are added to each, so that few rows say little. */
#define PSEUDO_ROWS 10

rig_group rig__installation_of(const rig_measurement *row)
{
    return row->kind == RIG_MEASUREMENT_SYSTEM ? RIG_GROUP_SUBMITTER : RIG_GROUP_SOURCE;
}

/* Place of the sums of row i; RIG__NO_LABEL: nobody is named. */
static size_t place_of(const rig__spreads *spreads, const rig_measurement *row, size_t i)
{
    const rig_group group = rig__installation_of(row);
    const size_t id = spreads->labels->ids[group][i];
    if (id == RIG__NO_LABEL || group == RIG_GROUP_SOURCE) {
        return id;
    }
    return spreads->labels->n_ids[RIG_GROUP_SOURCE] + id;
}

static size_t n_places(const rig__labels *labels)
{
    return labels->n_ids[RIG_GROUP_SOURCE] + labels->n_ids[RIG_GROUP_SUBMITTER];
}

bool rig__spreads_init(rig__spreads *out, const rig__labels *labels)
{
    const size_t n = n_places(labels) + 1;
    *out = (rig__spreads){.labels = labels,
                          .sums = calloc(n, sizeof *out->sums),
                          .rows = calloc(n, sizeof *out->rows)};
    return out->sums != NULL && out->rows != NULL;
}

void rig__spreads_fini(rig__spreads *spreads)
{
    free(spreads->sums);
    free(spreads->rows);
    *spreads = (rig__spreads){.labels = NULL};
}

static size_t family_of(const rig_measurement *row)
{
    const rig_stack *const stack = row->workload.stack;
    return rig__model_interval_training(stack == NULL ? NULL : stack->family, 0) /
           RIG__N_TRAIN_NOVELTIES;
}

/* Training rates that training limits; preparation has no installation. */
static bool is_counted(const rig_residual *residual)
{
    const rig_measurement_kind kind = residual->row->kind;
    const bool is_training =
        residual->binding == RIG_STAGE_GPU || residual->binding == RIG_STAGE_ALLREDUCE;
    return residual->unsupported == NULL && is_training &&
           (kind == RIG_MEASUREMENT_SYSTEM || kind == RIG_MEASUREMENT_GPU);
}

static void
sum_families(rig__spreads *spreads, const rig_residual *residuals, const bool *is_left_out)
{
    for (size_t i = 0; i < spreads->labels->n_rows; i++) {
        if ((is_left_out == NULL || !is_left_out[i]) && is_counted(&residuals[i])) {
            const size_t family = family_of(residuals[i].row);
            spreads->family_sums[family] += fabs(residuals[i].log_ratio);
            spreads->family_rows[family]++;
        }
    }
}

void rig__spreads_fill(rig__spreads *spreads,
                       const rig_residual *residuals,
                       const bool *is_left_out)
{
    const size_t n = n_places(spreads->labels);
    memset(spreads->sums, 0, n * sizeof *spreads->sums);
    memset(spreads->rows, 0, n * sizeof *spreads->rows);
    memset(spreads->family_sums, 0, sizeof spreads->family_sums);
    memset(spreads->family_rows, 0, sizeof spreads->family_rows);
    sum_families(spreads, residuals, is_left_out);
    for (size_t i = 0; i < spreads->labels->n_rows; i++) {
        const rig_residual *const residual = &residuals[i];
        const size_t place = place_of(spreads, residual->row, i);
        if (place == RIG__NO_LABEL || (is_left_out != NULL && is_left_out[i]) ||
            !is_counted(residual)) {
            continue;
        }
        const size_t family = family_of(residual->row);
        const double mean = spreads->family_sums[family] / (double)spreads->family_rows[family];
        spreads->sums[place] += mean > 0.0 ? fabs(residual->log_ratio) / mean : 1.0;
        spreads->rows[place]++;
    }
}

size_t rig__spreads_rows(const rig__spreads *spreads, const rig_measurement *row, size_t i)
{
    const size_t place = place_of(spreads, row, i);
    return place == RIG__NO_LABEL ? 0 : spreads->rows[place];
}

double rig__spreads_get(const rig__spreads *spreads, const rig_measurement *row, size_t i)
{
    const size_t n = rig__spreads_rows(spreads, row, i);
    if (n == 0) {
        return 1.0;
    }
    return (spreads->sums[place_of(spreads, row, i)] + PSEUDO_ROWS) / (double)(n + PSEUDO_ROWS);
}
