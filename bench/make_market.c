/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes a market of any size from a seed: variants of the parts that the catalogue holds.
 *
 * Every row is a priced part of the shipped catalogue with another name, price and figures, so that
 * kinds, sockets, sizes and unknown cells keep their real shares. It serves to measure speed; its
 * prices and figures are drawn, not read anywhere. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainrig/trainrig.h"

enum { PATH_BYTES = 4096, MOST_SCALE = 300 };

/* Rows of a table at scale 1: what one large dealer lists. */
static const struct {
    rig_table table;
    size_t n_rows;
} sizes[] = {{RIG_TABLE_CPU, 1300},
             {RIG_TABLE_GPU, 1500},
             {RIG_TABLE_STORAGE, 2000},
             {RIG_TABLE_MEMORY, 3000},
             {RIG_TABLE_BOARD, 2000},
             {RIG_TABLE_PSU, 1500},
             {RIG_TABLE_CHASSIS, 1000}};

/* Figures in which variants differ: by at most this share, in whole steps (0: any). */
static const struct {
    const char *column;
    double spread, step;
} figures[] = {{"price_usd", 0.35, 0.01},
               {"base_ghz", 0.06, 0.05},
               {"boost_ghz", 0.06, 0.05},
               {"specrate2017_int_1p", 0.08, 0.1},
               {"specrate2017_int_2p", 0.08, 0.1},
               {"geekbench6_multi", 0.08, 1},
               {"length_mm", 0.1, 1},
               {"seq_read_mbs", 0.15, 50},
               {"rand_read_kiops", 0.2, 10},
               {"mts", 0.1, 200},
               {"m2_slots", 0.3, 1},
               {"sata_ports", 0.3, 2},
               {"wattage_w", 0.15, 50},
               {"max_gpu_length_mm", 0.1, 1},
               {"drive_bays_35", 0.5, 1}};

/* splitmix64. @source https://prng.di.unimi.it/splitmix64.c */
static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double next_unit(uint64_t *state)
{
    return (double)(next_bits(state) >> 11) / 9007199254740992.0; /* 2^53 */
}

static double vary(const rig_column *column, double value, uint64_t *state)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (strcmp(column->name, figures[i].column) != 0) {
            continue;
        }
        const double factor = 1 + figures[i].spread * (2 * next_unit(state) - 1);
        const double steps = floor(value * factor / figures[i].step + 0.5);
        return fmin(fmax(steps * figures[i].step, column->low), column->high);
    }
    return value;
}

static void write_text(FILE *out, const char *text, const char *suffix)
{
    const bool is_quoted = strpbrk(text, ",\"\n") != NULL;
    if (is_quoted) {
        fputc('"', out);
    }
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"') {
            fputc('"', out);
        }
        fputc(*at, out);
    }
    fprintf(out, is_quoted ? "%s\"" : "%s", suffix);
}

/* Texts that say where a figure was read would be untrue of a drawn one. */
static bool is_remark(const rig_column *column)
{
    return strcmp(column->name, "notes") == 0 || strstr(column->name, "_source") != NULL ||
           strstr(column->name, "_detail") != NULL;
}

static void write_cell(
    FILE *out, const rig_row *row, const rig_column *column, const char *suffix, uint64_t *state)
{
    if (strcmp(column->name, "price_trust") == 0) {
        fputs("fair", out);
    } else if (strcmp(column->name, "price_kind") == 0) {
        fputs("synthetic", out);
    } else if (column->type == RIG_COLUMN_TEXT || column->type == RIG_COLUMN_DATE) {
        const char *const text = is_remark(column) ? NULL : rig_row_text(row, column);
        write_text(out, text == NULL ? "" : text, suffix);
    } else {
        const double value = rig_row_number(row, column);
        if (!isnan(value)) {
            fprintf(out, "%.10g", vary(column, value, state));
        }
    }
}

static void write_row(FILE *out, const rig_row *row, size_t number, uint64_t *state)
{
    char suffix[32];
    (void)snprintf(suffix, sizeof suffix, " #%06zu", number);
    for (size_t i = 0; i < rig_column_count(row->table); i++) {
        if (i > 0) {
            fputc(',', out);
        }
        write_cell(out, row, rig_column_at(row->table, i), i == 0 ? suffix : "", state);
    }
    fputc('\n', out);
}

static const rig_row *draw_row(const rig_catalog *catalog, rig_table table, uint64_t *state)
{
    const size_t n_rows = rig_catalog_count(catalog, table);
    const rig_row *row = NULL;
    do {
        row = rig_catalog_row(catalog, table, (size_t)(next_bits(state) % n_rows));
    } while (row->price.cents <= 0);
    return row;
}

static bool write_table(const rig_catalog *catalog,
                        rig_table table,
                        size_t n_rows,
                        uint64_t *state,
                        const char *directory)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s.csv", directory, rig_table_stem(table));
    FILE *const out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        return false;
    }
    for (size_t i = 0; i < rig_column_count(table); i++) {
        fprintf(out, "%s%s", i == 0 ? "" : ",", rig_column_at(table, i)->name);
    }
    fputc('\n', out);
    for (size_t i = 0; i < n_rows; i++) {
        write_row(out, draw_row(catalog, table, state), i + 1, state);
    }
    const bool is_written = !ferror(out);
    return fclose(out) == 0 && is_written;
}

int main(int argc, char **argv)
{
    char *seed_end = NULL, *scale_end = NULL;
    uint64_t state = argc == 5 ? strtoull(argv[1], &seed_end, 10) : 0;
    const double scale = argc == 5 ? strtod(argv[2], &scale_end) : 0;
    if (argc != 5 || *seed_end != '\0' || *scale_end != '\0' ||
        !(scale > 0 && scale <= MOST_SCALE)) {
        fprintf(stderr, "usage: make_market SEED SCALE DIR CATALOG_DIR   (0 < SCALE <= 300)\n");
        return 2;
    }
    rig_catalog *catalog = NULL;
    rig_error err = {0};
    const char *const directories[] = {argv[4]};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    if (rig_catalog_load(&catalog, &options, &err) != RIG_OK) {
        fprintf(stderr, "make_market: %s\n", err.message);
        return 1;
    }
    bool is_written = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && is_written; i++) {
        const size_t n_rows = (size_t)ceil((double)sizes[i].n_rows * scale);
        is_written = write_table(catalog, sizes[i].table, n_rows, &state, argv[3]);
    }
    rig_catalog_free(catalog);
    return is_written ? 0 : 1;
}
