/* SPDX-License-Identifier: GPL-3.0-or-later
 * Escaping for HTML, and links that only lead to web addresses. */
#include "report/html_text.h"

#include <string.h>

#include "sample.h"

static rig_report_options options;
static rig__output output;

static int setup(void **state)
{
    (void)state;
    options = sample_options(RIG_FORMAT_HTML);
    return rig__output_init(&output, &options, sample_broken_sink, NULL, NULL) == RIG_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return rig__output_finish(&output, NULL) == RIG_OK ? 0 : -1;
}

static void test_html_escape(void **state)
{
    (void)state;
    const struct {
        const char *text, *expected;
    } cases[] = {
        {NULL, ""},
        {"", ""},
        {"plain text", "plain text"},
        {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"a&b", "a&amp;b"},
        {"&lt;", "&amp;lt;"},
        {"\" onload='x'", "&quot; onload=&#39;x&#39;"},
        {"<<<", "&lt;&lt;&lt;"},
        {"two\nlines", "two lines"},
        {"\033[31m", "\xEF\xBF\xBD[31m"},
        {"\xFF", "\xEF\xBF\xBD"},
        {"caf\xC3\xA9", "caf\xC3\xA9"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(rig__html_escape(&output, cases[i].text), cases[i].expected);
    }
}

static void test_html_source(void **state)
{
    (void)state;
    const struct {
        const char *text, *expected;
    } cases[] = {
        {"a shop & more", "a shop &amp; more"},
        {"javascript:alert(1)", "javascript:alert(1)"},
        {"https://x.org/a b", "https://x.org/a b"},
        {"https://x.org/?a=1&b=\"2\"",
         "<a rel=\"noreferrer\" href=\"https://x.org/?a=1&amp;b=&quot;2&quot;\">"
         "https://x.org/?a=1&amp;b=&quot;2&quot;</a>"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(rig__html_source(&output, cases[i].text), cases[i].expected);
    }
}

static void test_html_share(void **state)
{
    (void)state;
    assert_string_equal(rig__html_share(&output, 0.37254), "37.25%");
    assert_string_equal(rig__html_share(&output, -1), "0.00%");
    assert_string_equal(rig__html_share(&output, 7), "100.00%");
}

/* What the style sheet must not hold: anything that loads or ends the element. */
static void test_html_style__is_closed(void **state)
{
    (void)state;
    static const char *const forbidden[] = {"<", "&", "url(", "@import", "@font-face", "http"};
    for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++) {
        assert_lacks(rig__html_style, forbidden[i]);
    }
    static const char *const needed[] = {"prefers-color-scheme: dark", "@media print", "max-width"};
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        assert_contains(rig__html_style, needed[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html_escape),
        cmocka_unit_test(test_html_source),
        cmocka_unit_test(test_html_share),
        cmocka_unit_test(test_html_style__is_closed),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
