/* SPDX-License-Identifier: GPL-3.0-or-later
 * Priors of a calibration: the file, its errors with their place, and the scales. */
#include "support/assert_near.h"

#include "unit/catalog/temp_catalog.h"

#include "accuracy/priors.h"

static const char head[] = "block,table,name,scale,mean,sd,source\n";

static rig_status read_text(const char *text, rig__priors **out, rig_error *err)
{
    temp_catalog temp;
    temp_catalog_open(&temp);
    const rig_status status =
        rig__priors_read(out, temp_catalog_write(&temp, "priors.csv", text), err);
    temp_catalog_close(&temp);
    return status;
}

static void test_priors_read__rows(void **state)
{
    (void)state;
    char text[512];
    rig__priors *priors = NULL;
    rig_error err = {0};
    (void)snprintf(text,
                   sizeof text,
                   "%seager,constants,batch_half_eager,log,4,0.5,assumption\n"
                   "prepare,loaders,ffcv.decode_factor,linear,-1,2,\"a, b\"\n"
                   "tuned,constants,l2_saving_tuned,logit,0.25,1,x\n"
                   "storage,effects,source,log,1,0.1,x\n"
                   "graph,noise,row,log,1,0.06,x\n",
                   head);
    assert_int_equal(read_text(text, &priors, &err), RIG_OK);
    assert_int_equal(priors->n_rows, 5);
    const rig__prior *const row = &priors->rows[1];
    assert_int_equal(row->block, RIG__BLOCK_PREPARE);
    assert_int_equal(row->table, RIG__PRIOR_TABLE_LOADERS);
    assert_string_equal(row->name, "ffcv.decode_factor");
    assert_int_equal(row->scale, RIG__SCALE_LINEAR);
    ASSERT_SAME("mean", row->mean, -1);
    ASSERT_SAME("sd", row->sd, 2);
    assert_int_equal(row->line, 3);
    assert_int_equal(row->name_column, 17);
    assert_int_equal(priors->rows[2].scale, RIG__SCALE_LOGIT);
    assert_string_equal(rig__block_word(priors->rows[3].block), "storage");
    const struct {
        rig__block block;
        rig__prior_table table;
        const char *name;
        double sd;
    } known[] = {
        {RIG__BLOCK_STORAGE, RIG__PRIOR_TABLE_EFFECTS, "source", 0.1},
        {RIG__BLOCK_GRAPH, RIG__PRIOR_TABLE_NOISE, "row", 0.06},
        {RIG__BLOCK_EAGER, RIG__PRIOR_TABLE_NOISE, "row", NAN},
        {RIG__BLOCK_STORAGE, RIG__PRIOR_TABLE_NOISE, "source", NAN},
        {RIG__BLOCK_STORAGE, RIG__PRIOR_TABLE_EFFECTS, "sourc", NAN},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ASSERT_SAME(known[i].name,
                    rig__priors_sd(priors, known[i].block, known[i].table, known[i].name),
                    known[i].sd);
    }
    rig__priors_free(priors);
    rig__priors_free(NULL);
}

/* Columns may stand in any order. */
static void test_priors_read__column_order(void **state)
{
    (void)state;
    rig__priors *priors = NULL;
    assert_int_equal(read_text("source,sd,mean,scale,name,table,block\n"
                               "x,0.5,4,log,batch_half_eager,constants,eager\n",
                               &priors,
                               NULL),
                     RIG_OK);
    ASSERT_SAME("mean", priors->rows[0].mean, 4);
    rig__priors_free(priors);
    assert_int_equal(read_text(head, &priors, NULL), RIG_OK);
    assert_int_equal(priors->n_rows, 0);
    rig__priors_free(priors);
}

static void test_priors_read__errors(void **state)
{
    (void)state;
    static const struct {
        const char *label, *head, *rows;
        rig_status status;
        long line, column;
        const char *message;
    } cases[] = {
        {"column",
         "block,table,name,scale,mean,source\n",
         "",
         RIG_E_SCHEMA,
         1,
         1,
         "missing column: 'sd' (priors have the columns"},
        {"block",
         head,
         "eager,noise,row,log,1,1,x\nlazy,noise,row,log,1,1,x\n",
         RIG_E_SCHEMA,
         3,
         1,
         "unknown block (expected tuned, eager, graph, prepare or storage)"},
        {"table",
         head,
         "eager,noises,row,log,1,1,x\n",
         RIG_E_SCHEMA,
         2,
         7,
         "unknown table (expected constants, stacks, loaders, effects or noise)"},
        {"scale",
         head,
         "eager,noise,row,Log,1,1,x\n",
         RIG_E_SCHEMA,
         2,
         17,
         "unknown scale (expected log, linear or logit)"},
        {"mean", head, "eager,noise,row,log,one,1,x\n", RIG_E_PARSE, 2, 21, "not a number"},
        {"no mean", head, "eager,noise,row,log,,1,x\n", RIG_E_PARSE, 2, 21, "not a number"},
        {"sd", head, "eager,noise,row,log,1,nan,x\n", RIG_E_PARSE, 2, 23, "not a number"},
        {"no name", head, "eager,noise,,log,1,1,x\n", RIG_E_PARSE, 2, 13, "no name"},
        {"sd of 0", head, "eager,noise,row,log,1,0,x\n", RIG_E_RANGE, 2, 23, "not above 0"},
        {"sd below", head, "eager,noise,row,log,1,-1,x\n", RIG_E_RANGE, 2, 23, "not above 0"},
        {"log of 0", head, "eager,noise,row,log,0,1,x\n", RIG_E_RANGE, 2, 21, "not on the scale"},
        {"logit", head, "eager,noise,row,logit,1,1,x\n", RIG_E_RANGE, 2, 23, "not on the scale"},
        {"logit of 0", head, "eager,noise,row,logit,0,1,x\n", RIG_E_RANGE, 2, 23, "on the scale"},
        {"cells", head, "eager,noise,row,log,1\n", RIG_E_PARSE, 2, 0, ""},
        {"quote", head, "eager,\"noise\n", RIG_E_PARSE, 2, 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        rig_error err = {0};
        rig__priors *priors = NULL;
        (void)snprintf(text, sizeof text, "%s%s", cases[i].head, cases[i].rows);
        const rig_status status = read_text(text, &priors, &err);
        if (status != cases[i].status || err.line != cases[i].line ||
            (cases[i].column != 0 && err.column != cases[i].column) ||
            strstr(err.message, cases[i].message) == NULL || priors != NULL) {
            fail_msg("%s: %d, %ld:%ld: %s",
                     cases[i].label,
                     (int)status,
                     err.line,
                     err.column,
                     err.message);
        }
    }
    rig__priors *priors = NULL;
    rig_error err = {0};
    assert_int_equal(rig__priors_read(&priors, "/nowhere/priors.csv", &err), RIG_E_IO);
    assert_null(priors);
}

static void test_scale__there_and_back(void **state)
{
    (void)state;
    static const struct {
        rig__scale scale;
        double figure, value;
    } rows[] = {
        {RIG__SCALE_LOG, 1, 0},
        {RIG__SCALE_LOG, 20, 2.995732273553991},
        {RIG__SCALE_LINEAR, -3, -3},
        {RIG__SCALE_LOGIT, 0.5, 0},
        {RIG__SCALE_LOGIT, 0.9, 2.1972245773362196},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ASSERT_SAME("to", rig__scale_to(rows[i].scale, rows[i].figure), rows[i].value);
        ASSERT_SAME("from", rig__scale_from(rows[i].scale, rows[i].value), rows[i].figure);
    }
}

/* Every shipped prior is on its scale, and none is told twice. */
static void test_shipped_priors__are_distinct(void **state)
{
    (void)state;
    rig__priors *priors = NULL;
    rig_error err = {0};
    if (rig__priors_read(&priors, RIG_SOURCE_DIR "/model/measurements/priors.csv", &err) !=
        RIG_OK) {
        fail_msg("%ld:%ld: %s", err.line, err.column, err.message);
    }
    assert_true(priors->n_rows > 200);
    for (size_t i = 0; i < priors->n_rows; i++) {
        const rig__prior *const a = &priors->rows[i];
        assert_true(isfinite(rig__scale_to(a->scale, a->mean)));
        for (size_t k = 0; k < i; k++) {
            const rig__prior *const b = &priors->rows[k];
            if (a->block == b->block && a->table == b->table && strcmp(a->name, b->name) == 0) {
                fail_msg("line %ld repeats line %ld", a->line, b->line);
            }
        }
    }
    rig__priors_free(priors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_priors_read__rows),
        cmocka_unit_test(test_priors_read__column_order),
        cmocka_unit_test(test_priors_read__errors),
        cmocka_unit_test(test_scale__there_and_back),
        cmocka_unit_test(test_shipped_priors__are_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
