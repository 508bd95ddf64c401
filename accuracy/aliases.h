/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names of parts, networks, loaders and stacks as published files print them. */
#ifndef RIG_ACCURACY_ALIASES_H
#define RIG_ACCURACY_ALIASES_H

#include "trainrig/catalog.h"

typedef struct rig__aliases rig__aliases;

/* Table of rules: what to make of rows whose "FRAMEWORK PRECISION @ SOURCE" matches the label. */
#define RIG__ALIAS_RULE RIG_N_TABLES

/** What a printed name stands for. */
typedef struct rig__alias {
    const char *name; /**< of a row of the table; "": deliberately none */
    double cores;     /**< per socket, where they differ from the row's; NAN: as the row */
} rig__alias;

/** Reads the CSV table,label,name,cores,source; '*' in a label matches any run of characters.
 *  @param path  NULL: an empty list
 *  @param[out] out  NULL on failure; free with rig__aliases_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE, RIG_E_SCHEMA, RIG_E_RANGE with the place */
RIG_NODISCARD rig_status rig__aliases_read(rig__aliases **out, const char *path, rig_error *err);
void rig__aliases_free(rig__aliases *aliases);

/** Alias of a printed name, ASCII case ignored: the longest label that matches.
 *  @return false: there is none */
bool rig__aliases_find(const rig__aliases *aliases,
                       rig_table table,
                       const char *label,
                       rig__alias *out);

/** Label and alias by number, for checks. @return false: no more */
bool rig__aliases_at(const rig__aliases *aliases,
                     size_t index,
                     rig_table *table,
                     const char **label,
                     rig__alias *out);

/** Row that a printed name stands for: by alias, else by rig_catalog_find.
 *  @param[out] cores_out  of the alias, may be NULL
 *  @return NULL: none */
const rig_row *rig__aliases_row(const rig__aliases *aliases,
                                const rig_catalog *catalog,
                                rig_table table,
                                const char *label,
                                double *cores_out);

/** A processor as logs print it, "2x Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz (64 vCPU)". */
typedef struct rig__printed_cpu {
    char name[192]; /**< without marks, counts, clocks and remarks */
    char word[64];  /**< the word with the model number, "": none */
    double sockets; /**< NAN: not printed */
    double vcpus;   /**< hardware threads of the whole machine, NAN: not printed */
} rig__printed_cpu;
void rig__printed_cpu_parse(const char *text, rig__printed_cpu *out);

#endif
