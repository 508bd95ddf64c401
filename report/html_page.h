/* SPDX-License-Identifier: GPL-3.0-or-later
 * Frame of an HTML page for reports that are no results. */
#ifndef RIG_REPORT_HTML_PAGE_H
#define RIG_REPORT_HTML_PAGE_H

#include "report/output.h"

/** Everything before the first section. @param answer  escaped, NULL: none */
void rig__html_page_begin(rig__output *output, const char *title, const char *answer);
void rig__html_page_end(rig__output *output);

#endif
