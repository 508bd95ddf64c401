/* SPDX-License-Identifier: GPL-3.0-or-later
 * Residuals, and their errors over all rows and by group. */
#include "optimizer/residuals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"
#include "optimizer/skips.h"

rig_validation *rig__validation_new(const rig_measurements *measurements)
{
    rig__arena *const arena = rig__arena_new();
    if (arena == NULL) {
        return NULL;
    }
    rig_validation *const out = rig__arena_alloc(arena, 1, sizeof *out);
    rig_residual *const residuals =
        rig__arena_alloc(arena, measurements->n_rows, sizeof *residuals);
    if (out == NULL || residuals == NULL) {
        rig__arena_free(arena);
        return NULL;
    }
    for (size_t i = 0; i < measurements->n_rows; i++) {
        residuals[i].row = &measurements->rows[i];
        residuals[i].first_epoch_log_ratio = NAN;
    }
    out->arena = arena;
    out->n_read = measurements->n_read;
    out->residuals = residuals;
    out->n_residuals = measurements->n_rows;
    return out;
}

void rig_validation_free(rig_validation *validation)
{
    if (validation != NULL) {
        rig__arena_free(validation->arena);
    }
}

/* ---- one row -------------------------------------------------------------------------------- */

static const char *why_not(rig_status status, const rig_prediction *prediction)
{
    if (status != RIG_OK) {
        return "figures outside of the model's range";
    }
    if (prediction->is_out_of_memory) {
        return "does not fit into memory by the model";
    }
    const bool is_rate = prediction->images_per_s > 0.0 && isfinite(prediction->images_per_s);
    return is_rate ? NULL : "no stage can be predicted";
}

rig_status rig__residual_fill(const rig_measurement *row,
                              const rig_catalog *catalog,
                              const rig_constants *constants,
                              rig_residual *out,
                              rig_error *err)
{
    rig_setup setup;
    rig_prediction prediction;
    *out = (rig_residual){.row = row, .first_epoch_log_ratio = NAN};
    RIG_TRY(rig_measurement_setup(row, catalog, constants, &setup, err));
    out->unsupported = setup.unsupported;
    if (out->unsupported != NULL) {
        return RIG_OK;
    }
    const rig_status status = rig_measurement_predict(row, &setup, constants, &prediction, NULL);
    out->unsupported = why_not(status, &prediction);
    if (out->unsupported != NULL) {
        return RIG_OK;
    }
    const double observed = row->observed_images_per_s;
    out->predicted_images_per_s = prediction.images_per_s;
    out->low_images_per_s = prediction.images_per_s_low;
    out->high_images_per_s = prediction.images_per_s_high;
    out->log_ratio = log(prediction.images_per_s / observed);
    out->binding = prediction.binding;
    out->is_covered =
        observed >= prediction.images_per_s_low && observed <= prediction.images_per_s_high;
    if (!isnan(row->first_epoch_s) && isfinite(prediction.first_epoch_s)) {
        out->first_epoch_log_ratio = log(prediction.first_epoch_s / row->first_epoch_s);
    }
    return RIG_OK;
}

const char *rig__residual_label(const rig_residual *residual, rig_group group)
{
    return group == RIG_GROUP_STAGE ? rig_stage_name(residual->binding)
                                    : residual->row->labels[group];
}

/* ---- summary -------------------------------------------------------------------------------- */

/* Work space for as many rows as there are residuals. */
typedef struct labelled {
    const char *name;
    size_t index;
} labelled;

typedef struct summary {
    rig_validation *out;
    rig_error_row *rows;
    double *scratch;
    labelled *labels;
    rig_group_score *groups;
    size_t n_groups, cap_groups;
} summary;

static rig_error_row error_row(const rig_residual *from)
{
    const unsigned expected = from->row->expected_stages;
    return (rig_error_row){.log_ratio = from->log_ratio,
                           .is_covered = from->is_covered,
                           .has_binding = expected != 0,
                           .is_binding_right = (expected & 1U << from->binding) != 0};
}

static void score_all(summary *work)
{
    rig_validation *const out = work->out;
    size_t n = 0, n_first = 0;
    for (size_t i = 0; i < out->n_residuals; i++) {
        if (out->residuals[i].unsupported == NULL) {
            work->rows[n++] = error_row(&out->residuals[i]);
        }
    }
    out->n_used = n;
    rig_score_rows(work->rows, n, work->scratch, &out->score);
    for (size_t i = 0; i < out->n_residuals; i++) {
        const double log_ratio = out->residuals[i].first_epoch_log_ratio;
        if (out->residuals[i].unsupported == NULL && !isnan(log_ratio)) {
            work->rows[n_first++] = (rig_error_row){.log_ratio = log_ratio};
        }
    }
    rig_score_rows(work->rows, n_first, work->scratch, &out->first_epoch);
    out->first_epoch.coverage_frac = NAN; /* its time has no interval */
}

static int compare_labels(const void *a, const void *b)
{
    const labelled *const x = a;
    const labelled *const y = b;
    const int by_name = strcmp(x->name, y->name);
    return by_name != 0 ? by_name : (x->index > y->index) - (x->index < y->index);
}

static bool add_group(summary *work, rig_group by, const labelled *first, size_t n)
{
    if (work->n_groups == work->cap_groups) {
        const size_t cap = work->cap_groups == 0 ? 64 : work->cap_groups * 2;
        rig_group_score *const groups = realloc(work->groups, cap * sizeof *groups);
        if (groups == NULL) {
            return false;
        }
        work->groups = groups;
        work->cap_groups = cap;
    }
    for (size_t i = 0; i < n; i++) {
        work->rows[i] = error_row(&work->out->residuals[first[i].index]);
    }
    rig_group_score *const group = &work->groups[work->n_groups++];
    *group = (rig_group_score){.by = by, .name = first->name};
    rig_score_rows(work->rows, n, work->scratch, &group->score);
    return true;
}

static bool score_groups(summary *work, rig_group by)
{
    const rig_validation *const out = work->out;
    size_t n = 0;
    for (size_t i = 0; i < out->n_residuals; i++) {
        const rig_residual *const residual = &out->residuals[i];
        const char *const name =
            residual->unsupported == NULL ? rig__residual_label(residual, by) : NULL;
        if (name != NULL) {
            work->labels[n++] = (labelled){name, i};
        }
    }
    if (n > 0) {
        qsort(work->labels, n, sizeof *work->labels, compare_labels);
    }
    for (size_t begin = 0, end = 0; begin < n; begin = end) {
        while (end < n && strcmp(work->labels[end].name, work->labels[begin].name) == 0) {
            end++;
        }
        if (!add_group(work, by, &work->labels[begin], end - begin)) {
            return false;
        }
    }
    return true;
}

static int compare_groups(const void *a, const void *b)
{
    const rig_group_score *const x = a;
    const rig_group_score *const y = b;
    if (x->by != y->by) {
        return x->by < y->by ? -1 : 1;
    }
    if (x->score.rows != y->score.rows) {
        return x->score.rows > y->score.rows ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* ---- what was fitted ------------------------------------------------------------------------ */

static bool has_record_of(const rig_profile *profile, const char *by)
{
    const size_t length = strlen(by);
    for (size_t i = 0; i < rig_profile_count(profile); i++) {
        const rig_profile_entry *const entry = rig_profile_at(profile, i);
        if (entry->table == RIG_PROFILE_FITTED && strncmp(entry->name, by, length) == 0 &&
            entry->name[length] == ':') {
            return true;
        }
    }
    return false;
}

static rig_fitted fitted_of(const rig__fitted_by *by, const rig_group_score *group)
{
    char key[512];
    if (group->by == by->held_out) {
        return RIG_FITTED_NO;
    }
    if (by->profile != NULL && has_record_of(by->profile, rig_group_name(group->by))) {
        (void)snprintf(key, sizeof key, "%s:%s", rig_group_name(group->by), group->name);
        return rig__profile_find(by->profile, RIG_PROFILE_FITTED, key) != NULL ? RIG_FITTED_YES
                                                                               : RIG_FITTED_NO;
    }
    if (group->by != RIG_GROUP_GPU || by->catalog == NULL) {
        return RIG_FITTED_UNKNOWN;
    }
    const rig_efficiency *const efficiency = (const rig_efficiency *)(const void *)rig_catalog_get(
        by->catalog, RIG_TABLE_EFFICIENCY, group->name);
    return efficiency != NULL && efficiency->rows >= 1.0 ? RIG_FITTED_YES : RIG_FITTED_NO;
}

/* ---- rows without a prediction -------------------------------------------------------------- */

static rig_status
count_skips(rig_validation *out, const rig_measurements *measurements, rig_error *err)
{
    rig__skips skips = {0};
    bool is_done = true;
    for (size_t i = 0; i < measurements->n_skips && is_done; i++) {
        const rig_skip *const skip = &measurements->skips[i];
        is_done = rig__skips_add(&skips, skip->reason, skip->name, skip->count);
    }
    for (size_t i = 0; i < out->n_residuals && is_done; i++) {
        const char *const reason = out->residuals[i].unsupported;
        is_done = reason == NULL || rig__skips_add(&skips, reason, NULL, 1);
    }
    rig_skip *const items =
        is_done ? rig__arena_alloc(out->arena, skips.n_items, sizeof *items) : NULL;
    if (items != NULL) {
        out->n_skips = rig__skips_sorted(&skips, items);
        out->skips = items;
    }
    rig__skips_free(&skips);
    return items == NULL ? rig__error_nomem(err) : RIG_OK;
}

static bool summarise(summary *work, const rig__fitted_by *fitted)
{
    rig_validation *const out = work->out;
    score_all(work);
    for (size_t i = 0; i < RIG_N_GROUPS; i++) {
        if (!score_groups(work, (rig_group)i)) {
            return false;
        }
    }
    out->groups = rig__arena_alloc(out->arena, work->n_groups, sizeof *out->groups);
    if (out->groups == NULL) {
        return false;
    }
    for (size_t i = 0; i < work->n_groups; i++) {
        out->groups[i] = work->groups[i];
        out->groups[i].fitted = fitted_of(fitted, &work->groups[i]);
    }
    out->n_groups = work->n_groups;
    if (out->n_groups > 0) {
        qsort(out->groups, out->n_groups, sizeof *out->groups, compare_groups);
    }
    return true;
}

rig_status rig__validation_finish(rig_validation *validation,
                                  const rig_measurements *measurements,
                                  const rig__fitted_by *fitted,
                                  rig_error *err)
{
    const size_t n = validation->n_residuals + 1; /* never an empty allocation */
    summary work = {.out = validation,
                    .rows = calloc(n, sizeof *work.rows),
                    .scratch = calloc(n, sizeof *work.scratch),
                    .labels = calloc(n, sizeof *work.labels)};
    const bool is_done = work.rows != NULL && work.scratch != NULL && work.labels != NULL &&
                         summarise(&work, fitted);
    free(work.rows);
    free(work.scratch);
    free(work.labels);
    free(work.groups);
    return is_done ? count_skips(validation, measurements, err) : rig__error_nomem(err);
}
