/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences for people about a result; the words are the same in every format. */
#include <math.h>
#include <string.h>

#include "report/figures.h"

/** Name of the workload, or network and data set when it has none. */
static const char *workload_name(rig__output *output, const rig_workload *workload)
{
    if (workload->name != NULL) {
        return rig__output_clean(output, workload->name, RIG__CLEAN_LINE);
    }
    return workload->network == NULL
               ? "the workload"
               : rig__output_clean(output, workload->network->row.name, RIG__CLEAN_LINE);
}

/** What the objective seeks. */
static const char *goal(rig_objective objective)
{
    switch (objective) {
    case RIG_OBJECTIVE_EPOCH_TIME:
        return "Fastest build";
    case RIG_OBJECTIVE_PRICE:
        return "Cheapest build";
    case RIG_OBJECTIVE_COST_PER_EPOCH:
        return "Build with the least cost per epoch";
    case RIG_OBJECTIVE_IMAGES_PER_DOLLAR:
        return "Build with the most images/s per dollar";
    }
    return "Build";
}

const char *rig__report_title(rig__output *output, const rig_result *result, bool is_prediction)
{
    const rig_request *request = &result->request;
    const char *workload = workload_name(output, &request->workload);
    if (is_prediction) {
        return rig__output_string(output, "Prediction for %s", workload);
    }
    const char *budget = "";
    if (request->budget_cents != INT64_MAX) {
        budget = rig__output_string(
            output, " within %s", rig__report_money(output, request->budget_cents));
    }
    const char *limit = "";
    if (isfinite(request->epoch_time_max_s)) {
        limit = rig__output_string(
            output, ", epoch at most %s", rig__report_duration(output, request->epoch_time_max_s));
    }
    return rig__output_string(
        output, "%s%s for %s%s", goal(request->objective), budget, workload, limit);
}

const char *
rig__report_frontier_title(rig__output *output, const rig_result *result, int64_t from_cents)
{
    const char *to = result->request.budget_cents == INT64_MAX
                         ? "any price"
                         : rig__report_amount(output, result->request.budget_cents);
    return rig__output_string(output,
                              "Frontier from %s to %s for %s",
                              rig__report_money(output, from_cents),
                              to,
                              workload_name(output, &result->request.workload));
}

const char *rig__report_frontier_proof(rig__output *output, const rig_result *result)
{
    switch (result->outcome) {
    case RIG_OUTCOME_INFEASIBLE:
        return "proved that no build of the frontier lies in this range";
    case RIG_OUTCOME_LIMIT:
        return "stopped by a limit before a build was found";
    case RIG_OUTCOME_FEASIBLE:
        return rig__output_string(
            output,
            "stopped by a limit: builds below %s are missing",
            rig__report_money(output, result->n_builds == 0 ? -1 : result->builds[0].price_cents));
    case RIG_OUTCOME_OPTIMAL:
        break;
    }
    return rig__output_string(output,
                              "proved complete: %zu build%s, and no other build of the same "
                              "price or less is faster than the one listed",
                              result->n_builds,
                              result->n_builds == 1 ? "" : "s");
}

const char *rig__report_changes(rig__output *output, const rig_result *result, size_t index)
{
    const char *text = "";
    for (size_t i = 0; index > 0 && i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *before = &result->builds[index - 1].build.parts[i];
        const rig_part_use *after = &result->builds[index].build.parts[i];
        if (i != RIG_TABLE_GPU && (before->row != after->row || before->count != after->count)) {
            text = rig__output_string(output,
                                      "%s%s%s",
                                      text,
                                      text[0] == '\0' ? "" : ", ",
                                      rig_table_singular((rig_table)i));
        }
    }
    return text;
}

const char *rig__report_step(rig__output *output, const rig_result *result, size_t index)
{
    if (index == 0) {
        return "";
    }
    const rig_build_report *before = &result->builds[index - 1], *after = &result->builds[index];
    const rig_part_use *gpu_before = &before->build.parts[RIG_TABLE_GPU];
    const rig_part_use *gpu_after = &after->build.parts[RIG_TABLE_GPU];
    const bool is_other_gpu =
        gpu_before->row != gpu_after->row || gpu_before->count != gpu_after->count;
    const char *others = rig__report_changes(output, result, index);
    return rig__output_string(
        output,
        "%s%s%s; +%s images/s for %s more",
        is_other_gpu ? "gpu" : "",
        is_other_gpu && others[0] != '\0' ? ", " : "",
        others,
        rig__report_number(output,
                           after->prediction.images_per_s - before->prediction.images_per_s),
        rig__report_money(output, after->price_cents - before->price_cents));
}

double rig__report_gain_per_usd(const rig_result *result, size_t index)
{
    if (index == 0) {
        return (double)NAN;
    }
    const rig_build_report *before = &result->builds[index - 1], *after = &result->builds[index];
    const double more_usd =
        rig__report_usd(after->price_cents) - rig__report_usd(before->price_cents);
    const double gain = after->prediction.images_per_s - before->prediction.images_per_s;
    return more_usd > 0 ? gain / more_usd : (double)NAN;
}

const char *rig__report_proof(rig__output *output, const rig_result *result)
{
    const rig_proof *proof = &result->proof;
    switch (result->outcome) {
    case RIG_OUTCOME_INFEASIBLE:
        return "proved infeasible";
    case RIG_OUTCOME_LIMIT:
        return "stopped by a limit before a build was found";
    case RIG_OUTCOME_FEASIBLE:
        return rig__output_string(output,
                                  "not proved optimal; gap at most %s, no build is faster than %s "
                                  "images/s",
                                  rig__report_percent(output, proof->gap_frac),
                                  rig__report_number(output, proof->bound_images_per_s));
    case RIG_OUTCOME_OPTIMAL:
        break;
    }
    if (proof->gap_frac > 0.0) {
        return rig__output_string(output,
                                  "proved optimal within a gap of %s",
                                  rig__report_percent(output, proof->gap_frac));
    }
    return "proved optimal";
}

const char *rig__report_rate(rig__output *output, const rig_prediction *prediction)
{
    if (prediction->is_out_of_memory) {
        return "does not run: the memory is too small";
    }
    return rig__output_string(output,
                              "%s%s images/s (90 %% interval %s to %s)",
                              prediction->has_unknown ? "at most " : "",
                              rig__report_number(output, prediction->images_per_s),
                              rig__report_number(output, prediction->images_per_s_low),
                              rig__report_number(output, prediction->images_per_s_high));
}

const char *rig__report_at_worst(rig__output *output, const rig_build_report *report)
{
    const rig_prediction *const worst = &report->at_worst;
    const char *parts = "";
    if (report->worst_parts.count == 0) {
        return "";
    }
    for (size_t i = 0; i < report->worst_parts.count; i++) {
        parts = rig__output_string(
            output, "%s%s%s", parts, i > 0 ? "; " : "", report->worst_parts.items[i]);
    }
    if (worst->is_out_of_memory || !(worst->images_per_s > 0.0)) {
        return rig__output_string(output, "does not run with %s", parts);
    }
    return rig__output_string(output,
                              "%s images/s (90 %% interval %s to %s), %s binds, with %s",
                              rig__report_number(output, worst->images_per_s),
                              rig__report_number(output, worst->images_per_s_low),
                              rig__report_number(output, worst->images_per_s_high),
                              rig_stage_name(worst->binding),
                              parts);
}

const char *rig__report_epoch(rig__output *output, const rig_prediction *prediction, int epochs)
{
    if (prediction->is_out_of_memory) {
        return "none";
    }
    return rig__output_string(output,
                              "%s (%s to %s); first epoch %s (%s to %s); %s %s",
                              rig__report_duration(output, prediction->epoch_s),
                              rig__report_duration(output, prediction->epoch_s_low),
                              rig__report_duration(output, prediction->epoch_s_high),
                              rig__report_duration(output, prediction->first_epoch_s),
                              rig__report_duration(output, prediction->first_epoch_s_low),
                              rig__report_duration(output, prediction->first_epoch_s_high),
                              rig__report_count(output, epochs, "epoch"),
                              rig__report_duration(output, prediction->run_s));
}

const char *rig__report_training(rig__output *output,
                                 const rig_workload *workload,
                                 const rig_prediction *prediction)
{
    const bool is_smaller = prediction->batch_per_gpu < (double)workload->batch_per_gpu;
    const char *asked = "";
    if (is_smaller) {
        asked = rig__output_string(output, " (%d do not fit)", workload->batch_per_gpu);
    }
    const char *loader =
        workload->loader == NULL
            ? "unknown"
            : rig__output_clean(output, workload->loader->row.name, RIG__CLEAN_LINE);
    const char *stack = workload->stack == NULL
                            ? "unknown"
                            : rig__output_clean(output, workload->stack->row.name, RIG__CLEAN_LINE);
    return rig__output_string(output,
                              "batch %s per GPU%s, precision %s, loader %s, stack %s",
                              rig__report_number(output, prediction->batch_per_gpu),
                              asked,
                              rig_precision_name(workload->precision),
                              loader,
                              stack);
}

static const char *all_peak(rig__output *output, const rig_build_totals *totals)
{
    return isfinite(totals->all_peak_w)
               ? rig__output_string(output,
                                    "; %s W of all nodes and switches",
                                    rig__report_number(output, totals->all_peak_w))
               : "; power of a switch is not known";
}

const char *rig__report_network(rig__output *output, const rig_build_report *report)
{
    const rig_build_totals *totals = &report->totals;
    if (rig_build_nodes(&report->build) < 2) {
        return "";
    }
    if (!isfinite(totals->network_gbs)) {
        return "unknown";
    }
    const char *ports = rig__report_count(output, totals->network_ports, "port");
    const char *rate = rig__report_number(output, totals->network_gbs);
    const bool has_switch = report->build.parts[RIG_TABLE_SWITCH].row != NULL;
    return rig__output_string(output,
                              "%s GB/s in each direction between nodes, %s of each node %s",
                              rate,
                              ports,
                              has_switch ? "on the switch" : "joined directly, without a switch");
}

const char *rig__report_power(rig__output *output, const rig_build_report *report)
{
    const char *supply = "";
    if (isfinite(report->totals.supply_w)) {
        supply = rig__output_string(
            output, ", supply %s W", rig__report_number(output, report->totals.supply_w));
    }
    const double power_w = report->prediction.power_w;
    const bool is_cluster = rig_build_nodes(&report->build) > 1;
    const char *average =
        isfinite(power_w) ? rig__output_string(output,
                                               "%s W average at the wall (supply loss included)",
                                               rig__report_number(output, power_w))
                          : "average at the wall unknown";
    return rig__output_string(output,
                              "%s%s; parts up to %s W%s%s%s",
                              average,
                              is_cluster ? ", all nodes" : "",
                              rig__report_number(output, report->totals.peak_w),
                              supply,
                              is_cluster ? " of each node" : "",
                              is_cluster ? all_peak(output, &report->totals) : "");
}

/** Amounts below a dollar with three significant digits, others in cents. */
static const char *small_money(rig__output *output, double amount_usd)
{
    if (!isfinite(amount_usd)) {
        return "unknown";
    }
    return amount_usd < 1.0 || amount_usd > 1e12
               ? rig__output_string(output, "USD %s", rig__report_number(output, amount_usd))
               : rig__report_money(output, llround(amount_usd * 100.0));
}

const char *rig__report_cost(rig__output *output, const rig_build_report *report)
{
    return rig__output_string(output,
                              "%s per epoch (capital, and %s kWh of electricity)",
                              small_money(output, report->cost_per_epoch_usd),
                              rig__report_number(output, report->prediction.energy_kwh_per_epoch));
}

/* Closer than this, neither side is said to wait. */
#define BALANCED_FRAC 0.005

const char *rig__report_balance(rig__output *output, const rig_prediction *prediction)
{
    const double prep = prediction->prep_images_per_s;
    const double train = prediction->train_images_per_s;
    if (isnan(prep) || isnan(train) || prep <= 0.0 || train <= 0.0) {
        return "unknown";
    }
    if (isinf(prep)) {
        return "preparation does not limit; the GPUs never wait for data";
    }
    if (fabs(prep - train) <= BALANCED_FRAC * train) {
        return "preparation and training take equal time";
    }
    if (prep < train) {
        return rig__output_string(output,
                                  "preparation is the slower side: the GPUs wait %s of the time",
                                  rig__report_percent(output, 1.0 - prep / train));
    }
    return rig__output_string(output,
                              "training is the slower side: preparation has %s to spare",
                              rig__report_percent(output, 1.0 - train / prep));
}

const char *
rig__report_total(rig__output *output, const rig_result *result, const rig_build_report *report)
{
    const int64_t budget_cents = result->request.budget_cents;
    const char *total = rig__report_money(output, report->price_cents);
    if (budget_cents == INT64_MAX || budget_cents <= 0 || report->price_cents < 0) {
        return total;
    }
    const int64_t spare_cents = budget_cents - report->price_cents;
    const double spare_frac = (double)spare_cents / (double)budget_cents;
    if (spare_cents < 0) {
        return rig__output_string(
            output, "%s, over the budget by %s", total, rig__report_money(output, -spare_cents));
    }
    return rig__output_string(output,
                              "%s; %s (%s) of the budget left",
                              total,
                              rig__report_money(output, spare_cents),
                              rig__report_percent(output, spare_frac));
}

const char *rig__report_stage_remark(rig__output *output,
                                     const rig_workload *workload,
                                     const rig_prediction *prediction,
                                     rig_stage stage)
{
    const double rate = prediction->stages[stage].images_per_s;
    if (stage == prediction->binding && isfinite(rate)) {
        return stage == prediction->first_binding ? "binds" : "binds in later epochs";
    }
    if (stage != prediction->first_binding) {
        return "";
    }
    /* the rate in the table is that of later epochs, perhaps "no limit" */
    const double first_rate = workload->dataset == NULL
                                  ? (double)NAN
                                  : workload->dataset->images / prediction->first_epoch_s;
    return isfinite(first_rate) ? rig__output_string(output,
                                                     "binds in the first epoch, %s images/s",
                                                     rig__report_number(output, first_rate))
                                : "binds in the first epoch";
}

const char *rig__report_stage_rate(rig__output *output, const rig_stage_rate *rate)
{
    if (isnan(rate->images_per_s)) {
        return "unknown";
    }
    return isinf(rate->images_per_s) ? "no limit" : rig__report_number(output, rate->images_per_s);
}
