/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables and columns as data, generated from trainrig/columns.h. */
#ifndef RIG_CATALOG_SCHEMA_H
#define RIG_CATALOG_SCHEMA_H

#include "trainrig/catalog.h"

size_t rig__schema_row_size(rig_table table);

/** Table of a file "STEM.csv" (exact); false if there is none. */
bool rig__schema_table_of_file(const char *file_name, rig_table *out);

/** Nearest name of a column of the table; NULL if none is near. */
const char *rig__schema_near_column(rig_table table, const char *name);

/** Nearest "STEM" of a table; NULL if none is near. */
const char *rig__schema_near_table(const char *text);

/** Table whose names a column holds ("cpu_name" of servers); false: the column is no reference. */
bool rig__schema_reference(rig_table table, const rig_column *column, rig_table *target_out);

/** The column that stores the trust of a price, an enumeration in memory. */
bool rig__schema_is_trust(const rig_column *column);

const char *rig__schema_trust_name(rig_trust trust); /**< "good" */

/** Writes docs/catalog-schema.md piece by piece. */
void rig__schema_markdown(void (*write)(const char *text, void *payload), void *payload);

/** Words that a text column may hold, separated by '|'; NULL: any text. */
const char *rig__schema_words(rig_table table, const char *column);

#endif
