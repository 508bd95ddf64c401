/* SPDX-License-Identifier: GPL-3.0-or-later
 * Graded relations between the options of two groups, written as few and tight rows. */
#ifndef RIG_OPTIMIZER_RELATION_H
#define RIG_OPTIMIZER_RELATION_H

#include "optimizer/linear.h"

/** Options of one group in a program. */
typedef struct rig__members {
    size_t n;
    size_t *at;     /**< option of the space */
    size_t *column; /**< of the program */
} rig__members;

/** Members that a relation does not tell apart. */
typedef struct rig__classes {
    const rig__members *members;
    size_t n;
    size_t *of;     /**< class of each member */
    size_t *first;  /**< a member of each class */
    size_t *size;   /**< members of each class */
    size_t *column; /**< whose value is the sum over the class, SIZE_MAX: none yet */
} rig__classes;

/** A value for each pair of options, such as a rate, by classes of equal ones. */
typedef struct rig__relation {
    const char *name;
    rig__classes first, second;
    double *value; /**< first.n x second.n */
} rig__relation;

/** How a relation is filled. */
typedef struct rig__relation_source {
    const char *name;
    const rig__members *first, *second;
    /** Value of two options of the space; INFINITY is one, NAN counts as less than every rate. */
    double (*value)(const void *context, size_t first, size_t second);
    /** Are two first options equal for sure? NULL: each is looked at, which takes longer. */
    bool (*is_same)(const void *context, size_t a, size_t b);
    const void *context;
} rig__relation_source;

/** Evaluates a relation and finds its classes. @return RIG_OK, RIG_E_NOMEM */
rig_status rig__relation_fill(rig__relation *out,
                              const rig__relation_source *source,
                              rig__arena *arena,
                              rig_error *err);

/** Value of two members by their places in the groups. */
double rig__relation_value(const rig__relation *relation, size_t first, size_t second);

/** Part of the scale of values, as a variable of 0 to 1. */
typedef struct rig__segment {
    double low, high; /**< equal: the variable is 0 below, 1 from there on */
    bool is_required; /**< the variable is constant 1 */
    size_t column;    /**< of the variable, unless it is required */
} rig__segment;

/** Adds rows that say: the variable of the segment is at most the share of the segment that the
 *  value of the chosen pair covers.
 *
 *  With u(a, b) in 0..1 that share, there is a row for each different vector v = u(., b'):
 *
 *      variable <= sum v(a) x(a) + sum_b max_a (u(a, b) - v(a))+ x(b)
 *
 *  which every chosen pair satisfies and which for b' says exactly u; for allowed pairs (u is 0 or
 *  1) it is the tightest inequality x(S) <= x(N(S)). Options of equal u share a variable.
 *  @return RIG_OK, RIG_E_NOMEM */
rig_status rig__relation_rows(rig__linear *linear,
                              rig__relation *relation,
                              const rig__segment *segment,
                              rig_error *err);

#endif
