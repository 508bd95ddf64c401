/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scenarios as requests: every option of recommend that asks something is a column. */
#ifndef RIG_CLI_SCENARIO_H
#define RIG_CLI_SCENARIO_H

#include "cli/session.h"
#include "trainrig/scenarios.h"

#define CLI_SCENARIO_MESSAGE 512

/** One scenario as far as it can be read. */
typedef struct cli_scenario {
    cli_input input;     /**< options of the sweep with the cells over them */
    cli_session session; /**< catalogue lent; request and constants are its own */
    char *pool;          /**< texts of cells that hold several values */
    bool is_wrong;
    char message[CLI_SCENARIO_MESSAGE]; /**< why */
} cli_scenario;

/** A catalogue that scenarios share. */
typedef struct cli_shelf {
    char *key; /**< the options that decide it */
    cli_session session;
    cli_exit loaded;
    char message[CLI_SCENARIO_MESSAGE];
} cli_shelf;

typedef struct cli_scenarios {
    const cli_input *base;
    const char *path;
    rig_scenarios *file;
    cli_id *columns; /**< option of each column; N_OPTIONS: the id */
    size_t first, end;
    cli_scenario *items; /**< end - first of them */
    cli_shelf *shelves;
    size_t n_shelves;
} cli_scenarios;

/** May a cell take the place of the option? All that recommend asks, not how it is printed. */
bool rig__cli_is_column(cli_id id);

/** Reads the file and finds its columns. Prints what is wrong. Free whatever it returns. */
cli_exit rig__cli_scenarios_open(cli_scenarios *out, const cli_input *base, const char *path);
/** Makes requests of the rows first .. end - 1; wrong ones are printed and marked.
 *  @return CLI_EXIT_OK, or CLI_EXIT_INTERNAL when out of memory */
cli_exit rig__cli_scenarios_prepare(cli_scenarios *scenarios);
void rig__cli_scenarios_free(cli_scenarios *scenarios);
/** "FILE:LINE:1" of a row. */
void rig__cli_scenario_place(const cli_scenarios *scenarios,
                             size_t i_row,
                             char place[CLI_WHERE_SIZE]);

#endif
