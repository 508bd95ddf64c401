/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the model is held to, scored on cross-validations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/folds.h"
#include "accuracy/residuals.h"
#include "base/error.h"

/* Intervals and biases are judged by these limits; groups of fewer rows tell little. */
static const double bias_limit = 0.02;
static const double coverage_least = 0.85, coverage_most = 0.95;
#define COVERAGE_ROWS 20
/* Systems that one chooses among: with two, a coin is right half of the time. */
#define CHOICE_SYSTEMS 3
/* GPUs of the larger machine of a scaling pair. */
#define SCALING_GPUS 8

typedef struct target_info {
    const char *name, *what;
    rig_group key;
    double limit_frac;
} target_info;

static const target_info infos[RIG_N_TARGETS] = {
#define RIG__TARGET_INFO(enumerator, word, text, key, limit) {word, text, RIG_GROUP_##key, limit},
    RIG_TARGET_MAP(RIG__TARGET_INFO)
#undef RIG__TARGET_INFO
};

/* Work space for one target. */
typedef struct scoring {
    const rig_validation *validation;
    rig_error_row *errors; /* as many as residuals */
    double *scratch;
    bool *is_done; /* of each residual */
} scoring;

static bool has_seen(const rig_residual *residual, rig_group group)
{
    return (residual->seen_groups & 1U << group) != 0;
}

static bool is_several_nodes(const rig_residual *residual)
{
    return residual->row->nodes > 1.0;
}

/* Rates that training set: a run that waited for its data, or may have, is no training rate. */
static bool is_gpu_row(const rig_residual *residual)
{
    const unsigned training = 1U << RIG_STAGE_GPU | 1U << RIG_STAGE_ALLREDUCE;
    const rig_measurement *const row = residual->row;
    return row->kind == RIG_MEASUREMENT_GPU && !row->is_undecided &&
           (row->expected_stages == 0 || (row->expected_stages & training) != 0);
}

static bool is_wanted(rig_target target, const rig_residual *residual)
{
    const rig_measurement_kind kind = residual->row->kind;
    const bool is_system = kind == RIG_MEASUREMENT_SYSTEM;
    const bool is_seen = has_seen(residual, RIG_GROUP_GPU) && has_seen(residual, RIG_GROUP_NETWORK);
    switch (target) {
    case RIG_TARGET_SYSTEM_KNOWN:
        return is_system && !is_several_nodes(residual) && is_seen;
    case RIG_TARGET_SYSTEM_GPU_NEW:
        return is_system && !is_several_nodes(residual);
    case RIG_TARGET_SYSTEM_NODES:
        return is_system && is_several_nodes(residual);
    case RIG_TARGET_FIRST_EPOCH:
        return is_system && !isnan(residual->first_epoch_log_ratio);
    case RIG_TARGET_GPU_NEW:
        return is_gpu_row(residual) && has_seen(residual, RIG_GROUP_NETWORK);
    case RIG_TARGET_GPU_KNOWN:
    case RIG_TARGET_SOURCE_NEW:
    case RIG_TARGET_SOURCE_ANCHORED:
        return is_gpu_row(residual) && is_seen;
    case RIG_TARGET_SCALING:
        return is_gpu_row(residual);
    case RIG_TARGET_CPU_KNOWN:
        return kind == RIG_MEASUREMENT_CPU && has_seen(residual, RIG_GROUP_CPU);
    case RIG_TARGET_CPU_FAMILY_NEW:
    case RIG_TARGET_LOADER_SCALING:
        return kind == RIG_MEASUREMENT_CPU;
    case RIG_TARGET_STORAGE:
        return kind == RIG_MEASUREMENT_STORAGE;
    case RIG_TARGET_BINDING:
        return residual->tells_binding;
    case RIG_TARGET_CHOICE_MEAN:
    case RIG_TARGET_CHOICE_WORST:
        return is_system || is_gpu_row(residual);
    case RIG_N_TARGETS:
        break;
    }
    return false;
}

static bool is_scored(const scoring *work, rig_target target, size_t i)
{
    const rig_residual *const residual = &work->validation->residuals[i];
    return (residual->unsupported == NULL || target == RIG_TARGET_BINDING) &&
           is_wanted(target, residual);
}

/* ---- single rows ---------------------------------------------------------------------------- */

static void set_error(const scoring *work, size_t n, rig_target_score *out)
{
    rig_score score;
    rig_score_rows(work->errors, n, work->scratch, &score);
    out->rows = n;
    out->value_frac = score.mape_frac;
    out->bias_frac = score.bias_frac;
}

static void score_rows(const scoring *work, rig_target target, rig_target_score *out)
{
    size_t n = 0;
    for (size_t i = 0; i < work->validation->n_residuals; i++) {
        const rig_residual *const residual = &work->validation->residuals[i];
        if (is_scored(work, target, i)) {
            work->errors[n++].log_ratio = target == RIG_TARGET_FIRST_EPOCH
                                              ? residual->first_epoch_log_ratio
                                              : residual->log_ratio;
        }
    }
    set_error(work, n, out);
}

static void score_binding(const scoring *work, rig_target_score *out)
{
    size_t n = 0, n_wrong = 0, n_waited = 0;
    for (size_t i = 0; i < work->validation->n_residuals; i++) {
        const rig_residual *const residual = &work->validation->residuals[i];
        const unsigned expected = residual->row->expected_stages;
        if (is_scored(work, RIG_TARGET_BINDING, i)) {
            n++;
            n_wrong += (expected & 1U << residual->binding) == 0 ? 1 : 0;
            n_waited += (expected & 1U << RIG_STAGE_GPU) == 0 ? 1 : 0;
        }
    }
    out->rows = n;
    out->value_frac = n == 0 ? (double)NAN : (double)n_wrong / (double)n;
    /* "always the GPUs", or "never" */
    out->trivial_frac =
        n == 0 ? (double)NAN
               : (double)(n_waited < n - n_waited ? n_waited : n - n_waited) / (double)n;
}

/* ---- pairs of rows -------------------------------------------------------------------------- */

/* Texts that are not told are equal to each other alone. */
static bool is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_same_label(const rig_residual *a, const rig_residual *b, rig_group group)
{
    return is_same_text(a->row->labels[group], b->row->labels[group]);
}

static bool
is_same_in(const rig_residual *a, const rig_residual *b, const rig_group *groups, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_same_label(a, b, groups[i])) {
            return false;
        }
    }
    return true;
}

static int n_gpus(const rig_residual *residual)
{
    return residual->row->build.parts[RIG_TABLE_GPU].count;
}

/* Do two training rows differ in the number of GPUs alone? */
static bool is_other_count(const rig_residual *a, const rig_residual *b)
{
    static const rig_group same[] = {RIG_GROUP_SOURCE,
                                     RIG_GROUP_GPU,
                                     RIG_GROUP_NETWORK,
                                     RIG_GROUP_STACK,
                                     RIG_GROUP_PRECISION,
                                     RIG_GROUP_LOADER,
                                     RIG_GROUP_NODES};
    return a->row->workload.batch_per_gpu == b->row->workload.batch_per_gpu &&
           is_same_in(a, b, same, sizeof same / sizeof same[0]);
}

/* Do two preparation rows differ in the number of workers alone? */
static bool is_other_workers(const rig_residual *a, const rig_residual *b)
{
    static const rig_group same[] = {
        RIG_GROUP_SOURCE, RIG_GROUP_CPU, RIG_GROUP_LOADER, RIG_GROUP_NETWORK};
    return a->row->preparation == b->row->preparation &&
           a->row->workload.dataset == b->row->workload.dataset &&
           is_same_in(a, b, same, sizeof same / sizeof same[0]);
}

/* Are two rows a pair, one of the small machine and one of the large? */
static bool is_small_of(rig_target target, const rig_residual *small, const rig_residual *large)
{
    if (target == RIG_TARGET_SCALING) {
        return n_gpus(small) == 1 && n_gpus(large) == SCALING_GPUS && is_other_count(small, large);
    }
    return small->row->workload.workers < large->row->workload.workers &&
           is_other_workers(small, large);
}

/* Mean error of the smallest machines that pair with row i. @return false: there is none */
static bool small_error(const scoring *work, rig_target target, size_t i, double *out)
{
    const rig_residual *const residuals = work->validation->residuals;
    double least = INFINITY, sum = 0.0;
    size_t n = 0;
    for (size_t k = 0; k < work->validation->n_residuals; k++) {
        if (k == i || !is_scored(work, target, k) ||
            !is_small_of(target, &residuals[k], &residuals[i])) {
            continue;
        }
        const double size = target == RIG_TARGET_SCALING ? 1.0 : residuals[k].row->workload.workers;
        if (size > least) {
            continue;
        }
        sum = size < least ? residuals[k].log_ratio : sum + residuals[k].log_ratio;
        n = size < least ? 1 : n + 1;
        least = size;
    }
    *out = n == 0 ? (double)NAN : sum / (double)n;
    return n > 0;
}

/* The error of a ratio is the difference of the errors of the two rates. */
static void score_pairs(const scoring *work, rig_target target, rig_target_score *out)
{
    size_t n = 0;
    for (size_t i = 0; i < work->validation->n_residuals; i++) {
        double small = NAN;
        if (is_scored(work, target, i) && small_error(work, target, i, &small)) {
            work->errors[n++].log_ratio = work->validation->residuals[i].log_ratio - small;
        }
    }
    set_error(work, n, out);
}

/* ---- choices -------------------------------------------------------------------------------- */

/* Rows with the same workload and software on as many GPUs: what one could choose among. */
static bool is_same_workload(const rig_residual *a, const rig_residual *b)
{
    static const rig_group same[] = {RIG_GROUP_KIND,
                                     RIG_GROUP_NETWORK,
                                     RIG_GROUP_STACK,
                                     RIG_GROUP_LOADER,
                                     RIG_GROUP_PRECISION,
                                     RIG_GROUP_COUNT,
                                     RIG_GROUP_NODES};
    if (!is_same_text(a->row->workload.release, b->row->workload.release) ||
        !is_same_text(a->row->software, b->row->software) ||
        !is_same_in(a, b, same, sizeof same / sizeof same[0])) {
        return false;
    }
    /* Submitters choose the batch themselves; in tables of one source it is a part of the task. */
    return a->row->kind == RIG_MEASUREMENT_SYSTEM ||
           (is_same_label(a, b, RIG_GROUP_SOURCE) &&
            a->row->workload.batch_per_gpu == b->row->workload.batch_per_gpu);
}

/* Rows of one machine: what a choice is among. */
static bool is_same_machine(const rig_residual *a, const rig_residual *b)
{
    return is_same_label(
        a, b, a->row->kind == RIG_MEASUREMENT_SYSTEM ? RIG_GROUP_SYSTEM : RIG_GROUP_GPU);
}

static bool is_like(const scoring *work, size_t i, size_t k)
{
    const rig_residual *const residuals = work->validation->residuals;
    return is_scored(work, RIG_TARGET_CHOICE_MEAN, k) &&
           is_same_workload(&residuals[i], &residuals[k]);
}

/* Mean rates of the machine of row k among the rows like row i, which are done then. */
static void
machine_rates(const scoring *work, size_t i, size_t k, double *predicted_out, double *observed_out)
{
    const rig_residual *const residuals = work->validation->residuals;
    double predicted = 0.0, observed = 0.0, n = 0.0;
    for (size_t j = k; j < work->validation->n_residuals; j++) {
        if (is_like(work, i, j) && is_same_machine(&residuals[k], &residuals[j])) {
            work->is_done[j] = true;
            predicted += residuals[j].predicted_images_per_s;
            observed += residuals[j].row->observed_images_per_s;
            n += 1.0;
        }
    }
    *predicted_out = predicted / n;
    *observed_out = observed / n;
}

/* Loss of choosing by the model among the machines of rows like row i. @return how many */
static size_t choose(const scoring *work, size_t i, double *loss_out)
{
    double most_predicted = -1.0, chosen = 0.0, best = 0.0;
    size_t n_machines = 0;
    for (size_t k = i; k < work->validation->n_residuals; k++) {
        double predicted = 0.0, observed = 0.0;
        if (work->is_done[k] || !is_like(work, i, k)) {
            continue;
        }
        machine_rates(work, i, k, &predicted, &observed);
        n_machines++;
        chosen = predicted > most_predicted ? observed : chosen;
        most_predicted = fmax(most_predicted, predicted);
        best = fmax(best, observed);
    }
    *loss_out = 1.0 - chosen / best;
    return n_machines;
}

static void score_choices(const scoring *work, bool is_worst, rig_target_score *out)
{
    const size_t n = work->validation->n_residuals;
    double sum = 0.0, worst = 0.0;
    memset(work->is_done, 0, n * sizeof *work->is_done);
    out->rows = 0;
    for (size_t i = 0; i < n; i++) {
        double loss = 0.0;
        if (work->is_done[i] || !is_scored(work, RIG_TARGET_CHOICE_MEAN, i) ||
            choose(work, i, &loss) < CHOICE_SYSTEMS) {
            continue;
        }
        out->rows++;
        sum += loss;
        worst = fmax(worst, loss);
    }
    if (out->rows > 0) {
        out->value_frac = is_worst ? worst : sum / (double)out->rows;
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void score_target(const scoring *work, rig_target target, rig_target_score *out)
{
    switch (target) {
    case RIG_TARGET_BINDING:
        score_binding(work, out);
        break;
    case RIG_TARGET_SCALING:
    case RIG_TARGET_LOADER_SCALING:
        score_pairs(work, target, out);
        break;
    case RIG_TARGET_CHOICE_MEAN:
    case RIG_TARGET_CHOICE_WORST:
        score_choices(work, target == RIG_TARGET_CHOICE_WORST, out);
        break;
    default:
        score_rows(work, target, out);
        break;
    }
    out->is_met = out->rows > 0 && out->value_frac <= out->limit_frac;
    out->is_bias_met = isnan(out->bias_frac) || fabs(out->bias_frac) <= bias_limit;
}

static const rig_validation *validation_for(const rig_folds *folds, rig_target target)
{
    return target == RIG_TARGET_SOURCE_ANCHORED ? folds->anchored_source
                                                : folds->left_out[infos[target].key];
}

rig_status rig__folds_check(const rig_folds *folds, size_t *n_out, rig_error *err)
{
    const rig_validation *first = NULL;
    for (size_t i = 0; i <= RIG_N_GROUPS; i++) {
        const rig_validation *const own =
            i < RIG_N_GROUPS ? folds->left_out[i] : folds->anchored_source;
        if (own == NULL) {
            continue;
        }
        first = first == NULL ? own : first;
        const bool is_same =
            own->n_residuals == first->n_residuals &&
            (own->n_residuals == 0 || own->residuals[0].row == first->residuals[0].row);
        if (!is_same) {
            return rig__error_set(err,
                                  RIG_E_INVALID,
                                  NULL,
                                  0,
                                  0,
                                  "cross-validations of different measurements: '%zu' and '%zu' "
                                  "rows (expected the same set)",
                                  first->n_residuals,
                                  own->n_residuals);
        }
    }
    *n_out = first == NULL ? 0 : first->n_residuals;
    return RIG_OK;
}

rig_status
rig_targets_score(const rig_folds *folds, rig_target_score out[RIG_N_TARGETS], rig_error *err)
{
    size_t n = 0;
    RIG_TRY(rig__folds_check(folds, &n, err));
    scoring work = {.errors = calloc(n + 1, sizeof *work.errors),
                    .scratch = calloc(n + 1, sizeof *work.scratch),
                    .is_done = calloc(n + 1, sizeof *work.is_done)};
    const bool is_able = work.errors != NULL && work.scratch != NULL && work.is_done != NULL;
    for (size_t i = 0; i < RIG_N_TARGETS && is_able; i++) {
        out[i] = (rig_target_score){.name = infos[i].name,
                                    .what = infos[i].what,
                                    .left_out = rig_group_name(infos[i].key),
                                    .limit_frac = infos[i].limit_frac,
                                    .value_frac = NAN,
                                    .bias_frac = NAN,
                                    .trivial_frac = NAN};
        work.validation = validation_for(folds, (rig_target)i);
        if (work.validation != NULL) {
            score_target(&work, (rig_target)i, &out[i]);
        }
    }
    free(work.errors);
    free(work.scratch);
    free(work.is_done);
    return is_able ? RIG_OK : rig__error_nomem(err);
}

rig_coverage rig_coverage_by(const rig_validation *validation, rig_group by)
{
    rig_coverage out = {.least_frac = NAN, .most_frac = NAN};
    for (size_t i = 0; i < validation->n_groups; i++) {
        const rig_group_score *const group = &validation->groups[i];
        const double coverage = group->score.coverage_frac;
        if (group->by != by || group->score.rows < COVERAGE_ROWS) {
            continue;
        }
        out.groups++;
        out.n_right += coverage >= coverage_least && coverage <= coverage_most ? 1 : 0;
        if (out.least_name == NULL || coverage < out.least_frac) {
            out.least_frac = coverage;
            out.least_name = group->name;
        }
        if (out.most_name == NULL || coverage > out.most_frac) {
            out.most_frac = coverage;
            out.most_name = group->name;
        }
    }
    return out;
}
