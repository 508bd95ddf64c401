/* SPDX-License-Identifier: GPL-3.0-or-later
 * Locale-independent text helpers: numbers, comparison without case, nearest names. */
#ifndef RIG_BASE_TEXT_H
#define RIG_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Plain decimal number ("-1.5e3"): whole text consumed, no blanks, no hex, nan or inf, finite.
 *  Locale-independent. */
bool rig__number_parse(const char *text, size_t length, double *out);

/** Shortest decimal text that reads back as the same double, '.' whatever the locale; "" for NAN
 *  and infinities. @return buffer; 32 bytes suffice */
char *rig__number_format(char *buffer, size_t size, double value);

/** Whole cents of a decimal dollar amount, rounded half away from zero; false if not such. */
bool rig__cents_parse(const char *text, size_t length, int64_t *out);

/** "YYYY", "YYYY-MM" or "YYYY-MM-DD" as YYYYMMDD with 00 for what is missing; checks the calendar.
 */
bool rig__date_parse(const char *text, size_t length, int32_t *out);
/** Days since 1970-01-01 of such a date (missing month or day: the first); 0 gives INT32_MIN. */
int32_t rig__date_days(int32_t ymd);

int rig__text_compare_nocase(const char *a, const char *b); /**< ASCII letters only */
bool rig__text_contains_nocase(const char *text, const char *part);
bool rig__text_has_prefix_nocase(const char *text, const char *prefix);
/** Small ASCII letters in place. */
void rig__text_lower(char *text);

/** '*' matches any run, ASCII case ignored. */
bool rig__text_match(const char *text, const char *pattern);
/** ';'-separated list holds item (ASCII case ignored, blanks around items dropped). */
bool rig__list_contains(const char *list, const char *item);
/** Edit distance without case, capped at limit. */
size_t rig__text_distance(const char *a, const char *b, size_t limit);
/** Valid UTF-8 of length bytes (no overlong forms, no surrogates)? */
bool rig__utf8_is_valid(const char *text, size_t length);

/** Equal within a relative tolerance of 1e-9. */
bool rig__near(double a, double b);

#endif
