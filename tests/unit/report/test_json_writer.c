/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON: schema, names, types and nulls. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static json_t *load(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        fail_msg("line %d: %s in:\n%s", error.line, error.text, text);
    }
    return root;
}

static json_t *write_json(const rig_result *result, bool is_prediction)
{
    const rig_report_options options = sample_options(RIG_FORMAT_JSON);
    char *text = sample_write(result, is_prediction, &options);
    json_t *root = load(text);
    free(text);
    return root;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL) {
        fail_msg("'%s' is not a text", key);
    }
    return text;
}

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) {
        fail_msg("'%s' is not a number", key);
    }
    return json_number_value(value);
}

static void assert_null_at(const json_t *object, const char *key)
{
    if (!json_is_null(json_object_get(object, key))) {
        fail_msg("'%s' is not null", key);
    }
}

static void test_json__top_level(void **state)
{
    (void)state;
    sample *s = sample_new();
    json_t *root = write_json(&s->result, false);
    assert_string_equal(text_at(root, "schema"), "trainrig.recommend/1");
    assert_string_equal(text_at(root, "outcome"), "optimal");
    assert_string_equal(text_at(root, "catalog_hash"), "0123456789abcdef");
    assert_non_null(text_at(root, "version"));
    const json_t *proof = json_object_get(root, "proof");
    assert_string_equal(text_at(proof, "method"), "all combinations bounded");
    assert_true(number_at(proof, "bound_images_per_s") > 2913.4);
    assert_true(number_at(proof, "gap_frac") <= 0.0);
    assert_int_equal(json_array_size(json_object_get(root, "builds")), 1);
    assert_int_equal(json_array_size(json_object_get(root, "reasons")), 2);
    assert_int_equal(json_array_size(json_object_get(root, "assumptions")), 2);
    assert_int_equal(json_array_size(json_object_get(root, "conflict")), 0);
    assert_null_at(root, "least_budget_usd");
    json_decref(root);
    free(s);
}

static void test_json__request_is_as_understood(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->result.request.today_ymd = 20260301;
    s->result.request.circuit_w = (double)NAN;
    json_t *root = write_json(&s->result, false);
    const json_t *request = json_object_get(root, "request");
    assert_true(number_at(request, "budget_usd") > 11999.0);
    assert_string_equal(text_at(request, "objective"), "epoch-time");
    assert_null_at(request, "epoch_time_max_s");
    assert_null_at(request, "time_limit_s");
    assert_null_at(request, "circuit_w");
    assert_string_equal(text_at(request, "today"), "2026-03-01");
    assert_string_equal(text_at(request, "distinct"), "gpu");
    const json_t *condition = json_array_get(json_object_get(request, "conditions"), 0);
    assert_string_equal(text_at(condition, "kind"), "require");
    assert_string_equal(text_at(condition, "text"), "gpu.mem_gb >= 24");
    const json_t *workload = json_object_get(request, "workload");
    assert_string_equal(text_at(workload, "network"), "resnet50");
    assert_string_equal(text_at(workload, "precision"), "amp");
    assert_null_at(workload, "workers");
    json_decref(root);
    free(s);
}

static void test_json__build_figures_are_numbers(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "rank",
        "price_usd",
        "images_per_s",
        "images_per_s_low",
        "images_per_s_high",
        "epoch_s",
        "first_epoch_s",
        "first_epoch_s_low",
        "first_epoch_s_high",
        "run_s",
        "cost_per_epoch_usd",
        "energy_kwh_per_epoch",
        "power_w",
        "peak_w",
        "balance_frac",
        "gpu_busy_frac",
        "cpu_busy_frac",
        "batch_per_gpu",
    };
    sample *s = sample_new();
    json_t *root = write_json(&s->result, false);
    const json_t *build = json_array_get(json_object_get(root, "builds"), 0);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        (void)number_at(build, keys[i]);
    }
    assert_string_equal(text_at(build, "binding_stage"), "decode");
    const json_t *part = json_array_get(json_object_get(build, "parts"), 1);
    assert_string_equal(text_at(part, "class"), "gpu");
    assert_string_equal(text_at(part, "name"), "NVIDIA GeForce RTX 4090");
    assert_int_equal(json_integer_value(json_object_get(part, "count")), 2);
    assert_string_equal(text_at(part, "price_kind"), "street");
    assert_string_equal(text_at(part, "price_source"), "a shop");
    assert_string_equal(text_at(part, "price_date"), "2024-11");
    assert_true(fabs(number_at(part, "price_usd") - 2000.5) < 1e-9); /* each */
    json_decref(root);
    free(s);
}

static void test_json__slowest_stage_is_the_rate(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->builds[0].prediction.stages[RIG_STAGE_MEMORY].images_per_s = (double)NAN;
    s->builds[0].prediction.stages[RIG_STAGE_MEMORY].slack_frac = (double)NAN;
    json_t *root = write_json(&s->result, false);
    const json_t *build = json_array_get(json_object_get(root, "builds"), 0);
    json_t *stages = json_object_get(build, "stages");
    assert_int_equal(json_array_size(stages), RIG_N_STAGES);
    double least = (double)INFINITY;
    for (size_t i = 0; i < RIG_N_STAGES; i++) {
        const json_t *stage = json_array_get(stages, i);
        assert_string_equal(text_at(stage, "name"), rig_stage_name((rig_stage)i));
        if (json_is_number(json_object_get(stage, "images_per_s"))) {
            least = fmin(least, number_at(stage, "images_per_s"));
        }
    }
    assert_true(fabs(least - number_at(build, "images_per_s")) <= 0.0);
    const json_t *storage = json_array_get(stages, RIG_STAGE_STORAGE);
    assert_null_at(storage, "images_per_s"); /* infinite */
    assert_true(json_is_true(json_object_get(storage, "is_known")));
    const json_t *memory = json_array_get(stages, RIG_STAGE_MEMORY);
    assert_null_at(memory, "images_per_s"); /* unknown */
    assert_null_at(memory, "slack_frac");
    assert_true(json_is_false(json_object_get(memory, "is_known")));
    assert_null_at(memory, "binding_probability");
    assert_true(number_at(storage, "binding_probability") <= 0.0);
    /* Phi(ln(3150 / 2913.5) / sqrt(2 * 0.1^2)) */
    const json_t *decode = json_array_get(stages, RIG_STAGE_DECODE);
    const json_t *allreduce = json_array_get(stages, RIG_STAGE_ALLREDUCE);
    assert_true(fabs(number_at(decode, "binding_probability") - 0.7095) <= 1e-4);
    assert_true(fabs(number_at(allreduce, "binding_probability") - 0.2905) <= 1e-4);
    json_decref(root);
    free(s);
}

static void test_json__unknown_is_null(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->builds[0].price_cents = -1;
    s->builds[0].cost_per_epoch_usd = (double)NAN;
    s->builds[0].prediction.epoch_s = (double)INFINITY;
    s->gpu.row.price = (rig_price){.cents = -1};
    s->result.request.budget_cents = INT64_MAX;
    json_t *root = write_json(&s->result, true);
    assert_string_equal(text_at(root, "schema"), "trainrig.predict/1");
    assert_null(json_object_get(root, "outcome"));
    assert_null_at(json_object_get(root, "request"), "budget_usd");
    const json_t *build = json_array_get(json_object_get(root, "builds"), 0);
    assert_null_at(build, "price_usd");
    assert_null_at(build, "cost_per_epoch_usd");
    assert_null_at(build, "epoch_s");
    const json_t *part = json_array_get(json_object_get(build, "parts"), 1);
    assert_null_at(part, "price_usd");
    assert_null_at(part, "price_kind");
    assert_null_at(part, "price_trust");
    json_decref(root);
    free(s);
}

static void test_json__infeasible_names_the_conflict(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->conflict[0] = (rig_conflict){"budget", "raise it to USD 13,420.00"};
    s->conflict[1] = (rig_conflict){"gpu.mem_gb >= 24", "lower it to 16"};
    s->result.outcome = RIG_OUTCOME_INFEASIBLE;
    s->result.n_builds = 0;
    s->result.conflict = s->conflict;
    s->result.n_conflict = 2;
    s->result.least_budget_cents = 1342000;
    json_t *root = write_json(&s->result, false);
    assert_string_equal(text_at(root, "outcome"), "infeasible");
    assert_int_equal(json_array_size(json_object_get(root, "builds")), 0);
    const json_t *conflict = json_array_get(json_object_get(root, "conflict"), 1);
    assert_string_equal(text_at(conflict, "condition"), "gpu.mem_gb >= 24");
    assert_string_equal(text_at(conflict, "detail"), "lower it to 16");
    assert_true(fabs(number_at(root, "least_budget_usd") - 13420.0) < 1e-9);
    json_decref(root);
    s->result.least_budget_cents = -1;
    root = write_json(&s->result, false);
    assert_null_at(root, "least_budget_usd");
    json_decref(root);
    free(s);
}

static void test_json__hostile_names_survive(void **state)
{
    (void)state;
    sample *s = sample_new();
    s->gpu.row.name = SAMPLE_HOSTILE;
    json_t *root = write_json(&s->result, false);
    const json_t *build = json_array_get(json_object_get(root, "builds"), 0);
    const json_t *part = json_array_get(json_object_get(build, "parts"), 1);
    assert_string_equal(text_at(part, "name"),
                        "Bad \"GPU\", | <script>\nx\033[31m\xE2\x80\xAE\xEF\xBF\xBDz");
    json_decref(root);
    free(s);
}

static void test_json__is_the_same_each_time(void **state)
{
    (void)state;
    sample *s = sample_new_list(3);
    const rig_report_options options = sample_options(RIG_FORMAT_JSON);
    char *first = sample_write(&s->result, false, &options);
    char *second = sample_write(&s->result, false, &options);
    assert_string_equal(first, second);
    assert_contains(first, "\"price_usd\": 159.99,");
    free(first);
    free(second);
    free(s);
}

static void test_json__requirements(void **state)
{
    (void)state;
    sample *s = sample_new();
    rig_requirement items[] = {
        {RIG_STAGE_DECODE, "cores", "cores", 30.5, (double)NAN, {&s->cpu.row, 2, false}, 279800, 0},
        {RIG_STAGE_GPU, "GPUs", "", (double)INFINITY, (double)NAN, {0}, -1, "none"},
        {RIG_STAGE_STORAGE, "read", "GB/s", (double)NAN, 1.25, {0}, -1, NULL},
    };
    const rig_requirements requirements = {
        .target_images_per_s = 3000, .epoch_s = (double)NAN, .items = items, .n_items = 3};
    const rig_report_options options = sample_options(RIG_FORMAT_JSON);
    sample_text text = {NULL, 0};
    assert_int_equal(rig_report_requirements(&requirements, &options, sample_sink, &text, NULL),
                     RIG_OK);
    json_t *root = load(text.bytes);
    assert_string_equal(text_at(root, "schema"), "trainrig.require/1");
    assert_null_at(root, "epoch_s");
    json_t *list = json_object_get(root, "requirements");
    const json_t *first = json_array_get(list, 0);
    assert_true(json_is_true(json_object_get(first, "can_be_met")));
    assert_string_equal(text_at(json_object_get(first, "part"), "name"),
                        "AMD Ryzen Threadripper 7960X");
    assert_true(json_is_false(json_object_get(json_array_get(list, 1), "can_be_met")));
    assert_null_at(json_array_get(list, 1), "need");
    assert_null_at(json_array_get(list, 1), "part");
    assert_null_at(json_array_get(list, 2), "can_be_met");
    assert_true(number_at(json_array_get(list, 2), "need_first_epoch") > 1.2);
    json_decref(root);
    free(text.bytes);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json__top_level),
        cmocka_unit_test(test_json__request_is_as_understood),
        cmocka_unit_test(test_json__build_figures_are_numbers),
        cmocka_unit_test(test_json__slowest_stage_is_the_rate),
        cmocka_unit_test(test_json__unknown_is_null),
        cmocka_unit_test(test_json__infeasible_names_the_conflict),
        cmocka_unit_test(test_json__hostile_names_survive),
        cmocka_unit_test(test_json__is_the_same_each_time),
        cmocka_unit_test(test_json__requirements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
