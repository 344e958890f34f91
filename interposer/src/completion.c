/*
 * Wait, Test and their families. Which requests complete, and when a poll succeeds, is recorded; a replay waits for
 * exactly those, in the recorded order.
 */
#include <sched.h>

#include "reprise.h"

static __attribute__((noinline)) MPI_Request live_request_slowly(MPI_Request request) {
  struct request *r = request_of(request);
  return r != NULL && r->shadow ? r->kept : request;
}

static inline MPI_Request live_request(MPI_Request request) {
  return likely(rank.mode != REPRISE_REPLAY) ? request : live_request_slowly(request);
}

enum { FEW = 16 };

static __attribute__((noinline)) MPI_Request *live_requests_slowly(int count, const MPI_Request *requests) {
  static PER_THREAD MPI_Request *room;
  static PER_THREAD int size;
  if (count > size) {
    give_memory(room);
    room = take_memory((size_t)count * sizeof *room);
    size = count;
  }
  if (count > 0) memcpy(room, requests, (size_t)count * sizeof *room);
  if (rank.mode == REPRISE_REPLAY)
    for (int i = 0; i < count; i++) {
      struct request *r = request_of(requests[i]);
      if (r != NULL && r->shadow) room[i] = r->kept;
    }
  return room;
}

/* What the library is to work on: the program's requests, with the shadows of persistent ones in their place. */
static inline MPI_Request *live_requests(int count, const MPI_Request *requests, MPI_Request few[FEW]) {
  if (unlikely(count > FEW || rank.mode == REPRISE_REPLAY)) return live_requests_slowly(count, requests);
  for (int i = 0; i < count; i++) few[i] = requests[i];
  return few;
}

/* What this thread is about to complete; only where others may do so at the same time. */
static PER_THREAD struct request **held;

static void hold(int count, const MPI_Request *requests) {
  static PER_THREAD int size;
  if (likely(!rank.concurrent)) return;
  if (count > size) {
    give_memory(held);
    held = take_memory((size_t)count * sizeof *held);
    size = count;
  }
  for (int i = 0; i < count; i++) held[i] = request_detach(requests[i]);
}

static void let_go(int count) {
  if (likely(!rank.concurrent)) return;
  for (int i = 0; i < count; i++)
    if (held[i] != NULL) request_attach(held[i]);
}

static __attribute__((noinline)) void completed_slowly(int index, MPI_Request *handle, MPI_Request live,
                                                       MPI_Status *status) {
  struct request *r;
  if (unlikely(rank.concurrent)) {
    r = held[index];
    held[index] = NULL;
  } else {
    r = request_of(*handle);
  }
  if (r == NULL) {
    *handle = live;
    return;
  }
  if (r->shadow) r->shadow = false;
  else *handle = live;
  request_completed(r, status);
}

/* The library completed `live`, which stands for the program's request at this index. */
static inline void completed_at(int index, MPI_Request *handle, MPI_Request live, MPI_Status *status) {
  if (likely(is_light_send(*handle))) {
    light_send_is_over(*handle);
    *handle = live;
  } else {
    completed_slowly(index, handle, live, status);
  }
}

/*
 * The program completes it itself. To ask whether it has is a call of the program's own function, of which it may keep
 * count; and nobody is held back for it. So the call that the program makes is made until it succeeds.
 */
static bool is_generalized(const struct request *r) { return r != NULL && r->role == ROLE_GENERALIZED; }

EXPORT int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *end,
                              MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *request) {
  int code = REAL(Grequest_start)(query, end, cancel, state, request);
  if (code == MPI_SUCCESS && rank.mode == REPRISE_REPLAY && !inside())
    request_new(*request, ROLE_GENERALIZED, 0, MPI_COMM_NULL);
  return code;
}
ALSO_AS_PMPI(Grequest_start);

/*
 * Replay: returns a request that is complete and stands for the program's. The same library function as the program
 * called then takes it, so that statuses and error codes are the library's own. A send that the transport has not
 * finished when the recording's had is put off, and a send to nobody stands in for it.
 */
static MPI_Request ready(MPI_Request handle, bool patiently) {
  struct request *r = request_of(handle);
  MPI_Request live = r != NULL && r->shadow ? r->kept : handle;
  if (live == MPI_REQUEST_NULL) return live;
  if (r != NULL && r->copy != NULL) {
    if (send_is_done(live, patiently)) return live;
    send_later(r, live);
    REAL(Isend)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &live);
    return live;
  }
  if (is_generalized(r)) return live;
  hushed handler = hush(true);
  for (int done = 0, tries = 0; !done; tries++) {
    if (tries > polite_tries) sched_yield();
    if (REAL(Request_get_status)(live, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
  }
  unhush(handler);
  return live;
}

/* What a call returned after an error is given back as it was recorded. */
static int recorded_code(int code, MPI_Status *statuses) {
  struct outcome o;
  if (!plan_error(&o)) return code;
  const uint8_t *p = o.rest;
  for (int64_t i = 0; i < o.first; i++) {
    uint64_t error = 0;
    p = get_number(p, p + 10, &error);
    statuses[i].MPI_ERROR = (int)(uint32_t)error;
  }
  return (int)(uint32_t)o.second;
}

static void keep_error(int code, int count, const MPI_Status *statuses) {
  if (recording() && unlikely(code != MPI_SUCCESS)) order_error(code, count, statuses);
}

/* A poll succeeded, of itself or because it was forced to. */
static void keep_hit(enum reprise_poll poll, int code, int count, const MPI_Status *statuses) {
  if (recording()) order_hit(poll);
  keep_error(code, count, statuses);
}

/* In the call that the recorded rank was killed in, waiting without end is what the program did. */
static bool waiting_in_replay(void) { return replaying() && !plan_at_last_call(); }

/* ---- One request ---- */

static __attribute__((noinline)) int wait_otherwise(MPI_Request *request, MPI_Status *status) {
  if (refused(1, request, status) || !enter(CALL_Wait)) return REAL(Wait)(request, status);
  note_requests(1, request);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int code = MPI_SUCCESS, done = 0;
  MPI_Request live = *request;
  bool in_replay = waiting_in_replay();
  if (in_replay && is_light_send(live)) code = REAL(Test)(&live, &done, status); /* most have left long ago */
  if (!done) {
    live = in_replay ? ready(*request, true) : live_request(*request);
    hold(1, request);
    code = REAL(Wait)(&live, status);
  }
  completed_at(0, request, live, status);
  leave();
  return code;
}

/* Hot: bench/run self-loop. A send's completion is no outcome. */
EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (unlikely(requests_named != 0 || !enter_plainly(CALL_Wait))) return wait_otherwise(request, status);
  int code = REAL_NOW(Wait)(request, status);
  leave_plainly();
  return code;
}
ALSO_AS_PMPI(Wait);

EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (refused(1, request, status) || flag == NULL || !enter(CALL_Test)) return REAL(Test)(request, flag, status);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS;
  switch (replaying() ? plan_poll(CALL_Test, KIND(REPRISE_HIT), REPRISE_TEST, &o) : POLL_FREE) {
    case POLL_FALSE:
      *flag = 0;
      break;
    case POLL_TRUE: {
      MPI_Request live = ready(*request, false);
      hold(1, request);
      *flag = 0;
      do code = REAL(Test)(&live, flag, status); while (code == MPI_SUCCESS && !*flag);
      code = recorded_code(code, NULL);
      keep_hit(REPRISE_TEST, code, 0, NULL);
      completed_at(0, request, live, status);
      break;
    }
    case POLL_FREE: {
      MPI_Request live = live_request(*request);
      int done = UNTOUCHED;
      hold(1, request);
      code = REAL(Test)(&live, &done, status);
      hand_back(flag, done);
      if (code == MPI_SUCCESS && !done) {
        let_go(1);
        order_poll_failed();
        break;
      }
      keep_hit(REPRISE_TEST, code, 0, NULL);
      if (done > 0) completed_at(0, request, live, status);
      else let_go(1);
    }
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Test);

EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  if (refused(0, NULL, status) || flag == NULL || !enter(CALL_Request_get_status))
    return REAL(Request_get_status)(request, flag, status);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS;
  struct request *r = request_of(request);
  MPI_Request live = r != NULL && r->shadow ? r->kept : request;
  switch (replaying() ? plan_poll(CALL_Request_get_status, KIND(REPRISE_HIT), REPRISE_GET_STATUS, &o) : POLL_FREE) {
    case POLL_FALSE:
      *flag = 0;
      break;
    case POLL_TRUE:
      if (r != NULL && r->copy != NULL && !send_is_done(live, false)) { /* a send from a copy is as good as done */
        REAL(Isend)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &live);
        code = REAL(Wait)(&live, status);
        *flag = 1;
      } else {
        live = ready(request, false);
        *flag = 0;
        do code = REAL(Request_get_status)(live, flag, status); while (code == MPI_SUCCESS && !*flag);
      }
      keep_hit(REPRISE_GET_STATUS, MPI_SUCCESS, 0, NULL);
      break;
    case POLL_FREE:
      code = REAL(Request_get_status)(live, flag, status);
      if (code == MPI_SUCCESS && !*flag) order_poll_failed();
      else keep_hit(REPRISE_GET_STATUS, MPI_SUCCESS, 0, NULL);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Request_get_status);

/* ---- All of them ---- */

/* The library has completed these together: none of them may be asked about while the others are looked through. */
static void close_together(int count, const int *indices, const MPI_Request *requests) {
  if (open_requests == NULL || rank.concurrent) return;
  lock();
  for (int i = 0; i < count; i++) {
    MPI_Request request = requests[indices == NULL ? i : indices[i]];
    struct request *r = is_light_send(request) ? NULL : request_of_locked(request);
    if (r != NULL) request_close(r);
  }
  unlock();
}

/* After a failure only some are complete; the library says which. */
static void all_completed(int count, MPI_Request *requests, MPI_Request *live, MPI_Status *statuses, int code) {
  if (code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS) close_together(count, NULL, requests);
  for (int i = 0; i < count; i++) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    if (code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR != MPI_ERR_PENDING))
      completed_at(i, &requests[i], live[i], &statuses[i]);
  }
  let_go(count);
}

static bool any_receive(int count, const MPI_Request *requests) {
  for (int i = 0; i < count; i++) {
    if (is_light_send(requests[i])) continue;
    struct request *r = request_of(requests[i]);
    if (r != NULL && (r->role == ROLE_RECEIVE || r->cancel_asked)) return true;
  }
  return false;
}

/* Replay: receives first, all together; then sends, which may have to be put off. */
static MPI_Request *all_ready(int count, const MPI_Request *requests, bool patiently) {
  MPI_Request *live = live_requests_slowly(count, requests);
  for (int sends = 0; sends <= 1; sends++)
    for (int i = 0; i < count; i++) {
      struct request *r = request_of(requests[i]);
      if ((r != NULL && r->copy != NULL) == sends) live[i] = ready(requests[i], patiently);
    }
  return live;
}

EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || !enter(CALL_Waitall)) return REAL(Waitall)(count, requests, statuses);
  note_requests(count, requests);
  if (statuses == MPI_STATUSES_IGNORE && any_receive(count, requests)) statuses = status_room(count);
  MPI_Request few[FEW];
  MPI_Request *live = waiting_in_replay() ? all_ready(count, requests, true) : live_requests(count, requests, few);
  hold(count, requests);
  int code = REAL(Waitall)(count, live, statuses);
  all_completed(count, requests, live, statuses == MPI_STATUSES_IGNORE ? status_room(count) : statuses, code);
  leave();
  return code;
}
ALSO_AS_PMPI(Waitall);

EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || flag == NULL || !enter(CALL_Testall))
    return REAL(Testall)(count, requests, flag, statuses);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  struct outcome o;
  int code = MPI_SUCCESS;
  switch (replaying() ? plan_poll(CALL_Testall, KIND(REPRISE_HIT), REPRISE_TESTALL, &o) : POLL_FREE) {
    case POLL_FALSE:
      *flag = 0;
      break;
    case POLL_TRUE: {
      MPI_Request *live = all_ready(count, requests, false);
      hold(count, requests);
      int now;
      *flag = 0;
      do now = REAL(Testall)(count, live, flag, statuses); while (now == MPI_SUCCESS && !*flag);
      code = recorded_code(now, statuses);
      keep_hit(REPRISE_TESTALL, code, code == MPI_ERR_IN_STATUS ? count : 0, statuses);
      all_completed(count, requests, live, statuses, now);
      break;
    }
    case POLL_FREE: {
      MPI_Request few[FEW], *live = live_requests(count, requests, few);
      hold(count, requests);
      code = REAL(Testall)(count, live, flag, statuses);
      if (code == MPI_SUCCESS && !*flag) {
        let_go(count);
        order_poll_failed();
        break;
      }
      keep_hit(REPRISE_TESTALL, code, code == MPI_ERR_IN_STATUS ? count : 0, statuses);
      all_completed(count, requests, live, statuses, code);
    }
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Testall);

/* ---- Any of them ---- */

static void any_completed(MPI_Request *requests, MPI_Request *live, int index, MPI_Status *status, int code) {
  if (index == UNTOUCHED) index = MPI_UNDEFINED; /* the call failed before it looked for one */
  if (recording()) order_index(index);
  keep_error(code, 0, NULL);
  if (index == MPI_UNDEFINED) return;
  hash_event(REPRISE_INDEX, (uint64_t)index);
  completed_at(index, &requests[index], live[index], status);
}

/* False: the recorded request is not there, the program has left the recorded run. */
static bool fits(enum call id, const struct outcome *o, int64_t index, int count, const MPI_Request *requests) {
  if (index >= 0 && index < count && requests[index] != MPI_REQUEST_NULL) return true;
  plan_diverged(REPRISE_OTHER_REQUESTS, id, o, count, index);
  return false;
}

/* Nothing was active, or the call failed before it looked: it is made again as it is, and says so again. */
static bool nothing_completed(const struct outcome *o) {
  struct outcome error;
  if (o->first != 0) return false;
  plan_error(&error);
  return true;
}

/* False: the library is asked. */
static bool finish_any(enum call id, const struct outcome *o, int count, MPI_Request *requests, int *index,
                       MPI_Status *status, int *code) {
  if (nothing_completed(o) || !fits(id, o, o->first - 1, count, requests)) return false;
  int chosen = (int)o->first - 1;
  hash_event(REPRISE_INDEX, (uint64_t)chosen);
  MPI_Request live = ready(requests[chosen], false);
  hold(1, &requests[chosen]);
  *code = recorded_code(REAL(Waitany)(1, &live, index, status), NULL);
  *index = chosen;
  if (recording()) order_index(chosen);
  keep_error(*code, 0, NULL);
  completed_at(0, &requests[chosen], live, status);
  return true;
}

EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  if (refused(count, requests, status) || index == NULL || !enter(CALL_Waitany))
    return REAL(Waitany)(count, requests, index, status);
  note_requests(count, requests);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS, chosen = UNTOUCHED;
  if (!(replaying() && plan_take(CALL_Waitany, KIND(REPRISE_INDEX), &o, count, 0) &&
        finish_any(CALL_Waitany, &o, count, requests, index, status, &code))) {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Waitany)(count, live, &chosen, status);
    hand_back(index, chosen);
    any_completed(requests, live, chosen, status, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Waitany);

EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  if (refused(count, requests, status) || index == NULL || flag == NULL || !enter(CALL_Testany))
    return REAL(Testany)(count, requests, index, flag, status);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS, chosen = UNTOUCHED;
  enum poll_fate fate = replaying() ? plan_poll(CALL_Testany, KIND(REPRISE_INDEX), 0, &o) : POLL_FREE;
  if (fate == POLL_FALSE) {
    *flag = 0;
    *index = MPI_UNDEFINED;
  } else if (fate == POLL_TRUE && finish_any(CALL_Testany, &o, count, requests, index, status, &code)) {
    *flag = 1;
  } else {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Testany)(count, live, &chosen, flag, status);
    hand_back(index, chosen);
    if (code == MPI_SUCCESS && !*flag) order_poll_failed();
    else any_completed(requests, live, chosen, status, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Testany);

/* ---- Some of them ---- */

static void keep_indices(int done, const int *indices, int code, const MPI_Status *statuses) {
  if (recording()) order_indices(done, indices);
  keep_error(code, code == MPI_ERR_IN_STATUS && done != MPI_UNDEFINED ? done : 0, statuses);
}

static void some_completed(MPI_Request *requests, MPI_Request *live, int done, const int *indices, MPI_Status *statuses,
                           int code) {
  if (done == UNTOUCHED) done = MPI_UNDEFINED; /* the call failed before it looked for any */
  keep_indices(done, indices, code, statuses);
  if (done == MPI_UNDEFINED) return;
  if (done > 1) close_together(done, indices, requests);
  for (int i = 0; i < done; i++) {
    hash_event(REPRISE_INDICES, (uint64_t)indices[i]);
    completed_at(indices[i], &requests[indices[i]], live[indices[i]], &statuses[i]);
  }
}

static bool finish_some(enum call id, const struct outcome *o, int count, MPI_Request *requests, int *done,
                        int *indices, MPI_Status *statuses, int *code) {
  if (nothing_completed(o)) return false;
  MPI_Request *live = live_requests_slowly(count, requests);
  const uint8_t *p = o->rest;
  int chosen = (int)o->first - 1, finished = 0;
  for (int i = 0; i < chosen; i++) {
    uint64_t index = 0;
    p = get_number(p, p + 10, &index);
    if (i >= count || !fits(id, o, (int64_t)index, count, requests)) return false;
    indices[i] = (int)index;
  }
  for (int i = 0; i < chosen; i++) live[i] = ready(requests[indices[i]], false);
  int *positions = take_memory(((size_t)chosen + 1) * sizeof *positions);
  hold(count, requests);
  *code = REAL(Waitsome)(chosen, live, &finished, positions, statuses);
  give_memory(positions);
  *code = recorded_code(*code, statuses);
  keep_indices(chosen, indices, *code, statuses);
  if (chosen > 1) close_together(chosen, indices, requests);
  for (int i = 0; i < chosen; i++) {
    hash_event(REPRISE_INDICES, (uint64_t)indices[i]);
    completed_at(indices[i], &requests[indices[i]], live[i], &statuses[i]);
  }
  let_go(count);
  *done = chosen;
  return true;
}

EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || done == NULL || (count > 0 && indices == NULL) || !enter(CALL_Waitsome))
    return REAL(Waitsome)(count, requests, done, indices, statuses);
  note_requests(count, requests);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  struct outcome o;
  int code = MPI_SUCCESS, found = UNTOUCHED;
  if (!(replaying() && plan_take(CALL_Waitsome, KIND(REPRISE_INDICES), &o, count, 0) &&
        finish_some(CALL_Waitsome, &o, count, requests, done, indices, statuses, &code))) {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Waitsome)(count, live, &found, indices, statuses);
    hand_back(done, found);
    some_completed(requests, live, found, indices, statuses, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Waitsome);

/* Hot: bench/testsome. */
EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || done == NULL || (count > 0 && indices == NULL) || !enter(CALL_Testsome))
    return REAL(Testsome)(count, requests, done, indices, statuses);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  struct outcome o;
  int code = MPI_SUCCESS, found = UNTOUCHED;
  enum poll_fate fate = replaying() ? plan_poll(CALL_Testsome, KIND(REPRISE_INDICES), 0, &o) : POLL_FREE;
  if (fate == POLL_FALSE) {
    *done = 0;
  } else if (fate != POLL_TRUE || !finish_some(CALL_Testsome, &o, count, requests, done, indices, statuses, &code)) {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Testsome)(count, live, &found, indices, statuses);
    hand_back(done, found);
    if (code == MPI_SUCCESS && found == 0) order_poll_failed();
    else some_completed(requests, live, found, indices, statuses, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Testsome);

/* ---- Requests that end in other ways ---- */

/*
 * Whether a cancel came in time is an outcome of the post. Recorded as cancelled: the receive was posted where nothing
 * matches, and is cancelled for real. Recorded as completed: the cancel came too late, and must again.
 */
EXPORT int MPI_Cancel(MPI_Request *request) {
  if (request == NULL || !enter(CALL_Cancel)) return REAL(Cancel)(request);
  struct request *r = request_of(*request);
  int code = MPI_SUCCESS;
  if (r != NULL) r->cancel_asked = true;
  if (r == NULL || rank.mode != REPRISE_REPLAY || rank.free_run || r->doomed || is_generalized(r))
    code = REAL(Cancel)(r != NULL && r->shadow ? &r->kept : request);
  leave();
  return code;
}
ALSO_AS_PMPI(Cancel);

/* A receive that the program forgets may still take a message from another: it is kept until its outcome is known. */
EXPORT int MPI_Request_free(MPI_Request *request) {
  if (request == NULL || !enter(CALL_Request_free)) return REAL(Request_free)(request);
  struct request *r = request_of(*request);
  int code = MPI_SUCCESS;
  if (r == NULL) {
    code = REAL(Request_free)(request);
  } else if (recording() && r->active && (r->link != NULL || r->cancel_asked)) {
    if (r->shadow) REAL(Request_free)(request); /* what is open is its shadow */
    else r->kept = *request;
    if (r->link == NULL) request_open(r);
    lock();
    request_unname(r);
    unlock();
    *request = MPI_REQUEST_NULL;
  } else {
    bool later = r->active && r->copy != NULL;
    if (later) send_later(r, r->shadow ? r->kept : *request);
    else if (r->shadow) REAL(Request_free)(&r->kept);
    if (r->persistent || !later) code = REAL(Request_free)(request);
    *request = MPI_REQUEST_NULL;
    request_forget(r);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Request_free);

/* ---- Polls of other things ---- */

#define POLL(name, poll, parameters, arguments, wait_for_it)                                                           \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (flag == NULL || !enter(CALL_##name)) return REAL(name) arguments;                                              \
    struct outcome o, error;                                                                                           \
    int code = MPI_SUCCESS;                                                                                            \
    switch (replaying() ? plan_poll(CALL_##name, KIND(REPRISE_HIT), poll, &o) : POLL_FREE) {                           \
      case POLL_FALSE:                                                                                                 \
        *flag = 0;                                                                                                     \
        break;                                                                                                         \
      case POLL_TRUE:                                                                                                  \
        if (plan_error(&error)) {                                                                                      \
          code = REAL(name) arguments;                                                                                 \
        } else {                                                                                                       \
          wait_for_it;                                                                                                 \
          *flag = 1;                                                                                                   \
        }                                                                                                              \
        keep_hit(poll, code, 0, NULL);                                                                                 \
        break;                                                                                                         \
      case POLL_FREE:                                                                                                  \
        code = REAL(name) arguments;                                                                                   \
        if (code == MPI_SUCCESS && !*flag) order_poll_failed();                                                        \
        else keep_hit(poll, code, 0, NULL);                                                                            \
    }                                                                                                                  \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

POLL(Win_test, REPRISE_WIN_TEST, (MPI_Win win, int *flag), (win, flag), code = REAL(Win_wait)(win))
#if MPI_VERSION >= 4
POLL(Parrived, REPRISE_PARRIVED, (MPI_Request request, int partition, int *flag), (request, partition, flag),
     do code = REAL(Parrived)(request, partition, flag); while (code == MPI_SUCCESS && !*flag))
#endif
