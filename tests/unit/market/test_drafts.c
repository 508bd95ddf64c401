/* SPDX-License-Identifier: GPL-3.0-or-later
 * Words of names, and parts found by them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "market/drafts.h"

static void test_words_of__joins_numbers_and_units(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"Corsair Vengeance RGB 32 GB", "corsair vengeance rgb 32gb"},
        {"MSI GeForce RTX 4090 (24GB)", "msi geforce rtx 4090 24gb"},
        {"A  --  b", "a b"},
        {"", ""},
        {"GB 12", "gb 12"},
        {"750 W x", "750w x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig__words words;
        char joined[256] = "";
        rig__words_of(rows[i].text, &words);
        for (size_t k = 0; k < words.n; k++) {
            strcat(strcat(joined, k > 0 ? " " : ""), words.items[k]);
        }
        assert_string_equal(joined, rows[i].words);
    }
}

static void test_words_of__long_texts_are_cut(void **state)
{
    (void)state;
    char text[4096];
    rig__words words;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    rig__words_of(text, &words);
    assert_true(words.n <= 1);
    for (size_t i = 0; i + 2 < sizeof text; i += 2) {
        text[i + 1] = ' ';
    }
    rig__words_of(text, &words);
    assert_true(words.n <= RIG__WORDS_CAP);
}

static rig__draft *named(rig__arena *arena, const char *name, double watts)
{
    rig__draft *const draft = rig__draft_new(arena, RIG_TABLE_PSU, "test", 1);
    draft->name = name;
    assert_true(rig__draft_set_number(arena, draft, "wattage_w", watts));
    return draft;
}

static bool same_watts(const rig__draft *candidate, const rig__draft *wanted)
{
    return fabs(rig__draft_number(candidate, "wattage_w") -
                rig__draft_number(wanted, "wattage_w")) < 1;
}

static void test_drafts_find__all_words_and_fewest_besides(void **state)
{
    (void)state;
    rig__arena *const arena = rig__arena_new();
    rig__drafts *const drafts = rig__drafts_new();
    static const struct {
        const char *name;
        double watts;
    } rows[] = {{"Maker Power Gold 750W fully modular", 750},
                {"Maker Power Gold", 650},
                {"Maker Power Gold 750W", 750},
                {"Other Gold", 750}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(rig__drafts_add(drafts, named(arena, rows[i].name, rows[i].watts)));
    }
    assert_int_equal(rig__drafts_count(drafts), 4);
    const rig__draft *const wanted = named(arena, "Maker power gold", 750);
    assert_string_equal(rig__drafts_find(drafts, wanted, NULL)->name, "Maker Power Gold");
    assert_string_equal(rig__drafts_find(drafts, wanted, same_watts)->name,
                        "Maker Power Gold 750W");
    assert_null(rig__drafts_find(drafts, named(arena, "Maker platinum", 750), NULL));
    assert_null(rig__drafts_find(drafts, named(arena, "", 750), NULL));
    rig__drafts_free(drafts);
    rig__arena_free(arena);
}

/* Many words, so that the table of words grows. */
static void test_drafts_find__many(void **state)
{
    (void)state;
    rig__arena *const arena = rig__arena_new();
    rig__drafts *const drafts = rig__drafts_new();
    for (int i = 0; i < 3000; i++) {
        const char *const name = rig__arena_format(arena, "maker%d model%d", i % 7, i);
        assert_true(rig__drafts_add(drafts, named(arena, name, 500)));
    }
    for (int i = 0; i < 3000; i += 101) {
        const char *const name = rig__arena_format(arena, "model%d", i);
        const rig__draft *const found = rig__drafts_find(drafts, named(arena, name, 500), NULL);
        assert_non_null(found);
        assert_non_null(strstr(found->name, name));
    }
    rig__drafts_free(drafts);
    rig__arena_free(arena);
}

static void test_draft__values_are_checked(void **state)
{
    (void)state;
    rig__arena *const arena = rig__arena_new();
    rig__draft *const draft = named(arena, "x", NAN);
    assert_null(rig__draft_get(draft, "wattage_w"));
    rig__draft_check(draft);
    assert_non_null(draft->reason); /* the rating is required */
    rig__draft *const other = rig__draft_new(arena, RIG_TABLE_PSU, "test", 2);
    assert_true(rig__draft_set(arena, other, "wattage_w", "750"));
    assert_null(other->reason);
    assert_true(rig__draft_set(arena, other, "conn_eps", "1e9"));
    assert_string_equal(other->detail, "conn_eps = 1e9");
    assert_true(rig__draft_set(arena, other, "no such column", "1"));
    rig__arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of__joins_numbers_and_units),
        cmocka_unit_test(test_words_of__long_texts_are_cut),
        cmocka_unit_test(test_drafts_find__all_words_and_fewest_besides),
        cmocka_unit_test(test_drafts_find__many),
        cmocka_unit_test(test_draft__values_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
