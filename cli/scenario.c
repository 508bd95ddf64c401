/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scenarios as requests. */
#include "cli/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli_output.h"
#include "cli/nearest.h"

#define NAME_SIZE 64

/* ---- columns --------------------------------------------------------------------------------- */

bool rig__cli_is_column(cli_id id)
{
    const cli_option *option = &rig__cli_options[id];
    return (option->verbs & (1u << VERB_RECOMMEND)) != 0 && option->group != GROUP_OUTPUT &&
           option->group != GROUP_GENERAL;
}

/* "epoch_time_max", or with its unit "epoch_time_max_s": a bare number is in that unit anyway. */
static void column_name(cli_id id, bool has_unit, char name[NAME_SIZE])
{
    const cli_option *option = &rig__cli_options[id];
    const char *unit = option->kind == KIND_MONEY ? "_usd" : option->kind == KIND_TIME ? "_s" : "";
    snprintf(name, NAME_SIZE, "%s%s", option->name, has_unit ? unit : "");
    for (char *c = name; *c != '\0'; c++) {
        *c = (char)(*c == '-' ? '_' : *c);
    }
}

static bool find_column(const char *header, cli_id *out)
{
    char name[NAME_SIZE];
    *out = N_OPTIONS;
    if (strcmp(header, "id") == 0) {
        return true;
    }
    for (int id = 0; id < N_OPTIONS; id++) {
        for (int has_unit = 0; has_unit < 2 && rig__cli_is_column((cli_id)id); has_unit++) {
            column_name((cli_id)id, has_unit == 1, name);
            if (strcmp(header, name) == 0) {
                *out = (cli_id)id;
                return true;
            }
        }
    }
    return false;
}

static void report_column(const cli_scenarios *scenarios, const char *header)
{
    static char names[N_OPTIONS][NAME_SIZE];
    cli_nearest nearest = rig__cli_nearest_start(header, strlen(header));
    rig__cli_nearest_offer(&nearest, "id");
    for (int id = 0; id < N_OPTIONS; id++) {
        if (rig__cli_is_column((cli_id)id)) {
            column_name((cli_id)id, false, names[id]);
            rig__cli_nearest_offer(&nearest, names[id]);
        }
    }
    rig__cli_error("%s:1: unknown column: '%s' (expected id, or an option of recommend with '_' "
                   "for '-')",
                   scenarios->path,
                   header);
    const char *best = rig__cli_nearest_name(&nearest);
    if (best != NULL) {
        rig__cli_error("hint: did you mean %s?", best);
    }
}

static cli_exit find_columns(cli_scenarios *scenarios)
{
    const size_t n = rig_scenarios_n_columns(scenarios->file);
    scenarios->columns = calloc(n + 1, sizeof *scenarios->columns);
    if (scenarios->columns == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    for (size_t i = 0; i < n; i++) {
        const char *header = rig_scenarios_column(scenarios->file, i);
        if (!find_column(header, &scenarios->columns[i])) {
            report_column(scenarios, header);
            return CLI_EXIT_INPUT;
        }
        for (size_t j = 0; j < i; j++) {
            if (scenarios->columns[j] == scenarios->columns[i]) {
                rig__cli_error("%s:1: two columns for one option: '%s' (expected one of '%s' and "
                               "'%s')",
                               scenarios->path,
                               header,
                               rig_scenarios_column(scenarios->file, j),
                               header);
                return CLI_EXIT_INPUT;
            }
        }
    }
    return CLI_EXIT_OK;
}

cli_exit rig__cli_scenarios_open(cli_scenarios *out, const cli_input *base, const char *path)
{
    rig_error err = {0};
    *out = (cli_scenarios){.base = base, .path = path};
    const rig_status status = rig_scenarios_read(&out->file, path, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, true);
    }
    return find_columns(out);
}

/* ---- one row --------------------------------------------------------------------------------- */

void rig__cli_scenario_place(const cli_scenarios *scenarios,
                             size_t i_row,
                             char place[CLI_WHERE_SIZE])
{
    const long line = rig_scenarios_cell(scenarios->file, i_row, 0).line;
    snprintf(place, CLI_WHERE_SIZE, "%s:%ld:1", scenarios->path, line);
}

/* The options of the sweep, as if they were given to recommend. */
static bool copy_base(const cli_input *base, cli_input *out)
{
    out->verb = VERB_RECOMMEND;
    for (int id = 0; id < N_OPTIONS; id++) {
        const cli_setting *setting = &base->settings[id];
        for (size_t i = 0; rig__cli_is_column((cli_id)id) && i < setting->count; i++) {
            if (!rig__cli_put(out, (cli_id)id, setting->level, setting->items[i])) {
                return false;
            }
        }
    }
    return true;
}

/* A cell of a list holds several values, with ';' between them; they are cut out in the pool. */
static bool put_list(cli_input *out, cli_id id, cli_value value, char **pool)
{
    char *rest = NULL;
    char *own = *pool;
    *pool += strlen(value.text) + 1;
    strcpy(own, value.text);
    for (char *item = strtok_r(own, ";", &rest); item != NULL; item = strtok_r(NULL, ";", &rest)) {
        item += strspn(item, " \t");
        value.text = item;
        if (item[0] != '\0' && !rig__cli_put(out, id, LEVEL_CELL, value)) {
            return false;
        }
    }
    return true;
}

static bool is_list(const cli_scenarios *scenarios, size_t i_column)
{
    const cli_id id = scenarios->columns[i_column];
    return id != N_OPTIONS && rig__cli_options[id].kind == KIND_LIST;
}

static bool put_cells(const cli_scenarios *scenarios, size_t i_row, cli_scenario *out)
{
    const size_t n_columns = rig_scenarios_n_columns(scenarios->file);
    size_t n_bytes = 1;
    for (size_t i = 0; i < n_columns; i++) {
        if (is_list(scenarios, i)) {
            n_bytes += strlen(rig_scenarios_cell(scenarios->file, i_row, i).text) + 1;
        }
    }
    out->pool = malloc(n_bytes);
    char *pool = out->pool;
    bool is_put = pool != NULL;
    for (size_t i = 0; i < n_columns && is_put; i++) {
        const cli_id id = scenarios->columns[i];
        const rig_scenario_cell cell = rig_scenarios_cell(scenarios->file, i_row, i);
        const cli_value value = {
            .text = cell.text, .file = scenarios->path, .line = cell.line, .column = cell.column};
        if (id == N_OPTIONS || cell.text[0] == '\0') {
            continue;
        }
        is_put = is_list(scenarios, i) ? put_list(&out->input, id, value, &pool)
                                       : rig__cli_put(&out->input, id, LEVEL_CELL, value);
    }
    return is_put;
}

/* ---- catalogues ------------------------------------------------------------------------------ */

/* Options that decide what is read from files: those of their group. */
static char *shelf_key(const cli_input *input)
{
    size_t size = 1;
    for (int pass = 0; pass < 2; pass++) {
        char *key = pass == 0 ? NULL : malloc(size);
        size_t used = 0;
        for (int id = 0; id < N_OPTIONS; id++) {
            for (size_t i = 0; rig__cli_options[id].group == GROUP_CATALOG &&
                               i < rig__cli_count(input, (cli_id)id);
                 i++) {
                const char *text = rig__cli_item(input, (cli_id)id, i);
                if (pass == 0) {
                    size += strlen(text) + 16;
                } else if (key != NULL) {
                    used += (size_t)snprintf(key + used, size - used, "%d=%s\n", id, text);
                }
            }
        }
        if (pass == 1) {
            if (key != NULL) {
                key[used] = '\0';
            }
            return key;
        }
    }
    return NULL;
}

/* The catalogue for a row, read when it is first asked for. @return NULL: out of memory */
static cli_shelf *find_shelf(cli_scenarios *scenarios, const cli_input *input)
{
    char *key = shelf_key(input);
    for (size_t i = 0; i < scenarios->n_shelves && key != NULL; i++) {
        if (strcmp(scenarios->shelves[i].key, key) == 0) {
            free(key);
            return &scenarios->shelves[i];
        }
    }
    cli_shelf *more =
        realloc(scenarios->shelves, (scenarios->n_shelves + 1) * sizeof *scenarios->shelves);
    if (key == NULL || more == NULL) {
        free(key);
        scenarios->shelves = more != NULL ? more : scenarios->shelves;
        return NULL;
    }
    scenarios->shelves = more;
    cli_shelf *shelf = &more[scenarios->n_shelves++];
    *shelf = (cli_shelf){.key = key};
    rig__cli_capture(shelf->message, sizeof shelf->message);
    shelf->loaded = rig__cli_session_load(&shelf->session, input);
    rig__cli_capture(NULL, 0);
    return shelf;
}

/* ---- requests -------------------------------------------------------------------------------- */

static cli_exit check_row(const cli_scenarios *scenarios, size_t i_row, const cli_input *input)
{
    char place[CLI_WHERE_SIZE];
    CLI_TRY(rig__cli_validate(input));
    const cli_id lacks = rig__cli_objective_lacks(input);
    if (lacks != N_OPTIONS) {
        rig__cli_scenario_place(scenarios, i_row, place);
        rig__cli_error("%s: no %s (expected a cell in a column of that name, or --%s)",
                       place,
                       rig__cli_options[lacks].name,
                       rig__cli_options[lacks].name);
        return CLI_EXIT_INPUT;
    }
    return CLI_EXIT_OK;
}

/* Names that were completed are not noted for every row: the result names the parts. */
static cli_exit make_request(cli_scenario *item, rig_catalog *catalog)
{
    const bool was_quiet = rig__cli_is_quiet();
    item->session = (cli_session){.input = &item->input, .catalog = catalog};
    rig__cli_set_quiet(true);
    const cli_exit code = rig__cli_session_request(&item->session);
    rig__cli_set_quiet(was_quiet);
    return code;
}

/* @return false: out of memory */
static bool prepare_row(cli_scenarios *scenarios, size_t i_row, cli_scenario *item)
{
    if (!copy_base(scenarios->base, &item->input) || !put_cells(scenarios, i_row, item)) {
        return false;
    }
    rig__cli_capture(item->message, sizeof item->message);
    cli_exit code = check_row(scenarios, i_row, &item->input);
    rig__cli_capture(NULL, 0);
    if (code == CLI_EXIT_OK) {
        const cli_shelf *shelf = find_shelf(scenarios, &item->input);
        if (shelf == NULL) {
            return false;
        }
        code = shelf->loaded;
        if (code != CLI_EXIT_OK) {
            snprintf(item->message, sizeof item->message, "%s", shelf->message);
        } else {
            rig__cli_capture(item->message, sizeof item->message);
            code = make_request(item, shelf->session.catalog);
            rig__cli_capture(NULL, 0);
        }
    }
    item->is_wrong = code != CLI_EXIT_OK;
    return code != CLI_EXIT_INTERNAL;
}

cli_exit rig__cli_scenarios_prepare(cli_scenarios *scenarios)
{
    const size_t n = scenarios->end - scenarios->first;
    scenarios->items = calloc(n + 1, sizeof *scenarios->items);
    bool is_done = scenarios->items != NULL;
    for (size_t i = 0; i < n && is_done; i++) {
        is_done = prepare_row(scenarios, scenarios->first + i, &scenarios->items[i]);
    }
    if (!is_done) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    return CLI_EXIT_OK;
}

void rig__cli_scenarios_free(cli_scenarios *scenarios)
{
    for (size_t i = 0; scenarios->items != NULL && i < scenarios->end - scenarios->first; i++) {
        scenarios->items[i].session.catalog = NULL; /* of the shelf */
        rig__cli_session_free(&scenarios->items[i].session);
        rig__cli_input_free(&scenarios->items[i].input);
        free(scenarios->items[i].pool);
    }
    for (size_t i = 0; i < scenarios->n_shelves; i++) {
        rig__cli_session_free(&scenarios->shelves[i].session);
        free(scenarios->shelves[i].key);
    }
    free(scenarios->items);
    free(scenarios->shelves);
    free(scenarios->columns);
    rig_scenarios_free(scenarios->file);
    *scenarios = (cli_scenarios){.base = NULL};
}
