/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the first bytes of a file tell: another format by mistake, and the delimiter. */
#include "catalog/csv_head.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

typedef struct magic {
    const char *bytes;
    size_t n_bytes;
    const char *what, *hint;
} magic;

static const magic magics[] = {
    {"\xff\xfe", 2, "UTF-16 text", "save the file as \"CSV UTF-8\""},
    {"\xfe\xff", 2, "UTF-16 text", "save the file as \"CSV UTF-8\""},
    {"\x1f\x8b", 2, "a gzip-compressed file", "unpack it first: gzip -d"},
    {"BZh", 3, "a bzip2-compressed file", "unpack it first: bzip2 -d"},
    {"\3757zXZ", 5, "an xz-compressed file", "unpack it first: xz -d"},
    {"\x28\xb5\x2f\xfd", 4, "a zstd-compressed file", "unpack it first: zstd -d"},
    {"PK\x03\x04", 4, "an Excel or zip file", "open it and save as \"CSV UTF-8\""},
    {"PK\x05\x06", 4, "a zip file", "unpack it first"},
    {"\xd0\xcf\x11\xe0", 4, "an Excel file", "open it and save as \"CSV UTF-8\""},
    {"%PDF", 4, "a PDF file", NULL},
    {"<", 1, "an HTML or XML file", NULL},
    {"{", 1, "a JSON file", NULL},
};

rig_status rig__csv_head_check(const char *head, size_t length, const char *name, rig_error *err)
{
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
        const magic *const m = &magics[i];
        if (length < m->n_bytes || memcmp(head, m->bytes, m->n_bytes) != 0) {
            continue;
        }
        rig__error_set(
            err, RIG_E_PARSE, name, 1, 1, "this is %s (expected a CSV text file)", m->what);
        if (m->hint != NULL) {
            rig__error_hint(err, "%s", m->hint);
        }
        return RIG_E_PARSE;
    }
    return RIG_OK;
}

char rig__csv_head_delimiter(const char *head, size_t length)
{
    static const char candidates[] = {',', ';', '\t'};
    size_t counts[sizeof candidates] = {0};
    bool is_quoted = false;
    for (size_t i = 0; i < length; i++) {
        is_quoted = head[i] == '"' ? !is_quoted : is_quoted;
        for (size_t k = 0; k < sizeof candidates && !is_quoted; k++) {
            counts[k] += head[i] == candidates[k];
        }
    }
    size_t i_best = 0;
    for (size_t k = 1; k < sizeof candidates; k++) {
        i_best = counts[k] > counts[i_best] ? k : i_best;
    }
    return candidates[i_best];
}
