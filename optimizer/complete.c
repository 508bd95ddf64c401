/* SPDX-License-Identifier: GPL-3.0-or-later
 * Completing a host and its GPUs with the cheapest supply and chassis; limits on totals. */
#include "optimizer/complete.h"

#include <math.h>

double
rig__storage_rate(const rig__space *space, const rig__pair *pair, size_t memory, size_t drive)
{
    const rig__host *host = &space->hosts[pair->host];
    const rig__drive_option *option = &space->drives[drive];
    if (host->server != NULL) {
        return INFINITY;
    }
    const rig_workload *workload = &space->request->workload;
    const double cache_bytes =
        rig__cache_bytes(space, host, &space->gpus[pair->gpu], &space->memories[memory]);
    if (cache_bytes < 0) {
        return 0; /* host memory does not even hold the workers */
    }
    return rig_storage_rate(
        workload, option->read_gbs, rig_cache_hit(space->constants, workload, cache_bytes));
}

static double total_of(const rig__space *space, const rig__choice *choice, rig_total total)
{
    double sum = rig__network_total(space, total);
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        sum += rig__space_option(space, (rig__group)group, choice->at[group])->total[total];
    }
    return sum;
}

/* Totals that supply and chassis add to; the others are settled before those are chosen. */
static bool is_of_enclosure(rig_total total)
{
    return total == RIG_TOTAL_PRICE_USD || total == RIG_TOTAL_RACK_U;
}

static bool limits_hold(const rig__space *space, const rig__choice *choice, bool of_enclosure)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        const rig__limit *limit = &space->limits[i];
        if (is_of_enclosure(limit->total) != of_enclosure) {
            continue;
        }
        const double total = total_of(space, choice, limit->total);
        if (!(limit->sign * total <= limit->bound + RIG__POWER_SLACK_W)) {
            return false; /* also when unknown */
        }
    }
    return true;
}

static bool chassis_fits(const rig__space *space,
                         const rig__host *host,
                         const rig__choice *choice,
                         const rig__chassis_option *chassis)
{
    const rig__gpu_option *gpu = &space->gpus[choice->at[RIG__GROUP_GPU]];
    const rig__drive_option *drive = &space->drives[choice->at[RIG__GROUP_DRIVE]];
    return rig__fits_host_chassis(host, chassis) && rig__fits_gpu_chassis(space, gpu, chassis) &&
           rig__fits_drive_chassis(drive, chassis) &&
           (chassis->chassis == NULL ||
            rig__slots_used(space, gpu, host->is_layout_known) <= chassis->slots);
}

static bool psu_fits(const rig__space *space,
                     const rig__host *host,
                     const rig__choice *choice,
                     const rig__psu_option *psu)
{
    const rig__gpu_option *gpu = &space->gpus[choice->at[RIG__GROUP_GPU]];
    const double supply_w = psu->psu == NULL ? host->supply_w : psu->wattage_w;
    if (host->server != NULL) {
        return psu->psu == NULL; /* its maker sized the supply; its watts may not be known */
    }
    return rig__fits_host_psu(host, psu) && gpu->connector_w <= psu->connector_w &&
           rig__supply_needed_w(space, choice->power_w) <= supply_w + RIG__POWER_SLACK_W;
}

static bool limits_enclosure(const rig__space *space)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        if (is_of_enclosure(space->limits[i].total)) {
            return true;
        }
    }
    return false;
}

/* Limits on price or height may make a dearer chassis or supply the right one, so both are searched
 * in order of cost and the first pair that holds them is taken; else that is the first of each. */
bool rig__complete(const rig__space *space, const rig__pair *pair, rig__choice *choice)
{
    const rig__host *host = &space->hosts[pair->host];
    const int64_t cost_before = choice->cost_cents;
    const bool is_limited = limits_enclosure(space);
    int64_t best = INT64_MAX;
    rig__choice tried = *choice;
    tried.at[RIG__GROUP_CHASSIS] = 0;
    tried.at[RIG__GROUP_PSU] = 0;
    if (!limits_hold(space, &tried, false)) {
        return false;
    }
    for (size_t i = 0; i < space->n_chassis; i++) {
        const int64_t chassis_cents = space->chassis[i].option.cost_cents;
        if (best != INT64_MAX && chassis_cents >= best) {
            break;
        }
        if (!chassis_fits(space, host, choice, &space->chassis[i])) {
            continue;
        }
        tried.at[RIG__GROUP_CHASSIS] = i;
        for (size_t j = 0; j < space->n_psus; j++) {
            const int64_t cents = chassis_cents + space->psus[j].option.cost_cents;
            if (cents >= best) {
                break;
            }
            tried.at[RIG__GROUP_PSU] = j;
            if (psu_fits(space, host, choice, &space->psus[j]) &&
                (!is_limited || limits_hold(space, &tried, true))) {
                best = cents;
                choice->at[RIG__GROUP_CHASSIS] = i;
                choice->at[RIG__GROUP_PSU] = j;
                break;
            }
        }
        if (!is_limited && best != INT64_MAX) {
            break;
        }
    }
    choice->cost_cents = best == INT64_MAX ? cost_before : cost_before + best;
    return best != INT64_MAX;
}
