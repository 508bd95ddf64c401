/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reduction of parts by what they are compared by; the rules are proved in docs/optimisation.md. */
#include "optimizer/thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/view.h"

/* How the rows of one table are compared. */
typedef struct comparison {
    rig_table table;
    size_t n_equal, n_less; /* without the limits */
    /* Fills one row; totals are those of one part. False: the row takes no part. */
    bool (*fill)(const rig__space *space, const rig_row *row, double *figures, double *totals);
} comparison;

bool rig__thin_is_open(const rig__space *space, const rig_row *row)
{
    if (rig__space_cost(space, row, 1) < 0) {
        return false;
    }
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if (condition->kind == RIG_CONDITION_LIMIT || condition->table != row->table) {
            continue;
        }
        const bool is_given =
            condition->kind == RIG_CONDITION_FIX || condition->kind == RIG_CONDITION_OWN;
        if (is_given ? !rig_condition_allows(condition, row, condition->count)
                     : !condition->column_is_count && !rig_condition_allows(condition, row, 1)) {
            return false;
        }
    }
    return true;
}

size_t rig__thin_needed(const rig__space *space, rig_distinct level)
{
    return level <= space->request->distinct ? space->request->top : 0;
}

void rig__thin_limits(const rig__space *space, const double totals[RIG_N_TOTALS], double *out)
{
    for (size_t i = 0; i < space->n_limits; i++) {
        out[i] = space->limits[i].sign * totals[space->limits[i].total];
    }
}

/* ---- what each kind of part is compared by --------------------------------------------------- */

static bool
memory_fill(const rig__space *space, const rig_row *row, double *figures, double *totals)
{
    const rig_memory *memory = (const rig_memory *)row;
    const double values[] = {rig__figure_of(memory->type),
                             rig__figure_of(memory->kind),
                             memory->modules,
                             memory->total_gb, /* more may be more than a board takes */
                             totals[RIG_TOTAL_PRICE_USD],
                             0,
                             -memory->mts};
    totals[RIG_TOTAL_POWER_W] = memory->modules * rig__space_constant(space, "dimm_power_w");
    totals[RIG_TOTAL_RAM_GB] = memory->total_gb;
    memcpy(figures, values, sizeof values);
    return memory->kind != NULL;
}

static bool drive_fill(const rig__space *space, const rig_row *row, double *figures, double *totals)
{
    const rig_storage *drive = (const rig_storage *)row;
    const bool is_disk = strcmp(drive->type, "hdd") == 0;
    double read_gbs = 0, iops = 0;
    bool is_rate_bounded = false, is_iops_bounded = false;
    rig__drive_rate(drive, space->constants, &read_gbs, &iops, &is_rate_bounded, &is_iops_bounded);
    totals[RIG_TOTAL_POWER_W] =
        rig__space_constant(space, is_disk ? "hdd_power_w" : "nvme_power_w");
    totals[RIG_TOTAL_STORAGE_GB] = drive->capacity_gb;
    const double values[] = {(double)rig__drive_bay(drive),
                             totals[RIG_TOTAL_PRICE_USD],
                             totals[RIG_TOTAL_POWER_W],
                             strcmp(drive->form_factor, "3.5") == 0,
                             -read_gbs,
                             -iops,
                             -drive->capacity_gb};
    memcpy(figures, values, sizeof values);
    return !isnan(read_gbs) && !isnan(iops);
}

/* Cards of one chip on one kind of board: all that the model reads is equal. Faster chips do not
 * replace slower ones, since by rule of practice they ask for faster drives. */
static bool gpu_fill(const rig__space *space, const rig_row *row, double *figures, double *totals)
{
    const rig_gpu *gpu = (const rig_gpu *)row;
    const rig_workload *workload = &space->request->workload;
    if (!space->request->allow_unmeasured &&
        rig_gpu_efficiency(space->catalog, gpu, workload) == NULL) {
        return false;
    }
    rig_machine machine = {0};
    rig_machine_set_gpu(&machine, gpu);
    totals[RIG_TOTAL_POWER_W] = gpu->tdp_w;
    totals[RIG_TOTAL_GPU_COUNT] = 1;
    totals[RIG_TOTAL_GPU_MEM_GB] = gpu->mem_gb;
    const double values[] = {
        rig__figure_of(gpu->form),
        rig__gpu_width(gpu),
        gpu->pcie_gen,
        gpu->pcie_lanes,
        (double)rig_gpu_link_get(gpu, 2),
        rig_gpu_factor_get(space->catalog, gpu, workload, space->nodes).step_factor,
        machine.gpu_fp32_tflops,
        machine.gpu_tf32_tflops,
        machine.gpu_fp16_tflops,
        machine.gpu_mem_bytes,
        machine.gpu_mem_gbs,
        machine.gpu_tdp_w,
        machine.gpu_l2_mib,
        machine.gpu_sm_ghz,
        machine.gpu_year,
        machine.gpu_has_hbm,
        machine.gpu_has_matrix_units,
        machine.gpu_is_half_rate,
        machine.gpu_link_gbs,
        totals[RIG_TOTAL_PRICE_USD],
        gpu->tdp_w,
        isnan(gpu->length_mm) ? 0 : gpu->length_mm, /* not known is not checked */
    };
    memcpy(figures, values, sizeof values);
    return true;
}

static bool cpu_fill(const rig__space *space, const rig_row *row, double *figures, double *totals)
{
    const rig_cpu *cpu = (const rig_cpu *)row;
    double speed = 0, speed_1t = 0;
    if (!rig_core_speed(space->constants, cpu, &speed, &speed_1t)) {
        return false;
    }
    const double factor = rig_cpu_factor_get(space->catalog, cpu, &space->request->workload);
    totals[RIG_TOTAL_POWER_W] = cpu->tdp_w;
    totals[RIG_TOTAL_CPU_CORES] = cpu->cores;
    const double values[] = {rig__figure_of(cpu->socket),
                             rig__figure_of(cpu->family),
                             rig__figure_of(cpu->mem_type),
                             rig__host_is_desktop(cpu),
                             cpu->max_sockets,
                             cpu->mem_channels,
                             cpu->cores, /* more want more memory for their workers */
                             totals[RIG_TOTAL_PRICE_USD],
                             cpu->tdp_w,
                             -speed * factor,
                             -speed_1t * factor,
                             -cpu->pcie_gen,
                             -cpu->pcie_lanes,
                             -cpu->mem_mts};
    memcpy(figures, values, sizeof values);
    return true;
}

static const comparison comparisons[] = {{RIG_TABLE_MEMORY, 4, 3, memory_fill},
                                         {RIG_TABLE_STORAGE, 1, 6, drive_fill},
                                         {RIG_TABLE_GPU, 19, 3, gpu_fill},
                                         {RIG_TABLE_CPU, 7, 7, cpu_fill}};

static const comparison *comparison_of(rig_table table)
{
    size_t i = 0;
    while (comparisons[i].table != table) {
        i++;
    }
    return &comparisons[i];
}

/* A list may need as many GPU models as it has places, and the reasons one more. */
static size_t needed_of(const rig__space *space, rig_table table)
{
    switch (table) {
    case RIG_TABLE_GPU:
        return space->request->top + 1;
    case RIG_TABLE_CPU:
        return rig__thin_needed(space, RIG_DISTINCT_CPU);
    default:
        return 0;
    }
}

/* ---- thinning -------------------------------------------------------------------------------- */

/* Rows that can be compared; the others stay. */
static size_t
open_rows(const rig__space *space, const comparison *how, rig__figures *figures, size_t *rows)
{
    size_t n_open = 0;
    const size_t n_rows = rig_catalog_count(space->catalog, how->table);
    for (size_t i = 0; i < n_rows; i++) {
        const rig_row *row = rig_catalog_row(space->catalog, how->table, i);
        double totals[RIG_N_TOTALS] = {0};
        double *own = rig__figures_row(figures, n_open);
        if (!rig__thin_is_open(space, row)) {
            continue;
        }
        totals[RIG_TOTAL_PRICE_USD] = (double)rig__space_cost(space, row, 1) / 100.0;
        if (!how->fill(space, row, own, totals)) {
            continue;
        }
        rig__thin_limits(space, totals, own + how->n_equal + how->n_less);
        if (figures->signatures != NULL) {
            figures->signatures[n_open] = i;
        }
        rows[n_open++] = i;
    }
    return n_open;
}

static rig_status
left_out(const rig__space *space, const comparison *how, bool *is_out, rig_error *err)
{
    const size_t n_rows = rig_catalog_count(space->catalog, how->table);
    rig__figures figures;
    RIG_TRY(rig__figures_new(&figures,
                             n_rows,
                             how->n_equal,
                             how->n_equal + how->n_less + space->n_limits,
                             needed_of(space, how->table),
                             err));
    size_t *rows = malloc((n_rows + 1) * sizeof *rows);
    bool *is_kept = calloc(n_rows + 1, sizeof *is_kept);
    rig_status status = RIG_OK;
    if (rows == NULL || is_kept == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    figures.n_items = open_rows(space, how, &figures, rows);
    status = rig__figures_sweep(&figures, is_kept, err);
    for (size_t i = 0; i < figures.n_items && status == RIG_OK; i++) {
        is_out[rows[i]] = !is_kept[i];
    }
done:
    free(is_kept);
    free(rows);
    rig__figures_free(&figures);
    return status;
}

rig_status rig__thin_rows(
    rig__space *space, rig_table table, const rig_row ***out, size_t *n_out, rig_error *err)
{
    const size_t n_rows = rig_catalog_count(space->catalog, table);
    const rig_row **rows = rig__arena_alloc(space->arena, n_rows, sizeof *rows);
    bool *is_out = calloc(n_rows + 1, sizeof *is_out);
    rig_status status = RIG_OK;
    if (rows == NULL || is_out == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    status = !space->is_thinned ? RIG_OK : left_out(space, comparison_of(table), is_out, err);
    *out = rows;
    *n_out = 0;
    for (size_t i = 0; i < n_rows; i++) {
        if (!is_out[i]) {
            rows[(*n_out)++] = rig_catalog_row(space->catalog, table, i);
        }
    }
    space->n_before += n_rows - *n_out;
done:
    free(is_out);
    return status;
}
