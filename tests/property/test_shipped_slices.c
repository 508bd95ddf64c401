/* SPDX-License-Identifier: GPL-3.0-or-later
 * Recommendations against plain enumeration, on slices of the catalogue that is shipped. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "property.h"

enum { REQUESTS_PER_CASE = 2, USUAL_CASES = 40, MOST_PRINTED = 10 };

typedef struct fixture {
    char *directory;
    rig_catalog *whole;
} fixture;

static int setup(void **state)
{
    static fixture f;
    const char *const directories[] = {RIG_SOURCE_DIR "/catalog/data",
                                       RIG_SOURCE_DIR "/model/data"};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = sizeof directories / sizeof *directories;
    f.directory = random_directory_new();
    *state = &f;
    return f.directory == NULL || rig_catalog_load(&f.whole, &options, NULL) != RIG_OK ? -1 : 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    random_directory_free(f->directory);
    rig_catalog_free(f->whole);
    return 0;
}

static void test_recommend__finds_what_enumeration_finds_in_slices(void **state)
{
    static property_case c;
    const fixture *f = *state;
    const uint64_t first = property_first_seed(), n_cases = property_count(USUAL_CASES);
    uint64_t n_wrong = 0, n_feasible = 0, n_machines = 0;
    for (uint64_t seed = first; seed < first + n_cases && n_wrong < MOST_PRINTED; seed++) {
        property_case_new(&c, seed, f->whole, f->directory);
        n_machines += c.machines.n_machines;
        for (int i = 0; i < REQUESTS_PER_CASE; i++) {
            const rig_request request = property_request(&c);
            oracle_answer best[PROPERTY_MAX_TOP];
            n_feasible += oracle_best(&c.machines, &request, best) > 0;
            n_wrong += !property_agrees(&c, &request, "auto");
            n_wrong += rig_solver_find("glpk") != NULL && !property_agrees(&c, &request, "glpk");
        }
        property_case_free(&c);
    }
    print_message("%" PRIu64 " slices, %" PRIu64 " machines, %" PRIu64 " feasible requests\n",
                  n_cases,
                  n_machines,
                  n_feasible);
    assert_int_equal(n_wrong, 0);
    assert_true(n_feasible > n_cases / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_recommend__finds_what_enumeration_finds_in_slices, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
