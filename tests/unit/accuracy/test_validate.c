/* SPDX-License-Identifier: GPL-3.0-or-later
 * Validation and cross-validation on rows whose truth is known. */
#include "tiny_rows.h"

#include "accuracy/residuals.h"
#include "support/fail_alloc.h"

/* What the rows of one stack are slower by than the tables say. */
static const double truth = 1.3;

static rig_validation *
validate(const tiny *own, const rig_measurements *set, const rig_profile *profile)
{
    rig_validation *out = NULL;
    rig_error err = {0};
    if (rig_validate(&out, set, own->catalog, own->constants, profile, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

static const rig_group_score *
group_of(const rig_validation *validation, rig_group by, const char *name)
{
    for (size_t i = 0; i < validation->n_groups; i++) {
        const rig_group_score *const group = &validation->groups[i];
        if (group->by == by && strcmp(group->name, name) == 0) {
            return group;
        }
    }
    fail_msg("no group %s %s", rig_group_name(by), name);
    return NULL;
}

/* Observed rates as a model with this factor of stack `pytorch` would have them. */
static void observe(const tiny *own, rig_measurements *set, double factor)
{
    rig_catalog *catalog = NULL;
    rig_constants *constants = NULL;
    rig_profile *const profile = rig_profile_new("truth");
    const rig_stack *const stack =
        (const rig_stack *)(const void *)rig_catalog_get(own->catalog, RIG_TABLE_STACK, "pytorch");
    const rig_profile_entry entry = {.table = RIG_PROFILE_STACKS,
                                     .name = "pytorch",
                                     .value = factor * stack->step_factor,
                                     .log_sd = NAN,
                                     .rows = NAN};
    assert_int_equal(rig_profile_add(profile, &entry, NULL), RIG_OK);
    assert_int_equal(rig_profile_apply(&catalog, own->catalog, profile, NULL), RIG_OK);
    assert_int_equal(rig_constants_new(&constants, catalog, NULL), RIG_OK);
    for (size_t i = 0; i < set->n_rows; i++) {
        rig_residual residual;
        assert_int_equal(rig__residual_fill(&set->rows[i], catalog, constants, &residual, NULL),
                         RIG_OK);
        if (residual.unsupported == NULL) {
            set->rows[i].observed_images_per_s = residual.predicted_images_per_s;
        }
    }
    rig_constants_free(constants);
    rig_catalog_free(catalog);
    rig_profile_free(profile);
}

static void test_validate__perfect_rows(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    observe(*state, set, 1.0);
    rig_validation *const out = validate(*state, set, NULL);
    assert_int_equal(out->n_read, 21);
    assert_int_equal(out->n_used, 9);
    ASSERT_SAME("mape", out->score.mape_frac, 0);
    ASSERT_SAME("bias", out->score.bias_frac, 0);
    ASSERT_SAME("coverage", out->score.coverage_frac, 1);
    assert_null(out->left_out);
    rig_validation_free(out);
    rig_measurements_free(set);
}

static void test_validate__summary(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    rig_validation *const out = validate(*state, set, NULL);
    size_t n_skipped = 0, n_by_kind = 0;
    bool is_multi_node_skipped = false;
    for (size_t i = 0; i < out->n_skips; i++) {
        n_skipped += out->skips[i].count;
        is_multi_node_skipped = is_multi_node_skipped ||
                                strcmp(out->skips[i].reason, "network between nodes not told") == 0;
    }
    assert_int_equal(n_skipped + out->n_used, out->n_read);
    assert_true(is_multi_node_skipped);
    for (size_t i = 0; i < out->n_groups; i++) {
        n_by_kind += out->groups[i].by == RIG_GROUP_KIND ? out->groups[i].score.rows : 0;
    }
    assert_int_equal(n_by_kind, out->n_used);
    assert_int_equal(out->first_epoch.rows, 1);
    ASSERT_SAME("outside of its interval", out->first_epoch.coverage_frac, 0);
    /* also the run that waited for drives that its row does not name: its rate is not predicted */
    assert_int_equal(out->score.binding_rows, 2);
    const rig_group_score *const group = group_of(out, RIG_GROUP_GPU, "NVIDIA GeForce RTX 3090");
    assert_int_equal(group->score.rows, 3);
    assert_int_equal(group->fitted, RIG_FITTED_YES); /* its efficiency row has rows behind it */
    assert_int_equal(group_of(out, RIG_GROUP_SOURCE, "made-up")->fitted, RIG_FITTED_UNKNOWN);
    rig_validation_free(out);
    rig_measurements_free(set);
}

/* A preparation row has the width of its class; of training stages the nearest one may bind. */
static void test_validate__intervals_of_the_class(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    rig_validation *const out = validate(*state, set, NULL);
    size_t n_training = 0, n_preparation = 0;
    for (size_t i = 0; i < out->n_residuals; i++) {
        const rig_residual *const residual = &out->residuals[i];
        const bool is_training =
            residual->binding == RIG_STAGE_GPU || residual->binding == RIG_STAGE_ALLREDUCE;
        const bool is_preparation = residual->row->kind == RIG_MEASUREMENT_CPU;
        if (residual->unsupported != NULL || (!is_training && !is_preparation) ||
            residual->row->kind == RIG_MEASUREMENT_STORAGE) {
            continue;
        }
        n_training += is_preparation ? 0 : 1;
        n_preparation += is_preparation ? 1 : 0;
        const double width = log(residual->high_images_per_s / residual->predicted_images_per_s);
        ASSERT_NEAR(residual->row->id,
                    width,
                    is_preparation ? 1.2 : 0.7,
                    1e-9,
                    is_preparation ? 1e-3 : 0.7);
        assert_true(width > 0.0); /* a stage that is nearly as slow may be narrower */
    }
    assert_true(n_training > 0 && n_preparation > 0);
    rig_validation_free(out);
    rig_measurements_free(set);
}

/* The spread that a profile tells of a source widens the intervals of its rows, and theirs alone.
 */
static void test_validate__spread_of_a_source(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    rig_profile *const profile = rig_profile_new("own");
    const rig_profile_entry entry = {
        .table = RIG_PROFILE_FITTED, .name = "source:made-up", .value = 0.5, .log_sd = NAN};
    assert_int_equal(rig_profile_add(profile, &entry, NULL), RIG_OK);
    rig_validation *const plain = validate(*state, set, NULL);
    rig_validation *const own = validate(*state, set, profile);
    size_t n_narrower = 0;
    for (size_t i = 0; i < own->n_residuals; i++) {
        const rig_residual *const a = &plain->residuals[i], *const b = &own->residuals[i];
        const char *const source = a->row->labels[RIG_GROUP_SOURCE];
        const bool is_its =
            a->row->kind == RIG_MEASUREMENT_GPU && source != NULL && strcmp(source, "made-up") == 0;
        if (is_its) {
            ASSERT_SAME("spread", b->software_spread, 0.5);
        }
        if (!is_its) {
            ASSERT_SAME("others stay", b->high_images_per_s, a->high_images_per_s);
        } else if (a->unsupported == NULL && a->binding == RIG_STAGE_GPU) {
            n_narrower += b->high_images_per_s < a->high_images_per_s ? 1 : 0;
        }
    }
    assert_true(n_narrower > 0);
    rig_validation_free(plain);
    rig_validation_free(own);
    rig_profile_free(profile);
    rig_measurements_free(set);
}

static void test_validate__profile_tells_what_was_fitted(void **state)
{
    rig_profile *profile = NULL;
    assert_int_equal(rig_profile_read(&profile, TINY "/measurements/fitted.csv", NULL), RIG_OK);
    rig_measurements *const set = tiny_read(*state);
    rig_validation *const out = validate(*state, set, profile);
    static const struct {
        rig_group by;
        const char *name;
        rig_fitted fitted;
    } cases[] = {
        {RIG_GROUP_GPU, "NVIDIA L40S", RIG_FITTED_YES},
        {RIG_GROUP_GPU, "NVIDIA GeForce RTX 3090", RIG_FITTED_NO},
        {RIG_GROUP_SOURCE, "made-up", RIG_FITTED_YES},
        {RIG_GROUP_SOURCE, "workstation", RIG_FITTED_NO},
        {RIG_GROUP_NETWORK, "resnet50", RIG_FITTED_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(group_of(out, cases[i].by, cases[i].name)->fitted, cases[i].fitted);
    }
    rig_validation_free(out);
    rig_measurements_free(set);
    rig_profile_free(profile);
}

static rig_validation *
cross(const tiny *own, const rig_measurements *set, rig_group key, rig_fit fit)
{
    rig_validation *out = NULL;
    rig_error err = {0};
    if (rig_cross_validate(&out, set, own->catalog, key, fit, NULL, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

static void test_cross_validate__nothing_fitted_is_validation(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    rig_validation *const plain = validate(*state, set, NULL);
    rig_validation *const out = cross(*state, set, RIG_GROUP_KIND, rig_fit_nothing);
    assert_string_equal(out->left_out, "kind");
    assert_int_equal(out->n_folds, 4);
    assert_int_equal(out->n_used, plain->n_used);
    for (size_t i = 0; i < out->n_residuals; i++) {
        ASSERT_SAME("residual", out->residuals[i].log_ratio, plain->residuals[i].log_ratio);
    }
    assert_int_equal(group_of(out, RIG_GROUP_KIND, "gpu")->fitted, RIG_FITTED_NO);
    rig_validation_free(out);
    rig_validation_free(plain);
    rig_measurements_free(set);
}

/* The factor is found from the other GPU's rows of the same stack. */
static void test_cross_validate__recovers_a_stack_factor(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    observe(*state, set, truth);
    rig_validation *const plain = validate(*state, set, NULL);
    assert_true(group_of(plain, RIG_GROUP_STACK, "pytorch")->score.mape_frac > 0.15);
    rig_validation *const out = cross(*state, set, RIG_GROUP_GPU, rig_fit_stacks);
    assert_int_equal(out->n_folds, 3);
    ASSERT_NEAR("held out", group_of(out, RIG_GROUP_STACK, "pytorch")->score.mape_frac, 0, 0, 1e-4);
    rig_validation_free(out);
    rig_validation_free(plain);
    rig_measurements_free(set);
}

/* What is held out is not looked at: a stack with one source cannot be corrected without it. */
static void test_cross_validate__held_out_rows_are_not_used(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    observe(*state, set, truth);
    rig_validation *const plain = validate(*state, set, NULL);
    rig_validation *const out = cross(*state, set, RIG_GROUP_STACK, rig_fit_stacks);
    ASSERT_SAME("no better than before",
                group_of(out, RIG_GROUP_STACK, "pytorch")->score.mape_frac,
                group_of(plain, RIG_GROUP_STACK, "pytorch")->score.mape_frac);
    rig_validation_free(out);
    rig_validation_free(plain);
    rig_measurements_free(set);
}

static void test_cross_validate__unnamed_rows_are_not_scored(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    rig_validation *const out = cross(*state, set, RIG_GROUP_GPU, rig_fit_nothing);
    assert_int_equal(out->n_used, 6); /* not those of processors and storage */
    size_t n = 0;
    for (size_t i = 0; i < out->n_skips; i++) {
        n += strcmp(out->skips[i].reason, "does not name what is left out") == 0
                 ? out->skips[i].count
                 : 0;
    }
    assert_int_equal(n, 3);
    rig_validation_free(out);
    rig_measurements_free(set);
}

static rig_status
fit_badly(const rig_fit_task *task, rig_profile *profile, void *payload, rig_error *err)
{
    (void)task;
    (void)err;
    const rig_profile_entry entry = {.table = RIG_PROFILE_STACKS, .name = payload, .value = 1};
    return rig_profile_add(profile, &entry, err);
}

static void test_cross_validate__errors(void **state)
{
    const tiny *const own = *state;
    static char nonsense[] = "no such stack";
    rig_measurements *const set = tiny_read(own);
    rig_validation *out = NULL;
    rig_error err = {0};
    assert_int_equal(
        rig_cross_validate(&out, set, own->catalog, RIG_GROUP_STAGE, rig_fit_nothing, NULL, &err),
        RIG_E_INVALID);
    assert_non_null(strstr(err.message, "cannot leave out by 'stage'"));
    assert_int_equal(
        rig_cross_validate(&out, set, own->catalog, RIG_GROUP_GPU, fit_badly, nonsense, &err),
        RIG_E_NOTFOUND);
    assert_null(out);
    rig_measurements_free(set);
}

/* ---- folds of several groups, and anchors ---------------------------------------------------- */

/* Counts what a fit is given, and says that stack `pytorch` is slower by `truth`. */
typedef struct watch {
    size_t n_fits, n_held_out, n_used;
} watch;

static rig_status
fit_watched(const rig_fit_task *task, rig_profile *profile, void *payload, rig_error *err)
{
    watch *const seen = payload;
    seen->n_fits++;
    for (size_t i = 0; i < task->measurements->n_rows; i++) {
        seen->n_held_out += task->is_held_out[i] ? 1 : 0;
        seen->n_used += task->is_held_out[i] ? 0 : 1;
    }
    assert_non_null(task->held_out);
    (void)profile;
    (void)err;
    return RIG_OK;
}

static rig_validation *
cross_with(const tiny *own, const rig_measurements *set, const rig_cross_options *options)
{
    rig_validation *out = NULL;
    rig_error err = {0};
    if (rig_cross_validate_with(&out, set, own->catalog, options, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

static void test_cross_validate__groups_in_folds(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    watch single = {0}, merged = {0};
    rig_cross_options options = {.key = RIG_GROUP_GPU, .fit = fit_watched, .payload = &single};
    rig_validation *const one = cross_with(*state, set, &options);
    options.n_folds = 2;
    options.payload = &merged;
    rig_validation *const two = cross_with(*state, set, &options);
    assert_int_equal(one->n_folds, 3);
    assert_true(two->n_folds <= 2);
    assert_int_equal(merged.n_fits, two->n_folds);
    assert_int_equal(merged.n_held_out, single.n_held_out); /* every row once */
    assert_int_equal(two->n_used, one->n_used);
    rig_validation_free(one);
    rig_validation_free(two);
    rig_measurements_free(set);
}

/* A row's GPU is not seen by the fold that leaves it out; its network is. */
static void test_cross_validate__knows_what_was_seen(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    rig_validation *const out = cross(*state, set, RIG_GROUP_GPU, rig_fit_nothing);
    size_t n_network = 0;
    for (size_t i = 0; i < out->n_residuals; i++) {
        const rig_residual *const residual = &out->residuals[i];
        assert_false((residual->seen_groups & 1U << RIG_GROUP_GPU) != 0);
        n_network += (residual->seen_groups & 1U << RIG_GROUP_NETWORK) != 0 ? 1 : 0;
    }
    assert_true(n_network > 0);
    rig_validation_free(out);
    rig_measurements_free(set);
}

static size_t count_anchors(const rig_validation *out)
{
    size_t n = 0;
    for (size_t i = 0; i < out->n_residuals; i++) {
        const char *const reason = out->residuals[i].unsupported;
        n += reason != NULL && strcmp(reason, "known as an anchor of what is left out") == 0;
    }
    return n;
}

/* One row of a GPU tells the factor of its stack, which the other GPUs do not. */
static void test_cross_validate__anchors(void **state)
{
    rig_measurements *const set = tiny_read(*state);
    observe(*state, set, truth);
    watch rest = {0};
    rig_cross_options options = {.key = RIG_GROUP_STACK,
                                 .fit = fit_watched,
                                 .payload = &rest,
                                 .n_anchors = 1,
                                 .anchor_fit = rig_fit_stacks};
    rig_validation *const none = cross(*state, set, RIG_GROUP_STACK, rig_fit_nothing);
    rig_validation *const own = cross_with(*state, set, &options);
    assert_true(count_anchors(own) > 0);
    assert_true(group_of(none, RIG_GROUP_STACK, "pytorch")->score.mape_frac > 0.15);
    ASSERT_NEAR("anchored", group_of(own, RIG_GROUP_STACK, "pytorch")->score.mape_frac, 0, 0, 1e-4);
    const size_t n_without = rest.n_held_out;
    options.anchor_fit = NULL; /* the anchors go with the others */
    rest = (watch){0};
    rig_validation *const joint = cross_with(*state, set, &options);
    assert_int_equal(rest.n_held_out + count_anchors(joint), n_without);
    rig_validation_free(none);
    rig_validation_free(own);
    rig_validation_free(joint);
    rig_measurements_free(set);
}

/* Every allocation of reading, validating and cross-validating fails once. */
static void test_validate__out_of_memory(void **state)
{
    const tiny *const own = *state;
    const char *const path = TINY "/measurements/gpu_training.csv";
    bool has_failed = true;
    for (long n = 1; has_failed; n++) {
        rig_measurements *set = NULL;
        rig_validation *first = NULL, *second = NULL;
        fail_alloc_at(n);
        rig_status status = rig_measurements_read(&set, own->catalog, &path, 1, TINY_ALIASES, NULL);
        if (status == RIG_OK) {
            status = rig_validate(&first, set, own->catalog, own->constants, NULL, NULL);
        }
        if (status == RIG_OK) {
            status = rig_cross_validate(
                &second, set, own->catalog, RIG_GROUP_GPU, rig_fit_stacks, NULL, NULL);
        }
        has_failed = fail_alloc_stop();
        assert_int_equal(status, has_failed ? RIG_E_NOMEM : RIG_OK);
        rig_validation_free(second);
        rig_validation_free(first);
        rig_measurements_free(set);
        n += n > 400 ? 20 : 0; /* folds repeat the same allocations */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validate__perfect_rows),
        cmocka_unit_test(test_validate__summary),
        cmocka_unit_test(test_validate__intervals_of_the_class),
        cmocka_unit_test(test_validate__spread_of_a_source),
        cmocka_unit_test(test_validate__profile_tells_what_was_fitted),
        cmocka_unit_test(test_cross_validate__nothing_fitted_is_validation),
        cmocka_unit_test(test_cross_validate__recovers_a_stack_factor),
        cmocka_unit_test(test_cross_validate__held_out_rows_are_not_used),
        cmocka_unit_test(test_cross_validate__unnamed_rows_are_not_scored),
        cmocka_unit_test(test_cross_validate__groups_in_folds),
        cmocka_unit_test(test_cross_validate__knows_what_was_seen),
        cmocka_unit_test(test_cross_validate__anchors),
        cmocka_unit_test(test_cross_validate__errors),
        cmocka_unit_test(test_validate__out_of_memory),
    };
    return cmocka_run_group_tests(tests, tiny_set_up, tiny_tear_down);
}
