/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rules about power: rating and number of the supplies, plugs for the cards. */
#include <math.h>
#include <string.h>

#include "optimizer/check.h"

static void check_rating(rig__check *check, const char *name, double supply_w)
{
    const double factor = rig__check_constant(check, "power_headroom_factor");
    const double peak_w = rig__view_peak_w(check->view, check->constants);
    if (factor * peak_w > supply_w) {
        rig__check_fail(check,
                        "supply",
                        "the parts draw up to %.0f W, with head-room x%.3g %.0f W; '%s' gives "
                        "%.0f W",
                        peak_w,
                        factor,
                        factor * peak_w,
                        name,
                        supply_w);
    }
}

/* Plugs for what the cards draw beyond their slot, where the plugs are known. */
static void check_plugs(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_psu *const psu = view->psu;
    const bool is_known = !isnan(psu->conn_pcie_8pin) || !isnan(psu->conn_12vhpwr);
    if (!view->has_loose_gpu || strcmp(view->gpu->form, "pcie") != 0 || !is_known) {
        return;
    }
    const double n_8pin = isnan(psu->conn_pcie_8pin) ? 0 : psu->conn_pcie_8pin;
    const double n_16pin = isnan(psu->conn_12vhpwr) ? 0 : psu->conn_12vhpwr;
    const double plugs_w =
        view->n_psus * (rig__check_constant(check, "connector_8pin_w") * n_8pin +
                        rig__check_constant(check, "connector_12vhpwr_w") * n_16pin);
    const double needed_w =
        view->n_gpus * fmax(0, view->gpu->tdp_w - rig__check_constant(check, "slot_power_w"));
    if (needed_w > plugs_w) {
        rig__check_fail(check,
                        "supply",
                        "'%s x%d' needs %.0f W by cable, the plugs of '%s' (%.0f 8-pin, %.0f "
                        "16-pin) carry %.0f W",
                        view->gpu->row.name,
                        view->n_gpus,
                        needed_w,
                        psu->row.name,
                        n_8pin,
                        n_16pin,
                        plugs_w);
    }
}

static bool is_case_supply(const rig_psu *psu)
{
    return strcmp(psu->form_factor, "ATX") == 0 || strcmp(psu->form_factor, "SFX") == 0 ||
           strcmp(psu->form_factor, "TFX") == 0;
}

/* A barebone brings its supplies; a separate one helps only where theirs are not known. */
static void check_barebone(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_board *const board = view->board;
    if (!isnan(board->psu_included_w)) {
        check_rating(check, board->row.name, board->psu_included_w);
        if (view->psu != NULL) {
            rig__check_fail(check,
                            "supply",
                            "barebone '%s' already has supplies of %.0f W: '%s x%d' (no supply)",
                            board->row.name,
                            board->psu_included_w,
                            view->psu->row.name,
                            view->n_psus);
        }
        return;
    }
    if (view->psu == NULL) {
        rig__check_fail(check,
                        "supply",
                        "rating of the supplies of barebone '%s' is not known",
                        board->row.name);
        return;
    }
    check_rating(check, view->psu->row.name, view->psu->wattage_w * view->n_psus);
    check_plugs(check);
}

/* R8: power for everything. */
void rig__check_supply(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_psu *const psu = view->psu;
    if (view->is_barebone) {
        check_barebone(check);
        return;
    }
    if (psu == NULL) {
        return;
    }
    if (view->board != NULL && !is_case_supply(psu)) {
        rig__check_fail(check,
                        "supply",
                        "supply '%s' is of %s form, a case takes ATX, SFX or TFX",
                        psu->row.name,
                        psu->form_factor);
    }
    if (view->n_psus != 1) {
        rig__check_fail(
            check, "supply", "a case takes one supply: '%s x%d' (x1)", psu->row.name, view->n_psus);
    }
    check_rating(check, psu->row.name, psu->wattage_w * view->n_psus);
    check_plugs(check);
}
