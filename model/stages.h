/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the equations of the single stages share; private to the model. */
#ifndef RIG_MODEL_STAGES_H
#define RIG_MODEL_STAGES_H

#include "trainrig/model.h"

#define RIG__GB_BYTES 1e9 /* drives, links and data sets; memory as sold is RIG_MEMORY_GB_BYTES */

/** Smaller of the two, NAN if either is unknown (fmin would drop the NAN). */
double rig__model_min(double a, double b);

/** Text members with a fixed set of values. */
bool rig__model_is_synthetic(const rig_workload *workload); /**< nothing is read, decoded or sent */
bool rig__model_is_gpu_decode(const rig_workload *workload);
bool rig__model_is_raw(const rig_workload *workload); /**< stored decoded */
bool rig__model_is_records(const rig_workload *workload);
bool rig__model_is_depthwise(const rig_network *network);
bool rig__model_is_attention(const rig_network *network);

/** Pixels of one stored image, estimated where unknown [px]. */
double rig__model_source_px(const rig_constants *constants, const rig_workload *workload);
/** Elements of one prepared image. */
double rig__model_output_elements(const rig_constants *constants, const rig_workload *workload);
/** Loader workers or threads per machine. */
double rig__model_workers(const rig_workload *workload, double cores);
/** Core time to prepare one image on the reference core [s]. */
double rig__model_prepare_s(const rig_constants *constants, const rig_workload *workload);

/** Batch per GPU that is used: as asked for, or the largest that fits. */
double rig__model_batch(const rig_constants *constants,
                        const rig_workload *workload,
                        const rig_machine *machine);
/** Nodes of a cluster, at least one. */
double rig__model_nodes(const rig_machine *machine);
/** Rates of the stages `gpu` and `allreduce`, together cheaper than one by one [1/s]. */
void rig__model_training_rates(const rig_constants *constants,
                               const rig_workload *workload,
                               const rig_machine *machine,
                               double *gpu_out,
                               double *allreduce_out);

/** Average power at the wall [W]. */
double rig__model_power_w(const rig_constants *constants,
                          const rig_machine *machine,
                          double cpu_busy_frac,
                          double gpu_busy_frac);

#endif
