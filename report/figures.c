/* SPDX-License-Identifier: GPL-3.0-or-later
 * Figures that every format takes from a result. */
#include "report/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "trainrig/units.h"

/* Room for any formatted quantity. */
#define TEXT_SIZE 64

int rig__report_place(const rig_result *result, size_t index)
{
    const int rank = result->builds[index].rank;
    return rank > 0 ? rank : (int)index + 1;
}

double rig__report_usd(int64_t cents)
{
    return cents < 0 ? (double)NAN : (double)cents / 100.0;
}

double rig__report_budget_usd(const rig_request *request)
{
    return request->budget_cents == INT64_MAX ? (double)NAN
                                              : rig__report_usd(request->budget_cents);
}

rig_part_use rig__report_bought(const rig_build *build, size_t table)
{
    rig_part_use use = build->parts[table];
    use.count = rig_build_count(build, (rig_table)table);
    return use;
}

const char *rig__report_nodes(rig__output *output, const rig_build *build)
{
    const int nodes = rig_build_nodes(build);
    return nodes == 1 ? "" : rig__output_string(output, "%d nodes of ", nodes);
}

int64_t rig__report_line_cents(const rig_part_use *use)
{
    if (use->is_owned) {
        return 0;
    }
    const int64_t cents = use->row->price.cents;
    return cents < 0 || use->count < 0 || cents > INT64_MAX / 1024 / 1024 ? -1 : cents * use->count;
}

const char *rig__report_trust(rig_trust trust)
{
    static const char *const names[] = {"good", "fair", "low"};
    return (size_t)trust < sizeof(names) / sizeof(names[0]) ? names[trust] : NULL;
}

const char *rig__report_status(const rig_result *result, bool is_prediction)
{
    return is_prediction ? "predicted" : rig_outcome_name(result->outcome);
}

/** Does the price of this part count towards the total? */
static bool is_bought(const rig_part_use *use)
{
    return use->row != NULL && use->count > 0 && !use->is_owned && use->row->price.cents >= 0;
}

const char *rig__report_oldest_date(const rig_build *build)
{
    const char *oldest = NULL;
    int32_t oldest_ymd = INT32_MAX;
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *use = &build->parts[i];
        if (is_bought(use) && use->row->price.date_ymd > 0 &&
            use->row->price.date_ymd < oldest_ymd) {
            oldest_ymd = use->row->price.date_ymd;
            oldest = use->row->price.date;
        }
    }
    return oldest;
}

const char *rig__report_lowest_trust(const rig_build *build)
{
    bool is_any = false;
    rig_trust lowest = RIG_TRUST_GOOD;
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *use = &build->parts[i];
        if (is_bought(use)) {
            is_any = true;
            lowest = use->row->price.trust > lowest ? use->row->price.trust : lowest;
        }
    }
    return is_any ? rig__report_trust(lowest) : NULL;
}

/** Appends the texts to a joined list. */
static const char *join(rig__output *output, const char *joined, const rig_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        joined = joined[0] == '\0' ? texts->items[i]
                                   : rig__output_string(output, "%s; %s", joined, texts->items[i]);
    }
    return joined;
}

const char *
rig__report_warnings(rig__output *output, const rig_result *result, const rig_build_report *report)
{
    return join(output, join(output, "", &report->warnings), &result->warnings);
}

/** Has a build a warning of this text? */
static bool has_warning(const rig_texts *warnings, const char *text)
{
    for (size_t i = 0; i < warnings->count; i++) {
        if (strcmp(warnings->items[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_shared(const rig_result *result, const char *text)
{
    for (size_t i = 0; i < result->n_builds; i++) {
        if (!has_warning(&result->builds[i].warnings, text)) {
            return false;
        }
    }
    return result->n_builds > 1;
}

/** The warnings of a build that are shared by all, or those that are not. */
static rig_texts
select_warnings(rig__output *output, const rig_result *result, size_t index, bool want_shared)
{
    const rig_texts *all = &result->builds[index].warnings;
    rig_texts out = {NULL, 0};
    out.items = rig__arena_alloc(output->arena, all->count, sizeof *out.items);
    if (out.items == NULL) {
        output->is_nomem = true;
        return out;
    }
    for (size_t i = 0; i < all->count; i++) {
        if (is_shared(result, all->items[i]) == want_shared) {
            out.items[out.count++] = all->items[i];
        }
    }
    return out;
}

rig_texts
rig__report_shared_warnings(rig__output *output, const rig_result *result, bool is_prediction)
{
    const rig_texts none = {NULL, 0};
    return is_prediction && result->n_builds > 1 ? select_warnings(output, result, 0, true) : none;
}

rig_texts rig__report_own_warnings(rig__output *output,
                                   const rig_result *result,
                                   size_t index,
                                   bool is_prediction)
{
    return is_prediction ? select_warnings(output, result, index, false)
                         : result->builds[index].warnings;
}

const char *rig__report_hash(rig__output *output, const rig_result *result)
{
    return rig__output_string(output, "%016" PRIx64, result->catalog_hash);
}

bool rig__report_is_text(const rig_column *column)
{
    return column->type == RIG_COLUMN_TEXT || column->type == RIG_COLUMN_DATE;
}

const char *rig__report_amount(rig__output *output, int64_t cents)
{
    char text[TEXT_SIZE];
    return cents < 0
               ? "unknown"
               : rig__output_string(output, "%s", rig_format_money(text, sizeof(text), cents));
}

const char *rig__report_money(rig__output *output, int64_t cents)
{
    char text[TEXT_SIZE];
    return cents < 0
               ? "unknown price"
               : rig__output_string(output, "USD %s", rig_format_money(text, sizeof(text), cents));
}

const char *rig__report_number(rig__output *output, double value)
{
    char text[TEXT_SIZE];
    return rig__output_string(output, "%s", rig_format_number(text, sizeof(text), value));
}

const char *rig__report_count(rig__output *output, double count, const char *noun)
{
    const bool is_one = count >= 1 && count <= 1;
    return rig__output_string(
        output, "%s %s%s", rig__report_number(output, count), noun, is_one ? "" : "s");
}

const char *rig__report_each_part(rig__output *output, const rig_requirements *requirements)
{
    return requirements->nodes < 2
               ? "each part"
               : rig__output_string(output, "each part of each of %d nodes", requirements->nodes);
}

const char *rig__report_need(rig__output *output, double need, const char *unit)
{
    if (isnan(need)) {
        return "unknown";
    }
    if (isinf(need)) {
        return "cannot be met";
    }
    if (unit != NULL && strcmp(unit, "GPUs") == 0) {
        return rig__report_count(output, need, "GPU");
    }
    return rig__output_string(
        output, "%s %s", rig__report_number(output, need), unit == NULL ? "" : unit);
}

const char *rig__report_exact(rig__output *output, double value)
{
    char text[TEXT_SIZE];
    return rig__output_string(output, "%s", rig__number_format(text, sizeof(text), value));
}

const char *rig__report_duration(rig__output *output, double seconds_s)
{
    char text[TEXT_SIZE];
    return rig__output_string(output, "%s", rig_format_duration(text, sizeof(text), seconds_s));
}

const char *rig__report_percent(rig__output *output, double frac)
{
    if (!isfinite(frac) || fabs(frac) > 1e6) {
        return "unknown";
    }
    const long tenths = lround(frac * 1000.0);
    if (tenths % 10 == 0 || labs(tenths) >= 100) {
        return rig__output_string(output, "%ld %%", lround(frac * 100.0));
    }
    return rig__output_string(
        output, "%s%ld.%ld %%", tenths < 0 ? "-" : "", labs(tenths) / 10, labs(tenths) % 10);
}

const char *rig__report_probability(rig__output *output, double probability)
{
    static const double least = 0.01; /* beyond it, the shape of the distributions is guesswork */
    if (!(probability > 0.0)) {
        return "";
    }
    if (probability < least) {
        return "<1 %";
    }
    if (probability < 1.0 && probability > 1.0 - least) {
        return ">99 %";
    }
    return rig__output_string(output, "%ld %%", lround(probability * 100.0));
}

double rig__report_binding_probability(const rig_prediction *prediction)
{
    double probabilities[RIG_N_STAGES];
    if (!isfinite(prediction->stages[prediction->binding].images_per_s)) {
        return (double)NAN;
    }
    rig_stage_probabilities(prediction, probabilities);
    return probabilities[prediction->binding];
}

const char *rig__report_uses(rig__output *output, const rig_part_use *use, rig__clean clean)
{
    if (use->row == NULL || use->count < 1) {
        return "";
    }
    const char *name = rig__output_clean(output, use->row->name, clean);
    return use->count == 1 ? name : rig__output_string(output, "%d x %s", use->count, name);
}

/** As rig__report_uses, without the maker in front of the name. */
static const char *
short_uses(rig__output *output, const rig_part_use *use, const char *vendor, rig__clean clean)
{
    const char *name = use->row->name;
    const size_t length = vendor == NULL ? 0 : strlen(vendor);
    if (length > 0 && strncmp(name, vendor, length) == 0 && name[length] == ' ' &&
        name[length + 1] != '\0') {
        name += length + 1;
    }
    const char *shown = rig__output_clean(output, name, clean);
    return use->count == 1 ? shown : rig__output_string(output, "%d x %s", use->count, shown);
}

/** "8 x NAME" of figures that a server row gives; "" when the name is unknown. */
static const char *held(rig__output *output, const char *name, double count, rig__clean clean)
{
    if (name == NULL) {
        return "";
    }
    const char *shown = rig__output_clean(output, name, clean);
    return isfinite(count)
               ? rig__output_string(output, "%s x %s", rig__report_number(output, count), shown)
               : shown;
}

/** The row as a server, NULL when the build has none. */
static const rig_server *server_of(const rig_build *build)
{
    const rig_part_use *use = &build->parts[RIG_TABLE_SERVER];
    return use->row == NULL || use->row->table != RIG_TABLE_SERVER ? NULL
                                                                   : (const rig_server *)use->row;
}

static const char *
node_gpus(rig__output *output, const rig_build *build, rig__clean clean, bool is_short)
{
    const rig_part_use *gpu = &build->parts[RIG_TABLE_GPU];
    if (gpu->row != NULL) {
        return is_short && gpu->row->table == RIG_TABLE_GPU
                   ? short_uses(output, gpu, ((const rig_gpu *)gpu->row)->vendor, clean)
                   : rig__report_uses(output, gpu, clean);
    }
    const rig_server *server = server_of(build);
    if (server != NULL) {
        return held(output, server->gpu_name, server->gpu_count, clean);
    }
    const rig_row *row = build->parts[RIG_TABLE_BASEBOARD].row;
    if (row != NULL && row->table == RIG_TABLE_BASEBOARD) {
        const rig_baseboard *board = (const rig_baseboard *)row;
        return held(output, board->gpu_name, board->gpu_count, clean);
    }
    return "";
}

const char *
rig__report_gpus(rig__output *output, const rig_build *build, rig__clean clean, bool is_short)
{
    const char *gpus = node_gpus(output, build, clean, is_short);
    return rig__output_string(output, "%s%s", rig__report_nodes(output, build), gpus);
}

const char *
rig__report_cpus(rig__output *output, const rig_build *build, rig__clean clean, bool is_short)
{
    const rig_part_use *cpu = &build->parts[RIG_TABLE_CPU];
    if (cpu->row != NULL) {
        return is_short && cpu->row->table == RIG_TABLE_CPU
                   ? short_uses(output, cpu, ((const rig_cpu *)cpu->row)->vendor, clean)
                   : rig__report_uses(output, cpu, clean);
    }
    const rig_server *server = server_of(build);
    if (server != NULL) {
        return held(output, server->cpu_name, server->cpu_count, clean);
    }
    return isfinite(build->unnamed.cores)
               ? rig__output_string(
                     output, "%s cores", rig__report_number(output, build->unnamed.cores))
               : "";
}
