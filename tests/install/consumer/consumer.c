/* SPDX-License-Identifier: GPL-3.0-or-later
 * Uses every room of the installed library. usage: consumer DATA-DIR */
#include <stdio.h>

#include <trainrig/trainrig.h>

static bool count_bytes(const char *bytes, size_t length, void *payload)
{
    size_t *n_bytes = payload;
    (void)bytes;
    *n_bytes += length;
    return true;
}

static rig_status load(const char *data_dir, rig_catalog **out, rig_error *err)
{
    char parts[1024];
    char tables[1024];
    const char *directories[] = {parts, tables};
    rig_catalog_options options = rig_catalog_options_default();
    snprintf(parts, sizeof parts, "%s/catalog", data_dir);
    snprintf(tables, sizeof tables, "%s/model", data_dir);
    options.directories = directories;
    options.n_directories = 2;
    return rig_catalog_load(out, &options, err);
}

/* Sets *n_bytes to the length of the answer as JSON. */
static rig_status
ask(const rig_catalog *catalog, const rig_constants *constants, size_t *n_bytes, rig_error *err)
{
    rig_request request = rig_request_default();
    rig_report_options options = rig_report_options_default();
    rig_result *result = NULL;
    rig_status status;

    status = rig_workload_find(catalog, "resnet50-imagenet", &request.workload, err);
    if (status != RIG_OK) {
        return status;
    }
    request.budget_cents = 2000000;
    status = rig_recommend(&result, catalog, constants, &request, err);
    if (status == RIG_OK) {
        printf("outcome: %s\n", rig_outcome_name(result->outcome));
        options.format = RIG_FORMAT_JSON;
        status = rig_report_result(result, false, &options, count_bytes, n_bytes, err);
    }
    rig_result_free(result);
    return status;
}

int main(int argc, char **argv)
{
    rig_error err = {0};
    rig_catalog *catalog = NULL;
    rig_constants *constants = NULL;
    size_t n_bytes = 0;
    rig_status status;

    printf("trainrig %s, %zu solvers\n", RIG_VERSION_STRING, rig_solver_count());
    status = load(argc > 1 ? argv[1] : ".", &catalog, &err);
    if (status == RIG_OK) {
        status = rig_constants_new(&constants, catalog, &err);
    }
    if (status == RIG_OK) {
        status = ask(catalog, constants, &n_bytes, &err);
    }
    rig_constants_free(constants);
    rig_catalog_free(catalog);
    if (status != RIG_OK) {
        fprintf(stderr, "%s:%ld:%ld: %s\n", err.where, err.line, err.column, err.message);
        return 1;
    }
    printf("%zu bytes\n", n_bytes);
    return n_bytes > 100 ? 0 : 1;
}
