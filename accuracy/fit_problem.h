/* SPDX-License-Identifier: GPL-3.0-or-later
 * A calibration as unknowns and rows: what each measurement depends on, and its prediction for any
 * values of the unknowns. */
#ifndef RIG_ACCURACY_FIT_PROBLEM_H
#define RIG_ACCURACY_FIT_PROBLEM_H

#include "accuracy/fit_map.h"
#include "accuracy/priors.h"
#include "base/arena.h"
#include "model/effects.h"

/* Level beside those of effects.h: the machine that was measured. It moves a row's rate as a whole
 * and is not kept, so that what one machine does differently does not bend the constants. */
#define RIG__LEVEL_SYSTEM RIG__N_EFFECTS
#define RIG__N_LEVELS (RIG__N_EFFECTS + 1)

/** What an unknown is. */
typedef struct rig__fit_unknown {
    rig_profile_table table; /**< where its result goes; RIG_N_PROFILE_TABLES: nowhere */
    const char *name;        /**< as in a profile */
    rig__scale scale;
    double *target;   /**< live figure of the model; NULL: an effect */
    size_t level;     /**< of an effect */
    double low, high; /**< range of the figure */
    size_t parent;    /**< architecture of a GPU, family of a processor; RIG__NO_SPREAD: none */
    size_t n_rows;    /**< rows that depend on it */
} rig__fit_unknown;

/** A measurement ready to be predicted for any values. */
typedef struct rig__fit_row {
    const rig_measurement *measurement;
    rig_setup setup;
    size_t *inner; /**< unknowns that are effects on the step or on the speed of a core */
    size_t n_inner;
    size_t *outer; /**< unknowns that are effects on the rate */
    size_t n_outer;
    double closed;      /**< ln of shipped effects on the step or speed that are no unknowns */
    const rig_cpu *cpu; /**< of preparation; NULL: none */
    double speed_ratio,
        speed_1t_ratio; /**< core speeds of the setup over those of rig_core_speed */
} rig__fit_row;

typedef struct rig__fit_problem {
    rig__arena *arena;
    rig__block block;
    bool is_from_priors;
    const rig__priors *priors;
    const rig_fit_task *task;
    rig_catalog *live;             /**< overlay whose stacks and loaders are written to */
    rig_constants *live_constants; /**< likewise */
    rig__fit_unknown *unknowns;    /**< one per parameter of map */
    rig__fit_row *rows;            /**< one per row of map */
    const char **sources;          /**< name of each noise */
    rig__map map;
} rig__fit_problem;

/** Block of a measurement. */
rig__block rig__fit_block_of(const rig_measurement *row);

/** Unknowns and rows of one block; held-out and unpredictable rows are left out.
 *  @param[out] out  free with rig__fit_problem_free, whatever is returned
 *  @return RIG_OK (map.n_rows may be 0); RIG_E_NOTFOUND for a prior of nothing; RIG_E_NOMEM */
RIG_NODISCARD rig_status rig__fit_problem_init(rig__fit_problem *out,
                                               const rig_fit_task *task,
                                               const rig__priors *priors,
                                               bool is_from_priors,
                                               rig__block block,
                                               rig_error *err);
/** Fills the terms of a row; for rig__fit_problem_init.
 *  @param n_figures  the first so many unknowns are figures, the others effects
 *  @return RIG_OK, RIG_E_NOMEM */
RIG_NODISCARD rig_status rig__fit_problem_set_terms(rig__fit_problem *problem,
                                                    size_t n_figures,
                                                    size_t i_row,
                                                    rig_error *err);
void rig__fit_problem_free(rig__fit_problem *problem);

/** Adds the fitted figures to a profile. */
RIG_NODISCARD rig_status rig__fit_problem_report(const rig__fit_problem *problem,
                                                 rig_profile *profile,
                                                 rig_error *err);

/** Writes the values of unknowns with a target into the live figures. */
void rig__fit_problem_write(const rig__fit_problem *problem, const double *values);
/** ln(rate) of a row for values that have been written; NULL: no effects. NAN if the stages that
 *  the row tells about cannot be predicted. */
double rig__fit_row_predict(const rig__fit_problem *problem,
                            const rig__fit_row *row,
                            const double *values);

/** Callbacks of map; payload is the problem. */
void rig__fit_predict_all(void *payload, const double *values);
void rig__fit_derive_all(void *payload, const double *values);

#endif
