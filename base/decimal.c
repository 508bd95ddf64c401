/* SPDX-License-Identifier: GPL-3.0-or-later
 * Decimal numbers as written: scanning without the locale, exact scaling, correct rounding. */
#include "base/decimal.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES_MAX 1000000u
#define EXPONENT_MAX 100000000L

/* No midpoint between two doubles has more than 767 significant digits, so a longer number rounds
 * as its first digits followed by "something not zero".
 * Source: R. Regan, "Maximum number of decimal digits in binary floating-point numbers". */
#define DIGITS_MAX 770
#define EXACT_DIGITS 15 /* every whole number of so many digits is a double */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of an exponent at text, 0 if there is none. */
static size_t scan_exponent(const char *text, size_t length, long *out)
{
    size_t i = 0;
    if (i == length || (text[i] != 'e' && text[i] != 'E')) {
        return 0;
    }
    i++;
    const bool is_negative = i < length && text[i] == '-';
    if (i < length && (text[i] == '-' || text[i] == '+')) {
        i++;
    }
    if (i == length || !is_digit(text[i])) {
        return 0;
    }
    long exponent = 0;
    for (; i < length && is_digit(text[i]); i++) {
        exponent = exponent * 10 + (text[i] - '0');
        if (exponent > EXPONENT_MAX) {
            exponent = EXPONENT_MAX;
        }
    }
    *out = is_negative ? -exponent : exponent;
    return i;
}

size_t rig__decimal_scan(const char *text, size_t length, rig__decimal *out)
{
    if (length > TEXT_BYTES_MAX) {
        return 0;
    }
    size_t i = 0;
    rig__decimal decimal = {0};
    if (i < length && (text[i] == '-' || text[i] == '+')) {
        decimal.is_negative = text[i] == '-';
        i++;
    }
    decimal.mantissa = text + i;
    size_t n_digits = 0;
    bool has_point = false;
    for (; i < length && (is_digit(text[i]) || (text[i] == '.' && !has_point)); i++) {
        if (text[i] == '.') {
            has_point = true;
        } else {
            n_digits++;
        }
    }
    if (n_digits == 0) {
        return 0;
    }
    decimal.length = n_digits + (has_point ? 1 : 0);
    i += scan_exponent(text + i, length - i, &decimal.exponent);
    *out = decimal;
    return i;
}

/* Digits in front of the point once decimal is multiplied by 10^shift; may be negative. */
static long count_whole_digits(const rig__decimal *decimal, int shift)
{
    const char *const point = memchr(decimal->mantissa, '.', decimal->length);
    const size_t before = point != NULL ? (size_t)(point - decimal->mantissa) : decimal->length;
    return (long)before + decimal->exponent + shift;
}

/* Nearest double where one operation on exact numbers gives it: digits below 2^53, and a power of
 * ten that a double holds exactly. @source Clinger, "How to read floating point numbers
 * accurately", PLDI 1990 */
static bool exact_double(const char *digits, size_t n_digits, long exponent, double *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long most = (long)(sizeof powers / sizeof powers[0]) - 1;
    if (FLT_EVAL_METHOD != 0 || n_digits > EXACT_DIGITS || exponent < -most || exponent > most) {
        return false;
    }
    int64_t whole = 0;
    for (size_t i = 0; i < n_digits; i++) {
        whole = whole * 10 + (digits[i] - '0');
    }
    *out = exponent < 0 ? (double)whole / powers[-exponent] : (double)whole * powers[exponent];
    return true;
}

bool rig__decimal_to_double(const rig__decimal *decimal, int shift, double *out)
{
    char text[DIGITS_MAX + 32];
    size_t n_kept = 0;
    long n_zeros = 0; /* leading */
    bool has_more = false;
    for (size_t i = 0; i < decimal->length; i++) {
        const char c = decimal->mantissa[i];
        if (c == '.') {
            continue;
        }
        if (n_kept == 0 && c == '0') {
            n_zeros++;
        } else if (n_kept < DIGITS_MAX) {
            text[n_kept++] = c;
        } else if (c != '0') {
            has_more = true;
        }
    }
    if (n_kept == 0) {
        *out = decimal->is_negative ? -0.0 : 0.0;
        return true;
    }
    long exponent = count_whole_digits(decimal, shift) - n_zeros - (long)n_kept;
    if (has_more) {
        text[n_kept++] = '1';
        exponent--;
    }
    if (!has_more && exact_double(text, n_kept, exponent, out)) {
        *out = decimal->is_negative ? -*out : *out;
        return true;
    }
    /* beyond these the result is 0 or infinite whatever the digits */
    exponent = exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : exponent;
    /* digits and an exponent, no point: the one form that strtod reads alike in every locale */
    (void)snprintf(text + n_kept, sizeof text - n_kept, "e%ld", exponent);
    const int errno_before = errno;
    const double value = strtod(text, NULL);
    errno = errno_before;
    if (!isfinite(value)) {
        return false;
    }
    *out = decimal->is_negative ? -value : value;
    return true;
}

/* value * 10 + digit; false: it would pass INT64_MAX. */
static bool push_digit(int64_t *value, int digit)
{
    if (*value > (INT64_MAX - digit) / 10) {
        return false;
    }
    *value = *value * 10 + digit;
    return true;
}

bool rig__decimal_to_int64(const rig__decimal *decimal, int shift, int64_t *out)
{
    const long n_whole = count_whole_digits(decimal, shift);
    int64_t value = 0;
    long position = 0;
    for (size_t i = 0; i < decimal->length && position <= n_whole; i++) {
        if (decimal->mantissa[i] == '.') {
            continue;
        }
        const int digit = decimal->mantissa[i] - '0';
        if (position < n_whole) {
            if (!push_digit(&value, digit)) {
                return false;
            }
        } else if (digit >= 5) {
            if (value == INT64_MAX) {
                return false;
            }
            value++;
        }
        position++;
    }
    for (; value != 0 && position < n_whole; position++) {
        if (!push_digit(&value, 0)) {
            return false;
        }
    }
    *out = decimal->is_negative ? -value : value;
    return true;
}

char *rig__decimal_print(char *buffer, size_t size, int digits, double value)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    /* whatever is none of these is the decimal point of the locale, maybe of several bytes */
    size_t length = 0;
    for (size_t i = 0; text[i] != '\0';) {
        if (strchr("+-0123456789e", text[i]) != NULL) {
            text[length++] = text[i++];
            continue;
        }
        text[length++] = '.';
        while (text[i] != '\0' && strchr("+-0123456789e", text[i]) == NULL) {
            i++;
        }
    }
    text[length] = '\0';
    if (size > 0) {
        (void)snprintf(buffer, size, "%s", text);
    }
    return buffer;
}
