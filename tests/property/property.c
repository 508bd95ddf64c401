/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random cases and requests, and the comparison of a recommendation with the oracle. */
#include "property.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_near.h"

static const char *const workload_names[] = {"resnet50-imagenet",
                                             "resnet50-imagenet",
                                             "resnet50-imagenet-dali-gpu",
                                             "resnet50-imagenet-synthetic",
                                             "resnet50-imagenet-ffcv",
                                             "resnet50-imagenet-22k",
                                             "resnet50-openimages",
                                             "vit_l16-imagenet",
                                             "alexnet-imagenet"};

static uint64_t number_from_environment(const char *name, uint64_t usual)
{
    const char *text = getenv(name);
    return text == NULL ? usual : strtoull(text, NULL, 10);
}

uint64_t property_count(uint64_t usual)
{
    return number_from_environment("TRAINRIG_PROPERTY_CASES", usual);
}

uint64_t property_first_seed(void)
{
    return number_from_environment("TRAINRIG_PROPERTY_SEED", 1);
}

static void check_status(const property_case *c, rig_status status, const rig_error *err)
{
    if (status != RIG_OK) {
        fail_msg("seed %" PRIu64 ": %s:%ld:%ld: %s (%s)",
                 c->seed,
                 err->where,
                 err->line,
                 err->column,
                 err->message,
                 rig_status_name(status));
    }
}

static void choose_workload(property_case *c)
{
    random_source *source = &c->source;
    rig_error err = {0};
    const size_t n_names = sizeof workload_names / sizeof *workload_names;
    const char *name = workload_names[random_below(source, n_names)];
    check_status(c, rig_workload_find(c->catalog, name, &c->workload, &err), &err);
    c->workload.is_overlapped = random_chance(source, 75);
    c->workload.is_sequential = random_chance(source, 20);
    c->workload.workers = random_chance(source, 25) ? 4 : (double)NAN;
    c->workload.cache =
        (rig_page_cache)(random_chance(source, 70) ? RIG_CACHE_PAGE : random_below(source, 3));
    if (random_chance(source, 30)) {
        c->workload.batch_per_gpu = 32;
    }
}

void property_case_new(property_case *c,
                       uint64_t seed,
                       const rig_catalog *whole,
                       const char *directory)
{
    rig_error err = {0};
    memset(c, 0, sizeof *c);
    c->seed = seed;
    c->source = random_from(seed + UINT64_C(1000000007));
    if (whole == NULL) {
        random_catalog_fill(&c->parts, seed);
    } else {
        random_catalog_slice(&c->parts, whole, seed);
    }
    check_status(c, random_catalog_load(&c->parts, directory, 0, &c->catalog, &err), &err);
    check_status(c, rig_constants_new(&c->constants, c->catalog, &err), &err);
    choose_workload(c);
    oracle_fill(&c->machines, c->catalog, c->constants, &c->workload);
}

void property_case_free(property_case *c)
{
    oracle_free(&c->machines);
    rig_constants_free(c->constants);
    rig_catalog_free(c->catalog);
}

/* ---- requests ------------------------------------------------------------------------------- */

bool property_condition_add(property_case *c,
                            rig_request *request,
                            rig_condition_kind kind,
                            const char *text)
{
    if (request->n_conditions >= PROPERTY_MAX_CONDITIONS) {
        return false;
    }
    rig_condition *condition = &c->conditions[request->n_conditions];
    if (rig_condition_parse(c->catalog, kind, text, condition, NULL) != RIG_OK) {
        return false;
    }
    request->n_conditions++;
    return true;
}

/* FIX or OWN of a random part, often one that can be built. */
static void add_choice(property_case *c, rig_request *request, rig_condition_kind kind)
{
    static const rig_table tables[] = {RIG_TABLE_CPU,
                                       RIG_TABLE_GPU,
                                       RIG_TABLE_GPU,
                                       RIG_TABLE_MEMORY,
                                       RIG_TABLE_STORAGE,
                                       RIG_TABLE_BOARD,
                                       RIG_TABLE_PSU,
                                       RIG_TABLE_CHASSIS,
                                       RIG_TABLE_SERVER,
                                       RIG_TABLE_BASEBOARD,
                                       RIG_TABLE_NIC};
    random_source *source = &c->source;
    const rig_table table = tables[random_below(source, sizeof tables / sizeof *tables)];
    const size_t n_rows = rig_catalog_count(c->catalog, table);
    if (n_rows == 0) {
        return;
    }
    const rig_row *row = rig_catalog_row(c->catalog, table, random_below(source, n_rows));
    int count = random_chance(source, 70) ? 1 : 2;
    if (c->machines.n_machines > 0 && random_chance(source, 80)) {
        const size_t at = random_below(source, c->machines.n_machines);
        const rig_part_use *use = &c->machines.machines[at].build.parts[table];
        row = use->row == NULL ? row : use->row;
        count = use->row == NULL ? count : use->count;
    }
    char text[256];
    (void)snprintf(text, sizeof text, "%s = %s x%d", rig_table_singular(table), row->name, count);
    (void)property_condition_add(c, request, kind, text);
}

static void add_filter(property_case *c, rig_request *request)
{
    static const struct {
        rig_condition_kind kind;
        const char *text;
    } filters[] = {
        {RIG_CONDITION_REQUIRE, "gpu.mem_gb >= 12"},
        {RIG_CONDITION_REQUIRE, "gpu.mem_gb >= 24"},
        {RIG_CONDITION_REQUIRE, "gpu.vendor = NVIDIA"},
        {RIG_CONDITION_REQUIRE, "gpu.count >= 2"},
        {RIG_CONDITION_REQUIRE, "gpu.count <= 2"},
        {RIG_CONDITION_REQUIRE, "cpu.cores >= 16"},
        {RIG_CONDITION_REQUIRE, "cpu.count = 1"},
        {RIG_CONDITION_REQUIRE, "cpu.boost_ghz >= 3"},
        {RIG_CONDITION_REQUIRE, "storage.type = nvme"},
        {RIG_CONDITION_REQUIRE, "memory.kind = RDIMM"},
        {RIG_CONDITION_REQUIRE, "psu.wattage_w >= 1000"},
        {RIG_CONDITION_REQUIRE, "chassis.form_factor = rack"},
        {RIG_CONDITION_REQUIRE, "board.sockets = 2"},
        {RIG_CONDITION_REQUIRE, "board.kind = barebone"},
        {RIG_CONDITION_REQUIRE, "server.gpu_count >= 2"},
        {RIG_CONDITION_REQUIRE, "nic.gbps_per_port >= 25"},
        {RIG_CONDITION_FORBID, "nic.ports = 2"},
        {RIG_CONDITION_FORBID, "gpu.vendor = AMD"},
        {RIG_CONDITION_FORBID, "gpu.form = sxm"},
        {RIG_CONDITION_FORBID, "gpu.name = *GeForce*"},
        {RIG_CONDITION_FORBID, "cpu.vendor = Intel"},
        {RIG_CONDITION_FORBID, "board.kind = barebone"},
        {RIG_CONDITION_FORBID, "storage.form_factor = M.2*"},
        {RIG_CONDITION_FORBID, "server.name = *"},
        {RIG_CONDITION_FORBID, "psu.form_factor = SFX"},
    };
    const size_t at = random_below(&c->source, sizeof filters / sizeof *filters);
    (void)property_condition_add(c, request, filters[at].kind, filters[at].text);
}

/* A limit at the figure of some machine, so that equality is tried too. */
static void add_limit(property_case *c, rig_request *request)
{
    random_source *source = &c->source;
    if (c->machines.n_machines == 0) {
        return;
    }
    const oracle_machine *machine =
        &c->machines.machines[random_below(source, c->machines.n_machines)];
    const rig_total total = (rig_total)random_below(source, RIG_N_TOTALS);
    const double value =
        rig_total_value(total, &machine->totals, rig_build_price_cents(&machine->build));
    if (isnan(value)) {
        return;
    }
    char text[256];
    (void)snprintf(text,
                   sizeof text,
                   "%s %s %.17g",
                   rig_total_name(total),
                   random_chance(source, 60) ? "<=" : ">=",
                   value);
    (void)property_condition_add(c, request, RIG_CONDITION_LIMIT, text);
}

static void add_conditions(property_case *c, rig_request *request)
{
    random_source *source = &c->source;
    const size_t n = random_chance(source, 40)   ? 0
                     : random_chance(source, 60) ? 1
                                                 : 2 + random_below(source, 2);
    for (size_t i = 0; i < n; i++) {
        const size_t kind = random_below(source, 10);
        if (kind < 3) {
            add_filter(c, request);
        } else if (kind < 7) {
            add_limit(c, request);
        } else if (kind < 8) {
            add_choice(c, request, RIG_CONDITION_FIX);
        } else {
            add_choice(c, request, RIG_CONDITION_OWN);
        }
    }
}

/* None, generous, exactly enough for some machine, or a cent too little. */
static void choose_budget(property_case *c, rig_request *request)
{
    enum { MOST_PRICES = 512 };
    random_source *source = &c->source;
    int64_t prices[MOST_PRICES];
    const size_t n = oracle_prices(&c->machines, request, prices, MOST_PRICES);
    const int64_t least = oracle_least_price_cents(&c->machines, request);
    switch (random_below(source, 8)) {
    case 0:
        return;
    case 1:
        request->budget_cents = least < 0 ? 500000 : least;
        return;
    case 2:
        request->budget_cents = least < 1 ? 100000 : least - 1;
        return;
    case 3:
        request->budget_cents = least < 0 ? 500000 : least + least / 10;
        return;
    default:
        request->budget_cents = n == 0 ? 1000000 : prices[random_below(source, n)];
    }
}

static void choose_epoch_time(property_case *c, rig_request *request)
{
    enum { MOST_EPOCHS = 4096 };
    static double epochs[MOST_EPOCHS];
    const size_t n = oracle_epochs(&c->machines, epochs, MOST_EPOCHS);
    const unsigned percent = request->objective == RIG_OBJECTIVE_PRICE ? 80 : 30;
    if (n > 0 && random_chance(&c->source, percent)) {
        request->epoch_time_max_s = epochs[random_below(&c->source, n)] * 1.000001;
    }
}

rig_request property_request(property_case *c)
{
    random_source *source = &c->source;
    rig_request request = rig_request_default();
    request.workload = c->workload;
    request.conditions = c->conditions;
    request.objective = (rig_objective)(random_chance(source, 40) ? 0 : random_below(source, 4));
    request.top = 1 + random_below(source, PROPERTY_MAX_TOP);
    request.distinct = (rig_distinct)random_below(source, 3);
    request.allow_unmeasured = random_chance(source, 30);
    add_conditions(c, &request);
    if (c->machines.n_machines > 0 && random_chance(source, 10)) {
        const size_t at = random_below(source, c->machines.n_machines);
        request.circuit_w = c->machines.machines[at].totals.peak_w;
    }
    choose_epoch_time(c, &request);
    choose_budget(c, &request);
    return request;
}

/* ---- comparison ----------------------------------------------------------------------------- */

void property_print(const property_case *c, const rig_request *request, const char *what)
{
    print_error("seed %" PRIu64 ", %s, %s%s: %s by %s, budget %" PRId64 " cents, epoch <= %.17g s, "
                "top %zu, distinct %d%s, circuit %.17g W\n",
                c->seed,
                c->workload.name,
                c->workload.is_overlapped ? "" : "not overlapped, ",
                what,
                rig_objective_name(request->objective),
                request->solver,
                request->budget_cents,
                request->epoch_time_max_s,
                request->top,
                (int)request->distinct,
                request->allow_unmeasured ? ", unmeasured allowed" : "",
                request->circuit_w);
    static const char *const kinds[] = {"require", "forbid", "limit", "fix", "own"};
    for (size_t i = 0; i < request->n_conditions; i++) {
        print_error("  %s %s\n", kinds[request->conditions[i].kind], request->conditions[i].text);
    }
}

static void print_difference(const property_case *c,
                             const rig_request *request,
                             const rig_result *result,
                             const oracle_answer *expected,
                             size_t n_expected,
                             const char *what)
{
    property_print(c, request, what);
    for (size_t i = 0; i < n_expected; i++) {
        print_error("  oracle %zu: objective %.17g, %" PRId64 " cents\n",
                    i + 1,
                    expected[i].objective,
                    expected[i].price_cents);
        oracle_print_build("oracle", &expected[i].build);
    }
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *report = &result->builds[i];
        print_error("  found %zu: objective %.17g, %" PRId64 " cents\n",
                    i + 1,
                    oracle_objective(request, &report->prediction, report->price_cents),
                    report->price_cents);
        oracle_print_build("found", &report->build);
    }
}

rig_result *property_recommend(const property_case *c, const rig_request *request)
{
    rig_result *result = NULL;
    rig_error err = {0};
    const rig_status status = rig_recommend(&result, c->catalog, c->constants, request, &err);
    if (status != RIG_OK) {
        property_print(c, request, "error");
    }
    check_status(c, status, &err);
    return result;
}

/* Programs take rates that are nearer than this for one rate; the search does not. */
static double rate_resolution(const rig_request *request)
{
    return strcmp(request->solver, "auto") == 0 ? 1e-9 : 1e-6;
}

/* What differs between a ranking and the oracle's, NULL: nothing. */
static const char *difference(const property_case *c,
                              const rig_request *request,
                              const rig_result *result,
                              const oracle_answer *expected,
                              size_t n_expected)
{
    if (result->outcome != (n_expected > 0 ? RIG_OUTCOME_OPTIMAL : RIG_OUTCOME_INFEASIBLE)) {
        return "another outcome";
    }
    if (result->n_builds != n_expected) {
        return "another number of builds";
    }
    for (size_t i = 0; i < n_expected; i++) {
        const rig_build_report *report = &result->builds[i];
        const double objective =
            oracle_objective(request, &report->prediction, report->price_cents);
        if (!is_near(objective, expected[i].objective, rate_resolution(request), 1e-12)) {
            return "another objective";
        }
        /* of rates that pass for one the cheaper build is right */
        const bool is_same_rate = is_near(objective, expected[i].objective, 1e-9, 1e-12);
        if (report->price_cents != expected[i].price_cents &&
            (is_same_rate || report->price_cents > expected[i].price_cents)) {
            return "another cost";
        }
        for (size_t j = 0; j < i; j++) {
            if (oracle_is_same(
                    &c->machines, request->distinct, &report->build, &result->builds[j].build)) {
                return "two builds of one signature";
            }
        }
    }
    return NULL;
}

bool property_agrees(const property_case *c, const rig_request *request, const char *solver)
{
    rig_request asked = *request;
    oracle_answer expected[PROPERTY_MAX_TOP];
    rig_result *result = NULL;
    rig_error err = {0};
    asked.solver = solver;
    const size_t n_expected = oracle_best(&c->machines, &asked, expected);
    const rig_status status = rig_recommend(&result, c->catalog, c->constants, &asked, &err);
    if (status != RIG_OK) {
        property_print(c, &asked, err.message);
        return false;
    }
    const char *what = difference(c, &asked, result, expected, n_expected);
    if (what != NULL) {
        print_difference(c, &asked, result, expected, n_expected, what);
    }
    rig_result_free(result);
    return what == NULL;
}
