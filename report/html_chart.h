/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charts as SVG within the page. */
#ifndef RIG_REPORT_HTML_CHART_H
#define RIG_REPORT_HTML_CHART_H

#include "report/output.h"

/** Bar of a stage: the share of what it could do that is used. */
void rig__html_bar(rig__output *output, double load_frac, bool is_binding);

/** Price against rate of the builds of a frontier, as steps with a point per build; nothing for
 *  fewer than two builds. The axis starts at from_cents unless that is far below the first build.
 */
void rig__html_frontier_chart(rig__output *output, const rig_result *result, int64_t from_cents);

#endif
