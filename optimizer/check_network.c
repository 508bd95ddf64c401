/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rules about network cards in a node and switches between the nodes. */
#include <math.h>

#include "optimizer/check.h"
#include "optimizer/network.h"

/* Slots of x16 size and of the smaller sizes that still hold the card. */
static double slots_for(const rig_board *board, double lanes)
{
    double slots =
        isnan(board->pcie_x16_slots) ? board->gpu_slots_double_width : board->pcie_x16_slots;
    slots = isnan(slots) ? 0 : slots;
    if (lanes <= 8 && !isnan(board->pcie_x8_slots)) {
        slots += board->pcie_x8_slots;
    }
    if (lanes <= 4 && !isnan(board->pcie_x4_slots)) {
        slots += board->pcie_x4_slots;
    }
    return slots;
}

/* GPUs that leave room for the cards, which stand behind the last of them; on boards of known
 * layout each takes the place of a double-width card. */
static double gpus_beside(rig__check *check, double width)
{
    const rig__view *const view = check->view;
    const double n_double = view->board->gpu_slots_double_width;
    if (!isnan(n_double)) {
        const double left = fmax(0, n_double - view->n_nics);
        return width >= 2 ? floor(2 * left / width) : left;
    }
    const double gap = fmax(2, rig__check_constant(check, "slot_pitch_unknown"));
    const double pitch = fmax(rig__check_constant(check, "slot_pitch_unknown"), width);
    const double left = rig__check_positions(view->board) - 1 - (view->n_nics - 1) * gap;
    return fmax(0, floor(left / pitch));
}

static void check_slots(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_board *const board = view->board;
    const double n_gpus = view->has_loose_gpu ? view->n_gpus : 0;
    const double width = view->has_loose_gpu ? rig__check_card_width(view->gpu) : 1;
    const double lanes = isnan(view->nic->pcie_lanes) ? 16 : view->nic->pcie_lanes;
    const double n_slots = rig__check_share(check, slots_for(board, lanes));
    const double n_beside = rig__check_share(check, gpus_beside(check, width));
    if (n_gpus + view->n_nics > n_slots || n_gpus > n_beside) {
        rig__check_fail(check,
                        "network",
                        "'%s x%d' beside %.0f GPUs (%.0f slots wide) on board '%s', which has %.0f "
                        "slots for both and room for %.0f such GPUs beside the cards",
                        view->nic->row.name,
                        view->n_nics,
                        n_gpus,
                        width,
                        board->row.name,
                        n_slots,
                        n_beside);
    }
}

/* Bracket positions of the case: the first card next to the GPUs, others a slot apart. */
static void check_case(rig__check *check)
{
    const rig__view *const view = check->view;
    const double pitch = rig__check_constant(check, "slot_pitch_unknown");
    const bool is_layout_known = !isnan(view->board->gpu_slots_double_width);
    if (view->chassis == NULL || !view->has_loose_gpu) {
        return;
    }
    const double width = rig__check_card_width(view->gpu);
    const double used = view->n_gpus * (is_layout_known ? width : fmax(width, pitch)) + 1 +
                        (view->n_nics - 1) * (is_layout_known ? 2 : fmax(2, pitch));
    if (used > view->chassis->expansion_slots) {
        rig__check_fail(check,
                        "network",
                        "'%s x%d' and '%s x%d' cover %.0f expansion slots, chassis '%s' has %.0f",
                        view->gpu->row.name,
                        view->n_gpus,
                        view->nic->row.name,
                        view->n_nics,
                        used,
                        view->chassis->row.name,
                        view->chassis->expansion_slots);
    }
}

/* R12: places for the network cards of a node. What a server or barebone has is not known. */
static void check_cards(rig__check *check)
{
    const rig__view *const view = check->view;
    if (view->server == NULL && !view->is_barebone && view->board != NULL) {
        check_slots(check);
        check_case(check);
    }
}

static void check_switches(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_switch *const fabric = view->fabric;
    if (!rig__network_speaks(view->nic, fabric)) {
        rig__check_fail(check,
                        "network",
                        "'%s' speaks %s, switch '%s' %s",
                        view->nic->row.name,
                        view->nic->protocol,
                        fabric->row.name,
                        fabric->protocol == NULL ? "a protocol that is not known"
                                                 : fabric->protocol);
    } else if (isnan(fabric->ports) || isnan(fabric->gbps_per_port)) {
        rig__check_fail(check, "network", "ports of switch '%s' are not known", fabric->row.name);
    } else if (fabric->ports < view->nodes) {
        rig__check_fail(check,
                        "network",
                        "switch '%s' has %.0f ports for %d nodes (one switch joins all of them)",
                        fabric->row.name,
                        fabric->ports,
                        view->nodes);
    }
}

void rig__check_network(rig__check *check, bool is_complete)
{
    const rig__view *const view = check->view;
    if (view->nic != NULL) {
        check_cards(check);
    }
    if (view->fabric != NULL && view->nodes < 2) {
        rig__check_fail(check,
                        "network",
                        "switch '%s x%d' with one machine (two nodes or more)",
                        view->fabric->row.name,
                        view->n_switches);
        return;
    }
    if (view->nic != NULL && view->fabric != NULL) {
        check_switches(check);
    }
    if (view->nodes > 1 && is_complete && view->nic == NULL) {
        rig__check_fail(check, "network", "%d nodes have no network card", view->nodes);
    }
    if (view->nodes > 2 && view->fabric == NULL && (is_complete || view->nic != NULL)) {
        rig__check_fail(
            check, "network", "%d nodes have no switch (two can be joined directly)", view->nodes);
    }
}
