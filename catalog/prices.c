/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which of the prices of a part counts.
 *
 * Left out, each price counted once under the first of: absurd (zero; or below 1/100 of the median
 * price of the class, unless the policy allows absurd ones), date before policy.after_ymd (unknown
 * is before any; an unknown month or day is the earliest), trust below policy.lowest_trust, used
 * unless allowed. Quotes in another currency only are no prices and are counted apart.
 * Among those left: trust good or fair before low, newest date, higher trust, lower price, source.
 * Own quotes come before all others and only a zero can leave them out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/catalog_load.h"
#include "catalog/schema.h"

/* assumption: no honest offer is this far below the usual price of its class. */
#define ABSURD_DIVISOR 100

typedef enum verdict { USABLE, ABSURD, TOO_OLD, TOO_LOW_TRUST, USED } verdict;

typedef struct candidate {
    rig_price price;
    rig_table table;
    size_t i_row;
    bool is_own;
    verdict verdict;
} candidate;

typedef struct candidates {
    candidate *items;
    size_t n_items, cap_items;
} candidates;

static rig_status add(candidates *list, candidate item)
{
    candidate *const items =
        rig__load_grow(list->items, list->n_items, &list->cap_items, sizeof *items);
    if (items == NULL) {
        return RIG_E_NOMEM;
    }
    list->items = items;
    list->items[list->n_items++] = item;
    return RIG_OK;
}

/* ---- gathering ------------------------------------------------------------------------------- */

static rig_status add_part_prices(const rig_catalog *catalog, rig_table table, candidates *list)
{
    const rig__row_list *const rows = &catalog->tables[table];
    rig_status status = RIG_OK;
    for (size_t i = 0; i < rows->n_rows && status == RIG_OK; i++) {
        const rig_price price = rows->rows[i]->price;
        if (price.cents >= 0) {
            status = add(list, (candidate){price, table, i, false, USABLE});
        }
    }
    return status;
}

static rig_status add_all_part_prices(const rig_catalog *catalog, candidates *list)
{
    rig_status status = RIG_OK;
    for (size_t i = 0; i < RIG_N_TABLES && status == RIG_OK; i++) {
        const rig_table table = (rig_table)i;
        status = rig_table_is_part(table) ? add_part_prices(catalog, table, list) : RIG_OK;
    }
    return status;
}

static rig_status
add_quote(rig__load *load, candidates *list, const rig_row *quote, rig_table table, bool is_own)
{
    const size_t i_row = rig__catalog_index(load->catalog, table, quote->name);
    if (quote->price.cents < 0) {
        load->catalog->summary.quotes_unused_foreign +=
            isnan(((const rig_quote *)quote)->price_local) ? 0 : 1;
        return RIG_OK;
    }
    return add(list, (candidate){quote->price, table, i_row, is_own, USABLE});
}

static void
describe_unknown_part(const rig__entry *entry, const rig_catalog *catalog, rig_error *problem)
{
    rig__error_set(problem,
                   RIG_E_NOTFOUND,
                   entry->row->file,
                   entry->row->line,
                   entry->column,
                   "quote for an unknown part: '%.100s' (expected a %s of the catalogue)",
                   entry->row->name,
                   entry->is_any_part ? "part" : rig_table_singular(entry->part));
    if (!entry->is_any_part) {
        rig__catalog_hint(catalog, entry->part, entry->row->name, problem);
    }
}

static rig_status add_shipped_quote(rig__load *load, candidates *list, const rig__entry *entry)
{
    if (rig_catalog_get(load->catalog, entry->part, entry->row->name) != NULL) {
        return add_quote(load, list, entry->row, entry->part, false);
    }
    rig_error problem;
    describe_unknown_part(entry, load->catalog, &problem);
    rig__load_warning(load, &problem);
    return RIG_OK;
}

/* Tables that hold the part of an own quote; the last of them in *table_out. */
static size_t find_part(const rig_catalog *catalog, const rig__entry *entry, rig_table *table_out)
{
    size_t n_found = 0;
    for (size_t i = 0; i < RIG_N_TABLES; i++) {
        const rig_table table = (rig_table)i;
        if (!rig_table_is_part(table) || (!entry->is_any_part && table != entry->part)) {
            continue;
        }
        if (rig_catalog_get(catalog, table, entry->row->name) != NULL) {
            *table_out = table;
            n_found++;
        }
    }
    return n_found;
}

static rig_status add_own_quote(rig__load *load, candidates *list, const rig__entry *entry)
{
    rig_table table = RIG_TABLE_CPU;
    const size_t n_found = find_part(load->catalog, entry, &table);
    if (n_found == 1) {
        return add_quote(load, list, entry->row, table, true);
    }
    rig_error problem;
    if (n_found == 0) {
        describe_unknown_part(entry, load->catalog, &problem);
    } else {
        rig__error_set(&problem,
                       RIG_E_INVALID,
                       entry->row->file,
                       entry->row->line,
                       entry->column,
                       "several parts of this name: '%.100s' (give the class in part_class)",
                       entry->row->name);
    }
    return rig__load_problem(load, &problem);
}

static rig_status gather(rig__load *load, candidates *list)
{
    const rig__pile *const shipped = &load->piles[RIG_TABLE_QUOTE];
    RIG_TRY(add_all_part_prices(load->catalog, list));
    for (size_t i = 0; i < shipped->n_entries; i++) {
        RIG_TRY(add_shipped_quote(load, list, &shipped->entries[i]));
    }
    for (size_t i = 0; i < load->own.n_entries; i++) {
        RIG_TRY(add_own_quote(load, list, &load->own.entries[i]));
    }
    return RIG_OK;
}

/* ---- judging --------------------------------------------------------------------------------- */

static int compare_cents(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Median of the positive prices of each class, own quotes apart; 0: none. */
static rig_status find_medians(const candidates *list, int64_t medians[RIG_N_TABLES])
{
    int64_t *const cents = malloc((list->n_items + 1) * sizeof *cents);
    if (cents == NULL) {
        return RIG_E_NOMEM;
    }
    for (size_t table = 0; table < RIG_N_TABLES; table++) {
        size_t n = 0;
        for (size_t i = 0; i < list->n_items; i++) {
            const candidate *const item = &list->items[i];
            if ((size_t)item->table == table && !item->is_own && item->price.cents > 0) {
                cents[n++] = item->price.cents;
            }
        }
        qsort(cents, n, sizeof *cents, compare_cents);
        medians[table] = n == 0 ? 0 : cents[n / 2];
    }
    free(cents);
    return RIG_OK;
}

static verdict judge(const candidate *item, const rig_price_policy *policy, int64_t median_cents)
{
    const rig_price *const price = &item->price;
    const bool is_zero = price->cents == 0;
    if (item->is_own) {
        return is_zero && !policy->allow_absurd ? ABSURD : USABLE;
    }
    const bool is_absurd = is_zero || price->cents < median_cents / ABSURD_DIVISOR;
    if (is_absurd && !policy->allow_absurd) {
        return ABSURD;
    }
    if (price->date_ymd < policy->after_ymd) {
        return TOO_OLD;
    }
    if (price->trust > policy->lowest_trust) {
        return TOO_LOW_TRUST;
    }
    return price->is_used && !policy->allow_used ? USED : USABLE;
}

static void judge_all(rig__load *load, candidates *list, const int64_t medians[RIG_N_TABLES])
{
    rig_catalog_summary *const summary = &load->catalog->summary;
    for (size_t i = 0; i < list->n_items; i++) {
        candidate *const item = &list->items[i];
        item->verdict = judge(item, &load->options->policy, medians[item->table]);
        summary->excluded_absurd += item->verdict == ABSURD;
        summary->excluded_date += item->verdict == TOO_OLD;
        summary->excluded_trust += item->verdict == TOO_LOW_TRUST;
        summary->excluded_used += item->verdict == USED;
    }
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* Less is better. */
static int compare_prices(const rig_price *x, const rig_price *y)
{
    const bool is_low_x = x->trust == RIG_TRUST_LOW;
    const bool is_low_y = y->trust == RIG_TRUST_LOW;
    if (is_low_x != is_low_y) {
        return is_low_x ? 1 : -1;
    }
    if (x->date_ymd != y->date_ymd) {
        return x->date_ymd > y->date_ymd ? -1 : 1;
    }
    if (x->trust != y->trust) {
        return x->trust < y->trust ? -1 : 1;
    }
    if (x->cents != y->cents) {
        return x->cents < y->cents ? -1 : 1;
    }
    const int by_source = compare_texts(x->source, y->source);
    return by_source != 0 ? by_source : compare_texts(x->kind, y->kind);
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *const x = a;
    const candidate *const y = b;
    if (x->table != y->table) {
        return x->table < y->table ? -1 : 1;
    }
    if (x->i_row != y->i_row) {
        return x->i_row < y->i_row ? -1 : 1;
    }
    const bool is_usable_x = x->verdict == USABLE;
    const bool is_usable_y = y->verdict == USABLE;
    if (is_usable_x != is_usable_y) {
        return is_usable_x ? -1 : 1;
    }
    if (x->is_own != y->is_own) {
        return x->is_own ? -1 : 1;
    }
    return compare_prices(&x->price, &y->price);
}

/* ---- storing --------------------------------------------------------------------------------- */

static void set_effective(rig_catalog *catalog, const rig__pile *pile, const candidates *list)
{
    size_t n_rows = 0; /* so far; entries and rows are in one order */
    for (size_t i = 0; i < pile->n_entries; i++) {
        rig_row *const row = pile->entries[i].row;
        const rig__row_list *const table = &catalog->tables[row->table];
        if (n_rows == table->n_rows || table->rows[n_rows] != row) {
            continue; /* replaced */
        }
        const size_t i_row = n_rows++;
        const size_t first = table->price_starts[i_row];
        if (first == table->price_starts[i_row + 1]) {
            continue; /* no price at all */
        }
        /* The best excluded price stays for information, without its amount. */
        row->price = list->items[first].price;
        if (list->items[first].verdict == USABLE) {
            catalog->summary.priced[row->table]++;
        } else {
            row->price.cents = -1;
        }
    }
}

static rig_status store(rig__load *load, const candidates *list)
{
    rig_catalog *const catalog = load->catalog;
    catalog->prices = rig__arena_alloc(catalog->arena, list->n_items, sizeof *catalog->prices);
    if (catalog->prices == NULL) {
        return RIG_E_NOMEM;
    }
    for (size_t i = 0; i < list->n_items; i++) {
        catalog->prices[i] = list->items[i].price;
    }
    size_t next = 0;
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        rig__row_list *const table = &catalog->tables[t];
        if (!rig_table_is_part((rig_table)t)) {
            continue;
        }
        table->price_starts =
            rig__arena_alloc(catalog->arena, table->n_rows + 1, sizeof *table->price_starts);
        if (table->price_starts == NULL) {
            return RIG_E_NOMEM;
        }
        for (size_t i = 0; i < table->n_rows; i++) {
            table->price_starts[i] = next;
            while (next < list->n_items && (size_t)list->items[next].table == t &&
                   list->items[next].i_row == i) {
                next++;
            }
        }
        table->price_starts[table->n_rows] = next;
        set_effective(catalog, &load->piles[t], list);
    }
    return RIG_OK;
}

rig_status rig__load_prices(rig__load *load)
{
    candidates list = {0};
    int64_t medians[RIG_N_TABLES] = {0};
    rig_status status = gather(load, &list);
    if (status == RIG_OK) {
        status = find_medians(&list, medians);
    }
    if (status == RIG_OK) {
        judge_all(load, &list, medians);
        if (list.n_items > 1) {
            qsort(list.items, list.n_items, sizeof *list.items, compare_candidates);
        }
        status = store(load, &list);
    }
    free(list.items);
    return status;
}
