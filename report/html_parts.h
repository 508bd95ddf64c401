/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pieces of a page about one build or a list of builds. */
#ifndef RIG_REPORT_HTML_PARTS_H
#define RIG_REPORT_HTML_PARTS_H

#include "report/output.h"

/** Parts with counts and prices, and where each price comes from. */
void rig__html_parts(rig__output *output, const rig_result *result, const rig_build_report *report);
/** Rate and load of every stage; the binding one is named. */
void rig__html_stages(rig__output *output,
                      const rig_workload *workload,
                      const rig_prediction *prediction);
/** Rate, epoch, power, cost, balance. */
void rig__html_performance(rig__output *output,
                           const rig_result *result,
                           const rig_build_report *report);
/** A row per build: figures, hardware, and the comment of each, or with is_frontier what changes.
 */
void rig__html_list(rig__output *output,
                    const rig_result *result,
                    const char *caption,
                    bool is_frontier);
/** "2 x GPU with CPU", or the server. @return escaped */
const char *rig__html_hardware(rig__output *output, const rig_build *build);

#endif
