/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of training measurements: complete systems, and GPU rates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "accuracy/measurement_rows.h"
#include "base/error.h"
#include "base/text.h"
#include "catalog/fingerprint.h"

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

/* A submitter is known by the first word of its name whatever the letters: "Supermicro",
 * "SUPERMICRO", "Supermicro-RedHat"; "Dell", "Dell EMC". As two they would vouch for each other. */
static const char *submitter_of(rig__reading *from)
{
    const char *const text = rig__reading_text(from, "submitter");
    char word[192];
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " -"), text);
    rig__text_lower(word);
    return rig__reading_copy(from, word);
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

static const double bits_per_byte = 8.0;

/* Networks of a node are listed with what they are for; only those that carry gradients count. */
static bool is_for_gradients(const char *part)
{
    return !rig__text_contains_nocase(part, "storage") &&
           !rig__text_contains_nocase(part, "manage") && strstr(part, " NS") == NULL;
}

/* "4 x ConnectX-6 HDR 200 Gb/Sec": so many links of that rate [Gbit/s]; 0 if no rate is printed. */
static double printed_gbps(const char *part)
{
    double rate = 0.0;
    for (const char *at = strpbrk(part, "Gg"); at != NULL; at = strpbrk(at + 1, "Gg")) {
        const bool is_rate = at[1] == 'b' || at[1] == 'B';
        const double value = is_rate ? number_before(part, (size_t)(at - part), NAN) : (double)NAN;
        rate = isnan(value) ? rate : value;
    }
    const char *const times = strchr(part, 'x');
    const bool is_count = times != NULL && times > part && (times[1] == ' ' || times[1] == 'B');
    const double count = is_count ? number_before(part, (size_t)(times - part), 1.0) : 1.0;
    return rate * count;
}

/* Bandwidth of all links of a node that carry gradients [GB/s]. NAN: no rate is printed, or one
 * that no cluster of GPUs would have (a slip of the file). */
static double printed_network_gbs(const char *text)
{
    double gbps = 0.0;
    char part[256];
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, ",+");
        (void)snprintf(part, sizeof part, "%.*s", (int)(length < 255 ? length : 255), at);
        gbps += is_for_gradients(part) ? printed_gbps(part) : 0.0;
        at += length + (at[length] != '\0' ? 1 : 0);
    }
    const double gbs = gbps / bits_per_byte;
    return gbs > 1.0 && gbs < 1e4 ? gbs : (double)NAN;
}

/* "A100 SXM 500W": three digits and a W. */
static double printed_power_w(const char *text)
{
    for (const char *at = strchr(text, 'W'); at != NULL; at = strchr(at + 1, 'W')) {
        const size_t length = (size_t)(at - text);
        const bool is_three = length >= 3 && is_digit(at[-1]) && is_digit(at[-2]) &&
                              is_digit(at[-3]) && (length == 3 || !is_digit(at[-4]));
        if (is_three && !is_digit(at[1])) {
            return number_before(text, length, NAN);
        }
    }
    return NAN;
}

/* When the runs of a round were made. @source dates of the rounds, mlcommons/training_results_v* */
static double year_of_round(const char *round)
{
    static const struct {
        const char *round;
        double year;
    } rounds[] = {{"v0.5", 2018.9},
                  {"v0.6", 2019.5},
                  {"v0.7", 2020.5},
                  {"v1.0", 2021.5},
                  {"v1.1", 2021.9},
                  {"v2.0", 2022.5},
                  {"v2.1", 2022.85},
                  {"v3.0", 2023.5},
                  {"v3.1", 2023.85},
                  {"v4.0", 2024.45}};
    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        if (strcmp(rounds[i].round, round) == 0) {
            return rounds[i].year;
        }
    }
    return NAN;
}

static void read_system_figures(rig__reading *from)
{
    rig_measurement *const out = from->out;
    const char *const system = rig__reading_text(from, "system");
    const char *const round = rig__reading_text(from, "round");
    out->is_bridged = rig__text_contains_nocase(rig__reading_text(from, "gpu_link"), "nvlink") ||
                      rig__text_contains_nocase(system, "nvbridge");
    const rig_gpu *const gpu = (const rig_gpu *)(const void *)out->build.parts[RIG_TABLE_GPU].row;
    out->is_bridged = out->is_bridged && gpu != NULL && strcmp(gpu->form, "pcie") == 0;
    out->network_gbs = printed_network_gbs(rig__reading_text(from, "network_link"));
    out->power_limit_w = printed_power_w(system);
    out->workload.software_year = year_of_round(round);
    out->workload.release = rig__reading_copy(from, round);
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
    read_system_figures(from);
    out->labels[RIG_GROUP_SOURCE] = first_word(from, rig__reading_text(from, "source"));
    const char *const submitter = submitter_of(from);
    out->labels[RIG_GROUP_SUBMITTER] = submitter;
    out->labels[RIG_GROUP_SYSTEM] =
        join(from, submitter == NULL ? "" : submitter, rig__reading_text(from, "system"));
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

/* Year of "NGC 21.03" or "README rev 2021-06" in the notes. */
static double printed_year(const char *notes)
{
    int year = 0, month = 0;
    const char *at = strstr(notes, "NGC ");
    if (at != NULL && sscanf(at, "NGC %2d.%2d", &year, &month) == 2) {
        return 2000.0 + year + (month - 1) / 12.0;
    }
    at = strstr(notes, "README rev ");
    if (at != NULL && sscanf(at, "README rev %4d-%2d", &year, &month) == 2) {
        return year + (month - 1) / 12.0;
    }
    return NAN;
}

/* Layout of PyTorch in NVIDIA's examples: channels last from NGC 20.09, or from 2021 on where only
 * the date of the README is told. */
static bool is_channels_last(const rig__reading *from, double year)
{
    const char *const notes = rig__reading_text(from, "notes");
    const bool is_told = rig__text_contains_nocase(notes, "nhwc") ||
                         rig__text_contains_nocase(rig__reading_text(from, "source_path"), "nhwc");
    const double since = strstr(notes, "NGC ") != NULL ? 2020.0 + 8.0 / 12.0 : 2021.0;
    return is_told || year >= since - 1e-6;
}

/* TensorFlow prints FP32 where it has used TF32 since 2.4 and in NVIDIA's builds of 1.15. */
static bool is_silent_tf32(const rig__reading *from)
{
    const rig_gpu *const gpu =
        (const rig_gpu *)(const void *)from->out->build.parts[RIG_TABLE_GPU].row;
    return gpu != NULL && !isnan(gpu->tf32_tflops) &&
           strcmp(rig__reading_text(from, "precision"), "FP32") == 0 &&
           rig__text_contains_nocase(rig__reading_text(from, "framework"), "TensorFlow") &&
           !rig__text_contains_nocase(rig__reading_text(from, "system"), "TF2_3");
}

/* What the list of rules says of rows like this one. */
static void apply_rule(rig__reading *from, const char *label)
{
    rig_measurement *const out = from->out;
    rig__alias rule;
    if (!rig__aliases_find(from->aliases, RIG__ALIAS_RULE, label, &rule)) {
        return;
    }
    const rig_network *const network = out->workload.network;
    if (strcmp(rule.name, "without-optimizer") == 0) {
        out->workload.is_without_optimizer = true;
    } else if (strcmp(rule.name, "data-parallel") == 0 &&
               out->build.parts[RIG_TABLE_GPU].count > 1) {
        rig__reading_skip(from, "one process drives several GPUs (DataParallel)", NULL);
    } else if (strcmp(rule.name, "slow-grouped") == 0 && network != NULL &&
               strcmp(network->kind, "grouped") == 0) {
        rig__reading_skip(from, "grouped convolutions that this release ran slowly", NULL);
    }
}

static void read_software(rig__reading *from)
{
    rig_workload *const workload = &from->out->workload;
    const char *const loader = rig__reading_text(from, "loader");
    const char *const notes = rig__reading_text(from, "notes");
    char stack[256];
    from->out->software = rig__reading_copy(from, rig__reading_text(from, "framework"));
    workload->software_year = printed_year(notes);
    (void)snprintf(stack,
                   sizeof stack,
                   "%s %s @ %s%s",
                   rig__reading_text(from, "framework"),
                   rig__reading_text(from, "precision"),
                   rig__reading_text(from, "source_repo"),
                   is_channels_last(from, workload->software_year) ? " channels_last" : "");
    rig__reading_network(from, rig__reading_text(from, "network"));
    rig__reading_stack(from, stack);
    rig__reading_loader(from, loader);
    rig__reading_dataset(from, loader);
    rig__reading_precision(from,
                           is_silent_tf32(from) ? "tf32" : rig__reading_text(from, "precision"));
    apply_rule(from, stack);
    if (strstr(notes, "independent jobs") != NULL || strstr(notes, "concurrent") != NULL) {
        rig__reading_skip(from, "independent jobs", NULL);
    }
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
    out->is_bridged =
        rig__text_contains_nocase(system, "NVLink") &&
        out->build.parts[RIG_TABLE_GPU].row != NULL &&
        strcmp(((const rig_gpu *)(const void *)out->build.parts[RIG_TABLE_GPU].row)->form,
               "pcie") == 0;
    out->labels[RIG_GROUP_SOURCE] = rig__reading_copy(from, source);
    out->labels[RIG_GROUP_SYSTEM] = join(from, source, system);
    out->labels[RIG_GROUP_COUNT] = count_text(from, n_gpus);
    out->labels[RIG_GROUP_NODES] = count_text(from, out->nodes);
    return RIG_OK;
}
