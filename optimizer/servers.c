/* SPDX-License-Identifier: GPL-3.0-or-later
 * Complete servers as host options: bought as one part, rated by the whole model. */
#include <math.h>
#include <string.h>

#include "optimizer/build_report.h"
#include "optimizer/options.h"

/* What a server says it holds; counts it does not state are bounded at one. */
static void server_open(const rig__space *space, const rig_server *server, rig__host *out)
{
    const rig_row *cpu = server->cpu_name == NULL
                             ? NULL
                             : rig_catalog_get(space->catalog, RIG_TABLE_CPU, server->cpu_name);
    const rig_row *gpu = server->gpu_name == NULL
                             ? NULL
                             : rig_catalog_get(space->catalog, RIG_TABLE_GPU, server->gpu_name);
    memset(out, 0, sizeof *out);
    out->server = server;
    out->server_cpu = (const rig_cpu *)cpu;
    out->server_gpu = (const rig_gpu *)gpu;
    out->n_server_cpus = isnan(server->cpu_count) ? 1 : (int)server->cpu_count;
    out->n_server_gpus = isnan(server->gpu_count) ? 1 : (int)server->gpu_count;
}

/* A complete server is offered when all of it is known; it is rated by the whole model. */
static bool server_fill(rig__space *space, rig__host *out)
{
    rig_build build = rig_build_empty();
    build.parts[RIG_TABLE_SERVER] = (rig_part_use){&out->server->row, 1, false};
    rig_machine machine;
    rig_prediction prediction;
    if (out->server_cpu == NULL ||
        rig_build_machine(&build,
                          space->catalog,
                          space->constants,
                          &space->request->workload,
                          &machine,
                          NULL,
                          NULL,
                          NULL) != RIG_OK ||
        rig_predict_machine(
            &machine, &space->request->workload, space->constants, &prediction, NULL) != RIG_OK ||
        prediction.has_unknown || prediction.is_out_of_memory) {
        space->removed.not_known++;
        return false;
    }
    if (!rig__optimizer_build_fits_workload(&build, &space->request->workload, space->constants)) {
        space->removed.too_small++;
        return false;
    }
    if (!space->request->allow_unmeasured &&
        rig_gpu_efficiency(space->catalog, out->server_gpu, &space->request->workload) == NULL) {
        space->removed.unmeasured++;
        return false;
    }
    rig_build_totals totals;
    rig_build_totals_get(&build, space->catalog, space->constants, &totals);
    out->option.cost_cents = rig__space_cost(space, &out->server->row, 1);
    for (int total = 0; total < RIG_N_TOTALS; total++) {
        out->option.total[total] =
            rig_total_value((rig_total)total, &totals, out->option.cost_cents);
    }
    out->server_rate = prediction.images_per_s;
    out->supply_w = INFINITY;
    out->nic_slots = (int)rig__space_constant(space, "server_nic_slots_unknown");
    return true;
}

double rig__server_rate(const rig__space *space, const rig__host *host)
{
    const rig__network *network = &space->network;
    rig_build build = rig_build_empty();
    rig_machine machine;
    rig_prediction prediction;
    if (space->nodes < 2) {
        return host->server_rate;
    }
    build.nodes = space->nodes;
    build.parts[RIG_TABLE_SERVER] = (rig_part_use){&host->server->row, 1, false};
    build.parts[RIG_TABLE_NIC] = (rig_part_use){&network->nic->row, network->n_nics, false};
    if (network->fabric != NULL) {
        build.parts[RIG_TABLE_SWITCH] =
            (rig_part_use){&network->fabric->row, network->n_switches, false};
    }
    const rig_workload *workload = &space->request->workload;
    if (rig_build_machine(
            &build, space->catalog, space->constants, workload, &machine, NULL, NULL, NULL) !=
            RIG_OK ||
        rig_predict_machine(&machine, workload, space->constants, &prediction, NULL) != RIG_OK ||
        prediction.has_unknown || prediction.is_out_of_memory) {
        return 0;
    }
    return prediction.images_per_s / space->nodes;
}

/* Conditions on CPU and GPU look into a server; it cannot meet one on parts it does not name.
 * Network cards may stand beside it. */
static bool server_is_allowed(const rig__space *space, const rig__host *host)
{
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if (condition->kind == RIG_CONDITION_LIMIT || condition->table == RIG_TABLE_NIC ||
            condition->table == RIG_TABLE_SWITCH) {
            continue;
        }
        if (condition->kind == RIG_CONDITION_OWN && condition->table != RIG_TABLE_SERVER) {
            return false;
        }
        const rig_row *row = NULL;
        int count = 1;
        if (condition->table == RIG_TABLE_SERVER) {
            row = &host->server->row;
        } else if (condition->table == RIG_TABLE_CPU && host->server_cpu != NULL) {
            row = &host->server_cpu->row;
            count = host->n_server_cpus;
        } else if (condition->table == RIG_TABLE_GPU && host->server_gpu != NULL) {
            row = &host->server_gpu->row;
            count = host->n_server_gpus;
        }
        if (row == NULL && condition->kind == RIG_CONDITION_FORBID) {
            continue;
        }
        if (row == NULL || !rig_condition_allows(condition, row, count)) {
            return false;
        }
    }
    return true;
}

size_t rig__servers_collect(rig__space *space, rig__host *hosts)
{
    size_t n_hosts = 0;
    const size_t n_rows = rig_catalog_count(space->catalog, RIG_TABLE_SERVER);
    for (size_t i = 0; i < n_rows; i++) {
        const rig_row *row = rig_catalog_row(space->catalog, RIG_TABLE_SERVER, i);
        server_open(space, (const rig_server *)row, &hosts[n_hosts]);
        if (rig__space_cost(space, row, 1) < 0) {
            space->removed.no_price++;
        } else if (!server_is_allowed(space, &hosts[n_hosts])) {
            space->removed.by_condition++;
        } else if (server_fill(space, &hosts[n_hosts])) {
            n_hosts++;
        }
    }
    space->n_before += n_hosts;
    return n_hosts;
}
