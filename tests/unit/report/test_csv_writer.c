/* SPDX-License-Identifier: GPL-3.0-or-later
 * CSV: pinned columns, quoting, guards and empty cells. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/csv_reader.h"
#include "sample.h"

#define WIDE_HEADER                                                                                \
    "rank,status,gap_frac,objective,price_usd,budget_usd,images_per_s,images_per_s_low,"           \
    "images_per_s_high,epoch_s,first_epoch_s,run_s,cost_per_epoch_usd,energy_kwh_per_epoch,"       \
    "power_w,peak_w,balance_frac,binding_stage,storage_images_per_s,decode_images_per_s,"          \
    "memory_images_per_s,transfer_images_per_s,gpu_images_per_s,allreduce_images_per_s,"           \
    "gpu_busy_frac,cpu_busy_frac,batch_per_gpu,cpu_name,cpu_count,cpu_price_usd,gpu_name,"         \
    "gpu_count,gpu_price_usd,memory_name,memory_count,memory_price_usd,storage_name,"              \
    "storage_count,storage_price_usd,board_name,board_count,board_price_usd,psu_name,psu_count,"   \
    "psu_price_usd,chassis_name,chassis_count,chassis_price_usd,server_name,server_count,"         \
    "server_price_usd,baseboard_name,baseboard_count,baseboard_price_usd,nic_name,nic_count,"      \
    "nic_price_usd,price_date_oldest,price_trust_lowest,workload,warnings,catalog_hash,version"

/* Columns are appended, never renamed or moved: extend this text, do not edit it. */
#define WIDE_HEADER_END                                                                            \
    ",owned,unnamed_cores,unnamed_core_speed,unnamed_ram_gb,unnamed_drive_gbs,"                    \
    "unnamed_drive_iops,unnamed_workers,binding_probability,first_epoch_s_low,"                    \
    "first_epoch_s_high,nodes,switch_name,switch_count,switch_price_usd,network_gbs,"              \
    "total_power_w,total_rack_u,at_worst_images_per_s,at_worst_binding_stage\n"

/** Reads one cell of a text back with the project's own reader. */
typedef struct wanted {
    const char *column;
    size_t i_row, i_column;
    char text[512];
    bool is_found;
} wanted;

static rig_status find_cell(const rig__csv_row *row, void *payload, rig_error *err)
{
    (void)err;
    wanted *want = payload;
    for (size_t i = 0; i < row->n_cells && row->i_row == 0; i++) {
        want->i_column = strcmp(row->cells[i].text, want->column) == 0 ? i : want->i_column;
    }
    if (row->i_row == want->i_row && want->i_column < row->n_cells) {
        (void)strncpy(want->text, row->cells[want->i_column].text, sizeof(want->text) - 1);
        want->is_found = true;
    }
    return RIG_OK;
}

static void assert_cell(const char *text, size_t i_row, const char *column, const char *expected)
{
    wanted want = {.column = column, .i_row = i_row, .i_column = SIZE_MAX};
    const rig__csv_options options = {.name = "out.csv", .on_row = find_cell, .payload = &want};
    rig_error err = {.message = ""};
    if (rig__csv_read_memory(text, strlen(text), &options, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    if (!want.is_found || strcmp(want.text, expected) != 0) {
        fail_msg("row %zu, %s: '%s', expected '%s'", i_row, column, want.text, expected);
    }
}

static void test_csv__predictions_have_six_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {1981.476366262713, "1981.48"},
        {12345678.9, "12345700"},
        {0.0764400393684, "0.07644"},
        {0, "0"},
        {(double)NAN, ""},
        {(double)INFINITY, ""},
    };
    sample *s = sample_new();
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    s->builds[0].price_cents = 123456789;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        s->builds[0].prediction.run_s = cases[i].value;
        char *text = sample_write(&s->result, false, &options);
        assert_cell(text, 1, "run_s", cases[i].text);
        assert_cell(text, 1, "price_usd", "1234567.89");
        free(text);
    }
    free(s);
}

static void test_csv__header_is_pinned(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->result.n_builds = 0;
    rig_report_options options = sample_options(RIG_FORMAT_CSV);
    char *text = sample_write(&s->result, false, &options);
    assert_string_equal(text, WIDE_HEADER WIDE_HEADER_END);
    free(text);
    options.is_long = true;
    text = sample_write(&s->result, false, &options);
    assert_string_equal(text,
                        "rank,class,name,count,price_usd,line_usd,price_kind,price_trust,"
                        "price_date,price_source,is_owned,count_per_node,nodes\n");
    free(text);
    free(s);
}

static void test_csv__cells_hold_the_figures(void **state)
{
    (void)state;
    const struct {
        const char *column, *expected;
    } cases[] = {
        {"rank", "1"},
        {"status", "optimal"},
        {"gap_frac", "0"},
        {"objective", "epoch-time"},
        {"price_usd", "7259.94"},
        {"budget_usd", "12000"},
        {"images_per_s", "2913.5"},
        {"epoch_s", "439.7"},
        {"cost_per_epoch_usd", "0.31725"},
        {"peak_w", "1490"},
        {"binding_stage", "decode"},
        {"storage_images_per_s", ""}, /* infinite */
        {"allreduce_images_per_s", "3150"},
        {"memory_count", "2"},
        {"memory_price_usd", "159.99"},
        {"server_name", ""},
        {"server_count", ""},
        {"nic_price_usd", ""},
        {"price_date_oldest", "2024-11"},
        {"price_trust_lowest", "low"},
        {"workload", "resnet50-imagenet"},
        {"catalog_hash", "0123456789abcdef"},
        {"owned", ""},
        {"unnamed_cores", ""},
        {"binding_probability", "0.709484"},
        {"first_epoch_s_high", "640.75"},
    };
    sample *s = sample_new();
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    char *text = sample_write(&s->result, false, &options);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_cell(text, 1, cases[i].column, cases[i].expected);
    }
    free(text);
    free(s);
}

static void test_csv__unknown_is_empty(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->builds[0].price_cents = -1;
    s->gpu.row.price = (rig_price){.cents = -1};
    s->builds[0].prediction.epoch_s = (double)INFINITY;
    s->builds[0].prediction.power_w = (double)NAN;
    s->result.request.budget_cents = INT64_MAX;
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    char *text = sample_write(&s->result, true, &options);
    assert_cell(text, 1, "status", "predicted");
    assert_cell(text, 1, "gap_frac", "");
    assert_cell(text, 1, "price_usd", "");
    assert_cell(text, 1, "gpu_price_usd", "");
    assert_cell(text, 1, "gpu_count", "2");
    assert_cell(text, 1, "epoch_s", "");
    assert_cell(text, 1, "power_w", "");
    assert_cell(text, 1, "budget_usd", "");
    assert_lacks(text, "nan");
    assert_lacks(text, "inf");
    free(text);
    free(s);
}

static void test_csv__text_is_quoted_and_guarded(void **state)
{
    (void)state;
    const struct {
        const char *name, *text, *expected;
    } cases[] = {
        {"plain", "a b", ",a b,"},
        {"comma", "a,b", ",\"a,b\","},
        {"quote", "a\"b", ",\"a\"\"b\","},
        {"line break", "a\nb", ",\"a\nb\","},
        {"return", "a\rb", ",\"a\rb\","},
        {"formula", "=1+2\"x", ",\"'=1+2\"\"x\","},
        {"plus", "+1", ",'+1,"},
        {"minus", "-1", ",'-1,"},
        {"at", "@x", ",'@x,"},
        {"tab", "\tx", ",'\tx,"},
        {"escape", "a\033[31m", ",a\xEF\xBF\xBD[31m,"},
        {"later equals", "a=1", ",a=1,"},
    };
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sample *s = sample_new();
        s->gpu.row.name = cases[i].text;
        char *text = sample_write(&s->result, false, &options);
        assert_contains(text, cases[i].expected);
        free(text);
        free(s);
    }
}

static void test_csv__numbers_are_never_guarded(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->builds[0].prediction.images_per_s = -2.5;
    rig_report_options options = sample_options(RIG_FORMAT_CSV);
    options.is_excel = true;
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text, ",-2.5,");
    free(text);
    free(s);
}

static void test_csv__guard_can_be_left_out(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->gpu.row.name = "=1";
    rig_report_options options = sample_options(RIG_FORMAT_CSV);
    options.no_csv_guard = true;
    char *text = sample_write(&s->result, false, &options);
    assert_contains(text, ",=1,");
    free(text);
    options.is_excel = true; /* where it matters it stays */
    text = sample_write(&s->result, false, &options);
    assert_contains(text, ",\"'=1\",");
    free(text);
    free(s);
}

static void test_csv__excel_has_mark_and_line_ends(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_report_options options = sample_options(RIG_FORMAT_CSV);
    options.is_excel = true;
    char *text = sample_write(&s->result, false, &options);
    assert_memory_equal(text, "\xEF\xBB\xBFrank,", 8);
    assert_int_equal(sample_count(text, "\r\n"), 2);
    assert_int_equal(sample_count(text, "\n"), 2);
    assert_cell(text, 1, "cpu_name", "AMD Ryzen Threadripper 7960X");
    free(text);
    options.is_excel = false;
    options.use_crlf = true;
    text = sample_write(&s->result, false, &options);
    assert_memory_equal(text, "rank,", 5);
    assert_int_equal(sample_count(text, "\r\n"), 2);
    free(text);
    free(s);
}

static void test_csv__long_has_a_row_per_part(void **state)
{
    (void)state;
    sample *s = sample_new_list(2);
    s->builds[0].build.parts[RIG_TABLE_CPU].is_owned = true;
    rig_report_options options = sample_options(RIG_FORMAT_CSV);
    options.is_long = true;
    char *text = sample_write(&s->result, false, &options);
    assert_int_equal(sample_count(text, "\n"), 1 + 7 + 1);
    assert_contains(text,
                    "\n1,cpu,AMD Ryzen Threadripper 7960X,1,1399,0,list-1kU,good,2025-07-23,"
                    "a shop,true,1,1\n");
    assert_contains(text,
                    "\n1,gpu,NVIDIA GeForce RTX 4090,2,2000.5,4001,street,low,2024-11,"
                    "a shop,false,2,1\n");
    assert_contains(text, "\n2,server,");
    free(text);
    free(s);
}

static void test_csv__ignores_the_locale(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    sample *s = sample_new();
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    char *text = sample_write(&s->result, false, &options);
    assert_cell(text, 1, "images_per_s", "2913.5");
    assert_non_null(setlocale(LC_ALL, "C"));
    free(text);
    free(s);
}

static void test_csv__requirements(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_requirement items[] = {
        {RIG_STAGE_DECODE, "cores", "cores", 30.5, (double)NAN, {&s->cpu.row, 2, false}, 279800, 0},
        {RIG_STAGE_GPU, "GPUs", "", (double)INFINITY, (double)NAN, {0}, -1, "none is fast enough"},
        {RIG_STAGE_STORAGE, "read", "GB/s", (double)NAN, 1.25, {0}, -1, NULL},
    };
    const rig_requirements requirements = {
        .target_images_per_s = 3000, .epoch_s = 427, .items = items, .n_items = 3};
    const rig_report_options options = sample_options(RIG_FORMAT_CSV);
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_requirements(&requirements, &options, sample_sink, &text, NULL),
                     RIG_OK);
    assert_string_equal(
        text.bytes,
        "target_images_per_s,epoch_s,stage,what,unit,need,need_first_epoch,can_be_met,class,name,"
        "count,price_usd,comment\n"
        "3000,427,decode,cores,cores,30.5,,true,cpu,AMD Ryzen Threadripper 7960X,2,2798,\n"
        "3000,427,gpu,GPUs,,,,false,,,,,none is fast enough\n"
        "3000,427,storage,read,GB/s,,1.25,,,,,,\n");
    free(text.bytes);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv__header_is_pinned),
        cmocka_unit_test(test_csv__predictions_have_six_digits),
        cmocka_unit_test(test_csv__cells_hold_the_figures),
        cmocka_unit_test(test_csv__unknown_is_empty),
        cmocka_unit_test(test_csv__text_is_quoted_and_guarded),
        cmocka_unit_test(test_csv__numbers_are_never_guarded),
        cmocka_unit_test(test_csv__guard_can_be_left_out),
        cmocka_unit_test(test_csv__excel_has_mark_and_line_ends),
        cmocka_unit_test(test_csv__long_has_a_row_per_part),
        cmocka_unit_test(test_csv__ignores_the_locale),
        cmocka_unit_test(test_csv__requirements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
