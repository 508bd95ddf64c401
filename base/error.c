/* SPDX-License-Identifier: GPL-3.0-or-later
 * Filling the caller's error record. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Messages quote foreign bytes: keep them one line of valid text that cannot steer a terminal. */
static void make_printable(char *text)
{
    const size_t length = strlen(text);
    size_t i = 0;
    while (i < length) {
        const unsigned char byte = (unsigned char)text[i];
        size_t used = 1;
        if (byte >= 0x80) {
            for (used = 2; used <= 4; used++) {
                if (used <= length - i && rig__utf8_is_valid(text + i, used)) {
                    break;
                }
            }
        }
        /* U+0080..U+009F are control characters as well */
        const bool is_c1 = used == 2 && byte == 0xC2 && (unsigned char)text[i + 1] < 0xA0;
        if (used > 4 || is_c1 || byte < 0x20 || byte == 0x7F) {
            text[i] = '?';
            used = 1;
        }
        i += used;
    }
}

/* The end of a long path says more than its beginning. */
static void copy_where(char *out, size_t size, const char *where)
{
    const size_t length = strlen(where);
    if (length < size) {
        memmove(out, where, length + 1);
    } else {
        memmove(out + 3, where + length - (size - 4), size - 3);
        memcpy(out, "...", 3);
    }
    make_printable(out);
}

rig_status rig__error_set(rig_error *err,
                          rig_status status,
                          const char *where,
                          long line,
                          long column,
                          const char *format,
                          ...)
{
    if (err == NULL) {
        return status;
    }
    /* the arguments may point into err itself, so it is written last */
    char message[sizeof err->message];
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (written < 0) {
        message[0] = '\0';
    }
    err->status = status;
    copy_where(err->where, sizeof err->where, where != NULL ? where : "");
    err->line = line;
    err->column = column;
    memcpy(err->message, message, sizeof message);
    make_printable(err->message);
    err->hint[0] = '\0';
    return status;
}

void rig__error_hint(rig_error *err, const char *format, ...)
{
    if (err == NULL) {
        return;
    }
    char hint[sizeof err->hint];
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(hint, sizeof hint, format, arguments);
    va_end(arguments);
    if (written < 0) {
        hint[0] = '\0';
    }
    memcpy(err->hint, hint, sizeof hint);
    make_printable(err->hint);
}

rig_status rig__error_nomem(rig_error *err)
{
    return rig__error_set(err, RIG_E_NOMEM, NULL, 0, 0, "%s", rig_status_text(RIG_E_NOMEM));
}
