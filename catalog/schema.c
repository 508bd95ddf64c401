/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables and columns as data, generated from trainrig/columns.h. */
#include "catalog/schema.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define IS_REQUIRED_REQUIRED true
#define IS_REQUIRED_OPTIONAL false

#define DESCRIBE(type, field, unit, low, high, need, help)                                         \
    {#field,                                                                                       \
     RIG_COLUMN_##type,                                                                            \
     unit,                                                                                         \
     low,                                                                                          \
     high,                                                                                         \
     IS_REQUIRED_##need,                                                                           \
     help,                                                                                         \
     offsetof(row_type, field)},

/* The price columns live in the head of the row. */
#define OFFSET_price_usd offsetof(rig_row, price.cents)
#define OFFSET_price_kind offsetof(rig_row, price.kind)
#define OFFSET_price_source offsetof(rig_row, price.source)
#define OFFSET_price_date offsetof(rig_row, price.date)
#define OFFSET_price_trust offsetof(rig_row, price.trust)
#define OFFSET_spec_source offsetof(rig_row, spec_source)
#define OFFSET_notes offsetof(rig_row, notes)
#define DESCRIBE_PRICE(type, field, unit, low, high, need, help)                                   \
    {#field, RIG_COLUMN_##type, unit, low, high, IS_REQUIRED_##need, help, OFFSET_##field},

#define DESCRIBE_NAME                                                                              \
    {"name", RIG_COLUMN_TEXT, "", 0, 0, true, "name, the key of the row", offsetof(rig_row, name)},

#define PRICES_PART RIG_PRICE_COLUMNS(DESCRIBE_PRICE)
#define PRICES_QUOTE RIG_PRICE_COLUMNS(DESCRIBE_PRICE)
#define PRICES_PLAIN
/* Quotes have `notes` of their own; the last price column is `notes` again and is left out. */
#define N_HIDDEN_PART 0
#define N_HIDDEN_QUOTE 1
#define N_HIDDEN_PLAIN 0

typedef struct column_list {
    const rig_column *columns;
    size_t n_columns;
} column_list;

/* clang-format off */
#define TABLE_COLUMNS(enumerator, type, stem, singular, list, kind)                                \
    static column_list columns_of_##enumerator(void)                                               \
    {                                                                                              \
        typedef type row_type;                                                                     \
        static const rig_column columns[] = {DESCRIBE_NAME list(DESCRIBE) PRICES_##kind};          \
        return (column_list){columns, sizeof columns / sizeof columns[0] - N_HIDDEN_##kind};       \
    }
RIG_TABLE_MAP(TABLE_COLUMNS)
/* clang-format on */

typedef enum table_kind { KIND_PART, KIND_PLAIN, KIND_QUOTE } table_kind;

typedef struct table_description {
    const char *stem, *singular;
    table_kind kind;
    size_t row_size;
    column_list (*columns)(void);
} table_description;

/* clang-format off */
static const table_description tables[RIG_N_TABLES] = {
#define DESCRIBE_TABLE(enumerator, type, stem, singular, list, kind)                               \
    {stem, singular, KIND_##kind, sizeof(type), columns_of_##enumerator},
    RIG_TABLE_MAP(DESCRIBE_TABLE)
#undef DESCRIBE_TABLE
};
/* clang-format on */

static const struct {
    rig_table table;
    const char *column;
    rig_table target;
} references[] = {
    {RIG_TABLE_SERVER, "cpu_name", RIG_TABLE_CPU},
    {RIG_TABLE_SERVER, "gpu_name", RIG_TABLE_GPU},
    {RIG_TABLE_BASEBOARD, "gpu_name", RIG_TABLE_GPU},
    {RIG_TABLE_CLOUD, "gpu_name", RIG_TABLE_GPU},
    {RIG_TABLE_GPU, "chip", RIG_TABLE_GPU},
    {RIG_TABLE_WORKLOAD, "network", RIG_TABLE_NETWORK},
    {RIG_TABLE_WORKLOAD, "dataset", RIG_TABLE_DATASET},
    {RIG_TABLE_WORKLOAD, "loader", RIG_TABLE_LOADER},
    {RIG_TABLE_WORKLOAD, "stack", RIG_TABLE_STACK},
};

static const char *const trust_names[] = {"good", "fair", "low"};

const char *rig_table_stem(rig_table table)
{
    assert((size_t)table < RIG_N_TABLES);
    return tables[table].stem;
}

const char *rig_table_singular(rig_table table)
{
    assert((size_t)table < RIG_N_TABLES);
    return tables[table].singular;
}

bool rig_table_is_part(rig_table table)
{
    assert((size_t)table < RIG_N_TABLES);
    return tables[table].kind == KIND_PART;
}

size_t rig__schema_row_size(rig_table table)
{
    return tables[table].row_size;
}

bool rig__schema_table_of_file(const char *file_name, rig_table *out)
{
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        const size_t n_stem = strlen(tables[i].stem);
        if (strncmp(file_name, tables[i].stem, n_stem) == 0 &&
            strcmp(file_name + n_stem, ".csv") == 0) {
            *out = (rig_table)i;
            return true;
        }
    }
    return false;
}

/* How far a misspelt word may be: a third of its letters, at least two. */
static size_t near_limit(const char *text)
{
    const size_t third = strlen(text) / 3;
    return third < 2 ? 2 : third;
}

const char *rig__schema_near_table(const char *text)
{
    const char *best = NULL;
    size_t best_distance = near_limit(text) + 1;
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        const char *const names[] = {tables[i].stem, tables[i].singular};
        for (size_t k = 0; k < 2; k++) {
            const size_t distance = rig__text_distance(text, names[k], best_distance);
            if (distance < best_distance) {
                best_distance = distance;
                best = tables[i].stem;
            }
        }
    }
    return best;
}

rig_status rig_table_parse(const char *text, rig_table *out, rig_error *err)
{
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        if (rig__text_compare_nocase(text, tables[i].stem) == 0 ||
            rig__text_compare_nocase(text, tables[i].singular) == 0) {
            *out = (rig_table)i;
            return RIG_OK;
        }
    }
    rig__error_set(
        err, RIG_E_NOTFOUND, NULL, 0, 0, "unknown table: '%s' (expected cpu, gpu ...)", text);
    const char *const near = rig__schema_near_table(text);
    if (near != NULL) {
        rig__error_hint(err, "nearest: %s", near);
    }
    return RIG_E_NOTFOUND;
}

size_t rig_column_count(rig_table table)
{
    assert((size_t)table < RIG_N_TABLES);
    return tables[table].columns().n_columns;
}

const rig_column *rig_column_at(rig_table table, size_t index)
{
    const column_list list = tables[table].columns();
    assert(index < list.n_columns);
    return &list.columns[index];
}

const rig_column *rig_column_find(rig_table table, const char *name)
{
    const column_list list = tables[table].columns();
    for (size_t i = 0; i < list.n_columns; i++) {
        if (strcmp(list.columns[i].name, name) == 0) {
            return &list.columns[i];
        }
    }
    return NULL;
}

const char *rig__schema_near_column(rig_table table, const char *name)
{
    const column_list list = tables[table].columns();
    const char *best = NULL;
    size_t best_distance = near_limit(name) + 1;
    for (size_t i = 0; i < list.n_columns; i++) {
        const size_t distance = rig__text_distance(name, list.columns[i].name, best_distance);
        if (distance < best_distance) {
            best_distance = distance;
            best = list.columns[i].name;
        }
    }
    return best;
}

bool rig__schema_reference(rig_table table, const rig_column *column, rig_table *target_out)
{
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        if (references[i].table == table && strcmp(references[i].column, column->name) == 0) {
            *target_out = references[i].target;
            return true;
        }
    }
    return false;
}

bool rig__schema_is_trust(const rig_column *column)
{
    return column->offset == OFFSET_price_trust && strcmp(column->name, "price_trust") == 0;
}

const char *rig__schema_trust_name(rig_trust trust)
{
    assert((size_t)trust < sizeof trust_names / sizeof trust_names[0]);
    return trust_names[trust];
}

const char *rig_row_text(const rig_row *row, const rig_column *column)
{
    if (rig__schema_is_trust(column)) {
        return row->price.cents < 0 ? NULL : rig__schema_trust_name(row->price.trust);
    }
    if (column->type != RIG_COLUMN_TEXT && column->type != RIG_COLUMN_DATE) {
        return NULL;
    }
    const char *text = NULL;
    memcpy(&text, (const char *)row + column->offset, sizeof text);
    return text;
}

double rig_row_number(const rig_row *row, const rig_column *column)
{
    double number = (double)NAN;
    switch (column->type) {
    case RIG_COLUMN_NUMBER:
    case RIG_COLUMN_INTEGER:
        memcpy(&number, (const char *)row + column->offset, sizeof number);
        return number;
    case RIG_COLUMN_MONEY:
        return row->price.cents < 0 ? number : (double)row->price.cents / 100.0;
    case RIG_COLUMN_DATE:
        return row->price.date_ymd == 0 ? number : (double)row->price.date_ymd;
    case RIG_COLUMN_TEXT:
        break;
    }
    return number;
}

const char *rig__schema_words(rig_table table, const char *column)
{
    static const struct {
        rig_table table;
        const char *column, *words;
    } all[] = {
#define WORD(enumerator, name, list) {RIG_TABLE_##enumerator, name, list},
        RIG_WORD_MAP(WORD)
#undef WORD
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].table == table && strcmp(all[i].column, column) == 0) {
            return all[i].words;
        }
    }
    return NULL;
}
