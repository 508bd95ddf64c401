/* SPDX-License-Identifier: GPL-3.0-or-later
 * Listings for a terminal: requirements and catalogue rows, the latter in every format. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static char *write_rows(const rig_row *const *rows,
                        size_t n_rows,
                        const char *const *columns,
                        size_t n_columns,
                        const rig_report_options *options)
{
    sample_text text = {NULL, 0};
    assert_int_equal(
        rig_report_rows(NULL, rows, n_rows, columns, n_columns, options, sample_sink, &text, NULL),
        RIG_OK);
    assert_non_null(text.bytes);
    return text.bytes;
}

static void fill(sample *s, rig_storage *other)
{
    s->storage.type = "nvme";
    s->storage.rand_read_kiops = (double)NAN;
    s->storage.pcie_gen = (double)NAN;
    s->storage.pcie_lanes = (double)NAN;
    s->storage.rpm = (double)NAN;
    s->storage.capacity_gb = 2000;
    s->storage.seq_read_mbs = 7450;
    *other = s->storage;
    other->row.name = "A|B";
    other->row.price.cents = -1;
    other->seq_read_mbs = (double)NAN;
}

static void test_rows__chosen_columns(void **state)
{
    (void)state;
    static const char *const columns[] = {"name", "type", "capacity_gb", "seq_read_mbs"};
    const struct {
        rig_format format;
        const char *expected;
    } cases[] = {
        {RIG_FORMAT_TABLE,
         "name                 type  capacity_gb  seq_read_mbs\n"
         "Samsung 990 Pro 2TB  nvme         2000          7450\n"
         "A|B                  nvme         2000\n"},
        {RIG_FORMAT_CSV,
         "name,type,capacity_gb,seq_read_mbs\n"
         "Samsung 990 Pro 2TB,nvme,2000,7450\n"
         "A|B,nvme,2000,\n"},
        {RIG_FORMAT_MARKDOWN,
         "| name | type | capacity\\_gb \\[GB\\] | seq\\_read\\_mbs \\[MB/s\\] |\n"
         "| --- | --- | ---: | ---: |\n"
         "| Samsung 990 Pro 2TB | nvme | 2000 | 7450 |\n"
         "| A\\|B | nvme | 2000 |  |\n"},
    };
    sample *s = sample_new();
    rig_storage other;
    fill(s, &other);
    const rig_row *const rows[] = {&s->storage.row, &other.row};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const rig_report_options options = sample_options(cases[i].format);
        char *text = write_rows(rows, 2, columns, 4, &options);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
    free(s);
}

static void test_rows__json(void **state)
{
    (void)state;
    static const char *const columns[] = {"name", "seq_read_mbs", "type"};
    sample *s = sample_new();
    rig_storage other;
    fill(s, &other);
    const rig_row *const rows[] = {&other.row};
    const rig_report_options options = sample_options(RIG_FORMAT_JSON);
    char *text = write_rows(rows, 1, columns, 3, &options);
    assert_contains(text, "\"schema\": \"trainrig.catalog/1\"");
    assert_contains(text, "\"table\": \"storage\"");
    assert_contains(text, "\"name\": \"A|B\",\n      \"seq_read_mbs\": null,");
    free(text);
    free(s);
}

static void test_rows__all_columns_fit_the_width(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_storage other;
    fill(s, &other);
    const rig_row *const rows[] = {&s->storage.row, &other.row};
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    char *text = write_rows(rows, 2, NULL, 0, &options);
    assert_true(sample_widest(text) <= 80);
    assert_contains(text, "more columns are not shown\n");
    assert_contains(text, "149.99");
    free(text);
    text = write_rows(rows, 1, NULL, 0, &options);
    assert_contains(text, "rpm                      unknown\n");
    assert_contains(text, "capacity_gb [GB]         2000\n");
    assert_lacks(text, "not shown");
    free(text);
    free(s);
}

static void test_rows__none(void **state)
{
    (void)state;
    static const char *const columns[] = {"name", "type"};
    const struct {
        rig_format format;
        const char *expected;
    } cases[] = {
        {RIG_FORMAT_TABLE, "no rows\n"},
        {RIG_FORMAT_CSV, "name,type\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const rig_report_options options = sample_options(cases[i].format);
        char *text = write_rows(NULL, 0, columns, 2, &options);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

static void test_requirements__in_words(void **state)
{
    (void)state;
    static const char *warnings[] = {"the drive's random reads are bounded"};
    sample *s = sample_new();
    rig_requirement items[] = {
        {RIG_STAGE_STORAGE,
         "read",
         "GB/s",
         0,
         1.25,
         {&s->storage.row, 1, 0},
         14999,
         "nothing cached"},
        {RIG_STAGE_DECODE, "cores", "cores", 30.5, (double)NAN, {&s->cpu.row, 2, false}, 279800, 0},
        {RIG_STAGE_GPU, "GPUs", "", (double)INFINITY, (double)NAN, {0}, -1, NULL},
        {RIG_STAGE_MEMORY, "bandwidth", "GB/s", (double)NAN, (double)NAN, {0}, -1, "no figure"},
    };
    const rig_requirements requirements = {
        .target_images_per_s = 3000,
        .epoch_s = 427,
        .items = items,
        .n_items = 4,
        .warnings = {warnings, 1},
    };
    const rig_report_options options = sample_options(RIG_FORMAT_TABLE);
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_requirements(&requirements, &options, sample_sink, &text, NULL),
                     RIG_OK);
    assert_contains(text.bytes, "To train 3,000 images/s (epoch 7 min 7 s) each part");
    assert_contains(text.bytes, "30.5 cores  2 x AMD Ryzen");
    assert_contains(text.bytes, "Samsung 990 Pro 2TB (1)");
    assert_contains(text.bytes, "Notes         (1) nothing cached\n");
    assert_contains(text.bytes, "in the first epoch");
    assert_contains(text.bytes, "none in the catalogue");
    assert_contains(text.bytes, "cannot be met");
    assert_contains(text.bytes, "unknown  no figure");
    assert_contains(text.bytes, "! the drive's random reads are bounded\n");
    assert_true(sample_widest(text.bytes) <= 80);
    free(text.bytes);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows__chosen_columns),
        cmocka_unit_test(test_rows__json),
        cmocka_unit_test(test_rows__all_columns_fit_the_width),
        cmocka_unit_test(test_rows__none),
        cmocka_unit_test(test_requirements__in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
