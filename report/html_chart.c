/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charts as SVG within the page. Places are in percent of the width, so that the text keeps its
 * size on a narrow screen. */
#include "report/html_chart.h"

#include <math.h>

#include "report/axis.h"
#include "report/figures.h"
#include "report/html_text.h"

void rig__html_bar(rig__output *output, double load_frac, bool is_binding)
{
    rig__output_format(output,
                       "<svg class=\"bar%s\" aria-hidden=\"true\" width=\"100%%\" height=\"12\">"
                       "<rect class=\"track\" width=\"100%%\" height=\"12\"/>"
                       "<rect class=\"fill\" width=\"%s\" height=\"12\"/></svg>",
                       is_binding ? " binds" : "",
                       rig__html_share(output, load_frac));
}

/* Space around the points, as shares of the width and of the height of the plot. */
#define LEFT 0.15
#define RIGHT 0.97
#define TOP 0.04
#define BOTTOM 0.96
#define PLOT_HEIGHT 300
#define NEAR 1.5

/** The chart being drawn. */
typedef struct chart {
    rig__output *output;
    const rig_result *result;
    rig__axis price, rate;
} chart;

static double across(const chart *c, double price_usd)
{
    return LEFT + (RIGHT - LEFT) * rig__axis_place(&c->price, price_usd);
}

static double down(const chart *c, double images_per_s)
{
    return BOTTOM - (BOTTOM - TOP) * rig__axis_place(&c->rate, images_per_s);
}

static const char *x_of(const chart *c, double price_usd)
{
    return rig__html_share(c->output, across(c, price_usd));
}

static const char *y_of(const chart *c, double images_per_s)
{
    return rig__html_share(c->output, down(c, images_per_s));
}

static bool is_drawn(const rig_build_report *report)
{
    return report->price_cents > 0 && isfinite(report->prediction.images_per_s) &&
           report->prediction.images_per_s > 0.0;
}

static chart chart_new(rig__output *output, const rig_result *result, int64_t from_cents)
{
    chart c = {.output = output, .result = result};
    double low_usd = (double)INFINITY, high_usd = 0, low_rate = (double)INFINITY, high_rate = 0;
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *report = &result->builds[i];
        if (is_drawn(report)) {
            low_usd = fmin(low_usd, rig__report_usd(report->price_cents));
            high_usd = fmax(high_usd, rig__report_usd(report->price_cents));
            low_rate = fmin(low_rate, report->prediction.images_per_s);
            high_rate = fmax(high_rate, report->prediction.images_per_s);
        }
    }
    /* The ends of the range are round more often than prices are: show them if they are near. */
    const double from_usd = rig__report_usd(from_cents);
    const double to_usd = rig__report_budget_usd(&result->request);
    low_usd = from_usd > low_usd / NEAR ? fmin(from_usd, low_usd) : low_usd;
    high_usd = to_usd < high_usd * NEAR ? fmax(to_usd, high_usd) : high_usd;
    c.price = rig__axis_new(low_usd, high_usd, false);
    c.rate = rig__axis_new(low_rate, high_rate, true);
    return c;
}

/** A round price, short: "7.5k". */
static const char *price_label(const chart *c, double price_usd)
{
    return price_usd < 1000.0
               ? rig__report_number(c->output, price_usd)
               : rig__output_string(
                     c->output, "%sk", rig__report_number(c->output, price_usd / 1000.0));
}

static void put_grid(const chart *c)
{
    for (size_t i = 0; i < c->rate.n_ticks; i++) {
        const char *y = y_of(c, c->rate.ticks[i]);
        rig__output_format(c->output,
                           "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%s\" y2=\"%s\"/>"
                           "<text x=\"0\" y=\"%s\" dy=\"-4\">%s</text>\n",
                           y,
                           y,
                           y,
                           rig__report_number(c->output, c->rate.ticks[i]));
    }
    for (size_t i = 0; i < c->price.n_ticks; i++) {
        const char *x = x_of(c, c->price.ticks[i]);
        rig__output_format(c->output,
                           "<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"100%%\"/>"
                           "<text class=\"mid\" x=\"%s\" y=\"100%%\" dy=\"16\">%s</text>\n",
                           x,
                           x,
                           x,
                           price_label(c, c->price.ticks[i]));
    }
}

/** The best rate for every price is that of the point to its left. */
static void put_steps(const chart *c)
{
    rig__output_text(c->output,
                     "<svg width=\"100%\" height=\"100%\" viewBox=\"0 0 10000 10000\" "
                     "preserveAspectRatio=\"none\"><path class=\"steps\" d=\"");
    bool is_first = true;
    for (size_t i = 0; i < c->result->n_builds; i++) {
        const rig_build_report *report = &c->result->builds[i];
        if (!is_drawn(report)) {
            continue;
        }
        const long x = lround(across(c, rig__report_usd(report->price_cents)) * 10000.0);
        const long y = lround(down(c, report->prediction.images_per_s) * 10000.0);
        rig__output_format(c->output, is_first ? "M%ld %ld" : "H%ldV%ld", x, y);
        is_first = false;
    }
    rig__output_text(c->output, "\"/></svg>\n");
}

static void put_points(const chart *c)
{
    for (size_t i = 0; i < c->result->n_builds; i++) {
        const rig_build_report *report = &c->result->builds[i];
        if (!is_drawn(report)) {
            continue;
        }
        const char *gpus = rig__report_gpus(c->output, &report->build, RIG__CLEAN_UTF8, false);
        rig__output_format(c->output,
                           "<circle cx=\"%s\" cy=\"%s\" r=\"4\"><title>%s: %s images/s, epoch %s; "
                           "%s; %s binds</title></circle>\n",
                           x_of(c, rig__report_usd(report->price_cents)),
                           y_of(c, report->prediction.images_per_s),
                           rig__report_money(c->output, report->price_cents),
                           rig__report_number(c->output, report->prediction.images_per_s),
                           rig__report_duration(c->output, report->prediction.epoch_s),
                           rig__html_escape(c->output, gpus),
                           rig_stage_name(report->prediction.binding));
    }
}

void rig__html_frontier_chart(rig__output *output, const rig_result *result, int64_t from_cents)
{
    if (result->n_builds < 2) {
        return;
    }
    const chart c = chart_new(output, result, from_cents);
    const rig_build_report *first = &result->builds[0];
    const rig_build_report *last = &result->builds[result->n_builds - 1];
    rig__output_format(output,
                       "<figure>\n<svg class=\"chart\" role=\"img\" aria-label=\"Images per second "
                       "against price: from %s images/s for %s to %s images/s for %s\" "
                       "width=\"100%%\" height=\"%d\">\n"
                       "<text x=\"0\" y=\"12\">images/s%s</text>\n"
                       "<text class=\"end\" x=\"100%%\" y=\"%d\">price in USD%s</text>\n"
                       "<svg y=\"24\" width=\"100%%\" height=\"%d\" overflow=\"visible\">\n",
                       rig__report_number(output, first->prediction.images_per_s),
                       rig__report_money(output, first->price_cents),
                       rig__report_number(output, last->prediction.images_per_s),
                       rig__report_money(output, last->price_cents),
                       PLOT_HEIGHT + 68,
                       c.rate.is_log ? " (log scale)" : "",
                       PLOT_HEIGHT + 62,
                       c.price.is_log ? " (log scale)" : "",
                       PLOT_HEIGHT);
    put_grid(&c);
    put_steps(&c);
    put_points(&c);
    rig__output_text(output,
                     "</svg>\n</svg>\n<figcaption>Each point is a build that no other of the same "
                     "price or less outruns; hover over it for its figures, which the table below "
                     "holds as well.</figcaption>\n</figure>\n");
}
