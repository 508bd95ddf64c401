/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plain enumeration of every machine of a small catalogue, by public functions alone.
 *
 * It shares no code with the option space, the bounds or the integer program: parts go together
 * when rig_build_check says so, rates are those of rig_predict_machine. */
#ifndef RIG_TESTS_ORACLE_H
#define RIG_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/optimizer.h"

/** A machine that physics and practice allow and that runs the workload. */
typedef struct oracle_machine {
    rig_build build; /**< one node, nothing owned, no network card */
    rig_build_totals totals;
    size_t prediction; /**< index into the oracle's predictions */
    bool is_measured;  /**< its GPU has an efficiency row */
} oracle_machine;

/** All machines of a catalogue for one workload. */
typedef struct oracle_set {
    const rig_catalog *catalog;
    const rig_constants *constants;
    const rig_workload *workload;
    oracle_machine *machines;
    size_t n_machines, cap_machines;
    rig_prediction *predictions;
    size_t n_predictions, cap_predictions;
} oracle_set;

/** Enumerates board x cpu x count x (gpu x count | baseboard) x memory x kits x drive x count x
 *  chassis x supply, and complete servers. Free with oracle_free. */
void oracle_fill(oracle_set *out,
                 const rig_catalog *catalog,
                 const rig_constants *constants,
                 const rig_workload *workload);
void oracle_free(oracle_set *set);

/** GPUs and processors of a build, wherever they are, with how many of them; NULL: none. */
const rig_gpu *oracle_gpu_of(const oracle_set *o, const rig_build *build, double *count_out);
const rig_cpu *oracle_cpu_of(const oracle_set *o, const rig_build *build, double *count_out);
/** A constant of the model by name. */
double oracle_constant(const oracle_set *o, const char *name);

/** One place of the ranking. */
typedef struct oracle_answer {
    rig_build build; /**< with what is owned marked, and the network card */
    double objective;
    int64_t price_cents;
    double images_per_s;
} oracle_answer;

/** The best machines or clusters for a request, of different signatures, best first: every machine
 *  of the set with every number of nodes, network cards and switches.
 *  @param[out] out  room for request->top
 *  @return how many there are, at most request->top; 0: infeasible */
size_t oracle_best(const oracle_set *set, const rig_request *request, oracle_answer *out);

/** Least price of all machines that meet the request without its budget, -1: none. */
int64_t oracle_least_price_cents(const oracle_set *set, const rig_request *request);

/** Prices of machines that meet the request without its budget; fills up to cap.
 *  @return how many were filled */
size_t oracle_prices(const oracle_set *set, const rig_request *request, int64_t *out, size_t cap);
/** Epoch times of machines, whatever the request; fills up to cap. @return how many */
size_t oracle_epochs(const oracle_set *set, double *out, size_t cap);

/** Objective of a reported build, by the same formulas. */
double
oracle_objective(const rig_request *request, const rig_prediction *prediction, int64_t price_cents);

/** Same machine as far as the shortlist is concerned? */
bool oracle_is_same(const oracle_set *set,
                    rig_distinct distinct,
                    const rig_build *a,
                    const rig_build *b);

/** Same parts and counts. */
bool oracle_is_equal_build(const rig_build *a, const rig_build *b);

/** Prints the parts of a build to the test's error output. */
void oracle_print_build(const char *label, const rig_build *build);

#endif
