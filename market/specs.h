/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lines of open specifications (NDJSON) as drafts without a price. */
#ifndef RIG_MARKET_SPECS_H
#define RIG_MARKET_SPECS_H

#include "market/draft.h"
#include "market/lines.h"

/** Class of a file of specifications, "CPU.ndjson". @return false: none of a machine's */
bool rig__specs_table(const char *file_name, rig_table *out);

/** Reads one line into a draft of the table.
 *  @return RIG_OK; RIG_E_PARSE with place: no JSON, not an object, no name; RIG_E_NOMEM */
RIG_NODISCARD rig_status rig__specs_read(const rig__line *line,
                                         rig_table table,
                                         rig__arena *arena,
                                         rig__draft **out,
                                         rig_error *err);

#endif
