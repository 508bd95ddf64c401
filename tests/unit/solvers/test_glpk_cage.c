/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of solvers/glpk/glpk_cage.c. */
#include "solvers/glpk/glpk_cage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <glpk.h>
#include <pthread.h>

/* GLPK aborts on a column that does not exist. */
static rig_status misuse(void *payload)
{
    int *const n_calls = payload;
    (*n_calls)++;
    glp_prob *const prob = glp_create_prob();
    glp_set_obj_coef(prob, 7, 1.0);
    return RIG_OK;
}

static rig_status behave(void *payload)
{
    int *const n_calls = payload;
    (*n_calls)++;
    glp_prob *const prob = glp_create_prob();
    glp_add_cols(prob, 1);
    glp_delete_prob(prob);
    return RIG_E_CANCELLED;
}

static void check_abort_is_an_error(void)
{
    int n_calls = 0;
    rig_error err = {0};
    assert_int_equal(rig__glpk_cage_run(misuse, &n_calls, &err), RIG_E_SOLVER);
    assert_non_null(strstr(err.message, "GLPK gave up: 'glp_set_obj_coef: j = 7"));
    assert_int_equal(rig__glpk_cage_run(behave, &n_calls, &err), RIG_E_CANCELLED);
    assert_int_equal(n_calls, 2);
}

static void test_run__abort_is_an_error(void **state)
{
    (void)state;
    check_abort_is_an_error();
    /* nothing is left behind in this thread */
    assert_int_equal(glp_init_env(), 0);
    assert_int_equal(glp_free_env(), 0);
}

static int count_text(void *info, const char *text)
{
    (void)text;
    (*(int *)info)++;
    return 1;
}

/* The host has a problem and a hook of its own; both are as before afterwards. */
static void test_run__leaves_the_host_alone(void **state)
{
    (void)state;
    int n_texts = 0;
    glp_prob *const prob = glp_create_prob();
    glp_add_cols(prob, 3);
    glp_term_hook(count_text, &n_texts);
    check_abort_is_an_error();
    assert_int_equal(n_texts, 0);
    assert_int_equal(glp_get_num_cols(prob), 3);
    glp_printf("host\n");
    assert_int_equal(n_texts, 1);
    glp_delete_prob(prob);
    assert_int_equal(glp_free_env(), 0);
}

static void *run_in_thread(void *payload)
{
    (void)payload;
    for (int i = 0; i < 50; i++) {
        int n_calls = 0;
        if (rig__glpk_cage_run(misuse, &n_calls, NULL) != RIG_E_SOLVER) {
            return NULL;
        }
    }
    return payload;
}

static void test_run__many_threads(void **state)
{
    (void)state;
    enum { N_THREADS = 4 };
    static int marks[N_THREADS];
    pthread_t threads[N_THREADS];
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, &marks[i]), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        void *mark = NULL;
        assert_int_equal(pthread_join(threads[i], &mark), 0);
        assert_ptr_equal(mark, &marks[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run__abort_is_an_error),
        cmocka_unit_test(test_run__leaves_the_host_alone),
        cmocka_unit_test(test_run__many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
