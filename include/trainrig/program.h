/* SPDX-License-Identifier: GPL-3.0-or-later
 * The integer program of a request as a whole, for other solvers, and their answers read back. */
#ifndef RIG_PROGRAM_H
#define RIG_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/optimizer.h"
#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a writer puts its bytes. @return false on failure (disk full, closed pipe) */
typedef bool (*rig_write_sink)(const char *bytes, size_t length, void *payload);

typedef enum rig_program_format {
    RIG_PROGRAM_LP, /**< CPLEX LP */
    RIG_PROGRAM_MPS /**< free MPS */
} rig_program_format;

/** One mixed integer program whose optimum is the best build of a request. */
typedef struct rig_program rig_program;

typedef struct rig_program_size {
    size_t n_options; /**< of the request, before those without a chance were left out */
    size_t n_columns, n_integers, n_rows, n_entries;
    uint64_t fingerprint; /**< of all columns and rows; part of the name of the first column */
} rig_program_size;

/** Formulates a request: objective epoch-time (fastest within the budget) or price (cheapest within
 *  epoch_time_max_s), overlapped pipelines. request->top and distinct play no part: it asks for one
 *  build.
 *  @param is_full  true: every option of the catalogue; false: without those that another option
 *                  always replaces or that no affordable machine holds. Same optimum.
 *  @param[out] out NULL on failure; free with rig_program_free. Keeps catalog and constants, and
 *                  the conditions of the request.
 *  @return RIG_OK; RIG_E_INVALID (another objective, or stages that take turns), RIG_E_NOMEM */
RIG_API RIG_NODISCARD rig_status rig_program_new(rig_program **out,
                                                 const rig_catalog *catalog,
                                                 const rig_constants *constants,
                                                 const rig_request *request,
                                                 bool is_full,
                                                 rig_error *err);
RIG_API void rig_program_free(rig_program *program);
RIG_API rig_program_size rig_program_size_get(const rig_program *program);

/** Writes the program: comments that say what it is, columns with readable names.
 *  Deterministic: same rows of the catalogue and same request give the same bytes.
 *  @return RIG_OK; RIG_E_IO (the sink failed), RIG_E_NOMEM */
RIG_API RIG_NODISCARD rig_status rig_program_write(const rig_program *program,
                                                   rig_program_format format,
                                                   rig_write_sink sink,
                                                   void *payload,
                                                   rig_error *err);

/** Reads what another solver answered: a solution file of glpsol (--output or --write), cbc or
 *  HiGHS. The build is checked by the rules and the model as every recommendation is, and compared
 *  with trainrig's own answer: the outcome is OPTIMAL if it is as good, else FEASIBLE with the gap.
 *  A file that says that there is no solution gives INFEASIBLE if that is so, with the conflict.
 *  @param[out] out  NULL on failure; free with rig_result_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE (no such file, cut short, of another program),
 *          RIG_E_INVALID (the build breaks a rule), RIG_E_NOMEM, RIG_E_SOLVER */
RIG_API RIG_NODISCARD rig_status rig_program_solution_read(rig_result **out,
                                                           const rig_program *program,
                                                           const char *path,
                                                           rig_error *err);

#ifdef __cplusplus
}
#endif
#endif
