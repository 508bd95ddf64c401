/* SPDX-License-Identifier: GPL-3.0-or-later
 * The option space of a request: everything one may choose, one array per group of the program. */
#ifndef RIG_OPTIMIZER_OPTIONS_H
#define RIG_OPTIMIZER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "trainrig/optimizer.h"

/** Are two texts of the catalogue equal? They are interned, so equal texts are one pointer; the
 * pair rules ask this millions of times. */
static inline bool rig__is_same_text(const char *a, const char *b)
{
    return a == b;
}

/* Groups of the integer program: exactly one option of each is chosen. */
typedef enum rig__group {
    RIG__GROUP_HOST,
    RIG__GROUP_GPU,
    RIG__GROUP_MEMORY,
    RIG__GROUP_DRIVE,
    RIG__GROUP_PSU,
    RIG__GROUP_CHASSIS,
    RIG__N_GROUPS
} rig__group;

/** Widest card that is told apart; wider ones count as this many bracket positions. */
#define RIG__MAX_CARD_WIDTH 6
/** Highest PCI Express generation that is told apart. */
#define RIG__MAX_PCIE_GEN 7
/** Most GPUs in one machine that trainrig plans for. */
#define RIG__MAX_GPUS 16
/** Most network cards of one node that are tried on a board. */
#define RIG__MAX_NICS 2
/** Sizes of slots that network cards are told apart by: x4, x8, x16. */
#define RIG__N_SLOT_SIZES 3

/** What every option has: cost, and its share of the totals that limits bound. */
typedef struct rig__option {
    int64_t cost_cents;
    double total[RIG_N_TOTALS]; /**< NAN: unknown, fails every limit on that total */
} rig__option;

/** Board with k processors, or a complete server (then the other groups choose "included"). */
typedef struct rig__host {
    rig__option option;
    const rig_board *board;    /**< NULL for a server */
    const rig_cpu *cpu;        /**< NULL for a server */
    const rig_server *server;  /**< NULL for a board */
    const rig_cpu *server_cpu; /**< inside the server, with how many */
    const rig_gpu *server_gpu;
    int n_server_cpus, n_server_gpus;
    int n_cpus;
    bool is_barebone;
    double supply_w;                         /**< rating of included supplies, 0: none */
    double cores, core_speed, core_speed_1t; /**< cores of the whole machine */
    int dimm_slots;                          /**< of the populated sockets */
    double max_mem_gb, mem_channels;         /**< of the populated sockets */
    bool is_desktop;                         /**< one x16 link for cards, the rest on the chipset */
    double pcie_gen;                         /**< of board and processor */
    double gpu_lanes;                        /**< lanes left for GPUs */
    double wired_slots;                      /**< desktop: x16-size slots wired to the CPU */
    int gpu_capacity[RIG__MAX_CARD_WIDTH + 1]; /**< GPUs by card width */
    /** the same beside so many network cards, by bracket positions; [0] is not used */
    int capacity_beside[RIG__MAX_NICS + 1][RIG__MAX_CARD_WIDTH + 1];
    int card_slots[RIG__N_SLOT_SIZES]; /**< slots of that size or larger, GPUs included */
    int nic_slots;                     /**< barebone, server: besides those of the GPUs */
    bool is_layout_known;              /**< cards sit side by side */
    int m2_slots, nvme_bays, sata_ports, sas_bays;
    bool takes_any_dimm, takes_rdimm;
    bool needs_large_case; /**< wider than ATX */
    bool fits_no_case;
    double decode[RIG__MAX_GPUS + 1]; /**< decode rate by number of GPUs [1/s] */
    double server_rate;               /**< rate of a complete server alone [1/s] */
    int64_t least_memory_cents, least_drive_cents;
    int64_t least_enclosure_cents; /**< supply and chassis */
    int64_t least_rest_cents;      /**< sum of the three */
    double least_power_w;          /**< of memory and drive */
    double base_power_w;
} rig__host;

/** g GPUs of one model, or a baseboard; row NULL: included in a server. */
typedef struct rig__gpu_option {
    rig__option option;
    const rig_gpu *gpu;
    const rig_baseboard *baseboard; /**< NULL for loose cards */
    int count;
    int width;               /**< bracket positions of one card */
    double connector_w;      /**< watts to bring by cable */
    double best_rate;        /**< upper bound over all hosts [1/s] */
    double alone_rate;       /**< upper bound of the GPUs alone, whatever feeds them [1/s] */
    double cold_rate_needed; /**< least rate of drives without a cache [1/s] */
    double step_factor;
    rig_gpu_link link;
} rig__gpu_option;

typedef struct rig__memory_option {
    rig__option option;
    const rig_memory *memory; /**< NULL: included */
    int count;                /**< kits */
    int modules;              /**< in all */
    bool is_lrdimm;
    double gb; /**< in all */
} rig__memory_option;

/** Where a drive is mounted; NONE: no board has such a port. */
typedef enum rig__bay {
    RIG__BAY_M2,
    RIG__BAY_NVME,
    RIG__BAY_SATA,
    RIG__BAY_SAS,
    RIG__BAY_NONE,
    RIG__N_BAYS
} rig__bay;

typedef struct rig__drive_option {
    rig__option option;
    const rig_storage *storage; /**< NULL: included */
    int count;
    rig__bay bay;
    bool is_35;       /**< 3.5-inch */
    double read_gbs;  /**< usable for the workload, all of them */
    double cold_rate; /**< images/s without a cache */
} rig__drive_option;

typedef struct rig__psu_option {
    rig__option option;
    const rig_psu *psu; /**< NULL: none needed */
    double wattage_w;
    double connector_w; /**< INFINITY: not known, not checked */
} rig__psu_option;

typedef struct rig__chassis_option {
    rig__option option;
    const rig_chassis *chassis; /**< NULL: none needed */
    int slots;
    int bays_35;
    double max_length_mm; /**< INFINITY: not known */
    bool takes_large_board, takes_board;
} rig__chassis_option;

/** One linear limit on a total, in the form sign * total <= bound. */
typedef struct rig__limit {
    rig_total total;
    double sign;
    double bound;
    const rig_condition *condition; /**< NULL: the mains circuit */
} rig__limit;

/** How many options each reason took away, for messages. */
typedef struct rig__removed {
    size_t no_price, not_known, unmeasured, no_fit_memory, by_condition, too_small;
} rig__removed;

/** How the nodes of a cluster are joined; all zero for one machine without a network card. */
typedef struct rig__network {
    const rig_nic *nic;       /**< NULL: none */
    int n_nics;               /**< of each node */
    const rig_switch *fabric; /**< NULL: two nodes joined directly, or nothing to join */
    int n_switches;           /**< in all */
    int ports;                /**< joined ports of each node */
    double port_gbs;          /**< of one joined port in one direction [GB/s] */
    int64_t nic_cents;        /**< of the cards of one node */
    int64_t fixed_cents;      /**< of the switches, all together */
    double nic_w;             /**< of the cards of one node */
    double fixed_w, fixed_u;  /**< of the switches; NAN: unknown */
} rig__network;

/** Everything that may be chosen for one request, with a given number of nodes and their network.
 *  Options, costs, rates and limits are those of one node: n equal nodes are n times as fast, and
 *  the budget of one is the n-th part of what the network leaves. Owned by an arena. */
typedef struct rig__space {
    rig__arena *arena;
    const rig_catalog *catalog;
    const rig_constants *constants;
    const rig_request *request;
    rig__host *hosts;
    size_t n_hosts;
    rig__gpu_option *gpus;
    size_t n_gpus;
    rig__memory_option *memories;
    size_t n_memories;
    rig__drive_option *drives;
    size_t n_drives;
    rig__psu_option *psus;
    size_t n_psus;
    rig__chassis_option *chassis;
    size_t n_chassis;
    rig__limit *limits;
    size_t n_limits;
    int nodes;        /**< identical nodes, 1: one machine */
    bool may_network; /**< some number of nodes has network cards: slots for them matter */
    rig__network network;
    int64_t budget_cents;      /**< of one node without network cards; INT64_MAX: none */
    int64_t price_limit_cents; /**< of one node likewise, from upper limits on the price */
    double least_rate;         /**< of one node, from epoch_time_max_s, 0: none [1/s] */
    /* over all hosts: least cost with the cheapest completion, best decode rate by number of GPUs,
     * fastest core */
    int64_t least_host_cents;
    double most_decode[RIG__MAX_GPUS + 1], most_speed_1t;
    size_t n_before; /**< options before reduction, and parts left out before that */
    bool is_thinned; /**< parts that another one always replaces are no options */
    rig__removed removed;
    /* constants used in inner loops */
    double headroom, slot_pitch, desktop_gpu_lanes, chipset_lanes, chipset_gen;
    double ram_per_gpu_ram, channel_share, reserved_lanes;
    double lane_gbs[RIG__MAX_PCIE_GEN + 1]; /**< by generation */
} rig__space;

/** A complete choice: indices into the arrays of its space. */
typedef struct rig__choice {
    const rig__space *space;
    size_t at[RIG__N_GROUPS];
    double rate;        /**< images/s of one node */
    double objective;   /**< what is minimised first: see rig__objective_value */
    int64_t cost_cents; /**< of one node without network cards */
    double power_w;     /**< peak of one node */
} rig__choice;

/** Builds the space of nodes: all parts that have a price, pass the conditions and are known well
 *  enough. It has no network yet, see rig__space_join.
 *  @param nodes_least, nodes_most  numbers of nodes it shall serve; limits are the weakest of these
 *  @return RIG_OK (possibly with empty groups), RIG_E_NOMEM, RIG_E_INVALID */
rig_status rig__space_new(rig__space *space,
                          rig__arena *arena,
                          const rig_catalog *catalog,
                          const rig_constants *constants,
                          const rig_request *request,
                          int nodes_least,
                          int nodes_most,
                          rig_error *err);
/** Space for so many nodes with this network, from one that serves the number: shares its options,
 *  with limits, budget and bounds of its own.
 *  @return RIG_OK, RIG_E_NOMEM */
rig_status rig__space_join(rig__space *space,
                           const rig__space *base,
                           int nodes,
                           const rig__network *network,
                           rig_error *err);

/** Price of everything, in cents, when one node without network cards costs so much. */
int64_t rig__space_price(const rig__space *space, int64_t node_cents);
/** Most that one node without network cards may cost for a price of everything; negative: the
 *  network alone costs more. INT64_MAX stays. */
int64_t rig__space_node_budget(const rig__space *space, int64_t price_cents);
/** Price and rate of a choice, all nodes and their network. */
int64_t rig__choice_price(const rig__choice *choice);
double rig__choice_all_rate(const rig__choice *choice);

/** The same without what another part or option always replaces, and with bounds: what searches
 *  look at. Exact for the best builds of request->top signatures.
 *  @return as rig__space_new */
rig_status rig__space_new_reduced(rig__space *space,
                                  rig__arena *arena,
                                  const rig_catalog *catalog,
                                  const rig_constants *constants,
                                  const rig_request *request,
                                  int nodes_least,
                                  int nodes_most,
                                  rig_error *err);

/* Steps of rig__space_new, one file each. */
rig_status rig__hosts_collect(rig__space *space, rig_error *err);
/** Appends the complete servers; hosts has room for all of them. @return how many */
size_t rig__servers_collect(rig__space *space, rig__host *hosts);
rig_status rig__options_collect(rig__space *space, rig_error *err);

/** Option of a group by its place in the space. */
const rig__option *rig__space_option(const rig__space *space, rig__group group, size_t at);
/** A constant of the model by name. */
double rig__space_constant(const rig__space *space, const char *name);

/** Do the conditions of the request allow this part, so many of it? An OWN or FIX condition on the
 *  table forbids every other row. */
bool rig__space_allows(const rig__space *space, const rig_row *row, int count);
/** Price of count parts: 0 if owned, -1 if it has no price. */
int64_t rig__space_cost(const rig__space *space, const rig_row *row, int count);
/** Is this part owned in this request? */
bool rig__space_owns(const rig__space *space, const rig_row *row);

/** Leaves out options that another option of the group dominates: at least as good in every rule,
 *  rate and limit, at no higher cost. Of hosts that the shortlist tells apart, as many dominators
 *  are needed as it has places. Exact for the best builds of request->top signatures. */
rig_status rig__space_reduce(rig__space *space, rig_error *err);

/* Pair rules; the same physical rules that the checker applies to whole builds. */
/** Network cards of the space beside so many GPUs of this width (0: modules on a baseboard). */
bool rig__fits_host_nics(const rig__space *space, const rig__host *host, int width, int n_gpus);
/** What a network gives each node in one direction, in a host of this generation [GB/s]. */
double rig__network_gbs(const rig__space *space,
                        const rig__network *network,
                        double host_gen,
                        bool is_desktop);
bool rig__fits_host_gpu(const rig__space *space, const rig__host *host, const rig__gpu_option *gpu);
/** Do the cards of this processor share one link, with the rest on the chipset? */
bool rig__host_is_desktop(const rig_cpu *cpu);
/** Memory channels of each processor that have a slot. */
int rig__host_channels(const rig__host *host);
bool rig__fits_host_memory(const rig__space *space,
                           const rig__host *host,
                           const rig__memory_option *memory);
/** Practice rather than physics: host memory is at least host_ram_per_gpu_ram of all GPU memory. */
bool rig__fits_gpu_memory(const rig__space *space,
                          const rig__gpu_option *gpu,
                          const rig__memory_option *memory);
/** Places for drives of a kind. */
int rig__host_bays(const rig__host *host, rig__bay bay);
bool rig__fits_host_drive(const rig__host *host, const rig__drive_option *drive);
bool rig__fits_host_psu(const rig__host *host, const rig__psu_option *psu);
bool rig__fits_host_chassis(const rig__host *host, const rig__chassis_option *chassis);
bool rig__fits_gpu_chassis(const rig__space *space,
                           const rig__gpu_option *gpu,
                           const rig__chassis_option *chassis);
/** Practice: without a cache the drives feed a fair share of what the GPUs train. */
bool rig__fits_gpu_drive(const rig__gpu_option *gpu, const rig__drive_option *drive);
bool rig__fits_drive_chassis(const rig__drive_option *drive, const rig__chassis_option *chassis);
/** Bracket positions that GPUs and network cards cover; depends on whether the board's layout is
 *  known. */
int rig__slots_used(const rig__space *space, const rig__gpu_option *gpu, bool is_layout_known);

/** Raw PCIe bandwidth of each GPU on this host, one direction [GB/s]. */
double rig__pcie_gbs(const rig__space *space, const rig__host *host, const rig_gpu *gpu, int count);
/** Least of decode, transfer, gpu and all-reduce of a host with these GPUs [1/s]. */
double
rig__host_gpu_rate(const rig__space *space, const rig__host *host, const rig__gpu_option *gpu);
/** Least of transfer, gpu and all-reduce of a board with these GPUs [1/s]. */
double rig__host_gpu_train_rate(const rig__space *space,
                                const rig__host *host,
                                const rig__gpu_option *gpu);
/** Do two boards give every GPU the same links? */
bool rig__is_link_same(const rig__host *a, const rig__host *b);
/** Memory stage of a host with these modules [1/s]. */
double rig__host_memory_rate(const rig__space *space,
                             const rig__host *host,
                             const rig__memory_option *memory);
/** Bytes left for the page cache; linear in the three options. */
double rig__cache_bytes(const rig__space *space,
                        const rig__host *host,
                        const rig__gpu_option *gpu,
                        const rig__memory_option *memory);

/** Bounds that the search prunes by: least cost and power of completing each host (hosts that
 * cannot be completed are dropped), and the best rate of each GPU option over all hosts, which
 * depends on nodes and network. Sorts the hosts by their own cost and that of completing them.
 *  @return RIG_OK, RIG_E_NOMEM */
rig_status rig__space_bound(rig__space *space, rig_error *err);
void rig__space_bound_gpus(rig__space *space);
/** Upper bound of rig__host_gpu_rate over hosts with at most this decode rate and core speed. */
double rig__gpu_rate_bound(const rig__space *space,
                           const rig__gpu_option *gpu,
                           double best_decode,
                           double best_core_speed_1t);
/** Connector, slot and other figures are whole; sums of watts are compared with this slack. */
#define RIG__POWER_SLACK_W 1e-6

/** Rate of the GPUs alone, whatever the host: the yardstick for drives. */
double rig__gpu_own_rate(const rig__space *space, const rig__gpu_option *gpu);

/** The build that a choice stands for. */
rig_build rig__choice_build(const rig__space *space, const rig__choice *choice);

/** Bracket positions from one network card to the next. */
int rig__nic_pitch(const rig__space *space, bool is_layout_known);

/** Rate of one node that is a complete server [1/s]. */
double rig__server_rate(const rig__space *space, const rig__host *host);

/** What the network cards add to a total of each node. */
double rig__network_total(const rig__space *space, rig_total total);

/** Watts the supply must carry for this peak. */
double rig__supply_needed_w(const rig__space *space, double peak_w);

#endif
