/* SPDX-License-Identifier: GPL-3.0-or-later
 * What all solvers share: checks of a choice problem and exact evaluation of a choice. */
#include "solvers/choice.h"

#include <math.h>
#include <time.h>

#include "base/error.h"

static rig_status check_groups(const rig_choice_problem *problem, rig_error *err)
{
    if (problem->n_groups == 0 || problem->n_groups > RIG__GROUPS_MAX) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "wrong number of groups: '%zu' (expected 1 to %zu)",
                              problem->n_groups,
                              RIG__GROUPS_MAX);
    }
    size_t n_options = 0;
    for (size_t g = 0; g < problem->n_groups; g++) {
        const size_t n = problem->n_options[g];
        if (n == 0 || n > RIG__OPTIONS_MAX - n_options) {
            return rig__error_set(
                err,
                RIG_E_INVALID,
                NULL,
                0,
                0,
                "wrong number of options of group %zu: '%zu' (expected 1 or more, "
                "at most %zu in all)",
                g,
                n,
                RIG__OPTIONS_MAX);
        }
        n_options += n;
    }
    return RIG_OK;
}

static rig_status check_costs(const rig_choice_problem *problem, rig_error *err)
{
    for (size_t g = 0; g < problem->n_groups; g++) {
        for (size_t i = 0; i < problem->n_options[g]; i++) {
            const int64_t cost = problem->costs[g][i];
            if (cost < 0 || cost > RIG__COST_MAX) {
                return rig__error_set(err,
                                      RIG_E_INVALID,
                                      NULL,
                                      0,
                                      0,
                                      "cost of option %zu of group %zu out of range: '%lld' "
                                      "(expected 0 to %lld cents)",
                                      i,
                                      g,
                                      (long long)cost,
                                      (long long)RIG__COST_MAX);
            }
        }
    }
    return RIG_OK;
}

static bool is_coefficient(double value)
{
    return isfinite(value) && fabs(value) <= RIG__COEFFICIENT_MAX;
}

static rig_status check_row(const rig_choice_problem *problem, size_t i_row, rig_error *err)
{
    const rig_choice_row *const row = &problem->rows[i_row];
    const char *const name = row->name != NULL ? row->name : "unnamed";
    if (!is_coefficient(row->limit)) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "limit of row %zu (%s) is no usable number: '%g' (expected a finite "
                              "one up to 1e100)",
                              i_row,
                              name,
                              row->limit);
    }
    for (size_t g = 0; g < problem->n_groups && row->coefficients != NULL; g++) {
        for (size_t i = 0; i < problem->n_options[g] && row->coefficients[g] != NULL; i++) {
            if (!is_coefficient(row->coefficients[g][i])) {
                return rig__error_set(err,
                                      RIG_E_INVALID,
                                      NULL,
                                      0,
                                      0,
                                      "coefficient of option %zu of group %zu in row %zu (%s) is "
                                      "no usable number: '%g' (expected a finite one up to 1e100)",
                                      i,
                                      g,
                                      i_row,
                                      name,
                                      row->coefficients[g][i]);
            }
        }
    }
    return RIG_OK;
}

static rig_status check_pair(const rig_choice_problem *problem, size_t i_pair, rig_error *err)
{
    const rig_choice_pair *const pair = &problem->pairs[i_pair];
    const bool are_groups = pair->first < problem->n_groups && pair->second < problem->n_groups;
    if (!are_groups || pair->first == pair->second || pair->allowed == NULL) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "wrong groups of pair %zu (%s): '%zu, %zu' (expected two different "
                              "ones below %zu and a table)",
                              i_pair,
                              pair->name != NULL ? pair->name : "unnamed",
                              pair->first,
                              pair->second,
                              problem->n_groups);
    }
    return RIG_OK;
}

rig_status rig__choice_check(const rig_choice_problem *problem,
                             const rig_solver_limits *limits,
                             rig_error *err)
{
    RIG_TRY(check_groups(problem, err));
    RIG_TRY(check_costs(problem, err));
    for (size_t i = 0; i < problem->n_rows; i++) {
        RIG_TRY(check_row(problem, i, err));
    }
    for (size_t i = 0; i < problem->n_pairs; i++) {
        RIG_TRY(check_pair(problem, i, err));
    }
    if (limits != NULL && isnan(limits->time_s)) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "time limit is no number: 'nan' (expected seconds or infinity)");
    }
    return RIG_OK;
}

size_t rig__choice_count(const rig_choice_problem *problem)
{
    size_t n_options = 0;
    for (size_t g = 0; g < problem->n_groups; g++) {
        n_options += problem->n_options[g];
    }
    return n_options;
}

double rig__choice_coefficient(const rig_choice_row *row, size_t group, size_t option)
{
    if (row->coefficients == NULL || row->coefficients[group] == NULL) {
        return 0.0;
    }
    return row->coefficients[group][option];
}

bool rig__choice_row_holds(const rig_choice_row *row, double sum, double magnitude)
{
    return sum - row->limit <= RIG__ROW_TOLERANCE * (fabs(row->limit) + magnitude);
}

bool rig__choice_holds(const rig_choice_problem *problem, const size_t *chosen)
{
    for (size_t p = 0; p < problem->n_pairs; p++) {
        const rig_choice_pair *const pair = &problem->pairs[p];
        const size_t row = chosen[pair->first] * problem->n_options[pair->second];
        if (pair->allowed[row + chosen[pair->second]] == 0) {
            return false;
        }
    }
    for (size_t r = 0; r < problem->n_rows; r++) {
        double sum = 0.0;
        double magnitude = 0.0;
        for (size_t g = 0; g < problem->n_groups; g++) {
            const double term = rig__choice_coefficient(&problem->rows[r], g, chosen[g]);
            sum += term;
            magnitude += fabs(term);
        }
        if (!rig__choice_row_holds(&problem->rows[r], sum, magnitude)) {
            return false;
        }
    }
    return true;
}

int64_t rig__choice_cost(const rig_choice_problem *problem, const size_t *chosen)
{
    int64_t cost = 0;
    for (size_t g = 0; g < problem->n_groups; g++) {
        cost += problem->costs[g][chosen[g]];
    }
    return cost;
}

bool rig__limits_cancelled(const rig_solver_limits *limits)
{
    return limits->is_cancelled != NULL && limits->is_cancelled(limits->payload);
}

double rig__clock_s(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
