/* SPDX-License-Identifier: GPL-3.0-or-later
 * Many questions at once: scenarios read from CSV, answered by several threads, written in order.
 */
#ifndef RIG_SCENARIOS_H
#define RIG_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/optimizer.h"
#include "trainrig/report.h"
#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- answers -------------------------------------------------------------------------------- */

/** One question of many. Catalogues and constants are read only and may be shared. */
typedef struct rig_question {
    const rig_catalog *catalog;
    const rig_constants *constants;
    const rig_request *request; /**< NULL: no question, its answer is NULL with RIG_OK */
} rig_question;

/** Takes the answers in the order of the questions, in the thread of the caller.
 *  @param result  NULL unless status is RIG_OK; lent until the call returns
 *  @return false: no more answers are wanted */
typedef bool (*rig_answer_sink)(
    size_t index, const rig_result *result, rig_status status, const rig_error *err, void *payload);

/** rig_recommend for many questions. Each answer equals that of rig_recommend, whatever the number
 *  of threads; a question that fails does not stop the others.
 *
 *  The callbacks rig_request.is_cancelled are called in all threads at once.
 *  @param n_threads  1..1024
 *  @return RIG_OK, also when the sink ended it; RIG_E_INVALID; RIG_E_NOMEM (no thread, no memory)
 *  @thread safe */
RIG_API RIG_NODISCARD rig_status rig_recommend_many(const rig_question *questions,
                                                    size_t n_questions,
                                                    size_t n_threads,
                                                    rig_answer_sink sink,
                                                    void *payload,
                                                    rig_error *err);

/* ---- scenarios ------------------------------------------------------------------------------ */

/** A cell of a scenario and where it starts. */
typedef struct rig_scenario_cell {
    const char *text; /**< "" if empty */
    long line, column;
} rig_scenario_cell;

/** A CSV file of scenarios: a header, then one scenario per row. */
typedef struct rig_scenarios rig_scenarios;

/** @param[out] out  NULL on failure; free with rig_scenarios_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE, RIG_E_DUPLICATE (column) with the place; RIG_E_NOMEM */
RIG_API RIG_NODISCARD rig_status rig_scenarios_read(rig_scenarios **out,
                                                    const char *path,
                                                    rig_error *err);
RIG_API void rig_scenarios_free(rig_scenarios *scenarios);
RIG_API size_t rig_scenarios_count(const rig_scenarios *scenarios);
RIG_API size_t rig_scenarios_n_columns(const rig_scenarios *scenarios);
RIG_API const char *rig_scenarios_column(const rig_scenarios *scenarios, size_t i_column);
RIG_API rig_scenario_cell rig_scenarios_cell(const rig_scenarios *scenarios,
                                             size_t i_row,
                                             size_t i_column);
/** Fingerprint of all names and cells, and of further texts in their order. */
RIG_API uint64_t rig_scenarios_hash(const rig_scenarios *scenarios,
                                    const char *const *texts,
                                    size_t n_texts);

/* ---- result rows ---------------------------------------------------------------------------- */

/** Writes the names of the columns of rig_report_scenario. Only the CSV options are used. */
RIG_API RIG_NODISCARD rig_status rig_report_scenario_header(const rig_scenarios *scenarios,
                                                            const rig_report_options *options,
                                                            rig_write_sink sink,
                                                            void *payload,
                                                            rig_error *err);

/** Writes the answer to one scenario: a row per build, one row if there is none. The last columns
 *  are those of a recommendation as CSV.
 *  @param hash     of the whole sweep
 *  @param result   NULL: the scenario is wrong, and message says why
 *  @return as rig_report_result */
RIG_API RIG_NODISCARD rig_status rig_report_scenario(const rig_scenarios *scenarios,
                                                     size_t i_row,
                                                     uint64_t hash,
                                                     const rig_result *result,
                                                     const char *message,
                                                     const rig_report_options *options,
                                                     rig_write_sink sink,
                                                     void *payload,
                                                     rig_error *err);

/** How much of a sweep is in a file that rig_report_scenario wrote and that may be torn. */
typedef struct rig_sweep_progress {
    size_t n_bytes;  /**< from the start that are whole scenarios */
    size_t next_row; /**< first scenario that is not among them */
    size_t n_errors; /**< scenarios with outcome "error" among them */
    size_t n_limits; /**< with outcome "feasible" or "limit" */
} rig_sweep_progress;

/** Reads back a sweep of the scenarios first_row .. end_row - 1. The last scenario found counts as
 *  torn, since rows of it may be missing, unless is_whole.
 *  @return RIG_OK; RIG_E_IO; RIG_E_PARSE; RIG_E_INVALID: not of this sweep (hash or rows) */
RIG_API RIG_NODISCARD rig_status rig_sweep_progress_read(rig_sweep_progress *out,
                                                         const char *path,
                                                         uint64_t hash,
                                                         size_t first_row,
                                                         size_t end_row,
                                                         bool has_header,
                                                         bool is_whole,
                                                         rig_error *err);

#ifdef __cplusplus
}
#endif

#endif
