/* SPDX-License-Identifier: GPL-3.0-or-later
 * The work of verb calibrate: the fit, what is held out, and what they say. */
#include "cli/calibration_run.h"

#include <stdlib.h>
#include <string.h>

#include "cli/calibration.h"
#include "cli/cli_output.h"
#include "cli/interrupt.h"

/* Fewer rows tell nothing about rows that are held out. */
#define HELD_OUT_ROWS 3
/* Fewer systems: rows are held out instead. */
#define HELD_OUT_SYSTEMS 3

/* ---- the fit -------------------------------------------------------------------------------- */

static rig_status fit(cli_calibration *run, rig_error *err)
{
    bool *is_held_out = calloc(run->measurements->n_rows + 1, sizeof *is_held_out);
    rig_profile *fitted = rig_profile_new("calibration");
    rig_status status = RIG_E_NOMEM;
    if (is_held_out != NULL && fitted != NULL) {
        const rig_fit_task task = {.measurements = run->measurements,
                                   .is_held_out = is_held_out,
                                   .catalog = run->session.catalog};
        rig__cli_busy_say("fitting %zu rows", run->measurements->n_rows);
        status = rig_fit_model(&task, fitted, &run->calibration, err);
    }
    if (status == RIG_OK && run->session.profile != NULL) {
        status = rig__cli_profile_merge(run->profile, run->session.profile, err);
    }
    if (status == RIG_OK) {
        status = rig__cli_profile_merge(run->profile, fitted, err);
    }
    rig_profile_free(fitted);
    free(is_held_out);
    return status;
}

static cli_crossing crossing_of(cli_calibration *run)
{
    const double n_folds = rig__cli_number(run->session.input, OPT_FOLDS, CLI_FOLDS);
    return (cli_crossing){.measurements = run->measurements,
                          .catalog = run->session.catalog,
                          .calibration = &run->calibration,
                          .n_folds = (size_t)n_folds};
}

static rig_status fit_intervals(cli_calibration *run, rig_error *err)
{
    const cli_crossing crossing = crossing_of(run);
    const rig_status status = rig__cli_cross_all(&crossing, true, &run->folds, err);
    return status != RIG_OK ? status : rig_fit_intervals(&run->folds.folds, run->profile, err);
}

static rig_status predict_fitted(cli_calibration *run, rig_error *err)
{
    const rig_catalog *base =
        run->session.shipped != NULL ? run->session.shipped : run->session.catalog;
    rig_status status = rig_profile_apply(&run->catalog, base, run->profile, err);
    if (status == RIG_OK) {
        status = rig_constants_new(&run->constants, run->catalog, err);
    }
    return status != RIG_OK ? status
                            : rig_validate(&run->after,
                                           run->measurements,
                                           run->catalog,
                                           run->constants,
                                           run->profile,
                                           err);
}

/* ---- what is held out ----------------------------------------------------------------------- */

/* Rows of the user's own that the fit used, and how many systems they are of; shipped rows take
 * part in every fit. */
static void count_own(cli_calibration *run, size_t *n_rows, size_t *n_systems)
{
    *n_rows = *n_systems = 0;
    for (size_t i = 0; i < run->measurements->n_rows; i++) {
        const rig_measurement *row = &run->measurements->rows[i];
        run->is_kept[i] = rig__cli_is_shipped_row(run->session.input, row);
        if (run->is_kept[i] || run->start->residuals[i].unsupported != NULL) {
            continue;
        }
        const char *system = row->labels[RIG_GROUP_SYSTEM];
        bool is_new = system != NULL;
        for (size_t k = 0; k < i && is_new && *n_systems < HELD_OUT_SYSTEMS; k++) {
            const char *other = run->measurements->rows[k].labels[RIG_GROUP_SYSTEM];
            is_new = run->is_kept[k] || other == NULL || strcmp(other, system) != 0;
        }
        *n_rows += 1;
        *n_systems += is_new ? 1 : 0;
    }
}

static rig_status hold_out_rows(cli_calibration *run, rig_error *err)
{
    if (!rig__cli_row_set_init(&run->rows, run->measurements, run->is_kept)) {
        return RIG_E_NOMEM;
    }
    cli_crossing crossing = crossing_of(run);
    crossing.measurements = &run->rows.measurements;
    crossing.word = rig__cli_row_word;
    const rig_status status =
        rig__cli_cross(&crossing, RIG_GROUP_FILE, rig_fit_model, &run->held_out, err);
    if (status == RIG_OK) {
        run->held_out->left_out = rig__cli_row_word;
    }
    return status;
}

/* Asked for by name, or whatever the own rows allow: systems, else rows. */
static rig_status hold_out(cli_calibration *run, rig_error *err)
{
    const char *text = rig__cli_text(run->session.input, OPT_LEAVE_OUT);
    const cli_crossing crossing = crossing_of(run);
    rig_group key = RIG_GROUP_SYSTEM;
    size_t n_rows = 0, n_systems = 0;
    run->is_kept = calloc(run->measurements->n_rows + 1, sizeof *run->is_kept);
    if (run->is_kept == NULL) {
        return RIG_E_NOMEM;
    }
    count_own(run, &n_rows, &n_systems);
    if (text == NULL && n_rows < HELD_OUT_ROWS) {
        return RIG_OK;
    }
    const bool has_shipped = rig__cli_is_given(run->session.input, OPT_SHIPPED);
    const bool is_by_row = text == NULL ? n_systems < HELD_OUT_SYSTEMS || has_shipped
                                        : rig__cli_key(run->session.input, &key);
    return is_by_row ? hold_out_rows(run, err)
                     : rig__cli_cross(&crossing, key, rig_fit_model, &run->held_out, err);
}

/* ---- report --------------------------------------------------------------------------------- */

static rig_status summarise(cli_calibration *run)
{
    rig_calibration_report *report = &run->report;
    const rig_catalog *base =
        run->session.shipped != NULL ? run->session.shipped : run->session.catalog;
    *report = (rig_calibration_report){.n_figures = rig_profile_count(run->profile),
                                       .start = run->start,
                                       .after = run->after,
                                       .held_out = run->held_out};
    bool is_able =
        rig__cli_changes(run->profile, base, &run->changes, &report->n_changes) &&
        rig__cli_contradictions(run->after, &run->contradictions, &report->n_contradictions);
    if (is_able && run->held_out != NULL) {
        is_able = rig__cli_score_of(run->start, run->held_out, &report->held_out_start);
    }
    report->changes = run->changes;
    report->contradictions = run->contradictions;
    return is_able ? RIG_OK : RIG_E_NOMEM;
}

cli_exit rig__cli_calibration_failed(const rig_error *err, rig_status status)
{
    if (err->status == RIG_OK) {
        rig__cli_error("out of memory");
    } else {
        rig__cli_print_error(err, NULL);
    }
    return rig__cli_exit_of(status, true);
}

cli_exit rig__cli_calibration_run(cli_calibration *run)
{
    const cli_session *session = &run->session;
    rig_error err = {0};
    rig__cli_busy_start(!rig__cli_is_quiet());
    rig_status status = rig_validate(&run->start,
                                     run->measurements,
                                     session->catalog,
                                     session->constants,
                                     session->profile,
                                     &err);
    status = status == RIG_OK ? fit(run, &err) : status;
    if (status == RIG_OK && rig__cli_is_given(session->input, OPT_INTERVALS)) {
        status = fit_intervals(run, &err);
    }
    status = status == RIG_OK ? predict_fitted(run, &err) : status;
    status = status == RIG_OK ? hold_out(run, &err) : status;
    status = status == RIG_OK ? summarise(run) : status;
    rig__cli_busy_stop();
    return status == RIG_OK ? CLI_EXIT_OK : rig__cli_calibration_failed(&err, status);
}

void rig__cli_calibration_free(cli_calibration *run)
{
    free(run->changes);
    free(run->contradictions);
    free(run->is_kept);
    rig_validation_free(run->start);
    rig_validation_free(run->after);
    rig_validation_free(run->held_out);
    rig__cli_row_set_free(&run->rows);
    rig__cli_folds_free(&run->folds);
    rig_constants_free(run->constants);
    rig_catalog_free(run->catalog);
    rig_profile_free(run->profile);
    rig_measurements_free(run->measurements);
    rig__cli_session_free(&run->session);
}
