/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of measurement files on their way to measurements; private to reading. */
#ifndef RIG_ACCURACY_MEASUREMENT_ROWS_H
#define RIG_ACCURACY_MEASUREMENT_ROWS_H

#include <stdint.h>

#include "accuracy/aliases.h"
#include "base/arena.h"
#include "catalog/csv_table.h"
#include "trainrig/accuracy.h"

/** The row being read. */
typedef struct rig__reading {
    const rig_catalog *catalog;
    const rig__aliases *aliases;
    rig__arena *arena; /**< of the set */
    const rig__csv_table *table;
    const char *file; /**< in the arena */
    size_t i_row;
    rig_measurement *out;
    const char *skip_reason; /**< set: the row is left out; static text */
    const char *skip_name;   /**< what is not known, in the arena or NULL */
    uint64_t twin;           /**< the same for rows that differ in nothing but the loader */
    bool is_synthetic;       /**< nothing was read or decoded */
    bool is_input_bound;     /**< a training run that waited for its data */
    bool is_nomem;
} rig__reading;

/** Leaves the row out; the first reason counts. name may be NULL. */
void rig__reading_skip(rig__reading *from, const char *reason, const char *name);
/** Copy of a text in the arena; NULL for an empty one or when memory is out. */
const char *rig__reading_copy(rig__reading *from, const char *text);

/** Text of a column of the row, "" if it is empty or there is no such column. */
const char *rig__reading_text(const rig__reading *from, const char *header);
/** Number of a column in a range; NAN if it is empty or there is no such column.
 *  @return RIG_OK; RIG_E_PARSE, RIG_E_RANGE with the place */
RIG_NODISCARD rig_status rig__reading_number(const rig__reading *from,
                                             const char *header,
                                             double low,
                                             double high,
                                             double *out,
                                             rig_error *err);
/** The same, an empty cell is an error. */
RIG_NODISCARD rig_status rig__reading_rate(const rig__reading *from,
                                           const char *header,
                                           double *out,
                                           rig_error *err);

/** Row that a printed name stands for; skips with the reason if there is none. */
const rig_row *
rig__reading_find(rig__reading *from, rig_table table, const char *label, const char *reason);
/** Names the GPU of the row, so many of them. */
void rig__reading_gpu(rig__reading *from, const char *label, int count);
/** Names the processor; sockets NAN: as printed, else as the row allows. Unknown ones are kept as a
 *  label. @return whether it stands in the catalogue */
bool rig__reading_cpu(rig__reading *from, const char *label, double sockets);
/** Network, data set, loader, stack and precision, each skipped for if it is not known. */
void rig__reading_network(rig__reading *from, const char *label);
void rig__reading_dataset(rig__reading *from, const char *label);
void rig__reading_loader(rig__reading *from, const char *label);
void rig__reading_stack(rig__reading *from, const char *label);
void rig__reading_precision(rig__reading *from, const char *label);

/** Shapes of files. Each fills from->out or skips. */
typedef rig_status (*rig__read_row)(rig__reading *from, rig_error *err);
RIG_NODISCARD rig_status rig__read_system_row(rig__reading *from, rig_error *err);
RIG_NODISCARD rig_status rig__read_gpu_row(rig__reading *from, rig_error *err);
RIG_NODISCARD rig_status rig__read_cpu_row(rig__reading *from, rig_error *err);
RIG_NODISCARD rig_status rig__read_storage_row(rig__reading *from, rig_error *err);

/** Drives named in prose, as "NVMe SSD 2x 1.92TB NVMe SSD + 8x 3.84TB NVMe U.2": those of the
 *  largest total capacity. @return their number, NAN if no capacity is named */
double rig__printed_drives(const char *text, bool *is_nvme_out);

#endif
