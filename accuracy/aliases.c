/* SPDX-License-Identifier: GPL-3.0-or-later
 * Printed names to catalogue rows: the alias file and the forms that processors are printed in. */
#include "accuracy/aliases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/csv_table.h"

typedef enum column { TABLE, LABEL, NAME, CORES, SOURCE, N_COLUMNS } column;

static const char *const headers[N_COLUMNS] = {"table", "label", "name", "cores", "source"};

typedef struct alias_row {
    rig_table table;
    const char *label;
    rig__alias alias;
} alias_row;

struct rig__aliases {
    rig__csv_table *table; /* NULL: empty */
    size_t columns[N_COLUMNS];
    alias_row *rows;
    size_t n_rows;
};

static rig__csv_cell cell_of(const rig__aliases *from, size_t i_row, column which)
{
    return rig__csv_table_cell(from->table, i_row, from->columns[which]);
}

static rig_status read_row(rig__aliases *from, size_t i_row, rig_error *err)
{
    rig_table table = RIG_TABLE_CPU;
    double cores = NAN;
    const rig__csv_cell text = cell_of(from, i_row, CORES);
    const char *const word = cell_of(from, i_row, TABLE).text;
    if (strcmp(word, "rule") == 0) {
        table = RIG__ALIAS_RULE;
    } else if (rig_table_parse(word, &table, NULL) != RIG_OK) {
        return rig__csv_table_fail(from->table,
                                   i_row,
                                   from->columns[TABLE],
                                   RIG_E_SCHEMA,
                                   "unknown table (expected cpu, gpu, network, rule ...)",
                                   err);
    }
    if (cell_of(from, i_row, LABEL).length == 0) {
        return rig__csv_table_fail(
            from->table, i_row, from->columns[LABEL], RIG_E_PARSE, "no label", err);
    }
    if (text.length > 0 && !rig__number_parse(text.text, text.length, &cores)) {
        return rig__csv_table_fail(
            from->table, i_row, from->columns[CORES], RIG_E_PARSE, "not a number", err);
    }
    if (cores < 1.0 || cores > 4096.0) {
        return rig__csv_table_fail(from->table,
                                   i_row,
                                   from->columns[CORES],
                                   RIG_E_RANGE,
                                   "cores out of range (expected 1 to 4096)",
                                   err);
    }
    from->rows[i_row] = (alias_row){.table = table,
                                    .label = cell_of(from, i_row, LABEL).text,
                                    .alias = {cell_of(from, i_row, NAME).text, cores}};
    return RIG_OK;
}

static rig_status read_rows(rig__aliases *from, rig_error *err)
{
    RIG_TRY(rig__csv_table_columns(from->table,
                                   headers,
                                   N_COLUMNS,
                                   "aliases have the columns table, label, name, cores, source",
                                   from->columns,
                                   err));
    from->n_rows = rig__csv_table_n_rows(from->table);
    from->rows = calloc(from->n_rows + 1, sizeof *from->rows);
    if (from->rows == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < from->n_rows; i++) {
        RIG_TRY(read_row(from, i, err));
    }
    return RIG_OK;
}

rig_status rig__aliases_read(rig__aliases **out, const char *path, rig_error *err)
{
    *out = NULL;
    rig__aliases *const aliases = calloc(1, sizeof *aliases);
    if (aliases == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status = RIG_OK;
    if (path != NULL) {
        status = rig__csv_table_read_file(&aliases->table, path, err);
    }
    if (status == RIG_OK && path != NULL) {
        status = read_rows(aliases, err);
    }
    if (status != RIG_OK) {
        rig__aliases_free(aliases);
        return status;
    }
    *out = aliases;
    return RIG_OK;
}

void rig__aliases_free(rig__aliases *aliases)
{
    if (aliases != NULL) {
        rig__csv_table_free(aliases->table);
        free(aliases->rows);
        free(aliases);
    }
}

bool rig__aliases_at(const rig__aliases *aliases,
                     size_t index,
                     rig_table *table,
                     const char **label,
                     rig__alias *out)
{
    if (index >= aliases->n_rows) {
        return false;
    }
    *table = aliases->rows[index].table;
    *label = aliases->rows[index].label;
    *out = aliases->rows[index].alias;
    return true;
}

bool rig__aliases_find(const rig__aliases *aliases,
                       rig_table table,
                       const char *label,
                       rig__alias *out)
{
    size_t longest = 0;
    for (size_t i = 0; i < aliases->n_rows; i++) {
        const alias_row *const row = &aliases->rows[i];
        const size_t length = row->table == table ? strlen(row->label) : 0;
        if (length > longest && rig__text_match(label, row->label)) {
            longest = length;
            *out = row->alias;
        }
    }
    return longest > 0;
}

const rig_row *rig__aliases_row(const rig__aliases *aliases,
                                const rig_catalog *catalog,
                                rig_table table,
                                const char *label,
                                double *cores_out)
{
    rig__alias alias = {.cores = NAN};
    const rig_row *row = NULL;
    if (rig__aliases_find(aliases, table, label, &alias)) {
        row = rig_catalog_get(catalog, table, alias.name);
    } else if (rig_catalog_find(catalog, table, label, &row, NULL) != RIG_OK) {
        row = NULL;
    }
    if (cores_out != NULL) {
        *cores_out = alias.cores;
    }
    return row;
}

/* ---- processors ----------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "64-Core": a count in the name that is no model number. */
static bool is_core_count(const char *word)
{
    const char *at = word;
    while (is_digit(*at)) {
        at++;
    }
    return at > word && rig__text_has_prefix_nocase(at, "-core");
}

static bool is_filler(const char *word)
{
    static const char *const fillers[] = {"CPU", "Processor", "with", "(with", "IBPB)"};
    for (size_t i = 0; i < sizeof fillers / sizeof fillers[0]; i++) {
        if (rig__text_compare_nocase(word, fillers[i]) == 0) {
            return true;
        }
    }
    return is_core_count(word);
}

/* Takes out "(R)" and "(TM)" and cuts the text at a clock or a remark in brackets. */
static void strip_marks(char *text)
{
    static const char *const marks[] = {"(R)", "(TM)"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        for (char *at = strstr(text, marks[i]); at != NULL; at = strstr(text, marks[i])) {
            *at = ' ';
            memmove(at + 1, at + strlen(marks[i]), strlen(at + strlen(marks[i])) + 1);
        }
    }
    text[strcspn(text, "@([,")] = '\0';
}

/* "96 vCPU" anywhere in the text. */
static double find_vcpus(const char *text)
{
    const char *const at = strstr(text, "vCPU");
    if (at == NULL) {
        return NAN;
    }
    const char *begin = at;
    while (begin > text && (begin[-1] == ' ' || is_digit(begin[-1]))) {
        begin--;
    }
    double value = 0.0;
    for (; begin < at; begin++) {
        value = is_digit(*begin) && value < 1e6 ? value * 10.0 + (*begin - '0') : value;
    }
    return value >= 1.0 ? value : (double)NAN;
}

void rig__printed_cpu_parse(const char *text, rig__printed_cpu *out)
{
    char copy[192];
    *out = (rig__printed_cpu){.sockets = NAN, .vcpus = find_vcpus(text)};
    (void)snprintf(copy, sizeof copy, "%s", text);
    strip_marks(copy);
    char *begin = copy;
    if (is_digit(begin[0]) && begin[1] == 'x' && begin[2] == ' ') {
        out->sockets = begin[0] - '0';
        begin += 3;
    }
    char *rest = NULL;
    size_t length = 0;
    for (char *word = strtok_r(begin, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (is_filler(word)) {
            continue;
        }
        length += (size_t)snprintf(
            out->name + length, sizeof out->name - length, "%s%s", length > 0 ? " " : "", word);
        const bool is_version = word[0] == 'v' && strlen(word) == 2;
        if (out->word[0] == '\0' && strpbrk(word, "0123456789") != NULL && !is_version) {
            (void)snprintf(out->word, sizeof out->word, "%.63s", word);
        }
    }
}
