/* SPDX-License-Identifier: GPL-3.0-or-later
 * Power at the wall and the cost of an epoch. */
#include <math.h>

#include "model/constants.h"
#include "model/stages.h"

static const double cents_per_usd = 100.0;
static const double seconds_per_year = 365.0 * 24.0 * 3600.0;
static const double months_per_year = 12.0;

rig_economics rig_economics_default(void)
{
    /* All are assumptions; what differs most from buyer to buyer is 0 until it is said. */
    return (rig_economics){.electricity_usd_kwh = 0.15,
                           .pue = 1.4,
                           .lifetime_s = 3.0 * 365.0 * 24.0 * 3600.0,
                           .utilisation_frac = 0.7,
                           .grid_kg_kwh = (double)NAN};
}

/* Price less resale, in equal parts over the years. */
static double depreciation_usd(double price_usd, const rig_economics *economics)
{
    const double years = economics->lifetime_s / seconds_per_year;
    return (price_usd - economics->resale_frac * price_usd) / years;
}

double rig_annuity_usd(double price_usd, const rig_economics *economics)
{
    const double rate = economics->interest_frac;
    if (!(rate > 0.0)) {
        return depreciation_usd(price_usd, economics);
    }
    /* 1 - (1 + i)^-n; expm1 and log1p keep its digits for interest near 0 */
    const double years = economics->lifetime_s / seconds_per_year;
    const double discount = -expm1(-years * log1p(rate));
    const double resale_usd = economics->resale_frac * price_usd;
    return (price_usd - resale_usd * (1.0 - discount)) * rate / discount;
}

rig_cost rig_cost_of_epoch(const rig_prediction *prediction,
                           int64_t price_cents,
                           const rig_economics *economics)
{
    if (!(prediction->images_per_s > 0.0)) {
        return (rig_cost){.total_usd = INFINITY};
    }
    const double price_usd = (double)price_cents / cents_per_usd;
    /* what a year costs is spread over the epochs of its hours in use */
    const double epoch_years =
        prediction->epoch_s / (seconds_per_year * economics->utilisation_frac);
    const double capital_usd = rig_annuity_usd(price_usd, economics) * epoch_years;
    rig_cost cost = {.depreciation_usd = depreciation_usd(price_usd, economics) * epoch_years,
                     .maintenance_usd = economics->maintenance_frac * price_usd * epoch_years,
                     .hosting_usd = economics->hosting_usd_month * months_per_year * epoch_years,
                     .electricity_usd = prediction->energy_kwh_per_epoch * economics->pue *
                                        economics->electricity_usd_kwh};
    cost.interest_usd = capital_usd - cost.depreciation_usd;
    /* of terms that do not fall with price or time, so that bounds of them bound the sum */
    cost.total_usd = capital_usd + cost.maintenance_usd + cost.hosting_usd + cost.electricity_usd;
    return cost;
}

double rig_cost_per_epoch_usd(const rig_prediction *prediction,
                              int64_t price_cents,
                              const rig_economics *economics)
{
    return rig_cost_of_epoch(prediction, price_cents, economics).total_usd;
}

double rig__model_power_w(const rig_constants *constants,
                          const rig_machine *machine,
                          double cpu_busy_frac,
                          double gpu_busy_frac)
{
    const double base_w =
        isnan(machine->base_power_w) ? constants->base_power_w : machine->base_power_w;
    const double cpu_w =
        machine->sockets * machine->cpu_tdp_w *
        (constants->cpu_idle_frac + (1.0 - constants->cpu_idle_frac) * cpu_busy_frac);
    const double gpu_w = machine->n_gpus * machine->gpu_tdp_w *
                         (constants->gpu_idle_frac +
                          (constants->gpu_load_frac - constants->gpu_idle_frac) * gpu_busy_frac);
    double drives_w = 0.0;
    for (size_t i = 0; i < machine->n_drive_kinds; i++) {
        const double each_w = isnan(machine->drives[i].power_w) ? constants->nvme_power_w
                                                                : machine->drives[i].power_w;
        drives_w += machine->drives[i].count * each_w;
    }
    const double dimms_w = machine->mem_channels * constants->dimm_power_w;
    const double inside_w = (base_w + cpu_w + gpu_w + drives_w + dimms_w);
    return rig__model_nodes(machine) * inside_w * (1.0 + constants->fan_frac) /
               constants->psu_efficiency +
           machine->switches_w;
}
