/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rules between GPUs, board and case: form, slots, bracket positions, length. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "optimizer/check.h"

double rig__check_card_width(const rig_gpu *gpu)
{
    return fmax(1, ceil(fmax(gpu->slots, gpu->slots_cards_median)));
}

/* Bracket positions beside the slots of a board, by form factor. */
double rig__check_positions(const rig_board *board)
{
    static const struct {
        const char *form;
        double positions;
    } table[] = {{"atx", 7},
                 {"xlatx", 8},
                 {"eatx", 8},
                 {"ssieeb", 8},
                 {"ssiceb", 7},
                 {"microatx", 4},
                 {"miniitx", 2}};
    char form[32];
    rig__check_form(board->form_factor, form, sizeof form);
    for (size_t i_form = 0; i_form < sizeof table / sizeof table[0]; i_form++) {
        if (strcmp(form, table[i_form].form) == 0) {
            return table[i_form].positions;
        }
    }
    return 7;
}

/* Distance of one card to the next where the layout of the slots is not known. */
static double pitch(const rig__check *check, double width)
{
    return fmax(rig__check_constant(check, "slot_pitch_unknown"), width);
}

/* Cards of a width that a board takes when fully populated, NAN: not known. */
static double board_capacity(const rig__check *check, double width)
{
    const rig_board *const board = check->view->board;
    const double n_double = board->gpu_slots_double_width;
    if (check->view->is_barebone) {
        return n_double;
    }
    if (!isnan(n_double)) {
        const double n_cards = width >= 2 ? floor(2 * n_double / width) : n_double;
        return fmin(n_cards, board->pcie_x16_slots); /* fmin passes over an unknown one */
    }
    if (isnan(board->pcie_x16_slots)) {
        return NAN;
    }
    const double positions = rig__check_positions(board);
    if (positions < width) {
        return 0;
    }
    return fmin(board->pcie_x16_slots, 1 + floor((positions - width) / pitch(check, width)));
}

/* R6: room for all the cards. */
static void check_slots(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_gpu *const gpu = view->gpu;
    const rig_board *const board = view->board;
    const double width = rig__check_card_width(gpu);
    const double width_max = rig__check_constant(check, "server_card_slots_max");
    if (view->is_barebone && width > width_max) {
        rig__check_fail(check,
                        "gpu-slots",
                        "'%s' is %.0f slots wide, barebone '%s' takes cards of %.0f",
                        gpu->row.name,
                        width,
                        board->row.name,
                        width_max);
        return;
    }
    const double n_whole = board_capacity(check, width);
    if (isnan(n_whole)) {
        rig__check_fail(check,
                        "gpu-slots",
                        "GPU slots of board '%s' are not known; '%s x%d' needs %d",
                        board->row.name,
                        gpu->row.name,
                        view->n_gpus,
                        view->n_gpus);
        return;
    }
    const double n_usable = rig__check_share(check, n_whole);
    if (view->n_gpus > n_usable) {
        rig__check_fail(check,
                        "gpu-slots",
                        "'%s x%d' (%.0f slots wide) on board '%s', which takes %.0f of them with "
                        "%d processor(s)",
                        gpu->row.name,
                        view->n_gpus,
                        width,
                        board->row.name,
                        n_usable,
                        view->n_cpus);
    }
}

/* R5 and R6: GPUs that are parts of their own. */
void rig__check_gpus(rig__check *check)
{
    const rig__view *const view = check->view;
    if (!view->has_loose_gpu || view->board == NULL) {
        return;
    }
    if (strcmp(view->gpu->form, view->board->gpu_form) != 0) {
        rig__check_fail(check,
                        "gpu-form",
                        "'%s' is %s, board '%s' takes %s GPUs",
                        view->gpu->row.name,
                        view->gpu->form,
                        view->board->row.name,
                        view->board->gpu_form);
        return;
    }
    check_slots(check);
}

static bool is_in(const char *form, const char *const *forms, size_t n_forms)
{
    for (size_t i_form = 0; i_form < n_forms; i_form++) {
        if (strcmp(form, forms[i_form]) == 0) {
            return true;
        }
    }
    return false;
}

#define IS_IN(form, forms) is_in((form), (forms), sizeof(forms) / sizeof(forms)[0])

static bool board_fits_case(const rig_board *board, const rig_chassis *chassis)
{
    static const char *const standard[] = {"miniitx", "microatx", "atx"};
    static const char *const large[] = {"eatx", "xlatx", "ssiceb", "ssieeb"};
    static const char *const cases[] = {"atxmidtower", "atxfulltower", "atxdesktop"};
    char board_form[32];
    char case_form[32];
    rig__check_form(board->form_factor, board_form, sizeof board_form);
    rig__check_form(chassis->form_factor, case_form, sizeof case_form);
    const bool is_tall_rack = strcmp(case_form, "rack") == 0 && chassis->rack_u >= 4;
    if (IS_IN(board_form, standard)) {
        return is_tall_rack || IS_IN(case_form, cases);
    }
    return IS_IN(board_form, large) && (is_tall_rack || strcmp(case_form, "atxfulltower") == 0);
}

static void check_positions(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_chassis *const chassis = view->chassis;
    const double width = rig__check_card_width(view->gpu);
    const double used = isnan(view->board->gpu_slots_double_width)
                            ? width + (view->n_gpus - 1) * pitch(check, width)
                            : width * view->n_gpus;
    if (isnan(chassis->expansion_slots)) {
        rig__check_fail(check,
                        "chassis",
                        "expansion slots of chassis '%s' are not known; '%s x%d' needs %.0f",
                        chassis->row.name,
                        view->gpu->row.name,
                        view->n_gpus,
                        used);
    } else if (used > chassis->expansion_slots) {
        rig__check_fail(check,
                        "chassis",
                        "'%s x%d' covers %.0f expansion slots, chassis '%s' has %.0f",
                        view->gpu->row.name,
                        view->n_gpus,
                        used,
                        chassis->row.name,
                        chassis->expansion_slots);
    }
}

/* R7: the case around board and cards. */
void rig__check_chassis(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_board *const board = view->board;
    const rig_chassis *const chassis = view->chassis;
    if (chassis == NULL) {
        return;
    }
    if (view->is_barebone) {
        rig__check_fail(check,
                        "chassis",
                        "barebone '%s' already has its case: '%s' (no chassis)",
                        board->row.name,
                        chassis->row.name);
        return;
    }
    if (board != NULL && !board_fits_case(board, chassis)) {
        rig__check_fail(check,
                        "chassis",
                        "board '%s' (%s) does not fit chassis '%s' (%s)",
                        board->row.name,
                        board->form_factor == NULL ? "form factor not known" : board->form_factor,
                        chassis->row.name,
                        chassis->form_factor);
    }
    if (!view->has_loose_gpu) {
        return;
    }
    if (board != NULL) {
        check_positions(check);
    }
    if (view->gpu->length_mm > chassis->max_gpu_length_mm) { /* false if either is unknown */
        rig__check_fail(check,
                        "chassis",
                        "'%s' is %.0f mm long, chassis '%s' takes %.0f mm",
                        view->gpu->row.name,
                        view->gpu->length_mm,
                        chassis->row.name,
                        chassis->max_gpu_length_mm);
    }
}
