/* SPDX-License-Identifier: GPL-3.0-or-later
 * The program of a request: which options enter, what it is called, and its comments. */
#include "optimizer/cluster.h"
#include "optimizer/program_parts.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/fingerprint.h"
#include "optimizer/answer.h"
#include "trainrig/units.h"
#include "trainrig/version.h"

enum { MOST_COMMENTS = 64, NUMBER_SIZE = 32 };

/* ---- which options enter --------------------------------------------------------------------- */

static rig_status members_init(rig_program *program, rig_error *err)
{
    const rig__space *space = &program->space;
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        const size_t n = rig__space_count(space, (rig__group)group);
        rig__members *members = &program->whole.groups[group];
        members->at = rig__arena_alloc(program->arena, n, sizeof *members->at);
        if (members->at == NULL) {
            return rig__error_nomem(err);
        }
        for (size_t i = 0; i < n; i++) {
            if (rig__limits_known(space, rig__space_option(space, (rig__group)group, i))) {
                members->at[members->n++] = i;
            }
        }
    }
    return RIG_OK;
}

static int64_t cost_of(const rig_program *program, rig__group group, size_t member)
{
    return rig__space_option(&program->space, group, program->whole.groups[group].at[member])
        ->cost_cents;
}

/* Leaves out what no machine within the budget holds, even with the cheapest of all else. */
static void drop_dear(rig_program *program)
{
    int64_t least[RIG__N_GROUPS], sum = 0;
    const int64_t budget = program->whole.budget_cents;
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        const rig__members *members = &program->whole.groups[group];
        least[group] = 0;
        for (size_t i = 0; i < members->n; i++) {
            const int64_t cents = cost_of(program, (rig__group)group, i);
            least[group] = i == 0 || cents < least[group] ? cents : least[group];
        }
        sum += least[group];
    }
    if (sum > budget) {
        return; /* nothing can be bought: an empty program would not say why */
    }
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        rig__members *members = &program->whole.groups[group];
        size_t n_kept = 0;
        for (size_t i = 0; i < members->n; i++) {
            if (cost_of(program, (rig__group)group, i) - least[group] <= budget - sum) {
                members->at[n_kept++] = members->at[i];
            }
        }
        members->n = n_kept;
    }
}

/* Is there an affordable pair of this host and these GPUs that reaches the least rate? */
static bool is_pair_useful(const rig_program *program, size_t host_at, size_t gpu_at)
{
    const rig__space *space = &program->space;
    const rig__host *host = &space->hosts[host_at];
    const rig__gpu_option *gpu = &space->gpus[gpu_at];
    return gpu->best_rate >= program->whole.least_rate &&
           host->option.cost_cents + gpu->option.cost_cents + host->least_rest_cents <=
               program->whole.budget_cents &&
           rig__fits_host_gpu(space, host, gpu) &&
           rig__host_gpu_rate(space, host, gpu) >= program->whole.least_rate;
}

static void keep_useful(rig__members *members, const unsigned char *is_useful)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < members->n; i++) {
        if (is_useful[i]) {
            members->at[n_kept++] = members->at[i];
        }
    }
    members->n = n_kept;
}

static rig_status drop_useless_pairs(rig_program *program, rig_error *err)
{
    rig__members *hosts = &program->whole.groups[RIG__GROUP_HOST];
    rig__members *gpus = &program->whole.groups[RIG__GROUP_GPU];
    unsigned char *host_useful = rig__arena_alloc(program->arena, hosts->n, 1);
    unsigned char *gpu_useful = rig__arena_alloc(program->arena, gpus->n, 1);
    if (host_useful == NULL || gpu_useful == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < hosts->n; i++) {
        for (size_t j = 0; j < gpus->n; j++) {
            if ((!host_useful[i] || !gpu_useful[j]) &&
                is_pair_useful(program, hosts->at[i], gpus->at[j])) {
                host_useful[i] = gpu_useful[j] = 1;
            }
        }
    }
    if (memchr(gpu_useful, 1, gpus->n) != NULL) { /* else nothing can be bought */
        keep_useful(hosts, host_useful);
        keep_useful(gpus, gpu_useful);
    }
    return RIG_OK;
}

static rig_status select_options(rig_program *program, rig_error *err)
{
    RIG_TRY(members_init(program, err));
    if (program->is_full) {
        return RIG_OK;
    }
    drop_dear(program);
    return drop_useless_pairs(program, err);
}

/* ---- what it is called ----------------------------------------------------------------------- */

static uint64_t fingerprint(const rig__linear *linear)
{
    uint64_t hash = RIG__FINGERPRINT_START;
    for (size_t j = 1; j < linear->n_columns; j++) {
        const rig__linear_column *column = &linear->columns[j];
        hash = rig__fingerprint_text(hash, column->name);
        hash = rig__fingerprint_number(hash, column->objective);
        hash = rig__fingerprint_number(hash, column->high);
    }
    for (size_t i = 0; i < linear->n_rows; i++) {
        const rig__linear_row *row = &linear->rows[i];
        hash = rig__fingerprint_whole(hash, (uint64_t)row->sense);
        hash = rig__fingerprint_number(hash, row->right);
        for (size_t k = row->start; k < row->start + row->length; k++) {
            hash = rig__fingerprint_whole(hash, linear->index[k]);
            hash = rig__fingerprint_number(hash, linear->value[k]);
        }
    }
    return hash;
}

static rig_status name_program(rig_program *program, rig_error *err)
{
    program->size.fingerprint = fingerprint(&program->whole.linear);
    program->name =
        rig__arena_format(program->arena, "program_%016" PRIx64, program->size.fingerprint);
    program->whole.linear.columns[0].name = program->name;
    return program->name == NULL ? rig__error_nomem(err) : RIG_OK;
}

/* ---- comments -------------------------------------------------------------------------------- */

typedef struct comments {
    const char *lines[MOST_COMMENTS];
    size_t n;
    rig__arena *arena;
    bool is_nomem;
} comments;

static void say(comments *c, const char *line)
{
    c->is_nomem |= line == NULL;
    if (line != NULL && c->n < MOST_COMMENTS) {
        c->lines[c->n++] = line;
    }
}

static void say_request(comments *c, const rig_program *program)
{
    const rig_request *request = &program->request;
    char number[NUMBER_SIZE], money[64];
    say(c, rig__arena_format(c->arena, "workload   %s", request->workload.name));
    say(c,
        rig__arena_format(c->arena,
                          "objective  %s",
                          request->objective == RIG_OBJECTIVE_PRICE
                              ? "price: least price in cents"
                              : "epoch-time: minus the rate in images/s, so the least is best"));
    if (request->budget_cents != INT64_MAX) {
        say(c,
            rig__arena_format(c->arena,
                              "budget     USD %s",
                              rig_format_money(money, sizeof money, request->budget_cents)));
    }
    if (isfinite(request->epoch_time_max_s)) {
        say(c,
            rig__arena_format(
                c->arena,
                "epoch      at most %s s",
                rig__number_format(number, sizeof number, request->epoch_time_max_s)));
    }
    if (!isnan(request->circuit_w)) {
        say(c,
            rig__arena_format(c->arena,
                              "circuit    %s W",
                              rig__number_format(number, sizeof number, request->circuit_w)));
    }
    static const char *const kinds[] = {"require", "forbid", "limit", "fix", "own"};
    const size_t n_said =
        request->n_conditions < MOST_COMMENTS / 2 ? request->n_conditions : MOST_COMMENTS / 2;
    for (size_t i = 0; i < n_said; i++) {
        const rig_condition *condition = &request->conditions[i];
        say(c, rig__arena_format(c->arena, "%-10s %s", kinds[condition->kind], condition->text));
    }
}

static void say_all(comments *c, const rig_program *program)
{
    const rig_program_size *size = &program->size;
    say(c,
        rig__arena_format(c->arena,
                          "%s, made by trainrig %s from catalogue %016" PRIx64,
                          program->name,
                          RIG_VERSION_STRING,
                          rig_catalog_summary_get(program->catalog)->hash));
    say_request(c, program);
    say(c,
        rig__arena_format(c->arena,
                          "size       %zu columns (%zu whole), %zu rows, %zu entries; %s",
                          size->n_columns,
                          size->n_integers,
                          size->n_rows,
                          size->n_entries,
                          program->is_full ? "all options" : "options without a chance left out"));
    say(c, "");
    say(c, "columns    program_*: constant 1, names this program");
    say(c,
        "           host* gpu* memory* drives* supply* chassis*: this option is bought (0 or 1)");
    say(c, "           class*: sum of options that a rule does not tell apart");
    say(c, "           rate*: part of a segment of the rate that is reached (0 to 1)");
    say(c, "           cache*: the page cache has this size; cached*: the rate then");
    say(c, "           carry*: what a digit of the budget hands to the next (0, 1, 2 ...)");
    say(c, "rows       budget in cents beyond the cheapest options, in digits of base 10,000;");
    say(c, "           power in kW, memory in GB");
    say(c, "           (1e9 B), rates as shares of a segment or of the greatest rate");
    say(c, "           pairs that do not go together: what is chosen of some options is at most");
    say(c, "           what is chosen of those that go with them");
    say(c, "Solve with gap 0; read the answer with trainrig export --read-solution FILE and the");
    say(c, "same options.");
}

rig_status rig_program_write(const rig_program *program,
                             rig_program_format format,
                             rig_write_sink sink,
                             void *payload,
                             rig_error *err)
{
    comments c = {.arena = rig__arena_new()};
    rig_status status = RIG_OK;
    c.is_nomem = c.arena == NULL;
    if (!c.is_nomem) {
        say_all(&c, program);
    }
    status =
        c.is_nomem
            ? rig__error_nomem(err)
            : rig__linear_write(
                  &program->whole.linear, program->name, c.lines, c.n, format, sink, payload, err);
    rig__arena_free(c.arena);
    return status;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static rig_status check_request(const rig_request *request, rig_error *err)
{
    RIG_TRY(rig__answer_check(request, err));
    if (!request->workload.is_overlapped) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "stages that take turns have no linear program: their rate is not "
                              "that of the slowest one (expected an overlapped pipeline)");
    }
    if (request->objective != RIG_OBJECTIVE_EPOCH_TIME &&
        request->objective != RIG_OBJECTIVE_PRICE) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "objective has no linear program: '%s' (expected epoch-time or "
                              "price; a ratio of price and rate is not linear)",
                              rig_objective_name(request->objective));
    }
    return RIG_OK;
}

/* One machine with at most one kind of network card: each of several would be a program. */
static rig_status space_fill(rig_program *program, rig_error *err)
{
    rig__cluster cluster;
    RIG_TRY(rig__cluster_new(&cluster,
                             program->arena,
                             program->catalog,
                             program->constants,
                             &program->request,
                             !program->is_full,
                             err));
    if (program->request.nodes_most != 1 || cluster.n_spaces != 1) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "a program is about one machine with a given network card (expected "
                              "one node, and a card that the conditions name)");
    }
    program->space = cluster.spaces[0];
    return RIG_OK;
}

static rig_status formulate(rig_program *program, rig_error *err)
{
    rig__whole *whole = &program->whole;
    const rig__space *space = &program->space;
    *whole = (rig__whole){.space = space,
                          .arena = program->arena,
                          .objective = program->request.objective,
                          .budget_cents = space->budget_cents,
                          .least_rate = fmax(space->least_rate, DBL_MIN),
                          .linear = {.arena = program->arena}};
    RIG_TRY(select_options(program, err));
    (void)rig__linear_column_add(
        &whole->linear,
        (rig__linear_column){.name = "program",
                             .objective = program->request.objective == RIG_OBJECTIVE_PRICE
                                              ? (double)space->network.nic_cents
                                              : 0,
                             .low = 1,
                             .high = 1});
    RIG_TRY(rig__whole_rules(whole, err));
    RIG_TRY(rig__whole_rates(whole, err));
    return name_program(program, err);
}

static void measure(rig_program *program)
{
    const rig__linear *linear = &program->whole.linear;
    rig_program_size *size = &program->size;
    size->n_options = program->space.n_before;
    size->n_columns = linear->n_columns;
    size->n_rows = linear->n_rows;
    size->n_entries = linear->n_entries;
    for (size_t j = 0; j < linear->n_columns; j++) {
        size->n_integers += linear->columns[j].is_integer;
    }
}

rig_status rig_program_new(rig_program **out,
                           const rig_catalog *catalog,
                           const rig_constants *constants,
                           const rig_request *request,
                           bool is_full,
                           rig_error *err)
{
    *out = NULL;
    RIG_TRY(check_request(request, err));
    rig_program *program = calloc(1, sizeof *program);
    if (program == NULL) {
        return rig__error_nomem(err);
    }
    program->arena = rig__arena_new();
    program->catalog = catalog;
    program->constants = constants;
    program->request = *request;
    program->is_full = is_full;
    rig_status status = program->arena == NULL ? rig__error_nomem(err) : space_fill(program, err);
    if (status == RIG_OK) {
        status = formulate(program, err);
    }
    if (status != RIG_OK) {
        rig_program_free(program);
        return status;
    }
    measure(program);
    *out = program;
    return RIG_OK;
}

void rig_program_free(rig_program *program)
{
    if (program != NULL) {
        rig__linear_fini(&program->whole.linear);
        rig__arena_free(program->arena);
        free(program);
    }
}

rig_program_size rig_program_size_get(const rig_program *program)
{
    return program->size;
}
