/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which hosts take a GPU option, by the least cost of a machine, with a bound on their rates. */
#ifndef RIG_OPTIMIZER_HOST_LISTS_H
#define RIG_OPTIMIZER_HOST_LISTS_H

#include "optimizer/options.h"

/** Hosts that take GPU options of one shape: form, width and number, or servers. */
typedef struct rig__host_list {
    const char *form; /**< of the cards or modules; NULL: complete servers */
    bool is_baseboard;
    int width, count;
    size_t n_hosts;
    size_t *hosts;      /**< indices of the space, cheapest machine first */
    double *best_rates; /**< best bound among the hosts up to here [1/s] */
} rig__host_list;

/** Lists made so far. Zero-initialise; free with rig__host_lists_free. */
typedef struct rig__host_lists {
    rig__host_list *lists;
    size_t n_lists, cap_lists;
} rig__host_lists;

/** The list for a GPU option, made at the first call. The space must be bounded.
 *  @return NULL: out of memory */
const rig__host_list *
rig__host_lists_get(rig__host_lists *lists, const rig__space *space, const rig__gpu_option *gpu);
void rig__host_lists_free(rig__host_lists *lists);

/** Bound on the rate of a host with so many GPUs, whichever they are [1/s]. */
static inline double rig__host_rate_bound(const rig__space *space, const rig__host *host, int count)
{
    return host->server != NULL ? rig__server_rate(space, host) : host->decode[count];
}

/** Least cost of a machine on this host, without its GPUs. */
static inline int64_t rig__host_least_cents(const rig__host *host)
{
    return host->option.cost_cents + host->least_rest_cents;
}

/** How many hosts of the list leave at most so much to pay. */
size_t
rig__host_list_within(const rig__host_list *list, const rig__space *space, int64_t most_cents);

#endif
