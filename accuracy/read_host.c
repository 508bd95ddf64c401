/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of measurements without GPUs: preparation on processors, and storage. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "accuracy/measurement_rows.h"
#include "base/error.h"
#include "base/text.h"

/* Output size of preparation rows that name no network: 224 px. */
static const char prepared_for[] = "resnet50";

/* Images per second that one emulated accelerator asks for: batch over computation time.
 * @source mlcommons/storage configs/dlio/workload/resnet50_{a100,h100}.yaml: 400 images in 0.435 s
 * and in 0.224 s */
static const struct {
    const char *word;
    double images_per_s;
} demands[] = {{" a100", 400.0 / 0.435}, {" h100", 400.0 / 0.224}};

/* Pattern of a pipeline and what it measures. Others are not modelled. */
static const struct {
    const char *pattern;
    rig_preparation preparation;
} pipelines[] = {
    {"JPEG decode to RGB uint8 HWC, single process", RIG_PREPARATION_DECODE},
    {"JPEG decode only, PyTorch DataLoader*", RIG_PREPARATION_HANDED_OVER},
    {"decode + R*", RIG_PREPARATION_TRAIN},
    {"decode + augment*", RIG_PREPARATION_TRAIN},
    {"TFRecord read + decode*", RIG_PREPARATION_TRAIN},
    {"load + preprocess*", RIG_PREPARATION_TRAIN},
    {"one ImageNet epoch*data in RAM", RIG_PREPARATION_TRAIN},
};

static const char *text_of(const rig__reading *from, const char *header)
{
    return rig__reading_text(from, header);
}

static void read_pipeline(rig__reading *from)
{
    const char *const pipeline = text_of(from, "pipeline");
    if (rig__text_contains_nocase(pipeline, "EBS")) {
        rig__reading_skip(from, "storage not in the catalogue", "EBS network disk");
        return;
    }
    for (size_t i = 0; i < sizeof pipelines / sizeof pipelines[0]; i++) {
        if (rig__text_match(pipeline, pipelines[i].pattern)) {
            from->out->preparation = pipelines[i].preparation;
            return;
        }
    }
    rig__reading_skip(from, "pipeline not modelled", pipeline);
}

static double leading_number(const char *text)
{
    const size_t length = strspn(text, "0123456789");
    double value = NAN;
    (void)rig__number_parse(text, length, &value);
    return value;
}

/* "128 cores" is the machine; "12 cores (vCPU)", "8 workers", "1" are what works. */
static void read_cores(rig__reading *from)
{
    rig_measurement *const out = from->out;
    const char *const text = text_of(from, "cores_or_workers");
    const double number = leading_number(text);
    const bool is_machine = rig__text_match(text, "* cores") || rig__text_match(text, "* vCPU");
    if (rig__text_contains_nocase(text, "VM with")) {
        rig__reading_skip(from, "number of cores not known", text);
    } else if (rig__text_match(text, "library default threads*")) {
        out->workload.workers = 1;
    } else if (number < 1.0) { /* "0 (main process)" */
        out->workload.workers = 1;
        if (out->preparation == RIG_PREPARATION_HANDED_OVER) {
            out->preparation = RIG_PREPARATION_DECODE;
        }
    } else if (!is_machine) {
        out->workload.workers = number;
    }
}

/* Number before a word anywhere in the text, as in "8 GPU processes"; fallback if there is none. */
static double number_before(const char *text, const char *word, double fallback)
{
    const char *const at = strstr(text, word);
    const char *begin = at;
    while (begin != NULL && begin > text && begin[-1] >= '0' && begin[-1] <= '9') {
        begin--;
    }
    double value = fallback;
    return begin != NULL && rig__number_parse(begin, (size_t)(at - begin), &value) ? value
                                                                                   : fallback;
}

/* Every GPU has a process that takes batches from the loader; the element type may be told. */
static void read_consumers(rig__reading *from)
{
    rig_measurement *const out = from->out;
    const char *const pipeline = text_of(from, "pipeline");
    const char *const notes = text_of(from, "notes");
    out->processes = number_before(pipeline, " GPU processes", 1.0);
    out->processes = number_before(pipeline, " concurrent", out->processes);
    out->processes = number_before(notes, " GPU;", out->processes);
    out->processes = number_before(notes, "xA100", out->processes);
    if (rig__text_contains_nocase(pipeline, "output fp16")) {
        out->output_bytes = 2.0;
    } else if (rig__text_contains_nocase(pipeline, "output fp32")) {
        out->output_bytes = 4.0;
    }
}

static bool is_lower_bound(const rig__reading *from)
{
    return rig__text_contains_nocase(text_of(from, "notes"), "lower bound");
}

rig_status rig__read_cpu_row(rig__reading *from, rig_error *err)
{
    rig_measurement *const out = from->out;
    out->kind = RIG_MEASUREMENT_CPU;
    out->nodes = 1.0;
    RIG_TRY(rig__reading_rate(from, "images_per_s", &out->observed_images_per_s, err));
    if (is_lower_bound(from)) {
        rig__reading_skip(from, "a lower bound, not a rate", NULL);
        return RIG_OK;
    }
    read_pipeline(from);
    read_cores(from);
    read_consumers(from);
    char loader[192];
    (void)snprintf(loader,
                   sizeof loader,
                   "%s%s",
                   out->preparation == RIG_PREPARATION_TRAIN ? "" : "jpeg-",
                   text_of(from, "loader"));
    rig__reading_loader(from, loader);
    if (out->workload.loader != NULL && strcmp(out->workload.loader->decode, "gpu") == 0) {
        rig__reading_skip(from, "decoded on a GPU that the row does not name", NULL);
    }
    rig__reading_dataset(from, text_of(from, "image_set"));
    rig__reading_network(from, prepared_for);
    if (!rig__reading_cpu(from, text_of(from, "cpu_model"), NAN)) {
        rig__reading_skip(from, "processor not in the catalogue", text_of(from, "cpu_model"));
    } else if (out->build.parts[RIG_TABLE_CPU].count == 0) {
        out->build.parts[RIG_TABLE_CPU].count = 1;
    }
    char source[192];
    const char *const path = text_of(from, "source");
    (void)snprintf(source, sizeof source, "%.*s", (int)strcspn(path, " "), path);
    out->labels[RIG_GROUP_SOURCE] = rig__reading_copy(from, source);
    /* a processor with one loader: both are known from other rows when it is held out */
    out->labels[RIG_GROUP_SYSTEM] = rig__arena_format(
        from->arena, "%s %s", text_of(from, "cpu_model"), text_of(from, "loader"));
    from->is_nomem = from->is_nomem || out->labels[RIG_GROUP_SYSTEM] == NULL;
    return RIG_OK;
}

/* ---- storage -------------------------------------------------------------------------------- */

static rig_status read_demand(rig__reading *from, rig_error *err)
{
    double n_accelerators = NAN;
    RIG_TRY(rig__reading_number(from, "accelerators", 1, 1e6, &n_accelerators, err));
    for (size_t i = 0; i < sizeof demands / sizeof demands[0]; i++) {
        if (rig__text_contains_nocase(text_of(from, "workload"), demands[i].word)) {
            from->out->demand_images_per_s = n_accelerators * demands[i].images_per_s;
        }
    }
    return RIG_OK;
}

rig_status rig__read_storage_row(rig__reading *from, rig_error *err)
{
    rig_measurement *const out = from->out;
    out->kind = RIG_MEASUREMENT_STORAGE;
    out->nodes = 1.0;
    out->workload.cache = RIG_CACHE_NONE;
    out->workload.is_sequential = true;
    RIG_TRY(rig__reading_rate(from, "samples_per_s", &out->observed_images_per_s, err));
    RIG_TRY(read_demand(from, err));
    const char *const storage = text_of(from, "storage");
    const rig_row *const drive =
        rig__aliases_row(from->aliases, from->catalog, RIG_TABLE_STORAGE, storage, NULL);
    out->build.parts[RIG_TABLE_STORAGE] =
        (rig_part_use){.row = drive, .count = drive == NULL ? 0 : 1};
    if (drive == NULL && isnan(out->demand_images_per_s)) {
        rig__reading_skip(from, "storage not in the catalogue", storage);
        return RIG_OK;
    }
    rig__reading_dataset(from, text_of(from, "workload"));
    out->labels[RIG_GROUP_SYSTEM] = rig__reading_copy(from, storage);
    out->labels[RIG_GROUP_SOURCE] = rig__reading_copy(from, text_of(from, "system"));
    return RIG_OK;
}
