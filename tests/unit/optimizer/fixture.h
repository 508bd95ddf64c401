/* SPDX-License-Identifier: GPL-3.0-or-later
 * A small catalogue with round figures and constants that tests can change. */
#ifndef RIG_TESTS_OPTIMIZER_FIXTURE_H
#define RIG_TESTS_OPTIMIZER_FIXTURE_H

#include "model/constants.h"
#include "trainrig/optimizer.h"

typedef struct fixture {
    rig_catalog *catalog;
    rig_constants constants;
    rig_workload workload;
} fixture;

/* cmocka group set-up and tear-down; *state is a fixture. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Adds "NAME xN" texts to a build, NULL: none; fails the test if a name is not there. */
void fixture_add(const fixture *fix, rig_build *build, rig_table table, const char *text);

/* A desktop that obeys every rule: Desk Eight, Card Two, Desk Board ... */
rig_build fixture_desktop(const fixture *fix);
/* A two-socket barebone with eight server cards that obeys every rule. */
rig_build fixture_barebone(const fixture *fix);

#endif
