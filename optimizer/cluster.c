/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers of nodes and networks between them: an exact search over all of their option spaces. */
#include "optimizer/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/network.h"
#include "solvers/choice.h"

/* ---- networks for one number of nodes -------------------------------------------------------- */

/* Networks under way, with room for all of them. */
typedef struct networks {
    const rig__space *base;
    int nodes;
    bool is_nic_wanted, is_switch_wanted;
    int most_nics; /* of one node */
    rig__network *items;
    size_t n, cap;
    bool is_nomem;
} networks;

static bool is_wanted(const rig_request *request, rig_table table)
{
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->table == table && condition->kind != RIG_CONDITION_LIMIT &&
            condition->kind != RIG_CONDITION_FORBID) {
            return true;
        }
    }
    return false;
}

/* The usual most, or what a condition names. */
static int most_nics(const rig_request *request)
{
    int most = RIG__MAX_NICS;
    for (size_t i = 0; i < request->n_conditions; i++) {
        const rig_condition *condition = &request->conditions[i];
        if (condition->row != NULL && condition->table == RIG_TABLE_NIC &&
            condition->count > most) {
            most = condition->count;
        }
    }
    return most;
}

static void add(networks *list, const rig__network *network)
{
    if (list->n == list->cap) {
        const size_t cap = list->cap == 0 ? 64 : 2 * list->cap;
        rig__network *items = realloc(list->items, cap * sizeof *items);
        if (items == NULL) {
            list->is_nomem = true;
            return;
        }
        list->items = items;
        list->cap = cap;
    }
    list->items[list->n++] = *network;
}

/* Cards of these nodes joined by so many of a switch, or directly. */
static void
add_joined(networks *list, const rig__network *cards, const rig_switch *fabric, int n_switches)
{
    rig__network network = *cards;
    network.fabric = fabric;
    network.n_switches = n_switches;
    network.ports = rig__network_ports(list->nodes, cards->nic, cards->n_nics, fabric, n_switches);
    network.port_gbs = rig__network_port_gbs(cards->nic, fabric);
    if (fabric != NULL) {
        network.fixed_cents = rig__space_cost(list->base, &fabric->row, n_switches);
        network.fixed_w = n_switches * fabric->max_power_w;
        network.fixed_u = n_switches * fabric->rack_u;
    }
    if (network.ports > 0 && network.fixed_cents >= 0) {
        add(list, &network);
    }
}

/* Every number of a switch up to that which joins all ports of the cards. */
static void add_switches(networks *list, const rig__network *cards)
{
    const rig__space *base = list->base;
    const size_t n_rows = rig_catalog_count(base->catalog, RIG_TABLE_SWITCH);
    for (size_t i = 0; i < n_rows; i++) {
        const rig_switch *fabric =
            (const rig_switch *)rig_catalog_row(base->catalog, RIG_TABLE_SWITCH, i);
        const int joined = rig__network_ports(list->nodes, cards->nic, cards->n_nics, fabric, 1);
        if (joined < 1 || isnan(fabric->gbps_per_port)) {
            continue;
        }
        const int all = cards->n_nics * (int)cards->nic->ports;
        for (int count = 1; (count - 1) * joined < all; count++) {
            if (rig__space_allows(base, &fabric->row, count)) {
                add_joined(list, cards, fabric, count);
            }
        }
    }
}

static void add_cards(networks *list, const rig_nic *nic, int n_nics)
{
    const rig__space *base = list->base;
    const int64_t cents = rig__space_cost(base, &nic->row, n_nics);
    if (cents < 0 || isnan(nic->pcie_lanes) || !rig__space_allows(base, &nic->row, n_nics)) {
        return;
    }
    const rig__network cards = {.nic = nic,
                                .n_nics = n_nics,
                                .nic_cents = cents,
                                .nic_w = n_nics * rig__space_constant(base, "nic_power_w")};
    if (list->nodes == 1) {
        add(list, &cards);
        return;
    }
    if (list->nodes == 2 && !list->is_switch_wanted) {
        add_joined(list, &cards, NULL, 0);
    }
    add_switches(list, &cards);
}

/* ---- which of them matter -------------------------------------------------------------------- */

static int64_t overhead_cents(const networks *list, const rig__network *network)
{
    return list->nodes * network->nic_cents + network->fixed_cents;
}

/* Unknown power of a switch is not counted, but fails every limit. */
static bool is_no_more(double a, double b, bool counts_as_none)
{
    if (isnan(a) || isnan(b)) {
        return isnan(b) && (isnan(a) || !counts_as_none || a <= 0);
    }
    return a <= b;
}

static bool is_no_slower(const networks *list, const rig__network *a, const rig__network *b)
{
    for (int gen = 1; gen <= RIG__MAX_PCIE_GEN && list->nodes > 1; gen++) {
        if (rig__network_gbs(list->base, a, gen, false) <
                rig__network_gbs(list->base, b, gen, false) ||
            rig__network_gbs(list->base, a, gen, true) <
                rig__network_gbs(list->base, b, gen, true)) {
            return false;
        }
    }
    return true;
}

static bool beats(const networks *list, const rig__network *a, const rig__network *b)
{
    return overhead_cents(list, a) <= overhead_cents(list, b) && a->n_nics <= b->n_nics &&
           a->nic->pcie_lanes <= b->nic->pcie_lanes && a->nic_w <= b->nic_w &&
           is_no_more(a->fixed_w, b->fixed_w, true) && is_no_more(a->fixed_u, b->fixed_u, false) &&
           is_no_slower(list, a, b);
}

/* With a lower limit on a total the cheaper or smaller network is not always the better one. */
static bool has_lower_limit(const rig__space *base)
{
    for (size_t i = 0; i < base->n_limits; i++) {
        if (base->limits[i].sign < 0) {
            return true;
        }
    }
    return false;
}

static int compare_names(const rig_row *a, const rig_row *b)
{
    return a == b ? 0 : a == NULL ? -1 : b == NULL ? 1 : strcmp(a->name, b->name);
}

/* Cheapest first; then by names, so that the order of rows never matters. */
static int compare_networks(int nodes, const rig__network *a, const rig__network *b)
{
    const networks list = {.nodes = nodes};
    const int64_t a_cents = overhead_cents(&list, a), b_cents = overhead_cents(&list, b);
    if (a_cents != b_cents) {
        return a_cents < b_cents ? -1 : 1;
    }
    const int by_nic = compare_names(&a->nic->row, &b->nic->row);
    if (by_nic != 0 || a->n_nics != b->n_nics) {
        return by_nic != 0 ? by_nic : a->n_nics - b->n_nics;
    }
    const int by_switch = compare_names(a->fabric == NULL ? NULL : &a->fabric->row,
                                        b->fabric == NULL ? NULL : &b->fabric->row);
    return by_switch != 0 ? by_switch : a->n_switches - b->n_switches;
}

/* Sorts by insertion; the lists are short. */
static void sort(networks *list)
{
    for (size_t i = 1; i < list->n; i++) {
        const rig__network moved = list->items[i];
        size_t at = i;
        for (; at > 0 && compare_networks(list->nodes, &moved, &list->items[at - 1]) < 0; at--) {
            list->items[at] = list->items[at - 1];
        }
        list->items[at] = moved;
    }
}

static void reduce(networks *list)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        bool is_beaten = false;
        for (size_t j = 0; j < n_kept && !is_beaten; j++) {
            is_beaten = beats(list, &list->items[j], &list->items[i]);
        }
        if (!is_beaten) {
            list->items[n_kept++] = list->items[i];
        }
    }
    list->n = n_kept;
}

/* Fills the list for one number of nodes. */
static void collect(networks *list, const rig__space *base, int nodes, bool is_reduced)
{
    const rig_request *request = base->request;
    list->base = base;
    list->nodes = nodes;
    list->n = 0;
    list->is_nic_wanted = is_wanted(request, RIG_TABLE_NIC);
    list->is_switch_wanted = is_wanted(request, RIG_TABLE_SWITCH);
    list->most_nics = most_nics(request);
    if (nodes == 1 && (list->is_switch_wanted || !list->is_nic_wanted)) {
        if (!list->is_switch_wanted) {
            add(list, &(rig__network){0});
        }
        return;
    }
    const size_t n_rows = rig_catalog_count(base->catalog, RIG_TABLE_NIC);
    for (size_t i = 0; i < n_rows; i++) {
        for (int n_nics = 1; n_nics <= list->most_nics; n_nics++) {
            add_cards(
                list, (const rig_nic *)rig_catalog_row(base->catalog, RIG_TABLE_NIC, i), n_nics);
        }
    }
    sort(list);
    if (is_reduced && !has_lower_limit(base)) {
        reduce(list);
    }
}

/* ---- the spaces ------------------------------------------------------------------------------ */

static size_t count_options(const rig__space *space)
{
    return space->n_hosts + space->n_gpus + space->n_memories + space->n_drives + space->n_psus +
           space->n_chassis;
}

static rig_status base_new(rig__cluster *cluster,
                           const rig_catalog *catalog,
                           const rig_constants *constants,
                           int nodes_least,
                           int nodes_most,
                           bool is_reduced,
                           rig__space **out,
                           rig_error *err)
{
    const rig_request *request = cluster->request;
    *out = rig__arena_alloc(cluster->arena, 1, sizeof **out);
    if (*out == NULL) {
        return rig__error_nomem(err);
    }
    if (request->is_sharded) {
        rig_request *own = rig__arena_alloc(cluster->arena, 1, sizeof *own);
        if (own == NULL) {
            return rig__error_nomem(err);
        }
        *own = *request;
        own->workload.shards = nodes_least;
        request = own;
    }
    if (is_reduced) {
        RIG_TRY(rig__space_new_reduced(
            *out, cluster->arena, catalog, constants, request, nodes_least, nodes_most, err));
    } else {
        RIG_TRY(rig__space_new(
            *out, cluster->arena, catalog, constants, request, nodes_least, nodes_most, err));
        RIG_TRY(rig__space_bound(*out, err));
    }
    if (cluster->n_options == 0) {
        cluster->removed = (*out)->removed;
    }
    cluster->n_options += (*out)->n_before;
    cluster->n_reduced += count_options(*out);
    return RIG_OK;
}

/* One space for every network; those whose limits rest on unknown figures hold no machine. */
static rig_status spaces_add(rig__cluster *cluster, const networks *list, rig_error *err)
{
    rig__space *spaces =
        rig__arena_alloc(cluster->arena, cluster->n_spaces + list->n, sizeof *spaces);
    if (spaces == NULL) {
        return rig__error_nomem(err);
    }
    if (cluster->n_spaces > 0) {
        memcpy(spaces, cluster->spaces, cluster->n_spaces * sizeof *spaces);
    }
    cluster->spaces = spaces;
    for (size_t i = 0; i < list->n; i++) {
        rig__space *space = &spaces[cluster->n_spaces];
        bool is_known = true;
        RIG_TRY(rig__space_join(space, list->base, list->nodes, &list->items[i], err));
        for (size_t j = 0; j < space->n_limits; j++) {
            is_known = is_known && !isnan(space->limits[j].bound);
        }
        cluster->n_spaces += is_known;
    }
    return RIG_OK;
}

rig_status rig__cluster_new(rig__cluster *cluster,
                            rig__arena *arena,
                            const rig_catalog *catalog,
                            const rig_constants *constants,
                            const rig_request *request,
                            bool is_reduced,
                            rig_error *err)
{
    rig__space *base = NULL;
    networks list = {0};
    rig_status status = RIG_OK;
    memset(cluster, 0, sizeof *cluster);
    cluster->request = request;
    cluster->arena = arena;
    for (int nodes = request->nodes_least; nodes <= request->nodes_most; nodes++) {
        /* only one machine alone, and shards, make other options than the rest */
        if (base == NULL || base->nodes == 1 || request->is_sharded) {
            const bool is_own = nodes == 1 || request->is_sharded;
            status = base_new(cluster,
                              catalog,
                              constants,
                              nodes,
                              is_own ? nodes : request->nodes_most,
                              is_reduced,
                              &base,
                              err);
        }
        if (status == RIG_OK) {
            collect(&list, base, nodes, is_reduced);
            status = list.is_nomem ? rig__error_nomem(err) : spaces_add(cluster, &list, err);
        }
        if (status != RIG_OK) {
            break;
        }
        cluster->n_networks += list.n;
        if (list.n == 0 && cluster->unjoined_nodes == 0) {
            cluster->unjoined_nodes = nodes;
        }
    }
    free(list.items);
    return status;
}

/* ---- the search ------------------------------------------------------------------------------ */

rig__question rig__cluster_question(const rig__cluster *cluster)
{
    const rig_request *request = cluster->request;
    return (rig__question){.objective = request->objective,
                           .budget_cents = request->budget_cents,
                           .least_rate =
                               isinf(request->epoch_time_max_s)
                                   ? 0
                                   : request->workload.dataset->images / request->epoch_time_max_s,
                           .top = request->top};
}

bool rig__cluster_question_for(const rig__space *space,
                               const rig__question *question,
                               rig__question *out)
{
    *out = *question;
    out->budget_cents = rig__space_node_budget(space, question->budget_cents);
    out->least_rate = question->least_rate / space->nodes;
    return out->budget_cents >= 0;
}

/* Adds what one space holds to the list, and its bounds to those of the whole. */
static void merge(const rig__question *question, const rig__found *part, rig__found *out)
{
    for (size_t i = 0; i < part->n_choices; i++) {
        rig__choice_offer(out->choices, &out->n_choices, question->top, &part->choices[i]);
    }
    out->n_evaluated += part->n_evaluated;
    if (!part->is_complete) {
        out->is_complete = false;
        out->bound_rate = fmax(out->bound_rate, part->bound_rate);
        out->bound_objective = fmin(out->bound_objective, part->bound_objective);
    }
}

rig_status rig__cluster_search(const rig__cluster *cluster,
                               const rig__question *question,
                               rig__found *out,
                               rig_error *err)
{
    rig__question whole = *question;
    memset(out, 0, sizeof *out);
    out->is_complete = true;
    out->bound_objective = INFINITY;
    out->choices = rig__arena_alloc(cluster->arena, question->top, sizeof *out->choices);
    if (out->choices == NULL) {
        return rig__error_nomem(err);
    }
    whole.deadline_s = question->deadline_s > 0 ? question->deadline_s
                                                : rig__clock_s() + cluster->request->time_limit_s;
    for (size_t i = 0; i < cluster->n_spaces; i++) {
        rig__question asked;
        rig__found part;
        if (!rig__cluster_question_for(&cluster->spaces[i], &whole, &asked)) {
            continue;
        }
        asked.rival = out->n_choices == question->top ? &out->choices[question->top - 1] : NULL;
        RIG_TRY(rig__pair_search(&cluster->spaces[i], &asked, &part, err));
        merge(question, &part, out);
    }
    if (out->n_choices > 0) {
        out->bound_rate = fmax(out->bound_rate, rig__choice_all_rate(&out->choices[0]));
        out->bound_objective = fmin(out->bound_objective, out->choices[0].objective);
    }
    return RIG_OK;
}
