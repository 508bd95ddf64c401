/* SPDX-License-Identifier: GPL-3.0-or-later
 * A linear program as CPLEX LP and as free MPS, in the parts of both that all solvers read. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "optimizer/linear.h"

enum {
    BUFFER_SIZE = 1 << 16,
    NUMBER_SIZE = 32,
    LINE_MAX_LETTERS = 100 /* some readers have lines of 255 or 510 */
};

typedef struct writer {
    rig_write_sink sink;
    void *payload;
    size_t n_used, n_line; /* bytes in the buffer, letters of the line */
    bool has_failed;
    char buffer[BUFFER_SIZE];
} writer;

static void flush(writer *w)
{
    w->has_failed = w->has_failed || (w->n_used > 0 && !w->sink(w->buffer, w->n_used, w->payload));
    w->n_used = 0;
}

static void text(writer *w, const char *bytes)
{
    for (; *bytes != '\0'; bytes++) {
        if (w->n_used == BUFFER_SIZE) {
            flush(w);
        }
        w->buffer[w->n_used++] = *bytes;
        w->n_line = *bytes == '\n' ? 0 : w->n_line + 1;
    }
}

static void words(writer *w, size_t n, ...)
{
    va_list arguments;
    va_start(arguments, n);
    for (size_t i = 0; i < n; i++) {
        text(w, va_arg(arguments, const char *));
    }
    va_end(arguments);
}

static const char *number(char buffer[NUMBER_SIZE], double value)
{
    return rig__number_format(buffer, NUMBER_SIZE, value == 0 ? 0 : value);
}

/* Comments come from catalogue and command line, so nothing but printable ASCII passes. */
static void comment(writer *w, const char *mark, const char *line)
{
    text(w, mark);
    for (; *line != '\0'; line++) {
        const char letter[2] = {*line >= ' ' && *line <= '~' ? *line : '?', '\0'};
        text(w, letter);
    }
    text(w, "\n");
}

/* ---- CPLEX LP -------------------------------------------------------------------------------- */

static void lp_term(writer *w, double value, const char *name)
{
    char digits[NUMBER_SIZE];
    if (w->n_line > LINE_MAX_LETTERS) {
        text(w, "\n  ");
    }
    text(w, value < 0 ? " - " : " + ");
    if (fabs(value) != 1) {
        words(w, 2, number(digits, fabs(value)), " ");
    }
    text(w, name);
}

/* All columns stand in the objective, so that readers number them alike. */
static void lp_objective(writer *w, const rig__linear *linear)
{
    text(w, "Minimize\n obj:");
    for (size_t j = 0; j < linear->n_columns; j++) {
        lp_term(w, linear->columns[j].objective, linear->columns[j].name);
    }
    text(w, "\n");
}

static void lp_rows(writer *w, const rig__linear *linear)
{
    static const char *const senses[] = {" <= ", " = ", " >= "};
    char digits[NUMBER_SIZE];
    text(w, "Subject To\n");
    for (size_t i = 0; i < linear->n_rows; i++) {
        const rig__linear_row *row = &linear->rows[i];
        words(w, 3, " ", row->name, ":");
        for (size_t k = row->start; k < row->start + row->length; k++) {
            lp_term(w, linear->value[k], linear->columns[linear->index[k]].name);
        }
        words(w, 3, senses[row->sense], number(digits, row->right), "\n");
    }
}

static bool is_binary(const rig__linear_column *column)
{
    return column->is_integer && column->high == 1;
}

/* A section that lists whole variables, unless it is empty. */
static void lp_integers(writer *w, const rig__linear *linear, bool of_binaries, const char *heading)
{
    bool has_heading = false;
    for (size_t j = 0; j < linear->n_columns; j++) {
        const rig__linear_column *column = &linear->columns[j];
        if (column->is_integer && is_binary(column) == of_binaries) {
            words(w, 4, has_heading ? "" : heading, " ", column->name, "\n");
            has_heading = true;
        }
    }
}

static void lp_bounds(writer *w, const rig__linear *linear)
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    text(w, "Bounds\n");
    for (size_t j = 0; j < linear->n_columns; j++) {
        const rig__linear_column *column = &linear->columns[j];
        if (column->low == column->high) {
            words(w, 5, " ", column->name, " = ", number(low, column->low), "\n");
        } else if (!is_binary(column) && isfinite(column->high)) {
            words(w, 4, " ", number(low, column->low), " <= ", column->name);
            words(w, 3, " <= ", number(high, column->high), "\n");
        }
    }
    lp_integers(w, linear, true, "Binaries\n");
    lp_integers(w, linear, false, "Generals\n");
    text(w, "End\n");
}

/* ---- free MPS -------------------------------------------------------------------------------- */

/* Entries of each column, as a list through the entries. */
typedef struct by_column {
    size_t *first, *next, *row; /* 1 + entry, 0: end */
} by_column;

static bool transpose(const rig__linear *linear, by_column *out)
{
    out->first = calloc(linear->n_columns + 1, sizeof *out->first);
    out->next = calloc(linear->n_entries + 1, sizeof *out->next);
    out->row = calloc(linear->n_entries + 1, sizeof *out->row);
    if (out->first == NULL || out->next == NULL || out->row == NULL) {
        return false;
    }
    for (size_t i = linear->n_rows; i-- > 0;) {
        for (size_t k = linear->rows[i].start; k < linear->rows[i].start + linear->rows[i].length;
             k++) {
            out->row[k] = i;
            out->next[k] = out->first[linear->index[k]];
            out->first[linear->index[k]] = k + 1;
        }
    }
    return true;
}

static void mps_rows(writer *w, const rig__linear *linear)
{
    static const char *const senses[] = {" L ", " E ", " G "};
    text(w, "ROWS\n N obj\n");
    for (size_t i = 0; i < linear->n_rows; i++) {
        words(w, 3, senses[linear->rows[i].sense], linear->rows[i].name, "\n");
    }
}

static void mps_entry(writer *w, const char *column, const char *row, double value)
{
    char digits[NUMBER_SIZE];
    words(w, 6, " ", column, " ", row, " ", number(digits, value));
    text(w, "\n");
}

static void mps_columns(writer *w, const rig__linear *linear, const by_column *entries)
{
    bool is_integer = false;
    text(w, "COLUMNS\n");
    for (size_t j = 0; j < linear->n_columns; j++) {
        const rig__linear_column *column = &linear->columns[j];
        if (column->is_integer != is_integer) {
            is_integer = column->is_integer;
            text(w, is_integer ? " MARKER 'MARKER' 'INTORG'\n" : " MARKER 'MARKER' 'INTEND'\n");
        }
        if (column->objective != 0 || entries->first[j] == 0) {
            mps_entry(w, column->name, "obj", column->objective);
        }
        for (size_t k = entries->first[j]; k != 0; k = entries->next[k - 1]) {
            mps_entry(
                w, column->name, linear->rows[entries->row[k - 1]].name, linear->value[k - 1]);
        }
    }
    text(w, is_integer ? " MARKER 'MARKER' 'INTEND'\n" : "");
}

static void mps_ends(writer *w, const rig__linear *linear)
{
    char digits[NUMBER_SIZE];
    text(w, "RHS\n");
    for (size_t i = 0; i < linear->n_rows; i++) {
        if (linear->rows[i].right != 0) {
            mps_entry(w, "RHS", linear->rows[i].name, linear->rows[i].right);
        }
    }
    text(w, "BOUNDS\n");
    for (size_t j = 0; j < linear->n_columns; j++) {
        const rig__linear_column *column = &linear->columns[j];
        const char *kind = column->low == column->high ? " FX BND " : " UP BND ";
        if (isfinite(column->high)) {
            words(w, 5, kind, column->name, " ", number(digits, column->high), "\n");
        }
    }
    text(w, "ENDATA\n");
}

rig_status rig__linear_write(const rig__linear *linear,
                             const char *name,
                             const char *const *comments,
                             size_t n_comments,
                             rig_program_format format,
                             rig_write_sink sink,
                             void *payload,
                             rig_error *err)
{
    by_column entries = {NULL, NULL, NULL};
    const bool is_mps = format == RIG_PROGRAM_MPS;
    rig_status status = RIG_OK;
    writer *w = calloc(1, sizeof *w);
    if (w == NULL || (is_mps && !transpose(linear, &entries))) {
        status = rig__error_nomem(err);
        goto done;
    }
    w->sink = sink;
    w->payload = payload;
    for (size_t i = 0; i < n_comments; i++) {
        comment(w, is_mps ? "* " : "\\ ", comments[i]);
    }
    if (is_mps) {
        words(w, 3, "NAME ", name, "\n");
        mps_rows(w, linear);
        mps_columns(w, linear, &entries);
        mps_ends(w, linear);
    } else {
        lp_objective(w, linear);
        lp_rows(w, linear);
        lp_bounds(w, linear);
    }
    flush(w);
    if (w->has_failed) {
        status = rig__error_set(err, RIG_E_IO, NULL, 0, 0, "the program could not be written");
    }
done:
    free(entries.first);
    free(entries.next);
    free(entries.row);
    free(w);
    return status;
}
