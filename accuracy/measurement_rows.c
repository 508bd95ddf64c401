/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cells of measurement files as texts, numbers, labels and catalogue rows. */
#include "accuracy/measurement_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

void rig__reading_skip(rig__reading *from, const char *reason, const char *name)
{
    if (from->skip_reason == NULL) {
        from->skip_reason = reason;
        from->skip_name = name == NULL ? NULL : rig__reading_copy(from, name);
    }
}

const char *rig__reading_copy(rig__reading *from, const char *text)
{
    if (text[0] == '\0') {
        return NULL;
    }
    const char *const copy = rig__arena_copy(from->arena, text, strlen(text));
    from->is_nomem = from->is_nomem || copy == NULL;
    return copy;
}

const char *rig__reading_text(const rig__reading *from, const char *header)
{
    const size_t i_column = rig__csv_table_find(from->table, header);
    return i_column == rig__csv_table_n_columns(from->table)
               ? ""
               : rig__csv_table_cell(from->table, from->i_row, i_column).text;
}

rig_status rig__reading_number(const rig__reading *from,
                               const char *header,
                               double low,
                               double high,
                               double *out,
                               rig_error *err)
{
    const char *const text = rig__reading_text(from, header);
    *out = NAN;
    if (text[0] == '\0') {
        return RIG_OK;
    }
    const size_t i_column = rig__csv_table_find(from->table, header);
    if (!rig__number_parse(text, strlen(text), out)) {
        return rig__csv_table_fail(
            from->table, from->i_row, i_column, RIG_E_PARSE, "not a number", err);
    }
    if (!(*out >= low && *out <= high)) {
        return rig__csv_table_fail(
            from->table, from->i_row, i_column, RIG_E_RANGE, "number out of range", err);
    }
    return RIG_OK;
}

rig_status
rig__reading_rate(const rig__reading *from, const char *header, double *out, rig_error *err)
{
    RIG_TRY(rig__reading_number(from, header, 1e-3, 1e12, out, err));
    if (isnan(*out)) {
        return rig__csv_table_fail(from->table,
                                   from->i_row,
                                   rig__csv_table_find(from->table, header),
                                   RIG_E_PARSE,
                                   "no rate (expected images per second)",
                                   err);
    }
    return RIG_OK;
}

const rig_row *
rig__reading_find(rig__reading *from, rig_table table, const char *label, const char *reason)
{
    const rig_row *const row =
        label[0] == '\0' ? NULL
                         : rig__aliases_row(from->aliases, from->catalog, table, label, NULL);
    if (row == NULL) {
        rig__reading_skip(from, reason, label[0] == '\0' ? NULL : label);
    }
    return row;
}

static const char *join(rig__reading *from, const char *a, const char *b)
{
    const char *const text = rig__arena_format(from->arena, "%s %s", a, b);
    from->is_nomem = from->is_nomem || text == NULL;
    return text;
}

void rig__reading_gpu(rig__reading *from, const char *label, int count)
{
    rig_measurement *const out = from->out;
    const rig_row *const row =
        rig__reading_find(from, RIG_TABLE_GPU, label, "GPU not in the catalogue");
    if (row == NULL) {
        return;
    }
    const rig_gpu *const gpu = (const rig_gpu *)(const void *)row;
    out->build.parts[RIG_TABLE_GPU] = (rig_part_use){.row = row, .count = count};
    out->labels[RIG_GROUP_GPU] = row->name;
    out->labels[RIG_GROUP_GENERATION] = join(from, gpu->vendor, gpu->arch);
    out->labels[RIG_GROUP_COUNT] = rig__arena_format(from->arena, "%d", count);
    from->is_nomem = from->is_nomem || out->labels[RIG_GROUP_COUNT] == NULL;
}

/* The row of a printed processor: by alias of the whole text or the cleaned name, by the cleaned
 * name, by the word with the model number alone ("EYPC 7513"). */
static const rig_row *find_cpu(const rig__reading *from,
                               const char *label,
                               const rig__printed_cpu *printed,
                               double *cores)
{
    rig__alias alias = {.cores = NAN};
    *cores = NAN;
    if (rig__aliases_find(from->aliases, RIG_TABLE_CPU, label, &alias) ||
        rig__aliases_find(from->aliases, RIG_TABLE_CPU, printed->name, &alias)) {
        *cores = alias.cores;
        return rig_catalog_get(from->catalog, RIG_TABLE_CPU, alias.name);
    }
    const char *const texts[] = {printed->name, printed->word};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const rig_row *row = NULL;
        if (strpbrk(texts[i], "0123456789") != NULL &&
            rig_catalog_find(from->catalog, RIG_TABLE_CPU, texts[i], &row, NULL) == RIG_OK) {
            return row;
        }
    }
    return NULL;
}

bool rig__reading_cpu(rig__reading *from, const char *label, double sockets)
{
    rig_measurement *const out = from->out;
    rig__printed_cpu printed;
    double cores = NAN;
    rig__printed_cpu_parse(label, &printed);
    out->labels[RIG_GROUP_CPU] = rig__reading_copy(from, printed.name);
    const rig_row *const row = label[0] == '\0' ? NULL : find_cpu(from, label, &printed, &cores);
    if (row == NULL) {
        return false;
    }
    const rig_cpu *const cpu = (const rig_cpu *)(const void *)row;
    out->labels[RIG_GROUP_CPU_FAMILY] = cpu->family;
    if (isnan(sockets)) {
        sockets = printed.sockets;
    }
    if (isnan(sockets) && cpu->max_sockets <= 1) {
        sockets = 1;
    }
    if (isnan(out->cores_per_socket)) {
        out->cores_per_socket = cores;
    }
    if (!isnan(printed.vcpus) && !isnan(sockets)) {
        /* Two hardware threads per core on the x86 machines that clouds rent out. */
        out->cores_per_socket = printed.vcpus / 2.0 / sockets;
    }
    /* Without the number of sockets only the speed of a core is known: count 0 says so. */
    out->build.parts[RIG_TABLE_CPU] =
        (rig_part_use){.row = row, .count = isnan(sockets) ? 0 : (int)sockets};
    return true;
}

void rig__reading_network(rig__reading *from, const char *label)
{
    const rig_row *const row =
        rig__reading_find(from, RIG_TABLE_NETWORK, label, "network not in networks.csv");
    from->out->workload.network = (const rig_network *)(const void *)row;
    from->out->labels[RIG_GROUP_NETWORK] = row == NULL ? NULL : row->name;
}

void rig__reading_dataset(rig__reading *from, const char *label)
{
    from->out->workload.dataset = (const rig_dataset *)(const void *)rig__reading_find(
        from, RIG_TABLE_DATASET, label, "data set not in datasets.csv");
}

void rig__reading_loader(rig__reading *from, const char *label)
{
    const rig_row *const row =
        rig__reading_find(from, RIG_TABLE_LOADER, label, "loader not in loaders.csv");
    from->out->workload.loader = (const rig_loader *)(const void *)row;
    from->out->labels[RIG_GROUP_LOADER] = row == NULL ? NULL : row->name;
    from->is_synthetic = row != NULL && strcmp(from->out->workload.loader->decode, "none") == 0;
}

void rig__reading_stack(rig__reading *from, const char *label)
{
    const rig_row *const row =
        rig__reading_find(from, RIG_TABLE_STACK, label, "software stack not in stacks.csv");
    from->out->workload.stack = (const rig_stack *)(const void *)row;
    from->out->labels[RIG_GROUP_STACK] = row == NULL ? NULL : row->name;
}

void rig__reading_precision(rig__reading *from, const char *label)
{
    const bool is_half = rig__text_compare_nocase(label, "FP16") == 0 ||
                         rig__text_compare_nocase(label, "BF16") == 0;
    rig_precision precision = RIG_PRECISION_AMP;
    if (!is_half && rig_precision_parse(label, &precision, NULL) != RIG_OK) {
        rig__reading_skip(from, "precision not known", label);
        return;
    }
    from->out->workload.precision = precision;
    from->out->labels[RIG_GROUP_PRECISION] = rig_precision_name(precision);
}
