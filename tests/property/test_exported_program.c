/* SPDX-License-Identifier: GPL-3.0-or-later
 * The exported program of random requests, solved by GLPK from the file and read back, against the
 * recommendation. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glpk.h>

#include <cmocka.h>

#include "base/text.h"
#include "property.h"
#include "trainrig/program.h"

enum { RANDOM_CASES = 150, SLICE_CASES = 40, MOST_PRINTED = 10, MOST_PATH = 256 };

/* How the solution goes back. */
typedef enum answer_form { FORM_WRITE, FORM_OUTPUT, FORM_CBC, FORM_HIGHS, N_FORMS } answer_form;

typedef struct fixture {
    char *directory;
    rig_catalog *whole;
    char program[MOST_PATH], solution[MOST_PATH];
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
    if (f.directory == NULL || rig_catalog_load(&f.whole, &options, NULL) != RIG_OK) {
        return -1;
    }
    (void)snprintf(f.program, sizeof f.program, "%s.program", f.directory);
    (void)snprintf(f.solution, sizeof f.solution, "%s.solution", f.directory);
    (void)glp_term_out(GLP_OFF);
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    (void)unlink(f->program);
    (void)unlink(f->solution);
    random_directory_free(f->directory);
    rig_catalog_free(f->whole);
    (void)glp_free_env();
    return 0;
}

static bool put_bytes(const char *bytes, size_t length, void *payload)
{
    return fwrite(bytes, 1, length, payload) == length;
}

static void write_program(const fixture *f, const rig_program *program, rig_program_format format)
{
    FILE *file = fopen(f->program, "w");
    assert_non_null(file);
    assert_int_equal(rig_program_write(program, format, put_bytes, file, NULL), RIG_OK);
    assert_int_equal(fclose(file), 0);
}

static glp_prob *solve_file(const fixture *f, rig_program_format format)
{
    glp_prob *problem = glp_create_prob();
    const int code = format == RIG_PROGRAM_MPS
                         ? glp_read_mps(problem, GLP_MPS_FILE, NULL, f->program)
                         : glp_read_lp(problem, NULL, f->program);
    assert_int_equal(code, 0);
    glp_iocp parm;
    glp_init_iocp(&parm);
    parm.presolve = GLP_ON;
    parm.msg_lev = GLP_MSG_OFF;
    const int solved = glp_intopt(problem, &parm);
    assert_true(solved == 0 || solved == GLP_ENOPFS);
    return problem;
}

/* The forms that GLPK does not write itself, as cbc 2.10 and HiGHS 1.7 write them. */
static void write_foreign(const fixture *f, glp_prob *problem, bool is_highs)
{
    FILE *file = fopen(f->solution, "w");
    assert_non_null(file);
    const bool has_none = glp_mip_status(problem) == GLP_NOFEAS;
    const int n = glp_get_num_cols(problem);
    if (is_highs) {
        fprintf(file,
                "Model status\n%s\n\n# Primal solution values\n%s\n",
                has_none ? "Infeasible" : "Optimal",
                has_none ? "None" : "Feasible");
        if (!has_none) {
            fprintf(file, "Objective %.17g\n# Columns %d\n", glp_mip_obj_val(problem), n);
        }
    } else {
        fprintf(file,
                "%s - objective value %.8f\n",
                has_none ? "Infeasible" : "Optimal",
                glp_mip_obj_val(problem));
    }
    for (int j = 1; j <= n && !has_none; j++) {
        const double value = glp_mip_col_val(problem, j);
        if (is_highs) {
            fprintf(file, "%s %.17g\n", glp_get_col_name(problem, j), value);
        } else if (value != 0) {
            fprintf(file, "%7d %s %25.15g %25d\n", j - 1, glp_get_col_name(problem, j), value, 0);
        }
    }
    assert_int_equal(fclose(file), 0);
}

static void write_solution(const fixture *f, glp_prob *problem, answer_form form)
{
    switch (form) {
    case FORM_WRITE:
        assert_int_equal(glp_write_mip(problem, f->solution), 0);
        break;
    case FORM_OUTPUT:
        assert_int_equal(glp_print_mip(problem, f->solution), 0);
        break;
    default:
        write_foreign(f, problem, form == FORM_HIGHS);
    }
}

/* Is the answer that was read back as good as the recommendation? */
static const char *
difference(const rig_request *request, const rig_result *read, const rig_result *own)
{
    if (read->outcome != own->outcome || read->n_builds != own->n_builds) {
        return "another outcome";
    }
    if (own->n_builds == 0) {
        return NULL;
    }
    if (request->objective == RIG_OBJECTIVE_PRICE) {
        return read->builds[0].price_cents == own->builds[0].price_cents ? NULL : "another price";
    }
    return rig__near(read->builds[0].prediction.images_per_s,
                     own->builds[0].prediction.images_per_s)
               ? NULL
               : "another rate";
}

static bool agrees(const fixture *f,
                   const property_case *c,
                   const rig_request *request,
                   const rig_result *own,
                   bool is_full,
                   answer_form form)
{
    rig_program *program = NULL;
    rig_result *read = NULL;
    rig_error err = {0};
    const rig_program_format format =
        c->seed % 2 == 0 || is_full ? RIG_PROGRAM_MPS : RIG_PROGRAM_LP;
    assert_int_equal(rig_program_new(&program, c->catalog, c->constants, request, is_full, &err),
                     RIG_OK);
    write_program(f, program, format);
    glp_prob *problem = solve_file(f, format);
    assert_int_equal(glp_get_num_cols(problem), rig_program_size_get(program).n_columns);
    assert_int_equal(glp_get_num_int(problem), rig_program_size_get(program).n_integers);
    write_solution(f, problem, form);
    glp_delete_prob(problem);
    const rig_status status = rig_program_solution_read(&read, program, f->solution, &err);
    const char *what = status == RIG_OK ? difference(request, read, own) : err.message;
    if (what != NULL) {
        property_print(c, request, what);
        print_error("  %s program, answer in form %d\n", is_full ? "full" : "reduced", (int)form);
    }
    rig_result_free(read);
    rig_program_free(program);
    return what == NULL;
}

static bool is_linear(const rig_request *request)
{
    return request->workload.is_overlapped && (request->objective == RIG_OBJECTIVE_EPOCH_TIME ||
                                               request->objective == RIG_OBJECTIVE_PRICE);
}

/* @return programs that did not agree */
static uint64_t
run_case(const fixture *f, property_case *c, uint64_t *n_programs, uint64_t *n_builds)
{
    rig_request request = property_request(c);
    rig_program *program = NULL;
    request.top = 1;
    if (!is_linear(&request)) {
        assert_int_equal(rig_program_new(&program, c->catalog, c->constants, &request, false, NULL),
                         RIG_E_INVALID);
        assert_null(program);
        return 0;
    }
    rig_result *own = property_recommend(c, &request);
    const answer_form form = (answer_form)(*n_programs / 2 % N_FORMS);
    const uint64_t n_wrong = (uint64_t)!agrees(f, c, &request, own, false, form) +
                             (uint64_t)!agrees(f, c, &request, own, true, form);
    *n_programs += 2;
    *n_builds += own->n_builds;
    rig_result_free(own);
    return n_wrong;
}

static void run_cases(const fixture *f, const rig_catalog *whole, uint64_t n_cases)
{
    static property_case c;
    uint64_t n_wrong = 0, n_programs = 0, n_builds = 0;
    const uint64_t first = property_first_seed();
    for (uint64_t seed = first; seed < first + n_cases && n_wrong < MOST_PRINTED; seed++) {
        property_case_new(&c, seed, whole, f->directory);
        n_wrong += run_case(f, &c, &n_programs, &n_builds);
        property_case_free(&c);
    }
    print_message("%" PRIu64 " cases, %" PRIu64 " programs, %" PRIu64 " with a build\n",
                  n_cases,
                  n_programs,
                  2 * n_builds);
    assert_int_equal(n_wrong, 0);
    assert_true(n_programs > n_cases / 2);
    assert_true(n_builds > 0);
}

static void test_program__has_the_same_optimum_on_random_catalogues(void **state)
{
    run_cases(*state, NULL, property_count(RANDOM_CASES));
}

static void test_program__has_the_same_optimum_on_slices(void **state)
{
    const fixture *f = *state;
    run_cases(f, f->whole, property_count(SLICE_CASES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program__has_the_same_optimum_on_random_catalogues),
        cmocka_unit_test(test_program__has_the_same_optimum_on_slices),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
