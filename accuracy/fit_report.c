/* SPDX-License-Identifier: GPL-3.0-or-later
 * Results of a calibration as entries of a profile. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "accuracy/fit_problem.h"
#include "base/error.h"
#include "model/profile.h"

/* Two figures that are tied so closely are told by the rows as one. */
static const double correlation_told = 0.8;
static const double log_sd_most = 3.0;

static double covariance_of(const rig__fit_problem *problem, size_t j, size_t k)
{
    return problem->map.covariance[j * problem->map.n_parameters + k];
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Standard error of a figure, relative to it. */
static double log_sd_of(rig__scale scale, double sd, double value)
{
    double log_sd = sd;
    if (scale == RIG__SCALE_LINEAR) {
        log_sd = value == 0.0 ? 0.0 : sd / fabs(value);
    } else if (scale == RIG__SCALE_LOGIT) {
        log_sd = sd * (1.0 - value);
    }
    return fmin(log_sd, log_sd_most);
}

static double spread_of(const rig__fit_problem *problem, size_t level)
{
    for (size_t j = 0; j < problem->map.n_parameters; j++) {
        const size_t spread = problem->map.parameters[j].spread;
        if (problem->unknowns[j].level == level && spread != RIG__NO_SPREAD) {
            return problem->map.spreads[spread].sd;
        }
    }
    return 0.0;
}

/* A GPU's row holds what its architecture's row says as well; an architecture's row is for GPUs
 * that have none, which differ among themselves. */
static void effect_of(const rig__fit_problem *problem, size_t j, double *value, double *sd)
{
    const rig__fit_unknown *const unknown = &problem->unknowns[j];
    const rig__map_parameter *const own = &problem->map.parameters[j];
    *value = own->value;
    *sd = own->error_sd;
    if (unknown->parent != RIG__NO_SPREAD) {
        const rig__map_parameter *const parent = &problem->map.parameters[unknown->parent];
        const double variance = own->error_sd * own->error_sd +
                                parent->error_sd * parent->error_sd +
                                2.0 * covariance_of(problem, j, unknown->parent);
        *value += parent->value;
        *sd = sqrt(fmax(variance, 0.0));
    } else if (unknown->level == RIG__EFFECT_ARCH) {
        *sd = hypot(own->error_sd, spread_of(problem, RIG__EFFECT_GPU));
    } else if (unknown->level == RIG__EFFECT_CPU_FAMILY) {
        *sd = hypot(own->error_sd, spread_of(problem, RIG__EFFECT_CPU));
    }
}

static rig_status
report_unknown(const rig__fit_problem *problem, size_t j, rig_profile *profile, rig_error *err)
{
    const rig__fit_unknown *const unknown = &problem->unknowns[j];
    double value = problem->map.parameters[j].value, sd = problem->map.parameters[j].error_sd;
    char source[128];
    /* without rows a figure is its prior, which replaces what was fitted before */
    const bool is_told = unknown->n_rows > 0 || problem->is_from_priors;
    if (unknown->table == RIG_N_PROFILE_TABLES || !is_told) {
        return RIG_OK;
    }
    if (unknown->target == NULL) {
        effect_of(problem, j, &value, &sd);
    }
    const double figure = rig__scale_from(unknown->scale, value);
    const double kept = clamp(figure, unknown->low, unknown->high);
    if (unknown->n_rows == 0) {
        (void)snprintf(source, sizeof source, "no rows: its prior");
    } else {
        (void)snprintf(source,
                       sizeof source,
                       "fitted on %zu %s rows (maximum a posteriori)%s",
                       unknown->n_rows,
                       rig__block_word(problem->block),
                       kept == figure ? "" : "; end of the range");
    }
    const rig_profile_entry entry = {
        .table = unknown->table,
        .name = unknown->name,
        .value = kept,
        .log_sd = log_sd_of(unknown->scale, sd, kept),
        .rows = (double)unknown->n_rows,
        .source = source,
    };
    return rig_profile_add(profile, &entry, err);
}

static rig_status report_correlation(
    const rig__fit_problem *problem, size_t j, size_t k, rig_profile *profile, rig_error *err)
{
    char name[RIG__EFFECT_KEY_BYTES];
    const double scale = problem->map.parameters[j].error_sd * problem->map.parameters[k].error_sd;
    const double correlation = scale > 0.0 ? covariance_of(problem, j, k) / scale : 0.0;
    if (fabs(correlation) < correlation_told) {
        return RIG_OK;
    }
    (void)snprintf(
        name, sizeof name, "%s ~ %s", problem->unknowns[j].name, problem->unknowns[k].name);
    const rig_profile_entry entry = {.table = RIG_PROFILE_CORRELATION,
                                     .name = name,
                                     .value = correlation,
                                     .log_sd = NAN,
                                     .rows = (double)problem->map.n_rows,
                                     .source = "covariance of the fit"};
    return rig_profile_add(profile, &entry, err);
}

static rig_status
report_correlations(const rig__fit_problem *problem, rig_profile *profile, rig_error *err)
{
    for (size_t j = 0; j < problem->map.n_parameters; j++) {
        for (size_t k = j + 1; k < problem->map.n_parameters; k++) {
            if (problem->unknowns[j].target != NULL && problem->unknowns[k].target != NULL) {
                RIG_TRY(report_correlation(problem, j, k, profile, err));
            }
        }
    }
    return RIG_OK;
}

/* One more row of a group was fitted. */
static rig_status
count_group(rig_profile *profile, rig_group group, const char *name, rig_error *err)
{
    char key[RIG__EFFECT_KEY_BYTES];
    (void)snprintf(key, sizeof key, "%s:%s", rig_group_name(group), name);
    const rig_profile_entry *const known = rig__profile_find(profile, RIG_PROFILE_FITTED, key);
    const rig_profile_entry entry = {.table = RIG_PROFILE_FITTED,
                                     .name = key,
                                     .value = NAN,
                                     .log_sd = NAN,
                                     .rows = known == NULL ? 1.0 : known->rows + 1.0,
                                     .source = "rows that were fitted"};
    return rig_profile_add(profile, &entry, err);
}

static rig_status
report_groups(const rig__fit_problem *problem, rig_profile *profile, rig_error *err)
{
    static const rig_group told[] = {RIG_GROUP_GPU,
                                     RIG_GROUP_CPU,
                                     RIG_GROUP_CPU_FAMILY,
                                     RIG_GROUP_NETWORK,
                                     RIG_GROUP_STACK,
                                     RIG_GROUP_LOADER,
                                     RIG_GROUP_SOURCE,
                                     RIG_GROUP_SUBMITTER};
    for (size_t i = 0; i < problem->map.n_rows; i++) {
        for (size_t k = 0; k < sizeof told / sizeof told[0]; k++) {
            const char *const name = problem->rows[i].measurement->labels[told[k]];
            if (name != NULL) {
                RIG_TRY(count_group(profile, told[k], name, err));
            }
        }
    }
    return RIG_OK;
}

rig_status
rig__fit_problem_report(const rig__fit_problem *problem, rig_profile *profile, rig_error *err)
{
    for (size_t j = 0; j < problem->map.n_parameters; j++) {
        RIG_TRY(report_unknown(problem, j, profile, err));
    }
    RIG_TRY(report_correlations(problem, profile, err));
    return report_groups(problem, profile, err);
}
