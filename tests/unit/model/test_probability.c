/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probability of being the slowest: by hand, against random draws, and at the edges. */
#include "support/assert_near.h"

#include <stdint.h>

#include "trainrig/model.h"

#define N_DRAWS 400000

static rig_prediction make(const double rates[RIG_N_STAGES], const double sds[RIG_N_STAGES])
{
    rig_prediction out = {.binding = RIG_STAGE_STORAGE};
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        out.stages[i] = (rig_stage_rate){.images_per_s = rates[i], .log_sd = sds[i]};
    }
    return out;
}

static void assert_probabilities(const char *label,
                                 const double rates[RIG_N_STAGES],
                                 const double sds[RIG_N_STAGES],
                                 const double expected[RIG_N_STAGES])
{
    const rig_prediction prediction = make(rates, sds);
    double p[RIG_N_STAGES];
    rig_stage_probabilities(&prediction, p);
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        ASSERT_NEAR(label, p[i], expected[i], 0, 1e-4);
    }
}

/* Two normal variables: Phi(difference of means / root of the sum of squares). */
static void test_stage_probabilities__by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        double rates[RIG_N_STAGES], sds[RIG_N_STAGES], expected[RIG_N_STAGES];
    } cases[] = {
        {"alike",
         {INFINITY, 1000, INFINITY, INFINITY, 1000, INFINITY},
         {0.1, 0.1, 0.1, 0.1, 0.1, 0.1},
         {0, 0.5, 0, 0, 0.5, 0}},
        /* ln(1.1) / sqrt(0.03^2 + 0.04^2) = 1.9062; Phi = 0.97169 */
        {"ten per cent apart",
         {INFINITY, 1100, INFINITY, INFINITY, 1000, 1000},
         {0, 0.03, 0, 0, 0.04, 0.04},
         {0, 0.02831, 0, 0, 0.97169, 0}},
        {"exchange slower than computation",
         {INFINITY, 1100, INFINITY, INFINITY, 2000, 1000},
         {0, 0.03, 0, 0, 0.04, 0.04},
         {0, 0.02831, 0, 0, 0, 0.97169}},
        {"three alike",
         {500, 500, 500, NAN, NAN, NAN},
         {0.2, 0.2, 0.2, 0.2, 0.2, 0.2},
         {1. / 3, 1. / 3, 1. / 3, 0, 0, 0}},
        {"certain against wide",
         {INFINITY, 1000, INFINITY, INFINITY, 1000, 1000},
         {0, 0, 0, 0, 0.5, 0.5},
         {0, 0.5, 0, 0, 0.5, 0}},
        {"both certain",
         {INFINITY, 999, INFINITY, INFINITY, 1000, 1000},
         {0, 0, 0, 0, 0, 0},
         {0, 1, 0, 0, 0, 0}},
        {"one known", {NAN, NAN, NAN, NAN, 10, NAN}, {0, 0, 0, 0, 0.3, 0}, {0, 0, 0, 0, 1, 0}},
        {"exchange known alone",
         {NAN, NAN, NAN, NAN, NAN, 10},
         {0, 0, 0, 0, 0, 0.3},
         {0, 0, 0, 0, 0, 1}},
        {"stands still", {0, 5, 5, 5, 5, 5}, {1, 1, 1, 1, 1, 1}, {1, 0, 0, 0, 0, 0}},
        {"nothing known", {NAN, NAN, NAN, NAN, NAN, NAN}, {1, 1, 1, 1, 1, 1}, {0}},
        {"nothing limits",
         {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
         {1, 1, 1, 1, 1, 1},
         {0}},
        {"far apart", {1e9, 1e-3, 1e6, 1e6, 1e12, 1e12}, {.1, .1, .1, .1, .1, .1}, {0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_probabilities(cases[i].label, cases[i].rates, cases[i].sds, cases[i].expected);
    }
}

/* ---- random draws --------------------------------------------------------------------------- */

/* Uniform in (0, 1), the same on every machine (Lehmer, Park and Miller 1988). */
static double next_uniform(uint64_t *seed)
{
    *seed = *seed * 48271 % 2147483647;
    return (double)*seed / 2147483647.0;
}

/* Box and Muller. */
static double next_normal(uint64_t *seed)
{
    const double radius = sqrt(-2.0 * log(next_uniform(seed)));
    return radius * cos(6.283185307179586 * next_uniform(seed));
}

static void draw(const rig_prediction *prediction, uint64_t seed, double out[RIG_N_STAGES])
{
    const double gpu = prediction->stages[RIG_STAGE_GPU].images_per_s;
    const double allreduce = prediction->stages[RIG_STAGE_ALLREDUCE].images_per_s;
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        out[i] = 0.0;
    }
    for (size_t n = 0; n < N_DRAWS; n++) {
        size_t slowest = 0;
        double least = INFINITY;
        for (size_t i = 0; i < RIG_N_STAGES; i++) {
            const rig_stage_rate *const stage = &prediction->stages[i];
            const double rate = log(stage->images_per_s) + stage->log_sd * next_normal(&seed);
            const bool is_other =
                i == (size_t)(allreduce < gpu ? RIG_STAGE_GPU : RIG_STAGE_ALLREDUCE);
            if (!is_other && rate < least) {
                least = rate;
                slowest = i;
            }
        }
        out[slowest] += 1.0 / N_DRAWS;
    }
}

static void test_stage_probabilities__against_draws(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        double rates[RIG_N_STAGES], sds[RIG_N_STAGES];
    } cases[] = {
        {"usual", {9000, 2900, 21000, 9100, 3300, 3150}, {0.1, 0.4, 0.3, 0.1, 0.08, 0.08}},
        {"wide", {1000, 1200, 900, 1500, 1100, 1050}, {0.7, 0.5, 0.9, 0.3, 0.6, 0.6}},
        {"one narrow", {1000, 1010, 1500, 1500, 1005, 1005}, {0.3, 0.0005, 0.2, 0.1, 0.02, 0.02}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rig_prediction prediction = make(cases[i].rates, cases[i].sds);
        double p[RIG_N_STAGES], drawn[RIG_N_STAGES], sum = 0.0;
        rig_stage_probabilities(&prediction, p);
        draw(&prediction, 12345 + i, drawn);
        for (size_t k = 0; k < RIG_N_STAGES; k++) {
            /* four standard deviations of a share of so many draws */
            ASSERT_NEAR(cases[i].label, p[k], drawn[k], 0, 4.0 * sqrt(0.25 / N_DRAWS));
            sum += p[k];
        }
        ASSERT_SAME("sum", sum, 1.0);
    }
}

/* Scaling all rates must not matter. */
static void test_stage_probabilities__scale_does_not_matter(void **state)
{
    (void)state;
    static const double sds[RIG_N_STAGES] = {0.3, 0.001, 0.2, 0.05, 0.6, 0.6};
    double base[RIG_N_STAGES];
    for (int i = -6; i <= 6; i += 3) {
        double rates[RIG_N_STAGES] = {1000, 950, 1300, 990, 1100, 1040}, p[RIG_N_STAGES];
        for (size_t k = 0; k < RIG_N_STAGES; k++) {
            rates[k] *= pow(10.0, i);
        }
        const rig_prediction prediction = make(rates, sds);
        rig_stage_probabilities(&prediction, p);
        for (size_t k = 0; k < RIG_N_STAGES; k++) {
            base[k] = i == -6 ? p[k] : base[k];
            ASSERT_NEAR("scaled", p[k], base[k], 0, 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stage_probabilities__by_hand),
        cmocka_unit_test(test_stage_probabilities__against_draws),
        cmocka_unit_test(test_stage_probabilities__scale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
