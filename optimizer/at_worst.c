/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds that do not name every part: what the rate is if those parts are poor. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "optimizer/build_report.h"
#include "optimizer/view.h"

static const double mbs_per_gbs = 1000.0;

/* Puts the plausible worst in place of what a build does not name, and says it. */
static void fill_unnamed(rig_build *build,
                         const rig_machine *machine,
                         const rig_constants *constants,
                         rig__text_list *list)
{
    rig_unnamed *const unnamed = &build->unnamed;
    if (isnan(machine->cores) && build->parts[RIG_TABLE_CPU].row == NULL) {
        unnamed->cores =
            ceil(rig_constants_get(constants, "unnamed_cores_per_gpu_least") * machine->n_gpus);
        rig__text_list_add(list, "processor: %.0f cores", unnamed->cores);
    }
    if (isnan(machine->ram_bytes)) {
        unnamed->ram_gb = ceil(rig_constants_get(constants, "host_ram_per_gpu_ram") *
                               machine->n_gpus * machine->gpu_mem_bytes / RIG_MEMORY_GB_BYTES);
        rig__text_list_add(list, "memory: %.0f GB", unnamed->ram_gb);
    }
    if (build->parts[RIG_TABLE_SERVER].row == NULL && machine->n_drive_kinds > 0 &&
        isnan(machine->drives[0].read_gbs)) {
        unnamed->drive_gbs = rig_constants_get(constants, "sata_seq_unknown_mbs") / mbs_per_gbs;
        unnamed->drive_iops = 1000.0 * rig_constants_get(constants, "sata_iops_unknown_kiops");
        rig__text_list_add(list, "storage: one SATA SSD of %.2g GB/s", unnamed->drive_gbs);
    }
}

rig_status rig__optimizer_at_worst(rig_build_report *out,
                                   const rig_catalog *catalog,
                                   const rig_constants *constants,
                                   const rig_workload *workload,
                                   rig__arena *arena,
                                   rig_error *err)
{
    rig_machine machine;
    rig_build build = out->build;
    rig__text_list list = {.arena = arena};
    out->at_worst.images_per_s = (double)NAN;
    if (!out->prediction.has_unknown) {
        return RIG_OK;
    }
    RIG_TRY(rig_build_machine(&build, catalog, constants, workload, &machine, NULL, NULL, err));
    fill_unnamed(&build, &machine, constants, &list);
    if (list.texts.count == 0 || list.is_nomem) {
        return list.is_nomem ? rig__error_nomem(err) : RIG_OK;
    }
    RIG_TRY(rig_build_machine(&build, catalog, constants, workload, &machine, NULL, NULL, err));
    RIG_TRY(rig_predict_machine(&machine, workload, constants, &out->at_worst, err));
    out->worst_parts = list.texts;
    return RIG_OK;
}
