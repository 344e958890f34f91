/*
 * Wait, Test and their families. Which requests complete, and when a poll succeeds, is recorded; a replay waits for
 * exactly those, in the recorded order. waits.c has the calls for one request and for all, choices.c those that complete
 * any or some, endings.c other ways in which a request ends.
 */
#ifndef REPRISE_COMPLETION_H
#define REPRISE_COMPLETION_H

#include "order.h"
#include "plan.h"
#include "requests.h"
#include "where.h"

#pragma GCC visibility push(hidden)

/* ---- What the library is to work on: the program's requests, with the shadows of persistent ones in their place ---- */

MPI_Request live_request_slow(MPI_Request request);
static inline MPI_Request live_request(MPI_Request request) {
  return likely(rank.mode != REPRISE_REPLAY) ? request : live_request_slow(request);
}

enum { FEW = 16 };
MPI_Request *live_requests_slow(int count, const MPI_Request *requests);
static inline MPI_Request *live_requests(int count, const MPI_Request *requests, MPI_Request few[FEW]) {
  if (unlikely(count > FEW || rank.mode == REPRISE_REPLAY)) return live_requests_slow(count, requests);
  for (int i = 0; i < count; i++) few[i] = requests[i];
  return few;
}

/* What this thread is about to complete; only where others may do so at the same time. */
void hold_slow(int count, const MPI_Request *requests);
static inline void hold(int count, const MPI_Request *requests) {
  if (unlikely(rank.concurrent)) hold_slow(count, requests);
}
void let_go_slow(int count);
static inline void let_go(int count) {
  if (unlikely(rank.concurrent)) let_go_slow(count);
}

/* ---- When they are complete ---- */

void completed_at_slow(int index, MPI_Request *handle, MPI_Request live, MPI_Status *status);
/* The library completed `live`, which stands for the program's request at this index. */
static inline void completed_at(int index, MPI_Request *handle, MPI_Request live, MPI_Status *status) {
  if (likely(is_light_send(*handle))) {
    light_send_is_over(*handle);
    *handle = live;
  } else {
    completed_at_slow(index, handle, live, status);
  }
}

/* The library has completed these together: none of them may be asked about while the others are looked through. */
void close_together(int count, const int *indices, const MPI_Request *requests);

/*
 * The program completes it itself. To ask whether it has is a call of the program's own function, of which it may keep
 * count; and nobody is held back for it. So the call that the program makes is made until it succeeds.
 */
static inline bool is_generalized(const struct request *r) { return r != NULL && r->role == ROLE_GENERALIZED; }

/* In the call that the recorded rank was killed in, waiting without end is what the program did. */
static inline bool waiting_in_replay(void) { return replaying() && !plan_at_last_call(); }

/*
 * Replay: returns a request that is complete and stands for the program's. The same library function as the program
 * called then takes it, so that statuses and error codes are the library's own. A send that the transport has not
 * finished when the recording's had is put off, and a send to nobody stands in for it.
 */
MPI_Request ready(MPI_Request handle, bool patiently);

/* ---- What is kept of it ---- */

void keep_error(int code, int count, const MPI_Status *statuses);
/* A poll succeeded, of itself or because it was forced to. */
void keep_hit(enum reprise_poll poll, int code, int count, const MPI_Status *statuses);
/* What a call returned after an error is given back as it was recorded. */
int recorded_code(int code, MPI_Status *statuses);

#pragma GCC visibility pop

#endif
