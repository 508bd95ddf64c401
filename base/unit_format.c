/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantities as people read them. */
#include "trainrig/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"

#define MINUTE_S 60.0
#define HOUR_S 3600.0
#define DAY_S 86400.0
#define YEAR_S (365.0 * DAY_S)

/* From here on a whole number of units says nothing more than four digits do. */
#define GROUPED_MAX 1e15

static char *copy(char *buffer, size_t size, const char *text)
{
    if (size > 0) {
        (void)snprintf(buffer, size, "%s", text);
    }
    return buffer;
}

/* Digits with a comma between groups of three; out holds 32 bytes. */
static void group_thousands(char *out, uint64_t value)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    const size_t n_digits = strlen(digits);
    size_t length = 0;
    for (size_t i = 0; i < n_digits; i++) {
        if (i > 0 && (n_digits - i) % 3 == 0) {
            out[length++] = ',';
        }
        out[length++] = digits[i];
    }
    out[length] = '\0';
}

char *rig_format_money(char *buffer, size_t size, int64_t cents)
{
    const uint64_t magnitude = cents < 0 ? 0 - (uint64_t)cents : (uint64_t)cents;
    char dollars[32];
    group_thousands(dollars, magnitude / 100);
    char text[48];
    (void)snprintf(
        text, sizeof text, "%s%s.%02u", cents < 0 ? "-" : "", dollars, (unsigned)(magnitude % 100));
    return copy(buffer, size, text);
}

char *rig_format_number(char *buffer, size_t size, double value)
{
    if (isnan(value)) {
        return copy(buffer, size, "unknown");
    }
    if (isinf(value)) {
        return copy(buffer, size, value < 0.0 ? "-infinite" : "infinite");
    }
    const double magnitude = fabs(value);
    if (magnitude >= 999.95 && magnitude < GROUPED_MAX) {
        char digits[32];
        char text[40];
        group_thousands(digits, (uint64_t)(magnitude + 0.5));
        (void)snprintf(text, sizeof text, "%s%s", value < 0.0 ? "-" : "", digits);
        return copy(buffer, size, text);
    }
    return rig__decimal_print(buffer, size, 4, value + 0.0);
}

/* "12 min 3 s"; total is counted in small units, ratio of which make a big one. */
static char *format_two_units(
    char *buffer, size_t size, double total, unsigned ratio, const char *const names[2])
{
    const uint64_t rounded = (uint64_t)(total + 0.5);
    const uint64_t big = rounded / ratio;
    const unsigned small = (unsigned)(rounded % ratio);
    char digits[32];
    char text[64];
    group_thousands(digits, big);
    if (small == 0) {
        (void)snprintf(text, sizeof text, "%s %s", digits, names[0]);
    } else {
        (void)snprintf(text, sizeof text, "%s %s %u %s", digits, names[0], small, names[1]);
    }
    return copy(buffer, size, text);
}

/* Below a minute: three digits of one unit. */
static char *format_short(char *buffer, size_t size, double seconds_s)
{
    double value = seconds_s;
    const char *name = "s";
    if (seconds_s > 0.0 && seconds_s < 0.9995e-3) {
        value = seconds_s * 1e6;
        name = "us";
    } else if (seconds_s > 0.0 && seconds_s < 0.9995) {
        value = seconds_s * 1e3;
        name = "ms";
    }
    char digits[32];
    char text[48];
    rig__decimal_print(digits, sizeof digits, 3, value);
    (void)snprintf(text, sizeof text, "%s %s", digits, name);
    return copy(buffer, size, text);
}

char *rig_format_duration(char *buffer, size_t size, double seconds_s)
{
    if (isnan(seconds_s)) {
        return copy(buffer, size, "unknown");
    }
    if (seconds_s < 0.0) {
        if (size > 1) {
            buffer[0] = '-';
            rig_format_duration(buffer + 1, size - 1, -seconds_s);
            return buffer;
        }
        return copy(buffer, size, "");
    }
    if (isinf(seconds_s)) {
        return copy(buffer, size, "infinite");
    }
    /* each step begins where rounding would fill the unit below: never "60 s" or "1 h 60 min" */
    static const char *const minutes[2] = {"min", "s"};
    static const char *const hours[2] = {"h", "min"};
    static const char *const days[2] = {"d", "h"};
    static const char *const years[2] = {"y", "d"};
    if (seconds_s < MINUTE_S - 0.05) {
        return format_short(buffer, size, seconds_s);
    }
    if (seconds_s < HOUR_S - 0.5) {
        return format_two_units(buffer, size, seconds_s, 60, minutes);
    }
    if (seconds_s < DAY_S - MINUTE_S / 2.0) {
        return format_two_units(buffer, size, seconds_s / MINUTE_S, 60, hours);
    }
    if (seconds_s < YEAR_S - HOUR_S / 2.0) {
        return format_two_units(buffer, size, seconds_s / HOUR_S, 24, days);
    }
    if (seconds_s < YEAR_S * 1e6) {
        return format_two_units(buffer, size, seconds_s / DAY_S, 365, years);
    }
    char digits[32];
    char text[48];
    rig__decimal_print(digits, sizeof digits, 3, seconds_s / YEAR_S);
    (void)snprintf(text, sizeof text, "%s y", digits);
    return copy(buffer, size, text);
}
