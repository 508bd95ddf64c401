/* SPDX-License-Identifier: GPL-3.0-or-later
 * Status codes and the error record that every fallible function fills. */
#ifndef RIG_STATUS_H
#define RIG_STATUS_H

#include "trainrig/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The only list of status codes: name, value, meaning. */
#define RIG_STATUS_MAP(X)                                                                          \
    X(OK, 0, "success")                                                                            \
    X(E_NOMEM, -1, "out of memory")                                                                \
    X(E_PARSE, -2, "malformed text")                                                               \
    X(E_SCHEMA, -3, "unexpected column or table")                                                  \
    X(E_RANGE, -4, "value out of range")                                                           \
    X(E_DUPLICATE, -5, "duplicate key")                                                            \
    X(E_NOTFOUND, -6, "not found")                                                                 \
    X(E_IO, -7, "input or output error")                                                           \
    X(E_INVALID, -8, "invalid request")                                                            \
    X(E_SOLVER, -9, "solver failure")                                                              \
    X(E_CANCELLED, -10, "stopped by the caller")

typedef enum rig_status {
#define RIG_STATUS_ENUM(name, value, text) RIG_##name = (value),
    RIG_STATUS_MAP(RIG_STATUS_ENUM)
#undef RIG_STATUS_ENUM
} rig_status;

/** What went wrong and where; owned by the caller, who may pass NULL to ignore it.
 *
 *  The lowest layer that knows the cause writes it; others pass it up unchanged.
 */
typedef struct rig_error {
    rig_status status;
    char where[256];   /**< file name, option name or empty */
    long line;         /**< 1-based, 0 means not applicable */
    long column;       /**< 1-based byte column, 0 means not applicable */
    char message[512]; /**< one impersonal line: what is wrong: 'value' (what was expected) */
    char hint[256];    /**< nearest name or helpful flag, may be empty */
} rig_error;

/** Name of a status, as in "E_PARSE". @return static string, never NULL. @thread safe */
RIG_API const char *rig_status_name(rig_status status);

/** Meaning of a status in words. @return static string, never NULL. @thread safe */
RIG_API const char *rig_status_text(rig_status status);

#ifdef __cplusplus
}
#endif
#endif
