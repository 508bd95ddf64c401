/* SPDX-License-Identifier: GPL-3.0-or-later
 * docs/catalog-schema.md, written from the schema. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "catalog/schema.h"

typedef struct sink {
    void (*write)(const char *text, void *payload);
    void *payload;
} sink;

static void put(const sink *to, const char *text)
{
    to->write(text, to->payload);
}

static const char *const introduction =
    "# Catalogue files\n"
    "\n"
    "Written by `gen_schema_docs` from `include/trainrig/columns.h`; edit that file instead.\n"
    "\n"
    "A catalogue is a directory of CSV files, one per table below, any subset of them. Of several\n"
    "directories a later one overlays earlier ones: a row replaces the row of the same name\n"
    "wholly; quotes are added.\n"
    "\n"
    "- UTF-8 with or without BOM; LF, CRLF or CR; quoting as in RFC 4180; no comments; blank "
    "lines\n"
    "  are skipped. `;` or TAB instead of `,` is recognised from the header line.\n"
    "- The header names the columns in any order. An unknown or repeated column is an error, a\n"
    "  missing optional column means unknown.\n"
    "- An empty cell means unknown, never 0. Numbers are plain decimals with `.` and without "
    "unit,\n"
    "  currency sign or thousands separator. Money is in US dollars.\n"
    "- A name is unique within its table (not among quotes) and holds no line break.\n"
    "\n"
    "## Which price counts\n"
    "\n"
    "The price of a part and all quotes of the same class and name are its prices. Left out are,\n"
    "each counted: quotes without a US dollar price; zero, and less than 1/100 of the median "
    "price\n"
    "of the class (unless absurd prices are allowed); dates before the date asked for, an unknown\n"
    "date counting as older than any; less trust than asked for; second-hand prices (the kind\n"
    "starts with `used`, `ebay` or `renewed`) and launch prices (`release`) unless allowed. Among "
    "those left, good or fair "
    "trust\n"
    "comes before low, then the newest date, then the higher trust, then the lower price, then\n"
    "the source in byte order. A price without a trust counts as fair. Quotes of the user's own\n"
    "file come before all others, whatever their date, trust, kind or height; only a zero needs\n"
    "absurd prices to be allowed.\n";

static void put_range(const sink *to, const rig_column *column)
{
    static const char *const types[] = {
        [RIG_COLUMN_TEXT] = "text",
        [RIG_COLUMN_NUMBER] = "number",
        [RIG_COLUMN_INTEGER] = "whole number",
        [RIG_COLUMN_MONEY] = "money",
        [RIG_COLUMN_DATE] = "date",
    };
    put(to, types[column->type]);
    if (column->type == RIG_COLUMN_TEXT || column->type == RIG_COLUMN_DATE) {
        return;
    }
    char low[32], high[32];
    put(to, ", ");
    put(to, rig__number_format(low, sizeof low, column->low));
    put(to, " to ");
    put(to, rig__number_format(high, sizeof high, column->high));
}

static void put_column(const sink *to, rig_table table, const rig_column *column)
{
    put(to, "| `");
    put(to, column->name);
    put(to, "` | ");
    put_range(to, column);
    put(to, " | ");
    put(to, column->unit);
    put(to, column->is_required ? " | yes | " : " | | ");
    put(to, column->help);
    rig_table target = table;
    if (rig__schema_reference(table, column, &target)) {
        put(to, " (must exist)");
    }
    put(to, " |\n");
}

void rig__schema_markdown(void (*write)(const char *text, void *payload), void *payload)
{
    const sink to = {write, payload};
    put(&to, introduction);
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        const rig_table table = (rig_table)i;
        put(&to, "\n## ");
        put(&to, rig_table_stem(table));
        put(&to, ".csv\n\n| column | value | unit | required | meaning |\n|---|---|---|---|---|\n");
        for (size_t k = 0; k < rig_column_count(table); k++) {
            put_column(&to, table, rig_column_at(table, k));
        }
    }
}
