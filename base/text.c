/* SPDX-License-Identifier: GPL-3.0-or-later
 * Locale-independent text helpers: numbers, comparison without case, nearest names. */
#include "base/text.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"

bool rig__number_parse(const char *text, size_t length, double *out)
{
    rig__decimal decimal;
    const size_t used = rig__decimal_scan(text, length, &decimal);
    return used > 0 && used == length && rig__decimal_to_double(&decimal, 0, out);
}

char *rig__number_format(char *buffer, size_t size, double value)
{
    if (!isfinite(value)) {
        if (size > 0) {
            buffer[0] = '\0';
        }
        return buffer;
    }
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        double again = 0.0;
        rig__decimal_print(text, sizeof text, digits, value);
        if (rig__number_parse(text, strlen(text), &again) && !(again < value || again > value)) {
            break;
        }
    }
    const size_t length = strlen(text);
    if (size > 0) {
        const size_t kept = length < size ? length : size - 1;
        memcpy(buffer, text, kept);
        buffer[kept] = '\0';
    }
    return buffer;
}

bool rig__cents_parse(const char *text, size_t length, int64_t *out)
{
    rig__decimal decimal;
    const size_t used = rig__decimal_scan(text, length, &decimal);
    return used > 0 && used == length && rig__decimal_to_int64(&decimal, 2, out);
}

/* Exactly length digits; -1 if not. */
static int32_t read_digits(const char *text, size_t length)
{
    int32_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return -1;
        }
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

static int32_t days_of_month(int32_t year, int32_t month)
{
    static const int32_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap ? 1 : 0);
}

bool rig__date_parse(const char *text, size_t length, int32_t *out)
{
    if (length != 4 && length != 7 && length != 10) {
        return false;
    }
    const int32_t year = read_digits(text, 4);
    if (year < 1) {
        return false;
    }
    int32_t month = 0;
    if (length >= 7) {
        month = read_digits(text + 5, 2);
        if (text[4] != '-' || month < 1 || month > 12) {
            return false;
        }
    }
    int32_t day = 0;
    if (length == 10) {
        day = read_digits(text + 8, 2);
        if (text[7] != '-' || day < 1 || day > days_of_month(year, month)) {
            return false;
        }
    }
    *out = year * 10000 + month * 100 + day;
    return true;
}

int32_t rig__date_days(int32_t ymd)
{
    if (ymd <= 0) {
        return INT32_MIN;
    }
    const int32_t month = ymd / 100 % 100 == 0 ? 1 : ymd / 100 % 100;
    const int32_t day = ymd % 100 == 0 ? 1 : ymd % 100;
    /* years that begin in March, so that the leap day is the last of its year */
    const int32_t year = ymd / 10000 - (month <= 2 ? 1 : 0);
    const int32_t month_from_march = (month + 9) % 12;
    const int32_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    /* 719468 days lie between 0000-03-01 and 1970-01-01; adding 400 years keeps "/" a floor */
    const int32_t y = year + 400;
    return 365 * y + y / 4 - y / 100 + y / 400 + day_of_year - 719468 - 146097;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

void rig__text_lower(char *text)
{
    for (; *text != '\0'; text++) {
        *text = (char)lower(*text);
    }
}

int rig__text_compare_nocase(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) - lower(*b);
}

bool rig__text_has_prefix_nocase(const char *text, const char *prefix)
{
    while (*prefix != '\0' && lower(*text) == lower(*prefix)) {
        text++;
        prefix++;
    }
    return *prefix == '\0';
}

bool rig__text_contains_nocase(const char *text, const char *part)
{
    for (;; text++) {
        if (rig__text_has_prefix_nocase(text, part)) {
            return true;
        }
        if (*text == '\0') {
            return false;
        }
    }
}

bool rig__text_match(const char *text, const char *pattern)
{
    /* on a mismatch only the last '*' needs to take one byte more */
    const char *star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (lower(*pattern) == lower(*text)) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The text without blanks around it. */
static const char *trim(const char *text, size_t *length)
{
    while (*length > 0 && is_blank(text[0])) {
        text++;
        (*length)--;
    }
    while (*length > 0 && is_blank(text[*length - 1])) {
        (*length)--;
    }
    return text;
}

static bool equals_nocase(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

bool rig__list_contains(const char *list, const char *item)
{
    size_t item_length = strlen(item);
    const char *const wanted = trim(item, &item_length);
    if (item_length == 0) {
        return false;
    }
    for (;;) {
        const size_t whole = strcspn(list, ";");
        size_t length = whole;
        const char *const entry = trim(list, &length);
        if (length == item_length && equals_nocase(entry, wanted, length)) {
            return true;
        }
        if (list[whole] == '\0') {
            return false;
        }
        list += whole + 1;
    }
}

#define DISTANCE_BYTES_MAX 128

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t rig__text_distance(const char *a, const char *b, size_t limit)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    const size_t n = strlen(a);
    const size_t m = strlen(b);
    const size_t gap = n > m ? n - m : m - n;
    /* names that differ over more than this are near to nothing */
    if (gap >= limit || n > DISTANCE_BYTES_MAX || m > DISTANCE_BYTES_MAX) {
        return limit;
    }
    size_t row[DISTANCE_BYTES_MAX + 1];
    for (size_t j = 0; j <= m; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const size_t above = row[j];
            const size_t change = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            row[j] = least(change, least(above, row[j - 1]) + 1);
            diagonal = above;
        }
    }
    return least(row[m], limit);
}

/* Bytes of the UTF-8 character at text, 0 if it is malformed. */
static size_t utf8_character(const unsigned char *text, size_t length)
{
    const unsigned char first = text[0];
    if (first < 0x80) {
        return 1;
    }
    const size_t used = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || used > length) {
        return 0;
    }
    for (size_t i = 1; i < used; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const unsigned char second = text[1];
    const bool is_bad = (first == 0xE0 && second < 0xA0) ||  /* overlong */
                        (first == 0xED && second >= 0xA0) || /* surrogate */
                        (first == 0xF0 && second < 0x90) ||  /* overlong */
                        (first == 0xF4 && second >= 0x90);   /* above U+10FFFF */
    return is_bad ? 0 : used;
}

bool rig__utf8_is_valid(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length) {
        const size_t used = utf8_character((const unsigned char *)text + i, length - i);
        if (used == 0) {
            return false;
        }
        i += used;
    }
    return true;
}

bool rig__near(double a, double b)
{
    if (isinf(a) || isinf(b)) {
        return isinf(a) && isinf(b) && signbit(a) == signbit(b);
    }
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}
