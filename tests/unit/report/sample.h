/* SPDX-License-Identifier: GPL-3.0-or-later
 * A result made by hand, and a sink that keeps what is written. */
#ifndef RIG_TESTS_REPORT_SAMPLE_H
#define RIG_TESTS_REPORT_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trainrig/report.h"

/* A name that attacks every format: quotes, separators, markup, a line break, an escape sequence, a
 * direction override and a byte that is not UTF-8. */
#define SAMPLE_HOSTILE "Bad \"GPU\", | <script>\nx\033[31m\xE2\x80\xAE\xFFz"
/* A name that a spreadsheet would run. */
#define SAMPLE_FORMULA "=1+2\"x"

/** Everything a test changes; made anew by sample_new. */
typedef struct sample {
    rig_cpu cpu;
    rig_gpu gpu;
    rig_memory memory;
    rig_storage storage;
    rig_board board;
    rig_psu psu;
    rig_chassis chassis;
    rig_server server;
    rig_network network;
    rig_dataset dataset;
    rig_loader loader;
    rig_stack stack;
    rig_condition conditions[1];
    rig_build_report builds[5];
    rig_conflict conflict[2];
    rig_result result;
} sample;

/** One build that was proved optimal. @return to be freed with free */
sample *sample_new(void);
/** As sample_new with n builds, 1..5, the last one a server. */
sample *sample_new_list(size_t n_builds);

/** Runs a report into a buffer of its own. @return the text, to be freed with free */
char *sample_write(const rig_result *result, bool is_prediction, const rig_report_options *options);
/** Options of a format, otherwise the defaults. */
rig_report_options sample_options(rig_format format);

/** Sink that appends to a growing text. */
typedef struct sample_text {
    char *bytes;
    size_t length;
} sample_text;
bool sample_sink(const char *bytes, size_t length, void *payload);
/** Sink that refuses everything. */
bool sample_broken_sink(const char *bytes, size_t length, void *payload);

/** Fails with both texts unless text holds part. */
void assert_contains(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);
/** Longest line in characters. */
size_t sample_widest(const char *text);
size_t sample_count(const char *text, const char *part);

#endif
