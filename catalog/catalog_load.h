/* SPDX-License-Identifier: GPL-3.0-or-later
 * State of loading a catalogue and the steps of it, private to the room. */
#ifndef RIG_CATALOG_CATALOG_LOAD_H
#define RIG_CATALOG_CATALOG_LOAD_H

#include "base/arena.h"
#include "catalog/intern.h"
#include "trainrig/catalog.h"

typedef struct rig__row_list {
    const rig_row **rows; /* sorted by name */
    size_t n_rows;
    size_t *price_starts; /* parts only: first price of each row, n_rows + 1 entries */
} rig__row_list;

struct rig_catalog {
    rig__arena *arena;
    rig__row_list tables[RIG_N_TABLES];
    rig_price *prices; /* of all parts, each part's effective one first */
    rig_catalog_summary summary;
};

/* A row as read, before directories are merged. */
typedef struct rig__entry {
    rig_row *row;
    uint64_t hash;    /* of its content */
    size_t i_source;  /* directory; later ones win */
    long column;      /* of the name cell */
    rig_table part;   /* quotes: table of the part */
    bool is_any_part; /* own quotes without a class */
} rig__entry;

typedef struct rig__pile {
    rig__entry *entries;
    size_t n_entries, cap_entries;
} rig__pile;

/* A cell that names a row of another table. */
typedef struct rig__reference {
    const rig_row *row;
    const rig_column *column;
    rig_table target;
    const char *text;
    long line, i_column;
} rig__reference;

/* A table in memory, in place of directories. */
typedef struct rig__table_text {
    rig_table table;
    const char *name; /* for messages */
    const char *bytes;
    size_t length;
} rig__table_text;

typedef struct rig__load {
    const rig_catalog_options *options;
    const rig__table_text *text; /* NULL: read the directories of the options */
    rig_catalog *catalog;
    rig__intern *strings;
    rig__pile piles[RIG_N_TABLES];
    rig__pile own; /* quotes of the user's own file */
    rig__reference *references;
    size_t n_references, cap_references;
    size_t i_source;
    rig_error first; /* first error; status RIG_OK: none */
} rig__load;

/** Takes an error. In check mode it is reported and loading goes on (RIG_OK), otherwise, and when
 *  memory is out, its status is returned. */
rig_status rig__load_problem(rig__load *load, const rig_error *problem);
/** Reports a warning in check mode. */
void rig__load_warning(rig__load *load, const rig_error *problem);

/** Makes room for one more element. @return the array, maybe moved; NULL: out of memory, the old
 *  array stays */
void *rig__load_grow(void *items, size_t n_items, size_t *cap, size_t item_size);

/** Reads every table of a directory into the piles. */
rig_status rig__load_directory(rig__load *load, const char *directory);
/** Reads one file of a table into a pile; is_own: the user's quotes, where the class is optional.
 */
rig_status rig__load_table_file(rig__load *load, rig_table table, const char *path, bool is_own);
rig_status rig__load_table_text(rig__load *load, const rig__table_text *text);

/** rig_catalog_load with one table in memory instead of directories. */
RIG_NODISCARD rig_status rig__catalog_load_text(rig_catalog **out,
                                                const rig__table_text *text,
                                                const rig_catalog_options *options,
                                                rig_error *err);

/** Sorts and merges the piles into the catalogue, checks references, computes the hash. */
rig_status rig__load_merge(rig__load *load);
/** Attaches quotes to parts, applies the price policy, fills effective prices. */
rig_status rig__load_prices(rig__load *load);

/** Index of a row by exact name; n_rows if there is none. */
size_t rig__catalog_index(const rig_catalog *catalog, rig_table table, const char *name);

/** Adds the nearest names of a table as a hint, if any is near. */
void rig__catalog_hint(const rig_catalog *catalog,
                       rig_table table,
                       const char *text,
                       rig_error *err);

#endif
