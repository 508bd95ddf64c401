/* SPDX-License-Identifier: GPL-3.0-or-later
 * Constants, workload and machine with round figures, so that tests can be computed by hand. */
#ifndef RIG_TESTS_ROUND_MODEL_H
#define RIG_TESTS_ROUND_MODEL_H

#include "model/constants.h"

/** Workload with its own rows; init before use, do not copy. */
typedef struct round_workload {
    rig_network network; /**< 10 M parameters, 1 GMAC, 100 px, 10 M activations */
    rig_dataset dataset; /**< 1e6 images of 1e5 B and 5e5 px in files */
    rig_loader loader;
    rig_stack stack;
    rig_workload workload; /**< amp, batch 100, 10 epochs */
} round_workload;

void round_workload_init(round_workload *out);
rig_constants round_constants(void);
/** 2 sockets x 8 cores, one GPU, two drives of 4 GB/s. */
rig_machine round_machine(void);

#endif
