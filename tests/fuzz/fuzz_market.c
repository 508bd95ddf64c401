/* SPDX-License-Identifier: GPL-3.0-or-later
 * Any bytes as a line of specifications of every class, and as a list read line by line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "market/lines.h"
#include "market/listings.h"
#include "market/specs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_specs(const uint8_t *data, size_t size)
{
    static const rig_table tables[] = {RIG_TABLE_CPU,
                                       RIG_TABLE_GPU,
                                       RIG_TABLE_BOARD,
                                       RIG_TABLE_MEMORY,
                                       RIG_TABLE_STORAGE,
                                       RIG_TABLE_PSU,
                                       RIG_TABLE_CHASSIS};
    rig__arena *const arena = rig__arena_new();
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        const rig__line line = {
            .file = "fuzz", .line = 1, .text = (const char *)data, .length = size};
        rig__draft *draft = NULL;
        const rig_status status = rig__specs_read(&line, tables[i], arena, &draft, NULL);
        if (status == RIG_OK && draft->name[0] == '\0') {
            abort();
        }
    }
    rig__arena_free(arena);
}

typedef struct reading {
    rig__arena *arena;
    const rig__listing *listing;
} reading;

static rig_status take(const rig__line *line, void *payload, rig_error *err)
{
    const reading *const from = payload;
    rig__draft *const draft =
        rig__draft_new(from->arena, from->listing->table, line->file, line->line);
    (void)err;
    if (draft != NULL) {
        (void)from->listing->read(line, draft, from->arena);
        rig__draft_check(draft);
    }
    return RIG_OK;
}

static rig_status broken(const rig_error *problem, void *payload, rig_error *err)
{
    (void)payload, (void)err;
    return problem->line > 0 ? RIG_OK : (abort(), RIG_OK);
}

static void read_lists(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"cpu.csv",
                                        "video-card.csv",
                                        "motherboard.csv",
                                        "memory.csv",
                                        "internal-hard-drive.csv",
                                        "power-supply.csv",
                                        "case.csv"};
    char path[] = "/tmp/trainrig-fuzz-XXXXXX";
    const int descriptor = mkstemp(path);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) {
        abort();
    }
    (void)close(descriptor);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        reading from = {.arena = rig__arena_new(), .listing = rig__listing_of_file(names[i])};
        const rig__line_sink sink = {take, broken, &from};
        rig_error err = {0};
        const rig_status status = rig__csv_lines(path, &sink, &err);
        if (status != RIG_OK && err.message[0] == '\0') {
            abort();
        }
        rig__arena_free(from.arena);
    }
    (void)unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) {
        read_specs(data, size);
        read_lists(data, size);
    }
    return 0;
}
