/* SPDX-License-Identifier: GPL-3.0-or-later
 * Catalogue, constants and request from the options. */
#include "cli/session.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli_output.h"
#include "cli/data_dirs.h"

/* Power that a circuit may carry for hours over volts times amperes. Source: NEC 210.20(A), loads
 * of three hours and more at 80 % of the rating of the breaker. */
#define CONTINUOUS_SHARE 0.8

rig_catalog_options rig__cli_catalog_options(const cli_input *input)
{
    rig_catalog_options options = rig_catalog_options_default();
    const char *after = rig__cli_text(input, OPT_PRICE_AFTER);
    int ymd = 0;
    if (after != NULL && rig__cli_date_parse(after, &ymd)) {
        options.policy.after_ymd = ymd;
    }
    options.quotes_file = rig__cli_text(input, OPT_PRICES);
    options.policy.lowest_trust = (rig_trust)rig__cli_choice(input, OPT_PRICE_TRUST);
    options.policy.allow_used = rig__cli_is_given(input, OPT_USED);
    options.policy.allow_absurd = rig__cli_is_given(input, OPT_ALLOW_ZERO_PRICE);
    return options;
}

/* Problems that are no errors. */
static void print_problem(const rig_error *problem, bool is_error, void *payload)
{
    (void)payload;
    if (!is_error && !rig__cli_is_quiet()) {
        rig__cli_print_error(problem, NULL);
    }
}

/* Puts the profile of --profile over the catalogue. */
static cli_exit apply_profile(cli_session *session)
{
    const char *path = rig__cli_text(session->input, OPT_PROFILE);
    rig_error err = {0};
    if (path == NULL || session->input->verb == VERB_CATALOG) {
        return CLI_EXIT_OK;
    }
    rig_status status = rig_profile_read(&session->profile, path, &err);
    if (status == RIG_OK) {
        session->shipped = session->catalog;
        session->catalog = NULL;
        status = rig_profile_apply(&session->catalog, session->shipped, session->profile, &err);
    }
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
    }
    return rig__cli_exit_of(status, true);
}

cli_exit rig__cli_session_load(cli_session *session, const cli_input *input)
{
    *session = (cli_session){.input = input};
    cli_data_dirs *data = malloc(sizeof *data);
    const size_t n_more = rig__cli_count(input, OPT_CATALOG);
    const char **directories = calloc(n_more + 2, sizeof *directories);
    cli_exit result = CLI_EXIT_INTERNAL;
    rig_error err = {0};
    if (data == NULL || directories == NULL) {
        rig__cli_error("out of memory");
        goto done;
    }
    result = rig__cli_find_data(data);
    if (result != CLI_EXIT_OK) {
        goto done;
    }
    directories[0] = data->catalog;
    directories[1] = data->model;
    for (size_t i = 0; i < n_more; i++) {
        directories[i + 2] = rig__cli_item(input, OPT_CATALOG, i);
    }
    rig_catalog_options options = rig__cli_catalog_options(input);
    options.directories = directories;
    options.n_directories = n_more + 2;
    options.on_problem = print_problem;
    const rig_status status = rig_catalog_load(&session->catalog, &options, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
    }
    result = rig__cli_exit_of(status, true);
    if (result == CLI_EXIT_OK) {
        result = apply_profile(session);
    }
done:
    free(directories);
    free(data);
    return result;
}

void rig__cli_session_free(cli_session *session)
{
    free(session->conditions);
    rig_constants_free(session->constants);
    rig_catalog_free(session->catalog);
    rig_catalog_free(session->shipped);
    rig_profile_free(session->profile);
    *session = (cli_session){0};
}

/* Row of a table named by an option; *out is unchanged if the option is not given. */
static cli_exit
find_row(const cli_session *session, cli_id id, rig_table table, const rig_row **out)
{
    const char *text = rig__cli_text(session->input, id);
    char where[CLI_WHERE_SIZE];
    rig_error err = {0};
    if (text == NULL) {
        return CLI_EXIT_OK;
    }
    const rig_status status = rig_catalog_find(session->catalog, table, text, out, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, rig__cli_where(session->input, id, 0, where));
        return rig__cli_blame(session->input, id);
    }
    return CLI_EXIT_OK;
}

/* Network, data set, loader and stack other than those of the workload. */
static cli_exit replace_tables(cli_session *session, rig_workload *workload)
{
    const rig_row *network = NULL, *dataset = NULL, *loader = NULL, *stack = NULL;
    CLI_TRY(find_row(session, OPT_NETWORK, RIG_TABLE_NETWORK, &network));
    CLI_TRY(find_row(session, OPT_DATASET, RIG_TABLE_DATASET, &dataset));
    CLI_TRY(find_row(session, OPT_LOADER, RIG_TABLE_LOADER, &loader));
    CLI_TRY(find_row(session, OPT_STACK, RIG_TABLE_STACK, &stack));
    workload->network = network != NULL ? (const rig_network *)network : workload->network;
    workload->dataset = dataset != NULL ? (const rig_dataset *)dataset : workload->dataset;
    workload->loader = loader != NULL ? (const rig_loader *)loader : workload->loader;
    workload->stack = stack != NULL ? (const rig_stack *)stack : workload->stack;
    if (network != NULL || dataset != NULL) {
        snprintf(session->workload_name,
                 sizeof session->workload_name,
                 "%s-%s",
                 workload->network->row.name,
                 workload->dataset->row.name);
        workload->name = session->workload_name;
    }
    return CLI_EXIT_OK;
}

size_t rig__cli_session_n_workloads(const cli_session *session)
{
    const size_t n_given = rig__cli_count(session->input, OPT_WORKLOAD);
    return n_given > 0 ? n_given : 1;
}

cli_exit rig__cli_session_take_workload(cli_session *session, size_t index)
{
    const cli_input *input = session->input;
    rig_workload *workload = &session->request.workload;
    const bool is_given = rig__cli_count(input, OPT_WORKLOAD) > 0;
    const char *name =
        is_given ? rig__cli_item(input, OPT_WORKLOAD, index) : rig__cli_text(input, OPT_WORKLOAD);
    char where[CLI_WHERE_SIZE];
    rig_error err = {0};
    const rig_status status = rig_workload_find(session->catalog, name, workload, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, rig__cli_where(input, OPT_WORKLOAD, index, where));
        return rig__cli_blame(input, OPT_WORKLOAD);
    }
    CLI_TRY(replace_tables(session, workload));
    const char *precision = rig__cli_text(input, OPT_PRECISION);
    if (precision != NULL && rig_precision_parse(precision, &workload->precision, &err) != RIG_OK) {
        rig__cli_print_error(&err, rig__cli_where(input, OPT_PRECISION, 0, where));
        return rig__cli_blame(input, OPT_PRECISION);
    }
    workload->batch_per_gpu = (int)rig__cli_number(input, OPT_BATCH, workload->batch_per_gpu);
    workload->epochs = (int)rig__cli_number(input, OPT_EPOCHS, workload->epochs);
    workload->workers = rig__cli_number(input, OPT_WORKERS, workload->workers);
    workload->cache = (rig_page_cache)rig__cli_choice(input, OPT_CACHE);
    if (rig__cli_is_given(input, OPT_NO_OVERLAP)) {
        workload->is_overlapped = false;
    }
    if (rig__cli_is_given(input, OPT_SEQUENTIAL)) {
        workload->is_sequential = true;
    }
    return CLI_EXIT_OK;
}

static rig_economics economics_of(const cli_input *input)
{
    const rig_economics usual = rig_economics_default();
    return (rig_economics){
        .electricity_usd_kwh = rig__cli_number(input, OPT_ELECTRICITY, usual.electricity_usd_kwh),
        .pue = rig__cli_number(input, OPT_PUE, usual.pue),
        .lifetime_s = rig__cli_number(input, OPT_LIFETIME, usual.lifetime_s),
        .utilisation_frac = rig__cli_number(input, OPT_UTILISATION, usual.utilisation_frac),
        .resale_frac = rig__cli_number(input, OPT_RESALE, usual.resale_frac),
        .interest_frac = rig__cli_number(input, OPT_INTEREST, usual.interest_frac),
        .maintenance_frac = rig__cli_number(input, OPT_MAINTENANCE, usual.maintenance_frac),
        .hosting_usd_month = rig__cli_number(input, OPT_HOSTING, usual.hosting_usd_month),
        .grid_kg_kwh = rig__cli_number(input, OPT_GRID, usual.grid_kg_kwh)};
}

/* A number of nodes. @return false: not such */
static bool read_nodes(const char *text, int *out)
{
    double value = 0;
    if (rig_quantity_parse(text, RIG_QUANTITY_COUNT, &value, NULL) != RIG_OK ||
        !(value >= 1 && value <= RIG_MAX_NODES)) {
        return false;
    }
    *out = (int)value;
    return true;
}

/* --nodes and --data: one number, or a range where the number is to be chosen. */
static cli_exit fill_nodes(cli_session *session)
{
    const cli_input *input = session->input;
    rig_request *request = &session->request;
    const bool chooses = input->verb == VERB_RECOMMEND || input->verb == VERB_FRONTIER;
    char from[CLI_RANGE_SIZE], to[CLI_RANGE_SIZE], where[CLI_WHERE_SIZE];
    if ((rig__cli_options[OPT_NODES].verbs & (1u << input->verb)) == 0) {
        return CLI_EXIT_OK;
    }
    const char *text = rig__cli_text(input, OPT_NODES);
    request->is_sharded = rig__cli_choice(input, OPT_DATA) == 1;
    const bool is_range = rig__cli_split_range(text, from, to);
    const bool is_read = is_range ? read_nodes(from, &request->nodes_least) &&
                                        read_nodes(to, &request->nodes_most) &&
                                        request->nodes_least <= request->nodes_most
                                  : read_nodes(text, &request->nodes_most);
    if (!is_range) {
        request->nodes_least = request->nodes_most;
    }
    if (!is_read || (is_range && !chooses)) {
        rig__cli_error("%s: not a number of nodes: '%s' (expected 1 to %d%s)",
                       rig__cli_where(input, OPT_NODES, 0, where),
                       text,
                       RIG_MAX_NODES,
                       chooses ? ", or a range such as 1..8" : "");
        return rig__cli_blame(input, OPT_NODES);
    }
    return CLI_EXIT_OK;
}

/* Today, or the day of SOURCE_DATE_EPOCH, so that a run can be repeated to the byte.
 * Source of the variable: reproducible-builds.org/specs/source-date-epoch */
cli_exit rig__cli_today(int32_t *out)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    time_t now = time(NULL);
    if (text != NULL && text[0] != '\0') {
        char *end = NULL;
        errno = 0;
        const long long seconds = strtoll(text, &end, 10);
        if (errno != 0 || *end != '\0' || seconds < 0 || seconds > 253402300799LL) {
            rig__cli_error("SOURCE_DATE_EPOCH: not a time: '%s' (expected seconds since 1970)",
                           text);
            return CLI_EXIT_USAGE;
        }
        now = (time_t)seconds;
    }
    struct tm date;
    if (gmtime_r(&now, &date) == NULL) {
        *out = 0;
        return CLI_EXIT_OK;
    }
    *out = (int32_t)((date.tm_year + 1900) * 10000 + (date.tm_mon + 1) * 100 + date.tm_mday);
    return CLI_EXIT_OK;
}

static cli_exit check_workloads(const cli_session *session)
{
    const cli_input *input = session->input;
    char where[CLI_WHERE_SIZE];
    if (input->verb == VERB_COMPARE || rig__cli_session_n_workloads(session) == 1) {
        return CLI_EXIT_OK;
    }
    rig__cli_error("%s: second workload: '%s' (expected one; compare takes several)",
                   rig__cli_where(input, OPT_WORKLOAD, 1, where),
                   rig__cli_item(input, OPT_WORKLOAD, 1));
    return rig__cli_blame(input, OPT_WORKLOAD);
}

cli_exit rig__cli_session_workload(cli_session *session)
{
    rig_error err = {0};
    session->request = rig_request_default();
    const rig_status status = rig_constants_new(&session->constants, session->catalog, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, true);
    }
    CLI_TRY(check_workloads(session));
    CLI_TRY(rig__cli_session_take_workload(session, 0));
    session->request.economics = economics_of(session->input);
    CLI_TRY(fill_nodes(session));
    return rig__cli_today(&session->request.today_ymd);
}

/* Says which part a name was taken for when it is not the very name; a final count is left out. */
static void note_taken(const char *text, const rig_row *row, int count)
{
    char suffix[16];
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    if (length == strlen(row->name) && strncmp(text, row->name, length) == 0) {
        return;
    }
    const size_t n_suffix = (size_t)snprintf(suffix, sizeof suffix, "x%d", count);
    if (length > n_suffix + 1 && text[length - n_suffix - 1] == ' ' &&
        (text[length - n_suffix] == 'x' || text[length - n_suffix] == 'X') &&
        strncmp(text + length - n_suffix + 1, suffix + 1, n_suffix - 1) == 0) {
        length -= n_suffix + 1;
        while (length > 0 && text[length - 1] == ' ') {
            length--;
        }
    }
    if (length != strlen(row->name) || strncmp(text, row->name, length) != 0) {
        rig__cli_note("note: '%.*s' taken as '%s'", (int)length, text, row->name);
    }
}

cli_exit rig__cli_condition(const cli_session *session,
                            cli_id id,
                            size_t index,
                            rig_condition_kind kind,
                            const char *text,
                            rig_condition *out)
{
    char where[CLI_WHERE_SIZE];
    rig_error err = {0};
    const rig_status status = rig_condition_parse(session->catalog, kind, text, out, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, rig__cli_where(session->input, id, index, where));
        return status == RIG_E_NOMEM ? CLI_EXIT_INTERNAL : rig__cli_blame(session->input, id);
    }
    if (out->row != NULL) { /* CLASS = NAME */
        const char *name = strchr(text, '=');
        note_taken(name + strspn(name, "="), out->row, out->count);
    }
    return CLI_EXIT_OK;
}

/* Parses all conditions of one option behind those already there. */
static cli_exit add_conditions(cli_session *session, cli_id id, rig_condition_kind kind)
{
    const cli_input *input = session->input;
    for (size_t i = 0; i < rig__cli_count(input, id); i++) {
        CLI_TRY(rig__cli_condition(session,
                                   id,
                                   i,
                                   kind,
                                   rig__cli_item(input, id, i),
                                   &session->conditions[session->request.n_conditions++]));
    }
    return CLI_EXIT_OK;
}

static cli_exit fill_conditions(cli_session *session)
{
    static const struct {
        cli_id id;
        rig_condition_kind kind;
    } kinds[] = {{OPT_REQUIRE, RIG_CONDITION_REQUIRE},
                 {OPT_FORBID, RIG_CONDITION_FORBID},
                 {OPT_LIMIT, RIG_CONDITION_LIMIT},
                 {OPT_FIX, RIG_CONDITION_FIX},
                 {OPT_OWN, RIG_CONDITION_OWN}};
    const size_t n_kinds = sizeof kinds / sizeof kinds[0];
    size_t count = 0;
    for (size_t k = 0; k < n_kinds; k++) {
        count += rig__cli_count(session->input, kinds[k].id);
    }
    session->conditions = calloc(count + 1, sizeof *session->conditions);
    if (session->conditions == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    session->request.conditions = session->conditions;
    session->request.n_conditions = 0;
    for (size_t k = 0; k < n_kinds; k++) {
        CLI_TRY(add_conditions(session, kinds[k].id, kinds[k].kind));
    }
    return CLI_EXIT_OK;
}

/* A number with its unit letter, as "110V". @return false: not such */
static bool read_unit(const char *text, size_t length, char unit, double *out)
{
    char number[32];
    if (length > 0 && (text[length - 1] == unit || text[length - 1] == unit - 'A' + 'a')) {
        length--;
    }
    if (length == 0 || length >= sizeof number) {
        return false;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    return rig_quantity_parse(number, RIG_QUANTITY_NUMBER, out, NULL) == RIG_OK && *out > 0;
}

/* Watts of --circuit: volts and amperes of a breaker, or watts. */
static cli_exit fill_circuit(cli_session *session)
{
    const char *text = rig__cli_text(session->input, OPT_CIRCUIT);
    char where[CLI_WHERE_SIZE];
    double volts = 0, amperes = 0, watts = 0;
    if (text == NULL) {
        return CLI_EXIT_OK;
    }
    const char *colon = strchr(text, ':');
    if (colon != NULL && read_unit(text, (size_t)(colon - text), 'V', &volts) &&
        read_unit(colon + 1, strlen(colon + 1), 'A', &amperes)) {
        watts = volts * amperes * CONTINUOUS_SHARE;
    } else if (colon != NULL ||
               rig_quantity_parse(text, RIG_QUANTITY_POWER, &watts, NULL) != RIG_OK) {
        watts = NAN;
    }
    if (!(watts > 0 && watts < 1e9)) {
        rig__cli_error("%s: not a circuit: '%s' (expected volts and amperes such as 110V:15A, or "
                       "watts)",
                       rig__cli_where(session->input, OPT_CIRCUIT, 0, where),
                       text);
        return rig__cli_blame(session->input, OPT_CIRCUIT);
    }
    session->request.circuit_w = watts;
    return CLI_EXIT_OK;
}

static cli_exit fill_solver(cli_session *session)
{
    const char *name = rig__cli_text(session->input, OPT_SOLVER);
    char where[CLI_WHERE_SIZE], list[256] = "auto";
    if (rig_solver_find(name) == NULL) {
        for (size_t i = 0; i < rig_solver_count(); i++) {
            rig__cli_append(list, sizeof list, ", ");
            rig__cli_append(list, sizeof list, rig_solver_at(i)->name);
        }
        rig__cli_error("%s: unknown solver: '%s' (expected %s)",
                       rig__cli_where(session->input, OPT_SOLVER, 0, where),
                       name,
                       list);
        return rig__cli_blame(session->input, OPT_SOLVER);
    }
    session->request.solver = name;
    return CLI_EXIT_OK;
}

cli_id rig__cli_objective_lacks(const cli_input *input)
{
    const bool is_price = strcmp(rig__cli_text(input, OPT_OBJECTIVE), "price") == 0;
    const cli_id needed = is_price ? OPT_EPOCH_TIME_MAX : OPT_BUDGET;
    return rig__cli_is_given(input, needed) ? N_OPTIONS : needed;
}

cli_exit rig__cli_check_objective(const cli_input *input)
{
    const char *verb = rig__cli_verbs[input->verb].name;
    const cli_id lacks = rig__cli_objective_lacks(input);
    if (lacks == OPT_EPOCH_TIME_MAX) {
        rig__cli_error("--objective price needs --epoch-time-max, as in: trainrig %s "
                       "--objective price --epoch-time-max 20min",
                       verb);
        return CLI_EXIT_USAGE;
    }
    if (lacks == OPT_BUDGET) {
        rig__cli_error("no budget, as in: trainrig %s --budget 20k", verb);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

/* What asks for the best builds: budget, objective, length of the list, solver. */
static cli_exit fill_question(cli_session *session)
{
    const cli_input *input = session->input;
    rig_request *request = &session->request;
    rig_error err = {0};
    const char *budget = rig__cli_text(input, OPT_BUDGET);
    CLI_TRY(fill_solver(session));
    if ((budget != NULL && rig_money_parse(budget, &request->budget_cents, &err) != RIG_OK) ||
        rig_objective_parse(rig__cli_text(input, OPT_OBJECTIVE), &request->objective, &err) !=
            RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return CLI_EXIT_USAGE;
    }
    request->top = (size_t)rig__cli_number(input, OPT_TOP, 1);
    request->distinct = (rig_distinct)rig__cli_choice(input, OPT_DISTINCT);
    request->gap_frac = rig__cli_number(input, OPT_GAP, 0);
    return CLI_EXIT_OK;
}

cli_exit rig__cli_session_request(cli_session *session)
{
    const cli_input *input = session->input;
    rig_request *request = &session->request;
    CLI_TRY(rig__cli_session_workload(session));
    CLI_TRY(fill_conditions(session));
    CLI_TRY(fill_circuit(session));
    request->budget_cents = INT64_MAX;
    if (input->verb == VERB_RECOMMEND || input->verb == VERB_COMPARE ||
        input->verb == VERB_EXPORT) {
        CLI_TRY(fill_question(session));
    }
    request->epoch_time_max_s = rig__cli_number(input, OPT_EPOCH_TIME_MAX, INFINITY);
    request->time_limit_s = rig__cli_number(input, OPT_TIME_LIMIT, INFINITY);
    request->allow_unmeasured = rig__cli_is_given(input, OPT_UNMEASURED);
    return CLI_EXIT_OK;
}

/* Memory in units of 2^30 B: "GB" as memory is sold means that unit, "GiB" says so. */
static double read_ram(const cli_input *input)
{
    const char *text = rig__cli_text(input, OPT_RAM);
    const double gb = rig__cli_number(input, OPT_RAM, NAN);
    const char *suffix = text == NULL ? NULL : strpbrk(text, "iI");
    if (suffix != NULL) {
        return gb * 1e9 / RIG_MEMORY_GB_BYTES;
    }
    const bool is_tb = text != NULL && strpbrk(text, "tT") != NULL;
    return is_tb ? gb * 1.024 : gb;
}

cli_exit rig__cli_session_build(const cli_session *session, rig_build *out, size_t *n_parts)
{
    static const struct {
        cli_id id;
        rig_table table;
    } classes[] = {{OPT_CPU, RIG_TABLE_CPU},
                   {OPT_GPU, RIG_TABLE_GPU},
                   {OPT_MEMORY, RIG_TABLE_MEMORY},
                   {OPT_STORAGE, RIG_TABLE_STORAGE},
                   {OPT_BOARD, RIG_TABLE_BOARD},
                   {OPT_PSU, RIG_TABLE_PSU},
                   {OPT_CHASSIS, RIG_TABLE_CHASSIS},
                   {OPT_SERVER, RIG_TABLE_SERVER},
                   {OPT_BASEBOARD, RIG_TABLE_BASEBOARD},
                   {OPT_NIC, RIG_TABLE_NIC},
                   {OPT_SWITCH, RIG_TABLE_SWITCH}};
    const cli_input *input = session->input;
    char where[CLI_WHERE_SIZE];
    *out = rig_build_empty();
    out->nodes = session->request.nodes_most;
    *n_parts = 0;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const char *text = rig__cli_text(input, classes[i].id);
        rig_error err = {0};
        if (text == NULL) {
            continue;
        }
        ++*n_parts;
        if (rig_build_set(out, session->catalog, classes[i].table, text, &err) != RIG_OK) {
            if (classes[i].id == OPT_CPU && err.status == RIG_E_NOTFOUND) {
                rig__cli_append(err.hint, sizeof err.hint, err.hint[0] == '\0' ? "" : "; or ");
                rig__cli_append(
                    err.hint, sizeof err.hint, "--cores N for a processor without a name");
            }
            rig__cli_print_error(&err, rig__cli_where(input, classes[i].id, 0, where));
            return rig__cli_blame(input, classes[i].id);
        }
        const rig_part_use *use = &out->parts[classes[i].table];
        note_taken(text, use->row, use->count);
    }
    *n_parts += rig__cli_count(input, OPT_CORES) + rig__cli_count(input, OPT_RAM) +
                rig__cli_count(input, OPT_STORAGE_RATE);
    out->unnamed.cores = rig__cli_number(input, OPT_CORES, NAN);
    out->unnamed.ram_gb = read_ram(input);
    out->unnamed.drive_gbs = rig__cli_number(input, OPT_STORAGE_RATE, NAN);
    return CLI_EXIT_OK;
}
