/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the first bytes of a file tell: another format by mistake, and the delimiter. */
#ifndef RIG_CATALOG_CSV_HEAD_H
#define RIG_CATALOG_CSV_HEAD_H

#include <stddef.h>

#include "trainrig/status.h"

/** Is it a CSV text, not a spreadsheet, an archive or a page saved under that name?
 *  @param name  of the file, for the message
 *  @return RIG_OK; RIG_E_PARSE with what it is and what to do */
RIG_NODISCARD rig_status rig__csv_head_check(const char *head,
                                             size_t length,
                                             const char *name,
                                             rig_error *err);

/** The one of ',', ';' and TAB that stands most often outside of quotes; ',' if none does. */
char rig__csv_head_delimiter(const char *head, size_t length);

#endif
