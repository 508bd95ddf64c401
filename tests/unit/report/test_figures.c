/* SPDX-License-Identifier: GPL-3.0-or-later
 * Figures that every format takes from a result. */
#include "report/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static void test_place__rank_or_order(void **state)
{
    (void)state;
    sample *s = sample_new_list(3);
    assert_int_equal(rig__report_place(&s->result, 2), 3);
    s->builds[2].rank = 0;
    assert_int_equal(rig__report_place(&s->result, 2), 3);
    s->builds[2].rank = 7;
    assert_int_equal(rig__report_place(&s->result, 2), 7);
    free(s);
}

static void test_line_cents__owned_and_unknown(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_part_use use = {.row = &s->memory.row, .count = 3};
    assert_int_equal(rig__report_line_cents(&use), 47997);
    use.is_owned = true;
    assert_int_equal(rig__report_line_cents(&use), 0);
    use.is_owned = false;
    s->memory.row.price.cents = -1;
    assert_int_equal(rig__report_line_cents(&use), -1);
    s->memory.row.price.cents = INT64_MAX / 2;
    assert_int_equal(rig__report_line_cents(&use), -1);
    free(s);
}

static void test_oldest_and_lowest__count_bought_parts_only(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_build *build = &s->builds[0].build;
    assert_string_equal(rig__report_oldest_date(build), "2024-11");
    assert_string_equal(rig__report_lowest_trust(build), "low");
    build->parts[RIG_TABLE_GPU].is_owned = true;
    assert_string_equal(rig__report_oldest_date(build), "2025-07-23");
    assert_string_equal(rig__report_lowest_trust(build), "good");
    const rig_build empty = rig_build_empty();
    assert_null(rig__report_oldest_date(&empty));
    assert_null(rig__report_lowest_trust(&empty));
    free(s);
}

static void test_warnings__of_build_and_answer(void **state)
{
    (void)state;
    static const char *mine[] = {"a", "b"};
    static const char *all[] = {"c"};
    const rig_report_options options = rig_report_options_default();
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_broken_sink, NULL, NULL), RIG_OK);
    sample *s = sample_new();
    s->builds[0].warnings = (rig_texts){mine, 2};
    s->result.warnings = (rig_texts){all, 1};
    assert_string_equal(rig__report_warnings(&output, &s->result, &s->builds[0]), "a; b; c");
    s->builds[0].warnings.count = 0;
    s->result.warnings.count = 0;
    assert_string_equal(rig__report_warnings(&output, &s->result, &s->builds[0]), "");
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    free(s);
}

static void test_gpus__wherever_they_are(void **state)
{
    (void)state;
    const rig_report_options options = rig_report_options_default();
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_broken_sink, NULL, NULL), RIG_OK);
    sample *s = sample_new_list(2);
    const rig_build *parts = &s->builds[0].build;
    const rig_build *server = &s->builds[1].build;
    assert_string_equal(rig__report_gpus(&output, parts, RIG__CLEAN_LINE, false),
                        "2 x NVIDIA GeForce RTX 4090");
    assert_string_equal(rig__report_gpus(&output, parts, RIG__CLEAN_LINE, true),
                        "2 x GeForce RTX 4090");
    assert_string_equal(rig__report_cpus(&output, parts, RIG__CLEAN_LINE, true),
                        "Ryzen Threadripper 7960X");
    assert_string_equal(rig__report_gpus(&output, server, RIG__CLEAN_LINE, false),
                        "4 x NVIDIA H100 PCIe");
    s->server.gpu_count = (double)NAN;
    assert_string_equal(rig__report_gpus(&output, server, RIG__CLEAN_LINE, false),
                        "NVIDIA H100 PCIe");
    rig_baseboard board = {
        .row = {.name = "HGX", .table = RIG_TABLE_BASEBOARD}, .gpu_name = "Module", .gpu_count = 8};
    rig_build build = rig_build_empty();
    assert_string_equal(rig__report_gpus(&output, &build, RIG__CLEAN_LINE, false), "");
    assert_string_equal(rig__report_cpus(&output, &build, RIG__CLEAN_LINE, false), "");
    build.parts[RIG_TABLE_BASEBOARD] = (rig_part_use){.row = &board.row, .count = 1};
    assert_string_equal(rig__report_gpus(&output, &build, RIG__CLEAN_LINE, false), "8 x Module");
    build.unnamed.cores = 12;
    assert_string_equal(rig__report_cpus(&output, &build, RIG__CLEAN_LINE, false), "12 cores");
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    free(s);
}

static void test_probability__is_never_certain_by_rounding(void **state)
{
    (void)state;
    static const struct {
        double probability;
        const char *text;
    } cases[] = {
        {0, ""},
        {1e-12, "<1 %"},
        {0.0099, "<1 %"},
        {0.0101, "1 %"},
        {0.7095, "71 %"},
        {0.9899, "99 %"},
        {0.9951, ">99 %"},
        {1, "100 %"},
    };
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    rig__output output;
    assert_int_equal(rig__output_init(&output, &options, sample_broken_sink, NULL, NULL), RIG_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(rig__report_probability(&output, cases[i].probability), cases[i].text);
    }
    sample *s = sample_new();
    rig_prediction *prediction = &s->builds[0].prediction;
    assert_true(fabs(rig__report_binding_probability(prediction) - 0.7095) <= 1e-4);
    prediction->stages[prediction->binding].images_per_s = (double)NAN;
    assert_true(isnan(rig__report_binding_probability(prediction)));
    assert_int_equal(rig__output_finish(&output, NULL), RIG_OK);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place__rank_or_order),
        cmocka_unit_test(test_line_cents__owned_and_unknown),
        cmocka_unit_test(test_oldest_and_lowest__count_bought_parts_only),
        cmocka_unit_test(test_warnings__of_build_and_answer),
        cmocka_unit_test(test_gpus__wherever_they_are),
        cmocka_unit_test(test_probability__is_never_certain_by_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
