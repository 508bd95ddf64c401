/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads solution files line by line. They come from anywhere, so nothing in them is trusted. */
#include "optimizer/solution_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum { MOST_WORDS = 8, BLOCK_SIZE = 1 << 16, SHOWN_LETTERS = 60 };
#define MOST_BYTES ((size_t)256 << 20)

typedef struct reader {
    const char *path;
    rig_error *err;
    rig__arena *arena;
    rig__solution *out;
    size_t cap_values;
    char *rest; /* of the text, after the present line */
    char *line; /* NULL: end of the file */
    long number;
    char *words[MOST_WORDS];
    size_t n_words; /* of the line, counted to MOST_WORDS */
} reader;

/* ---- lines and words ------------------------------------------------------------------------- */

static rig_status fault(const reader *r, const char *what, const char *found, const char *expected)
{
    return rig__error_set(r->err,
                          RIG_E_PARSE,
                          r->path,
                          r->number,
                          0,
                          "%s: '%.*s' (expected %s)",
                          what,
                          SHOWN_LETTERS,
                          found,
                          expected);
}

static rig_status cut_short(const reader *r, const char *missing)
{
    return rig__error_set(
        r->err, RIG_E_PARSE, r->path, r->number, 0, "the file is cut short: no %s", missing);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Goes to the next line and splits it into words. @return false: there is none */
static bool next_line(reader *r)
{
    r->n_words = 0;
    r->line = *r->rest == '\0' ? NULL : r->rest;
    if (r->line == NULL) {
        return false;
    }
    r->number++;
    char *end = strchr(r->line, '\n');
    r->rest = end == NULL ? r->line + strlen(r->line) : end + 1;
    if (end != NULL) {
        *end = '\0';
    }
    for (char *at = r->line; r->n_words < MOST_WORDS;) {
        while (is_blank(*at)) {
            *at++ = '\0';
        }
        if (*at == '\0') {
            break;
        }
        r->words[r->n_words++] = at;
        while (*at != '\0' && !is_blank(*at)) {
            at++;
        }
    }
    return true;
}

static bool is_word(const reader *r, size_t at, const char *text)
{
    return at < r->n_words && strcmp(r->words[at], text) == 0;
}

static rig_status read_number(const reader *r, size_t at, double *out)
{
    const char *text = at < r->n_words ? r->words[at] : "";
    return rig__number_parse(text, strlen(text), out) ? RIG_OK
                                                      : fault(r, "not a value", text, "a number");
}

static rig_status read_count(const reader *r, size_t at, size_t *out)
{
    double value = 0;
    RIG_TRY(read_number(r, at, &value));
    if (!(value >= 0 && value <= 1e9) || value != (double)(size_t)value) {
        return fault(r, "not a count", r->words[at], "a whole number");
    }
    *out = (size_t)value;
    return RIG_OK;
}

static rig_status add_value(reader *r, const char *name, size_t number, double value)
{
    rig__solution *out = r->out;
    if (out->n_values == r->cap_values) {
        const size_t more = r->cap_values == 0 ? 1024 : r->cap_values * 2;
        rig__solution_value *values = rig__arena_alloc(r->arena, more, sizeof *values);
        if (values == NULL) {
            return rig__error_nomem(r->err);
        }
        if (out->n_values > 0) {
            memcpy(values, out->values, out->n_values * sizeof *values);
        }
        out->values = values;
        r->cap_values = more;
    }
    const char *kept = name == NULL ? NULL : rig__arena_copy(r->arena, name, strlen(name));
    if (name != NULL && kept == NULL) {
        return rig__error_nomem(r->err);
    }
    out->values[out->n_values++] = (rig__solution_value){kept, number, value, r->number};
    return RIG_OK;
}

/* ---- HiGHS ----------------------------------------------------------------------------------- */

static rig_status highs_columns(reader *r, size_t n)
{
    r->out->n_columns = n;
    for (size_t i = 0; i < n; i++) {
        double value = 0;
        if (!next_line(r)) {
            return cut_short(r, "value of every column");
        }
        if (r->n_words != 2) {
            return fault(r, "not a column", r->n_words > 0 ? r->words[0] : "", "name and value");
        }
        RIG_TRY(read_number(r, 1, &value));
        RIG_TRY(add_value(r, r->words[0], 0, value));
    }
    return RIG_OK;
}

/* "Model status", the status, sections that begin with '#'. */
static rig_status read_highs(reader *r)
{
    bool is_primal = false, is_feasible = false;
    r->out->solver = "HiGHS";
    if (!next_line(r) || r->n_words == 0) {
        return cut_short(r, "status");
    }
    r->out->status = is_word(r, 0, "Optimal")      ? RIG__SOLUTION_OPTIMAL
                     : is_word(r, 0, "Infeasible") ? RIG__SOLUTION_NONE
                                                   : RIG__SOLUTION_UNKNOWN;
    while (next_line(r)) {
        if (is_word(r, 0, "#") && is_word(r, 1, "Primal")) {
            is_primal = true;
        } else if (is_primal && r->n_words == 1 && is_word(r, 0, "Feasible")) {
            is_feasible = true;
        } else if (is_primal && is_word(r, 0, "#") && is_word(r, 1, "Columns")) {
            size_t n = 0;
            RIG_TRY(read_count(r, 2, &n));
            RIG_TRY(highs_columns(r, n));
            break;
        }
    }
    if (r->out->status == RIG__SOLUTION_UNKNOWN && is_feasible) {
        r->out->status = RIG__SOLUTION_FEASIBLE;
    }
    return r->out->status != RIG__SOLUTION_NONE && r->out->status != RIG__SOLUTION_UNKNOWN &&
                   r->out->n_columns == 0
               ? cut_short(r, "columns")
               : RIG_OK;
}

/* ---- glpsol ---------------------------------------------------------------------------------- */

/* "s mip ROWS COLUMNS STATUS OBJECTIVE"; "s bas ..." where the relaxation has no solution. */
static rig_status glpk_status(reader *r)
{
    size_t n = 0;
    if (!is_word(r, 1, "mip") && !is_word(r, 4, "n")) {
        return fault(
            r, "not a solution in whole numbers", r->n_words > 1 ? r->words[1] : "", "mip");
    }
    RIG_TRY(read_count(r, 3, &n));
    r->out->n_columns = n;
    r->out->status = is_word(r, 4, "o")   ? RIG__SOLUTION_OPTIMAL
                     : is_word(r, 4, "f") ? RIG__SOLUTION_FEASIBLE
                     : is_word(r, 4, "n") ? RIG__SOLUTION_NONE
                                          : RIG__SOLUTION_UNKNOWN;
    return RIG_OK;
}

/* glpsol --write: lines that begin with a letter, up to "e o f". */
static rig_status read_glpk_write(reader *r)
{
    r->out->solver = "glpsol";
    do {
        if (is_word(r, 0, "s")) {
            RIG_TRY(glpk_status(r));
        } else if (is_word(r, 0, "j")) {
            size_t number = 0;
            double value = 0;
            RIG_TRY(read_count(r, 1, &number));
            RIG_TRY(read_number(r, 2, &value));
            RIG_TRY(add_value(r, NULL, number, value));
        } else if (is_word(r, 0, "e")) {
            return r->out->n_columns > 0 ? RIG_OK : cut_short(r, "status line");
        }
    } while (next_line(r));
    return cut_short(r, "line 'e o f'");
}

/* Lines "NUMBER NAME [*] ACTIVITY ..."; a long name stands on a line of its own. */
static rig_status glpk_columns(reader *r)
{
    while (next_line(r) && r->n_words > 0) {
        double value = 0;
        if (strncmp(r->words[0], "---", 3) == 0) {
            continue;
        }
        const char *name = r->n_words > 1 ? r->words[1] : "";
        size_t at = 2;
        if (r->n_words == 2) {
            if (!next_line(r)) {
                return cut_short(r, "value of every column");
            }
            at = 0;
        }
        at += is_word(r, at, "*") ? 1 : 0;
        RIG_TRY(read_number(r, at, &value));
        RIG_TRY(add_value(r, name, 0, value));
    }
    return RIG_OK;
}

/* glpsol --output: headings, a table of rows, a table of columns, "End of output". */
static rig_status read_glpk_output(reader *r)
{
    r->out->solver = "glpsol";
    r->out->status = RIG__SOLUTION_UNKNOWN;
    while (next_line(r)) {
        if (is_word(r, 0, "Status:")) {
            if (is_word(r, 1, "INFEASIBLE")) {
                r->out->status = RIG__SOLUTION_NONE;
                continue;
            }
            if (!is_word(r, 1, "INTEGER")) {
                return fault(r,
                             "not a solution in whole numbers",
                             r->n_words > 1 ? r->words[1] : "",
                             "INTEGER OPTIMAL");
            }
            r->out->status = is_word(r, 2, "OPTIMAL")       ? RIG__SOLUTION_OPTIMAL
                             : is_word(r, 2, "NON-OPTIMAL") ? RIG__SOLUTION_FEASIBLE
                             : is_word(r, 2, "EMPTY")       ? RIG__SOLUTION_NONE
                                                            : RIG__SOLUTION_UNKNOWN;
        } else if (is_word(r, 0, "Columns:")) {
            RIG_TRY(read_count(r, 1, &r->out->n_columns));
        } else if (is_word(r, 0, "No.") && is_word(r, 1, "Column")) {
            RIG_TRY(glpk_columns(r));
        } else if (is_word(r, 0, "End") && is_word(r, 1, "of")) {
            return RIG_OK;
        }
    }
    return cut_short(r, "line 'End of output'");
}

/* ---- cbc ------------------------------------------------------------------------------------- */

/* "STATUS - objective value NUMBER", then lines "[**] NUMBER NAME VALUE COST". */
static rig_status read_cbc(reader *r, rig__solution_status status)
{
    r->out->solver = "cbc";
    r->out->status = status;
    while (next_line(r)) {
        double value = 0;
        const size_t at = is_word(r, 0, "**") ? 1 : 0;
        if (r->n_words == 0) {
            continue;
        }
        if (r->n_words < at + 3) {
            return fault(r, "not a column", r->words[0], "number, name and value");
        }
        RIG_TRY(read_number(r, at + 2, &value));
        RIG_TRY(add_value(r, r->words[at + 1], 0, value));
    }
    return RIG_OK;
}

static rig__solution_status cbc_status(const char *line)
{
    return strstr(line, "no integer solution") != NULL ? RIG__SOLUTION_UNKNOWN
           : strstr(line, "nfeasible") != NULL         ? RIG__SOLUTION_NONE
           : strncmp(line, "Optimal", 7) == 0          ? RIG__SOLUTION_OPTIMAL
           : strncmp(line, "Stopped", 7) == 0          ? RIG__SOLUTION_FEASIBLE
                                                       : RIG__SOLUTION_UNKNOWN;
}

/* ---- the file -------------------------------------------------------------------------------- */

static rig_status read_lines(reader *r)
{
    const char *end = strchr(r->rest, '\n');
    const size_t length = end == NULL ? strlen(r->rest) : (size_t)(end - r->rest);
    char first[256];
    (void)snprintf(first, sizeof first, "%.*s", length < 255 ? (int)length : 255, r->rest);
    if (!next_line(r)) {
        return rig__error_set(r->err, RIG_E_PARSE, r->path, 0, 0, "the file is empty");
    }
    if (strstr(first, "objective value") != NULL) {
        return read_cbc(r, cbc_status(first));
    }
    if (is_word(r, 0, "Model") && is_word(r, 1, "status")) {
        return read_highs(r);
    }
    if (is_word(r, 0, "Problem:")) {
        return read_glpk_output(r);
    }
    if (is_word(r, 0, "c") || is_word(r, 0, "s")) {
        return read_glpk_write(r);
    }
    return fault(r,
                 "no solution file",
                 r->n_words > 0 ? r->words[0] : "",
                 "one of glpsol (--output or --write), cbc or HiGHS");
}

/* The whole file with a NUL at its end, from malloc. */
static rig_status slurp(const char *path, char **out, size_t *length, rig_error *err)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0, n_read = 0;
    if (file == NULL) {
        return rig__error_set(
            err, RIG_E_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
    }
    rig_status status = RIG_OK;
    do {
        char *moved = realloc(text, n + BLOCK_SIZE + 1);
        if (moved == NULL) {
            status = rig__error_nomem(err);
            break;
        }
        text = moved;
        n_read = fread(text + n, 1, BLOCK_SIZE, file);
        n += n_read;
    } while (n_read > 0 && n <= MOST_BYTES);
    if (status == RIG_OK && ferror(file)) {
        status = rig__error_set(
            err, RIG_E_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
    } else if (status == RIG_OK && n > MOST_BYTES) {
        status = rig__error_set(
            err, RIG_E_PARSE, path, 0, 0, "the file is too large (expected 256 MiB at most)");
    }
    (void)fclose(file);
    if (status != RIG_OK) {
        free(text);
        return status;
    }
    text[n] = '\0';
    *out = text;
    *length = n;
    return RIG_OK;
}

rig_status
rig__solution_read(rig__solution *out, const char *path, rig__arena *arena, rig_error *err)
{
    char *text = NULL;
    size_t length = 0;
    *out = (rig__solution){.solver = ""};
    RIG_TRY(slurp(path, &text, &length, err));
    reader r = {.path = path, .err = err, .arena = arena, .out = out, .rest = text};
    const rig_status status =
        strlen(text) == length
            ? read_lines(&r)
            : rig__error_set(err, RIG_E_PARSE, path, 0, 0, "the file is no text (it holds NUL)");
    free(text);
    return status;
}
