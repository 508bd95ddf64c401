/* SPDX-License-Identifier: GPL-3.0-or-later
 * What each part must deliver for a target rate: the model's functions solved for the part. */
#include "optimizer/require.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "trainrig/units.h"

#define N_ITEMS_MAX 13
/* Share of what nodes train alone that the exchange between them may leave, where no target says
 * it; assumption. */
#define EXCHANGE_SHARE 0.95
/* Halvings of the search interval: beyond the precision of any figure here. */
#define N_HALVINGS 100

/* A rate, or another figure that grows with x, of the machine in question. */
typedef double (*figure_of)(const rig__require *question, double x);

/* Least x in [low, high] whose figure reaches the goal; figure_of is non-decreasing.
 * INFINITY: not even high does; NAN: unknown. */
static double least_that_meets(
    const rig__require *question, figure_of figure, double goal, double low, double high)
{
    const double highest = figure(question, high);
    if (isnan(highest) || isnan(goal)) {
        return NAN;
    }
    if (highest < goal) {
        return INFINITY;
    }
    if (figure(question, low) >= goal) {
        return low;
    }
    for (int i_halving = 0; i_halving < N_HALVINGS; i_halving++) {
        const double middle = low + (high - low) / 2;
        if (figure(question, middle) >= goal) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

static double decode_rate(const rig__require *question, double cores)
{
    return rig_decode_rate(question->constants, &question->workload, cores, 1.0, question->n_gpus);
}

static double memory_rate(const rig__require *question, double memory_gbs)
{
    const double mts = memory_gbs * 1000 / 8; /* a channel is 8 bytes wide */
    return rig_memory_rate(question->constants, &question->workload, 1, mts);
}

static double transfer_rate(const rig__require *question, double pcie_gbs)
{
    return rig_transfer_rate(question->constants, &question->workload, question->n_gpus, pcie_gbs);
}

static double cache_bytes(const rig__require *question, double ram_gb)
{
    return rig_cache_bytes(question->constants,
                           &question->workload,
                           ram_gb * RIG_MEMORY_GB_BYTES,
                           question->n_gpus,
                           question->cores);
}

static double cache_hit(const rig__require *question, double ram_gb)
{
    return rig_cache_hit(question->constants, &question->workload, cache_bytes(question, ram_gb));
}

static double first_epoch_rate(const rig__require *question, double drive_gbs)
{
    return rig_storage_rate(&question->workload, drive_gbs, 0);
}

static double later_epoch_rate(const rig__require *question, double drive_gbs)
{
    const double ram_gb = question->machine.ram_bytes / RIG_MEMORY_GB_BYTES;
    return rig_storage_rate(
        &question->workload, drive_gbs, isnan(ram_gb) ? 0 : cache_hit(question, ram_gb));
}

static double batch_max(const rig__require *question, double mem_gb)
{
    return rig_batch_max(
        question->constants, &question->workload, mem_gb * RIG_MEMORY_GB_BYTES, question->n_gpus);
}

static double exchange_rate(const rig__require *question, double link_gbs)
{
    rig_machine machine = question->machine;
    if (machine.gpu_link == RIG_LINK_NVLINK) {
        machine.gpu_link_gbs = link_gbs;
    } else {
        machine.gpu_pcie_gbs = link_gbs;
    }
    return rig_allreduce_rate(question->constants, &question->workload, &machine);
}

static double cluster_rate(const rig__require *question, double network_gbs)
{
    rig_machine machine = question->machine;
    machine.nodes = question->nodes;
    machine.network_gbs = network_gbs;
    return rig_allreduce_rate(question->constants, &question->workload, &machine) / question->nodes;
}

/* ---- the list ------------------------------------------------------------------------------- */

static rig_requirement *
add(rig_requirements *out, rig_stage stage, const char *what, const char *unit, double need)
{
    rig_requirement *const item = &out->items[out->n_items++];
    item->stage = stage;
    item->what = what;
    item->unit = unit;
    item->need = need;
    item->need_first_epoch = NAN;
    item->price_cents = -1;
    return item;
}

static void set_cheapest(rig_requirement *item, rig_part_use use)
{
    item->cheapest = use;
    if (use.row != NULL) {
        item->price_cents = use.row->price.cents * use.count;
    }
}

/* "x16 of PCIe 4.0 or x8 of 5.0": least power of two of lanes by generation that carries so much;
 * a generation whose 16 lanes do not is left out. */
static const char *lanes_comment(const rig__require *question, double gbs, rig__arena *arena)
{
    const char *text = NULL;
    for (int gen = 3; gen <= 5; gen++) {
        const double lane_gbs = rig__lane_gbs(question->constants, gen);
        int lanes = 1;
        while (lanes * lane_gbs < gbs && lanes <= 16) {
            lanes *= 2;
        }
        if (lanes <= 16) {
            text = rig__arena_format(arena,
                                     "%s%sx%d of PCIe %d.0",
                                     text == NULL ? "" : text,
                                     text == NULL ? "" : ", ",
                                     lanes,
                                     gen);
        }
    }
    return text == NULL ? "more than one x16 link of PCIe 5.0" : text;
}

static void add_storage(const rig__require *question, rig_requirements *out)
{
    static const double most_gbs = 1e5;
    const double room_gb =
        rig__optimizer_storage_needed_gb(&question->workload, question->constants);
    const double later_gbs =
        least_that_meets(question, later_epoch_rate, question->target, 0, most_gbs);
    rig_requirement *const read = add(out, RIG_STAGE_STORAGE, "storage read", "GB/s", later_gbs);
    read->need_first_epoch =
        least_that_meets(question, first_epoch_rate, question->target, 0, most_gbs);
    if (isfinite(later_gbs)) {
        set_cheapest(read, rig__require_drives(question, later_gbs, room_gb));
    }
    read->comment = isnan(question->machine.ram_bytes)
                        ? "memory is not given: as if nothing stayed in the page cache"
                        : "what the page cache of the given memory does not serve";
    rig_requirement *const room = add(out, RIG_STAGE_STORAGE, "storage capacity", "GB", room_gb);
    set_cheapest(room, rig__require_drives(question, 0, room_gb));
}

static void add_memory(const rig__require *question, rig_requirements *out, rig__arena *arena)
{
    static const double most_gb = 1e6;
    static const double most_gbs = 1e6;
    const double least_gb = least_that_meets(question, cache_bytes, 0, 0, most_gb);
    const double all_gb = least_that_meets(question, cache_hit, 1, 0, most_gb);
    rig_requirement *const least =
        add(out, RIG_STAGE_STORAGE, "memory for system and workers", "GB", least_gb);
    if (isfinite(least_gb)) {
        set_cheapest(least, rig__require_memory(question, least_gb));
    }
    rig_requirement *const all =
        add(out, RIG_STAGE_STORAGE, "memory that caches the whole data set", "GB", all_gb);
    if (isfinite(all_gb)) {
        set_cheapest(all, rig__require_memory(question, all_gb));
    }
    all->comment = "later epochs then read nothing from storage";

    const double need_gbs = least_that_meets(question, memory_rate, question->target, 0, most_gbs);
    rig_requirement *const bandwidth =
        add(out, RIG_STAGE_MEMORY, "memory bandwidth", "GB/s", need_gbs);
    if (isfinite(need_gbs)) {
        const double n_ddr4 = fmax(1, ceil(need_gbs / (3200 * 0.008)));
        bandwidth->comment = rig__arena_format(arena,
                                               "%.0f channel%s of DDR4-3200 or %.0f of DDR5-4800",
                                               n_ddr4,
                                               n_ddr4 > 1 ? "s" : "",
                                               fmax(1, ceil(need_gbs / (4800 * 0.008))));
    }
}

/* "; the given processor suffices: ..." when one is given, else "". */
static const char *cpu_verdict(const rig__require *question, rig__arena *arena)
{
    const rig_machine *const machine = &question->machine;
    if (isnan(machine->cores)) {
        return "";
    }
    const double rate = rig_decode_rate(question->constants,
                                        &question->workload,
                                        machine->sockets * machine->cores,
                                        machine->core_speed,
                                        question->n_gpus);
    if (isnan(rate)) {
        return "; whether the given processor suffices is unknown: its core speed is";
    }
    if (isinf(rate)) {
        return "; the given processor suffices";
    }
    char number[64];
    const bool is_enough = rate >= question->target * (1 - 1e-9);
    return rig__arena_format(arena,
                             "; the given processor %s: it prepares %s images/s",
                             is_enough ? "suffices" : "does not suffice",
                             rig_format_number(number, sizeof number, rate));
}

static void add_cores(const rig__require *question, rig_requirements *out, rig__arena *arena)
{
    static const double most_cores = 1e6;
    const double cores = least_that_meets(question, decode_rate, question->target, 0, most_cores);
    rig_requirement *const item =
        add(out, RIG_STAGE_DECODE, "CPU cores at the reference speed", "cores", cores);
    const char *what = "one core at the reference speed is about one of a modern Xeon or EPYC";
    if (isfinite(cores)) {
        set_cheapest(item, rig__require_cpu(question));
    } else if (!isnan(question->workload.workers)) {
        what = "the number of loader workers limits it";
    }
    const char *const verdict = cpu_verdict(question, arena);
    item->comment = verdict == NULL ? what : rig__arena_format(arena, "%s%s", what, verdict);
}

static void add_transfer(const rig__require *question, rig_requirements *out, rig__arena *arena)
{
    static const double most_gbs = 1e5;
    const double need_gbs =
        least_that_meets(question, transfer_rate, question->target, 0, most_gbs);
    rig_requirement *const item =
        add(out, RIG_STAGE_TRANSFER, "PCIe bandwidth of each GPU", "GB/s", need_gbs);
    if (isfinite(need_gbs)) {
        item->comment = lanes_comment(question, need_gbs, arena);
    }
}

static void add_gpus(const rig__require *question, rig_requirements *out, rig__arena *arena)
{
    static const double most_gb = 1e5;
    rig_requirement *const gpus = add(
        out, RIG_STAGE_GPU, "GPUs", "GPUs", rig__require_gpu_count(question, question->view.gpu));
    gpus->comment = rig__arena_format(arena, "of '%s'", question->view.gpu->row.name);
    set_cheapest(gpus, rig__require_gpus(question));
    const double mem_gb =
        least_that_meets(question, batch_max, question->workload.batch_per_gpu, 0, most_gb);
    rig_requirement *const memory =
        add(out, RIG_STAGE_GPU, "GPU memory for the batch", "GB", mem_gb);
    if (isfinite(mem_gb)) {
        set_cheapest(memory, rig__require_gpu_memory(question, mem_gb));
    }
}

static void add_link(const rig__require *question, rig_requirements *out, rig__arena *arena)
{
    static const double most_gbs = 1e5;
    if (question->machine.gpu_link == RIG_LINK_NONE) {
        return;
    }
    const double target = question->target * (1 - 1e-9);
    const double need_gbs = least_that_meets(question, exchange_rate, target, 1e-6, most_gbs);
    const bool is_nvlink = question->machine.gpu_link == RIG_LINK_NVLINK;
    rig_requirement *const item = add(out,
                                      RIG_STAGE_ALLREDUCE,
                                      is_nvlink ? "link of each GPU to the others, one direction"
                                                : "PCIe of each GPU for the gradient exchange",
                                      "GB/s",
                                      need_gbs);
    if (!isfinite(need_gbs)) {
        item->comment = "the GPUs alone do not reach the target";
    } else if (!is_nvlink) {
        item->comment = lanes_comment(question, need_gbs, arena);
    }
}

/* Without a target that says more, the exchange may cost a little of what the nodes train alone. */
static void add_network(const rig__require *question, rig_requirements *out, bool has_target)
{
    static const double most_gbs = 1e4;
    if (question->nodes < 2) {
        return;
    }
    const double share = has_target ? 1 - 1e-9 : EXCHANGE_SHARE;
    const double need_gbs =
        least_that_meets(question, cluster_rate, share * question->target, 1e-6, most_gbs);
    rig_requirement *const item =
        add(out, RIG_STAGE_ALLREDUCE, "network of each node, one direction", "GB/s", need_gbs);
    if (!isfinite(need_gbs)) {
        item->comment = "GPUs with more to spare leave time for the exchange";
        return;
    }
    if (!has_target) {
        item->comment = "for 95 % of what the nodes train alone";
    }
    set_cheapest(item, rig__require_nics(question, need_gbs));
}

/* ---- the question --------------------------------------------------------------------------- */

/* Passes on warnings about the given parts. What a missing part leaves unpredicted, or is taken as,
 * is no news: what it must deliver is the question. */
static void warn_of_given(const char *text, void *payload)
{
    static const char *const unasked[] = {"not predicted", "memory modules are not listed"};
    for (size_t i = 0; i < sizeof unasked / sizeof unasked[0]; i++) {
        if (strstr(text, unasked[i]) != NULL) {
            return;
        }
    }
    rig__text_list_sink(text, payload);
}

/* Views and the machine of the build as it stands now. */
static rig_status refresh(rig__require *question, rig__text_list *warnings, rig_error *err)
{
    rig_prediction prediction; /* asked for its checks of all figures */
    rig__view_get(&question->build, question->catalog, &question->view);
    RIG_TRY(rig_build_machine(&question->build,
                              question->catalog,
                              question->constants,
                              &question->workload,
                              &question->machine,
                              warnings == NULL ? NULL : warn_of_given,
                              warnings,
                              err));
    RIG_TRY(rig_predict_machine(
        &question->machine, &question->workload, question->constants, &prediction, err));
    question->n_gpus = question->machine.n_gpus;
    question->cores = question->machine.sockets * question->machine.cores;
    return RIG_OK;
}

/* The target: as given, or the rate at which the given GPUs train. */
static rig_status set_target(rig__require *question, double images_per_s, rig_error *err)
{
    question->target = images_per_s / question->nodes;
    if (!isnan(images_per_s)) {
        if (!(images_per_s > 0 && isfinite(images_per_s))) {
            return rig__error_set(err,
                                  RIG_E_RANGE,
                                  NULL,
                                  0,
                                  0,
                                  "target rate is out of range: '%g' (images per second, more "
                                  "than 0)",
                                  images_per_s);
        }
        return RIG_OK;
    }
    if (question->view.gpu == NULL) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "neither a target rate nor a GPU is given: '' (images per second, "
                              "an epoch time, or a GPU to keep busy)");
    }
    RIG_TRY(refresh(question, NULL, err));
    question->target =
        rig_allreduce_rate(question->constants, &question->workload, &question->machine);
    if (!(question->target > 0 && isfinite(question->target))) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "the GPU does not train this workload at a known rate: '%s' (a GPU "
                              "whose memory holds the network)",
                              question->view.gpu->row.name);
    }
    return RIG_OK;
}

/* Without a GPU the cheapest that reach the target stand in: the other needs depend on how many
 * there are. */
static rig_status assume_gpus(rig__require *question, rig__text_list *warnings, rig_error *err)
{
    if (question->view.gpu != NULL) {
        return RIG_OK;
    }
    const rig_part_use use = rig__require_gpus(question);
    if (use.row == NULL) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "no GPU of the catalogue reaches the target: '%g' images per second "
                              "(up to %d GPUs of one model)",
                              question->target,
                              RIG__REQUIRE_GPUS_MAX);
    }
    question->build.parts[RIG_TABLE_GPU] = use;
    rig__text_list_add(warnings,
                       "no GPU is named: '%s x%d', the cheapest that reach the target, stand in",
                       use.row->name,
                       use.count);
    return RIG_OK;
}

static rig_status answer(rig_requirements *out,
                         rig__arena *arena,
                         rig__require *question,
                         double images_per_s,
                         rig_error *err)
{
    rig__text_list warnings;
    memset(&warnings, 0, sizeof warnings);
    warnings.arena = arena;
    rig__view_get(&question->build, question->catalog, &question->view);
    RIG_TRY(set_target(question, images_per_s, err));
    RIG_TRY(assume_gpus(question, &warnings, err));
    RIG_TRY(refresh(question, &warnings, err));
    out->nodes = question->nodes;
    out->target_images_per_s = question->target * question->nodes;
    out->epoch_s = question->workload.dataset->images / out->target_images_per_s;
    if (isnan(question->cores)) {
        /* one worker per core that the target takes */
        question->cores = least_that_meets(question, decode_rate, question->target, 0, 1e6);
    }
    add_storage(question, out);
    add_cores(question, out, arena);
    add_memory(question, out, arena);
    add_transfer(question, out, arena);
    add_gpus(question, out, arena);
    add_link(question, out, arena);
    add_network(question, out, !isnan(images_per_s));
    out->warnings = warnings.texts;
    return warnings.is_nomem ? rig__error_nomem(err) : RIG_OK;
}

rig_status rig_require(rig_requirements **out,
                       const rig_catalog *catalog,
                       const rig_constants *constants,
                       const rig_request *request,
                       const rig_build *build,
                       double images_per_s,
                       rig_error *err)
{
    rig__require question;
    *out = NULL;
    RIG_TRY(rig__optimizer_request_check(request, err));
    memset(&question, 0, sizeof question);
    question.catalog = catalog;
    question.constants = constants;
    question.request = request;
    question.workload = request->workload;
    question.build = *build;
    question.nodes = rig_build_nodes(build);
    question.build.nodes = 1;
    if (request->is_sharded) {
        question.workload.shards = question.nodes;
    }
    question.machine.ram_bytes = NAN;
    if (!isnan(build->unnamed.workers)) {
        question.workload.workers = build->unnamed.workers;
    }
    rig__arena *const arena = rig__arena_new();
    if (arena == NULL) {
        return rig__error_nomem(err);
    }
    rig_status status = RIG_OK;
    rig_requirements *const result = rig__arena_alloc(arena, 1, sizeof *result);
    if (result == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    result->arena = arena;
    result->items = rig__arena_alloc(arena, N_ITEMS_MAX, sizeof *result->items);
    if (result->items == NULL) {
        status = rig__error_nomem(err);
        goto done;
    }
    status = answer(result, arena, &question, images_per_s, err);
done:
    if (status != RIG_OK) {
        rig__arena_free(arena);
        return status;
    }
    *out = result;
    return RIG_OK;
}

void rig_requirements_free(rig_requirements *requirements)
{
    if (requirements != NULL) {
        rig__arena_free(requirements->arena);
    }
}
