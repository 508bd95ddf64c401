/* SPDX-License-Identifier: GPL-3.0-or-later
 * Catalogue directories made for one test. */
#ifndef RIG_TESTS_TEMP_CATALOG_H
#define RIG_TESTS_TEMP_CATALOG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TEMP_FILES_MAX 16

typedef struct temp_catalog {
    char path[64];
    char files[TEMP_FILES_MAX][128];
    size_t n_files;
} temp_catalog;

static inline void temp_catalog_open(temp_catalog *temp)
{
    memset(temp, 0, sizeof *temp);
    snprintf(temp->path, sizeof temp->path, "/tmp/trainrig-test-XXXXXX");
    assert_non_null(mkdtemp(temp->path));
}

/** Writes a file of the directory and returns its path. */
static inline const char *temp_catalog_write(temp_catalog *temp, const char *name, const char *text)
{
    assert_true(temp->n_files < TEMP_FILES_MAX);
    char *const path = temp->files[temp->n_files++];
    const size_t n_path = strlen(temp->path);
    assert_true(n_path + strlen(name) + 2 < sizeof temp->files[0]);
    memcpy(path, temp->path, n_path);
    path[n_path] = '/';
    memcpy(path + n_path + 1, name, strlen(name) + 1);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline void temp_catalog_close(temp_catalog *temp)
{
    for (size_t i = 0; i < temp->n_files; i++) {
        unlink(temp->files[i]);
    }
    rmdir(temp->path);
}

#endif
