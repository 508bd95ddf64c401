/* SPDX-License-Identifier: GPL-3.0-or-later
 * Validations as JSON, "trainrig.validate/1". */
#include <string.h>

#include "report/json_values.h"
#include "report/validation_figures.h"
#include "trainrig/version.h"

static json_t *skip_names(rig__output *output, const rig_skip *skips, size_t n_skips)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n_skips; i++) {
        if (skips[i].name == NULL) {
            continue;
        }
        json_t *object = json_object();
        rig__json_set(output, object, "name", rig__json_text(output, skips[i].name));
        rig__json_set(output, object, "count", rig__json_count(skips[i].count));
        rig__json_append(output, array, object);
    }
    return array;
}

json_t *rig__json_skipped(rig__output *output, const rig_validation *validation)
{
    json_t *array = json_array();
    for (size_t begin = 0, end = 0; begin < validation->n_skips; begin = end) {
        const rig_skip *first = &validation->skips[begin];
        size_t n_rows = 0;
        while (end < validation->n_skips &&
               strcmp(validation->skips[end].reason, first->reason) == 0) {
            n_rows += validation->skips[end++].count;
        }
        json_t *object = json_object();
        rig__json_set(output, object, "reason", rig__json_text(output, first->reason));
        rig__json_set(output, object, "count", rig__json_count(n_rows));
        rig__json_set(output, object, "names", skip_names(output, first, end - begin));
        rig__json_append(output, array, object);
    }
    return array;
}

void rig__json_set_score(rig__output *output, json_t *object, const rig_score *score)
{
    rig__json_set(output, object, "mape_frac", rig__json_number(score->mape_frac));
    rig__json_set(output, object, "median_ape_frac", rig__json_number(score->median_ape_frac));
    rig__json_set(output, object, "p90_ape_frac", rig__json_number(score->p90_ape_frac));
    rig__json_set(output, object, "bias_frac", rig__json_number(score->bias_frac));
    rig__json_set(output, object, "coverage_90_frac", rig__json_number(score->coverage_frac));
    rig__json_set(output, object, "binding_rows", rig__json_count(score->binding_rows));
    rig__json_set(
        output, object, "binding_accuracy_frac", rig__json_number(score->binding_accuracy_frac));
}

static json_t *fitted_value(rig_fitted fitted)
{
    return fitted == RIG_FITTED_UNKNOWN ? json_null() : json_boolean(fitted == RIG_FITTED_YES);
}

static json_t *groups(rig__output *output, const rig__validation_view *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->validation->n_groups; i++) {
        const rig_group_score *group = &view->validation->groups[i];
        if (!rig__validation_shows(view, group)) {
            continue;
        }
        json_t *object = json_object();
        rig__json_set(output, object, "by", rig__json_text(output, rig_group_name(group->by)));
        rig__json_set(output, object, "name", rig__json_text(output, group->name));
        rig__json_set(output, object, "rows", rig__json_count(group->score.rows));
        rig__json_set_score(output, object, &group->score);
        rig__json_set(output, object, "is_fitted", fitted_value(group->fitted));
        rig__json_append(output, array, object);
    }
    return array;
}

static json_t *first_epoch(rig__output *output, const rig_score *score)
{
    json_t *object = json_object();
    rig__json_set(output, object, "rows", rig__json_count(score->rows));
    rig__json_set(output, object, "mape_frac", rig__json_number(score->mape_frac));
    rig__json_set(output, object, "median_ape_frac", rig__json_number(score->median_ape_frac));
    rig__json_set(output, object, "bias_frac", rig__json_number(score->bias_frac));
    rig__json_set(output, object, "coverage_90_frac", rig__json_number(score->coverage_frac));
    return object;
}

void rig__json_validation(rig__output *output, const rig__validation_view *view)
{
    const rig_validation *validation = view->validation;
    json_t *root = json_object();
    rig__json_set(output, root, "schema", rig__json_text(output, "trainrig.validate/1"));
    rig__json_set(output, root, "version", rig__json_text(output, RIG_VERSION_STRING));
    rig__json_set(output, root, "left_out", rig__json_text(output, validation->left_out));
    rig__json_set(output, root, "folds", rig__json_count(validation->n_folds));
    rig__json_set(output, root, "rows", rig__json_count(validation->n_read));
    rig__json_set(output, root, "used", rig__json_count(validation->n_used));
    rig__json_set(output, root, "skipped", rig__json_skipped(output, validation));
    rig__json_set_score(output, root, &validation->score);
    rig__json_set(output, root, "first_epoch", first_epoch(output, &validation->first_epoch));
    rig__json_set(output, root, "groups", groups(output, view));
    rig__json_finish(output, root);
}
