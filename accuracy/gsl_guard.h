/* SPDX-License-Identifier: GPL-3.0-or-later
 * GSL's error handler, which aborts the program, kept off while any thread computes. */
#ifndef RIG_ACCURACY_GSL_GUARD_H
#define RIG_ACCURACY_GSL_GUARD_H

/** Turns the handler off until as many calls of rig__gsl_leave; failures are then codes that GSL's
 *  functions return. The handler belongs to the whole process: the first to enter remembers the
 *  caller's, the last to leave puts it back.   @thread safe */
void rig__gsl_enter(void);
void rig__gsl_leave(void);

#endif
