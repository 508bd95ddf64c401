/* SPDX-License-Identifier: GPL-3.0-or-later
 * Predictions for given builds. */
#include <string.h>

#include "base/error.h"
#include "optimizer/build_report.h"

static rig_status fill(rig_result *result,
                       rig__arena *arena,
                       const rig_catalog *catalog,
                       const rig_constants *constants,
                       const rig_build *builds,
                       rig_error *err)
{
    rig__text_list assumptions;
    memset(&assumptions, 0, sizeof assumptions);
    assumptions.arena = arena;
    for (size_t i_build = 0; i_build < result->n_builds; i_build++) {
        RIG_TRY(rig__optimizer_report_fill(&result->builds[i_build],
                                           &builds[i_build],
                                           catalog,
                                           constants,
                                           &result->request,
                                           arena,
                                           err));
    }
    rig__optimizer_assumptions(&result->request, &assumptions);
    result->assumptions = assumptions.texts;
    return assumptions.is_nomem ? rig__error_nomem(err) : RIG_OK;
}

rig_status rig_predict(rig_result **out,
                       const rig_catalog *catalog,
                       const rig_constants *constants,
                       const rig_request *request,
                       const rig_build *builds,
                       size_t n_builds,
                       rig_error *err)
{
    *out = NULL;
    RIG_TRY(rig__optimizer_request_check(request, err));
    rig__arena *const arena = rig__arena_new();
    if (arena == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status = RIG_OK;
    rig_result *const result = rig__arena_alloc(arena, 1, sizeof *result);
    if (result == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    result->arena = arena;
    result->outcome = RIG_OUTCOME_OPTIMAL;
    result->proof.method = "prediction of given builds, nothing was searched";
    result->request = *request;
    result->n_builds = n_builds;
    result->least_budget_cents = -1;
    result->catalog_hash = rig_catalog_summary_get(catalog)->hash;
    result->builds = rig__arena_alloc(arena, n_builds, sizeof *result->builds);
    if (result->builds == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    status = fill(result, arena, catalog, constants, builds, err);
done:
    if (status != RIG_OK) {
        rig__arena_free(arena);
        return status;
    }
    *out = result;
    return RIG_OK;
}

void rig_result_free(rig_result *result)
{
    if (result != NULL) {
        rig__arena_free(result->arena);
    }
}
