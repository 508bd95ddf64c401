/* SPDX-License-Identifier: GPL-3.0-or-later
 * FNV-1a, 64 bits, of texts and values. */
#include "catalog/fingerprint.h"

#include <math.h>
#include <string.h>

/* FNV prime. @source http://www.isthe.com/chongo/tech/comp/fnv/ */
#define FNV_PRIME UINT64_C(1099511628211)

uint64_t rig__fingerprint_bytes(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
    }
    return hash;
}

uint64_t rig__fingerprint_text(uint64_t hash, const char *text)
{
    /* 0xff and 0xfe never occur in UTF-8. */
    if (text == NULL) {
        return (hash ^ 0xfeU) * FNV_PRIME;
    }
    return (rig__fingerprint_bytes(hash, text, strlen(text)) ^ 0xffU) * FNV_PRIME;
}

uint64_t rig__fingerprint_whole(uint64_t hash, uint64_t value)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        hash = (hash ^ ((value >> shift) & 0xffU)) * FNV_PRIME;
    }
    return hash;
}

uint64_t rig__fingerprint_number(uint64_t hash, double value)
{
    uint64_t bits = 0;
    const double plain = value + 0.0; /* -0 + 0 = 0 */
    if (!isnan(plain)) {
        memcpy(&bits, &plain, sizeof bits);
    } else {
        bits = UINT64_MAX;
    }
    return rig__fingerprint_whole(hash, bits);
}
