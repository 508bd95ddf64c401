/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the verbs share: catalogue, constants and request, made from the options. */
#ifndef RIG_CLI_SESSION_H
#define RIG_CLI_SESSION_H

#include <stdio.h>

#include "cli/cli_options.h"
#include "cli/cli_output.h"
#include "trainrig/accuracy.h"
#include "trainrig/catalog.h"
#include "trainrig/model.h"
#include "trainrig/optimizer.h"
#include "trainrig/report.h"

typedef struct cli_session {
    const cli_input *input;
    rig_catalog *catalog; /**< with the profile, if one is given */
    rig_catalog *shipped; /**< NULL without a profile: what catalog lies over */
    rig_profile *profile; /**< NULL: none */
    rig_constants *constants;
    rig_request request;
    rig_condition *conditions;
    char workload_name[256];
} cli_session;

/** Price policy and the like from the options; directories are left to the caller. */
rig_catalog_options rig__cli_catalog_options(const cli_input *input);

/** Shipped catalogue and those of --catalog. Free with rig__cli_session_free, also after a failure.
 *  Prints what is wrong. */
cli_exit rig__cli_session_load(cli_session *session, const cli_input *input);

/** Binds constants and fills the request: workload, economics, conditions, limits, today; with
 *  recommend also budget, objective and solver. */
cli_exit rig__cli_session_request(cli_session *session);

/** Workloads given with --workload, 1 if none is. */
size_t rig__cli_session_n_workloads(const cli_session *session);
/** Puts one of them, with the options that change it, into the request. */
cli_exit rig__cli_session_take_workload(cli_session *session, size_t index);

/** Checks that what the objective needs is given: a budget, or the longest epoch. Prints what is
 *  missing. */
cli_exit rig__cli_check_objective(const cli_input *input);

/** Today as YYYYMMDD, or the day of SOURCE_DATE_EPOCH. Prints what is wrong with that. */
cli_exit rig__cli_today(int32_t *out);

/** The option that the objective needs and that is not given, N_OPTIONS: none. */
cli_id rig__cli_objective_lacks(const cli_input *input);

/** The same without budget and conditions, for verbs that choose nothing. */
cli_exit rig__cli_session_workload(cli_session *session);

void rig__cli_session_free(cli_session *session);

/** Build named by --cpu, --gpu ...; @param[out] n_parts  options given */
cli_exit rig__cli_session_build(const cli_session *session, rig_build *out, size_t *n_parts);

/** Parses conditions of one option, as rig_condition_parse does. Prints what is wrong. */
cli_exit rig__cli_condition(const cli_session *session,
                            cli_id id,
                            size_t index,
                            rig_condition_kind kind,
                            const char *text,
                            rig_condition *out);

/** Prints, on standard error, texts about the result, each after "warning: ". */
void rig__cli_warn_all(const rig_texts *texts);

/** Warnings that CSV has no place for; those of single builds stand in its column `warnings`. */
void rig__cli_warn_result(const rig_result *result, rig_format format);

/** Names the conditions that cannot hold together and the least budget, on standard error. */
void rig__cli_print_conflict(const rig_result *result);

/** Method and counts of the search, on standard error. */
void rig__cli_print_proof(const rig_result *result);

/** Writes a recommendation, says on standard error what there is to say, and tells the exit code.
 */
cli_exit
rig__cli_write_answer(const cli_input *input, const rig_result *result, cli_output *output);
/** Is what was written before this exit code a result? */
bool rig__cli_is_worth_keeping(cli_exit code);

/** Exit code of a recommendation. interrupted: what rig__cli_interrupt_exit says. */
cli_exit rig__cli_exit_of_result(const rig_result *result, cli_exit interrupted);

/** Checks --fail-if before anything is computed. */
cli_exit rig__cli_fail_if_check(const cli_input *input);
/** Exit code 8 if the condition of --fail-if holds for the build, else 0. */
cli_exit rig__cli_fail_if(const cli_input *input, const rig_build_report *build, double gap_frac);

/** Says what --measured means against the hardware bound: on the stream of the result for people,
 *  ahead of the result, on standard error beside machine formats. */
void rig__cli_compare_measured(const cli_input *input, double bound_images_per_s, FILE *stream);

#endif
