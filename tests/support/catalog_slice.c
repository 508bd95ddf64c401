/* SPDX-License-Identifier: GPL-3.0-or-later
 * Slices of a real catalogue: a few rows per table, chosen so that many of them go together. */
#include "support/random_catalog.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
set_text(random_catalog *out, const rig_row *row, size_t at, const char *column, const char *text)
{
    (void)snprintf(random_catalog_cell(out, row->table, at, column), RANDOM_CELL_SIZE, "%s", text);
}

static bool is_prose(const rig_column *column)
{
    static const char *const names[] = {"price_kind",
                                        "price_source",
                                        "price_date",
                                        "price_trust",
                                        "spec_source",
                                        "notes",
                                        "price_usd",
                                        "pcie_slots_detail",
                                        "m2_detail",
                                        "contains",
                                        "onboard_lan",
                                        "nvswitch"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(column->name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void copy_row(random_catalog *out, const rig_row *row)
{
    const rig_table table = row->table;
    const size_t at = out->n_rows[table];
    for (size_t i = 0; i < at; i++) {
        if (strcmp(out->rows[table][i].cells[0], row->name) == 0) {
            return; /* chosen before */
        }
    }
    if (at == RANDOM_MAX_ROWS) {
        return;
    }
    out->n_rows[table]++;
    for (size_t i = 0; i < rig_column_count(table); i++) {
        const rig_column *column = rig_column_at(table, i);
        if (is_prose(column)) {
            continue;
        }
        if (column->type == RIG_COLUMN_TEXT) {
            const char *text = rig_row_text(row, column);
            assert_true(text == NULL || strlen(text) < RANDOM_CELL_SIZE);
            set_text(out, row, at, column->name, text == NULL ? "" : text);
        } else if (!isnan(rig_row_number(row, column))) {
            char number[40];
            (void)snprintf(number, sizeof number, "%.17g", rig_row_number(row, column));
            set_text(out, row, at, column->name, number);
        }
    }
    set_text(out, row, at, "name", row->name);
    if (row->price.cents >= 0) {
        char text[40];
        (void)snprintf(text, sizeof text, "%.2f", (double)row->price.cents / 100);
        set_text(out, row, at, "price_usd", text);
    }
}

/* A random row whose column has this text; NULL: any row. Priced rows are preferred. */
static const rig_row *pick_row(const rig_catalog *whole,
                               rig_table table,
                               random_source *source,
                               const char *column_name,
                               const char *text)
{
    const rig_column *column = column_name == NULL ? NULL : rig_column_find(table, column_name);
    const rig_row *found = NULL;
    for (int tries = 0; tries < 400; tries++) {
        const rig_row *row =
            rig_catalog_row(whole, table, random_below(source, rig_catalog_count(whole, table)));
        const char *value = column == NULL ? NULL : rig_row_text(row, column);
        if (column != NULL && (value == NULL || strcmp(value, text) != 0)) {
            continue;
        }
        found = row;
        if (row->price.cents >= 0 || tries > 300) {
            break;
        }
    }
    return found;
}

static void slice_add(random_catalog *out, const rig_row *row)
{
    if (row != NULL) {
        copy_row(out, row);
    }
}

/* A row that names another one, which then has to be there too. */
static void slice_add_with(random_catalog *out,
                           const rig_catalog *whole,
                           const rig_row *row,
                           rig_table other,
                           const char *column_name)
{
    const rig_column *column = row == NULL ? NULL : rig_column_find(row->table, column_name);
    const char *name = column == NULL ? NULL : rig_row_text(row, column);
    if (name != NULL) {
        slice_add(out, rig_catalog_get(whole, other, name));
    }
}

void random_catalog_slice(random_catalog *out, const rig_catalog *whole, uint64_t seed)
{
    memset(out, 0, sizeof *out);
    random_source source = random_from(seed);
    const rig_column *socket = rig_column_find(RIG_TABLE_BOARD, "socket");
    const rig_column *mem_type = rig_column_find(RIG_TABLE_BOARD, "mem_type");
    for (int i = 0; i < 2; i++) {
        const bool is_server = random_chance(&source, 50);
        const rig_row *board =
            pick_row(whole, RIG_TABLE_BOARD, &source, "kind", is_server ? "barebone" : "board");
        const char *name = rig_row_text(board, socket), *type = rig_row_text(board, mem_type);
        slice_add(out, board);
        slice_add(out, pick_row(whole, RIG_TABLE_BOARD, &source, "socket", name));
        slice_add(out, pick_row(whole, RIG_TABLE_CPU, &source, "socket", name));
        slice_add(out, pick_row(whole, RIG_TABLE_CPU, &source, "socket", name));
        if (type != NULL) {
            slice_add(out, pick_row(whole, RIG_TABLE_MEMORY, &source, "type", type));
            slice_add(out, pick_row(whole, RIG_TABLE_MEMORY, &source, "type", type));
        }
        slice_add(out, pick_row(whole, RIG_TABLE_GPU, &source, "form", "pcie"));
        slice_add(out, pick_row(whole, RIG_TABLE_STORAGE, &source, "type", "nvme"));
        slice_add(out, pick_row(whole, RIG_TABLE_STORAGE, &source, NULL, NULL));
        slice_add(out, pick_row(whole, RIG_TABLE_PSU, &source, NULL, NULL));
        slice_add(out, pick_row(whole, RIG_TABLE_CHASSIS, &source, NULL, NULL));
    }
    slice_add(out, pick_row(whole, RIG_TABLE_MEMORY, &source, "kind", "RDIMM"));
    slice_add(out, pick_row(whole, RIG_TABLE_PSU, &source, NULL, NULL));
    slice_add(out, pick_row(whole, RIG_TABLE_CHASSIS, &source, "form_factor", "ATX Full Tower"));
    slice_add(out, pick_row(whole, RIG_TABLE_GPU, &source, NULL, NULL));
    const rig_row *server = pick_row(whole, RIG_TABLE_SERVER, &source, NULL, NULL);
    const rig_row *baseboard = pick_row(whole, RIG_TABLE_BASEBOARD, &source, NULL, NULL);
    slice_add_with(out, whole, server, RIG_TABLE_CPU, "cpu_name");
    slice_add_with(out, whole, server, RIG_TABLE_GPU, "gpu_name");
    slice_add_with(out, whole, baseboard, RIG_TABLE_GPU, "gpu_name");
    slice_add(out, server);
    slice_add(out, baseboard);
}
