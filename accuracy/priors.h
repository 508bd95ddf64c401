/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a calibration fits, and what is believed before any measurement. */
#ifndef RIG_ACCURACY_PRIORS_H
#define RIG_ACCURACY_PRIORS_H

#include "trainrig/accuracy.h"

/* Rows that are fitted together: enumerator, word. No parameter is shared between blocks. */
#define RIG__BLOCK_MAP(X)                                                                          \
    X(TUNED, "tuned")                                                                              \
    X(EAGER, "eager")                                                                              \
    X(GRAPH, "graph")                                                                              \
    X(PREPARE, "prepare")                                                                          \
    X(STORAGE, "storage")

typedef enum rig__block {
#define RIG__BLOCK_ENUM(enumerator, word) RIG__BLOCK_##enumerator,
    RIG__BLOCK_MAP(RIG__BLOCK_ENUM)
#undef RIG__BLOCK_ENUM
        RIG__N_BLOCKS
} rig__block;

const char *rig__block_word(rig__block block);

/** How a figure is transformed so that its prior is normal. */
typedef enum rig__scale { RIG__SCALE_LOG, RIG__SCALE_LINEAR, RIG__SCALE_LOGIT } rig__scale;

double rig__scale_to(rig__scale scale, double value);   /**< of a figure */
double rig__scale_from(rig__scale scale, double value); /**< back */

/* What a row of the file is about: enumerator, word. */
#define RIG__PRIOR_TABLE_MAP(X)                                                                    \
    X(CONSTANTS, "constants") /* a constant */                                                     \
    X(STACKS, "stacks")       /* ROW.COLUMN */                                                     \
    X(LOADERS, "loaders")     /* ROW.COLUMN */                                                     \
    X(EFFECTS, "effects")     /* a level of effects.h, `source` or `system`; sd is its spread */   \
    X(NOISE, "noise")         /* of single rows: sd at the start */

typedef enum rig__prior_table {
#define RIG__PRIOR_TABLE_ENUM(enumerator, word) RIG__PRIOR_TABLE_##enumerator,
    RIG__PRIOR_TABLE_MAP(RIG__PRIOR_TABLE_ENUM)
#undef RIG__PRIOR_TABLE_ENUM
        RIG__N_PRIOR_TABLES
} rig__prior_table;

/** One row: what is believed of one figure. */
typedef struct rig__prior {
    rig__block block;
    rig__prior_table table;
    const char *name;
    rig__scale scale;
    double mean; /**< of the figure itself */
    double sd;   /**< on the scale */
    long line, name_column;
} rig__prior;

typedef struct rig__priors {
    const char *path;
    rig__prior *rows;
    size_t n_rows;
    void *arena;
} rig__priors;

/** Reads CSV block,table,name,scale,mean,sd,source.
 *  @param[out] out  NULL on failure; free with rig__priors_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE, RIG_E_SCHEMA, RIG_E_RANGE with the place */
RIG_NODISCARD rig_status rig__priors_read(rig__priors **out, const char *path, rig_error *err);
void rig__priors_free(rig__priors *priors);

/** Spread or noise of a block by table and name; NAN if there is none. */
double rig__priors_sd(const rig__priors *priors,
                      rig__block block,
                      rig__prior_table table,
                      const char *name);

#endif
