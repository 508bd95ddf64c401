/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact search: bounded enumeration of hosts and GPUs with the cheapest completion of each. */
#ifndef RIG_OPTIMIZER_PAIR_SEARCH_H
#define RIG_OPTIMIZER_PAIR_SEARCH_H

#include "optimizer/options.h"

/** What a search found. */
typedef struct rig__found {
    rig__choice *choices; /**< best first, distinct by the request's signature */
    size_t n_choices;
    bool is_complete;       /**< nothing better exists; false: stopped by a limit */
    double bound_objective; /**< no choice has a lower objective than this */
    double bound_rate;      /**< no choice within the budget is faster than this, all nodes [1/s] */
    int64_t n_evaluated;
} rig__found;

/** What to look for; overrides parts of the request so that one space answers many questions.
 *  Of one space, budget and rate are those of one node without network cards; of a cluster, those
 *  of everything. */
typedef struct rig__question {
    rig_objective objective;
    int64_t budget_cents;
    double least_rate; /**< [1/s] */
    size_t top;
    const rig__choice
        *rival;        /**< of another space, which every choice must beat or equal; or NULL */
    double deadline_s; /**< on the clock of rig__clock_s; 0: by the time limit of the request */
} rig__question;

/** The best `top` distinct choices of a space, exactly.
 *
 *  Pairs of host and GPUs are visited in order of an upper bound; a pair is completed with memory,
 *  drives, supply and chassis only while its bound can still enter the list. Nothing is left out
 *  without such a proof, so the result is optimal unless a limit stopped the search.
 *  @return RIG_OK (n_choices 0: proved infeasible when is_complete), RIG_E_NOMEM */
rig_status rig__pair_search(const rig__space *space,
                            const rig__question *question,
                            rig__found *out,
                            rig_error *err);

/** Question that the request itself asks. */
rig__question rig__question_of(const rig__space *space);

/** Value that an objective minimises: -images/s, cents, dollars per epoch, -images/s per dollar. */
double
rig__objective_value(const rig__space *space, rig_objective objective, const rig__choice *choice);

/** Order of choices: objective, then price, fewer nodes, rate, watts, part names. Total and
 *  independent of row order; the choices may be of different spaces. @return negative: a is better
 */
int rig__choice_compare(const rig__choice *a, const rig__choice *b);

/** Same machine as far as the shortlist is concerned? Never with different numbers of nodes. */
bool rig__choice_is_same(const rig__choice *a, const rig__choice *b);

/** Enters a choice into a sorted list of the `top` best distinct ones, if it is one of them. */
void rig__choice_offer(rig__choice *list, size_t *n, size_t top, const rig__choice *choice);

#endif
