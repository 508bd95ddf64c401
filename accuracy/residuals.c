/* SPDX-License-Identifier: GPL-3.0-or-later
 * Residuals, and their errors over all rows and by group. */
#include "accuracy/residuals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/skips.h"
#include "accuracy/spreads.h"
#include "base/arena.h"
#include "base/error.h"
#include "model/constants.h"
#include "model/profile.h"

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

/* A run that waited, or may have, while the stages that may have held it up are not known: what is
 * left is an upper bound, not a prediction. */
static bool waited_for_unknown(const rig_measurement *row, const rig_prediction *prediction)
{
    const unsigned training = 1U << RIG_STAGE_GPU | 1U << RIG_STAGE_ALLREDUCE;
    const bool may_have_waited =
        row->is_undecided || (row->expected_stages != 0 && (row->expected_stages & training) == 0);
    return may_have_waited && prediction->has_unknown;
}

/* Without a processor only the GPUs can be named, right or wrong. Drives are hardly ever named:
 * where they bound, an answer from the other stages is wrong. */
static bool knows_host(const rig_prediction *prediction)
{
    return !isnan(prediction->stages[RIG_STAGE_DECODE].images_per_s);
}

static bool has_seen(unsigned seen_groups, rig_group group)
{
    return (seen_groups & 1U << group) != 0;
}

static rig_familiarity familiarity_of(const rig_measurement *row, unsigned seen_groups)
{
    return (rig_familiarity){
        .is_gpu_known = has_seen(seen_groups, RIG_GROUP_GPU),
        .is_network_known = has_seen(seen_groups, RIG_GROUP_NETWORK),
        .is_software_own = has_seen(seen_groups, rig__installation_of(row)),
        .is_cpu_known = has_seen(seen_groups, RIG_GROUP_CPU),
        .is_cpu_family_known = has_seen(seen_groups, RIG_GROUP_CPU_FAMILY),
        .is_loader_known = has_seen(seen_groups, RIG_GROUP_LOADER),
    };
}

/* What is to be predicted and what is known of it. */
typedef struct asked {
    const rig_measurement *row;
    const rig_catalog *catalog;
    const rig_constants *constants;
    const rig_familiarity *known; /* NULL: as the catalogue tells */
    bool is_software_own;
    double software_spread;
} asked;

/* The number of nodes is known only here, so the interval is set here too. */
static void set_interval(const asked *from, rig_setup *setup)
{
    const rig_build *const build = &from->row->build;
    setup->workload.is_software_known = from->is_software_own;
    setup->workload.software_spread = from->software_spread;
    const rig_familiarity by_catalog =
        rig_familiarity_get(from->catalog,
                            &setup->workload,
                            (const rig_gpu *)(const void *)build->parts[RIG_TABLE_GPU].row,
                            (const rig_cpu *)(const void *)build->parts[RIG_TABLE_CPU].row);
    rig_machine_set_intervals(&setup->machine,
                              from->constants,
                              &setup->workload,
                              from->known == NULL ? &by_catalog : from->known);
}

static void fill_errors(const rig_prediction *prediction, rig_residual *out)
{
    const double observed = out->row->observed_images_per_s;
    const double first_s = out->row->first_epoch_s;
    out->predicted_images_per_s = prediction->images_per_s;
    out->low_images_per_s = prediction->images_per_s_low;
    out->high_images_per_s = prediction->images_per_s_high;
    out->log_ratio = log(prediction->images_per_s / observed);
    out->binding = prediction->binding;
    out->is_covered =
        observed >= prediction->images_per_s_low && observed <= prediction->images_per_s_high;
    if (!isnan(first_s) && isfinite(prediction->first_epoch_s)) {
        /* clocks of the benchmark start with the first batch */
        const double start_s = prediction->start_s;
        out->first_epoch_log_ratio = log((prediction->first_epoch_s - start_s) / first_s);
        out->is_first_epoch_covered = first_s >= prediction->first_epoch_s_low - start_s &&
                                      first_s <= prediction->first_epoch_s_high - start_s;
    }
}

static rig_status fill(const asked *from, rig_residual *out, rig_error *err)
{
    rig_setup setup;
    rig_prediction prediction;
    *out = (rig_residual){
        .row = from->row, .first_epoch_log_ratio = NAN, .software_spread = from->software_spread};
    if (!(out->software_spread > 0.0)) {
        out->software_spread = 1.0;
    }
    RIG_TRY(rig_measurement_setup(from->row, from->catalog, from->constants, &setup, err));
    out->unsupported = setup.unsupported;
    if (out->unsupported != NULL) {
        return RIG_OK;
    }
    set_interval(from, &setup);
    const rig_status status =
        rig_measurement_predict(from->row, &setup, from->constants, &prediction, NULL);
    out->unsupported = why_not(status, &prediction);
    if (out->unsupported == NULL) {
        out->unsupported = from->row->doubt;
    }
    out->tells_binding =
        out->unsupported == NULL && from->row->expected_stages != 0 && knows_host(&prediction);
    out->binding = prediction.binding;
    if (out->unsupported == NULL && waited_for_unknown(from->row, &prediction)) {
        out->unsupported = "waited for a part that the row does not name";
    }
    if (out->unsupported == NULL) {
        fill_errors(&prediction, out);
    }
    return RIG_OK;
}

rig_status rig__residual_fill(const rig_measurement *row,
                              const rig_catalog *catalog,
                              const rig_constants *constants,
                              rig_residual *out,
                              rig_error *err)
{
    const asked from = {.row = row,
                        .catalog = catalog,
                        .constants = constants,
                        .is_software_own = row->workload.is_software_known,
                        .software_spread = row->workload.software_spread};
    return fill(&from, out, err);
}

rig_status rig__residual_fill_held_out(const rig_measurement *row,
                                       const rig_catalog *catalog,
                                       const rig_constants *constants,
                                       unsigned seen_groups,
                                       double software_spread,
                                       rig_residual *out,
                                       rig_error *err)
{
    const rig_familiarity known = familiarity_of(row, seen_groups);
    const double spread = known.is_software_own ? software_spread : 1.0;
    const asked from = {row, catalog, constants, &known, known.is_software_own, spread};
    RIG_TRY(fill(&from, out, err));
    out->seen_groups = seen_groups;
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
    return (rig_error_row){.log_ratio = from->unsupported == NULL ? from->log_ratio : (double)NAN,
                           .is_covered = from->is_covered,
                           .has_binding = from->tells_binding,
                           .is_binding_right = (expected & 1U << from->binding) != 0};
}

static void score_all(summary *work)
{
    rig_validation *const out = work->out;
    size_t n = 0, n_first = 0;
    for (size_t i = 0; i < out->n_residuals; i++) {
        if (out->residuals[i].unsupported == NULL || out->residuals[i].tells_binding) {
            work->rows[n++] = error_row(&out->residuals[i]);
        }
    }
    rig_score_rows(work->rows, n, work->scratch, &out->score);
    out->n_used = out->score.rows;
    for (size_t i = 0; i < out->n_residuals; i++) {
        const double log_ratio = out->residuals[i].first_epoch_log_ratio;
        if (out->residuals[i].unsupported == NULL && !isnan(log_ratio)) {
            work->rows[n_first++] = (rig_error_row){
                .log_ratio = log_ratio, .is_covered = out->residuals[i].is_first_epoch_covered};
        }
    }
    rig_score_rows(work->rows, n_first, work->scratch, &out->first_epoch);
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

static const rig_profile_entry *
find_entry(const rig_profile *profile, rig_group group, const char *name)
{
    char key[512];
    (void)snprintf(key, sizeof key, "%s:%s", rig_group_name(group), name);
    return rig__profile_find(profile, RIG_PROFILE_FITTED, key);
}

bool rig__residual_is_software_recorded(const rig_measurement *row,
                                        const rig_profile *profile,
                                        double *spread_out)
{
    const rig_group group = rig__installation_of(row);
    const char *const name = row->labels[group];
    const rig_profile_entry *const entry =
        profile == NULL || name == NULL ? NULL : find_entry(profile, group, name);
    *spread_out = entry != NULL && entry->value > 0.0 ? entry->value : 1.0;
    return entry != NULL;
}

/* With any family of stacks. */
static bool is_gpu_measured(const rig_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < RIG__N_STACK_FAMILIES; i++) {
        char key[512];
        (void)snprintf(key, sizeof key, "%s | %s", name, rig__model_family_word((rig__family)i));
        const rig_efficiency *const row = (const rig_efficiency *)(const void *)rig_catalog_get(
            catalog, RIG_TABLE_EFFICIENCY, key);
        if (row != NULL && row->rows >= 1.0) {
            return true;
        }
    }
    return false;
}

static rig_fitted fitted_of(const rig__fitted_by *by, const rig_group_score *group)
{
    if (group->by == by->held_out) {
        return RIG_FITTED_NO;
    }
    if (by->profile != NULL && has_record_of(by->profile, rig_group_name(group->by))) {
        return find_entry(by->profile, group->by, group->name) != NULL ? RIG_FITTED_YES
                                                                       : RIG_FITTED_NO;
    }
    if (group->by != RIG_GROUP_GPU || by->catalog == NULL) {
        return RIG_FITTED_UNKNOWN;
    }
    return is_gpu_measured(by->catalog, group->name) ? RIG_FITTED_YES : RIG_FITTED_NO;
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
