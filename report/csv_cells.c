/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cells and rows of CSV. */
#include "report/csv_cells.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"

#define FIGURE_DIGITS 6

rig__csv rig__csv_begin(rig__output *output)
{
    const rig_report_options *options = output->options;
    const rig__csv out = {
        .output = output,
        .is_guarded = options->is_excel || !options->no_csv_guard,
        .is_quoted = options->is_excel,
        .has_crlf = options->is_excel || options->use_crlf,
    };
    if (options->is_excel) {
        rig__output_text(output, "\xEF\xBB\xBF");
    }
    return out;
}

static void start_cell(rig__csv *out)
{
    if (out->is_row_started) {
        rig__output_text(out->output, ",");
    }
    out->is_row_started = true;
}

void rig__csv_end_row(rig__csv *out)
{
    rig__output_text(out->output, out->has_crlf ? "\r\n" : "\n");
    out->is_row_started = false;
}

/** A cell as it is, quoted if its bytes need it. */
void rig__csv_raw(rig__csv *out, const char *text, bool is_quoted)
{
    start_cell(out);
    if (!is_quoted && strpbrk(text, ",\"\r\n") == NULL) {
        rig__output_text(out->output, text);
        return;
    }
    rig__output_text(out->output, "\"");
    for (const char *quote = strchr(text, '"'); quote != NULL; quote = strchr(text, '"')) {
        rig__output_bytes(out->output, text, (size_t)(quote - text) + 1);
        rig__output_text(out->output, "\"");
        text = quote + 1;
    }
    rig__output_text(out->output, text);
    rig__output_text(out->output, "\"");
}

/** A text; NULL is an empty cell. A spreadsheet runs text that starts like a formula even when it
 *  is quoted, so an apostrophe goes before it. */
void rig__csv_text(rig__csv *out, const char *text)
{
    const char *cell = rig__output_clean(out->output, text, RIG__CLEAN_CELL);
    if (out->is_guarded && cell[0] != '\0' && strchr("=+-@\t\r", cell[0]) != NULL) {
        cell = rig__output_string(out->output, "'%s", cell);
    }
    rig__csv_raw(out, cell, out->is_quoted && cell[0] != '\0');
}

/** A number; NAN and infinity are empty cells. */
void rig__csv_number(rig__csv *out, double value)
{
    char text[32];
    rig__csv_raw(out, rig__number_format(text, sizeof(text), value), false);
}

void rig__csv_figure(rig__csv *out, double value)
{
    char text[32];
    double rounded = (double)NAN;
    if (isfinite(value)) {
        rig__decimal_print(text, sizeof(text), FIGURE_DIGITS, value);
        (void)rig__number_parse(text, strlen(text), &rounded);
    }
    rig__csv_number(out, rounded); /* without an exponent where it can be */
}

void rig__csv_bool(rig__csv *out, bool value)
{
    rig__csv_raw(out, value ? "true" : "false", false);
}

void rig__csv_names(rig__csv *out, const char *const *names, size_t n_names)
{
    for (size_t i = 0; i < n_names; i++) {
        rig__csv_raw(out, names[i], false);
    }
}
