/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calibrations and targets as JSON, "trainrig.calibrate/1" and "trainrig.targets/1". */
#include "report/calibration_figures.h"
#include "report/json_values.h"
#include "trainrig/version.h"

static json_t *head(rig__output *output, const char *schema)
{
    json_t *const root = json_object();
    rig__json_set(output, root, "schema", rig__json_text(output, schema));
    rig__json_set(output, root, "version", rig__json_text(output, RIG_VERSION_STRING));
    return root;
}

static json_t *score(rig__output *output, const rig_score *from)
{
    json_t *const object = json_object();
    rig__json_set(output, object, "rows", rig__json_count(from->rows));
    rig__json_set_score(output, object, from);
    return object;
}

static json_t *held_out(rig__output *output, const rig_calibration_report *calibration)
{
    const rig_validation *const validation = calibration->held_out;
    if (validation == NULL) {
        return json_null();
    }
    json_t *const object = json_object();
    rig__json_set(output, object, "left_out", rig__json_text(output, validation->left_out));
    rig__json_set(output, object, "folds", rig__json_count(validation->n_folds));
    rig__json_set(output, object, "before", score(output, &calibration->held_out_start));
    rig__json_set(output, object, "after", score(output, &validation->score));
    return object;
}

static json_t *changes(rig__output *output, const rig_calibration_report *calibration)
{
    json_t *const array = json_array();
    for (size_t i = 0; i < calibration->n_changes; i++) {
        const rig_figure_change *const change = &calibration->changes[i];
        const rig_profile_entry *const entry = change->entry;
        json_t *const object = json_object();
        rig__json_set(
            output, object, "table", rig__json_text(output, rig__calibration_table(entry->table)));
        rig__json_set(output, object, "name", rig__json_text(output, entry->name));
        rig__json_set(output, object, "before", rig__json_number(change->before));
        rig__json_set(output, object, "after", rig__json_number(entry->value));
        rig__json_set(output, object, "log_sd", rig__json_number(entry->log_sd));
        rig__json_set(output, object, "rows", rig__json_number(entry->rows));
        rig__json_append(output, array, object);
    }
    return array;
}

static json_t *contradictions(rig__output *output, const rig_calibration_report *calibration)
{
    json_t *const array = json_array();
    for (size_t i = 0; i < calibration->n_contradictions; i++) {
        const rig_residual *const residual = calibration->contradictions[i];
        json_t *const object = json_object();
        rig__json_set(output, object, "id", rig__json_text(output, residual->row->id));
        rig__json_set(output, object, "file", rig__json_text(output, residual->row->file));
        rig__json_set(output, object, "line", rig__json_number((double)residual->row->line));
        rig__json_set(output,
                      object,
                      "observed_images_per_s",
                      rig__json_number(residual->row->observed_images_per_s));
        rig__json_set(output,
                      object,
                      "predicted_images_per_s",
                      rig__json_number(residual->predicted_images_per_s));
        rig__json_set(output, object, "log_ratio", rig__json_number(residual->log_ratio));
        rig__json_append(output, array, object);
    }
    return array;
}

void rig__json_calibration(rig__output *output, const rig_calibration_report *calibration)
{
    const rig_validation *const start = calibration->start;
    json_t *const root = head(output, "trainrig.calibrate/1");
    rig__json_set(output, root, "profile", rig__json_text(output, calibration->profile_path));
    rig__json_set(output, root, "figures", rig__json_count(calibration->n_figures));
    rig__json_set(output, root, "rows", rig__json_count(start->n_read));
    rig__json_set(output, root, "used", rig__json_count(start->n_used));
    rig__json_set(output, root, "skipped", rig__json_skipped(output, start));
    rig__json_set(output, root, "before", score(output, &start->score));
    rig__json_set(output, root, "after", score(output, &calibration->after->score));
    rig__json_set(output, root, "held_out", held_out(output, calibration));
    rig__json_set(output, root, "changes", changes(output, calibration));
    rig__json_set(output, root, "contradictions", contradictions(output, calibration));
    rig__json_finish(output, root);
}

/* ---- targets -------------------------------------------------------------------------------- */

static json_t *targets(rig__output *output, const rig_target_score scores[RIG_N_TARGETS])
{
    json_t *const array = json_array();
    for (size_t i = 0; i < RIG_N_TARGETS; i++) {
        const rig_target_score *const from = &scores[i];
        json_t *const object = json_object();
        rig__json_set(output, object, "name", rig__json_text(output, from->name));
        rig__json_set(output, object, "what", rig__json_text(output, from->what));
        rig__json_set(output, object, "left_out", rig__json_text(output, from->left_out));
        rig__json_set(output, object, "rows", rig__json_count(from->rows));
        rig__json_set(output, object, "value_frac", rig__json_number(from->value_frac));
        rig__json_set(output, object, "limit_frac", rig__json_number(from->limit_frac));
        rig__json_set(output, object, "bias_frac", rig__json_number(from->bias_frac));
        rig__json_set(output, object, "trivial_frac", rig__json_number(from->trivial_frac));
        rig__json_set(output, object, "is_met", json_boolean(from->is_met));
        rig__json_set(output, object, "is_bias_met", json_boolean(from->is_bias_met));
        rig__json_append(output, array, object);
    }
    return array;
}

static void append_coverage(rig__output *output, json_t *array, const rig_validation *validation)
{
    const rig_group *groups = NULL;
    const size_t n = rig__targets_groups(&groups);
    for (size_t i = 0; i < n; i++) {
        const rig_coverage coverage = rig_coverage_by(validation, groups[i]);
        if (coverage.groups == 0) {
            continue;
        }
        json_t *const object = json_object();
        rig__json_set(output, object, "left_out", rig__json_text(output, validation->left_out));
        rig__json_set(output, object, "by", rig__json_text(output, rig_group_name(groups[i])));
        rig__json_set(output, object, "groups", rig__json_count(coverage.groups));
        rig__json_set(output, object, "right", rig__json_count(coverage.n_right));
        rig__json_set(output, object, "least_frac", rig__json_number(coverage.least_frac));
        rig__json_set(output, object, "least_name", rig__json_text(output, coverage.least_name));
        rig__json_set(output, object, "most_frac", rig__json_number(coverage.most_frac));
        rig__json_set(output, object, "most_name", rig__json_text(output, coverage.most_name));
        rig__json_append(output, array, object);
    }
}

void rig__json_targets(rig__output *output,
                       const rig_target_score scores[RIG_N_TARGETS],
                       const rig_folds *folds)
{
    json_t *const root = head(output, "trainrig.targets/1");
    json_t *const coverage = json_array();
    for (size_t key = 0; key < RIG_N_GROUPS; key++) {
        if (folds->left_out[key] != NULL) {
            append_coverage(output, coverage, folds->left_out[key]);
        }
    }
    rig__json_set(output, root, "targets", targets(output, scores));
    rig__json_set(output, root, "coverage", coverage);
    rig__json_finish(output, root);
}
