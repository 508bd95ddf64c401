/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text in HTML: escaping, lists, the style sheet. The pages are XML as well, so that any parser can
 * check them: every element is closed and every attribute quoted. */
#ifndef RIG_REPORT_HTML_TEXT_H
#define RIG_REPORT_HTML_TEXT_H

#include "report/output.h"

/** The style sheet, report/html/page.css. */
extern const char rig__html_style[];

/** Any text so that none of it is markup, within elements and within quoted attributes; controls
 * and direction overrides are taken out. NULL gives "". @return a text of the report's arena */
const char *rig__html_escape(rig__output *output, const char *text);

/** A share 0..1 as "37.25%", whatever the locale. */
const char *rig__html_share(rig__output *output, double frac);

/** Where a fact comes from: a link if it is a web address, else the text. */
const char *rig__html_source(rig__output *output, const char *source);

/** A heading and a list of texts; nothing if there are none. */
void rig__html_texts(rig__output *output, const char *heading, const rig_texts *texts);

/** A pair of a description list. */
void rig__html_fact(rig__output *output, const char *name, const char *value);

#endif
