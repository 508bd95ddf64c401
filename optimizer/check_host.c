/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rules between board, processors, memory and drives. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "optimizer/check.h"

/* R1 and R2: processors in the sockets of the board. */
void rig__check_processors(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_cpu *const cpu = view->cpu;
    const rig_board *const board = view->board;
    if (cpu == NULL) {
        return;
    }
    if (view->n_cpus > cpu->max_sockets) {
        rig__check_fail(check,
                        "socket",
                        "'%s x%d': at most %.0f of these work in one machine",
                        cpu->row.name,
                        view->n_cpus,
                        cpu->max_sockets);
    }
    if (board == NULL) {
        return;
    }
    if (view->n_cpus > board->sockets) {
        rig__check_fail(check,
                        "socket",
                        "'%s x%d' on board '%s', which has %.0f socket(s)",
                        cpu->row.name,
                        view->n_cpus,
                        board->row.name,
                        board->sockets);
    }
    if (rig__text_compare_nocase(cpu->socket, board->socket) != 0) {
        rig__check_fail(check,
                        "socket",
                        "'%s' needs socket %s, board '%s' has %s",
                        cpu->row.name,
                        cpu->socket,
                        board->row.name,
                        board->socket);
    } else if (board->cpu_families != NULL &&
               !rig__list_contains(board->cpu_families, cpu->family)) {
        rig__check_fail(check,
                        "cpu-family",
                        "board '%s' takes %s processors, '%s' is %s",
                        board->row.name,
                        board->cpu_families,
                        cpu->row.name,
                        cpu->family);
    }
}

static bool is_text(const char *text, const char *other)
{
    return rig__text_compare_nocase(text, other) == 0;
}

/* R3: generation and kind of the modules. */
static void check_memory_type(rig__check *check)
{
    const rig_memory *const memory = check->view->memory;
    const rig_board *const board = check->view->board;
    if (board->mem_type == NULL) {
        rig__check_fail(check,
                        "memory-type",
                        "memory type of board '%s' is not known; memory '%s' is %s",
                        board->row.name,
                        memory->row.name,
                        memory->type);
    } else if (!is_text(memory->type, board->mem_type)) {
        rig__check_fail(check,
                        "memory-type",
                        "memory '%s' is %s, board '%s' takes %s",
                        memory->row.name,
                        memory->type,
                        board->row.name,
                        board->mem_type);
    }
    if (board->dimm_kind == NULL || memory->kind == NULL) {
        rig__check_fail(check,
                        "memory-type",
                        "kind of module is not known: memory '%s' is %s, board '%s' takes %s",
                        memory->row.name,
                        memory->kind == NULL ? "not known" : memory->kind,
                        board->row.name,
                        board->dimm_kind == NULL ? "not known" : board->dimm_kind);
        return;
    }
    const bool is_load_reduced =
        is_text(memory->kind, "LRDIMM") && is_text(board->dimm_kind, "RDIMM");
    if (!is_text(board->dimm_kind, "any") && !is_text(memory->kind, board->dimm_kind) &&
        !is_load_reduced) {
        rig__check_fail(check,
                        "memory-type",
                        "memory '%s' is %s, board '%s' takes %s only",
                        memory->row.name,
                        memory->kind,
                        board->row.name,
                        board->dimm_kind);
    }
}

/* R4: capacity that the populated sockets reach. */
static void check_capacity(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_memory *const memory = view->memory;
    const rig_board *const board = view->board;
    const double whole_gb =
        isnan(board->max_mem_gb)
            ? board->dimm_slots * rig__check_constant(check, "memory_gb_per_slot_unknown")
            : board->max_mem_gb;
    const double max_gb = rig__check_share(check, whole_gb);
    if (memory->total_gb * view->n_kits > max_gb) {
        rig__check_fail(check,
                        "dimm-slots",
                        "'%s x%d' is %.0f GB, board '%s' takes %.0f GB%s with %d processor(s)",
                        memory->row.name,
                        view->n_kits,
                        memory->total_gb * view->n_kits,
                        board->row.name,
                        max_gb,
                        isnan(board->max_mem_gb) ? " (bounded)" : "",
                        view->n_cpus);
    }
}

/* R4: modules, slots and capacity that the populated sockets reach. */
/* Without a board the processor still says which generation it takes; LGA1700 takes either. */
static void check_memory_processor(rig__check *check)
{
    const rig_memory *const memory = check->view->memory;
    const rig_cpu *const cpu = check->view->cpu;
    if (cpu != NULL && !is_text(memory->type, cpu->mem_type) && !is_text(cpu->socket, "LGA1700")) {
        rig__check_fail(check,
                        "memory-type",
                        "memory '%s' is %s, processor '%s' takes %s",
                        memory->row.name,
                        memory->type,
                        cpu->row.name,
                        cpu->mem_type);
    }
}

void rig__check_memory(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_memory *const memory = view->memory;
    const rig_board *const board = view->board;
    if (memory == NULL) {
        return;
    }
    const double n_modules = rig__view_modules(view);
    if (n_modules < view->n_cpus) {
        rig__check_fail(check,
                        "dimm-slots",
                        "%.0f module(s) of '%s' for %d processors of '%s' (one or more each)",
                        n_modules,
                        memory->row.name,
                        view->n_cpus,
                        view->cpu->row.name);
    }
    if (view->n_cpus > 1 && n_modules >= view->n_cpus && fmod(n_modules, view->n_cpus) != 0) {
        rig__check_fail(check,
                        "dimm-slots",
                        "%.0f module(s) of '%s' cannot be shared evenly by %d processors",
                        n_modules,
                        memory->row.name,
                        view->n_cpus);
    }
    if (board == NULL) {
        check_memory_processor(check);
        return;
    }
    check_memory_type(check);
    if (isnan(board->dimm_slots)) {
        rig__check_fail(check,
                        "dimm-slots",
                        "DIMM slots of board '%s' are not known; '%s x%d' needs %.0f",
                        board->row.name,
                        memory->row.name,
                        view->n_kits,
                        n_modules);
        return;
    }
    const double n_slots = rig__check_share(check, board->dimm_slots);
    if (n_modules > n_slots) {
        rig__check_fail(check,
                        "dimm-slots",
                        "'%s x%d' needs %.0f DIMM slots, board '%s' has %.0f usable with %d "
                        "processor(s)",
                        memory->row.name,
                        view->n_kits,
                        n_modules,
                        board->row.name,
                        n_slots,
                        view->n_cpus);
    }
    check_capacity(check);
}

static double known_or(rig__check *check, double value, const char *constant)
{
    return isnan(value) ? rig__check_constant(check, constant) : value;
}

/* Places for a kind of drive, and what they are called. */
static double drive_places(rig__check *check, const char **what_out)
{
    const rig_storage *const storage = check->view->storage;
    const rig_board *const board = check->view->board;
    const bool is_barebone = check->view->is_barebone;
    if (rig__text_has_prefix_nocase(storage->form_factor, "M.2")) {
        *what_out = "M.2 slots";
        return known_or(check,
                        board->m2_slots,
                        is_barebone ? "barebone_nvme_bays_unknown" : "board_m2_unknown");
    }
    if (is_text(storage->type, "nvme")) {
        *what_out = "U.2 ports or NVMe bays";
        if (!is_barebone && isnan(board->u2_ports)) {
            return 0;
        }
        return known_or(check, board->u2_ports, "barebone_nvme_bays_unknown");
    }
    if (rig__text_contains_nocase(storage->interface, "SAS")) {
        *what_out = "SAS bays";
        return is_barebone ? rig__check_constant(check, "barebone_sata_bays_unknown") : 0;
    }
    if (!rig__text_contains_nocase(storage->interface, "SATA")) {
        *what_out = "ports of that interface";
        return 0;
    }
    *what_out = "SATA ports";
    return known_or(check,
                    board->sata_ports,
                    is_barebone ? "barebone_sata_bays_unknown" : "board_sata_unknown");
}

/* R9: places for the drives on the board and in the case. */
void rig__check_drives(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_storage *const storage = view->storage;
    const char *what = NULL;
    if (storage == NULL || view->board == NULL) {
        return;
    }
    const double n_places = drive_places(check, &what);
    if (view->n_drives > n_places) {
        rig__check_fail(check,
                        "drives",
                        "'%s x%d' (%s, %s) on board '%s', which has %.0f %s",
                        storage->row.name,
                        view->n_drives,
                        storage->interface,
                        storage->form_factor,
                        view->board->row.name,
                        n_places,
                        what);
    }
    if (view->is_barebone || view->chassis == NULL ||
        !rig__text_has_prefix_nocase(storage->form_factor, "3.5")) {
        return;
    }
    const double n_bays = isnan(view->chassis->drive_bays_35) ? 0 : view->chassis->drive_bays_35;
    if (view->n_drives > n_bays) {
        rig__check_fail(check,
                        "drives",
                        "'%s x%d' (3.5-inch) in chassis '%s', which has %.0f 3.5-inch bays",
                        storage->row.name,
                        view->n_drives,
                        view->chassis->row.name,
                        n_bays);
    }
}
