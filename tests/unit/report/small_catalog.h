/* SPDX-License-Identifier: GPL-3.0-or-later
 * A catalogue of a few parts, some with names that are hard to write as CSV. */
#ifndef RIG_TESTS_REPORT_SMALL_CATALOG_H
#define RIG_TESTS_REPORT_SMALL_CATALOG_H

#include "trainrig/catalog.h"

/** Writes the tables to a temporary directory, loads them and takes the directory away. */
rig_catalog *small_catalog_load(void);

#endif
