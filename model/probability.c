/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probability that each stage is the slowest. */
#include <math.h>
#include <stdlib.h>

#include "trainrig/model.h"

/* Smaller uncertainties are taken as this: certain, yet something to integrate over. */
static const double sd_min = 1e-9;
static const double sqrt_half = 0.70710678118654752;
static const double inv_sqrt_2pi = 0.39894228040143268;

/* Panels end at these multiples of each standard deviation, so that within one panel every
 * distribution is either smooth or constant. Beyond the last lie less than 2e-15. */
static const double panel_ends[] = {-8, -4, -2, -1, 0, 1, 2, 4, 8};
#define N_ENDS (sizeof panel_ends / sizeof panel_ends[0])

/* Gauss-Legendre, eight points on (-1, 1). Source: Abramowitz, Stegun: Handbook of Mathematical
 * Functions, 1964, table 25.4. */
static const double nodes[] = {
    0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
static const double weights[] = {
    0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
#define N_NODES (sizeof nodes / sizeof nodes[0])

/* ln(rate) of one stage, normal. */
typedef struct variable {
    rig_stage stage;
    double mean, sd;
} variable;

/* Stages that can be the slowest. */
typedef struct contest {
    variable items[RIG_N_STAGES];
    size_t n;
    double ends[RIG_N_STAGES * N_ENDS]; /* of the panels, sorted */
    size_t n_ends;
} contest;

static double survival(const variable *v, double x)
{
    return 0.5 * erfc((x - v->mean) / v->sd * sqrt_half);
}

static double density(const variable *v, double x)
{
    const double z = (x - v->mean) / v->sd;
    return exp(-0.5 * z * z) * inv_sqrt_2pi / v->sd;
}

/* Density of variable i being at x and the least. */
static double least_at(const contest *all, size_t i, double x)
{
    double product = density(&all->items[i], x);
    for (size_t k = 0; k < all->n; k++) {
        product *= k == i ? 1.0 : survival(&all->items[k], x);
    }
    return product;
}

static double panel(const contest *all, size_t i, double low, double high)
{
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    double sum = 0.0;
    for (size_t k = 0; k < N_NODES; k++) {
        sum += weights[k] * (least_at(all, i, middle - half * nodes[k]) +
                             least_at(all, i, middle + half * nodes[k]));
    }
    return half * sum;
}

/* Probability that variable i is the least. */
static double probability(const contest *all, size_t i)
{
    const double reach = panel_ends[N_ENDS - 1] * all->items[i].sd;
    double sum = 0.0;
    for (size_t k = 1; k < all->n_ends; k++) {
        const double low = all->ends[k - 1], high = all->ends[k];
        const double mean = all->items[i].mean;
        if (high > low && low >= mean - reach && high <= mean + reach) {
            sum += panel(all, i, low, high);
        }
    }
    return sum;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `allreduce` contains `gpu`: whichever is slower stands for both, as in the composition. */
static bool is_in_contest(const rig_prediction *prediction, rig_stage stage)
{
    const double gpu = prediction->stages[RIG_STAGE_GPU].images_per_s;
    const double allreduce = prediction->stages[RIG_STAGE_ALLREDUCE].images_per_s;
    if (!isfinite(prediction->stages[stage].images_per_s)) {
        return false;
    }
    if (stage == RIG_STAGE_GPU) {
        return !(allreduce < gpu);
    }
    return stage != RIG_STAGE_ALLREDUCE || allreduce < gpu || isnan(gpu);
}

static void add(contest *all, rig_stage stage, const rig_stage_rate *rate)
{
    const double sd = rate->log_sd > sd_min ? rate->log_sd : sd_min;
    const variable v = {stage, log(rate->images_per_s), sd};
    all->items[all->n++] = v;
    for (size_t k = 0; k < N_ENDS; k++) {
        all->ends[all->n_ends++] = v.mean + panel_ends[k] * v.sd;
    }
}

void rig_stage_probabilities(const rig_prediction *prediction, double out[RIG_N_STAGES])
{
    contest all = {.n = 0};
    double sum = 0.0;
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        out[i] = 0.0;
    }
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        if (!is_in_contest(prediction, (rig_stage)i)) {
            continue;
        }
        if (!(prediction->stages[i].images_per_s > 0.0)) {
            out[i] = 1.0; /* nothing is slower than a stage that stands still */
            return;
        }
        add(&all, (rig_stage)i, &prediction->stages[i]);
    }
    qsort(all.ends, all.n_ends, sizeof all.ends[0], compare_numbers);
    for (size_t i = 0; i < all.n; i++) {
        out[all.items[i].stage] = probability(&all, i);
        sum += out[all.items[i].stage];
    }
    for (size_t i = 0; i < RIG_N_STAGES && sum > 0.0; i++) {
        out[i] /= sum;
    }
}
