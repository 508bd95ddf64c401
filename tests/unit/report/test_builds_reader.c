/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds read back from CSV. */
#include "report/builds_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample.h"
#include "small_catalog.h"

static int load(void **state)
{
    rig_catalog *catalog = small_catalog_load();
    *state = catalog;
    return 0;
}

static int unload(void **state)
{
    rig_catalog_free(*state);
    return 0;
}

static rig_build *read_text(const rig_catalog *catalog, const char *text, size_t *n_out)
{
    rig_build *builds = NULL;
    rig_error err = {.message = ""};
    const rig_status status =
        rig__builds_read_memory(text, strlen(text), "b.csv", catalog, &builds, n_out, &err);
    if (status != RIG_OK) {
        fail_msg("%ld:%ld: %s in:\n%s", err.line, err.column, err.message, text);
    }
    return builds;
}

static rig_part_use use_of(const rig_catalog *catalog, rig_table table, const char *name, int count)
{
    const rig_part_use use = {.row = rig_catalog_get(catalog, table, name), .count = count};
    assert_non_null(use.row);
    return use;
}

static bool is_same_figure(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 0.0;
}

static void assert_same_build(const rig_build *a, const rig_build *b, bool with_unnamed)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        assert_ptr_equal(a->parts[i].row, b->parts[i].row);
        assert_int_equal(a->parts[i].count, b->parts[i].count);
        assert_int_equal(a->parts[i].is_owned, b->parts[i].is_owned);
    }
    if (with_unnamed) {
        assert_true(is_same_figure(a->unnamed.cores, b->unnamed.cores));
        assert_true(is_same_figure(a->unnamed.core_speed, b->unnamed.core_speed));
        assert_true(is_same_figure(a->unnamed.ram_gb, b->unnamed.ram_gb));
        assert_true(is_same_figure(a->unnamed.drive_gbs, b->unnamed.drive_gbs));
        assert_true(is_same_figure(a->unnamed.drive_iops, b->unnamed.drive_iops));
        assert_true(is_same_figure(a->unnamed.workers, b->unnamed.workers));
    }
}

/** Three builds whose names need quotes and guards. */
static void fill_builds(const rig_catalog *catalog, sample *s)
{
    for (size_t i = 0; i < 3; i++) {
        s->builds[i] = s->builds[0];
        s->builds[i].rank = (int)i + 1;
        s->builds[i].build = rig_build_empty();
    }
    rig_part_use *parts = s->builds[0].build.parts;
    parts[RIG_TABLE_CPU] = use_of(catalog, RIG_TABLE_CPU, "=1+2", 1);
    parts[RIG_TABLE_GPU] = use_of(catalog, RIG_TABLE_GPU, "-Minus|Card", 1024);
    parts = s->builds[1].build.parts;
    parts[RIG_TABLE_CPU] = use_of(catalog, RIG_TABLE_CPU, "Say \"B\", twice", 2);
    parts[RIG_TABLE_CPU].is_owned = true;
    parts[RIG_TABLE_GPU] = use_of(catalog, RIG_TABLE_GPU, "GeForce RTX 4090", 4);
    parts[RIG_TABLE_MEMORY] = use_of(catalog, RIG_TABLE_MEMORY, "Kit 64", 3);
    parts = s->builds[2].build.parts;
    parts[RIG_TABLE_GPU] = use_of(catalog, RIG_TABLE_GPU, "GeForce RTX 4090 D", 1);
    s->builds[2].build.unnamed.cores = 24;
    s->builds[2].build.unnamed.core_speed = 1.0 / 3.0;
    s->builds[2].build.unnamed.drive_iops = 1e6;
    s->result.n_builds = 3;
}

static void test_builds_read__own_csv_round_trip(void **state)
{
    const rig_catalog *catalog = *state;
    const struct {
        const char *name;
        bool is_long, is_excel, use_crlf, no_guard;
    } cases[] = {
        {"wide", false, false, false, false},
        {"wide for a spreadsheet", false, true, false, false},
        {"wide with CRLF", false, false, true, false},
        {"wide without guard", false, false, false, true},
        {"long", true, false, false, false},
        {"long for a spreadsheet", true, true, false, false},
    };
    sample *s = sample_new();
    fill_builds(catalog, s);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rig_report_options options = sample_options(RIG_FORMAT_CSV);
        options.is_long = cases[i].is_long;
        options.is_excel = cases[i].is_excel;
        options.use_crlf = cases[i].use_crlf;
        options.no_csv_guard = cases[i].no_guard;
        char *text = sample_write(&s->result, true, &options);
        size_t n_builds = 0;
        rig_build *builds = read_text(catalog, text, &n_builds);
        assert_int_equal(n_builds, 3);
        for (size_t j = 0; j < n_builds; j++) {
            assert_same_build(&builds[j], &s->builds[j].build, !cases[i].is_long);
        }
        rig_builds_free(builds);
        free(text);
    }
    free(s);
}

static void test_builds_read__what_a_person_writes(void **state)
{
    const rig_catalog *catalog = *state;
    const struct {
        const char *name, *text;
        size_t n_builds;
        const char *gpu;
        int count;
    } cases[] = {
        {"count of one by default", "gpu_name\nGeForce RTX 4090\n", 1, "GeForce RTX 4090", 1},
        {"words", "gpu_name,gpu_count\nrtx 4090,2\n", 1, "GeForce RTX 4090", 2},
        {"semicolons", "gpu_name;gpu_count\nRTX 4090 D;3\n", 1, "GeForce RTX 4090 D", 3},
        {"other columns", "note,gpu_name,price_usd\nx,RTX 4090,1\n", 1, "GeForce RTX 4090", 1},
        {"empty class", "cpu_name,cpu_count,gpu_name\n,,RTX 4090\n", 1, "GeForce RTX 4090", 1},
        {"zero of nothing", "cpu_name,cpu_count,gpu_name\n,0,RTX 4090\n", 1, "GeForce RTX 4090", 1},
        {"long without rank",
         "class,name,count\ngpu,RTX 4090,2\ncpu,Chip A,1\n",
         1,
         "GeForce RTX 4090",
         2},
        {"long, ranks mixed",
         "rank,class,name\n2,gpu,RTX 4090\n1,GPU,RTX 4090 D\n2,cpu,Chip A\n",
         2,
         "GeForce RTX 4090",
         1},
        {"guarded", "gpu_name\n'-Minus|Card\n", 1, "-Minus|Card", 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t n_builds = 0;
        rig_build *builds = read_text(catalog, cases[i].text, &n_builds);
        const rig_part_use *gpu = &builds[0].parts[RIG_TABLE_GPU];
        if (n_builds != cases[i].n_builds || gpu->row == NULL ||
            strcmp(gpu->row->name, cases[i].gpu) != 0 || gpu->count != cases[i].count) {
            fail_msg("%s: %zu builds, %s x%d",
                     cases[i].name,
                     n_builds,
                     gpu->row == NULL ? "no GPU" : gpu->row->name,
                     gpu->count);
        }
        rig_builds_free(builds);
    }
}

static void test_builds_read__errors_name_the_place(void **state)
{
    const rig_catalog *catalog = *state;
    const struct {
        const char *name, *text;
        rig_status status;
        long line, column;
        const char *message;
    } cases[] = {
        {"no part column",
         "a,b\n1,2\n",
         RIG_E_SCHEMA,
         1,
         1,
         "no column of parts (expected cpu_name, gpu_name ..., or class and name)"},
        {"column twice",
         "gpu_name,gpu_name\nx,y\n",
         RIG_E_SCHEMA,
         1,
         10,
         "column twice: 'gpu_name' (expected each once)"},
        {"unknown part",
         "note,gpu_name\nx,RTX 5090\n",
         RIG_E_NOTFOUND,
         2,
         3,
         "unknown gpu: 'RTX 5090' (expected a name of gpus.csv)"},
        {"ambiguous part",
         "gpu_name\nCard\nGeForce\n",
         RIG_E_NOTFOUND,
         3,
         1,
         "ambiguous gpu: 'GeForce' (expected a name of gpus.csv)"},
        {"count of zero",
         "gpu_name,gpu_count\nRTX 4090,0\n",
         RIG_E_RANGE,
         2,
         10,
         "count out of range: '0' (expected 1 to 1024)"},
        {"count too large",
         "gpu_name,gpu_count\nRTX 4090,1025\n",
         RIG_E_RANGE,
         2,
         10,
         "count out of range: '1025' (expected 1 to 1024)"},
        {"count is no number",
         "gpu_name,gpu_count\nRTX 4090,two\n",
         RIG_E_PARSE,
         2,
         10,
         "not a count: 'two' (expected a whole number)"},
        {"count is broken",
         "gpu_name,gpu_count\nRTX 4090,1.5\n",
         RIG_E_PARSE,
         2,
         10,
         "not a count: '1.5' (expected a whole number)"},
        {"count without name",
         "gpu_name,gpu_count\n,2\n",
         RIG_E_PARSE,
         2,
         2,
         "count without a name: '2' (expected no count)"},
        {"no part",
         "gpu_name,cpu_name\n,\n",
         RIG_E_PARSE,
         2,
         0,
         "a build without parts (expected at least one name, as in gpu_name)"},
        {"no rows", "gpu_name\n", RIG_E_PARSE, 0, 0, "no builds (expected rows below the header)"},
        {"unknown class",
         "class,name\nfan,x\n",
         RIG_E_PARSE,
         2,
         1,
         "unknown class: 'fan' (expected cpu, gpu, memory, storage ...)"},
        {"class twice",
         "class,name\ngpu,RTX 4090\ngpu,RTX 4090\n",
         RIG_E_PARSE,
         3,
         1,
         "class twice in one build: 'gpu' (expected one row per class)"},
        {"rank out of range",
         "rank,class,name\n9999999,gpu,RTX 4090\n",
         RIG_E_RANGE,
         2,
         1,
         "count out of range: '9999999' (expected 1 to 1000000)"},
        {"flag",
         "class,name,is_owned\ngpu,RTX 4090,maybe\n",
         RIG_E_PARSE,
         2,
         14,
         "not a truth value: 'maybe' (expected true or false)"},
        {"figure",
         "gpu_name,unnamed_cores\nRTX 4090,many\n",
         RIG_E_PARSE,
         2,
         10,
         "not a number: 'many' (expected a plain number)"},
        {"negative figure",
         "gpu_name,unnamed_cores\nRTX 4090,-1\n",
         RIG_E_RANGE,
         2,
         10,
         "figure out of range: '-1' (expected more than 0)"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rig_build *builds = (rig_build *)state;
        size_t n_builds = 7;
        rig_error err = {.message = ""};
        const rig_status status = rig__builds_read_memory(
            cases[i].text, strlen(cases[i].text), "b.csv", catalog, &builds, &n_builds, &err);
        if (status != cases[i].status || err.line != cases[i].line ||
            err.column != cases[i].column || strcmp(err.message, cases[i].message) != 0 ||
            strcmp(err.where, "b.csv") != 0) {
            fail_msg("%s: %s %s:%ld:%ld: %s",
                     cases[i].name,
                     rig_status_name(status),
                     err.where,
                     err.line,
                     err.column,
                     err.message);
        }
        assert_null(builds);
        assert_int_equal(n_builds, 0);
    }
}

static void test_builds_read__hint_names_the_nearest(void **state)
{
    const char text[] = "gpu_name\nGeForce RTX 4080\n";
    rig_build *builds = NULL;
    size_t n_builds = 0;
    rig_error err;
    assert_int_equal(
        rig__builds_read_memory(text, strlen(text), "b.csv", *state, &builds, &n_builds, &err),
        RIG_E_NOTFOUND);
    assert_contains(err.hint, "GeForce RTX 4090");
}

static void test_builds_read__file(void **state)
{
    char path[] = "/tmp/trainrig-builds-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    const char text[] = "gpu_name,gpu_count\nRTX 4090,2\n";
    assert_int_equal(write(descriptor, text, strlen(text)), (int)strlen(text));
    assert_int_equal(close(descriptor), 0);
    rig_build *builds = NULL;
    size_t n_builds = 0;
    assert_int_equal(rig_builds_read(path, *state, &builds, &n_builds, NULL), RIG_OK);
    assert_int_equal(n_builds, 1);
    assert_int_equal(builds[0].parts[RIG_TABLE_GPU].count, 2);
    rig_builds_free(builds);
    assert_int_equal(unlink(path), 0);
    rig_error err;
    assert_int_equal(rig_builds_read(path, *state, &builds, &n_builds, &err), RIG_E_IO);
    assert_string_equal(err.where, path);
    assert_null(builds);
    rig_builds_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builds_read__own_csv_round_trip),
        cmocka_unit_test(test_builds_read__what_a_person_writes),
        cmocka_unit_test(test_builds_read__errors_name_the_place),
        cmocka_unit_test(test_builds_read__hint_names_the_nearest),
        cmocka_unit_test(test_builds_read__file),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
