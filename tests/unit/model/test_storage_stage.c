/* SPDX-License-Identifier: GPL-3.0-or-later
 * Drives, page cache and storage rate against hand-computed values. */
#include "support/assert_near.h"

#include "round_model.h"

static void test_drive_gbs__hand_computed(void **state)
{
    (void)state;
    const struct {
        const char *label;
        double count, read_gbs, iops;
        const char *layout;
        double gbs;
    } rows[] = {
        {"sequential limits: 2 x 0.5 x 4", 2, 4, 1e5, "files", 4},
        {"random limits: 2 x 0.5 x 1e4 x 100 kB", 2, 4, 1e4, "files", 1},
        {"records read 1 MB at once", 2, 4, 1e3, "records", 1},
        {"raw reads records", 2, 4, 1e3, "raw", 1},
        {"no drives", 0, NAN, NAN, "files", 0},
        {"unknown rate", 1, NAN, 1e5, "files", NAN},
        {"unknown random reads", 1, 4, NAN, "files", NAN},
    };
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_machine m = round_machine();
        m.drives[0].count = rows[i].count;
        m.drives[0].read_gbs = rows[i].read_gbs;
        m.drives[0].iops = rows[i].iops;
        w.dataset.layout = rows[i].layout;
        ASSERT_SAME(rows[i].label, rig_drive_gbs(&k, &w.workload, &m), rows[i].gbs);
    }
}

static void test_drive_gbs__sums_kinds(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    rig_machine m = round_machine();
    m.n_drive_kinds = 2;
    m.drives[1].count = 1;
    m.drives[1].read_gbs = 0.5;
    m.drives[1].iops = 100;
    ASSERT_SAME("4 + 0.5 x 100 x 1e5 B", rig_drive_gbs(&k, &w.workload, &m), 4.005);
}

static void test_cache_bytes__is_linear(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    ASSERT_SAME("50 - 10 - 2 - 8", rig_cache_bytes(&k, &w.workload, 100e9, 1, 16), 30e9);
    ASSERT_SAME("eight GPUs", rig_cache_bytes(&k, &w.workload, 100e9, 8, 16), 16e9);
    ASSERT_SAME("negative", rig_cache_bytes(&k, &w.workload, 10e9, 1, 16), -15e9);
    w.workload.workers = 4;
    ASSERT_SAME("four workers", rig_cache_bytes(&k, &w.workload, 100e9, 1, 16), 36e9);
    ASSERT_SAME("unknown memory", rig_cache_bytes(&k, &w.workload, NAN, 1, 16), NAN);
}

static void test_cache_hit__hand_computed(void **state)
{
    (void)state;
    /* Data are 1e11 B. LRU at 0.3: 0.3 + 0.7 ln 0.7 = 0.050327541. */
    const struct {
        const char *label;
        rig_page_cache cache;
        bool is_sequential;
        double bytes, hit;
    } rows[] = {
        {"shuffled", RIG_CACHE_PAGE, false, 30e9, 0.5 * 0.05032753926288 + 0.15},
        {"sequential", RIG_CACHE_PAGE, true, 30e9, 0.15},
        {"pinned", RIG_CACHE_PINNED, false, 30e9, 0.3},
        {"no cache", RIG_CACHE_NONE, false, 30e9, 0},
        {"no cache, unknown memory", RIG_CACHE_NONE, false, NAN, 0},
        {"all of it", RIG_CACHE_PAGE, false, 100e9, 1},
        {"more than all", RIG_CACHE_PAGE, true, 300e9, 1},
        {"negative", RIG_CACHE_PAGE, false, -1e9, 0},
        {"unknown", RIG_CACHE_PAGE, false, NAN, NAN},
    };
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        w.workload.cache = rows[i].cache;
        w.workload.is_sequential = rows[i].is_sequential;
        ASSERT_NEAR(
            rows[i].label, rig_cache_hit(&k, &w.workload, rows[i].bytes), rows[i].hit, 1e-9, 1e-12);
    }
}

static void test_storage_rate__hand_computed(void **state)
{
    (void)state;
    round_workload w;
    round_workload_init(&w);
    ASSERT_SAME("no hits", rig_storage_rate(&w.workload, 4, 0), 4e4);
    ASSERT_SAME("half hits", rig_storage_rate(&w.workload, 4, 0.5), 8e4);
    ASSERT_SAME("all hits", rig_storage_rate(&w.workload, 4, 1), INFINITY);
    ASSERT_SAME("all hits, unknown drives", rig_storage_rate(&w.workload, NAN, 1), INFINITY);
    ASSERT_SAME("no drives", rig_storage_rate(&w.workload, 0, 0.5), 0);
    ASSERT_SAME("unknown drives", rig_storage_rate(&w.workload, NAN, 0.5), NAN);
    ASSERT_SAME("unknown hits", rig_storage_rate(&w.workload, 4, NAN), NAN);
    w.loader.decode = "none";
    ASSERT_SAME("synthetic", rig_storage_rate(&w.workload, NAN, NAN), INFINITY);
}

static void test_storage__is_monotone(void **state)
{
    (void)state;
    const rig_constants k = round_constants();
    round_workload w;
    round_workload_init(&w);
    for (int sequential = 0; sequential < 2; sequential++) {
        w.workload.is_sequential = sequential == 1;
        for (double bytes = -1e9; bytes < 110e9; bytes += 0.5e9) {
            const double less = rig_cache_hit(&k, &w.workload, bytes);
            const double more = rig_cache_hit(&k, &w.workload, bytes + 0.5e9);
            assert_true(more >= less && less >= 0 && more <= 1);
            assert_true(rig_storage_rate(&w.workload, 4, more) >=
                        rig_storage_rate(&w.workload, 4, less));
            assert_true(rig_storage_rate(&w.workload, 5, less) >=
                        rig_storage_rate(&w.workload, 4, less));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drive_gbs__hand_computed),
        cmocka_unit_test(test_drive_gbs__sums_kinds),
        cmocka_unit_test(test_cache_bytes__is_linear),
        cmocka_unit_test(test_cache_hit__hand_computed),
        cmocka_unit_test(test_storage_rate__hand_computed),
        cmocka_unit_test(test_storage__is_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
