/* SPDX-License-Identifier: GPL-3.0-or-later
 * Edit distance with swaps of neighbours, on short names. */
#include "cli/nearest.h"

#include <string.h>

#define MAX_NAME 40

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b. */
static size_t distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t rows[3][MAX_NAME + 1]; /* row i lives in rows[i % 3] */
    for (size_t j = 0; j <= n_b; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= n_a; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            const size_t cost = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + cost);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], above2[j - 2] + 1);
            }
        }
    }
    return rows[n_a % 3][n_b];
}

cli_nearest rig__cli_nearest_start(const char *text, size_t length)
{
    return (cli_nearest){.text = text, .length = length, .distance = (size_t)-1};
}

void rig__cli_nearest_offer(cli_nearest *nearest, const char *name)
{
    const size_t length = strlen(name);
    if (nearest->length == 0 || nearest->length > MAX_NAME || length > MAX_NAME) {
        return;
    }
    size_t found = distance(nearest->text, nearest->length, name, length);
    /* A beginning of the name is a likely abbreviation. */
    if (nearest->length >= 3 && nearest->length < length &&
        strncmp(nearest->text, name, nearest->length) == 0) {
        found = 1;
    }
    if (found < nearest->distance) {
        nearest->distance = found;
        nearest->best = name;
    }
}

const char *rig__cli_nearest_name(const cli_nearest *nearest)
{
    const size_t limit = nearest->length < 5 ? 1 : nearest->length < 8 ? 2 : 3;
    return nearest->distance <= limit ? nearest->best : NULL;
}
