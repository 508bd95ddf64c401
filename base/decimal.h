/* SPDX-License-Identifier: GPL-3.0-or-later
 * Decimal numbers as written: scanning without the locale, exact scaling, correct rounding. */
#ifndef RIG_BASE_DECIMAL_H
#define RIG_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A scanned number: +-mantissa * 10^exponent. Borrows the text it was scanned from. */
typedef struct rig__decimal {
    bool is_negative;
    const char *mantissa; /**< digits with at most one '.' */
    size_t length;        /**< of mantissa, >= 1 */
    long exponent;        /**< clamped to +-1e8 */
} rig__decimal;

/** Scans the longest number text begins with: [+-] digits [. digits] [e [+-] digits].
 *  ".5" and "5." are numbers, "." and "e5" are none; an 'e' without digits is left over.
 *  @return bytes used, 0: no number (or one of more than 1e6 bytes) */
size_t rig__decimal_scan(const char *text, size_t length, rig__decimal *out);

/** Nearest double of decimal * 10^shift, ties to even; below the smallest double it is 0.
 *  @return false: too large for a double */
bool rig__decimal_to_double(const rig__decimal *decimal, int shift, double *out);

/** Nearest whole number of decimal * 10^shift, halves away from zero.
 *  @return false: outside of int64_t */
bool rig__decimal_to_int64(const rig__decimal *decimal, int shift, int64_t *out);

/** printf("%.*g") with '.' whatever the locale; value is finite, digits is 1..17.
 *  @return buffer; 32 bytes suffice, longer texts are cut */
char *rig__decimal_print(char *buffer, size_t size, int digits, double value);

#endif
