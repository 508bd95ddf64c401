/* SPDX-License-Identifier: GPL-3.0-or-later
 * Validation, and cross-validation with any fit. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/residuals.h"

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
        status = rig__residual_fill(residual->row, catalog, constants, residual, err);
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

typedef struct folds {
    rig_validation *out;
    rig_fit_task task;
    bool *is_held_out;
    rig_group key;
    rig_fit fit;
    void *payload;
} folds;

static const char *label_of(const folds *all, size_t i)
{
    return all->task.measurements->rows[i].labels[all->key];
}

/* Predicts the rows held out with what was fitted on the others. */
static rig_status predict_fold(const folds *all, const rig_profile *profile, rig_error *err)
{
    rig_catalog *catalog = NULL;
    rig_constants *constants = NULL;
    rig_status status = rig_profile_apply(&catalog, all->task.catalog, profile, err);
    if (status == RIG_OK) {
        status = rig_constants_new(&constants, catalog, err);
    }
    for (size_t i = 0; i < all->out->n_residuals && status == RIG_OK; i++) {
        if (all->is_held_out[i]) {
            rig_residual *const residual = &all->out->residuals[i];
            status = rig__residual_fill(residual->row, catalog, constants, residual, err);
        }
    }
    rig_constants_free(constants);
    rig_catalog_free(catalog);
    return status;
}

static rig_status run_fold(folds *all, const char *held_out, rig_error *err)
{
    for (size_t i = 0; i < all->out->n_residuals; i++) {
        const char *const label = label_of(all, i);
        all->is_held_out[i] = label != NULL && strcmp(label, held_out) == 0;
    }
    all->task.held_out = held_out;
    rig_profile *const profile = rig_profile_new("cross-validation");
    if (profile == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status = all->fit(&all->task, profile, all->payload, err);
    if (status == RIG_OK) {
        status = predict_fold(all, profile, err);
    }
    rig_profile_free(profile);
    all->out->n_folds++;
    return status;
}

static bool is_seen_before(const folds *all, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        const char *const label = label_of(all, k);
        if (label != NULL && strcmp(label, label_of(all, i)) == 0) {
            return true;
        }
    }
    return false;
}

static rig_status run_folds(folds *all, rig_error *err)
{
    rig_status status = RIG_OK;
    for (size_t i = 0; i < all->out->n_residuals && status == RIG_OK; i++) {
        const char *const label = label_of(all, i);
        if (label == NULL) {
            all->out->residuals[i].unsupported = "does not name what is left out";
        } else if (!is_seen_before(all, i)) {
            status = run_fold(all, label, err);
        }
    }
    return status;
}

rig_status rig_cross_validate(rig_validation **out,
                              const rig_measurements *measurements,
                              const rig_catalog *catalog,
                              rig_group key,
                              rig_fit fit,
                              void *payload,
                              rig_error *err)
{
    *out = NULL;
    if (key == RIG_GROUP_STAGE || (size_t)key >= RIG_N_GROUPS) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "cannot leave out by 'stage' (it is predicted, not measured)");
    }
    folds all = {.out = rig__validation_new(measurements),
                 .task = {.measurements = measurements, .catalog = catalog},
                 .is_held_out = calloc(measurements->n_rows + 1, sizeof *all.is_held_out),
                 .key = key,
                 .fit = fit,
                 .payload = payload};
    all.task.is_held_out = all.is_held_out;
    rig_status status = RIG_E_NOMEM;
    if (all.out == NULL || all.is_held_out == NULL) {
        (void)rig__error_nomem(err);
        goto done;
    }
    const rig__fitted_by fitted = {NULL, NULL, key};
    status = run_folds(&all, err);
    if (status == RIG_OK) {
        all.out->left_out = rig_group_name(key);
        status = rig__validation_finish(all.out, measurements, &fitted, err);
    }
done:
    free(all.is_held_out);
    if (status != RIG_OK) {
        rig_validation_free(all.out);
        return status;
    }
    *out = all.out;
    return RIG_OK;
}
