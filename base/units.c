/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantities as people write them, read into the one unit of their kind. */
#include "trainrig/units.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/text.h"

/* Longest number with its commas; the longest that makes sense has some twenty digits. */
#define NUMBER_BYTES_MAX 64

/* 1e12 dollars: sums of a few thousand such amounts still fit int64_t. */
#define CENTS_MAX INT64_C(100000000000000)

/* Whole numbers up to 2^53 are exact in a double. */
#define COUNT_MAX 9007199254740992.0

#define MINUTE_S 60.0
#define HOUR_S 3600.0
#define DAY_S 86400.0
#define YEAR_S (365.0 * DAY_S) /* 8760 h, the year of the cost equations */
#define KIB 1024.0

/* value = number * 10^shift * factor */
typedef struct unit {
    rig_quantity kind;
    const char *name;
    int shift;
    double factor;
} unit;

/* Looked up with case first, so that a lower-case spelling finds the usual unit and "Gb" (bits)
 * stays apart from "GB". */
/* clang-format off */
static const unit units[] = {
    {RIG_QUANTITY_NUMBER, "k", 3, 1.0}, {RIG_QUANTITY_NUMBER, "M", 6, 1.0},
    {RIG_QUANTITY_NUMBER, "G", 9, 1.0}, {RIG_QUANTITY_NUMBER, "T", 12, 1.0},
    {RIG_QUANTITY_COUNT, "k", 3, 1.0}, {RIG_QUANTITY_COUNT, "M", 6, 1.0},
    {RIG_QUANTITY_COUNT, "G", 9, 1.0},
    {RIG_QUANTITY_MONEY, "k", 3, 1.0}, {RIG_QUANTITY_MONEY, "M", 6, 1.0},
    {RIG_QUANTITY_MONEY, "B", 9, 1.0},
    {RIG_QUANTITY_TIME, "s", 0, 1.0}, {RIG_QUANTITY_TIME, "sec", 0, 1.0},
    {RIG_QUANTITY_TIME, "ms", -3, 1.0}, {RIG_QUANTITY_TIME, "us", -6, 1.0},
    {RIG_QUANTITY_TIME, "min", 0, MINUTE_S}, {RIG_QUANTITY_TIME, "m", 0, MINUTE_S},
    {RIG_QUANTITY_TIME, "h", 0, HOUR_S}, {RIG_QUANTITY_TIME, "hours", 0, HOUR_S},
    {RIG_QUANTITY_TIME, "d", 0, DAY_S}, {RIG_QUANTITY_TIME, "days", 0, DAY_S},
    {RIG_QUANTITY_TIME, "w", 0, 7.0 * DAY_S}, {RIG_QUANTITY_TIME, "weeks", 0, 7.0 * DAY_S},
    {RIG_QUANTITY_TIME, "y", 0, YEAR_S}, {RIG_QUANTITY_TIME, "years", 0, YEAR_S},
    {RIG_QUANTITY_CAPACITY, "GB", 0, 1.0}, {RIG_QUANTITY_CAPACITY, "G", 0, 1.0},
    {RIG_QUANTITY_CAPACITY, "TB", 3, 1.0}, {RIG_QUANTITY_CAPACITY, "T", 3, 1.0},
    {RIG_QUANTITY_CAPACITY, "PB", 6, 1.0}, {RIG_QUANTITY_CAPACITY, "MB", -3, 1.0},
    {RIG_QUANTITY_CAPACITY, "kB", -6, 1.0}, {RIG_QUANTITY_CAPACITY, "B", -9, 1.0},
    {RIG_QUANTITY_CAPACITY, "KiB", -9, KIB}, {RIG_QUANTITY_CAPACITY, "MiB", -9, KIB * KIB},
    {RIG_QUANTITY_CAPACITY, "GiB", -9, KIB * KIB * KIB},
    {RIG_QUANTITY_CAPACITY, "TiB", -9, KIB * KIB * KIB * KIB},
    {RIG_QUANTITY_CAPACITY, "PiB", -9, KIB * KIB * KIB * KIB * KIB},
    {RIG_QUANTITY_RATE, "GB/s", 0, 1.0}, {RIG_QUANTITY_RATE, "MB/s", -3, 1.0},
    {RIG_QUANTITY_RATE, "TB/s", 3, 1.0}, {RIG_QUANTITY_RATE, "kB/s", -6, 1.0},
    {RIG_QUANTITY_RATE, "B/s", -9, 1.0}, {RIG_QUANTITY_RATE, "GiB/s", -9, KIB * KIB * KIB},
    {RIG_QUANTITY_RATE, "MiB/s", -9, KIB * KIB},
    {RIG_QUANTITY_RATE, "Gb/s", 0, 0.125}, {RIG_QUANTITY_RATE, "Gbit/s", 0, 0.125},
    {RIG_QUANTITY_RATE, "Gbps", 0, 0.125}, {RIG_QUANTITY_RATE, "Mb/s", -3, 0.125},
    {RIG_QUANTITY_RATE, "Mbit/s", -3, 0.125}, {RIG_QUANTITY_RATE, "Mbps", -3, 0.125},
    {RIG_QUANTITY_POWER, "W", 0, 1.0}, {RIG_QUANTITY_POWER, "kW", 3, 1.0},
    {RIG_QUANTITY_POWER, "MW", 6, 1.0},
    {RIG_QUANTITY_FRACTION, "%", -2, 1.0},
};
/* clang-format on */

static const unit plain = {RIG_QUANTITY_NUMBER, "", 0, 1.0};

typedef struct kind_text {
    rig_quantity kind;
    const char *name;
    const char *expected;
} kind_text;

static const kind_text kind_texts[] = {
    {RIG_QUANTITY_NUMBER, "number", "a number such as 1.5, 20k or 3M"},
    {RIG_QUANTITY_COUNT, "count", "a whole number, 0 or more, such as 8 or 20k"},
    {RIG_QUANTITY_MONEY, "amount of money", "US dollars such as 20k, $20,000 or 1.5M"},
    {RIG_QUANTITY_TIME, "time", "seconds, or a time such as 90s, 20min, 2.5h, 3d or 3y"},
    {RIG_QUANTITY_CAPACITY, "capacity", "gigabytes, or a capacity such as 500GB, 1.5TB or 512GiB"},
    {RIG_QUANTITY_RATE, "data rate", "GB/s, or a rate such as 7GB/s, 500MB/s or 100Gbit/s"},
    {RIG_QUANTITY_POWER, "power", "watts, or a power such as 350W or 1.6kW"},
    {RIG_QUANTITY_FRACTION, "fraction", "0 to 1, or 0% to 100%"},
};

static const kind_text *find_kind(rig_quantity kind)
{
    for (size_t i = 0; i < sizeof kind_texts / sizeof kind_texts[0]; i++) {
        if (kind_texts[i].kind == kind) {
            return &kind_texts[i];
        }
    }
    return &kind_texts[0];
}

static rig_status
refuse(rig_error *err, rig_status status, const char *what, const char *text, rig_quantity kind)
{
    const kind_text *const known = find_kind(kind);
    return rig__error_set(err,
                          status,
                          NULL,
                          0,
                          0,
                          "%s %s: '%.80s' (expected %s)",
                          what,
                          known->name,
                          text,
                          known->expected);
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Digits with commas only between groups of three, the first of which does not begin with 0:
 * "0,500" is a decimal comma. */
static bool are_groups_valid(const char *text, size_t length)
{
    const size_t n_first = strspn(text, "0123456789");
    if (n_first == length) {
        return true;
    }
    if (n_first == 0 || n_first > 3 || text[0] == '0') {
        return false;
    }
    for (size_t i = n_first; i < length; i += 4) {
        if (text[i] != ',' || strspn(text + i + 1, "0123456789") != 3) {
            return false;
        }
    }
    return true;
}

/* Number at the start of text; digits is storage that decimal borrows.
 * @return bytes used, 0: no number */
static size_t read_number(const char *text, char *digits, rig__decimal *decimal)
{
    const size_t n_sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
    const size_t n_whole = strspn(text + n_sign, "0123456789,");
    if (!are_groups_valid(text + n_sign, n_whole)) {
        return 0;
    }
    const size_t n_number = n_sign + n_whole + strspn(text + n_sign + n_whole, ".0123456789eE+-");
    size_t length = 0;
    for (size_t i = 0; i < n_number; i++) {
        if (text[i] != ',') {
            if (length == NUMBER_BYTES_MAX) {
                return 0;
            }
            digits[length++] = text[i];
        }
    }
    const size_t used = rig__decimal_scan(digits, length, decimal);
    /* the scan takes at least the whole digits, and commas are nowhere else */
    return used == 0 ? 0 : used + (n_number - length);
}

static const unit *find_unit(rig_quantity kind, const char *name)
{
    const unit *nearest = NULL;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (units[i].kind != kind) {
            continue;
        }
        if (strcmp(units[i].name, name) == 0) {
            return &units[i];
        }
        if (nearest == NULL && rig__text_compare_nocase(units[i].name, name) == 0) {
            nearest = &units[i];
        }
    }
    /* "Gb" is a count of bits, not a misspelt "GB"; "mW" is no megawatt */
    const bool is_other_unit =
        (kind == RIG_QUANTITY_CAPACITY && name[1] == 'b' && name[0] >= 'A' && name[0] <= 'Z') ||
        (kind == RIG_QUANTITY_POWER && name[0] == 'm');
    return is_other_unit ? NULL : nearest;
}

/* Unit named by the blank-trimmed rest of a quantity; NULL: none such. */
static const unit *read_unit(const char *rest, rig_quantity kind)
{
    char name[16];
    rest = skip_blanks(rest);
    size_t length = strlen(rest);
    while (length > 0 && (rest[length - 1] == ' ' || rest[length - 1] == '\t')) {
        length--;
    }
    if (length >= sizeof name) {
        return NULL;
    }
    memcpy(name, rest, length);
    name[length] = '\0';
    if (kind == RIG_QUANTITY_MONEY && length >= 3 &&
        rig__text_compare_nocase(name + length - 3, "USD") == 0) {
        length -= 3;
        while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t')) {
            length--;
        }
        name[length] = '\0';
    }
    return length == 0 ? &plain : find_unit(kind, name);
}

typedef struct reading {
    rig__decimal decimal;
    char digits[NUMBER_BYTES_MAX];
    const unit *unit;
} reading;

/* "-$5" and "$-5" are both written. */
static rig_status read_text(const char *text, rig_quantity kind, reading *out, rig_error *err)
{
    const char *at = skip_blanks(text);
    if (*at == '\0') {
        return refuse(err, RIG_E_PARSE, "empty", text, kind);
    }
    bool is_negative = false;
    if (kind == RIG_QUANTITY_MONEY) {
        if (at[0] == '-' && at[1] == '$') {
            is_negative = true;
            at++;
        }
        if (*at == '$') {
            at = skip_blanks(at + 1);
        } else if (rig__text_has_prefix_nocase(at, "USD")) {
            at = skip_blanks(at + 3);
        }
    }
    const size_t used = read_number(at, out->digits, &out->decimal);
    if (used == 0) {
        return refuse(err, RIG_E_PARSE, "unreadable", text, kind);
    }
    out->unit = read_unit(at + used, kind);
    if (out->unit == NULL) {
        return refuse(err, RIG_E_PARSE, "unreadable", text, kind);
    }
    out->decimal.is_negative = out->decimal.is_negative != is_negative;
    return RIG_OK;
}

static rig_status check_range(double value, const char *text, rig_quantity kind, rig_error *err)
{
    if (kind != RIG_QUANTITY_NUMBER && value < 0.0) {
        return refuse(err, RIG_E_RANGE, "negative", text, kind);
    }
    if (kind == RIG_QUANTITY_FRACTION && value > 1.0) {
        return refuse(err, RIG_E_RANGE, "too large", text, kind);
    }
    if (kind == RIG_QUANTITY_COUNT) {
        if (value > COUNT_MAX) {
            return refuse(err, RIG_E_RANGE, "too large", text, kind);
        }
        if (value > floor(value)) {
            return refuse(err, RIG_E_PARSE, "fractional", text, kind);
        }
    }
    return RIG_OK;
}

rig_status rig_quantity_parse(const char *text, rig_quantity kind, double *out, rig_error *err)
{
    reading found;
    RIG_TRY(read_text(text, kind, &found, err));
    double value = 0.0;
    if (!rig__decimal_to_double(&found.decimal, found.unit->shift, &value) ||
        !isfinite(value * found.unit->factor)) {
        return refuse(err, RIG_E_RANGE, "too large", text, kind);
    }
    value *= found.unit->factor;
    RIG_TRY(check_range(value, text, kind, err));
    *out = value + 0.0; /* -0 becomes 0 */
    return RIG_OK;
}

rig_status rig_money_parse(const char *text, int64_t *cents_out, rig_error *err)
{
    reading found;
    RIG_TRY(read_text(text, RIG_QUANTITY_MONEY, &found, err));
    const bool is_negative = found.decimal.is_negative;
    found.decimal.is_negative = false;
    int64_t cents = 0;
    const bool is_small = rig__decimal_to_int64(&found.decimal, found.unit->shift + 2, &cents);
    if (is_negative && (!is_small || cents > 0)) {
        return refuse(err, RIG_E_RANGE, "negative", text, RIG_QUANTITY_MONEY);
    }
    if (!is_small || cents > CENTS_MAX) {
        return refuse(err, RIG_E_RANGE, "too large", text, RIG_QUANTITY_MONEY);
    }
    *cents_out = cents;
    return RIG_OK;
}
