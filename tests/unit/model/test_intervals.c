/* SPDX-License-Identifier: GPL-3.0-or-later
 * Classes of intervals: names, fallbacks, order, and what makes a machine known. */
#include "support/assert_near.h"

#include "unit/catalog/temp_catalog.h"

#include "model/constants.h"
#include "model/intervals.h"

static rig_catalog *load(const char *intervals, const char *efficiency)
{
    temp_catalog temp;
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    temp_catalog_open(&temp);
    (void)temp_catalog_write(&temp, "intervals.csv", intervals);
    (void)temp_catalog_write(&temp, "efficiency.csv", efficiency);
    const char *const directories[] = {temp.path};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    if (rig_catalog_load(&catalog, &options, &err) != RIG_OK) {
        fail_msg("%s:%ld: %s", err.where, err.line, err.message);
    }
    temp_catalog_close(&temp);
    return catalog;
}

#define INTERVALS_HEAD "name,half_width,rows,source\n"
#define EFFICIENCY_HEAD "name,step_factor,log_sd,rows,source\n"

static void test_interval_name__every_class(void **state)
{
    (void)state;
    static const struct {
        size_t index;
        const char *name;
    } cases[] = {
        {0, "train | tuned | gpu known | network known | software own | one node"},
        {15, "train | tuned | gpu new | network new | software other | several nodes"},
        {16 + RIG__NEW_NETWORK,
         "train | eager | gpu known | network new | software own | one node"},
        {32 + RIG__SEVERAL_NODES,
         "train | graph | gpu known | network known | software own | several nodes"},
        {48, "train"},
        {RIG__INTERVAL_PREPARE, "prepare | cpu known | loader known"},
        {RIG__INTERVAL_PREPARE + RIG__CPU_FAMILY_KNOWN + RIG__NEW_LOADER,
         "prepare | cpu family known | loader new"},
        {RIG__INTERVAL_PREPARE + RIG__CPU_NEW, "prepare | cpu new | loader known"},
        {RIG__INTERVAL_STORAGE, "storage"},
        {RIG__INTERVAL_FIRST_EPOCH, "first epoch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[RIG__INTERVAL_NAME_BYTES];
        rig__model_interval_name(cases[i].index, name);
        assert_string_equal(name, cases[i].name);
        assert_true(rig__model_interval_is_name(name));
    }
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        char a[RIG__INTERVAL_NAME_BYTES], b[RIG__INTERVAL_NAME_BYTES];
        rig__model_interval_name(i, a);
        for (size_t k = 0; k < i; k++) {
            rig__model_interval_name(k, b);
            assert_true(strcmp(a, b) != 0 || strcmp(a, "train") == 0);
        }
    }
}

static void test_interval_is_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_name;
    } cases[] = {
        {"train", true},
        {"train | eager", true},
        {"train | eager | gpu new", true},
        {"prepare | cpu new", true},
        {"", false},
        {"train |", false},
        {"train | lazy", false},
        {"train | gpu new", false},
        {"prepare | loader known", false},
        {"storage | drive new", false},
        {"Storage", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (rig__model_interval_is_name(cases[i].name) != cases[i].is_name) {
            fail_msg("'%s'", cases[i].name);
        }
    }
}

static void test_interval_training__families(void **state)
{
    (void)state;
    assert_int_equal(rig__model_interval_training("tuned", 3), 3);
    assert_int_equal(rig__model_interval_training("graph", RIG__NEW_GPU), 33);
    assert_int_equal(rig__model_interval_training("lazy", 0), 48);
    assert_int_equal(rig__model_interval_training(NULL, 15), 63);
}

static void test_intervals_resolve__falls_back_word_by_word(void **state)
{
    (void)state;
    rig_catalog *const catalog =
        load(INTERVALS_HEAD "prepare | cpu new,0.5,9,made up\n"
                            "train,0.9,9,made up\n"
                            "train | tuned,0.2,9,made up\n"
                            "train | tuned | gpu new,0.3,9,made up\n"
                            "train | tuned | gpu new | network known | software other,0.4,9,x\n",
             EFFICIENCY_HEAD);
    double w[RIG__N_INTERVALS];
    assert_int_equal(rig__model_intervals_resolve(catalog, w, NULL), RIG_OK);
    ASSERT_SAME("exact prefix", w[RIG__NEW_GPU], 0.3);
    ASSERT_SAME("known", w[0], 0.2);
    ASSERT_SAME("longest prefix", w[RIG__NEW_GPU | RIG__OTHER_SOFTWARE], 0.4);
    ASSERT_SAME("with nodes", w[RIG__NEW_GPU | RIG__OTHER_SOFTWARE | RIG__SEVERAL_NODES], 0.4);
    ASSERT_SAME("family without rows", w[16], 0.9);
    ASSERT_SAME("no family", w[48], 0.9);
    ASSERT_SAME("built in: prepare", w[RIG__INTERVAL_PREPARE], 0.7);
    ASSERT_SAME("not narrower than that", w[RIG__INTERVAL_PREPARE + RIG__CPU_NEW], 0.7);
    ASSERT_SAME("built in: storage", w[RIG__INTERVAL_STORAGE], 0.7);
    rig_catalog_free(catalog);
}

/* Whatever the table says, nothing new narrows an interval. */
static void test_intervals_resolve__is_monotone(void **state)
{
    (void)state;
    rig_catalog *const catalog =
        load(INTERVALS_HEAD
             "prepare | cpu family known | loader known,0.6,9,made up\n"
             "prepare | cpu known,0.4,9,made up\n"
             "prepare | cpu new,0.1,9,made up\n"
             "train | graph | gpu known,0.5,9,made up\n"
             "train | graph | gpu known | network known | software other | one node,0.8,9,x\n"
             "train | graph | gpu new,0.2,9,made up\n"
             "train | tuned,0.01,9,made up\n",
             EFFICIENCY_HEAD);
    double w[RIG__N_INTERVALS];
    assert_int_equal(rig__model_intervals_resolve(catalog, w, NULL), RIG_OK);
    for (size_t a = 0; a < RIG__N_INTERVALS; a++) {
        for (size_t b = 0; b < RIG__N_INTERVALS; b++) {
            if (rig__model_interval_is_better_known(a, b) && w[a] > w[b]) {
                fail_msg("class %zu: %g, class %zu: %g", a, w[a], b, w[b]);
            }
        }
    }
    ASSERT_SAME("raised", w[32 + (RIG__NEW_GPU | RIG__OTHER_SOFTWARE)], 0.8);
    ASSERT_SAME("raised less", w[32 + RIG__NEW_GPU], 0.5);
    ASSERT_SAME("other families are apart", w[15], 0.01);
    ASSERT_SAME("processor", w[RIG__INTERVAL_PREPARE + RIG__CPU_NEW], 0.6);
    rig_catalog_free(catalog);
}

static void test_intervals_resolve__refuses_what_is_no_class(void **state)
{
    (void)state;
    rig_catalog *const catalog = load(INTERVALS_HEAD "train,0.5,9,made up\n"
                                                     "train | tunde,0.2,9,made up\n",
                                      EFFICIENCY_HEAD);
    double w[RIG__N_INTERVALS];
    rig_error err = {0};
    assert_int_equal(rig__model_intervals_resolve(catalog, w, &err), RIG_E_SCHEMA);
    assert_string_equal(err.message,
                        "unknown class of intervals: 'train | tunde' (expected words as in 'train "
                        "| eager | gpu new | network known')");
    assert_int_equal(err.line, 3);
    rig_catalog_free(catalog);
}

static void test_interval_is_better_known(void **state)
{
    (void)state;
    static const struct {
        size_t a, b;
        bool is_better;
    } cases[] = {
        {0, 0, true},
        {0, RIG__NEW_GPU, true},
        {RIG__NEW_GPU, 0, false},
        {RIG__NEW_GPU, RIG__NEW_NETWORK, false},
        {RIG__NEW_GPU, RIG__NEW_GPU | RIG__NEW_NETWORK, true},
        {0, 16, false}, /* another family */
        {0, RIG__INTERVAL_PREPARE, false},
        {RIG__INTERVAL_PREPARE, RIG__INTERVAL_PREPARE + RIG__CPU_NEW, true},
        {RIG__INTERVAL_PREPARE + RIG__NEW_LOADER, RIG__INTERVAL_PREPARE + RIG__CPU_NEW, false},
        {RIG__INTERVAL_STORAGE, RIG__INTERVAL_FIRST_EPOCH, false},
        {RIG__INTERVAL_STORAGE, RIG__INTERVAL_STORAGE, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (rig__model_interval_is_better_known(cases[i].a, cases[i].b) != cases[i].is_better) {
            fail_msg("case %zu", i);
        }
    }
}

/* ---- what is known -------------------------------------------------------------------------- */

typedef struct subject {
    rig_gpu gpu;
    rig_cpu cpu;
    rig_network network;
    rig_stack stack;
    rig_loader loader;
    rig_workload workload;
} subject;

static void make_subject(subject *out)
{
    memset(out, 0, sizeof *out);
    out->gpu = (rig_gpu){.row.name = "G1", .vendor = "V", .arch = "A"};
    out->cpu = (rig_cpu){.row.name = "C1", .family = "F"};
    out->network = (rig_network){.row.name = "net", .kind = "cnn"};
    out->stack = (rig_stack){.row.name = "st", .family = "eager"};
    out->loader = (rig_loader){.row.name = "lo", .source = "a paper"};
    out->workload =
        (rig_workload){.network = &out->network, .stack = &out->stack, .loader = &out->loader};
}

static void test_familiarity_get(void **state)
{
    (void)state;
    rig_catalog *const catalog = load(INTERVALS_HEAD,
                                      EFFICIENCY_HEAD "C1 | cpu,1,0.1,3,made up\n"
                                                      "F2 | cpu,1,0.1,3,made up\n"
                                                      "G1 | eager,1,0.1,3,made up\n"
                                                      "G2 | eager,1,0.1,0,assumption\n"
                                                      "net | eager,1,0.1,3,made up\n"
                                                      "st2 | own,1,0.1,3,made up\n");
    subject s;
    make_subject(&s);
    rig_familiarity known = rig_familiarity_get(catalog, &s.workload, &s.gpu, &s.cpu);
    assert_true(known.is_gpu_known && known.is_network_known && known.is_loader_known);
    assert_true(known.is_cpu_known && known.is_cpu_family_known);
    assert_false(known.is_software_own);
    s.gpu.row.name = "G2"; /* a row without measurements */
    s.cpu = (rig_cpu){.row.name = "C2", .family = "F2"};
    s.stack.row.name = "st2";
    s.loader.source = "Assumption: as another";
    known = rig_familiarity_get(catalog, &s.workload, &s.gpu, &s.cpu);
    assert_false(known.is_gpu_known || known.is_cpu_known || known.is_loader_known);
    assert_true(known.is_cpu_family_known && known.is_software_own);
    s.stack.family = "tuned";
    known = rig_familiarity_get(catalog, &s.workload, NULL, NULL);
    assert_false(known.is_gpu_known || known.is_network_known || known.is_cpu_family_known);
    s.stack.row.name = "st";
    s.workload.is_software_known = true;
    assert_true(rig_familiarity_get(catalog, &s.workload, NULL, NULL).is_software_own);
    rig_catalog_free(catalog);
}

static void test_machine_set_intervals(void **state)
{
    (void)state;
    rig_constants constants;
    rig_machine machine = {.nodes = 1};
    rig_familiarity known = {.is_gpu_known = true,
                             .is_network_known = true,
                             .is_software_own = true,
                             .is_cpu_known = true,
                             .is_cpu_family_known = true,
                             .is_loader_known = true};
    subject s;
    make_subject(&s);
    memset(&constants, 0, sizeof constants);
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        constants.half_widths[i] = 1.645 * (double)(i + 1); /* sd: index + 1 */
    }
    rig_machine_set_intervals(&machine, &constants, &s.workload, &known);
    ASSERT_SAME("gpu", machine.stage_log_sd[RIG_STAGE_GPU], 17);
    ASSERT_SAME("allreduce", machine.stage_log_sd[RIG_STAGE_ALLREDUCE], 17);
    ASSERT_SAME("decode", machine.stage_log_sd[RIG_STAGE_DECODE], RIG__INTERVAL_PREPARE + 1);
    ASSERT_SAME("storage", machine.stage_log_sd[RIG_STAGE_STORAGE], RIG__INTERVAL_STORAGE + 1);
    ASSERT_SAME("first epoch", machine.first_epoch_log_sd, RIG__INTERVAL_FIRST_EPOCH + 1);
    ASSERT_SAME("memory by its constants", machine.stage_log_sd[RIG_STAGE_MEMORY], 0);
    s.workload.software_spread = 2;
    rig_machine_set_intervals(&machine, &constants, &s.workload, &known);
    ASSERT_SAME("noisy installation", machine.stage_log_sd[RIG_STAGE_GPU], 34);
    ASSERT_SAME(
        "not of the processor", machine.stage_log_sd[RIG_STAGE_DECODE], RIG__INTERVAL_PREPARE + 1);
    machine.nodes = 2;
    known.is_gpu_known = known.is_software_own = known.is_cpu_known = false;
    rig_machine_set_intervals(&machine, &constants, &s.workload, &known);
    ASSERT_SAME("gpu and software new, nodes", machine.stage_log_sd[RIG_STAGE_GPU], 17 + 13);
    ASSERT_SAME("family", machine.stage_log_sd[RIG_STAGE_DECODE], RIG__INTERVAL_PREPARE + 3);
    known.is_cpu_family_known = known.is_loader_known = false;
    machine.nodes = NAN;
    rig_machine_set_intervals(&machine, &constants, &s.workload, &known);
    ASSERT_SAME("one node", machine.stage_log_sd[RIG_STAGE_GPU], 17 + 5);
    ASSERT_SAME("all new", machine.stage_log_sd[RIG_STAGE_DECODE], RIG__INTERVAL_PREPARE + 6);
    s.workload.stack = NULL;
    rig_machine_set_intervals(&machine, &constants, &s.workload, &known);
    ASSERT_SAME("no stack", machine.stage_log_sd[RIG_STAGE_GPU], 48 + 1 + 5);
}

/* The coarsest classes must be there, since every other falls back to them. */
static void test_intervals__shipped_table(void **state)
{
    (void)state;
    static const char *const coarsest[] = {"train", "prepare", "storage", "first epoch"};
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    if (rig_catalog_load(&catalog, &options, &err) != RIG_OK) {
        fail_msg("%s:%ld: %s", err.where, err.line, err.message);
    }
    for (size_t i = 0; i < sizeof coarsest / sizeof coarsest[0]; i++) {
        assert_non_null(rig_catalog_get(catalog, RIG_TABLE_INTERVAL, coarsest[i]));
    }
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_INTERVAL); i++) {
        const char *const name = rig_catalog_row(catalog, RIG_TABLE_INTERVAL, i)->name;
        if (!rig__model_interval_is_name(name)) {
            fail_msg("no class: '%s'", name);
        }
    }
    rig_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval_name__every_class),
        cmocka_unit_test(test_interval_is_name),
        cmocka_unit_test(test_interval_training__families),
        cmocka_unit_test(test_intervals_resolve__falls_back_word_by_word),
        cmocka_unit_test(test_intervals_resolve__is_monotone),
        cmocka_unit_test(test_intervals_resolve__refuses_what_is_no_class),
        cmocka_unit_test(test_interval_is_better_known),
        cmocka_unit_test(test_familiarity_get),
        cmocka_unit_test(test_machine_set_intervals),
        cmocka_unit_test(test_intervals__shipped_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
