/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files of which a broken line costs only itself. */
#include "market/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"

#define FILE_BYTES ((size_t)1 << 31) /* largest file that is read at once */

/* ---- a file in memory ----------------------------------------------------------------------- */

typedef struct whole {
    char *bytes;
    size_t length;
} whole;

static rig_status no_read(const char *path, const char *why, rig_error *err)
{
    return rig__error_set(err, RIG_E_IO, path, 0, 0, "cannot be read: %s", why);
}

static rig_status read_stream(FILE *stream, const char *path, whole *out, rig_error *err)
{
    size_t cap = 1 << 16;
    *out = (whole){.bytes = malloc(cap + 1)};
    while (out->bytes != NULL) {
        out->length += fread(out->bytes + out->length, 1, cap - out->length, stream);
        if (out->length < cap) {
            break;
        }
        if (cap >= FILE_BYTES) {
            return no_read(path, "larger than 2 GiB", err);
        }
        cap *= 2;
        char *const larger = realloc(out->bytes, cap + 1);
        if (larger == NULL) {
            return rig__error_nomem(err);
        }
        out->bytes = larger;
    }
    if (out->bytes == NULL) {
        return rig__error_nomem(err);
    }
    out->bytes[out->length] = '\0';
    return ferror(stream) != 0 ? no_read(path, strerror(errno), err) : RIG_OK;
}

static rig_status read_whole(const char *path, whole *out, rig_error *err)
{
    *out = (whole){.bytes = NULL};
    FILE *const stream = fopen(path, "rb");
    if (stream == NULL) {
        return no_read(path, strerror(errno), err);
    }
    const rig_status status = read_stream(stream, path, out, err);
    (void)fclose(stream);
    return status;
}

/* Length of the line that starts there, with its end. */
static size_t line_length(const char *bytes, size_t length)
{
    const char *const end = memchr(bytes, '\n', length);
    return end == NULL ? length : (size_t)(end - bytes) + 1;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

/* One pass over a part of the file, the header read before or now. */
typedef struct csv_pass {
    const char *path;
    const rig__line_sink *sink;
    rig__arena *arena;
    const char **headers;
    size_t n_headers;
    long lines_before;  /* physical lines ahead of this part */
    bool is_later_part; /* its first row is no header */
    rig_status sink_status;
} csv_pass;

static rig_status take_header(csv_pass *pass, const rig__csv_row *row, rig_error *err)
{
    pass->n_headers = row->n_cells;
    pass->headers = rig__arena_alloc(pass->arena, row->n_cells, sizeof(const char *));
    if (pass->headers == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < row->n_cells; i++) {
        pass->headers[i] =
            rig__arena_copy(pass->arena, row->cells[i].text, row->cells[i].length);
        if (pass->headers[i] == NULL) {
            return rig__error_nomem(err);
        }
    }
    return RIG_OK;
}

static rig_status take_row(const rig__csv_row *row, void *payload, rig_error *err)
{
    csv_pass *const pass = payload;
    if (row->i_row == 0 && !pass->is_later_part) {
        return take_header(pass, row, err);
    }
    const long line = row->cells[0].line + pass->lines_before;
    if (row->n_cells != pass->n_headers) {
        rig_error problem = {0};
        (void)rig__error_set(&problem,
                             RIG_E_PARSE,
                             pass->path,
                             line,
                             1,
                             "a row of '%zu' cells (expected %zu, as in the header)",
                             row->n_cells,
                             pass->n_headers);
        pass->sink_status = pass->sink->broken(&problem, pass->sink->payload, err);
        return pass->sink_status;
    }
    const rig__line taken = {.file = pass->path,
                             .line = line,
                             .headers = pass->headers,
                             .cells = row->cells,
                             .n_cells = row->n_cells};
    pass->sink_status = pass->sink->take(&taken, pass->sink->payload, err);
    return pass->sink_status;
}

/* Skips as many physical lines. */
static void skip_lines(const char **bytes, size_t *length, long n)
{
    for (; n > 0 && *length > 0; n--) {
        const size_t one = line_length(*bytes, *length);
        *bytes += one;
        *length -= one;
    }
}

static rig_status csv_parts(csv_pass *pass, const char *bytes, size_t length, rig_error *err)
{
    const rig__csv_options options = {
        .name = pass->path, .is_comma_forced = true, .on_row = take_row, .payload = pass};
    while (length > 0) {
        rig_error problem = {0};
        const rig_status status = rig__csv_read_memory(bytes, length, &options, &problem);
        if (status == RIG_OK) {
            return RIG_OK;
        }
        if (status != RIG_E_PARSE || pass->sink_status != RIG_OK || pass->headers == NULL ||
            problem.line < 1) {
            if (err != NULL) {
                *err = problem;
            }
            return status;
        }
        const long n_used = problem.line;
        problem.line += pass->lines_before;
        RIG_TRY(pass->sink->broken(&problem, pass->sink->payload, err));
        skip_lines(&bytes, &length, n_used);
        pass->lines_before += n_used;
        pass->is_later_part = true;
    }
    return RIG_OK;
}

rig_status rig__csv_lines(const char *path, const rig__line_sink *sink, rig_error *err)
{
    whole file;
    csv_pass pass = {.path = path, .sink = sink, .arena = rig__arena_new()};
    rig_status status =
        pass.arena == NULL ? rig__error_nomem(err) : read_whole(path, &file, err);
    if (pass.arena == NULL) {
        return status;
    }
    if (status == RIG_OK) {
        status = csv_parts(&pass, file.bytes, file.length, err);
    }
    free(file.bytes);
    rig__arena_free(pass.arena);
    return status;
}

const char *rig__line_get(const rig__line *line, const char *header)
{
    for (size_t i = 0; i < line->n_cells; i++) {
        if (strcmp(line->headers[i], header) == 0) {
            return line->cells[i].text;
        }
    }
    return "";
}

/* ---- NDJSON --------------------------------------------------------------------------------- */

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0') {
            return false;
        }
    }
    return true;
}

rig_status rig__text_lines(const char *path, const rig__line_sink *sink, rig_error *err)
{
    whole file;
    rig_status status = read_whole(path, &file, err);
    size_t at = 0;
    for (long line = 1; status == RIG_OK && at < file.length; line++) {
        const size_t length = line_length(file.bytes + at, file.length - at);
        const rig__line taken = {
            .file = path, .line = line, .text = file.bytes + at, .length = length};
        if (length > RIG__LINE_BYTES) {
            rig_error problem = {0};
            (void)rig__error_set(&problem,
                                 RIG_E_PARSE,
                                 path,
                                 line,
                                 1,
                                 "a line of '%zu' bytes (expected at most %d)",
                                 length,
                                 RIG__LINE_BYTES);
            status = sink->broken(&problem, sink->payload, err);
        } else if (!is_blank(taken.text, length)) {
            status = sink->take(&taken, sink->payload, err);
        }
        at += length;
    }
    free(file.bytes);
    return status;
}
