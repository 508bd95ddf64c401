/* SPDX-License-Identifier: GPL-3.0-or-later
 * Widths from residuals made by hand. */
#include "support/assert_near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile.h"
#include "support/fail_alloc.h"

#define N_ROWS 400
#define N_SYSTEM 99

typedef struct fixture {
    rig_measurement rows[N_ROWS];
    rig_residual by_system[N_ROWS], by_gpu[N_ROWS], by_source[N_ROWS], by_family[N_ROWS];
    rig_validation validations[4];
    rig_stack eager, tuned;
    rig_folds folds;
} fixture;

static const unsigned all_seen = 1U << RIG_GROUP_GPU | 1U << RIG_GROUP_NETWORK |
                                 1U << RIG_GROUP_SOURCE | 1U << RIG_GROUP_SUBMITTER |
                                 1U << RIG_GROUP_CPU | 1U << RIG_GROUP_CPU_FAMILY |
                                 1U << RIG_GROUP_LOADER;

/* Rows 0 to 98 are eager training rates, 99 to 197 tuned systems, 198 to 296 preparation, 297 to
 * 395 storage. Their errors are 0.001, 0.002 ... 0.099 times the scale, so that of 99 rows the 90th
 * is the width. */
static void fill(fixture *f, rig_residual *out, double scale, unsigned seen_groups)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        static const rig_measurement_kind kinds[] = {RIG_MEASUREMENT_GPU,
                                                     RIG_MEASUREMENT_SYSTEM,
                                                     RIG_MEASUREMENT_CPU,
                                                     RIG_MEASUREMENT_STORAGE};
        static const rig_stage stages[] = {
            RIG_STAGE_GPU, RIG_STAGE_ALLREDUCE, RIG_STAGE_DECODE, RIG_STAGE_STORAGE};
        const size_t k = i / N_SYSTEM;
        const double sign = i % 2 == 0 ? 1.0 : -1.0;
        out[i] = (rig_residual){.row = &f->rows[i],
                                .unsupported = k < 4 ? NULL : "beyond the rows of this test",
                                .log_ratio = sign * scale * (double)(i % N_SYSTEM + 1) / 1000.0,
                                .first_epoch_log_ratio = NAN,
                                .software_spread = 1.0,
                                .binding = stages[k % 4],
                                .seen_groups = seen_groups};
        f->rows[i] = (rig_measurement){
            .kind = kinds[k % 4], .nodes = 1, .workload.stack = k == 0 ? &f->eager : &f->tuned};
    }
}

static int set_up(void **state)
{
    fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->eager.family = "eager";
    f->tuned.family = "tuned";
    fill(f, f->by_system, 1.0, all_seen);
    fill(f, f->by_gpu, 2.0, all_seen & ~(1U << RIG_GROUP_GPU));
    fill(f, f->by_source, 3.0, all_seen & ~(1U << RIG_GROUP_SOURCE));
    fill(f, f->by_family, 4.0, all_seen & ~(1U << RIG_GROUP_CPU | 1U << RIG_GROUP_CPU_FAMILY));
    rig_residual *const residuals[] = {f->by_system, f->by_gpu, f->by_source, f->by_family};
    static const rig_group keys[] = {
        RIG_GROUP_SYSTEM, RIG_GROUP_GPU, RIG_GROUP_SOURCE, RIG_GROUP_CPU_FAMILY};
    for (size_t i = 0; i < 4; i++) {
        f->validations[i] = (rig_validation){.residuals = residuals[i], .n_residuals = N_ROWS};
        f->folds.left_out[keys[i]] = &f->validations[i];
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static rig_profile *fit(const fixture *f)
{
    rig_profile *const profile = rig_profile_new("test");
    rig_error err = {0};
    assert_non_null(profile);
    if (rig_fit_intervals(&f->folds, profile, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return profile;
}

static const rig_profile_entry *entry_of(const rig_profile *profile, const char *name)
{
    const rig_profile_entry *const entry = rig__profile_find(profile, RIG_PROFILE_INTERVALS, name);
    if (entry == NULL) {
        fail_msg("no entry '%s'", name);
    }
    return entry;
}

#define EAGER "train | eager | "
#define TUNED "train | tuned | "

static void test_fit_intervals__classes_and_combinations(void **state)
{
    static const struct {
        const char *name;
        double width, rows;
    } cases[] = {
        {EAGER "gpu known | network known | software own | one node", 0.09, 99},
        {EAGER "gpu new | network known | software own | one node", 0.18, 99},
        {EAGER "gpu known | network known | software other | one node", 0.27, 99},
        /* 0.09^2 (1 + 3 + 8) */
        {EAGER "gpu new | network known | software other | one node", 0.3117691454, 0},
        /* nowhere measured: as much again */
        {EAGER "gpu known | network new | software own | one node", 0.1272792206, 0},
        {EAGER "gpu new | network new | software other | several nodes", 0.3367491648, 0},
        {TUNED "gpu new | network known | software own | one node", 0.18, 99},
        /* of systems the submitter is the software: leaving sources out says nothing of it, so
         * the excess is that of the eager family */
        {TUNED "gpu known | network known | software other | one node", 0.27, 0},
        {"train", 0.3367491648, 495},
        {"prepare | cpu known | loader known", 0.09, 99},
        {"prepare | cpu family known | loader known", 0.1272792206, 0},
        {"prepare | cpu new | loader known", 0.36, 99},
        {"prepare | cpu new | loader new", 0.3710795063, 0},
        {"prepare", 0.3710795063, 198},
        {"storage", 0.27, 99}, /* sources come before systems */
    };
    rig_profile *const profile = fit(*state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rig_profile_entry *const entry = entry_of(profile, cases[i].name);
        ASSERT_NEAR(cases[i].name, entry->value, cases[i].width, 0, 1e-9);
        ASSERT_SAME(cases[i].name, entry->rows, cases[i].rows);
    }
    assert_string_equal(
        entry_of(profile, EAGER "gpu new | network known | software own | one node")->source,
        "90 % of the rows held out by gpu");
    assert_null(rig__profile_find(profile, RIG_PROFILE_INTERVALS, "first epoch"));
    rig_profile_free(profile);
}

/* A new GPU that happens to be predicted better is still not trusted more than a known one. */
static void test_fit_intervals__is_monotone(void **state)
{
    fixture *const f = *state;
    fill(f, f->by_gpu, 0.1, all_seen & ~(1U << RIG_GROUP_GPU));
    rig_profile *const profile = fit(f);
    ASSERT_SAME("raised",
                entry_of(profile, EAGER "gpu new | network known | software own | one node")->value,
                0.09);
    rig_profile_free(profile);
}

static void test_fit_intervals__few_rows_make_no_class(void **state)
{
    fixture *const f = *state;
    for (size_t i = 19; i < N_SYSTEM; i++) {
        f->by_source[i].unsupported = "left out by the test";
        f->by_gpu[i].binding = RIG_STAGE_DECODE; /* what preparation limits tells nothing */
    }
    rig_profile *const profile = fit(f);
    const rig_profile_entry *const entry =
        entry_of(profile, EAGER "gpu known | network known | software other | one node");
    ASSERT_SAME("nowhere measured", entry->value, 0.09 * sqrt(2.0));
    ASSERT_SAME("no rows", entry->rows, 0);
    assert_string_equal(entry->source, "no rows of its own: from the other classes of its kind");
    ASSERT_SAME("as in the tuned family",
                entry_of(profile, EAGER "gpu new | network known | software own | one node")->value,
                0.18);
    rig_profile_free(profile);
}

/* Every fold leaves the processor or the loader out: that both are known is bounded from above. */
static void test_fit_intervals__nothing_wholly_known(void **state)
{
    fixture *const f = *state;
    fill(f, f->by_system, 1.0, all_seen & ~(1U << RIG_GROUP_LOADER | 1U << RIG_GROUP_NETWORK));
    fill(f, f->by_gpu, 2.0, all_seen & ~(1U << RIG_GROUP_GPU | 1U << RIG_GROUP_NETWORK));
    fill(f, f->by_source, 3.0, all_seen & ~(1U << RIG_GROUP_SOURCE | 1U << RIG_GROUP_NETWORK));
    rig_profile *const profile = fit(f);
    const rig_profile_entry *entry = entry_of(profile, "prepare | cpu known | loader known");
    ASSERT_SAME("as with a new loader", entry->value, 0.09);
    ASSERT_SAME("no rows", entry->rows, 0);
    entry = entry_of(profile, EAGER "gpu known | network known | software own | one node");
    ASSERT_SAME("as with a new network", entry->value, 0.09);
    rig_profile_free(profile);
}

/* Readers that ask for less than the drives give do not test the drives. */
static void test_fit_intervals__storage_that_is_not_the_limit(void **state)
{
    fixture *const f = *state;
    for (size_t i = 3 * (size_t)N_SYSTEM; i < 4 * (size_t)N_SYSTEM; i++) {
        f->by_system[i].binding = f->by_source[i].binding = RIG_STAGE_GPU;
    }
    rig_profile *const profile = fit(f);
    assert_null(rig__profile_find(profile, RIG_PROFILE_INTERVALS, "storage"));
    rig_profile_free(profile);
}

static void test_fit_intervals__rows_count_once_in_a_class(void **state)
{
    fixture *const f = *state;
    f->folds.left_out[RIG_GROUP_NETWORK] = &f->validations[0];
    rig_profile *const profile = fit(f);
    ASSERT_SAME(
        "rows",
        entry_of(profile, EAGER "gpu known | network known | software own | one node")->rows,
        99);
    rig_profile_free(profile);
}

/* Errors are divided by the spread of their installation, which the profile then tells. */
static void test_fit_intervals__spread_of_installations(void **state)
{
    fixture *const f = *state;
    for (size_t i = 0; i < N_SYSTEM; i++) {
        f->rows[i].labels[RIG_GROUP_SOURCE] = i < 30 ? "quiet" : "noisy";
        f->by_system[i].software_spread = 2.0;
    }
    rig_profile *const profile = fit(f);
    ASSERT_SAME(
        "half as wide for an average one",
        entry_of(profile, EAGER "gpu known | network known | software own | one node")->value,
        0.045);
    const rig_profile_entry *const quiet =
        rig__profile_find(profile, RIG_PROFILE_FITTED, "source:quiet");
    const rig_profile_entry *const noisy =
        rig__profile_find(profile, RIG_PROFILE_FITTED, "source:noisy");
    assert_non_null(quiet);
    assert_non_null(noisy);
    /* mean errors 15.5 and 65 of 50 thousandths */
    ASSERT_SAME("quiet", quiet->value, (30 * 15.5 / 50 + 10) / 40);
    ASSERT_SAME("noisy", noisy->value, (69 * 65. / 50 + 10) / 79);
    ASSERT_SAME("rows", noisy->rows, 69);
    rig_profile_free(profile);
}

static void test_fit_intervals__first_epoch(void **state)
{
    fixture *const f = *state;
    for (size_t i = N_SYSTEM; i < (size_t)2 * N_SYSTEM; i++) {
        f->by_system[i].first_epoch_log_ratio = (double)(i - N_SYSTEM + 1) / 100.0;
    }
    rig_profile *const profile = fit(f);
    ASSERT_SAME("90th", entry_of(profile, "first epoch")->value, 0.9);
    rig_profile_free(profile);
}

/* Nothing to go by is nothing to say: the widths of the catalogue stay. */
static void test_fit_intervals__no_rows(void **state)
{
    fixture *const f = *state;
    f->folds = (rig_folds){.anchored_source = NULL};
    rig_profile *const profile = fit(f);
    assert_int_equal(rig_profile_count(profile), 0);
    rig_profile_free(profile);
}

static void test_fit_intervals__different_sets(void **state)
{
    fixture *const f = *state;
    rig_profile *const profile = rig_profile_new("test");
    rig_error err = {0};
    f->validations[1].n_residuals = 5;
    assert_int_equal(rig_fit_intervals(&f->folds, profile, &err), RIG_E_INVALID);
    assert_int_equal(rig_profile_count(profile), 0);
    rig_profile_free(profile);
}

static void test_fit_intervals__out_of_memory(void **state)
{
    const fixture *const f = *state;
    bool has_failed = true;
    for (long n = 1; has_failed; n++) {
        rig_profile *const profile = rig_profile_new("test");
        assert_non_null(profile);
        fail_alloc_at(n);
        const rig_status status = rig_fit_intervals(&f->folds, profile, NULL);
        has_failed = fail_alloc_stop();
        assert_int_equal(status, has_failed ? RIG_E_NOMEM : RIG_OK);
        rig_profile_free(profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
        CASE(test_fit_intervals__classes_and_combinations),
        CASE(test_fit_intervals__is_monotone),
        CASE(test_fit_intervals__few_rows_make_no_class),
        CASE(test_fit_intervals__nothing_wholly_known),
        CASE(test_fit_intervals__storage_that_is_not_the_limit),
        CASE(test_fit_intervals__rows_count_once_in_a_class),
        CASE(test_fit_intervals__spread_of_installations),
        CASE(test_fit_intervals__first_epoch),
        CASE(test_fit_intervals__no_rows),
        CASE(test_fit_intervals__different_sets),
        CASE(test_fit_intervals__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
