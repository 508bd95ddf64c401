/* SPDX-License-Identifier: GPL-3.0-or-later
 * Binding of the constants table of a catalogue to the struct that the equations read. */
#include "model/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const rig__constant_info infos[RIG__N_CONSTANTS] = {
#define RIG__CONSTANT_INFO(name, unit, low, high, help)                                            \
    {#name, unit, low, high, help, offsetof(struct rig_constants, name)},
    RIG__CONSTANT_MAP(RIG__CONSTANT_INFO)
#undef RIG__CONSTANT_INFO
#define RIG__TUNED_INFO(name, unit, low, high, help)                                               \
    {#name "_tuned", unit, low, high, help, offsetof(struct rig_constants, families[0].name)},
        RIG__FAMILY_CONSTANT_MAP(RIG__TUNED_INFO)
#undef RIG__TUNED_INFO
#define RIG__EAGER_INFO(name, unit, low, high, help)                                               \
    {#name "_eager", unit, low, high, help, offsetof(struct rig_constants, families[1].name)},
            RIG__FAMILY_CONSTANT_MAP(RIG__EAGER_INFO)
#undef RIG__EAGER_INFO
#define RIG__GRAPH_INFO(name, unit, low, high, help)                                               \
    {#name "_graph", unit, low, high, help, offsetof(struct rig_constants, families[2].name)},
                RIG__FAMILY_CONSTANT_MAP(RIG__GRAPH_INFO)
#undef RIG__GRAPH_INFO
};

static const char *const family_words[RIG__N_STACK_FAMILIES] = {
#define RIG__FAMILY_WORD(enumerator, word) #word,
    RIG__FAMILY_MAP(RIG__FAMILY_WORD)
#undef RIG__FAMILY_WORD
};

/* Names further away than this many edits are no help. */
static const size_t hint_distance_max = 12;

const rig__constant_info *rig__model_constant_info(rig__constant_index index)
{
    return &infos[index];
}

rig__constant_index rig__model_family_constant(rig__family family, rig__family_constant_index index)
{
    return (rig__constant_index)((size_t)RIG__N_COMMON_CONSTANTS +
                                 (size_t)family * RIG__N_FAMILY_CONSTANTS + (size_t)index);
}

rig__family rig__model_family(const rig_stack *stack)
{
    for (size_t i = 0; i < RIG__N_STACK_FAMILIES; i++) {
        if (strcmp(stack->family, family_words[i]) == 0) {
            return (rig__family)i;
        }
    }
    return RIG__FAMILY_EAGER;
}

const char *rig__model_family_word(rig__family family)
{
    return family_words[family];
}

/* Lengths of the names: most names differ in it, so few are compared. */
static const unsigned char lengths[RIG__N_CONSTANTS] = {
#define RIG__CONSTANT_LENGTH(name, unit, low, high, help) sizeof #name - 1,
    RIG__CONSTANT_MAP(RIG__CONSTANT_LENGTH)
#undef RIG__CONSTANT_LENGTH
#define RIG__FAMILY_LENGTH(name, unit, low, high, help) sizeof #name "_tuned" - 1,
        RIG__FAMILY_CONSTANT_MAP(RIG__FAMILY_LENGTH) RIG__FAMILY_CONSTANT_MAP(RIG__FAMILY_LENGTH)
            RIG__FAMILY_CONSTANT_MAP(RIG__FAMILY_LENGTH)
#undef RIG__FAMILY_LENGTH
};

static size_t index_of(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < RIG__N_CONSTANTS; i++) {
        if (lengths[i] == length && memcmp(infos[i].name, name, length) == 0) {
            return i;
        }
    }
    return RIG__N_CONSTANTS;
}

static const char *nearest_name(const char *name)
{
    const char *nearest = NULL;
    size_t best = hint_distance_max;
    for (size_t i = 0; i < RIG__N_CONSTANTS; i++) {
        const size_t distance = rig__text_distance(infos[i].name, name, hint_distance_max);
        if (distance < best) {
            best = distance;
            nearest = infos[i].name;
        }
    }
    return nearest;
}

static double *member(rig_constants *constants, size_t index)
{
    return (double *)(void *)((char *)constants + infos[index].offset);
}

/* A misspelt constant would silently leave the right one at an old value, so it is an error. */
static rig_status refuse_unknown(const rig_catalog *catalog, rig_error *err)
{
    const size_t count = rig_catalog_count(catalog, RIG_TABLE_CONSTANT);
    for (size_t i = 0; i < count; i++) {
        const rig_row *row = rig_catalog_row(catalog, RIG_TABLE_CONSTANT, i);
        if (index_of(row->name) < RIG__N_CONSTANTS) {
            continue;
        }
        (void)rig__error_set(err,
                             RIG_E_SCHEMA,
                             row->file,
                             row->line,
                             0,
                             "unknown constant: '%s' (expected a constant of the model)",
                             row->name);
        const char *nearest = nearest_name(row->name);
        if (nearest != NULL) {
            rig__error_hint(err, "did you mean '%s'?", nearest);
        }
        return RIG_E_SCHEMA;
    }
    return RIG_OK;
}

static rig_status
bind(rig_constants *constants, size_t index, const rig_catalog *catalog, rig_error *err)
{
    const rig__constant_info *info = &infos[index];
    const rig_row *row = rig_catalog_get(catalog, RIG_TABLE_CONSTANT, info->name);
    if (row == NULL) {
        return rig__error_set(err,
                              RIG_E_SCHEMA,
                              "constants.csv",
                              0,
                              0,
                              "missing constant: '%s' (%s)",
                              info->name,
                              info->help);
    }
    const rig_constant *constant = (const rig_constant *)(const void *)row;
    const char *unit = constant->unit == NULL ? "" : constant->unit;
    if (strcmp(unit, info->unit) != 0) {
        return rig__error_set(err,
                              RIG_E_SCHEMA,
                              row->file,
                              row->line,
                              0,
                              "unit of %s: '%s' (expected '%s')",
                              info->name,
                              unit,
                              info->unit);
    }
    if (!(constant->value >= info->low && constant->value <= info->high)) {
        char low[32], high[32], value[32];
        return rig__error_set(err,
                              RIG_E_RANGE,
                              row->file,
                              row->line,
                              0,
                              "constant %s out of range: '%s' (expected %s to %s)",
                              info->name,
                              rig__number_format(value, sizeof value, constant->value),
                              rig__number_format(low, sizeof low, info->low),
                              rig__number_format(high, sizeof high, info->high));
    }
    *member(constants, index) = constant->value;
    constants->log_sd[index] = isnan(constant->log_sd) ? 0.0 : constant->log_sd;
    return RIG_OK;
}

rig_status rig_constants_new(rig_constants **out, const rig_catalog *catalog, rig_error *err)
{
    *out = NULL;
    RIG_TRY(refuse_unknown(catalog, err));
    rig_constants *constants = calloc(1, sizeof *constants);
    if (constants == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < RIG__N_CONSTANTS; i++) {
        const rig_status status = bind(constants, i, catalog, err);
        if (status != RIG_OK) {
            rig_constants_free(constants);
            return status;
        }
    }
    const rig_status status = rig__model_intervals_resolve(catalog, constants->half_widths, err);
    if (status != RIG_OK) {
        rig_constants_free(constants);
        return status;
    }
    *out = constants;
    return RIG_OK;
}

void rig_constants_free(rig_constants *constants)
{
    free(constants);
}

double rig_constants_get(const rig_constants *constants, const char *name)
{
    const size_t index = index_of(name);
    if (index == RIG__N_CONSTANTS) {
        return NAN;
    }
    return *(const double *)(const void *)((const char *)constants + infos[index].offset);
}
