/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cross-validations as the options ask for them, with progress. */
#include "cli/crossing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_output.h"
#include "cli/interrupt.h"

const char rig__cli_row_word[] = "row";

bool rig__cli_key(const cli_input *input, rig_group *key)
{
    const char *text = rig__cli_text(input, OPT_LEAVE_OUT);
    rig_error err = {0};
    return text != NULL && rig_group_parse(text, key, &err) != RIG_OK; /* of the choices, a row */
}

/* ---- fits with progress --------------------------------------------------------------------- */

typedef struct watched_fit {
    rig_fit fit;
    void *payload;
    const char *what;
    size_t n_fits;
} watched_fit;

static rig_status
fit_watched(const rig_fit_task *task, rig_profile *profile, void *payload, rig_error *err)
{
    watched_fit *watched = payload;
    watched->n_fits++;
    rig__cli_busy_say("leaving out by %s, fit %zu", watched->what, watched->n_fits);
    return watched->fit(task, profile, watched->payload, err);
}

rig_status rig__cli_cross(
    const cli_crossing *crossing, rig_group key, rig_fit fit, rig_validation **out, rig_error *err)
{
    const char *word = crossing->word != NULL ? crossing->word : rig_group_name(key);
    watched_fit watched = {.fit = fit, .payload = crossing->calibration, .what = word};
    const rig_cross_options options = {
        .key = key, .fit = fit_watched, .payload = &watched, .n_folds = crossing->n_folds};
    return rig_cross_validate_with(out, crossing->measurements, crossing->catalog, &options, err);
}

/* ---- single rows ---------------------------------------------------------------------------- */

bool rig__cli_row_set_init(cli_row_set *out,
                           const rig_measurements *measurements,
                           const bool *is_kept)
{
    const size_t n = measurements->n_rows;
    out->measurements = *measurements;
    out->measurements.rows = malloc((n + 1) * sizeof *out->measurements.rows);
    out->names = malloc((n + 1) * sizeof *out->names);
    if (out->measurements.rows == NULL || out->names == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const bool is_own = is_kept == NULL || !is_kept[i];
        snprintf(out->names[i], sizeof out->names[i], "row %zu", i + 1);
        out->measurements.rows[i] = measurements->rows[i];
        out->measurements.rows[i].labels[RIG_GROUP_FILE] = is_own ? out->names[i] : NULL;
    }
    return true;
}

void rig__cli_row_set_free(cli_row_set *set)
{
    free(set->measurements.rows);
    free(set->names);
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Left out for targets, in the order of the work. */
static unsigned target_keys(void)
{
    unsigned keys = 0;
#define CLI_TARGET_KEY(enumerator, word, text, key, limit) keys |= 1U << RIG_GROUP_##key;
    RIG_TARGET_MAP(CLI_TARGET_KEY)
#undef CLI_TARGET_KEY
    return keys;
}

/* One row of each source is known: fitted as a user fits his own rows to the shipped figures. */
static rig_status cross_anchored(const cli_crossing *crossing, rig_validation **out, rig_error *err)
{
    rig_calibration own = *crossing->calibration;
    own.is_from_priors = false;
    watched_fit watched = {
        .fit = rig_fit_model, .payload = crossing->calibration, .what = "source but for one row"};
    const rig_cross_options options = {.key = RIG_GROUP_SOURCE,
                                       .fit = fit_watched,
                                       .payload = &watched,
                                       .n_folds = crossing->n_folds,
                                       .n_anchors = 1,
                                       .anchor_fit = rig_fit_model,
                                       .anchor_payload = &own};
    return rig_cross_validate_with(out, crossing->measurements, crossing->catalog, &options, err);
}

rig_status
rig__cli_cross_all(const cli_crossing *crossing, bool for_intervals, cli_folds *out, rig_error *err)
{
    const unsigned more = for_intervals ? 1U << RIG_GROUP_NETWORK : 0;
    const unsigned keys = target_keys() | more;
    rig_status status = RIG_OK;
    for (size_t key = 0; key < RIG_N_GROUPS && status == RIG_OK; key++) {
        if ((keys & 1U << key) != 0) {
            status = rig__cli_cross(crossing, (rig_group)key, rig_fit_model, &out->owned[key], err);
            out->folds.left_out[key] = out->owned[key];
        }
    }
    if (status == RIG_OK && !for_intervals) {
        status = cross_anchored(crossing, &out->owned[RIG_N_GROUPS], err);
        out->folds.anchored_source = out->owned[RIG_N_GROUPS];
    }
    return status;
}

void rig__cli_folds_free(cli_folds *folds)
{
    for (size_t i = 0; i <= RIG_N_GROUPS; i++) {
        rig_validation_free(folds->owned[i]);
    }
    *folds = (cli_folds){.owned = {NULL}};
}
