/* SPDX-License-Identifier: GPL-3.0-or-later
 * User conditions on parts and totals: read from text, applied to options. */
#include "optimizer/condition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "trainrig/units.h"

/* A condition cut into its three parts; columns are 1-based bytes of the text. */
typedef struct parts {
    char left[sizeof((rig_condition *)0)->text];
    char operation[8];
    char right[sizeof((rig_condition *)0)->text];
    long left_column, operation_column, right_column;
} parts;

bool rig__comparison_holds(rig_comparison comparison, double value, double number)
{
    if (isnan(value) || isnan(number)) {
        return false;
    }
    const bool is_equal = rig__near(value, number);
    switch (comparison) {
    case RIG_LT:
        return value < number && !is_equal;
    case RIG_LE:
        return value < number || is_equal;
    case RIG_EQ:
        return is_equal;
    case RIG_NE:
        return !is_equal;
    case RIG_GE:
        return value > number || is_equal;
    case RIG_GT:
        return value > number && !is_equal;
    }
    return false;
}

/* Fails at a column of the condition's own text. */
static rig_status fail_at(rig_error *err, rig_status status, long column, const char *message)
{
    return rig__error_set(err, status, "condition", 0, column, "%s", message);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Copies text[begin, end) without blanks at its ends; gives the column of its first byte. */
static void copy_span(const char *text, size_t begin, size_t end, char *out, long *column_out)
{
    while (begin < end && is_blank(text[begin])) {
        begin++;
    }
    while (end > begin && is_blank(text[end - 1])) {
        end--;
    }
    memcpy(out, text + begin, end - begin);
    out[end - begin] = '\0';
    *column_out = (long)begin + 1;
}

static rig_status split(const char *text, parts *out, rig_error *err)
{
    char message[512];
    const size_t length = strlen(text);
    if (length >= sizeof out->left) {
        return fail_at(err, RIG_E_PARSE, 1, "condition is longer than 255 bytes");
    }
    const size_t begin = strcspn(text, "=!<>");
    const size_t n_signs = strspn(text + begin, "=!<>");
    if (n_signs == 0) {
        (void)snprintf(message,
                       sizeof message,
                       "condition has no comparison: '%s' (such as gpu.mem_gb >= 24)",
                       text);
        return fail_at(err, RIG_E_PARSE, (long)length + 1, message);
    }
    copy_span(text, 0, begin, out->left, &out->left_column);
    copy_span(text, begin + n_signs, length, out->right, &out->right_column);
    out->operation_column = (long)begin + 1;
    if (n_signs >= sizeof out->operation) {
        return fail_at(err,
                       RIG_E_PARSE,
                       out->operation_column,
                       "comparison is not known (one of = == != < <= > >=)");
    }
    memcpy(out->operation, text + begin, n_signs);
    out->operation[n_signs] = '\0';
    if (out->left[0] == '\0') {
        (void)snprintf(
            message, sizeof message, "left side is missing: '%s' (such as gpu.mem_gb >= 24)", text);
        return fail_at(err, RIG_E_PARSE, 1, message);
    }
    if (out->right[0] == '\0') {
        (void)snprintf(message,
                       sizeof message,
                       "right side is missing: '%s' (such as gpu.mem_gb >= 24)",
                       text);
        return fail_at(err, RIG_E_PARSE, (long)length + 1, message);
    }
    return RIG_OK;
}

static rig_status parse_comparison(const parts *cut, rig_comparison *out, rig_error *err)
{
    static const struct {
        const char *text;
        rig_comparison comparison;
    } table[] = {{"=", RIG_EQ},
                 {"==", RIG_EQ},
                 {"!=", RIG_NE},
                 {"<", RIG_LT},
                 {"<=", RIG_LE},
                 {">", RIG_GT},
                 {">=", RIG_GE}};
    for (size_t i_row = 0; i_row < sizeof table / sizeof table[0]; i_row++) {
        if (strcmp(cut->operation, table[i_row].text) == 0) {
            *out = table[i_row].comparison;
            return RIG_OK;
        }
    }
    return rig__error_set(err,
                          RIG_E_PARSE,
                          "condition",
                          0,
                          cut->operation_column,
                          "comparison is not known: '%s' (one of = == != < <= > >=)",
                          cut->operation);
}

/* How far a name is from what was written; one that begins with it is next door. */
static size_t name_distance(const char *written, const char *name)
{
    return rig__text_has_prefix_nocase(name, written) ? 1 : rig__text_distance(written, name, 64);
}

/* A hint that shares less than half of what was written is worse than none. */
static bool is_worth_hinting(const char *written, size_t distance)
{
    return distance <= (strlen(written) + 1) / 2;
}

/* Class of parts that a build holds; the hint names the nearest. */
static rig_status parse_class(const char *name, long column, rig_table *out, rig_error *err)
{
    size_t nearest = 0;
    size_t least = SIZE_MAX;
    for (size_t i_class = 0; i_class < RIG_N_BUILD_CLASSES; i_class++) {
        const char *const singular = rig_table_singular((rig_table)i_class);
        const char *const stem = rig_table_stem((rig_table)i_class);
        if (rig__text_compare_nocase(name, singular) == 0 ||
            rig__text_compare_nocase(name, stem) == 0) {
            *out = (rig_table)i_class;
            return RIG_OK;
        }
        const size_t distance = name_distance(name, singular);
        if (distance < least) {
            least = distance;
            nearest = i_class;
        }
    }
    const rig_status status = rig__error_set(err,
                                             RIG_E_NOTFOUND,
                                             "condition",
                                             0,
                                             column,
                                             "no such class of parts: '%s' (cpu, gpu, memory, "
                                             "storage, board, psu, chassis, server, baseboard, "
                                             "nic or switch)",
                                             name);
    if (is_worth_hinting(name, least)) {
        rig__error_hint(err, "nearest: %s", rig_table_singular((rig_table)nearest));
    }
    return status;
}

static rig_status column_not_found(rig_table table, const char *name, long column, rig_error *err)
{
    const char *nearest = "name";
    size_t least = name_distance(name, nearest);
    for (size_t i_column = 0; i_column < rig_column_count(table); i_column++) {
        const char *const candidate = rig_column_at(table, i_column)->name;
        const size_t distance = name_distance(name, candidate);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    const rig_status status = rig__error_set(err,
                                             RIG_E_NOTFOUND,
                                             "condition",
                                             0,
                                             column,
                                             "%s has no such column: '%s' (name, count or a "
                                             "column of %s.csv)",
                                             rig_table_singular(table),
                                             name,
                                             rig_table_stem(table));
    if (is_worth_hinting(name, least)) {
        rig__error_hint(err, "nearest: %s.%s", rig_table_singular(table), nearest);
    }
    return status;
}

/* "gpu.mem_gb": class and column; a class alone means the name. */
static rig_status parse_column(const parts *cut, rig_condition *out, rig_error *err)
{
    char class_name[sizeof cut->left];
    const size_t n_class = strcspn(cut->left, ".");
    memcpy(class_name, cut->left, n_class);
    class_name[n_class] = '\0';
    RIG_TRY(parse_class(class_name, cut->left_column, &out->table, err));
    const char *const name = cut->left[n_class] == '.' ? cut->left + n_class + 1 : "name";
    if (strcmp(name, "name") == 0) {
        out->column_is_name = true;
        return RIG_OK;
    }
    if (strcmp(name, "count") == 0) {
        out->column_is_count = true;
        return RIG_OK;
    }
    out->column = rig_column_find(out->table, name);
    if (out->column == NULL) {
        return column_not_found(out->table, name, cut->left_column + (long)n_class + 1, err);
    }
    return RIG_OK;
}

/* Factor from the program's unit of a quantity to the unit of a column. */
static rig_quantity quantity_of(const char *unit, double *factor_out)
{
    *factor_out = 1;
    if (strcmp(unit, "W") == 0) {
        return RIG_QUANTITY_POWER;
    }
    if (strcmp(unit, "GB") == 0) {
        return RIG_QUANTITY_CAPACITY;
    }
    if (strcmp(unit, "USD") == 0) {
        return RIG_QUANTITY_MONEY;
    }
    if (strcmp(unit, "GB/s") == 0) {
        return RIG_QUANTITY_RATE;
    }
    if (strcmp(unit, "MB/s") == 0) {
        *factor_out = 1000;
        return RIG_QUANTITY_RATE;
    }
    return RIG_QUANTITY_NUMBER;
}

/* Number in a unit: as it stands, else as a quantity with a unit of its own. Memory "GB" is 2^30
 * bytes, so that GiB and GB name the same there. */
static rig_status
parse_number(const parts *cut, const char *unit, bool is_memory, double *out, rig_error *err)
{
    double factor = 1;
    if (rig__number_parse(cut->right, strlen(cut->right), out)) {
        return RIG_OK;
    }
    const rig_quantity quantity = quantity_of(unit, &factor);
    if (rig_quantity_parse(cut->right, quantity, out, NULL) == RIG_OK) {
        if (is_memory && quantity == RIG_QUANTITY_CAPACITY &&
            rig__text_contains_nocase(cut->right, "ib")) {
            factor = 1e9 / RIG_MEMORY_GB_BYTES;
        }
        *out *= factor;
        return RIG_OK;
    }
    return rig__error_set(err,
                          RIG_E_PARSE,
                          "condition",
                          0,
                          cut->right_column,
                          "not a number: '%s' (a number%s%s for %s)",
                          cut->right,
                          unit[0] == '\0' ? "" : " of ",
                          unit,
                          cut->left);
}

static rig_status parse_date(const parts *cut, double *out, rig_error *err)
{
    int32_t ymd = 0;
    if (!rig__date_parse(cut->right, strlen(cut->right), &ymd)) {
        return rig__error_set(err,
                              RIG_E_PARSE,
                              "condition",
                              0,
                              cut->right_column,
                              "not a date: '%s' (YYYY, YYYY-MM or YYYY-MM-DD)",
                              cut->right);
    }
    *out = ymd;
    return RIG_OK;
}

static rig_status parse_text_value(const parts *cut, rig_condition *out, rig_error *err)
{
    if (out->comparison != RIG_EQ && out->comparison != RIG_NE) {
        return rig__error_set(err,
                              RIG_E_PARSE,
                              "condition",
                              0,
                              cut->operation_column,
                              "a text cannot be compared by size: '%s %s' (= or !=)",
                              cut->left,
                              cut->operation);
    }
    if (strlen(cut->right) >= sizeof out->value) {
        return fail_at(err, RIG_E_PARSE, cut->right_column, "text is longer than 191 bytes");
    }
    memcpy(out->value, cut->right, strlen(cut->right) + 1);
    return RIG_OK;
}

/* REQUIRE and FORBID. */
static rig_status parse_filter(const parts *cut, rig_condition *out, rig_error *err)
{
    RIG_TRY(parse_column(cut, out, err));
    RIG_TRY(parse_comparison(cut, &out->comparison, err));
    if (out->column_is_count) {
        return parse_number(cut, "", false, &out->number, err);
    }
    if (out->column_is_name || out->column->type == RIG_COLUMN_TEXT) {
        return parse_text_value(cut, out, err);
    }
    if (out->column->type == RIG_COLUMN_DATE) {
        return parse_date(cut, &out->number, err);
    }
    const bool is_memory = strcmp(out->column->unit, "GB") == 0 &&
                           strcmp(out->column->name, "storage_gb") != 0 &&
                           out->table != RIG_TABLE_STORAGE;
    return parse_number(cut, out->column->unit, is_memory, &out->number, err);
}

static const char *const total_names[] = {
#define TOTAL_NAME(enumerator, text) text,
    RIG_TOTAL_MAP(TOTAL_NAME)
#undef TOTAL_NAME
};

const char *rig_total_name(rig_total total)
{
    return (size_t)total < RIG_N_TOTALS ? total_names[total] : "";
}

double rig_total_value(rig_total total, const rig_build_totals *totals, int64_t price_cents)
{
    switch (total) {
    case RIG_TOTAL_POWER_W:
        return totals->peak_w;
    case RIG_TOTAL_RACK_U:
        return totals->rack_u;
    case RIG_TOTAL_PRICE_USD:
        return price_cents < 0 ? (double)NAN : (double)price_cents / 100;
    case RIG_TOTAL_GPU_COUNT:
        return totals->gpu_count;
    case RIG_TOTAL_GPU_MEM_GB:
        return totals->gpu_mem_gb;
    case RIG_TOTAL_CPU_CORES:
        return totals->cpu_cores;
    case RIG_TOTAL_RAM_GB:
        return totals->ram_gb;
    case RIG_TOTAL_STORAGE_GB:
        return totals->storage_gb;
    case RIG_N_TOTALS:
        break;
    }
    return NAN;
}

double rig_condition_total(const rig_condition *condition,
                           const rig_build_totals *totals,
                           int64_t price_cents)
{
    const double each = rig_total_value(condition->total, totals, price_cents);
    if (!condition->is_of_all) {
        return each;
    }
    switch (condition->total) {
    case RIG_TOTAL_POWER_W:
        return totals->all_peak_w;
    case RIG_TOTAL_RACK_U:
        return totals->all_rack_u;
    case RIG_TOTAL_PRICE_USD:
        return each;
    default:
        return each * totals->nodes;
    }
}

/* "total_power_w" is the sum over all nodes of "power_w"; the price is always of everything. */
static rig_status parse_total(const parts *cut, rig_condition *out, rig_error *err)
{
    static const char prefix[] = "total_";
    const size_t n_prefix = sizeof prefix - 1;
    const bool is_of_all = strncmp(cut->left, prefix, n_prefix) == 0;
    const char *const name = cut->left + (is_of_all ? n_prefix : 0);
    size_t nearest = 0;
    size_t least = SIZE_MAX;
    for (size_t i_total = 0; i_total < RIG_N_TOTALS; i_total++) {
        if (strcmp(name, total_names[i_total]) == 0) {
            out->total = (rig_total)i_total;
            out->is_of_all = is_of_all || i_total == RIG_TOTAL_PRICE_USD;
            return RIG_OK;
        }
        const size_t distance = name_distance(name, total_names[i_total]);
        if (distance < least) {
            least = distance;
            nearest = i_total;
        }
    }
    const rig_status status = rig__error_set(err,
                                             RIG_E_NOTFOUND,
                                             "condition",
                                             0,
                                             cut->left_column,
                                             "no such total of a build: '%s' (power_w, rack_u, "
                                             "price_usd, gpu_count, gpu_mem_gb, cpu_cores, "
                                             "ram_gb or storage_gb; with total_ in front: of all "
                                             "nodes)",
                                             cut->left);
    if (is_worth_hinting(cut->left, least)) {
        rig__error_hint(err, "nearest: %s%s", is_of_all ? prefix : "", total_names[nearest]);
    }
    return status;
}

static rig_status parse_limit(const parts *cut, rig_condition *out, rig_error *err)
{
    static const char *const units[RIG_N_TOTALS] = {"W", "U", "USD", "", "GB", "", "GB", "GB"};
    RIG_TRY(parse_total(cut, out, err));
    RIG_TRY(parse_comparison(cut, &out->comparison, err));
    if (out->comparison != RIG_LE && out->comparison != RIG_GE) {
        return rig__error_set(err,
                              RIG_E_PARSE,
                              "condition",
                              0,
                              cut->operation_column,
                              "a limit is an upper or lower bound: '%s' (<= or >=)",
                              cut->operation);
    }
    return parse_number(
        cut, units[out->total], out->total != RIG_TOTAL_STORAGE_GB, &out->number, err);
}

/* FIX and OWN. */
static rig_status
parse_choice(const rig_catalog *catalog, const parts *cut, rig_condition *out, rig_error *err)
{
    rig_build build = rig_build_empty();
    RIG_TRY(parse_class(cut->left, cut->left_column, &out->table, err));
    RIG_TRY(parse_comparison(cut, &out->comparison, err));
    if (out->comparison != RIG_EQ) {
        return rig__error_set(err,
                              RIG_E_PARSE,
                              "condition",
                              0,
                              cut->operation_column,
                              "a part is given with '=': '%s' (such as gpu = NVIDIA GeForce RTX "
                              "4090 x2)",
                              cut->operation);
    }
    RIG_TRY(rig_build_set(&build, catalog, out->table, cut->right, err));
    out->row = build.parts[out->table].row;
    out->count = build.parts[out->table].count;
    return RIG_OK;
}

rig_status rig_condition_parse(const rig_catalog *catalog,
                               rig_condition_kind kind,
                               const char *text,
                               rig_condition *out,
                               rig_error *err)
{
    parts cut;
    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->number = NAN;
    RIG_TRY(split(text, &cut, err));
    memcpy(out->text, text, strlen(text) + 1);
    switch (kind) {
    case RIG_CONDITION_REQUIRE:
    case RIG_CONDITION_FORBID:
        return parse_filter(&cut, out, err);
    case RIG_CONDITION_LIMIT:
        return parse_limit(&cut, out, err);
    case RIG_CONDITION_FIX:
    case RIG_CONDITION_OWN:
        return parse_choice(catalog, &cut, out, err);
    }
    return rig__error_set(
        err, RIG_E_INVALID, "condition", 0, 0, "no such kind of condition: '%d'", (int)kind);
}

/* Does the comparison of a REQUIRE or FORBID hold for a part? */
static bool holds(const rig_condition *condition, const rig_row *row, int count)
{
    if (condition->column_is_count) {
        return rig__comparison_holds(condition->comparison, count, condition->number);
    }
    const rig_column *const column = condition->column;
    if (condition->column_is_name || column->type == RIG_COLUMN_TEXT) {
        const char *const text = condition->column_is_name ? row->name : rig_row_text(row, column);
        const bool is_negated = condition->comparison == RIG_NE;
        return text != NULL && rig__text_match(text, condition->value) != is_negated;
    }
    if (column->type == RIG_COLUMN_DATE) {
        const double ymd = row->price.date_ymd == 0 ? (double)NAN : row->price.date_ymd;
        return rig__comparison_holds(condition->comparison, ymd, condition->number);
    }
    return rig__comparison_holds(
        condition->comparison, rig_row_number(row, column), condition->number);
}

bool rig_condition_allows(const rig_condition *condition, const rig_row *row, int count)
{
    if (condition->kind == RIG_CONDITION_FIX || condition->kind == RIG_CONDITION_OWN) {
        if (row == NULL) {
            return false;
        }
        return row->table != condition->table ||
               (strcmp(row->name, condition->row->name) == 0 && count == condition->count);
    }
    if (condition->kind == RIG_CONDITION_LIMIT || row == NULL || row->table != condition->table) {
        return true;
    }
    return holds(condition, row, count) == (condition->kind == RIG_CONDITION_REQUIRE);
}
