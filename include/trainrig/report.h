/* SPDX-License-Identifier: GPL-3.0-or-later
 * Results as terminal table, CSV, JSON, Markdown and HTML; builds read back from CSV. */
#ifndef RIG_REPORT_H
#define RIG_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "trainrig/accuracy.h"
#include "trainrig/compare.h"
#include "trainrig/market.h"
#include "trainrig/optimizer.h"
#include "trainrig/program.h"
#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rig_format {
    RIG_FORMAT_TABLE,
    RIG_FORMAT_CSV,
    RIG_FORMAT_JSON,
    RIG_FORMAT_MARKDOWN,
    RIG_FORMAT_HTML /**< one page that loads nothing */
} rig_format;
RIG_API RIG_NODISCARD rig_status rig_format_parse(const char *text,
                                                  rig_format *out,
                                                  rig_error *err);

typedef struct rig_report_options {
    rig_format format;
    int width; /**< columns of the terminal; 0: unlimited */
    bool use_colour;
    bool use_utf8;     /**< box characters */
    bool is_long;      /**< CSV: one row per part */
    bool use_crlf;     /**< CSV line ends */
    bool is_excel;     /**< CSV: byte order mark, CRLF, every cell guarded */
    bool no_csv_guard; /**< CSV: do not guard cells a spreadsheet would run as a formula */
    bool is_verbose;
} rig_report_options;
RIG_API rig_report_options rig_report_options_default(void);

/** Writes a recommendation ("trainrig.recommend/1") or, with is_prediction, predictions
 *  ("trainrig.predict/1"). Texts are escaped for the format; unknown is an empty cell or null.
 *  @return RIG_OK; RIG_E_IO if the sink fails; RIG_E_NOMEM */
RIG_API RIG_NODISCARD rig_status rig_report_result(const rig_result *result,
                                                   bool is_prediction,
                                                   const rig_report_options *options,
                                                   rig_write_sink sink,
                                                   void *payload,
                                                   rig_error *err);
/** Writes a frontier ("trainrig.frontier/1"): a row per build, cheapest first, with what changes
 * and what the next dollar buys.
 *  @param result      of rig_frontier
 *  @param from_cents  lower end of the range; the upper one is the budget of the request
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status rig_report_frontier(const rig_result *result,
                                                     int64_t from_cents,
                                                     const rig_report_options *options,
                                                     rig_write_sink sink,
                                                     void *payload,
                                                     rig_error *err);
RIG_API RIG_NODISCARD rig_status rig_report_requirements(const rig_requirements *requirements,
                                                         const rig_report_options *options,
                                                         rig_write_sink sink,
                                                         void *payload,
                                                         rig_error *err);
/** Rows of one table, with the columns named (NULL: all); "trainrig.catalog/1" in JSON. */
RIG_API RIG_NODISCARD rig_status rig_report_rows(const rig_catalog *catalog,
                                                 const rig_row *const *rows,
                                                 size_t n_rows,
                                                 const char *const *columns,
                                                 size_t n_columns,
                                                 const rig_report_options *options,
                                                 rig_write_sink sink,
                                                 void *payload,
                                                 rig_error *err);

/** Writes errors of the model ("trainrig.validate/1"): the whole, what was left out, groups.
 *  @param by    groups to show, NULL: kind, gpu, network, stack, cpu, source, stage
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status rig_report_validation(const rig_validation *validation,
                                                       const rig_group *by,
                                                       size_t n_by,
                                                       const rig_report_options *options,
                                                       rig_write_sink sink,
                                                       void *payload,
                                                       rig_error *err);

/** Writes one CSV row per measurement: what was observed and predicted, and its groups. Rows
 * without a prediction have an empty one and the reason. The format of the options is not used. */
RIG_API RIG_NODISCARD rig_status rig_report_residuals(const rig_validation *validation,
                                                      const rig_report_options *options,
                                                      rig_write_sink sink,
                                                      void *payload,
                                                      rig_error *err);

/** One figure before and after a calibration. */
typedef struct rig_figure_change {
    const rig_profile_entry *entry; /**< value after it, uncertainty, rows */
    double before;                  /**< of the catalogue; NAN: a new row of efficiency.csv */
    double shift; /**< ln(after / before), the difference where there is no logarithm */
} rig_figure_change;

/** What a calibration did. All is borrowed. */
typedef struct rig_calibration_report {
    const char *profile_path;       /**< NULL: standard output */
    size_t n_figures;               /**< of the profile */
    const rig_validation *start;    /**< the rows with the figures that it started from */
    const rig_validation *after;    /**< the rows with the fitted figures */
    const rig_validation *held_out; /**< cross-validation; NULL: none was made */
    rig_score held_out_start;       /**< rows of held_out with the figures that it started from */
    const rig_figure_change *changes;
    size_t n_changes; /**< most important first */
    const rig_residual *const *contradictions;
    size_t n_contradictions; /**< rows that the fit does not follow, worst first */
} rig_calibration_report;

/** Writes what a calibration did ("trainrig.calibrate/1"): rows, errors before and after, figures
 *  that changed, rows that contradict. People are shown the largest changes, machines all.
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status rig_report_calibration(const rig_calibration_report *calibration,
                                                        const rig_report_options *options,
                                                        rig_write_sink sink,
                                                        void *payload,
                                                        rig_error *err);

/** Writes how far each target is met ("trainrig.targets/1"), and the coverage of the intervals.
 *  @param folds  of the scores, for the coverage by group
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status rig_report_targets(const rig_target_score scores[RIG_N_TARGETS],
                                                    const rig_folds *folds,
                                                    const rig_report_options *options,
                                                    rig_write_sink sink,
                                                    void *payload,
                                                    rig_error *err);

/** Writes comparisons ("trainrig.compare/1"), one per workload, all of the same machines. CSV: a
 * row per machine and workload, with the rented machines that are hardest to beat.
 *  @param n_comparisons  1 or more
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status
rig_report_comparisons(const rig_cost_comparison *const *comparisons,
                       size_t n_comparisons,
                       const rig_report_options *options,
                       rig_write_sink sink,
                       void *payload,
                       rig_error *err);

/** Writes one table of an imported market as a file of a catalogue: every column of the schema,
 * rows by name. The format of the options is not used.
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status rig_report_market_table(const rig_market *market,
                                                         rig_table table,
                                                         const rig_report_options *options,
                                                         rig_write_sink sink,
                                                         void *payload,
                                                         rig_error *err);

/** Writes what an import did ("trainrig.import/1"): rows, changes and what was left out, by class
 *  and reason. CSV: a row per part that was left out.
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status rig_report_market(const rig_market *market,
                                                   const rig_report_options *options,
                                                   rig_write_sink sink,
                                                   void *payload,
                                                   rig_error *err);

/** Reads builds from a CSV file as rig_report_result writes it (wide or long), or any CSV with
 *  columns cpu_name, cpu_count, gpu_name ...; other columns are ignored. Guard apostrophes are
 *  taken off. An unknown part name is an error with line and column.
 *  @param[out] builds_out  free with rig_builds_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE, RIG_E_SCHEMA, RIG_E_NOTFOUND, RIG_E_RANGE */
RIG_API RIG_NODISCARD rig_status rig_builds_read(const char *path,
                                                 const rig_catalog *catalog,
                                                 rig_build **builds_out,
                                                 size_t *n_out,
                                                 rig_error *err);
RIG_API void rig_builds_free(rig_build *builds);

#ifdef __cplusplus
}
#endif
#endif
