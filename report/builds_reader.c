/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds read back from CSV: one row per build, or one row per part. */
#include "report/builds_reader.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/csv_reader.h"

#define MOST_COUNT 1024   /* of one part, as in rig_build_set */
#define MOST_RANK 1000000 /* number of a build in the long form */
#define NO_COLUMN SIZE_MAX

/* Figures of hardware without a name; the columns of the wide form. */
static const char *const unnamed_names[] = {
    "unnamed_cores",
    "unnamed_core_speed",
    "unnamed_ram_gb",
    "unnamed_drive_gbs",
    "unnamed_drive_iops",
    "unnamed_workers",
};
#define N_UNNAMED (sizeof(unnamed_names) / sizeof(unnamed_names[0]))

/** Cells of a row by what they hold; NO_COLUMN: the file has no such column. */
typedef struct reader {
    const char *file;
    const rig_catalog *catalog;
    size_t n_columns;
    bool is_long;
    size_t i_name[RIG_N_BUILD_CLASSES], i_count[RIG_N_BUILD_CLASSES]; /* wide */
    size_t i_unnamed[N_UNNAMED], i_owned;
    size_t i_nodes;
    size_t i_rank, i_class, i_part, i_number, i_each, i_is_owned; /* long */
    rig_build *builds;
    size_t n_builds, cap_builds;
    size_t *builds_by_rank; /* index + 1 of the build, 0: none yet */
    size_t n_ranks;
} reader;

/* ---- cells ---------------------------------------------------------------------------------- */

static rig_status fail_at(const reader *in,
                          const rig__csv_cell *cell,
                          rig_status status,
                          const char *what,
                          const char *expected,
                          rig_error *err)
{
    return rig__error_set(err,
                          status,
                          in->file,
                          cell->line,
                          cell->column,
                          "%s: '%.100s' (expected %s)",
                          what,
                          cell->text,
                          expected);
}

/** Takes off the apostrophe that keeps a spreadsheet from running a text as a formula. */
static const char *unguarded(const char *text)
{
    const bool is_guarded =
        text[0] == '\'' && text[1] != '\0' && strchr("=+-@\t\r", text[1]) != NULL;
    return is_guarded ? text + 1 : text;
}

static const rig__csv_cell *cell_at(const rig__csv_row *row, size_t index)
{
    return index == NO_COLUMN ? NULL : &row->cells[index];
}

static bool is_empty(const rig__csv_cell *cell)
{
    return cell == NULL || cell->length == 0;
}

/** A whole number between 1 and most. */
static rig_status
read_count(const reader *in, const rig__csv_cell *cell, int most, int *out, rig_error *err)
{
    double value = 0.0;
    if (!rig__number_parse(cell->text, cell->length, &value) || value != floor(value)) {
        return fail_at(in, cell, RIG_E_PARSE, "not a count", "a whole number", err);
    }
    if (value < 1.0 || value > (double)most) {
        return fail_at(in,
                       cell,
                       RIG_E_RANGE,
                       "count out of range",
                       most == MOST_COUNT      ? "1 to 1024"
                       : most == RIG_MAX_NODES ? "1 to 64"
                                               : "1 to 1000000",
                       err);
    }
    *out = (int)value;
    return RIG_OK;
}

/** Part by its name; a name that is not known keeps the hint of the catalogue. */
static rig_status read_part(const reader *in,
                            rig_table table,
                            const rig__csv_cell *cell,
                            const rig_row **out,
                            rig_error *err)
{
    *out = rig_catalog_get(in->catalog, table, cell->text);
    if (*out != NULL) {
        return RIG_OK;
    }
    rig_error cause = {.hint = ""};
    const rig_status status =
        rig_catalog_find(in->catalog, table, unguarded(cell->text), out, &cause);
    if (status == RIG_OK || status == RIG_E_NOMEM) {
        return status == RIG_OK ? RIG_OK : rig__error_nomem(err);
    }
    (void)rig__error_set(err,
                         RIG_E_NOTFOUND,
                         in->file,
                         cell->line,
                         cell->column,
                         "%s %s: '%.100s' (expected a name of %s.csv)",
                         status == RIG_E_INVALID ? "ambiguous" : "unknown",
                         rig_table_singular(table),
                         cell->text,
                         rig_table_stem(table));
    if (cause.hint[0] != '\0') {
        rig__error_hint(err, "%s", cause.hint);
    }
    return RIG_E_NOTFOUND;
}

static rig_status new_build(reader *in, rig_error *err)
{
    if (in->n_builds == in->cap_builds) {
        const size_t cap = in->cap_builds == 0 ? 16 : in->cap_builds * 2;
        rig_build *builds = realloc(in->builds, cap * sizeof(*builds));
        if (builds == NULL) {
            return rig__error_nomem(err);
        }
        in->builds = builds;
        in->cap_builds = cap;
    }
    in->builds[in->n_builds++] = rig_build_empty();
    return RIG_OK;
}

/* ---- wide ----------------------------------------------------------------------------------- */

/** One class of one build. @param[out] is_any_out set when there is such a part */
static rig_status read_class(const reader *in,
                             const rig__csv_row *row,
                             size_t table,
                             rig_build *build,
                             bool *is_any_out,
                             rig_error *err)
{
    const rig__csv_cell *name = cell_at(row, in->i_name[table]);
    const rig__csv_cell *number = cell_at(row, in->i_count[table]);
    if (is_empty(name)) {
        return is_empty(number) || strcmp(number->text, "0") == 0
                   ? RIG_OK
                   : fail_at(in, number, RIG_E_PARSE, "count without a name", "no count", err);
    }
    rig_part_use *use = &build->parts[table];
    RIG_TRY(read_part(in, (rig_table)table, name, &use->row, err));
    use->count = 1;
    *is_any_out = true;
    return is_empty(number) ? RIG_OK : read_count(in, number, MOST_COUNT, &use->count, err);
}

static rig_status read_unnamed(const reader *in,
                               const rig__csv_row *row,
                               rig_unnamed *unnamed,
                               bool *is_any_out,
                               rig_error *err)
{
    double *const members[N_UNNAMED] = {
        &unnamed->cores,
        &unnamed->core_speed,
        &unnamed->ram_gb,
        &unnamed->drive_gbs,
        &unnamed->drive_iops,
        &unnamed->workers,
    };
    for (size_t i = 0; i < N_UNNAMED; i++) {
        const rig__csv_cell *cell = cell_at(row, in->i_unnamed[i]);
        if (is_empty(cell)) {
            continue;
        }
        if (!rig__number_parse(cell->text, cell->length, members[i])) {
            return fail_at(in, cell, RIG_E_PARSE, "not a number", "a plain number", err);
        }
        if (*members[i] <= 0.0) {
            return fail_at(in, cell, RIG_E_RANGE, "figure out of range", "more than 0", err);
        }
        *is_any_out = true;
    }
    return RIG_OK;
}

static rig_status read_owned(const reader *in, const rig__csv_row *row, rig_build *build)
{
    const rig__csv_cell *cell = cell_at(row, in->i_owned);
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES && !is_empty(cell); i++) {
        build->parts[i].is_owned = build->parts[i].row != NULL &&
                                   rig__list_contains(cell->text, rig_table_singular((rig_table)i));
    }
    return RIG_OK;
}

/** Nodes of a build; without the column one machine. */
static rig_status
read_nodes(const reader *in, const rig__csv_row *row, rig_build *build, rig_error *err)
{
    const rig__csv_cell *cell = cell_at(row, in->i_nodes);
    return is_empty(cell) ? RIG_OK : read_count(in, cell, RIG_MAX_NODES, &build->nodes, err);
}

static rig_status read_wide(reader *in, const rig__csv_row *row, rig_error *err)
{
    RIG_TRY(new_build(in, err));
    rig_build *build = &in->builds[in->n_builds - 1];
    bool is_any = false;
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        RIG_TRY(read_class(in, row, i, build, &is_any, err));
    }
    RIG_TRY(read_nodes(in, row, build, err));
    RIG_TRY(read_unnamed(in, row, &build->unnamed, &is_any, err));
    if (!is_any) {
        return rig__error_set(err,
                              RIG_E_PARSE,
                              in->file,
                              row->cells[0].line,
                              0,
                              "a build without parts (expected at least one name, as in gpu_name)");
    }
    return read_owned(in, row, build);
}

/* ---- long ----------------------------------------------------------------------------------- */

/** The build of a rank, made when it is new; without a rank column all rows are one build. */
static rig_status find_build(reader *in, const rig__csv_row *row, rig_build **out, rig_error *err)
{
    const rig__csv_cell *cell = cell_at(row, in->i_rank);
    int rank = 1;
    if (!is_empty(cell)) {
        RIG_TRY(read_count(in, cell, MOST_RANK, &rank, err));
    }
    if ((size_t)rank >= in->n_ranks) {
        const size_t n_ranks = (size_t)rank * 2 + 16;
        size_t *grown = realloc(in->builds_by_rank, n_ranks * sizeof(*grown));
        if (grown == NULL) {
            return rig__error_nomem(err);
        }
        memset(grown + in->n_ranks, 0, (n_ranks - in->n_ranks) * sizeof(*grown));
        in->builds_by_rank = grown;
        in->n_ranks = n_ranks;
    }
    if (in->builds_by_rank[rank] == 0) {
        RIG_TRY(new_build(in, err));
        in->builds_by_rank[rank] = in->n_builds;
    }
    *out = &in->builds[in->builds_by_rank[rank] - 1];
    return RIG_OK;
}

static rig_status
find_class(const reader *in, const rig__csv_cell *cell, size_t *out, rig_error *err)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        if (rig__text_compare_nocase(cell->text, rig_table_singular((rig_table)i)) == 0) {
            *out = i;
            return RIG_OK;
        }
    }
    return fail_at(in, cell, RIG_E_PARSE, "unknown class", "cpu, gpu, memory, storage ...", err);
}

static rig_status read_flag(const reader *in, const rig__csv_cell *cell, bool *out, rig_error *err)
{
    if (is_empty(cell)) {
        return RIG_OK;
    }
    *out = rig__text_compare_nocase(cell->text, "true") == 0; /* spreadsheets write TRUE */
    return *out || rig__text_compare_nocase(cell->text, "false") == 0
               ? RIG_OK
               : fail_at(in, cell, RIG_E_PARSE, "not a truth value", "true or false", err);
}

static rig_status read_long(reader *in, const rig__csv_row *row, rig_error *err)
{
    const rig__csv_cell *name = cell_at(row, in->i_part);
    /* `count` is of all nodes together */
    const rig__csv_cell *each = cell_at(row, in->i_each);
    const rig__csv_cell *number = is_empty(each) ? cell_at(row, in->i_number) : each;
    rig_build *build = NULL;
    size_t table = 0;
    RIG_TRY(find_build(in, row, &build, err));
    RIG_TRY(find_class(in, cell_at(row, in->i_class), &table, err));
    assert(build != NULL); /* find_build gave one */
    RIG_TRY(read_nodes(in, row, build, err));
    rig_part_use *use = &build->parts[table];
    if (use->row != NULL) {
        return fail_at(in,
                       cell_at(row, in->i_class),
                       RIG_E_PARSE,
                       "class twice in one build",
                       "one row per class",
                       err);
    }
    RIG_TRY(read_part(in, (rig_table)table, name, &use->row, err));
    use->count = 1;
    if (!is_empty(number)) {
        RIG_TRY(read_count(in, number, MOST_COUNT, &use->count, err));
    }
    return read_flag(in, cell_at(row, in->i_is_owned), &use->is_owned, err);
}

/* ---- header and file ------------------------------------------------------------------------ */

static bool is_class_column(const char *name, rig_table table, const char *suffix)
{
    const char *singular = rig_table_singular(table);
    const size_t length = strlen(singular);
    return strncmp(name, singular, length) == 0 && strcmp(name + length, suffix) == 0;
}

/** Notes where a column stands. @return its place among the known ones, NULL: not known */
static size_t *place_of(reader *in, const char *name)
{
    const struct {
        const char *name;
        size_t *place;
    } plain[] = {
        {"owned", &in->i_owned},
        {"rank", &in->i_rank},
        {"class", &in->i_class},
        {"name", &in->i_part},
        {"count", &in->i_number},
        {"count_per_node", &in->i_each},
        {"nodes", &in->i_nodes},
        {"is_owned", &in->i_is_owned},
    };
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        if (strcmp(name, plain[i].name) == 0) {
            return plain[i].place;
        }
    }
    for (size_t i = 0; i < N_UNNAMED; i++) {
        if (strcmp(name, unnamed_names[i]) == 0) {
            return &in->i_unnamed[i];
        }
    }
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        if (is_class_column(name, (rig_table)i, "_name")) {
            return &in->i_name[i];
        }
        if (is_class_column(name, (rig_table)i, "_count")) {
            return &in->i_count[i];
        }
    }
    return NULL;
}

static void clear_places(reader *in)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        in->i_name[i] = NO_COLUMN;
        in->i_count[i] = NO_COLUMN;
    }
    for (size_t i = 0; i < N_UNNAMED; i++) {
        in->i_unnamed[i] = NO_COLUMN;
    }
    in->i_owned = in->i_rank = in->i_class = in->i_nodes = NO_COLUMN;
    in->i_part = in->i_number = in->i_each = in->i_is_owned = NO_COLUMN;
}

static bool has_wide_column(const reader *in)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        if (in->i_name[i] != NO_COLUMN) {
            return true;
        }
    }
    return false;
}

static rig_status read_header(reader *in, const rig__csv_row *row, rig_error *err)
{
    clear_places(in);
    in->n_columns = row->n_cells;
    for (size_t i = 0; i < row->n_cells; i++) {
        size_t *place = place_of(in, row->cells[i].text);
        if (place == NULL) {
            continue;
        }
        if (*place != NO_COLUMN) {
            return fail_at(in, &row->cells[i], RIG_E_SCHEMA, "column twice", "each once", err);
        }
        *place = i;
    }
    if (has_wide_column(in)) {
        return RIG_OK;
    }
    in->is_long = in->i_class != NO_COLUMN && in->i_part != NO_COLUMN;
    return in->is_long ? RIG_OK
                       : rig__error_set(err,
                                        RIG_E_SCHEMA,
                                        in->file,
                                        row->cells[0].line,
                                        1,
                                        "no column of parts (expected cpu_name, gpu_name ..., or "
                                        "class and name)");
}

static rig_status take_row(const rig__csv_row *row, void *payload, rig_error *err)
{
    reader *in = payload;
    if (row->i_row == 0) {
        return read_header(in, row, err);
    }
    RIG_TRY(rig__csv_row_check(row, in->n_columns, in->file, err));
    return in->is_long ? read_long(in, row, err) : read_wide(in, row, err);
}

/** Hands over what was read, or frees it. */
static rig_status
finish(reader *in, rig_status status, rig_build **builds_out, size_t *n_out, rig_error *err)
{
    free(in->builds_by_rank);
    if (status == RIG_OK && in->n_builds == 0) {
        status = rig__error_set(
            err, RIG_E_PARSE, in->file, 0, 0, "no builds (expected rows below the header)");
    }
    *builds_out = status == RIG_OK ? in->builds : NULL;
    *n_out = status == RIG_OK ? in->n_builds : 0;
    if (status != RIG_OK) {
        free(in->builds);
    }
    return status;
}

rig_status rig_builds_read(const char *path,
                           const rig_catalog *catalog,
                           rig_build **builds_out,
                           size_t *n_out,
                           rig_error *err)
{
    reader in = {.file = path, .catalog = catalog};
    const rig__csv_options options = {.name = path, .on_row = take_row, .payload = &in};
    const rig_status status = rig__csv_read_file(path, &options, err);
    return finish(&in, status, builds_out, n_out, err);
}

rig_status rig__builds_read_memory(const char *bytes,
                                   size_t length,
                                   const char *name,
                                   const rig_catalog *catalog,
                                   rig_build **builds_out,
                                   size_t *n_out,
                                   rig_error *err)
{
    reader in = {.file = name, .catalog = catalog};
    const rig__csv_options options = {.name = name, .on_row = take_row, .payload = &in};
    const rig_status status = rig__csv_read_memory(bytes, length, &options, err);
    return finish(&in, status, builds_out, n_out, err);
}

void rig_builds_free(rig_build *builds)
{
    free(builds);
}
