/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small catalogues as texts of cells: random numbers, access, files. */
#include "support/random_catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- random numbers ------------------------------------------------------------------------- */

random_source random_from(uint64_t seed)
{
    random_source source = {seed};
    source.state = random_bits(&source); /* else neighbours would share a stream, shifted */
    return source;
}

uint64_t random_bits(random_source *source)
{
    uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

size_t random_below(random_source *source, size_t n)
{
    return (size_t)(random_bits(source) % n);
}

bool random_chance(random_source *source, unsigned percent)
{
    return random_below(source, 100) < percent;
}

double random_unit(random_source *source)
{
    return (double)(random_bits(source) >> 11) * 0x1p-53;
}

/* ---- cells ---------------------------------------------------------------------------------- */

char *random_catalog_cell(random_catalog *catalog, rig_table table, size_t row, const char *column)
{
    for (size_t i = 0; i < rig_column_count(table); i++) {
        if (strcmp(rig_column_at(table, i)->name, column) == 0) {
            assert_true(i < RANDOM_MAX_COLUMNS);
            return catalog->rows[table][row].cells[i];
        }
    }
    fail_msg("no column %s in %s", column, rig_table_stem(table));
    return NULL;
}

/* ---- files ---------------------------------------------------------------------------------- */

static void write_cell(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\n") == NULL) {
        (void)fputs(text, file);
        return;
    }
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)fputc('"', file);
        }
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

static void table_path(char *buffer, size_t size, const char *directory, rig_table table)
{
    (void)snprintf(buffer, size, "%s/%s.csv", directory, rig_table_stem(table));
}

static void write_table(const random_catalog *catalog,
                        const char *directory,
                        rig_table table,
                        random_source *order_source)
{
    char path[512];
    size_t order[RANDOM_MAX_ROWS];
    const size_t n_rows = catalog->n_rows[table], n_columns = rig_column_count(table);
    table_path(path, sizeof path, directory, table);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < n_columns; i++) {
        (void)fprintf(file, "%s%s", i == 0 ? "" : ",", rig_column_at(table, i)->name);
    }
    for (size_t i = 0; i < n_rows; i++) {
        order[i] = i;
    }
    for (size_t i = n_rows; order_source != NULL && i > 1; i--) {
        const size_t other = random_below(order_source, i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t column = 0; column < n_columns; column++) {
            (void)fputc(column == 0 ? '\n' : ',', file);
            write_cell(file, catalog->rows[table][order[i]].cells[column]);
        }
    }
    (void)fputc('\n', file);
    assert_int_equal(fclose(file), 0);
}

rig_status random_catalog_load(const random_catalog *catalog,
                               const char *directory,
                               uint64_t shuffle_seed,
                               rig_catalog **out,
                               rig_error *err)
{
    random_source source = random_from(shuffle_seed);
    for (size_t table = 0; table < RIG_N_BUILD_CLASSES; table++) {
        write_table(catalog, directory, (rig_table)table, shuffle_seed == 0 ? NULL : &source);
    }
    const char *const directories[] = {RIG_SOURCE_DIR "/model/data", directory};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = sizeof directories / sizeof *directories;
    options.policy.allow_absurd = true; /* few rows have no meaningful median */
    return rig_catalog_load(out, &options, err);
}

char *random_directory_new(void)
{
    char name[] = "/tmp/trainrig-property-XXXXXX";
    if (mkdtemp(name) == NULL) {
        return NULL;
    }
    char *copy = malloc(sizeof name);
    if (copy != NULL) {
        memcpy(copy, name, sizeof name);
    }
    return copy;
}

void random_directory_free(char *directory)
{
    if (directory == NULL) {
        return;
    }
    for (size_t table = 0; table < RIG_N_BUILD_CLASSES; table++) {
        char path[512];
        table_path(path, sizeof path, directory, (rig_table)table);
        (void)remove(path);
    }
    (void)rmdir(directory);
    free(directory);
}
