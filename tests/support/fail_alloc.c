/* SPDX-License-Identifier: GPL-3.0-or-later
 * Wrappers of malloc, calloc and realloc that fail on demand (ld --wrap). */
#include "support/fail_alloc.h"

#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);

static long n_calls;
static long fail_first;
static long fail_last;
static bool has_failed;

static void start(long first, long last)
{
    n_calls = 0;
    fail_first = first;
    fail_last = last;
    has_failed = false;
}

void fail_alloc_at(long n)
{
    start(n, n);
}

void fail_alloc_from(long n)
{
    start(n, -1);
}

bool fail_alloc_stop(void)
{
    fail_first = 0;
    return has_failed;
}

long fail_alloc_count(void)
{
    return n_calls;
}

static bool must_fail(void)
{
    n_calls++;
    if (fail_first == 0 || n_calls < fail_first || (fail_last >= 0 && n_calls > fail_last)) {
        return false;
    }
    has_failed = true;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return must_fail() ? NULL : __real_realloc(pointer, size);
}
