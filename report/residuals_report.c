/* SPDX-License-Identifier: GPL-3.0-or-later
 * The file of residuals: one CSV row per measurement. */
#include <math.h>

#include "base/error.h"
#include "report/csv_cells.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

/* Columns between those of the row and those of its groups; each writes its cell or cells. */
static const char *const head_names[] = {"id",
                                         "file",
                                         "line",
                                         "observed_images_per_s",
                                         "predicted_images_per_s",
                                         "low_images_per_s",
                                         "high_images_per_s",
                                         "log_ratio",
                                         "is_covered",
                                         "binding_stage",
                                         "is_binding_right",
                                         "first_epoch_s",
                                         "first_epoch_log_ratio",
                                         "first_epoch_is_covered",
                                         "skipped",
                                         "gpu_year",
                                         "gpu_mem_gbs",
                                         "gpu_count",
                                         "node_count",
                                         "batch_per_gpu"};
#define N_PREDICTED 7 /* predicted_images_per_s to is_binding_right */

/* Groups that a fit may have seen in other rows; FILE and STAGE are none of the row's own. */
static const rig_group seen_names[] = {RIG_GROUP_GPU,
                                       RIG_GROUP_GENERATION,
                                       RIG_GROUP_NETWORK,
                                       RIG_GROUP_STACK,
                                       RIG_GROUP_CPU,
                                       RIG_GROUP_CPU_FAMILY,
                                       RIG_GROUP_LOADER,
                                       RIG_GROUP_SOURCE,
                                       RIG_GROUP_SYSTEM,
                                       RIG_GROUP_SUBMITTER};

static bool is_label(int group)
{
    return group != RIG_GROUP_FILE && group != RIG_GROUP_STAGE;
}

static void write_head(rig__output *output, rig__csv *out)
{
    rig__csv_names(out, head_names, N_ITEMS(head_names));
    for (int i = 0; i < RIG_N_GROUPS; i++) {
        if (is_label(i)) {
            rig__csv_text(out, rig_group_name((rig_group)i));
        }
    }
    for (size_t i = 0; i < N_ITEMS(seen_names); i++) {
        rig__csv_text(out, rig__output_string(output, "seen-%s", rig_group_name(seen_names[i])));
    }
    rig__csv_end_row(out);
}

static void write_prediction(rig__csv *out, const rig_residual *residual)
{
    const rig_measurement *row = residual->row;
    if (residual->unsupported != NULL) {
        for (int i = 0; i < N_PREDICTED; i++) {
            rig__csv_text(out, NULL);
        }
        return;
    }
    rig__csv_number(out, residual->predicted_images_per_s);
    rig__csv_number(out, residual->low_images_per_s);
    rig__csv_number(out, residual->high_images_per_s);
    rig__csv_number(out, residual->log_ratio);
    rig__csv_bool(out, residual->is_covered);
    rig__csv_text(out, rig_stage_name(residual->binding));
    if (row->expected_stages == 0) {
        rig__csv_text(out, NULL);
    } else {
        rig__csv_bool(out, (row->expected_stages & 1U << residual->binding) != 0);
    }
}

static void write_first_epoch(rig__csv *out, const rig_residual *residual)
{
    rig__csv_number(out, residual->row->first_epoch_s);
    rig__csv_number(out, residual->first_epoch_log_ratio);
    if (isnan(residual->first_epoch_log_ratio)) {
        rig__csv_text(out, NULL);
    } else {
        rig__csv_bool(out, residual->is_first_epoch_covered);
    }
}

/* What an error may depend on. */
static void write_hardware(rig__csv *out, const rig_measurement *row)
{
    const rig_part_use *const use = &row->build.parts[RIG_TABLE_GPU];
    const bool has_gpu = use->row != NULL;
    const rig_gpu *const gpu = (const rig_gpu *)use->row;
    rig__csv_number(out, has_gpu ? gpu->year : (double)NAN);
    rig__csv_number(out, has_gpu ? gpu->mem_gbs : (double)NAN);
    rig__csv_number(out, has_gpu ? (double)use->count : (double)NAN);
    rig__csv_number(out, row->nodes);
    rig__csv_number(out, has_gpu ? row->workload.batch_per_gpu : (double)NAN);
}

static void write_seen(rig__csv *out, const rig_residual *residual, bool is_crossed)
{
    for (size_t i = 0; i < N_ITEMS(seen_names); i++) {
        if (is_crossed && residual->unsupported == NULL &&
            residual->row->labels[seen_names[i]] != NULL) {
            rig__csv_bool(out, (residual->seen_groups & 1U << seen_names[i]) != 0);
        } else {
            rig__csv_text(out, NULL);
        }
    }
}

static void write_row(rig__csv *out, const rig_residual *residual, bool is_crossed)
{
    const rig_measurement *row = residual->row;
    rig__csv_text(out, row->id);
    rig__csv_text(out, row->file);
    rig__csv_number(out, (double)row->line);
    rig__csv_number(out, row->observed_images_per_s);
    write_prediction(out, residual);
    write_first_epoch(out, residual);
    rig__csv_text(out, residual->unsupported);
    write_hardware(out, row);
    for (int i = 0; i < RIG_N_GROUPS; i++) {
        if (is_label(i)) {
            rig__csv_text(out, row->labels[i]);
        }
    }
    write_seen(out, residual, is_crossed);
    rig__csv_end_row(out);
}

rig_status rig_report_residuals(const rig_validation *validation,
                                const rig_report_options *options,
                                rig_write_sink sink,
                                void *payload,
                                rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    rig__csv out = rig__csv_begin(&output);
    write_head(&output, &out);
    for (size_t i = 0; i < validation->n_residuals; i++) {
        write_row(&out, &validation->residuals[i], validation->left_out != NULL);
    }
    return rig__output_finish(&output, err);
}
