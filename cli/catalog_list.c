/* SPDX-License-Identifier: GPL-3.0-or-later
 * catalog list: rows of one table, filtered and sorted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/catalog_rows.h"
#include "cli/commands.h"
#include "cli/nearest.h"

/* Columns of a listing for people, by table; machine formats get all. */
static const char *const default_columns[RIG_N_TABLES] = {
    [RIG_TABLE_CPU] = "name,cores,base_ghz,socket,pcie_lanes,tdp_w,price_usd",
    [RIG_TABLE_GPU] = "name,mem_gb,mem_gbs,tensor_fp16_tflops,form,tdp_w,price_usd",
    [RIG_TABLE_MEMORY] = "name,type,kind,modules,total_gb,mts,price_usd",
    [RIG_TABLE_STORAGE] = "name,type,capacity_gb,seq_read_mbs,rand_read_kiops,price_usd",
    [RIG_TABLE_BOARD] = "name,socket,sockets,dimm_slots,pcie_x16_slots,pcie_gen,price_usd",
    [RIG_TABLE_PSU] = "name,form_factor,wattage_w,efficiency,price_usd",
    [RIG_TABLE_CHASSIS] = "name,form_factor,rack_u,expansion_slots,price_usd",
    [RIG_TABLE_SERVER] = "name,cpu_name,cpu_count,gpu_name,gpu_count,ram_gb,price_usd",
    [RIG_TABLE_BASEBOARD] = "name,gpu_name,gpu_count,form,price_usd",
    [RIG_TABLE_SWITCH] = "name,ports,gbps_per_port,protocol,max_power_w,price_usd",
    [RIG_TABLE_NIC] = "name,gbps_per_port,ports,protocol,price_usd",
};

static cli_exit out_of_memory(void)
{
    rig__cli_error("out of memory");
    return CLI_EXIT_INTERNAL;
}

static cli_exit report_column(const cli_input *input, cli_id id, rig_table table, const char *name)
{
    char where[CLI_WHERE_SIZE];
    cli_nearest nearest = rig__cli_nearest_start(name, strlen(name));
    for (size_t i = 0; i < rig_column_count(table); i++) {
        rig__cli_nearest_offer(&nearest, rig_column_at(table, i)->name);
    }
    const char *found = rig__cli_nearest_name(&nearest);
    rig__cli_where(input, id, 0, where);
    if (found != NULL) {
        rig__cli_error("%s: unknown column of %s: '%s' (did you mean %s?)",
                       where,
                       rig_table_stem(table),
                       name,
                       found);
    } else {
        rig__cli_error("%s: unknown column of %s: '%s' (expected one that 'trainrig help catalog' "
                       "lists)",
                       where,
                       rig_table_stem(table),
                       name);
    }
    return rig__cli_blame(input, id);
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

/* Columns of --columns, or the usual ones of the table for people, or all. */
static cli_exit find_columns(const cli_input *input, cli_listing *listing)
{
    const char *text = rig__cli_text(input, OPT_COLUMNS);
    const int format = rig__cli_choice(input, OPT_FORMAT);
    if (text == NULL && (format == RIG_FORMAT_TABLE || format == RIG_FORMAT_MARKDOWN)) {
        text = default_columns[listing->table];
    }
    if (text == NULL) {
        return CLI_EXIT_OK;
    }
    listing->names = copy_text(text);
    if (listing->names == NULL) {
        return out_of_memory();
    }
    char *save = NULL;
    for (char *name = strtok_r(listing->names, ", ", &save); name != NULL;
         name = strtok_r(NULL, ", ", &save)) {
        if (rig_column_find(listing->table, name) == NULL) {
            return report_column(input, OPT_COLUMNS, listing->table, name);
        }
        if (listing->n_columns == CLI_MAX_COLUMNS) {
            rig__cli_error(
                "--columns: too many columns: '%s' (expected at most %d)", text, CLI_MAX_COLUMNS);
            return CLI_EXIT_USAGE;
        }
        listing->columns[listing->n_columns++] = name;
    }
    return CLI_EXIT_OK;
}

/* Drops the rows that one condition does not allow. "mem_gb >= 24" means "gpu.mem_gb >= 24". */
static cli_exit filter_by(const cli_session *session,
                          cli_listing *listing,
                          cli_id id,
                          size_t index,
                          rig_condition_kind kind)
{
    char text[512];
    const char *written = rig__cli_item(session->input, id, index);
    const size_t word = strcspn(written, " .<>=!");
    rig_condition condition;
    snprintf(text,
             sizeof text,
             "%s%s%s",
             written[word] == '.' ? "" : rig_table_singular(listing->table),
             written[word] == '.' ? "" : ".",
             written);
    CLI_TRY(rig__cli_condition(session, id, index, kind, text, &condition));
    size_t kept = 0;
    for (size_t i = 0; i < listing->n_rows; i++) {
        if (rig_condition_allows(&condition, listing->rows[i], 1)) {
            listing->rows[kept++] = listing->rows[i];
        }
    }
    listing->n_rows = kept;
    return CLI_EXIT_OK;
}

static cli_exit filter_rows(const cli_session *session, cli_listing *listing)
{
    for (size_t i = 0; i < rig__cli_count(session->input, OPT_REQUIRE); i++) {
        CLI_TRY(filter_by(session, listing, OPT_REQUIRE, i, RIG_CONDITION_REQUIRE));
    }
    for (size_t i = 0; i < rig__cli_count(session->input, OPT_FORBID); i++) {
        CLI_TRY(filter_by(session, listing, OPT_FORBID, i, RIG_CONDITION_FORBID));
    }
    return CLI_EXIT_OK;
}

/* Order of two rows by a column; unknown comes last whatever the direction. */
static int compare_rows(const rig_row *a, const rig_row *b, const rig_column *column, bool is_down)
{
    int order = 0;
    bool is_a_unknown, is_b_unknown;
    if (column->type == RIG_COLUMN_TEXT || column->type == RIG_COLUMN_DATE) {
        const char *x = rig_row_text(a, column), *y = rig_row_text(b, column);
        is_a_unknown = x == NULL;
        is_b_unknown = y == NULL;
        order = x != NULL && y != NULL ? strcmp(x, y) : 0;
    } else {
        const double x = rig_row_number(a, column), y = rig_row_number(b, column);
        is_a_unknown = isnan(x);
        is_b_unknown = isnan(y);
        order = (x > y) - (x < y);
    }
    if (is_a_unknown || is_b_unknown) {
        return (int)is_a_unknown - (int)is_b_unknown;
    }
    return is_down ? -order : order;
}

/* A stable merge sort: qsort takes no column, and equal rows keep the order of their names. */
static void sort_rows(
    const rig_row **rows, const rig_row **spare, size_t n, const rig_column *column, bool is_down)
{
    if (n < 2) {
        return;
    }
    const size_t half = n / 2;
    sort_rows(rows, spare, half, column, is_down);
    sort_rows(rows + half, spare, n - half, column, is_down);
    memcpy(spare, rows, n * sizeof(const rig_row *));
    size_t i = 0, j = half;
    for (size_t k = 0; k < n; k++) {
        const bool take_left =
            j == n || (i < half && compare_rows(spare[i], spare[j], column, is_down) <= 0);
        rows[k] = take_left ? spare[i++] : spare[j++];
    }
}

static cli_exit sort_listing(const cli_input *input, cli_listing *listing)
{
    const char *name = rig__cli_text(input, OPT_SORT);
    if (name == NULL || listing->n_rows == 0) {
        return CLI_EXIT_OK;
    }
    const bool is_down = name[0] == '-';
    const rig_column *column = rig_column_find(listing->table, name + is_down);
    if (column == NULL) {
        return report_column(input, OPT_SORT, listing->table, name + is_down);
    }
    const rig_row **spare = calloc(listing->n_rows, sizeof(const rig_row *));
    if (spare == NULL) {
        return out_of_memory();
    }
    sort_rows(listing->rows, spare, listing->n_rows, column, is_down);
    free(spare);
    return CLI_EXIT_OK;
}

cli_exit rig__cli_write_rows(const cli_session *session, const cli_listing *listing)
{
    rig_error err = {0};
    cli_output output;
    CLI_TRY(rig__cli_output_open(&output, session->input));
    const rig_report_options options = rig__cli_report_options(session->input);
    const rig_status status = rig_report_rows(session->catalog,
                                              listing->rows,
                                              listing->n_rows,
                                              listing->n_columns > 0 ? listing->columns : NULL,
                                              listing->n_columns,
                                              &options,
                                              rig__cli_sink,
                                              &output,
                                              &err);
    const bool is_failure = status != RIG_OK && output.error == 0;
    if (is_failure) {
        rig__cli_print_error(&err, NULL);
    }
    const cli_exit closed = rig__cli_output_close(&output, !is_failure);
    return closed != CLI_EXIT_OK || !is_failure ? closed : rig__cli_exit_of(status, false);
}

static cli_exit fill_listing(const cli_session *session, cli_listing *listing)
{
    const size_t count = rig_catalog_count(session->catalog, listing->table);
    listing->rows = calloc(count + 1, sizeof(const rig_row *));
    if (listing->rows == NULL) {
        return out_of_memory();
    }
    for (size_t i = 0; i < count; i++) {
        listing->rows[i] = rig_catalog_row(session->catalog, listing->table, i);
    }
    listing->n_rows = count;
    CLI_TRY(find_columns(session->input, listing));
    CLI_TRY(filter_rows(session, listing));
    CLI_TRY(sort_listing(session->input, listing));
    if (listing->n_rows == 0) {
        rig__cli_note("no row of %zu in %s is left", count, rig_table_stem(listing->table));
    } else {
        rig__cli_note(
            "%zu of %zu rows of %s", listing->n_rows, count, rig_table_stem(listing->table));
    }
    return rig__cli_write_rows(session, listing);
}

cli_exit rig__cli_catalog_list(const cli_session *session)
{
    cli_listing listing = {0};
    rig_error err = {0};
    if (session->input->n_arguments != 2) {
        rig__cli_error("catalog list takes one class, as in: trainrig catalog list gpus");
        return CLI_EXIT_USAGE;
    }
    if (rig_table_parse(session->input->arguments[1], &listing.table, &err) != RIG_OK) {
        rig__cli_print_error(&err, "catalog list");
        return CLI_EXIT_USAGE;
    }
    const cli_exit code = fill_listing(session, &listing);
    free(listing.rows);
    free(listing.names);
    return code;
}
