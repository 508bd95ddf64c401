/* SPDX-License-Identifier: GPL-3.0-or-later
 * The inside of a program, for the files that make it and read its solutions. */
#ifndef RIG_OPTIMIZER_PROGRAM_PARTS_H
#define RIG_OPTIMIZER_PROGRAM_PARTS_H

#include "optimizer/whole.h"

struct rig_program {
    rig__arena *arena;
    const rig_catalog *catalog;
    const rig_constants *constants;
    rig_request request;
    rig__space space;
    rig__whole whole;
    rig_program_size size;
    const char *name; /**< of the program, and of its first column */
    bool is_full;
};

#endif
