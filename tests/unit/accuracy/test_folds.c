/* SPDX-License-Identifier: GPL-3.0-or-later
 * Folds, anchors and what a fit has seen, on rows made by hand. */
#include "support/assert_near.h"

#include <string.h>

#include "accuracy/folds.h"

#define N_ROWS 8

typedef struct fixture {
    rig_measurement rows[N_ROWS];
    rig_measurements set;
    rig_stack tuned, eager;
    rig_network cnn, vit;
} fixture;

/* GPU, source, family of the stack, kind of network, precision. */
static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    f.tuned.family = "tuned";
    f.eager.family = "eager";
    f.cnn.kind = "cnn";
    f.vit.kind = "attention";
    const struct {
        const char *gpu, *source;
        const rig_stack *stack;
        const rig_network *network;
        rig_precision precision;
    } rows[N_ROWS] = {
        {"A", "s", &f.tuned, &f.cnn, RIG_PRECISION_AMP},
        {"A", "s", &f.eager, &f.cnn, RIG_PRECISION_AMP},
        {"A", "s", &f.eager, &f.cnn, RIG_PRECISION_AMP},
        {"B", "s", &f.eager, &f.vit, RIG_PRECISION_AMP},
        {"B", "t", &f.eager, &f.cnn, RIG_PRECISION_FP32},
        {NULL, "t", &f.eager, &f.cnn, RIG_PRECISION_AMP},
        {"C", NULL, NULL, &f.cnn, RIG_PRECISION_AMP},
        {"A", "u", &f.tuned, &f.cnn, RIG_PRECISION_AMP},
    };
    for (size_t i = 0; i < N_ROWS; i++) {
        f.rows[i].kind = RIG_MEASUREMENT_GPU;
        f.rows[i].labels[RIG_GROUP_GPU] = rows[i].gpu;
        f.rows[i].labels[RIG_GROUP_SOURCE] = rows[i].source;
        f.rows[i].workload.stack = rows[i].stack;
        f.rows[i].workload.network = rows[i].network;
        f.rows[i].workload.precision = rows[i].precision;
    }
    f.set = (rig_measurements){.rows = f.rows, .n_rows = N_ROWS};
    *state = &f;
    return 0;
}

static rig__fold_plan plan_of(const fixture *f, rig_group key, size_t n_folds, size_t n_anchors)
{
    rig__fold_plan plan;
    const rig_cross_options options = {.key = key, .n_folds = n_folds, .n_anchors = n_anchors};
    assert_true(rig__fold_plan_init(&plan, &f->set, &options));
    return plan;
}

static void test_fold_plan__one_fold_per_group(void **state)
{
    static const size_t groups[N_ROWS] = {0, 0, 0, 1, 1, RIG__NO_LABEL, 2, 0};
    rig__fold_plan plan = plan_of(*state, RIG_GROUP_GPU, 0, 0);
    assert_int_equal(plan.n_groups, 3);
    assert_int_equal(plan.n_folds, 3);
    assert_string_equal(plan.names[0], "A");
    assert_string_equal(plan.names[2], "C");
    for (size_t i = 0; i < N_ROWS; i++) {
        assert_int_equal(plan.groups[i], groups[i]); /* whatever the family of the stack */
        assert_false(plan.is_anchor[i]);
    }
    rig__fold_plan_fini(&plan);
}

static void test_fold_plan__merges_by_name(void **state)
{
    fixture *const f = *state;
    rig__fold_plan plan = plan_of(f, RIG_GROUP_GPU, 2, 0);
    assert_int_equal(plan.n_folds, 2);
    size_t folds[3];
    for (size_t i = 0; i < 3; i++) {
        folds[i] = plan.folds[i];
        assert_true(folds[i] < 2);
    }
    rig__fold_plan_fini(&plan);
    /* In another order each name has the same fold. */
    const rig_measurement first = f->rows[0];
    f->rows[0] = f->rows[6];
    f->rows[6] = first;
    plan = plan_of(f, RIG_GROUP_GPU, 2, 0);
    assert_string_equal(plan.names[0], "C");
    assert_int_equal(plan.folds[0], folds[2]);
    assert_int_equal(plan.folds[1], folds[0]);
    rig__fold_plan_fini(&plan);
    plan = plan_of(f, RIG_GROUP_GPU, 10, 0);
    assert_int_equal(plan.n_folds, 3); /* no more than groups */
    rig__fold_plan_fini(&plan);
}

static void test_fold_plan__anchors_are_of_the_commonest_kind(void **state)
{
    static const struct {
        const char *label;
        size_t n_anchors;
        bool is_anchor[N_ROWS];
    } cases[] = {
        {"one: in the middle of rows 0 to 2", 1, {0, 1, 0, 0, 1, 0, 0, 1}},
        {"two", 2, {1, 0, 1, 0, 1, 0, 0, 1}},
        {"more than there are", 9, {1, 1, 1, 0, 1, 0, 0, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rig__fold_plan plan = plan_of(*state, RIG_GROUP_SOURCE, 0, cases[k].n_anchors);
        for (size_t i = 0; i < N_ROWS; i++) {
            if (plan.is_anchor[i] != cases[k].is_anchor[i]) {
                fail_msg("%s: row %zu", cases[k].label, i);
            }
        }
        rig__fold_plan_fini(&plan);
    }
}

static void test_labels_seen(void **state)
{
    const fixture *const f = *state;
    static const bool is_held_out[N_ROWS] = {true, true, false, false, false, false, true, false};
    unsigned seen[N_ROWS] = {7, 7, 7, 7, 7, 7, 7, 7};
    rig__labels labels;
    assert_true(rig__labels_init(&labels, f->rows, N_ROWS));
    rig__labels_seen(&labels, is_held_out, seen);
    const unsigned both = 1U << RIG_GROUP_GPU | 1U << RIG_GROUP_SOURCE;
    assert_int_equal(seen[0], both); /* row 7 has GPU A with tuned stacks, rows 2, 3 source s */
    assert_int_equal(seen[1], both);
    assert_int_equal(seen[6], 0);
    assert_int_equal(seen[2], 7); /* rows that are not held out are left alone */
    static const bool is_tuned_out[N_ROWS] = {true, [7] = true};
    rig__labels_seen(&labels, is_tuned_out, seen);
    assert_int_equal(seen[0], 1U << RIG_GROUP_SOURCE); /* A is left with eager stacks only */
    assert_int_equal(seen[7], 0);
    rig__labels_fini(&labels);
}

static void test_folds_check(void **state)
{
    fixture *const f = *state;
    rig_residual one = {.row = &f->rows[0]}, other = {.row = &f->rows[1]};
    rig_validation a = {.residuals = &one, .n_residuals = 1};
    rig_validation b = {.residuals = &other, .n_residuals = 1};
    rig_folds folds = {.anchored_source = NULL};
    rig_error err = {0};
    size_t n = 9;
    assert_int_equal(rig__folds_check(&folds, &n, &err), RIG_OK);
    assert_int_equal(n, 0);
    folds.left_out[RIG_GROUP_GPU] = &a;
    assert_int_equal(rig__folds_check(&folds, &n, &err), RIG_OK);
    assert_int_equal(n, 1);
    folds.anchored_source = &b;
    assert_int_equal(rig__folds_check(&folds, &n, &err), RIG_E_INVALID);
    assert_string_equal(err.message,
                        "cross-validations of different measurements: '1' and '1' rows (expected "
                        "the same set)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_fold_plan__one_fold_per_group, set_up),
        cmocka_unit_test_setup(test_fold_plan__merges_by_name, set_up),
        cmocka_unit_test_setup(test_fold_plan__anchors_are_of_the_commonest_kind, set_up),
        cmocka_unit_test_setup(test_labels_seen, set_up),
        cmocka_unit_test_setup(test_folds_check, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
