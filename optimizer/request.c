/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests: defaults and the names of the objectives. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "trainrig/optimizer.h"

#define TOP_DEFAULT 5

static const char *const objective_names[] = {
    "epoch-time", "price", "cost-per-epoch", "images-per-dollar"};

#define N_OBJECTIVES (sizeof objective_names / sizeof objective_names[0])

const char *rig_objective_name(rig_objective objective)
{
    return (size_t)objective < N_OBJECTIVES ? objective_names[objective] : "";
}

rig_status rig_objective_parse(const char *text, rig_objective *out, rig_error *err)
{
    size_t nearest = 0;
    size_t least = SIZE_MAX;
    for (size_t i_name = 0; i_name < N_OBJECTIVES; i_name++) {
        if (strcmp(text, objective_names[i_name]) == 0) {
            *out = (rig_objective)i_name;
            return RIG_OK;
        }
        const size_t distance = rig__text_distance(text, objective_names[i_name], 64);
        if (distance < least) {
            least = distance;
            nearest = i_name;
        }
    }
    const rig_status status = rig__error_set(err,
                                             RIG_E_PARSE,
                                             NULL,
                                             0,
                                             0,
                                             "no such objective: '%.80s' (epoch-time, price, "
                                             "cost-per-epoch or images-per-dollar)",
                                             text);
    rig__error_hint(err, "nearest: %s", objective_names[nearest]);
    return status;
}

rig_request rig_request_default(void)
{
    rig_request request;
    memset(&request, 0, sizeof request);
    request.workload.precision = RIG_PRECISION_AMP;
    request.workload.batch_per_gpu = 1;
    request.workload.epochs = 1;
    request.workload.cache = RIG_CACHE_PAGE;
    request.workload.is_overlapped = true;
    request.workload.workers = NAN;
    request.budget_cents = INT64_MAX;
    request.objective = RIG_OBJECTIVE_EPOCH_TIME;
    request.epoch_time_max_s = INFINITY;
    request.top = TOP_DEFAULT;
    request.distinct = RIG_DISTINCT_GPU;
    request.economics = rig_economics_default();
    request.solver = "auto";
    request.time_limit_s = INFINITY;
    request.circuit_w = NAN;
    request.nodes_least = 1;
    request.nodes_most = 1;
    return request;
}
