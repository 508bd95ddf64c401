/* SPDX-License-Identifier: GPL-3.0-or-later
 * What all forms of the report on an import share. */
#ifndef RIG_REPORT_MARKET_REPORT_H
#define RIG_REPORT_MARKET_REPORT_H

#include "report/output.h"
#include "trainrig/market.h"

/** Parts left out for one reason. */
typedef struct rig__drop_count {
    rig_table table;
    const char *reason;
    size_t count;
} rig__drop_count;

/** Counts by class and reason, most first. @param[out] n_out  how many
 *  @return in the arena of the report; NULL: out of memory, which is remembered */
const rig__drop_count *
rig__market_reasons(rig__output *output, const rig_market *market, size_t *n_out);

/** The report as JSON, "trainrig.import/1". */
void rig__json_market(rig__output *output, const rig_market *market);

#endif
