/* SPDX-License-Identifier: GPL-3.0-or-later
 * Programs as text: both forms, names, rows that cannot hold. */
#include "optimizer/linear.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct text {
    char bytes[65536];
    size_t n, most;
} text;

static bool put_text(const char *bytes, size_t length, void *payload)
{
    text *t = payload;
    if (t->n + length > t->most) {
        return false;
    }
    memcpy(t->bytes + t->n, bytes, length);
    t->n += length;
    t->bytes[t->n] = '\0';
    return true;
}

static void linear_init(rig__linear *l)
{
    *l = (rig__linear){.arena = rig__arena_new()};
    assert_non_null(l->arena);
    (void)rig__linear_column_add(l, (rig__linear_column){.name = "one", .low = 1, .high = 1});
}

static void linear_fini(rig__linear *l)
{
    rig__arena_free(l->arena);
    rig__linear_fini(l);
}

static const char *write(const rig__linear *l, rig_program_format format, text *t)
{
    static const char *const comments[] = {"first\nEnd", "caf\xc3\xa9 \x1b[31m"};
    *t = (text){.most = sizeof t->bytes - 1};
    assert_int_equal(rig__linear_write(l, "p", comments, 2, format, put_text, t, NULL), RIG_OK);
    return t->bytes;
}

/* min 3 x - 0.5 y + 2, x binary, y <= 4, z unbounded above */
static void sample(rig__linear *l)
{
    linear_init(l);
    l->columns[0].objective = 2;
    const size_t x = rig__linear_column_add(
        l, (rig__linear_column){.name = "x", .objective = 3, .high = 1, .is_integer = true});
    const size_t y =
        rig__linear_column_add(l, (rig__linear_column){.name = "y", .objective = -0.5, .high = 4});
    const size_t z =
        rig__linear_column_add(l, (rig__linear_column){.name = "z", .high = (double)INFINITY});
    rig__linear_row_begin(l, "room for y & z");
    rig__linear_put(l, x, -4);
    rig__linear_put(l, y, 1);
    rig__linear_put(l, z, 1e-12);
    rig__linear_row_end(l, RIG__AT_MOST, 0.1);
    rig__linear_row_begin(l, "");
    rig__linear_put(l, y, 1);
    rig__linear_put(l, z, 1);
    rig__linear_row_end(l, RIG__EQUAL, 2);
    rig__linear_row_begin(l, "holds");
    rig__linear_row_end(l, RIG__AT_MOST, 0);
    rig__linear_row_begin(l, "never");
    rig__linear_row_end(l, RIG__AT_LEAST, 1);
}

static void test_write__lp(void **state)
{
    rig__linear l;
    static text t;
    (void)state;
    sample(&l);
    assert_string_equal(write(&l, RIG_PROGRAM_LP, &t),
                        "\\ first?End\n\\ caf?? ?[31m\n"
                        "Minimize\n obj: + 2 one + 3 x - 0.5 y + 0 z\n"
                        "Subject To\n"
                        " c1_room_for_y_z: - 4 x + y <= 0.1\n"
                        " c2: + y + z = 2\n"
                        " c3_never: - one >= 1\n"
                        "Bounds\n one = 1\n 0 <= y <= 4\n"
                        "Binaries\n x\nEnd\n");
    linear_fini(&l);
}

static void test_write__mps(void **state)
{
    rig__linear l;
    static text t;
    (void)state;
    sample(&l);
    assert_string_equal(write(&l, RIG_PROGRAM_MPS, &t),
                        "* first?End\n* caf?? ?[31m\n"
                        "NAME p\nROWS\n N obj\n L c1_room_for_y_z\n E c2\n G c3_never\n"
                        "COLUMNS\n"
                        " one obj 2\n one c3_never -1\n"
                        " MARKER 'MARKER' 'INTORG'\n"
                        " x obj 3\n x c1_room_for_y_z -4\n"
                        " MARKER 'MARKER' 'INTEND'\n"
                        " y obj -0.5\n y c1_room_for_y_z 1\n y c2 1\n"
                        " z c2 1\n"
                        "RHS\n RHS c1_room_for_y_z 0.1\n RHS c2 2\n RHS c3_never 1\n"
                        "BOUNDS\n FX BND one 1\n UP BND x 1\n UP BND y 4\nENDATA\n");
    linear_fini(&l);
}

static void test_write__says_that_the_sink_failed(void **state)
{
    rig__linear l;
    text t = {.most = 10};
    rig_error err = {0};
    (void)state;
    sample(&l);
    assert_int_equal(rig__linear_write(&l, "p", NULL, 0, RIG_PROGRAM_LP, put_text, &t, &err),
                     RIG_E_IO);
    linear_fini(&l);
}

static void test_write__breaks_long_lines(void **state)
{
    enum { N_COLUMNS = 100 };
    rig__linear l;
    static text t;
    (void)state;
    linear_init(&l);
    for (size_t j = 0; j < N_COLUMNS; j++) {
        (void)rig__linear_column_add(
            &l,
            (rig__linear_column){
                .name = rig__linear_name(l.arena, "gpu", j, "a name of some length, as parts have"),
                .high = 1});
    }
    for (const char *line = write(&l, RIG_PROGRAM_LP, &t); *line != '\0';) {
        const char *end = strchr(line, '\n');
        assert_non_null(end);
        assert_in_range(end - line, 0, 200);
        line = end + 1;
    }
    linear_fini(&l);
}

static void test_name__is_legal_whatever_the_part_is_called(void **state)
{
    static const struct {
        const char *text, *name;
    } cases[] = {{"RTX 4090 x2", "gpu7_RTX_4090_x2"},
                 {"", "gpu7"},
                 {"\n End\n<= 3", "gpu7_End_3"},
                 {"__--__", "gpu7"},
                 {"\xff\xfe\x01", "gpu7"},
                 {"1234567890123456789012345678901234567890123456789012",
                  "gpu7_123456789012345678901234567890123456789012345678"}};
    rig__arena *arena = rig__arena_new();
    (void)state;
    assert_non_null(arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(rig__linear_name(arena, "gpu", 7, cases[i].text), cases[i].name);
    }
    rig__arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write__lp),
        cmocka_unit_test(test_write__mps),
        cmocka_unit_test(test_write__says_that_the_sink_failed),
        cmocka_unit_test(test_write__breaks_long_lines),
        cmocka_unit_test(test_name__is_legal_whatever_the_part_is_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
