/* SPDX-License-Identifier: GPL-3.0-or-later
 * Options that can still be part of a better solution, and the rules that remove others. */
#ifndef RIG_SOLVERS_DOMAINS_H
#define RIG_SOLVERS_DOMAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "trainrig/solver.h"

/** What removal needs of a problem, prepared once: sets of options are bits of 64-bit words. */
typedef struct rig__domains {
    const rig_choice_problem *problem; /**< borrowed */
    size_t n_options;
    size_t n_words;            /**< of a set of options of all groups */
    size_t *word_start;        /**< per group, its first word; n_groups + 1 entries */
    uint64_t **allowed_second; /**< per pair: for each first option, words of the second group */
    uint64_t **allowed_first;  /**< per pair: for each second option, words of the first group */
    size_t *option_start;      /**< per group: number of its first option among all options */
    const double *price; /**< per option, of a relaxation; NULL: none. A choice costs at least */
    double price_base;   /**< price_base + sum of its prices [cents] */
} rig__domains;

/** A set of options per group: n_words words. */
typedef uint64_t rig__option_set;

/** Prepares domains in arena. @return RIG_OK, RIG_E_NOMEM */
rig_status
rig__domains_init(rig__domains *domains, const rig_choice_problem *problem, rig__arena *arena);

/** Set of all options. @return NULL: out of memory */
rig__option_set *rig__domains_full(const rig__domains *domains, rig__arena *arena);

bool rig__domains_has(const rig__domains *domains,
                      const rig__option_set *set,
                      size_t group,
                      size_t option);
void rig__domains_remove(const rig__domains *domains,
                         rig__option_set *set,
                         size_t group,
                         size_t option);
/** Leaves option as the only one of its group. */
void rig__domains_choose(const rig__domains *domains,
                         rig__option_set *set,
                         size_t group,
                         size_t option);
size_t rig__domains_count(const rig__domains *domains, const rig__option_set *set, size_t group);

/** Option of group that follows option from in the set (from included). @return n_options: none */
size_t rig__domains_next(const rig__domains *domains,
                         const rig__option_set *set,
                         size_t group,
                         size_t from);

/** Removes, until nothing changes, each option without a partner in some pair, each with which
 *  some row cannot hold, and each with which no solution costs less than cost_below, be it by its
 *  costs or by its prices.
 *
 *  Never removes an option of a solution that holds by rig__choice_holds and costs less.
 *  @param changed  the one group that lost options since set was last propagated; n_groups: any
 *  @return false: a group is empty, so that there is no such solution   @thread safe */
bool rig__domains_propagate(const rig__domains *domains,
                            rig__option_set *set,
                            int64_t cost_below,
                            size_t changed);

/** Sum over groups of the least cost left; groups are not empty. */
int64_t rig__domains_least_cost(const rig__domains *domains, const rig__option_set *set);

#endif
