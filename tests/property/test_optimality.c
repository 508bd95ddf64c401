/* SPDX-License-Identifier: GPL-3.0-or-later
 * Recommendations against plain enumeration, on random catalogues and random requests. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "property.h"

enum { REQUESTS_PER_CASE = 2, USUAL_CASES = 1000 };

/* Most mismatches that are worth printing. */
enum { MOST_PRINTED = 10 };

typedef struct counts {
    uint64_t n_requests, n_feasible, n_wrong, n_machines;
} counts;

static int setup(void **state)
{
    *state = random_directory_new();
    return *state == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    random_directory_free(*state);
    return 0;
}

static void run_case(uint64_t seed, const char *directory, counts *sum)
{
    static property_case c;
    property_case_new(&c, seed, NULL, directory);
    sum->n_machines += c.machines.n_machines;
    for (int i = 0; i < REQUESTS_PER_CASE; i++) {
        const rig_request request = property_request(&c);
        oracle_answer best[PROPERTY_MAX_TOP];
        sum->n_requests++;
        sum->n_feasible += oracle_best(&c.machines, &request, best) > 0;
        sum->n_wrong += !property_agrees(&c, &request, "auto");
        if (seed % 4 == 0) {
            sum->n_wrong +=
                rig_solver_find("glpk") != NULL && !property_agrees(&c, &request, "glpk");
        }
        if (seed % 8 == 1) {
            sum->n_wrong += !property_agrees(&c, &request, "exhaustive");
        }
    }
    property_case_free(&c);
}

static void test_recommend__finds_what_enumeration_finds(void **state)
{
    const uint64_t n_cases = property_count(USUAL_CASES), first = property_first_seed();
    counts sum = {0};
    for (uint64_t seed = first; seed < first + n_cases && sum.n_wrong < MOST_PRINTED; seed++) {
        run_case(seed, *state, &sum);
    }
    print_message("%" PRIu64 " catalogues, %" PRIu64 " machines, %" PRIu64 " requests, %" PRIu64
                  " feasible\n",
                  n_cases,
                  sum.n_machines,
                  sum.n_requests,
                  sum.n_feasible);
    assert_int_equal(sum.n_wrong, 0);
    if (n_cases >= USUAL_CASES) { /* else the requests tried nothing */
        assert_true(sum.n_feasible > sum.n_requests / 4);
        assert_true(sum.n_feasible < sum.n_requests * 9 / 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_recommend__finds_what_enumeration_finds, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
