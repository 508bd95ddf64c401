/* SPDX-License-Identifier: GPL-3.0-or-later
 * Imports of a market as JSON, "trainrig.import/1". */
#include "report/json_values.h"
#include "report/market_report.h"
#include "trainrig/version.h"

static json_t *classes(rig__output *output, const rig_market *market)
{
    json_t *array = json_array();
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        const rig_market_table *const from = &market->tables[t];
        if (from->n_listed + from->n_gone == 0) {
            continue;
        }
        json_t *object = json_object();
        rig__json_set(
            output, object, "class", rig__json_text(output, rig_table_singular((rig_table)t)));
        rig__json_set(output, object, "listed", rig__json_count(from->n_listed));
        rig__json_set(output, object, "rows", rig__json_count(from->n_rows));
        rig__json_set(output, object, "folded", rig__json_count(from->n_folded));
        rig__json_set(output, object, "dropped", rig__json_count(from->n_dropped));
        rig__json_set(output, object, "new", rig__json_count(from->n_new));
        rig__json_set(output, object, "repriced", rig__json_count(from->n_repriced));
        rig__json_set(output, object, "same", rig__json_count(from->n_same));
        rig__json_set(output, object, "gone", rig__json_count(from->n_gone));
        rig__json_append(output, array, object);
    }
    return array;
}

static json_t *reasons(rig__output *output, const rig_market *market)
{
    json_t *array = json_array();
    size_t n = 0;
    const rig__drop_count *const counts = rig__market_reasons(output, market, &n);
    for (size_t i = 0; i < n; i++) {
        json_t *object = json_object();
        rig__json_set(
            output, object, "class", rig__json_text(output, rig_table_singular(counts[i].table)));
        rig__json_set(output, object, "reason", rig__json_text(output, counts[i].reason));
        rig__json_set(output, object, "count", rig__json_count(counts[i].count));
        rig__json_append(output, array, object);
    }
    return array;
}

static json_t *drops(rig__output *output, const rig_market *market)
{
    json_t *array = json_array();
    for (size_t i = 0; i < market->n_drops; i++) {
        const rig_market_drop *const drop = &market->drops[i];
        json_t *object = json_object();
        rig__json_set(
            output, object, "class", rig__json_text(output, rig_table_singular(drop->table)));
        rig__json_set(output, object, "reason", rig__json_text(output, drop->reason));
        rig__json_set(output, object, "detail", rig__json_text(output, drop->detail));
        rig__json_set(output, object, "name", rig__json_text(output, drop->name));
        rig__json_set(output, object, "file", rig__json_text(output, drop->file));
        rig__json_set(output, object, "line", json_integer(drop->line));
        rig__json_append(output, array, object);
    }
    return array;
}

void rig__json_market(rig__output *output, const rig_market *market)
{
    json_t *root = json_object();
    rig__json_set(output, root, "schema", rig__json_text(output, "trainrig.import/1"));
    rig__json_set(output, root, "version", rig__json_text(output, RIG_VERSION_STRING));
    rig__json_set(output, root, "lines", rig__json_count(market->n_lines));
    rig__json_set(output, root, "specifications", rig__json_count(market->n_specs));
    rig__json_set(output, root, "broken", rig__json_count(market->n_broken));
    rig__json_set(output, root, "classes", classes(output, market));
    rig__json_set(output, root, "reasons", reasons(output, market));
    rig__json_set(output, root, "dropped", drops(output, market));
    rig__json_finish(output, root);
}
