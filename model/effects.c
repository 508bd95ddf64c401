/* SPDX-License-Identifier: GPL-3.0-or-later
 * Keys of efficiency.csv, and the factors that apply to a machine and workload. */
#include "model/effects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "catalog/schema.h"
#include "model/constants.h"

const char *rig__gpu_chip(const rig_gpu *gpu)
{
    return gpu->chip != NULL ? gpu->chip : gpu->row.name;
}

static const char separator[] = " | ";
static const char source_prefix[] = "source ";

static const char *const words[RIG__N_EFFECTS] = {
#define RIG__EFFECT_WORD(enumerator, word, pattern) word,
    RIG__EFFECT_MAP(RIG__EFFECT_WORD)
#undef RIG__EFFECT_WORD
};

const char *rig__model_effect_word(rig__effect effect)
{
    return words[effect];
}

/* ---- modes ---------------------------------------------------------------------------------- */

rig__mode rig__model_mode(rig_precision precision,
                          bool has_matrix_units,
                          double fp16_tflops,
                          double tf32_tflops)
{
    if (precision == RIG_PRECISION_AMP) {
        return has_matrix_units && !isnan(fp16_tflops) ? RIG__MODE_AMP : RIG__MODE_FP16;
    }
    if (precision == RIG_PRECISION_TF32 && !isnan(tf32_tflops)) {
        return RIG__MODE_TF32;
    }
    return RIG__MODE_FP32;
}

static const char *const mode_words[] = {"amp", "tf32", "fp32", "fp16"};

bool rig__model_has_matrix_units(const rig_gpu *gpu)
{
    static const char *const without[] = {"Kepler", "Maxwell", "Pascal"};
    if (rig__text_has_prefix_nocase(gpu->arch, "CDNA")) {
        return true;
    }
    if (rig__text_compare_nocase(gpu->vendor, "NVIDIA") != 0) {
        /* Matrix instructions of RDNA run on the vector units; the others have units of their own.
         */
        return rig__text_compare_nocase(gpu->vendor, "AMD") != 0;
    }
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        if (rig__text_compare_nocase(gpu->arch, without[i]) == 0) {
            return false;
        }
    }
    return true;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Joins up to three parts with the separator. @return false if a part is missing or does not fit */
static bool join(char key[RIG__EFFECT_KEY_BYTES], const char *a, const char *b, const char *c)
{
    if (a == NULL || b == NULL) {
        return false;
    }
    const int length =
        c == NULL
            ? snprintf(key, RIG__EFFECT_KEY_BYTES, "%s%s%s", a, separator, b)
            : snprintf(key, RIG__EFFECT_KEY_BYTES, "%s%s%s%s%s", a, separator, b, separator, c);
    return length > 0 && length < RIG__EFFECT_KEY_BYTES;
}

static const char *mode_word(const rig_gpu *gpu, const rig_workload *workload)
{
    return mode_words[rig__model_mode(workload->precision,
                                      rig__model_has_matrix_units(gpu),
                                      gpu->tensor_fp16_tflops,
                                      gpu->tf32_tflops)];
}

static bool gpu_key(rig__effect effect,
                    const rig_gpu *gpu,
                    const rig_workload *workload,
                    char key[RIG__EFFECT_KEY_BYTES])
{
    const char *const family = workload->stack->family;
    char arch[RIG__EFFECT_KEY_BYTES];
    (void)snprintf(arch, sizeof arch, "%s %s", gpu->vendor, gpu->arch);
    switch (effect) {
    case RIG__EFFECT_VENDOR:
        return join(key, gpu->vendor, family, NULL);
    case RIG__EFFECT_ARCH:
        return join(key, arch, family, NULL);
    case RIG__EFFECT_GPU:
        return join(key, rig__gpu_chip(gpu), family, NULL);
    case RIG__EFFECT_GPU_KIND:
        return join(key, rig__gpu_chip(gpu), workload->network->kind, family);
    case RIG__EFFECT_GPU_PRECISION:
        return join(key, rig__gpu_chip(gpu), mode_word(gpu, workload), family);
    case RIG__EFFECT_GPU_NODES:
        return join(key, rig__gpu_chip(gpu), "nodes", family);
    case RIG__EFFECT_STACK_PRECISION:
        return join(key, workload->stack->row.name, mode_word(gpu, workload), NULL);
    case RIG__EFFECT_STACK_KIND:
        return join(
            key, workload->stack->row.name, workload->network->kind, mode_word(gpu, workload));
    default:
        return false;
    }
}

static bool source_key(const rig_workload *workload, char key[RIG__EFFECT_KEY_BYTES])
{
    char source[RIG__EFFECT_KEY_BYTES];
    if (workload->source == NULL) {
        return false;
    }
    (void)snprintf(source, sizeof source, "%s%s", source_prefix, workload->source);
    return join(key, workload->stack->row.name, source, NULL);
}

static bool
release_key(rig__effect effect, const rig__effect_subject *subject, char key[RIG__EFFECT_KEY_BYTES])
{
    char release[RIG__EFFECT_KEY_BYTES], arch[RIG__EFFECT_KEY_BYTES];
    const rig_workload *const workload = subject->workload;
    if (workload->release == NULL) {
        return false;
    }
    (void)snprintf(release, sizeof release, "@%s", workload->release);
    if (effect == RIG__EFFECT_RELEASE) {
        return join(key, workload->stack->row.name, release, NULL);
    }
    if (subject->gpu == NULL) {
        return false;
    }
    (void)snprintf(arch, sizeof arch, "%s %s", subject->gpu->vendor, subject->gpu->arch);
    return join(key, workload->stack->row.name, release, arch);
}

bool rig__model_effect_key(rig__effect effect,
                           const rig__effect_subject *subject,
                           char key[RIG__EFFECT_KEY_BYTES])
{
    const rig_workload *const workload = subject->workload;
    switch (effect) {
    case RIG__EFFECT_CPU_FAMILY:
        return subject->cpu != NULL && join(key, subject->cpu->family, "cpu", NULL);
    case RIG__EFFECT_CPU:
        return subject->cpu != NULL && join(key, subject->cpu->row.name, "cpu", NULL);
    case RIG__EFFECT_CPU_LOADER:
        return subject->cpu != NULL && workload != NULL && workload->loader != NULL &&
               join(key, subject->cpu->row.name, workload->loader->row.name, "cpu");
    default:
        break;
    }
    if (workload == NULL || workload->stack == NULL || workload->network == NULL) {
        return false;
    }
    switch (effect) {
    case RIG__EFFECT_NETWORK:
        return join(key, workload->network->row.name, workload->stack->family, NULL);
    case RIG__EFFECT_OWN:
        return join(key, workload->stack->row.name, "own", NULL);
    case RIG__EFFECT_SOURCE:
        return source_key(workload, key);
    case RIG__EFFECT_RELEASE:
    case RIG__EFFECT_RELEASE_ARCH:
        return release_key(effect, subject, key);
    case RIG__EFFECT_GPU_NODES:
        if (!(subject->nodes > 1.0)) {
            return false;
        }
        break;
    default:
        break;
    }
    return subject->gpu != NULL && gpu_key(effect, subject->gpu, workload, key);
}

/* ---- names that a profile may use ----------------------------------------------------------- */

/* Is a text one of the words between bars? To the letter: a key that is spelt another way
 * would be taken and never found. */
static bool is_one_of(const char *text, const char *choices)
{
    const size_t length = strlen(text);
    for (const char *at = choices; at != NULL; at = strchr(at, '|')) {
        at += *at == '|' ? 1 : 0;
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0')) {
            return length > 0 && strchr(text, '|') == NULL;
        }
    }
    return false;
}

static bool is_gpu_or_group(const rig_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_GPU); i++) {
        const rig_gpu *const gpu =
            (const rig_gpu *)(const void *)rig_catalog_row(catalog, RIG_TABLE_GPU, i);
        char arch[RIG__EFFECT_KEY_BYTES];
        (void)snprintf(arch, sizeof arch, "%s %s", gpu->vendor, gpu->arch);
        if (strcmp(rig__gpu_chip(gpu), name) == 0 || strcmp(gpu->vendor, name) == 0 ||
            strcmp(arch, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_cpu_or_family(const rig_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_CPU); i++) {
        const rig_cpu *const cpu =
            (const rig_cpu *)(const void *)rig_catalog_row(catalog, RIG_TABLE_CPU, i);
        if (strcmp(cpu->row.name, name) == 0 || strcmp(cpu->family, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_known(const rig_catalog *catalog, rig_table table, const char *name)
{
    return rig_catalog_get(catalog, table, name) != NULL;
}

/* Splits "A | B | C" in place. @return number of parts, 0 if more than three */
static size_t split(char *text, const char *parts[3])
{
    size_t count = 0;
    for (char *at = text; at != NULL; count++) {
        if (count == 3) {
            return 0;
        }
        parts[count] = at;
        char *const next = strstr(at, separator);
        if (next != NULL) {
            *next = '\0';
        }
        at = next == NULL ? NULL : next + sizeof separator - 1;
    }
    return count;
}

static bool is_family(const char *text)
{
    return is_one_of(text, rig__schema_words(RIG_TABLE_STACK, "family"));
}

static bool is_kind(const char *text)
{
    return is_one_of(text, rig__schema_words(RIG_TABLE_NETWORK, "kind"));
}

static bool is_mode(const char *text)
{
    for (size_t i = 0; i < sizeof mode_words / sizeof mode_words[0]; i++) {
        if (strcmp(mode_words[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_pair(const rig_catalog *catalog, const char *a, const char *b)
{
    if (is_family(b)) {
        return is_gpu_or_group(catalog, a) || is_known(catalog, RIG_TABLE_NETWORK, a);
    }
    if (strcmp(b, "cpu") == 0) {
        return is_cpu_or_family(catalog, a);
    }
    const bool is_of_stack = is_mode(b) || strcmp(b, "own") == 0 || b[0] == '@' ||
                             strncmp(b, source_prefix, sizeof source_prefix - 1) == 0;
    return is_of_stack && is_known(catalog, RIG_TABLE_STACK, a);
}

static bool is_triple(const rig_catalog *catalog, const char *a, const char *b, const char *c)
{
    if (is_family(c)) {
        const bool is_context = is_kind(b) || is_mode(b) || strcmp(b, "nodes") == 0;
        return is_context && is_known(catalog, RIG_TABLE_GPU, a);
    }
    if (strcmp(c, "cpu") == 0) {
        return is_known(catalog, RIG_TABLE_CPU, a) && is_known(catalog, RIG_TABLE_LOADER, b);
    }
    const bool is_of_stack =
        (is_kind(b) && is_mode(c)) || (b[0] == '@' && is_gpu_or_group(catalog, c));
    return is_of_stack && is_known(catalog, RIG_TABLE_STACK, a);
}

bool rig__model_effect_is_key(const rig_catalog *catalog, const char *key)
{
    char text[RIG__EFFECT_KEY_BYTES];
    const char *parts[3];
    const size_t length = strlen(key);
    if (length >= sizeof text) {
        return false;
    }
    memcpy(text, key, length + 1);
    switch (split(text, parts)) {
    case 2:
        return is_pair(catalog, parts[0], parts[1]);
    case 3:
        return is_triple(catalog, parts[0], parts[1], parts[2]);
    default:
        return false;
    }
}

/* ---- factors -------------------------------------------------------------------------------- */

static const rig_efficiency *
find(const rig_catalog *catalog, rig__effect effect, const rig__effect_subject *subject)
{
    char key[RIG__EFFECT_KEY_BYTES];
    if (!rig__model_effect_key(effect, subject, key)) {
        return NULL;
    }
    return (const rig_efficiency *)(const void *)rig_catalog_get(
        catalog, RIG_TABLE_EFFICIENCY, key);
}

/* First of two effects that there is: the second holds for what the first does not know. */
static const rig_efficiency *find_first(const rig_catalog *catalog,
                                        rig__effect first,
                                        rig__effect second,
                                        const rig__effect_subject *subject)
{
    const rig_efficiency *const found = find(catalog, first, subject);
    return found != NULL ? found : find(catalog, second, subject);
}

const rig_efficiency *
rig_gpu_efficiency(const rig_catalog *catalog, const rig_gpu *gpu, const rig_workload *workload)
{
    const rig__effect_subject subject = {.gpu = gpu, .workload = workload, .nodes = 1.0};
    const rig_efficiency *const found =
        find_first(catalog, RIG__EFFECT_GPU, RIG__EFFECT_ARCH, &subject);
    return found != NULL ? found : find(catalog, RIG__EFFECT_VENDOR, &subject);
}

rig_gpu_factor rig_gpu_factor_get(const rig_catalog *catalog,
                                  const rig_gpu *gpu,
                                  const rig_workload *workload,
                                  double nodes)
{
    static const rig__effect further[] = {RIG__EFFECT_GPU_KIND,
                                          RIG__EFFECT_GPU_PRECISION,
                                          RIG__EFFECT_GPU_NODES,
                                          RIG__EFFECT_NETWORK,
                                          RIG__EFFECT_STACK_PRECISION,
                                          RIG__EFFECT_STACK_KIND,
                                          RIG__EFFECT_OWN,
                                          RIG__EFFECT_SOURCE,
                                          RIG__EFFECT_RELEASE,
                                          RIG__EFFECT_RELEASE_ARCH};
    const rig__effect_subject subject = {.gpu = gpu, .workload = workload, .nodes = nodes};
    const rig_efficiency *const own = rig_gpu_efficiency(catalog, gpu, workload);
    double factor = own == NULL ? 1.0 : own->step_factor;
    double variance = own == NULL ? 0.0 : own->log_sd * own->log_sd;
    for (size_t i = 0; i < sizeof further / sizeof further[0]; i++) {
        const rig_efficiency *const row = find(catalog, further[i], &subject);
        if (row != NULL) {
            factor *= row->step_factor;
            variance += row->log_sd * row->log_sd;
        }
    }
    return (rig_gpu_factor){.step_factor = factor, .log_sd = sqrt(variance)};
}

double
rig_cpu_factor_get(const rig_catalog *catalog, const rig_cpu *cpu, const rig_workload *workload)
{
    const rig__effect_subject subject = {.cpu = cpu, .workload = workload, .nodes = 1.0};
    const rig_efficiency *const own =
        find_first(catalog, RIG__EFFECT_CPU, RIG__EFFECT_CPU_FAMILY, &subject);
    const rig_efficiency *const with = find(catalog, RIG__EFFECT_CPU_LOADER, &subject);
    return (own == NULL ? 1.0 : own->step_factor) * (with == NULL ? 1.0 : with->step_factor);
}
