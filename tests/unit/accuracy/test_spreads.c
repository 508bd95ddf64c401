/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spread of errors by installation, on residuals made by hand. */
#include "support/assert_near.h"

#include <string.h>

#include "accuracy/spreads.h"

#define N_ROWS 42

typedef struct fixture {
    rig_measurement rows[N_ROWS];
    rig_residual residuals[N_ROWS];
    rig_stack tuned, eager;
    rig__labels labels;
    rig__spreads spreads;
} fixture;

/* Sources a (0 to 9) and b (10 to 19) are eager, with errors of 1 and 3 %; submitters A (20 to 29)
 * and B (30 to 39) are tuned, with errors of 4 %; row 40 names nobody, row 41 measures a processor.
 */
static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    f.tuned.family = "tuned";
    f.eager.family = "eager";
    for (size_t i = 0; i < N_ROWS; i++) {
        static const char *const names[] = {"a", "b", "A", "B"};
        static const double sizes[] = {0.01, 0.03, 0.04, 0.04, 0.02};
        const size_t k = i / 10;
        const bool is_system = k == 2 || k == 3;
        f.rows[i].kind = is_system ? RIG_MEASUREMENT_SYSTEM : RIG_MEASUREMENT_GPU;
        f.rows[i].workload.stack = is_system ? &f.tuned : &f.eager;
        f.rows[i].labels[RIG_GROUP_SOURCE] = is_system ? "all systems" : k < 4 ? names[k] : NULL;
        f.rows[i].labels[RIG_GROUP_SUBMITTER] = is_system ? names[k] : NULL;
        f.residuals[i] = (rig_residual){.row = &f.rows[i],
                                        .log_ratio = i % 2 == 0 ? sizes[k] : -sizes[k],
                                        .binding = RIG_STAGE_GPU};
    }
    f.rows[41].kind = RIG_MEASUREMENT_CPU;
    f.rows[41].labels[RIG_GROUP_SOURCE] = "a";
    f.residuals[41].log_ratio = 5.0;
    if (!rig__labels_init(&f.labels, f.rows, N_ROWS) || !rig__spreads_init(&f.spreads, &f.labels)) {
        return -1;
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *const f = *state;
    rig__spreads_fini(&f->spreads);
    rig__labels_fini(&f->labels);
    return 0;
}

static void test_spreads__by_installation(void **state)
{
    fixture *const f = *state;
    rig__spreads_fill(&f->spreads, f->residuals, NULL);
    /* Mean size of eager errors: (10 0.01 + 10 0.03 + 0.02) / 21 = 0.02. */
    static const struct {
        const char *label;
        size_t row, rows;
        double spread;
    } cases[] = {
        {"source a", 0, 10, (10 * 0.5 + 10) / 20},
        {"source b", 15, 10, (10 * 1.5 + 10) / 20},
        {"submitter A", 20, 10, 1.0},
        {"submitter B", 39, 10, 1.0},
        {"nobody", 40, 0, 1.0},
        {"the same source, whatever is measured", 41, 10, 0.75},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t row = cases[i].row;
        ASSERT_SAME(
            cases[i].label, rig__spreads_get(&f->spreads, &f->rows[row], row), cases[i].spread);
        assert_int_equal(rig__spreads_rows(&f->spreads, &f->rows[row], row), cases[i].rows);
    }
}

static void test_spreads__of_some_rows(void **state)
{
    fixture *const f = *state;
    bool is_left_out[N_ROWS] = {false};
    for (size_t i = 0; i < 20; i++) {
        is_left_out[i] = i < 10; /* all of a */
    }
    f->residuals[10].unsupported = "no figure";
    f->residuals[11].binding = RIG_STAGE_DECODE; /* what preparation limits says nothing */
    rig__spreads_fill(&f->spreads, f->residuals, is_left_out);
    assert_int_equal(rig__spreads_rows(&f->spreads, &f->rows[0], 0), 0);
    ASSERT_SAME("not seen", rig__spreads_get(&f->spreads, &f->rows[0], 0), 1.0);
    assert_int_equal(rig__spreads_rows(&f->spreads, &f->rows[10], 10), 8);
    const double mean = (8 * 0.03 + 0.02) / 9;
    ASSERT_SAME("b", rig__spreads_get(&f->spreads, &f->rows[10], 10), (8 * 0.03 / mean + 10) / 18);
}

/* Filling anew forgets what was; rows without any error are average. */
static void test_spreads__perfect_rows(void **state)
{
    fixture *const f = *state;
    rig__spreads_fill(&f->spreads, f->residuals, NULL);
    for (size_t i = 0; i < N_ROWS; i++) {
        f->residuals[i].log_ratio = 0.0;
    }
    rig__spreads_fill(&f->spreads, f->residuals, NULL);
    ASSERT_SAME("a", rig__spreads_get(&f->spreads, &f->rows[0], 0), 1.0);
    assert_int_equal(rig__spreads_rows(&f->spreads, &f->rows[0], 0), 10);
}

static void test_installation_of(void **state)
{
    const fixture *const f = *state;
    assert_int_equal(rig__installation_of(&f->rows[0]), RIG_GROUP_SOURCE);
    assert_int_equal(rig__installation_of(&f->rows[20]), RIG_GROUP_SUBMITTER);
    assert_int_equal(rig__installation_of(&f->rows[41]), RIG_GROUP_SOURCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_spreads__by_installation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spreads__of_some_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spreads__perfect_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_installation_of, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
