/* SPDX-License-Identifier: GPL-3.0-or-later
 * A shop's part lists and open specifications as a catalogue. */
#ifndef RIG_MARKET_H
#define RIG_MARKET_H

#include <stddef.h>
#include <stdint.h>

#include "trainrig/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where to read. Texts are borrowed during the call. */
typedef struct rig_market_options {
    const char *const *directories; /**< of lists (cpu.csv ...) and specifications (CPU.ndjson ...),
                                       each with a SOURCE.txt of lines "key: value": repo, commit,
                                       date, licence */
    size_t n_directories;
    const rig_catalog *shipped; /**< figures of chips and families */
    const rig_catalog *before;  /**< what an earlier import wrote, to tell changes; NULL: nothing */
    /** Lines that are broken, as they are met; may be NULL. */
    void (*on_problem)(const rig_error *problem, void *payload);
    void *payload;
} rig_market_options;

/** A part that was left out, and why. */
typedef struct rig_market_drop {
    rig_table table;
    const char *reason; /**< static */
    const char *detail; /**< the value behind it, may be NULL */
    const char *name;   /**< "" for a broken line */
    const char *file;
    long line;
} rig_market_drop;

/** One table of the new catalogue. */
typedef struct rig_market_table {
    const char *const *const *rows; /**< texts by column of the table, NULL: unknown; by name */
    size_t n_rows;
    size_t n_listed;                          /**< lines of the lists of this class */
    size_t n_folded;                          /**< dearer offers of a part that is there */
    size_t n_joined;                          /**< rows that found a specification */
    size_t n_dropped;                         /**< lines left out */
    size_t n_new, n_repriced, n_same, n_gone; /**< against `before` */
} rig_market_table;

typedef struct rig_market {
    rig_market_table tables[RIG_N_TABLES];
    rig_market_drop *drops; /**< in the order of the files */
    size_t n_drops;
    size_t n_lines;  /**< read in all files, specifications included */
    size_t n_specs;  /**< specifications */
    size_t n_broken; /**< lines that could not be read */
    void *arena;     /**< owner of all of it */
} rig_market;

/** Reads lists and specifications, joins them by the words of their names, folds offers of one part
 *  to the cheapest, and completes them from the shipped tables. A broken line costs that line.
 *
 *  @param[out] out  NULL on failure; free with rig_market_free
 *  @return RIG_OK; RIG_E_IO; RIG_E_PARSE (header of a list); RIG_E_NOTFOUND (no list at all);
 *          RIG_E_NOMEM   @thread safe */
RIG_API RIG_NODISCARD rig_status rig_market_import(rig_market **out,
                                                   const rig_market_options *options,
                                                   rig_error *err);
RIG_API void rig_market_free(rig_market *market);

#ifdef __cplusplus
}
#endif
#endif
