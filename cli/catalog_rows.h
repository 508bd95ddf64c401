/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of the catalogue for list and show. */
#ifndef RIG_CLI_CATALOG_ROWS_H
#define RIG_CLI_CATALOG_ROWS_H

#include "cli/session.h"

#define CLI_MAX_COLUMNS 64

/** Rows chosen for a listing. */
typedef struct cli_listing {
    rig_table table;
    const rig_row **rows;
    size_t n_rows;
    char *names; /**< text of the columns, cut into words */
    const char *columns[CLI_MAX_COLUMNS];
    size_t n_columns; /**< 0: all */
} cli_listing;

/** Writes rows in the form of --format. Prints what is wrong. */
cli_exit rig__cli_write_rows(const cli_session *session, const cli_listing *listing);

/** catalog list CLASS, and catalog show NAME. */
cli_exit rig__cli_catalog_list(const cli_session *session);
cli_exit rig__cli_catalog_show(const cli_session *session);

#endif
