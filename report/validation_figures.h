/* SPDX-License-Identifier: GPL-3.0-or-later
 * What every form of a validation shows. */
#ifndef RIG_REPORT_VALIDATION_FIGURES_H
#define RIG_REPORT_VALIDATION_FIGURES_H

#include "report/output.h"

/** A validation and the groups of it to show. */
typedef struct rig__validation_view {
    const rig_validation *validation;
    unsigned groups; /**< bits 1 << rig_group */
} rig__validation_view;

/** Is a group to be shown? */
bool rig__validation_shows(const rig__validation_view *view, const rig_group_score *group);

/** Share of rows or error in percent, "" for NAN. */
const char *rig__validation_percent(rig__output *output, double frac);
/** The same with its sign. */
const char *rig__validation_bias(rig__output *output, double frac);
/** "yes", "no", "" for unknown. */
const char *rig__validation_fitted(rig_fitted fitted);

/** Title: "Error of the model on 3,100 of 4,306 measurements". */
const char *rig__validation_title(rig__output *output, const rig_validation *validation);

/** The overall figures as pairs of name and value; name NULL ends them. */
typedef struct rig__validation_fact {
    const char *name, *value;
} rig__validation_fact;
#define RIG__VALIDATION_FACTS 10
void rig__validation_facts(rig__output *output,
                           const rig_validation *validation,
                           rig__validation_fact out[RIG__VALIDATION_FACTS]);

/** Rows of one reason, and the first names with counts: "NVIDIA Tesla K80 (146), ...".
 *  @param[in,out] index  first skip of the reason; moved behind its last one
 *  @param[out] count     rows of the reason
 *  @return names, "" for none */
const char *rig__validation_skip(rig__output *output,
                                 const rig_validation *validation,
                                 size_t *index,
                                 size_t *count);

/** Writes the whole as one JSON object. */
void rig__json_validation(rig__output *output, const rig__validation_view *view);

#endif
