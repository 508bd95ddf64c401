/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reports on single builds: price, prediction, totals, cost, and what to be wary of. */
#include "optimizer/build_report.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "optimizer/view.h"
#include "trainrig/units.h"

/* Prices read further apart than this are not comparable; assumption. */
#define PRICE_SPREAD_MAX_DAYS 180
/* Low-trust prices below this share of the total are not worth a warning; assumption. */
#define LOW_TRUST_SHARE_MIN 0.01

static bool list_holds(const rig__text_list *list, const char *text)
{
    for (size_t i_text = 0; i_text < list->texts.count; i_text++) {
        if (strcmp(list->texts.items[i_text], text) == 0) {
            return true;
        }
    }
    return false;
}

void rig__text_list_sink(const char *text, void *payload)
{
    rig__text_list *const list = payload;
    if (list_holds(list, text)) {
        return;
    }
    if (list->texts.count == list->cap) {
        const size_t cap = list->cap == 0 ? 8 : list->cap * 2;
        const char **const items = rig__arena_alloc(list->arena, cap, sizeof *items);
        if (items == NULL) {
            list->is_nomem = true;
            return;
        }
        for (size_t i_text = 0; i_text < list->texts.count; i_text++) {
            items[i_text] = list->texts.items[i_text];
        }
        list->texts.items = items;
        list->cap = cap;
    }
    const char *const copy = rig__arena_copy(list->arena, text, strlen(text));
    if (copy == NULL) {
        list->is_nomem = true;
        return;
    }
    list->texts.items[list->texts.count++] = copy;
}

void rig__text_list_add(rig__text_list *list, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rig__text_list_sink(text, list);
}

double rig__optimizer_storage_needed_gb(const rig_workload *workload,
                                        const rig_constants *constants)
{
    const double data_gb = rig_node_data_bytes(workload) / 1e9;
    return data_gb * rig_constants_get(constants, "dataset_capacity_margin") +
           rig_constants_get(constants, "system_storage_gb");
}

static double storage_gb(const rig_build *build)
{
    const rig_part_use *const server = &build->parts[RIG_TABLE_SERVER];
    const rig_part_use *const drive = &build->parts[RIG_TABLE_STORAGE];
    if (server->row != NULL && server->count >= 1) {
        return ((const rig_server *)server->row)->storage_gb;
    }
    if (drive->row == NULL || drive->count < 1) {
        return NAN;
    }
    return ((const rig_storage *)drive->row)->capacity_gb * drive->count;
}

bool rig__optimizer_build_fits_workload(const rig_build *build,
                                        const rig_workload *workload,
                                        const rig_constants *constants)
{
    const double available_gb = storage_gb(build);
    return isnan(available_gb) ||
           available_gb >= rig__optimizer_storage_needed_gb(workload, constants);
}

/* ---- prices --------------------------------------------------------------------------------- */

/* What the prices of a build say about themselves. */
typedef struct price_summary {
    const rig_row *first, *last; /* oldest and newest price with a date, NULL: none */
    int32_t first_days, last_days;
    size_t n_stale;
    double low_trust_cents, estimate_cents, total_cents;
} price_summary;

static void
summarise_price(const rig_part_use *use, double stale_days, int32_t today_ymd, price_summary *out)
{
    const rig_price *const price = &use->row->price;
    const double cents = (double)price->cents * use->count;
    const int32_t days = rig__date_days(price->date_ymd);
    out->total_cents += cents;
    if (price->trust == RIG_TRUST_LOW) {
        out->low_trust_cents += cents;
    }
    if (price->kind != NULL && (rig__text_has_prefix_nocase(price->kind, "guide") ||
                                rig__text_has_prefix_nocase(price->kind, "estimate"))) {
        out->estimate_cents += cents;
    }
    if (price->date_ymd == 0) {
        return;
    }
    if (today_ymd != 0 && (double)rig__date_days(today_ymd) - days > stale_days) {
        out->n_stale++;
    }
    if (out->first == NULL || days < out->first_days) {
        out->first = use->row;
        out->first_days = days;
    }
    if (out->last == NULL || days > out->last_days) {
        out->last = use->row;
        out->last_days = days;
    }
}

static const char *date_of(const rig_row *row)
{
    return row->price.date == NULL ? "" : row->price.date;
}

static void warn_summary(const price_summary *summary, int32_t today_ymd, rig__text_list *list)
{
    if (summary->n_stale > 0) {
        rig__text_list_add(list,
                           "%zu stale price(s), the oldest of '%s': %s, %.0f days old",
                           summary->n_stale,
                           summary->first->name,
                           date_of(summary->first),
                           (double)rig__date_days(today_ymd) - summary->first_days);
    }
    if (summary->first != NULL &&
        (double)summary->last_days - summary->first_days > PRICE_SPREAD_MAX_DAYS) {
        rig__text_list_add(list,
                           "prices of this build are %.0f days apart: %s to %s",
                           (double)summary->last_days - summary->first_days,
                           date_of(summary->first),
                           date_of(summary->last));
    }
    if (summary->estimate_cents > LOW_TRUST_SHARE_MIN * summary->total_cents) {
        rig__text_list_add(list,
                           "%.0f %% of the price are estimates, not offers: ask for a quote",
                           100 * summary->estimate_cents / summary->total_cents);
    }
    if (summary->low_trust_cents > LOW_TRUST_SHARE_MIN * summary->total_cents) {
        rig__text_list_add(list,
                           "%.0f %% of the price rests on sources of low trust",
                           100 * summary->low_trust_cents / summary->total_cents);
    }
}

static void warn_prices(const rig_build *build,
                        const rig_constants *constants,
                        int32_t today_ymd,
                        rig__text_list *list)
{
    price_summary summary;
    memset(&summary, 0, sizeof summary);
    const double stale_days = rig_constants_get(constants, "price_stale_days");
    for (size_t i_class = 0; i_class < RIG_N_BUILD_CLASSES; i_class++) {
        const rig_part_use *const use = &build->parts[i_class];
        if (use->row == NULL || use->count < 1 || use->is_owned) {
            continue;
        }
        if (use->row->price.cents < 0) {
            rig__text_list_add(list, "'%s' has no price", use->row->name);
            continue;
        }
        if (use->row->price.date_ymd == 0) {
            rig__text_list_add(list, "price of '%s' has no date", use->row->name);
        }
        summarise_price(use, stale_days, today_ymd, &summary);
    }
    warn_summary(&summary, today_ymd, list);
}

/* ---- fit and prediction --------------------------------------------------------------------- */

static void warn_unchecked_cards(const rig__view *view, rig__text_list *list)
{
    const char *const gpu = view->gpu->row.name;
    if (view->chassis != NULL &&
        (isnan(view->gpu->length_mm) || isnan(view->chassis->max_gpu_length_mm))) {
        rig__text_list_add(list,
                           "length is not known: whether '%s' fits chassis '%s' is not checked",
                           gpu,
                           view->chassis->row.name);
    }
    if (view->psu != NULL && isnan(view->psu->conn_pcie_8pin) && isnan(view->psu->conn_12vhpwr)) {
        rig__text_list_add(list,
                           "plugs are not known: whether '%s' has enough for '%s x%d' is not "
                           "checked",
                           view->psu->row.name,
                           gpu,
                           view->n_gpus);
    }
    if (view->board != NULL && !view->is_barebone && isnan(view->board->gpu_slots_double_width)) {
        rig__text_list_add(list,
                           "slot layout of board '%s' is not known: room for '%s x%d' is bounded "
                           "by its form factor",
                           view->board->row.name,
                           gpu,
                           view->n_gpus);
    }
}

static void
warn_bounded_drives(const rig__view *view, const rig_constants *constants, rig__text_list *list)
{
    const rig_board *const board = view->board;
    if (rig__text_has_prefix_nocase(view->storage->form_factor, "M.2")) {
        if (isnan(board->m2_slots)) {
            rig__text_list_add(list,
                               "M.2 slots of '%s' are not known, bounded at %.0f",
                               board->row.name,
                               rig_constants_get(constants,
                                                 view->is_barebone ? "barebone_nvme_bays_unknown"
                                                                   : "board_m2_unknown"));
        }
        return;
    }
    const bool is_nvme = strcmp(view->storage->type, "nvme") == 0;
    if (isnan(is_nvme ? board->u2_ports : board->sata_ports)) {
        rig__text_list_add(list,
                           "%s of '%s' are not known: room for '%s x%d' is bounded",
                           is_nvme ? "NVMe bays" : "SATA ports",
                           board->row.name,
                           view->storage->row.name,
                           view->n_drives);
    }
}

static void
warn_unchecked(const rig__view *view, const rig_constants *constants, rig__text_list *list)
{
    const rig_board *const board = view->board;
    if (view->has_loose_gpu) {
        warn_unchecked_cards(view, list);
    }
    if (board == NULL) {
        return;
    }
    if (view->storage != NULL) {
        warn_bounded_drives(view, constants, list);
    }
    if (view->cpu != NULL && board->cpu_families == NULL) {
        rig__text_list_add(list,
                           "processor families of board '%s' are not known: only the socket is "
                           "checked",
                           board->row.name);
    }
    if (view->memory != NULL && isnan(board->max_mem_gb)) {
        rig__text_list_add(list,
                           "largest memory of board '%s' is not known: bounded by its slots",
                           board->row.name);
    }
}

static void warn_prediction(const rig_build_report *report,
                            const rig_request *request,
                            const rig_constants *constants,
                            rig__text_list *list)
{
    const rig_prediction *const prediction = &report->prediction;
    const double asked = request->workload.batch_per_gpu;
    const double needed_gb = rig__optimizer_storage_needed_gb(&request->workload, constants);
    if (prediction->batch_max < 1) {
        rig__text_list_add(list, "memory of the GPU does not hold the network");
    } else if (prediction->is_out_of_memory) {
        rig__text_list_add(list,
                           "%.0f GB of memory do not hold the system, the loader workers and the "
                           "GPU buffers",
                           report->totals.ram_gb);
    } else if (prediction->batch_per_gpu < asked) {
        rig__text_list_add(list,
                           "batch per GPU reduced from %.0f to %.0f: more does not fit in its "
                           "memory",
                           asked,
                           prediction->batch_per_gpu);
    }
    if (prediction->has_unknown) {
        rig__text_list_add(list, "some stage is not known: the rate is an upper bound");
    }
    if (!rig__optimizer_build_fits_workload(&report->build, &request->workload, constants)) {
        rig__text_list_add(list,
                           "the data set and the system need %.0f GB of storage, the build has "
                           "%.0f GB",
                           ceil(needed_gb),
                           report->totals.storage_gb);
    }
    if (report->totals.peak_w > request->circuit_w) { /* false if either is unknown */
        rig__text_list_add(list,
                           "the parts draw up to %.0f W, the mains circuit gives %.0f W",
                           report->totals.peak_w,
                           request->circuit_w);
    }
}

rig_status rig__optimizer_report_fill(rig_build_report *out,
                                      const rig_build *build,
                                      const rig_catalog *catalog,
                                      const rig_constants *constants,
                                      const rig_request *request,
                                      rig__arena *arena,
                                      rig_error *err)
{
    rig_machine machine;
    rig__view view;
    rig__text_list list;
    rig_workload workload = request->workload;
    if (request->is_sharded) {
        workload.shards = rig_build_nodes(build);
    }
    memset(out, 0, sizeof *out);
    memset(&list, 0, sizeof list);
    list.arena = arena;
    out->build = *build;
    if (!isnan(build->unnamed.workers)) {
        workload.workers = build->unnamed.workers;
    }
    RIG_TRY(rig_build_machine(
        build, catalog, constants, &workload, &machine, rig__text_list_sink, &list, err));
    RIG_TRY(rig_predict_machine(&machine, &workload, constants, &out->prediction, err));
    RIG_TRY(rig__optimizer_at_worst(out, catalog, constants, &workload, arena, err));
    out->price_cents = rig_build_price_cents(build);
    rig_build_totals_get(build, catalog, constants, &out->totals);
    out->cost_per_epoch_usd =
        out->price_cents < 0
            ? (double)NAN
            : rig_cost_per_epoch_usd(&out->prediction, out->price_cents, &request->economics);
    rig__view_get(build, catalog, &view);
    warn_prediction(out, request, constants, &list);
    warn_unchecked(&view, constants, &list);
    warn_prices(build, constants, request->today_ymd, &list);
    out->warnings = list.texts;
    return list.is_nomem ? rig__error_nomem(err) : RIG_OK;
}

/* ---- the whole answer ----------------------------------------------------------------------- */

void rig__optimizer_assumptions(const rig_request *request, rig__text_list *list)
{
    const rig_workload *const workload = &request->workload;
    const rig_economics *const economics = &request->economics;
    char lifetime[48];
    rig__text_list_add(list,
                       "software: %s with loader %s, precision %s",
                       workload->stack->row.name,
                       workload->loader->row.name,
                       rig_precision_name(workload->precision));
    rig__text_list_add(list,
                       "%s; preparation %s training",
                       workload->cache == RIG_CACHE_NONE     ? "no page cache between epochs"
                       : workload->cache == RIG_CACHE_PINNED ? "a cache pinned in memory"
                                                             : "free memory caches the data set",
                       workload->is_overlapped ? "overlaps" : "alternates with");
    if (request->nodes_most > 1) {
        rig__text_list_add(
            list,
            request->is_sharded
                ? "several nodes: each stores, caches and trains on its own part of the data, so "
                  "that images of different parts are not mixed anew in every epoch"
                : "several nodes: each stores all of the data and reads its share of every epoch "
                  "in random order");
    }
    rig__text_list_add(list,
                       "cost: %.3g USD/kWh, PUE %.3g, lifetime %s, %.0f %% of it in use",
                       economics->electricity_usd_kwh,
                       economics->pue,
                       rig_format_duration(lifetime, sizeof lifetime, economics->lifetime_s),
                       100 * economics->utilisation_frac);
}

static rig_status
refuse(rig_error *err, rig_status status, const char *what, double value, const char *expected)
{
    char number[32];
    return rig__error_set(err,
                          status,
                          NULL,
                          0,
                          0,
                          "%s is out of range: '%s' (%s)",
                          what,
                          rig__number_format(number, sizeof number, value),
                          expected);
}

static rig_status check_economics(const rig_economics *economics, rig_error *err)
{
    const struct {
        const char *what;
        double value, low, high;
        const char *expected;
    } figures[] = {
        {"electricity price", economics->electricity_usd_kwh, 0, DBL_MAX, "0 or more"},
        {"PUE", economics->pue, 1, DBL_MAX, "1 or more"},
        {"lifetime", economics->lifetime_s, DBL_MIN, INFINITY, "more than 0"},
        {"utilisation", economics->utilisation_frac, DBL_MIN, 1, "more than 0, at most 1"},
        {"resale", economics->resale_frac, 0, 1, "0 to 1"},
        {"interest", economics->interest_frac, 0, DBL_MAX, "0 or more"},
        {"maintenance", economics->maintenance_frac, 0, DBL_MAX, "0 or more"},
        {"hosting", economics->hosting_usd_month, 0, DBL_MAX, "0 or more"},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (!(figures[i].value >= figures[i].low && figures[i].value <= figures[i].high)) {
            return refuse(
                err, RIG_E_INVALID, figures[i].what, figures[i].value, figures[i].expected);
        }
    }
    if (economics->grid_kg_kwh < 0) { /* false when unknown */
        return refuse(err, RIG_E_INVALID, "grid factor", economics->grid_kg_kwh, "0 or more");
    }
    return RIG_OK;
}

rig_status rig__optimizer_request_check(const rig_request *request, rig_error *err)
{
    const rig_workload *const workload = &request->workload;
    const rig_economics *const economics = &request->economics;
    if (workload->network == NULL || workload->dataset == NULL || workload->loader == NULL ||
        workload->stack == NULL) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "the workload is incomplete: '%s' (network, data set, loader and "
                              "stack)",
                              workload->name == NULL ? "" : workload->name);
    }
    if ((unsigned)workload->precision > RIG_PRECISION_FP32 ||
        (unsigned)workload->cache > RIG_CACHE_PINNED) {
        return rig__error_set(
            err, RIG_E_INVALID, NULL, 0, 0, "precision or cache is no value of its list");
    }
    if (workload->batch_per_gpu < 1 || workload->epochs < 1) {
        return refuse(err,
                      RIG_E_RANGE,
                      workload->batch_per_gpu < 1 ? "batch per GPU" : "number of epochs",
                      workload->batch_per_gpu < 1 ? workload->batch_per_gpu : workload->epochs,
                      "1 or more");
    }
    if (!isnan(workload->workers) && !(workload->workers >= 1 && isfinite(workload->workers))) {
        return refuse(err, RIG_E_RANGE, "number of workers", workload->workers, "1 or more");
    }
    return check_economics(economics, err);
}
