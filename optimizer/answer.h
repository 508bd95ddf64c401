/* SPDX-License-Identifier: GPL-3.0-or-later
 * An answer under construction: result, option space, and the independent check of every build. */
#ifndef RIG_OPTIMIZER_ANSWER_H
#define RIG_OPTIMIZER_ANSWER_H

#include "optimizer/build_report.h"
#include "optimizer/cluster.h"

/** One answer under way. Zero-initialise, then rig__answer_begin. */
typedef struct rig__answer {
    const rig_catalog *catalog;
    const rig_constants *constants;
    rig_result *result;
    rig__arena *arena;   /**< of the result */
    rig__arena *scratch; /**< of the option spaces */
    rig__cluster cluster;
    rig__text_list warnings, assumptions, reasons;
} rig__answer;

/** Checks that a request is within range. @return RIG_OK, RIG_E_INVALID */
rig_status rig__answer_check(const rig_request *request, rig_error *err);

/** Checks the request, allocates the result and builds the reduced option space.
 *  Whatever the status, rig__answer_end must follow.
 *  @return RIG_OK; RIG_E_INVALID, RIG_E_NOTFOUND (no such network card), RIG_E_NOMEM */
rig_status rig__answer_begin(rig__answer *answer,
                             const rig_catalog *catalog,
                             const rig_constants *constants,
                             const rig_request *request,
                             rig_error *err);

/** Fills result->builds from choices, each checked by the verifier, the full model and the
 *  conditions of the request.
 *  @return RIG_OK; RIG_E_SOLVER if a build does not pass; RIG_E_NOMEM */
rig_status rig__answer_report(rig__answer *answer,
                              const rig__choice *choices,
                              size_t n_choices,
                              rig_error *err);

/** Counts of options in the proof, and warnings about what was left out. */
void rig__answer_summarise(rig__answer *answer);

/** Hands over the result (status RIG_OK and no lost text) or frees everything.
 *  @return the status, or RIG_E_NOMEM */
rig_status
rig__answer_end(rig__answer *answer, rig_status status, rig_result **out, rig_error *err);

#endif
