/* SPDX-License-Identifier: GPL-3.0-or-later
 * Axes of charts: a range of values, linear or logarithmic, with round numbers to label. */
#ifndef RIG_REPORT_AXIS_H
#define RIG_REPORT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define RIG__AXIS_TICKS 7 /**< most labels of one axis */

typedef struct rig__axis {
    double low, high; /**< low < high */
    bool is_log;
    double ticks[RIG__AXIS_TICKS]; /**< round numbers within the range, rising */
    size_t n_ticks;
} rig__axis;

/** Axis for values between low and high, logarithmic where they span more than a factor of eight.
 *  A linear one starts at 0 if has_zero. Bounds that are not finite, not positive or equal are
 *  widened. */
rig__axis rig__axis_new(double low, double high, bool has_zero);

/** Place of a value on the axis: 0 at its low end, 1 at its high end, never beyond. */
double rig__axis_place(const rig__axis *axis, double value);

#endif
