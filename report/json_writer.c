/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON: one object with a schema; numbers are numbers, unknown is null. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report/figures.h"
#include "report/json_print.h"
#include "report/json_values.h"
#include "report/writer.h"
#include "trainrig/version.h"

/* Values may be NULL when memory is short; json_object_set_new and json_array_append_new then fail,
 * which is remembered, so the tree can be built without checks in between. */

static void set(rig__output *output, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        output->is_nomem = true;
    }
}

static void append(rig__output *output, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        output->is_nomem = true;
    }
}

/** Number, null when unknown or infinite. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(rig__output *output, const char *value)
{
    return value == NULL ? json_null()
                         : json_string(rig__output_clean(output, value, RIG__CLEAN_VALID));
}

static json_t *texts(rig__output *output, const rig_texts *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        append(output, array, text(output, list->items[i]));
    }
    return array;
}

/** Date as a person writes it, null for none. */
static json_t *date(rig__output *output, int32_t ymd)
{
    if (ymd <= 0) {
        return json_null();
    }
    return json_string(rig__output_string(
        output, "%04d-%02d-%02d", (int)(ymd / 10000), (int)(ymd / 100 % 100), (int)(ymd % 100)));
}

/* ---- request -------------------------------------------------------------------------------- */

/** Name of a row that may be missing. */
#define NAME_OF(pointer) ((pointer) == NULL ? NULL : (pointer)->row.name)

static json_t *workload(rig__output *output, const rig_workload *work)
{
    static const char *const caches[] = {"page", "none", "pinned"};
    json_t *object = json_object();
    set(output, object, "name", text(output, work->name));
    set(output, object, "network", text(output, NAME_OF(work->network)));
    set(output, object, "dataset", text(output, NAME_OF(work->dataset)));
    set(output, object, "loader", text(output, NAME_OF(work->loader)));
    set(output, object, "stack", text(output, NAME_OF(work->stack)));
    set(output, object, "precision", text(output, rig_precision_name(work->precision)));
    set(output, object, "batch_per_gpu", json_integer(work->batch_per_gpu));
    set(output, object, "epochs", json_integer(work->epochs));
    set(output,
        object,
        "cache",
        text(output, (size_t)work->cache < 3 ? caches[work->cache] : NULL));
    set(output, object, "is_overlapped", json_boolean(work->is_overlapped));
    set(output, object, "workers", number(work->workers));
    set(output, object, "is_sequential", json_boolean(work->is_sequential));
    return object;
}

static json_t *conditions(rig__output *output, const rig_request *request)
{
    static const char *const kinds[] = {"require", "forbid", "limit", "fix", "own"};
    json_t *array = json_array();
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        json_t *object = json_object();
        set(output,
            object,
            "kind",
            text(output, (size_t)condition->kind < 5 ? kinds[condition->kind] : NULL));
        set(output, object, "text", text(output, condition->text));
        append(output, array, object);
    }
    return array;
}

static json_t *request_object(rig__output *output, const rig_request *request)
{
    static const char *const distincts[] = {"gpu", "cpu", "host"};
    json_t *object = json_object();
    set(output, object, "workload", workload(output, &request->workload));
    set(output, object, "budget_usd", number(rig__report_budget_usd(request)));
    set(output, object, "objective", text(output, rig_objective_name(request->objective)));
    set(output, object, "epoch_time_max_s", number(request->epoch_time_max_s));
    set(output, object, "conditions", conditions(output, request));
    set(output, object, "top", json_integer((json_int_t)request->top));
    set(output,
        object,
        "distinct",
        text(output, (size_t)request->distinct < 3 ? distincts[request->distinct] : NULL));
    rig__json_set_economics(output, object, &request->economics);
    set(output, object, "solver", text(output, request->solver));
    set(output, object, "gap_frac", number(request->gap_frac));
    set(output, object, "time_limit_s", number(request->time_limit_s));
    set(output, object, "circuit_w", number(request->circuit_w));
    set(output, object, "nodes_least", json_integer(request->nodes_least));
    set(output, object, "nodes_most", json_integer(request->nodes_most));
    set(output, object, "data", text(output, request->is_sharded ? "sharded" : "shared"));
    set(output, object, "allow_unmeasured", json_boolean(request->allow_unmeasured));
    set(output, object, "today", date(output, request->today_ymd));
    return object;
}

/* ---- builds --------------------------------------------------------------------------------- */

static json_t *stages(rig__output *output, const rig_prediction *prediction)
{
    double probabilities[RIG_N_STAGES];
    json_t *array = json_array();
    rig_stage_probabilities(prediction, probabilities);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const rig_stage_rate *stage = &prediction->stages[i];
        const bool is_known = !isnan(stage->images_per_s);
        json_t *object = json_object();
        set(output, object, "name", text(output, rig_stage_name((rig_stage)i)));
        set(output, object, "images_per_s", number(stage->images_per_s));
        set(output, object, "slack_frac", number(stage->slack_frac));
        set(output, object, "is_known", json_boolean(is_known));
        set(output,
            object,
            "binding_probability",
            number(is_known ? probabilities[i] : (double)NAN));
        append(output, array, object);
    }
    return array;
}

static json_t *part(rig__output *output, const rig_part_use *use)
{
    const rig_price *price = &use->row->price;
    json_t *object = json_object();
    set(output, object, "class", text(output, rig_table_singular(use->row->table)));
    set(output, object, "name", text(output, use->row->name));
    set(output, object, "count", json_integer(use->count));
    set(output, object, "price_usd", number(rig__report_usd(price->cents)));
    set(output, object, "line_usd", number(rig__report_usd(rig__report_line_cents(use))));
    set(output, object, "price_kind", text(output, price->kind));
    set(output,
        object,
        "price_trust",
        text(output, price->cents < 0 ? NULL : rig__report_trust(price->trust)));
    set(output, object, "price_source", text(output, price->source));
    set(output, object, "price_date", text(output, price->date));
    set(output, object, "is_owned", json_boolean(use->is_owned));
    return object;
}

static json_t *parts(rig__output *output, const rig_build *build)
{
    json_t *array = json_array();
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        if (build->parts[i].row != NULL && build->parts[i].count > 0) {
            const rig_part_use bought = rig__report_bought(build, i);
            json_t *object = part(output, &bought);
            set(output,
                object,
                "count_per_node",
                i == RIG_TABLE_SWITCH ? json_null() : json_integer(build->parts[i].count));
            append(output, array, object);
        }
    }
    return array;
}

static json_t *unnamed_object(rig__output *output, const rig_unnamed *unnamed)
{
    json_t *object = json_object();
    set(output, object, "cores", number(unnamed->cores));
    set(output, object, "core_speed", number(unnamed->core_speed));
    set(output, object, "ram_gb", number(unnamed->ram_gb));
    set(output, object, "drive_gbs", number(unnamed->drive_gbs));
    set(output, object, "drive_iops", number(unnamed->drive_iops));
    set(output, object, "workers", number(unnamed->workers));
    return object;
}

static json_t *totals_object(rig__output *output, const rig_build_totals *totals)
{
    json_t *object = json_object();
    set(output, object, "rack_u", number(totals->rack_u));
    set(output, object, "gpu_count", number(totals->gpu_count));
    set(output, object, "gpu_mem_gb", number(totals->gpu_mem_gb));
    set(output, object, "cpu_cores", number(totals->cpu_cores));
    set(output, object, "ram_gb", number(totals->ram_gb));
    set(output, object, "storage_gb", number(totals->storage_gb));
    set(output, object, "pcie_lanes_spare", number(totals->pcie_lanes_spare));
    set(output, object, "total_power_w", number(totals->all_peak_w));
    set(output, object, "total_rack_u", number(totals->all_rack_u));
    set(output, object, "network_gbs", number(totals->network_gbs));
    set(output, object, "network_ports", number(totals->network_ports));
    return object;
}

static void set_prediction(rig__output *output, json_t *object, const rig_build_report *report)
{
    const rig_prediction *prediction = &report->prediction;
    const struct {
        const char *key;
        double value;
    } figures[] = {
        {"images_per_s", prediction->images_per_s},
        {"images_per_s_low", prediction->images_per_s_low},
        {"images_per_s_high", prediction->images_per_s_high},
        {"epoch_s", prediction->epoch_s},
        {"epoch_s_low", prediction->epoch_s_low},
        {"epoch_s_high", prediction->epoch_s_high},
        {"first_epoch_s", prediction->first_epoch_s},
        {"first_epoch_s_low", prediction->first_epoch_s_low},
        {"first_epoch_s_high", prediction->first_epoch_s_high},
        {"run_s", prediction->run_s},
        {"cost_per_epoch_usd", report->cost_per_epoch_usd},
        {"energy_kwh_per_epoch", prediction->energy_kwh_per_epoch},
        {"power_w", prediction->power_w},
        {"peak_w", report->totals.peak_w},
        {"supply_w", report->totals.supply_w},
        {"balance_frac", prediction->balance_frac},
        {"prep_images_per_s", prediction->prep_images_per_s},
        {"train_images_per_s", prediction->train_images_per_s},
        {"cache_hit_frac", prediction->cache_hit_frac},
        {"gpu_busy_frac", prediction->gpu_busy_frac},
        {"cpu_busy_frac", prediction->cpu_busy_frac},
        {"batch_per_gpu", prediction->batch_per_gpu},
        {"batch_max", prediction->batch_max},
    };
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        set(output, object, figures[i].key, number(figures[i].value));
    }
    set(output, object, "binding_stage", text(output, rig_stage_name(prediction->binding)));
    set(output,
        object,
        "first_binding_stage",
        text(output, rig_stage_name(prediction->first_binding)));
    set(output, object, "has_unknown", json_boolean(prediction->has_unknown));
    if (report->worst_parts.count > 0) {
        const rig_prediction *worst = &report->at_worst;
        set(output, object, "at_worst_images_per_s", number(worst->images_per_s));
        set(output, object, "at_worst_images_per_s_low", number(worst->images_per_s_low));
        set(output, object, "at_worst_images_per_s_high", number(worst->images_per_s_high));
        set(output, object, "at_worst_binding_stage", text(output, rig_stage_name(worst->binding)));
        set(output, object, "at_worst_parts", texts(output, &report->worst_parts));
    }
    set(output, object, "is_out_of_memory", json_boolean(prediction->is_out_of_memory));
}

static json_t *build_object(rig__output *output, const rig_result *result, size_t index)
{
    const rig_build_report *report = &result->builds[index];
    json_t *object = json_object();
    set(output, object, "rank", json_integer(rig__report_place(result, index)));
    set(output, object, "nodes", json_integer(rig_build_nodes(&report->build)));
    set(output, object, "price_usd", number(rig__report_usd(report->price_cents)));
    set_prediction(output, object, report);
    set(output, object, "stages", stages(output, &report->prediction));
    set(output, object, "parts", parts(output, &report->build));
    set(output, object, "unnamed", unnamed_object(output, &report->build.unnamed));
    set(output, object, "totals", totals_object(output, &report->totals));
    set(output, object, "comment", text(output, report->comment));
    set(output, object, "warnings", texts(output, &report->warnings));
    return object;
}

/* ---- whole answers -------------------------------------------------------------------------- */

/** Prints and frees a tree. */
static void print(rig__output *output, json_t *root)
{
    if (!output->is_nomem) {
        rig__json_print(output, root);
        rig__output_text(output, "\n");
    }
    json_decref(root);
}

static json_t *root_object(rig__output *output, const char *schema)
{
    json_t *root = json_object();
    set(output, root, "schema", text(output, schema));
    set(output, root, "version", text(output, RIG_VERSION_STRING));
    return root;
}

static json_t *proof_object(rig__output *output, const rig_proof *proof)
{
    json_t *object = json_object();
    set(output, object, "method", text(output, proof->method));
    set(output, object, "bound_images_per_s", number(proof->bound_images_per_s));
    set(output, object, "gap_frac", number(proof->gap_frac));
    set(output, object, "n_options", json_integer(proof->n_options));
    set(output, object, "n_reduced", json_integer(proof->n_reduced));
    set(output, object, "n_evaluated", json_integer(proof->n_evaluated));
    set(output, object, "n_solver_calls", json_integer(proof->n_solver_calls));
    set(output, object, "n_solver_nodes", json_integer(proof->n_solver_nodes));
    return object;
}

static json_t *conflict_array(rig__output *output, const rig_result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->n_conflict; i++) {
        json_t *object = json_object();
        set(output, object, "condition", text(output, result->conflict[i].condition));
        set(output, object, "detail", text(output, result->conflict[i].detail));
        append(output, array, object);
    }
    return array;
}

static void set_outcome(rig__output *output, json_t *root, const rig_result *result)
{
    const bool is_infeasible = result->outcome == RIG_OUTCOME_INFEASIBLE;
    set(output, root, "outcome", text(output, rig_outcome_name(result->outcome)));
    set(output, root, "proof", proof_object(output, &result->proof));
    set(output, root, "conflict", conflict_array(output, result));
    set(output,
        root,
        "is_conflict_minimal",
        is_infeasible ? json_boolean(result->is_conflict_minimal) : json_null());
    set(output,
        root,
        "least_budget_usd",
        is_infeasible ? number(rig__report_usd(result->least_budget_cents)) : json_null());
}

/** The builds and the texts about the answer; prints and frees the tree. */
static void finish_result(rig__output *output, json_t *root, const rig_result *result)
{
    json_t *builds = json_array();
    for (size_t i = 0; i < result->n_builds; i++) {
        append(output, builds, build_object(output, result, i));
    }
    set(output, root, "builds", builds);
    set(output, root, "reasons", texts(output, &result->reasons));
    set(output, root, "assumptions", texts(output, &result->assumptions));
    set(output, root, "warnings", texts(output, &result->warnings));
    print(output, root);
}

static void write_result(rig__output *output, const rig_result *result, bool is_prediction)
{
    json_t *root =
        root_object(output, is_prediction ? "trainrig.predict/1" : "trainrig.recommend/1");
    set(output, root, "catalog_hash", text(output, rig__report_hash(output, result)));
    set(output, root, "request", request_object(output, &result->request));
    if (!is_prediction) {
        set_outcome(output, root, result);
    }
    finish_result(output, root, result);
}

static void write_frontier(rig__output *output, const rig_result *result, int64_t from_cents)
{
    json_t *root = root_object(output, "trainrig.frontier/1");
    set(output, root, "catalog_hash", text(output, rig__report_hash(output, result)));
    set(output, root, "request", request_object(output, &result->request));
    set(output, root, "from_usd", number(rig__report_usd(from_cents)));
    set(output, root, "to_usd", number(rig__report_budget_usd(&result->request)));
    set_outcome(output, root, result);
    finish_result(output, root, result);
}

static json_t *requirement_object(rig__output *output, const rig_requirement *item)
{
    const bool is_met = item->cheapest.row != NULL;
    json_t *object = json_object();
    set(output, object, "stage", text(output, rig_stage_name(item->stage)));
    set(output, object, "what", text(output, item->what));
    set(output, object, "unit", text(output, item->unit));
    set(output, object, "need", number(item->need));
    set(output, object, "need_first_epoch", number(item->need_first_epoch));
    set(output,
        object,
        "can_be_met",
        isnan(item->need) ? json_null() : json_boolean(!isinf(item->need)));
    set(output, object, "part", is_met ? part(output, &item->cheapest) : json_null());
    set(output,
        object,
        "price_usd",
        is_met ? number(rig__report_usd(item->price_cents)) : json_null());
    set(output, object, "comment", text(output, item->comment));
    return object;
}

static void write_requirements(rig__output *output, const rig_requirements *requirements)
{
    json_t *root = root_object(output, "trainrig.require/1");
    set(output, root, "target_images_per_s", number(requirements->target_images_per_s));
    set(output, root, "epoch_s", number(requirements->epoch_s));
    set(output, root, "nodes", json_integer(requirements->nodes < 2 ? 1 : requirements->nodes));
    json_t *items = json_array();
    for (size_t i = 0; i < requirements->n_items; i++) {
        append(output, items, requirement_object(output, &requirements->items[i]));
    }
    set(output, root, "requirements", items);
    set(output, root, "warnings", texts(output, &requirements->warnings));
    print(output, root);
}

static json_t *cell(rig__output *output, const rig_row *row, const rig__report_column *column)
{
    if (column->column == NULL) {
        return text(output, row->name);
    }
    return rig__report_is_text(column->column) ? text(output, rig_row_text(row, column->column))
                                               : number(rig_row_number(row, column->column));
}

static void write_rows(rig__output *output,
                       const rig_row *const *rows,
                       size_t n_rows,
                       const rig__report_column *columns,
                       size_t n_columns,
                       bool is_all_columns)
{
    (void)is_all_columns;
    json_t *root = root_object(output, "trainrig.catalog/1");
    set(output, root, "table", text(output, n_rows > 0 ? rig_table_stem(rows[0]->table) : NULL));
    json_t *array = json_array();
    for (size_t i = 0; i < n_rows; i++) {
        json_t *object = json_object();
        for (size_t j = 0; j < n_columns; j++) {
            set(output, object, columns[j].name, cell(output, rows[i], &columns[j]));
        }
        append(output, array, object);
    }
    set(output, root, "rows", array);
    print(output, root);
}

const rig__writer rig__json_writer = {
    .name = "json",
    .write_result = write_result,
    .write_frontier = write_frontier,
    .write_requirements = write_requirements,
    .write_rows = write_rows,
};
