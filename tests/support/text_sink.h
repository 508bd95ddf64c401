/* SPDX-License-Identifier: GPL-3.0-or-later
 * A sink of pieces of text that keeps them all. */
#ifndef RIG_TESTS_TEXT_SINK_H
#define RIG_TESTS_TEXT_SINK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct text_sink {
    char bytes[200000];
    size_t length;
} text_sink;

static inline void collect(const char *piece, void *payload)
{
    text_sink *const out = payload;
    const size_t length = strlen(piece);
    assert_true(out->length + length < sizeof out->bytes);
    memcpy(out->bytes + out->length, piece, length + 1);
    out->length += length;
}

#endif
