/* SPDX-License-Identifier: GPL-3.0-or-later
 * Filling the caller's error record. */
#ifndef RIG_BASE_ERROR_H
#define RIG_BASE_ERROR_H

#include "trainrig/status.h"

/** Fills err (NULL is fine) and returns status, so `return rig__error_set(...)` reads well.
 *  where may be NULL; line and column 0 mean not applicable; the hint is cleared. */
rig_status rig__error_set(rig_error *err,
                          rig_status status,
                          const char *where,
                          long line,
                          long column,
                          const char *format,
                          ...) RIG_PRINTF(6, 7);

/** Adds a hint to an error that is already set. */
void rig__error_hint(rig_error *err, const char *format, ...) RIG_PRINTF(2, 3);

/** Out of memory, the one error without detail. */
rig_status rig__error_nomem(rig_error *err);

/** Passes a failure up unchanged. The one macro with a hidden return. */
#define RIG_TRY(expression)                                                                        \
    do {                                                                                           \
        const rig_status try_status_ = (expression);                                               \
        if (try_status_ != RIG_OK) {                                                               \
            return try_status_;                                                                    \
        }                                                                                          \
    } while (0)

#endif
