/* SPDX-License-Identifier: GPL-3.0-or-later
 * Gathers the unknowns of a block and the rows that tell about them. */
#include "accuracy/fit_problem.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/fingerprint.h"
#include "catalog/overlay.h"
#include "model/constants.h"

/* Range of an effect: that of the column step_factor. */
static const double effect_least = 0.05;
static const double effect_most = 20.0;
/* However sure the shipped figures are, a user's machine may differ by so much. */
static const double update_sd_least = 0.02;
/* A logit beyond is 0 or 1. */
static const double logit_most = 9.0;
static const double positive_least = 1e-9;

rig__block rig__fit_block_of(const rig_measurement *row)
{
    static const rig__block of_family[RIG__N_STACK_FAMILIES] = {
        RIG__BLOCK_TUNED, RIG__BLOCK_EAGER, RIG__BLOCK_GRAPH};
    if (row->kind == RIG_MEASUREMENT_CPU) {
        return RIG__BLOCK_PREPARE;
    }
    if (row->kind == RIG_MEASUREMENT_STORAGE) {
        return RIG__BLOCK_STORAGE;
    }
    return row->workload.stack == NULL ? RIG__N_BLOCKS
                                       : of_family[rig__model_family(row->workload.stack)];
}

/* Work space of one initialisation: unknowns and parameters grow together. */
typedef struct builder {
    rig__fit_problem *problem;
    size_t capacity, n_figures; /* the first so many unknowns have a target */
    uint64_t *keys;             /* of unknowns that are effects */
    size_t levels_spread[RIG__N_LEVELS];
    rig_error *err;
} builder;

/* ---- unknowns -------------------------------------------------------------------------------- */

static bool grow(builder *b)
{
    rig__map *const map = &b->problem->map;
    if (map->n_parameters < b->capacity) {
        return true;
    }
    const size_t capacity = b->capacity == 0 ? 128 : b->capacity * 2;
    rig__fit_unknown *const unknowns = realloc(b->problem->unknowns, capacity * sizeof *unknowns);
    if (unknowns == NULL) {
        return false;
    }
    b->problem->unknowns = unknowns;
    rig__map_parameter *const parameters = realloc(map->parameters, capacity * sizeof *parameters);
    if (parameters == NULL) {
        return false;
    }
    map->parameters = parameters;
    uint64_t *const keys = realloc(b->keys, capacity * sizeof *keys);
    if (keys == NULL) {
        return false;
    }
    b->keys = keys;
    b->capacity = capacity;
    return true;
}

/* End of a figure's range on the scale of its prior. */
static double bound(rig__scale scale, double figure)
{
    if (scale == RIG__SCALE_LINEAR) {
        return figure;
    }
    if (figure <= 0.0) {
        return scale == RIG__SCALE_LOG ? log(positive_least) : -logit_most;
    }
    return scale == RIG__SCALE_LOGIT && figure >= 1.0 ? logit_most : rig__scale_to(scale, figure);
}

/* Value of a figure on its scale, inside of what the scale can hold. */
static double on_scale(rig__scale scale, double figure, double low, double high)
{
    const double lowest = bound(scale, low), highest = bound(scale, high);
    const double value = bound(scale, figure);
    return value < lowest ? lowest : value > highest ? highest : value;
}

static rig_status add_unknown(builder *b,
                              const rig__fit_unknown *unknown,
                              const rig__map_parameter *parameter,
                              uint64_t key)
{
    rig__map *const map = &b->problem->map;
    if (!grow(b)) {
        return rig__error_nomem(b->err);
    }
    b->problem->unknowns[map->n_parameters] = *unknown;
    map->parameters[map->n_parameters] = *parameter;
    b->keys[map->n_parameters++] = key;
    return RIG_OK;
}

/* ---- figures of the model -------------------------------------------------------------------- */

/* Where a figure lives, and what the shipped row says of it. */
typedef struct figure {
    double *target;
    double low, high, log_sd;
    rig_profile_table table;
} figure;

static bool find_constant(const rig__fit_problem *problem, const char *name, figure *out)
{
    for (size_t i = 0; i < RIG__N_CONSTANTS; i++) {
        const rig__constant_info *const info = rig__model_constant_info((rig__constant_index)i);
        if (strcmp(info->name, name) == 0) {
            *out = (figure){
                .target = (double *)(void *)((char *)problem->live_constants + info->offset),
                .low = info->low,
                .high = info->high,
                .log_sd = problem->live_constants->log_sd[i],
                .table = RIG_PROFILE_CONSTANTS,
            };
            return true;
        }
    }
    return false;
}

/* "ROW.COLUMN" of a table of the live catalogue. */
static bool
find_cell(const rig__fit_problem *problem, rig_table table, const char *name, figure *out)
{
    char row_name[RIG__EFFECT_KEY_BYTES];
    const char *const dot = strrchr(name, '.');
    if (dot == NULL || (size_t)(dot - name) >= sizeof row_name) {
        return false;
    }
    memcpy(row_name, name, (size_t)(dot - name));
    row_name[dot - name] = '\0';
    const rig_column *const column = rig_column_find(table, dot + 1);
    const rig_row *const shipped = rig_catalog_get(problem->task->catalog, table, row_name);
    if (column == NULL || column->type != RIG_COLUMN_NUMBER || shipped == NULL) {
        return false;
    }
    rig_row *const row = rig__overlay_row(problem->live, problem->task->catalog, table, row_name);
    const rig_column *const sd = rig_column_find(table, "log_sd");
    out->target = row == NULL ? NULL : (double *)(void *)((char *)row + column->offset);
    out->low = column->low;
    out->high = column->high;
    out->log_sd = sd == NULL ? (double)NAN : rig_row_number(shipped, sd);
    out->table = table == RIG_TABLE_STACK ? RIG_PROFILE_STACKS : RIG_PROFILE_LOADERS;
    return true;
}

static bool find_figure(const rig__fit_problem *problem, const rig__prior *prior, figure *out)
{
    switch (prior->table) {
    case RIG__PRIOR_TABLE_CONSTANTS:
        return find_constant(problem, prior->name, out);
    case RIG__PRIOR_TABLE_STACKS:
        return find_cell(problem, RIG_TABLE_STACK, prior->name, out);
    case RIG__PRIOR_TABLE_LOADERS:
        return find_cell(problem, RIG_TABLE_LOADER, prior->name, out);
    default:
        return false;
    }
}

/* A relative uncertainty on the scale of the prior. */
static double sd_on_scale(rig__scale scale, double log_sd, double value)
{
    switch (scale) {
    case RIG__SCALE_LINEAR:
        return log_sd * fabs(value);
    case RIG__SCALE_LOGIT:
        return log_sd / fmax(1.0 - value, positive_least);
    case RIG__SCALE_LOG:
        break;
    }
    return log_sd;
}

static rig_status add_figure(builder *b, const rig__prior *prior)
{
    const rig__fit_problem *const problem = b->problem;
    figure found = {.target = NULL};
    if (!find_figure(problem, prior, &found)) {
        return rig__error_set(b->err,
                              RIG_E_NOTFOUND,
                              problem->priors->path,
                              prior->line,
                              prior->name_column,
                              "no such figure: '%.100s' (expected a constant, or ROW.COLUMN of "
                              "stacks or loaders)",
                              prior->name);
    }
    if (found.target == NULL) {
        return rig__error_nomem(b->err);
    }
    const double shipped = *found.target;
    const double mean = problem->is_from_priors ? prior->mean : shipped;
    double sd = prior->sd;
    if (!problem->is_from_priors && found.log_sd > 0.0) {
        sd = fmax(sd_on_scale(prior->scale, found.log_sd, shipped), update_sd_least);
    }
    const rig__fit_unknown unknown = {.table = found.table,
                                      .name = prior->name,
                                      .scale = prior->scale,
                                      .target = found.target,
                                      .level = RIG__N_LEVELS,
                                      .low = found.low,
                                      .high = found.high,
                                      .parent = RIG__NO_SPREAD};
    const double start = on_scale(prior->scale, mean, found.low, found.high);
    const rig__map_parameter parameter = {.value = start,
                                          .mean = start,
                                          .sd = sd,
                                          .spread = RIG__NO_SPREAD,
                                          .low = bound(prior->scale, found.low),
                                          .high = bound(prior->scale, found.high)};
    return add_unknown(b, &unknown, &parameter, 0);
}

static rig_status add_figures(builder *b)
{
    const rig__priors *const priors = b->problem->priors;
    for (size_t i = 0; i < priors->n_rows; i++) {
        const rig__prior *const prior = &priors->rows[i];
        const bool is_figure =
            prior->table != RIG__PRIOR_TABLE_EFFECTS && prior->table != RIG__PRIOR_TABLE_NOISE;
        if (prior->block == b->problem->block && is_figure) {
            RIG_TRY(add_figure(b, prior));
        }
    }
    b->n_figures = b->problem->map.n_parameters;
    return RIG_OK;
}

/* ---- effects --------------------------------------------------------------------------------- */

static const char *level_word(size_t level)
{
    return level == RIG__LEVEL_SYSTEM ? "system" : rig__model_effect_word((rig__effect)level);
}

/* A user's rows are one source on few systems; what they share is the effect OWN. Architectures are
 * told apart from the GPUs of it by many rows only. */
static bool is_level_open(bool is_from_priors, size_t level)
{
    if (is_from_priors) {
        return level != RIG__EFFECT_OWN && level != RIG__EFFECT_VENDOR;
    }
    return level < RIG__N_EFFECTS && level != RIG__EFFECT_ARCH && level != RIG__EFFECT_VENDOR &&
           level != RIG__EFFECT_CPU_FAMILY && level != RIG__EFFECT_SOURCE;
}

static rig_status add_spreads(builder *b)
{
    rig__fit_problem *const problem = b->problem;
    rig__map *const map = &problem->map;
    map->spreads = rig__arena_alloc(problem->arena, RIG__N_LEVELS, sizeof *map->spreads);
    if (map->spreads == NULL) {
        return rig__error_nomem(b->err);
    }
    for (size_t level = 0; level < RIG__N_LEVELS; level++) {
        const double sd = rig__priors_sd(
            problem->priors, problem->block, RIG__PRIOR_TABLE_EFFECTS, level_word(level));
        b->levels_spread[level] = RIG__NO_SPREAD;
        if (!isnan(sd) && is_level_open(problem->is_from_priors, level)) {
            /* few architectures and processors: their spread would take over that of the rows */
            const bool is_few = level == RIG__EFFECT_ARCH || level == RIG__EFFECT_CPU_FAMILY ||
                                level == RIG__EFFECT_CPU;
            const double sd_max = is_few ? 1.2 * sd : (double)INFINITY;
            map->spreads[map->n_spreads] = (rig__map_spread){.sd = sd, .sd_max = sd_max};
            b->levels_spread[level] = map->n_spreads++;
        }
    }
    return RIG_OK;
}

static rig__effect_subject subject_of(const rig__fit_row *row)
{
    return (rig__effect_subject){
        .gpu = (const rig_gpu *)(const void *)row->measurement->build.parts[RIG_TABLE_GPU].row,
        .cpu = row->cpu,
        .workload = &row->setup.workload,
        .nodes = row->measurement->nodes,
    };
}

static bool key_of(const rig__fit_row *row, size_t level, char key[RIG__EFFECT_KEY_BYTES])
{
    const rig__effect_subject subject = subject_of(row);
    if (level < RIG__N_EFFECTS) {
        return rig__model_effect_key((rig__effect)level, &subject, key);
    }
    const char *const label = row->measurement->labels[RIG_GROUP_SYSTEM];
    if (label == NULL) {
        return false;
    }
    /* on what, with what software */
    const rig_stack *const stack = row->setup.workload.stack;
    (void)snprintf(
        key, RIG__EFFECT_KEY_BYTES, "%s @ %s", stack == NULL ? "" : stack->row.name, label);
    return true;
}

/* Shipped row of an effect; a GPU without one has what is known of its architecture. */
static const rig_efficiency *
shipped_effect(const builder *b, size_t level, const char *key, const rig__fit_row *row)
{
    const rig_catalog *const catalog = b->problem->task->catalog;
    const rig__effect_subject subject = subject_of(row);
    const rig_efficiency *const own =
        (const rig_efficiency *)(const void *)rig_catalog_get(catalog, RIG_TABLE_EFFICIENCY, key);
    if (own != NULL || level != RIG__EFFECT_GPU) {
        return own;
    }
    return rig_gpu_efficiency(catalog, subject.gpu, subject.workload);
}

static rig_status
add_effect(builder *b, size_t level, const char *key, uint64_t hash, const rig__fit_row *row)
{
    rig__fit_problem *const problem = b->problem;
    rig__map_parameter parameter = {
        .spread = b->levels_spread[level], .low = log(effect_least), .high = log(effect_most)};
    parameter.sd = problem->map.spreads[parameter.spread].sd;
    const rig_efficiency *const shipped = problem->is_from_priors || level >= RIG__N_EFFECTS
                                              ? NULL
                                              : shipped_effect(b, level, key, row);
    if (shipped != NULL) {
        parameter.mean = parameter.value = log(shipped->step_factor);
        parameter.sd = fmax(shipped->log_sd, update_sd_least);
    }
    if (!problem->is_from_priors) {
        parameter.spread = RIG__NO_SPREAD;
    }
    const rig__fit_unknown unknown = {
        .table = level < RIG__N_EFFECTS ? RIG_PROFILE_EFFICIENCY : RIG_N_PROFILE_TABLES,
        .name = rig__arena_copy(problem->arena, key, strlen(key)),
        .scale = RIG__SCALE_LOG,
        .level = level,
        .low = effect_least,
        .high = effect_most,
        .parent = RIG__NO_SPREAD,
    };
    return unknown.name == NULL ? rig__error_nomem(b->err)
                                : add_unknown(b, &unknown, &parameter, hash);
}

static size_t find_effect(const builder *b, uint64_t hash)
{
    size_t j = b->n_figures;
    while (j < b->problem->map.n_parameters && b->keys[j] != hash) {
        j++;
    }
    return j;
}

/* Effects of one row, made as they are met. */
static rig_status add_row_effects(builder *b, rig__fit_row *row)
{
    rig__fit_problem *const problem = b->problem;
    size_t i_arch = RIG__NO_SPREAD;
    row->inner = rig__arena_alloc(problem->arena, RIG__N_LEVELS, sizeof *row->inner);
    row->outer = rig__arena_alloc(problem->arena, RIG__N_LEVELS, sizeof *row->outer);
    if (row->inner == NULL || row->outer == NULL) {
        return rig__error_nomem(b->err);
    }
    for (size_t level = 0; level < RIG__N_LEVELS; level++) {
        char key[RIG__EFFECT_KEY_BYTES];
        if (b->levels_spread[level] == RIG__NO_SPREAD || !key_of(row, level, key)) {
            continue;
        }
        const uint64_t hash = rig__fingerprint_whole(
            rig__fingerprint_text(RIG__FINGERPRINT_START, key), (uint64_t)level);
        const size_t j = find_effect(b, hash);
        if (j == problem->map.n_parameters) {
            RIG_TRY(add_effect(b, level, key, hash, row));
        }
        problem->unknowns[j].n_rows++;
        if (level < RIG__N_EFFECTS) {
            row->inner[row->n_inner++] = j;
        } else {
            row->outer[row->n_outer++] = j;
        }
        const bool is_group = level == RIG__EFFECT_ARCH || level == RIG__EFFECT_CPU_FAMILY;
        const bool is_member = level == RIG__EFFECT_GPU || level == RIG__EFFECT_CPU;
        i_arch = is_group ? j : i_arch;
        if (is_member) {
            problem->unknowns[j].parent = i_arch;
        }
    }
    return RIG_OK;
}

/* Shipped effects of levels that are not open stay as they are. From the priors there are none:
 * what is not an unknown is left out of the figures that are made. */
static void set_closed(const rig__fit_problem *problem, rig__fit_row *row)
{
    double log_factor = 0.0;
    if (problem->is_from_priors || problem->block == RIG__BLOCK_STORAGE) {
        return;
    }
    if (problem->block != RIG__BLOCK_PREPARE) {
        log_factor = log(row->setup.machine.gpu_step_factor);
    } else if (row->cpu != NULL) {
        log_factor =
            log(rig_cpu_factor_get(problem->task->catalog, row->cpu, &row->setup.workload));
    }
    for (size_t k = 0; k < row->n_inner; k++) {
        log_factor -= problem->map.parameters[row->inner[k]].mean;
    }
    row->closed = log_factor;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void set_core_speeds(const rig__fit_problem *problem, rig__fit_row *row)
{
    const rig_machine *const machine = &row->setup.machine;
    double all_core = NAN, single = NAN;
    row->cpu = (const rig_cpu *)(const void *)row->measurement->build.parts[RIG_TABLE_CPU].row;
    row->speed_ratio = row->speed_1t_ratio = 1.0;
    if (row->cpu == NULL || problem->block != RIG__BLOCK_PREPARE ||
        !rig_core_speed(problem->live_constants, row->cpu, &all_core, &single)) {
        return;
    }
    const double factor = rig_cpu_factor_get(problem->live, row->cpu, &row->setup.workload);
    row->speed_ratio = machine->core_speed / all_core / factor;
    row->speed_1t_ratio = machine->core_speed_1t / single / factor;
}

/* A run that waited for its data, or may have, says nothing about the GPUs. */
static bool tells_about(rig__block block, const rig_measurement *row)
{
    const unsigned training = 1U << RIG_STAGE_GPU | 1U << RIG_STAGE_ALLREDUCE;
    const bool is_training = block != RIG__BLOCK_PREPARE && block != RIG__BLOCK_STORAGE;
    return row->doubt == NULL && !row->is_undecided &&
           (!is_training || (row->expected_stages == 0 || (row->expected_stages & training) != 0));
}

/* Can the row be predicted at the start, and does it tell about its block? */
static rig_status try_row(builder *b, const rig_measurement *measurement, bool *is_used)
{
    rig__fit_problem *const problem = b->problem;
    rig__fit_row *const row = &problem->rows[problem->map.n_rows];
    *row = (rig__fit_row){.measurement = measurement};
    RIG_TRY(rig_measurement_setup(
        measurement, problem->live, problem->live_constants, &row->setup, b->err));
    if (row->setup.unsupported != NULL) {
        return RIG_OK;
    }
    set_core_speeds(problem, row);
    *is_used = isfinite(rig__fit_row_predict(problem, row, NULL));
    return RIG_OK;
}

static size_t noise_of(rig__fit_problem *problem, const char *source)
{
    rig__map *const map = &problem->map;
    size_t i = 0;
    while (i < map->n_noises && strcmp(problem->sources[i], source) != 0) {
        i++;
    }
    if (i == map->n_noises) {
        const double sd =
            rig__priors_sd(problem->priors, problem->block, RIG__PRIOR_TABLE_NOISE, "row");
        problem->sources[i] = source;
        map->noises[map->n_noises++].sd = isnan(sd) ? 0.06 : sd;
    }
    return i;
}

static rig_status add_rows(builder *b)
{
    rig__fit_problem *const problem = b->problem;
    rig__map *const map = &problem->map;
    const rig_measurements *const all = problem->task->measurements;
    problem->rows = rig__arena_alloc(problem->arena, all->n_rows, sizeof *problem->rows);
    problem->sources = rig__arena_alloc(problem->arena, all->n_rows, sizeof *problem->sources);
    map->rows = rig__arena_alloc(problem->arena, all->n_rows, sizeof *map->rows);
    map->noises = rig__arena_alloc(problem->arena, all->n_rows, sizeof *map->noises);
    if (problem->rows == NULL || problem->sources == NULL || map->rows == NULL ||
        map->noises == NULL) {
        return rig__error_nomem(b->err);
    }
    for (size_t i = 0; i < all->n_rows; i++) {
        const rig_measurement *const measurement = &all->rows[i];
        bool is_used = false;
        if (problem->task->is_held_out[i] || rig__fit_block_of(measurement) != problem->block ||
            !tells_about(problem->block, measurement)) {
            continue;
        }
        RIG_TRY(try_row(b, measurement, &is_used));
        if (is_used) {
            const char *const source = measurement->labels[RIG_GROUP_SOURCE];
            map->rows[map->n_rows] =
                (rig__map_row){.observed = log(measurement->observed_images_per_s),
                               .weight = 1.0,
                               .noise = noise_of(problem, source == NULL ? "" : source)};
            RIG_TRY(add_row_effects(b, &problem->rows[map->n_rows]));
            set_closed(problem, &problem->rows[map->n_rows]);
            map->n_rows++;
        }
    }
    return RIG_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static rig_status start(rig__fit_problem *problem, rig_error *err)
{
    const rig_catalog *const catalog = problem->task->catalog;
    problem->arena = rig__arena_new();
    problem->live = rig__overlay_new(catalog);
    if (problem->arena == NULL || problem->live == NULL) {
        return rig__error_nomem(err);
    }
    return rig_constants_new(&problem->live_constants, catalog, err);
}

rig_status rig__fit_problem_init(rig__fit_problem *out,
                                 const rig_fit_task *task,
                                 const rig__priors *priors,
                                 bool is_from_priors,
                                 rig__block block,
                                 rig_error *err)
{
    *out = (rig__fit_problem){
        .block = block, .is_from_priors = is_from_priors, .priors = priors, .task = task};
    builder b = {.problem = out, .err = err};
    rig_status status = start(out, err);
    if (status == RIG_OK) {
        status = add_figures(&b);
    }
    if (status == RIG_OK) {
        status = add_spreads(&b);
    }
    if (status == RIG_OK) {
        status = add_rows(&b);
    }
    for (size_t i = 0; i < out->map.n_rows && status == RIG_OK; i++) {
        status = rig__fit_problem_set_terms(out, b.n_figures, i, err);
    }
    free(b.keys);
    return status;
}

void rig__fit_problem_free(rig__fit_problem *problem)
{
    free(problem->unknowns);
    free(problem->map.parameters);
    free(problem->map.covariance);
    rig_constants_free(problem->live_constants);
    rig_catalog_free(problem->live);
    rig__arena_free(problem->arena);
}
