/* SPDX-License-Identifier: GPL-3.0-or-later
 * Validation, and cross-validation with any fit. */
#include <stdio.h>
#include <stdlib.h>

#include "accuracy/folds.h"
#include "accuracy/residuals.h"
#include "accuracy/spreads.h"
#include "base/error.h"

/* Rows of an installation that was fitted have the interval of one. */
static rig_status fill_fitted(const rig_measurement *row,
                              const rig_catalog *catalog,
                              const rig_constants *constants,
                              const rig_profile *profile,
                              rig_residual *out,
                              rig_error *err)
{
    rig_measurement own = *row;
    double spread = 1.0;
    if (rig__residual_is_software_recorded(row, profile, &spread)) {
        own.workload.is_software_known = true;
        own.workload.software_spread = spread;
    }
    RIG_TRY(rig__residual_fill(&own, catalog, constants, out, err));
    out->row = row;
    return RIG_OK;
}

rig_status rig_validate(rig_validation **out,
                        const rig_measurements *measurements,
                        const rig_catalog *catalog,
                        const rig_constants *constants,
                        const rig_profile *profile,
                        rig_error *err)
{
    *out = NULL;
    rig_validation *const validation = rig__validation_new(measurements);
    if (validation == NULL) {
        return rig__error_nomem(err);
    }
    const rig__fitted_by fitted = {catalog, profile, RIG_N_GROUPS};
    rig_status status = RIG_OK;
    for (size_t i = 0; i < validation->n_residuals && status == RIG_OK; i++) {
        rig_residual *const residual = &validation->residuals[i];
        status = fill_fitted(residual->row, catalog, constants, profile, residual, err);
    }
    if (status == RIG_OK) {
        status = rig__validation_finish(validation, measurements, &fitted, err);
    }
    if (status != RIG_OK) {
        rig_validation_free(validation);
        return status;
    }
    *out = validation;
    return RIG_OK;
}

/* ---- cross-validation ----------------------------------------------------------------------- */

typedef struct crossing {
    rig_validation *out;
    const rig_measurements *measurements;
    const rig_catalog *catalog;
    const rig_cross_options *options;
    rig__labels labels;
    rig__fold_plan folds;
    bool *is_held_out; /* from the fit of the fold */
    bool *is_unseen;   /* by anything that a prediction rests on */
    unsigned *seen_groups;
    rig_residual *fitted; /* of the rows that the fit of the fold used */
    rig__spreads spreads;
    bool is_anchored;
} crossing;

/* Rows to predict: those of one fold, or of one group of it where each has anchors of its own. */
typedef struct held_out {
    size_t fold;
    size_t group; /* RIG__NO_LABEL: all of the fold */
} held_out;

static bool is_in(const crossing *all, size_t row, const held_out *part)
{
    const size_t group = all->folds.groups[row];
    if (group == RIG__NO_LABEL || all->folds.folds[group] != part->fold) {
        return false;
    }
    return part->group == RIG__NO_LABEL || part->group == group;
}

/* A catalogue and its constants with what was fitted. */
typedef struct fitted_model {
    rig_profile *profile;
    rig_catalog *catalog;
    rig_constants *constants;
} fitted_model;

static void free_model(fitted_model *model)
{
    rig_constants_free(model->constants);
    rig_catalog_free(model->catalog);
    rig_profile_free(model->profile);
    *model = (fitted_model){NULL, NULL, NULL};
}

static rig_status
fit_model(const rig_fit_task *task, rig_fit fit, void *payload, fitted_model *out, rig_error *err)
{
    out->profile = rig_profile_new("cross-validation");
    if (out->profile == NULL) {
        return rig__error_nomem(err);
    }
    RIG_TRY(fit(task, out->profile, payload, err));
    RIG_TRY(rig_profile_apply(&out->catalog, task->catalog, out->profile, err));
    return rig_constants_new(&out->constants, out->catalog, err);
}

static rig_status
predict_part(const crossing *all, const held_out *part, const fitted_model *model, rig_error *err)
{
    for (size_t i = 0; i < all->folds.n_rows; i++) {
        rig_residual *const residual = &all->out->residuals[i];
        if (!is_in(all, i, part)) {
            continue;
        }
        if (all->folds.is_anchor[i]) {
            residual->unsupported = "known as an anchor of what is left out";
            continue;
        }
        RIG_TRY(rig__residual_fill_held_out(residual->row,
                                            model->catalog,
                                            model->constants,
                                            all->seen_groups[i],
                                            rig__spreads_get(&all->spreads, residual->row, i),
                                            residual,
                                            err));
    }
    return RIG_OK;
}

/* What a user does who has measured a few rows: fits them, starting from the shipped figures. */
static rig_status
predict_anchored(crossing *all, const held_out *part, const fitted_model *base, rig_error *err)
{
    fitted_model own = {NULL, NULL, NULL};
    for (size_t i = 0; i < all->folds.n_rows; i++) {
        all->is_held_out[i] = !(is_in(all, i, part) && all->folds.is_anchor[i]);
    }
    const rig_fit_task task = {.measurements = all->measurements,
                               .is_held_out = all->is_held_out,
                               .catalog = base->catalog,
                               .held_out = all->folds.names[part->group]};
    rig_status status =
        fit_model(&task, all->options->anchor_fit, all->options->anchor_payload, &own, err);
    if (status == RIG_OK) {
        status = predict_part(all, part, &own, err);
    }
    free_model(&own);
    return status;
}

static rig_status
predict_fold(crossing *all, size_t fold, const fitted_model *model, rig_error *err)
{
    if (!all->is_anchored) {
        const held_out part = {fold, RIG__NO_LABEL};
        return predict_part(all, &part, model, err);
    }
    rig_status status = RIG_OK;
    for (size_t g = 0; g < all->folds.n_groups && status == RIG_OK; g++) {
        const held_out part = {fold, g};
        if (all->folds.folds[g] == fold) {
            status = predict_anchored(all, &part, model, err);
        }
    }
    return status;
}

/* The name of the group, or of several together. */
static const char *name_of(const crossing *all, size_t fold, char *text, size_t size)
{
    const char *name = NULL;
    for (size_t g = 0; g < all->folds.n_groups; g++) {
        if (all->folds.folds[g] != fold) {
            continue;
        }
        if (name != NULL) {
            (void)snprintf(text, size, "fold %zu of %zu", fold + 1, all->folds.n_folds);
            return text;
        }
        name = all->folds.names[g];
    }
    return name;
}

/* How far the rows that were fitted are off, by installation. */
static rig_status measure_spreads(crossing *all, const fitted_model *model, rig_error *err)
{
    rig_status status = RIG_OK;
    for (size_t i = 0; i < all->folds.n_rows && status == RIG_OK; i++) {
        rig_residual *const fitted = &all->fitted[i];
        *fitted = (rig_residual){.row = &all->measurements->rows[i]};
        if (!all->is_held_out[i]) {
            status = rig__residual_fill(fitted->row, model->catalog, model->constants, fitted, err);
        }
    }
    rig__spreads_fill(&all->spreads, all->fitted, all->is_held_out);
    return status;
}

static rig_status run_fold(crossing *all, size_t fold, rig_error *err)
{
    char text[64];
    const held_out part = {fold, RIG__NO_LABEL};
    const char *const name = name_of(all, fold, text, sizeof text);
    if (name == NULL) {
        return RIG_OK; /* no name has this hash */
    }
    for (size_t i = 0; i < all->folds.n_rows; i++) {
        const bool is_known = !is_in(all, i, &part);
        all->is_unseen[i] = !is_known && !all->folds.is_anchor[i];
        all->is_held_out[i] = all->is_anchored ? !is_known : all->is_unseen[i];
    }
    rig__labels_seen(&all->labels, all->is_unseen, all->seen_groups);
    const rig_fit_task task = {.measurements = all->measurements,
                               .is_held_out = all->is_held_out,
                               .catalog = all->catalog,
                               .held_out = name};
    fitted_model model = {NULL, NULL, NULL};
    rig_status status = fit_model(&task, all->options->fit, all->options->payload, &model, err);
    if (status == RIG_OK) {
        status = measure_spreads(all, &model, err);
    }
    if (status == RIG_OK) {
        status = predict_fold(all, fold, &model, err);
    }
    free_model(&model);
    all->out->n_folds++;
    return status;
}

static rig_status run_folds(crossing *all, rig_error *err)
{
    for (size_t i = 0; i < all->folds.n_rows; i++) {
        if (all->folds.groups[i] == RIG__NO_LABEL) {
            all->out->residuals[i].unsupported = "does not name what is left out";
        }
    }
    for (size_t fold = 0; fold < all->folds.n_folds; fold++) {
        RIG_TRY(run_fold(all, fold, err));
    }
    const rig__fitted_by fitted = {NULL, NULL, all->options->key};
    all->out->left_out = rig_group_name(all->options->key);
    return rig__validation_finish(all->out, all->measurements, &fitted, err);
}

static bool begin(crossing *all)
{
    const size_t n = all->measurements->n_rows + 1;
    all->is_anchored = all->options->n_anchors > 0 && all->options->anchor_fit != NULL;
    all->out = rig__validation_new(all->measurements);
    all->is_held_out = calloc(n, sizeof *all->is_held_out);
    all->is_unseen = calloc(n, sizeof *all->is_unseen);
    all->seen_groups = calloc(n, sizeof *all->seen_groups);
    all->fitted = calloc(n, sizeof *all->fitted);
    return all->out != NULL && all->is_held_out != NULL && all->is_unseen != NULL &&
           all->seen_groups != NULL && all->fitted != NULL &&
           rig__labels_init(&all->labels, all->measurements->rows, n - 1) &&
           rig__spreads_init(&all->spreads, &all->labels) &&
           rig__fold_plan_init(&all->folds, all->measurements, all->options);
}

static void end(crossing *all)
{
    rig__fold_plan_fini(&all->folds);
    rig__spreads_fini(&all->spreads);
    rig__labels_fini(&all->labels);
    free(all->is_held_out);
    free(all->is_unseen);
    free(all->seen_groups);
    free(all->fitted);
}

rig_status rig_cross_validate_with(rig_validation **out,
                                   const rig_measurements *measurements,
                                   const rig_catalog *catalog,
                                   const rig_cross_options *options,
                                   rig_error *err)
{
    *out = NULL;
    if (options->key == RIG_GROUP_STAGE || (size_t)options->key >= RIG_N_GROUPS) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "cannot leave out by 'stage' (it is predicted, not measured)");
    }
    crossing all = {.measurements = measurements, .catalog = catalog, .options = options};
    const rig_status status = begin(&all) ? run_folds(&all, err) : rig__error_nomem(err);
    end(&all);
    if (status != RIG_OK) {
        rig_validation_free(all.out);
        return status;
    }
    *out = all.out;
    return RIG_OK;
}

rig_status rig_cross_validate(rig_validation **out,
                              const rig_measurements *measurements,
                              const rig_catalog *catalog,
                              rig_group key,
                              rig_fit fit,
                              void *payload,
                              rig_error *err)
{
    const rig_cross_options options = {.key = key, .fit = fit, .payload = payload};
    return rig_cross_validate_with(out, measurements, catalog, &options, err);
}
