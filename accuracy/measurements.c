/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measurement files: recognised by their columns, read row by row, skipped rows counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/measurement_rows.h"
#include "accuracy/skips.h"
#include "base/error.h"
#include "base/text.h"
#include "catalog/fingerprint.h"

/* A run with data this much slower than its twin without waited for the data; one this close to it
 * did not. Between the two the pair does not tell.
 * @assumption README of the published rows: 0.94 to 1 where the GPU limits, input-bound below 0.8
 */
static const double waited_below = 0.8;
static const double did_not_wait_above = 0.95;

static const unsigned preparing_stages = 1U << RIG_STAGE_STORAGE | 1U << RIG_STAGE_DECODE |
                                         1U << RIG_STAGE_MEMORY | 1U << RIG_STAGE_TRANSFER;
static const unsigned training_stages = 1U << RIG_STAGE_GPU | 1U << RIG_STAGE_ALLREDUCE;

/* Shapes of files by the columns that only they have. */
static const struct {
    const char *columns[3];
    rig__read_row read_row;
} shapes[] = {
    {{"gpus_per_node", "gpu", "images_per_s"}, rig__read_system_row},
    {{"gpu_model", "gpu_count", "images_per_s"}, rig__read_gpu_row},
    {{"cores_or_workers", "cpu_model", "images_per_s"}, rig__read_cpu_row},
    {{"storage", "accelerators", "samples_per_s"}, rig__read_storage_row},
};

const char *rig_group_name(rig_group group)
{
    static const char *const names[RIG_N_GROUPS] = {
#define RIG__GROUP_NAME(enumerator, word) word,
        RIG_GROUP_MAP(RIG__GROUP_NAME)
#undef RIG__GROUP_NAME
    };
    return names[group];
}

rig_status rig_group_parse(const char *text, rig_group *out, rig_error *err)
{
    for (size_t i = 0; i < RIG_N_GROUPS; i++) {
        if (rig__text_compare_nocase(text, rig_group_name((rig_group)i)) == 0) {
            *out = (rig_group)i;
            return RIG_OK;
        }
    }
    return rig__error_set(err,
                          RIG_E_INVALID,
                          NULL,
                          0,
                          0,
                          "unknown group: '%.64s' (expected gpu, generation, cpu, cpu-family, "
                          "network, stack, source, system ...)",
                          text);
}

/* What is kept of a row beside the measurement until all files are read. */
typedef struct kept {
    uint64_t twin;
    uint64_t system; /* fingerprint of the system's name, 0: none */
    bool is_synthetic;
    bool is_input_bound; /* a training run that waited for the processor */
} kept;

typedef struct collection {
    rig__reading from;
    rig__skips skips;
    rig_measurement *rows;
    kept *kept;
    size_t n_rows, cap_rows, n_read;
    uint64_t *suspects; /* twins of the rows that the file calls suspect */
    size_t n_suspects;
} collection;

static rig_status keep_suspect(collection *all, rig_error *err)
{
    uint64_t *const suspects = realloc(all->suspects, (all->n_suspects + 1) * sizeof *suspects);
    if (suspects == NULL) {
        return rig__error_nomem(err);
    }
    all->suspects = suspects;
    all->suspects[all->n_suspects++] = all->from.twin;
    return RIG_OK;
}

static rig_status keep(collection *all, const rig_measurement *row, rig_error *err)
{
    if (all->n_rows == all->cap_rows) {
        const size_t cap = all->cap_rows == 0 ? 256 : all->cap_rows * 2;
        rig_measurement *const rows = realloc(all->rows, cap * sizeof *rows);
        if (rows == NULL) {
            return rig__error_nomem(err);
        }
        all->rows = rows;
        kept *const more = realloc(all->kept, cap * sizeof *more);
        if (more == NULL) {
            return rig__error_nomem(err);
        }
        all->kept = more;
        all->cap_rows = cap;
    }
    const char *const system = row->labels[RIG_GROUP_SYSTEM];
    all->kept[all->n_rows] = (kept){
        .twin = all->from.twin,
        .system = system == NULL ? 0 : rig__fingerprint_text(RIG__FINGERPRINT_START, system),
        .is_synthetic = all->from.is_synthetic,
        .is_input_bound = all->from.is_input_bound,
    };
    all->rows[all->n_rows++] = *row;
    return RIG_OK;
}

static rig_measurement blank_row(const rig__reading *from)
{
    const rig__csv_cell first = rig__csv_table_cell(from->table, from->i_row, 0);
    return (rig_measurement){
        .file = from->file,
        .line = first.line,
        .first_epoch_s = NAN,
        .weight = 1.0,
        .build = rig_build_empty(),
        .cores_per_socket = NAN,
        .pcie_gen = NAN,
        .nodes = NAN,
        .network_gbs = NAN,
        .power_limit_w = NAN,
        .n_drives = NAN,
        .demand_images_per_s = NAN,
        .processes = 1.0,
        .output_bytes = NAN,
        .labels[RIG_GROUP_FILE] = from->file,
        .workload = {.name = "measurement",
                     .batch_per_gpu = 1,
                     .epochs = 1,
                     .cache = RIG_CACHE_PAGE,
                     .is_overlapped = true,
                     .workers = NAN,
                     .software_year = NAN},
    };
}

static const char *kind_name(rig_measurement_kind kind)
{
    static const char *const names[] = {"system", "gpu", "cpu", "storage"};
    return names[kind];
}

static rig_status read_row(collection *all, rig__read_row read, rig_error *err)
{
    rig__reading *const from = &all->from;
    rig_measurement row = blank_row(from);
    from->out = &row;
    from->skip_reason = NULL;
    from->skip_name = NULL;
    from->twin = 0;
    from->is_synthetic = false;
    from->is_input_bound =
        rig__text_contains_nocase(rig__reading_text(from, "notes"), "INPUT-BOUND");
    const bool is_suspect = rig__text_contains_nocase(rig__reading_text(from, "notes"), "SUSPECT");
    if (is_suspect) {
        rig__reading_skip(from, "called suspect by the file", NULL);
    }
    RIG_TRY(read(from, err));
    row.id = rig__reading_copy(from, rig__reading_text(from, "id"));
    if (row.id == NULL) {
        row.id = rig__arena_format(from->arena, "%s:%ld", row.file, row.line);
    }
    row.labels[RIG_GROUP_KIND] = kind_name(row.kind);
    if (from->is_nomem || row.id == NULL) {
        return rig__error_nomem(err);
    }
    all->n_read++;
    if (from->skip_reason == NULL) {
        return keep(all, &row, err);
    }
    if (is_suspect && from->twin != 0) {
        RIG_TRY(keep_suspect(all, err));
    }
    return rig__skips_add(&all->skips, from->skip_reason, from->skip_name, 1)
               ? RIG_OK
               : rig__error_nomem(err);
}

static rig__read_row shape_of(const rig__csv_table *table)
{
    const size_t n_columns = rig__csv_table_n_columns(table);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        bool has_all = true;
        for (size_t k = 0; k < 3; k++) {
            has_all = has_all && rig__csv_table_find(table, shapes[i].columns[k]) < n_columns;
        }
        if (has_all) {
            return shapes[i].read_row;
        }
    }
    return NULL;
}

static rig_status read_file(collection *all, const char *path, rig_error *err)
{
    rig__csv_table *table = NULL;
    RIG_TRY(rig__csv_table_read_file(&table, path, err));
    const char *const slash = strrchr(path, '/');
    const char *const name = slash == NULL ? path : slash + 1;
    const rig__read_row read = shape_of(table);
    rig_status status = RIG_OK;
    all->from.table = table;
    all->from.file = rig__arena_copy(all->from.arena, name, strlen(name));
    if (all->from.file == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    if (read == NULL) {
        status = rig__error_set(err,
                                RIG_E_SCHEMA,
                                path,
                                1,
                                1,
                                "not a file of measurements: first column '%.60s' (expected the "
                                "columns of mlperf_resnet50, gpu_training, cpu_preparation or "
                                "storage)",
                                rig__csv_table_header(table, 0));
        goto done;
    }
    const size_t n_rows = rig__csv_table_n_rows(table);
    for (size_t i = 0; i < n_rows && status == RIG_OK; i++) {
        all->from.i_row = i;
        status = read_row(all, read, err);
    }
done:
    rig__csv_table_free(table);
    return status;
}

/* ---- over all rows -------------------------------------------------------------------------- */

/* Which stages a run with data must be limited by, from the best twin without. */
static void find_expected(const collection *all, size_t i_row)
{
    double synthetic = NAN;
    for (size_t i = 0; i < all->n_rows; i++) {
        if (all->kept[i].is_synthetic && all->kept[i].twin == all->kept[i_row].twin) {
            synthetic = fmax(synthetic, all->rows[i].observed_images_per_s);
        }
    }
    const double share = all->rows[i_row].observed_images_per_s / synthetic;
    if (share < waited_below) {
        all->rows[i_row].expected_stages = preparing_stages;
    } else if (share > did_not_wait_above) {
        all->rows[i_row].expected_stages = training_stages;
    } else {
        all->rows[i_row].is_undecided = !isnan(share);
    }
}

/* A training run that waited for its data bounds preparation from below; only the fastest of a
 * processor with a loader measures it. */
static void find_slower_runs(const collection *all, size_t i_row)
{
    rig_measurement *const row = &all->rows[i_row];
    for (size_t i = 0; i < all->n_rows; i++) {
        const rig_measurement *const other = &all->rows[i];
        const bool is_same = other->kind == RIG_MEASUREMENT_CPU && all->kept[i].is_input_bound &&
                             all->kept[i].system == all->kept[i_row].system;
        if (is_same && other->observed_images_per_s > row->observed_images_per_s) {
            row->doubt = "a lower bound: other runs of this processor are faster";
        }
    }
}

/* The run with data of a run that the file calls suspect is no better. */
static void find_suspect_twin(const collection *all, size_t i_row)
{
    for (size_t i = 0; i < all->n_suspects; i++) {
        if (all->suspects[i] == all->kept[i_row].twin) {
            all->rows[i_row].doubt = "its run without data is called suspect by the file";
        }
    }
}

static void finish_rows(const collection *all)
{
    for (size_t i = 0; i < all->n_rows; i++) {
        size_t n_same = 0;
        for (size_t k = 0; k < all->n_rows; k++) {
            const bool is_same =
                all->kept[i].system != 0 && all->kept[i].system == all->kept[k].system;
            n_same += k == i || is_same ? 1 : 0;
        }
        all->rows[i].weight = 1.0 / sqrt((double)n_same);
        if (all->rows[i].kind == RIG_MEASUREMENT_GPU && !all->kept[i].is_synthetic) {
            find_expected(all, i);
        }
        if (all->rows[i].kind == RIG_MEASUREMENT_GPU) {
            find_suspect_twin(all, i);
        }
        if (all->rows[i].kind == RIG_MEASUREMENT_CPU && all->kept[i].is_input_bound) {
            find_slower_runs(all, i);
        }
    }
}

static rig_status build_set(rig_measurements **out, collection *all, rig_error *err)
{
    rig__arena *const arena = all->from.arena;
    rig_measurements *const set = rig__arena_alloc(arena, 1, sizeof *set);
    if (set == NULL) {
        return rig__error_nomem(err);
    }
    finish_rows(all);
    set->rows = rig__arena_alloc(arena, all->n_rows, sizeof *set->rows);
    set->skips = rig__arena_alloc(arena, all->skips.n_items, sizeof *set->skips);
    if (set->rows == NULL || set->skips == NULL) {
        return rig__error_nomem(err);
    }
    if (all->n_rows > 0) {
        memcpy(set->rows, all->rows, all->n_rows * sizeof *set->rows);
    }
    set->n_skips = rig__skips_sorted(&all->skips, set->skips);
    set->n_rows = all->n_rows;
    set->n_read = all->n_read;
    set->arena = arena;
    *out = set;
    return RIG_OK;
}

rig_status rig_measurements_read(rig_measurements **out,
                                 const rig_catalog *catalog,
                                 const char *const *paths,
                                 size_t n_paths,
                                 const char *aliases_path,
                                 rig_error *err)
{
    rig__aliases *aliases = NULL;
    *out = NULL;
    RIG_TRY(rig__aliases_read(&aliases, aliases_path, err));
    collection all = {.from = {.catalog = catalog, .aliases = aliases, .arena = rig__arena_new()}};
    rig_status status = all.from.arena == NULL ? rig__error_nomem(err) : RIG_OK;
    for (size_t i = 0; i < n_paths && status == RIG_OK; i++) {
        status = read_file(&all, paths[i], err);
    }
    if (status == RIG_OK) {
        status = build_set(out, &all, err);
    }
    if (status != RIG_OK) {
        rig__arena_free(all.from.arena);
    }
    rig__skips_free(&all.skips);
    free(all.rows);
    free(all.kept);
    free(all.suspects);
    rig__aliases_free(aliases);
    return status;
}

void rig_measurements_free(rig_measurements *measurements)
{
    if (measurements != NULL) {
        rig__arena_free(measurements->arena);
    }
}
