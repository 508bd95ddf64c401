/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every allocation of every report fails once: an error, no leak, no crash. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/builds_reader.h"
#include "sample.h"
#include "small_catalog.h"
#include "support/fail_alloc.h"

/* More allocations than any of the reports needs. */
#define MOST_ALLOCATIONS 20000

typedef rig_status (*action)(void *payload, rig_error *err);

/** Does the action with the n-th allocation failing, until it needs fewer than n. */
static void sweep(action act, void *payload)
{
    bool has_failed = true;
    for (long n = 1; has_failed && n < MOST_ALLOCATIONS; n++) {
        rig_error err = {.status = RIG_OK};
        fail_alloc_from(n);
        const rig_status status = act(payload, &err);
        has_failed = fail_alloc_stop();
        assert_int_equal(status, has_failed ? RIG_E_NOMEM : RIG_OK);
        assert_int_equal(err.status, has_failed ? RIG_E_NOMEM : RIG_OK);
    }
    assert_false(has_failed);
}

static bool drop(const char *bytes, size_t length, void *payload)
{
    (void)bytes;
    (void)length;
    (void)payload;
    return true;
}

typedef struct job {
    sample *s;
    rig_report_options options;
    const rig_catalog *catalog;
    const char *text;
} job;

static rig_status report_result(void *payload, rig_error *err)
{
    job *work = payload;
    return rig_report_result(&work->s->result, false, &work->options, drop, NULL, err);
}

static rig_status report_frontier(void *payload, rig_error *err)
{
    job *work = payload;
    return rig_report_frontier(&work->s->result, 1, &work->options, drop, NULL, err);
}

static rig_status report_rows(void *payload, rig_error *err)
{
    job *work = payload;
    const rig_row *const rows[] = {&work->s->cpu.row, &work->s->cpu.row};
    return rig_report_rows(NULL, rows, 2, NULL, 0, &work->options, drop, NULL, err);
}

static rig_status read_builds(void *payload, rig_error *err)
{
    job *work = payload;
    rig_build *builds = NULL;
    size_t n_builds = 0;
    const rig_status status = rig__builds_read_memory(
        work->text, strlen(work->text), "b.csv", work->catalog, &builds, &n_builds, err);
    assert_int_equal(status == RIG_OK, builds != NULL);
    rig_builds_free(builds);
    return status;
}

static void test_report__survives_every_failure(void **state)
{
    (void)state;
    job work = {.s = sample_new_list(2)};
    work.s->result.request.top = 2;
    for (int format = RIG_FORMAT_TABLE; format <= RIG_FORMAT_HTML; format++) {
        work.options = sample_options((rig_format)format);
        work.options.is_verbose = true;
        sweep(report_result, &work);
        sweep(report_frontier, &work);
        sweep(report_rows, &work);
    }
    free(work.s);
}

static void test_builds_read__survives_every_failure(void **state)
{
    (void)state;
    rig_catalog *catalog = small_catalog_load();
    job work = {
        .catalog = catalog,
        .text = "rank,class,name\n1,gpu,rtx 4090\n200,cpu,'=1+2\n",
    };
    sweep(read_builds, &work);
    work.text = "gpu_name,gpu_count,unnamed_cores\nrtx 4090,2,8\n-Minus|Card,1,\n";
    sweep(read_builds, &work);
    rig_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__survives_every_failure),
        cmocka_unit_test(test_builds_read__survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
