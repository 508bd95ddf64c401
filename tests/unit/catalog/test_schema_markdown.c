/* SPDX-License-Identifier: GPL-3.0-or-later
 * docs/catalog-schema.md is what the schema says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalog/schema.h"

typedef struct comparison {
    FILE *file;
    long line;
    bool is_equal;
} comparison;

static void compare(const char *text, void *payload)
{
    comparison *const with = payload;
    for (; *text != '\0' && with->is_equal; text++) {
        with->is_equal = getc(with->file) == (unsigned char)*text;
        with->line += *text == '\n';
    }
}

static void test_markdown__file_is_current(void **state)
{
    (void)state;
    comparison with = {fopen(RIG_SOURCE_DIR "/docs/catalog-schema.md", "rb"), 1, true};
    assert_non_null(with.file);
    rig__schema_markdown(compare, &with);
    const bool is_end = getc(with.file) == EOF;
    fclose(with.file);
    if (!with.is_equal || !is_end) {
        fail_msg("docs/catalog-schema.md differs at line %ld: write it again with gen_schema_docs",
                 with.line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_markdown__file_is_current)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
