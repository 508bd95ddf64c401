/* SPDX-License-Identifier: GPL-3.0-or-later
 * Power at the wall and the cost of an epoch. */
#include <math.h>

#include "model/constants.h"
#include "model/stages.h"

static const double cents_per_usd = 100.0;

rig_economics rig_economics_default(void)
{
    /* All four are assumptions; three years of 365 days. */
    return (rig_economics){.electricity_usd_kwh = 0.15,
                           .pue = 1.4,
                           .lifetime_s = 3.0 * 365.0 * 24.0 * 3600.0,
                           .utilisation_frac = 0.7};
}

double rig_cost_per_epoch_usd(const rig_prediction *prediction,
                              int64_t price_cents,
                              const rig_economics *economics)
{
    if (!(prediction->images_per_s > 0.0)) {
        return INFINITY;
    }
    const double capital_usd = (double)price_cents / cents_per_usd * prediction->epoch_s /
                               (economics->lifetime_s * economics->utilisation_frac);
    const double energy_usd =
        prediction->energy_kwh_per_epoch * economics->pue * economics->electricity_usd_kwh;
    return capital_usd + energy_usd;
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
           constants->psu_efficiency;
}
