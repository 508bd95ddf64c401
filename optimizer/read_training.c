/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of training measurements: complete systems, and GPU rates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/fingerprint.h"
#include "optimizer/measurement_rows.h"

/* A first epoch this much slower than later ones waited for the drives: README of the published
 * rows, which finds 40 of 189 systems beyond it. */
static const double slow_first_epoch = 1.3;
/* One row prints 1 GB, a slip for 1 TB: taken as unknown. */
static const double ram_gb_least = 2.0;
/* A GPU machine has at most this many; larger counts are several nodes. */
static const double node_gpus_max = 16.0;
static const double usual_node_gpus = 8.0;

/* The text up to the first blank: "mlcommons/training_results_v4.0 path" names source and path. */
static const char *first_word(rig__reading *from, const char *text)
{
    char word[192];
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    return rig__reading_copy(from, word);
}

static const char *join(rig__reading *from, const char *a, const char *b)
{
    const char *const text = rig__arena_format(from->arena, "%s %s", a, b);
    from->is_nomem = from->is_nomem || text == NULL;
    return text;
}

static const char *count_text(rig__reading *from, double count)
{
    const char *const text = rig__arena_format(from->arena, "%.0f", count);
    from->is_nomem = from->is_nomem || text == NULL;
    return text;
}

/* ---- complete systems ----------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Number at the end of text[0..length), blanks after it ignored; fallback if there is none. */
static double number_before(const char *text, size_t length, double fallback)
{
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    size_t begin = length;
    while (begin > 0 && (is_digit(text[begin - 1]) || text[begin - 1] == '.')) {
        begin--;
    }
    double value = fallback;
    return rig__number_parse(text + begin, length - begin, &value) ? value : fallback;
}

double rig__printed_drives(const char *text, bool *is_nvme_out)
{
    double n_drives = NAN, most_gb = 0.0;
    *is_nvme_out = rig__text_contains_nocase(text, "nvme");
    for (const char *at = strpbrk(text, "TG"); at != NULL; at = strpbrk(at + 1, "TG")) {
        if (at[1] != 'B' && at[1] != '\0' && at[1] != ' ') {
            continue;
        }
        const size_t length = (size_t)(at - text);
        const double size = number_before(text, length, NAN);
        if (isnan(size)) {
            continue;
        }
        size_t before = length;
        while (before > 0 && (is_digit(text[before - 1]) || strchr(" .", text[before - 1]))) {
            before--;
        }
        const bool is_multiple = before > 0 && (text[before - 1] == 'x' || text[before - 1] == 'X');
        const double count = is_multiple ? number_before(text, before - 1, 1.0) : 1.0;
        const double total_gb = count * size * (*at == 'T' ? 1000.0 : 1.0);
        if (total_gb > most_gb) {
            most_gb = total_gb;
            n_drives = count;
        }
    }
    return n_drives;
}

static rig_status read_host(rig__reading *from, rig_error *err)
{
    rig_measurement *const out = from->out;
    double sockets = NAN, ram_gb = NAN, threads = NAN;
    RIG_TRY(rig__reading_number(from, "sockets", 1, 16, &sockets, err));
    RIG_TRY(rig__reading_number(from, "cores_per_socket", 1, 1024, &out->cores_per_socket, err));
    RIG_TRY(rig__reading_number(from, "ram_gb", 0, 1e6, &ram_gb, err));
    RIG_TRY(rig__reading_number(from, "loader_threads_per_gpu", 1, 1e4, &threads, err));
    RIG_TRY(rig__reading_number(from, "pcie_gen", 1, 7, &out->pcie_gen, err));
    out->build.unnamed.ram_gb = ram_gb >= ram_gb_least ? ram_gb : (double)NAN;
    out->workload.workers = threads * out->build.parts[RIG_TABLE_GPU].count;
    if (!rig__reading_cpu(from, rig__reading_text(from, "cpu"), sockets)) {
        out->build.unnamed.cores = sockets * out->cores_per_socket;
    }
    return RIG_OK;
}

/* Drives are printed as prose, without a rate: a bound by type stands in. */
static void read_drives(rig__reading *from)
{
    bool is_nvme = false;
    const double n_drives = rig__printed_drives(rig__reading_text(from, "storage"), &is_nvme);
    from->out->build.unnamed.drive_gbs = NAN;
    from->out->n_drives = n_drives;
    from->out->is_nvme = is_nvme;
}

static rig_status read_times(rig__reading *from, rig_error *err)
{
    rig_measurement *const out = from->out;
    double epoch_s = NAN;
    RIG_TRY(rig__reading_rate(from, "images_per_s", &out->observed_images_per_s, err));
    RIG_TRY(rig__reading_number(from, "epoch_s", 0, 1e9, &epoch_s, err));
    RIG_TRY(rig__reading_number(from, "first_epoch_s", 0, 1e9, &out->first_epoch_s, err));
    if (!(out->first_epoch_s > slow_first_epoch * epoch_s)) {
        out->first_epoch_s = NAN;
    }
    return RIG_OK;
}

rig_status rig__read_system_row(rig__reading *from, rig_error *err)
{
    rig_measurement *const out = from->out;
    double batch = NAN, n_gpus = NAN;
    out->kind = RIG_MEASUREMENT_SYSTEM;
    RIG_TRY(read_times(from, err));
    RIG_TRY(rig__reading_number(from, "batch_per_gpu", 1, 1e6, &batch, err));
    RIG_TRY(rig__reading_number(from, "nodes", 1, 1e5, &out->nodes, err));
    RIG_TRY(rig__reading_number(from, "gpus_per_node", 1, 1024, &n_gpus, err));
    if (rig__reading_text(from, "exclude")[0] != '\0') {
        rig__reading_skip(from, "excluded by the file", rig__reading_text(from, "exclude"));
        return RIG_OK;
    }
    if (isnan(batch) || isnan(n_gpus)) {
        rig__reading_skip(from, isnan(batch) ? "no batch size" : "no number of GPUs", NULL);
        return RIG_OK;
    }
    out->nodes = isnan(out->nodes) ? 1.0 : out->nodes;
    out->workload.batch_per_gpu = (int)batch;
    rig__reading_gpu(from, rig__reading_text(from, "gpu"), (int)n_gpus);
    rig__reading_network(from, rig__reading_text(from, "network"));
    rig__reading_dataset(from, rig__reading_text(from, "dataset"));
    rig__reading_stack(from, rig__reading_text(from, "stack"));
    rig__reading_loader(from, rig__reading_text(from, "loader"));
    rig__reading_precision(from, rig__reading_text(from, "precision"));
    RIG_TRY(read_host(from, err));
    read_drives(from);
    out->labels[RIG_GROUP_SOURCE] = first_word(from, rig__reading_text(from, "source"));
    out->labels[RIG_GROUP_SUBMITTER] =
        rig__reading_copy(from, rig__reading_text(from, "submitter"));
    out->labels[RIG_GROUP_SYSTEM] =
        join(from, rig__reading_text(from, "submitter"), rig__reading_text(from, "system"));
    out->labels[RIG_GROUP_NODES] = count_text(from, out->nodes);
    return RIG_OK;
}

/* ---- GPU rates ------------------------------------------------------------------------------ */

/* "DGX A100 x4 nodes" names its nodes; other rows of many GPUs are taken as nodes of eight. */
static double count_nodes(const char *system, double n_gpus)
{
    const char *const at = strstr(system, " nodes");
    const double named =
        at == NULL ? (double)NAN : number_before(system, (size_t)(at - system), NAN);
    if (!isnan(named)) {
        return named;
    }
    return n_gpus > node_gpus_max ? ceil(n_gpus / usual_node_gpus) : 1.0;
}

/* Everything but the loader: rows of the same run with and without data share it. */
static uint64_t twin_of(const rig__reading *from)
{
    static const char *const headers[] = {"network",
                                          "gpu_model",
                                          "gpu_count",
                                          "system",
                                          "framework",
                                          "precision",
                                          "batch_per_gpu",
                                          "source_repo"};
    uint64_t hash = RIG__FINGERPRINT_START;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        hash = rig__fingerprint_text(hash, rig__reading_text(from, headers[i]));
    }
    return hash;
}

static void read_software(rig__reading *from)
{
    const char *const loader = rig__reading_text(from, "loader");
    char stack[256];
    (void)snprintf(stack,
                   sizeof stack,
                   "%s %s @ %s",
                   rig__reading_text(from, "framework"),
                   rig__reading_text(from, "precision"),
                   rig__reading_text(from, "source_repo"));
    rig__reading_network(from, rig__reading_text(from, "network"));
    rig__reading_stack(from, stack);
    rig__reading_loader(from, loader);
    rig__reading_dataset(from, loader);
    rig__reading_precision(from, rig__reading_text(from, "precision"));
}

rig_status rig__read_gpu_row(rig__reading *from, rig_error *err)
{
    rig_measurement *const out = from->out;
    double batch = NAN, n_gpus = NAN;
    out->kind = RIG_MEASUREMENT_GPU;
    RIG_TRY(rig__reading_rate(from, "images_per_s", &out->observed_images_per_s, err));
    RIG_TRY(rig__reading_number(from, "batch_per_gpu", 1, 1e6, &batch, err));
    RIG_TRY(rig__reading_number(from, "gpu_count", 1, 1e5, &n_gpus, err));
    if (isnan(batch) || isnan(n_gpus)) {
        rig__reading_skip(from, isnan(batch) ? "no batch size" : "no number of GPUs", NULL);
        return RIG_OK;
    }
    const char *const system = rig__reading_text(from, "system");
    const char *const source = rig__reading_text(from, "source_repo");
    out->workload.batch_per_gpu = (int)batch;
    out->nodes = count_nodes(system, n_gpus);
    rig__reading_gpu(
        from, rig__reading_text(from, "gpu_model"), (int)fmax(1.0, n_gpus / out->nodes));
    read_software(from);
    if (!rig__reading_cpu(from, rig__reading_text(from, "cpu_model"), NAN)) {
        out->build.unnamed.cores = NAN;
    }
    from->twin = twin_of(from);
    out->labels[RIG_GROUP_SOURCE] = rig__reading_copy(from, source);
    out->labels[RIG_GROUP_SYSTEM] = join(from, source, system);
    out->labels[RIG_GROUP_COUNT] = count_text(from, n_gpus);
    out->labels[RIG_GROUP_NODES] = count_text(from, out->nodes);
    return RIG_OK;
}
