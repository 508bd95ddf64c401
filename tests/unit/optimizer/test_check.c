/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of the checker: every rule broken once, with its name and a message that says what. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"

#define CAP 16

/* Parts that replace those of a build which obeys every rule; "" takes a part away. */
typedef struct change {
    const char *name;
    bool is_barebone; /**< change the barebone, not the desktop */
    const char *cpu, *gpu, *memory, *storage, *board, *psu, *chassis, *baseboard;
    const char *rule;    /**< NULL: still obeys every rule */
    const char *text[3]; /**< what the message holds */
} change;

static void put(const fixture *fix, rig_build *build, rig_table table, const char *text)
{
    if (text != NULL) {
        fixture_add(fix, build, table, text[0] == '\0' ? NULL : text);
    }
}

static rig_build changed(const fixture *fix, const change *row)
{
    rig_build build = row->is_barebone ? fixture_barebone(fix) : fixture_desktop(fix);
    put(fix, &build, RIG_TABLE_CPU, row->cpu);
    put(fix, &build, RIG_TABLE_GPU, row->gpu);
    put(fix, &build, RIG_TABLE_MEMORY, row->memory);
    put(fix, &build, RIG_TABLE_STORAGE, row->storage);
    put(fix, &build, RIG_TABLE_BOARD, row->board);
    put(fix, &build, RIG_TABLE_PSU, row->psu);
    put(fix, &build, RIG_TABLE_CHASSIS, row->chassis);
    put(fix, &build, RIG_TABLE_BASEBOARD, row->baseboard);
    return build;
}

static void verify(const fixture *fix, const change *row)
{
    rig_violation found[CAP];
    const rig_build build = changed(fix, row);
    const size_t count = rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP);
    const size_t expected = row->rule == NULL ? 0 : 1;
    if (count != expected) {
        for (size_t i = 0; i < count && i < CAP; i++) {
            print_error("%s: %s: %s\n", row->name, found[i].rule, found[i].message);
        }
        fail_msg("%s: %zu violations, %zu expected", row->name, count, expected);
    }
    if (row->rule == NULL) {
        return;
    }
    if (strcmp(found[0].rule, row->rule) != 0) {
        fail_msg("%s: rule %s, expected %s", row->name, found[0].rule, row->rule);
    }
    for (size_t i = 0; i < 3 && row->text[i] != NULL; i++) {
        if (strstr(found[0].message, row->text[i]) == NULL) {
            fail_msg("%s: '%s' is not in: %s", row->name, row->text[i], found[0].message);
        }
    }
}

static void verify_all(void **state, const change *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        verify(*state, &rows[i]);
    }
}

#define VERIFY_ALL(state, rows) verify_all((state), (rows), sizeof(rows) / sizeof(rows)[0])

static void test_build_check__accepts(void **state)
{
    static const change rows[] = {
        {.name = "desktop"},
        {.name = "barebone", .is_barebone = true},
        {.name = "baseboard",
         .is_barebone = true,
         .board = "Bare Sxm",
         .gpu = "",
         .baseboard = "Board of Four"},
        {.name = "SXM2 modules on their carrier",
         .is_barebone = true,
         .board = "Carrier Two",
         .gpu = "Module Two x4"},
        {.name = "load-reduced modules where registered ones go",
         .is_barebone = true,
         .memory = "LRDIMM 64 D4 x16"},
        {.name = "one processor drives half a barebone",
         .is_barebone = true,
         .cpu = "Epyc Sixteen",
         .gpu = "Card Two x4"},
        {.name = "large board in a rack of four units",
         .cpu = "Ripper PRO",
         .board = "Pro Board",
         .memory = "RDIMM 32 D5 x8",
         .gpu = "Card Two x2",
         .chassis = "Rack Four"},
        {.name = "three slots to the next card where the layout is unknown",
         .board = "Desk Chipset"},
        {.name = "3.5-inch drives in their bays", .storage = "Disk 10T x4"},
        {.name = "SAS drives in a barebone", .is_barebone = true, .storage = "Sas 10T x8"},
        {.name = "separate supply where the barebone's is unknown",
         .is_barebone = true,
         .board = "Bare Blank",
         .gpu = "",
         .baseboard = "",
         .psu = "Blade 2000",
         .cpu = "Epyc Sixteen",
         .memory = "RDIMM 32 D4 x8",
         .rule = "complete",
         .text = {"has no GPU"}},
    };
    VERIFY_ALL(state, rows);
}

static void test_build_check__processors(void **state)
{
    static const change rows[] = {
        {.name = "socket",
         .cpu = "Xeon Hundred",
         .rule = "socket",
         .text = {"'Xeon Hundred' needs socket LGA4677", "'Desk Board' has AM5"}},
        {.name = "more processors than sockets",
         .is_barebone = true,
         .cpu = "Epyc Sixteen x3",
         .board = "Bare Eight",
         .rule = "socket"},
        {.name = "processor for one socket only",
         .is_barebone = true,
         .cpu = "Epyc Single x2",
         .rule = "socket",
         .text = {"'Epyc Single x2'", "at most 1"}},
        {.name = "family that the board does not take",
         .cpu = "Ripper",
         .board = "Pro Board",
         .memory = "RDIMM 32 D5 x8",
         .rule = "cpu-family",
         .text = {"'Pro Board' takes Zen 4 Threadripper PRO", "'Ripper' is Zen 4 Threadripper"}},
    };
    verify(*state, &rows[0]);
    verify(*state, &rows[2]);
    verify(*state, &rows[3]);
    /* three processors break three rules: two sockets on the board, two processors together, and
     * eight modules are not shared evenly */
    const fixture *const fix = *state;
    const rig_build build = changed(fix, &rows[1]);
    rig_violation found[CAP];
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP), 3);
    assert_string_equal(found[0].rule, "socket");
    assert_string_equal(found[1].rule, "socket");
    assert_string_equal(found[2].rule, "dimm-slots");
    assert_non_null(strstr(found[1].message, "which has 2 socket(s)"));
}

static void test_build_check__memory(void **state)
{
    static const change rows[] = {
        {.name = "generation",
         .memory = "UDIMM 2x16 D4",
         .rule = "memory-type",
         .text = {"'UDIMM 2x16 D4' is DDR4", "'Desk Board' takes DDR5"}},
        {.name = "kind",
         .memory = "RDIMM 32 D5 x2",
         .rule = "memory-type",
         .text = {"'RDIMM 32 D5' is RDIMM", "takes UDIMM only"}},
        {.name = "unbuffered modules on a board for registered ones",
         .cpu = "Ripper",
         .board = "Trx Board",
         .memory = "UDIMM 2x32",
         .rule = "memory-type",
         .text = {"'UDIMM 2x32' is UDIMM", "'Trx Board' takes RDIMM only"}},
        {.name = "kind of the module unknown",
         .memory = "Unkind D5 x2",
         .rule = "memory-type",
         .text = {"not known", "'Unkind D5'"}},
        {.name = "slots",
         .memory = "UDIMM 2x32 x3",
         .board = "Tiny Board",
         .gpu = "Card Two",
         .rule = NULL},
        {.name = "slots of one socket of two",
         .is_barebone = true,
         .cpu = "Epyc Sixteen",
         .gpu = "Card Two x4",
         .memory = "RDIMM 32 D4 x17",
         .rule = "dimm-slots",
         .text = {"needs 17 DIMM slots", "has 16 usable with 1 processor(s)"}},
        {.name = "a processor without a module",
         .is_barebone = true,
         .memory = "RDIMM 32 D4 x1",
         .rule = "dimm-slots",
         .text = {"1 module(s)", "2 processors of 'Epyc Sixteen'"}},
        {.name = "bounded capacity",
         .cpu = "Epyc Sixteen",
         .is_barebone = true,
         .board = "Dual Rome",
         .gpu = "Card Two x1",
         .psu = "Power 1600",
         .chassis = "Tower Full",
         .storage = "Stick 2T",
         .memory = "LRDIMM 64 D4 x8",
         .rule = NULL},
    };
    verify(*state, &rows[0]);
    verify(*state, &rows[1]);
    verify(*state, &rows[2]);
    verify(*state, &rows[3]);
    verify(*state, &rows[5]);
    verify(*state, &rows[6]);
    verify(*state, &rows[7]);
    /* six modules of 192 GB in a board of two slots and 64 GB: both limits are named */
    const fixture *const fix = *state;
    const rig_build build = changed(fix, &rows[4]);
    rig_violation found[CAP];
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP), 2);
    assert_non_null(strstr(found[0].message, "needs 6 DIMM slots"));
    assert_non_null(strstr(found[1].message, "is 192 GB, board 'Tiny Board' takes 64 GB"));
    assert_string_equal(found[0].rule, "dimm-slots");
    assert_string_equal(found[1].rule, "dimm-slots");
}

static void test_build_check__memory_of_a_board_that_does_not_say(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    rig_violation found[CAP];
    fixture_add(fix, &build, RIG_TABLE_BOARD, "Mystery");
    fixture_add(fix, &build, RIG_TABLE_MEMORY, "RDIMM 32 D4");
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, false, found, CAP), 3);
    assert_non_null(strstr(found[0].message, "memory type of board 'Mystery' is not known"));
    assert_non_null(strstr(found[1].message, "kind of module is not known"));
    assert_non_null(strstr(found[2].message, "DIMM slots of board 'Mystery' are not known"));

    fixture_add(fix, &build, RIG_TABLE_BOARD, "Desk Chipset"); /* 4 slots x 64 GB */
    fixture_add(fix, &build, RIG_TABLE_MEMORY, "UDIMM 2x32 x2");
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, false, found, CAP), 0);
    fixture *const writable = *state;
    writable->constants.memory_gb_per_slot_unknown = 31;
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, false, found, CAP), 1);
    writable->constants.memory_gb_per_slot_unknown = 64;
    assert_non_null(strstr(found[0].message, "is 128 GB, board 'Desk Chipset' takes 124 GB"));
}

static void test_build_check__gpus(void **state)
{
    static const change rows[] = {
        {.name = "form",
         .is_barebone = true,
         .gpu = "Module Two x4",
         .rule = "gpu-form",
         .text = {"'Module Two' is sxm2", "'Bare Eight' takes pcie"}},
        {.name = "card too wide for a rack",
         .is_barebone = true,
         .gpu = "GeForce Card Three x2",
         .rule = "gpu-slots",
         .text = {"'GeForce Card Three' is 4 slots wide", "'Bare Eight' takes cards of 2"}},
        {.name = "more cards than a barebone takes",
         .is_barebone = true,
         .gpu = "Card One x9",
         .rule = "gpu-slots",
         .text = {"'Card One x9'", "takes 8"}},
        {.name = "half the slots with one processor of two",
         .is_barebone = true,
         .cpu = "Epyc Sixteen",
         .memory = "RDIMM 32 D4 x8",
         .gpu = "Card Two x5",
         .rule = "gpu-slots",
         .text = {"'Card Two x5'", "takes 4 of them with 1 processor(s)"}},
        {.name = "slots of a barebone unknown",
         .is_barebone = true,
         .board = "Bare Blank",
         .gpu = "Card Two x1",
         .memory = "RDIMM 32 D4 x2",
         .psu = "Blade 2000",
         .rule = "gpu-slots",
         .text = {"GPU slots of board 'Bare Blank' are not known"}},
        {.name = "x16 slots of the board",
         .gpu = "Card One x3",
         .rule = "gpu-slots",
         .text = {"'Card One x3' (1 slots wide)", "takes 2"}},
        {.name = "no room for the width",
         .board = "Tiny Board",
         .memory = "UDIMM 2x32",
         .gpu = "GeForce Card Three",
         .rule = "gpu-slots",
         .text = {"'GeForce Card Three x1' (4 slots wide)", "takes 0"}},
    };
    VERIFY_ALL(state, rows);
}

static void test_build_check__chassis(void **state)
{
    static const change rows[] = {
        {.name = "barebone has a case",
         .is_barebone = true,
         .chassis = "Tower Full",
         .rule = "chassis",
         .text = {"barebone 'Bare Eight' already has its case", "'Tower Full'"}},
        {.name = "large board in a mid tower",
         .cpu = "Ripper PRO",
         .board = "Pro Board",
         .memory = "RDIMM 32 D5 x8",
         .gpu = "Card Two x1",
         .chassis = "Tower Mid",
         .rule = "chassis",
         .text = {"'Pro Board' (SSI EEB)", "'Tower Mid' (ATX Mid Tower)"}},
        {.name = "any board in two rack units",
         .chassis = "Rack Two",
         .rule = "chassis",
         .text = {"'Desk Board' (ATX) does not fit chassis 'Rack Two' (rack)"}},
        {.name = "proprietary board",
         .cpu = "Epyc Sixteen",
         .board = "Odd Form",
         .memory = "RDIMM 32 D4 x8",
         .rule = "chassis",
         .text = {"'Odd Form' (proprietary)"}},
        {.name = "expansion slots side by side",
         .cpu = "Ripper PRO",
         .board = "Pro Board",
         .memory = "RDIMM 32 D5 x8",
         .gpu = "Card Two x4",
         .psu = "Power 1600 Blank",
         .chassis = "Rack Four",
         .rule = NULL},
        {.name = "expansion slots unknown",
         .chassis = "Blind",
         .rule = "chassis",
         .text = {"expansion slots of chassis 'Blind' are not known", "needs 5"}},
        {.name = "length",
         .gpu = "GeForce Card Three",
         .chassis = "Tower Mid",
         .rule = "chassis",
         .text = {"'GeForce Card Three' is 350 mm", "'Tower Mid' takes 300 mm"}},
        {.name = "two chassis",
         .chassis = "Tower Full x2",
         .rule = "chassis",
         .text = {"'Tower Full x2'"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (i != 4) {
            verify(*state, &rows[i]);
        }
    }
    /* four double cards cover eight positions and draw more than the supply gives */
    const fixture *const fix = *state;
    const rig_build build = changed(fix, &rows[4]);
    rig_violation found[CAP];
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP), 2);
    assert_string_equal(found[0].rule, "chassis");
    assert_non_null(
        strstr(found[0].message, "covers 8 expansion slots, chassis 'Rack Four' has 7"));
    assert_string_equal(found[1].rule, "supply");
    /* 1.25 x (350 + 1200 + 40 + 8 + 50) */
    assert_non_null(strstr(found[1].message, "1648 W, with head-room x1.25 2060 W"));
    assert_non_null(strstr(found[1].message, "'Power 1600 Blank' gives 1600 W"));
}

static void test_build_check__supply(void **state)
{
    static const change rows[] = {
        {.name = "rating",
         .psu = "Power 850",
         .rule = "supply",
         .text = {"778 W", "972 W", "'Power 850' gives 850 W"}},
        {.name = "included rating",
         .is_barebone = true,
         .board = "Bare Weak",
         .rule = "supply",
         .text = {"3096 W", "3870 W", "'Bare Weak' gives 1000 W"}},
        {.name = "barebone already has one",
         .is_barebone = true,
         .psu = "Blade 2000",
         .rule = "supply",
         .text = {"'Bare Eight' already has supplies of 5000 W", "'Blade 2000 x1'"}},
        {.name = "server form in a case",
         .psu = "Blade 2000",
         .rule = "supply",
         .text = {"'Blade 2000' is of server form"}},
        {.name = "two supplies",
         .psu = "Power 1600 x2",
         .rule = "supply",
         .text = {"'Power 1600 x2'"}},
        {.name = "plugs, one kind unknown counts as none",
         .psu = "Power 1600 Thin",
         .rule = "supply",
         .text = {"'Card Two x2' needs 450 W by cable", "(2 8-pin, 0 16-pin) carry 300 W"}},
    };
    VERIFY_ALL(state, rows);
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    rig_violation found[CAP];
    fixture_add(fix, &build, RIG_TABLE_BOARD, "Bare Blank");
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, false, found, CAP), 1);
    assert_string_equal(found[0].rule, "supply");
    assert_non_null(strstr(found[0].message, "supplies of barebone 'Bare Blank' is not known"));
}

static void test_build_check__drives(void **state)
{
    static const change rows[] = {
        {.name = "M.2 slots",
         .storage = "Stick 2T x3",
         .rule = "drives",
         .text = {"'Stick 2T x3'", "'Desk Board', which has 2 M.2 slots"}},
        {.name = "M.2 slots unknown",
         .board = "Desk Chipset",
         .storage = "Stick 2T x2",
         .rule = "drives",
         .text = {"which has 1 M.2 slots"}},
        {.name = "no U.2 port on a board",
         .storage = "Bay 4T",
         .rule = "drives",
         .text = {"'Bay 4T x1'", "has 0 U.2 ports"}},
        {.name = "NVMe bays of a barebone",
         .is_barebone = true,
         .storage = "Bay 4T x5",
         .rule = "drives",
         .text = {"has 4 U.2 ports or NVMe bays"}},
        {.name = "SATA ports",
         .storage = "Sata 1T x5",
         .rule = "drives",
         .text = {"has 4 SATA ports"}},
        {.name = "SAS on a board",
         .storage = "Sas 10T",
         .rule = "drives",
         .text = {"'Sas 10T x1'", "has 0 SAS bays"}},
        {.name = "SAS bays of a barebone",
         .is_barebone = true,
         .storage = "Sas 10T x9",
         .rule = "drives",
         .text = {"has 8 SAS bays"}},
        {.name = "3.5-inch bays unknown count as none",
         .storage = "Disk 10T",
         .chassis = "Tower Mid",
         .gpu = "Card Two",
         .rule = "drives",
         .text = {"'Tower Mid', which has 0 3.5-inch bays"}},
        {.name = "no port of that interface",
         .storage = "Relic",
         .rule = "drives",
         .text = {"PATA 100", "has 0 ports of that interface"}},
    };
    VERIFY_ALL(state, rows);
}

static void test_build_check__server(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    rig_violation found[CAP];
    fixture_add(fix, &build, RIG_TABLE_SERVER, "Complete");
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP), 0);
    fixture_add(fix, &build, RIG_TABLE_NIC, "Net 100 x2");
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP), 0);
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two");
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP), 1);
    assert_string_equal(found[0].rule, "server");
    assert_non_null(strstr(found[0].message, "'Complete' is a complete server"));
    assert_non_null(strstr(found[0].message, "its gpu: 'Card Two x1'"));
    fixture_add(fix, &build, RIG_TABLE_GPU, NULL);
    fixture_add(fix, &build, RIG_TABLE_SERVER, "Complete x2");
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, CAP), 1);
    assert_non_null(strstr(found[0].message, "'Complete x2'"));
}

static void test_build_check__baseboard(void **state)
{
    static const change rows[] = {
        {.name = "board for cards",
         .is_barebone = true,
         .gpu = "",
         .baseboard = "Board of Four",
         .rule = "baseboard",
         .text = {"'Board of Four' is sxm", "'Bare Eight' takes pcie"}},
        {.name = "two baseboards",
         .is_barebone = true,
         .board = "Bare Sxm",
         .gpu = "",
         .baseboard = "Board of Four x2",
         .rule = "baseboard",
         .text = {"'Board of Four x2'"}},
        {.name = "GPUs besides",
         .is_barebone = true,
         .board = "Bare Sxm",
         .gpu = "Module A x4",
         .baseboard = "Board of Four",
         .rule = "baseboard",
         .text = {"already holds its 4 GPUs", "'Module A x4'"}},
    };
    VERIFY_ALL(state, rows);
}

static void test_build_check__complete(void **state)
{
    static const change rows[] = {
        {.name = "no processor", .cpu = "", .rule = "complete", .text = {"no processor"}},
        {.name = "no memory", .memory = "", .rule = "complete", .text = {"no memory"}},
        {.name = "no GPU", .gpu = "", .rule = "complete", .text = {"no GPU"}},
        {.name = "no storage", .storage = "", .rule = "complete", .text = {"no storage"}},
        {.name = "no chassis", .chassis = "", .rule = "complete", .text = {"no chassis"}},
        {.name = "no supply", .psu = "", .rule = "complete", .text = {"no power supply"}},
        {.name = "no board",
         .board = "",
         .rule = "complete",
         .text = {"no board and no complete server"}},
        {.name = "two boards", .board = "Desk Board x2", .rule = "complete", .text = {"x2"}},
    };
    VERIFY_ALL(state, rows);
}

static void test_build_check__counts_beyond_cap(void **state)
{
    const fixture *const fix = *state;
    const rig_build build = rig_build_empty();
    rig_violation found[2];
    memset(found, 0, sizeof found);
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, false, NULL, 0), 0);
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, NULL, 0), 5);
    assert_int_equal(rig_build_check(&build, fix->catalog, &fix->constants, true, found, 1), 5);
    assert_string_equal(found[0].rule, "complete");
    assert_null(found[1].rule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_check__accepts),
        cmocka_unit_test(test_build_check__processors),
        cmocka_unit_test(test_build_check__memory),
        cmocka_unit_test(test_build_check__memory_of_a_board_that_does_not_say),
        cmocka_unit_test(test_build_check__gpus),
        cmocka_unit_test(test_build_check__chassis),
        cmocka_unit_test(test_build_check__supply),
        cmocka_unit_test(test_build_check__drives),
        cmocka_unit_test(test_build_check__server),
        cmocka_unit_test(test_build_check__baseboard),
        cmocka_unit_test(test_build_check__complete),
        cmocka_unit_test(test_build_check__counts_beyond_cap),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
