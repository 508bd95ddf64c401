/* SPDX-License-Identifier: GPL-3.0-or-later
 * Buffered output to a caller's sink, with sticky errors, and texts made safe to show. */
#include "report/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/error.h"
#include "base/text.h"

/** Does the locale of the program read UTF-8? libsmartcols measures text through it and would show
 *  the bytes of such characters as \x escapes otherwise. */
static bool locale_reads_utf8(void)
{
    const char probe[] = "\xC3\xA9";
    mbstate_t state;
    wchar_t wide = 0;
    memset(&state, 0, sizeof(state));
    return mbrtowc(&wide, probe, 2, &state) == 2;
}

rig_status rig__output_init(rig__output *output,
                            const rig_report_options *options,
                            rig_write_sink sink,
                            void *payload,
                            rig_error *err)
{
    output->options = options;
    output->sink = sink;
    output->payload = payload;
    output->is_utf8 = options->use_utf8 && locale_reads_utf8();
    output->has_failed = false;
    output->is_nomem = false;
    output->n_used = 0;
    output->arena = rig__arena_new();
    return output->arena == NULL ? rig__error_nomem(err) : RIG_OK;
}

static void flush(rig__output *output)
{
    if (output->n_used > 0 && !output->has_failed) {
        output->has_failed = !output->sink(output->buffer, output->n_used, output->payload);
    }
    output->n_used = 0;
}

rig_status rig__output_finish(rig__output *output, rig_error *err)
{
    if (!output->is_nomem) {
        flush(output);
    }
    rig__arena_free(output->arena);
    output->arena = NULL;
    if (output->is_nomem) {
        return rig__error_nomem(err);
    }
    if (output->has_failed) {
        return rig__error_set(err, RIG_E_IO, NULL, 0, 0, "the report cannot be written");
    }
    return RIG_OK;
}

void rig__output_bytes(rig__output *output, const char *bytes, size_t length)
{
    while (length > 0 && !output->has_failed) {
        if (output->n_used == sizeof(output->buffer)) {
            flush(output);
        }
        const size_t room = sizeof(output->buffer) - output->n_used;
        const size_t part = length < room ? length : room;
        memcpy(output->buffer + output->n_used, bytes, part);
        output->n_used += part;
        bytes += part;
        length -= part;
    }
}

void rig__output_text(rig__output *output, const char *text)
{
    rig__output_bytes(output, text, strlen(text));
}

static const char *format_to_arena(rig__output *output, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = NULL;
    if (length >= 0) {
        text = rig__arena_alloc(output->arena, (size_t)length + 1, 1);
    }
    if (text == NULL) {
        output->is_nomem = true;
    } else {
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text == NULL ? "" : text;
}

void rig__output_format(rig__output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rig__output_text(output, format_to_arena(output, format, arguments));
    va_end(arguments);
}

const char *rig__output_string(rig__output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = format_to_arena(output, format, arguments);
    va_end(arguments);
    return text;
}

/** Bytes of the sequence that a lead byte announces, 0 for none. */
static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead < 0xE0) {
        return 2;
    }
    if (lead >= 0xE0 && lead < 0xF0) {
        return 3;
    }
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

size_t rig__output_decode(const char *text, uint32_t *code)
{
    const unsigned char lead = (unsigned char)text[0];
    if (lead == '\0') {
        *code = 0;
        return 0;
    }
    const size_t length = sequence_length(lead);
    *code = UINT32_MAX;
    if (length == 0 || strnlen(text, length) < length || !rig__utf8_is_valid(text, length)) {
        return 1;
    }
    uint32_t value = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        value = (value << 6) | ((unsigned char)text[i] & 0x3FU);
    }
    *code = value;
    return length;
}

bool rig__output_is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF || code == UINT32_MAX;
}

/** Plain text for a character beyond ASCII. */
static const char *in_ascii(uint32_t code)
{
    switch (code) {
    case 0xD7: /* multiplication sign */
        return "x";
    case 0x2013: /* dashes */
    case 0x2014:
    case 0x2212:
        return "-";
    case 0x2018: /* quotation marks */
    case 0x2019:
        return "'";
    case 0x201C:
    case 0x201D:
        return "\"";
    default:
        return "?";
    }
}

/** What is written in place of a character, NULL: itself. */
static const char *replacement(uint32_t code, rig__clean clean, bool is_utf8)
{
    const bool is_ascii_only = clean == RIG__CLEAN_LINE && !is_utf8;
    if (clean == RIG__CLEAN_VALID && code != UINT32_MAX) {
        return NULL;
    }
    if (code == '\n' || code == '\r' || code == '\t') {
        return clean == RIG__CLEAN_CELL ? NULL : " ";
    }
    if (rig__output_is_harmful(code)) {
        return is_ascii_only ? "?" : "\xEF\xBF\xBD";
    }
    return code < 0x80 || !is_ascii_only ? NULL : in_ascii(code);
}

const char *rig__output_clean(rig__output *output, const char *text, rig__clean clean)
{
    if (text == NULL) {
        return "";
    }
    /* a byte becomes at most the three of the replacement character */
    char *copy = rig__arena_alloc(output->arena, strlen(text) + 1, 3);
    if (copy == NULL) {
        output->is_nomem = true;
        return "";
    }
    char *end = copy;
    uint32_t code = 0;
    size_t length = rig__output_decode(text, &code);
    while (length > 0) {
        const char *instead = replacement(code, clean, output->is_utf8);
        const size_t n_bytes = instead == NULL ? length : strlen(instead);
        memcpy(end, instead == NULL ? text : instead, n_bytes);
        end += n_bytes;
        text += length;
        length = rig__output_decode(text, &code);
    }
    *end = '\0';
    return copy;
}

size_t rig__output_width(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xC0U) != 0x80U;
    }
    return width;
}
