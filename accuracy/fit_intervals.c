/* SPDX-License-Identifier: GPL-3.0-or-later
 * Widths of intervals.csv from the residuals of cross-validations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/spreads.h"
#include "base/error.h"
#include "model/intervals.h"

static const double coverage = 0.9;
/* Fewer rows than this do not make a class of their own. */
#define ROWS_MIN 20
#define NO_CLASS RIG__N_INTERVALS
#define SOURCE_BYTES 160

/* The order matters: a row counts once in a class, in the validation that comes first. */
static const rig_group training_keys[] = {RIG_GROUP_SYSTEM,
                                          RIG_GROUP_GPU,
                                          RIG_GROUP_SUBMITTER,
                                          RIG_GROUP_SOURCE,
                                          RIG_GROUP_NETWORK,
                                          RIG_GROUP_STACK,
                                          RIG_GROUP_GENERATION};
static const rig_group preparation_keys[] = {
    RIG_GROUP_LOADER, RIG_GROUP_CPU, RIG_GROUP_CPU_FAMILY, RIG_GROUP_SYSTEM};
static const rig_group storage_keys[] = {RIG_GROUP_SOURCE, RIG_GROUP_SYSTEM};
static const rig_group first_epoch_keys[] = {RIG_GROUP_SUBMITTER, RIG_GROUP_SYSTEM};

/* Residuals by class. */
typedef struct gathering {
    const rig_folds *folds;
    size_t n_rows;
    double *residuals, *scales, *scratch; /* n_rows times the number of validations */
    size_t *classes;
    bool *is_used; /* n_rows times RIG__N_INTERVALS */
    size_t n;
    rig_conformal_width found[RIG__N_INTERVALS]; /* rows: of the class; infinite: too few */
    double widths[RIG__N_INTERVALS];             /* NAN: nothing to go by */
    unsigned key_bits[RIG__N_INTERVALS];         /* validations behind a class, by group */
} gathering;

/* ---- classes of residuals ------------------------------------------------------------------- */

static bool has_seen(const rig_residual *residual, rig_group group)
{
    return (residual->seen_groups & 1U << group) != 0;
}

static size_t training_class(const rig_residual *residual)
{
    const rig_measurement *const row = residual->row;
    const bool is_system = row->kind == RIG_MEASUREMENT_SYSTEM;
    const bool is_training =
        residual->binding == RIG_STAGE_GPU || residual->binding == RIG_STAGE_ALLREDUCE;
    if ((!is_system && row->kind != RIG_MEASUREMENT_GPU) || !is_training) {
        return NO_CLASS;
    }
    const rig_familiarity known = {
        .is_gpu_known = has_seen(residual, RIG_GROUP_GPU),
        .is_network_known = has_seen(residual, RIG_GROUP_NETWORK),
        .is_software_own = has_seen(residual, is_system ? RIG_GROUP_SUBMITTER : RIG_GROUP_SOURCE),
    };
    const rig_stack *const stack = row->workload.stack;
    return rig__model_interval_training(stack == NULL ? NULL : stack->family,
                                        rig__model_train_novelties(&known, row->nodes));
}

static size_t preparation_class(const rig_residual *residual)
{
    if (residual->row->kind != RIG_MEASUREMENT_CPU) {
        return NO_CLASS;
    }
    const rig_familiarity known = {
        .is_cpu_known = has_seen(residual, RIG_GROUP_CPU),
        .is_cpu_family_known = has_seen(residual, RIG_GROUP_CPU_FAMILY),
        .is_loader_known = has_seen(residual, RIG_GROUP_LOADER),
    };
    return rig__model_interval_preparation(rig__model_prepare_novelties(&known));
}

/* Where the readers ask for less than the drives give, the row tells nothing of the drives. */
static size_t storage_class(const rig_residual *residual)
{
    const bool is_reading = residual->binding == RIG_STAGE_STORAGE;
    return residual->row->kind == RIG_MEASUREMENT_STORAGE && is_reading ? RIG__INTERVAL_STORAGE
                                                                        : NO_CLASS;
}

static size_t first_epoch_class(const rig_residual *residual)
{
    return isnan(residual->first_epoch_log_ratio) ? NO_CLASS : RIG__INTERVAL_FIRST_EPOCH;
}

typedef struct selection {
    size_t (*class_of)(const rig_residual *residual);
    const rig_group *keys;
    size_t n_keys;
} selection;

#define SELECTION(function, array)                                                                 \
    {                                                                                              \
        function, array, sizeof(array) / sizeof(array)[0]                                          \
    }

static const selection selections[] = {SELECTION(training_class, training_keys),
                                       SELECTION(preparation_class, preparation_keys),
                                       SELECTION(storage_class, storage_keys),
                                       SELECTION(first_epoch_class, first_epoch_keys)};
#define N_SELECTIONS (sizeof selections / sizeof selections[0])
/* A row is in at most as many classes. */
#define KEYS_MAX (sizeof training_keys / sizeof training_keys[0])

static void gather(gathering *all, const selection *from, rig_group key)
{
    const rig_validation *const validation = all->folds->left_out[key];
    for (size_t i = 0; validation != NULL && i < all->n_rows; i++) {
        const rig_residual *const residual = &validation->residuals[i];
        const size_t class = residual->unsupported == NULL ? from->class_of(residual) : NO_CLASS;
        if (class == NO_CLASS || all->is_used[class * all->n_rows + i]) {
            continue;
        }
        all->is_used[class * all->n_rows + i] = true;
        all->residuals[all->n] = class == RIG__INTERVAL_FIRST_EPOCH
                                     ? residual->first_epoch_log_ratio
                                     : residual->log_ratio;
        all->scales[all->n] = class < RIG__INTERVAL_PREPARE ? residual->software_spread : 1.0;
        all->classes[all->n++] = class;
        all->key_bits[class] |= 1U << key;
    }
}

/* ---- widths --------------------------------------------------------------------------------- */

static rig_status find_widths(gathering *all, rig_error *err)
{
    size_t parents[RIG__N_INTERVALS];
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        parents[i] = RIG_NO_PARENT;
    }
    RIG_TRY(rig_conformal_widths(all->residuals,
                                 all->scales,
                                 all->classes,
                                 all->n,
                                 parents,
                                 RIG__N_INTERVALS,
                                 coverage,
                                 ROWS_MIN,
                                 all->scratch,
                                 all->found,
                                 err));
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        const bool is_found = isfinite(all->found[i].half_width);
        all->widths[i] = is_found ? all->found[i].half_width : (double)NAN;
    }
    return RIG_OK;
}

static double square(double x)
{
    return x * x;
}

/* Where no row is wholly known, the narrowest class bounds from above what would be. */
static void bound_base(double *widths, size_t n)
{
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = isnan(widths[i]) ? least : fmin(least, widths[i]);
    }
    if (isnan(widths[0]) && isfinite(least)) {
        widths[0] = least;
    }
}

/* Squared width that one novelty adds in a family; where it was not measured in the family, the
 * most that it adds in another; where nowhere, as much as there was (assumption). */
static double excess(const gathering *all, size_t family, size_t novelty)
{
    double most = -1.0;
    for (size_t f = 0; f < RIG__N_INTERVAL_FAMILIES; f++) {
        const size_t base = f * RIG__N_TRAIN_NOVELTIES;
        const double added = square(all->widths[base + novelty]) - square(all->widths[base]);
        if (f == family && !isnan(added)) {
            return fmax(added, 0.0);
        }
        most = isnan(added) ? most : fmax(most, added);
    }
    return most >= 0.0 ? most : square(all->widths[family * RIG__N_TRAIN_NOVELTIES]);
}

static void combine_training(gathering *all)
{
    double measured[RIG__N_INTERVALS];
    for (size_t family = 0; family < RIG__N_INTERVAL_FAMILIES; family++) {
        bound_base(&all->widths[family * RIG__N_TRAIN_NOVELTIES], RIG__N_TRAIN_NOVELTIES);
    }
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        measured[i] = all->widths[i];
    }
    for (size_t family = 0; family < RIG__N_INTERVAL_FAMILIES; family++) {
        const size_t base = family * RIG__N_TRAIN_NOVELTIES;
        for (size_t new = 1; new < RIG__N_TRAIN_NOVELTIES && !isnan(measured[base]); new ++) {
            double sum = square(measured[base]);
            for (size_t bit = 1; bit < RIG__N_TRAIN_NOVELTIES; bit *= 2) {
                sum += (new &bit) != 0 ? excess(all, family, bit) : 0.0;
            }
            if (isnan(measured[base + new])) {
                measured[base + new] = sqrt(sum);
            }
        }
    }
    for (size_t i = 0; i < RIG__INTERVAL_PREPARE; i++) {
        all->widths[i] = measured[i];
    }
}

/* Squared width that a novelty adds to preparation, likewise. */
static double prepare_excess(const double *widths, size_t novelty)
{
    const double base = square(widths[RIG__CPU_KNOWN]);
    if (novelty == 0) {
        return 0.0;
    }
    return isnan(widths[novelty]) ? base : fmax(square(widths[novelty]) - base, 0.0);
}

static void combine_preparation(gathering *all)
{
    double *const w = &all->widths[RIG__INTERVAL_PREPARE];
    double measured[RIG__N_PREPARE_NOVELTIES];
    bound_base(w, RIG__N_PREPARE_NOVELTIES);
    memcpy(measured, w, sizeof measured);
    const double base = measured[RIG__CPU_KNOWN];
    for (size_t new = 1; new < RIG__N_PREPARE_NOVELTIES && !isnan(base); new ++) {
        const size_t cpu = new - new % RIG__CPU_FAMILY_KNOWN, loader = new % RIG__CPU_FAMILY_KNOWN;
        if (isnan(w[new])) {
            w[new] = sqrt(square(base) + prepare_excess(measured, cpu) +
                          prepare_excess(measured, loader));
        }
    }
}

static void make_monotone(gathering *all)
{
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!isnan(all->widths[i]) && rig__model_interval_is_better_known(k, i)) {
                all->widths[i] = fmax(all->widths[i], all->widths[k]);
            }
        }
    }
}

/* ---- entries -------------------------------------------------------------------------------- */

static rig_status add(rig_profile *profile,
                      const char *name,
                      double half_width,
                      double rows,
                      const char *source,
                      rig_error *err)
{
    const rig_profile_entry entry = {.table = RIG_PROFILE_INTERVALS,
                                     .name = name,
                                     .value = half_width,
                                     .log_sd = NAN,
                                     .rows = rows,
                                     .source = source};
    return rig_profile_add(profile, &entry, err);
}

/* "rows held out by system, gpu". */
static void describe(const gathering *all, size_t class, char text[SOURCE_BYTES])
{
    const bool is_measured = isfinite(all->found[class].half_width);
    int length = snprintf(text,
                          SOURCE_BYTES,
                          "%s",
                          is_measured ? "90 % of the rows held out by"
                                      : "no rows of its own: from the other classes of its kind");
    const char *before = " ";
    for (size_t i = 0; i < RIG_N_GROUPS && is_measured; i++) {
        if ((all->key_bits[class] & 1U << i) != 0 && length > 0 && length < SOURCE_BYTES) {
            length += snprintf(text + length,
                               SOURCE_BYTES - (size_t)length,
                               "%s%s",
                               before,
                               rig_group_name((rig_group)i));
            before = ", ";
        }
    }
}

static rig_status
add_class(const gathering *all, size_t class, rig_profile *profile, rig_error *err)
{
    char name[RIG__INTERVAL_NAME_BYTES], source[SOURCE_BYTES];
    const bool is_measured = isfinite(all->found[class].half_width);
    rig__model_interval_name(class, name);
    describe(all, class, source);
    return add(profile,
               name,
               all->widths[class],
               is_measured ? (double)all->found[class].rows : 0.0,
               source,
               err);
}

/* What a class falls back to is as wide as the widest class of its kind. */
static rig_status add_widest(const gathering *all,
                             const char *name,
                             size_t first,
                             size_t end,
                             rig_profile *profile,
                             rig_error *err)
{
    double widest = -1.0;
    size_t rows = 0;
    for (size_t i = first; i < end; i++) {
        widest = isnan(all->widths[i]) ? widest : fmax(widest, all->widths[i]);
        rows += isfinite(all->found[i].half_width) ? all->found[i].rows : 0;
    }
    return widest < 0.0
               ? RIG_OK
               : add(profile, name, widest, (double)rows, "the widest class of its kind", err);
}

static rig_status add_all(const gathering *all, rig_profile *profile, rig_error *err)
{
    const size_t first_unnamed = (size_t)(RIG__N_INTERVAL_FAMILIES - 1) * RIG__N_TRAIN_NOVELTIES;
    RIG_TRY(add_widest(all, "train", 0, first_unnamed, profile, err));
    RIG_TRY(add_widest(all, "prepare", RIG__INTERVAL_PREPARE, RIG__INTERVAL_STORAGE, profile, err));
    rig_status status = RIG_OK;
    for (size_t i = 0; i < RIG__N_INTERVALS && status == RIG_OK; i++) {
        const bool is_unnamed = i >= first_unnamed && i < RIG__INTERVAL_PREPARE;
        if (!is_unnamed && !isnan(all->widths[i])) {
            status = add_class(all, i, profile, err);
        }
    }
    return status;
}

static rig_status fit(gathering *all, rig_profile *profile, rig_error *err)
{
    for (size_t i = 0; i < N_SELECTIONS; i++) {
        for (size_t k = 0; k < selections[i].n_keys; k++) {
            gather(all, &selections[i], selections[i].keys[k]);
        }
    }
    RIG_TRY(find_widths(all, err));
    combine_training(all);
    combine_preparation(all);
    make_monotone(all);
    return add_all(all, profile, err);
}

/* ---- installations -------------------------------------------------------------------------- */

static rig_status add_spread(
    const rig_measurement *row, double spread, double rows, rig_profile *profile, rig_error *err)
{
    char name[SOURCE_BYTES * 2];
    const rig_group group = rig__installation_of(row);
    (void)snprintf(name, sizeof name, "%s:%s", rig_group_name(group), row->labels[group]);
    const rig_profile_entry entry = {.table = RIG_PROFILE_FITTED,
                                     .name = name,
                                     .value = spread,
                                     .log_sd = NAN,
                                     .rows = rows,
                                     .source = "errors of its rows held out by system over those "
                                               "of all"};
    return rig_profile_add(profile, &entry, err);
}

static rig_status add_spreads(const rig_validation *by_system,
                              const rig__spreads *spreads,
                              rig_profile *profile,
                              rig_error *err)
{
    rig_status status = RIG_OK;
    for (size_t i = 0; i < by_system->n_residuals && status == RIG_OK; i++) {
        const rig_measurement *const row = by_system->residuals[i].row;
        const size_t rows = rig__spreads_rows(spreads, row, i);
        if (rows > 0) {
            const double spread = rig__spreads_get(spreads, row, i);
            status = add_spread(row, spread, (double)rows, profile, err);
        }
    }
    return status;
}

static rig_status fit_spreads(const rig_folds *folds, rig_profile *profile, rig_error *err)
{
    const rig_validation *const by_system = folds->left_out[RIG_GROUP_SYSTEM];
    rig__labels labels;
    rig__spreads spreads = {.labels = NULL};
    if (by_system == NULL || by_system->n_residuals == 0) {
        return RIG_OK;
    }
    const bool is_able =
        rig__labels_init(&labels, by_system->residuals[0].row, by_system->n_residuals) &&
        rig__spreads_init(&spreads, &labels);
    rig_status status = RIG_OK;
    if (is_able) {
        rig__spreads_fill(&spreads, by_system->residuals, NULL);
        status = add_spreads(by_system, &spreads, profile, err);
    }
    rig__spreads_fini(&spreads);
    rig__labels_fini(&labels);
    return is_able ? status : rig__error_nomem(err);
}

rig_status rig_fit_intervals(const rig_folds *folds, rig_profile *profile, rig_error *err)
{
    size_t n = 0;
    RIG_TRY(rig__folds_check(folds, &n, err));
    /* In each selection a row is taken at most once per validation. */
    const size_t cap = n * KEYS_MAX * 2 + 1;
    gathering *const all = calloc(1, sizeof *all);
    rig_status status = all == NULL ? rig__error_nomem(err) : RIG_OK;
    if (all != NULL) {
        all->folds = folds;
        all->n_rows = n;
        all->residuals = calloc(cap, sizeof *all->residuals);
        all->scales = calloc(cap, sizeof *all->scales);
        all->scratch = calloc(cap, sizeof *all->scratch);
        all->classes = calloc(cap, sizeof *all->classes);
        all->is_used = calloc(n * RIG__N_INTERVALS + 1, sizeof *all->is_used);
        const bool is_able = all->residuals != NULL && all->scales != NULL &&
                             all->scratch != NULL && all->classes != NULL && all->is_used != NULL;
        status = is_able ? fit(all, profile, err) : rig__error_nomem(err);
        if (status == RIG_OK) {
            status = fit_spreads(folds, profile, err);
        }
        free(all->residuals);
        free(all->scales);
        free(all->scratch);
        free(all->classes);
        free(all->is_used);
    }
    free(all);
    return status;
}
