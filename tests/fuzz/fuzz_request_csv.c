/* SPDX-License-Identifier: GPL-3.0-or-later
 * Any bytes as a file of builds: no crash, and either builds that are whole or an error with a
 * message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/builds_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int is_true)
{
    if (!is_true) {
        abort();
    }
}

/** The shipped catalogue, so that names of a corpus are found; loaded once for all inputs. */
static const rig_catalog *catalog_get(void)
{
    static rig_catalog *catalog = NULL;
    if (catalog == NULL) {
        static const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data"};
        rig_catalog_options options = rig_catalog_options_default();
        options.directories = directories;
        options.n_directories = 1;
        require(rig_catalog_load(&catalog, &options, NULL) == RIG_OK);
    }
    return catalog;
}

static void check_build(const rig_build *build)
{
    for (size_t i = 0; i < RIG_N_BUILD_CLASSES; i++) {
        const rig_part_use *use = &build->parts[i];
        require((use->row == NULL) == (use->count == 0));
        require(use->count >= 0 && use->count <= 1024);
        require(use->row == NULL || (size_t)use->row->table == i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rig_build *builds = NULL;
    size_t n_builds = 0;
    rig_error err = {.status = RIG_OK, .message = ""};
    const rig_status status = rig__builds_read_memory(
        (const char *)data, size, "builds.csv", catalog_get(), &builds, &n_builds, &err);
    require((status == RIG_OK) == (builds != NULL));
    require((status == RIG_OK) == (n_builds > 0));
    require(status == RIG_OK || (err.status == status && err.message[0] != '\0'));
    for (size_t i = 0; i < n_builds; i++) {
        check_build(&builds[i]);
    }
    rig_builds_free(builds);
    return 0;
}
