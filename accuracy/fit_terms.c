/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which unknowns of a calibration each of its rows depends on. */
#include <stdlib.h>
#include <string.h>

#include "accuracy/fit_problem.h"
#include "base/error.h"

/* Constants of other kinds of networks do not matter: "compute_factor_KIND_FAMILY". */
static bool is_of_kind(const char *name, const char *kind)
{
    static const char *const prefixes[] = {"compute_factor_", "memory_factor_", "launch_factor_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t length = strlen(prefixes[i]), n_kind = strlen(kind);
        if (strncmp(name, prefixes[i], length) == 0) {
            return strncmp(name + length, kind, n_kind) == 0 && name[length + n_kind] == '_';
        }
    }
    return true;
}

static bool is_of_row(const char *name, const rig_row *row)
{
    const size_t length = row == NULL ? 0 : strlen(row->name);
    return row != NULL && strncmp(name, row->name, length) == 0 && name[length] == '.';
}

static bool depends(const rig__fit_unknown *unknown, const rig__fit_row *row)
{
    const rig_workload *const workload = &row->setup.workload;
    switch (unknown->table) {
    case RIG_PROFILE_STACKS:
        return workload->stack != NULL && is_of_row(unknown->name, &workload->stack->row);
    case RIG_PROFILE_LOADERS:
        return workload->loader != NULL && is_of_row(unknown->name, &workload->loader->row);
    default:
        return workload->network == NULL || is_of_kind(unknown->name, workload->network->kind);
    }
}

static int compare_indices(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

rig_status rig__fit_problem_set_terms(rig__fit_problem *problem,
                                      size_t n_figures,
                                      size_t i_row,
                                      rig_error *err)
{
    const rig__fit_row *const row = &problem->rows[i_row];
    rig__map_row *const out = &problem->map.rows[i_row];
    const size_t most = n_figures + row->n_inner + row->n_outer;
    out->terms = rig__arena_alloc(problem->arena, most, sizeof *out->terms);
    out->slopes = rig__arena_alloc(problem->arena, most, sizeof *out->slopes);
    if (out->terms == NULL || out->slopes == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t j = 0; j < n_figures; j++) {
        if (depends(&problem->unknowns[j], row)) {
            problem->unknowns[j].n_rows++;
            out->terms[out->n_terms++] = j;
        }
    }
    for (size_t k = 0; k < row->n_inner; k++) {
        out->terms[out->n_terms++] = row->inner[k];
    }
    for (size_t k = 0; k < row->n_outer; k++) {
        out->terms[out->n_terms++] = row->outer[k];
    }
    qsort(out->terms, out->n_terms, sizeof *out->terms, compare_indices);
    return RIG_OK;
}
