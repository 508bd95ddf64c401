/* SPDX-License-Identifier: GPL-3.0-or-later
 * Options of the other groups: GPUs, memory, drives, supplies and chassis; limits and conditions.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "optimizer/build_report.h"
#include "optimizer/options.h"
#include "optimizer/thin.h"
#include "optimizer/view.h"

bool rig__space_allows(const rig__space *space, const rig_row *row, int count)
{
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if (condition->kind != RIG_CONDITION_LIMIT &&
            !rig_condition_allows(condition, row, count)) {
            return false;
        }
    }
    return true;
}

bool rig__space_owns(const rig__space *space, const rig_row *row)
{
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if (condition->kind == RIG_CONDITION_OWN && condition->row == row) {
            return true;
        }
    }
    return false;
}

int64_t rig__space_cost(const rig__space *space, const rig_row *row, int count)
{
    if (rig__space_owns(space, row)) {
        return 0;
    }
    return row->price.cents < 0 ? -1 : row->price.cents * count;
}

/* Fills what all options share; false if the part is not for sale or not allowed. */
static bool option_fill(rig__space *space, const rig_row *row, int count, rig__option *out)
{
    memset(out, 0, sizeof *out);
    out->cost_cents = rig__space_cost(space, row, count);
    if (out->cost_cents < 0) {
        space->removed.no_price++;
        return false;
    }
    if (!rig__space_allows(space, row, count)) {
        space->removed.by_condition++;
        return false;
    }
    out->total[RIG_TOTAL_PRICE_USD] = (double)out->cost_cents / 100.0;
    return true;
}

/* Does a condition ask for one part of this table? Then machines without any are not what was asked
 * for, such as a barebone, which has no supply of its own. */
static bool is_pinned(const rig__space *space, rig_table table)
{
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if (condition->table == table &&
            (condition->kind == RIG_CONDITION_FIX || condition->kind == RIG_CONDITION_OWN)) {
            return true;
        }
    }
    return false;
}

static bool has_servers(const rig__space *space)
{
    return space->n_hosts > 0 && space->hosts[space->n_hosts - 1].server != NULL;
}

/* What hosts take at most of parts of one kind, remembered for the kinds asked for last. */
enum { N_REMEMBERED = 16 };

typedef struct most_memo {
    struct {
        const char *text; /* NULL: free */
        int width, most;
    } items[N_REMEMBERED];
    size_t next;
} most_memo;

static int most_of(const rig__space *space,
                   most_memo *memo,
                   int (*count)(const rig__space *space, const char *text, int width),
                   const char *text,
                   int width)
{
    for (size_t i = 0; i < N_REMEMBERED; i++) {
        if (memo->items[i].text != NULL && rig__is_same_text(memo->items[i].text, text) &&
            memo->items[i].width == width) {
            return memo->items[i].most;
        }
    }
    const size_t at = memo->next++ % N_REMEMBERED;
    memo->items[at].text = text;
    memo->items[at].width = width;
    memo->items[at].most = count(space, text, width);
    return memo->items[at].most;
}

/* ---- GPUs ----------------------------------------------------------------------------------- */

int rig__gpu_width(const rig_gpu *gpu)
{
    const double widest =
        fmax(gpu->slots, isnan(gpu->slots_cards_median) ? 0 : gpu->slots_cards_median);
    const int width = (int)ceil(widest - 1e-9);
    return width < 1 ? 1 : width > RIG__MAX_CARD_WIDTH ? RIG__MAX_CARD_WIDTH : width;
}

/* Conditions on GPUs look at the modules of a baseboard; owned GPUs are not on one for sale. */
static bool modules_allowed(const rig__space *space, const rig_gpu *gpu, int count)
{
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if (condition->kind == RIG_CONDITION_OWN && condition->table == RIG_TABLE_GPU) {
            return false;
        }
    }
    return rig__space_allows(space, &gpu->row, count);
}

static bool gpu_known(rig__space *space, const rig_gpu *gpu, rig__gpu_option *out)
{
    const rig_workload *const workload = &space->request->workload;
    if (rig_gpu_efficiency(space->catalog, gpu, workload) == NULL &&
        !space->request->allow_unmeasured) {
        space->removed.unmeasured++;
        return false;
    }
    out->step_factor = rig_gpu_factor_get(space->catalog, gpu, workload, space->nodes).step_factor;
    return true;
}

static bool gpu_option_fill(rig__space *space,
                            const rig_gpu *gpu,
                            const rig_baseboard *baseboard,
                            int count,
                            rig__gpu_option *out)
{
    memset(out, 0, sizeof *out);
    const rig_row *row = baseboard == NULL ? &gpu->row : &baseboard->row;
    if (!option_fill(space, row, baseboard == NULL ? count : 1, &out->option) ||
        !gpu_known(space, gpu, out)) {
        return false;
    }
    if (baseboard != NULL && !modules_allowed(space, gpu, count)) {
        space->removed.by_condition++;
        return false;
    }
    const rig_workload *workload = &space->request->workload;
    if (!(rig_batch_max(space->constants, workload, gpu->mem_gb * RIG_MEMORY_GB_BYTES, count) >=
          1)) {
        space->removed.no_fit_memory++;
        return false;
    }
    out->gpu = gpu;
    out->baseboard = baseboard;
    out->count = count;
    out->width = baseboard == NULL ? rig__gpu_width(gpu) : 0;
    out->link = rig_gpu_link_get(gpu, count);
    out->cold_rate_needed =
        rig__space_constant(space, "cold_storage_share_min") * rig__gpu_own_rate(space, out);
    const double slot_w = rig__space_constant(space, "slot_power_w");
    const bool has_plugs = baseboard == NULL && strcmp(gpu->form, "pcie") == 0;
    out->connector_w = has_plugs && gpu->tdp_w > slot_w ? count * (gpu->tdp_w - slot_w) : 0;
    out->option.total[RIG_TOTAL_POWER_W] = count * gpu->tdp_w;
    out->option.total[RIG_TOTAL_GPU_COUNT] = count;
    out->option.total[RIG_TOTAL_GPU_MEM_GB] = count * gpu->mem_gb;
    return true;
}

/* Most cards of this width and form that any host takes. */
static int count_cards(const rig__space *space, const char *form, int width)
{
    int most = 0;
    for (size_t i = 0; i < space->n_hosts; i++) {
        const rig__host *host = &space->hosts[i];
        if (host->board != NULL && rig__is_same_text(host->board->gpu_form, form) &&
            host->gpu_capacity[width] > most) {
            most = host->gpu_capacity[width];
        }
    }
    return most > RIG__MAX_GPUS ? RIG__MAX_GPUS : most;
}

static void gpus_add(rig__space *space, most_memo *memo, const rig_gpu *gpu)
{
    const int most = most_of(space, memo, count_cards, gpu->form, rig__gpu_width(gpu));
    for (int count = 1; count <= most; count++) {
        space->n_gpus += gpu_option_fill(space, gpu, NULL, count, &space->gpus[space->n_gpus]);
    }
}

static void baseboards_add(rig__space *space)
{
    const size_t n_rows = rig_catalog_count(space->catalog, RIG_TABLE_BASEBOARD);
    for (size_t i = 0; i < n_rows; i++) {
        const rig_baseboard *baseboard =
            (const rig_baseboard *)rig_catalog_row(space->catalog, RIG_TABLE_BASEBOARD, i);
        const rig_gpu *gpu =
            (const rig_gpu *)rig_catalog_get(space->catalog, RIG_TABLE_GPU, baseboard->gpu_name);
        if (gpu == NULL || baseboard->gpu_count > RIG__MAX_GPUS) {
            space->removed.not_known++;
        } else {
            space->n_gpus += gpu_option_fill(
                space, gpu, baseboard, (int)baseboard->gpu_count, &space->gpus[space->n_gpus]);
        }
    }
}

static rig_status gpus_collect(rig__space *space, rig_error *err)
{
    const rig_row **rows = NULL;
    size_t n_rows = 0;
    most_memo memo = {0};
    RIG_TRY(rig__thin_rows(space, RIG_TABLE_GPU, &rows, &n_rows, err));
    const size_t cap =
        n_rows * RIG__MAX_GPUS + rig_catalog_count(space->catalog, RIG_TABLE_BASEBOARD) + 1;
    space->gpus = rig__arena_alloc(space->arena, cap, sizeof *space->gpus);
    if (space->gpus == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < n_rows && !is_pinned(space, RIG_TABLE_BASEBOARD); i++) {
        gpus_add(space, &memo, (const rig_gpu *)rows[i]);
    }
    baseboards_add(space);
    if (has_servers(space)) {
        space->gpus[space->n_gpus++] = (rig__gpu_option){.gpu = NULL};
    }
    return RIG_OK;
}

/* ---- memory --------------------------------------------------------------------------------- */

static int count_dimms(const rig__space *space, const char *type, int width)
{
    int most = 0;
    (void)width;
    for (size_t i = 0; i < space->n_hosts; i++) {
        const rig__host *host = &space->hosts[i];
        if (host->board != NULL && rig__is_same_text(host->board->mem_type, type) &&
            host->dimm_slots > most) {
            most = host->dimm_slots;
        }
    }
    return most;
}

static bool
memory_option_fill(rig__space *space, const rig_memory *memory, int count, rig__memory_option *out)
{
    memset(out, 0, sizeof *out);
    if (!option_fill(space, &memory->row, count, &out->option)) {
        return false;
    }
    out->memory = memory;
    out->is_lrdimm = strcmp(memory->kind, "LRDIMM") == 0;
    out->count = count;
    out->modules = count * (int)memory->modules;
    out->gb = count * memory->total_gb;
    out->option.total[RIG_TOTAL_POWER_W] =
        out->modules * rig__space_constant(space, "dimm_power_w");
    out->option.total[RIG_TOTAL_RAM_GB] = out->gb;
    return true;
}

static rig_status memories_collect(rig__space *space, rig_error *err)
{
    const rig_row **rows = NULL;
    size_t n_rows = 0, cap = 1;
    most_memo memo = {0};
    RIG_TRY(rig__thin_rows(space, RIG_TABLE_MEMORY, &rows, &n_rows, err));
    for (size_t i = 0; i < n_rows; i++) {
        const rig_memory *memory = (const rig_memory *)rows[i];
        const int most = most_of(space, &memo, count_dimms, memory->type, 0);
        cap += (size_t)(most / (int)memory->modules);
    }
    space->memories = rig__arena_alloc(space->arena, cap, sizeof *space->memories);
    if (space->memories == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < n_rows; i++) {
        const rig_memory *memory = (const rig_memory *)rows[i];
        if (memory->kind == NULL) {
            space->removed.not_known++;
            continue;
        }
        const int most = most_of(space, &memo, count_dimms, memory->type, 0) / (int)memory->modules;
        for (int count = 1; count <= most; count++) {
            space->n_memories +=
                memory_option_fill(space, memory, count, &space->memories[space->n_memories]);
        }
    }
    if (has_servers(space)) {
        space->memories[space->n_memories++] = (rig__memory_option){.memory = NULL};
    }
    return RIG_OK;
}

/* ---- drives --------------------------------------------------------------------------------- */

rig__bay rig__drive_bay(const rig_storage *storage)
{
    if (rig__text_has_prefix_nocase(storage->form_factor, "M.2")) {
        return RIG__BAY_M2; /* also one that speaks SATA */
    }
    if (strcmp(storage->type, "nvme") == 0) {
        return RIG__BAY_NVME;
    }
    if (rig__text_contains_nocase(storage->interface, "SAS")) {
        return RIG__BAY_SAS;
    }
    return rig__text_contains_nocase(storage->interface, "SATA") ? RIG__BAY_SATA : RIG__BAY_NONE;
}

static int most_bays(const rig__space *space, rig__bay bay)
{
    int most = 0;
    for (size_t i = 0; i < space->n_hosts; i++) {
        const int bays = rig__host_bays(&space->hosts[i], bay);
        most = bays > most ? bays : most;
    }
    return most;
}

static double drives_gbs(const rig__space *space, const rig_storage *storage, int count)
{
    rig_machine machine;
    bool is_rate_bounded, is_iops_bounded;
    memset(&machine, 0, sizeof machine);
    machine.n_drive_kinds = 1;
    machine.drives[0].count = count;
    rig__drive_rate(storage,
                    space->constants,
                    &machine.drives[0].read_gbs,
                    &machine.drives[0].iops,
                    &is_rate_bounded,
                    &is_iops_bounded);
    return rig_drive_gbs(space->constants, &space->request->workload, &machine);
}

static bool
drive_option_fill(rig__space *space, const rig_storage *storage, int count, rig__drive_option *out)
{
    memset(out, 0, sizeof *out);
    if (storage->capacity_gb * count <
        rig__optimizer_storage_needed_gb(&space->request->workload, space->constants)) {
        space->removed.too_small++;
        return false;
    }
    if (!option_fill(space, &storage->row, count, &out->option)) {
        return false;
    }
    const bool is_disk = strcmp(storage->type, "hdd") == 0;
    out->storage = storage;
    out->count = count;
    out->bay = rig__drive_bay(storage);
    out->is_35 = strcmp(storage->form_factor, "3.5") == 0;
    out->read_gbs = drives_gbs(space, storage, count);
    out->cold_rate = rig_storage_rate(&space->request->workload, out->read_gbs, 0);
    out->option.total[RIG_TOTAL_POWER_W] =
        count * rig__space_constant(space, is_disk ? "hdd_power_w" : "nvme_power_w");
    out->option.total[RIG_TOTAL_STORAGE_GB] = count * storage->capacity_gb;
    return !isnan(out->read_gbs);
}

static rig_status drives_collect(rig__space *space, rig_error *err)
{
    const rig_row **rows = NULL;
    int most[RIG__N_BAYS];
    size_t n_rows = 0, cap = 1;
    RIG_TRY(rig__thin_rows(space, RIG_TABLE_STORAGE, &rows, &n_rows, err));
    for (int bay = 0; bay < RIG__N_BAYS; bay++) {
        most[bay] = most_bays(space, (rig__bay)bay);
    }
    for (size_t i = 0; i < n_rows; i++) {
        cap += (size_t)most[rig__drive_bay((const rig_storage *)rows[i])];
    }
    space->drives = rig__arena_alloc(space->arena, cap, sizeof *space->drives);
    if (space->drives == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < n_rows; i++) {
        const rig_storage *storage = (const rig_storage *)rows[i];
        for (int count = 1; count <= most[rig__drive_bay(storage)]; count++) {
            space->n_drives +=
                drive_option_fill(space, storage, count, &space->drives[space->n_drives]);
        }
    }
    if (has_servers(space)) {
        space->drives[space->n_drives++] = (rig__drive_option){.storage = NULL};
    }
    return RIG_OK;
}

/* ---- supplies and chassis -------------------------------------------------------------------- */

static double connector_watts(const rig__space *space, const rig_psu *psu)
{
    if (isnan(psu->conn_pcie_8pin) && isnan(psu->conn_12vhpwr)) {
        return INFINITY;
    }
    const double n8 = isnan(psu->conn_pcie_8pin) ? 0 : psu->conn_pcie_8pin;
    const double n12 = isnan(psu->conn_12vhpwr) ? 0 : psu->conn_12vhpwr;
    return n8 * rig__space_constant(space, "connector_8pin_w") +
           n12 * rig__space_constant(space, "connector_12vhpwr_w");
}

static rig_status psus_collect(rig__space *space, rig_error *err)
{
    const size_t n_rows = rig_catalog_count(space->catalog, RIG_TABLE_PSU);
    space->psus = rig__arena_alloc(space->arena, n_rows + 1, sizeof *space->psus);
    if (space->psus == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < n_rows; i++) {
        const rig_psu *psu = (const rig_psu *)rig_catalog_row(space->catalog, RIG_TABLE_PSU, i);
        rig__psu_option *out = &space->psus[space->n_psus];
        memset(out, 0, sizeof *out);
        if (rig__text_compare_nocase(psu->form_factor, "server") == 0 ||
            !option_fill(space, &psu->row, 1, &out->option)) {
            continue;
        }
        out->psu = psu;
        out->wattage_w = psu->wattage_w;
        out->connector_w = connector_watts(space, psu);
        space->n_psus++;
    }
    if (!is_pinned(space, RIG_TABLE_PSU)) {
        space->psus[space->n_psus++] = (rig__psu_option){.psu = NULL, .connector_w = INFINITY};
    }
    return RIG_OK;
}

static bool chassis_takes(const rig_chassis *chassis, bool is_large)
{
    if (rig__text_compare_nocase(chassis->form_factor, "rack") == 0) {
        return chassis->rack_u >= 4;
    }
    if (rig__text_compare_nocase(chassis->form_factor, "ATX Full Tower") == 0) {
        return true;
    }
    return !is_large && (rig__text_compare_nocase(chassis->form_factor, "ATX Mid Tower") == 0 ||
                         rig__text_compare_nocase(chassis->form_factor, "ATX Desktop") == 0);
}

static rig_status chassis_collect(rig__space *space, rig_error *err)
{
    const size_t n_rows = rig_catalog_count(space->catalog, RIG_TABLE_CHASSIS);
    space->chassis = rig__arena_alloc(space->arena, n_rows + 1, sizeof *space->chassis);
    if (space->chassis == NULL) {
        return rig__error_nomem(err);
    }
    for (size_t i = 0; i < n_rows; i++) {
        const rig_chassis *chassis =
            (const rig_chassis *)rig_catalog_row(space->catalog, RIG_TABLE_CHASSIS, i);
        rig__chassis_option *out = &space->chassis[space->n_chassis];
        if (isnan(chassis->expansion_slots)) {
            space->removed.not_known++;
            continue;
        }
        memset(out, 0, sizeof *out);
        if (!option_fill(space, &chassis->row, 1, &out->option)) {
            continue;
        }
        out->chassis = chassis;
        out->slots = (int)chassis->expansion_slots;
        out->bays_35 = isnan(chassis->drive_bays_35) ? 0 : (int)chassis->drive_bays_35;
        out->max_length_mm =
            isnan(chassis->max_gpu_length_mm) ? (double)INFINITY : chassis->max_gpu_length_mm;
        out->takes_large_board = chassis_takes(chassis, true);
        out->takes_board = chassis_takes(chassis, false);
        out->option.total[RIG_TOTAL_RACK_U] = chassis->rack_u;
        space->n_chassis++;
    }
    if (!is_pinned(space, RIG_TABLE_CHASSIS)) {
        space->chassis[space->n_chassis++] = (rig__chassis_option){.chassis = NULL};
    }
    return RIG_OK;
}

rig_status rig__options_collect(rig__space *space, rig_error *err)
{
    RIG_TRY(gpus_collect(space, err));
    RIG_TRY(memories_collect(space, err));
    RIG_TRY(drives_collect(space, err));
    RIG_TRY(psus_collect(space, err));
    RIG_TRY(chassis_collect(space, err));
    space->n_before +=
        space->n_gpus + space->n_memories + space->n_drives + space->n_psus + space->n_chassis;
    return RIG_OK;
}
