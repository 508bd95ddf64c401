/* SPDX-License-Identifier: GPL-3.0-or-later
 * From rows as read to sorted tables: duplicates, overlays, references, hash. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/catalog_load.h"
#include "catalog/fingerprint.h"
#include "catalog/schema.h"

/* Name, then content: the order of the lines in a file never shows. */
static int compare_quotes(const void *a, const void *b)
{
    const rig__entry *const x = a;
    const rig__entry *const y = b;
    const int by_name = strcmp(x->row->name, y->row->name);
    if (by_name != 0) {
        return by_name;
    }
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    if (x->i_source != y->i_source) {
        return x->i_source < y->i_source ? -1 : 1;
    }
    return (x->row->line > y->row->line) - (x->row->line < y->row->line);
}

static int compare_entries(const void *a, const void *b)
{
    const rig__entry *const x = a;
    const rig__entry *const y = b;
    const int by_name = strcmp(x->row->name, y->row->name);
    if (by_name != 0) {
        return by_name;
    }
    if (x->i_source != y->i_source) {
        return x->i_source < y->i_source ? -1 : 1;
    }
    return (x->row->line > y->row->line) - (x->row->line < y->row->line);
}

static bool is_repeated(const rig__pile *pile, size_t i)
{
    return i > 0 && pile->entries[i].i_source == pile->entries[i - 1].i_source &&
           strcmp(pile->entries[i].row->name, pile->entries[i - 1].row->name) == 0;
}

static bool is_replaced(const rig__pile *pile, size_t i)
{
    return i + 1 < pile->n_entries &&
           strcmp(pile->entries[i].row->name, pile->entries[i + 1].row->name) == 0;
}

static rig_status report_repeated(rig__load *load, const rig__pile *pile, size_t i)
{
    const rig__entry *const again = &pile->entries[i];
    rig_error problem;
    rig__error_set(&problem,
                   RIG_E_DUPLICATE,
                   again->row->file,
                   again->row->line,
                   again->column,
                   "name given twice: '%.100s' (first on line %ld)",
                   again->row->name,
                   pile->entries[i - 1].row->line);
    return rig__load_problem(load, &problem);
}

static bool is_earlier(const rig__entry *a, const rig__entry *b)
{
    return a->i_source < b->i_source || (a->i_source == b->i_source && a->row->line < b->row->line);
}

/* In check mode all repeated names are reported, otherwise the one that comes first in the file. */
static rig_status check_repeated(rig__load *load, const rig__pile *pile)
{
    rig_status status = RIG_OK;
    size_t i_first = pile->n_entries;
    for (size_t i = 0; i < pile->n_entries && status == RIG_OK; i++) {
        if (!is_repeated(pile, i)) {
            continue;
        }
        if (load->options->is_check) {
            status = report_repeated(load, pile, i);
        } else if (i_first == pile->n_entries ||
                   is_earlier(&pile->entries[i], &pile->entries[i_first])) {
            i_first = i;
        }
    }
    return i_first == pile->n_entries ? status : report_repeated(load, pile, i_first);
}

/* Files come sorted by name, as a rule. */
static void sort_entries(rig__pile *pile, int (*compare)(const void *a, const void *b))
{
    size_t n_sorted = 1;
    while (n_sorted < pile->n_entries &&
           compare(&pile->entries[n_sorted - 1], &pile->entries[n_sorted]) <= 0) {
        n_sorted++;
    }
    if (n_sorted < pile->n_entries) {
        qsort(pile->entries, pile->n_entries, sizeof *pile->entries, compare);
    }
}

static rig_status merge_table(rig__load *load, rig_table table)
{
    rig__pile *const pile = &load->piles[table];
    rig_catalog *const catalog = load->catalog;
    const bool is_quote = table == RIG_TABLE_QUOTE;
    sort_entries(pile, is_quote ? compare_quotes : compare_entries);
    if (!is_quote) {
        RIG_TRY(check_repeated(load, pile));
    }
    const rig_row **const rows = rig__arena_alloc(catalog->arena, pile->n_entries, sizeof *rows);
    if (rows == NULL) {
        return RIG_E_NOMEM;
    }
    uint64_t hash = rig__fingerprint_text(catalog->summary.hash, rig_table_stem(table));
    size_t n_rows = 0;
    for (size_t i = 0; i < pile->n_entries; i++) {
        if (!is_quote && is_replaced(pile, i)) {
            catalog->summary.overlaid++;
            continue;
        }
        rows[n_rows++] = pile->entries[i].row;
        hash = rig__fingerprint_whole(hash, pile->entries[i].hash);
    }
    catalog->summary.hash = hash;
    catalog->summary.rows[table] = n_rows;
    catalog->tables[table].rows = rows;
    catalog->tables[table].n_rows = n_rows;
    return RIG_OK;
}

static rig_status check_reference(rig__load *load, const rig__reference *reference)
{
    const rig_catalog *const catalog = load->catalog;
    const rig_row *const row = reference->row;
    if (row->name == NULL || /* a row without a name was reported already */
        rig_catalog_get(catalog, row->table, row->name) != row ||
        rig_catalog_get(catalog, reference->target, reference->text) != NULL) {
        return RIG_OK; /* replaced by a later directory, or sound */
    }
    rig_error problem;
    rig__error_set(&problem,
                   RIG_E_NOTFOUND,
                   row->file,
                   reference->line,
                   reference->i_column,
                   "no such %s: '%.100s' in column '%s' (expected a name of %s.csv)",
                   rig_table_singular(reference->target),
                   reference->text,
                   reference->column->name,
                   rig_table_stem(reference->target));
    rig__catalog_hint(catalog, reference->target, reference->text, &problem);
    return rig__load_problem(load, &problem);
}

rig_status rig__load_merge(rig__load *load)
{
    load->catalog->summary.hash = RIG__FINGERPRINT_START;
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        RIG_TRY(merge_table(load, (rig_table)i));
    }
    rig__pile *const own = &load->own;
    sort_entries(own, compare_quotes);
    uint64_t hash = load->catalog->summary.hash;
    for (size_t i = 0; i < own->n_entries; i++) {
        hash = rig__fingerprint_whole(hash, own->entries[i].hash);
    }
    load->catalog->summary.hash = hash;
    for (size_t i = 0; i < load->n_references; i++) {
        RIG_TRY(check_reference(load, &load->references[i]));
    }
    return RIG_OK;
}
