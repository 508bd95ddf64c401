/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reports for a terminal: what they say, and that they fit. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static void test_table__one_build_fits_a_screen(void **state)
{
    (void)state;
    sample *s = sample_new();
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *text = sample_write(&s->result, false, &options);
    assert_in_range(sample_widest(text), 60, 80);
    assert_in_range(sample_count(text, "\n"), 30, 46);
    free(text);
    free(s);
}

static void test_table__says_everything(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "Fastest build within USD 12,000.00 for resnet50-imagenet\n",
        "Status        proved optimal\n",
        "1. USD 7,259.94, 2,914 images/s, epoch 7 min 20 s\n",
        "NVIDIA GeForce RTX 4090     2  2,000.50  4,001.00  street 2024-11 !\n",
        "Total         USD 7,259.94; USD 4,740.06 (40 %) of the budget left\n",
        "! price of low trust",
        "2,914 images/s (90 % interval 2,400 to 3,500)\n",
        "7 min 20 s (6 min 6 s to 8 min 54 s); first epoch 8 min 40 s (7\n",
        "batch 256 per GPU, precision amp, loader torchvision",
        "1,180 W average at the wall (supply loss included); parts up to",
        "USD 0.3172 per epoch",
        "decode        2,914    0 %   71 %  ####################  < binds in later epochs\n",
        "gpu           3,300   12 %         ##################..\n",
        "storage    no limit                                      < binds in the first",
        "the GPUs wait 7.5 % of the time\n",
        "Why           - a third GPU would not be faster",
        "Assumes       - images are decoded on the CPU",
        "Warnings      ! price of NVIDIA GeForce RTX 4090 is over a year old (2024-11)\n",
        "Not included  CPU cooler, cables, tax, shipping, operating system\n",
    };
    sample *s = sample_new();
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *text = sample_write(&s->result, false, &options);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        assert_contains(text, parts[i]);
    }
    free(text);
    free(s);
}

static void test_table__fits_narrow_and_wide(void **state)
{
    (void)state;
    const int widths[] = {72, 80, 100, 132, 200};
    sample *s = sample_new_list(5);
    rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        options.width = widths[i];
        char *text = sample_write(&s->result, false, &options);
        assert_true(sample_widest(text) <= (size_t)widths[i]);
        free(text);
    }
    options.width = 0;
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text, "Silicon Power XPOWER Pulse Gaming DDR5-6000 2x32GB");
    free(text);
    free(s);
}

static void test_table__only_ascii_unless_asked(void **state)
{
    (void)state;
    sample *s = sample_new_list(2);
    s->gpu.row.name = SAMPLE_HOSTILE;
    rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *text = sample_write(&s->result, false, &options);
    for (const char *c = text; *c != '\0'; c++) {
        assert_true((*c >= ' ' && *c <= '~') || *c == '\n');
    }
    free(text);
    options.use_utf8 = true;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    text = sample_write(&s->result, false, &options);
    assert_non_null(setlocale(LC_CTYPE, "C"));
    assert_contains(text, "\xE2\x96\x88\xE2\x96\x91");
    assert_lacks(text, "\033");
    assert_lacks(text, "\xE2\x80\xAE");
    assert_lacks(text, "\\x");
    assert_true(sample_widest(text) <= 80);
    free(text);
    free(s);
}

static void test_table__colour_is_only_an_addition(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *plain = sample_write(&s->result, false, &options);
    options.use_colour = true;
    char *coloured = sample_write(&s->result, false, &options);
    assert_contains(coloured, "\033[33m");
    char *end = coloured;
    for (const char *c = coloured; *c != '\0'; c++) {
        if (*c == '\033') {
            c = strchr(c, 'm');
            assert_non_null(c);
            continue;
        }
        *end++ = *c;
    }
    *end = '\0';
    assert_string_equal(coloured, plain);
    free(plain);
    free(coloured);
    free(s);
}

static void test_table__list_then_first_build(void **state)
{
    (void)state;
    sample *s = sample_new_list(5);
    rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    options.width = 120;
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text, "2 x GeForce RTX 4090  Ryzen Threadripper 7960X");
    assert_contains(text, "4 x NVIDIA H100 PCIe  Supermicro AS-4125GS-TNRT configured 4x H100");
    assert_int_equal(sample_count(text, "PART "), 1);
    free(text);
    options.is_verbose = true;
    text = sample_write(&s->result, false, &options);
    assert_int_equal(sample_count(text, "PART "), 5);
    assert_contains(text, " gpu     NVIDIA H100 PCIe");
    assert_contains(text, " memory  512 GB");
    assert_contains(text, "1,200 options, 340 after reduction");
    free(text);
    free(s);
}

static void test_table__predictions(void **state)
{
    (void)state;
    const struct {
        size_t n_builds, n_full;
    } cases[] = {{1, 1}, {3, 3}, {4, 0}};
    static const char *other[] = {"this one alone"};
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sample *s = sample_new_list(cases[i].n_builds);
        s->builds[1].warnings = (rig_texts){other, cases[i].n_full == 0};
        char *text = sample_write(&s->result, true, &options);
        assert_contains(text, "Prediction for resnet50-imagenet\n");
        assert_lacks(text, "proved");
        assert_int_equal(sample_count(text, "PART "), cases[i].n_full);
        assert_int_equal(sample_count(text, "! build 2:"), cases[i].n_full == 0);
        free(text);
        free(s);
    }
}

static void test_table__warnings_of_all_are_said_once(void **state)
{
    (void)state;
    static const char *some[] = {"of all", "of the second"};
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    for (size_t n_builds = 2; n_builds <= 5; n_builds++) {
        sample *s = sample_new_list(n_builds);
        for (size_t i = 0; i < n_builds; i++) {
            s->builds[i].warnings = (rig_texts){some, i == 1 ? 2 : 1};
        }
        char *text = sample_write(&s->result, true, &options);
        assert_contains(text, "All builds    ! of all\n");
        assert_int_equal(sample_count(text, "! of all\n"), 1);
        assert_int_equal(sample_count(text, "of the second\n"), 1);
        free(text);
        free(s);
    }
}

static void test_table__long_lists_are_cut(void **state)
{
    (void)state;
    static const char *warnings[] = {"w1", "w2", "w3", "w4", "w5", "w6", "w7"};
    const struct {
        size_t count;
        bool is_verbose;
        size_t n_signs;
        bool is_cut;
    } cases[] = {{6, false, 6, false}, {7, false, 6, true}, {7, true, 7, false}};
    sample *s = sample_new();
    s->builds[0].warnings.count = 0;
    s->gpu.row.price.trust = RIG_TRUST_GOOD;
    rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        s->result.warnings = (rig_texts){warnings, cases[i].count};
        options.is_verbose = cases[i].is_verbose;
        char *text = sample_write(&s->result, false, &options);
        assert_int_equal(sample_count(text, "! "), cases[i].n_signs);
        assert_int_equal(sample_count(text, "! and 2 more"), cases[i].is_cut);
        free(text);
    }
    free(s);
}

static void test_table__unknown_price_and_figures(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->builds[0].price_cents = -1;
    s->gpu.row.price = (rig_price){.cents = -1};
    s->builds[0].build.parts[RIG_TABLE_CPU] = (rig_part_use){0};
    s->builds[0].build.parts[RIG_TABLE_BOARD].is_owned = true;
    s->builds[0].build.unnamed.cores = 32;
    s->builds[0].prediction.has_unknown = true;
    s->builds[0].prediction.stages[RIG_STAGE_MEMORY].images_per_s = (double)NAN;
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *text = sample_write(&s->result, true, &options);
    assert_contains(text, "1. unknown price, at most 2,914 images/s, epoch at least 7 min");
    assert_contains(text, " 2   unknown  unknown  no price\n");
    assert_contains(text, "599.99     0.00  owned\n");
    assert_contains(text, "cpu      32 cores");
    assert_contains(text, "Rate          at most 2,914 images/s");
    assert_contains(text, "memory      unknown\n");
    assert_lacks(text, "nan");
    free(text);
    free(s);
}

static void test_table__out_of_memory(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->builds[0].prediction.is_out_of_memory = true;
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *text = sample_write(&s->result, true, &options);
    assert_contains(text, "does not run: out of memory");
    free(text);
    free(s);
}

static void test_table__infeasible(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->conflict[0] = (rig_conflict){"budget", "raise it to USD 13,420.00"};
    s->conflict[1] = (rig_conflict){"gpu.mem_gb >= 24", "lower it to 16"};
    s->result.outcome = RIG_OUTCOME_INFEASIBLE;
    s->result.n_builds = 0;
    s->result.conflict = s->conflict;
    s->result.n_conflict = 2;
    s->result.least_budget_cents = 1342000;
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text, "Status        proved infeasible\n");
    assert_contains(text, "No build meets the request.\n");
    assert_contains(text, "none of them can be left out");
    assert_contains(text, "budget            raise it to USD 13,420.00\n");
    assert_contains(text, "gpu.mem_gb >= 24  lower it to 16\n");
    assert_contains(text, "Least budget  USD 13,420.00\n");
    free(text);
    s->result.is_conflict_minimal = false;
    text = sample_write(&s->result, false, &options);
    assert_contains(text, "not proved");
    free(text);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table__one_build_fits_a_screen),
        cmocka_unit_test(test_table__says_everything),
        cmocka_unit_test(test_table__fits_narrow_and_wide),
        cmocka_unit_test(test_table__only_ascii_unless_asked),
        cmocka_unit_test(test_table__colour_is_only_an_addition),
        cmocka_unit_test(test_table__list_then_first_build),
        cmocka_unit_test(test_table__warnings_of_all_are_said_once),
        cmocka_unit_test(test_table__predictions),
        cmocka_unit_test(test_table__long_lists_are_cut),
        cmocka_unit_test(test_table__unknown_price_and_figures),
        cmocka_unit_test(test_table__out_of_memory),
        cmocka_unit_test(test_table__infeasible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
