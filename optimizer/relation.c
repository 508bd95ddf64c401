/* SPDX-License-Identifier: GPL-3.0-or-later
 * Graded relations: classes of options that are alike, and rows over the classes. */
#include "optimizer/relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/fingerprint.h"

/* ---- vectors that are equal ------------------------------------------------------------------ */

/* Different vectors of one length, found again by their hash. */
typedef struct vector_set {
    size_t length, n, n_slots;
    double *items;    /* n x length */
    uint64_t *hashes; /* n */
    size_t *slots;    /* 1 + item, 0: free */
} vector_set;

static void set_fini(vector_set *set)
{
    free(set->items);
    free(set->hashes);
    free(set->slots);
}

/* Room for at most so many vectors; grows item by item as they come. */
static bool set_init(vector_set *set, size_t length, size_t most)
{
    *set = (vector_set){.length = length, .n_slots = 64};
    while (set->n_slots < 2 * most) {
        set->n_slots *= 2;
    }
    set->slots = calloc(set->n_slots, sizeof *set->slots);
    set->hashes = calloc(most + 1, sizeof *set->hashes);
    return set->slots != NULL && set->hashes != NULL;
}

static bool set_append(vector_set *set, const double *vector)
{
    const bool is_full = (set->n & (set->n - 1)) == 0; /* room is a power of two */
    if (is_full) {
        const size_t more = set->n == 0 ? 1 : set->n * 2;
        double *items = realloc(set->items, (more * set->length + 1) * sizeof *items);
        if (items == NULL) {
            return false;
        }
        set->items = items;
    }
    memcpy(set->items + set->n * set->length, vector, set->length * sizeof *vector);
    return true;
}

/* FNV-1a by words instead of bytes, folded so that low bits depend on high ones. */
static uint64_t hash_of(const double *vector, size_t length)
{
    uint64_t hash = RIG__FINGERPRINT_START;
    for (size_t i = 0; i < length; i++) {
        uint64_t bits = 0;
        memcpy(&bits, &vector[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    return hash;
}

/* Place of a vector in the set, where it is put if it is new. @return SIZE_MAX: out of memory */
static size_t set_find(vector_set *set, const double *vector)
{
    const size_t bytes = set->length * sizeof *vector;
    const uint64_t hash = hash_of(vector, set->length);
    size_t slot = (size_t)hash & (set->n_slots - 1);
    for (; set->slots[slot] != 0; slot = (slot + 1) & (set->n_slots - 1)) {
        const size_t item = set->slots[slot] - 1;
        if (set->hashes[item] == hash &&
            memcmp(set->items + item * set->length, vector, bytes) == 0) {
            return item;
        }
    }
    if (!set_append(set, vector)) {
        return SIZE_MAX;
    }
    set->hashes[set->n] = hash;
    set->slots[slot] = ++set->n;
    return set->n - 1;
}

/* ---- classes --------------------------------------------------------------------------------- */

static bool classes_init(rig__classes *classes, const rig__members *members, rig__arena *arena)
{
    *classes = (rig__classes){.members = members};
    classes->of = rig__arena_alloc(arena, members->n, sizeof *classes->of);
    classes->first = rig__arena_alloc(arena, members->n, sizeof *classes->first);
    classes->size = rig__arena_alloc(arena, members->n, sizeof *classes->size);
    classes->column = rig__arena_alloc(arena, members->n, sizeof *classes->column);
    return classes->of != NULL && classes->first != NULL && classes->size != NULL &&
           classes->column != NULL;
}

static void classes_put(rig__classes *classes, size_t member, size_t class)
{
    if (class == classes->n) {
        classes->first[classes->n++] = member;
        classes->column[class] = SIZE_MAX;
    }
    classes->of[member] = class;
    classes->size[class]++;
}

/* An earlier member that is equal for sure, SIZE_MAX: none known. */
static size_t known_same(const rig__relation_source *source,
                         const rig__classes *classes,
                         size_t member,
                         const size_t *tried,
                         size_t n_tried)
{
    if (source->is_same == NULL) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < n_tried; i++) {
        if (source->is_same(
                source->context, source->first->at[tried[i]], source->first->at[member])) {
            return classes->of[tried[i]];
        }
    }
    return SIZE_MAX;
}

static bool
fill_first(rig__relation *r, const rig__relation_source *source, vector_set *set, double *row)
{
    const rig__members *first = source->first, *second = source->second;
    size_t n_tried = 0;
    size_t *tried = calloc(first->n + 1, sizeof *tried);
    bool is_done = tried != NULL;
    for (size_t i = 0; i < first->n && is_done; i++) {
        size_t class = known_same(source, &r->first, i, tried, n_tried);
        if (class == SIZE_MAX) {
            for (size_t j = 0; j < second->n; j++) {
                row[j] = source->value(source->context, first->at[i], second->at[j]);
            }
            class = set_find(set, row);
            tried[n_tried++] = i;
            is_done = class != SIZE_MAX;
        }
        if (is_done) {
            classes_put(&r->first, i, class);
        }
    }
    free(tried);
    return is_done;
}

/* The second options by the classes of the first; the vectors of those are in set. */
static bool
fill_second(rig__relation *r, const vector_set *rows, vector_set *columns, double *column)
{
    for (size_t j = 0; j < r->second.members->n; j++) {
        for (size_t a = 0; a < r->first.n; a++) {
            column[a] = rows->items[a * rows->length + j];
        }
        const size_t class = set_find(columns, column);
        if (class == SIZE_MAX) {
            return false;
        }
        classes_put(&r->second, j, class);
    }
    return true;
}

rig_status rig__relation_fill(rig__relation *out,
                              const rig__relation_source *source,
                              rig__arena *arena,
                              rig_error *err)
{
    const size_t n_first = source->first->n, n_second = source->second->n;
    vector_set rows = {0}, columns = {0};
    double *vector = calloc((n_first > n_second ? n_first : n_second) + 1, sizeof *vector);
    *out = (rig__relation){.name = source->name};
    bool is_done = vector != NULL && classes_init(&out->first, source->first, arena) &&
                   classes_init(&out->second, source->second, arena) &&
                   set_init(&rows, n_second, n_first) && fill_first(out, source, &rows, vector) &&
                   set_init(&columns, out->first.n, n_second) &&
                   fill_second(out, &rows, &columns, vector);
    out->value =
        is_done ? rig__arena_alloc(arena, out->first.n * out->second.n + 1, sizeof(double)) : NULL;
    if (out->value != NULL) {
        for (size_t b = 0; b < out->second.n; b++) {
            for (size_t a = 0; a < out->first.n; a++) {
                out->value[a * out->second.n + b] = columns.items[b * out->first.n + a];
            }
        }
    }
    free(vector);
    set_fini(&rows);
    set_fini(&columns);
    return out->value == NULL ? rig__error_nomem(err) : RIG_OK;
}

double rig__relation_value(const rig__relation *relation, size_t first, size_t second)
{
    return relation
        ->value[relation->first.of[first] * relation->second.n + relation->second.of[second]];
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The shares of one segment as a matrix, seen from either side. */
typedef struct grid {
    rig__linear *linear;
    const char *name;
    const rig__segment *segment;
    rig__classes *across, *down; /* vectors run across; rows are made for each one down */
    const double *share;         /* [down][across] */
    double *term_across, *term_down;
} grid;

static double share_of(const rig__segment *segment, double value)
{
    if (segment->high <= segment->low) {
        return value >= segment->high ? 1 : 0;
    }
    const double share = (value - segment->low) / (segment->high - segment->low);
    return !(share > 0) ? 0 : share > 1 ? 1 : share;
}

/* Column whose value is the sum over a class. Must not be called within a row. */
static size_t class_column(grid *g, rig__classes *classes, size_t class)
{
    rig__linear *linear = g->linear;
    const rig__members *members = classes->members;
    if (classes->column[class] != SIZE_MAX) {
        return classes->column[class];
    }
    if (classes->size[class] == 1) {
        classes->column[class] = members->column[classes->first[class]];
        return classes->column[class];
    }
    classes->column[class] = rig__linear_column_add(
        linear,
        (rig__linear_column){
            .name = rig__linear_name(linear->arena, "class", linear->n_columns, g->name),
            .high = (double)INFINITY});
    rig__linear_row_begin(linear, g->name);
    for (size_t i = 0; i < members->n; i++) {
        if (classes->of[i] == class) {
            rig__linear_put(linear, members->column[i], 1);
        }
    }
    rig__linear_put(linear, classes->column[class], -1);
    rig__linear_row_end(linear, RIG__EQUAL, 0);
    return classes->column[class];
}

/* The more frequent of the terms 0 and 1: exactly one of a group is chosen, so it may be taken off
 * all of them and put on the right side, which leaves few entries. */
static double usual_term(const double *terms, size_t n)
{
    size_t n_zero = 0, n_one = 0;
    for (size_t i = 0; i < n; i++) {
        n_zero += terms[i] == 0;
        n_one += terms[i] == 1;
    }
    return n_one > n_zero ? 1 : 0;
}

static void make_columns(grid *g, rig__classes *classes, const double *terms, double usual)
{
    for (size_t i = 0; i < classes->n; i++) {
        if (terms[i] != usual) {
            (void)class_column(g, classes, i);
        }
    }
}

static void put_terms(grid *g, const rig__classes *classes, const double *terms, double usual)
{
    for (size_t i = 0; i < classes->n; i++) {
        if (terms[i] != usual) {
            rig__linear_put(g->linear, classes->column[i], usual - terms[i]);
        }
    }
}

/* variable <= sum across + sum down */
static void emit(grid *g)
{
    const double across = usual_term(g->term_across, g->across->n);
    const double down = usual_term(g->term_down, g->down->n);
    make_columns(g, g->across, g->term_across, across);
    make_columns(g, g->down, g->term_down, down);
    rig__linear_row_begin(g->linear, g->name);
    if (!g->segment->is_required) {
        rig__linear_put(g->linear, g->segment->column, 1);
    }
    put_terms(g, g->across, g->term_across, across);
    put_terms(g, g->down, g->term_down, down);
    rig__linear_row_end(g->linear, RIG__AT_MOST, across + down - (g->segment->is_required ? 1 : 0));
}

/* The row of one vector v. */
static void row_of(grid *g, const double *v)
{
    bool is_idle = true;
    for (size_t a = 0; a < g->across->n; a++) {
        g->term_across[a] = v == NULL ? 0 : v[a];
        is_idle = is_idle && g->term_across[a] == 1;
    }
    bool is_full = true;
    for (size_t b = 0; b < g->down->n; b++) {
        const double *u = g->share + b * g->across->n;
        double most = 0;
        for (size_t a = 0; a < g->across->n; a++) {
            most = fmax(most, u[a] - g->term_across[a]);
        }
        g->term_down[b] = most;
        is_full = is_full && most == 1;
    }
    if (!is_idle && !is_full) {
        emit(g);
    }
}

static bool rows_of(grid *g, const vector_set *vectors)
{
    g->term_across = calloc(g->across->n + 1, sizeof *g->term_across);
    g->term_down = calloc(g->down->n + 1, sizeof *g->term_down);
    const bool has_room = g->term_across != NULL && g->term_down != NULL;
    if (has_room) {
        row_of(g, NULL);
        for (size_t i = 0; vectors != NULL && i < vectors->n; i++) {
            row_of(g, vectors->items + i * vectors->length);
        }
    }
    free(g->term_across);
    free(g->term_down);
    return has_room;
}

static bool collect(vector_set *set, const double *share, size_t n, size_t length)
{
    bool is_done = set_init(set, length, n);
    for (size_t i = 0; i < n && is_done; i++) {
        is_done = set_find(set, share + i * length) != SIZE_MAX;
    }
    return is_done;
}

rig_status rig__relation_rows(rig__linear *linear,
                              rig__relation *relation,
                              const rig__segment *segment,
                              rig_error *err)
{
    const size_t n_first = relation->first.n, n_second = relation->second.n;
    double *by_first = calloc(n_first * n_second + 1, sizeof *by_first);
    double *by_second = calloc(n_first * n_second + 1, sizeof *by_second);
    vector_set first = {0}, second = {0};
    bool is_done = by_first != NULL && by_second != NULL;
    for (size_t a = 0; a < n_first && is_done; a++) {
        for (size_t b = 0; b < n_second; b++) {
            const double share = share_of(segment, relation->value[a * n_second + b]);
            by_first[a * n_second + b] = by_second[b * n_first + a] = share;
        }
    }
    is_done = is_done && collect(&first, by_first, n_first, n_second) &&
              collect(&second, by_second, n_second, n_first);
    if (is_done) {
        grid of_first = {.linear = linear,
                         .name = relation->name,
                         .segment = segment,
                         .across = &relation->second,
                         .down = &relation->first,
                         .share = by_first};
        grid of_second = of_first;
        of_second.across = &relation->first;
        of_second.down = &relation->second;
        of_second.share = by_second;
        /* all vectors of the side that has fewer */
        is_done = rows_of(&of_first, first.n < second.n ? &first : NULL) &&
                  rows_of(&of_second, first.n < second.n ? NULL : &second);
    }
    free(by_first);
    free(by_second);
    set_fini(&first);
    set_fini(&second);
    return is_done && !linear->is_nomem ? RIG_OK : rig__error_nomem(err);
}
