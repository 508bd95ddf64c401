/* SPDX-License-Identifier: GPL-3.0-or-later
 * One cell of a known column: from text to a checked value, with messages for usual slips. */
#include "catalog/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/schema.h"

#define SHOWN_BYTES 60 /* of a bad cell in a message */
#define EXPECTED_BYTES 128

typedef struct place {
    const rig__csv_cell *cell;
    const rig_column *column;
    const char *file;
    rig_error *err;
    const char *text; /* of the cell, without blanks around */
    size_t length;
} place;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_control(unsigned char byte)
{
    return byte < ' ' || byte == 0x7f;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The cell as messages show it: cut and on one line. */
static void show(const place *at, char shown[SHOWN_BYTES + 4])
{
    const bool is_cut = at->length > SHOWN_BYTES;
    size_t n = is_cut ? SHOWN_BYTES : at->length;
    while (is_cut && n > 0 && ((unsigned char)at->text[n] & 0xc0U) == 0x80U) {
        n--; /* never cut a UTF-8 sequence */
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned char byte = (unsigned char)at->text[i];
        shown[i] = is_control(byte) ? '?' : at->text[i];
    }
    memcpy(shown + n, is_cut ? "..." : "", is_cut ? 4 : 1);
}

static rig_status fail(const place *at, rig_status status, const char *what, const char *expected)
{
    char shown[SHOWN_BYTES + 4];
    show(at, shown);
    return rig__error_set(at->err,
                          status,
                          at->file,
                          at->cell->line,
                          at->cell->column,
                          "%s: '%s' in column '%s' (%s)",
                          what,
                          shown,
                          at->column->name,
                          expected);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static size_t skip_digits(const char *text, size_t length, size_t i)
{
    while (i < length && is_digit(text[i])) {
        i++;
    }
    return i;
}

/* Plain decimal by its form, whatever its size: such a text that is no number is too large. */
static bool has_number_form(const char *text, size_t length)
{
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
    const size_t i_whole = i;
    i = skip_digits(text, length, i);
    if (i == i_whole) {
        return false;
    }
    if (i < length && text[i] == '.') {
        i = skip_digits(text, length, i + 1);
    }
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        i += i < length && (text[i] == '-' || text[i] == '+');
        const size_t i_exponent = i;
        i = skip_digits(text, length, i);
        if (i == i_exponent) {
            return false;
        }
    }
    return i == length;
}

static bool is_unknown_word(const char *text, size_t length)
{
    static const char *const words[] = {"nan",
                                        "inf",
                                        "-inf",
                                        "+inf",
                                        "infinity",
                                        "-infinity",
                                        "null",
                                        "n/a",
                                        "na",
                                        "none",
                                        "unknown",
                                        "tbd",
                                        "-",
                                        "--",
                                        "?",
                                        "#n/a",
                                        "-nan",
                                        "nil",
                                        "#div/0!"};
    char word[16];
    if (length >= sizeof word) {
        return false;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (rig__text_compare_nocase(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_currency_sign(const char *text, size_t length)
{
    static const char *const signs[] = {"$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "USD", "EUR"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const size_t n = strlen(signs[i]);
        if (length > n &&
            (memcmp(text, signs[i], n) == 0 || memcmp(text + length - n, signs[i], n) == 0)) {
            return true;
        }
    }
    return false;
}

static rig_status fail_comma(const place *at, const char *text, size_t length)
{
    size_t n_commas = 0;
    size_t n_after = 0; /* digits after the last comma */
    for (size_t i = 0; i < length; i++) {
        n_commas += text[i] == ',';
        n_after = text[i] == ',' ? 0 : n_after + 1;
    }
    if (n_commas == 1 && n_after == 3 && memchr(text, '.', length) == NULL) {
        return fail(at,
                    RIG_E_PARSE,
                    "comma in a number",
                    "write thousands without separator and decimals with '.', as in 1234 or 1.5");
    }
    if (n_commas == 1 && memchr(text, '.', length) == NULL) {
        return fail(at,
                    RIG_E_PARSE,
                    "decimal comma",
                    "expected '.', as in 1.5; the file was saved under a locale with decimal "
                    "commas");
    }
    return fail(at, RIG_E_PARSE, "thousands separator", "write the digits alone, as in 1234");
}

static rig_status fail_number(const place *at, const char *text, size_t length)
{
    if (has_number_form(text, length)) {
        return text[0] == '+'
                   ? fail(at, RIG_E_PARSE, "sign before a number", "write it without '+'")
                   : fail(at, RIG_E_RANGE, "number too large", "expected a finite number");
    }
    if (is_unknown_word(text, length)) {
        return fail(at,
                    RIG_E_PARSE,
                    "not a number",
                    at->column->is_required ? "a value is required"
                                            : "leave the cell empty if the value is unknown");
    }
    if (has_currency_sign(text, length)) {
        return fail(at, RIG_E_PARSE, "currency sign", "write the digits alone");
    }
    if (!is_digit(text[0]) && !(text[0] == '-' && length > 1 && is_digit(text[1]))) {
        return fail(at, RIG_E_PARSE, "not a number", "expected a decimal number");
    }
    if (memchr(text, ',', length) != NULL) {
        return fail_comma(at, text, length);
    }
    if (text[length - 1] == '%') {
        return fail(at, RIG_E_PARSE, "percent sign", "write a fraction, as in 0.2");
    }
    if (length > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        return fail(at, RIG_E_PARSE, "not a decimal number", "expected digits and '.'");
    }
    if (is_letter(text[length - 1])) {
        char expected[EXPECTED_BYTES];
        const char *const unit = at->column->unit;
        (void)snprintf(expected,
                       sizeof expected,
                       "write the number alone%s%s",
                       unit[0] == '\0' ? "" : ", in ",
                       unit);
        return fail(at, RIG_E_PARSE, "unit in a number", expected);
    }
    return fail(at, RIG_E_PARSE, "not a number", "expected a decimal number");
}

static rig_status
parse_number(const place *at, const char *text, size_t length, rig__cell_value *out)
{
    double number = 0;
    const rig_column *const column = at->column;
    if (!rig__number_parse(text, length, &number)) {
        return fail_number(at, text, length);
    }
    if (number < column->low || number > column->high) {
        char low[32], high[32], expected[EXPECTED_BYTES];
        (void)snprintf(expected,
                       sizeof expected,
                       "expected %s to %s%s%s",
                       rig__number_format(low, sizeof low, column->low),
                       rig__number_format(high, sizeof high, column->high),
                       column->unit[0] == '\0' ? "" : " ",
                       column->unit);
        return fail(at, RIG_E_RANGE, "out of range", expected);
    }
    if (column->type == RIG_COLUMN_INTEGER && floor(number) < number) {
        return fail(at, RIG_E_RANGE, "not a whole number", "expected a whole number");
    }
    out->number = number + 0.0; /* no -0 */
    if (column->type == RIG_COLUMN_MONEY && !rig__cents_parse(text, length, &out->cents)) {
        out->cents = (int64_t)llround(number * 100.0); /* exponent form; the range bounds it */
    }
    return RIG_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static rig_status parse_text(const place *at, const char *text, size_t length, rig__cell_value *out)
{
    const bool is_name = at->column->offset == offsetof(rig_row, name);
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (!is_control(byte)) {
            continue;
        }
        const bool is_break = byte == '\n' || byte == '\r';
        if (is_name && is_break) {
            return fail(at, RIG_E_PARSE, "line break in a name", "expected one line");
        }
        if (is_name || !(is_break || byte == '\t')) {
            return fail(at, RIG_E_PARSE, "control character", "expected printable text");
        }
    }
    if (!rig__schema_is_trust(at->column)) {
        return RIG_OK;
    }
    static const rig_trust trusts[] = {RIG_TRUST_GOOD, RIG_TRUST_FAIR, RIG_TRUST_LOW};
    for (size_t i = 0; i < sizeof trusts / sizeof trusts[0]; i++) {
        const char *const name = rig__schema_trust_name(trusts[i]);
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            out->trust = trusts[i];
            return RIG_OK;
        }
    }
    return fail(at, RIG_E_RANGE, "unknown trust", "expected good, fair or low");
}

rig_status rig__cell_parse(const rig__csv_cell *cell,
                           const rig_column *column,
                           bool is_required,
                           const char *file,
                           rig__cell_value *out,
                           rig_error *err)
{
    const char *text = cell->text;
    size_t length = cell->length;
    while (length > 0 && is_blank(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    *out = (rig__cell_value){text, length, (double)NAN, -1, 0, RIG_TRUST_FAIR};
    if (length == 0) {
        return !is_required ? RIG_OK
                            : rig__error_set(err,
                                             RIG_E_PARSE,
                                             file,
                                             cell->line,
                                             cell->column,
                                             "empty cell in column '%s' (a value is required)",
                                             column->name);
    }
    const place at = {cell, column, file, err, text, length};
    switch (column->type) {
    case RIG_COLUMN_TEXT:
        return parse_text(&at, text, length, out);
    case RIG_COLUMN_DATE:
        return rig__date_parse(text, length, &out->date_ymd)
                   ? RIG_OK
                   : fail(&at, RIG_E_PARSE, "not a date", "expected YYYY, YYYY-MM or YYYY-MM-DD");
    case RIG_COLUMN_NUMBER:
    case RIG_COLUMN_INTEGER:
    case RIG_COLUMN_MONEY:
        break;
    }
    return parse_number(&at, text, length, out);
}
