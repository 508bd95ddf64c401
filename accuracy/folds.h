/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which rows are held out together, which anchor their group, and what a fit has seen. */
#ifndef RIG_ACCURACY_FOLDS_H
#define RIG_ACCURACY_FOLDS_H

#include "trainrig/accuracy.h"

#define RIG__NO_LABEL ((size_t)-1)

/** Labels of rows as numbers from 0. */
typedef struct rig__labels {
    size_t n_rows;
    size_t *ids[RIG_N_GROUPS]; /**< n_rows each, RIG__NO_LABEL: none */
    size_t n_ids[RIG_N_GROUPS];
    bool *is_seen; /**< work space, as many as the largest n_ids */
} rig__labels;

/** Labels with the context that makes them the same to a fit: see rig_residual.
 *  @return false: out of memory; out may be freed all the same */
bool rig__labels_init(rig__labels *out, const rig_measurement *rows, size_t n_rows);
void rig__labels_fini(rig__labels *labels);

/** Sets bits of seen_groups of the rows that is_held_out: is there a row of the same label that is
 *  not? @param seen_groups  n_rows */
void rig__labels_seen(rig__labels *labels, const bool *is_held_out, unsigned *seen_groups);

/** Rows in folds. */
typedef struct rig__fold_plan {
    size_t n_rows, n_groups, n_folds;
    size_t *groups;     /**< of each row by plain label, RIG__NO_LABEL: none */
    size_t *folds;      /**< of each group */
    const char **names; /**< of each group */
    bool *is_anchor;    /**< of each row */
} rig__fold_plan;

/** Groups are numbered in the order of their first rows.
 *  @return false: out of memory; out may be freed all the same */
bool rig__fold_plan_init(rig__fold_plan *out,
                         const rig_measurements *measurements,
                         const rig_cross_options *options);
void rig__fold_plan_fini(rig__fold_plan *folds);

/** Are the validations that are there of one set of measurements?
 *  @param[out] n_out  rows of the set, 0: there is none
 *  @return RIG_OK, RIG_E_INVALID */
RIG_NODISCARD rig_status rig__folds_check(const rig_folds *folds, size_t *n_out, rig_error *err);

#endif
