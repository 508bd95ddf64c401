/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which rows are held out together, which anchor their group, and what a fit has seen. */
#include "accuracy/folds.h"

#include <stdlib.h>
#include <string.h>

#include "catalog/fingerprint.h"

/* ---- labels as numbers ---------------------------------------------------------------------- */

typedef struct label {
    const char *text, *context;
    size_t row;
} label;

static int compare_texts(const label *a, const label *b)
{
    const int by_text = strcmp(a->text, b->text);
    return by_text != 0 ? by_text : strcmp(a->context, b->context);
}

static int compare_labels(const void *a, const void *b)
{
    const label *const x = a;
    const label *const y = b;
    const int by_text = compare_texts(x, y);
    return by_text != 0 ? by_text : (x->row > y->row) - (x->row < y->row);
}

/* Constants and effects are fitted apart by family of stacks, and to rates of preparation. */
static const char *context_of(const rig_measurement *row, rig_group group)
{
    const rig_stack *const stack = row->workload.stack;
    switch (group) {
    case RIG_GROUP_GPU:
    case RIG_GROUP_GENERATION:
    case RIG_GROUP_NETWORK:
        return stack == NULL || stack->family == NULL ? "" : stack->family;
    case RIG_GROUP_CPU:
    case RIG_GROUP_CPU_FAMILY:
    case RIG_GROUP_LOADER:
        return row->kind == RIG_MEASUREMENT_CPU ? "preparation" : "";
    default:
        return "";
    }
}

/* Numbers of one group of labels, in the order of the alphabet. @return how many there are */
static size_t number(const rig_measurement *rows,
                     size_t n_rows,
                     rig_group group,
                     bool has_context,
                     label *labels,
                     size_t *ids)
{
    size_t n = 0, n_ids = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const rig_measurement *const row = &rows[i];
        ids[i] = RIG__NO_LABEL;
        if (row->labels[group] != NULL) {
            const char *const context = has_context ? context_of(row, group) : "";
            labels[n++] = (label){row->labels[group], context, i};
        }
    }
    if (n > 0) {
        qsort(labels, n, sizeof *labels, compare_labels);
    }
    for (size_t i = 0; i < n; i++) {
        n_ids += i == 0 || compare_texts(&labels[i - 1], &labels[i]) != 0 ? 1 : 0;
        ids[labels[i].row] = n_ids - 1;
    }
    return n_ids;
}

bool rig__labels_init(rig__labels *out, const rig_measurement *rows, size_t n)
{
    *out = (rig__labels){.n_rows = n, .is_seen = calloc(n + 1, sizeof *out->is_seen)};
    label *const labels = calloc(n + 1, sizeof *labels);
    bool is_done = labels != NULL && out->is_seen != NULL;
    for (size_t i = 0; i < RIG_N_GROUPS && is_done; i++) {
        out->ids[i] = calloc(n + 1, sizeof *out->ids[i]);
        is_done = out->ids[i] != NULL;
        if (is_done) {
            out->n_ids[i] = number(rows, n, (rig_group)i, true, labels, out->ids[i]);
        }
    }
    free(labels);
    return is_done;
}

void rig__labels_fini(rig__labels *labels)
{
    for (size_t i = 0; i < RIG_N_GROUPS; i++) {
        free(labels->ids[i]);
    }
    free(labels->is_seen);
    *labels = (rig__labels){.n_rows = 0};
}

void rig__labels_seen(rig__labels *labels, const bool *is_held_out, unsigned *seen_groups)
{
    for (size_t i = 0; i < labels->n_rows; i++) {
        seen_groups[i] = is_held_out[i] ? 0 : seen_groups[i];
    }
    for (size_t g = 0; g < RIG_N_GROUPS; g++) {
        const size_t *const ids = labels->ids[g];
        memset(labels->is_seen, 0, labels->n_rows * sizeof *labels->is_seen);
        for (size_t i = 0; i < labels->n_rows; i++) {
            if (!is_held_out[i] && ids[i] != RIG__NO_LABEL) {
                labels->is_seen[ids[i]] = true;
            }
        }
        for (size_t i = 0; i < labels->n_rows; i++) {
            if (is_held_out[i] && ids[i] != RIG__NO_LABEL && labels->is_seen[ids[i]]) {
                seen_groups[i] |= 1U << g;
            }
        }
    }
}

/* ---- groups --------------------------------------------------------------------------------- */

static const char *label_of(const rig_measurements *measurements, rig_group key, size_t row)
{
    return measurements->rows[row].labels[key];
}

/* Numbers groups in the order of their first rows, so that folds come in the order of the files. */
static bool number_groups(rig__fold_plan *out, const rig_measurements *measurements, rig_group key)
{
    const size_t n = measurements->n_rows;
    label *const labels = calloc(n + 1, sizeof *labels);
    size_t *const first_rows = calloc(n + 1, sizeof *first_rows);
    const bool is_done = labels != NULL && first_rows != NULL;
    if (is_done) {
        /* What is left out goes by its name alone. */
        (void)number(measurements->rows, n, key, false, labels, out->groups);
        for (size_t i = 0; i < n; i++) {
            first_rows[i] = RIG__NO_LABEL;
        }
        for (size_t i = 0; i < n; i++) {
            const char *const name = label_of(measurements, key, i);
            if (out->groups[i] == RIG__NO_LABEL) {
                continue;
            }
            if (first_rows[out->groups[i]] == RIG__NO_LABEL) {
                out->names[out->n_groups] = name;
                first_rows[out->groups[i]] = out->n_groups++;
            }
            out->groups[i] = first_rows[out->groups[i]];
        }
    }
    free(labels);
    free(first_rows);
    return is_done;
}

static void assign_folds(rig__fold_plan *out, size_t n_folds)
{
    if (n_folds == 0 || n_folds >= out->n_groups) {
        out->n_folds = out->n_groups;
        for (size_t i = 0; i < out->n_groups; i++) {
            out->folds[i] = i;
        }
        return;
    }
    out->n_folds = n_folds;
    for (size_t i = 0; i < out->n_groups; i++) {
        out->folds[i] =
            (size_t)(rig__fingerprint_text(RIG__FINGERPRINT_START, out->names[i]) % n_folds);
    }
}

/* ---- anchors -------------------------------------------------------------------------------- */

static bool is_alike(const rig_measurement *a, const rig_measurement *b)
{
    const rig_network *const x = a->workload.network, *const y = b->workload.network;
    const bool is_same_kind = x == y || (x != NULL && y != NULL && x->kind != NULL &&
                                         y->kind != NULL && strcmp(x->kind, y->kind) == 0);
    return a->kind == b->kind && a->workload.precision == b->workload.precision && is_same_kind;
}

/* Chooses among the n rows of one group: those like most others, evenly spread over the file. */
static void choose_anchors(rig__fold_plan *out,
                           const rig_measurements *measurements,
                           const size_t *rows,
                           size_t n,
                           size_t n_anchors)
{
    size_t best = 0, most = 0, n_passed = 0, n_chosen = 0;
    for (size_t i = 0; i < n; i++) {
        size_t n_alike = 0;
        for (size_t k = 0; k < n; k++) {
            n_alike += is_alike(&measurements->rows[rows[i]], &measurements->rows[rows[k]]) ? 1 : 0;
        }
        if (n_alike > most) {
            best = i;
            most = n_alike;
        }
    }
    n_anchors = n_anchors < most ? n_anchors : most;
    for (size_t i = 0; i < n; i++) {
        if (!is_alike(&measurements->rows[rows[i]], &measurements->rows[rows[best]])) {
            continue;
        }
        /* The k-th of n_anchors stands in the middle of the k-th part. */
        if (n_chosen < n_anchors && n_passed == (2 * n_chosen + 1) * most / (2 * n_anchors)) {
            out->is_anchor[rows[i]] = true;
            n_chosen++;
        }
        n_passed++;
    }
}

static bool
find_anchors(rig__fold_plan *out, const rig_measurements *measurements, size_t n_anchors)
{
    size_t *const rows = calloc(out->n_rows + 1, sizeof *rows);
    for (size_t g = 0; g < out->n_groups && rows != NULL; g++) {
        size_t n = 0;
        for (size_t i = 0; i < out->n_rows; i++) {
            if (out->groups[i] == g) {
                rows[n++] = i;
            }
        }
        choose_anchors(out, measurements, rows, n, n_anchors);
    }
    free(rows);
    return rows != NULL;
}

bool rig__fold_plan_init(rig__fold_plan *out,
                         const rig_measurements *measurements,
                         const rig_cross_options *options)
{
    const size_t n = measurements->n_rows;
    *out = (rig__fold_plan){.n_rows = n,
                            .groups = calloc(n + 1, sizeof *out->groups),
                            .folds = calloc(n + 1, sizeof *out->folds),
                            .names = calloc(n + 1, sizeof *out->names),
                            .is_anchor = calloc(n + 1, sizeof *out->is_anchor)};
    if (out->groups == NULL || out->folds == NULL || out->names == NULL || out->is_anchor == NULL ||
        !number_groups(out, measurements, options->key)) {
        return false;
    }
    assign_folds(out, options->n_folds);
    return options->n_anchors == 0 || find_anchors(out, measurements, options->n_anchors);
}

void rig__fold_plan_fini(rig__fold_plan *folds)
{
    free(folds->groups);
    free(folds->folds);
    free(folds->names);
    free(folds->is_anchor);
    *folds = (rig__fold_plan){.n_rows = 0};
}
