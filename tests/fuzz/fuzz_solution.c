/* SPDX-License-Identifier: GPL-3.0-or-later
 * Solution files of other solvers, read from arbitrary bytes. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "optimizer/solution_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/trainrig-fuzz-XXXXXX";
    const int descriptor = mkstemp(path);
    rig__arena *arena = rig__arena_new();
    rig__solution solution;
    rig_error err = {0};
    if (descriptor < 0 || arena == NULL || write(descriptor, data, size) != (ssize_t)size) {
        abort();
    }
    close(descriptor);
    if (rig__solution_read(&solution, path, arena, &err) == RIG_OK) {
        for (size_t i = 0; i < solution.n_values; i++) {
            if (solution.values[i].name == NULL && solution.values[i].number > 1000000000) {
                abort();
            }
        }
    }
    unlink(path);
    rig__arena_free(arena);
    return 0;
}
