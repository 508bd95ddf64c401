/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values of JSON trees: unknown is null, a failed allocation is remembered. */
#include "report/json_values.h"

#include <math.h>

void rig__json_set(rig__output *output, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        output->is_nomem = true;
    }
}

void rig__json_append(rig__output *output, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        output->is_nomem = true;
    }
}

json_t *rig__json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *rig__json_count(size_t value)
{
    return json_integer((json_int_t)value);
}

json_t *rig__json_text(rig__output *output, const char *value)
{
    return value == NULL ? json_null()
                         : json_string(rig__output_clean(output, value, RIG__CLEAN_VALID));
}

void rig__json_finish(rig__output *output, json_t *root)
{
    if (!output->is_nomem) {
        rig__json_print(output, root);
        rig__output_text(output, "\n");
    }
    json_decref(root);
}

void rig__json_set_economics(rig__output *output, json_t *object, const rig_economics *economics)
{
#define SET(name) rig__json_set(output, object, #name, rig__json_number(economics->name))
    SET(electricity_usd_kwh);
    SET(pue);
    SET(lifetime_s);
    SET(utilisation_frac);
    SET(resale_frac);
    SET(interest_frac);
    SET(maintenance_frac);
    SET(hosting_usd_month);
    SET(grid_kg_kwh);
#undef SET
}
