/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fails every allocation of an action in turn. */
#include "oom/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fail_alloc.h"

static void run_failing(sweep_action action, void *payload, long n, bool is_lasting)
{
    rig_error err = {0};
    if (is_lasting) {
        fail_alloc_from(n);
    } else {
        fail_alloc_at(n);
    }
    const rig_status status = action(payload, &err);
    const bool has_failed = fail_alloc_stop();
    if (!has_failed) {
        fail_msg("allocation %ld was never asked for: the action is not deterministic", n);
    }
    if (status != RIG_E_NOMEM || err.status != RIG_E_NOMEM) {
        fail_msg("allocation %ld failed%s, status %d, error %d: %s",
                 n,
                 is_lasting ? " with all later ones" : "",
                 (int)status,
                 (int)err.status,
                 err.message);
    }
}

void sweep_allocations(sweep_action action, void *payload, long n_points)
{
    rig_error err = {0};
    fail_alloc_at(0);
    const rig_status status = action(payload, &err);
    const long count = fail_alloc_count();
    fail_alloc_stop();
    if (status != RIG_OK) {
        fail_msg("with all memory: status %d, %s", (int)status, err.message);
    }
    assert_true(count > 0);

    const long n_first = count < 50 ? count : 50;
    const long stride = count > n_points ? (count + n_points - 1) / n_points : 1;
    for (long n = 1; n <= count; n += n < n_first ? 1 : stride) {
        run_failing(action, payload, n, false);
        run_failing(action, payload, n, true);
    }
    run_failing(action, payload, count, false);
    print_message("%ld allocations, every %ld. failed\n", count, stride);
}
