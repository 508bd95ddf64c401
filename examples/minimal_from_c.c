/* SPDX-License-Identifier: GPL-3.0-or-later
 * The shortest program that uses the library: load the catalogue, ask, print the build.
 * usage: minimal_from_c CATALOG_DIR MODEL_DIR BUDGET_USD */
#include <stdio.h>

#include <trainrig/trainrig.h>

static void print_build(const rig_build_report *report)
{
    char price[32], epoch[48];
    printf("USD %s, %.0f images/s, epoch %s, bound by %s\n",
           rig_format_money(price, sizeof price, report->price_cents),
           report->prediction.images_per_s,
           rig_format_duration(epoch, sizeof epoch, report->prediction.epoch_s),
           rig_stage_name(report->prediction.binding));
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *part = &report->build.parts[i];
        if (part->row != NULL) {
            printf(
                "%-10s %dx %s\n", rig_table_singular((rig_table)i), part->count, part->row->name);
        }
    }
}

/* Everything that can fail; each object is freed by the caller, also after a failure. */
static rig_status answer(const char *const directories[2],
                         const char *budget,
                         rig_catalog **catalog,
                         rig_constants **constants,
                         rig_result **result,
                         rig_error *err)
{
    rig_catalog_options options = rig_catalog_options_default();
    rig_request request = rig_request_default();
    options.directories = directories;
    options.n_directories = 2;
    rig_status status = rig_catalog_load(catalog, &options, err);
    if (status == RIG_OK) {
        status = rig_constants_new(constants, *catalog, err);
    }
    if (status == RIG_OK) {
        status = rig_workload_find(*catalog, "resnet50-imagenet", &request.workload, err);
    }
    if (status == RIG_OK) {
        status = rig_money_parse(budget, &request.budget_cents, err);
    }
    if (status == RIG_OK) {
        status = rig_recommend(result, *catalog, *constants, &request, err);
    }
    return status;
}

int main(int argc, char **argv)
{
    rig_catalog *catalog = NULL;
    rig_constants *constants = NULL;
    rig_result *result = NULL;
    rig_error err;
    if (argc != 4) {
        fprintf(stderr, "usage: %s CATALOG_DIR MODEL_DIR BUDGET_USD\n", argv[0]);
        return 2;
    }
    const char *const directories[2] = {argv[1], argv[2]};
    const rig_status status = answer(directories, argv[3], &catalog, &constants, &result, &err);
    if (status != RIG_OK) {
        fprintf(stderr, "%s:%ld: %s\n", err.where, err.line, err.message);
    } else {
        printf("%s\n", rig_outcome_name(result->outcome));
        for (size_t i = 0; i < result->n_conflict; i++) { /* nothing can be bought: say why */
            printf("%s: %s\n", result->conflict[i].condition, result->conflict[i].detail);
        }
        if (result->n_builds > 0) {
            print_build(&result->builds[0]);
        }
    }
    rig_result_free(result); /* results borrow from the catalogue, so it goes last */
    rig_constants_free(constants);
    rig_catalog_free(catalog);
    return status == RIG_OK ? 0 : 1;
}
