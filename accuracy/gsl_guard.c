/* SPDX-License-Identifier: GPL-3.0-or-later
 * GSL's error handler, which aborts the program, kept off while any thread computes. */
#include "accuracy/gsl_guard.h"

#include <pthread.h>
#include <stddef.h>

#include <gsl/gsl_errno.h>

/* The library keeps no other state of the process; GSL's own is of the process, so its guard must
 * be too. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t n_inside;
static gsl_error_handler_t *callers_handler;

void rig__gsl_enter(void)
{
    (void)pthread_mutex_lock(&lock);
    if (n_inside++ == 0) {
        callers_handler = gsl_set_error_handler_off();
    }
    (void)pthread_mutex_unlock(&lock);
}

void rig__gsl_leave(void)
{
    (void)pthread_mutex_lock(&lock);
    if (--n_inside == 0) {
        (void)gsl_set_error_handler(callers_handler);
    }
    (void)pthread_mutex_unlock(&lock);
}
