/* SPDX-License-Identifier: GPL-3.0-or-later
 * Printed names: the alias file, and processors as logs print them. */
#include "tiny_rows.h"

#include "accuracy/aliases.h"
#include "base/text.h"

static const char head[] = "table,label,name,cores,source\n";

static rig_status read_text(const char *text, rig__aliases **out, rig_error *err)
{
    temp_catalog temp;
    temp_catalog_open(&temp);
    const rig_status status =
        rig__aliases_read(out, temp_catalog_write(&temp, "aliases.csv", text), err);
    temp_catalog_close(&temp);
    return status;
}

static void test_aliases_find__longest_label_wins(void **state)
{
    (void)state;
    rig__aliases *aliases = NULL;
    rig__alias alias;
    char text[512];
    (void)snprintf(text,
                   sizeof text,
                   "%sstack,PyTorch*,b,,\nstack,PyTorch AMP*,a,,\nstack,Torch7,,,\n"
                   "cpu,EPYC 1*,c,24,\n",
                   head);
    assert_int_equal(read_text(text, &aliases, NULL), RIG_OK);
    assert_true(rig__aliases_find(aliases, RIG_TABLE_STACK, "PyTorch AMP 2.0", &alias));
    assert_string_equal(alias.name, "a");
    assert_true(isnan(alias.cores));
    assert_true(rig__aliases_find(aliases, RIG_TABLE_STACK, "pytorch TF32", &alias));
    assert_string_equal(alias.name, "b");
    assert_true(rig__aliases_find(aliases, RIG_TABLE_STACK, "Torch7", &alias));
    assert_string_equal(alias.name, "");
    assert_true(rig__aliases_find(aliases, RIG_TABLE_CPU, "EPYC 123", &alias));
    ASSERT_SAME("cores", alias.cores, 24);
    assert_false(rig__aliases_find(aliases, RIG_TABLE_GPU, "PyTorch", &alias));
    rig__aliases_free(aliases);
}

static void test_aliases_read__errors(void **state)
{
    (void)state;
    static const struct {
        const char *label, *header, *row;
        rig_status status;
        long line, column;
        const char *message;
    } cases[] = {
        {"column", "table,label,name\n", "", RIG_E_SCHEMA, 1, 1, "missing column: 'cores'"},
        {"table", NULL, "wheel,a,b,,\n", RIG_E_SCHEMA, 2, 1, "unknown table"},
        {"label", NULL, "cpu,,b,,\n", RIG_E_PARSE, 2, 5, "no label"},
        {"cores", NULL, "cpu,a,b,few,\n", RIG_E_PARSE, 2, 9, "not a number: 'few'"},
        {"no core", NULL, "cpu,a,b,0,\n", RIG_E_RANGE, 2, 9, "cores out of range"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        rig__aliases *aliases = NULL;
        rig_error err = {0};
        (void)snprintf(text,
                       sizeof text,
                       "%s%s",
                       cases[i].header == NULL ? head : cases[i].header,
                       cases[i].row);
        const rig_status status = read_text(text, &aliases, &err);
        if (status != cases[i].status || err.line != cases[i].line ||
            err.column != cases[i].column || strstr(err.message, cases[i].message) == NULL) {
            fail_msg("%s: %s at %ld:%ld", cases[i].label, err.message, err.line, err.column);
        }
        assert_null(aliases);
    }
}

static void test_aliases_read__none(void **state)
{
    (void)state;
    rig__aliases *aliases = NULL;
    rig__alias alias;
    assert_int_equal(rig__aliases_read(&aliases, NULL, NULL), RIG_OK);
    assert_false(rig__aliases_find(aliases, RIG_TABLE_CPU, "", &alias));
    rig__aliases_free(aliases);
    assert_int_equal(rig__aliases_read(&aliases, "/nowhere/a.csv", NULL), RIG_E_IO);
}

static void test_printed_cpu_parse__forms(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *word;
        double sockets, vcpus;
    } cases[] = {
        {"Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", "Intel Xeon Gold 6338", "6338", NAN, NAN},
        {"2x AMD EPYC 7742", "AMD EPYC 7742", "7742", 2, NAN},
        {"AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763", "7763", NAN, NAN},
        {"Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz", "Intel Xeon E5-2698 v4", "E5-2698", NAN, NAN},
        {"2x Intel Xeon Platinum 8275CL (AWS p4d, 96 vCPU)",
         "Intel Xeon Platinum 8275CL",
         "8275CL",
         2,
         96},
        {"Intel Xeon (32 vCPU)", "Intel Xeon", "", NAN, 32},
        {"AMD EPYC Processor (with IBPB)", "AMD EPYC", "", NAN, NAN},
        {"", "", "", NAN, NAN},
        {"vCPU", "vCPU", "", NAN, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig__printed_cpu printed;
        rig__printed_cpu_parse(cases[i].text, &printed);
        assert_string_equal(printed.name, cases[i].name);
        assert_string_equal(printed.word, cases[i].word);
        ASSERT_SAME(cases[i].text, printed.sockets, cases[i].sockets);
        ASSERT_SAME(cases[i].text, printed.vcpus, cases[i].vcpus);
    }
}

static void test_printed_cpu_parse__long_text(void **state)
{
    (void)state;
    char text[2000];
    rig__printed_cpu printed;
    memset(text, '9', sizeof text);
    text[sizeof text - 1] = '\0';
    rig__printed_cpu_parse(text, &printed);
    assert_int_equal(strlen(printed.word), sizeof printed.word - 1);
    assert_true(strlen(printed.name) < sizeof printed.name);
}

/* Every alias that is shipped names a row that is shipped. */
static void test_shipped_aliases__name_rows(void **state)
{
    (void)state;
    static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                              RIG_SOURCE_DIR "/model/data"};
    rig_catalog_options options = rig_catalog_options_default();
    rig_catalog *catalog = NULL;
    rig__aliases *aliases = NULL;
    options.directories = directories;
    options.n_directories = 2;
    assert_int_equal(rig_catalog_load(&catalog, &options, NULL), RIG_OK);
    assert_int_equal(
        rig__aliases_read(&aliases, RIG_SOURCE_DIR "/model/measurements/aliases.csv", NULL),
        RIG_OK);
    size_t n_aliases = 0;
    rig_table table = RIG_TABLE_CPU;
    const char *label = NULL;
    rig__alias alias;
    for (; rig__aliases_at(aliases, n_aliases, &table, &label, &alias); n_aliases++) {
        if (table == RIG__ALIAS_RULE) {
            assert_true(
                rig__list_contains("without-optimizer;data-parallel;slow-grouped", alias.name));
        } else if (alias.name[0] != '\0' && rig_catalog_get(catalog, table, alias.name) == NULL) {
            fail_msg("%s: no such %s: '%s'", label, rig_table_singular(table), alias.name);
        }
    }
    assert_true(n_aliases > 50);
    rig__aliases_free(aliases);
    rig_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aliases_find__longest_label_wins),
        cmocka_unit_test(test_aliases_read__errors),
        cmocka_unit_test(test_aliases_read__none),
        cmocka_unit_test(test_printed_cpu_parse__forms),
        cmocka_unit_test(test_printed_cpu_parse__long_text),
        cmocka_unit_test(test_shipped_aliases__name_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
