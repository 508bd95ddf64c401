/* SPDX-License-Identifier: GPL-3.0-or-later
 * Options that can still be part of a better solution, and the rules that remove others. */
#include "solvers/domains.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/choice.h"

#define WORD_BITS 64u

static size_t words_of(size_t n_bits)
{
    return (n_bits + WORD_BITS - 1) / WORD_BITS;
}

static void set_bit(uint64_t *words, size_t bit)
{
    words[bit / WORD_BITS] |= UINT64_C(1) << (bit % WORD_BITS);
}

/* Number of set bits, by adding neighbouring fields of growing width. */
static size_t count_bits(uint64_t word)
{
    word -= (word >> 1) & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + ((word >> 2) & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (size_t)((word * UINT64_C(0x0101010101010101)) >> 56);
}

/* Index of the lowest set bit of a word that is not 0: the top six bits of a de Bruijn sequence
 * differ for each shift. Source: H. S. Warren, "Hacker's Delight", section 5-4. */
static inline size_t lowest_bit(uint64_t word)
{
    /* clang-format off */
    static const unsigned char places[64] = {
        0, 1, 48, 2, 57, 49, 28, 3, 61, 58, 50, 42, 38, 29, 17, 4,
        62, 55, 59, 36, 53, 51, 43, 22, 45, 39, 33, 30, 24, 18, 12, 5,
        63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21, 44, 32, 23, 11,
        46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9, 13, 8, 7, 6,
    };
    /* clang-format on */
    return places[((word & (0 - word)) * UINT64_C(0x03f79d71b4cb0a89)) >> 58];
}

static bool init_pair(rig__domains *domains, size_t i_pair, rig__arena *arena)
{
    const rig_choice_pair *const pair = &domains->problem->pairs[i_pair];
    const size_t n_first = domains->problem->n_options[pair->first];
    const size_t n_second = domains->problem->n_options[pair->second];
    const size_t words_first = words_of(n_first);
    const size_t words_second = words_of(n_second);
    uint64_t *const by_first = rig__arena_alloc(arena, n_first * words_second, sizeof *by_first);
    uint64_t *const by_second = rig__arena_alloc(arena, n_second * words_first, sizeof *by_second);
    if (by_first == NULL || by_second == NULL) {
        return false;
    }
    for (size_t i = 0; i < n_first; i++) {
        for (size_t j = 0; j < n_second; j++) {
            if (pair->allowed[i * n_second + j] != 0) {
                set_bit(by_first + i * words_second, j);
                set_bit(by_second + j * words_first, i);
            }
        }
    }
    domains->allowed_second[i_pair] = by_first;
    domains->allowed_first[i_pair] = by_second;
    return true;
}

rig_status
rig__domains_init(rig__domains *domains, const rig_choice_problem *problem, rig__arena *arena)
{
    *domains = (rig__domains){.problem = problem};
    domains->n_options = rig__choice_count(problem);
    domains->word_start = rig__arena_alloc(arena, problem->n_groups + 1, sizeof(size_t));
    domains->option_start = rig__arena_alloc(arena, problem->n_groups + 1, sizeof(size_t));
    domains->allowed_second = rig__arena_alloc(arena, problem->n_pairs, sizeof(uint64_t *));
    domains->allowed_first = rig__arena_alloc(arena, problem->n_pairs, sizeof(uint64_t *));
    if (domains->word_start == NULL || domains->option_start == NULL ||
        domains->allowed_second == NULL || domains->allowed_first == NULL) {
        return RIG_E_NOMEM;
    }
    for (size_t g = 0; g < problem->n_groups; g++) {
        domains->option_start[g + 1] = domains->option_start[g] + problem->n_options[g];
        domains->word_start[g + 1] = domains->word_start[g] + words_of(problem->n_options[g]);
    }
    domains->n_words = domains->word_start[problem->n_groups];
    for (size_t p = 0; p < problem->n_pairs; p++) {
        if (!init_pair(domains, p, arena)) {
            return RIG_E_NOMEM;
        }
    }
    return RIG_OK;
}

rig__option_set *rig__domains_full(const rig__domains *domains, rig__arena *arena)
{
    rig__option_set *const set = rig__arena_alloc(arena, domains->n_words, sizeof *set);
    for (size_t g = 0; set != NULL && g < domains->problem->n_groups; g++) {
        for (size_t i = 0; i < domains->problem->n_options[g]; i++) {
            set_bit(set + domains->word_start[g], i);
        }
    }
    return set;
}

bool rig__domains_has(const rig__domains *domains,
                      const rig__option_set *set,
                      size_t group,
                      size_t option)
{
    const uint64_t word = set[domains->word_start[group] + option / WORD_BITS];
    return (word >> (option % WORD_BITS) & 1) != 0;
}

void rig__domains_remove(const rig__domains *domains,
                         rig__option_set *set,
                         size_t group,
                         size_t option)
{
    set[domains->word_start[group] + option / WORD_BITS] &= ~(UINT64_C(1) << (option % WORD_BITS));
}

void rig__domains_choose(const rig__domains *domains,
                         rig__option_set *set,
                         size_t group,
                         size_t option)
{
    for (size_t w = domains->word_start[group]; w < domains->word_start[group + 1]; w++) {
        set[w] = 0;
    }
    set_bit(set + domains->word_start[group], option);
}

size_t rig__domains_count(const rig__domains *domains, const rig__option_set *set, size_t group)
{
    size_t count = 0;
    for (size_t w = domains->word_start[group]; w < domains->word_start[group + 1]; w++) {
        count += count_bits(set[w]);
    }
    return count;
}

size_t rig__domains_next(const rig__domains *domains,
                         const rig__option_set *set,
                         size_t group,
                         size_t from)
{
    const size_t n_options = domains->problem->n_options[group];
    if (from >= n_options) {
        return n_options;
    }
    const uint64_t *const words = set + domains->word_start[group];
    size_t w = from / WORD_BITS;
    uint64_t word = words[w] & (UINT64_MAX << (from % WORD_BITS));
    while (word == 0) {
        if (++w == words_of(n_options)) {
            return n_options;
        }
        word = words[w];
    }
    return w * WORD_BITS + lowest_bit(word);
}

/* Walk over the options of a group that are left; the current one may be removed meanwhile. */
typedef struct walk {
    const uint64_t *words;
    size_t n_words;
    size_t w;
    uint64_t rest; /* of word w */
    size_t option;
    bool is_over;
} walk;

static inline void settle(walk *at)
{
    while (at->rest == 0) {
        if (++at->w >= at->n_words) {
            at->is_over = true;
            return;
        }
        at->rest = at->words[at->w];
    }
    at->option = at->w * WORD_BITS + lowest_bit(at->rest);
}

static inline walk begin(const rig__domains *domains, const rig__option_set *set, size_t group)
{
    walk at = {.words = set + domains->word_start[group]};
    at.n_words = domains->word_start[group + 1] - domains->word_start[group];
    at.rest = at.words[0];
    settle(&at);
    return at;
}

static inline void step(walk *at)
{
    at->rest &= at->rest - 1;
    settle(at);
}

static int64_t least_cost_of(const rig__domains *domains, const rig__option_set *set, size_t group)
{
    int64_t least = INT64_MAX;
    for (walk at = begin(domains, set, group); !at.is_over; step(&at)) {
        const size_t i = at.option;
        const int64_t cost = domains->problem->costs[group][i];
        least = cost < least ? cost : least;
    }
    return least;
}

int64_t rig__domains_least_cost(const rig__domains *domains, const rig__option_set *set)
{
    int64_t sum = 0;
    for (size_t g = 0; g < domains->problem->n_groups; g++) {
        sum += least_cost_of(domains, set, g);
    }
    return sum;
}

static bool has_empty_group(const rig__domains *domains, const rig__option_set *set)
{
    for (size_t g = 0; g < domains->problem->n_groups; g++) {
        const size_t n_options = domains->problem->n_options[g];
        if (rig__domains_next(domains, set, g, 0) == n_options) {
            return true;
        }
    }
    return false;
}

/* Options of the other groups at their least: those that even then cost too much go. */
static void remove_by_cost(const rig__domains *domains,
                           rig__option_set *set,
                           int64_t cost_below,
                           bool *is_dirty)
{
    if (cost_below == INT64_MAX) {
        return;
    }
    const int64_t least = rig__domains_least_cost(domains, set);
    for (size_t g = 0; g < domains->problem->n_groups; g++) {
        const int64_t others = least - least_cost_of(domains, set, g);
        for (walk at = begin(domains, set, g); !at.is_over; step(&at)) {
            const size_t i = at.option;
            if (others + domains->problem->costs[g][i] >= cost_below) {
                rig__domains_remove(domains, set, g, i);
                is_dirty[g] = true;
            }
        }
    }
}

static double least_price_of(const rig__domains *domains,
                             const rig__option_set *set,
                             size_t group,
                             double *magnitude)
{
    double least = (double)INFINITY;
    for (walk at = begin(domains, set, group); !at.is_over; step(&at)) {
        const size_t i = at.option;
        least = fmin(least, domains->price[domains->option_start[group] + i]);
    }
    *magnitude += fabs(least);
    return least;
}

/* As remove_by_cost with prices, which also count what the side conditions make dearer. */
static void remove_by_price(const rig__domains *domains,
                            rig__option_set *set,
                            int64_t cost_below,
                            bool *is_dirty)
{
    if (cost_below == INT64_MAX || domains->price == NULL) {
        return;
    }
    const size_t n_groups = domains->problem->n_groups;
    double least = domains->price_base;
    double magnitude = fabs(least);
    for (size_t g = 0; g < n_groups; g++) {
        least += least_price_of(domains, set, g, &magnitude);
    }
    for (size_t g = 0; g < n_groups; g++) {
        double size = magnitude;
        const double others = least - least_price_of(domains, set, g, &size);
        for (walk at = begin(domains, set, g); !at.is_over; step(&at)) {
            const size_t i = at.option;
            const double price = domains->price[domains->option_start[g] + i];
            const double rounding = (double)(n_groups + 4) * DBL_EPSILON * (size + fabs(price));
            /* costs are whole: what is above cost_below - 1 is at least cost_below */
            if (others + price - rounding > (double)(cost_below - 1)) {
                rig__domains_remove(domains, set, g, i);
                is_dirty[g] = true;
            }
        }
    }
}

/* Least coefficient of a group and the largest magnitude of one. */
static double least_coefficient(const rig__domains *domains,
                                const rig__option_set *set,
                                const rig_choice_row *row,
                                size_t group,
                                double *magnitude)
{
    if (row->coefficients == NULL || row->coefficients[group] == NULL) {
        *magnitude = 0.0;
        return 0.0;
    }
    double least = (double)INFINITY;
    double largest = 0.0;
    for (walk at = begin(domains, set, group); !at.is_over; step(&at)) {
        const size_t i = at.option;
        const double value = row->coefficients[group][i];
        least = value < least ? value : least;
        largest = fabs(value) > largest ? fabs(value) : largest;
    }
    *magnitude = largest;
    return least;
}

/* Options of the other groups at their least: those with which the row fails even then go. The
 * magnitude is the largest that a combination can have, so the tolerance is no smaller than that
 * of any of them; sums in another order differ by far less than it. */
static void remove_by_row(const rig__domains *domains,
                          rig__option_set *set,
                          const rig_choice_row *row,
                          bool *is_dirty)
{
    double least = 0.0;
    double magnitude = 0.0;
    for (size_t g = 0; g < domains->problem->n_groups; g++) {
        double largest = 0.0;
        least += least_coefficient(domains, set, row, g, &largest);
        magnitude += largest;
    }
    for (size_t g = 0; g < domains->problem->n_groups; g++) {
        double largest = 0.0;
        const double others = least - least_coefficient(domains, set, row, g, &largest);
        for (walk at = begin(domains, set, g); !at.is_over; step(&at)) {
            const size_t i = at.option;
            const double sum = others + rig__choice_coefficient(row, g, i);
            if (!rig__choice_row_holds(row, sum, magnitude)) {
                rig__domains_remove(domains, set, g, i);
                is_dirty[g] = true;
            }
        }
    }
}

static bool meets(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    for (size_t w = 0; w < n_words; w++) {
        if ((a[w] & b[w]) != 0) {
            return true;
        }
    }
    return false;
}

/* Options of group without an allowed partner left in other go. */
static void remove_by_pair(const rig__domains *domains,
                           rig__option_set *set,
                           const uint64_t *allowed,
                           size_t group,
                           size_t other,
                           bool *is_dirty)
{
    const size_t n_words = domains->word_start[other + 1] - domains->word_start[other];
    const uint64_t *const left = set + domains->word_start[other];
    for (walk at = begin(domains, set, group); !at.is_over; step(&at)) {
        const size_t i = at.option;
        if (!meets(allowed + i * n_words, left, n_words)) {
            rig__domains_remove(domains, set, group, i);
            is_dirty[group] = true;
        }
    }
}

/* Pairs of groups that have changed. was_dirty: in the last pass; is_dirty: in this one. */
static void remove_by_pairs(const rig__domains *domains,
                            rig__option_set *set,
                            const bool *was_dirty,
                            bool *is_dirty)
{
    for (size_t p = 0; p < domains->problem->n_pairs; p++) {
        const size_t first = domains->problem->pairs[p].first;
        const size_t second = domains->problem->pairs[p].second;
        if (was_dirty[second] || is_dirty[second]) {
            remove_by_pair(domains, set, domains->allowed_second[p], first, second, is_dirty);
        }
        if (was_dirty[first] || is_dirty[first]) {
            remove_by_pair(domains, set, domains->allowed_first[p], second, first, is_dirty);
        }
    }
}

bool rig__domains_propagate(const rig__domains *domains,
                            rig__option_set *set,
                            int64_t cost_below,
                            size_t changed)
{
    const rig_choice_problem *const problem = domains->problem;
    bool was_dirty[RIG__GROUPS_MAX];
    bool is_dirty[RIG__GROUPS_MAX];
    for (size_t g = 0; g < problem->n_groups; g++) {
        is_dirty[g] = changed == g || changed >= problem->n_groups;
    }
    for (bool is_changed = true; is_changed;) {
        memcpy(was_dirty, is_dirty, problem->n_groups);
        memset(is_dirty, 0, problem->n_groups);
        if (has_empty_group(domains, set)) {
            return false;
        }
        remove_by_price(domains, set, cost_below, is_dirty);
        if (has_empty_group(domains, set)) {
            return false;
        }
        remove_by_cost(domains, set, cost_below, is_dirty);
        remove_by_pairs(domains, set, was_dirty, is_dirty);
        for (size_t r = 0; r < problem->n_rows && !has_empty_group(domains, set); r++) {
            remove_by_row(domains, set, &problem->rows[r], is_dirty);
        }
        is_changed = memchr(is_dirty, true, problem->n_groups) != NULL;
    }
    return !has_empty_group(domains, set);
}
