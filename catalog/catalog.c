/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loading a catalogue and reading a loaded one. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/catalog_load.h"

rig_catalog_options rig_catalog_options_default(void)
{
    return (rig_catalog_options){.policy = {.lowest_trust = RIG_TRUST_LOW}};
}

rig_status rig__load_problem(rig__load *load, const rig_error *problem)
{
    if (load->first.status == RIG_OK) {
        load->first = *problem;
    }
    if (!load->options->is_check || problem->status == RIG_E_NOMEM) {
        return problem->status;
    }
    if (load->options->on_problem != NULL) {
        load->options->on_problem(problem, true, load->options->payload);
    }
    return RIG_OK;
}

void rig__load_warning(rig__load *load, const rig_error *problem)
{
    if (load->options->is_check && load->options->on_problem != NULL) {
        load->options->on_problem(problem, false, load->options->payload);
    }
}

void *rig__load_grow(void *items, size_t n_items, size_t *cap, size_t item_size)
{
    if (n_items < *cap) {
        return items;
    }
    const size_t cap_new = *cap == 0 ? 16 : *cap * 2;
    void *const grown = cap_new > SIZE_MAX / item_size ? NULL : realloc(items, cap_new * item_size);
    if (grown != NULL) {
        *cap = cap_new;
    }
    return grown;
}

static rig_status load_all(rig__load *load)
{
    const rig_catalog_options *const options = load->options;
    if (load->text != NULL) {
        RIG_TRY(rig__load_table_text(load, load->text));
    }
    for (size_t i = 0; load->text == NULL && i < options->n_directories; i++) {
        load->i_source = i;
        RIG_TRY(rig__load_directory(load, options->directories[i]));
    }
    load->i_source = options->n_directories;
    if (options->quotes_file != NULL) {
        RIG_TRY(rig__load_table_file(load, RIG_TABLE_QUOTE, options->quotes_file, true));
    }
    RIG_TRY(rig__load_merge(load));
    return rig__load_prices(load);
}

static void free_load(rig__load *load)
{
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        free(load->piles[i].entries);
    }
    free(load->own.entries);
    free(load->references);
    rig__intern_free(load->strings);
}

static rig_status load_catalog(rig_catalog **out,
                               const rig__table_text *text,
                               const rig_catalog_options *options,
                               rig_error *err)
{
    *out = NULL;
    rig__load *const load = calloc(1, sizeof *load);
    rig_catalog *const catalog = calloc(1, sizeof *catalog);
    rig_status status = RIG_E_NOMEM;
    if (load == NULL || catalog == NULL) {
        goto done;
    }
    catalog->arena = rig__arena_new();
    load->options = options;
    load->catalog = catalog;
    load->text = text;
    load->strings = catalog->arena == NULL ? NULL : rig__intern_new(catalog->arena);
    if (load->strings == NULL) {
        goto done;
    }
    status = load_all(load);
    if (status != RIG_E_NOMEM) {
        status = load->first.status;
    }
    if (status != RIG_OK && status != RIG_E_NOMEM && err != NULL) {
        *err = load->first;
    }
done:
    if (load != NULL) {
        free_load(load);
        free(load);
    }
    if (status == RIG_OK) {
        *out = catalog;
        return RIG_OK;
    }
    rig_catalog_free(catalog);
    return status == RIG_E_NOMEM ? rig__error_nomem(err) : status;
}

rig_status rig_catalog_load(rig_catalog **out, const rig_catalog_options *options, rig_error *err)
{
    return load_catalog(out, NULL, options, err);
}

rig_status rig__catalog_load_text(rig_catalog **out,
                                  const rig__table_text *text,
                                  const rig_catalog_options *options,
                                  rig_error *err)
{
    return load_catalog(out, text, options, err);
}

void rig_catalog_free(rig_catalog *catalog)
{
    if (catalog != NULL) {
        rig__arena_free(catalog->arena);
        free(catalog);
    }
}

const rig_catalog_summary *rig_catalog_summary_get(const rig_catalog *catalog)
{
    return &catalog->summary;
}

size_t rig_catalog_count(const rig_catalog *catalog, rig_table table)
{
    assert((size_t)table < RIG_N_TABLES);
    return catalog->tables[table].n_rows;
}

const rig_row *rig_catalog_row(const rig_catalog *catalog, rig_table table, size_t index)
{
    assert(index < rig_catalog_count(catalog, table));
    return catalog->tables[table].rows[index];
}

size_t rig__catalog_index(const rig_catalog *catalog, rig_table table, const char *name)
{
    const rig__row_list *const list = &catalog->tables[table];
    size_t low = 0;
    size_t high = list->n_rows;
    while (low < high) { /* first row whose name is not less */
        const size_t middle = low + (high - low) / 2;
        if (strcmp(list->rows[middle]->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < list->n_rows && strcmp(list->rows[low]->name, name) == 0 ? low : list->n_rows;
}

const rig_row *rig_catalog_get(const rig_catalog *catalog, rig_table table, const char *name)
{
    const size_t i = rig__catalog_index(catalog, table, name);
    return i == catalog->tables[table].n_rows ? NULL : catalog->tables[table].rows[i];
}

size_t
rig_catalog_prices(const rig_catalog *catalog, const rig_row *row, rig_price *out, size_t cap)
{
    const rig__row_list *const list = &catalog->tables[row->table];
    const size_t i = rig__catalog_index(catalog, row->table, row->name);
    if (i == list->n_rows || list->price_starts == NULL) {
        return 0;
    }
    const size_t first = list->price_starts[i];
    const size_t n_prices = list->price_starts[i + 1] - first;
    for (size_t k = 0; k < n_prices && k < cap; k++) {
        out[k] = catalog->prices[first + k];
    }
    return n_prices;
}
