/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds from a CSV text in memory, as rig_builds_read reads them from a file. */
#ifndef RIG_REPORT_BUILDS_READER_H
#define RIG_REPORT_BUILDS_READER_H

#include "trainrig/report.h"

/** As rig_builds_read; name stands for the file in messages. */
RIG_NODISCARD rig_status rig__builds_read_memory(const char *bytes,
                                                 size_t length,
                                                 const char *name,
                                                 const rig_catalog *catalog,
                                                 rig_build **builds_out,
                                                 size_t *n_out,
                                                 rig_error *err);

#endif
