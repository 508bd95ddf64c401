/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of a CSV text with the exact place of every cell; the only user of libcsv. */
#include "catalog/csv_reader.h"

#include <csv.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/csv_head.h"

#define HEAD_BYTES 4096
#define READ_BYTES 65536

/* libcsv tells neither line nor column. A whole line without quotes is fed at once, since its
 * delimiters tell where its cells begin. Other bytes are fed in segments that end at the first byte
 * able to end a cell: at most one cell ends per call, at the last byte of the segment. */
struct rig__csv_reader {
    struct csv_parser parser;
    bool is_parser_ready;
    rig__csv_options options;
    char delimiter;
    bool is_special[256]; /* bytes that end a segment */

    char head[HEAD_BYTES]; /* held back until the kind of file and the delimiter are known */
    size_t n_head;
    bool is_head_done, has_head_text;

    long line, column; /* of the next byte */
    bool was_cr;
    const char *plain_line, *plain_at; /* a line fed at once, and its next cell; NULL: a segment */

    bool in_cell; /* a non-blank byte of the cell was seen */
    bool is_quoted;
    long cell_line, cell_column;
    size_t cell_bytes, row_bytes;

    rig__csv_cell *cells;
    size_t n_cells, cap_cells;
    char *text; /* of all cells of the row; cell texts are offsets until the row is complete */
    size_t n_text, cap_text;
    size_t *offsets;

    size_t n_rows;
    rig_status status;
    rig_error error;
};

rig__csv_reader *rig__csv_reader_new(const rig__csv_options *options)
{
    rig__csv_reader *const reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return NULL;
    }
    const unsigned char flags =
        CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_EMPTY_IS_NULL | CSV_REPALL_NL;
    if (csv_init(&reader->parser, flags) != 0) {
        free(reader);
        return NULL;
    }
    csv_set_blk_size(&reader->parser, 4096);
    reader->is_parser_ready = true;
    reader->options = *options;
    reader->line = 1;
    reader->column = 1;
    return reader;
}

void rig__csv_reader_free(rig__csv_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    if (reader->is_parser_ready) {
        csv_free(&reader->parser);
    }
    free(reader->cells);
    free(reader->offsets);
    free(reader->text);
    free(reader);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static rig_status grow_cells(rig__csv_reader *reader)
{
    if (reader->n_cells < reader->cap_cells) {
        return RIG_OK;
    }
    const size_t cap = reader->cap_cells == 0 ? 64 : reader->cap_cells * 2;
    rig__csv_cell *const cells = realloc(reader->cells, cap * sizeof *cells);
    if (cells == NULL) {
        return RIG_E_NOMEM;
    }
    reader->cells = cells;
    size_t *const offsets = realloc(reader->offsets, cap * sizeof *offsets);
    if (offsets == NULL) {
        return RIG_E_NOMEM;
    }
    reader->offsets = offsets;
    reader->cap_cells = cap;
    return RIG_OK;
}

static rig_status grow_text(rig__csv_reader *reader, size_t n_more)
{
    if (reader->cap_text - reader->n_text >= n_more) {
        return RIG_OK;
    }
    const size_t cap = (reader->n_text + n_more) * 2;
    char *const text = realloc(reader->text, cap);
    if (text == NULL) {
        return RIG_E_NOMEM;
    }
    reader->text = text;
    reader->cap_text = cap;
    return RIG_OK;
}

static void begin_cell(rig__csv_reader *reader, long column)
{
    reader->in_cell = true;
    reader->cell_line = reader->line;
    reader->cell_column = column;
    reader->cell_bytes = 0;
    reader->is_quoted = false;
}

static bool is_blank(const rig__csv_reader *reader, char byte)
{
    return (byte == ' ' || byte == '\t') && byte != reader->delimiter;
}

/* The next cell of a line that is fed at once; one of blanks alone begins with the first of them.
 */
static void begin_plain_cell(rig__csv_reader *reader)
{
    const char *const begin = reader->plain_at;
    const char *text = begin, *end = begin;
    while (is_blank(reader, *text)) {
        text++;
    }
    while (*end != reader->delimiter && *end != '\n') {
        end++;
    }
    text = text < end ? text : begin;
    begin_cell(reader, (long)(text - reader->plain_line) + 1);
    reader->plain_at = end + 1;
}

static void add_cell(void *text, size_t length, void *payload)
{
    rig__csv_reader *const reader = payload;
    if (reader->status != RIG_OK) {
        return;
    }
    if (reader->plain_line != NULL) {
        begin_plain_cell(reader);
    } else if (!reader->in_cell) {
        begin_cell(reader, reader->column); /* an empty last cell at the end of the file */
    }
    reader->in_cell = false;
    reader->cell_bytes = 0;
    if (grow_cells(reader) != RIG_OK || grow_text(reader, length + 1) != RIG_OK) {
        reader->status = rig__error_nomem(&reader->error);
        return;
    }
    if (!rig__utf8_is_valid(text == NULL ? "" : text, length)) {
        reader->status = rig__error_set(&reader->error,
                                        RIG_E_PARSE,
                                        reader->options.name,
                                        reader->cell_line,
                                        reader->cell_column,
                                        "invalid UTF-8 in a cell (expected a UTF-8 text file)");
        rig__error_hint(&reader->error, "save the file as \"CSV UTF-8\"");
        return;
    }
    char *const copy = reader->text + reader->n_text;
    if (text != NULL) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    reader->offsets[reader->n_cells] = reader->n_text;
    reader->cells[reader->n_cells] =
        (rig__csv_cell){NULL, length, reader->cell_line, reader->cell_column};
    reader->n_cells++;
    reader->n_text += length + 1;
}

static void end_row(int terminator, void *payload)
{
    (void)terminator;
    rig__csv_reader *const reader = payload;
    const size_t n_cells = reader->n_cells;
    reader->row_bytes = 0;
    reader->in_cell = false;
    if (reader->status != RIG_OK || n_cells == 0) {
        return; /* zero cells: a blank line, or the LF of CRLF */
    }
    for (size_t i = 0; i < n_cells; i++) {
        reader->cells[i].text = reader->text + reader->offsets[i];
    }
    if (reader->n_rows > RIG__CSV_ROWS) {
        reader->status = rig__error_set(&reader->error,
                                        RIG_E_PARSE,
                                        reader->options.name,
                                        reader->cells[0].line,
                                        1,
                                        "too many rows (at most %d)",
                                        RIG__CSV_ROWS);
        return;
    }
    const rig__csv_row row = {reader->cells, n_cells, reader->n_rows};
    reader->n_rows++;
    reader->n_cells = 0;
    reader->n_text = 0;
    reader->status = reader->options.on_row(&row, reader->options.payload, &reader->error);
}

static rig_status fail(rig__csv_reader *reader, rig_error *err)
{
    if (err != NULL) {
        *err = reader->error;
    }
    return reader->status;
}

/* ---- segments -------------------------------------------------------------------------------- */

static void advance(rig__csv_reader *reader, const char *bytes, size_t length)
{
    const char last = bytes[length - 1];
    if (last == '\n' && length == 1 && reader->was_cr) {
        reader->was_cr = false; /* second half of CRLF */
        reader->column = 1;
        return;
    }
    reader->was_cr = last == '\r';
    if (last == '\n' || last == '\r') {
        reader->line++;
        reader->column = 1;
        return;
    }
    reader->column += (long)length;
}

static size_t segment_length(const rig__csv_reader *reader, const char *bytes, size_t length)
{
    size_t cap = RIG__CSV_CELL_BYTES + 1 - reader->cell_bytes;
    const size_t row_cap = RIG__CSV_ROW_BYTES + 1 - reader->row_bytes;
    cap = row_cap < cap ? row_cap : cap;
    cap = length < cap ? length : cap;
    for (size_t i = 0; i < cap; i++) {
        if (reader->is_special[(unsigned char)bytes[i]]) {
            /* A NUL stands alone: what is wrong before it is found first. */
            return bytes[i] == '\0' && i > 0 ? i : i + 1;
        }
    }
    return cap;
}

static rig_status check_limits(rig__csv_reader *reader)
{
    const char *const name = reader->options.name;
    if (reader->cell_bytes > RIG__CSV_CELL_BYTES) {
        return rig__error_set(&reader->error,
                              RIG_E_PARSE,
                              name,
                              reader->cell_line,
                              reader->cell_column,
                              "cell longer than %d bytes%s",
                              RIG__CSV_CELL_BYTES,
                              reader->is_quoted ? " (is its closing quote missing?)" : "");
    }
    if (reader->row_bytes > RIG__CSV_ROW_BYTES) {
        return rig__error_set(&reader->error,
                              RIG_E_PARSE,
                              name,
                              reader->line,
                              reader->column,
                              "row longer than %d bytes",
                              RIG__CSV_ROW_BYTES);
    }
    return RIG_OK;
}

static rig_status fail_strict(rig__csv_reader *reader, const char *bytes, size_t i_bad)
{
    const int parser_status = csv_error(&reader->parser);
    if (parser_status == CSV_ENOMEM || parser_status == CSV_ETOOBIG) {
        return rig__error_nomem(&reader->error);
    }
    const long column = reader->column + (long)i_bad;
    if (!reader->is_quoted) {
        rig__error_set(&reader->error,
                       RIG_E_PARSE,
                       reader->options.name,
                       reader->line,
                       column,
                       "stray quote inside an unquoted cell (quote the whole cell and double the "
                       "quotes inside)");
        return RIG_E_PARSE;
    }
    const unsigned char bad = (unsigned char)bytes[i_bad];
    rig__error_set(&reader->error,
                   RIG_E_PARSE,
                   reader->options.name,
                   reader->line,
                   column,
                   bad > ' ' && bad < 0x7f
                       ? "text after a closing quote: '%c' (expected a delimiter or a line end)"
                       : "text after a closing quote: byte 0x%02x (expected a delimiter or a line "
                         "end)",
                   bad);
    rig__error_hint(&reader->error,
                    "the quoted cell begins at line %ld, column %ld",
                    reader->cell_line,
                    reader->cell_column);
    return RIG_E_PARSE;
}

static rig_status parse_segment(rig__csv_reader *reader, const char *bytes, size_t length)
{
    if (bytes[0] == '\0') {
        rig__error_set(&reader->error,
                       RIG_E_PARSE,
                       reader->options.name,
                       reader->line,
                       reader->column,
                       "NUL byte (expected a UTF-8 text file)");
        rig__error_hint(&reader->error, "save the file as \"CSV UTF-8\"");
        return RIG_E_PARSE;
    }
    size_t i_start = 0;
    if (!reader->in_cell) {
        while (i_start < length && is_blank(reader, bytes[i_start])) {
            i_start++;
        }
        if (i_start < length) {
            begin_cell(reader, reader->column + (long)i_start);
            reader->is_quoted = bytes[i_start] == '"';
        }
    }
    reader->cell_bytes += reader->in_cell ? length - i_start : 0;
    reader->row_bytes += length;
    const size_t n_done = csv_parse(&reader->parser, bytes, length, add_cell, end_row, reader);
    if (reader->status != RIG_OK) {
        return reader->status;
    }
    if (n_done != length) {
        return fail_strict(reader, bytes, n_done);
    }
    advance(reader, bytes, length);
    return check_limits(reader);
}

/* Length of a line that can be fed at once, with its end; 0: it cannot. */
static size_t plain_length(const rig__csv_reader *reader, const char *bytes, size_t length)
{
    if (reader->column != 1 || reader->in_cell || reader->n_cells > 0 || reader->was_cr) {
        return 0;
    }
    const size_t cap = length < RIG__CSV_CELL_BYTES ? length : RIG__CSV_CELL_BYTES;
    const char *const end = memchr(bytes, '\n', cap);
    if (end == NULL) {
        return 0;
    }
    const size_t n = (size_t)(end - bytes) + 1;
    const bool is_plain = memchr(bytes, '"', n) == NULL && memchr(bytes, '\r', n) == NULL &&
                          memchr(bytes, '\0', n) == NULL;
    return is_plain ? n : 0;
}

static rig_status parse_plain(rig__csv_reader *reader, const char *bytes, size_t length)
{
    reader->plain_line = bytes;
    reader->plain_at = bytes;
    const size_t n_done = csv_parse(&reader->parser, bytes, length, add_cell, end_row, reader);
    reader->plain_line = NULL;
    if (reader->status != RIG_OK) {
        return reader->status;
    }
    if (n_done != length) { /* without quotes only memory can be short */
        return fail_strict(reader, bytes, n_done);
    }
    reader->line++;
    return RIG_OK;
}

static rig_status parse(rig__csv_reader *reader, const char *bytes, size_t length)
{
    size_t i = 0;
    while (i < length && reader->status == RIG_OK) {
        const size_t n_plain = plain_length(reader, bytes + i, length - i);
        const size_t n = n_plain > 0 ? n_plain : segment_length(reader, bytes + i, length - i);
        reader->status =
            n_plain > 0 ? parse_plain(reader, bytes + i, n) : parse_segment(reader, bytes + i, n);
        i += n;
    }
    return reader->status;
}

/* ---- head of the file ------------------------------------------------------------------------ */

/* The head is everything up to the end of the first line that is not blank. */
static rig_status finish_head(rig__csv_reader *reader)
{
    static const char bom[] = {'\xef', '\xbb', '\xbf'};
    reader->is_head_done = true;
    reader->status =
        rig__csv_head_check(reader->head, reader->n_head, reader->options.name, &reader->error);
    if (reader->status != RIG_OK) {
        return reader->status;
    }
    const char *head = reader->head;
    size_t n_head = reader->n_head;
    if (n_head >= sizeof bom && memcmp(head, bom, sizeof bom) == 0) {
        head += sizeof bom;
        n_head -= sizeof bom;
    }
    reader->delimiter =
        reader->options.is_comma_forced ? ',' : rig__csv_head_delimiter(head, n_head);
    csv_set_delim(&reader->parser, (unsigned char)reader->delimiter);
    const char specials[] = {reader->delimiter, '"', '\r', '\n', '\0'};
    for (size_t i = 0; i < sizeof specials; i++) {
        reader->is_special[(unsigned char)specials[i]] = true;
    }
    return parse(reader, head, n_head);
}

static size_t fill_head(rig__csv_reader *reader, const char *bytes, size_t length, bool *is_full)
{
    size_t i = 0;
    *is_full = false;
    while (i < length && !*is_full) {
        const char byte = bytes[i++];
        const bool is_line_end = byte == '\n' || byte == '\r';
        reader->head[reader->n_head++] = byte;
        reader->has_head_text = reader->has_head_text || !(is_line_end || byte == ' ');
        *is_full = reader->n_head == HEAD_BYTES || (is_line_end && reader->has_head_text);
    }
    return i;
}

rig_status
rig__csv_reader_feed(rig__csv_reader *reader, const char *bytes, size_t length, rig_error *err)
{
    size_t n_used = 0;
    if (reader->status == RIG_OK && !reader->is_head_done) {
        bool is_full = false;
        n_used = fill_head(reader, bytes, length, &is_full);
        if (!is_full) {
            return RIG_OK;
        }
        reader->status = finish_head(reader);
    }
    if (reader->status == RIG_OK) {
        reader->status = parse(reader, bytes + n_used, length - n_used);
    }
    return reader->status == RIG_OK ? RIG_OK : fail(reader, err);
}

rig_status rig__csv_reader_finish(rig__csv_reader *reader, rig_error *err)
{
    if (reader->status == RIG_OK && !reader->is_head_done) {
        reader->status = finish_head(reader);
    }
    if (reader->status != RIG_OK) {
        return fail(reader, err);
    }
    if (csv_fini(&reader->parser, add_cell, end_row, reader) != 0 && reader->status == RIG_OK) {
        reader->status = rig__error_set(&reader->error,
                                        RIG_E_PARSE,
                                        reader->options.name,
                                        reader->cell_line,
                                        reader->cell_column,
                                        "quote opened here is never closed (expected '\"' before "
                                        "the end of the file)");
    }
    if (reader->status == RIG_OK && reader->n_rows == 0) {
        reader->status = rig__error_set(&reader->error,
                                        RIG_E_PARSE,
                                        reader->options.name,
                                        1,
                                        1,
                                        "empty file (expected a header line)");
    }
    return reader->status == RIG_OK ? RIG_OK : fail(reader, err);
}

/* ---- whole texts ----------------------------------------------------------------------------- */

static rig_status feed_stream(rig__csv_reader *reader, FILE *stream, rig_error *err)
{
    char *const bytes = malloc(READ_BYTES);
    if (bytes == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status = RIG_OK;
    size_t n = READ_BYTES;
    while (status == RIG_OK && n == READ_BYTES) {
        n = fread(bytes, 1, READ_BYTES, stream);
        status = rig__csv_reader_feed(reader, bytes, n, err);
    }
    if (status == RIG_OK && ferror(stream)) {
        status = rig__error_set(
            err, RIG_E_IO, reader->options.name, 0, 0, "cannot read: %s", strerror(errno));
    }
    free(bytes);
    return status == RIG_OK ? rig__csv_reader_finish(reader, err) : status;
}

rig_status rig__csv_read_file(const char *path, const rig__csv_options *options, rig_error *err)
{
    rig_status status = RIG_OK;
    rig__csv_reader *const reader = rig__csv_reader_new(options);
    FILE *const stream = fopen(path, "rb");
    if (stream == NULL) {
        status =
            rig__error_set(err, RIG_E_IO, options->name, 0, 0, "cannot open: %s", strerror(errno));
    } else if (reader == NULL) {
        status = rig__error_nomem(err);
    } else {
        status = feed_stream(reader, stream, err);
    }
    if (stream != NULL) {
        (void)fclose(stream);
    }
    rig__csv_reader_free(reader);
    return status;
}

rig_status rig__csv_read_memory(const char *bytes,
                                size_t length,
                                const rig__csv_options *options,
                                rig_error *err)
{
    rig__csv_reader *const reader = rig__csv_reader_new(options);
    if (reader == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status = rig__csv_reader_feed(reader, bytes, length, err);
    if (status == RIG_OK) {
        status = rig__csv_reader_finish(reader, err);
    }
    rig__csv_reader_free(reader);
    return status;
}

rig_status
rig__csv_row_check(const rig__csv_row *row, size_t n_expected, const char *name, rig_error *err)
{
    if (row->n_cells == n_expected) {
        return RIG_OK;
    }
    const bool is_long = row->n_cells > n_expected;
    const rig__csv_cell *const cell = &row->cells[is_long ? n_expected : row->n_cells - 1];
    rig__error_set(err,
                   RIG_E_PARSE,
                   name,
                   cell->line,
                   cell->column,
                   "wrong number of cells: %zu (expected %zu as in the header)",
                   row->n_cells,
                   n_expected);
    if (is_long) {
        rig__error_hint(err, "a cell that holds the delimiter must be quoted");
    }
    return RIG_E_PARSE;
}
