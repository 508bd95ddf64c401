/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantities as people write them ("20k", "1.5TB", "20min") and as people read them. */
#ifndef RIG_UNITS_H
#define RIG_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of quantity a text is read as; each has one unit inside the program. */
typedef enum rig_quantity {
    RIG_QUANTITY_NUMBER,   /**< plain number, suffixes k M G allowed */
    RIG_QUANTITY_COUNT,    /**< non-negative whole number */
    RIG_QUANTITY_MONEY,    /**< US dollars: 20k, $20,000, 20000USD */
    RIG_QUANTITY_TIME,     /**< seconds: 90, 90s, 20min, 2.5h, 3d, 3y */
    RIG_QUANTITY_CAPACITY, /**< gigabytes (1e9 B): 500GB, 1.5TB, 512GiB */
    RIG_QUANTITY_RATE,     /**< GB/s: 7GB/s, 500MB/s */
    RIG_QUANTITY_POWER,    /**< watts: 350, 350W, 1.6kW */
    RIG_QUANTITY_FRACTION  /**< 0..1: 0.2, 20% */
} rig_quantity;

/** Reads a whole text as one quantity, independent of the locale.
 *
 *  @param text     not NULL; surrounding blanks allowed, everything must be consumed
 *  @param[out] out value in the unit of the kind; unchanged on error
 *  @return RIG_OK, RIG_E_PARSE (not such a quantity), RIG_E_RANGE (not finite, or negative where
 *          the kind cannot be)   @thread safe
 */
RIG_API RIG_NODISCARD rig_status rig_quantity_parse(const char *text,
                                                    rig_quantity kind,
                                                    double *out,
                                                    rig_error *err);

/** Reads money into whole cents, rounded half away from zero; at most 1e12 dollars.
 *  @return as rig_quantity_parse   @thread safe */
RIG_API RIG_NODISCARD rig_status rig_money_parse(const char *text,
                                                 int64_t *cents_out,
                                                 rig_error *err);

/* Human formatting: each writes a NUL-terminated text, cut to size, and returns buffer.
 * NAN is written as "unknown". */
RIG_API char *rig_format_money(char *buffer, size_t size, int64_t cents);       /* 1,234.50 */
RIG_API char *rig_format_duration(char *buffer, size_t size, double seconds_s); /* 12 min 3 s */
RIG_API char *rig_format_number(char *buffer, size_t size, double value); /* 4 digits, 12,345 */

#ifdef __cplusplus
}
#endif
#endif
