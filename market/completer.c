/* SPDX-License-Identifier: GPL-3.0-or-later
 * What chip, family, socket, standard and specification tell of a draft. */
#include "market/completer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct rig__completer {
    const rig_catalog *shipped;
    rig__words *chips; /* words of the name of each shipped GPU, without maker and memory */
    size_t n_chips;
};

/* ---- chips ---------------------------------------------------------------------------------- */

/* Does a word tell the maker, the memory, or that the chip is slow at other work? */
static bool is_beside(const char *word)
{
    static const char *const words[] = {"nvidia", "amd", "intel", "lhr"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    const size_t digits = strspn(word, "0123456789");
    return digits > 0 && strcmp(word + digits, "gb") == 0;
}

static void chip_words(const char *name, rig__words *out)
{
    size_t n = 0;
    rig__words_of(name, out);
    for (size_t i = 0; i < out->n; i++) {
        if (!is_beside(out->items[i])) {
            out->items[n++] = out->items[i];
        }
    }
    out->n = n;
}

rig__completer *rig__completer_new(const rig_catalog *shipped)
{
    rig__completer *const completer = calloc(1, sizeof *completer);
    if (completer == NULL) {
        return NULL;
    }
    completer->shipped = shipped;
    completer->n_chips = rig_catalog_count(shipped, RIG_TABLE_GPU);
    completer->chips = calloc(completer->n_chips + 1, sizeof *completer->chips);
    if (completer->chips == NULL) {
        free(completer);
        return NULL;
    }
    for (size_t i = 0; i < completer->n_chips; i++) {
        chip_words(rig_catalog_row(shipped, RIG_TABLE_GPU, i)->name, &completer->chips[i]);
    }
    return completer;
}

void rig__completer_free(rig__completer *completer)
{
    if (completer != NULL) {
        free(completer->chips);
        free(completer);
    }
}

static bool are_same_words(const rig__words *a, const rig__words *b)
{
    if (a->n != b->n) {
        return false;
    }
    for (size_t i = 0; i < a->n; i++) {
        if (!rig__words_hold(b, a->items[i])) {
            return false;
        }
    }
    return true;
}

/* Shipped row of the chip with that much memory. */
static const rig_gpu *find_chip(const rig__completer *completer, const char *chip, double mem_gb)
{
    rig__words words;
    chip_words(chip, &words);
    for (size_t i = 0; i < completer->n_chips; i++) {
        const rig_gpu *const gpu = (const rig_gpu *)(const void *)rig_catalog_row(
            completer->shipped, RIG_TABLE_GPU, i);
        if (are_same_words(&words, &completer->chips[i]) && fabs(gpu->mem_gb - mem_gb) < 0.5) {
            return gpu;
        }
    }
    return NULL;
}

/* Performance is the chip's; the card's own are its length and width. */
static bool complete_gpu(const rig__completer *completer, rig__draft *draft, rig__arena *arena)
{
    const char *const chip = rig__draft_get(draft, "chip");
    const rig_gpu *const gpu =
        chip == NULL ? NULL : find_chip(completer, chip, rig__draft_number(draft, "mem_gb"));
    if (gpu == NULL) {
        rig__draft_drop(draft, "no figures of this chip with this memory", chip);
        return true;
    }
    const char *const length = rig__draft_get(draft, "length_mm");
    const char *const slots = rig__draft_get(draft, "slots");
    rig__draft own = *draft;
    own.cells = rig__arena_alloc(arena, rig_column_count(RIG_TABLE_GPU), sizeof(const char *));
    if (own.cells == NULL) {
        return false;
    }
    rig__draft_fill_offer(&own, draft);
    if (!rig__draft_set(arena, &own, "chip", gpu->row.name) ||
        !rig__draft_set(arena, &own, "length_mm", length) ||
        !rig__draft_set(arena, &own, "slots", slots) ||
        /* of a card whose width is known the median of others says nothing */
        !rig__draft_set(arena, &own, "slots_cards_median", slots) ||
        !rig__draft_fill_from_row(arena, &own, &gpu->row)) {
        return false;
    }
    *draft = own;
    return slots != NULL ||
           rig__draft_note(arena, draft, "width not known: that of other cards of the chip");
}

/* ---- processors ----------------------------------------------------------------------------- */

static double least(double a, double b)
{
    return isnan(a) || b < a ? b : a;
}

/* Figures that a family shares, the least of its shipped processors. */
static bool take_family(rig__draft *draft, const rig_catalog *shipped, rig__arena *arena)
{
    const char *const family = rig__draft_get(draft, "family");
    const char *const socket = rig__draft_get(draft, "socket");
    const rig_cpu *like = NULL;
    double channels = NAN, mts = NAN, generation = NAN, lanes = NAN;
    for (size_t i = 0; family != NULL && i < rig_catalog_count(shipped, RIG_TABLE_CPU); i++) {
        const rig_cpu *const cpu =
            (const rig_cpu *)(const void *)rig_catalog_row(shipped, RIG_TABLE_CPU, i);
        if (strcmp(cpu->family, family) != 0 || strcmp(cpu->segment, "server") == 0 ||
            (socket != NULL && strcmp(cpu->socket, socket) != 0)) {
            continue;
        }
        like = like == NULL ? cpu : like;
        channels = least(channels, cpu->mem_channels);
        mts = least(mts, cpu->mem_mts);
        generation = least(generation, cpu->pcie_gen);
        lanes = least(lanes, cpu->pcie_lanes);
    }
    if (like == NULL) {
        rig__draft_drop(draft, "no figures of this family of processors", family);
        return true;
    }
    return rig__draft_set(arena, draft, "segment", like->segment) &&
           rig__draft_set(arena, draft, "socket", like->socket) &&
           rig__draft_set(arena, draft, "mem_type", like->mem_type) &&
           rig__draft_set(arena, draft, "avx", like->avx) &&
           rig__draft_set_number(arena, draft, "max_sockets", like->max_sockets) &&
           rig__draft_set_number(arena, draft, "mem_channels", channels) &&
           rig__draft_set_number(arena, draft, "mem_mts", mts) &&
           rig__draft_set_number(arena, draft, "pcie_gen", generation) &&
           rig__draft_set_number(arena, draft, "pcie_lanes", lanes) &&
           rig__draft_note(arena, draft, "memory and PCIe as the least of its family");
}

/* A part that the shipped tables hold by name: their figures come first. */
static bool take_shipped(const rig__completer *completer,
                         rig__draft *draft,
                         rig__arena *arena,
                         bool *is_taken)
{
    const rig_row *const row = rig_catalog_get(completer->shipped, draft->table, draft->name);
    *is_taken = row != NULL;
    if (row == NULL) {
        return true;
    }
    rig__draft own = *draft;
    own.cells = rig__arena_alloc(arena, rig_column_count(draft->table), sizeof(const char *));
    if (own.cells == NULL || !rig__draft_fill_from_row(arena, &own, row)) {
        return false;
    }
    rig__draft_fill(&own, draft);
    *draft = own;
    return true;
}

/* ---- boards --------------------------------------------------------------------------------- */

/* Text that all shipped boards of a socket have in a column; NULL: they differ, or there is none. */
static const char *
common_text(const rig_catalog *shipped, const char *socket, const char *column_name)
{
    const rig_column *const column = rig_column_find(RIG_TABLE_BOARD, column_name);
    const char *common = NULL;
    for (size_t i = 0; i < rig_catalog_count(shipped, RIG_TABLE_BOARD); i++) {
        const rig_row *const row = rig_catalog_row(shipped, RIG_TABLE_BOARD, i);
        const char *const text = rig_row_text(row, column);
        if (strcmp(((const rig_board *)(const void *)row)->socket, socket) != 0 || text == NULL) {
            continue;
        }
        if (common != NULL && strcmp(common, text) != 0) {
            return NULL;
        }
        common = text;
    }
    return common;
}

static bool has_processor(const rig_catalog *shipped, const char *socket)
{
    for (size_t i = 0; i < rig_catalog_count(shipped, RIG_TABLE_CPU); i++) {
        const rig_cpu *const cpu =
            (const rig_cpu *)(const void *)rig_catalog_row(shipped, RIG_TABLE_CPU, i);
        if (strcmp(cpu->socket, socket) == 0) {
            return true;
        }
    }
    return false;
}

static const char *printed_memory(const char *name)
{
    return rig__text_contains_nocase(name, "DDR5") ? "DDR5"
           : rig__text_contains_nocase(name, "DDR4") || rig__text_match(name, "* D4") ||
                   rig__text_match(name, "* D4 *")
               ? "DDR4"
               : NULL;
}

static bool complete_board(const rig__completer *completer, rig__draft *draft, rig__arena *arena)
{
    static const char *const needed[] = {"mem_type", "dimm_kind", "dimm_slots", "pcie_gen"};
    const char *const socket = rig__draft_get(draft, "socket");
    if (socket == NULL || !has_processor(completer->shipped, socket)) {
        rig__draft_drop(draft, "no figures of processors for this socket", socket);
        return true;
    }
    if (rig__draft_get(draft, "mem_type") == NULL) {
        const char *const common = common_text(completer->shipped, socket, "mem_type");
        const char *const type = common != NULL ? common : printed_memory(draft->name);
        if (!rig__draft_set(arena, draft, "mem_type", type)) {
            return false;
        }
    }
    if (rig__draft_get(draft, "dimm_kind") == NULL) {
        const char *const form = rig__draft_get(draft, "form_factor");
        const bool is_thin = form != NULL && strncmp(form, "Thin", 4) == 0;
        const char *const kind =
            is_thin ? "SODIMM" : common_text(completer->shipped, socket, "dimm_kind");
        if (!rig__draft_set(arena, draft, "dimm_kind", kind)) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (rig__draft_get(draft, needed[i]) == NULL) {
            rig__draft_drop(draft, "a figure that decides what fits is not known", needed[i]);
        }
    }
    return true;
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void complete_memory(rig__draft *draft)
{
    const char *const type = rig__draft_get(draft, "type");
    if (type == NULL || (strcmp(type, "DDR4") != 0 && strcmp(type, "DDR5") != 0)) {
        rig__draft_drop(draft, "memory of a kind that no processor here takes", type);
    } else if (rig__draft_get(draft, "kind") == NULL) {
        rig__draft_drop(draft, "kind of module not known (UDIMM, RDIMM or SODIMM)", draft->name);
    }
}

static bool complete_drive(rig__draft *draft, rig__arena *arena)
{
    const char *const interface = rig__draft_get(draft, "interface");
    const char *const form = rig__draft_get(draft, "form_factor");
    if (interface == NULL || form == NULL || strcmp(form, "PCIe") == 0 ||
        strncmp(interface, "PATA", 4) == 0 || strncmp(interface, "SAS", 3) == 0 ||
        strcmp(interface, "mSATA") == 0) {
        rig__draft_drop(draft, "boards here have no place for it", interface);
        return true;
    }
    return rig__draft_get(draft, "seq_read_mbs") != NULL ||
           rig__draft_note(arena, draft, "read rates not known: bounded by interface");
}

/* Places for cards that the standards of the board sizes give a case.
 * Source: ATX Specification 2.2 (7), microATX Interface Specification 1.2 (4), Mini-ITX Addendum (1) */
static double standard_slots(const char *form)
{
    return form == NULL                     ? (double)NAN
           : strncmp(form, "ATX", 3) == 0   ? 7.0
           : strncmp(form, "Micro", 5) == 0 ? 4.0
           : strncmp(form, "Mini", 4) == 0  ? 1.0
                                            : (double)NAN;
}

static bool complete_case(rig__draft *draft, rig__arena *arena)
{
    if (rig__draft_get(draft, "expansion_slots") != NULL) {
        return true;
    }
    const double slots = standard_slots(rig__draft_get(draft, "form_factor"));
    if (isnan(slots)) {
        rig__draft_drop(draft, "places for cards not known", rig__draft_get(draft, "form_factor"));
        return true;
    }
    return rig__draft_set_number(arena, draft, "expansion_slots", slots) &&
           rig__draft_note(arena, draft, "places for cards by the standard of its board size");
}

static void complete_supply(rig__draft *draft)
{
    const char *const form = rig__draft_get(draft, "form_factor");
    if (form == NULL || (strcmp(form, "ATX") != 0 && strcmp(form, "SFX") != 0)) {
        rig__draft_drop(draft, "a supply of a form that no case here takes", form);
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Two figures agree if one of them is not known. */
static bool agree(const rig__draft *a, const rig__draft *b, const char *column)
{
    const double x = rig__draft_number(a, column), y = rig__draft_number(b, column);
    return isnan(x) || isnan(y) || fabs(x - y) <= 0.02 * fabs(x);
}

/* Names are not enough: sizes must agree as well. */
static bool is_same_part(const rig__draft *spec, const rig__draft *listing)
{
    static const char *const sizes[] = {
        "cores", "mem_gb", "mts", "modules", "module_gb", "capacity_gb", "wattage_w", "dimm_slots"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (!agree(spec, listing, sizes[i])) {
            return false;
        }
    }
    return spec->reason == NULL;
}

static bool complete_class(const rig__completer *completer, rig__draft *draft, rig__arena *arena)
{
    bool is_taken = false;
    if (draft->table == RIG_TABLE_GPU) {
        return complete_gpu(completer, draft, arena);
    }
    if (!take_shipped(completer, draft, arena, &is_taken)) {
        return false;
    }
    switch (draft->table) {
    case RIG_TABLE_CPU:
        return is_taken || take_family(draft, completer->shipped, arena);
    case RIG_TABLE_BOARD:
        return complete_board(completer, draft, arena);
    case RIG_TABLE_MEMORY:
        complete_memory(draft);
        return true;
    case RIG_TABLE_STORAGE:
        return complete_drive(draft, arena);
    case RIG_TABLE_PSU:
        complete_supply(draft);
        return true;
    case RIG_TABLE_CHASSIS:
        return complete_case(draft, arena);
    default:
        return true;
    }
}

bool rig__completer_apply(const rig__completer *completer,
                   const rig__drafts *specs,
                   rig__draft *draft,
                   rig__arena *arena)
{
    const rig__draft *const spec =
        specs == NULL ? NULL : rig__drafts_find(specs, draft, is_same_part);
    if (spec != NULL) {
        rig__draft_fill(draft, spec);
    }
    if (!complete_class(completer, draft, arena)) {
        return false;
    }
    rig__draft_check(draft);
    return true;
}
