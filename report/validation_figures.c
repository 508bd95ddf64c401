/* SPDX-License-Identifier: GPL-3.0-or-later
 * Figures of a validation in words. */
#include "report/validation_figures.h"

#include <math.h>
#include <string.h>

#include "report/figures.h"

/* Names of one reason that are shown. */
#define NAMES_SHOWN 3

bool rig__validation_shows(const rig__validation_view *view, const rig_group_score *group)
{
    return (view->groups & 1U << group->by) != 0;
}

const char *rig__validation_percent(rig__output *output, double frac)
{
    return isnan(frac) ? "" : rig__report_percent(output, frac);
}

const char *rig__validation_bias(rig__output *output, double frac)
{
    if (isnan(frac)) {
        return "";
    }
    const char *sign = frac < 0.0 ? "-" : "+";
    return rig__output_string(output, "%s%s", sign, rig__report_percent(output, fabs(frac)));
}

const char *rig__validation_fitted(rig_fitted fitted)
{
    return fitted == RIG_FITTED_YES ? "yes" : fitted == RIG_FITTED_NO ? "no" : "";
}

const char *rig__validation_title(rig__output *output, const rig_validation *validation)
{
    const char *text = rig__output_string(output,
                                          "Error of the model on %s of %s measurements",
                                          rig__report_number(output, (double)validation->n_used),
                                          rig__report_number(output, (double)validation->n_read));
    if (validation->left_out == NULL) {
        return text;
    }
    return rig__output_string(output,
                              "%s, each %s left out of the fit once (%zu fits)",
                              text,
                              validation->left_out,
                              validation->n_folds);
}

static const char *first_epoch(rig__output *output, const rig_validation *validation)
{
    const rig_score *score = &validation->first_epoch;
    if (score->rows == 0) {
        return "";
    }
    return rig__output_string(output,
                              "%s mean error, %s bias of the time, %s in the 90 %% interval, %zu "
                              "slow first epochs",
                              rig__validation_percent(output, score->mape_frac),
                              rig__validation_bias(output, score->bias_frac),
                              rig__validation_percent(output, score->coverage_frac),
                              score->rows);
}

void rig__validation_facts(rig__output *output,
                           const rig_validation *validation,
                           rig__validation_fact out[RIG__VALIDATION_FACTS])
{
    const rig_score *score = &validation->score;
    const char *binding = "", *coverage = "";
    if (score->binding_rows > 0) {
        binding = rig__output_string(output,
                                     "%s of %zu rows that tell",
                                     rig__validation_percent(output, score->binding_accuracy_frac),
                                     score->binding_rows);
    }
    if (!isnan(score->coverage_frac)) {
        coverage = rig__output_string(
            output, "%s of the rows inside", rig__validation_percent(output, score->coverage_frac));
    }
    const rig__validation_fact facts[RIG__VALIDATION_FACTS] = {
        {"Mean error", rig__validation_percent(output, score->mape_frac)},
        {"Median error", rig__validation_percent(output, score->median_ape_frac)},
        {"90 % within", rig__validation_percent(output, score->p90_ape_frac)},
        {"Bias", rig__validation_bias(output, score->bias_frac)},
        {"90 % interval", coverage},
        {"Binding stage", binding},
        {"First epoch", first_epoch(output, validation)},
    };
    size_t n = 0;
    for (size_t i = 0; i < RIG__VALIDATION_FACTS && facts[i].name != NULL; i++) {
        if (facts[i].value[0] != '\0') {
            out[n++] = facts[i];
        }
    }
    out[n] = (rig__validation_fact){NULL, NULL};
}

const char *rig__validation_skip(rig__output *output,
                                 const rig_validation *validation,
                                 size_t *index,
                                 size_t *count)
{
    const char *reason = validation->skips[*index].reason;
    const char *names = "";
    size_t n_names = 0;
    *count = 0;
    for (; *index < validation->n_skips; ++*index) {
        const rig_skip *skip = &validation->skips[*index];
        if (strcmp(skip->reason, reason) != 0) {
            break;
        }
        *count += skip->count;
        if (skip->name == NULL || ++n_names > NAMES_SHOWN) {
            continue;
        }
        names = rig__output_string(output,
                                   "%s%s%s (%zu)",
                                   names,
                                   n_names > 1 ? ", " : "",
                                   rig__output_clean(output, skip->name, RIG__CLEAN_UTF8),
                                   skip->count);
    }
    if (n_names > NAMES_SHOWN) {
        names = rig__output_string(output, "%s and %zu more", names, n_names - NAMES_SHOWN);
    }
    return names;
}
