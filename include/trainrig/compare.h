/* SPDX-License-Identifier: GPL-3.0-or-later
 * Machines to buy, machines that are owned and rented ones side by side. */
#ifndef RIG_COMPARE_H
#define RIG_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "trainrig/optimizer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rig_holding {
    RIG_HOLDING_BUY,
    RIG_HOLDING_OWN, /**< paid for: its capital is spent whatever is decided */
    RIG_HOLDING_RENT /**< an instance of cloud.csv */
} rig_holding;
RIG_API const char *rig_holding_name(rig_holding holding); /**< "buy", "own", "rent" */

/** One machine that takes part. */
typedef struct rig_contender {
    rig_holding holding;
    const char *label;      /**< copied; what the user calls it */
    rig_build build;        /**< BUY, OWN */
    const rig_cloud *cloud; /**< RENT; else NULL */
} rig_contender;

/** An instance as hardware known by its figures: GPUs, cores (half its virtual processors), memory.
 *  Its storage is not in the catalogue, so no stage for it is predicted.
 *  @return RIG_OK; RIG_E_NOTFOUND if its GPU is not in the catalogue */
RIG_API RIG_NODISCARD rig_status rig_cloud_build(const rig_cloud *cloud,
                                                 const rig_catalog *catalog,
                                                 rig_build *out,
                                                 rig_error *err);

/** What one machine costs for one workload. NAN: not known. */
typedef struct rig_offer {
    rig_holding holding;
    const char *label;
    const rig_cloud *cloud;    /**< NULL unless rented */
    rig_build_report report;   /**< parts, price, prediction, warnings */
    rig_cost cost;             /**< of an epoch; all 0 but the total when rented */
    double spot_per_epoch_usd; /**< total at the spot price; interruptions are not counted */
    double cost_per_run_usd;   /**< all epochs of the workload, the first one at its own pace */
    double images_per_usd;     /**< images trained per dollar of cost */
    double energy_kwh;         /**< of an epoch, at the site (with PUE) */
    double carbon_kg;          /**< of an epoch, with the grid factor of the economics */
} rig_offer;

/** How much use makes a machine of one's own as cheap as a rented one that does the same work. */
typedef struct rig_break_even {
    size_t i_own, i_rent;  /**< offers */
    bool is_spot;          /**< against the spot price */
    double hours_per_week; /**< of the own machine; above 168: not within a week; INFINITY: never */
    double epochs;         /**< over the lifetime, at that use */
} rig_break_even;

typedef struct rig_cost_comparison {
    rig_request request; /**< workload and economics as understood */
    rig_offer *offers;   /**< cheapest epoch first, unknown costs last */
    size_t n_offers;
    rig_break_even *break_evens; /**< every own machine against every rented one */
    size_t n_break_evens;
    rig_texts assumptions;
    void *arena; /**< owner of all of it */
} rig_cost_comparison;

/** Rates and costs of machines for one workload, and when owning pays.
 *
 *  A week of an own machine costs W = (annuity + maintenance + hosting) / weeks of a year, and an
 *  hour of training v (electricity). The same work rented costs u = USD/h x own rate / rented rate
 *  per own hour, so that owning pays from W / (u - v) hours a week on, and never if u <= v.
 *  @param request     workload, economics, date; the rest is not used
 *  @param contenders  builds are not checked for fit
 *  @param[out] out    NULL on failure; free with rig_cost_comparison_free
 *  @return RIG_OK; RIG_E_INVALID, RIG_E_RANGE, RIG_E_NOTFOUND, RIG_E_NOMEM   @thread safe */
RIG_API RIG_NODISCARD rig_status rig_compare(rig_cost_comparison **out,
                                             const rig_catalog *catalog,
                                             const rig_constants *constants,
                                             const rig_request *request,
                                             const rig_contender *contenders,
                                             size_t n_contenders,
                                             rig_error *err);
RIG_API void rig_cost_comparison_free(rig_cost_comparison *comparison);

#ifdef __cplusplus
}
#endif
#endif
