/* SPDX-License-Identifier: GPL-3.0-or-later
 * Targets on residuals made by hand. */
#include "support/assert_near.h"

#include <string.h>

#include "trainrig/accuracy.h"

#define N_ROWS_MAX 16
#define SEEN_ALL (1U << RIG_GROUP_GPU | 1U << RIG_GROUP_NETWORK | 1U << RIG_GROUP_CPU)

typedef struct fixture {
    rig_measurement rows[N_ROWS_MAX];
    rig_residual residuals[N_ROWS_MAX];
    rig_validation validation;
    rig_folds folds;
    rig_target_score scores[RIG_N_TARGETS];
} fixture;

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    f.validation.residuals = f.residuals;
    for (size_t i = 0; i < RIG_N_GROUPS; i++) {
        f.folds.left_out[i] = &f.validation;
    }
    f.folds.anchored_source = &f.validation;
    *state = &f;
    return 0;
}

/* A row that was observed at 100 images/s and is predicted too high by this factor. */
static rig_residual *add(fixture *f, rig_measurement_kind kind, double factor, unsigned seen_groups)
{
    const size_t i = f->validation.n_residuals++;
    assert_true(i < N_ROWS_MAX);
    f->rows[i] = (rig_measurement){.kind = kind,
                                   .observed_images_per_s = 100,
                                   .first_epoch_s = NAN,
                                   .nodes = 1,
                                   .labels[RIG_GROUP_GPU] = "A",
                                   .labels[RIG_GROUP_SOURCE] = "s"};
    f->rows[i].labels[RIG_GROUP_KIND] = kind == RIG_MEASUREMENT_SYSTEM ? "system" : "gpu";
    f->residuals[i] = (rig_residual){.row = &f->rows[i],
                                     .predicted_images_per_s = 100 * factor,
                                     .log_ratio = log(factor),
                                     .first_epoch_log_ratio = NAN,
                                     .binding = RIG_STAGE_GPU,
                                     .seen_groups = seen_groups};
    return &f->residuals[i];
}

static const rig_target_score *score(fixture *f, rig_target target)
{
    rig_error err = {0};
    if (rig_targets_score(&f->folds, f->scores, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return &f->scores[target];
}

static void test_targets__rows_that_count(void **state)
{
    fixture *const f = *state;
    const unsigned gpu_seen = 1U << RIG_GROUP_GPU;
    const unsigned network_seen = 1U << RIG_GROUP_NETWORK;
    add(f, RIG_MEASUREMENT_SYSTEM, 1.02, SEEN_ALL);
    add(f, RIG_MEASUREMENT_SYSTEM, 1.50, gpu_seen); /* network new */
    f->rows[add(f, RIG_MEASUREMENT_SYSTEM, 1.06, SEEN_ALL) - f->residuals].nodes = 4;
    add(f, RIG_MEASUREMENT_GPU, 0.90, SEEN_ALL);
    add(f, RIG_MEASUREMENT_GPU, 1.20, network_seen);
    add(f, RIG_MEASUREMENT_GPU, 3.00, 0);
    add(f, RIG_MEASUREMENT_CPU, 1.05, SEEN_ALL);
    add(f, RIG_MEASUREMENT_CPU, 1.25, 0);
    add(f, RIG_MEASUREMENT_STORAGE, 0.80, 0);
    add(f, RIG_MEASUREMENT_STORAGE, 9.00, 0)->unsupported = "no figure";
    add(f, RIG_MEASUREMENT_SYSTEM, 1.00, SEEN_ALL)->first_epoch_log_ratio = log(1.3);
    static const struct {
        rig_target target;
        size_t rows;
        double value;
        bool is_met, is_bias_met;
    } cases[] = {
        {RIG_TARGET_SYSTEM_KNOWN, 2, 0.01, true, true},
        {RIG_TARGET_SYSTEM_GPU_NEW, 3, 0.52 / 3, false, false},
        {RIG_TARGET_SYSTEM_NODES, 1, 0.06, true, false},
        {RIG_TARGET_FIRST_EPOCH, 1, 0.3, false, false},
        {RIG_TARGET_GPU_KNOWN, 1, 0.1, false, false},
        {RIG_TARGET_GPU_NEW, 2, 0.15, false, false},
        {RIG_TARGET_SOURCE_NEW, 1, 0.1, true, false},
        {RIG_TARGET_SOURCE_ANCHORED, 1, 0.1, false, false},
        {RIG_TARGET_CPU_KNOWN, 1, 0.05, true, false},
        {RIG_TARGET_CPU_FAMILY_NEW, 2, 0.15, false, false},
        {RIG_TARGET_STORAGE, 1, 0.2, false, false},
        {RIG_TARGET_BINDING, 0, NAN, false, true},
        {RIG_TARGET_SCALING, 0, NAN, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rig_target_score *const out = score(f, cases[i].target);
        assert_int_equal(out->rows, cases[i].rows);
        ASSERT_SAME(out->name, out->value_frac, cases[i].value);
        if (out->is_met != cases[i].is_met || out->is_bias_met != cases[i].is_bias_met) {
            fail_msg("%s: is it met?", out->name);
        }
    }
}

static void test_targets__names(void **state)
{
    fixture *const f = *state;
    static const struct {
        rig_target target;
        const char *name, *left_out;
        double limit;
    } cases[] = {
        {RIG_TARGET_SYSTEM_KNOWN, "system-known", "system", 0.025},
        {RIG_TARGET_FIRST_EPOCH, "first-epoch", "submitter", 0.25},
        {RIG_TARGET_CPU_FAMILY_NEW, "cpu-family-new", "cpu-family", 0.12},
        {RIG_TARGET_CHOICE_WORST, "choice-worst", "system", 0.08},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rig_target_score *const out = score(f, cases[i].target);
        assert_string_equal(out->name, cases[i].name);
        assert_string_equal(out->left_out, cases[i].left_out);
        ASSERT_SAME(out->name, out->limit_frac, cases[i].limit);
        assert_false(out->is_met); /* nothing was scored */
    }
}

/* Only what is the same but for the count makes a pair; the error of the ratio is scored. */
static void test_targets__scaling(void **state)
{
    fixture *const f = *state;
    static const struct {
        int count, batch;
        double factor;
        const char *source;
    } rows[] = {
        {1, 64, 1.10, "s"},
        {8, 64, 1.21, "s"}, /* 10 % too high beside the first */
        {4, 64, 5.00, "s"}, /* not 8 */
        {8, 32, 5.00, "s"}, /* another batch */
        {8, 64, 5.00, "t"}, /* another source */
        {1, 16, 1.00, "u"},
        {1, 16, 1.21, "u"}, /* measured twice: 10 % on average */
        {8, 16, 1.10, "u"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_measurement *const row =
            &f->rows[add(f, RIG_MEASUREMENT_GPU, rows[i].factor, 0) - f->residuals];
        row->build.parts[RIG_TABLE_GPU].count = rows[i].count;
        row->workload.batch_per_gpu = rows[i].batch;
        row->labels[RIG_GROUP_SOURCE] = rows[i].source;
    }
    const rig_target_score *const out = score(f, RIG_TARGET_SCALING);
    assert_int_equal(out->rows, 2);
    ASSERT_SAME("mean of 10 % and 0", out->value_frac, 0.05);
    assert_true(out->is_met);
    assert_false(out->is_bias_met);
}

static void test_targets__loader_scaling(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *loader;
        double workers, factor;
    } rows[] = {{"p", 1, 1.0}, {"p", 4, 1.1}, {"p", 8, 1.2}, {"q", 8, 5.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_measurement *const row =
            &f->rows[add(f, RIG_MEASUREMENT_CPU, rows[i].factor, 0) - f->residuals];
        row->workload.workers = rows[i].workers;
        row->labels[RIG_GROUP_LOADER] = rows[i].loader;
    }
    const rig_target_score *const out = score(f, RIG_TARGET_LOADER_SCALING);
    assert_int_equal(out->rows, 2); /* against one worker each */
    ASSERT_SAME("mean of 10 and 20 %", out->value_frac, 0.15);
}

static void test_targets__binding(void **state)
{
    fixture *const f = *state;
    static const struct {
        unsigned expected;
        rig_stage binding;
    } rows[] = {
        {1U << RIG_STAGE_GPU | 1U << RIG_STAGE_ALLREDUCE, RIG_STAGE_GPU},
        {1U << RIG_STAGE_GPU, RIG_STAGE_DECODE},
        {1U << RIG_STAGE_DECODE, RIG_STAGE_DECODE},
        {1U << RIG_STAGE_STORAGE, RIG_STAGE_STORAGE},
        {1U << RIG_STAGE_GPU, RIG_STAGE_GPU},
        {0, RIG_STAGE_DECODE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_residual *const residual = add(f, RIG_MEASUREMENT_GPU, 1, 0);
        residual->binding = rows[i].binding;
        f->rows[residual - f->residuals].expected_stages = rows[i].expected;
        residual->tells_binding = rows[i].expected != 0;
    }
    f->residuals[3].unsupported = "its rate is not predicted";
    const rig_target_score *const out = score(f, RIG_TARGET_BINDING);
    assert_int_equal(out->rows, 5);
    ASSERT_SAME("one of five is wrong", out->value_frac, 0.2);
    ASSERT_SAME("always the GPUs: two of five", out->trivial_frac, 0.4);
    ASSERT_SAME("no bias", out->bias_frac, NAN);
}

/* Three systems for one task: the model's favourite is the second best. A pair is no choice. */
static void test_targets__choice(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *system, *count;
        double observed, predicted;
    } rows[] = {
        {"a", "8", 100, 104},
        {"b", "8", 96, 110},
        {"c", "8", 90, 60},
        {"b", "8", 94, 110}, /* measured twice: 95 on average */
        {"a", "4", 100, 1},
        {"b", "4", 10, 2},
        {"b", "4", 10, 2}, /* still two systems */
        {"a", "2", 50, 50},
        {"b", "2", 60, 55},
        {"c", "2", 40, 40},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_residual *const residual = add(f, RIG_MEASUREMENT_SYSTEM, 1, 0);
        rig_measurement *const row = &f->rows[residual - f->residuals];
        residual->predicted_images_per_s = rows[i].predicted;
        row->observed_images_per_s = rows[i].observed;
        row->labels[RIG_GROUP_COUNT] = rows[i].count;
        row->labels[RIG_GROUP_SYSTEM] = rows[i].system;
    }
    const rig_target_score *out = score(f, RIG_TARGET_CHOICE_MEAN);
    assert_int_equal(out->rows, 2);
    ASSERT_SAME("5 % and nothing", out->value_frac, 0.025);
    assert_false(out->is_met);
    out = score(f, RIG_TARGET_CHOICE_WORST);
    ASSERT_SAME("5 %", out->value_frac, 0.05);
    assert_true(out->is_met);
    f->rows[2].workload.release = "v9"; /* other software: no longer a choice */
    assert_int_equal(score(f, RIG_TARGET_CHOICE_MEAN)->rows, 1);
    f->rows[9].software = "PyTorch 0.4"; /* nor is this one: an older framework */
    assert_int_equal(score(f, RIG_TARGET_CHOICE_MEAN)->rows, 0);
}

static void test_coverage_by(void **state)
{
    (void)state;
    rig_group_score groups[] = {
        {.by = RIG_GROUP_GPU, .name = "a", .score = {.rows = 20, .coverage_frac = 0.85}},
        {.by = RIG_GROUP_GPU, .name = "b", .score = {.rows = 90, .coverage_frac = 0.95}},
        {.by = RIG_GROUP_GPU, .name = "c", .score = {.rows = 25, .coverage_frac = 1.0}},
        {.by = RIG_GROUP_GPU, .name = "d", .score = {.rows = 25, .coverage_frac = 0.5}},
        {.by = RIG_GROUP_GPU, .name = "e", .score = {.rows = 19, .coverage_frac = 0.1}},
        {.by = RIG_GROUP_CPU, .name = "f", .score = {.rows = 50, .coverage_frac = 0.2}},
    };
    const rig_validation validation = {.groups = groups, .n_groups = 6};
    const rig_coverage out = rig_coverage_by(&validation, RIG_GROUP_GPU);
    assert_int_equal(out.groups, 4);
    assert_int_equal(out.n_right, 2);
    assert_string_equal(out.least_name, "d");
    assert_string_equal(out.most_name, "c");
    ASSERT_SAME("least", out.least_frac, 0.5);
    ASSERT_SAME("most", out.most_frac, 1.0);
    const rig_coverage none = rig_coverage_by(&validation, RIG_GROUP_FILE);
    assert_int_equal(none.groups, 0);
    assert_null(none.least_name);
}

static void test_targets__without_validations(void **state)
{
    (void)state;
    const rig_folds none = {.anchored_source = NULL};
    rig_target_score out[RIG_N_TARGETS];
    assert_int_equal(rig_targets_score(&none, out, NULL), RIG_OK);
    for (size_t i = 0; i < RIG_N_TARGETS; i++) {
        assert_int_equal(out[i].rows, 0);
        assert_false(out[i].is_met);
        ASSERT_SAME(out[i].name, out[i].value_frac, NAN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_targets__rows_that_count, set_up),
        cmocka_unit_test_setup(test_targets__names, set_up),
        cmocka_unit_test_setup(test_targets__scaling, set_up),
        cmocka_unit_test_setup(test_targets__loader_scaling, set_up),
        cmocka_unit_test_setup(test_targets__binding, set_up),
        cmocka_unit_test_setup(test_targets__choice, set_up),
        cmocka_unit_test(test_coverage_by),
        cmocka_unit_test(test_targets__without_validations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
