/* SPDX-License-Identifier: GPL-3.0-or-later
 * Targets of accuracy as table, CSV, Markdown and HTML. */
#include <math.h>

#include "base/error.h"
#include "report/calibration_figures.h"
#include "report/csv_cells.h"
#include "report/figures.h"
#include "report/sheet.h"
#include "report/validation_figures.h"

#define N_ITEMS(array) (sizeof(array) / sizeof((array)[0]))

size_t rig__targets_groups(const rig_group **out)
{
    static const rig_group groups[] = {
        RIG_GROUP_KIND, RIG_GROUP_GPU, RIG_GROUP_STACK, RIG_GROUP_SOURCE};
    *out = groups;
    return N_ITEMS(groups);
}

static const char *verdict(const rig_target_score *score)
{
    return score->rows == 0      ? "no rows"
           : !score->is_met      ? "missed"
           : !score->is_bias_met ? "met, biased"
                                 : "met";
}

/* ---- for people ----------------------------------------------------------------------------- */

static void add_targets(rig__sheet *sheet, const rig_target_score scores[RIG_N_TARGETS])
{
    static const rig__grid_column columns[] = {{"Target", false, false},
                                               {"What is scored", false, true},
                                               {"Left out", false, false},
                                               {"Rows", true, false},
                                               {"Error", true, false},
                                               {"Goal", true, false},
                                               {"Bias", true, false},
                                               {"Trivial", true, false},
                                               {"", false, false}};
    rig__output *const output = sheet->output;
    rig__sheet_table *const table =
        rig__sheet_table_begin(sheet, "Targets", columns, N_ITEMS(columns), RIG_N_TARGETS);
    for (size_t i = 0; i < RIG_N_TARGETS; i++) {
        const rig_target_score *const score = &scores[i];
        const char *const cells[N_ITEMS(columns)] = {
            score->name,
            score->what,
            score->left_out,
            rig__report_number(output, (double)score->rows),
            rig__validation_percent(output, score->value_frac),
            rig__validation_percent(output, score->limit_frac),
            rig__validation_bias(output, score->bias_frac),
            rig__validation_percent(output, score->trivial_frac),
            verdict(score)};
        rig__sheet_row(table, cells);
    }
}

/* A share and whose it is: "82 % (timm)". */
static const char *extreme(rig__output *output, double frac, const char *name)
{
    return rig__output_string(output, "%s (%s)", rig__validation_percent(output, frac), name);
}

static void add_coverage(rig__sheet *sheet, const rig_folds *folds)
{
    static const rig__grid_column columns[] = {{"Left out", false, false},
                                               {"Groups by", false, false},
                                               {"Groups", true, false},
                                               {"Right", true, false},
                                               {"Least", false, true},
                                               {"Most", false, true}};
    rig__output *const output = sheet->output;
    const rig_group *groups = NULL;
    const size_t n_groups = rig__targets_groups(&groups);
    rig__sheet_table *const table =
        rig__sheet_table_begin(sheet,
                               "Coverage of the 90 % intervals, groups of 20 rows or more",
                               columns,
                               N_ITEMS(columns),
                               RIG_N_GROUPS * n_groups);
    for (size_t i = 0; i < RIG_N_GROUPS * n_groups; i++) {
        const rig_validation *const validation = folds->left_out[i / n_groups];
        const rig_group by = groups[i % n_groups];
        if (validation == NULL) {
            continue;
        }
        const rig_coverage coverage = rig_coverage_by(validation, by);
        const char *const cells[N_ITEMS(columns)] = {
            validation->left_out,
            rig_group_name(by),
            rig__report_number(output, (double)coverage.groups),
            rig__report_number(output, (double)coverage.n_right),
            extreme(output, coverage.least_frac, coverage.least_name),
            extreme(output, coverage.most_frac, coverage.most_name)};
        if (coverage.groups > 0) {
            rig__sheet_row(table, cells);
        }
    }
}

static void write_sheet(rig__output *output,
                        const rig_target_score scores[RIG_N_TARGETS],
                        const rig_folds *folds)
{
    rig__sheet sheet = {.output = output, .title = "Targets of accuracy, by cross-validation"};
    size_t n_met = 0;
    for (size_t i = 0; i < RIG_N_TARGETS; i++) {
        n_met += scores[i].is_met && scores[i].is_bias_met ? 1 : 0;
    }
    rig__sheet_fact(
        &sheet, "Met", rig__output_string(output, "%zu of %d", n_met, (int)RIG_N_TARGETS));
    add_targets(&sheet, scores);
    add_coverage(&sheet, folds);
    rig__sheet_write(&sheet);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void write_csv(rig__output *output, const rig_target_score scores[RIG_N_TARGETS])
{
    static const char *const names[] = {"name",
                                        "what",
                                        "left_out",
                                        "rows",
                                        "value_frac",
                                        "limit_frac",
                                        "bias_frac",
                                        "trivial_frac",
                                        "is_met",
                                        "is_bias_met"};
    rig__csv out = rig__csv_begin(output);
    rig__csv_names(&out, names, N_ITEMS(names));
    rig__csv_end_row(&out);
    for (size_t i = 0; i < RIG_N_TARGETS; i++) {
        const rig_target_score *const score = &scores[i];
        rig__csv_text(&out, score->name);
        rig__csv_text(&out, score->what);
        rig__csv_text(&out, score->left_out);
        rig__csv_number(&out, (double)score->rows);
        rig__csv_number(&out, score->value_frac);
        rig__csv_number(&out, score->limit_frac);
        rig__csv_number(&out, score->bias_frac);
        rig__csv_number(&out, score->trivial_frac);
        rig__csv_bool(&out, score->is_met);
        rig__csv_bool(&out, score->is_bias_met);
        rig__csv_end_row(&out);
    }
}

rig_status rig_report_targets(const rig_target_score scores[RIG_N_TARGETS],
                              const rig_folds *folds,
                              const rig_report_options *options,
                              rig_write_sink sink,
                              void *payload,
                              rig_error *err)
{
    rig__output output;
    RIG_TRY(rig__output_init(&output, options, sink, payload, err));
    if (options->format == RIG_FORMAT_CSV) {
        write_csv(&output, scores);
    } else if (options->format == RIG_FORMAT_JSON) {
        rig__json_targets(&output, scores, folds);
    } else {
        write_sheet(&output, scores, folds);
    }
    return rig__output_finish(&output, err);
}
