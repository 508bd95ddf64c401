/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON trees as text, with the shortest form of every number. */
#ifndef RIG_REPORT_JSON_PRINT_H
#define RIG_REPORT_JSON_PRINT_H

#include <jansson.h>

#include "report/output.h"

/** Writes a tree, indented by two blanks, members in the order they were set.
 *
 *  jansson prints reals with 17 digits or with a fixed precision for the whole text, so 159.99
 *  would become 159.99000000000001; this writer gives the shortest text that reads back as the
 *  same number. */
void rig__json_print(rig__output *output, json_t *root);

#endif
