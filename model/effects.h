/* SPDX-License-Identifier: GPL-3.0-or-later
 * Effects: measured over modelled time of parts, networks and software, alone and together. Each is
 * one row of efficiency.csv; those that apply to a machine and workload multiply. */
#ifndef RIG_MODEL_EFFECTS_H
#define RIG_MODEL_EFFECTS_H

#include <stdbool.h>

#include "trainrig/model.h"

/* Levels in the order they are looked up: enumerator, word, pattern of the key.
 * GPU, else ARCH, else VENDOR: a row of a GPU holds what its architecture's row says as well.
 * The same for CPU and CPU_FAMILY. OWN is the user's software: a profile fitted to own rows has it.
 */
#define RIG__EFFECT_MAP(X)                                                                         \
    X(VENDOR, "vendor", "VENDOR | FAMILY")                                                         \
    X(ARCH, "arch", "VENDOR ARCH | FAMILY")                                                        \
    X(GPU, "gpu", "GPU | FAMILY")                                                                  \
    X(GPU_KIND, "gpu-kind", "GPU | KIND | FAMILY")                                                 \
    X(GPU_PRECISION, "gpu-precision", "GPU | PRECISION | FAMILY")                                  \
    X(GPU_NODES, "gpu-nodes", "GPU | nodes | FAMILY")                                              \
    X(NETWORK, "network", "NETWORK | FAMILY")                                                      \
    X(STACK_PRECISION, "stack-precision", "STACK | PRECISION")                                     \
    X(STACK_KIND, "stack-kind", "STACK | KIND | PRECISION")                                        \
    X(OWN, "own", "STACK | own")                                                                   \
    X(SOURCE, "source", "STACK | source SOURCE")                                                   \
    X(RELEASE, "release", "STACK | @RELEASE")                                                      \
    X(RELEASE_ARCH, "release-arch", "STACK | @RELEASE | VENDOR ARCH")                              \
    X(CPU_FAMILY, "cpu-family", "CPU FAMILY | cpu")                                                \
    X(CPU, "cpu", "CPU | cpu")                                                                     \
    X(CPU_LOADER, "cpu-loader", "CPU | LOADER | cpu")

typedef enum rig__effect {
#define RIG__EFFECT_ENUM(enumerator, word, pattern) RIG__EFFECT_##enumerator,
    RIG__EFFECT_MAP(RIG__EFFECT_ENUM)
#undef RIG__EFFECT_ENUM
        RIG__N_EFFECTS
} rig__effect;

/** Units that compute, by precision and by what the GPU has. */
typedef enum rig__mode { RIG__MODE_AMP, RIG__MODE_TF32, RIG__MODE_FP32, RIG__MODE_FP16 } rig__mode;

/** FP16 without matrix units runs on the vector units, TF32 without its peak as FP32. */
rig__mode rig__model_mode(rig_precision precision,
                          bool has_matrix_units,
                          double fp16_tflops,
                          double tf32_tflops);
bool rig__model_has_matrix_units(const rig_gpu *gpu);

/* Room for a key with its terminator. */
#define RIG__EFFECT_KEY_BYTES 256

const char *rig__model_effect_word(rig__effect effect);

/** What the keys are made of; members that do not matter may be NULL. */
typedef struct rig__effect_subject {
    const rig_gpu *gpu;
    const rig_cpu *cpu;
    const rig_workload *workload;
    double nodes; /**< NAN or 1: one */
} rig__effect_subject;

/** Name of the row of efficiency.csv.
 *  @return false if the effect does not apply (no such part, one node, no release) */
bool rig__model_effect_key(rig__effect effect,
                           const rig__effect_subject *subject,
                           char key[RIG__EFFECT_KEY_BYTES]);

/** Is a profile's name of efficiency.csv well-formed and does it name rows of the catalogue? */
bool rig__model_effect_is_key(const rig_catalog *catalog, const char *key);

/** Name that measurements of a card are known by: that of its chip. */
const char *rig__gpu_chip(const rig_gpu *gpu);

#endif
