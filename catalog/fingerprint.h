/* SPDX-License-Identifier: GPL-3.0-or-later
 * FNV-1a, 64 bits, of texts and values; the same on every machine. */
#ifndef RIG_CATALOG_FINGERPRINT_H
#define RIG_CATALOG_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

/* FNV offset basis. @source http://www.isthe.com/chongo/tech/comp/fnv/ */
#define RIG__FINGERPRINT_START UINT64_C(14695981039346656037)

uint64_t rig__fingerprint_bytes(uint64_t hash, const char *bytes, size_t length);
/** The text and its end, so that "ab" "c" differs from "a" "bc"; NULL differs from "". */
uint64_t rig__fingerprint_text(uint64_t hash, const char *text);
uint64_t rig__fingerprint_whole(uint64_t hash, uint64_t value);
/** -0 counts as 0, every NAN as the same. */
uint64_t rig__fingerprint_number(uint64_t hash, double value);

#endif
