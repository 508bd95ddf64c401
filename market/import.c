/* SPDX-License-Identifier: GPL-3.0-or-later
 * The import of a market: read, join, complete, fold, compare with the import before. */
#include "trainrig/market.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "market/completer.h"
#include "market/listings.h"
#include "market/specs.h"

/* Where the lines of a directory come from. */
typedef struct source {
    const char *repo, *commit, *date;
    const char *label; /* "repo@commit", or the directory */
} source;

typedef struct importer {
    const rig_market_options *options;
    rig_market *market;
    rig__arena *arena;
    rig__drafts *specs[RIG_N_TABLES];
    const char *spec_label;
    rig__draft **listed; /* of all classes */
    size_t n_listed, cap_listed;
    size_t cap_drops;
    /* of the file being read */
    const rig__listing *listing;
    rig_table table;
    source from;
} importer;

/* ---- what is left out ----------------------------------------------------------------------- */

static rig_status add_drop(importer *work, const rig_market_drop *drop, rig_error *err)
{
    rig_market *const market = work->market;
    if (market->n_drops == work->cap_drops) {
        const size_t cap = work->cap_drops == 0 ? 1024 : 2 * work->cap_drops;
        rig_market_drop *const larger = rig__arena_alloc(work->arena, cap, sizeof *larger);
        if (larger == NULL) {
            return rig__error_nomem(err);
        }
        if (market->n_drops > 0) {
            memcpy(larger, market->drops, market->n_drops * sizeof *larger);
        }
        market->drops = larger;
        work->cap_drops = cap;
    }
    market->drops[market->n_drops++] = *drop;
    market->tables[drop->table].n_dropped++;
    return RIG_OK;
}

static rig_status drop_draft(importer *work, const rig__draft *draft, rig_error *err)
{
    const rig_market_drop drop = {.table = draft->table,
                                  .reason = draft->reason,
                                  .detail = draft->detail,
                                  .name = draft->name,
                                  .file = draft->file,
                                  .line = draft->line};
    return add_drop(work, &drop, err);
}

static rig_status broken_line(const rig_error *problem, void *payload, rig_error *err)
{
    importer *const work = payload;
    work->market->n_lines++;
    work->market->n_broken++;
    if (work->options->on_problem != NULL) {
        work->options->on_problem(problem, work->options->payload);
    }
    if (work->listing == NULL) {
        return RIG_OK;
    }
    work->market->tables[work->table].n_listed++;
    const rig_market_drop drop = {
        .table = work->table,
        .reason = "a broken line",
        .detail = rig__arena_copy(work->arena, problem->message, strlen(problem->message)),
        .name = "",
        .file = rig__arena_copy(work->arena, problem->where, strlen(problem->where)),
        .line = problem->line};
    return drop.detail == NULL || drop.file == NULL ? rig__error_nomem(err)
                                                    : add_drop(work, &drop, err);
}

/* ---- reading -------------------------------------------------------------------------------- */

static rig_status take_spec(const rig__line *line, void *payload, rig_error *err)
{
    importer *const work = payload;
    rig__draft *draft = NULL;
    rig_error problem = {0};
    const rig_status status = rig__specs_read(line, work->table, work->arena, &draft, &problem);
    if (status == RIG_E_PARSE) {
        return broken_line(&problem, work, err);
    }
    work->market->n_lines++;
    work->market->n_specs++;
    return status != RIG_OK || !rig__drafts_add(work->specs[work->table], draft)
               ? rig__error_nomem(err)
               : RIG_OK;
}

static bool set_offer(importer *work, rig__draft *draft, const char *price)
{
    if (!rig__cents_parse(price, strlen(price), &draft->cents) || draft->cents <= 0) {
        draft->cents = -1;
        rig__draft_drop(draft, price[0] == '\0' ? "no price" : "not a price", price);
        return true;
    }
    return rig__draft_set(work->arena, draft, "price_usd", price) &&
           rig__draft_set(work->arena, draft, "price_kind", "street") &&
           rig__draft_set(work->arena, draft, "price_date", work->from.date) &&
           rig__draft_set(work->arena, draft, "price_source", work->from.label) &&
           rig__draft_set(work->arena, draft, "price_trust", "good");
}

static bool keep_listed(importer *work, rig__draft *draft)
{
    if (work->n_listed == work->cap_listed) {
        const size_t cap = work->cap_listed == 0 ? 4096 : 2 * work->cap_listed;
        rig__draft **const larger = realloc(work->listed, cap * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        work->listed = larger;
        work->cap_listed = cap;
    }
    work->listed[work->n_listed++] = draft;
    return true;
}

static rig_status take_listing(const rig__line *line, void *payload, rig_error *err)
{
    importer *const work = payload;
    work->market->n_lines++;
    work->market->tables[work->table].n_listed++;
    rig__draft *const draft = rig__draft_new(work->arena, work->table, line->file, line->line);
    if (draft == NULL || !set_offer(work, draft, rig__line_get(line, "price"))) {
        return rig__error_nomem(err);
    }
    if (draft->reason == NULL && !work->listing->read(line, draft, work->arena)) {
        return rig__error_nomem(err);
    }
    if (draft->reason == NULL && draft->name[0] == '\0') {
        rig__draft_drop(draft, "no name", NULL);
    }
    if (draft->reason != NULL) {
        const char *const name = rig__line_get(line, "name");
        draft->name = rig__arena_copy(work->arena, name, strlen(name));
        draft->detail = draft->detail == NULL ? NULL
                                              : rig__arena_copy(work->arena,
                                                                draft->detail,
                                                                strlen(draft->detail));
        return draft->name == NULL ? rig__error_nomem(err) : drop_draft(work, draft, err);
    }
    return keep_listed(work, draft) ? RIG_OK : rig__error_nomem(err);
}

/* Value of a line "key: value", copied; NULL: another key. */
static const char *value_of(importer *work, const rig__line *line, const char *key)
{
    const size_t n = strlen(key);
    if (line->length <= n + 1 || strncmp(line->text, key, n) != 0 || line->text[n] != ':') {
        return NULL;
    }
    const char *begin = line->text + n + 1, *end = line->text + line->length;
    while (begin < end && strchr(" \t", *begin) != NULL) {
        begin++;
    }
    const char *stop = begin;
    while (stop < end && *stop != '\0' && strchr(" \r\n(", *stop) == NULL) {
        stop++;
    }
    return rig__arena_copy(work->arena, begin, (size_t)(stop - begin));
}

static rig_status take_source(const rig__line *line, void *payload, rig_error *err)
{
    importer *const work = payload;
    source *const from = &work->from;
    (void)err;
    const char *const repo = value_of(work, line, "repo");
    const char *const commit = value_of(work, line, "commit");
    const char *const date = value_of(work, line, "date");
    int32_t ymd = 0;
    from->repo = repo != NULL ? repo : from->repo;
    from->commit = commit != NULL ? commit : from->commit;
    from->date = date != NULL && rig__date_parse(date, strlen(date), &ymd) ? date : from->date;
    return RIG_OK;
}

static rig_status ignore_broken(const rig_error *problem, void *payload, rig_error *err)
{
    (void)problem, (void)payload, (void)err;
    return RIG_OK;
}

/* Reads DIRECTORY/SOURCE.txt; without one the directory itself is the source. */
static rig_status read_source(importer *work, const char *directory, rig_error *err)
{
    const char *const path = rig__arena_format(work->arena, "%s/SOURCE.txt", directory);
    const rig__line_sink sink = {take_source, ignore_broken, work};
    work->from = (source){.repo = NULL};
    rig_error problem = {0};
    const rig_status status =
        path == NULL ? rig__error_nomem(err) : rig__text_lines(path, &sink, &problem);
    if (status != RIG_OK && status != RIG_E_IO) {
        return status;
    }
    work->from.label = work->from.repo == NULL ? rig__arena_format(work->arena, "%s", directory)
                       : work->from.commit == NULL
                           ? work->from.repo
                           : rig__arena_format(work->arena,
                                               "%s@%.12s",
                                               work->from.repo,
                                               work->from.commit);
    return work->from.label == NULL ? rig__error_nomem(err) : RIG_OK;
}

static rig_status read_file(importer *work, const char *directory, const char *name, rig_error *err)
{
    const char *const path = rig__arena_format(work->arena, "%s/%s", directory, name);
    if (path == NULL) {
        return rig__error_nomem(err);
    }
    work->listing = rig__listing_of_file(name);
    if (work->listing != NULL) {
        const rig__line_sink sink = {take_listing, broken_line, work};
        work->table = work->listing->table;
        return rig__csv_lines(path, &sink, err);
    }
    if (!rig__specs_table(name, &work->table)) {
        return RIG_OK;
    }
    const rig__line_sink sink = {take_spec, broken_line, work};
    work->spec_label = work->from.label;
    if (work->specs[work->table] == NULL) {
        work->specs[work->table] = rig__drafts_new();
    }
    return work->specs[work->table] == NULL ? rig__error_nomem(err)
                                            : rig__text_lines(path, &sink, err);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static rig_status read_directory(importer *work, const char *directory, rig_error *err)
{
    struct dirent **names = NULL;
    const int n = scandir(directory, &names, NULL, compare_names);
    if (n < 0) {
        return rig__error_set(
            err, RIG_E_IO, directory, 0, 0, "cannot be read: %s", strerror(errno));
    }
    rig_status status = read_source(work, directory, err);
    for (int i = 0; i < n; i++) {
        if (status == RIG_OK) {
            status = read_file(work, directory, names[i]->d_name, err);
        }
        free(names[i]);
    }
    free(names);
    return status;
}

/* ---- joining, completing, folding ----------------------------------------------------------- */

static rig_status complete_all(importer *work, rig_error *err)
{
    rig__completer *const completer = rig__completer_new(work->options->shipped);
    rig_status status = completer == NULL ? rig__error_nomem(err) : RIG_OK;
    for (size_t i = 0; i < work->n_listed && status == RIG_OK; i++) {
        rig__draft *const draft = work->listed[i];
        if (!rig__completer_apply(completer, work->specs[draft->table], draft, work->arena)) {
            status = rig__error_nomem(err);
        } else if (draft->reason != NULL) {
            status = drop_draft(work, draft, err);
        }
    }
    rig__completer_free(completer);
    return status;
}

/* By table, name and price; then by place, so that equals have one order. */
static int compare_drafts(const void *a, const void *b)
{
    const rig__draft *const x = *(const rig__draft *const *)a;
    const rig__draft *const y = *(const rig__draft *const *)b;
    const bool x_out = x->reason != NULL, y_out = y->reason != NULL;
    if (x_out != y_out) {
        return x_out ? 1 : -1;
    }
    if (x->table != y->table) {
        return x->table < y->table ? -1 : 1;
    }
    const int by_name = strcmp(x->name, y->name);
    if (by_name != 0) {
        return by_name;
    }
    if (x->cents != y->cents) {
        return x->cents < y->cents ? -1 : 1;
    }
    const int by_file = strcmp(x->file, y->file);
    return by_file != 0 ? by_file : (x->line > y->line) - (x->line < y->line);
}

/* Tells whether a row is new, has another price, or is as before. */
static void count_change(importer *work, const rig__draft *draft)
{
    rig_market_table *const table = &work->market->tables[draft->table];
    const rig_row *const before =
        work->options->before == NULL
            ? NULL
            : rig_catalog_get(work->options->before, draft->table, draft->name);
    if (before == NULL) {
        table->n_new++;
    } else if (before->price.cents != draft->cents) {
        table->n_repriced++;
    } else {
        table->n_same++;
    }
}

static rig_status add_row(importer *work, const rig__draft *draft, rig_error *err)
{
    rig_market_table *const table = &work->market->tables[draft->table];
    const char ***const rows = (const char ***)(uintptr_t)table->rows;
    (void)err;
    draft->cells[0] = draft->name; /* the first column of every table */
    rows[table->n_rows++] = draft->cells;
    count_change(work, draft);
    return RIG_OK;
}

static rig_status fold(importer *work, rig_error *err)
{
    size_t counts[RIG_N_TABLES] = {0};
    if (work->n_listed > 0) {
        qsort(work->listed, work->n_listed, sizeof *work->listed, compare_drafts);
    }
    for (size_t i = 0; i < work->n_listed; i++) {
        counts[work->listed[i]->table]++;
    }
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        work->market->tables[t].rows =
            rig__arena_alloc(work->arena, counts[t], sizeof(const char **));
        if (work->market->tables[t].rows == NULL) {
            return rig__error_nomem(err);
        }
    }
    const rig__draft *kept = NULL;
    for (size_t i = 0; i < work->n_listed && work->listed[i]->reason == NULL; i++) {
        rig__draft *const draft = work->listed[i];
        if (kept != NULL && kept->table == draft->table && strcmp(kept->name, draft->name) == 0) {
            work->market->tables[draft->table].n_folded++;
            continue;
        }
        kept = draft;
        RIG_TRY(add_row(work, draft, err));
    }
    return RIG_OK;
}

static void count_gone(importer *work)
{
    const rig_catalog *const before = work->options->before;
    for (size_t t = 0; before != NULL && t < RIG_N_TABLES; t++) {
        rig_market_table *const table = &work->market->tables[t];
        const size_t n_before =
            rig_table_is_part((rig_table)t) ? rig_catalog_count(before, (rig_table)t) : 0;
        table->n_gone = n_before - (table->n_repriced + table->n_same);
    }
}

static rig_status run(importer *work, rig_error *err)
{
    for (size_t i = 0; i < work->options->n_directories; i++) {
        RIG_TRY(read_directory(work, work->options->directories[i], err));
    }
    size_t n_listed = 0;
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        n_listed += work->market->tables[t].n_listed;
    }
    if (n_listed == 0) {
        return rig__error_set(err,
                              RIG_E_NOTFOUND,
                              work->options->n_directories > 0 ? work->options->directories[0] : NULL,
                              0,
                              0,
                              "no list of parts (expected cpu.csv, video-card.csv ...)");
    }
    RIG_TRY(complete_all(work, err));
    RIG_TRY(fold(work, err));
    count_gone(work);
    return RIG_OK;
}

rig_status rig_market_import(rig_market **out, const rig_market_options *options, rig_error *err)
{
    *out = NULL;
    importer work = {.options = options, .arena = rig__arena_new()};
    if (work.arena == NULL) {
        return rig__error_nomem(err);
    }
    work.market = rig__arena_alloc(work.arena, 1, sizeof *work.market);
    rig_status status = RIG_E_NOMEM;
    if (work.market == NULL) {
        status = rig__error_nomem(err);
    } else {
        work.market->arena = work.arena;
        status = run(&work, err);
    }
    for (size_t t = 0; t < RIG_N_TABLES; t++) {
        rig__drafts_free(work.specs[t]);
    }
    free(work.listed);
    if (status != RIG_OK) {
        rig__arena_free(work.arena);
        return status;
    }
    *out = work.market;
    return RIG_OK;
}

void rig_market_free(rig_market *market)
{
    if (market != NULL) {
        rig__arena_free(market->arena);
    }
}
