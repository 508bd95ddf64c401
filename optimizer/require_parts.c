/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cheapest parts of the catalogue that meet one requirement beside the parts that are given. */
#include <math.h>
#include <string.h>

#include "optimizer/require.h"

/* The best offer so far; row order breaks ties, so the answer does not depend on file order. */
typedef struct offer {
    rig_part_use use;
    int64_t cents;
} offer;

static rig_build without(const rig__require *question, rig_table table)
{
    rig_build build = question->build;
    if (question->view.server != NULL) {
        return rig_build_empty(); /* a complete server takes no other part */
    }
    memset(&build.parts[table], 0, sizeof build.parts[table]);
    if (table == RIG_TABLE_GPU) {
        memset(&build.parts[RIG_TABLE_BASEBOARD], 0, sizeof build.parts[RIG_TABLE_BASEBOARD]);
    }
    return build;
}

static bool is_allowed(const rig__require *question, const rig_row *row, int count)
{
    const rig_request *const request = question->request;
    for (size_t i_condition = 0; i_condition < request->n_conditions; i_condition++) {
        if (!rig_condition_allows(&request->conditions[i_condition], row, count)) {
            return false;
        }
    }
    return true;
}

/* Does a part go with those that are given, as far as they go with each other? */
static bool does_fit(const rig__require *question, const rig_row *row, int count)
{
    rig_build build = without(question, row->table);
    const size_t n_before =
        rig_build_check(&build, question->catalog, question->constants, false, NULL, 0);
    build.parts[row->table].row = row;
    build.parts[row->table].count = count;
    return rig_build_check(&build, question->catalog, question->constants, false, NULL, 0) <=
           n_before;
}

static void consider(const rig__require *question, const rig_row *row, double count, offer *best)
{
    if (row->price.cents < 0 || !(count >= 1 && count <= 1024)) {
        return;
    }
    const int64_t cents = row->price.cents * (int64_t)count;
    if (best->use.row != NULL && cents >= best->cents) {
        return;
    }
    if (!is_allowed(question, row, (int)count) || !does_fit(question, row, (int)count)) {
        return;
    }
    best->use.row = row;
    best->use.count = (int)count;
    best->cents = cents;
}

rig_part_use rig__require_cpu(const rig__require *question)
{
    offer best = {{NULL, 0, false}, 0};
    const size_t n_rows = rig_catalog_count(question->catalog, RIG_TABLE_CPU);
    for (size_t i_row = 0; i_row < n_rows; i_row++) {
        const rig_row *const row = rig_catalog_row(question->catalog, RIG_TABLE_CPU, i_row);
        const rig_cpu *const cpu = (const rig_cpu *)row;
        double speed = NAN;
        double speed_1t = NAN;
        if (!rig_core_speed(question->constants, cpu, &speed, &speed_1t)) {
            continue;
        }
        speed *= rig_cpu_factor_get(question->catalog, cpu, &question->workload);
        for (int count = 1; count <= RIG__REQUIRE_SOCKETS_MAX && count <= cpu->max_sockets;
             count++) {
            const double rate = rig_decode_rate(question->constants,
                                                &question->workload,
                                                cpu->cores * count,
                                                speed,
                                                question->n_gpus);
            if (rate >= question->target) {
                consider(question, row, count, &best);
                break;
            }
        }
    }
    return best.use;
}

rig_part_use rig__require_memory(const rig__require *question, double ram_gb)
{
    offer best = {{NULL, 0, false}, 0};
    const size_t n_rows = rig_catalog_count(question->catalog, RIG_TABLE_MEMORY);
    for (size_t i_row = 0; i_row < n_rows; i_row++) {
        const rig_row *const row = rig_catalog_row(question->catalog, RIG_TABLE_MEMORY, i_row);
        const rig_memory *const memory = (const rig_memory *)row;
        const double count = fmax(1, ceil(ram_gb / memory->total_gb));
        if (memory->kind != NULL && count * memory->modules <= RIG__REQUIRE_MODULES_MAX) {
            consider(question, row, count, &best);
        }
    }
    return best.use;
}

/* Usable read rate of one drive for the workload [GB/s]. */
static double one_drive_gbs(const rig__require *question, const rig_storage *storage)
{
    rig_machine machine = question->machine;
    bool is_rate_bounded = false;
    bool is_iops_bounded = false;
    machine.n_drive_kinds = 1;
    machine.drives[0].count = 1;
    rig__drive_rate(storage,
                    question->constants,
                    &machine.drives[0].read_gbs,
                    &machine.drives[0].iops,
                    &is_rate_bounded,
                    &is_iops_bounded);
    return rig_drive_gbs(question->constants, &question->workload, &machine);
}

rig_part_use rig__require_drives(const rig__require *question, double read_gbs, double capacity_gb)
{
    offer best = {{NULL, 0, false}, 0};
    const size_t n_rows = rig_catalog_count(question->catalog, RIG_TABLE_STORAGE);
    for (size_t i_row = 0; i_row < n_rows; i_row++) {
        const rig_row *const row = rig_catalog_row(question->catalog, RIG_TABLE_STORAGE, i_row);
        const rig_storage *const storage = (const rig_storage *)row;
        const double for_room = ceil(capacity_gb / storage->capacity_gb);
        const double for_rate = ceil(read_gbs / one_drive_gbs(question, storage));
        const double count = fmax(1, fmax(for_room, for_rate));
        if (count <= RIG__REQUIRE_DRIVES_MAX) {
            consider(question, row, count, &best);
        }
    }
    return best.use;
}

/* Training rate of so many GPUs of a model beside the parts that are given; NAN: unknown. */
static double training_rate(const rig__require *question, const rig_gpu *gpu, int count)
{
    rig_machine machine;
    rig_build build = without(question, RIG_TABLE_GPU);
    build.parts[RIG_TABLE_GPU].row = &gpu->row;
    build.parts[RIG_TABLE_GPU].count = count;
    if (rig_build_machine(&build,
                          question->catalog,
                          question->constants,
                          &question->workload,
                          &machine,
                          NULL,
                          NULL,
                          NULL) != RIG_OK) {
        return NAN;
    }
    if (question->view.server != NULL) { /* its processors launch the steps, whatever the GPUs */
        machine.core_speed_1t = question->machine.core_speed_1t;
    }
    return rig_allreduce_rate(question->constants, &question->workload, &machine);
}

double rig__require_gpu_count(const rig__require *question, const rig_gpu *gpu)
{
    /* a hair below the target, which may itself be the rate of this very count */
    const double target = question->target * (1 - 1e-9);
    for (int count = 1; count <= RIG__REQUIRE_GPUS_MAX; count++) {
        if (training_rate(question, gpu, count) >= target) {
            return count;
        }
    }
    return INFINITY;
}

/* As recommend offers GPUs: with a price, and measured unless the request says otherwise. */
static bool is_offered(const rig__require *question, const rig_gpu *gpu)
{
    return gpu->row.price.cents >= 0 &&
           (rig_gpu_efficiency(question->catalog, gpu, &question->request->workload) != NULL ||
            question->request->allow_unmeasured);
}

rig_part_use rig__require_gpus(const rig__require *question)
{
    offer best = {{NULL, 0, false}, 0};
    const size_t n_rows = rig_catalog_count(question->catalog, RIG_TABLE_GPU);
    for (size_t i_row = 0; i_row < n_rows; i_row++) {
        const rig_row *const row = rig_catalog_row(question->catalog, RIG_TABLE_GPU, i_row);
        const rig_gpu *const gpu = (const rig_gpu *)row;
        if (is_offered(question, gpu)) {
            consider(question, row, rig__require_gpu_count(question, gpu), &best);
        }
    }
    return best.use;
}

rig_part_use rig__require_gpu_memory(const rig__require *question, double mem_gb)
{
    offer best = {{NULL, 0, false}, 0};
    const size_t n_rows = rig_catalog_count(question->catalog, RIG_TABLE_GPU);
    for (size_t i_row = 0; i_row < n_rows; i_row++) {
        const rig_row *const row = rig_catalog_row(question->catalog, RIG_TABLE_GPU, i_row);
        const rig_gpu *const gpu = (const rig_gpu *)row;
        if (gpu->mem_gb >= mem_gb && is_offered(question, gpu)) {
            consider(question, row, 1, &best);
        }
    }
    return best.use;
}

rig_part_use rig__require_nics(const rig__require *question, double network_gbs)
{
    enum { MOST_NICS = 2 };
    const double gbits_per_gbyte = 8;
    rig_part_use cheapest = {NULL, 0, false};
    int64_t least_cents = INT64_MAX;
    const size_t n_rows = rig_catalog_count(question->catalog, RIG_TABLE_NIC);
    for (size_t i = 0; i < n_rows; i++) {
        const rig_nic *const nic =
            (const rig_nic *)rig_catalog_row(question->catalog, RIG_TABLE_NIC, i);
        for (int count = 1; count <= MOST_NICS && nic->row.price.cents >= 0; count++) {
            const bool is_enough =
                count * nic->ports * nic->gbps_per_port >= network_gbs * gbits_per_gbyte;
            if (is_enough && nic->row.price.cents * count < least_cents) {
                least_cents = nic->row.price.cents * count;
                cheapest = (rig_part_use){&nic->row, count, false};
            }
        }
    }
    return cheapest;
}
