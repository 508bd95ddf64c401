/* SPDX-License-Identifier: GPL-3.0-or-later
 * Predictions of the rows of a calibration, and their derivatives. */
#include <math.h>

#include "accuracy/fit_problem.h"

/* Step of the differences, on the scale of the prior. */
static const double step = 1e-4;
/* What a row is worth that cannot be predicted at some values: so far off that it does not count.
 */
static const double log_rate_failed = -20.0;

void rig__fit_problem_write(const rig__fit_problem *problem, const double *values)
{
    for (size_t j = 0; j < problem->map.n_parameters; j++) {
        const rig__fit_unknown *const unknown = &problem->unknowns[j];
        if (unknown->target != NULL) {
            *unknown->target = rig__scale_from(unknown->scale, values[j]);
        }
    }
}

/* Slowest of the stages that may bind by what the row tells; all of them if it does not. */
static double rate_of(const rig_measurement *measurement, const rig_prediction *prediction)
{
    double rate = INFINITY;
    if (measurement->expected_stages == 0) {
        return prediction->images_per_s;
    }
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const double stage = prediction->stages[i].images_per_s;
        if ((measurement->expected_stages & 1U << i) != 0 && stage < rate) {
            rate = stage;
        }
    }
    return rate;
}

static double sum_of(const double *values, const size_t *indices, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; values != NULL && k < count; k++) {
        sum += values[indices[k]];
    }
    return sum;
}

static double predict(const rig__fit_problem *problem, const rig__fit_row *row, double log_factor)
{
    rig_prediction prediction;
    rig_setup setup = row->setup;
    if (problem->block == RIG__BLOCK_PREPARE && row->cpu != NULL) {
        double all_core = NAN, single = NAN;
        (void)rig_core_speed(problem->live_constants, row->cpu, &all_core, &single);
        setup.machine.core_speed = all_core * row->speed_ratio * exp(log_factor);
        setup.machine.core_speed_1t = single * row->speed_1t_ratio * exp(log_factor);
    } else {
        setup.machine.gpu_step_factor = exp(log_factor);
    }
    if (rig_measurement_predict(
            row->measurement, &setup, problem->live_constants, &prediction, NULL) != RIG_OK) {
        return NAN;
    }
    const double rate = rate_of(row->measurement, &prediction);
    return rate > 0.0 && isfinite(rate) ? log(rate) : (double)NAN;
}

double
rig__fit_row_predict(const rig__fit_problem *problem, const rig__fit_row *row, const double *values)
{
    return predict(problem, row, row->closed + sum_of(values, row->inner, row->n_inner)) +
           sum_of(values, row->outer, row->n_outer);
}

static double finite_or(double value, double other)
{
    return isfinite(value) ? value : other;
}

void rig__fit_predict_all(void *payload, const double *values)
{
    rig__fit_problem *const problem = payload;
    rig__fit_problem_write(problem, values);
    for (size_t i = 0; i < problem->map.n_rows; i++) {
        problem->map.rows[i].predicted =
            finite_or(rig__fit_row_predict(problem, &problem->rows[i], values), log_rate_failed);
    }
}

/* Effects on the step share one derivative; those on the rate have 1. */
static void derive_row(rig__fit_problem *problem, size_t i_row, const double *values)
{
    const rig__fit_row *const row = &problem->rows[i_row];
    rig__map_row *const out = &problem->map.rows[i_row];
    const double log_factor = row->closed + sum_of(values, row->inner, row->n_inner);
    const double outer = sum_of(values, row->outer, row->n_outer);
    const double at = out->predicted - outer;
    const double inner_slope =
        row->n_inner == 0 ? 0.0
                          : (finite_or(predict(problem, row, log_factor + step), at) - at) / step;
    for (size_t k = 0; k < out->n_terms; k++) {
        const rig__fit_unknown *const unknown = &problem->unknowns[out->terms[k]];
        const double value = values[out->terms[k]];
        if (unknown->target == NULL) {
            out->slopes[k] = unknown->level < RIG__N_EFFECTS ? inner_slope : 1.0;
            continue;
        }
        *unknown->target = rig__scale_from(unknown->scale, value + step);
        out->slopes[k] = (finite_or(predict(problem, row, log_factor), at) - at) / step;
        *unknown->target = rig__scale_from(unknown->scale, value);
    }
}

void rig__fit_derive_all(void *payload, const double *values)
{
    rig__fit_problem *const problem = payload;
    rig__fit_problem_write(problem, values);
    for (size_t i = 0; i < problem->map.n_rows; i++) {
        derive_row(problem, i, values);
    }
}
