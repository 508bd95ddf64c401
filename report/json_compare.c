/* SPDX-License-Identifier: GPL-3.0-or-later
 * Comparisons as JSON, "trainrig.compare/1". */
#include <math.h>

#include "report/compare_figures.h"
#include "report/json_values.h"
#include "trainrig/version.h"

static json_t *texts(rig__output *output, const rig_texts *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        rig__json_append(output, array, rig__json_text(output, list->items[i]));
    }
    return array;
}

static json_t *offers(rig__output *output, const rig_cost_comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->n_offers; i++) {
        const rig_offer *const offer = &comparison->offers[i];
        json_t *object = json_object();
        rig__json_set(output, object, "rank", rig__json_count(i + 1));
        rig__json_set(output, object, "machine", rig__json_text(output, offer->label));
        rig__json_set(
            output, object, "held", rig__json_text(output, rig_holding_name(offer->holding)));
        rig__json_set(
            output, object, "hardware", rig__json_text(output, rig__offer_hardware(output, offer)));
        rig__json_set(output,
                      object,
                      "binding_stage",
                      rig__json_text(output, rig_stage_name(offer->report.prediction.binding)));
        rig__json_set(output, object, "is_bound", json_boolean(rig__offer_is_bound(offer)));
#define SET(name, value) rig__json_set(output, object, name, rig__json_number(value));
        RIG__OFFER_FIGURES(SET)
#undef SET
        rig__json_set(output, object, "warnings", texts(output, &offer->report.warnings));
        rig__json_append(output, array, object);
    }
    return array;
}

static json_t *break_evens(rig__output *output, const rig_cost_comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->n_break_evens; i++) {
        const rig_break_even *const even = &comparison->break_evens[i];
        json_t *object = json_object();
        rig__json_set(
            output, object, "own", rig__json_text(output, comparison->offers[even->i_own].label));
        rig__json_set(output,
                      object,
                      "rented",
                      rig__json_text(output, comparison->offers[even->i_rent].label));
        rig__json_set(output, object, "is_spot", json_boolean(even->is_spot));
        rig__json_set(output, object, "pays_ever", json_boolean(isfinite(even->hours_per_week)));
        rig__json_set(output, object, "hours_per_week", rig__json_number(even->hours_per_week));
        rig__json_set(output, object, "epochs", rig__json_number(even->epochs));
        rig__json_append(output, array, object);
    }
    return array;
}

void rig__json_comparisons(rig__output *output,
                           const rig_cost_comparison *const *comparisons,
                           size_t n_comparisons)
{
    json_t *root = json_object(), *array = json_array();
    rig__json_set(output, root, "schema", rig__json_text(output, "trainrig.compare/1"));
    rig__json_set(output, root, "version", rig__json_text(output, RIG_VERSION_STRING));
    for (size_t i = 0; i < n_comparisons; i++) {
        const rig_cost_comparison *const comparison = comparisons[i];
        json_t *object = json_object();
        rig__json_set(
            output, object, "workload", rig__json_text(output, comparison->request.workload.name));
        json_t *economics = json_object();
        rig__json_set_economics(output, economics, &comparison->request.economics);
        rig__json_set(output, object, "economics", economics);
        rig__json_set(output, object, "machines", offers(output, comparison));
        rig__json_set(output, object, "break_evens", break_evens(output, comparison));
        rig__json_set(output, object, "assumptions", texts(output, &comparison->assumptions));
        rig__json_append(output, array, object);
    }
    rig__json_set(output, root, "comparisons", array);
    rig__json_finish(output, root);
}
