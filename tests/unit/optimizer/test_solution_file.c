/* SPDX-License-Identifier: GPL-3.0-or-later
 * Solution files of other solvers: every form, and what is wrong with a file. */
#include "optimizer/solution_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static rig_status
read_bytes(const char *bytes, size_t length, rig__arena *arena, rig__solution *out, rig_error *err)
{
    char path[] = "/tmp/trainrig-solution-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    const rig_status status = rig__solution_read(out, path, arena, err);
    (void)unlink(path);
    return status;
}

static void expect(const char *text, const char *solver, rig__solution_status status, size_t n)
{
    rig__arena *arena = rig__arena_new();
    rig__solution s;
    rig_error err = {0};
    assert_non_null(arena);
    assert_int_equal(read_bytes(text, strlen(text), arena, &s, &err), RIG_OK);
    assert_string_equal(s.solver, solver);
    assert_int_equal(s.status, status);
    assert_int_equal(s.n_values, n);
    for (size_t i = 0; i < n; i++) { /* every sample has x2 = 1 and all else 0 */
        const bool is_x2 = s.values[i].name != NULL ? strcmp(s.values[i].name, "x2") == 0
                                                    : s.values[i].number == 2;
        assert_true(s.values[i].value == (is_x2 ? 1.0 : 0.0));
    }
    rig__arena_free(arena);
}

static void test_read__knows_every_form(void **state)
{
    (void)state;
    expect(
        "Optimal - objective value -3.5\n      1 x2   1    0\n", "cbc", RIG__SOLUTION_OPTIMAL, 1);
    expect("Stopped on time - objective value 2\n**    1 x2  1   0\r\n\n",
           "cbc",
           RIG__SOLUTION_FEASIBLE,
           1);
    expect("Infeasible - objective value 0\n", "cbc", RIG__SOLUTION_NONE, 0);
    expect("Integer infeasible - objective value 0\n", "cbc", RIG__SOLUTION_NONE, 0);
    expect("Stopped on time (no integer solution - continuous used) - objective value 1\n",
           "cbc",
           RIG__SOLUTION_UNKNOWN,
           0);
    expect("c Problem:  p\nc\ns mip 1 2 o -3\ni 1 7\nj 1 0\nj 2 1\ne o f\n",
           "glpsol",
           RIG__SOLUTION_OPTIMAL,
           2);
    expect("s mip 1 2 f -3\nj 1 0\nj 2 1\ne o f\n", "glpsol", RIG__SOLUTION_FEASIBLE, 2);
    expect("s mip 1 2 n 0\ne o f\n", "glpsol", RIG__SOLUTION_NONE, 0);
    expect("s bas 1 2 n f 0\ni 1 b 7 0\ne o f\n", "glpsol", RIG__SOLUTION_NONE, 0);
    expect("Problem:    p\nStatus:     INFEASIBLE (FINAL)\nEnd of output\n",
           "glpsol",
           RIG__SOLUTION_NONE,
           0);
    expect("Problem:    p\nRows:       1\nColumns:    2 (1 integer, 1 binary)\n"
           "Status:     INTEGER OPTIMAL\nObjective:  obj = -3 (MINimum)\n\n"
           "   No.   Row name        Activity     Lower bound   Upper bound\n"
           "------ ------------    ------------- ------------- -------------\n"
           "     1 c1                          9             1            = \n\n"
           "   No. Column name       Activity     Lower bound   Upper bound\n"
           "------ ------------    ------------- ------------- -------------\n"
           "     1 a_long_name_of_a_column\n"
           "                    *              0             0             1 \n"
           "     2 x2           *              1             0             1 \n\n"
           "Integer feasibility conditions:\n\nEnd of output\n",
           "glpsol",
           RIG__SOLUTION_OPTIMAL,
           2);
    expect("Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective -3\n"
           "# Columns 2\nx1 0\nx2 1\n# Rows 1\nc1 9\n\n# Dual solution values\nNone\n",
           "HiGHS",
           RIG__SOLUTION_OPTIMAL,
           2);
    expect("Model status\nTime limit reached\n\n# Primal solution values\nFeasible\nObjective -3\n"
           "# Columns 2\nx1 0\nx2 1\n",
           "HiGHS",
           RIG__SOLUTION_FEASIBLE,
           2);
    expect("Model status\nInfeasible\n\n# Primal solution values\nNone\n",
           "HiGHS",
           RIG__SOLUTION_NONE,
           0);
}

static void test_read__says_where_a_file_is_wrong(void **state)
{
    static const struct {
        const char *text;
        long line;
        const char *message;
    } cases[] = {
        {"", 0, "the file is empty"},
        {"hello\n", 1, "no solution file: 'hello'"},
        {"Optimal - objective value 3\n 1 x2 one 0\n", 2, "not a value: 'one'"},
        {"Optimal - objective value 3\n 1 x2 nan 0\n", 2, "not a value: 'nan'"},
        {"Optimal - objective value 3\n 1 x2\n", 2, "not a column: '1'"},
        {"s mip 1 2 o -3\nj 1 0\n", 2, "the file is cut short: no line 'e o f'"},
        {"c only\ne o f\n", 2, "the file is cut short: no status line"},
        {"s bas 1 2 f f -3\ne o f\n", 1, "not a solution in whole numbers: 'bas'"},
        {"s mip 1 -2 o -3\ne o f\n", 1, "not a count: '-2'"},
        {"s mip 1 1e99 o -3\ne o f\n", 1, "not a count: '1e99'"},
        {"s mip 1 2 o -3\nj 1.5 1\ne o f\n", 2, "not a count: '1.5'"},
        {"Problem: p\nStatus:     OPTIMAL\n", 2, "not a solution in whole numbers: 'OPTIMAL'"},
        {"Problem: p\n", 1, "the file is cut short: no line 'End of output'"},
        {"Problem: p\n No. Column name\n 1 long_name\n", 3, "the file is cut short"},
        {"Model status\n", 1, "the file is cut short: no status"},
        {"Model status\nOptimal\n", 2, "the file is cut short: no columns"},
        {"Model status\nOptimal\n# Primal solution values\nFeasible\n# Columns 2\nx1 0\n",
         6,
         "the file is cut short: no value of every column"},
        {"Model status\nOptimal\n# Primal solution values\nFeasible\n# Columns 1\n# Rows 1\n",
         6,
         "not a column: '#'"},
    };
    rig__arena *arena = rig__arena_new();
    (void)state;
    assert_non_null(arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig__solution s;
        rig_error err = {0};
        const char *text = cases[i].text;
        assert_int_equal(read_bytes(text, strlen(text), arena, &s, &err), RIG_E_PARSE);
        assert_int_equal(err.line, cases[i].line);
        if (strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("case %zu: '%s'", i, err.message);
        }
    }
    rig__solution s;
    rig_error err = {0};
    assert_int_equal(read_bytes("s mip\0", 6, arena, &s, &err), RIG_E_PARSE);
    assert_non_null(strstr(err.message, "NUL"));
    assert_int_equal(rig__solution_read(&s, "/nonexistent", arena, &err), RIG_E_IO);
    assert_int_equal(rig__solution_read(&s, "/", arena, &err), RIG_E_IO);
    rig__arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__knows_every_form),
        cmocka_unit_test(test_read__says_where_a_file_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
