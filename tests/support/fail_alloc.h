/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fails the n-th allocation of the code under test, to sweep every out-of-memory path.
 *
 * Link fail_alloc.c and register the test with WRAP malloc calloc realloc. Only calls from objects
 * linked into the test are seen, not those inside shared libraries. */
#ifndef RIG_TESTS_FAIL_ALLOC_H
#define RIG_TESTS_FAIL_ALLOC_H

#include <stdbool.h>

/** The n-th allocation from now (1: the next one) fails, and only that one; 0: none fails.
 *  Starts counting anew. */
void fail_alloc_at(long n);

/** As fail_alloc_at, but all later ones fail too, as when memory is really gone. */
void fail_alloc_from(long n);

/** Stops failing. @return true if an allocation failed since the last start */
bool fail_alloc_stop(void);

/** Allocations since the last start. */
long fail_alloc_count(void);

#endif
