/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tiny catalogue and its made-up measurements. */
#ifndef RIG_TESTS_ACCURACY_TINY_ROWS_H
#define RIG_TESTS_ACCURACY_TINY_ROWS_H

#include "support/assert_near.h"

#include "unit/catalog/temp_catalog.h"

#include "trainrig/accuracy.h"

#define TINY RIG_SOURCE_DIR "/tests/data/tiny_catalog"
#define TINY_ALIASES TINY "/measurements/aliases.csv"

typedef struct tiny {
    rig_catalog *catalog;
    rig_constants *constants;
} tiny;

static inline int tiny_set_up(void **state)
{
    static tiny own;
    static const char *const directories[] = {TINY "/catalog", TINY "/model"};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 2;
    if (rig_catalog_load(&own.catalog, &options, NULL) != RIG_OK ||
        rig_constants_new(&own.constants, own.catalog, NULL) != RIG_OK) {
        return -1;
    }
    *state = &own;
    return 0;
}

static inline int tiny_tear_down(void **state)
{
    tiny *const own = *state;
    rig_constants_free(own->constants);
    rig_catalog_free(own->catalog);
    return 0;
}

/** All made-up measurements. */
static inline rig_measurements *tiny_read(const tiny *own)
{
    static const char *const paths[] = {TINY "/measurements/mlperf_resnet50.csv",
                                        TINY "/measurements/gpu_training.csv",
                                        TINY "/measurements/cpu_preparation.csv",
                                        TINY "/measurements/storage.csv"};
    rig_measurements *out = NULL;
    rig_error err = {0};
    if (rig_measurements_read(&out, own->catalog, paths, 4, TINY_ALIASES, &err) != RIG_OK) {
        fail_msg("%s:%ld:%ld: %s", err.where, err.line, err.column, err.message);
    }
    return out;
}

/** Measurements of one file with this text. */
static inline rig_status
tiny_read_text(const tiny *own, const char *text, rig_measurements **out, rig_error *err)
{
    temp_catalog temp;
    temp_catalog_open(&temp);
    const char *const path = temp_catalog_write(&temp, "rows.csv", text);
    const rig_status status = rig_measurements_read(out, own->catalog, &path, 1, TINY_ALIASES, err);
    temp_catalog_close(&temp);
    return status;
}

#endif
