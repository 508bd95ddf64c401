/* SPDX-License-Identifier: GPL-3.0-or-later
 * Host options: every board with every processor it takes, and every complete server. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "optimizer/build_report.h"
#include "optimizer/options.h"
#include "optimizer/thin.h"

/* Figures that boards are compared by, without places for cards and limits. */
enum {
    N_BOARD_EQUAL = 9,
    N_BOARD_FIGURES = 21,
    N_BOARD_PLACES = (RIG__MAX_NICS + 1) * RIG__MAX_CARD_WIDTH + RIG__N_SLOT_SIZES
};

/* One board with the figures that do not depend on the processor. */
typedef struct board_facts {
    const rig_board *board;
    int64_t cost_cents;
    bool is_barebone, is_layout_known, needs_large_case, fits_no_case;
    int capacity[RIG__MAX_CARD_WIDTH + 1];
    int beside[RIG__MAX_NICS + 1][RIG__MAX_CARD_WIDTH + 1]; /* GPUs beside network cards */
    int card_slots[RIG__N_SLOT_SIZES];
    int m2_slots, nvme_bays, sata_ports, sas_bays;
    double max_mem_gb; /* with every socket filled */
} board_facts;

static double known_or(double value, double fallback)
{
    return isnan(value) ? fallback : value;
}

/* Next character of a form factor that counts: blanks and hyphens do not, nor does case. */
static int next_letter(const char **text)
{
    while (**text == ' ' || **text == '-') {
        (*text)++;
    }
    const int letter = **text == '\0' ? 0 : *(*text)++;
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

/* "E-ATX", "EATX" and "eatx" are one form. */
static bool form_is(const rig_board *board, const char *form)
{
    const char *text = board->form_factor == NULL ? "" : board->form_factor;
    int letter = 0;
    do {
        letter = next_letter(&text);
        if (letter != next_letter(&form)) {
            return false;
        }
    } while (letter != 0);
    return true;
}

static int bracket_positions(const rig_board *board)
{
    static const struct {
        const char *form;
        int positions;
    } forms[] = {{"XL ATX", 8},
                 {"EATX", 8},
                 {"SSI EEB", 8},
                 {"SSI CEB", 7},
                 {"Micro ATX", 4},
                 {"Mini ITX", 2}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (form_is(board, forms[i].form)) {
            return forms[i].positions;
        }
    }
    return 7;
}

/* Cards of width w that a board takes when all its sockets are populated. */
static int board_capacity(const rig__space *space, const rig_board *board, int width)
{
    const bool is_layout_known = !isnan(board->gpu_slots_double_width);
    if (is_layout_known) {
        const int pairs = (int)board->gpu_slots_double_width;
        const int cards = width <= 1 ? pairs : 2 * pairs / width;
        const int slots = (int)known_or(board->pcie_x16_slots, cards);
        return cards < slots ? cards : slots;
    }
    if (isnan(board->pcie_x16_slots)) {
        return 0;
    }
    const int positions = bracket_positions(board);
    if (positions < width) {
        return 0;
    }
    const int pitch = width > (int)space->slot_pitch ? width : (int)space->slot_pitch;
    const int cards = 1 + (positions - width) / pitch;
    const int slots = (int)board->pcie_x16_slots;
    return cards < slots ? cards : slots;
}

static int barebone_capacity(const rig__space *space, const rig_board *board, int width)
{
    if (isnan(board->gpu_slots_double_width) ||
        width > (int)rig__space_constant(space, "server_card_slots_max")) {
        return 0;
    }
    return (int)board->gpu_slots_double_width;
}

/* GPUs of a width beside so many network cards, as far as bracket positions go: the cards stand
 * behind the last GPU. A card takes a double-width place where the layout is known. */
static int capacity_beside(const rig__space *space, const rig_board *board, int width, int n_nics)
{
    const bool is_layout_known = !isnan(board->gpu_slots_double_width);
    if (is_layout_known) {
        const int pairs = (int)board->gpu_slots_double_width - n_nics;
        return pairs < 0 ? 0 : width <= 1 ? pairs : 2 * pairs / width;
    }
    const int pitch = width > (int)space->slot_pitch ? width : (int)space->slot_pitch;
    const int left =
        bracket_positions(board) - 1 - (n_nics - 1) * rig__nic_pitch(space, is_layout_known);
    return left < 0 ? 0 : left / pitch;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void count_slots(const rig__space *space, board_facts *facts)
{
    const rig_board *board = facts->board;
    const int x16 =
        (int)known_or(board->pcie_x16_slots, known_or(board->gpu_slots_double_width, 0));
    facts->card_slots[2] = x16;
    facts->card_slots[1] = x16 + (int)known_or(board->pcie_x8_slots, 0);
    facts->card_slots[0] = facts->card_slots[1] + (int)known_or(board->pcie_x4_slots, 0);
    for (int n_nics = 1; n_nics <= RIG__MAX_NICS; n_nics++) {
        for (int width = 1; width <= RIG__MAX_CARD_WIDTH; width++) {
            facts->beside[n_nics][width] =
                smaller(facts->capacity[width], capacity_beside(space, board, width, n_nics));
        }
    }
}

static void count_bays(const rig__space *space, board_facts *facts)
{
    const rig_board *board = facts->board;
    const double per_slot_gb = rig__space_constant(space, "memory_gb_per_slot_unknown");
    facts->max_mem_gb = known_or(board->max_mem_gb, board->dimm_slots * per_slot_gb);
    const double nvme = rig__space_constant(space, "barebone_nvme_bays_unknown");
    const double sata = rig__space_constant(space, "barebone_sata_bays_unknown");
    if (facts->is_barebone) {
        facts->m2_slots = (int)known_or(board->m2_slots, nvme);
        facts->nvme_bays = (int)known_or(board->u2_ports, nvme);
        facts->sata_ports = (int)known_or(board->sata_ports, sata);
        facts->sas_bays = (int)sata;
        return;
    }
    facts->m2_slots =
        (int)known_or(board->m2_slots, rig__space_constant(space, "board_m2_unknown"));
    facts->nvme_bays = (int)known_or(board->u2_ports, 0);
    facts->sata_ports =
        (int)known_or(board->sata_ports, rig__space_constant(space, "board_sata_unknown"));
    facts->sas_bays = 0;
}

/* Is everything known that a purchase needs? */
static bool board_is_offered(const board_facts *facts)
{
    const rig_board *board = facts->board;
    if (board->mem_type == NULL || board->dimm_kind == NULL || isnan(board->dimm_slots) ||
        isnan(board->pcie_gen)) {
        return false;
    }
    if (facts->is_barebone && isnan(board->psu_included_w)) {
        return false;
    }
    return facts->is_barebone || !facts->fits_no_case;
}

static bool board_facts_fill(rig__space *space, const rig_board *board, board_facts *out)
{
    memset(out, 0, sizeof *out);
    out->board = board;
    out->cost_cents = rig__space_cost(space, &board->row, 1);
    if (!rig__space_allows(space, &board->row, 1)) {
        space->removed.by_condition++;
        return false;
    }
    if (out->cost_cents < 0) {
        space->removed.no_price++;
        return false;
    }
    out->is_barebone = rig__text_compare_nocase(board->kind, "barebone") == 0;
    out->is_layout_known = !isnan(board->gpu_slots_double_width);
    out->needs_large_case = form_is(board, "EATX") || form_is(board, "XL ATX") ||
                            form_is(board, "SSI CEB") || form_is(board, "SSI EEB");
    const bool fits_any_case =
        form_is(board, "ATX") || form_is(board, "Micro ATX") || form_is(board, "Mini ITX");
    out->fits_no_case = !out->is_barebone && !out->needs_large_case && !fits_any_case;
    for (int width = 1; width <= RIG__MAX_CARD_WIDTH; width++) {
        out->capacity[width] = out->is_barebone ? barebone_capacity(space, board, width)
                                                : board_capacity(space, board, width);
    }
    count_slots(space, out);
    count_bays(space, out);
    if (!board_is_offered(out)) {
        space->removed.not_known++;
        return false;
    }
    return true;
}

static bool takes_cpu(const rig_board *board, const rig_cpu *cpu, int n_cpus)
{
    return rig__is_same_text(board->socket, cpu->socket) && n_cpus <= (int)board->sockets &&
           n_cpus <= (int)cpu->max_sockets &&
           (board->cpu_families == NULL || rig__list_contains(board->cpu_families, cpu->family));
}

/* Slots hang on the processors: with k of S sockets filled, a share of k/S works. */
static int populated_share(double count, int n_cpus, const rig_board *board)
{
    return (int)floor(count * n_cpus / board->sockets + 1e-9);
}

static void host_totals(const rig__space *space, rig__host *host)
{
    double *total = host->option.total;
    memset(total, 0, sizeof host->option.total);
    host->base_power_w =
        rig__space_constant(space, host->is_barebone ? "base_power_server_w" : "base_power_w");
    total[RIG_TOTAL_POWER_W] = host->n_cpus * host->cpu->tdp_w + host->base_power_w;
    total[RIG_TOTAL_RACK_U] = host->is_barebone ? host->board->rack_u : 0;
    total[RIG_TOTAL_PRICE_USD] = (double)host->option.cost_cents / 100.0;
    total[RIG_TOTAL_CPU_CORES] = host->cores;
}

static void host_rates(const rig__space *space, rig__host *host)
{
    for (int n_gpus = 0; n_gpus <= RIG__MAX_GPUS; n_gpus++) {
        host->decode[n_gpus] = rig_decode_rate(
            space->constants, &space->request->workload, host->cores, host->core_speed, n_gpus);
    }
}

bool rig__host_is_desktop(const rig_cpu *cpu)
{
    return strcmp(cpu->segment, "desktop") == 0 || cpu->pcie_lanes <= 28;
}

/* Lanes for cards, before they are divided among them. */
static void host_links(const rig__space *space, rig__host *host)
{
    const rig_cpu *cpu = host->cpu;
    const bool is_epyc = strcmp(cpu->socket, "SP3") == 0 || strcmp(cpu->socket, "SP5") == 0;
    double lanes = cpu->pcie_lanes * host->n_cpus;
    if (is_epyc && host->n_cpus >= 2) {
        lanes = fmin(lanes, rig__space_constant(space, "two_socket_epyc_lanes"));
    }
    host->is_desktop = rig__host_is_desktop(cpu);
    host->pcie_gen = fmin(host->board->pcie_gen, cpu->pcie_gen);
    host->gpu_lanes = lanes - space->reserved_lanes;
    host->wired_slots = known_or(host->board->pcie_x16_cpu_slots, 1);
}

/* A processor and its speeds for the workload, worked out once for all boards. */
typedef struct cpu_facts {
    const rig_cpu *cpu;
    double core_speed, core_speed_1t;
} cpu_facts;

static bool host_fill(const rig__space *space,
                      const board_facts *facts,
                      const cpu_facts *of_cpu,
                      int n_cpus,
                      rig__host *out)
{
    const rig_board *board = facts->board;
    const rig_cpu *cpu = of_cpu->cpu;
    const int64_t cpu_cents = rig__space_cost(space, &cpu->row, n_cpus);
    memset(out, 0, sizeof *out);
    if (cpu_cents < 0) {
        return false;
    }
    out->core_speed = of_cpu->core_speed;
    out->core_speed_1t = of_cpu->core_speed_1t;
    out->board = board;
    out->cpu = cpu;
    out->n_cpus = n_cpus;
    out->is_barebone = facts->is_barebone;
    out->option.cost_cents = facts->cost_cents + cpu_cents;
    out->supply_w = facts->is_barebone ? board->psu_included_w : 0;
    out->cores = cpu->cores * n_cpus;
    out->dimm_slots = populated_share(board->dimm_slots, n_cpus, board);
    out->max_mem_gb = facts->max_mem_gb * n_cpus / board->sockets;
    out->mem_channels = cpu->mem_channels * n_cpus;
    for (int width = 1; width <= RIG__MAX_CARD_WIDTH; width++) {
        out->gpu_capacity[width] = populated_share(facts->capacity[width], n_cpus, board);
        for (int n_nics = 1; n_nics <= RIG__MAX_NICS; n_nics++) {
            out->capacity_beside[n_nics][width] =
                populated_share(facts->beside[n_nics][width], n_cpus, board);
        }
    }
    for (int size = 0; size < RIG__N_SLOT_SIZES; size++) {
        out->card_slots[size] = populated_share(facts->card_slots[size], n_cpus, board);
    }
    out->nic_slots =
        facts->is_barebone ? (int)rig__space_constant(space, "server_nic_slots_unknown") : 0;
    out->takes_any_dimm = strcmp(board->dimm_kind, "any") == 0;
    out->takes_rdimm = strcmp(board->dimm_kind, "RDIMM") == 0;
    out->is_layout_known = facts->is_layout_known;
    out->m2_slots = facts->m2_slots;
    out->nvme_bays = facts->nvme_bays;
    out->sata_ports = facts->sata_ports;
    out->sas_bays = facts->sas_bays;
    out->needs_large_case = facts->needs_large_case;
    out->fits_no_case = facts->fits_no_case;
    host_links(space, out);
    host_totals(space, out);
    host_rates(space, out);
    return true;
}

/* What boards are compared by, so that the product with processors stays small. More slots may
 * bring more memory channels into use, which then want to be filled, so their number must be equal.
 */
static void board_figures(const rig__space *space, const board_facts *facts, double *out)
{
    const rig_board *board = facts->board;
    const double supply_w = facts->is_barebone ? board->psu_included_w : 0;
    const double height_u = facts->is_barebone ? board->rack_u : 0;
    const double values[N_BOARD_FIGURES] = {
        rig__figure_of(board->socket),
        board->sockets,
        facts->is_barebone,
        rig__figure_of(board->mem_type),
        rig__figure_of(board->dimm_kind),
        rig__figure_of(board->gpu_form),
        rig__figure_of(board->cpu_families),
        board->dimm_slots,
        known_or(board->pcie_x16_cpu_slots, 1),
        (double)facts->cost_cents,
        0,
        -board->pcie_gen,
        -supply_w,
        known_or(height_u, INFINITY),
        facts->needs_large_case,
        !facts->is_layout_known,
        -facts->max_mem_gb,
        -facts->m2_slots,
        -facts->nvme_bays,
        -facts->sata_ports,
        -facts->sas_bays,
    };
    const double totals[RIG_N_TOTALS] = {
        [RIG_TOTAL_PRICE_USD] = (double)facts->cost_cents / 100.0, [RIG_TOTAL_RACK_U] = height_u};
    memcpy(out, values, sizeof values);
    out += N_BOARD_FIGURES;
    for (int width = 1; width <= RIG__MAX_CARD_WIDTH; width++) {
        *out++ = -facts->capacity[width];
    }
    for (int n_nics = 1; n_nics <= RIG__MAX_NICS; n_nics++) {
        for (int width = 1; width <= RIG__MAX_CARD_WIDTH; width++) {
            *out++ = space->may_network ? -facts->beside[n_nics][width] : 0;
        }
    }
    for (int size = 0; size < RIG__N_SLOT_SIZES; size++) {
        *out++ = space->may_network ? -facts->card_slots[size] : 0;
    }
    rig__thin_limits(space, totals, out);
}

/* Marks the boards that no other board of the same socket beats in every respect; Rows are sorted
 * by name, so of two equal boards the earlier one stays, whatever the file order. */
static rig_status boards_thin(
    const rig__space *space, const board_facts *boards, size_t n, bool *is_kept, rig_error *err)
{
    rig__figures figures;
    RIG_TRY(rig__figures_new(&figures,
                             n,
                             N_BOARD_EQUAL,
                             N_BOARD_FIGURES + N_BOARD_PLACES + space->n_limits,
                             rig__thin_needed(space, RIG_DISTINCT_HOST),
                             err));
    for (size_t i = 0; i < n; i++) {
        board_figures(space, &boards[i], rig__figures_row(&figures, i));
        if (figures.signatures != NULL) {
            figures.signatures[i] = i;
        }
    }
    const rig_status status = rig__figures_sweep(&figures, is_kept, err);
    rig__figures_free(&figures);
    return status;
}

static rig_status
boards_collect(rig__space *space, board_facts **out, size_t *n_out, rig_error *err)
{
    const size_t n_rows = rig_catalog_count(space->catalog, RIG_TABLE_BOARD);
    board_facts *boards = rig__arena_alloc(space->arena, n_rows, sizeof *boards);
    bool *is_kept = rig__arena_alloc(space->arena, n_rows, sizeof *is_kept);
    if (boards == NULL || is_kept == NULL) {
        return rig__error_nomem(err);
    }
    size_t n_all = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const rig_row *row = rig_catalog_row(space->catalog, RIG_TABLE_BOARD, i);
        n_all += board_facts_fill(space, (const rig_board *)row, &boards[n_all]);
    }
    space->n_before += n_all;
    *out = boards;
    *n_out = n_all;
    if (!space->is_thinned) {
        return RIG_OK;
    }
    RIG_TRY(boards_thin(space, boards, n_all, is_kept, err));
    *n_out = 0;
    for (size_t i = 0; i < n_all; i++) {
        if (is_kept[i]) {
            boards[(*n_out)++] = boards[i];
        }
    }
    return RIG_OK;
}

/* Processors that are for sale, allowed and known; filled once, used for every board. */
/* @return 0: its speed is not known, 1 */
static size_t cpu_facts_fill(const rig__space *space, const rig_cpu *cpu, cpu_facts *out)
{
    out->cpu = cpu;
    if (!rig_core_speed(space->constants, cpu, &out->core_speed, &out->core_speed_1t)) {
        return 0;
    }
    const double factor = rig_cpu_factor_get(space->catalog, cpu, &space->request->workload);
    out->core_speed *= factor;
    out->core_speed_1t *= factor;
    return 1;
}

static rig_status cpus_collect(rig__space *space, cpu_facts **out, size_t *n_out, rig_error *err)
{
    const rig_row **rows = NULL;
    size_t n_rows = 0;
    RIG_TRY(rig__thin_rows(space, RIG_TABLE_CPU, &rows, &n_rows, err));
    cpu_facts *const cpus = rig__arena_alloc(space->arena, n_rows, sizeof *cpus);
    if (cpus == NULL) {
        return rig__error_nomem(err);
    }
    size_t n_cpus = 0;
    for (size_t i = 0; i < n_rows; i++) {
        if (rig__space_cost(space, rows[i], 1) < 0) {
            space->removed.no_price++;
            continue;
        }
        space->n_before++;
        n_cpus += cpu_facts_fill(space, (const rig_cpu *)rows[i], &cpus[n_cpus]);
    }
    *out = cpus;
    *n_out = n_cpus;
    return RIG_OK;
}

/* A condition that pins the server leaves no room for boards, and the other way round. */
static bool wants_table(const rig__space *space, rig_table table)
{
    for (size_t i = 0; i < space->request->n_conditions; i++) {
        const rig_condition *condition = &space->request->conditions[i];
        if ((condition->kind == RIG_CONDITION_FIX || condition->kind == RIG_CONDITION_OWN ||
             condition->kind == RIG_CONDITION_REQUIRE) &&
            condition->table == table) {
            return true;
        }
    }
    return false;
}

static size_t board_hosts(rig__space *space,
                          const board_facts *facts,
                          const cpu_facts *cpus,
                          size_t n_cpus,
                          rig__host *hosts)
{
    size_t n_hosts = 0;
    for (size_t i = 0; i < n_cpus; i++) {
        for (int count = 1; count <= (int)facts->board->sockets; count++) {
            if (!takes_cpu(facts->board, cpus[i].cpu, count)) {
                continue;
            }
            if (!rig__space_allows(space, &cpus[i].cpu->row, count)) {
                continue;
            }
            n_hosts += host_fill(space, facts, &cpus[i], count, &hosts[n_hosts]);
        }
    }
    return n_hosts;
}

static size_t
count_pairs(const board_facts *boards, size_t n_boards, const cpu_facts *cpus, size_t n_cpus)
{
    size_t n_pairs = 0;
    for (size_t i = 0; i < n_boards; i++) {
        for (size_t j = 0; j < n_cpus; j++) {
            n_pairs += rig__is_same_text(boards[i].board->socket, cpus[j].cpu->socket)
                           ? (size_t)boards[i].board->sockets
                           : 0;
        }
    }
    return n_pairs;
}

rig_status rig__hosts_collect(rig__space *space, rig_error *err)
{
    board_facts *boards = NULL;
    cpu_facts *cpus = NULL;
    size_t n_boards = 0, n_cpus = 0;
    RIG_TRY(boards_collect(space, &boards, &n_boards, err));
    RIG_TRY(cpus_collect(space, &cpus, &n_cpus, err));
    const size_t cap = count_pairs(boards, n_boards, cpus, n_cpus) +
                       rig_catalog_count(space->catalog, RIG_TABLE_SERVER);
    space->hosts = rig__arena_alloc(space->arena, cap, sizeof *space->hosts);
    if (space->hosts == NULL) {
        return rig__error_nomem(err);
    }
    if (!wants_table(space, RIG_TABLE_SERVER)) {
        for (size_t i = 0; i < n_boards; i++) {
            space->n_hosts +=
                board_hosts(space, &boards[i], cpus, n_cpus, &space->hosts[space->n_hosts]);
        }
    }
    space->n_hosts += rig__servers_collect(space, &space->hosts[space->n_hosts]);
    return RIG_OK;
}
