/* SPDX-License-Identifier: GPL-3.0-or-later
 * The integer program over all options, without reduction or search, against the whole answer. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text.h"
#include "optimizer/prove.h"
#include "property.h"

enum { USUAL_CASES = 30, MOST_PRINTED = 10 };

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

/* Best choice of the unreduced program; *n_choices 0: proved that there is none. */
static void solve_whole(const property_case *c,
                        const rig_request *request,
                        int64_t *price_cents,
                        double *rate,
                        size_t *n_choices,
                        bool *applies)
{
    rig__cluster cluster;
    rig__found found = {0};
    rig__proof_work work = {0};
    rig__arena *arena = rig__arena_new();
    assert_non_null(arena);
    assert_int_equal(
        rig__cluster_new(&cluster, arena, c->catalog, c->constants, request, false, NULL), RIG_OK);
    rig__question question = rig__cluster_question(&cluster);
    question.top = 1;
    *applies = rig__program_applies(request, &question);
    if (*applies) {
        assert_int_equal(rig__cluster_by_program(&cluster, &question, &found, &work, NULL), RIG_OK);
        assert_true(found.is_complete);
        *n_choices = found.n_choices;
        if (found.n_choices > 0) {
            *price_cents = rig__choice_price(&found.choices[0]);
            *rate = rig__choice_all_rate(&found.choices[0]);
        }
    }
    rig__arena_free(arena);
}

static bool agrees(const property_case *c, const rig_request *request, bool *applies)
{
    int64_t price_cents = 0;
    double rate = 0;
    size_t n_choices = 0;
    solve_whole(c, request, &price_cents, &rate, &n_choices, applies);
    if (!*applies) {
        return true;
    }
    rig_result *result = property_recommend(c, request);
    const bool is_same =
        (result->n_builds > 0) == (n_choices > 0) &&
        (n_choices == 0 || (result->builds[0].price_cents == price_cents &&
                            rig__near(result->builds[0].prediction.images_per_s, rate)));
    rig_result_free(result);
    if (!is_same) {
        property_print(c, request, "the unreduced program disagrees");
    }
    return is_same;
}

static void test_search_by_program__agrees_without_reduction(void **state)
{
    static property_case c;
    const fixture *f = *state;
    const uint64_t first = property_first_seed(), n_cases = property_count(USUAL_CASES);
    uint64_t n_wrong = 0, n_solved = 0;
    if (rig_solver_find("glpk") == NULL) {
        skip();
    }
    for (uint64_t seed = first; seed < first + n_cases && n_wrong < MOST_PRINTED; seed++) {
        property_case_new(&c, seed, f->whole, f->directory);
        rig_request request = property_request(&c);
        bool applies = false;
        request.solver = "glpk";
        request.top = 1;
        n_wrong += !agrees(&c, &request, &applies);
        n_solved += applies;
        property_case_free(&c);
    }
    print_message("%" PRIu64 " slices, %" PRIu64 " programs\n", n_cases, n_solved);
    assert_int_equal(n_wrong, 0);
    assert_true(n_solved > n_cases / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_search_by_program__agrees_without_reduction, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
