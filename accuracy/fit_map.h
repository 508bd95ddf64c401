/* SPDX-License-Identifier: GPL-3.0-or-later
 * Maximum a posteriori fit of a nonlinear model with random effects: the mathematics alone. */
#ifndef RIG_ACCURACY_FIT_MAP_H
#define RIG_ACCURACY_FIT_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "trainrig/status.h"

/** A parameter whose spread is not estimated but given by its prior. */
#define RIG__NO_SPREAD ((size_t)-1)

/** Unknown of the fit. */
typedef struct rig__map_parameter {
    double value;     /**< start, then result */
    double mean, sd;  /**< of its normal prior; sd of one with a spread is that of its group */
    size_t spread;    /**< group of parameters whose sd is estimated together, RIG__NO_SPREAD */
    double low, high; /**< the value never leaves them */
    double error_sd;  /**< result: standard error */
} rig__map_parameter;

/** Standard deviation that a group of parameters shares. */
typedef struct rig__map_spread {
    double sd;     /**< start, then result */
    double sd_max; /**< INFINITY: free */
} rig__map_spread;

/** Rows that share their noise. */
typedef struct rig__map_noise {
    double sd; /**< start, then result */
} rig__map_noise;

/** Derivatives of one row: n of them, each of a parameter. */
typedef struct rig__map_row {
    double observed;
    double weight;    /**< base weight */
    size_t noise;     /**< index of its noise */
    size_t n_terms;   /**< parameters on which it depends */
    size_t *terms;    /**< their indices, ascending */
    double *slopes;   /**< derivative of the prediction in each, filled by derive */
    double predicted; /**< filled by predict */
    double robust;    /**< result: weight by its residual, 1 within the noise, less beyond */
} rig__map_row;

typedef struct rig__map {
    rig__map_parameter *parameters;
    size_t n_parameters;
    rig__map_row *rows;
    size_t n_rows;
    rig__map_spread *spreads;
    size_t n_spreads;
    rig__map_noise *noises;
    size_t n_noises;
    bool is_quick; /**< spreads and noise stay as they are */
    /** Fills predicted of all rows from the values of the parameters. */
    void (*predict)(void *payload, const double *values);
    /** Fills slopes of all rows at the values, after predict with the same. */
    void (*derive)(void *payload, const double *values);
    void *payload;
    /* results */
    size_t n_passes;
    bool is_converged;  /**< values, spreads and noise came to rest; quick fits need not */
    double *covariance; /**< n_parameters x n_parameters, owned by the caller; NULL: not wanted */
} rig__map;

/** Fits. Minimises
 *
 *    sum_i w_i ((observed_i - predicted_i) / s_i)^2 + sum_j ((value_j - mean_j) / sd_j)^2
 *
 *  with w_i = weight (nu + 1) / (nu + (residual / s_i)^2), nu = 4 (Student-t noise), by
 *  Levenberg-Marquardt steps on normal equations between updates of the weights. Spreads follow
 *  from the values and their errors (expectation-maximisation), noise from the residuals.
 *  Deterministic.
 *  @return RIG_OK; RIG_E_NOMEM; RIG_E_SOLVER if the equations cannot be solved
 *  @thread safe: switches off GSL's error handler while any fit runs
 *  @source Lange, Little, Taylor: Robust Statistical Modeling Using the t Distribution, JASA 1989;
 *  Laird, Ware: Random-Effects Models for Longitudinal Data, Biometrics 1982 */
RIG_NODISCARD rig_status rig__map_fit(rig__map *map, rig_error *err);

#endif
