/* SPDX-License-Identifier: GPL-3.0-or-later
 * HTML pages: well formed whatever the names, complete, and loading nothing. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

/* ---- a strict reader of elements ------------------------------------------------------------ */

#define MOST_OPEN 64

typedef struct reader {
    const char *at;
    char open[MOST_OPEN][32];
    size_t n_open;
} reader;

static void read_name(reader *r, char name[32])
{
    size_t n = 0;
    while ((isalnum((unsigned char)*r->at) != 0 || *r->at == '-') && n < 31) {
        name[n++] = *r->at++;
    }
    name[n] = '\0';
    assert_true(n > 0);
}

/** Attributes NAME="VALUE"; the value holds no '<' and no quote. */
static void read_attributes(reader *r)
{
    char name[32];
    while (*r->at == ' ') {
        r->at++;
        read_name(r, name);
        assert_memory_equal(r->at, "=\"", 2);
        assert_memory_not_equal(name, "on", 2); /* no handler ever */
        assert_string_not_equal(name, "src");
        r->at += 2;
        const size_t length = strcspn(r->at, "\"<");
        assert_int_equal(r->at[length], '"');
        r->at += length + 1;
    }
}

static void read_element(reader *r)
{
    char name[32];
    const bool is_end = r->at[1] == '/';
    r->at += is_end ? 2 : 1;
    read_name(r, name);
    if (is_end) {
        assert_true(r->n_open > 0);
        assert_string_equal(name, r->open[--r->n_open]);
    } else {
        read_attributes(r);
        if (*r->at == '/') {
            r->at++;
        } else {
            assert_true(r->n_open < MOST_OPEN);
            (void)strcpy(r->open[r->n_open++], name);
        }
    }
    assert_int_equal(*r->at, '>');
    r->at++;
}

static void read_entity(reader *r)
{
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
        if (strncmp(r->at, entities[i], strlen(entities[i])) == 0) {
            r->at += strlen(entities[i]);
            return;
        }
    }
    fail_msg("bare ampersand: %.40s", r->at);
}

/** Fails unless every element is closed in order and everything else is text. */
static void assert_well_formed(const char *page)
{
    static const char doctype[] = "<!DOCTYPE html>\n";
    assert_memory_equal(page, doctype, strlen(doctype));
    reader r = {.at = page + strlen(doctype)};
    while (*r.at != '\0') {
        if (*r.at == '<') {
            read_element(&r);
        } else if (*r.at == '&') {
            read_entity(&r);
        } else {
            r.at++;
        }
    }
    assert_int_equal(r.n_open, 0);
    assert_lacks(page, "<script");
    assert_lacks(page, "<link");
}

/* ---- pages ---------------------------------------------------------------------------------- */

static char *frontier_page(const rig_result *result)
{
    const rig_report_options options = sample_options(RIG_FORMAT_HTML);
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_frontier(result, 100000, &options, sample_sink, &text, NULL),
                     RIG_OK);
    return text.bytes;
}

static char *result_page(const rig_result *result, bool is_prediction)
{
    const rig_report_options options = sample_options(RIG_FORMAT_HTML);
    return sample_write(result, is_prediction, &options);
}

static void test_html__sections(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "<html lang=\"en\"",
        "<meta charset=\"utf-8\"/>",
        "<title>Fastest build within USD 12,000.00 for resnet50-imagenet</title>",
        "Buy <strong>2 x NVIDIA GeForce RTX 4090 with AMD Ryzen Threadripper 7960X</strong>: USD ",
        "2,914 images/s, one epoch in 7 min 20 s; decode is the limit; proved optimal.</p>",
        "<th scope=\"row\"><small>gpu</small> NVIDIA GeForce RTX 4090<small class=\"origin low\">"
        "street, 2024-11, trust low, source: a shop</small></th><td>2</td><td>2,000.50</td>"
        "<td>4,001.00</td>",
        "2,914 images/s (90 % interval 2,400 to 3,500)",
        "<tr class=\"binds\"><th scope=\"row\">decode <b>binds in later epochs</b></th>",
        "<h2>Why this build and not another</h2>",
        "<li>a third GPU would not be faster: decode binds at 2,914 images/s</li>",
        "<li>require: gpu.mem_gb &gt;= 24</li>",
        "<dt>Method</dt><dd>all combinations bounded</dd>",
        "<h2>Assumptions</h2>",
        "over a year old (2024-11)</li>",
        "Not included: CPU cooler",
        "catalogue 0123456789abcdef</p>",
    };
    sample *s = sample_new();
    char *page = result_page(&s->result, false);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        assert_contains(page, parts[i]);
    }
    assert_int_equal(sample_count(page, "<caption>"), sample_count(page, "<table"));
    assert_lacks(page, "Shortlist");
    assert_well_formed(page);
    free(page);
    free(s);
}

static void test_html__shortlist_stands_before_the_builds(void **state)
{
    (void)state;
    sample *s = sample_new_list(5);
    char *page = result_page(&s->result, false);
    const char *list = strstr(page, "<h2>Shortlist</h2>");
    assert_non_null(list);
    assert_true(strstr(page, "<h2>Build 1</h2>") > list);
    assert_contains(page, "<caption>All builds, best first</caption>");
    assert_true(strstr(page, "<h2>Build 2</h2>") > list);
    assert_contains(page,
                    "4 x NVIDIA H100 PCIe in Supermicro AS-4125GS-TNRT configured 4x H100<small>");
    assert_well_formed(page);
    free(page);
    page = result_page(&s->result, true);
    assert_contains(page, "Predictions for 5 builds.");
    assert_int_equal(sample_count(page, "<h2>All builds</h2>"), 1);
    assert_contains(page, "<caption>All builds in the order given</caption>");
    assert_int_equal(sample_count(page, "<h2>Warnings about every build</h2>"), 1);
    assert_lacks(page, "Warnings about this build");
    assert_lacks(page, "<h2>Proof</h2>");
    assert_well_formed(page);
    free(page);
    free(s);
}

/* Every text that a catalogue or a user can set. */
static void make_hostile(sample *s, const char *text)
{
    static const char *items[1];
    items[0] = text;
    s->gpu.row.name = s->cpu.row.name = s->board.row.name = s->server.row.name = text;
    s->server.gpu_name = s->server.cpu_name = text;
    s->gpu.row.price.source = s->gpu.row.price.kind = s->gpu.row.price.date = text;
    s->network.row.name = s->loader.row.name = s->stack.row.name = text;
    s->result.request.workload.name = text;
    (void)snprintf(s->conditions[0].text, sizeof(s->conditions[0].text), "%s", text);
    s->builds[0].comment = s->builds[1].comment = text;
    s->builds[0].warnings = (rig_texts){items, 1};
    s->result.reasons = s->result.warnings = s->result.assumptions = (rig_texts){items, 1};
    s->conflict[0] = (rig_conflict){text, text};
    s->result.conflict = s->conflict;
    s->result.n_conflict = 1;
}

static void test_html__hostile_names_are_text(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'onload='x",
        "a & b &lt; c",
        "</style></title></svg>",
        "https://x.org/\"onmouseover=\"x",
        "-->]]>",
        SAMPLE_HOSTILE,
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        sample *s = sample_new_list(3);
        make_hostile(s, texts[i]);
        char *pages[4] = {result_page(&s->result, false), result_page(&s->result, true)};
        pages[2] = frontier_page(&s->result);
        s->result.outcome = RIG_OUTCOME_INFEASIBLE;
        s->result.n_builds = 0;
        pages[3] = result_page(&s->result, false);
        for (size_t j = 0; j < 4; j++) {
            assert_well_formed(pages[j]);
            assert_lacks(pages[j], "<img");
            assert_lacks(pages[j], "\033");
            free(pages[j]);
        }
        free(s);
    }
}

static void test_html__unknown_figures(void **state)
{
    (void)state;
    sample *s = sample_new_list(2);
    const double unknown = (double)NAN;
    s->builds[0].price_cents = -1;
    s->gpu.row.price.cents = -1;
    s->builds[0].prediction.stages[RIG_STAGE_GPU] = (rig_stage_rate){unknown, unknown, unknown};
    s->builds[0].prediction.power_w = s->builds[0].totals.peak_w = unknown;
    s->builds[1].prediction.is_out_of_memory = true;
    char *page = result_page(&s->result, true);
    assert_well_formed(page);
    assert_contains(page, "price unknown");
    assert_contains(page, "<th scope=\"row\">gpu</th><td>unknown</td><td></td><td></td>");
    assert_contains(page, "&lt;1 %");
    assert_contains(page, "does not run: the memory is too small");
    assert_lacks(page, "nan");
    free(page);
    page = frontier_page(&s->result);
    assert_well_formed(page);
    assert_lacks(page, "nan");
    free(page);
    free(s);
}

static void test_html__conflict(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->conflict[0] = (rig_conflict){"budget", "USD 740.00 more"};
    s->result.outcome = RIG_OUTCOME_INFEASIBLE;
    s->result.n_builds = 0;
    s->result.conflict = s->conflict;
    s->result.n_conflict = 1;
    s->result.least_budget_cents = 1274000;
    char *page = result_page(&s->result, false);
    assert_contains(page,
                    "No build meets the request: proved infeasible; the least budget that works is "
                    "USD 12,740.00.");
    assert_contains(page, "<tr><th scope=\"row\">budget</th><td>USD 740.00 more</td></tr>");
    assert_well_formed(page);
    free(page);
    free(s);
}

static void test_html__frontier_chart(void **state)
{
    (void)state;
    sample *s = sample_new_list(4);
    for (size_t i = 0; i < 4; i++) {
        s->builds[i].price_cents = 300000 << i;
        s->builds[i].prediction.images_per_s = 1000.0 * (double)(1 + i);
    }
    char *page = frontier_page(&s->result);
    assert_int_equal(sample_count(page, "<circle "), 4);
    assert_int_equal(sample_count(page, "</title></circle>"), 4);
    assert_contains(page, "dy=\"16\">5k</text>");
    assert_contains(page, "dy=\"-4\">2,000</text>");
    assert_contains(page, "<details><summary>parts</summary>AMD Ryzen Threadripper 7960X; 2 x ");
    assert_well_formed(page);
    free(page);
    s->result.n_builds = 1;
    page = frontier_page(&s->result);
    assert_lacks(page, "<figure>");
    assert_contains(page, "1 build worth the price");
    assert_well_formed(page);
    free(page);
    free(s);
}

static void test_html__requirements_and_rows(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->cpu.row.name = "<b>&\"'";
    rig_requirement items[] = {
        {RIG_STAGE_DECODE, "cores", "cores", 30.5, (double)NAN, {&s->cpu.row, 2, false}, 279800, 0},
        {RIG_STAGE_STORAGE, "read", "GB/s", 1, 2, {0}, -1, NULL},
        {RIG_STAGE_GPU, "GPUs", "", (double)INFINITY, (double)NAN, {0}, -1, "<i>"},
    };
    const rig_requirements requirements = {
        .target_images_per_s = 3000, .epoch_s = 427, .items = items, .n_items = 3};
    const rig_report_options options = sample_options(RIG_FORMAT_HTML);
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_requirements(&requirements, &options, sample_sink, &text, NULL),
                     RIG_OK);
    assert_contains(text.bytes, "2 x &lt;b&gt;&amp;&quot;&#39;");
    assert_contains(text.bytes, "1 GB/s; first epoch 2 GB/s");
    assert_contains(text.bytes, "none in the catalogue");
    assert_contains(text.bytes, "cannot be met");
    assert_well_formed(text.bytes);
    free(text.bytes);
    text = (sample_text){NULL, 0};
    const rig_row *const rows[] = {&s->cpu.row, &s->cpu.row};
    assert_int_equal(rig_report_rows(NULL, rows, 2, NULL, 0, &options, sample_sink, &text, NULL),
                     RIG_OK);
    assert_int_equal(sample_count(text.bytes, "<th scope=\"row\">&lt;b&gt;&amp;&quot;&#39;</th>"),
                     2);
    assert_well_formed(text.bytes);
    free(text.bytes);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html__sections),
        cmocka_unit_test(test_html__shortlist_stands_before_the_builds),
        cmocka_unit_test(test_html__hostile_names_are_text),
        cmocka_unit_test(test_html__unknown_figures),
        cmocka_unit_test(test_html__conflict),
        cmocka_unit_test(test_html__frontier_chart),
        cmocka_unit_test(test_html__requirements_and_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
