/* SPDX-License-Identifier: GPL-3.0-or-later
 * Comparisons as table, CSV, Markdown and HTML. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/compare_figures.h"
#include "report/csv_cells.h"
#include "report/figures.h"
#include "report/sheet.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

static const double hours_of_a_week = 168.0;

double rig__offer_price_usd(const rig_offer *offer)
{
    return offer->holding == RIG_HOLDING_RENT ? (double)NAN
                                              : rig__report_usd(offer->report.price_cents);
}

bool rig__offer_is_bound(const rig_offer *offer)
{
    return offer->report.prediction.has_unknown;
}

const char *rig__offer_hardware(rig__output *output, const rig_offer *offer)
{
    const rig_build *const build = &offer->report.build;
    const char *const gpus = rig__report_gpus(output, build, RIG__CLEAN_LINE, true);
    const char *const cpus = rig__report_cpus(output, build, RIG__CLEAN_LINE, true);
    return cpus[0] == '\0' ? gpus : rig__output_string(output, "%s with %s", gpus, cpus);
}

/* ---- for people ----------------------------------------------------------------------------- */

/* The comparisons being shown, and whether each row must say which workload it is about. */
typedef struct compare_view {
    rig__sheet sheet;
    const rig_cost_comparison *const *comparisons;
    size_t n_comparisons, n_offers, n_break_evens, n_rented;
} compare_view;

static const char *workload_of(const compare_view *view, size_t i)
{
    return view->n_comparisons > 1 ? view->comparisons[i]->request.workload.name : "";
}

/* A number with its bound sign; "-" where it is not known. */
static const char *bounded(rig__output *output, double value, const char *sign)
{
    return isnan(value) ? "-"
           : isinf(value)
               ? "never"
               : rig__output_string(output, "%s%s", sign, rig__report_number(output, value));
}

static const char *machine(rig__output *output, const rig_offer *offer)
{
    return offer->holding == RIG_HOLDING_RENT
               ? rig__output_string(output, "%s", offer->label)
               : rig__output_string(
                     output, "%s: %s", offer->label, rig__offer_hardware(output, offer));
}

static const char *price(rig__output *output, const rig_offer *offer)
{
    return offer->holding == RIG_HOLDING_RENT
               ? rig__output_string(
                     output, "%s/h", rig__report_number(output, offer->cloud->usd_per_hour))
               : rig__report_amount(output, offer->report.price_cents);
}

static void add_machines(compare_view *view)
{
    static const rig__grid_column columns[] = {{"Workload", false, true},
                                               {"Machine", false, true},
                                               {"Held", false, false},
                                               {"USD", true, false},
                                               {"Images/s", true, false},
                                               {"Binds", false, false},
                                               {"USD/epoch", true, false},
                                               {"USD/run", true, false},
                                               {"Images/USD", true, false}};
    rig__output *const output = view->sheet.output;
    /* with the workload there is no room for the last column */
    const size_t skip = view->n_comparisons > 1 ? 0 : 1;
    rig__sheet_table *const table = rig__sheet_table_begin(&view->sheet,
                                                           "Machines, cheapest epoch first",
                                                           columns + skip,
                                                           N_ITEMS(columns) - 1,
                                                           view->n_offers);
    for (size_t i = 0; i < view->n_comparisons; i++) {
        for (size_t k = 0; k < view->comparisons[i]->n_offers; k++) {
            const rig_offer *const offer = &view->comparisons[i]->offers[k];
            const rig_prediction *const prediction = &offer->report.prediction;
            const bool is_bound = rig__offer_is_bound(offer);
            const char *const most = is_bound ? "<= " : "", *const least = is_bound ? ">= " : "";
            const char *const cells[N_ITEMS(columns)] = {
                workload_of(view, i),
                machine(output, offer),
                rig_holding_name(offer->holding),
                price(output, offer),
                bounded(output, prediction->images_per_s, most),
                rig_stage_name(prediction->binding),
                bounded(output, offer->cost.total_usd, least),
                bounded(output, offer->cost_per_run_usd, least),
                bounded(output, offer->images_per_usd, most)};
            rig__sheet_row(table, cells + skip);
        }
    }
}

static void add_ingredients(compare_view *view)
{
    static const rig__grid_column columns[] = {{"Workload", false, true},
                                               {"Machine", false, true},
                                               {"Capital", true, false},
                                               {"Interest", true, false},
                                               {"Upkeep", true, false},
                                               {"Hosting", true, false},
                                               {"Electricity", true, false},
                                               {"kWh", true, false},
                                               {"kg CO2", true, false}};
    rig__output *const output = view->sheet.output;
    const size_t skip = view->n_comparisons > 1 ? 0 : 1;
    const bool has_carbon = !isnan(view->comparisons[0]->request.economics.grid_kg_kwh);
    rig__sheet_table *const table =
        rig__sheet_table_begin(&view->sheet,
                               "What an epoch costs on machines of one's own, USD",
                               columns + skip,
                               N_ITEMS(columns) - skip - (has_carbon ? 0 : 1),
                               view->n_offers);
    for (size_t i = 0; i < view->n_comparisons; i++) {
        for (size_t k = 0; k < view->comparisons[i]->n_offers; k++) {
            const rig_offer *const offer = &view->comparisons[i]->offers[k];
            const rig_cost *const cost = &offer->cost;
            const double figures[] = {cost->depreciation_usd,
                                      cost->interest_usd,
                                      cost->maintenance_usd,
                                      cost->hosting_usd,
                                      cost->electricity_usd,
                                      offer->energy_kwh,
                                      offer->carbon_kg};
            const char *cells[N_ITEMS(columns)] = {workload_of(view, i), offer->label};
            for (size_t j = 0; j < N_ITEMS(figures); j++) {
                cells[2 + j] =
                    isnan(cost->total_usd) && j < 5 ? "-" : bounded(output, figures[j], "");
            }
            if (offer->holding != RIG_HOLDING_RENT) {
                rig__sheet_row(table, cells + skip);
            }
        }
    }
}

static const char *hours(rig__output *output, double hours_per_week)
{
    return hours_per_week > hours_of_a_week && isfinite(hours_per_week)
               ? rig__output_string(
                     output, "%s (a week has 168)", rig__report_number(output, hours_per_week))
               : bounded(output, hours_per_week, "");
}

static void add_break_evens(compare_view *view)
{
    static const rig__grid_column columns[] = {{"Workload", false, true},
                                               {"Own", false, true},
                                               {"Instead of", false, true},
                                               {"Rent", false, false},
                                               {"USD/epoch", true, false},
                                               {"Hours/week", true, true},
                                               {"Epochs", true, false}};
    rig__output *const output = view->sheet.output;
    const size_t skip = view->n_comparisons > 1 ? 0 : 1;
    rig__sheet_table *const table =
        rig__sheet_table_begin(&view->sheet,
                               "Owning is cheaper than renting for the same work from",
                               columns + skip,
                               N_ITEMS(columns) - skip,
                               view->n_break_evens);
    for (size_t i = 0; i < view->n_comparisons; i++) {
        const rig_cost_comparison *const comparison = view->comparisons[i];
        for (size_t k = 0; k < comparison->n_break_evens; k++) {
            const rig_break_even *const even = &comparison->break_evens[k];
            const rig_offer *const own = &comparison->offers[even->i_own];
            const rig_offer *const rent = &comparison->offers[even->i_rent];
            const char *const cells[N_ITEMS(columns)] = {
                workload_of(view, i),
                own->label,
                rent->label,
                even->is_spot ? "spot" : "on demand",
                bounded(output,
                        even->is_spot ? rent->spot_per_epoch_usd : rent->cost.total_usd,
                        rig__offer_is_bound(rent) ? ">= " : ""),
                hours(output, even->hours_per_week),
                bounded(output, even->epochs, "")};
            rig__sheet_row(table, cells + skip);
        }
    }
}

static void add_facts(compare_view *view)
{
    rig__output *const output = view->sheet.output;
    for (size_t i = 0; i < view->n_comparisons; i++) {
        const rig_cost_comparison *const comparison = view->comparisons[i];
        const rig_offer *const first = comparison->offers;
        const char *const name = i == 0 ? "Cheapest" : "";
        if (comparison->n_offers > 0 && isfinite(first->cost.total_usd)) {
            rig__sheet_fact(&view->sheet,
                            name,
                            rig__output_string(output,
                                               "%s: %s (%s), USD %s%s an epoch",
                                               comparison->request.workload.name,
                                               machine(output, first),
                                               rig_holding_name(first->holding),
                                               rig__offer_is_bound(first) ? "at least " : "",
                                               rig__report_number(output, first->cost.total_usd)));
        }
    }
    const rig_texts *const assumptions = &view->comparisons[0]->assumptions;
    for (size_t i = 0; i < assumptions->count; i++) {
        rig__sheet_fact(&view->sheet, i == 0 ? "Assumes" : "", assumptions->items[i]);
    }
    rig__sheet_fact(
        &view->sheet,
        "Rented",
        "storage of instances is not known: \"<=\" rates are upper bounds, \">=\" costs "
        "lower ones; spot prices without interruptions; transfer of data is not counted");
}

static void write_sheet(rig__output *output,
                        const rig_cost_comparison *const *comparisons,
                        size_t n_comparisons)
{
    compare_view view = {.sheet = {.output = output, .title = "Machines compared"},
                         .comparisons = comparisons,
                         .n_comparisons = n_comparisons};
    for (size_t i = 0; i < n_comparisons; i++) {
        view.n_offers += comparisons[i]->n_offers;
        view.n_break_evens += comparisons[i]->n_break_evens;
        for (size_t k = 0; k < comparisons[i]->n_offers; k++) {
            view.n_rented += comparisons[i]->offers[k].holding == RIG_HOLDING_RENT ? 1 : 0;
        }
    }
    if (n_comparisons == 1) {
        view.sheet.title = rig__output_string(
            output, "Machines compared for %s", comparisons[0]->request.workload.name);
    }
    add_facts(&view);
    add_machines(&view);
    add_ingredients(&view);
    add_break_evens(&view);
    rig__sheet_write(&view.sheet);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

/* The rented offer that an own machine must beat: cheapest epoch, on demand or spot. */
static const rig_break_even *
nearest_rival(const rig_cost_comparison *comparison, size_t i_own, bool is_spot)
{
    const rig_break_even *found = NULL;
    for (size_t k = 0; k < comparison->n_break_evens; k++) {
        const rig_break_even *const even = &comparison->break_evens[k];
        if (even->i_own == i_own && even->is_spot == is_spot && !isnan(even->hours_per_week) &&
            (found == NULL || even->hours_per_week > found->hours_per_week)) {
            found = even;
        }
    }
    return found;
}

static void
write_rival(rig__csv *out, const rig_cost_comparison *comparison, size_t i_own, bool is_spot)
{
    const rig_break_even *const even = nearest_rival(comparison, i_own, is_spot);
    rig__csv_text(out, even == NULL ? NULL : comparison->offers[even->i_rent].label);
    rig__csv_figure(out, even == NULL ? (double)NAN : even->hours_per_week);
    rig__csv_figure(out, even == NULL ? (double)NAN : even->epochs);
}

static void
write_csv(rig__output *output, const rig_cost_comparison *const *comparisons, size_t n_comparisons)
{
    static const char *const names[] = {
        "workload", "rank", "machine", "held", "hardware", "binding_stage", "is_bound"};
    static const char *const figures[] = {
#define RIG__NAME(name, value) name,
        RIG__OFFER_FIGURES(RIG__NAME)
#undef RIG__NAME
    };
    static const char *const rivals[] = {"break_even_machine",
                                         "break_even_hours_per_week",
                                         "break_even_epochs",
                                         "spot_break_even_machine",
                                         "spot_break_even_hours_per_week",
                                         "spot_break_even_epochs"};
    rig__csv out = rig__csv_begin(output);
    rig__csv_names(&out, names, N_ITEMS(names));
    rig__csv_names(&out, figures, N_ITEMS(figures));
    rig__csv_names(&out, rivals, N_ITEMS(rivals));
    rig__csv_end_row(&out);
    for (size_t i = 0; i < n_comparisons; i++) {
        for (size_t k = 0; k < comparisons[i]->n_offers; k++) {
            const rig_offer *const offer = &comparisons[i]->offers[k];
            rig__csv_text(&out, comparisons[i]->request.workload.name);
            rig__csv_number(&out, (double)(k + 1));
            rig__csv_text(&out, offer->label);
            rig__csv_text(&out, rig_holding_name(offer->holding));
            rig__csv_text(&out, rig__offer_hardware(output, offer));
            rig__csv_text(&out, rig_stage_name(offer->report.prediction.binding));
            rig__csv_bool(&out, rig__offer_is_bound(offer));
#define RIG__VALUE(name, value) rig__csv_figure(&out, value);
            RIG__OFFER_FIGURES(RIG__VALUE)
#undef RIG__VALUE
            write_rival(&out, comparisons[i], k, false);
            write_rival(&out, comparisons[i], k, true);
            rig__csv_end_row(&out);
        }
    }
}

rig_status rig_report_comparisons(const rig_cost_comparison *const *comparisons,
                                  size_t n_comparisons,
                                  const rig_report_options *options,
                                  rig_write_sink sink,
                                  void *payload,
                                  rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    if (options->format == RIG_FORMAT_CSV) {
        write_csv(&output, comparisons, n_comparisons);
    } else if (options->format == RIG_FORMAT_JSON) {
        rig__json_comparisons(&output, comparisons, n_comparisons);
    } else {
        write_sheet(&output, comparisons, n_comparisons);
    }
    return rig__output_finish(&output, err);
}
