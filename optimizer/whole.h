/* SPDX-License-Identifier: GPL-3.0-or-later
 * The whole request as one linear program: options, rules, and rates by segments. */
#ifndef RIG_OPTIMIZER_WHOLE_H
#define RIG_OPTIMIZER_WHOLE_H

#include "optimizer/relation.h"
#include "optimizer/rules.h"

/** A program under construction. Zero-initialise; arena, space and linear.arena come first. */
typedef struct rig__whole {
    const rig__space *space;
    rig__arena *arena;
    rig_objective objective;
    int64_t budget_cents; /**< INT64_MAX: none */
    double least_rate;    /**< every machine must reach it, > 0 [1/s] */
    rig__members groups[RIG__N_GROUPS];
    rig__linear linear;
} rig__whole;

/** Columns of options, rules and the objective of price. @return RIG_OK, RIG_E_NOMEM */
rig_status rig__whole_rules(rig__whole *whole, rig_error *err);

/** Rates of the stages, and the objective of epoch time. @return RIG_OK, RIG_E_NOMEM */
rig_status rig__whole_rates(rig__whole *whole, rig_error *err);

/** Storage and page cache. @param rate  variables that add up to the rate, none: it is least_rate
 *  @return RIG_OK, RIG_E_NOMEM */
typedef struct rig__rate_columns {
    double base;          /**< rate when all are 0 [1/s] */
    double most;          /**< no machine is faster [1/s] */
    const size_t *column; /**< from 0 to 1 */
    const double *weight; /**< [1/s] */
    size_t n;
} rig__rate_columns;
rig_status rig__whole_storage(rig__whole *whole, const rig__rate_columns *rate, rig_error *err);

/** Part names of an option, for people. @return in the arena; NULL: out of memory */
const char *rig__whole_option_text(const rig__whole *whole, rig__group group, size_t at);

#endif
