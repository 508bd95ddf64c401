/* SPDX-License-Identifier: GPL-3.0-or-later
 * Markdown: alignment and escaping. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static void test_markdown__numbers_stand_right(void **state)
{
    (void)state;
    sample *s = sample_new();
    const rig_report_options options = sample_options(RIG_FORMAT_MARKDOWN);
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text, "# Fastest build within USD 12,000.00 for resnet50-imagenet\n");
    assert_contains(text, "Status: proved optimal\n");
    assert_contains(text, "| --- | --- | ---: | ---: | ---: | --- | --- | --- |\n");
    assert_contains(text,
                    "| gpu | NVIDIA GeForce RTX 4090 | 2 | 2,000.50 | 4,001.00 | street | 2024-11 "
                    "| low |\n");
    assert_contains(text, "| decode | 2,914 | 0 % | 71 % | binds in later epochs |\n");
    assert_contains(text,
                    "| storage | no limit |  |  | binds in the first epoch, 2,463 images/s |\n");
    assert_contains(text, "Not included: CPU cooler");
    free(text);
    free(s);
}

static void test_markdown__markup_is_escaped(void **state)
{
    (void)state;
    const struct {
        const char *text, *expected;
    } cases[] = {
        {"a|b", "| a\\|b |"},
        {"a\nb", "| a b |"},
        {"<script>", "| &lt;script&gt; |"},
        {"a&b", "| a&amp;b |"},
        {"[x](y)", "| \\[x\\](y) |"},
        {"*b* `c` _d_", "| \\*b\\* \\`c\\` \\_d\\_ |"},
        {"\\|", "| \\\\\\| |"},
        {"\033[1m", "| \xEF\xBF\xBD\\[1m |"},
    };
    const rig_report_options options = sample_options(RIG_FORMAT_MARKDOWN);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sample *s = sample_new();
        s->gpu.row.name = cases[i].text;
        char *text = sample_write(&s->result, false, &options);
        assert_contains(text, cases[i].expected);
        free(text);
        free(s);
    }
}

static void test_markdown__list_comes_first(void **state)
{
    (void)state;
    sample *s = sample_new_list(2);
    const rig_report_options options = sample_options(RIG_FORMAT_MARKDOWN);
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text,
                    "| 2 | 150,000.00 | 2,914 | 7 min 20 s | 4 x NVIDIA H100 PCIe | 2 x AMD EPYC "
                    "9354 | Supermicro AS-4125GS-TNRT configured 4x H100 | decode |\n");
    assert_int_equal(sample_count(text, "\n## "), 2);
    free(text);
    free(s);
}

static void test_markdown__conflict(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->conflict[0] = (rig_conflict){"gpu.name = a|b", "drop it"};
    s->result.outcome = RIG_OUTCOME_INFEASIBLE;
    s->result.n_builds = 0;
    s->result.conflict = s->conflict;
    s->result.n_conflict = 1;
    const rig_report_options options = sample_options(RIG_FORMAT_MARKDOWN);
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text, "| gpu.name = a\\|b | drop it |\n");
    assert_contains(text, "Least budget: no budget is enough\n");
    assert_lacks(text, "Not included");
    free(text);
    free(s);
}

static void test_markdown__requirements(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_requirement items[] = {
        {RIG_STAGE_DECODE, "cores", "cores", 30.5, (double)NAN, {&s->cpu.row, 2, false}, 279800, 0},
        {RIG_STAGE_GPU, "GPUs", "", (double)INFINITY, (double)NAN, {0}, -1, "none"},
    };
    const rig_requirements requirements = {
        .target_images_per_s = 3000, .epoch_s = 427, .items = items, .n_items = 2};
    const rig_report_options options = sample_options(RIG_FORMAT_MARKDOWN);
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_requirements(&requirements, &options, sample_sink, &text, NULL),
                     RIG_OK);
    assert_contains(text.bytes, "# Parts for 3,000 images/s\n");
    assert_contains(text.bytes,
                    "| decode | cores | 30.5 |  | cores | 2 x AMD Ryzen Threadripper 7960X | "
                    "2,798.00 |  |\n");
    assert_contains(text.bytes,
                    "| gpu | GPUs | cannot be met |  |  | none in the catalogue |  | none |\n");
    free(text.bytes);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown__numbers_stand_right),
        cmocka_unit_test(test_markdown__markup_is_escaped),
        cmocka_unit_test(test_markdown__list_comes_first),
        cmocka_unit_test(test_markdown__conflict),
        cmocka_unit_test(test_markdown__requirements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
