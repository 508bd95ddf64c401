/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fails every allocation of an action in turn. */
#ifndef RIG_TESTS_SWEEP_H
#define RIG_TESTS_SWEEP_H

#include "trainrig/status.h"

/** An action that owns nothing when it returns. */
typedef rig_status (*sweep_action)(void *payload, rig_error *err);

/** Runs the action once with memory, then with the n-th allocation failing, alone and together with
 *  all later ones, for n = 1, 2 ... count. Every run in which an allocation failed must report
 *  RIG_E_NOMEM; a leak is found by the address sanitizer.
 *  @param n_points  upper bound for the values of n that are tried, spread evenly; the first 50
 *                   allocations are always among them */
void sweep_allocations(sweep_action action, void *payload, long n_points);

#endif
