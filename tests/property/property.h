/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shared by the property tests: one random case, random requests, comparison with the oracle. */
#ifndef RIG_TESTS_PROPERTY_H
#define RIG_TESTS_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/oracle.h"
#include "support/random_catalog.h"
#include "trainrig/optimizer.h"

enum { PROPERTY_MAX_CONDITIONS = 4, PROPERTY_MAX_TOP = 4 };

/** One catalogue with the oracle's machines for one workload. */
typedef struct property_case {
    uint64_t seed;
    random_source source;
    random_catalog parts;
    char *directory;
    rig_catalog *catalog;
    rig_constants *constants;
    rig_workload workload;
    oracle_set machines;
    rig_condition conditions[PROPERTY_MAX_CONDITIONS + 1];
} property_case;

/** Makes the random catalogue of a seed, or with whole a slice of that, and all its machines.
 *  The directory is borrowed. Free with property_case_free; fails the test on any error. */
void property_case_new(property_case *c,
                       uint64_t seed,
                       const rig_catalog *whole,
                       const char *directory);
void property_case_free(property_case *c);

/** A random request on the case: objective, conditions, budget and limits of every kind. Its
 *  conditions live in the case. */
rig_request property_request(property_case *c);

/** Parses and appends a condition to those of a request made by property_request; false if the
 *  catalogue has no such part. */
bool property_condition_add(property_case *c,
                            rig_request *request,
                            rig_condition_kind kind,
                            const char *text);

/** Recommends and fails the test on an error status. Free the result. */
rig_result *property_recommend(const property_case *c, const rig_request *request);

/** Compares a recommendation with the oracle: outcome, objectives, costs, signatures.
 *  @return false after printing seed, request and both builds */
bool property_agrees(const property_case *c, const rig_request *request, const char *solver);

/** Prints seed and request. */
void property_print(const property_case *c, const rig_request *request, const char *what);

/** Cases to run: the environment variable TRAINRIG_PROPERTY_CASES, else usual. */
uint64_t property_count(uint64_t usual);
/** First seed: the environment variable TRAINRIG_PROPERTY_SEED, else 1. */
uint64_t property_first_seed(void);

#endif
