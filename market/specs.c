/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lines of open specifications as drafts. The members are those of
 * github.com/buildcores/buildcores-open-db. */
#include "market/specs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

/* ---- members -------------------------------------------------------------------------------- */

/* Member by a path such as "memory/ram_type"; NULL: none. */
static const json_t *member(const json_t *object, const char *path)
{
    char key[64];
    while (object != NULL && path[0] != '\0') {
        const size_t length = strcspn(path, "/");
        (void)snprintf(key, sizeof key, "%.*s", (int)length, path);
        object = json_object_get(object, key);
        path += length + (path[length] == '/' ? 1 : 0);
    }
    return object;
}

static const char *text_at(const json_t *object, const char *path)
{
    const json_t *const value = member(object, path);
    return json_is_string(value) ? json_string_value(value) : NULL;
}

/* Figure above 0; these files write 0 for what they do not know. */
static double figure_at(const json_t *object, const char *path)
{
    const json_t *const value = member(object, path);
    const double figure = json_is_number(value) ? json_number_value(value) : (double)NAN;
    return figure > 0.0 ? figure : (double)NAN;
}

/* Count, where 0 is one. */
static double count_at(const json_t *object, const char *path)
{
    const json_t *const value = member(object, path);
    return json_is_number(value) && json_number_value(value) >= 0.0 ? json_number_value(value)
                                                                    : (double)NAN;
}

/* "4.0" as 4. */
static double generation_of(const json_t *value)
{
    double generation = NAN;
    const char *const text = json_string_value(value);
    if (text != NULL) {
        (void)rig__number_parse(text, strcspn(text, " "), &generation);
    }
    return floor(generation);
}

/* "LGA 1700" as "LGA1700". */
static const char *socket_of(const json_t *object, char *buffer, size_t size)
{
    const char *const text = text_at(object, "socket");
    size_t n = 0;
    for (const char *at = text; at != NULL && *at != '\0' && n + 1 < size; at++) {
        if (*at != ' ') {
            buffer[n++] = *at;
        }
    }
    buffer[n] = '\0';
    return buffer;
}

/* ---- the classes ---------------------------------------------------------------------------- */

static bool read_cpu(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    char socket[64];
    const json_t *const types = member(from, "specifications/memory/types");
    const char *const memory =
        json_array_size(types) == 1 ? json_string_value(json_array_get(types, 0)) : NULL;
    return rig__draft_set_number(arena, draft, "cores", figure_at(from, "cores/total")) &&
           rig__draft_set_number(arena, draft, "threads", figure_at(from, "cores/threads")) &&
           rig__draft_set(arena, draft, "socket", socket_of(from, socket, sizeof socket)) &&
           rig__draft_set(arena, draft, "mem_type", memory) &&
           rig__draft_set_number(
               arena, draft, "mem_channels", figure_at(from, "specifications/memory/channels"));
}

/* Six- and eight-pin plugs do not enter: the watts of the supply's plugs are checked. */
static bool read_gpu(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    return rig__draft_set(arena, draft, "chip", text_at(from, "chipset")) &&
           rig__draft_set_number(arena, draft, "mem_gb", figure_at(from, "memory")) &&
           rig__draft_set_number(arena, draft, "length_mm", figure_at(from, "length")) &&
           rig__draft_set_number(arena, draft, "slots", figure_at(from, "total_slot_width")) &&
           rig__draft_set_number(arena, draft, "tdp_w", figure_at(from, "tdp"));
}

/* Slots of x16, x8 and x4 size, and the best generation among those of x16. */
typedef struct slots {
    double x16, x8, x4, generation;
} slots;

static slots slots_of(const json_t *from)
{
    slots out = {.generation = NAN};
    const json_t *const list = member(from, "pcie_slots");
    if (!json_is_array(list) || json_array_size(list) == 0) {
        return (slots){NAN, NAN, NAN, NAN};
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const slot = json_array_get(list, i);
        const double n = count_at(slot, "quantity"), lanes = count_at(slot, "lanes");
        const double generation = generation_of(member(slot, "gen"));
        if (isnan(n) || n > 32.0) {
            continue;
        }
        out.x16 += lanes >= 16.0 ? n : 0.0;
        out.x8 += lanes >= 8.0 && lanes < 16.0 ? n : 0.0;
        out.x4 += lanes >= 4.0 && lanes < 8.0 ? n : 0.0;
        if (lanes >= 16.0 && n > 0.0) {
            out.generation = fmax(out.generation, generation); /* of the first slot, by the CPU */
        }
    }
    return out;
}

/* More M.2 slots than so many on one board are printed for all variants of a series (assumption). */
static const double m2_slots_likely = 5.0, m2_slots_planned = 2.0;

static bool read_m2(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    const json_t *const list = member(from, "m2_slots");
    double n = 0.0;
    if (!json_is_array(list)) {
        return true;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *const key = text_at(json_array_get(list, i), "key");
        n += key == NULL || strcmp(key, "E") != 0 ? 1.0 : 0.0; /* E: wireless cards */
    }
    if (n > m2_slots_likely) {
        return rig__draft_set_number(arena, draft, "m2_slots", m2_slots_planned) &&
               rig__draft_note(arena, draft, "M.2 slots doubtful: two are planned");
    }
    return rig__draft_set_number(arena, draft, "m2_slots", n);
}

static bool read_board(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    char socket[64];
    const slots have = slots_of(from);
    const char *const lan = text_at(json_array_get(member(from, "onboard_ethernet"), 0), "speed");
    return rig__draft_set(arena, draft, "socket", socket_of(from, socket, sizeof socket)) &&
           rig__draft_set(arena, draft, "form_factor", text_at(from, "form_factor")) &&
           rig__draft_set(arena, draft, "chipset", text_at(from, "chipset")) &&
           rig__draft_set(arena, draft, "mem_type", text_at(from, "memory/ram_type")) &&
           rig__draft_set_number(arena, draft, "dimm_slots", figure_at(from, "memory/slots")) &&
           rig__draft_set_number(arena, draft, "max_mem_gb", figure_at(from, "memory/max")) &&
           rig__draft_set_number(arena, draft, "pcie_x16_slots", have.x16) &&
           rig__draft_set_number(arena, draft, "pcie_x8_slots", have.x8) &&
           rig__draft_set_number(arena, draft, "pcie_x4_slots", have.x4) &&
           rig__draft_set_number(arena, draft, "pcie_gen", have.generation) &&
           rig__draft_set_number(
               arena, draft, "sata_ports", count_at(from, "storage_devices/sata_6_gb_s")) &&
           rig__draft_set_number(arena, draft, "u2_ports", count_at(from, "storage_devices/u2")) &&
           rig__draft_set(arena, draft, "onboard_lan", lan) && read_m2(from, draft, arena);
}

static const char *module_kind(const char *form, const char *registered)
{
    if (form == NULL) {
        return NULL;
    }
    if (strstr(form, "SO-DIMM") != NULL) {
        return "SODIMM";
    }
    return registered == NULL                      ? NULL
           : strcmp(registered, "Registered") == 0 ? "RDIMM"
                                                   : "UDIMM";
}

static bool read_memory(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    const char *const ecc = text_at(from, "ecc");
    return rig__draft_set(arena, draft, "type", text_at(from, "ram_type")) &&
           rig__draft_set(arena,
                          draft,
                          "kind",
                          module_kind(text_at(from, "form_factor"), text_at(from, "registered"))) &&
           rig__draft_set(arena,
                          draft,
                          "ecc",
                          ecc == NULL                 ? NULL
                          : strcmp(ecc, "Non-ECC") == 0 ? "no"
                                                        : "yes") &&
           rig__draft_set_number(arena, draft, "mts", figure_at(from, "speed")) &&
           rig__draft_set_number(arena, draft, "modules", figure_at(from, "modules/quantity")) &&
           rig__draft_set_number(
               arena, draft, "module_gb", figure_at(from, "modules/capacity_gb"));
}

static bool read_drive(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    return rig__draft_set_number(arena, draft, "capacity_gb", figure_at(from, "capacity")) &&
           rig__draft_set(arena, draft, "form_factor", text_at(from, "form_factor"));
}

static bool read_supply(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    const double vhpwr = count_at(from, "connectors/pcie_12vhpwr");
    const double v2x6 = count_at(from, "connectors/pcie_12v_2x6");
    return rig__draft_set_number(arena, draft, "wattage_w", figure_at(from, "wattage")) &&
           rig__draft_set_number(
               arena, draft, "conn_pcie_8pin", count_at(from, "connectors/pcie_6_plus_2_pin")) &&
           rig__draft_set_number(arena, draft, "conn_12vhpwr", isnan(v2x6) ? vhpwr : fmax(vhpwr, v2x6)) &&
           rig__draft_set_number(arena, draft, "conn_eps", count_at(from, "connectors/eps_8_pin"));
}

static bool read_case(const json_t *from, rig__draft *draft, rig__arena *arena)
{
    return rig__draft_set_number(
               arena, draft, "expansion_slots", figure_at(from, "expansion_slots")) &&
           rig__draft_set_number(
               arena, draft, "max_gpu_length_mm", figure_at(from, "max_video_card_length")) &&
           rig__draft_set_number(
               arena, draft, "drive_bays_35", count_at(from, "internal_3_5_bays"));
}

static const struct {
    const char *file_name;
    rig_table table;
    bool (*read)(const json_t *from, rig__draft *draft, rig__arena *arena);
} classes[] = {
    {"CPU.ndjson", RIG_TABLE_CPU, read_cpu},
    {"GPU.ndjson", RIG_TABLE_GPU, read_gpu},
    {"Motherboard.ndjson", RIG_TABLE_BOARD, read_board},
    {"RAM.ndjson", RIG_TABLE_MEMORY, read_memory},
    {"Storage.ndjson", RIG_TABLE_STORAGE, read_drive},
    {"PSU.ndjson", RIG_TABLE_PSU, read_supply},
    {"PCCase.ndjson", RIG_TABLE_CHASSIS, read_case},
};
#define N_CLASSES (sizeof classes / sizeof classes[0])

bool rig__specs_table(const char *file_name, rig_table *out)
{
    for (size_t i = 0; i < N_CLASSES; i++) {
        if (strcmp(classes[i].file_name, file_name) == 0) {
            *out = classes[i].table;
            return true;
        }
    }
    return false;
}

static rig_status fill(const json_t *from, rig__draft *draft, rig__arena *arena, rig_error *err)
{
    const char *const name = text_at(from, "metadata/name");
    if (name == NULL || name[0] == '\0') {
        return rig__error_set(err,
                              RIG_E_PARSE,
                              draft->file,
                              draft->line,
                              1,
                              "no name (expected an object with metadata.name)");
    }
    draft->name = rig__arena_copy(arena, name, strlen(name));
    for (size_t i = 0; i < N_CLASSES && draft->name != NULL; i++) {
        if (classes[i].table == draft->table) {
            return classes[i].read(from, draft, arena) ? RIG_OK : rig__error_nomem(err);
        }
    }
    return rig__error_nomem(err);
}

rig_status rig__specs_read(const rig__line *line,
                           rig_table table,
                           rig__arena *arena,
                           rig__draft **out,
                           rig_error *err)
{
    json_error_t problem;
    *out = rig__draft_new(arena, table, line->file, line->line);
    if (*out == NULL) {
        return rig__error_nomem(err);
    }
    json_t *const root = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL) {
        return rig__error_set(err,
                              RIG_E_PARSE,
                              line->file,
                              line->line,
                              problem.position > 0 ? problem.position : 1,
                              "no JSON: '%.80s' (expected one object a line)",
                              problem.text);
    }
    const rig_status status = fill(root, *out, arena, err);
    json_decref(root);
    return status;
}
