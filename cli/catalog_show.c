/* SPDX-License-Identifier: GPL-3.0-or-later
 * catalog show: everything about one row. */
#include <math.h>
#include <string.h>

#include "cli/catalog_rows.h"
#include "cli/cli_output.h"

#define MAX_PRICES 64

/* Row by name in any table: exact names first, then the first table in which the words of the text
 * single out a row, or could mean several. */
static cli_exit find_anywhere(const cli_session *session, const char *name, const rig_row **out)
{
    rig_error err = {0}, nearest = {0};
    *out = NULL;
    for (int table = 0; table < RIG_N_TABLES && *out == NULL; table++) {
        *out = rig_catalog_get(session->catalog, (rig_table)table, name);
    }
    for (int table = 0; table < RIG_N_TABLES && *out == NULL; table++) {
        const rig_row *row = NULL;
        const rig_status status =
            rig_catalog_find(session->catalog, (rig_table)table, name, &row, &err);
        if (status == RIG_OK) {
            *out = row;
        } else if (status != RIG_E_NOTFOUND) {
            rig__cli_print_error(&err, "catalog show");
            return rig__cli_exit_of(status, false);
        } else if (nearest.hint[0] == '\0') {
            nearest = err;
        }
    }
    if (*out == NULL) {
        rig__cli_error(
            "no such name: '%s' (expected one that 'trainrig catalog list CLASS' prints)", name);
        rig__cli_hint(nearest.hint);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static void print_prices(const cli_session *session, const rig_row *row, cli_output *output)
{
    static const char *const trusts[] = {"good", "fair", "low"};
    rig_price prices[MAX_PRICES];
    char money[64];
    const size_t n = rig_catalog_prices(session->catalog, row, prices, MAX_PRICES);
    for (size_t i = 0; i < n && i < MAX_PRICES; i++) {
        const rig_price *price = &prices[i];
        rig__cli_printf(output,
                        "%-24s USD %s, %s, %s, %s, trust %s%s\n",
                        i == 0 && row->price.cents >= 0 ? "price used" : "other price",
                        rig_format_money(money, sizeof money, price->cents),
                        price->kind != NULL ? price->kind : "kind unknown",
                        price->date != NULL ? price->date : "date unknown",
                        price->source != NULL ? price->source : "source unknown",
                        trusts[price->trust],
                        price->is_used ? ", no present offer" : "");
    }
}

/* One line per column, then one per price. */
static void print_row(const cli_session *session, const rig_row *row, cli_output *output)
{
    char number[64];
    rig__cli_printf(output, "%-24s %s\n", "class", rig_table_singular(row->table));
    for (size_t i = 0; i < rig_column_count(row->table); i++) {
        const rig_column *column = rig_column_at(row->table, i);
        if (rig_table_is_part(row->table) && strncmp(column->name, "price_", 6) == 0) {
            continue; /* said below, with the other prices */
        }
        const char *text = rig_row_text(row, column);
        if (text == NULL && column->type != RIG_COLUMN_TEXT && column->type != RIG_COLUMN_DATE) {
            const double value = rig_row_number(row, column);
            if (!isnan(value)) {
                snprintf(number, sizeof number, "%.10g", value);
                text = number;
            }
        }
        rig__cli_printf(output,
                        "%-24s %s%s%s\n",
                        column->name,
                        text != NULL ? text : "unknown",
                        text != NULL && column->unit[0] != '\0' ? " " : "",
                        text != NULL ? column->unit : "");
    }
    print_prices(session, row, output);
    rig__cli_printf(output, "%-24s %s:%ld\n", "read from", row->file, row->line);
}

cli_exit rig__cli_catalog_show(const cli_session *session)
{
    const cli_input *input = session->input;
    const rig_row *row = NULL;
    cli_output output;
    if (input->n_arguments != 2) {
        rig__cli_error("catalog show takes one name, as in: trainrig catalog show 'RTX 4090'");
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(find_anywhere(session, input->arguments[1], &row));
    if (rig__cli_choice(input, OPT_FORMAT) != RIG_FORMAT_TABLE) {
        const cli_listing listing = {.table = row->table, .rows = &row, .n_rows = 1};
        return rig__cli_write_rows(session, &listing);
    }
    CLI_TRY(rig__cli_output_open(&output, input));
    print_row(session, row, &output);
    return rig__cli_output_close(&output, true);
}
