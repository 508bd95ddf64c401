/* SPDX-License-Identifier: GPL-3.0-or-later
 * Profiles written as CSV, as they are read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/profile.h"

static int compare_rows(const void *a, const void *b)
{
    const rig_profile_entry *const x = &(*(const rig__profile_row *const *)a)->entry;
    const rig_profile_entry *const y = &(*(const rig__profile_row *const *)b)->entry;
    return x->table != y->table ? (x->table > y->table) - (x->table < y->table)
                                : strcmp(x->name, y->name);
}

/* RFC 4180: quoted where a comma, a quote or the end of a line would end the cell. */
static void write_text(const char *text, rig_text_sink sink, void *payload)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        sink(text, payload);
        return;
    }
    sink("\"", payload);
    for (const char *at = text; *at != '\0'; at++) {
        const char piece[3] = {*at, *at == '"' ? '"' : '\0', '\0'};
        sink(piece, payload);
    }
    sink("\"", payload);
}

/* An unknown figure is an empty cell. */
static void write_number(double value, rig_text_sink sink, void *payload)
{
    char text[32];
    sink(",", payload);
    if (!isnan(value)) {
        sink(rig__number_format(text, sizeof text, value), payload);
    }
}

rig_status
rig_profile_write(const rig_profile *profile, rig_text_sink sink, void *payload, rig_error *err)
{
    const rig__profile_row **const rows = malloc((profile->n_rows + 1) * sizeof *rows);
    if (rows == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < profile->n_rows; i++) {
        rows[i] = &profile->rows[i];
    }
    qsort((void *)rows, profile->n_rows, sizeof *rows, compare_rows);
    sink("table,name,value,log_sd,rows,source\n", payload);
    for (size_t i = 0; i < profile->n_rows; i++) {
        const rig_profile_entry *const entry = &rows[i]->entry;
        sink(rig__profile_word(entry->table), payload);
        sink(",", payload);
        write_text(entry->name, sink, payload);
        write_number(entry->value, sink, payload);
        write_number(entry->log_sd, sink, payload);
        write_number(entry->rows, sink, payload);
        sink(",", payload);
        write_text(entry->source, sink, payload);
        sink("\n", payload);
    }
    free((void *)rows);
    return RIG_OK;
}
