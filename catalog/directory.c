/* SPDX-License-Identifier: GPL-3.0-or-later
 * The files of one catalogue directory. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/catalog_load.h"
#include "catalog/schema.h"

typedef struct listing {
    bool is_open;
    bool has_table[RIG_N_TABLES];
    char **unknown; /* other *.csv files */
    size_t n_unknown, cap_unknown;
} listing;

static bool is_csv_name(const char *name)
{
    const size_t length = strlen(name);
    return name[0] != '.' && length > 4 && rig__text_compare_nocase(name + length - 4, ".csv") == 0;
}

static rig_status note_file(listing *list, const char *name)
{
    rig_table table = RIG_TABLE_CPU;
    if (!is_csv_name(name)) {
        return RIG_OK;
    }
    if (rig__schema_table_of_file(name, &table)) {
        list->has_table[table] = true;
        return RIG_OK;
    }
    char **const unknown =
        rig__load_grow(list->unknown, list->n_unknown, &list->cap_unknown, sizeof *unknown);
    if (unknown == NULL) {
        return RIG_E_NOMEM;
    }
    list->unknown = unknown;
    const size_t n_bytes = strlen(name) + 1;
    char *const copy = malloc(n_bytes);
    if (copy == NULL) {
        return RIG_E_NOMEM;
    }
    memcpy(copy, name, n_bytes);
    list->unknown[list->n_unknown++] = copy;
    return RIG_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static rig_status list_files(rig__load *load, const char *directory, listing *list)
{
    rig_error problem;
    DIR *const stream = opendir(directory);
    if (stream == NULL) {
        rig__error_set(&problem,
                       RIG_E_IO,
                       directory,
                       0,
                       0,
                       "cannot open the catalogue directory: %s",
                       strerror(errno));
        return rig__load_problem(load, &problem);
    }
    list->is_open = true;
    rig_status status = RIG_OK;
    const struct dirent *entry = readdir(stream);
    while (entry != NULL && status == RIG_OK) {
        status = note_file(list, entry->d_name);
        entry = readdir(stream);
    }
    (void)closedir(stream);
    if (list->n_unknown > 0) {
        qsort(list->unknown, list->n_unknown, sizeof *list->unknown, compare_names);
    }
    return status;
}

static char *join(rig__load *load, const char *directory, const char *name, const char *suffix)
{
    const size_t length = strlen(directory);
    const char *const slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    return rig__arena_format(load->catalog->arena, "%s%s%s%s", directory, slash, name, suffix);
}

static rig_status fail_unknown_file(rig__load *load, const char *directory, const char *name)
{
    rig_error problem;
    const char *const path = join(load, directory, name, "");
    char *const stem = rig__arena_copy(load->catalog->arena, name, strlen(name) - 4);
    if (path == NULL || stem == NULL) {
        return RIG_E_NOMEM;
    }
    rig__error_set(&problem,
                   RIG_E_SCHEMA,
                   path,
                   0,
                   0,
                   "unknown catalogue file: '%.100s' (expected the name of a table, as cpus.csv)",
                   name);
    const char *const near = rig__schema_near_table(stem);
    if (near != NULL) {
        rig__error_hint(&problem, "nearest: %s.csv", near);
    }
    return rig__load_problem(load, &problem);
}

static rig_status read_listing(rig__load *load, const char *directory, const listing *list)
{
    size_t n_tables = 0;
    for (size_t i = 0; i < list->n_unknown; i++) {
        RIG_TRY(fail_unknown_file(load, directory, list->unknown[i]));
    }
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        if (!list->has_table[i]) {
            continue;
        }
        n_tables++;
        const char *const path = join(load, directory, rig_table_stem((rig_table)i), ".csv");
        if (path == NULL) {
            return RIG_E_NOMEM;
        }
        RIG_TRY(rig__load_table_file(load, (rig_table)i, path, false));
    }
    if (n_tables > 0 || list->n_unknown > 0) {
        return RIG_OK;
    }
    rig_error problem;
    rig__error_set(&problem,
                   RIG_E_SCHEMA,
                   directory,
                   0,
                   0,
                   "no catalogue file in this directory (expected cpus.csv, gpus.csv ...)");
    return rig__load_problem(load, &problem);
}

rig_status rig__load_directory(rig__load *load, const char *directory)
{
    listing list = {0};
    rig_status status = list_files(load, directory, &list);
    if (status == RIG_OK && list.is_open) {
        status = read_listing(load, directory, &list);
    }
    for (size_t i = 0; i < list.n_unknown; i++) {
        free(list.unknown[i]);
    }
    free((void *)list.unknown);
    return status;
}
