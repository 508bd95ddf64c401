/* SPDX-License-Identifier: GPL-3.0-or-later
 * Axes of charts: a range of values, linear or logarithmic, with round numbers to label. */
#include "report/axis.h"

#include <math.h>

#define LOG_FACTOR 8.0 /* above this span the low end of a linear axis would be squeezed */
#define ROUNDING 1e-9

/* Adds the multiples of a step that lie on the axis. */
static void add_linear_ticks(rig__axis *axis, double step)
{
    const double first = ceil(axis->low / step - ROUNDING);
    while (axis->n_ticks < RIG__AXIS_TICKS) {
        const double value = (first + (double)axis->n_ticks) * step;
        if (value > axis->high * (1 + ROUNDING)) {
            break;
        }
        axis->ticks[axis->n_ticks++] = value;
    }
}

static void find_linear_ticks(rig__axis *axis)
{
    static const double steps[] = {1.0, 2.0, 2.5, 5.0, 10.0};
    const double least = (axis->high - axis->low) / (RIG__AXIS_TICKS - 1);
    const double power = pow(10.0, floor(log10(least)));
    size_t i = 0;
    while (i < 4 && steps[i] * power < least * (1 - ROUNDING)) {
        i++;
    }
    add_linear_ticks(axis, steps[i] * power);
}

/* Ticks at the given multiples of every power of ten. @return how many there are, kept or not */
static size_t add_log_ticks(rig__axis *axis, const double *multiples)
{
    size_t n = 0;
    axis->n_ticks = 0;
    const int last = (int)floor(log10(axis->high) + ROUNDING);
    for (int exponent = (int)floor(log10(axis->low)); exponent <= last; exponent++) {
        const double power = pow(10.0, exponent);
        for (const double *multiple = multiples; *multiple > 0.0; multiple++) {
            const double value = *multiple * power;
            if (value < axis->low * (1 - ROUNDING) || value > axis->high * (1 + ROUNDING)) {
                continue;
            }
            if (n < RIG__AXIS_TICKS) {
                axis->ticks[axis->n_ticks++] = value;
            }
            n++;
        }
    }
    return n;
}

static void find_log_ticks(rig__axis *axis)
{
    static const double choices[][6] = {
        {1, 2, 3, 5, 7, 0},
        {1, 2, 5, 0},
        {1, 3, 0},
        {1, 0},
    };
    const size_t n_choices = sizeof(choices) / sizeof(choices[0]);
    for (size_t i = 0; i < n_choices; i++) {
        if (add_log_ticks(axis, choices[i]) <= RIG__AXIS_TICKS) {
            return;
        }
    }
}

rig__axis rig__axis_new(double low, double high, bool has_zero)
{
    if (!isfinite(low) || !isfinite(high) || low <= 0.0 || high < low) {
        low = 1.0;
        high = isfinite(high) && high > 1.0 ? high : 1.0;
    }
    if (high <= low * (1 + ROUNDING)) {
        low *= 0.8;
        high *= 1.2;
    }
    rig__axis axis = {.low = low, .high = high, .is_log = high > low * LOG_FACTOR};
    if (axis.is_log) {
        find_log_ticks(&axis);
    } else {
        axis.low = has_zero ? 0.0 : low;
        find_linear_ticks(&axis);
    }
    return axis;
}

double rig__axis_place(const rig__axis *axis, double value)
{
    double place = (value - axis->low) / (axis->high - axis->low);
    if (axis->is_log) {
        const double low = log(axis->low);
        place = (log(fmax(value, axis->low)) - low) / (log(axis->high) - low);
    }
    return fmin(fmax(place, 0.0), 1.0);
}
