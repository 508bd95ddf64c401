/* SPDX-License-Identifier: GPL-3.0-or-later
 * Buffered output to a caller's sink, with sticky errors, and texts made safe to show. */
#ifndef RIG_REPORT_OUTPUT_H
#define RIG_REPORT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "trainrig/report.h"

/** One report being written. Failures are remembered, so writers need no check after each piece;
 *  rig__output_finish reports the first one. */
typedef struct rig__output {
    const rig_report_options *options;
    rig_write_sink sink;
    void *payload;
    rig__arena *arena; /**< texts that live until the report is done */
    bool is_utf8;      /**< asked for, and the program's locale can measure it */
    bool has_failed;   /**< the sink refused bytes */
    bool is_nomem;
    size_t n_used;
    char buffer[4096];
} rig__output;

/** Starts a report. @return RIG_OK, RIG_E_NOMEM (nothing to free then) */
RIG_NODISCARD rig_status rig__output_init(rig__output *output,
                                          const rig_report_options *options,
                                          rig_write_sink sink,
                                          void *payload,
                                          rig_error *err);
/** Passes on what is buffered, frees, and tells whether everything arrived.
 *  @return RIG_OK, RIG_E_IO, RIG_E_NOMEM */
RIG_NODISCARD rig_status rig__output_finish(rig__output *output, rig_error *err);

void rig__output_bytes(rig__output *output, const char *bytes, size_t length);
void rig__output_text(rig__output *output, const char *text);
void rig__output_format(rig__output *output, const char *format, ...) RIG_PRINTF(2, 3);

/** printf into the arena of the report. @return "" when out of memory, which is remembered */
const char *rig__output_string(rig__output *output, const char *format, ...) RIG_PRINTF(2, 3);

/** What may stay in a text. */
typedef enum rig__clean {
    RIG__CLEAN_LINE, /**< for people: no controls, no line breaks, ASCII only unless is_utf8 */
    RIG__CLEAN_UTF8, /**< the same in a document that is UTF-8 anyway */
    RIG__CLEAN_CELL, /**< CSV: line breaks and tabs stay, other controls do not */
    RIG__CLEAN_VALID /**< JSON, which escapes controls itself: only invalid UTF-8 is replaced */
} rig__clean;

/** The text with everything that could disturb a terminal or a document replaced: control
 *  characters, direction overrides, invalid UTF-8; line breaks and tabs become blanks. NULL gives
 *  "". @return a text of the report's arena */
const char *rig__output_clean(rig__output *output, const char *text, rig__clean clean);

/** Does a character act on a terminal or reorder the text around it? */
bool rig__output_is_harmful(uint32_t code);

/** Characters (code points) of a valid UTF-8 text. */
size_t rig__output_width(const char *text);

/** Next code point of a text. @return bytes it takes, 0 at the end; *code is UINT32_MAX when the
 *  bytes are not valid UTF-8 (then one byte is taken) */
size_t rig__output_decode(const char *text, uint32_t *code);

#endif
