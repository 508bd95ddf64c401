/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rules of the option space as tables: which options go together, and sums over all groups. */
#ifndef RIG_OPTIMIZER_RULES_H
#define RIG_OPTIMIZER_RULES_H

#include "optimizer/options.h"

/** Options of two groups that may stand together. */
typedef struct rig__pair_rule {
    const char *name;
    rig__group first, second;
    bool (*fits)(const rig__space *space, size_t first, size_t second);
} rig__pair_rule;

/** A sum over the chosen options that must not exceed a limit. */
typedef struct rig__sum_rule {
    const char *name;
    double limit;
    double (*of[RIG__N_GROUPS])(const rig__space *space, size_t at); /**< NULL: nothing */
} rig__sum_rule;

enum {
    RIG__PAIR_HOST_GPU, /**< rates of these two are rules of a program too */
    RIG__PAIR_HOST_MEMORY,
    RIG__PAIR_GPU_MEMORY,
    RIG__N_PAIR_RULES = 10
};
extern const rig__pair_rule rig__pair_rules[RIG__N_PAIR_RULES];

enum {
    RIG__SUM_SUPPLY, /**< [kW] */
    RIG__SUM_CACHE,  /**< bytes of the workers less those of memory [GB]; minus it: the cache */
    RIG__SUM_SPREAD, /**< bracket positions */
    RIG__N_SUM_RULES
};
extern const rig__sum_rule rig__sum_rules[RIG__N_SUM_RULES];

/** Share of an option in a sum. */
double rig__sum_coefficient(const rig__space *space,
                            const rig__sum_rule *rule,
                            rig__group group,
                            size_t at);

/** Cache of the largest memory, without GPUs and workers [GB]. */
double rig__cache_most_gb(const rig__space *space);

/** Least cache with which these drives reach a rate [GB], by bisection on the monotone model; NAN
 *  if not even most_gb is enough. */
double rig__cache_needed_gb(const rig__space *space,
                            const rig__drive_option *drive,
                            double rate,
                            double most_gb);

/** Options of a group. */
size_t rig__space_count(const rig__space *space, rig__group group);

/** Is everything known of this option that the limits of the request look at? If not, no machine
 * that holds it passes them. */
bool rig__limits_known(const rig__space *space, const rig__option *option);

/** Right side of a limit in the form sign * sum <= bound, with slack, without the network cards. */
double rig__limit_bound(const rig__space *space, const rig__limit *limit);

#endif
