/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs code that calls GLPK so that it can neither print, nor abort, nor disturb its host. */
#ifndef RIG_SOLVERS_GLPK_CAGE_H
#define RIG_SOLVERS_GLPK_CAGE_H

#include "trainrig/status.h"

/** Runs body(payload) in a GLPK environment of its own, which is freed afterwards.
 *
 *  GLPK keeps one environment per thread. If this thread has none, one is made for the call. If the
 *  host already uses GLPK here, its hooks can be replaced but not read back, and freeing the
 *  environment would destroy its problems; body then runs in a short-lived thread.
 *
 *  When GLPK meets an internal error it would abort the process; instead body is left by longjmp.
 *  Memory from GLPK is then freed here, so body must own nothing else.
 *
 *  @return what body returns; RIG_E_SOLVER with the text of GLPK; RIG_E_NOMEM   @thread safe */
rig_status rig__glpk_cage_run(rig_status (*body)(void *payload), void *payload, rig_error *err);

#endif
