/* SPDX-License-Identifier: GPL-3.0-or-later
 * What another solver answered to a program: read, checked, compared and explained. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "optimizer/answer.h"
#include "optimizer/program_parts.h"
#include "optimizer/prove.h"
#include "optimizer/solution_file.h"
#include "trainrig/units.h"

/* Solvers call a value whole when it is this near. */
static const double whole_tolerance = 1e-4;
/* Objectives nearer than this are equal [share]. */
static const double objective_tolerance = 1e-9;

static const char method_read[] =
    "solution file of another solver, checked anew and compared with trainrig's own answer";

typedef struct reading {
    const rig_program *program;
    const char *path;
    rig__arena *arena;
    double *values; /* per column */
    rig_error *err;
} reading;

static rig_status
wrong(const reading *r, long line, const char *what, const char *found, const char *expected)
{
    return rig__error_set(r->err,
                          RIG_E_INVALID,
                          r->path,
                          line,
                          0,
                          "%s: '%.80s' (expected %s)",
                          what,
                          found,
                          expected);
}

/* ---- columns --------------------------------------------------------------------------------- */

static int compare_columns(const void *left, const void *right)
{
    const rig__linear_column *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

/* Columns by name. @return in the arena, NULL: out of memory */
static const rig__linear_column **sort_columns(const reading *r)
{
    const rig__linear *linear = &r->program->whole.linear;
    const rig__linear_column **sorted =
        rig__arena_alloc(r->arena, linear->n_columns, sizeof(void *));
    for (size_t j = 0; j < linear->n_columns && sorted != NULL; j++) {
        sorted[j] = &linear->columns[j];
    }
    if (sorted != NULL) {
        qsort(sorted, linear->n_columns, sizeof(void *), compare_columns);
    }
    return sorted;
}

static const char another[] = "an answer to the program that the same options export";

static rig_status put_named(reading *r,
                            const rig__linear_column **sorted,
                            const rig__solution_value *value,
                            bool *is_ours)
{
    const rig__linear *linear = &r->program->whole.linear;
    const rig__linear_column probe = {.name = value->name};
    const rig__linear_column *key = &probe;
    const rig__linear_column **found =
        bsearch(&key, sorted, linear->n_columns, sizeof(void *), compare_columns);
    if (found == NULL) {
        return wrong(r, value->line, "a column of another program", value->name, another);
    }
    r->values[*found - linear->columns] = value->value;
    *is_ours |= *found == linear->columns;
    return RIG_OK;
}

static rig_status put_numbered(reading *r, const rig__solution_value *value, bool *is_ours)
{
    if (value->number < 1 || value->number > r->program->size.n_columns) {
        char number[32];
        return wrong(r,
                     value->line,
                     "no such column",
                     rig__number_format(number, sizeof number, (double)value->number),
                     "the number of a column");
    }
    r->values[value->number - 1] = value->value;
    *is_ours |= value->number == 1 && fabs(value->value - 1) <= whole_tolerance;
    return RIG_OK;
}

/* The first column is 1 in every solution, and its name tells the program. */
static rig_status put_values(reading *r, const rig__solution *solution)
{
    const rig_program *program = r->program;
    const rig__linear_column **sorted = sort_columns(r);
    bool is_ours = false;
    char number[32];
    r->values = rig__arena_alloc(r->arena, program->size.n_columns, sizeof *r->values);
    if (sorted == NULL || r->values == NULL) {
        return rig__error_nomem(r->err);
    }
    if (solution->n_columns != 0 && solution->n_columns != program->size.n_columns) {
        return wrong(r,
                     0,
                     "number of columns of another program",
                     rig__number_format(number, sizeof number, (double)solution->n_columns),
                     another);
    }
    for (size_t i = 0; i < solution->n_values; i++) {
        const rig__solution_value *value = &solution->values[i];
        RIG_TRY(value->name != NULL ? put_named(r, sorted, value, &is_ours)
                                    : put_numbered(r, value, &is_ours));
    }
    return is_ours ? RIG_OK
                   : rig__error_set(r->err,
                                    RIG_E_INVALID,
                                    r->path,
                                    0,
                                    0,
                                    "no value of column %s: cut short, or of another program",
                                    program->name);
}

/* ---- from columns to a machine --------------------------------------------------------------- */

/* Decides one group: exactly one option is 1 and all others are 0. */
static rig_status choose(const reading *r, rig__group group, rig__choice *choice)
{
    const rig__members *members = &r->program->whole.groups[group];
    const rig__linear_column *columns = r->program->whole.linear.columns;
    size_t n_chosen = 0;
    for (size_t i = 0; i < members->n; i++) {
        const double value = r->values[members->column[i]];
        const char *name = columns[members->column[i]].name;
        if (!(fabs(value) <= whole_tolerance || fabs(value - 1) <= whole_tolerance)) {
            return wrong(r, 0, "an option is bought in part", name, "a value of 0 or 1");
        }
        if (value > 0.5) {
            if (n_chosen++ > 0) {
                return wrong(r, 0, "two options of one kind are bought", name, "one of each kind");
            }
            choice->at[group] = members->at[i];
        }
    }
    if (n_chosen == 0) {
        static const char *const kinds[RIG__N_GROUPS] = {
            "host", "gpu", "memory", "drives", "supply", "chassis"};
        return wrong(r, 0, "no option of one kind is bought", kinds[group], "one of each kind");
    }
    choice->cost_cents +=
        rig__space_option(&r->program->space, group, choice->at[group])->cost_cents;
    return RIG_OK;
}

static rig_status broken(const reading *r, const char *rule)
{
    return rig__error_set(r->err,
                          RIG_E_INVALID,
                          r->path,
                          0,
                          0,
                          "the build of this solution breaks a rule: '%s' (expected a machine "
                          "that can be built)",
                          rule);
}

/* The rules of the program itself; physics is checked again on the finished build. */
static rig_status check_rules(const reading *r, const rig__choice *choice)
{
    const rig__space *space = &r->program->space;
    for (size_t i = 0; i < RIG__N_PAIR_RULES; i++) {
        const rig__pair_rule *rule = &rig__pair_rules[i];
        if (!rule->fits(space, choice->at[rule->first], choice->at[rule->second])) {
            return broken(r, rule->name);
        }
    }
    for (size_t i = 0; i < RIG__N_SUM_RULES; i++) {
        double sum = 0, magnitude = 1;
        for (int group = 0; group < RIG__N_GROUPS; group++) {
            const double share = rig__sum_coefficient(
                space, &rig__sum_rules[i], (rig__group)group, choice->at[group]);
            sum += share;
            magnitude += fabs(share);
        }
        if (!(sum <= rig__sum_rules[i].limit + 1e-9 * magnitude)) {
            return broken(r, rig__sum_rules[i].name);
        }
    }
    return RIG_OK;
}

static rig_status check_question(const reading *r, const rig__choice *choice)
{
    const rig__space *space = &r->program->space;
    char price[64], budget[64];
    if (choice->cost_cents > space->budget_cents) {
        return rig__error_set(
            r->err,
            RIG_E_INVALID,
            r->path,
            0,
            0,
            "the build of this solution costs USD %s (expected at most the "
            "budget of USD %s)",
            rig_format_money(price, sizeof price, choice->cost_cents + space->network.nic_cents),
            rig_format_money(budget, sizeof budget, r->program->request.budget_cents));
    }
    if (!(choice->rate > 0) || choice->rate < space->least_rate * (1 - objective_tolerance)) {
        return broken(r, "an epoch takes no longer than allowed");
    }
    return RIG_OK;
}

static rig_status build_choice(reading *r, const rig__solution *solution, rig__choice *out)
{
    *out = (rig__choice){.cost_cents = 0};
    RIG_TRY(put_values(r, solution));
    for (int group = 0; group < RIG__N_GROUPS; group++) {
        RIG_TRY(choose(r, (rig__group)group, out));
    }
    RIG_TRY(check_rules(r, out));
    rig__choice_rate(&r->program->space, r->program->request.objective, out);
    return check_question(r, out);
}

/* ---- comparison with our own answer ---------------------------------------------------------- */

static double own_objective(const rig_program *program, const rig_build_report *own)
{
    return program->request.objective == RIG_OBJECTIVE_PRICE ? (double)own->price_cents
                                                             : -own->prediction.images_per_s;
}

static void compare(const rig_program *program,
                    rig__answer *answer,
                    const rig__choice *choice,
                    const rig_result *own)
{
    char less[64];
    rig_proof *proof = &answer->result->proof;
    const rig_build_report *best = &own->builds[0];
    const double objective = own_objective(program, best);
    const double gap = (choice->objective - objective) / fabs(choice->objective);
    *proof = own->proof;
    proof->method = method_read;
    proof->gap_frac = own->proof.gap_frac + (gap > objective_tolerance ? gap : 0);
    answer->result->outcome =
        own->outcome == RIG_OUTCOME_OPTIMAL && proof->gap_frac <= objective_tolerance
            ? RIG_OUTCOME_OPTIMAL
            : RIG_OUTCOME_FEASIBLE;
    const int64_t dearer =
        choice->cost_cents + program->space.network.nic_cents - best->price_cents;
    if (gap <= objective_tolerance && dearer > 0) {
        rig__text_list_add(&answer->reasons,
                           "as fast as trainrig's own answer, which costs USD %s less",
                           rig_format_money(less, sizeof less, dearer));
    }
}

static rig_status contradiction(const reading *r, const char *what)
{
    return rig__error_set(r->err, RIG_E_SOLVER, r->path, 0, 0, "%s", what);
}

/* Result for a file with a build. */
static rig_status
answer_build(const reading *r, const rig__choice *choice, const rig_result *own, rig_result **out)
{
    const rig_program *program = r->program;
    rig__answer answer;
    rig_status status =
        rig__answer_begin(&answer, program->catalog, program->constants, &program->request, r->err);
    if (status == RIG_OK) {
        status = rig__answer_report(&answer, choice, 1, r->err);
    }
    if (status == RIG_E_SOLVER) { /* not ours, so the file is at fault */
        r->err->status = status = RIG_E_INVALID;
    }
    if (status == RIG_OK && own->n_builds == 0) {
        status = own->outcome == RIG_OUTCOME_INFEASIBLE
                     ? contradiction(r, "a build that passes, but trainrig proved that none does")
                     : RIG_OK;
        answer.result->outcome = RIG_OUTCOME_FEASIBLE;
        answer.result->proof.gap_frac = INFINITY;
    } else if (status == RIG_OK) {
        compare(program, &answer, choice, own);
        status =
            choice->objective <
                        own_objective(program, &own->builds[0]) - 1e-6 * fabs(choice->objective) &&
                    own->outcome == RIG_OUTCOME_OPTIMAL
                ? contradiction(r, "a build that passes and is better than the one proved best")
                : RIG_OK;
    }
    if (status == RIG_OK) {
        answer.result->proof.method = method_read;
        rig__answer_summarise(&answer);
    }
    return rig__answer_end(&answer, status, out, r->err);
}

static rig_status
answer_solution(reading *r, const rig__solution *solution, rig_result **own, rig_result **out)
{
    rig__choice choice;
    const bool has_build =
        solution->status == RIG__SOLUTION_OPTIMAL || solution->status == RIG__SOLUTION_FEASIBLE;
    rig_request request = r->program->request;
    if (solution->status == RIG__SOLUTION_UNKNOWN) {
        return wrong(r, 0, "no solution was found", solution->solver, "a solution");
    }
    if (has_build) {
        RIG_TRY(build_choice(r, solution, &choice));
    }
    request.top = 1;
    RIG_TRY(rig_recommend(own, r->program->catalog, r->program->constants, &request, r->err));
    if (has_build) {
        return answer_build(r, &choice, *own, out);
    }
    if ((*own)->n_builds > 0) {
        return wrong(r,
                     0,
                     "a proof that nothing can be bought, but something can",
                     solution->solver,
                     another);
    }
    *out = *own;
    *own = NULL;
    return RIG_OK;
}

rig_status rig_program_solution_read(rig_result **out,
                                     const rig_program *program,
                                     const char *path,
                                     rig_error *err)
{
    rig_error local = {0};
    rig__solution solution;
    rig_result *own = NULL;
    reading r = {.program = program,
                 .path = path,
                 .arena = rig__arena_new(),
                 .err = err != NULL ? err : &local};
    *out = NULL;
    rig_status status = r.arena == NULL ? rig__error_nomem(r.err)
                                        : rig__solution_read(&solution, path, r.arena, r.err);
    if (status == RIG_OK) {
        status = answer_solution(&r, &solution, &own, out);
    }
    rig_result_free(own);
    rig__arena_free(r.arena);
    return status;
}
