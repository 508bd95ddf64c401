/* SPDX-License-Identifier: GPL-3.0-or-later
 * Public entry points of the reports: choose the writer, resolve columns, run it. */
#include "trainrig/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "report/writer.h"

/* Indexed by rig_format. */
static const rig__writer *const writers[] = {
    &rig__table_writer,
    &rig__csv_writer,
    &rig__json_writer,
    &rig__markdown_writer,
    &rig__html_writer,
};
#define N_WRITERS (sizeof(writers) / sizeof(writers[0]))

/* Farthest spelling that is still offered as a hint; at most half of it may differ. */
#define HINT_DISTANCE 3U

static size_t hint_limit(const char *text)
{
    const size_t half = (strlen(text) + 1) / 2;
    return half < HINT_DISTANCE ? half : HINT_DISTANCE;
}

rig_status rig_format_parse(const char *text, rig_format *out, rig_error *err)
{
    const rig__writer *nearest = NULL;
    size_t least = hint_limit(text) + 1;
    for (size_t i = 0; i < N_WRITERS; i++) {
        const size_t distance = rig__text_distance(text, writers[i]->name, least);
        if (distance == 0) {
            *out = (rig_format)i;
            return RIG_OK;
        }
        if (distance < least) {
            least = distance;
            nearest = writers[i];
        }
    }
    const rig_status status = rig__error_set(err,
                                             RIG_E_INVALID,
                                             NULL,
                                             0,
                                             0,
                                             "unknown format: '%.64s' (expected table, csv, "
                                             "json, markdown or html)",
                                             text);
    if (nearest != NULL) {
        rig__error_hint(err, "did you mean '%s'?", nearest->name);
    }
    return status;
}

rig_report_options rig_report_options_default(void)
{
    const rig_report_options options = {.format = RIG_FORMAT_TABLE, .width = 80};
    return options;
}

/** The writer asked for; an out-of-range format is the caller's mistake. */
static const rig__writer *writer_of(const rig_report_options *options)
{
    assert((size_t)options->format < N_WRITERS);
    return writers[options->format];
}

rig_status rig_report_result(const rig_result *result,
                             bool is_prediction,
                             const rig_report_options *options,
                             rig_write_sink sink,
                             void *payload,
                             rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    writer_of(options)->write_result(&output, result, is_prediction);
    return rig__output_finish(&output, err);
}

rig_status rig_report_frontier(const rig_result *result,
                               int64_t from_cents,
                               const rig_report_options *options,
                               rig_write_sink sink,
                               void *payload,
                               rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    writer_of(options)->write_frontier(&output, result, from_cents);
    return rig__output_finish(&output, err);
}

rig_status rig_report_requirements(const rig_requirements *requirements,
                                   const rig_report_options *options,
                                   rig_write_sink sink,
                                   void *payload,
                                   rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    writer_of(options)->write_requirements(&output, requirements);
    return rig__output_finish(&output, err);
}

/** Nearest column name of a table, NULL if none is near. */
static const char *nearest_column(rig_table table, const char *name)
{
    const char *nearest = NULL;
    size_t least = hint_limit(name) + 1;
    for (size_t i = 0; i < rig_column_count(table); i++) {
        const char *candidate = rig_column_at(table, i)->name;
        const size_t distance = rig__text_distance(name, candidate, least);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

/** An unknown column name. */
static rig_status unknown_column(rig_table table, const char *name, rig_error *err)
{
    const char *nearest = nearest_column(table, name);
    const rig_status status = rig__error_set(err,
                                             RIG_E_SCHEMA,
                                             NULL,
                                             0,
                                             0,
                                             "unknown column: '%.64s' (expected a column of "
                                             "%s.csv)",
                                             name,
                                             rig_table_stem(table));
    if (nearest != NULL) {
        rig__error_hint(err, "did you mean '%s'?", nearest);
    }
    return status;
}

/** Columns by name; table NULL: without a row the schema is not known, names are just repeated. */
static rig_status find_columns(const rig_table *table,
                               const char *const *names,
                               size_t n_names,
                               rig__report_column *out,
                               rig_error *err)
{
    for (size_t i = 0; i < n_names; i++) {
        out[i].name = names[i];
        out[i].column = NULL;
        if (table == NULL || strcmp(names[i], "name") == 0) {
            continue;
        }
        out[i].column = rig_column_find(*table, names[i]);
        if (out[i].column == NULL) {
            return unknown_column(*table, names[i], err);
        }
    }
    return RIG_OK;
}

/** All columns, the name first. @return how many */
static size_t all_columns(const rig_table *table, rig__report_column *out)
{
    size_t n = 0;
    out[n++] = (rig__report_column){.name = "name"};
    const size_t n_columns = table == NULL ? 0 : rig_column_count(*table);
    for (size_t i = 0; i < n_columns; i++) {
        const rig_column *column = rig_column_at(*table, i);
        if (strcmp(column->name, "name") != 0) {
            out[n++] = (rig__report_column){.name = column->name, .column = column};
        }
    }
    return n;
}

/* NOLINTNEXTLINE(readability-function-size): the public signature has nine parameters */
rig_status rig_report_rows(const rig_catalog *catalog,
                           const rig_row *const *rows,
                           size_t n_rows,
                           const char *const *columns,
                           size_t n_columns,
                           const rig_report_options *options,
                           rig_write_sink sink,
                           void *payload,
                           rig_error *err)
{
    (void)catalog; /* rows carry their table and effective price themselves */
    const rig_table *table = n_rows > 0 ? &rows[0]->table : NULL;
    const size_t n_schema = table == NULL ? 0 : rig_column_count(*table);
    const size_t cap = columns == NULL ? n_schema : n_columns;
    rig__report_column *found = calloc(cap + 1, sizeof(*found));
    if (found == NULL) {
        return rig__error_nomem(err);
    }
    rig__output output;
    rig_status status = RIG_OK;
    size_t n_found = n_columns;
    if (columns == NULL) {
        n_found = all_columns(table, found);
    } else {
        status = find_columns(table, columns, n_columns, found, err);
    }
    if (status == RIG_OK) {
        status = rig__output_init(&output, options, sink, payload, err);
    }
    if (status != RIG_OK) {
        goto done;
    }
    writer_of(options)->write_rows(&output, rows, n_rows, found, n_found, columns == NULL);
    status = rig__output_finish(&output, err);
done:
    free(found);
    return status;
}
