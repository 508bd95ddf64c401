/* SPDX-License-Identifier: GPL-3.0-or-later
 * Machines to buy, owned and rented: what an epoch costs on each, and when owning pays. */
#include "trainrig/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/build_report.h"

static const double seconds_per_hour = 3600.0;
static const double days_per_year = 365.0, days_per_week = 7.0;
/* A virtual processor is a hardware thread, of which a core has two (assumption). */
static const double threads_per_core = 2.0;

const char *rig_holding_name(rig_holding holding)
{
    static const char *const names[] = {"buy", "own", "rent"};
    assert((size_t)holding < sizeof names / sizeof names[0]);
    return names[holding];
}

rig_status
rig_cloud_build(const rig_cloud *cloud, const rig_catalog *catalog, rig_build *out, rig_error *err)
{
    const rig_row *gpu = NULL;
    *out = rig_build_empty();
    if (cloud->gpu_name == NULL) {
        return rig__error_set(
            err,
            RIG_E_NOTFOUND,
            NULL,
            0,
            0,
            "the GPU of an instance is not in the catalogue: '%s' (instance '%s')",
            cloud->gpu,
            cloud->row.name);
    }
    RIG_TRY(rig_catalog_find(catalog, RIG_TABLE_GPU, cloud->gpu_name, &gpu, err));
    out->parts[RIG_TABLE_GPU].row = gpu;
    out->parts[RIG_TABLE_GPU].count = (int)cloud->gpus;
    out->unnamed.cores = cloud->vcpus / threads_per_core;
    out->unnamed.ram_gb = cloud->mem_gib;
    return RIG_OK;
}

/* ---- one offer ------------------------------------------------------------------------------ */

static double per_epoch_usd(const rig_prediction *prediction, double usd_per_hour)
{
    return prediction->images_per_s > 0.0 ? usd_per_hour * prediction->epoch_s / seconds_per_hour
                                          : (double)INFINITY;
}

/* The capital of an owned machine is spent: what remains is to run it. */
static rig_economics sunk(const rig_economics *economics)
{
    rig_economics without = *economics;
    without.resale_frac = 1.0;
    without.interest_frac = 0.0;
    return without;
}

static rig_cost cost_of(const rig_offer *offer, const rig_economics *economics, double *spot_usd)
{
    const rig_prediction *const prediction = &offer->report.prediction;
    *spot_usd = (double)NAN;
    if (offer->holding == RIG_HOLDING_RENT) {
        *spot_usd = per_epoch_usd(prediction, offer->cloud->spot_usd_per_hour);
        return (rig_cost){.total_usd = per_epoch_usd(prediction, offer->cloud->usd_per_hour)};
    }
    const int64_t cents = offer->report.price_cents;
    if (offer->holding == RIG_HOLDING_OWN) {
        const rig_economics running = sunk(economics);
        const bool needs_price = economics->maintenance_frac > 0.0 && cents < 0;
        return needs_price ? (rig_cost){.total_usd = (double)NAN}
                           : rig_cost_of_epoch(prediction, cents < 0 ? 0 : cents, &running);
    }
    return cents < 0 ? (rig_cost){.total_usd = (double)NAN}
                     : rig_cost_of_epoch(prediction, cents, economics);
}

static rig_status fill_offer(rig_offer *offer,
                             const rig_contender *contender,
                             const rig_catalog *catalog,
                             const rig_constants *constants,
                             const rig_request *request,
                             rig__arena *arena,
                             rig_error *err)
{
    const rig_economics *const economics = &request->economics;
    const rig_workload *const workload = &request->workload;
    rig_build build = contender->build;
    if (contender->holding == RIG_HOLDING_RENT) {
        RIG_TRY(rig_cloud_build(contender->cloud, catalog, &build, err));
    }
    RIG_TRY(rig__optimizer_report_fill(
        &offer->report, &build, catalog, constants, request, arena, err));
    offer->holding = contender->holding;
    offer->cloud = contender->holding == RIG_HOLDING_RENT ? contender->cloud : NULL;
    offer->label = rig__arena_format(arena, "%s", contender->label);
    if (offer->label == NULL) {
        return rig__error_nomem(err);
    }
    const rig_prediction *const prediction = &offer->report.prediction;
    offer->cost = cost_of(offer, economics, &offer->spot_per_epoch_usd);
    offer->report.cost_per_epoch_usd = offer->cost.total_usd;
    /* an epoch costs by its time: the longer first one in proportion */
    offer->cost_per_run_usd = offer->cost.total_usd * (prediction->run_s / prediction->epoch_s);
    offer->images_per_usd = workload->dataset->images / offer->cost.total_usd;
    offer->energy_kwh = prediction->energy_kwh_per_epoch * economics->pue;
    offer->carbon_kg = offer->energy_kwh * economics->grid_kg_kwh;
    return RIG_OK;
}

static int compare_costs(const void *left, const void *right)
{
    const rig_offer *const a = left, *const b = right;
    const double x = a->cost.total_usd, y = b->cost.total_usd;
    if (isnan(x) != isnan(y)) {
        return isnan(x) ? 1 : -1;
    }
    if (x != y && !isnan(x)) {
        return x < y ? -1 : 1;
    }
    return strcmp(a->label, b->label);
}

/* ---- owning against renting ----------------------------------------------------------------- */

/* What a week costs that an own machine stands there, used or not [USD]; NAN: unknown price. */
static double week_usd(const rig_offer *own, const rig_economics *economics)
{
    const bool is_sunk = own->holding == RIG_HOLDING_OWN;
    const rig_economics terms = is_sunk ? sunk(economics) : *economics;
    const bool is_free = is_sunk && !(economics->maintenance_frac > 0.0);
    const double price_usd = is_free ? 0.0
                             : own->report.price_cents < 0
                                 ? (double)NAN
                                 : (double)own->report.price_cents / 100.0;
    const double yearly_usd = rig_annuity_usd(price_usd, &terms) +
                              terms.maintenance_frac * price_usd + 12.0 * terms.hosting_usd_month;
    return yearly_usd * days_per_week / days_per_year;
}

static rig_break_even
break_even(const rig_cost_comparison *comparison, size_t i_own, size_t i_rent, bool is_spot)
{
    const rig_offer *const own = &comparison->offers[i_own];
    const rig_offer *const rent = &comparison->offers[i_rent];
    const rig_prediction *const prediction = &own->report.prediction;
    const rig_economics *const economics = &comparison->request.economics;
    const double rent_usd = is_spot ? rent->spot_per_epoch_usd : rent->cost.total_usd;
    const double saved_usd = rent_usd - own->cost.electricity_usd; /* each epoch */
    const double week = week_usd(own, economics);
    const double epochs_per_week = saved_usd > 0.0    ? week / saved_usd
                                   : isnan(saved_usd) ? (double)NAN
                                                      : (double)INFINITY;
    const double weeks = economics->lifetime_s / (days_per_week * 24.0 * seconds_per_hour);
    return (rig_break_even){.i_own = i_own,
                            .i_rent = i_rent,
                            .is_spot = is_spot,
                            .hours_per_week =
                                epochs_per_week * prediction->epoch_s / seconds_per_hour,
                            .epochs = epochs_per_week * weeks};
}

static void fill_break_evens(rig_cost_comparison *comparison)
{
    for (size_t i = 0; i < comparison->n_offers; i++) {
        for (size_t k = 0; k < comparison->n_offers; k++) {
            const rig_offer *const own = &comparison->offers[i], *const rent =
                                                                     &comparison->offers[k];
            if (own->holding == RIG_HOLDING_RENT || rent->holding != RIG_HOLDING_RENT) {
                continue;
            }
            comparison->break_evens[comparison->n_break_evens++] =
                break_even(comparison, i, k, false);
            if (!isnan(rent->cloud->spot_usd_per_hour)) {
                comparison->break_evens[comparison->n_break_evens++] =
                    break_even(comparison, i, k, true);
            }
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void add_assumptions(const rig_request *request, rig__text_list *list)
{
    const rig_economics *const economics = &request->economics;
    rig__optimizer_assumptions(request, list);
    rig__text_list_add(list,
                       "capital: resale %.3g %% of the price, interest %.3g %% a year",
                       100 * economics->resale_frac,
                       100 * economics->interest_frac);
    rig__text_list_add(list,
                       "upkeep: maintenance %.3g %% of the price a year, hosting %.4g USD a month",
                       100 * economics->maintenance_frac,
                       economics->hosting_usd_month);
    rig__text_list_add(list,
                       "electricity is counted while it trains, not while it idles; a rented "
                       "machine is paid while it trains");
    if (!isnan(economics->grid_kg_kwh)) {
        rig__text_list_add(list, "grid: %.3g kg of CO2 per kWh", economics->grid_kg_kwh);
    }
}

static rig_status fill(rig_cost_comparison *comparison,
                       const rig_catalog *catalog,
                       const rig_constants *constants,
                       const rig_contender *contenders,
                       rig_error *err)
{
    rig__arena *const arena = comparison->arena;
    rig__text_list assumptions = {.arena = arena};
    const size_t n = comparison->n_offers;
    size_t n_rented = 0;
    for (size_t i = 0; i < n; i++) {
        n_rented += contenders[i].holding == RIG_HOLDING_RENT ? 1 : 0;
    }
    comparison->offers = rig__arena_alloc(arena, n, sizeof *comparison->offers);
    comparison->break_evens =
        rig__arena_alloc(arena, 2 * n_rented * (n - n_rented), sizeof *comparison->break_evens);
    if (comparison->offers == NULL || comparison->break_evens == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < n; i++) {
        RIG_TRY(fill_offer(&comparison->offers[i],
                           &contenders[i],
                           catalog,
                           constants,
                           &comparison->request,
                           arena,
                           err));
    }
    qsort(comparison->offers, n, sizeof *comparison->offers, compare_costs);
    fill_break_evens(comparison);
    add_assumptions(&comparison->request, &assumptions);
    comparison->assumptions = assumptions.texts;
    return assumptions.is_nomem ? rig__error_nomem(err) : RIG_OK;
}

rig_status rig_compare(rig_cost_comparison **out,
                       const rig_catalog *catalog,
                       const rig_constants *constants,
                       const rig_request *request,
                       const rig_contender *contenders,
                       size_t n_contenders,
                       rig_error *err)
{
    *out = NULL;
    RIG_TRY(rig__optimizer_request_check(request, err));
    rig__arena *const arena = rig__arena_new();
    if (arena == NULL) {
        return rig__error_nomem(err);
    }
    rig_cost_comparison *const comparison = rig__arena_alloc(arena, 1, sizeof *comparison);
    rig_status status = RIG_E_NOMEM;
    if (comparison == NULL) {
        status = rig__error_nomem(err);
    } else {
        comparison->arena = arena;
        comparison->request = *request;
        comparison->n_offers = n_contenders;
        status = fill(comparison, catalog, constants, contenders, err);
    }
    if (status != RIG_OK) {
        rig__arena_free(arena);
        return status;
    }
    *out = comparison;
    return RIG_OK;
}

void rig_cost_comparison_free(rig_cost_comparison *comparison)
{
    if (comparison != NULL) {
        rig__arena_free(comparison->arena);
    }
}
