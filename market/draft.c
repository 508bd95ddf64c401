/* SPDX-License-Identifier: GPL-3.0-or-later
 * A row of a catalogue table in the making. */
#include "market/draft.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"
#include "catalog/cell.h"

rig__draft *rig__draft_new(rig__arena *arena, rig_table table, const char *file, long line)
{
    rig__draft *const draft = rig__arena_alloc(arena, 1, sizeof *draft);
    const char **const cells =
        rig__arena_alloc(arena, rig_column_count(table), sizeof(const char *));
    if (draft == NULL || cells == NULL) {
        return NULL;
    }
    *draft = (rig__draft){
        .table = table, .name = "", .cells = cells, .cents = -1, .file = file, .line = line};
    return draft;
}

static size_t column_index(rig_table table, const char *name)
{
    const size_t n = rig_column_count(table);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rig_column_at(table, i)->name, name) == 0) {
            return i;
        }
    }
    return n;
}

bool rig__draft_set(rig__arena *arena, rig__draft *draft, const char *column, const char *text)
{
    const size_t i = column_index(draft->table, column);
    if (i == rig_column_count(draft->table) || text == NULL || text[0] == '\0') {
        return true;
    }
    const rig__csv_cell cell = {.text = text, .length = strlen(text), .line = draft->line};
    rig__cell_value value;
    const char *const copy = rig__arena_copy(arena, text, cell.length);
    if (copy == NULL) {
        return false;
    }
    if (rig__cell_parse(
            &cell, rig_column_at(draft->table, i), false, draft->file, &value, NULL) != RIG_OK) {
        const char *const detail = rig__arena_format(arena, "%s = %.100s", column, text);
        rig__draft_drop(draft, "a figure that the table does not take", detail);
        return detail != NULL;
    }
    draft->cells[i] = value.length > 0 ? copy : NULL;
    return true;
}

bool rig__draft_set_number(rig__arena *arena, rig__draft *draft, const char *column, double value)
{
    char text[32];
    return !isfinite(value) ||
           rig__draft_set(
               arena, draft, column, rig__number_format(text, sizeof text, value));
}

const char *rig__draft_get(const rig__draft *draft, const char *column)
{
    const size_t i = column_index(draft->table, column);
    return i < rig_column_count(draft->table) ? draft->cells[i] : NULL;
}

double rig__draft_number(const rig__draft *draft, const char *column)
{
    const char *const text = rig__draft_get(draft, column);
    double value = NAN;
    return text != NULL && rig__number_parse(text, strlen(text), &value) ? value : (double)NAN;
}

void rig__draft_fill(rig__draft *draft, const rig__draft *from)
{
    for (size_t i = 0; i < rig_column_count(draft->table); i++) {
        draft->cells[i] = draft->cells[i] != NULL ? draft->cells[i] : from->cells[i];
    }
}

/* Columns that belong to an offer, not to the part. */
static bool is_of_the_offer(const char *column)
{
    return strncmp(column, "price_", 6) == 0 || strcmp(column, "notes") == 0 ||
           strcmp(column, "name") == 0;
}

void rig__draft_fill_offer(rig__draft *draft, const rig__draft *from)
{
    for (size_t i = 0; i < rig_column_count(draft->table); i++) {
        if (draft->cells[i] == NULL && is_of_the_offer(rig_column_at(draft->table, i)->name)) {
            draft->cells[i] = from->cells[i];
        }
    }
}

bool rig__draft_fill_from_row(rig__arena *arena, rig__draft *draft, const rig_row *row)
{
    for (size_t i = 0; i < rig_column_count(draft->table); i++) {
        const rig_column *const column = rig_column_at(draft->table, i);
        if (draft->cells[i] != NULL || is_of_the_offer(column->name)) {
            continue;
        }
        const bool is_done =
            column->type == RIG_COLUMN_TEXT
                ? rig__draft_set(arena, draft, column->name, rig_row_text(row, column))
                : rig__draft_set_number(arena, draft, column->name, rig_row_number(row, column));
        if (!is_done) {
            return false;
        }
    }
    return true;
}

void rig__draft_drop(rig__draft *draft, const char *reason, const char *detail)
{
    if (draft->reason == NULL) {
        draft->reason = reason;
        draft->detail = detail;
    }
}

bool rig__draft_note(rig__arena *arena, rig__draft *draft, const char *text)
{
    const char *const before = rig__draft_get(draft, "notes");
    const char *const all =
        before == NULL ? text : rig__arena_format(arena, "%s; %s", before, text);
    return all != NULL && rig__draft_set(arena, draft, "notes", all);
}

void rig__draft_check(rig__draft *draft)
{
    for (size_t i = 0; i < rig_column_count(draft->table); i++) {
        const rig_column *const column = rig_column_at(draft->table, i);
        if (column->is_required && draft->cells[i] == NULL && strcmp(column->name, "name") != 0) {
            rig__draft_drop(draft, "a figure that the table needs is not known", column->name);
            return;
        }
    }
}
