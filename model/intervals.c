/* SPDX-License-Identifier: GPL-3.0-or-later
 * Classes of prediction intervals, their names, fallbacks and widths. */
#include "model/intervals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/constants.h"
#include "model/effects.h"

/* Assumption, where intervals.csv has no row: a factor of two either way. */
static const double built_in_half_width = 0.7;

static const char separator[] = " | ";
#define FAMILY_WORD(enumerator, word) #word,
static const char *const families[RIG__N_INTERVAL_FAMILIES] = {RIG__FAMILY_MAP(FAMILY_WORD) NULL};
#undef FAMILY_WORD

/* ---- names ---------------------------------------------------------------------------------- */

size_t rig__model_interval_training(const char *family, unsigned novelties)
{
    size_t i = 0;
    while (i < RIG__N_INTERVAL_FAMILIES - 1 &&
           (family == NULL || strcmp(families[i], family) != 0)) {
        i++;
    }
    return RIG__INTERVAL_TRAIN + i * RIG__N_TRAIN_NOVELTIES + novelties % RIG__N_TRAIN_NOVELTIES;
}

size_t rig__model_interval_preparation(unsigned novelties)
{
    return RIG__INTERVAL_PREPARE + novelties % RIG__N_PREPARE_NOVELTIES;
}

static void name_training(size_t index, char out[RIG__INTERVAL_NAME_BYTES])
{
    const char *const family = families[index / RIG__N_TRAIN_NOVELTIES];
    const unsigned new = (unsigned)(index % RIG__N_TRAIN_NOVELTIES);
    if (family == NULL) {
        (void)snprintf(out, RIG__INTERVAL_NAME_BYTES, "train");
        return;
    }
    (void)snprintf(out,
                   RIG__INTERVAL_NAME_BYTES,
                   "train | %s | gpu %s | network %s | software %s | %s",
                   family,
                   (new &RIG__NEW_GPU) != 0 ? "new" : "known",
                   (new &RIG__NEW_NETWORK) != 0 ? "new" : "known",
                   (new &RIG__OTHER_SOFTWARE) != 0 ? "other" : "own",
                   (new &RIG__SEVERAL_NODES) != 0 ? "several nodes" : "one node");
}

void rig__model_interval_name(size_t index, char out[RIG__INTERVAL_NAME_BYTES])
{
    static const char *const cpus[] = {"cpu known", "cpu family known", "cpu new"};
    if (index < RIG__INTERVAL_PREPARE) {
        name_training(index, out);
        return;
    }
    if (index < RIG__INTERVAL_STORAGE) {
        const size_t new = index - RIG__INTERVAL_PREPARE;
        (void)snprintf(out,
                       RIG__INTERVAL_NAME_BYTES,
                       "prepare | %s | loader %s",
                       cpus[new / RIG__CPU_FAMILY_KNOWN],
                       new % RIG__CPU_FAMILY_KNOWN == RIG__NEW_LOADER ? "new" : "known");
        return;
    }
    (void)snprintf(out,
                   RIG__INTERVAL_NAME_BYTES,
                   "%s",
                   index == RIG__INTERVAL_STORAGE ? "storage" : "first epoch");
}

/* Cuts off the last word. @return false if there was only one */
static bool cut_word(char *name)
{
    char *last = NULL;
    for (char *at = strstr(name, separator); at != NULL; at = strstr(at + 1, separator)) {
        last = at;
    }
    if (last != NULL) {
        *last = '\0';
    }
    return last != NULL;
}

/* Is a text a name, or its beginning up to the end of a word? */
static bool is_beginning(const char *text, const char *name)
{
    const size_t length = strlen(text);
    return length > 0 && strncmp(name, text, length) == 0 &&
           (name[length] == '\0' || strncmp(name + length, separator, sizeof separator - 1) == 0);
}

bool rig__model_interval_is_name(const char *name)
{
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        char known[RIG__INTERVAL_NAME_BYTES];
        rig__model_interval_name(i, known);
        if (is_beginning(name, known)) {
            return true;
        }
    }
    return false;
}

/* ---- order ---------------------------------------------------------------------------------- */

static bool is_training_better_known(size_t a, size_t b)
{
    const size_t new_a = a % RIG__N_TRAIN_NOVELTIES, new_b = b % RIG__N_TRAIN_NOVELTIES;
    return a / RIG__N_TRAIN_NOVELTIES == b / RIG__N_TRAIN_NOVELTIES && (new_a & ~new_b) == 0;
}

bool rig__model_interval_is_better_known(size_t a, size_t b)
{
    if (a < RIG__INTERVAL_PREPARE && b < RIG__INTERVAL_PREPARE) {
        return is_training_better_known(a, b);
    }
    const bool is_a_prepare = a >= RIG__INTERVAL_PREPARE && a < RIG__INTERVAL_STORAGE;
    const bool is_b_prepare = b >= RIG__INTERVAL_PREPARE && b < RIG__INTERVAL_STORAGE;
    if (is_a_prepare && is_b_prepare) {
        const size_t new_a = a - RIG__INTERVAL_PREPARE, new_b = b - RIG__INTERVAL_PREPARE;
        return new_a / RIG__CPU_FAMILY_KNOWN <= new_b / RIG__CPU_FAMILY_KNOWN &&
               new_a % RIG__CPU_FAMILY_KNOWN <= new_b % RIG__CPU_FAMILY_KNOWN;
    }
    return a == b;
}

/* ---- widths --------------------------------------------------------------------------------- */

double rig__model_sd_of_half_width(double half_width)
{
    return half_width / RIG__Z_90;
}

static double look_up(const rig_catalog *catalog, size_t index)
{
    char name[RIG__INTERVAL_NAME_BYTES];
    rig__model_interval_name(index, name);
    do {
        const rig_interval *const row =
            (const rig_interval *)(const void *)rig_catalog_get(catalog, RIG_TABLE_INTERVAL, name);
        if (row != NULL && !isnan(row->half_width)) {
            return row->half_width;
        }
    } while (cut_word(name));
    return built_in_half_width;
}

/* A misspelt class would silently leave another one's width in place. */
static rig_status refuse_unknown(const rig_catalog *catalog, rig_error *err)
{
    char names[RIG__N_INTERVALS][RIG__INTERVAL_NAME_BYTES];
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        rig__model_interval_name(i, names[i]);
    }
    for (size_t i = 0; i < rig_catalog_count(catalog, RIG_TABLE_INTERVAL); i++) {
        const rig_row *const row = rig_catalog_row(catalog, RIG_TABLE_INTERVAL, i);
        size_t k = 0;
        while (k < RIG__N_INTERVALS && !is_beginning(row->name, names[k])) {
            k++;
        }
        if (k == RIG__N_INTERVALS) {
            return rig__error_set(err,
                                  RIG_E_SCHEMA,
                                  row->file,
                                  row->line,
                                  0,
                                  "unknown class of intervals: '%.100s' (expected words as in "
                                  "'train | eager | gpu new | network known')",
                                  row->name);
        }
    }
    return RIG_OK;
}

rig_status rig__model_intervals_resolve(const rig_catalog *catalog,
                                        double out[RIG__N_INTERVALS],
                                        rig_error *err)
{
    double own[RIG__N_INTERVALS];
    RIG_TRY(refuse_unknown(catalog, err));
    for (size_t i = 0; i < RIG__N_INTERVALS; i++) {
        own[i] = look_up(catalog, i);
        out[i] = own[i];
        /* Better known classes have smaller indices. A table with gaps must not make a class
         * narrower than one that is better known. */
        for (size_t k = 0; k < i; k++) {
            if (rig__model_interval_is_better_known(k, i)) {
                out[i] = fmax(out[i], own[k]);
            }
        }
    }
    return RIG_OK;
}

/* ---- what is known -------------------------------------------------------------------------- */

static bool
is_measured(const rig_catalog *catalog, rig__effect effect, const rig__effect_subject *subject)
{
    char key[RIG__EFFECT_KEY_BYTES];
    if (!rig__model_effect_key(effect, subject, key)) {
        return false;
    }
    const rig_efficiency *const row =
        (const rig_efficiency *)(const void *)rig_catalog_get(catalog, RIG_TABLE_EFFICIENCY, key);
    return row != NULL && row->rows >= 1.0;
}

/* The source of a figure that nobody measured begins with this word. */
static bool is_assumption(const char *source)
{
    return source == NULL || rig__text_has_prefix_nocase(source, "assumption");
}

rig_familiarity rig_familiarity_get(const rig_catalog *catalog,
                                    const rig_workload *workload,
                                    const rig_gpu *gpu,
                                    const rig_cpu *cpu)
{
    const rig__effect_subject subject = {.gpu = gpu, .cpu = cpu, .workload = workload};
    const bool is_cpu_known = cpu != NULL && is_measured(catalog, RIG__EFFECT_CPU, &subject);
    return (rig_familiarity){
        .is_gpu_known = gpu != NULL && is_measured(catalog, RIG__EFFECT_GPU, &subject),
        .is_network_known = is_measured(catalog, RIG__EFFECT_NETWORK, &subject),
        .is_software_own =
            workload->is_software_known || is_measured(catalog, RIG__EFFECT_OWN, &subject),
        .is_cpu_known = is_cpu_known,
        .is_cpu_family_known =
            is_cpu_known || (cpu != NULL && is_measured(catalog, RIG__EFFECT_CPU_FAMILY, &subject)),
        .is_loader_known = workload->loader != NULL && !is_assumption(workload->loader->source),
    };
}

unsigned rig__model_train_novelties(const rig_familiarity *known, double nodes)
{
    unsigned new = 0;
    new |= known->is_gpu_known ? 0 : RIG__NEW_GPU;
    new |= known->is_network_known ? 0 : RIG__NEW_NETWORK;
    new |= known->is_software_own ? 0 : RIG__OTHER_SOFTWARE;
    new |= nodes > 1.0 ? RIG__SEVERAL_NODES : 0;
    return new;
}

unsigned rig__model_prepare_novelties(const rig_familiarity *known)
{
    unsigned new = RIG__CPU_NEW;
    if (known->is_cpu_known) {
        new = RIG__CPU_KNOWN;
    } else if (known->is_cpu_family_known) {
        new = RIG__CPU_FAMILY_KNOWN;
    }
    return new + (known->is_loader_known ? 0 : RIG__NEW_LOADER);
}

void rig_machine_set_intervals(rig_machine *machine,
                               const rig_constants *constants,
                               const rig_workload *workload,
                               const rig_familiarity *known)
{
    const char *const family = workload->stack == NULL ? NULL : workload->stack->family;
    const size_t training =
        rig__model_interval_training(family, rig__model_train_novelties(known, machine->nodes));
    const size_t preparation = rig__model_interval_preparation(rig__model_prepare_novelties(known));
    const double *const widths = constants->half_widths;
    /* An installation that was seen has a spread of its own. */
    const bool has_spread = known->is_software_own && workload->software_spread > 0.0;
    const double spread = has_spread ? workload->software_spread : 1.0;
    machine->stage_log_sd[RIG_STAGE_GPU] = spread * rig__model_sd_of_half_width(widths[training]);
    machine->stage_log_sd[RIG_STAGE_ALLREDUCE] = machine->stage_log_sd[RIG_STAGE_GPU];
    machine->stage_log_sd[RIG_STAGE_DECODE] = rig__model_sd_of_half_width(widths[preparation]);
    machine->stage_log_sd[RIG_STAGE_STORAGE] =
        rig__model_sd_of_half_width(widths[RIG__INTERVAL_STORAGE]);
    machine->first_epoch_log_sd = rig__model_sd_of_half_width(widths[RIG__INTERVAL_FIRST_EPOCH]);
}
