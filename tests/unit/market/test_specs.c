/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lines of specifications, whole and broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "market/specs.h"

static rig_status read_line(rig__arena *arena, rig_table table, const char *text, rig__draft **out)
{
    const rig__line line = {.file = "test", .line = 7, .text = text, .length = strlen(text)};
    rig_error err = {0};
    const rig_status status = rig__specs_read(&line, table, arena, out, &err);
    if (status != RIG_OK) {
        assert_int_equal(err.line, 7);
    }
    return status;
}

static void test_specs_read__board(void **state)
{
    (void)state;
    rig__arena *const arena = rig__arena_new();
    rig__draft *draft = NULL;
    assert_int_equal(read_line(arena,
                               RIG_TABLE_BOARD,
                               "{\"metadata\":{\"name\":\"Maker Board\"},\"socket\":\"LGA 1700\","
                               "\"memory\":{\"max\":64,\"ram_type\":\"DDR4\",\"slots\":2},"
                               "\"pcie_slots\":[{\"gen\":\"4.0\",\"quantity\":1,\"lanes\":16},"
                               "{\"gen\":\"3.0\",\"quantity\":2,\"lanes\":4}],"
                               "\"m2_slots\":[{\"key\":\"M\"},{\"key\":\"E\"}]}",
                               &draft),
                     RIG_OK);
    assert_string_equal(draft->name, "Maker Board");
    assert_string_equal(rig__draft_get(draft, "socket"), "LGA1700");
    assert_string_equal(rig__draft_get(draft, "pcie_x16_slots"), "1");
    assert_string_equal(rig__draft_get(draft, "pcie_x4_slots"), "2");
    assert_string_equal(rig__draft_get(draft, "pcie_gen"), "4");
    assert_string_equal(rig__draft_get(draft, "m2_slots"), "1");
    assert_null(draft->reason);
    rig__arena_free(arena);
}

static void test_specs_read__zero_is_unknown(void **state)
{
    (void)state;
    rig__arena *const arena = rig__arena_new();
    rig__draft *draft = NULL;
    assert_int_equal(read_line(arena,
                               RIG_TABLE_GPU,
                               "{\"metadata\":{\"name\":\"Card\"},\"length\":0,\"memory\":8,"
                               "\"total_slot_width\":null,\"tdp\":\"x\"}",
                               &draft),
                     RIG_OK);
    assert_null(rig__draft_get(draft, "length_mm"));
    assert_null(rig__draft_get(draft, "slots"));
    assert_string_equal(rig__draft_get(draft, "mem_gb"), "8");
    rig__arena_free(arena);
}

static void test_specs_read__hostile(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "null",
        "{}",
        "{\"metadata\":{\"name\":\"\"}}",
        "{\"metadata\":{\"name\":5}}",
        "{\"metadata\":\"x\"}",
        "{\"metadata\":{\"name\":\"\xff\"}}",
        "{\"metadata\":{\"name\":\"a\"},\"memory\":1e999}",
        "{\"a\":1,\"a\":2}",
        "{\"metadata\":{\"name\":\"a\"}} trailing",
    };
    rig__arena *const arena = rig__arena_new();
    rig__draft *draft = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(read_line(arena, RIG_TABLE_GPU, texts[i], &draft), RIG_E_PARSE);
    }
    char *const deep = malloc(200001);
    memset(deep, '[', 200000);
    deep[200000] = '\0';
    assert_int_equal(read_line(arena, RIG_TABLE_GPU, deep, &draft), RIG_E_PARSE);
    free(deep);
    rig__arena_free(arena);
}

static void test_specs_table__files(void **state)
{
    (void)state;
    rig_table table = RIG_N_TABLES;
    assert_true(rig__specs_table("PCCase.ndjson", &table));
    assert_int_equal(table, RIG_TABLE_CHASSIS);
    assert_false(rig__specs_table("Monitor.ndjson", &table));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_specs_read__board),
        cmocka_unit_test(test_specs_read__zero_is_unknown),
        cmocka_unit_test(test_specs_read__hostile),
        cmocka_unit_test(test_specs_table__files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
