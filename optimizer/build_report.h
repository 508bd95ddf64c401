/* SPDX-License-Identifier: GPL-3.0-or-later
 * Assembly of what is reported about a build, shared by recommendations and predictions. */
#ifndef RIG_OPTIMIZER_BUILD_REPORT_H
#define RIG_OPTIMIZER_BUILD_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "trainrig/optimizer.h"

/** Texts that grow in an arena. Zero-initialise and set arena. */
typedef struct rig__text_list {
    rig__arena *arena;
    rig_texts texts;
    size_t cap;
    bool is_nomem; /**< a text was lost */
} rig__text_list;

/** Appends a text unless it is there already; on exhaustion sets is_nomem. */
void rig__text_list_add(rig__text_list *list, const char *format, ...) RIG_PRINTF(2, 3);

/** The same as a rig_text_sink; payload is the list. */
void rig__text_list_sink(const char *text, void *payload);

/** Fills price, prediction, totals, cost and warnings of a build; rank and comment are cleared.
 *
 *  @param request  workload, economics, date and circuit are used
 *  @param arena    owner of the texts
 *  @return RIG_OK; RIG_E_INVALID (no GPU), RIG_E_RANGE (from the model), RIG_E_NOMEM */
rig_status rig__optimizer_report_fill(rig_build_report *out,
                                      const rig_build *build,
                                      const rig_catalog *catalog,
                                      const rig_constants *constants,
                                      const rig_request *request,
                                      rig__arena *arena,
                                      rig_error *err);

/** Predicts a build of which some stage is not known with what is not named at its plausible worst:
 *  fills at_worst and worst_parts. At best such parts limit nothing, which is the prediction.
 *  @param workload  that of the prediction
 *  @return RIG_OK; as rig_predict_machine; RIG_E_NOMEM */
rig_status rig__optimizer_at_worst(rig_build_report *out,
                                   const rig_catalog *catalog,
                                   const rig_constants *constants,
                                   const rig_workload *workload,
                                   rig__arena *arena,
                                   rig_error *err);

/** Does the storage of a build hold the data set and the system?
 *
 *  capacity_gb * count >= images * mean_bytes / 1e9 * dataset_capacity_margin + system_storage_gb
 *  True when the capacity is not known. Host and GPU memory: see rig_prediction.is_out_of_memory.
 */
bool rig__optimizer_build_fits_workload(const rig_build *build,
                                        const rig_workload *workload,
                                        const rig_constants *constants);

/** Storage that a workload needs [GB]: the right side of the rule above. */
double rig__optimizer_storage_needed_gb(const rig_workload *workload,
                                        const rig_constants *constants);

/** Adds the assumptions behind every figure of an answer: economics, software, ranges. */
void rig__optimizer_assumptions(const rig_request *request, rig__text_list *list);

/** Checks the figures of a workload and economics that callers fill in by hand.
 *  @return RIG_OK; RIG_E_INVALID */
rig_status rig__optimizer_request_check(const rig_request *request, rig_error *err);

#endif
