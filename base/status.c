/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names and meanings of the status codes. */
#include "trainrig/status.h"

#include <stddef.h>

typedef struct status_entry {
    rig_status status;
    const char *name;
    const char *text;
} status_entry;

static const status_entry entries[] = {
#define RIG_STATUS_ENTRY(name, value, text) {RIG_##name, #name, (text)},
    RIG_STATUS_MAP(RIG_STATUS_ENTRY)
#undef RIG_STATUS_ENTRY
};

static const status_entry unknown = {RIG_OK, "UNKNOWN", "unknown status"};

static const status_entry *find(rig_status status)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (entries[i].status == status) {
            return &entries[i];
        }
    }
    return &unknown;
}

const char *rig_status_name(rig_status status)
{
    return find(status)->name;
}

const char *rig_status_text(rig_status status)
{
    return find(status)->text;
}
