/* SPDX-License-Identifier: GPL-3.0-or-later
 * Profiles put over a catalogue: names, columns and ranges checked, rows replaced. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/fingerprint.h"
#include "catalog/overlay.h"
#include "model/constants.h"
#include "model/effects.h"
#include "model/intervals.h"
#include "model/profile.h"

/* Longest name of a row with its column. */
#define RIG__TARGET_BYTES 256

typedef struct table_info {
    rig_table table;
    const char *column;
} table_info;

static const table_info tables[RIG_N_PROFILE_TABLES] = {
#define RIG__PROFILE_INFO(enumerator, word, table, column) {table, column},
    RIG_PROFILE_TABLE_MAP(RIG__PROFILE_INFO)
#undef RIG__PROFILE_INFO
};

/* Row and column that an entry changes. */
typedef struct target {
    char name[RIG__TARGET_BYTES];
    const rig_column *column;
} target;

static bool is_number(const rig_column *column)
{
    return column != NULL &&
           (column->type == RIG_COLUMN_NUMBER || column->type == RIG_COLUMN_INTEGER);
}

static bool find_target(const rig_catalog *base, const rig_profile_entry *entry, target *out)
{
    const table_info *const info = &tables[entry->table];
    const size_t length = strlen(entry->name);
    if (length >= sizeof out->name) {
        return false;
    }
    memcpy(out->name, entry->name, length + 1);
    out->column = rig_column_find(info->table, info->column);
    if (rig_catalog_get(base, info->table, entry->name) != NULL) {
        return true;
    }
    char *const dot = strrchr(out->name, '.');
    const rig_column *const column = dot == NULL ? NULL : rig_column_find(info->table, dot + 1);
    if (is_number(column)) {
        *dot = '\0';
        out->column = column;
        return rig_catalog_get(base, info->table, out->name) != NULL;
    }
    if (entry->table == RIG_PROFILE_INTERVALS) {
        return rig__model_interval_is_name(entry->name);
    }
    return entry->table == RIG_PROFILE_EFFICIENCY && rig__model_effect_is_key(base, entry->name);
}

static void find_range(const rig_profile_entry *entry, const target *to, double *low, double *high)
{
    *low = to->column->low;
    *high = to->column->high;
    for (size_t i = 0; entry->table == RIG_PROFILE_CONSTANTS && i < RIG__N_CONSTANTS; i++) {
        const rig__constant_info *const info = rig__model_constant_info((rig__constant_index)i);
        if (strcmp(info->name, to->name) == 0) {
            *low = info->low;
            *high = info->high;
        }
    }
}

static rig_status check_value(const rig_profile *profile,
                              const rig__profile_row *row,
                              const target *to,
                              rig_error *err)
{
    double low = 0.0, high = 0.0;
    find_range(&row->entry, to, &low, &high);
    if (row->entry.value >= low && row->entry.value <= high) {
        return RIG_OK;
    }
    char value[32], lowest[32], highest[32];
    return rig__error_set(err,
                          RIG_E_RANGE,
                          profile->name,
                          row->entry.line,
                          row->value_column,
                          "%s of %.100s out of range: '%s' (expected %s to %s)",
                          to->column->name,
                          to->name,
                          rig__number_format(value, sizeof value, row->entry.value),
                          rig__number_format(lowest, sizeof lowest, low),
                          rig__number_format(highest, sizeof highest, high));
}

static rig_status fail_name(const rig_profile *profile, const rig__profile_row *row, rig_error *err)
{
    return rig__error_set(err,
                          RIG_E_NOTFOUND,
                          profile->name,
                          row->entry.line,
                          row->name_column,
                          "unknown name in table %s: '%.100s' (expected a row of the catalogue's "
                          "table, or ROW.COLUMN)",
                          rig__profile_word(row->entry.table),
                          row->entry.name);
}

static void set_number(rig_row *row, const char *column_name, double value)
{
    const rig_column *const column = rig_column_find(row->table, column_name);
    if (is_number(column) && !isnan(value)) {
        memcpy((char *)row + column->offset, &value, sizeof value);
    }
}

static rig_status write_entry(rig_catalog *overlay,
                              const rig_catalog *base,
                              const rig_profile *profile,
                              const rig__profile_row *from,
                              const target *to,
                              rig_error *err)
{
    rig_row *const row = rig__overlay_row(overlay, base, tables[from->entry.table].table, to->name);
    const char *const source = rig__overlay_text(
        overlay, from->entry.source[0] == '\0' ? profile->name : from->entry.source);
    const char *const file = rig__overlay_text(overlay, profile->name);
    if (row == NULL || source == NULL || file == NULL) {
        return rig__error_nomem(err);
    }
    const bool is_new = row->line == 0 && row->file == NULL;
    set_number(row, to->column->name, from->entry.value);
    set_number(row, "log_sd", from->entry.log_sd);
    set_number(row, "rows", isnan(from->entry.rows) && is_new ? 1.0 : from->entry.rows);
    const rig_column *const column = rig_column_find(row->table, "source");
    memcpy((char *)row + column->offset, &source, sizeof source);
    row->file = file;
    row->line = from->entry.line;
    return RIG_OK;
}

static rig_status apply_entry(rig_catalog *overlay,
                              const rig_catalog *base,
                              const rig_profile *profile,
                              const rig__profile_row *row,
                              rig_error *err)
{
    target to;
    if (!find_target(base, &row->entry, &to)) {
        return fail_name(profile, row, err);
    }
    RIG_TRY(check_value(profile, row, &to, err));
    return write_entry(overlay, base, profile, row, &to, err);
}

static uint64_t hash_entry(uint64_t hash, const rig_profile_entry *entry)
{
    hash = rig__fingerprint_text(hash, rig__profile_word(entry->table));
    hash = rig__fingerprint_text(hash, entry->name);
    hash = rig__fingerprint_number(hash, entry->value);
    return rig__fingerprint_number(hash, entry->log_sd);
}

rig_status rig_profile_apply(rig_catalog **out,
                             const rig_catalog *base,
                             const rig_profile *profile,
                             rig_error *err)
{
    *out = NULL;
    rig_catalog *const overlay = rig__overlay_new(base);
    if (overlay == NULL) {
        return rig__error_nomem(err);
    }
    uint64_t hash = RIG__FINGERPRINT_START;
    for (size_t i = 0; i < profile->n_rows; i++) {
        const rig__profile_row *const row = &profile->rows[i];
        const bool is_figure = tables[row->entry.table].table != RIG_N_TABLES;
        const rig_status status =
            is_figure ? apply_entry(overlay, base, profile, row, err) : RIG_OK;
        if (status != RIG_OK) {
            rig_catalog_free(overlay);
            return status;
        }
        hash = hash_entry(hash, &row->entry);
    }
    if (profile->n_rows > 0) {
        rig__overlay_hash(overlay, hash);
    }
    *out = overlay;
    return RIG_OK;
}
