/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pieces of a page about one build or a list of builds. */
#include "report/html_parts.h"

#include <math.h>

#include "report/figures.h"
#include "report/html_chart.h"
#include "report/html_text.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

const char *rig__html_hardware(rig__output *output, const rig_build *build)
{
    const rig_part_use *server = &build->parts[RIG_TABLE_SERVER];
    const char *gpus =
        rig__html_escape(output, rig__report_gpus(output, build, RIG__CLEAN_UTF8, false));
    const char *host = rig__html_escape(
        output,
        server->row != NULL ? rig__report_uses(output, server, RIG__CLEAN_UTF8)
                            : rig__report_cpus(output, build, RIG__CLEAN_UTF8, false));
    if (gpus[0] == '\0' || host[0] == '\0') {
        return gpus[0] == '\0' ? host : gpus;
    }
    return rig__output_string(output, "%s %s %s", gpus, server->row != NULL ? "in" : "with", host);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/** Kind, date, trust and source of a price. */
static const char *price_origin(rig__output *output, const rig_part_use *use)
{
    const rig_price *price = &use->row->price;
    if (use->is_owned) {
        return "owned already";
    }
    if (price->cents < 0) {
        return "price unknown";
    }
    const char *text = rig__html_escape(output, price->kind == NULL ? "price" : price->kind);
    if (price->date != NULL) {
        text = rig__output_string(output, "%s, %s", text, rig__html_escape(output, price->date));
    }
    text = rig__output_string(output, "%s, trust %s", text, rig__report_trust(price->trust));
    return price->source == NULL
               ? text
               : rig__output_string(
                     output, "%s, source: %s", text, rig__html_source(output, price->source));
}

static void put_part(rig__output *output, rig_table table, const rig_part_use *use)
{
    const rig_price *price = &use->row->price;
    const bool is_low = !use->is_owned && price->cents >= 0 && price->trust == RIG_TRUST_LOW;
    rig__output_format(output,
                       "<tr><th scope=\"row\"><small>%s</small> %s<small class=\"%s\">%s</small>"
                       "</th><td>%d</td><td>%s</td><td>%s</td></tr>\n",
                       rig_table_singular(table),
                       rig__html_escape(output, use->row->name),
                       is_low ? "origin low" : "origin",
                       price_origin(output, use),
                       use->count,
                       rig__report_amount(output, price->cents),
                       rig__report_amount(output, rig__report_line_cents(use)));
}

static void put_given(rig__output *output, const rig_unnamed *unnamed)
{
    const struct {
        const char *what;
        double value;
    } given[] = {
        {"cores", unnamed->cores},
        {"GB of memory", unnamed->ram_gb},
        {"GB/s of storage", unnamed->drive_gbs},
        {"random reads per second", unnamed->drive_iops},
        {"loader workers", unnamed->workers},
    };
    for (size_t i = 0; i < N_ITEMS(given); i++) {
        if (isfinite(given[i].value)) {
            rig__output_format(output,
                               "<tr><th scope=\"row\"><small>given</small> %s</th>"
                               "<td>%s</td><td></td><td></td></tr>\n",
                               given[i].what,
                               rig__report_number(output, given[i].value));
        }
    }
}

void rig__html_parts(rig__output *output, const rig_result *result, const rig_build_report *report)
{
    rig__output_text(
        output,
        "<div class=\"wide\"><table>\n<caption>Parts and prices in US dollars"
        "</caption>\n<thead><tr><th scope=\"col\">Part</th><th scope=\"col\">Count</th>"
        "<th scope=\"col\">Each</th><th scope=\"col\">Together</th></tr></thead>\n"
        "<tbody>\n");
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use use = rig__report_bought(&report->build, i);
        if (use.row != NULL && use.count > 0) {
            put_part(output, (rig_table)i, &use);
        }
    }
    put_given(output, &report->build.unnamed);
    rig__output_format(output,
                       "</tbody>\n<tfoot><tr><th scope=\"row\">Total</th><td></td><td></td><td>%s"
                       "</td></tr></tfoot>\n</table></div>\n<p>Total: %s. Not included: %s.</p>\n",
                       rig__report_amount(output, report->price_cents),
                       rig__report_total(output, result, report),
                       RIG__REPORT_NOT_INCLUDED);
}

/* ---- performance ---------------------------------------------------------------------------- */

void rig__html_stages(rig__output *output,
                      const rig_workload *workload,
                      const rig_prediction *prediction)
{
    rig__output_text(output,
                     "<div class=\"wide\"><table class=\"stages\">\n<caption>What each stage can "
                     "deliver, and how much of it is left</caption>\n<thead><tr><th scope=\"col\">"
                     "Stage</th><th scope=\"col\">Images/s</th><th scope=\"col\">Slack</th>"
                     "<th scope=\"col\">Binds</th><th scope=\"col\" class=\"load\">Load</th>"
                     "</tr></thead>\n<tbody>\n");
    double probabilities[RIG_N_STAGES];
    rig_stage_probabilities(prediction, probabilities);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const rig_stage_rate *stage = &prediction->stages[i];
        const char *remark = rig__report_stage_remark(output, workload, prediction, (rig_stage)i);
        const bool is_known = isfinite(stage->images_per_s);
        const bool is_binding = i == (size_t)prediction->binding && is_known;
        const double load_frac = 1.0 - stage->slack_frac;
        const char *chance = is_known ? rig__report_probability(output, probabilities[i]) : "";
        rig__output_format(output,
                           "<tr%s><th scope=\"row\">%s%s%s%s</th><td>%s</td><td>%s</td><td>%s"
                           "</td><td>",
                           is_binding ? " class=\"binds\"" : "",
                           rig_stage_name((rig_stage)i),
                           remark[0] == '\0' ? "" : " <b>",
                           remark,
                           remark[0] == '\0' ? "" : "</b>",
                           rig__report_stage_rate(output, stage),
                           is_known ? rig__report_percent(output, stage->slack_frac) : "",
                           rig__html_escape(output, chance));
        if (is_known) {
            rig__html_bar(output, load_frac, is_binding);
        }
        rig__output_text(output, "</td></tr>\n");
    }
    rig__output_text(output, "</tbody>\n</table></div>\n");
}

void rig__html_performance(rig__output *output,
                           const rig_result *result,
                           const rig_build_report *report)
{
    const rig_workload *workload = &result->request.workload;
    const rig_prediction *prediction = &report->prediction;
    rig__output_text(output, "<dl>\n");
    rig__html_fact(output, "Rate", rig__report_rate(output, prediction));
    if (report->worst_parts.count > 0) {
        rig__html_fact(output, "At worst", rig__report_at_worst(output, report));
    }
    rig__html_fact(output, "Epoch", rig__report_epoch(output, prediction, workload->epochs));
    rig__html_fact(output, "Training", rig__report_training(output, workload, prediction));
    rig__html_fact(output, "Balance", rig__report_balance(output, prediction));
    const char *network = rig__report_network(output, report);
    if (network[0] != '\0') {
        rig__html_fact(output, "Network", network);
    }
    rig__html_fact(output, "Power", rig__report_power(output, report));
    rig__html_fact(output, "Cost", rig__report_cost(output, report));
    rig__output_text(output, "</dl>\n");
}

/* ---- lists ---------------------------------------------------------------------------------- */

/** All parts of a build in one line, for a frontier, where each has no section of its own. */
static void put_part_names(rig__output *output, const rig_build *build)
{
    rig__output_text(output, "<details><summary>parts</summary>");
    bool is_first = true;
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const char *text = rig__report_uses(output, &build->parts[i], RIG__CLEAN_UTF8);
        if (text[0] != '\0') {
            rig__output_format(
                output, "%s%s", is_first ? "" : "; ", rig__html_escape(output, text));
            is_first = false;
        }
    }
    rig__output_text(output, "</details>");
}

static void
put_listed(rig__output *output, const rig_result *result, size_t index, bool is_frontier)
{
    const rig_build_report *report = &result->builds[index];
    const rig_prediction *prediction = &report->prediction;
    const bool is_bad = prediction->is_out_of_memory;
    rig__output_format(
        output,
        "<tr><th scope=\"row\">%d</th><td>%s</td><td>%s</td><td>%s</td><td>%s<small>%s</small>",
        rig__report_place(result, index),
        rig__report_amount(output, report->price_cents),
        is_bad ? "none" : rig__report_number(output, prediction->images_per_s),
        is_bad ? "none" : rig__report_duration(output, prediction->epoch_s),
        rig__html_hardware(output, &report->build),
        is_bad ? "does not run: the memory is too small"
               : rig__output_string(output, "%s binds", rig_stage_name(prediction->binding)));
    const char *comment = is_frontier ? rig__report_step(output, result, index) : report->comment;
    if (comment != NULL && comment[0] != '\0') {
        rig__output_format(output, "<small>%s</small>", rig__html_escape(output, comment));
    }
    if (is_frontier) {
        put_part_names(output, &report->build);
    }
    rig__output_text(output, "</td></tr>\n");
}

void rig__html_list(rig__output *output,
                    const rig_result *result,
                    const char *caption,
                    bool is_frontier)
{
    rig__output_format(output,
                       "<div class=\"wide\"><table class=\"list\">\n<caption>%s</caption>\n<thead>"
                       "<tr><th scope=\"col\">#</th><th scope=\"col\">USD</th><th scope=\"col\">"
                       "Images/s</th><th scope=\"col\">Epoch</th><th scope=\"col\">Build</th></tr>"
                       "</thead>\n<tbody>\n",
                       caption);
    for (size_t i = 0; i < result->n_builds; i++) {
        put_listed(output, result, i, is_frontier);
    }
    rig__output_text(output, "</tbody>\n</table></div>\n");
}
