/* SPDX-License-Identifier: GPL-3.0-or-later
 * Many recommendations by several threads, handed over in the order of the questions. */
#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "trainrig/scenarios.h"

enum { MOST_THREADS = 1024, AHEAD_PER_THREAD = 32 };

/* Answer that waits for those before it. */
typedef struct slot {
    rig_result *result;
    rig_status status;
    rig_error err;
    bool is_done;
} slot;

typedef struct pool {
    const rig_question *questions;
    size_t n_questions;
    slot *slots; /* a ring of n_slots */
    size_t n_slots;
    size_t next, handed; /* first question nobody took, first answer nobody got */
    bool is_ended;
    pthread_mutex_t lock;
    pthread_cond_t has_room, has_answer;
} pool;

/* Takes a question. @return false: none is left */
static bool take(pool *p, size_t *out)
{
    (void)pthread_mutex_lock(&p->lock);
    while (!p->is_ended && p->next < p->n_questions && p->next >= p->handed + p->n_slots) {
        (void)pthread_cond_wait(&p->has_room, &p->lock);
    }
    const bool is_taken = !p->is_ended && p->next < p->n_questions;
    if (is_taken) {
        *out = p->next++;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return is_taken;
}

static void *work(void *payload)
{
    pool *p = payload;
    size_t index = 0;
    while (take(p, &index)) {
        const rig_question *question = &p->questions[index];
        slot *own = &p->slots[index % p->n_slots]; /* free: its last answer was handed over */
        if (question->request != NULL) {
            own->status = rig_recommend(
                &own->result, question->catalog, question->constants, question->request, &own->err);
        }
        (void)pthread_mutex_lock(&p->lock);
        own->is_done = true;
        (void)pthread_cond_signal(&p->has_answer);
        (void)pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

/* The thread of the caller: gives out the answers, in order. */
static void hand_over(pool *p, rig_answer_sink sink, void *payload)
{
    bool is_wanted = true;
    while (is_wanted && p->handed < p->n_questions) {
        slot *first = &p->slots[p->handed % p->n_slots];
        (void)pthread_mutex_lock(&p->lock);
        while (!first->is_done) {
            (void)pthread_cond_wait(&p->has_answer, &p->lock);
        }
        (void)pthread_mutex_unlock(&p->lock);
        is_wanted = sink(p->handed, first->result, first->status, &first->err, payload);
        rig_result_free(first->result);
        (void)pthread_mutex_lock(&p->lock);
        *first = (slot){.status = RIG_OK};
        p->handed++;
        (void)pthread_cond_broadcast(&p->has_room);
        (void)pthread_mutex_unlock(&p->lock);
    }
    (void)pthread_mutex_lock(&p->lock);
    p->is_ended = true;
    (void)pthread_cond_broadcast(&p->has_room);
    (void)pthread_mutex_unlock(&p->lock);
}

static rig_status run(pool *p, size_t n_threads, rig_answer_sink sink, void *payload)
{
    pthread_t threads[MOST_THREADS];
    size_t n_started = 0;
    while (n_started < n_threads && pthread_create(&threads[n_started], NULL, work, p) == 0) {
        n_started++;
    }
    if (n_started > 0) { /* fewer threads than asked for give the same answers */
        hand_over(p, sink, payload);
    }
    for (size_t i = 0; i < n_started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    for (size_t i = 0; i < p->n_slots; i++) {
        rig_result_free(p->slots[i].result);
    }
    return n_started > 0 ? RIG_OK : RIG_E_NOMEM;
}

rig_status rig_recommend_many(const rig_question *questions,
                              size_t n_questions,
                              size_t n_threads,
                              rig_answer_sink sink,
                              void *payload,
                              rig_error *err)
{
    if (n_threads < 1 || n_threads > MOST_THREADS) {
        return rig__error_set(err,
                              RIG_E_INVALID,
                              NULL,
                              0,
                              0,
                              "number of threads out of range: '%zu' (expected 1 to %d)",
                              n_threads,
                              MOST_THREADS);
    }
    pool p = {.questions = questions,
              .n_questions = n_questions,
              .n_slots = n_threads * AHEAD_PER_THREAD};
    p.slots = calloc(p.n_slots, sizeof *p.slots);
    if (p.slots == NULL) {
        return rig__error_nomem(err);
    }
    (void)pthread_mutex_init(&p.lock, NULL);
    (void)pthread_cond_init(&p.has_room, NULL);
    (void)pthread_cond_init(&p.has_answer, NULL);
    const rig_status status = run(&p, n_threads, sink, payload);
    (void)pthread_cond_destroy(&p.has_answer);
    (void)pthread_cond_destroy(&p.has_room);
    (void)pthread_mutex_destroy(&p.lock);
    free(p.slots);
    return status == RIG_OK ? RIG_OK : rig__error_nomem(err);
}
