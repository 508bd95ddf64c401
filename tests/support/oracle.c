/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plain enumeration of every machine, and of the best of them for a request. */
#include "support/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Most units of one kind that are tried; the optimiser plans for no more GPUs than this, and no
 * board has more slots or bays. */
enum { MOST_CPUS = 8, MOST_GPUS = 16, MOST_UNITS = 64 };

/* ---- enumeration ---------------------------------------------------------------------------- */

static void *grow(void *items, size_t *cap, size_t size)
{
    *cap = *cap == 0 ? 256 : 2 * *cap;
    void *grown = realloc(items, *cap * size);
    assert_non_null(grown);
    return grown;
}

/* Does a partial build still hold all rules? Adding parts never mends a broken rule. */
static bool is_open(const oracle_set *o, const rig_build *build)
{
    return rig_build_check(build, o->catalog, o->constants, false, NULL, 0) == 0;
}

static double constant(const oracle_set *o, const char *name)
{
    return rig_constants_get(o->constants, name);
}

/* GPU of a build, wherever it is, with how many of it. */
static const rig_gpu *gpu_of(const oracle_set *o, const rig_build *build, double *count_out)
{
    const rig_part_use *use = &build->parts[RIG_TABLE_GPU];
    const rig_baseboard *baseboard = (const rig_baseboard *)build->parts[RIG_TABLE_BASEBOARD].row;
    const rig_server *server = (const rig_server *)build->parts[RIG_TABLE_SERVER].row;
    const char *name = NULL;
    *count_out = use->count;
    if (use->row != NULL) {
        return (const rig_gpu *)use->row;
    }
    if (baseboard != NULL) {
        *count_out = baseboard->gpu_count;
        name = baseboard->gpu_name;
    } else if (server != NULL) {
        *count_out = isnan(server->gpu_count) ? 1 : server->gpu_count;
        name = server->gpu_name;
    }
    return name == NULL ? NULL : (const rig_gpu *)rig_catalog_get(o->catalog, RIG_TABLE_GPU, name);
}

static const rig_cpu *cpu_of(const oracle_set *o, const rig_build *build, double *count_out)
{
    const rig_part_use *use = &build->parts[RIG_TABLE_CPU];
    const rig_server *server = (const rig_server *)build->parts[RIG_TABLE_SERVER].row;
    *count_out = use->count;
    if (use->row != NULL || server == NULL || server->cpu_name == NULL) {
        return (const rig_cpu *)use->row;
    }
    *count_out = isnan(server->cpu_count) ? 1 : server->cpu_count;
    return (const rig_cpu *)rig_catalog_get(o->catalog, RIG_TABLE_CPU, server->cpu_name);
}

/* Rules of practice on memory: for each processor two modules or more and at least a share of the
 * channels, evenly filled; channels without a slot do not count. Enough for the GPUs. */
static bool is_sensible(const oracle_set *o, const rig_build *build, const rig_build_totals *totals)
{
    const rig_board *board = (const rig_board *)build->parts[RIG_TABLE_BOARD].row;
    const rig_cpu *cpu = (const rig_cpu *)build->parts[RIG_TABLE_CPU].row;
    const rig_memory *memory = (const rig_memory *)build->parts[RIG_TABLE_MEMORY].row;
    const int n_cpus = build->parts[RIG_TABLE_CPU].count;
    const int modules = build->parts[RIG_TABLE_MEMORY].count * (int)memory->modules;
    const int slots = (int)floor(board->dimm_slots * n_cpus / board->sockets) / n_cpus;
    const int channels = slots < (int)cpu->mem_channels ? slots : (int)cpu->mem_channels;
    const int each = modules / n_cpus;
    if (modules % n_cpus != 0 || each < (channels < 2 ? channels : 2) ||
        each < constant(o, "populated_channels_min") * channels) {
        return false;
    }
    const bool is_even = channels % each == 0 || each % channels == 0;
    return is_even && totals->ram_gb >= constant(o, "host_ram_per_gpu_ram") * totals->gpu_mem_gb;
}

/* Rule of practice: without a page cache, as in the first epoch, the drives keep some share of what
 * the GPUs would do if nothing held them up. */
static bool is_fed_when_cold(const oracle_set *o, const rig_build *build)
{
    rig_machine machine;
    if (rig_build_machine(
            build, o->catalog, o->constants, o->workload, &machine, NULL, NULL, NULL) != RIG_OK) {
        return false;
    }
    const double drive_gbs = rig_drive_gbs(o->constants, o->workload, &machine);
    machine.core_speed_1t = 1e9; /* no kernel launch waits for the host */
    return rig_storage_rate(o->workload, drive_gbs, 0) >=
           constant(o, "cold_storage_share_min") *
               rig_gpu_rate(o->constants, o->workload, &machine);
}

/* Predicts a machine; false if it does not run the workload or something is not known. */
static bool predict(oracle_set *o, const rig_build *build, const rig_build_totals *totals)
{
    const rig_dataset *dataset = o->workload->dataset;
    const double needed_gb =
        dataset->images * dataset->mean_bytes / 1e9 * constant(o, "dataset_capacity_margin") +
        constant(o, "system_storage_gb");
    rig_machine machine;
    rig_prediction prediction;
    if (totals->storage_gb <
            needed_gb || /* an unknown capacity of a server is not held against it */
        rig_build_machine(
            build, o->catalog, o->constants, o->workload, &machine, NULL, NULL, NULL) != RIG_OK ||
        rig_predict_machine(&machine, o->workload, o->constants, &prediction, NULL) != RIG_OK ||
        prediction.has_unknown || prediction.is_out_of_memory || !(prediction.batch_max >= 1) ||
        !(prediction.images_per_s > 0)) {
        return false;
    }
    if (o->n_predictions == o->cap_predictions) {
        o->predictions = grow(o->predictions, &o->cap_predictions, sizeof *o->predictions);
    }
    o->predictions[o->n_predictions++] = prediction;
    return true;
}

static void add_machine(oracle_set *o, rig_build *build)
{
    double n_gpus;
    if (rig_build_check(build, o->catalog, o->constants, true, NULL, 0) > 0) {
        return;
    }
    if (o->n_machines == o->cap_machines) {
        o->machines = grow(o->machines, &o->cap_machines, sizeof *o->machines);
    }
    oracle_machine *machine = &o->machines[o->n_machines++];
    machine->build = *build;
    machine->prediction = o->n_predictions - 1;
    machine->is_measured =
        rig_gpu_efficiency(o->catalog, gpu_of(o, build, &n_gpus), o->workload) != NULL;
    rig_build_totals_get(build, o->catalog, o->constants, &machine->totals);
}

/* Calls next with every row of a table in the build, so many of it; and without any if asked. */
typedef void (*step)(oracle_set *o, rig_build *build);

static void
each(oracle_set *o, rig_build *build, rig_table table, int most, bool or_none, step next)
{
    rig_part_use *use = &build->parts[table];
    const size_t n_rows = rig_catalog_count(o->catalog, table);
    if (or_none) {
        next(o, build);
    }
    for (size_t i = 0; i < n_rows; i++) {
        for (int count = 1; count <= most; count++) {
            *use = (rig_part_use){rig_catalog_row(o->catalog, table, i), count, false};
            if (is_open(o, build)) {
                next(o, build);
            } else if (table != RIG_TABLE_MEMORY) {
                break; /* more of it fits no better; modules alone have to share out evenly */
            }
        }
    }
    *use = (rig_part_use){NULL, 0, false};
}

static void with_chassis(oracle_set *o, rig_build *build)
{
    const rig_chassis *chassis = (const rig_chassis *)build->parts[RIG_TABLE_CHASSIS].row;
    if (chassis != NULL && isnan(chassis->expansion_slots)) {
        return; /* columns.h: not offered */
    }
    each(o, build, RIG_TABLE_PSU, 1, true, add_machine);
}

static void with_drives(oracle_set *o, rig_build *build)
{
    rig_build_totals totals;
    rig_build_totals_get(build, o->catalog, o->constants, &totals);
    if (is_sensible(o, build, &totals) && is_fed_when_cold(o, build) &&
        predict(o, build, &totals)) {
        each(o, build, RIG_TABLE_CHASSIS, 1, true, with_chassis);
    }
}

static void with_memory(oracle_set *o, rig_build *build)
{
    each(o, build, RIG_TABLE_STORAGE, MOST_UNITS, false, with_drives);
}

static void with_gpus(oracle_set *o, rig_build *build)
{
    double n_gpus, speed, single_speed;
    if (gpu_of(o, build, &n_gpus) != NULL && n_gpus <= MOST_GPUS &&
        rig_core_speed(o->constants,
                       (const rig_cpu *)build->parts[RIG_TABLE_CPU].row,
                       &speed,
                       &single_speed)) {
        const double n_slots = ((const rig_board *)build->parts[RIG_TABLE_BOARD].row)->dimm_slots;
        each(o, build, RIG_TABLE_MEMORY, (int)fmin(n_slots, MOST_UNITS), false, with_memory);
    }
}

static void with_cpus(oracle_set *o, rig_build *build)
{
    each(o, build, RIG_TABLE_GPU, MOST_GPUS, false, with_gpus);
    each(o, build, RIG_TABLE_BASEBOARD, 1, false, with_gpus);
}

static void with_board(oracle_set *o, rig_build *build)
{
    const rig_board *board = (const rig_board *)build->parts[RIG_TABLE_BOARD].row;
    if (isnan(board->pcie_gen)) {
        return; /* columns.h: not offered */
    }
    each(o, build, RIG_TABLE_CPU, MOST_CPUS, false, with_cpus);
}

static void with_server(oracle_set *o, rig_build *build)
{
    double n_cpus;
    rig_build_totals totals;
    rig_build_totals_get(build, o->catalog, o->constants, &totals);
    if (cpu_of(o, build, &n_cpus) != NULL && /* columns.h: else not recommended */
        predict(o, build, &totals)) {
        add_machine(o, build);
    }
}

void oracle_fill(oracle_set *out,
                 const rig_catalog *catalog,
                 const rig_constants *constants,
                 const rig_workload *workload)
{
    rig_build build = rig_build_empty();
    memset(out, 0, sizeof *out);
    out->catalog = catalog;
    out->constants = constants;
    out->workload = workload;
    each(out, &build, RIG_TABLE_BOARD, 1, false, with_board);
    each(out, &build, RIG_TABLE_SERVER, 1, false, with_server);
}

void oracle_free(oracle_set *set)
{
    free(set->machines);
    free(set->predictions);
    memset(set, 0, sizeof *set);
}

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
        const rig_gpu *gpu = gpu_of(o, build, &count);
        row = gpu == NULL ? NULL : &gpu->row;
    } else if (condition->table == RIG_TABLE_CPU) {
        const rig_cpu *cpu = cpu_of(o, build, &count);
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

/* Cheapest network card that all conditions allow, if one of them wants any.
 * @return false if it is wanted and there is none */
static bool choose_nic(const oracle_set *o, const rig_request *request, rig_part_use *out)
{
    bool is_wanted = false;
    int count = 1;
    *out = (rig_part_use){NULL, 0, false};
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->table == RIG_TABLE_NIC && condition->kind != RIG_CONDITION_LIMIT &&
            condition->kind != RIG_CONDITION_FORBID) {
            is_wanted = true;
            count = condition->row == NULL ? count : condition->count;
        }
    }
    int64_t least = INT64_MAX;
    for (size_t i = 0; is_wanted && i < rig_catalog_count(o->catalog, RIG_TABLE_NIC); i++) {
        const rig_row *row = rig_catalog_row(o->catalog, RIG_TABLE_NIC, i);
        const int64_t cents = owns(request, row) ? 0 : row->price.cents;
        bool is_allowed = cents >= 0 && cents < least;
        for (size_t j = 0; j < request->n_conditions; j++) {
            is_allowed = is_allowed && rig_condition_allows(&request->conditions[j], row, count);
        }
        if (is_allowed) {
            least = cents;
            *out = (rig_part_use){row, count, owns(request, row)};
        }
    }
    return !is_wanted || out->row != NULL;
}

/* Marks what is owned, adds the network card, and tells the price; -1 if something has none. */
static int64_t complete(const rig_request *request, const rig_part_use *nic, rig_build *build)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        build->parts[i].is_owned =
            build->parts[i].row != NULL && owns(request, build->parts[i].row);
    }
    build->parts[RIG_TABLE_NIC] = *nic;
    return rig_build_price_cents(build);
}

/* Does a machine meet all but the budget? Fills its entry of the ranking. */
static bool meets(const oracle_set *o,
                  const rig_request *request,
                  const rig_part_use *nic,
                  const oracle_machine *machine,
                  oracle_answer *out)
{
    const rig_prediction *prediction = &o->predictions[machine->prediction];
    if ((!machine->is_measured && !request->allow_unmeasured) ||
        prediction->epoch_s > request->epoch_time_max_s * (1 + 1e-12) ||
        (!isnan(request->circuit_w) && !(machine->totals.peak_w <= request->circuit_w + 1e-6))) {
        return false;
    }
    out->build = machine->build;
    out->price_cents = complete(request, nic, &out->build);
    if (out->price_cents < 0) {
        return false;
    }
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        const bool is_held =
            condition->kind == RIG_CONDITION_LIMIT
                ? limit_holds(condition,
                              rig_total_value(condition->total, &machine->totals, out->price_cents))
                : part_condition_holds(o, condition, &out->build);
        if (!is_held) {
            return false;
        }
    }
    out->images_per_s = prediction->images_per_s;
    out->objective = oracle_objective(request, prediction, out->price_cents);
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
    if (gpu_of(set, a, &n_a) != gpu_of(set, b, &n_b) || n_a != n_b) {
        return false;
    }
    if (distinct == RIG_DISTINCT_GPU) {
        return true;
    }
    if (cpu_of(set, a, &n_a) != cpu_of(set, b, &n_b) || n_a != n_b) {
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

size_t oracle_best(const oracle_set *set, const rig_request *request, oracle_answer *out)
{
    rig_part_use nic;
    size_t n = 0;
    if (!choose_nic(set, request, &nic)) {
        return 0;
    }
    for (size_t i = 0; i < set->n_machines; i++) {
        oracle_answer answer;
        if (meets(set, request, &nic, &set->machines[i], &answer) &&
            answer.price_cents <= request->budget_cents) {
            n = offer(set, request, &answer, out, n);
        }
    }
    return n;
}

size_t oracle_prices(const oracle_set *set, const rig_request *request, int64_t *out, size_t cap)
{
    rig_part_use nic;
    size_t n = 0;
    if (!choose_nic(set, request, &nic)) {
        return 0;
    }
    for (size_t i = 0; i < set->n_machines && n < cap; i++) {
        oracle_answer answer;
        if (meets(set, request, &nic, &set->machines[i], &answer)) {
            out[n++] = answer.price_cents;
        }
    }
    return n;
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
