/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lines of a shop's part lists as drafts. The columns are those of the lists that
 * github.com/docyx/pc-part-dataset publishes. */
#include "market/listings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "market/drafts.h"

static double number_of(const rig__line *line, const char *header)
{
    const char *const text = rig__line_get(line, header);
    double value = NAN;
    return rig__number_parse(text, strlen(text), &value) ? value : (double)NAN;
}

/* Part `index` of a cell such as "5,6000". */
static double number_in(const rig__line *line, const char *header, int index)
{
    const char *text = rig__line_get(line, header);
    double value = NAN;
    for (; index > 0 && text != NULL; index--) {
        text = strchr(text, ',');
        text = text == NULL ? NULL : text + 1;
    }
    return text != NULL && rig__number_parse(text, strcspn(text, ","), &value) ? value
                                                                               : (double)NAN;
}

/* Takes a text over as it is. */
static bool take(rig__arena *arena,
                 rig__draft *draft,
                 const char *column,
                 const rig__line *line,
                 const char *header)
{
    return rig__draft_set(arena, draft, column, rig__line_get(line, header));
}

static bool take_number(rig__arena *arena,
                        rig__draft *draft,
                        const char *column,
                        const rig__line *line,
                        const char *header)
{
    return rig__draft_set_number(arena, draft, column, number_of(line, header));
}

/* The name with what tells its variants apart. @return false: out of memory */
static bool set_name(rig__arena *arena, rig__draft *draft, const char *name, const char *more)
{
    draft->name = more == NULL || more[0] == '\0' ? rig__arena_copy(arena, name, strlen(name))
                                                  : rig__arena_format(arena, "%s %s", name, more);
    return draft->name != NULL;
}

/* ---- the classes ---------------------------------------------------------------------------- */

static bool read_cpu(const rig__line *line, rig__draft *draft, rig__arena *arena)
{
    const char *const name = rig__line_get(line, "name");
    return set_name(arena, draft, name, NULL) &&
           rig__draft_set(
               arena, draft, "vendor", strncmp(name, "AMD", 3) == 0     ? "AMD"
                                       : strncmp(name, "Intel", 5) == 0 ? "Intel"
                                                                        : NULL) &&
           take_number(arena, draft, "cores", line, "core_count") &&
           take_number(arena, draft, "base_ghz", line, "core_clock") &&
           take_number(arena, draft, "boost_ghz", line, "boost_clock") &&
           take(arena, draft, "family", line, "microarchitecture") &&
           take_number(arena, draft, "tdp_w", line, "tdp");
}

/* Does a name hold all words of a chip but for its memory? */
static bool names_chip(const char *name, const char *chip)
{
    rig__words of_name, of_chip;
    rig__words_of(name, &of_name);
    rig__words_of(chip, &of_chip);
    for (size_t i = 0; i < of_chip.n; i++) {
        const bool is_memory = strstr(of_chip.items[i], "gb") != NULL;
        if (!is_memory && !rig__words_hold(&of_name, of_chip.items[i])) {
            return false;
        }
    }
    return true;
}

/* The chip's name goes with that of the card, and stands in `chip` until the shipped row of the
 * same chip is found. */
static bool read_gpu(const rig__line *line, rig__draft *draft, rig__arena *arena)
{
    const char *const name = rig__line_get(line, "name"), *const chip = rig__line_get(line, "chipset");
    const double gb = number_of(line, "memory");
    char more[192], memory[32];
    rig__words words;
    (void)snprintf(memory, sizeof memory, "%.10ggb", gb);
    (void)snprintf(more, sizeof more, "%s", names_chip(name, chip) ? "" : chip);
    rig__words_of(more, &words);
    if (!isnan(gb) && !rig__words_hold(&words, memory)) {
        const size_t n = strlen(more);
        (void)snprintf(more + n, sizeof more - n, "%s%.10gGB", n > 0 ? " " : "", gb);
    }
    return set_name(arena, draft, name, more) &&
           rig__draft_set(arena, draft, "chip", chip) &&
           rig__draft_set_number(arena, draft, "mem_gb", gb) &&
           take_number(arena, draft, "length_mm", line, "length");
}

static bool read_board(const rig__line *line, rig__draft *draft, rig__arena *arena)
{
    const char *const socket = rig__line_get(line, "socket");
    const bool is_dual = strncmp(socket, "2 x ", 4) == 0;
    return set_name(arena, draft, rig__line_get(line, "name"), NULL) &&
           rig__draft_set(arena, draft, "kind", "board") &&
           rig__draft_set(arena, draft, "socket", is_dual ? socket + 4 : socket) &&
           rig__draft_set(arena, draft, "sockets", is_dual ? "2" : "1") &&
           take(arena, draft, "form_factor", line, "form_factor") &&
           take_number(arena, draft, "max_mem_gb", line, "max_memory") &&
           take_number(arena, draft, "dimm_slots", line, "memory_slots") &&
           rig__draft_set(arena, draft, "gpu_form", "pcie");
}

/* "Corsair Vengeance 32 GB" with "5,6000" and "2,16": the series, then type, rate and modules. */
static bool read_memory(const rig__line *line, rig__draft *draft, rig__arena *arena)
{
    const char *const name = rig__line_get(line, "name");
    const double generation = number_in(line, "speed", 0), mts = number_in(line, "speed", 1);
    const double modules = number_in(line, "modules", 0), gb = number_in(line, "modules", 1);
    char series[256], more[96], type[16];
    (void)snprintf(series, sizeof series, "%s", name);
    char *const last = strrchr(series, ' ');
    if (last != NULL && strcmp(last, " GB") == 0) { /* the capacity follows from the modules */
        *last = '\0';
        char *const before = strrchr(series, ' ');
        if (before != NULL) {
            *before = '\0';
        }
    }
    (void)snprintf(type, sizeof type, "DDR%.0f", generation);
    (void)snprintf(more, sizeof more, "%s-%.0f %.0fx%.10gGB", type, mts, modules, gb);
    return set_name(arena, draft, series, more) &&
           rig__draft_set(arena, draft, "type", isnan(generation) ? NULL : type) &&
           rig__draft_set_number(arena, draft, "mts", mts) &&
           rig__draft_set_number(arena, draft, "modules", modules) &&
           rig__draft_set_number(arena, draft, "module_gb", gb) &&
           rig__draft_set_number(arena, draft, "total_gb", modules * gb) &&
           take_number(arena, draft, "cas_latency", line, "cas_latency");
}

/* Generation and lanes of "M.2 PCIe 4.0 X4". */
static bool set_drive_link(rig__arena *arena, rig__draft *draft, const char *interface)
{
    const char *const pcie = strstr(interface, "PCIe ");
    const char *const lanes = strpbrk(interface, "Xx");
    double generation = NAN, n_lanes = NAN;
    if (pcie != NULL) {
        (void)rig__number_parse(pcie + 5, strcspn(pcie + 5, " "), &generation);
    }
    if (lanes != NULL) {
        (void)rig__number_parse(lanes + 1, strlen(lanes + 1), &n_lanes);
    }
    return rig__draft_set_number(arena, draft, "pcie_gen", floor(generation)) &&
           rig__draft_set_number(arena, draft, "pcie_lanes", n_lanes);
}

static bool read_drive(const rig__line *line, rig__draft *draft, rig__arena *arena)
{
    const char *const interface = rig__line_get(line, "interface");
    const char *const type = rig__line_get(line, "type");
    const bool is_ssd = strcmp(type, "SSD") == 0;
    const bool is_nvme = strstr(interface, "PCIe") != NULL || strcmp(interface, "U.2") == 0;
    const double gb = number_of(line, "capacity");
    char capacity[48];
    (void)snprintf(capacity,
                   sizeof capacity,
                   gb < 1000 ? "%.10gGB" : "%.10gTB",
                   gb < 1000 ? gb : gb / 1000);
    if (!is_ssd && type[0] == '\0') {
        rig__draft_drop(draft, "a hybrid drive", rig__line_get(line, "name"));
    }
    return set_name(arena, draft, rig__line_get(line, "name"), isnan(gb) ? NULL : capacity) &&
           rig__draft_set(arena,
                          draft,
                          "type",
                          !is_ssd   ? "hdd"
                          : is_nvme ? "nvme"
                                    : "sata-ssd") &&
           rig__draft_set_number(arena, draft, "capacity_gb", gb) &&
           rig__draft_set(arena, draft, "interface", interface) &&
           take(arena, draft, "form_factor", line, "form_factor") &&
           rig__draft_set_number(
               arena, draft, "rpm", is_ssd ? (double)NAN : number_of(line, "type")) &&
           (!is_nvme || set_drive_link(arena, draft, interface));
}

static bool read_supply(const rig__line *line, rig__draft *draft, rig__arena *arena)
{
    const char *const grade = rig__line_get(line, "efficiency");
    const char *const name = rig__line_get(line, "name"), *const watts = rig__line_get(line, "wattage");
    char efficiency[64], rating[64];
    (void)snprintf(efficiency, sizeof efficiency, "80+ %s", grade);
    /* one name often stands for ratings from 550 to 1000 W */
    (void)snprintf(rating, sizeof rating, "%.16sW", watts);
    return set_name(arena, draft, name, strstr(name, watts) != NULL ? NULL : rating) &&
           take(arena, draft, "form_factor", line, "type") &&
           take_number(arena, draft, "wattage_w", line, "wattage") &&
           rig__draft_set(arena, draft, "efficiency", grade[0] == '\0' ? NULL : efficiency) &&
           take(arena, draft, "modular", line, "modular");
}

static bool read_case(const rig__line *line, rig__draft *draft, rig__arena *arena)
{
    return set_name(arena, draft, rig__line_get(line, "name"), NULL) &&
           take(arena, draft, "form_factor", line, "type") &&
           take_number(arena, draft, "drive_bays_35", line, "internal_35_bays");
}

static const rig__listing listings[] = {
    {"cpu.csv", RIG_TABLE_CPU, read_cpu},
    {"video-card.csv", RIG_TABLE_GPU, read_gpu},
    {"motherboard.csv", RIG_TABLE_BOARD, read_board},
    {"memory.csv", RIG_TABLE_MEMORY, read_memory},
    {"internal-hard-drive.csv", RIG_TABLE_STORAGE, read_drive},
    {"power-supply.csv", RIG_TABLE_PSU, read_supply},
    {"case.csv", RIG_TABLE_CHASSIS, read_case},
};

const rig__listing *rig__listing_of_file(const char *file_name)
{
    for (size_t i = 0; i < sizeof listings / sizeof listings[0]; i++) {
        if (strcmp(listings[i].file_name, file_name) == 0) {
            return &listings[i];
        }
    }
    return NULL;
}
