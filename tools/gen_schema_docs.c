/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prints docs/catalog-schema.md from the schema. */
#include <stdio.h>

#include "catalog/schema.h"

static void write_out(const char *text, void *payload)
{
    (void)fputs(text, payload);
}

int main(void)
{
    rig__schema_markdown(write_out, stdout);
    return ferror(stdout) != 0 || fflush(stdout) != 0;
}
