/* SPDX-License-Identifier: GPL-3.0-or-later
 * Programs of whole requests: what is refused, the same bytes again, and answers that are wrong. */
#include "trainrig/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"
#include "support/fail_alloc.h"

enum { MOST_NAME = 128, MOST_CHOSEN = 8, MOST_BYTES = 1 << 20 };

typedef struct text {
    char bytes[MOST_BYTES];
    size_t n;
} text;

static bool put_text(const char *bytes, size_t length, void *payload)
{
    text *t = payload;
    assert_true(t->n + length < sizeof t->bytes);
    memcpy(t->bytes + t->n, bytes, length);
    t->n += length;
    t->bytes[t->n] = '\0';
    return true;
}

static rig_request request_of(const fixture *fix)
{
    rig_request request = rig_request_default();
    request.workload = fix->workload;
    request.budget_cents = 100000000;
    request.top = 1;
    return request;
}

static rig_program *program_of(const fixture *fix, const rig_request *request, bool is_full)
{
    rig_program *program = NULL;
    rig_error err = {0};
    if (rig_program_new(&program, fix->catalog, &fix->constants, request, is_full, &err) !=
        RIG_OK) {
        fail_msg("%s", err.message);
    }
    return program;
}

static void test_new__refuses_what_is_not_linear(void **state)
{
    const fixture *fix = *state;
    rig_request request = request_of(fix);
    rig_program *program = NULL;
    rig_error err = {0};
    request.objective = RIG_OBJECTIVE_COST_PER_EPOCH;
    assert_int_equal(
        rig_program_new(&program, fix->catalog, &fix->constants, &request, false, &err),
        RIG_E_INVALID);
    assert_non_null(strstr(err.message, "cost-per-epoch"));
    request.objective = RIG_OBJECTIVE_EPOCH_TIME;
    request.workload.is_overlapped = false;
    assert_int_equal(
        rig_program_new(&program, fix->catalog, &fix->constants, &request, false, &err),
        RIG_E_INVALID);
    request.workload.is_overlapped = true;
    request.budget_cents = -1;
    assert_int_equal(
        rig_program_new(&program, fix->catalog, &fix->constants, &request, false, &err),
        RIG_E_INVALID);
    assert_null(program);
    rig_program_free(NULL);
}

static void test_write__gives_the_same_bytes_again(void **state)
{
    static text first, second;
    const fixture *fix = *state;
    const rig_request request = request_of(fix);
    for (int form = RIG_PROGRAM_LP; form <= RIG_PROGRAM_MPS; form++) {
        rig_program *a = program_of(fix, &request, true), *b = program_of(fix, &request, true);
        first.n = second.n = 0;
        assert_int_equal(rig_program_write(a, (rig_program_format)form, put_text, &first, NULL),
                         RIG_OK);
        assert_int_equal(rig_program_write(b, (rig_program_format)form, put_text, &second, NULL),
                         RIG_OK);
        assert_string_equal(first.bytes, second.bytes);
        rig_program_free(a);
        rig_program_free(b);
    }
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Names of the columns of an LP text that are binary, one after the other. */
static const char *next_binary(const char *at, char name[MOST_NAME])
{
    at = strstr(at, "\n ") == NULL ? NULL : strstr(at, "\n ") + 2;
    const size_t length = at == NULL ? 0 : strcspn(at, "\n");
    assert_true(length < MOST_NAME);
    if (length > 0) {
        memcpy(name, at, length);
        name[length] = '\0';
    }
    return length == 0 ? NULL : at;
}

typedef struct answer {
    const fixture *fix;
    rig_program *program;
    char marker[MOST_NAME];              /* first column */
    char chosen[MOST_CHOSEN][MOST_NAME]; /* columns of the best build of the request */
    size_t n_chosen;
    rig_result *result;
    rig_error err;
} answer;

static void answer_init(answer *a, const fixture *fix, const rig_request *request)
{
    static const char *const kinds[] = {"host", "gpu", "memory", "drives", "supply", "chassis"};
    static text t;
    memset(a, 0, sizeof *a);
    a->fix = fix;
    a->program = program_of(fix, request, true);
    t.n = 0;
    assert_int_equal(rig_program_write(a->program, RIG_PROGRAM_LP, put_text, &t, NULL), RIG_OK);
    (void)snprintf(a->marker,
                   sizeof a->marker,
                   "program_%016llx",
                   (unsigned long long)rig_program_size_get(a->program).fingerprint);
    const char *const binaries = strstr(t.bytes, "\nBinaries");
    assert_non_null(binaries);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) { /* first of each kind */
        const char *at = binaries + 1;
        char name[MOST_NAME];
        while ((at = next_binary(at, name)) != NULL) {
            if (strncmp(name, kinds[kind], strlen(kinds[kind])) == 0) {
                (void)snprintf(a->chosen[a->n_chosen++], MOST_NAME, "%s", name);
                break;
            }
        }
    }
    assert_int_equal(a->n_chosen, 6);
}

static void answer_fini(answer *a)
{
    rig_result_free(a->result);
    rig_program_free(a->program);
}

/* Reads text as a solution file. */
static rig_status answer_read(answer *a, const char *bytes)
{
    char path[] = "/tmp/trainrig-program-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    assert_true(fputs(bytes, file) >= 0);
    assert_int_equal(fclose(file), 0);
    rig_result_free(a->result);
    memset(&a->err, 0, sizeof a->err);
    const rig_status status = rig_program_solution_read(&a->result, a->program, path, &a->err);
    (void)unlink(path);
    return status;
}

/* A cbc file with the marker, the first option of each kind but those skipped, and a tail. */
static const char *cbc_file(const answer *a, const char *marker, size_t skipped, const char *tail)
{
    static char bytes[4096];
    int n = snprintf(bytes, sizeof bytes, "Optimal - objective value 0\n 0 %s 1 0\n", marker);
    for (size_t i = 0; i < a->n_chosen; i++) {
        if (i != skipped) {
            n += snprintf(bytes + n, sizeof bytes - (size_t)n, " 1 %s 1 0\n", a->chosen[i]);
        }
    }
    (void)snprintf(bytes + n, sizeof bytes - (size_t)n, "%s", tail);
    return bytes;
}

static void expect(answer *a, const char *bytes, const char *message)
{
    const rig_status status = answer_read(a, bytes);
    if (status != RIG_E_INVALID || strncmp(a->err.message, message, strlen(message)) != 0) {
        fail_msg("'%s' (%s) instead of '%s'", a->err.message, rig_status_name(status), message);
    }
    assert_null(a->result);
}

static void test_solution_read__refuses_wrong_answers(void **state)
{
    enum { NONE = 99 };
    const rig_request request = request_of(*state);
    char tail[512];
    answer a;
    answer_init(&a, *state, &request);
    expect(&a,
           cbc_file(&a, "program_0123456789abcdef", NONE, ""),
           "a column of another program: 'program_0123456789abcdef'");
    expect(&a, cbc_file(&a, a.chosen[0], NONE, ""), "no value of column program_");
    expect(&a, cbc_file(&a, a.marker, 3, ""), "no option of one kind is bought: 'drives'");
    expect(&a, cbc_file(&a, a.marker, NONE, " 9 $(rm) 1 0\n"), "a column of another program");
    (void)snprintf(tail, sizeof tail, " 1 %s 0.5 0\n", a.chosen[1]);
    expect(&a, cbc_file(&a, a.marker, NONE, tail), "an option is bought in part");
    (void)snprintf(tail, sizeof tail, " 1 %s 1e30 0\n", a.chosen[1]);
    expect(&a, cbc_file(&a, a.marker, NONE, tail), "an option is bought in part");
    expect(&a, "s mip 1 2 o 0\nj 1 1\ne o f\n", "number of columns of another program: '2'");
    expect(&a, "Infeasible - objective value 0\n", "a proof that nothing can be bought");
    expect(&a, "Stopped on time (no integer solution) - objective value 0\n", "no solution was");
    (void)snprintf(tail,
                   sizeof tail,
                   "s mip 1 %zu o 0\nj 99999999 1\ne o f\n",
                   rig_program_size_get(a.program).n_columns);
    expect(&a, tail, "no such column");
    answer_fini(&a);
}

/* The first options of each kind hardly go together; whatever they are, nothing bad passes. */
static void test_solution_read__refuses_a_machine_that_breaks_a_rule(void **state)
{
    const rig_request request = request_of(*state);
    answer a;
    answer_init(&a, *state, &request);
    const rig_status status = answer_read(&a, cbc_file(&a, a.marker, 99, ""));
    if (status == RIG_OK) {
        assert_int_equal(a.result->n_builds, 1);
        assert_int_equal(
            rig_build_check(
                &a.result->builds[0].build, a.fix->catalog, &a.fix->constants, true, NULL, 0),
            0);
    } else {
        assert_int_equal(status, RIG_E_INVALID);
        assert_non_null(strstr(a.err.message, "breaks a rule"));
    }
    answer_fini(&a);
}

static void test_solution_read__takes_an_infeasible_answer_when_it_is_true(void **state)
{
    rig_request request = request_of(*state);
    answer a = {.fix = *state};
    request.budget_cents = 1;
    a.program = program_of(*state, &request, false);
    assert_int_equal(answer_read(&a, "Infeasible - objective value 0\n"), RIG_OK);
    assert_int_equal(a.result->outcome, RIG_OUTCOME_INFEASIBLE);
    assert_true(a.result->n_conflict > 0);
    answer_fini(&a);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool count_bytes(const char *bytes, size_t length, void *payload)
{
    (void)bytes;
    *(size_t *)payload += length;
    return true;
}

static void test_new__survives_any_failed_allocation(void **state)
{
    const fixture *fix = *state;
    const rig_request request = request_of(fix);
    for (long n = 1;; n++) {
        rig_program *program = NULL;
        size_t length = 0;
        fail_alloc_at(n);
        rig_status status =
            rig_program_new(&program, fix->catalog, &fix->constants, &request, n % 2 == 0, NULL);
        if (status == RIG_OK) {
            status = rig_program_write(program, RIG_PROGRAM_MPS, count_bytes, &length, NULL);
        }
        const bool has_failed = fail_alloc_stop();
        rig_program_free(program);
        assert_int_equal(status, has_failed ? RIG_E_NOMEM : RIG_OK);
        if (!has_failed) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new__refuses_what_is_not_linear),
        cmocka_unit_test(test_write__gives_the_same_bytes_again),
        cmocka_unit_test(test_solution_read__refuses_wrong_answers),
        cmocka_unit_test(test_solution_read__refuses_a_machine_that_breaks_a_rule),
        cmocka_unit_test(test_solution_read__takes_an_infeasible_answer_when_it_is_true),
        cmocka_unit_test(test_new__survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
