/* SPDX-License-Identifier: GPL-3.0-or-later
 * Workloads by name, precisions and the efficiency row of a GPU. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/stages.h"

/* What "NETWORK-DATASET" means where workloads.csv does not say. */
static const char default_loader[] = "pytorch-simd";
static const char default_stack[] = "pytorch";

/* A name of a network, data set or maker is shorter; longer texts cannot match. */
#define RIG__NAME_BYTES 256

static const char *const precision_names[] = {
    [RIG_PRECISION_AMP] = "amp",
    [RIG_PRECISION_TF32] = "tf32",
    [RIG_PRECISION_FP32] = "fp32",
};

const char *rig_precision_name(rig_precision precision)
{
    return precision_names[precision];
}

rig_status rig_precision_parse(const char *text, rig_precision *out, rig_error *err)
{
    for (size_t i = 0; i < sizeof precision_names / sizeof precision_names[0]; i++) {
        if (rig__text_compare_nocase(text, precision_names[i]) == 0) {
            *out = (rig_precision)i;
            return RIG_OK;
        }
    }
    return rig__error_set(err,
                          RIG_E_INVALID,
                          NULL,
                          0,
                          0,
                          "unknown precision: '%s' (expected amp, tf32 or fp32)",
                          text);
}

/* A row that a workload row names; names the workload's place if it dangles. */
static rig_status referred(const rig_catalog *catalog,
                           rig_table table,
                           const char *name,
                           const rig_row *from,
                           const rig_row **out,
                           rig_error *err)
{
    *out = rig_catalog_get(catalog, table, name);
    if (*out != NULL) {
        return RIG_OK;
    }
    return rig__error_set(err,
                          RIG_E_NOTFOUND,
                          from == NULL ? NULL : from->file,
                          from == NULL ? 0 : from->line,
                          0,
                          "unknown %s: '%s' (expected a name of %s.csv)",
                          rig_table_singular(table),
                          name,
                          rig_table_stem(table));
}

static rig_status from_names(const rig_catalog *catalog,
                             const rig_workload_row *names,
                             rig_workload *out,
                             rig_error *err)
{
    const rig_row *from = names->row.line > 0 ? &names->row : NULL;
    const rig_row *network, *dataset, *loader, *stack;
    RIG_TRY(referred(catalog, RIG_TABLE_NETWORK, names->network, from, &network, err));
    RIG_TRY(referred(catalog, RIG_TABLE_DATASET, names->dataset, from, &dataset, err));
    RIG_TRY(referred(catalog, RIG_TABLE_LOADER, names->loader, from, &loader, err));
    RIG_TRY(referred(catalog, RIG_TABLE_STACK, names->stack, from, &stack, err));
    rig_precision precision = RIG_PRECISION_AMP;
    RIG_TRY(rig_precision_parse(names->precision, &precision, err));
    *out = (rig_workload){
        .name = names->row.name,
        .network = (const rig_network *)(const void *)network,
        .dataset = (const rig_dataset *)(const void *)dataset,
        .loader = (const rig_loader *)(const void *)loader,
        .stack = (const rig_stack *)(const void *)stack,
        .precision = precision,
        .batch_per_gpu = (int)names->batch_per_gpu,
        .epochs = (int)names->epochs,
        .cache = RIG_CACHE_PAGE,
        .is_overlapped = true,
        .workers = NAN,
        .software_year = NAN,
        .is_sequential = false,
    };
    return RIG_OK;
}

static rig_status
default_number(const rig_catalog *catalog, const char *name, double *out, rig_error *err)
{
    const rig_row *row;
    RIG_TRY(referred(catalog, RIG_TABLE_CONSTANT, name, NULL, &row, err));
    *out = ((const rig_constant *)(const void *)row)->value;
    return RIG_OK;
}

/* Splits at each '-' in turn, since names of networks and data sets may hold one themselves. */
static bool split_name(const rig_catalog *catalog,
                       const char *name,
                       const rig_row **network,
                       const rig_row **dataset)
{
    char head[RIG__NAME_BYTES];
    for (const char *dash = strchr(name, '-'); dash != NULL; dash = strchr(dash + 1, '-')) {
        const size_t length = (size_t)(dash - name);
        if (length >= sizeof head) {
            return false;
        }
        memcpy(head, name, length);
        head[length] = '\0';
        *network = rig_catalog_get(catalog, RIG_TABLE_NETWORK, head);
        *dataset = rig_catalog_get(catalog, RIG_TABLE_DATASET, dash + 1);
        if (*network != NULL && *dataset != NULL) {
            return true;
        }
    }
    return false;
}

static rig_status from_split(const rig_catalog *catalog,
                             const rig_row *network,
                             const rig_row *dataset,
                             rig_workload *out,
                             rig_error *err)
{
    rig_workload_row names = {.network = network->name,
                              .dataset = dataset->name,
                              .loader = default_loader,
                              .stack = default_stack,
                              .precision = precision_names[RIG_PRECISION_AMP]};
    RIG_TRY(default_number(catalog, "default_batch_per_gpu", &names.batch_per_gpu, err));
    RIG_TRY(default_number(catalog, "default_epochs", &names.epochs, err));
    /* The caller's text may not outlive the workload, the rows do. */
    names.row.name = network->name;
    return from_names(catalog, &names, out, err);
}

rig_status
rig_workload_find(const rig_catalog *catalog, const char *name, rig_workload *out, rig_error *err)
{
    const rig_row *row = rig_catalog_get(catalog, RIG_TABLE_WORKLOAD, name);
    const rig_row *network, *dataset;
    if (row == NULL && split_name(catalog, name, &network, &dataset)) {
        return from_split(catalog, network, dataset, out, err);
    }
    if (row == NULL) {
        RIG_TRY(rig_catalog_find(catalog, RIG_TABLE_WORKLOAD, name, &row, err));
    }
    return from_names(catalog, (const rig_workload_row *)(const void *)row, out, err);
}
