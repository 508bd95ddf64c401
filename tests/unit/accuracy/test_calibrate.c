/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calibration on rows that the model itself has made, with figures that were changed: are they
 * found again, and does nothing else have an influence? */
#include "tiny_rows.h"

#include "model/constants.h"
#include "model/profile.h"
#include "support/fail_alloc.h"
#include "support/text_sink.h"

#define MOST_ROWS 64
#define STACK "pytorch-nchw"

static const char *const gpus[] = {
    "NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 4070", "NVIDIA GeForce RTX 4090", "NVIDIA L40S"};
static const char *const networks[] = {
    "resnet50", "vgg16", "efficientnet_b0", "resnet18", "vit_small_patch16_224", "resnet152"};
enum { N_GPUS = 4, N_NETWORKS = 6, CHANGED_GPU = 2 };

typedef struct simulation {
    const tiny *own;
    rig_measurements *read; /* owner of the texts of the first row */
    rig_measurement rows[MOST_ROWS];
    bool is_held_out[MOST_ROWS];
    rig_measurements set;
    rig_fit_task task;
    temp_catalog temp;
    const char *priors_path;
} simulation;

static const rig_row *row_of(const simulation *s, rig_table table, const char *name)
{
    const rig_row *const row = rig_catalog_get(s->own->catalog, table, name);
    if (row == NULL) {
        fail_msg("no %s", name);
    }
    return row;
}

/* ln(rate) of a row at these constants, its GPU taking so many times as long as modelled. */
static double rate_at(const simulation *s,
                      const rig_measurement *row,
                      const rig_constants *constants,
                      double step_factor)
{
    rig_setup setup;
    rig_prediction out;
    assert_int_equal(rig_measurement_setup(row, s->own->catalog, constants, &setup, NULL), RIG_OK);
    assert_null(setup.unsupported);
    setup.machine.gpu_step_factor = step_factor;
    assert_int_equal(rig_measurement_predict(row, &setup, constants, &out, NULL), RIG_OK);
    return out.images_per_s;
}

/* Two batches of every network on every GPU. */
static void add_rows(simulation *s, size_t n_gpus)
{
    const rig_measurement *const first = &s->read->rows[0];
    s->set.n_rows = 0;
    for (size_t i = 0; i < n_gpus * N_NETWORKS * 2; i++) {
        rig_measurement *const row = &s->rows[s->set.n_rows++];
        const char *const gpu = gpus[i / (N_NETWORKS * 2)];
        const char *const network = networks[i / 2 % N_NETWORKS];
        *row = *first;
        row->kind = RIG_MEASUREMENT_GPU;
        row->build.parts[RIG_TABLE_GPU].row = row_of(s, RIG_TABLE_GPU, gpu);
        row->workload.network =
            (const rig_network *)(const void *)row_of(s, RIG_TABLE_NETWORK, network);
        row->workload.stack = (const rig_stack *)(const void *)row_of(s, RIG_TABLE_STACK, STACK);
        row->workload.batch_per_gpu = i % 2 == 0 ? 16 : 64;
        row->workload.source = NULL;
        memset(row->labels, 0, sizeof row->labels);
        row->labels[RIG_GROUP_GPU] = gpu;
        row->labels[RIG_GROUP_SOURCE] = "simulated";
    }
}

static const rig_measurement *first_training_row(rig_measurements *set)
{
    for (size_t i = 0; i < set->n_rows; i++) {
        if (strcmp(set->rows[i].id, "gpu_training.csv:2") == 0) {
            set->rows[0] = set->rows[i];
            return &set->rows[0];
        }
    }
    fail_msg("no row of training");
    return NULL;
}

static simulation *simulate(const tiny *own, size_t n_gpus, const char *priors)
{
    static simulation s;
    memset(&s, 0, sizeof s);
    s.own = own;
    s.read = tiny_read(own);
    (void)first_training_row(s.read);
    add_rows(&s, n_gpus);
    s.set.rows = s.rows;
    s.task = (rig_fit_task){
        .measurements = &s.set, .is_held_out = s.is_held_out, .catalog = own->catalog};
    temp_catalog_open(&s.temp);
    s.priors_path = temp_catalog_write(&s.temp, "priors.csv", priors);
    return &s;
}

static void forget(simulation *s)
{
    temp_catalog_close(&s->temp);
    rig_measurements_free(s->read);
}

/* Rows observed without noise: figures other than the tiny catalogue's, and one slow GPU. */
static void observe(simulation *s, double memory_factor, double compute_factor, double gpu_factor)
{
    rig_constants truth = *s->own->constants;
    truth.families[RIG__FAMILY_EAGER].gpu_memory_passes *= memory_factor;
    truth.families[RIG__FAMILY_EAGER].gpu_compute_amp *= compute_factor;
    for (size_t i = 0; i < s->set.n_rows; i++) {
        const bool is_changed = s->rows[i].labels[RIG_GROUP_GPU] == gpus[CHANGED_GPU];
        s->rows[i].observed_images_per_s =
            rate_at(s, &s->rows[i], &truth, is_changed ? gpu_factor : 1.0);
    }
}

static const char *priors_of(const tiny *own)
{
    static char text[1024];
    (void)snprintf(text,
                   sizeof text,
                   "block,table,name,scale,mean,sd,source\n"
                   "eager,constants,gpu_memory_passes_eager,log,%.17g,0.4,test\n"
                   "eager,constants,gpu_compute_amp_eager,log,%.17g,0.4,test\n"
                   "eager,constants,l2_saving_eager,logit,%.17g,0.01,test\n"
                   "eager,effects,gpu,log,1,0.1,test\n"
                   "eager,effects,own,log,1,0.25,test\n"
                   "eager,noise,row,log,1,0.05,test\n",
                   own->constants->families[RIG__FAMILY_EAGER].gpu_memory_passes,
                   own->constants->families[RIG__FAMILY_EAGER].gpu_compute_amp,
                   own->constants->families[RIG__FAMILY_EAGER].l2_saving);
    return text;
}

static rig_profile *calibrate(const simulation *s, bool is_from_priors)
{
    rig_calibration how = {.priors_path = s->priors_path, .is_from_priors = is_from_priors};
    rig_profile *const profile = rig_profile_new("fitted");
    rig_error err = {0};
    if (rig_fit_model(&s->task, profile, &how, &err) != RIG_OK) {
        fail_msg("%s:%ld:%ld: %s", err.where, err.line, err.column, err.message);
    }
    return profile;
}

static const rig_profile_entry *
entry_of(const rig_profile *profile, rig_profile_table table, const char *name)
{
    const rig_profile_entry *const entry = rig__profile_find(profile, table, name);
    if (entry == NULL) {
        fail_msg("no entry %s", name);
    }
    return entry;
}

static double effect_of(const rig_profile *profile, const char *gpu)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s | eager", gpu);
    return entry_of(profile, RIG_PROFILE_EFFICIENCY, name)->value;
}

static void write_text(const rig_profile *profile, text_sink *out)
{
    out->length = 0;
    assert_int_equal(rig_profile_write(profile, collect, out, NULL), RIG_OK);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_fit_model__finds_what_was_changed(void **state)
{
    const tiny *const own = *state;
    simulation *const s = simulate(own, N_GPUS, priors_of(own));
    const rig__family_constants *const eager = &own->constants->families[RIG__FAMILY_EAGER];
    observe(s, 1.3, 0.85, 1.25);
    rig_profile *const profile = calibrate(s, true);
    const rig_profile_entry *const passes =
        entry_of(profile, RIG_PROFILE_CONSTANTS, "gpu_memory_passes_eager");
    const rig_profile_entry *const compute =
        entry_of(profile, RIG_PROFILE_CONSTANTS, "gpu_compute_amp_eager");
    ASSERT_NEAR("passes", passes->value, 1.3 * eager->gpu_memory_passes, 0.05, 0);
    ASSERT_NEAR("compute", compute->value, 0.85 * eager->gpu_compute_amp, 0.08, 0);
    ASSERT_NEAR("held by its prior",
                entry_of(profile, RIG_PROFILE_CONSTANTS, "l2_saving_eager")->value,
                eager->l2_saving,
                0,
                0.01);
    assert_true(passes->log_sd > 0 && passes->log_sd < 0.1);
    ASSERT_SAME("rows", passes->rows, (double)s->set.n_rows);
    ASSERT_NEAR("slow GPU",
                effect_of(profile, gpus[CHANGED_GPU]) / effect_of(profile, gpus[0]),
                1.25,
                0.02,
                0);
    ASSERT_NEAR("others", effect_of(profile, gpus[1]) / effect_of(profile, gpus[0]), 1, 0.02, 0);
    ASSERT_SAME("rows of a GPU",
                entry_of(profile, RIG_PROFILE_FITTED, "gpu:NVIDIA L40S")->rows,
                2 * N_NETWORKS);
    rig_profile_free(profile);
    forget(s);
}

/* What comes out of one calibration gives the observed rates when it is put over the catalogue. An
 * update keeps what the catalogue says of kinds of networks, which these rows do not know. */
static void test_fit_model__predicts_its_rows(void **state)
{
    const tiny *const own = *state;
    simulation *const s = simulate(own, N_GPUS, priors_of(own));
    rig_catalog *catalog = NULL;
    rig_constants *constants = NULL;
    static const double most[] = {0.06, 0.03};
    observe(s, 1.3, 0.85, 1.25);
    for (int is_from_priors = 0; is_from_priors <= 1; is_from_priors++) {
        rig_profile *const profile = calibrate(s, is_from_priors == 1);
        assert_int_equal(rig_profile_apply(&catalog, own->catalog, profile, NULL), RIG_OK);
        assert_int_equal(rig_constants_new(&constants, catalog, NULL), RIG_OK);
        double sum = 0;
        for (size_t i = 0; i < s->set.n_rows; i++) {
            rig_setup setup;
            rig_prediction out;
            assert_int_equal(rig_measurement_setup(&s->rows[i], catalog, constants, &setup, NULL),
                             RIG_OK);
            assert_int_equal(rig_measurement_predict(&s->rows[i], &setup, constants, &out, NULL),
                             RIG_OK);
            sum += fabs(log(out.images_per_s / s->rows[i].observed_images_per_s));
        }
        if (!(sum / (double)s->set.n_rows < most[is_from_priors])) {
            fail_msg("from priors %d: mean error %g", is_from_priors, sum / (double)s->set.n_rows);
        }
        rig_constants_free(constants);
        rig_catalog_free(catalog);
        rig_profile_free(profile);
    }
    forget(s);
}

/* A user's machine takes 1.3 times as long as the shipped figures say: a few rows of one GPU move
 * what is about the user's own software, and hardly the constants. */
static void test_fit_model__own_rows(void **state)
{
    const tiny *const own = *state;
    simulation *const s = simulate(own, 1, priors_of(own));
    const rig__family_constants *const eager = &own->constants->families[RIG__FAMILY_EAGER];
    for (size_t i = 0; i < s->set.n_rows; i++) {
        rig_setup setup;
        rig_prediction out;
        assert_int_equal(
            rig_measurement_setup(&s->rows[i], own->catalog, own->constants, &setup, NULL), RIG_OK);
        assert_int_equal(rig_measurement_predict(&s->rows[i], &setup, own->constants, &out, NULL),
                         RIG_OK);
        s->rows[i].observed_images_per_s = out.images_per_s / 1.3;
    }
    rig_profile *const profile = calibrate(s, false);
    const rig_profile_entry *const software =
        entry_of(profile, RIG_PROFILE_EFFICIENCY, STACK " | own");
    assert_true(software->value > 1.15 && software->value < 1.4);
    ASSERT_NEAR("a constant",
                entry_of(profile, RIG_PROFILE_CONSTANTS, "gpu_compute_amp_eager")->value,
                eager->gpu_compute_amp,
                0.1,
                0);
    rig_profile_free(profile);
    forget(s);
}

/* Without rows to tell, everything stays at its prior. */
static void test_fit_model__one_row_moves_little(void **state)
{
    const tiny *const own = *state;
    simulation *const s = simulate(own, N_GPUS, priors_of(own));
    const rig__family_constants *const eager = &own->constants->families[RIG__FAMILY_EAGER];
    observe(s, 1.0, 1.0, 1.0);
    s->set.n_rows = 1;
    rig_profile *const profile = calibrate(s, true);
    ASSERT_NEAR("passes",
                entry_of(profile, RIG_PROFILE_CONSTANTS, "gpu_memory_passes_eager")->value,
                eager->gpu_memory_passes,
                1e-3,
                0);
    assert_true(entry_of(profile, RIG_PROFILE_CONSTANTS, "gpu_compute_amp_eager")->log_sd > 0.2);
    rig_profile_free(profile);
    forget(s);
}

/* What a held-out row says changes no byte of the profile; nor does running it again. */
static void test_fit_model__held_out_rows_have_no_influence(void **state)
{
    static text_sink before, after;
    const tiny *const own = *state;
    simulation *const s = simulate(own, N_GPUS, priors_of(own));
    observe(s, 1.3, 0.85, 1.25);
    for (size_t i = 0; i < s->set.n_rows; i += 5) {
        s->is_held_out[i] = true;
    }
    for (int is_from_priors = 0; is_from_priors <= 1; is_from_priors++) {
        rig_profile *profile = calibrate(s, is_from_priors == 1);
        write_text(profile, &before);
        rig_profile_free(profile);
        for (size_t i = 0; i < s->set.n_rows; i += 5) {
            s->rows[i].observed_images_per_s *= 10;
        }
        profile = calibrate(s, is_from_priors == 1);
        write_text(profile, &after);
        rig_profile_free(profile);
        assert_string_equal(before.bytes, after.bytes);
    }
    s->rows[1].observed_images_per_s *= 1.1; /* a row that is not held out does */
    rig_profile *const profile = calibrate(s, true);
    write_text(profile, &after);
    rig_profile_free(profile);
    assert_string_not_equal(before.bytes, after.bytes);
    forget(s);
}

/* Processors: what a first calibration has found is not found once more by a second, which starts
 * from the catalogue that the first has made. */
static void test_fit_model__a_second_round_changes_nothing(void **state)
{
    static const char name[] = "AMD EPYC 7302P | cpu";
    const tiny *const own = *state;
    simulation *const s = simulate(own,
                                   1,
                                   "block,table,name,scale,mean,sd,source\n"
                                   "prepare,constants,decode_ns_per_px,log,1.6,0.02,test\n"
                                   "prepare,effects,cpu,log,1,0.5,test\n"
                                   "prepare,noise,row,log,1,0.05,test\n");
    double values[2];
    s->set.n_rows = 6;
    for (size_t i = 0; i < s->set.n_rows; i++) {
        for (size_t k = 0; k < s->read->n_rows; k++) {
            if (strcmp(s->read->rows[k].id, "cpu_preparation.csv:2") == 0) {
                s->rows[i] = s->read->rows[k];
            }
        }
        s->rows[i].workload.workers = 2.0 + (double)i;
        s->rows[i].observed_images_per_s = 1.5 * rate_at(s, &s->rows[i], own->constants, 1.0);
    }
    rig_catalog *catalog = NULL;
    for (size_t round = 0; round < 2; round++) {
        rig_profile *const profile = calibrate(s, true);
        values[round] = entry_of(profile, RIG_PROFILE_EFFICIENCY, name)->value;
        rig_catalog *const before = catalog;
        assert_int_equal(rig_profile_apply(&catalog, own->catalog, profile, NULL), RIG_OK);
        s->task.catalog = catalog;
        rig_profile_free(profile);
        rig_catalog_free(before);
    }
    ASSERT_NEAR("faster", values[0], 1.5, 0.1, 0);
    ASSERT_NEAR("once", values[1], values[0], 1e-9, 0);
    rig_catalog_free(catalog);
    forget(s);
}

/* Rows that waited for their data tell nothing about GPUs. */
static void test_fit_model__rows_that_do_not_tell(void **state)
{
    const tiny *const own = *state;
    simulation *const s = simulate(own, 1, priors_of(own));
    rig_calibration how = {.priors_path = s->priors_path, .is_from_priors = true};
    rig_error err = {0};
    observe(s, 1, 1, 1);
    for (size_t i = 0; i < s->set.n_rows; i++) {
        if (i % 2 == 0) {
            s->rows[i].expected_stages = 1U << RIG_STAGE_DECODE;
        } else {
            s->rows[i].is_undecided = true;
        }
    }
    rig_profile *const profile = rig_profile_new("fitted");
    assert_int_equal(rig_fit_model(&s->task, profile, &how, &err), RIG_E_INVALID);
    assert_string_equal(err.message, "no measurement can be used for the calibration");
    assert_int_equal(rig_profile_count(profile), 0);
    rig_profile_free(profile);
    forget(s);
}

static void test_fit_model__errors(void **state)
{
    static const struct {
        const char *label, *rows;
        rig_status status;
        long line, column;
        const char *message;
    } cases[] = {
        {"constant", "eager,constants,lunch_ms,log,1,1,x\n", RIG_E_NOTFOUND, 2, 17, "'lunch_ms'"},
        {"row", "eager,stacks,torch.step_factor,log,1,1,x\n", RIG_E_NOTFOUND, 2, 14, "'torch.st"},
        {"column", "eager,stacks,pytorch.speed,log,1,1,x\n", RIG_E_NOTFOUND, 2, 14, "no such"},
        {"text", "eager,stacks,pytorch.family,log,1,1,x\n", RIG_E_NOTFOUND, 2, 14, "no such"},
        {"no column", "eager,loaders,pytorch,log,1,1,x\n", RIG_E_NOTFOUND, 2, 15, "'pytorch'"},
        {"scale", "eager,noise,row,log,0,1,x\n", RIG_E_RANGE, 2, 21, "not on the scale"},
    };
    const tiny *const own = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char priors[256];
        rig_error err = {0};
        (void)snprintf(
            priors, sizeof priors, "block,table,name,scale,mean,sd,source\n%s", cases[i].rows);
        simulation *const s = simulate(own, 1, priors);
        rig_calibration how = {.priors_path = s->priors_path, .is_from_priors = true};
        rig_profile *const profile = rig_profile_new("fitted");
        observe(s, 1, 1, 1);
        const rig_status status = rig_fit_model(&s->task, profile, &how, &err);
        if (status != cases[i].status || err.line != cases[i].line ||
            err.column != cases[i].column || strstr(err.message, cases[i].message) == NULL) {
            fail_msg("%s: %d, %ld:%ld: %s",
                     cases[i].label,
                     (int)status,
                     err.line,
                     err.column,
                     err.message);
        }
        rig_profile_free(profile);
        forget(s);
    }
    simulation *const s = simulate(own, 1, priors_of(own));
    rig_calibration how = {.priors_path = "/nowhere/priors.csv", .is_from_priors = true};
    rig_profile *const profile = rig_profile_new("fitted");
    assert_int_equal(rig_fit_model(&s->task, profile, &how, NULL), RIG_E_IO);
    rig_profile_free(profile);
    forget(s);
}

/* The first hundred allocations fail one by one, then every 37th. */
static void test_fit_model__out_of_memory(void **state)
{
    const tiny *const own = *state;
    simulation *const s = simulate(own, 1, priors_of(own));
    rig_calibration how = {.priors_path = s->priors_path, .is_from_priors = true, .is_quick = true};
    bool has_failed = true;
    observe(s, 1.3, 0.85, 1.25);
    s->set.n_rows = 4;
    for (long n = 1; has_failed; n += n < 100 ? 1 : 37) {
        rig_profile *const profile = rig_profile_new("fitted");
        assert_non_null(profile);
        fail_alloc_at(n);
        const rig_status status = rig_fit_model(&s->task, profile, &how, NULL);
        has_failed = fail_alloc_stop();
        assert_int_equal(status, has_failed ? RIG_E_NOMEM : RIG_OK);
        rig_profile_free(profile);
    }
    forget(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_model__finds_what_was_changed),
        cmocka_unit_test(test_fit_model__predicts_its_rows),
        cmocka_unit_test(test_fit_model__own_rows),
        cmocka_unit_test(test_fit_model__one_row_moves_little),
        cmocka_unit_test(test_fit_model__held_out_rows_have_no_influence),
        cmocka_unit_test(test_fit_model__a_second_round_changes_nothing),
        cmocka_unit_test(test_fit_model__rows_that_do_not_tell),
        cmocka_unit_test(test_fit_model__errors),
        cmocka_unit_test(test_fit_model__out_of_memory),
    };
    return cmocka_run_group_tests(tests, tiny_set_up, tiny_tear_down);
}
