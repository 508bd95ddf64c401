/* SPDX-License-Identifier: GPL-3.0-or-later
 * The best machines and clusters of an enumeration for a request. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/oracle.h"

/* ---- conditions of a request ---------------------------------------------------------------- */

static bool limit_holds(const rig_condition *condition, double value)
{
    const double slack = 1e-9 * fmax(1, fabs(condition->number));
    switch (condition->comparison) {
    case RIG_LE:
        return value <= condition->number + slack;
    case RIG_GE:
        return value >= condition->number - slack;
    case RIG_LT:
        return value < condition->number - slack;
    case RIG_GT:
        return value > condition->number + slack;
    case RIG_EQ:
        return fabs(value - condition->number) <= slack;
    case RIG_NE:
        break;
    }
    return false;
}

/* Does a machine meet a condition on one table? A complete server and a baseboard are looked into
 * for what they name; a server cannot meet a condition on a part it does not name. */
static bool
part_condition_holds(const oracle_set *o, const rig_condition *condition, const rig_build *build)
{
    const bool is_server = build->parts[RIG_TABLE_SERVER].row != NULL;
    const bool is_forbid = condition->kind == RIG_CONDITION_FORBID;
    const rig_part_use *use = &build->parts[condition->table];
    const rig_row *row = use->row;
    double count = use->count;
    if (condition->kind == RIG_CONDITION_OWN) {
        return row == condition->row && use->count == condition->count;
    }
    if (condition->table == RIG_TABLE_GPU) {
        const rig_gpu *gpu = oracle_gpu_of(o, build, &count);
        row = gpu == NULL ? NULL : &gpu->row;
    } else if (condition->table == RIG_TABLE_CPU) {
        const rig_cpu *cpu = oracle_cpu_of(o, build, &count);
        row = cpu == NULL ? NULL : &cpu->row;
    }
    if (row != NULL) {
        return rig_condition_allows(condition, row, (int)count);
    }
    return is_forbid || (condition->kind == RIG_CONDITION_REQUIRE && !is_server &&
                         condition->table != RIG_TABLE_SERVER);
}

static bool owns(const rig_request *request, const rig_row *row)
{
    for (size_t i = 0; i < request->n_conditions; i++) {
        if (request->conditions[i].kind == RIG_CONDITION_OWN && request->conditions[i].row == row) {
            return true;
        }
    }
    return false;
}

/* Nodes and what joins them. */
typedef struct network {
    int nodes;
    rig_part_use nic, fabric;
} network;

static bool is_wanted(const rig_request *request, rig_table table)
{
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->table == table && condition->kind != RIG_CONDITION_LIMIT &&
            condition->kind != RIG_CONDITION_FORBID) {
            return true;
        }
    }
    return false;
}

/* So many of a part, marked when owned; false if conditions or a missing price rule it out. */
static bool choose(const rig_request *request, const rig_row *row, int count, rig_part_use *out)
{
    *out = (rig_part_use){row, count, owns(request, row)};
    bool is_allowed = out->is_owned || row->price.cents >= 0;
    for (size_t i = 0; i < request->n_conditions; i++) {
        is_allowed = is_allowed && rig_condition_allows(&request->conditions[i], row, count);
    }
    return is_allowed;
}

/* Calls next with every network for so many nodes; most of them join nothing. */
typedef struct network_visit {
    const oracle_set *set;
    const rig_request *request;
    void (*next)(struct network_visit *visit, const network *joined);
    oracle_answer *list;
    size_t n;
    int64_t *prices;
    size_t cap;
} network_visit;

static void with_switches(network_visit *visit, network *joined)
{
    const rig_catalog *catalog = visit->set->catalog;
    const int most = joined->nic.count * (int)((const rig_nic *)joined->nic.row)->ports;
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_SWITCH); i++) {
        for (int count = 1; count <= most; count++) {
            if (choose(visit->request,
                       rig_catalog_row(catalog, RIG_TABLE_SWITCH, i),
                       count,
                       &joined->fabric)) {
                visit->next(visit, joined);
            }
        }
    }
}

static void with_nic(network_visit *visit, network *joined, const rig_row *row, int count)
{
    joined->fabric = (rig_part_use){NULL, 0, false};
    if (isnan(((const rig_nic *)row)->pcie_lanes) || /* columns.h: not offered */
        !choose(visit->request, row, count, &joined->nic)) {
        return;
    }
    if (joined->nodes <= 2 && !is_wanted(visit->request, RIG_TABLE_SWITCH)) {
        visit->next(visit, joined);
    }
    if (joined->nodes > 1) {
        with_switches(visit, joined);
    }
}

static void visit_networks(network_visit *visit, int nodes)
{
    enum { MOST_NICS = 2 };
    const rig_catalog *catalog = visit->set->catalog;
    network joined = {.nodes = nodes};
    int pinned = 0;
    for (size_t i = 0; i < visit->request->n_conditions; i++) {
        const rig_condition *condition = &visit->request->conditions[i];
        if (condition->table == RIG_TABLE_NIC && condition->row != NULL) {
            pinned = condition->count;
        }
    }
    if (nodes == 1 && !is_wanted(visit->request, RIG_TABLE_NIC)) {
        if (!is_wanted(visit->request, RIG_TABLE_SWITCH)) {
            visit->next(visit, &joined);
        }
        return;
    }
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_NIC); i++) {
        const rig_row *row = rig_catalog_row(catalog, RIG_TABLE_NIC, i);
        for (int count = 1; count <= MOST_NICS || count <= pinned; count++) {
            with_nic(visit, &joined, row, count);
        }
    }
}

/* Marks what is owned, adds the network, and tells the price; -1 if something has none. */
static int64_t complete(const rig_request *request, const network *joined, rig_build *build)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        build->parts[i].is_owned =
            build->parts[i].row != NULL && owns(request, build->parts[i].row);
    }
    build->nodes = joined->nodes;
    build->parts[RIG_TABLE_NIC] = joined->nic;
    build->parts[RIG_TABLE_SWITCH] = joined->fabric;
    return rig_build_price_cents(build);
}

/* Rates and totals of a machine with its network, or of several; false: they do not go together. */
static bool predict_joined(const oracle_set *o,
                           const rig_build *build,
                           rig_prediction *prediction,
                           rig_build_totals *totals)
{
    rig_machine machine;
    const bool has_board = build->parts[RIG_TABLE_BOARD].row != NULL;
    const rig_board *board = (const rig_board *)build->parts[RIG_TABLE_BOARD].row;
    const bool is_rack = !has_board || strcmp(board->kind, "barebone") == 0;
    if ((is_rack &&
         build->parts[RIG_TABLE_NIC].count > oracle_constant(o, "server_nic_slots_unknown")) ||
        rig_build_check(build, o->catalog, o->constants, true, NULL, 0) > 0 ||
        rig_build_machine(
            build, o->catalog, o->constants, o->workload, &machine, NULL, NULL, NULL) != RIG_OK ||
        rig_predict_machine(&machine, o->workload, o->constants, prediction, NULL) != RIG_OK) {
        return false;
    }
    rig_build_totals_get(build, o->catalog, o->constants, totals);
    return !prediction->has_unknown && !prediction->is_out_of_memory &&
           prediction->images_per_s > 0;
}

/* Does a machine meet all but the budget, which may be given to save work? Fills its entry of the
 * ranking. */
static bool meets(const oracle_set *o,
                  const rig_request *request,
                  const network *joined,
                  const oracle_machine *machine,
                  int64_t budget_cents,
                  oracle_answer *out)
{
    rig_prediction prediction = o->predictions[machine->prediction];
    rig_build_totals totals = machine->totals;
    out->build = machine->build;
    out->price_cents = complete(request, joined, &out->build);
    if (out->price_cents < 0 || out->price_cents > budget_cents ||
        (!machine->is_measured && !request->allow_unmeasured) ||
        (joined->nic.row != NULL && !predict_joined(o, &out->build, &prediction, &totals)) ||
        prediction.epoch_s > request->epoch_time_max_s * (1 + 1e-12) ||
        (!isnan(request->circuit_w) && !(totals.peak_w <= request->circuit_w + 1e-6))) {
        return false;
    }
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        const bool is_held =
            condition->kind == RIG_CONDITION_LIMIT
                ? limit_holds(condition, rig_condition_total(condition, &totals, out->price_cents))
                : part_condition_holds(o, condition, &out->build);
        if (!is_held) {
            return false;
        }
    }
    out->images_per_s = prediction.images_per_s;
    out->objective = oracle_objective(request, &prediction, out->price_cents);
    return true;
}

/* ---- ranking -------------------------------------------------------------------------------- */

double
oracle_objective(const rig_request *request, const rig_prediction *prediction, int64_t price_cents)
{
    const double dollars = (double)(price_cents < 1 ? 1 : price_cents) / 100;
    switch (request->objective) {
    case RIG_OBJECTIVE_EPOCH_TIME:
        return -prediction->images_per_s;
    case RIG_OBJECTIVE_PRICE:
        return (double)price_cents;
    case RIG_OBJECTIVE_COST_PER_EPOCH:
        return rig_cost_per_epoch_usd(prediction, price_cents, &request->economics);
    case RIG_OBJECTIVE_IMAGES_PER_DOLLAR:
        return -prediction->images_per_s / dollars;
    }
    return NAN;
}

bool oracle_is_same(const oracle_set *set,
                    rig_distinct distinct,
                    const rig_build *a,
                    const rig_build *b)
{
    double n_a, n_b;
    if (rig_build_nodes(a) != rig_build_nodes(b) ||
        oracle_gpu_of(set, a, &n_a) != oracle_gpu_of(set, b, &n_b) || n_a != n_b) {
        return false;
    }
    if (distinct == RIG_DISTINCT_GPU) {
        return true;
    }
    if (oracle_cpu_of(set, a, &n_a) != oracle_cpu_of(set, b, &n_b) || n_a != n_b) {
        return false;
    }
    return distinct == RIG_DISTINCT_CPU ||
           (a->parts[RIG_TABLE_BOARD].row == b->parts[RIG_TABLE_BOARD].row &&
            a->parts[RIG_TABLE_SERVER].row == b->parts[RIG_TABLE_SERVER].row);
}

static bool is_better(const oracle_answer *a, const oracle_answer *b)
{
    return a->objective != b->objective ? a->objective < b->objective
                                        : a->price_cents < b->price_cents;
}

/* Keeps the best of every signature, sorted. */
static size_t offer(const oracle_set *o,
                    const rig_request *request,
                    const oracle_answer *answer,
                    oracle_answer *list,
                    size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!oracle_is_same(o, request->distinct, &answer->build, &list[i].build)) {
            continue;
        }
        if (!is_better(answer, &list[i])) {
            return n;
        }
        memmove(&list[i], &list[i + 1], (n - i - 1) * sizeof *list);
        n--;
        break;
    }
    size_t at = n;
    while (at > 0 && is_better(answer, &list[at - 1])) {
        at--;
    }
    if (at == request->top) {
        return n;
    }
    n = n < request->top ? n : request->top - 1;
    memmove(&list[at + 1], &list[at], (n - at) * sizeof *list);
    list[at] = *answer;
    return n + 1;
}

static void rank_joined(network_visit *visit, const network *joined)
{
    const oracle_set *o = visit->set;
    for (size_t i = 0; i < o->n_machines; i++) {
        oracle_answer answer;
        if (meets(o,
                  visit->request,
                  joined,
                  &o->machines[i],
                  visit->request->budget_cents,
                  &answer)) {
            visit->n = offer(o, visit->request, &answer, visit->list, visit->n);
        }
    }
}

/* Shards make other machines possible: their drives may be smaller. */
static void visit_sharded(network_visit *visit, int nodes)
{
    const oracle_set *whole = visit->set;
    oracle_set own;
    rig_workload workload = *whole->workload;
    workload.shards = nodes;
    oracle_fill(&own, whole->catalog, whole->constants, &workload);
    visit->set = &own;
    visit_networks(visit, nodes);
    visit->set = whole;
    oracle_free(&own);
}

static void visit_nodes(network_visit *visit)
{
    for (int n = visit->request->nodes_least; n <= visit->request->nodes_most; n++) {
        if (visit->request->is_sharded && n > 1) {
            visit_sharded(visit, n);
        } else {
            visit_networks(visit, n);
        }
    }
}

size_t oracle_best(const oracle_set *set, const rig_request *request, oracle_answer *out)
{
    network_visit visit = {.set = set, .request = request, .next = rank_joined, .list = out};
    visit_nodes(&visit);
    return visit.n;
}

static void price_joined(network_visit *visit, const network *joined)
{
    const oracle_set *o = visit->set;
    for (size_t i = 0; i < o->n_machines && visit->n < visit->cap; i++) {
        oracle_answer answer;
        if (meets(o, visit->request, joined, &o->machines[i], INT64_MAX, &answer)) {
            visit->prices[visit->n++] = answer.price_cents;
        }
    }
}

size_t oracle_prices(const oracle_set *set, const rig_request *request, int64_t *out, size_t cap)
{
    network_visit visit = {
        .set = set, .request = request, .next = price_joined, .prices = out, .cap = cap};
    visit_nodes(&visit);
    return visit.n;
}

int64_t oracle_least_price_cents(const oracle_set *set, const rig_request *request)
{
    rig_request cheapest = *request;
    oracle_answer answer;
    cheapest.budget_cents = INT64_MAX;
    cheapest.objective = RIG_OBJECTIVE_PRICE;
    cheapest.top = 1;
    return oracle_best(set, &cheapest, &answer) == 0 ? -1 : answer.price_cents;
}

size_t oracle_epochs(const oracle_set *set, double *out, size_t cap)
{
    size_t n = 0;
    for (size_t i = 0; i < set->n_predictions && n < cap; i++) {
        out[n++] = set->predictions[i].epoch_s;
    }
    return n;
}

bool oracle_is_equal_build(const rig_build *a, const rig_build *b)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *x = &a->parts[i], *y = &b->parts[i];
        const bool has_x = x->row != NULL && x->count > 0, has_y = y->row != NULL && y->count > 0;
        if (has_x != has_y ||
            (has_x && (strcmp(x->row->name, y->row->name) != 0 || x->count != y->count))) {
            return false;
        }
    }
    return true;
}

void oracle_print_build(const char *label, const rig_build *build)
{
    print_error("  %s:", label);
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *use = &build->parts[i];
        if (use->row != NULL && use->count > 0) {
            print_error(" [%s x%d%s]", use->row->name, use->count, use->is_owned ? " owned" : "");
        }
    }
    print_error("\n");
}
