/* SPDX-License-Identifier: GPL-3.0-or-later
 * Validations as JSON, "trainrig.validate/1". */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report/json_print.h"
#include "report/validation_figures.h"
#include "trainrig/version.h"

/* Values may be NULL when memory is short; setting them then fails, which is remembered. */
static void set(rig__output *output, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        output->is_nomem = true;
    }
}

static void append(rig__output *output, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        output->is_nomem = true;
    }
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *count(size_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *text(rig__output *output, const char *value)
{
    return value == NULL ? json_null()
                         : json_string(rig__output_clean(output, value, RIG__CLEAN_VALID));
}

static json_t *skip_names(rig__output *output, const rig_skip *skips, size_t n_skips)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n_skips; i++) {
        if (skips[i].name == NULL) {
            continue;
        }
        json_t *object = json_object();
        set(output, object, "name", text(output, skips[i].name));
        set(output, object, "count", count(skips[i].count));
        append(output, array, object);
    }
    return array;
}

static json_t *skipped(rig__output *output, const rig_validation *validation)
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
        set(output, object, "reason", text(output, first->reason));
        set(output, object, "count", count(n_rows));
        set(output, object, "names", skip_names(output, first, end - begin));
        append(output, array, object);
    }
    return array;
}

static void set_score(rig__output *output, json_t *object, const rig_score *score)
{
    set(output, object, "mape_frac", number(score->mape_frac));
    set(output, object, "median_ape_frac", number(score->median_ape_frac));
    set(output, object, "p90_ape_frac", number(score->p90_ape_frac));
    set(output, object, "bias_frac", number(score->bias_frac));
    set(output, object, "coverage_90_frac", number(score->coverage_frac));
    set(output, object, "binding_rows", count(score->binding_rows));
    set(output, object, "binding_accuracy_frac", number(score->binding_accuracy_frac));
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
        set(output, object, "by", text(output, rig_group_name(group->by)));
        set(output, object, "name", text(output, group->name));
        set(output, object, "rows", count(group->score.rows));
        set_score(output, object, &group->score);
        set(output, object, "is_fitted", fitted_value(group->fitted));
        append(output, array, object);
    }
    return array;
}

static json_t *first_epoch(rig__output *output, const rig_score *score)
{
    json_t *object = json_object();
    set(output, object, "rows", count(score->rows));
    set(output, object, "mape_frac", number(score->mape_frac));
    set(output, object, "median_ape_frac", number(score->median_ape_frac));
    set(output, object, "bias_frac", number(score->bias_frac));
    return object;
}

void rig__json_validation(rig__output *output, const rig__validation_view *view)
{
    const rig_validation *validation = view->validation;
    json_t *root = json_object();
    set(output, root, "schema", text(output, "trainrig.validate/1"));
    set(output, root, "version", text(output, RIG_VERSION_STRING));
    set(output, root, "left_out", text(output, validation->left_out));
    set(output, root, "folds", count(validation->n_folds));
    set(output, root, "rows", count(validation->n_read));
    set(output, root, "used", count(validation->n_used));
    set(output, root, "skipped", skipped(output, validation));
    set_score(output, root, &validation->score);
    set(output, root, "first_epoch", first_epoch(output, &validation->first_epoch));
    set(output, root, "groups", groups(output, view));
    if (!output->is_nomem) {
        rig__json_print(output, root);
        rig__output_text(output, "\n");
    }
    json_decref(root);
}
