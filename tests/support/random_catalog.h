/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small random catalogues for property tests: made from a seed, changed, written as CSV, loaded. */
#ifndef RIG_TESTS_RANDOM_CATALOG_H
#define RIG_TESTS_RANDOM_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/catalog.h"
#include "trainrig/optimizer.h"

/** Deterministic random numbers, equal on every machine (splitmix64). */
typedef struct random_source {
    uint64_t state;
} random_source;

/** Source for one seed; different seeds give unrelated streams. */
random_source random_from(uint64_t seed);
/** Next 64 random bits. */
uint64_t random_bits(random_source *source);
/** Whole number of 0 .. n - 1; n >= 1. */
size_t random_below(random_source *source, size_t n);
/** True in so many of 100 cases. */
bool random_chance(random_source *source, unsigned percent);
/** Real number in [0, 1). */
double random_unit(random_source *source);

enum { RANDOM_MAX_ROWS = 8, RANDOM_MAX_COLUMNS = 40, RANDOM_CELL_SIZE = 192 };

/** One row as the texts of its cells, in the order of the schema; empty: unknown. */
typedef struct random_row {
    char cells[RANDOM_MAX_COLUMNS][RANDOM_CELL_SIZE];
} random_row;

/** The part tables of a catalogue before they are written. */
typedef struct random_catalog {
    size_t n_rows[RIG_N_BUILD_CLASSES];
    random_row rows[RIG_N_BUILD_CLASSES][RANDOM_MAX_ROWS];
} random_catalog;

/** Fills a catalogue of a few parts per table from a seed: two platforms, boards of one and two
 *  sockets, refused families, every kind of memory and drive, unknown figures, missing prices,
 *  equal prices, barebones, complete servers, GPU modules with baseboards. */
void random_catalog_fill(random_catalog *out, uint64_t seed);

/** Fills a catalogue with a few rows of a real one, chosen by a seed so that many of them go
 *  together. Prices are the effective ones. */
void random_catalog_slice(random_catalog *out, const rig_catalog *whole, uint64_t seed);

/** Cell of a row by table and column name; fails the test if there is no such column. */
char *random_catalog_cell(random_catalog *catalog, rig_table table, size_t row, const char *column);

/** Writes the tables into a directory and loads them with the model data of the source tree.
 *  @param shuffle_seed  0: rows as they are; else in an order that follows from it */
rig_status random_catalog_load(const random_catalog *catalog,
                               const char *directory,
                               uint64_t shuffle_seed,
                               rig_catalog **out,
                               rig_error *err);

/** New empty directory for random_catalog_load; NULL on failure. Delete with the function below. */
char *random_directory_new(void);
/** Deletes the files that random_catalog_load wrote, the directory, and frees the name. */
void random_directory_free(char *directory);

#endif
