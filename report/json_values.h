/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values of JSON trees: unknown is null, a failed allocation is remembered. */
#ifndef RIG_REPORT_JSON_VALUES_H
#define RIG_REPORT_JSON_VALUES_H

#include <jansson.h>

#include "report/json_print.h"
#include "report/output.h"

/* Values may be NULL when memory is short; setting them then fails, which is remembered. */
void rig__json_set(rig__output *output, json_t *object, const char *key, json_t *value);
void rig__json_append(rig__output *output, json_t *array, json_t *value);

json_t *rig__json_number(double value); /**< null for NAN and infinity */
json_t *rig__json_count(size_t value);
json_t *rig__json_text(rig__output *output, const char *value); /**< null for NULL */

/** Rows left out of a validation, by reason. */
json_t *rig__json_skipped(rig__output *output, const rig_validation *validation);
/** Members of a score but for the number of rows. */
void rig__json_set_score(rig__output *output, json_t *object, const rig_score *score);

/** Members of the economics. */
void rig__json_set_economics(rig__output *output, json_t *object, const rig_economics *economics);

/** Prints the tree, unless memory was short, and frees it. */
void rig__json_finish(rig__output *output, json_t *root);

#endif
