/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds the choice problem for one rate from an option space. */
#include "optimizer/formulate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/pair_search.h"

enum { MAX_PAIRS = 10, MAX_FIXED_ROWS = 3 };

/* Rows in gigabytes and kilowatts keep the coefficients of one size. */
static const double bytes_per_gb = 1e9;
static const double watts_per_kw = 1e3;
/* Stands for "any supply will do" [kW]; far above any machine here. */
static const double ample_kw = 1e3;

typedef struct formulation {
    const rig__space *space;
    const rig__program_question *question;
    rig__arena *arena;
    rig__program *out;
    size_t n[RIG__N_GROUPS];
    rig_choice_pair *pairs;
    size_t n_pairs;
    rig_choice_row *rows;
    size_t n_rows;
    double *cache_needed; /* bytes, per drive option of the space; NAN: never enough */
    bool is_nomem;
} formulation;

static void *take(formulation *f, size_t count, size_t size)
{
    void *memory = rig__arena_alloc(f->arena, count, size);
    f->is_nomem |= memory == NULL;
    return memory;
}

static size_t count_of(const rig__space *space, rig__group group)
{
    const size_t counts[RIG__N_GROUPS] = {space->n_hosts,
                                          space->n_gpus,
                                          space->n_memories,
                                          space->n_drives,
                                          space->n_psus,
                                          space->n_chassis};
    return counts[group];
}

/* ---- which options enter --------------------------------------------------------------------- */

static bool is_banned(const formulation *f, size_t host, size_t gpu)
{
    const rig__choice probe = {.at = {[RIG__GROUP_HOST] = host, [RIG__GROUP_GPU] = gpu}};
    for (size_t i = 0; i < f->question->n_banned; i++) {
        if (rig__choice_is_same(f->space, &probe, &f->question->banned[i])) {
            return true;
        }
    }
    return false;
}

static bool pair_reaches(const formulation *f, size_t host_at, size_t gpu_at)
{
    const rig__space *space = f->space;
    const rig__host *host = &space->hosts[host_at];
    const rig__gpu_option *gpu = &space->gpus[gpu_at];
    const int64_t least_cents =
        host->option.cost_cents + gpu->option.cost_cents + host->least_rest_cents;
    return least_cents <= f->question->cost_limit && gpu->best_rate >= f->question->least_rate &&
           rig__fits_host_gpu(space, host, gpu) && !is_banned(f, host_at, gpu_at) &&
           rig__host_gpu_rate(space, host, gpu) >= f->question->least_rate;
}

static bool limits_known(const rig__space *space, const rig__option *option)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        if (isnan(option->total[space->limits[i].total])) {
            return false;
        }
    }
    return true;
}

/* Keeps the options marked; the program numbers them anew. */
static void keep_marked(formulation *f, rig__group group, const unsigned char *is_kept)
{
    const size_t n = count_of(f->space, group);
    f->out->origin[group] = take(f, n, sizeof(size_t));
    if (f->is_nomem) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (is_kept[i] && limits_known(f->space, rig__space_option(f->space, group, i))) {
            f->out->origin[group][f->n[group]++] = i;
        }
    }
}

/* Hosts and GPUs of which some pair reaches the rate within the cost. */
static void select_pairs(formulation *f)
{
    const rig__space *space = f->space;
    unsigned char *hosts = take(f, space->n_hosts, 1);
    unsigned char *gpus = take(f, space->n_gpus, 1);
    for (size_t gpu = 0; gpu < space->n_gpus && !f->is_nomem; gpu++) {
        if (space->gpus[gpu].best_rate < f->question->least_rate) {
            continue;
        }
        for (size_t host = 0; host < space->n_hosts; host++) {
            if ((!hosts[host] || !gpus[gpu]) && pair_reaches(f, host, gpu)) {
                hosts[host] = gpus[gpu] = 1;
            }
        }
    }
    if (!f->is_nomem) {
        keep_marked(f, RIG__GROUP_HOST, hosts);
        keep_marked(f, RIG__GROUP_GPU, gpus);
    }
}

static void select_all(formulation *f, rig__group group)
{
    unsigned char *all = take(f, count_of(f->space, group), 1);
    if (!f->is_nomem) {
        memset(all, 1, count_of(f->space, group));
        keep_marked(f, group, all);
    }
}

/* Bytes the cache has with this memory, so many GPUs and cores; linear in all three. */
static double cache_bytes(const formulation *f, double ram_bytes, double n_gpus, double cores)
{
    return rig_cache_bytes(
        f->space->constants, &f->space->request->workload, ram_bytes, n_gpus, cores);
}

static bool drive_suffices(const formulation *f, double read_gbs, double cache)
{
    const rig_workload *workload = &f->space->request->workload;
    const double hit = rig_cache_hit(f->space->constants, workload, cache);
    return rig_storage_rate(workload, read_gbs, hit) >= f->question->least_rate;
}

/* Least cache with which these drives reach the rate, by bisection on the monotone model; NAN if
 * not even `most` is enough. */
static double cache_needed(const formulation *f, const rig__drive_option *drive, double most)
{
    if (drive->storage == NULL || drive_suffices(f, drive->read_gbs, 0)) {
        return 0;
    }
    if (!drive_suffices(f, drive->read_gbs, most)) {
        return NAN;
    }
    double low = 0, high = most;
    while (high > nextafter(low, INFINITY)) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        if (drive_suffices(f, drive->read_gbs, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/* Drives that reach the rate with the largest memory there is. */
static void select_drives(formulation *f)
{
    const rig__space *space = f->space;
    unsigned char *is_kept = take(f, space->n_drives, 1);
    f->cache_needed = take(f, space->n_drives, sizeof *f->cache_needed);
    double most_gb = 0;
    for (size_t i = 0; i < space->n_memories; i++) {
        most_gb = fmax(most_gb, space->memories[i].gb);
    }
    for (size_t i = 0; i < space->n_drives && !f->is_nomem; i++) {
        const double most = cache_bytes(f, most_gb * RIG_MEMORY_GB_BYTES, 0, 0);
        f->cache_needed[i] = cache_needed(f, &space->drives[i], most);
        is_kept[i] = (unsigned char)!isnan(f->cache_needed[i]);
    }
    if (!f->is_nomem) {
        keep_marked(f, RIG__GROUP_DRIVE, is_kept);
    }
}

/* ---- pairs ----------------------------------------------------------------------------------- */

typedef bool (*pair_rule)(const formulation *f, size_t first, size_t second);

static bool rule_host_gpu(const formulation *f, size_t host, size_t gpu)
{
    return pair_reaches(f, host, gpu);
}

static bool rule_host_memory(const formulation *f, size_t host_at, size_t memory_at)
{
    const rig__host *host = &f->space->hosts[host_at];
    const rig__memory_option *memory = &f->space->memories[memory_at];
    return rig__fits_host_memory(f->space, host, memory) &&
           rig__host_memory_rate(f->space, host, memory) >= f->question->least_rate;
}

static bool rule_host_drive(const formulation *f, size_t host, size_t drive)
{
    return rig__fits_host_drive(&f->space->hosts[host], &f->space->drives[drive]);
}

static bool rule_host_psu(const formulation *f, size_t host, size_t psu)
{
    return rig__fits_host_psu(&f->space->hosts[host], &f->space->psus[psu]);
}

static bool rule_host_chassis(const formulation *f, size_t host, size_t chassis)
{
    return rig__fits_host_chassis(&f->space->hosts[host], &f->space->chassis[chassis]);
}

static bool rule_gpu_chassis(const formulation *f, size_t gpu, size_t chassis)
{
    return rig__fits_gpu_chassis(&f->space->gpus[gpu], &f->space->chassis[chassis]);
}

static bool rule_drive_chassis(const formulation *f, size_t drive, size_t chassis)
{
    return rig__fits_drive_chassis(&f->space->drives[drive], &f->space->chassis[chassis]);
}

static bool rule_gpu_memory(const formulation *f, size_t gpu, size_t memory)
{
    return rig__fits_gpu_memory(f->space, &f->space->gpus[gpu], &f->space->memories[memory]);
}

static bool rule_gpu_drive(const formulation *f, size_t gpu, size_t drive)
{
    return rig__fits_gpu_drive(&f->space->gpus[gpu], &f->space->drives[drive]);
}

static bool rule_gpu_psu(const formulation *f, size_t gpu, size_t psu)
{
    return f->space->gpus[gpu].connector_w <= f->space->psus[psu].connector_w;
}

static void
add_pair(formulation *f, const char *name, rig__group first, rig__group second, pair_rule rule)
{
    unsigned char *allowed = take(f, f->n[first] * f->n[second], 1);
    if (f->is_nomem) {
        return;
    }
    for (size_t i = 0; i < f->n[first]; i++) {
        for (size_t j = 0; j < f->n[second]; j++) {
            allowed[i * f->n[second] + j] =
                rule(f, f->out->origin[first][i], f->out->origin[second][j]);
        }
    }
    f->pairs[f->n_pairs++] = (rig_choice_pair){name, first, second, allowed};
}

static void add_pairs(formulation *f)
{
    f->pairs = take(f, MAX_PAIRS, sizeof *f->pairs);
    if (f->is_nomem) {
        return;
    }
    add_pair(f, "gpu fits host", RIG__GROUP_HOST, RIG__GROUP_GPU, rule_host_gpu);
    add_pair(f, "memory fits host", RIG__GROUP_HOST, RIG__GROUP_MEMORY, rule_host_memory);
    add_pair(f, "drives fit host", RIG__GROUP_HOST, RIG__GROUP_DRIVE, rule_host_drive);
    add_pair(f, "supply fits host", RIG__GROUP_HOST, RIG__GROUP_PSU, rule_host_psu);
    add_pair(f, "chassis fits host", RIG__GROUP_HOST, RIG__GROUP_CHASSIS, rule_host_chassis);
    add_pair(f, "chassis holds gpus", RIG__GROUP_GPU, RIG__GROUP_CHASSIS, rule_gpu_chassis);
    add_pair(f, "chassis holds drives", RIG__GROUP_DRIVE, RIG__GROUP_CHASSIS, rule_drive_chassis);
    add_pair(f, "memory matches gpus", RIG__GROUP_GPU, RIG__GROUP_MEMORY, rule_gpu_memory);
    add_pair(f, "drives feed gpus", RIG__GROUP_GPU, RIG__GROUP_DRIVE, rule_gpu_drive);
    add_pair(f, "supply has plugs", RIG__GROUP_GPU, RIG__GROUP_PSU, rule_gpu_psu);
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef double (*coefficient)(const formulation *f, size_t at);

static double **row_new(formulation *f, const char *name, double limit)
{
    double **coefficients = take(f, RIG__N_GROUPS, sizeof *coefficients);
    if (!f->is_nomem) {
        f->rows[f->n_rows++] = (rig_choice_row){name, (const double *const *)coefficients, limit};
    }
    return coefficients;
}

static void row_fill(formulation *f, double **row, rig__group group, coefficient of)
{
    double *values = take(f, f->n[group], sizeof *values);
    if (f->is_nomem) {
        return;
    }
    for (size_t i = 0; i < f->n[group]; i++) {
        values[i] = of(f, f->out->origin[group][i]);
    }
    row[group] = values;
}

static double needed_kw(const formulation *f, const rig__option *option)
{
    return rig__supply_needed_w(f->space, option->total[RIG_TOTAL_POWER_W]) / watts_per_kw;
}

static double watts_host(const formulation *f, size_t at)
{
    const rig__host *host = &f->space->hosts[at];
    return host->server != NULL ? -ample_kw
                                : needed_kw(f, &host->option) - host->supply_w / watts_per_kw;
}

static double watts_gpu(const formulation *f, size_t at)
{
    return needed_kw(f, &f->space->gpus[at].option);
}

static double watts_memory(const formulation *f, size_t at)
{
    return needed_kw(f, &f->space->memories[at].option);
}

static double watts_drive(const formulation *f, size_t at)
{
    return needed_kw(f, &f->space->drives[at].option);
}

static double watts_psu(const formulation *f, size_t at)
{
    return -f->space->psus[at].wattage_w / watts_per_kw;
}

static void add_supply_row(formulation *f)
{
    double **row = row_new(f, "supply carries the machine", RIG__POWER_SLACK_W / watts_per_kw);
    if (f->is_nomem) {
        return;
    }
    row_fill(f, row, RIG__GROUP_HOST, watts_host);
    row_fill(f, row, RIG__GROUP_GPU, watts_gpu);
    row_fill(f, row, RIG__GROUP_MEMORY, watts_memory);
    row_fill(f, row, RIG__GROUP_DRIVE, watts_drive);
    row_fill(f, row, RIG__GROUP_PSU, watts_psu);
}

static double cache_host(const formulation *f, size_t at)
{
    const rig__host *host = &f->space->hosts[at];
    return host->server != NULL ? 0 : -cache_bytes(f, 0, 0, host->cores) / bytes_per_gb;
}

static double cache_gpu(const formulation *f, size_t at)
{
    const rig__gpu_option *gpu = &f->space->gpus[at];
    const double none = cache_bytes(f, 0, 0, 0);
    return (none - cache_bytes(f, 0, gpu->count, 0)) / bytes_per_gb;
}

static double cache_memory(const formulation *f, size_t at)
{
    const double ram_bytes = f->space->memories[at].gb * RIG_MEMORY_GB_BYTES;
    const double none = cache_bytes(f, 0, 0, 0);
    return (none - cache_bytes(f, ram_bytes, 0, 0)) / bytes_per_gb;
}

static double cache_drive(const formulation *f, size_t at)
{
    return f->cache_needed[at] / bytes_per_gb;
}

static void add_storage_row(formulation *f)
{
    double **row = row_new(f, "cache and drives reach the rate", 1e-9);
    if (f->is_nomem) {
        return;
    }
    row_fill(f, row, RIG__GROUP_HOST, cache_host);
    row_fill(f, row, RIG__GROUP_GPU, cache_gpu);
    row_fill(f, row, RIG__GROUP_MEMORY, cache_memory);
    row_fill(f, row, RIG__GROUP_DRIVE, cache_drive);
}

/* Boards whose slot layout is not known space their cards wider than a chassis may have room for:
 * spread(gpu) - slots(chassis) <= 0 applies to them only, hence the switch of a few slots. */
enum { MOST_SLOTS = 128 };

static double spread_host(const formulation *f, size_t at)
{
    const rig__host *host = &f->space->hosts[at];
    return host->board != NULL && !host->is_barebone && !host->is_layout_known ? MOST_SLOTS : 0;
}

static double spread_gpu(const formulation *f, size_t at)
{
    return rig__slots_used(f->space, &f->space->gpus[at], false);
}

static double spread_chassis(const formulation *f, size_t at)
{
    const rig__chassis_option *chassis = &f->space->chassis[at];
    return chassis->chassis == NULL ? 0 : -chassis->slots;
}

static void add_spread_row(formulation *f)
{
    double **row = row_new(f, "cards have bracket positions", MOST_SLOTS);
    if (f->is_nomem) {
        return;
    }
    row_fill(f, row, RIG__GROUP_HOST, spread_host);
    row_fill(f, row, RIG__GROUP_GPU, spread_gpu);
    row_fill(f, row, RIG__GROUP_CHASSIS, spread_chassis);
}

static void add_limit_row(formulation *f, const rig__limit *limit)
{
    const double fixed =
        limit->total == RIG_TOTAL_PRICE_USD ? (double)f->space->nic_cents / 100.0 : 0;
    double **row = row_new(
        f, rig_total_name(limit->total), limit->bound + RIG__POWER_SLACK_W - limit->sign * fixed);
    for (int group = 0; group < RIG__N_GROUPS && !f->is_nomem; group++) {
        double *values = take(f, f->n[group], sizeof *values);
        for (size_t i = 0; i < f->n[group] && !f->is_nomem; i++) {
            const size_t at = f->out->origin[group][i];
            const rig__option *option = rig__space_option(f->space, (rig__group)group, at);
            values[i] = limit->sign * option->total[limit->total];
        }
        if (!f->is_nomem) {
            row[group] = values;
        }
    }
}

static void add_rows(formulation *f)
{
    f->rows = take(f, MAX_FIXED_ROWS + f->space->n_limits, sizeof *f->rows);
    if (f->is_nomem) {
        return;
    }
    add_supply_row(f);
    add_storage_row(f);
    add_spread_row(f);
    for (size_t i = 0; i < f->space->n_limits && !f->is_nomem; i++) {
        add_limit_row(f, &f->space->limits[i]);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_costs(formulation *f, int64_t **costs)
{
    for (int group = 0; group < RIG__N_GROUPS && !f->is_nomem; group++) {
        costs[group] = take(f, f->n[group], sizeof *costs[group]);
        for (size_t i = 0; i < f->n[group] && !f->is_nomem; i++) {
            costs[group][i] =
                rig__space_option(f->space, (rig__group)group, f->out->origin[group][i])
                    ->cost_cents;
        }
    }
}

rig_status rig__formulate(const rig__space *space,
                          const rig__program_question *question,
                          rig__arena *arena,
                          rig__program *out,
                          rig_error *err)
{
    static const char *const names[RIG__N_GROUPS] = {
        "host", "gpu", "memory", "drives", "supply", "chassis"};
    memset(out, 0, sizeof *out);
    formulation f = {.space = space, .question = question, .arena = arena, .out = out};
    int64_t **costs = take(&f, RIG__N_GROUPS, sizeof *costs);
    size_t *n_options = take(&f, RIG__N_GROUPS, sizeof *n_options);
    select_pairs(&f);
    select_all(&f, RIG__GROUP_MEMORY);
    select_drives(&f);
    select_all(&f, RIG__GROUP_PSU);
    select_all(&f, RIG__GROUP_CHASSIS);
    for (int group = 0; group < RIG__N_GROUPS && !f.is_nomem; group++) {
        n_options[group] = f.n[group];
        out->is_trivially_infeasible |= f.n[group] == 0;
    }
    if (!f.is_nomem && !out->is_trivially_infeasible) {
        add_costs(&f, costs);
        add_pairs(&f);
        add_rows(&f);
    }
    if (f.is_nomem) {
        return rig__error_nomem(err);
    }
    out->problem = (rig_choice_problem){.n_groups = RIG__N_GROUPS,
                                        .n_options = n_options,
                                        .group_names = names,
                                        .costs = (const int64_t *const *)costs,
                                        .n_rows = f.n_rows,
                                        .rows = f.rows,
                                        .n_pairs = f.n_pairs,
                                        .pairs = f.pairs,
                                        .cost_limit = question->cost_limit};
    return RIG_OK;
}
