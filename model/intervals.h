/* SPDX-License-Identifier: GPL-3.0-or-later
 * Classes of prediction intervals: what is predicted, and how well it is known.
 *
 * Names in intervals.csv are words joined by " | ", in this order:
 *   train | FAMILY | gpu known | network known | software own | one node
 *                  | gpu new   | network new   | software other | several nodes
 *   prepare | cpu known | loader known
 *           | cpu family known | loader new
 *           | cpu new
 *   storage
 *   first epoch
 * FAMILY is tuned, eager or graph. A class without a row takes that of its name without the last
 * word, and so on; without any, a built-in width. No class is narrower than one that is better
 * known. */
#ifndef RIG_MODEL_INTERVALS_H
#define RIG_MODEL_INTERVALS_H

#include "trainrig/model.h"

/* What is new about a training rate, bits. */
enum {
    RIG__NEW_GPU = 1,
    RIG__NEW_NETWORK = 2,
    RIG__OTHER_SOFTWARE = 4,
    RIG__SEVERAL_NODES = 8,
    RIG__N_TRAIN_NOVELTIES = 16
};

/* What is new about a preparation rate: twice the level of the processor, plus the loader. */
enum {
    RIG__NEW_LOADER = 1,
    RIG__CPU_KNOWN = 0,
    RIG__CPU_FAMILY_KNOWN = 2,
    RIG__CPU_NEW = 4,
    RIG__N_PREPARE_NOVELTIES = 6
};

/* Families of stacks: tuned, eager, graph, and any other, of which nothing is known. */
enum { RIG__N_INTERVAL_FAMILIES = 4 };

/* Indices of classes. */
enum {
    RIG__INTERVAL_TRAIN = 0,
    RIG__INTERVAL_PREPARE = RIG__N_INTERVAL_FAMILIES * RIG__N_TRAIN_NOVELTIES,
    RIG__INTERVAL_STORAGE = RIG__INTERVAL_PREPARE + RIG__N_PREPARE_NOVELTIES,
    RIG__INTERVAL_FIRST_EPOCH,
    RIG__N_INTERVALS
};

#define RIG__INTERVAL_NAME_BYTES 128

#define RIG__Z_90 1.645 /* 95 % quantile of the normal distribution: intervals hold nine in ten */

/** Class of a training rate. family: of the stack, NULL: none. */
size_t rig__model_interval_training(const char *family, unsigned novelties);
/** Class of a preparation rate. */
size_t rig__model_interval_preparation(unsigned novelties);

/** Full name of a class. */
void rig__model_interval_name(size_t index, char out[RIG__INTERVAL_NAME_BYTES]);
/** Is a text the name of a class, or of what a class falls back to? */
bool rig__model_interval_is_name(const char *name);

/** Is class a at least as well known as class b, and about the same? Every class is itself so. */
bool rig__model_interval_is_better_known(size_t a, size_t b);

/** Half-widths of ln(rate) of all classes, from intervals.csv.
 *  @return RIG_OK; RIG_E_SCHEMA for a row that is no class, with its place */
RIG_NODISCARD rig_status rig__model_intervals_resolve(const rig_catalog *catalog,
                                                      double out[RIG__N_INTERVALS],
                                                      rig_error *err);

/** Novelty bits of what is known. */
unsigned rig__model_train_novelties(const rig_familiarity *known, double nodes);
unsigned rig__model_prepare_novelties(const rig_familiarity *known);

/** Standard deviation of a normal distribution with this half-width of its 90 % interval. */
double rig__model_sd_of_half_width(double half_width);

#endif
