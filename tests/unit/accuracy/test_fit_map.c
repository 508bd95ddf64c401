/* SPDX-License-Identifier: GPL-3.0-or-later
 * Maximum a posteriori fits of small problems whose answers are known otherwise. */
#include "support/assert_near.h"

#include <string.h>

#include "accuracy/fit_map.h"

#define MOST_ROWS 600
#define MOST_PARAMETERS 80

/* A problem with its own memory; each row depends on all parameters or on those that it names. */
typedef struct problem {
    rig__map map;
    rig__map_parameter parameters[MOST_PARAMETERS];
    rig__map_row rows[MOST_ROWS];
    rig__map_spread spreads[2];
    rig__map_noise noises[2];
    size_t terms[MOST_ROWS][4];
    double slopes[MOST_ROWS][4];
    double factors[MOST_ROWS][4]; /* of a linear problem: of the terms */
    double covariance[MOST_PARAMETERS * MOST_PARAMETERS];
    uint64_t random;
} problem;

static problem p; /* large */

/* ---- random numbers: the same ones on every machine ------------------------------------------ */

static double uniform(problem *from)
{
    from->random = from->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(from->random >> 11) + 0.5) * 0x1p-53;
}

static double normal(problem *from)
{
    const double radius = sqrt(-2 * log(uniform(from)));
    return radius * cos(2 * 3.14159265358979323846 * uniform(from));
}

/* ---- linear problems ------------------------------------------------------------------------- */

static void predict_linear(void *payload, const double *values)
{
    problem *const own = payload;
    for (size_t i = 0; i < own->map.n_rows; i++) {
        rig__map_row *const row = &own->rows[i];
        row->predicted = 0;
        for (size_t k = 0; k < row->n_terms; k++) {
            row->predicted += own->factors[i][k] * values[row->terms[k]];
        }
    }
}

static void derive_linear(void *payload, const double *values)
{
    problem *const own = payload;
    (void)values;
    for (size_t i = 0; i < own->map.n_rows; i++) {
        memcpy(own->rows[i].slopes, own->factors[i], sizeof own->factors[i]);
    }
}

static void start(size_t n_rows, size_t n_parameters, size_t n_terms)
{
    memset(&p, 0, sizeof p);
    p.random = 1;
    p.map = (rig__map){.parameters = p.parameters,
                       .n_parameters = n_parameters,
                       .rows = p.rows,
                       .n_rows = n_rows,
                       .spreads = p.spreads,
                       .noises = p.noises,
                       .n_noises = 1,
                       .predict = predict_linear,
                       .derive = derive_linear,
                       .payload = &p,
                       .covariance = p.covariance};
    p.noises[0].sd = p.noises[1].sd = 0.1;
    for (size_t j = 0; j < n_parameters; j++) {
        p.parameters[j] =
            (rig__map_parameter){.sd = 10, .spread = RIG__NO_SPREAD, .low = -1e6, .high = 1e6};
    }
    for (size_t i = 0; i < n_rows; i++) {
        p.rows[i] = (rig__map_row){
            .weight = 1, .n_terms = n_terms, .terms = p.terms[i], .slopes = p.slopes[i]};
        for (size_t k = 0; k < n_terms; k++) {
            p.terms[i][k] = k;
        }
    }
}

static void fit(void)
{
    rig_error err = {0};
    if (rig__map_fit(&p.map, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
}

/* Two rows of two unknowns without noise of their own choosing. Quick, so that noise stays; rows on
 * the line, so that all weights are (nu + 1)/nu = 1.25:
 *    H = 1.25/0.01 (X'X) + I/100,   value = H^-1 1.25/0.01 X'y,   error = sqrt(diag(H^-1)) */
static void test_map_fit__closed_form(void **state)
{
    (void)state;
    start(2, 2, 2);
    p.map.is_quick = true;
    const double x[2][2] = {{1, 1}, {1, -1}};
    const double truth[2] = {2, 0.5}, scale = 125;
    for (size_t i = 0; i < 2; i++) {
        memcpy(p.factors[i], x[i], sizeof x[i]);
        p.rows[i].observed = x[i][0] * truth[0] + x[i][1] * truth[1];
    }
    fit();
    /* columns of X are orthogonal, X'X = 2 I; the residual that the prior leaves, 8e-5, takes less
     * than 1e-6 off the weights */
    for (size_t j = 0; j < 2; j++) {
        const double information = 2 * scale + 0.01;
        ASSERT_NEAR("value", p.parameters[j].value, 2 * scale * truth[j] / information, 1e-8, 0);
        ASSERT_NEAR("error", p.parameters[j].error_sd, 1 / sqrt(information), 1e-6, 0);
        ASSERT_NEAR("covariance", p.covariance[3 * j], 1 / information, 1e-6, 0);
        ASSERT_NEAR("robust", p.rows[j].robust, 1.25, 1e-6, 0);
    }
    ASSERT_NEAR("none between them", p.covariance[1], 0, 0, 1e-8);
    ASSERT_SAME("noise stays", p.noises[0].sd, 0.1);
}

static void test_map_fit__priors_weigh_as_rows(void **state)
{
    (void)state;
    start(1, 1, 1);
    p.map.is_quick = true;
    p.factors[0][0] = 1;
    p.rows[0].observed = 1;
    p.rows[0].weight = 0.8; /* 0.8 x 1.25 = 1 while the residual is small */
    p.noises[0].sd = 100;
    p.parameters[0].mean = 3;
    p.parameters[0].sd = 100;
    fit();
    ASSERT_NEAR("half-way", p.parameters[0].value, 2, 1e-4, 0);
    ASSERT_NEAR("error", p.parameters[0].error_sd, 100 / sqrt(2), 1e-4, 0);
}

static void test_map_fit__without_rows(void **state)
{
    (void)state;
    start(0, 2, 0);
    p.parameters[0].mean = 1.5;
    p.parameters[0].sd = 0.25;
    p.parameters[1].mean = -2;
    p.parameters[1].value = 7;
    fit();
    ASSERT_NEAR("mean", p.parameters[0].value, 1.5, 1e-9, 0);
    ASSERT_NEAR("sd", p.parameters[0].error_sd, 0.25, 1e-9, 0);
    ASSERT_NEAR("from afar", p.parameters[1].value, -2, 1e-9, 0);
    p.map.n_parameters = 0;
    assert_int_equal(rig__map_fit(&p.map, NULL), RIG_OK); /* nothing to fit */
}

static void test_map_fit__stays_in_range(void **state)
{
    (void)state;
    start(10, 1, 1);
    for (size_t i = 0; i < 10; i++) {
        p.factors[i][0] = 1;
        p.rows[i].observed = 5;
    }
    p.parameters[0].high = 2;
    fit();
    assert_true(p.parameters[0].value <= 2);
    ASSERT_NEAR("at its end", p.parameters[0].value, 2, 1e-6, 0);
}

/* A line with noise of 0.1 through 200 rows, every tenth of which is off by 3. Least squares would
 * put the constant 0.3 too high. */
static void test_map_fit__outliers(void **state)
{
    (void)state;
    double constants[2];
    for (size_t round = 0; round < 2; round++) {
        start(200, 2, 2);
        p.random = 5;
        for (size_t i = 0; i < 200; i++) {
            p.factors[i][0] = 1;
            p.factors[i][1] = 2 * uniform(&p) - 1;
            p.rows[i].observed = 1 + 2 * p.factors[i][1] + 0.1 * normal(&p);
            p.rows[i].observed += round == 1 && i % 10 == 0 ? 3 : 0;
        }
        fit();
        constants[round] = p.parameters[0].value;
        ASSERT_NEAR("slope", p.parameters[1].value, 2, 0, 0.05);
    }
    ASSERT_NEAR("clean", constants[0], 1, 0, 0.03);
    ASSERT_NEAR("a tenth is off", constants[1], 1, 0, 0.06);
    assert_true(p.rows[0].robust < 0.1 && p.rows[1].robust > 0.5);
    assert_true(p.noises[0].sd < 0.3); /* of all rows: 0.9 */
}

/* Two sources of measurements, one four times as noisy: it counts for less. */
static void test_map_fit__noise_by_source(void **state)
{
    (void)state;
    start(400, 1, 1);
    p.map.n_noises = 2;
    for (size_t i = 0; i < 400; i++) {
        p.factors[i][0] = 1;
        p.rows[i].noise = i % 2;
        p.rows[i].observed = (i % 2 == 0 ? 0.1 : 0.4) * normal(&p);
    }
    fit();
    /* Student-t with nu = 4: the scale is below the deviation of normal noise */
    ASSERT_NEAR("quiet", p.noises[0].sd, 0.1, 0.25, 0);
    ASSERT_NEAR("loud", p.noises[1].sd, 0.4, 0.25, 0);
    ASSERT_NEAR("ratio", p.noises[1].sd / p.noises[0].sd, 4, 0.15, 0);
}

/* Sixty groups of eight rows; the constants of the groups differ by sd 0.3. */
static void test_map_fit__spread_of_random_effects(void **state)
{
    (void)state;
    enum { N_GROUPS = 60, N_EACH = 8 };
    double effects[N_GROUPS], sum_square = 0, sum_error = 0;
    start(N_GROUPS * N_EACH, N_GROUPS + 1, 2);
    p.map.n_spreads = 1;
    p.spreads[0] = (rig__map_spread){.sd = 0.1, .sd_max = HUGE_VAL};
    for (size_t g = 0; g < N_GROUPS; g++) {
        effects[g] = 0.3 * normal(&p);
        sum_square += effects[g] * effects[g] / N_GROUPS;
        p.parameters[1 + g].spread = 0;
        for (size_t k = 0; k < N_EACH; k++) {
            const size_t i = g * N_EACH + k;
            p.terms[i][1] = 1 + g;
            p.factors[i][0] = p.factors[i][1] = 1;
            p.rows[i].observed = 1 + effects[g] + 0.1 * normal(&p);
        }
    }
    fit();
    ASSERT_NEAR("spread", p.spreads[0].sd, sqrt(sum_square), 0.1, 0);
    ASSERT_NEAR("common", p.parameters[0].value, 1, 0, 3 * 0.3 / sqrt(N_GROUPS));
    for (size_t g = 0; g < N_GROUPS; g++) {
        const double off = p.parameters[0].value + p.parameters[1 + g].value - 1 - effects[g];
        sum_error += off * off / N_GROUPS;
    }
    ASSERT_NEAR("each group", sqrt(sum_error), 0.1 / sqrt(N_EACH), 0.25, 0);
    p.spreads[0] = (rig__map_spread){.sd = 0.1, .sd_max = 0.15};
    fit();
    ASSERT_SAME("no more than is allowed", p.spreads[0].sd, 0.15);
}

/* Three groups tell nothing about how groups differ. */
static void test_map_fit__few_members_keep_their_spread(void **state)
{
    (void)state;
    start(30, 4, 2);
    p.map.n_spreads = 1;
    p.spreads[0] = (rig__map_spread){.sd = 0.2, .sd_max = HUGE_VAL};
    for (size_t i = 0; i < 30; i++) {
        p.terms[i][1] = 1 + i % 3;
        p.parameters[1 + i % 3].spread = 0;
        p.factors[i][0] = p.factors[i][1] = 1;
        p.rows[i].observed = (double)(i % 3) + 0.1 * normal(&p);
    }
    fit();
    ASSERT_SAME("as given", p.spreads[0].sd, 0.2);
}

/* ---- nonlinear problems ---------------------------------------------------------------------- */

/* Rosenbrock's valley: residuals 10 (y - x^2) and 1 - x. */
static void predict_valley(void *payload, const double *values)
{
    problem *const own = payload;
    own->rows[0].predicted = 10 * (values[1] - values[0] * values[0]);
    own->rows[1].predicted = 1 - values[0];
}

static void derive_valley(void *payload, const double *values)
{
    problem *const own = payload;
    own->rows[0].slopes[0] = -20 * values[0];
    own->rows[0].slopes[1] = 10;
    own->rows[1].slopes[0] = -1;
    own->rows[1].slopes[1] = 0;
}

static void test_map_fit__valley(void **state)
{
    (void)state;
    start(2, 2, 2);
    p.map.predict = predict_valley;
    p.map.derive = derive_valley;
    p.noises[0].sd = 1;
    p.parameters[0].sd = p.parameters[1].sd = 1e4;
    p.parameters[0].value = -1.2;
    p.parameters[1].value = 1;
    fit();
    ASSERT_NEAR("x", p.parameters[0].value, 1, 0, 1e-3);
    ASSERT_NEAR("y", p.parameters[1].value, 1, 0, 2e-3);
    assert_true(p.map.n_passes > 2);
    assert_true(p.map.is_converged);
}

/* Rates that the slower of two stages sets, as the model has them: ln of 1/(e^a + e^(b - x)). */
static double log_rate(const double *values, double x)
{
    return -log(exp(values[0]) + exp(values[1] - x));
}

static void predict_rate(void *payload, const double *values)
{
    problem *const own = payload;
    for (size_t i = 0; i < own->map.n_rows; i++) {
        own->rows[i].predicted = log_rate(values, own->factors[i][0]);
    }
}

static void derive_rate(void *payload, const double *values)
{
    problem *const own = payload;
    for (size_t i = 0; i < own->map.n_rows; i++) {
        const double other = exp(values[1] - own->factors[i][0]);
        const double share = other / (exp(values[0]) + other);
        own->rows[i].slopes[0] = share - 1;
        own->rows[i].slopes[1] = -share;
    }
}

static void test_map_fit__saturating_rate(void **state)
{
    (void)state;
    const double truth[2] = {-0.5, 1.5};
    start(100, 2, 2);
    p.map.predict = predict_rate;
    p.map.derive = derive_rate;
    for (size_t i = 0; i < 100; i++) {
        p.factors[i][0] = 4 * uniform(&p);
        p.rows[i].observed = log_rate(truth, p.factors[i][0]) + 0.05 * normal(&p);
    }
    fit();
    for (size_t j = 0; j < 2; j++) {
        ASSERT_NEAR("value", p.parameters[j].value, truth[j], 0, 3 * p.parameters[j].error_sd);
        assert_true(p.parameters[j].error_sd < 0.05);
    }
    rig__map_parameter first[2];
    memcpy(first, p.parameters, sizeof first);
    p.noises[0].sd = 0.1;
    p.parameters[0].value = p.parameters[1].value = 0;
    fit();
    assert_memory_equal(first, p.parameters, sizeof first); /* to the last bit */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_fit__closed_form),
        cmocka_unit_test(test_map_fit__priors_weigh_as_rows),
        cmocka_unit_test(test_map_fit__without_rows),
        cmocka_unit_test(test_map_fit__stays_in_range),
        cmocka_unit_test(test_map_fit__outliers),
        cmocka_unit_test(test_map_fit__noise_by_source),
        cmocka_unit_test(test_map_fit__spread_of_random_effects),
        cmocka_unit_test(test_map_fit__few_members_keep_their_spread),
        cmocka_unit_test(test_map_fit__valley),
        cmocka_unit_test(test_map_fit__saturating_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
