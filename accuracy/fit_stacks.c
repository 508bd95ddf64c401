/* SPDX-License-Identifier: GPL-3.0-or-later
 * The two simplest fits: nothing, and one step factor per software stack. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/residuals.h"
#include "base/error.h"

/* The rate does not follow the factor alone (launches, optimiser step), so it is corrected this
 * often; each time the rest shrinks by the share of the other terms. */
#define RIG__STACK_ROUNDS 8

rig_status
rig_fit_nothing(const rig_fit_task *task, rig_profile *profile, void *payload, rig_error *err)
{
    (void)task;
    (void)profile;
    (void)payload;
    (void)err;
    return RIG_OK;
}

/* Sums over the rows of one stack. */
typedef struct tally {
    size_t rows;
    double sum_weight, sum_log, sum_square;
} tally;

static size_t stack_index(const rig_fit_task *task, const rig_measurement *row)
{
    const size_t n_stacks = rig_catalog_count(task->catalog, RIG_TABLE_STACK);
    const rig_stack *const stack = row->workload.stack;
    for (size_t i = 0; stack != NULL && i < n_stacks; i++) {
        if (strcmp(rig_catalog_row(task->catalog, RIG_TABLE_STACK, i)->name, stack->row.name) ==
            0) {
            return i;
        }
    }
    return n_stacks;
}

static rig_status measure(const rig_fit_task *task,
                          const rig_catalog *catalog,
                          const rig_constants *constants,
                          tally *tallies,
                          rig_error *err)
{
    const size_t n_stacks = rig_catalog_count(task->catalog, RIG_TABLE_STACK);
    memset(tallies, 0, n_stacks * sizeof *tallies);
    for (size_t i = 0; i < task->measurements->n_rows; i++) {
        const rig_measurement *const row = &task->measurements->rows[i];
        const size_t i_stack = stack_index(task, row);
        rig_residual residual;
        if (task->is_held_out[i] || i_stack == n_stacks) {
            continue;
        }
        RIG_TRY(rig__residual_fill(row, catalog, constants, &residual, err));
        const bool is_training =
            residual.binding == RIG_STAGE_GPU || residual.binding == RIG_STAGE_ALLREDUCE;
        if (residual.unsupported != NULL || !is_training) {
            continue;
        }
        tallies[i_stack].rows++;
        tallies[i_stack].sum_weight += row->weight;
        tallies[i_stack].sum_log += row->weight * residual.log_ratio;
        tallies[i_stack].sum_square += row->weight * residual.log_ratio * residual.log_ratio;
    }
    return RIG_OK;
}

/* Corrects the factor of every stack that has rows. */
static rig_status correct(const rig_fit_task *task,
                          const rig_catalog *catalog,
                          const tally *tallies,
                          rig_profile *profile,
                          rig_error *err)
{
    const rig_column *const column = rig_column_find(RIG_TABLE_STACK, "step_factor");
    for (size_t i = 0; i < rig_catalog_count(task->catalog, RIG_TABLE_STACK); i++) {
        const tally *const sums = &tallies[i];
        if (sums->rows == 0) {
            continue;
        }
        const rig_row *const row = rig_catalog_row(catalog, RIG_TABLE_STACK, i);
        const double mean = sums->sum_log / sums->sum_weight;
        const double factor = rig_row_number(row, column) * exp(mean);
        const double variance = sums->sum_square / sums->sum_weight - mean * mean;
        const rig_profile_entry entry = {
            .table = RIG_PROFILE_STACKS,
            .name = row->name,
            .value = fmin(fmax(factor, column->low), column->high),
            .log_sd = variance > 0.0 ? sqrt(variance) : 0.0,
            .rows = (double)sums->rows,
            .source = "mean over the rows of the stack that training limits",
        };
        RIG_TRY(rig_profile_add(profile, &entry, err));
    }
    return RIG_OK;
}

static rig_status
run_round(const rig_fit_task *task, rig_profile *profile, tally *tallies, rig_error *err)
{
    rig_catalog *catalog = NULL;
    rig_constants *constants = NULL;
    rig_status status = rig_profile_apply(&catalog, task->catalog, profile, err);
    if (status == RIG_OK) {
        status = rig_constants_new(&constants, catalog, err);
    }
    if (status == RIG_OK) {
        status = measure(task, catalog, constants, tallies, err);
    }
    if (status == RIG_OK) {
        status = correct(task, catalog, tallies, profile, err);
    }
    rig_constants_free(constants);
    rig_catalog_free(catalog);
    return status;
}

rig_status
rig_fit_stacks(const rig_fit_task *task, rig_profile *profile, void *payload, rig_error *err)
{
    (void)payload;
    const size_t n_stacks = rig_catalog_count(task->catalog, RIG_TABLE_STACK);
    tally *const tallies = calloc(n_stacks + 1, sizeof *tallies);
    rig_status status = RIG_OK;
    if (tallies == NULL) {
        return rig__error_nomem(err);
    }
    for (int i = 0; i < RIG__STACK_ROUNDS && status == RIG_OK; i++) {
        status = run_round(task, profile, tallies, err);
    }
    free(tallies);
    return status;
}
