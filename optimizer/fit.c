/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pair rules of the integer program: which options go together, and the rates of pairs. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/stages.h"
#include "optimizer/network.h"
#include "optimizer/options.h"

/* Core speed at which no launch of a GPU kernel ever waits for the host. */
static const double fast_core = 1e9;

static double least(double a, double b)
{
    return a < b ? a : b;
}

int rig__slots_used(const rig__space *space, const rig__gpu_option *gpu, bool is_layout_known)
{
    if (gpu->width == 0) {
        return 0;
    }
    const int pitch = is_layout_known || gpu->width > (int)space->slot_pitch
                          ? gpu->width
                          : (int)space->slot_pitch;
    const int n_nics = space->network.n_nics;
    return n_nics == 0
               ? gpu->width + (gpu->count - 1) * pitch
               : gpu->count * pitch + 1 + (n_nics - 1) * rig__nic_pitch(space, is_layout_known);
}

int rig__nic_pitch(const rig__space *space, bool is_layout_known)
{
    enum { DOUBLE_WIDTH = 2 }; /* places on a board of known layout are that far apart */
    return is_layout_known || space->slot_pitch < DOUBLE_WIDTH ? DOUBLE_WIDTH
                                                               : (int)space->slot_pitch;
}

/* Which of the sizes of slots a card needs. */
static int slot_size(const rig_nic *nic)
{
    return nic->pcie_lanes <= 4 ? 0 : nic->pcie_lanes <= 8 ? 1 : 2;
}

bool rig__fits_host_nics(const rig__space *space, const rig__host *host, int width, int n_gpus)
{
    const int n_nics = space->network.n_nics;
    if (n_nics == 0) {
        return true;
    }
    if (host->server != NULL || host->is_barebone) {
        return n_nics <= host->nic_slots;
    }
    const int n_cards = width == 0 ? 0 : n_gpus;
    return n_nics <= RIG__MAX_NICS &&
           n_cards <= host->capacity_beside[n_nics][width < 1 ? 1 : width] &&
           n_cards + n_nics <= host->card_slots[slot_size(space->network.nic)];
}

bool rig__fits_host_gpu(const rig__space *space, const rig__host *host, const rig__gpu_option *gpu)
{
    if (host->server != NULL || gpu->gpu == NULL) {
        return host->server != NULL && gpu->gpu == NULL && rig__fits_host_nics(space, host, 0, 0);
    }
    if (!rig__fits_host_nics(space, host, gpu->width, gpu->count)) {
        return false;
    }
    if (gpu->baseboard != NULL) {
        return rig__is_same_text(gpu->baseboard->form, host->board->gpu_form);
    }
    return rig__is_same_text(gpu->gpu->form, host->board->gpu_form) &&
           gpu->count <= host->gpu_capacity[gpu->width < 1 ? 1 : gpu->width];
}

int rig__host_channels(const rig__host *host)
{
    const int wired = (int)host->mem_channels / host->n_cpus;
    const int slots = host->dimm_slots / host->n_cpus;
    return wired < slots ? wired : slots;
}

/* Every processor gets the same modules, which is what boards are specified for. The rest is
 * practice: two modules or more, half of the channels or more, and channels filled evenly so that
 * they interleave. A board with fewer slots than channels has that many channels. */
static bool is_balanced(const rig__space *space, const rig__host *host, int modules)
{
    if (modules % host->n_cpus != 0) {
        return false;
    }
    const int each = modules / host->n_cpus;
    const int channels = rig__host_channels(host);
    return each >= (channels < 2 ? channels : 2) && each >= space->channel_share * channels &&
           (channels % each == 0 || each % channels == 0);
}

bool rig__fits_host_memory(const rig__space *space,
                           const rig__host *host,
                           const rig__memory_option *memory)
{
    if (host->server != NULL || memory->memory == NULL) {
        return host->server != NULL && memory->memory == NULL;
    }
    if (memory->modules > host->dimm_slots || memory->gb > host->max_mem_gb ||
        !is_balanced(space, host, memory->modules)) {
        return false;
    }
    const bool is_kind_right = host->takes_any_dimm ||
                               rig__is_same_text(memory->memory->kind, host->board->dimm_kind) ||
                               (memory->is_lrdimm && host->takes_rdimm);
    return is_kind_right && rig__is_same_text(memory->memory->type, host->board->mem_type);
}

bool rig__fits_gpu_memory(const rig__space *space,
                          const rig__gpu_option *gpu,
                          const rig__memory_option *memory)
{
    return gpu->gpu == NULL || memory->memory == NULL ||
           memory->gb >= space->ram_per_gpu_ram * gpu->count * gpu->gpu->mem_gb;
}

int rig__host_bays(const rig__host *host, rig__bay bay)
{
    switch (bay) {
    case RIG__BAY_M2:
        return host->m2_slots;
    case RIG__BAY_NVME:
        return host->nvme_bays;
    case RIG__BAY_SATA:
        return host->sata_ports;
    case RIG__BAY_SAS:
        return host->sas_bays;
    case RIG__BAY_NONE:
    case RIG__N_BAYS:
        break;
    }
    return 0;
}

bool rig__fits_host_drive(const rig__host *host, const rig__drive_option *drive)
{
    if (host->server != NULL || drive->storage == NULL) {
        return host->server != NULL && drive->storage == NULL;
    }
    return drive->count <= rig__host_bays(host, drive->bay);
}

bool rig__fits_host_psu(const rig__host *host, const rig__psu_option *psu)
{
    const bool has_supply = host->server != NULL || host->is_barebone;
    return has_supply == (psu->psu == NULL);
}

bool rig__fits_host_chassis(const rig__host *host, const rig__chassis_option *chassis)
{
    if (host->server != NULL || host->is_barebone || chassis->chassis == NULL) {
        return chassis->chassis == NULL && (host->server != NULL || host->is_barebone);
    }
    return host->needs_large_case ? chassis->takes_large_board : chassis->takes_board;
}

bool rig__fits_gpu_chassis(const rig__space *space,
                           const rig__gpu_option *gpu,
                           const rig__chassis_option *chassis)
{
    if (chassis->chassis == NULL || gpu->gpu == NULL || gpu->baseboard != NULL) {
        return true;
    }
    return rig__slots_used(space, gpu, true) <= chassis->slots &&
           !(gpu->gpu->length_mm > chassis->max_length_mm);
}

bool rig__fits_gpu_drive(const rig__gpu_option *gpu, const rig__drive_option *drive)
{
    return gpu->gpu == NULL || drive->storage == NULL || drive->cold_rate >= gpu->cold_rate_needed;
}

bool rig__fits_drive_chassis(const rig__drive_option *drive, const rig__chassis_option *chassis)
{
    return chassis->chassis == NULL || !drive->is_35 || drive->count <= chassis->bays_35;
}

static double power_of_two_below(double value)
{
    double power = 1;
    while (power * 2 <= value) {
        power *= 2;
    }
    return power;
}

static double lane_gbs(const rig__space *space, double generation)
{
    const double last = RIG__MAX_PCIE_GEN;
    return space->lane_gbs[(size_t)(generation < 1 ? 1 : generation > last ? last : generation)];
}

/* Desktop processors have one x16 link for cards; the rest hangs on the chipset. */
static double desktop_gbs(const rig__space *space,
                          const rig__host *host,
                          const rig_gpu *gpu,
                          double generation,
                          int count)
{
    if (count <= host->wired_slots) {
        const double lanes = power_of_two_below(space->desktop_gpu_lanes / count);
        return least(gpu->pcie_lanes, lanes) * lane_gbs(space, generation);
    }
    return least(gpu->pcie_lanes, space->chipset_lanes) *
           lane_gbs(space, least(generation, space->chipset_gen));
}

double rig__pcie_gbs(const rig__space *space, const rig__host *host, const rig_gpu *gpu, int count)
{
    const double generation = least(gpu->pcie_gen, host->pcie_gen);
    if (host->is_desktop) {
        return desktop_gbs(space, host, gpu, generation, count);
    }
    const double nic_lanes =
        space->network.n_nics == 0 ? 0 : space->network.n_nics * space->network.nic->pcie_lanes;
    /* network cards may use the lanes kept for storage and network, and more of the others' */
    const double taken = nic_lanes > space->reserved_lanes ? nic_lanes - space->reserved_lanes : 0;
    double each = (host->gpu_lanes - taken) / count;
    if (!host->is_barebone) {
        each = power_of_two_below(each); /* a barebone shares its links through switches */
    }
    each = each < 1 ? 1 : each;
    return least(gpu->pcie_lanes, each) * lane_gbs(space, generation);
}

bool rig__is_link_same(const rig__host *a, const rig__host *b)
{
    return a->is_desktop == b->is_desktop && a->is_barebone == b->is_barebone &&
           a->pcie_gen == b->pcie_gen && a->gpu_lanes == b->gpu_lanes &&
           a->wired_slots == b->wired_slots;
}

double rig__network_gbs(const rig__space *space,
                        const rig__network *network,
                        double host_gen,
                        bool is_desktop)
{
    const rig_nic *nic = network->nic;
    double lanes = nic->pcie_lanes;
    double generation = isnan(nic->pcie_gen) ? host_gen : least(nic->pcie_gen, host_gen);
    if (is_desktop) { /* processor lanes are for GPUs: the card hangs on the chipset */
        lanes = least(lanes, space->chipset_lanes);
        generation = least(generation, space->chipset_gen);
    }
    return rig__network_node_gbs(
        network->ports, network->port_gbs, network->n_nics, lanes * lane_gbs(space, generation));
}

static double host_network_gbs(const rig__space *space, const rig__host *host)
{
    return space->nodes < 2
               ? (double)INFINITY
               : rig__network_gbs(space, &space->network, host->pcie_gen, host->is_desktop);
}

/* Over all hosts. */
static double most_network_gbs(const rig__space *space)
{
    return space->nodes < 2 ? (double)INFINITY
                            : rig__network_gbs(space, &space->network, RIG__MAX_PCIE_GEN, false);
}

/* The members that the GPU stages read. */
static rig_machine gpu_machine(const rig__gpu_option *option, double core_speed_1t, double pcie_gbs)
{
    rig_machine machine;
    memset(&machine, 0, sizeof machine);
    machine.core_speed_1t = core_speed_1t;
    machine.n_gpus = option->count;
    rig_machine_set_gpu(&machine, option->gpu);
    machine.gpu_step_factor = option->step_factor;
    machine.gpu_pcie_gbs = pcie_gbs;
    machine.gpu_link = option->link;
    return machine;
}

double rig__gpu_own_rate(const rig__space *space, const rig__gpu_option *gpu)
{
    const rig_machine machine = gpu_machine(gpu, fast_core, 0);
    return rig_gpu_rate(space->constants, &space->request->workload, &machine);
}

/* Of one node: the model's rates are those of all. */
static double pair_rate(const rig__space *space,
                        const rig__gpu_option *option,
                        double pcie_gbs,
                        double node_gbs,
                        double decode,
                        double core_speed_1t)
{
    const rig_workload *workload = &space->request->workload;
    rig_machine machine = gpu_machine(option, core_speed_1t, pcie_gbs);
    machine.nodes = space->nodes;
    machine.network_gbs = node_gbs;
    const double transfer = rig_transfer_rate(space->constants, workload, option->count, pcie_gbs);
    double gpu = NAN, allreduce = NAN;
    rig__model_training_rates(space->constants, workload, &machine, &gpu, &allreduce);
    return least(least(decode, transfer), least(gpu, allreduce) / space->nodes);
}

double
rig__host_gpu_rate(const rig__space *space, const rig__host *host, const rig__gpu_option *option)
{
    if (host->server != NULL) {
        return rig__server_rate(space, host);
    }
    return pair_rate(space,
                     option,
                     rig__pcie_gbs(space, host, option->gpu, option->count),
                     host_network_gbs(space, host),
                     host->decode[option->count],
                     host->core_speed_1t);
}

double rig__host_gpu_train_rate(const rig__space *space,
                                const rig__host *host,
                                const rig__gpu_option *option)
{
    return pair_rate(space,
                     option,
                     rig__pcie_gbs(space, host, option->gpu, option->count),
                     host_network_gbs(space, host),
                     INFINITY,
                     host->core_speed_1t);
}

/* The rate does not fall with its inputs but for the rounding of powers and exponentials. */
static const double rounding_margin = 1.0 + 1e-12;

double rig__gpu_rate_bound(const rig__space *space,
                           const rig__gpu_option *gpu,
                           double best_decode,
                           double best_core_speed_1t)
{
    const double pcie_gbs = gpu->gpu->pcie_lanes * lane_gbs(space, gpu->gpu->pcie_gen);
    return rounding_margin *
           pair_rate(
               space, gpu, pcie_gbs, most_network_gbs(space), best_decode, best_core_speed_1t);
}

double rig__host_memory_rate(const rig__space *space,
                             const rig__host *host,
                             const rig__memory_option *memory)
{
    if (host->server != NULL) {
        return INFINITY;
    }
    const double channels = least(host->mem_channels, memory->modules);
    const double mts = rig__is_same_text(memory->memory->type, host->cpu->mem_type)
                           ? least(memory->memory->mts, host->cpu->mem_mts)
                           : memory->memory->mts;
    return rig_memory_rate(space->constants, &space->request->workload, channels, mts);
}

double rig__cache_bytes(const rig__space *space,
                        const rig__host *host,
                        const rig__gpu_option *gpu,
                        const rig__memory_option *memory)
{
    return rig_cache_bytes(space->constants,
                           &space->request->workload,
                           memory->gb * RIG_MEMORY_GB_BYTES,
                           gpu->count,
                           host->cores);
}

double rig__network_total(const rig__space *space, rig_total total)
{
    return total == RIG_TOTAL_PRICE_USD ? (double)space->network.nic_cents / 100.0
           : total == RIG_TOTAL_POWER_W ? space->network.nic_w
                                        : 0;
}

double rig__supply_needed_w(const rig__space *space, double peak_w)
{
    return space->headroom * peak_w;
}

static void use(rig_build *build, const rig__space *space, const rig_row *row, int count)
{
    if (row != NULL) {
        build->parts[row->table] = (rig_part_use){row, count, rig__space_owns(space, row)};
    }
}

rig_build rig__choice_build(const rig__space *space, const rig__choice *choice)
{
    rig_build build = rig_build_empty();
    const rig__host *host = &space->hosts[choice->at[RIG__GROUP_HOST]];
    const rig__gpu_option *gpu = &space->gpus[choice->at[RIG__GROUP_GPU]];
    const rig__memory_option *memory = &space->memories[choice->at[RIG__GROUP_MEMORY]];
    const rig__drive_option *drive = &space->drives[choice->at[RIG__GROUP_DRIVE]];
    const rig__psu_option *psu = &space->psus[choice->at[RIG__GROUP_PSU]];
    const rig__chassis_option *chassis = &space->chassis[choice->at[RIG__GROUP_CHASSIS]];
    use(&build, space, host->server == NULL ? NULL : &host->server->row, 1);
    use(&build, space, host->board == NULL ? NULL : &host->board->row, 1);
    use(&build, space, host->cpu == NULL ? NULL : &host->cpu->row, host->n_cpus);
    if (gpu->baseboard != NULL) {
        use(&build, space, &gpu->baseboard->row, 1);
    } else {
        use(&build, space, gpu->gpu == NULL ? NULL : &gpu->gpu->row, gpu->count);
    }
    use(&build, space, memory->memory == NULL ? NULL : &memory->memory->row, memory->count);
    use(&build, space, drive->storage == NULL ? NULL : &drive->storage->row, drive->count);
    use(&build, space, psu->psu == NULL ? NULL : &psu->psu->row, 1);
    use(&build, space, chassis->chassis == NULL ? NULL : &chassis->chassis->row, 1);
    const rig__network *network = &space->network;
    use(&build, space, network->nic == NULL ? NULL : &network->nic->row, network->n_nics);
    use(&build, space, network->fabric == NULL ? NULL : &network->fabric->row, network->n_switches);
    build.nodes = space->nodes;
    return build;
}
