/* SPDX-License-Identifier: GPL-3.0-or-later
 * What all forms of a comparison share. */
#ifndef RIG_REPORT_COMPARE_FIGURES_H
#define RIG_REPORT_COMPARE_FIGURES_H

#include "report/output.h"
#include "trainrig/compare.h"

/** Figures of an offer: one list for CSV and JSON, so that names and order agree. */
#define RIG__OFFER_FIGURES(X)                                                                      \
    X("price_usd", rig__offer_price_usd(offer))                                                    \
    X("usd_per_hour", offer->cloud == NULL ? (double)NAN : offer->cloud->usd_per_hour)             \
    X("spot_usd_per_hour", offer->cloud == NULL ? (double)NAN : offer->cloud->spot_usd_per_hour)   \
    X("images_per_s", offer->report.prediction.images_per_s)                                       \
    X("images_per_s_low", offer->report.prediction.images_per_s_low)                               \
    X("images_per_s_high", offer->report.prediction.images_per_s_high)                             \
    X("epoch_s", offer->report.prediction.epoch_s)                                                 \
    X("run_s", offer->report.prediction.run_s)                                                     \
    X("cost_per_epoch_usd", offer->cost.total_usd)                                                 \
    X("depreciation_per_epoch_usd", offer->cost.depreciation_usd)                                  \
    X("interest_per_epoch_usd", offer->cost.interest_usd)                                          \
    X("maintenance_per_epoch_usd", offer->cost.maintenance_usd)                                    \
    X("hosting_per_epoch_usd", offer->cost.hosting_usd)                                            \
    X("electricity_per_epoch_usd", offer->cost.electricity_usd)                                    \
    X("rent_per_epoch_usd", offer->cloud == NULL ? 0.0 : offer->cost.total_usd)                    \
    X("spot_per_epoch_usd", offer->spot_per_epoch_usd)                                             \
    X("cost_per_run_usd", offer->cost_per_run_usd)                                                 \
    X("images_per_usd", offer->images_per_usd)                                                     \
    X("energy_per_epoch_kwh", offer->energy_kwh)                                                   \
    X("carbon_per_epoch_kg", offer->carbon_kg)

/** Price of what is bought or owned, NAN when rented or unknown. */
double rig__offer_price_usd(const rig_offer *offer);
/** Is the rate only known to be no higher, and so the cost no lower? */
bool rig__offer_is_bound(const rig_offer *offer);
/** "10 x RTX A4000 with 2 x EPYC 7282". */
const char *rig__offer_hardware(rig__output *output, const rig_offer *offer);

/** Comparisons as JSON, "trainrig.compare/1". */
void rig__json_comparisons(rig__output *output,
                           const rig_cost_comparison *const *comparisons,
                           size_t n_comparisons);

#endif
