/* SPDX-License-Identifier: GPL-3.0-or-later
 * The points of a frontier for a terminal. */
#include "report/table_frontier.h"

#include <math.h>
#include <string.h>

#include "report/figures.h"
#include "report/grid.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

#define WIDE_COLUMNS 100 /* from here on the binding stage is shown as well */

/** What changes from the build before; GPUs by name, other parts by class. */
static const char *changes_text(rig__output *output, const rig_result *result, size_t index)
{
    const rig_build *build = &result->builds[index].build;
    const char *gpus = rig__report_gpus(output, build, RIG__CLEAN_LINE, true);
    if (index == 0) {
        return gpus;
    }
    const char *before =
        rig__report_gpus(output, &result->builds[index - 1].build, RIG__CLEAN_LINE, true);
    const char *others = rig__report_changes(output, result, index);
    if (strcmp(gpus, before) == 0) {
        return others;
    }
    return rig__output_string(output, "%s%s%s", gpus, others[0] == '\0' ? "" : "; ", others);
}

void rig__table_frontier(rig__output *output, const rig_result *result)
{
    static const rig__grid_column columns[] = {
        {"USD", true, false},
        {"IMAGES/S", true, false},
        {"EPOCH", true, false},
        {"PER USD", true, false},
        {"WHAT CHANGES", false, true},
        {"BINDS", false, false},
    };
    const bool is_wide = output->options->width == 0 || output->options->width >= WIDE_COLUMNS;
    rig__grid grid = rig__grid_new(output, columns, N_ITEMS(columns) - (is_wide ? 0 : 1));
    for (size_t i = 0; i < result->n_builds; i++) {
        const rig_build_report *report = &result->builds[i];
        const double gain = rig__report_gain_per_usd(result, i);
        const char *cells[] = {
            rig__report_amount(output, report->price_cents),
            rig__report_number(output, report->prediction.images_per_s),
            rig__report_duration(output, report->prediction.epoch_s),
            isnan(gain) ? "" : rig__report_number(output, gain),
            changes_text(output, result, i),
            rig_stage_name(report->prediction.binding),
        };
        rig__grid_add(&grid, cells, RIG__COLOUR_NONE);
    }
    rig__grid_write(&grid);
}
