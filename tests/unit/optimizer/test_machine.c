/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of machines made from builds: lanes, links, memory, drives, and what is bounded. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "optimizer/view.h"
#include "support/assert_near.h"

#define TEXT_SIZE 4096

static void collect(const char *text, void *payload)
{
    char *const all = payload;
    const size_t length = strlen(all);
    (void)snprintf(all + length, TEXT_SIZE - length, "%s\n", text);
}

static rig_machine machine_of(const fixture *fix, const rig_build *build, char *warnings)
{
    rig_machine machine;
    rig_error err = {0};
    warnings[0] = '\0';
    if (rig_build_machine(build,
                          fix->catalog,
                          &fix->constants,
                          &fix->workload,
                          &machine,
                          collect,
                          warnings,
                          &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return machine;
}

static void expect_warning(const char *warnings, const char *text)
{
    if (strstr(warnings, text) == NULL) {
        fail_msg("'%s' is not in: %s", text, warnings);
    }
}

/* Lane rates of the fixture: 1, 2, 4 GB/s for generations 3, 4, 5. */
static void test_build_machine__lanes(void **state)
{
    static const struct {
        const char *name, *cpu, *board, *gpu;
        double pcie_gbs;
    } rows[] = {
        {"desktop, one card", "Desk Eight", "Desk Board", "Card Two", 16 * 2},
        {"desktop, two cards share", "Desk Eight", "Desk Board", "Card Two x2", 8 * 2},
        {"desktop, one slot wired", "Desk Eight", "Desk Chipset", "Card Two", 16 * 2},
        {"desktop, second card on the chipset", "Desk Eight", "Desk Chipset", "Card Two x2", 4 * 1},
        {"desktop, no board, three cards", "Desk Eight", NULL, "Card Two x3", 4 * 2},
        {"desktop, narrow card", "Desk Eight", "Desk Board", "Card One", 8 * 2},
        {"workstation, 88 lanes, three cards", "Ripper", "Trx Board", "Card Two x3", 16 * 2},
        {"workstation, 88 lanes, five cards", "Ripper", "Trx Board", "Card Two x5", 8 * 2},
        {"board, 128 lanes, seven cards", "Epyc Sixteen", "Dual Rome", "Card Two x7", 16 * 2},
        {"board, 128 lanes, eight cards", "Epyc Sixteen", "Dual Rome", "Card Two x8", 8 * 2},
        {"barebone, switches share", "Epyc Sixteen", "Bare Eight", "Card Two x8", 14 * 2},
        {"two EPYC, 160 of 256 lanes", "Epyc Sixteen x2", "Bare Eight", "Card Two x10", 14.4 * 2},
        {"two Xeon, all 160 lanes", "Xeon Hundred x2", NULL, "Card Two x9", 16 * 2},
        {"slower board", "Desk Eight", "Desk Chipset", "Card One", 8 * 2},
        {"older module", "Epyc Sixteen", "Carrier Two", "Module Two x4", 16 * 1},
        {"no processor: the card's own", NULL, "Desk Chipset", "Card Two x8", 16 * 2},
        {"more cards than lanes", "Desk Eight", NULL, "Card Two x64", 1 * 2},
    };
    const fixture *const fix = *state;
    char warnings[TEXT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_build build = rig_build_empty();
        fixture_add(fix, &build, RIG_TABLE_CPU, rows[i].cpu);
        fixture_add(fix, &build, RIG_TABLE_BOARD, rows[i].board);
        fixture_add(fix, &build, RIG_TABLE_GPU, rows[i].gpu);
        const rig_machine machine = machine_of(fix, &build, warnings);
        ASSERT_SAME(rows[i].name, machine.gpu_pcie_gbs, rows[i].pcie_gbs);
    }
}

static void test_build_machine__links(void **state)
{
    static const struct {
        const char *gpu;
        rig_gpu_link link;
        double link_gbs;
    } rows[] = {
        {"Card Two", RIG_LINK_NONE, NAN},
        {"Card Two x2", RIG_LINK_PCIE_P2P, NAN},
        {"GeForce Card Three x2", RIG_LINK_PCIE_HOST, NAN},
        {"Module A", RIG_LINK_NONE, 300}, /* of the module; nothing is linked */
        {"Module A x8", RIG_LINK_NVLINK, 300},
        {"Module Two x4", RIG_LINK_NVLINK, 150},
    };
    const fixture *const fix = *state;
    char warnings[TEXT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_build build = rig_build_empty();
        fixture_add(fix, &build, RIG_TABLE_GPU, rows[i].gpu);
        const rig_machine machine = machine_of(fix, &build, warnings);
        assert_int_equal(machine.gpu_link, rows[i].link);
        ASSERT_SAME(rows[i].gpu, machine.gpu_link_gbs, rows[i].link_gbs);
    }
}

static void test_build_machine__desktop(void **state)
{
    const fixture *const fix = *state;
    const rig_build build = fixture_desktop(fix);
    char warnings[TEXT_SIZE];
    const rig_machine machine = machine_of(fix, &build, warnings);
    double speed = 0;
    double speed_1t = 0;
    assert_true(rig_core_speed(
        &fix->constants, (const rig_cpu *)build.parts[RIG_TABLE_CPU].row, &speed, &speed_1t));
    ASSERT_SAME("sockets", machine.sockets, 1);
    ASSERT_SAME("cores", machine.cores, 8);
    ASSERT_SAME("speed", machine.core_speed, speed);
    ASSERT_SAME("single", machine.core_speed_1t, speed_1t);
    ASSERT_SAME("ram", machine.ram_bytes, 128 * RIG_MEMORY_GB_BYTES);
    ASSERT_SAME("channels", machine.mem_channels, 2); /* four modules on two channels */
    ASSERT_SAME("rate", machine.mem_mts, 5200);       /* the processor's, below 5600 */
    assert_int_equal(machine.n_drive_kinds, 1);
    ASSERT_SAME("drives", machine.drives[0].count, 1);
    ASSERT_SAME("read", machine.drives[0].read_gbs, 7);
    ASSERT_SAME("reads", machine.drives[0].iops, 1e6);
    ASSERT_SAME("drive power", machine.drives[0].power_w, 8);
    ASSERT_SAME("GPUs", machine.n_gpus, 2);
    ASSERT_SAME("GPU memory", machine.gpu_mem_bytes, 48 * RIG_MEMORY_GB_BYTES);
    ASSERT_SAME("step factor", machine.gpu_step_factor, 1.1);
    ASSERT_SAME("step deviation", machine.gpu_step_log_sd, 0.1);
    ASSERT_SAME("base", machine.base_power_w, 50);
    assert_string_equal(warnings, "");
}

static void test_build_machine__memory(void **state)
{
    static const struct {
        const char *name, *cpu, *memory;
        double channels, mts;
    } rows[] = {
        {"fewer modules than channels", "Epyc Sixteen", "RDIMM 32 D4 x4", 4, 3200},
        {"both sockets", "Epyc Sixteen x2", "RDIMM 32 D4 x32", 16, 3200},
        {"other generation keeps its own rate", "Desk Eight", "UDIMM 2x16 D4", 2, 3600},
        {"no processor", NULL, "UDIMM 2x32 x2", 4, 5600},
    };
    const fixture *const fix = *state;
    char warnings[TEXT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_build build = rig_build_empty();
        fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two");
        fixture_add(fix, &build, RIG_TABLE_CPU, rows[i].cpu);
        fixture_add(fix, &build, RIG_TABLE_MEMORY, rows[i].memory);
        const rig_machine machine = machine_of(fix, &build, warnings);
        ASSERT_SAME(rows[i].name, machine.mem_channels, rows[i].channels);
        ASSERT_SAME(rows[i].name, machine.mem_mts, rows[i].mts);
    }
}

static void test_build_machine__drives(void **state)
{
    static const struct {
        const char *drive;
        double read_gbs, iops;
        const char *warning; /* NULL: none about the drive */
    } rows[] = {
        {"Stick 2T", 7, 1e6, NULL},
        {"Stick Slow Link", 2, 1e6, NULL}, /* two lanes of generation 3 */
        {"Stick Unrated", 3.5, 2e5, "read rate of 'Stick Unrated' is not known, bounded at 3.5"},
        {"Stick Unrated",
         3.5,
         2e5,
         "random reads of 'Stick Unrated' are not known, bounded at 200000"},
        {"Sata 1T", 0.55, 9e4, NULL},
        {"Disk 10T", 0.25, 200, NULL},
    };
    const fixture *const fix = *state;
    char warnings[TEXT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_build build = fixture_desktop(fix);
        fixture_add(fix, &build, RIG_TABLE_STORAGE, rows[i].drive);
        const rig_machine machine = machine_of(fix, &build, warnings);
        ASSERT_SAME(rows[i].drive, machine.drives[0].read_gbs, rows[i].read_gbs);
        ASSERT_SAME(rows[i].drive, machine.drives[0].iops, rows[i].iops);
        if (rows[i].warning == NULL) {
            assert_string_equal(warnings, "");
        } else {
            expect_warning(warnings, rows[i].warning);
        }
    }
}

static void test_build_machine__nothing_but_a_gpu(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    char warnings[TEXT_SIZE];
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two");
    const rig_machine machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("cores", machine.cores, NAN);
    ASSERT_SAME("ram", machine.ram_bytes, NAN);
    ASSERT_SAME("channels", machine.mem_channels, NAN);
    ASSERT_SAME("read", machine.drives[0].read_gbs, NAN);
    assert_int_equal(machine.n_drive_kinds, 1); /* none would mean a rate of 0 */
    expect_warning(warnings, "the processor is not known");
    expect_warning(warnings, "the memory is not known");
    expect_warning(warnings, "the storage is not known");
    expect_warning(warnings, "every GPU is taken to have all its 16 lanes");
}

static void test_build_machine__unnamed_figures(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    char warnings[TEXT_SIZE];
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two");
    build.unnamed.cores = 24;
    build.unnamed.ram_gb = 100;
    build.unnamed.drive_gbs = 3;
    rig_machine machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("sockets", machine.sockets, 1);
    ASSERT_SAME("cores", machine.cores, 24);
    ASSERT_SAME("speed", machine.core_speed, 0.8);
    ASSERT_SAME("ram", machine.ram_bytes, 100 * RIG_MEMORY_GB_BYTES);
    ASSERT_SAME("read", machine.drives[0].read_gbs, 3);
    ASSERT_SAME("reads", machine.drives[0].iops, 2e5);
    expect_warning(warnings, "taken as 0.80 of the reference core");
    expect_warning(warnings, "random reads of the storage are not given");

    build.unnamed.core_speed = 1.2;
    build.unnamed.drive_iops = 5000;
    machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("given speed", machine.core_speed, 1.2);
    ASSERT_SAME("given reads", machine.drives[0].iops, 5000);

    /* named parts win */
    fixture_add(fix, &build, RIG_TABLE_CPU, "Desk Eight");
    fixture_add(fix, &build, RIG_TABLE_STORAGE, "Stick 2T");
    machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("named cores", machine.cores, 8);
    ASSERT_SAME("named read", machine.drives[0].read_gbs, 7);
    ASSERT_SAME("channels of the processor", machine.mem_channels, 2);
}

static void test_build_machine__servers(void **state)
{
    const fixture *const fix = *state;
    rig_build build = rig_build_empty();
    char warnings[TEXT_SIZE];
    fixture_add(fix, &build, RIG_TABLE_SERVER, "Complete");
    rig_machine machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("sockets", machine.sockets, 2);
    ASSERT_SAME("cores", machine.cores, 16);
    ASSERT_SAME("GPUs", machine.n_gpus, 8);
    ASSERT_SAME("ram", machine.ram_bytes, 512 * RIG_MEMORY_GB_BYTES);
    ASSERT_SAME("channels", machine.mem_channels, 16);
    ASSERT_SAME("rate", machine.mem_mts, 3200);
    ASSERT_SAME("read", machine.drives[0].read_gbs, 12);
    ASSERT_SAME("pcie", machine.gpu_pcie_gbs, 16 * 2); /* (160 - 16) / 8 is 18 */
    ASSERT_SAME("base", machine.base_power_w, 300);
    assert_int_equal(machine.gpu_link, RIG_LINK_NVLINK);

    fixture_add(fix, &build, RIG_TABLE_SERVER, "Bare Facts");
    machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("unknown cores", machine.cores, NAN);
    ASSERT_SAME("unknown ram", machine.ram_bytes, NAN);
    ASSERT_SAME("unknown read", machine.drives[0].read_gbs, NAN);
    ASSERT_SAME("bounded GPUs", machine.n_gpus, 1);
    expect_warning(warnings, "number of GPUs 'Module A' is not known, bounded at 1");
    expect_warning(warnings, "storage of 'Bare Facts' is not known");

    rig_error err = {0};
    fixture_add(fix, &build, RIG_TABLE_SERVER, "No Gpu");
    assert_int_equal(
        rig_build_machine(
            &build, fix->catalog, &fix->constants, &fix->workload, &machine, NULL, NULL, &err),
        RIG_E_INVALID);
    assert_non_null(strstr(err.message, "names no GPU: 'No Gpu'"));
}

static void test_build_machine__baseboard(void **state)
{
    const fixture *const fix = *state;
    rig_build build = fixture_barebone(fix);
    char warnings[TEXT_SIZE];
    fixture_add(fix, &build, RIG_TABLE_GPU, NULL);
    fixture_add(fix, &build, RIG_TABLE_BOARD, "Bare Sxm");
    fixture_add(fix, &build, RIG_TABLE_BASEBOARD, "Board of Four");
    const rig_machine machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("GPUs", machine.n_gpus, 4);
    assert_int_equal(machine.gpu_link, RIG_LINK_NVLINK);
    ASSERT_SAME("link", machine.gpu_link_gbs, 300);
}

static void test_build_machine__unmeasured_gpu(void **state)
{
    const fixture *const fix = *state;
    rig_build build = fixture_desktop(fix);
    char warnings[TEXT_SIZE];
    fixture_add(fix, &build, RIG_TABLE_GPU, "Stranger");
    const rig_machine machine = machine_of(fix, &build, warnings);
    ASSERT_SAME("factor", machine.gpu_step_factor, 1);
    ASSERT_SAME("deviation",
                machine.gpu_step_log_sd,
                rig_constants_get(&fix->constants, "gpu_prior_log_sd"));
    assert_true(machine.gpu_step_log_sd > 0);
    expect_warning(warnings, "no measurement of 'Stranger'");
}

static void test_build_machine__refuses_no_gpu(void **state)
{
    const fixture *const fix = *state;
    const rig_build build = rig_build_empty();
    rig_machine machine;
    rig_error err = {0};
    assert_int_equal(
        rig_build_machine(
            &build, fix->catalog, &fix->constants, &fix->workload, &machine, NULL, NULL, &err),
        RIG_E_INVALID);
    assert_non_null(strstr(err.message, "names no GPU"));
}

static void test_lane_gbs__by_generation(void **state)
{
    static const struct {
        double gen, gbs;
    } rows[] = {{1, 0.25}, {2, 0.5}, {3, 1}, {4, 2}, {5, 4}, {6, 8}, {7, 16}, {NAN, NAN}};
    const fixture *const fix = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ASSERT_SAME("lane", rig__lane_gbs(&fix->constants, rows[i].gen), rows[i].gbs);
    }
}

/* A misspelt constant would read as NAN and silently switch a rule off. */
static void test_constants__all_exist(void **state)
{
    static const char *const names[] = {"barebone_nvme_bays_unknown",
                                        "barebone_sata_bays_unknown",
                                        "base_power_server_w",
                                        "base_power_w",
                                        "board_m2_unknown",
                                        "board_sata_unknown",
                                        "chipset_slot_gen",
                                        "chipset_slot_lanes",
                                        "connector_12vhpwr_w",
                                        "connector_8pin_w",
                                        "dataset_capacity_margin",
                                        "desktop_gpu_lanes",
                                        "dimm_power_w",
                                        "hdd_iops_unknown_kiops",
                                        "hdd_power_w",
                                        "hdd_seq_unknown_mbs",
                                        "memory_gb_per_slot_unknown",
                                        "nvme_iops_unknown_kiops",
                                        "nvme_power_w",
                                        "nvme_seq_unknown_gen3_mbs",
                                        "nvme_seq_unknown_gen4_mbs",
                                        "nvme_seq_unknown_gen5_mbs",
                                        "pcie_lane_gbs_gen3",
                                        "pcie_lane_gbs_gen4",
                                        "pcie_lane_gbs_gen5",
                                        "pcie_lane_gbs_gen6",
                                        "power_headroom_factor",
                                        "price_stale_days",
                                        "reserved_lanes",
                                        "sata_iops_unknown_kiops",
                                        "sata_seq_unknown_mbs",
                                        "server_card_slots_max",
                                        "slot_pitch_unknown",
                                        "slot_power_w",
                                        "system_storage_gb",
                                        "two_socket_epyc_lanes",
                                        "gpu_prior_log_sd",
                                        "unnamed_core_speed"};
    const fixture *const fix = *state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (isnan(rig_constants_get(&fix->constants, names[i]))) {
            fail_msg("no constant '%s'", names[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_machine__lanes),
        cmocka_unit_test(test_build_machine__links),
        cmocka_unit_test(test_build_machine__desktop),
        cmocka_unit_test(test_build_machine__memory),
        cmocka_unit_test(test_build_machine__drives),
        cmocka_unit_test(test_build_machine__nothing_but_a_gpu),
        cmocka_unit_test(test_build_machine__unnamed_figures),
        cmocka_unit_test(test_build_machine__servers),
        cmocka_unit_test(test_build_machine__baseboard),
        cmocka_unit_test(test_build_machine__unmeasured_gpu),
        cmocka_unit_test(test_build_machine__refuses_no_gpu),
        cmocka_unit_test(test_lane_gbs__by_generation),
        cmocka_unit_test(test_constants__all_exist),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
