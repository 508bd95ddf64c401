/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measurements as machines, and predictions of parts of a machine, against the stages themselves.
 */
#include "tiny_rows.h"

#include "model/constants.h"
#include "model/stages.h"

static const rig_measurement *by_id(const rig_measurements *set, const char *id)
{
    for (size_t i = 0; i < set->n_rows; i++) {
        if (strcmp(set->rows[i].id, id) == 0) {
            return &set->rows[i];
        }
    }
    fail_msg("no row %s", id);
    return NULL;
}

static rig_setup set_up_row(const tiny *own, const rig_measurement *row)
{
    rig_setup setup;
    rig_error err = {0};
    if (rig_measurement_setup(row, own->catalog, own->constants, &setup, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    return setup;
}

static rig_prediction predict(const tiny *own, const rig_measurement *row, const rig_setup *setup)
{
    rig_prediction out;
    assert_int_equal(rig_measurement_predict(row, setup, own->constants, &out, NULL), RIG_OK);
    return out;
}

static void test_setup__complete_system(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    const rig_setup setup = set_up_row(own, by_id(set, "made-up-1"));
    assert_null(setup.unsupported);
    ASSERT_SAME("GPUs", setup.machine.n_gpus, 8);
    ASSERT_SAME("cores", setup.machine.cores, 16);
    ASSERT_SAME("memory", setup.machine.ram_bytes, 512 * RIG_MEMORY_GB_BYTES);
    ASSERT_SAME("not all drives are read from",
                setup.machine.drives[0].count,
                pow(2, own->constants->unnamed_drives_exponent));
    ASSERT_SAME("of the generation of the processor",
                setup.machine.drives[0].read_gbs,
                own->constants->unnamed_drives_share * own->constants->nvme_seq_unknown_gen4_mbs /
                    1000);
    ASSERT_SAME("sixteen lanes of generation 4",
                setup.machine.gpu_pcie_gbs,
                16 * own->constants->pcie_lane_gbs_gen4);
    assert_string_equal(set_up_row(own, by_id(set, "made-up-2")).unsupported,
                        "network between nodes not told");
    rig_measurements_free(set);
}

static void test_setup__lowest_pcie_generation(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    rig_measurement row = *by_id(set, "made-up-1");
    row.pcie_gen = 3;
    ASSERT_SAME("of the row",
                set_up_row(own, &row).machine.gpu_pcie_gbs,
                16 * own->constants->pcie_lane_gbs_gen3);
    row.pcie_gen = 5;
    ASSERT_SAME("of GPU and processor",
                set_up_row(own, &row).machine.gpu_pcie_gbs,
                16 * own->constants->pcie_lane_gbs_gen4);
    rig_measurements_free(set);
}

static void test_setup__unknown_sockets(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    rig_measurement row = *by_id(set, "gpu_training.csv:3");
    const rig_setup known = set_up_row(own, &row);
    row.build.parts[RIG_TABLE_CPU].count = 0;
    const rig_setup setup = set_up_row(own, &row);
    assert_true(isnan(setup.machine.cores));
    ASSERT_SAME("one core is known", setup.machine.core_speed_1t, known.machine.core_speed_1t);
    const rig_prediction out = predict(own, &row, &setup);
    assert_true(isnan(out.stages[RIG_STAGE_DECODE].images_per_s));
    rig_measurements_free(set);
}

static void test_setup__rows_of_another_catalogue(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    rig_measurement row = *by_id(set, "made-up-1");
    rig_network network = *row.workload.network;
    rig_setup setup;
    rig_error err = {0};
    network.row.name = "elsewhere";
    row.workload.network = &network;
    assert_int_equal(rig_measurement_setup(&row, own->catalog, own->constants, &setup, &err),
                     RIG_E_NOTFOUND);
    assert_non_null(strstr(err.message, "no such network: 'elsewhere'"));
    rig_measurements_free(set);
}

static void test_predict__preparation(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    rig_measurement row = *by_id(set, "cpu_preparation.csv:2");
    const rig_setup setup = set_up_row(own, &row);
    const rig_machine *const machine = &setup.machine;
    ASSERT_SAME("eight workers",
                predict(own, &row, &setup).images_per_s,
                rig_decode_rate(own->constants, &setup.workload, 16, machine->core_speed, 0));
    row.workload.workers = 1;
    const rig_setup lone = set_up_row(own, &row);
    const rig_prediction out = predict(own, &row, &lone);
    ASSERT_SAME("a lone worker",
                out.images_per_s,
                machine->core_speed_1t / rig__model_prepare_s(own->constants, &lone.workload));
    assert_int_equal(out.binding, RIG_STAGE_DECODE);
    assert_true(out.images_per_s_low < out.images_per_s);
    assert_true(out.images_per_s_high > out.images_per_s);
    rig_measurements_free(set);
}

/* Measured over modelled speed of a processor counts for rows of preparation as for machines. */
static void test_setup__factor_of_the_processor(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    const rig_measurement *const row = by_id(set, "cpu_preparation.csv:2");
    rig_profile *const profile = rig_profile_new("test");
    const rig_profile_entry entry = {.table = RIG_PROFILE_EFFICIENCY,
                                     .name = "AMD EPYC 7302P | cpu",
                                     .value = 3,
                                     .log_sd = 0.1,
                                     .rows = 1,
                                     .source = "test"};
    rig_catalog *catalog = NULL;
    rig_setup setup;
    double all_core = 0, single = 0;
    assert_int_equal(rig_profile_add(profile, &entry, NULL), RIG_OK);
    assert_int_equal(rig_profile_apply(&catalog, own->catalog, profile, NULL), RIG_OK);
    assert_int_equal(rig_measurement_setup(row, catalog, own->constants, &setup, NULL), RIG_OK);
    assert_true(rig_core_speed(own->constants,
                               (const rig_cpu *)(const void *)row->build.parts[RIG_TABLE_CPU].row,
                               &all_core,
                               &single));
    ASSERT_SAME("all cores", setup.machine.core_speed, 3 * all_core);
    ASSERT_SAME("one core", setup.machine.core_speed_1t, 3 * single);
    rig_catalog_free(catalog);
    rig_profile_free(profile);
    rig_measurements_free(set);
}

static void test_predict__hand_over_between_processes(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    rig_measurement row = *by_id(set, "cpu_preparation.csv:2");
    row.workload.loader = (const rig_loader *)(const void *)rig_catalog_get(
        own->catalog, RIG_TABLE_LOADER, "pytorch");
    row.workload.workers = 16;
    const rig_setup setup = set_up_row(own, &row);
    const double element_bytes = setup.workload.loader->output_bytes;
    const double image_bytes = 224.0 * 224.0 * 3.0;
    const rig_prediction one = predict(own, &row, &setup);
    const double expected = setup.workload.loader->ipc_gbs * 1e9 / (image_bytes * element_bytes);
    ASSERT_SAME("one process", one.stages[RIG_STAGE_TRANSFER].images_per_s, expected);
    row.processes = 4;
    row.output_bytes = element_bytes / 2;
    const rig_prediction four = predict(own, &row, &setup);
    ASSERT_SAME(
        "four, of half the bytes", four.stages[RIG_STAGE_TRANSFER].images_per_s, 8 * expected);
    row.preparation = RIG_PREPARATION_HANDED_OVER;
    row.processes = 1;
    const rig_prediction whole = predict(own, &row, &setup);
    const double px = rig__model_source_px(own->constants, &setup.workload);
    ASSERT_SAME("whole images",
                whole.stages[RIG_STAGE_TRANSFER].images_per_s,
                own->constants->image_handover_gbs * 1e9 / (3 * px));
    rig_measurements_free(set);
}

static void test_predict__storage(void **state)
{
    const tiny *const own = *state;
    rig_measurements *const set = tiny_read(own);
    const rig_measurement *const demand = by_id(set, "storage.csv:2");
    const rig_setup asked = set_up_row(own, demand);
    const rig_prediction out = predict(own, demand, &asked);
    ASSERT_SAME("what is asked for", out.images_per_s, 10 * 400 / 0.224);
    assert_true(out.has_unknown);
    const rig_measurement *const disk = by_id(set, "storage.csv:3");
    const rig_setup read = set_up_row(own, disk);
    ASSERT_SAME("what the drive gives",
                predict(own, disk, &read).images_per_s,
                rig_drive_gbs(own->constants, &read.workload, &read.machine) * 1e9 /
                    read.workload.dataset->mean_bytes);
    rig_measurements_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_setup__complete_system),
        cmocka_unit_test(test_setup__lowest_pcie_generation),
        cmocka_unit_test(test_setup__unknown_sockets),
        cmocka_unit_test(test_setup__rows_of_another_catalogue),
        cmocka_unit_test(test_setup__factor_of_the_processor),
        cmocka_unit_test(test_predict__preparation),
        cmocka_unit_test(test_predict__hand_over_between_processes),
        cmocka_unit_test(test_predict__storage),
    };
    return cmocka_run_group_tests(tests, tiny_set_up, tiny_tear_down);
}
