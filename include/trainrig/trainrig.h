/* SPDX-License-Identifier: GPL-3.0-or-later
 * Umbrella header of libtrainrig, in reading order. */
#ifndef RIG_TRAINRIG_H
#define RIG_TRAINRIG_H

/* clang-format off */
#include "trainrig/version.h"
#include "trainrig/export.h"
#include "trainrig/status.h"
#include "trainrig/units.h"
#include "trainrig/catalog.h"
#include "trainrig/market.h"
#include "trainrig/model.h"
#include "trainrig/solver.h"
#include "trainrig/optimizer.h"
#include "trainrig/program.h"
#include "trainrig/compare.h"
#include "trainrig/accuracy.h"
#include "trainrig/report.h"
#include "trainrig/scenarios.h"
/* clang-format on */

#endif
