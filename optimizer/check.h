/* SPDX-License-Identifier: GPL-3.0-or-later
 * The checker of physical rules: shared record of the files that hold the rules. */
#ifndef RIG_OPTIMIZER_CHECK_H
#define RIG_OPTIMIZER_CHECK_H

#include "optimizer/view.h"

/** A check under way. */
typedef struct rig__check {
    const rig__view *view;
    const rig_constants *constants;
    rig_violation *out; /**< cap places, may be NULL when cap is 0 */
    size_t cap;
    size_t count; /**< violations found, also those beyond cap */
} rig__check;

/** Records a violation of a rule; rule is a static string. */
void rig__check_fail(rig__check *check, const char *rule, const char *format, ...) RIG_PRINTF(3, 4);

/** One constant by its name. */
double rig__check_constant(const rig__check *check, const char *name);

/** A board's figure that its populated sockets can use: floor(whole * k / S). All of it when no
 *  processor is named. */
double rig__check_share(const rig__check *check, double whole);

/** Name of a board's form factor without case, blanks and hyphens: "E-ATX" gives "eatx".
 *  @return buffer; "" for NULL */
char *rig__check_form(const char *text, char *buffer, size_t size);

/* The rules, by file. Each skips parts that are absent. */
void rig__check_processors(rig__check *check);
void rig__check_memory(rig__check *check);
void rig__check_drives(rig__check *check);
void rig__check_gpus(rig__check *check);
void rig__check_chassis(rig__check *check);
void rig__check_supply(rig__check *check);

/** Bracket positions one card takes up. */
double rig__check_card_width(const rig_gpu *gpu);

/** Bracket positions beside the slots of a board, by form factor. */
double rig__check_positions(const rig_board *board);
/** Network cards in a node, and what joins the nodes. */
void rig__check_network(rig__check *check, bool is_complete);

#endif
