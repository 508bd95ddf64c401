/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calibration: every block of unknowns that the measurements tell about, fitted in turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/fit_problem.h"
#include "base/error.h"
#include "model/profile.h"

static rig_status fit_block(const rig_fit_task *task,
                            const rig__priors *priors,
                            const rig_calibration *how,
                            rig__block block,
                            rig_profile *profile,
                            size_t *n_rows,
                            rig_error *err)
{
    rig__fit_problem problem;
    rig_status status =
        rig__fit_problem_init(&problem, task, priors, how->is_from_priors, block, err);
    rig__map *const map = &problem.map;
    if (status != RIG_OK || map->n_rows == 0 || map->n_parameters == 0) {
        goto done;
    }
    map->is_quick = how->is_quick || !how->is_from_priors;
    map->predict = rig__fit_predict_all;
    map->derive = rig__fit_derive_all;
    map->payload = &problem;
    map->covariance = calloc(map->n_parameters * map->n_parameters, sizeof *map->covariance);
    status = map->covariance == NULL ? rig__error_nomem(err) : rig__map_fit(map, err);
    if (status == RIG_OK && !map->is_quick && !map->is_converged) {
        status = rig__error_set(err,
                                RIG_E_SOLVER,
                                NULL,
                                0,
                                0,
                                "the fit does not come to rest: '%zu' passes over %zu rows",
                                map->n_passes,
                                map->n_rows);
    }
    if (status == RIG_OK) {
        status = rig__fit_problem_report(&problem, profile, err);
        *n_rows += map->n_rows;
    }
done:
    rig__fit_problem_free(&problem);
    return status;
}

/* ---- figures of an earlier calibration that these rows do not tell about --------------------- */

/* "GPU | FAMILY" of a GPU: key of its architecture. */
static bool arch_key(const rig_catalog *catalog, const char *name, char key[RIG__EFFECT_KEY_BYTES])
{
    char gpu_name[RIG__EFFECT_KEY_BYTES];
    const char *const end = strstr(name, " | ");
    if (end == NULL || (size_t)(end - name) >= sizeof gpu_name || strstr(end + 1, " | ") != NULL) {
        return false;
    }
    memcpy(gpu_name, name, (size_t)(end - name));
    gpu_name[end - name] = '\0';
    const rig_gpu *const gpu =
        (const rig_gpu *)(const void *)rig_catalog_get(catalog, RIG_TABLE_GPU, gpu_name);
    if (gpu == NULL) {
        return false;
    }
    const int length = snprintf(key, RIG__EFFECT_KEY_BYTES, "%s %s%s", gpu->vendor, gpu->arch, end);
    return length > 0 && length < RIG__EFFECT_KEY_BYTES;
}

static rig_status
forget(const rig_catalog *catalog, const char *name, rig_profile *profile, rig_error *err)
{
    char key[RIG__EFFECT_KEY_BYTES];
    rig_profile_entry entry = {.table = RIG_PROFILE_EFFICIENCY,
                               .name = name,
                               .value = 1.0,
                               .log_sd = NAN,
                               .rows = 0.0,
                               .source = "no rows: as modelled"};
    if (arch_key(catalog, name, key)) {
        const rig_profile_entry *const arch =
            rig__profile_find(profile, RIG_PROFILE_EFFICIENCY, key);
        if (arch != NULL) {
            entry.value = arch->value;
            entry.log_sd = arch->log_sd;
            entry.source = "no rows: as its architecture";
        }
    }
    return rig_profile_add(profile, &entry, err);
}

/* What was fitted before must not stay: it may have been fitted on rows that are held out now. */
static rig_status forget_others(const rig_catalog *catalog, rig_profile *profile, rig_error *err)
{
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_EFFICIENCY); i++) {
        const rig_efficiency *const row =
            (const rig_efficiency *)(const void *)rig_catalog_row(catalog, RIG_TABLE_EFFICIENCY, i);
        const bool is_fitted =
            rig__profile_find(profile, RIG_PROFILE_EFFICIENCY, row->row.name) != NULL;
        if (!is_fitted && row->rows >= 1.0) {
            RIG_TRY(forget(catalog, row->row.name, profile, err));
        }
    }
    return RIG_OK;
}

rig_status
rig_fit_model(const rig_fit_task *task, rig_profile *profile, void *payload, rig_error *err)
{
    const rig_calibration *const how = payload;
    rig__priors *priors = NULL;
    size_t n_rows = 0;
    RIG_TRY(rig__priors_read(&priors, how->priors_path, err));
    rig_status status = RIG_OK;
    for (size_t i = 0; i < RIG__N_BLOCKS && status == RIG_OK; i++) {
        status = fit_block(task, priors, how, (rig__block)i, profile, &n_rows, err);
    }
    if (status == RIG_OK && n_rows == 0) {
        status = rig__error_set(
            err, RIG_E_INVALID, NULL, 0, 0, "no measurement can be used for the calibration");
    }
    if (status == RIG_OK && how->is_from_priors) {
        status = forget_others(task->catalog, profile, err);
    }
    rig__priors_free(priors);
    return status;
}
