/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text in Markdown. */
#ifndef RIG_REPORT_MARKDOWN_TEXT_H
#define RIG_REPORT_MARKDOWN_TEXT_H

#include "report/output.h"

/** Any text so that none of it is markup or ends a table cell. @return a text of the arena */
const char *rig__markdown_escape(rig__output *output, const char *text);

#endif
