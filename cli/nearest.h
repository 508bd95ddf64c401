/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nearest name for hints. */
#ifndef RIG_CLI_NEAREST_H
#define RIG_CLI_NEAREST_H

#include <stddef.h>

/** Search for the nearest of many names; start with {.text = ...}. */
typedef struct cli_nearest {
    const char *text;
    size_t length; /**< of text */
    const char *best;
    size_t distance; /**< of best */
} cli_nearest;

cli_nearest rig__cli_nearest_start(const char *text, size_t length);
void rig__cli_nearest_offer(cli_nearest *nearest, const char *name);
/** The nearest name offered. @return NULL: none is near enough to be meant */
const char *rig__cli_nearest_name(const cli_nearest *nearest);

#endif
