/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs code that calls GLPK so that it can neither print, nor abort, nor disturb its host. */
#include "solvers/glpk/glpk_cage.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glpk.h>

#include "base/error.h"

typedef struct cage {
    rig_status (*body)(void *payload);
    void *payload;
    rig_error *err;
    rig_status status;
    jmp_buf leave;
    char text[256]; /* of the last message, which is the reason of an abort */
} cage;

/* Anything but 0 keeps GLPK from writing the text to stdout. */
static int keep_text(void *info, const char *text)
{
    cage *const c = info;
    const size_t used = strlen(c->text);
    (void)snprintf(c->text + used, sizeof c->text - used, "%s", text);
    return 1;
}

static void leave(void *info)
{
    cage *const c = info;
    longjmp(c->leave, 1);
}

static rig_status report_abort(cage *c)
{
    char *const end = strchr(c->text, '\n');
    if (end != NULL) {
        *end = '\0';
    }
    if (strstr(c->text, "memory") != NULL) {
        return rig__error_nomem(c->err);
    }
    return rig__error_set(
        c->err, RIG_E_SOLVER, NULL, 0, 0, "GLPK gave up: '%s' (expected a solution)", c->text);
}

/* The environment was just made, so everything in it is ours. */
static void run_here(cage *c)
{
    if (setjmp(c->leave) == 0) {
        glp_term_hook(keep_text, c);
        glp_error_hook(leave, c);
        (void)glp_term_out(GLP_OFF); /* an abort switches it on again before it explains itself */
        c->status = c->body(c->payload);
    } else {
        c->status = report_abort(c);
    }
    (void)glp_free_env();
}

static void *run_apart(void *payload)
{
    cage *const c = payload;
    const int made = glp_init_env();
    if (made == 0) {
        run_here(c);
    } else if (made == 1) {
        c->status = rig__error_set(c->err,
                                   RIG_E_SOLVER,
                                   NULL,
                                   0,
                                   0,
                                   "GLPK is in use: 'one environment for all threads' (expected a "
                                   "GLPK built with thread-local storage)");
    } else {
        c->status = rig__error_nomem(c->err);
    }
    return NULL;
}

rig_status rig__glpk_cage_run(rig_status (*body)(void *payload), void *payload, rig_error *err)
{
    cage c = {.body = body, .payload = payload, .err = err};
    const int made = glp_init_env();
    if (made == 0) {
        run_here(&c);
        return c.status;
    }
    if (made != 1) {
        return rig__error_nomem(err);
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_apart, &c) != 0) {
        return rig__error_nomem(err);
    }
    (void)pthread_join(thread, NULL);
    return c.status;
}
