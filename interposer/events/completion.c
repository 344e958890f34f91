/* Wait, Test and their families: which requests a call completed, and what they had received. */
#include "events.h"

/* The program's handles as they were before the call: the call sets them to null. */
static MPI_Request *handles_before(int count, const MPI_Request *requests) {
  static PER_THREAD MPI_Request *room;
  static PER_THREAD int size;
  if (count > size) {
    give_memory(room);
    room = take_memory((size_t)count * sizeof *room);
    size = count;
  }
  if (count > 0) memcpy(room, requests, (size_t)count * sizeof *room);
  return room;
}

MPI_Status *status_room(int count) {
  static PER_THREAD MPI_Status *room;
  static PER_THREAD int size;
  if (count > size || room == NULL) { /* never none: NULL is an argument that the library refuses */
    give_memory(room);
    room = take_memory((size_t)(count + 1) * sizeof *room);
    size = count;
  }
  return room;
}

/*
 * Where threads call MPI at the same time, a handle that one of them completes may be another's new request before the
 * first looks: so requests are taken out of the table for the time of the call.
 */
static PER_THREAD struct pending *held;

static __attribute__((noinline)) void hold_now(int count, const MPI_Request *requests) {
  static PER_THREAD int size;
  if (count > size) {
    give_memory(held);
    held = take_memory((size_t)count * sizeof *held);
    size = count;
  }
  lock();
  for (int i = 0; i < count; i++) {
    struct pending *pending = pending_of(requests[i]);
    held[i].handle = 0;
    if (pending == NULL || pending->persistent) continue;
    held[i] = *pending;
    held[i].next = NULL;
    pending_drop(pending);
  }
  unlock();
}

static inline void hold(int count, const MPI_Request *requests) {
  if (unlikely(rank.concurrent)) hold_now(count, requests);
}

static void let_go(int count) {
  if (likely(!rank.concurrent)) return;
  for (int i = 0; i < count; i++)
    if (held[i].handle != 0) pending_put_slow(held[i]);
}

/* The end of a request, which this call reports. */
ALWAYS_INLINE struct event completion(const struct watched *call, unsigned flags, const struct pending *pending,
                                      const MPI_Status *status, uint64_t *bytes) {
  int peer = UNKNOWN, tag = UNKNOWN, cancelled = 0;
  bool receives = pending->kind == REPRISE_EV_POST_RECV;
  *bytes = 0;
  if (unlikely(pending->cancel_asked)) REAL(Test_cancelled)(status, &cancelled);
  if (unlikely(cancelled || (receives && status->MPI_SOURCE < 0))) {
    flags |= REPRISE_EVF_CANCELLED; /* or it failed: no message */
  } else if (receives || pending->kind == REPRISE_EV_POST_MRECV) {
    peer = status->MPI_SOURCE;
    tag = tag_in(status);
    *bytes = status_bytes(status);
  }
  return event_of(call, REPRISE_EV_COMPLETE, flags, peer, tag, events_back(pending->event));
}

/* The completions of one call. Each is written when the next is known: the last one brings the call's times. */
struct completions {
  const struct watched *call;
  unsigned flags;
  bool any;
  struct event last;
  uint64_t bytes;
};

static void add(struct completions *all, struct pending *pending, const MPI_Status *status) {
  if (all->any) event_join(all->last, all->bytes);
  all->any = true;
  all->last = completion(all->call, all->flags, pending, status, &all->bytes);
}

/* The library completed the request at this index, whose handle was this one. */
static inline void completed(struct completions *all, int index, MPI_Request before, const MPI_Status *status) {
  struct pending *pending =
      unlikely(rank.concurrent && held[index].handle != 0) ? &held[index] : pending_of(before);
  if (pending == NULL || !pending->active) return;
  add(all, pending, status);
  if (pending->persistent) pending->active = false;
  else if (unlikely(rank.concurrent)) pending->handle = 0;
  else pending_drop(pending);
}

static inline void finish(struct completions *all) {
  if (likely(all->any)) event_put(all->call, all->last, all->bytes);
  else event_local(all->call);
}

#define ONE_ASKED(request) ((struct asked){.count = 1, .requests = (request)})
#define NOT_KNOWN ((struct asked){.count = -1})
#define ALL_ASKED(n, before) ((struct asked){.count = (n), .requests = (before)})

/* ---- One request ---- */

static __attribute__((noinline)) void completed_slow(struct watched call, unsigned flags,
                                                          MPI_Request before, const MPI_Status *status) {
  struct completions all = {.call = &call, .flags = flags};
  completed(&all, 0, before, status);
  finish(&all);
}

/* The call had this one request only, and completed it. */
ALWAYS_INLINE void one_completed(const struct watched *call, unsigned flags, MPI_Request before,
                                 const MPI_Status *status) {
  struct pending *pending = quick_place(HANDLE(before));
  if (unlikely(pending->handle != HANDLE(before) || !pending->active || pending->next != NULL || rank.concurrent)) {
    completed_slow(*call, flags, before, status);
    return;
  }
  uint64_t bytes;
  struct event event = completion(call, flags, pending, status, &bytes);
  pending->handle = 0;
  event_put(call, event, bytes);
}

/* Hot: bench/run self-loop. */
EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (refused(1, request, status) || !watch()) return REAL(Wait)(request, status);
  struct watched call = BEGUN(CALL_Wait);
  MPI_Status own;
  MPI_Request before = *request;
  if (status == MPI_STATUS_IGNORE) status = &own;
  hold(1, request);
  int code = REAL_NOW(Wait)(request, status);
  RETURNED(call);
  one_completed(&call, 0, before, status);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Wait);

EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (refused(1, request, status) || flag == NULL || !watch()) return REAL(Test)(request, flag, status);
  struct watched call = BEGUN(CALL_Test);
  MPI_Status own;
  MPI_Request before = *request;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int done = UNTOUCHED;
  hold(1, request);
  int code = REAL(Test)(request, &done, status);
  hand_back(flag, done);
  RETURNED(call);
  if (done > 0) requests_asked(1, &before);
  if (done > 0) one_completed(&call, REPRISE_EVF_POLL, before, status);
  else if (code == MPI_SUCCESS) poll_failed(call, ONE_ASKED(&before));
  else event_local(&call);
  let_go(1);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Test);

/* The first call that tells the program is the one that completes the request, though it stays as it is. */
EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  if (refused(0, NULL, status) || flag == NULL || !watch()) return REAL(Request_get_status)(request, flag, status);
  struct watched call = BEGUN(CALL_Request_get_status);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int done = UNTOUCHED;
  hold(1, &request);
  int code = REAL(Request_get_status)(request, &done, status);
  hand_back(flag, done);
  RETURNED(call);
  if (done > 0) requests_asked(1, &request);
  if (done > 0) one_completed(&call, REPRISE_EVF_POLL, request, status);
  else if (code == MPI_SUCCESS) poll_failed(call, ONE_ASKED(&request));
  else event_local(&call);
  let_go(1);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Request_get_status);

/* ---- All of them ---- */

/* After a failure only some are complete; the library says which. */
static void all_completed(const struct watched *call, unsigned flags, int count, const MPI_Request *before,
                          const MPI_Status *statuses, int code) {
  struct completions all = {.call = call, .flags = flags};
  for (int i = 0; i < count; i++)
    if (code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR != MPI_ERR_PENDING))
      completed(&all, i, before[i], &statuses[i]);
  finish(&all);
}

EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || !watch()) return REAL(Waitall)(count, requests, statuses);
  struct watched call = BEGUN(CALL_Waitall);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  MPI_Request *before = handles_before(count, requests);
  hold(count, requests);
  int code = REAL(Waitall)(count, requests, statuses);
  RETURNED(call);
  all_completed(&call, 0, count, before, statuses, code);
  let_go(count);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Waitall);

EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || flag == NULL || !watch())
    return REAL(Testall)(count, requests, flag, statuses);
  struct watched call = BEGUN(CALL_Testall);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  MPI_Request *before = handles_before(count, requests);
  hold(count, requests);
  int code = REAL(Testall)(count, requests, flag, statuses);
  RETURNED(call);
  if (code != MPI_SUCCESS || *flag) requests_asked(count, before);
  if (code != MPI_SUCCESS || *flag) all_completed(&call, REPRISE_EVF_POLL, count, before, statuses, code);
  else poll_failed(call, ALL_ASKED(count, before));
  let_go(count);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Testall);

/* ---- Any of them, and some of them: which, is the library's choice ---- */

static void any_completed(const struct watched *call, int count, const MPI_Request *before, int index,
                          const MPI_Status *status) {
  requests_asked(count, before);
  struct completions all = {.call = call, .flags = REPRISE_EVF_POLL};
  if (index != MPI_UNDEFINED && index != UNTOUCHED) completed(&all, index, before[index], status);
  finish(&all);
}

EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  if (refused(count, requests, status) || index == NULL || !watch())
    return REAL(Waitany)(count, requests, index, status);
  struct watched call = BEGUN(CALL_Waitany);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  MPI_Request *before = handles_before(count, requests);
  int chosen = UNTOUCHED;
  hold(count, requests);
  int code = REAL(Waitany)(count, requests, &chosen, status);
  hand_back(index, chosen);
  RETURNED(call);
  any_completed(&call, count, before, chosen, status);
  let_go(count);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Waitany);

EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  if (refused(count, requests, status) || index == NULL || flag == NULL || !watch())
    return REAL(Testany)(count, requests, index, flag, status);
  struct watched call = BEGUN(CALL_Testany);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  MPI_Request *before = handles_before(count, requests);
  int chosen = UNTOUCHED;
  hold(count, requests);
  int code = REAL(Testany)(count, requests, &chosen, flag, status);
  hand_back(index, chosen);
  RETURNED(call);
  if (code == MPI_SUCCESS && !*flag) poll_failed(call, ALL_ASKED(count, before));
  else any_completed(&call, count, before, chosen, status);
  let_go(count);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Testany);

static void some_completed(const struct watched *call, int count, const MPI_Request *before, int done,
                           const int *indices, const MPI_Status *statuses) {
  requests_asked(count, before);
  struct completions all = {.call = call, .flags = REPRISE_EVF_POLL};
  for (int i = 0; done != MPI_UNDEFINED && i < done; i++) /* none if it was not touched */
    completed(&all, indices[i], before[indices[i]], &statuses[i]);
  finish(&all);
}

EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || done == NULL || (count > 0 && indices == NULL) || !watch())
    return REAL(Waitsome)(count, requests, done, indices, statuses);
  struct watched call = BEGUN(CALL_Waitsome);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  MPI_Request *before = handles_before(count, requests);
  int found = UNTOUCHED;
  hold(count, requests);
  int code = REAL(Waitsome)(count, requests, &found, indices, statuses);
  hand_back(done, found);
  RETURNED(call);
  some_completed(&call, count, before, found, indices, statuses);
  let_go(count);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Waitsome);

EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || done == NULL || (count > 0 && indices == NULL) || !watch())
    return REAL(Testsome)(count, requests, done, indices, statuses);
  struct watched call = BEGUN(CALL_Testsome);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  MPI_Request *before = handles_before(count, requests);
  int found = UNTOUCHED;
  hold(count, requests);
  int code = REAL(Testsome)(count, requests, &found, indices, statuses);
  hand_back(done, found);
  RETURNED(call);
  if (code == MPI_SUCCESS && found == 0) poll_failed(call, ALL_ASKED(count, before));
  else some_completed(&call, count, before, found, indices, statuses);
  let_go(count);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Testsome);

/* ---- Requests that end in other ways ---- */

EXPORT int MPI_Cancel(MPI_Request *request) {
  if (request == NULL || !watch()) return REAL(Cancel)(request);
  struct watched call = BEGUN(CALL_Cancel);
  int code = REAL(Cancel)(request);
  RETURNED(call);
  struct pending *pending = pending_of(*request);
  if (code == MPI_SUCCESS && pending != NULL && pending->active) {
    pending->cancel_asked = true;
    event_put(&call, event_of(&call, REPRISE_EV_CANCEL, 0, UNKNOWN, UNKNOWN, events_back(pending->event)), 0);
  } else {
    event_local(&call);
  }
  unwatch();
  return code;
}
ALSO_AS_PMPI(Cancel);

EXPORT int MPI_Request_free(MPI_Request *request) {
  if (request == NULL || !watch()) return REAL(Request_free)(request);
  struct watched call = BEGUN(CALL_Request_free);
  MPI_Request before = *request;
  int code = REAL(Request_free)(request);
  RETURNED(call);
  struct pending *pending = pending_of(before);
  if (code == MPI_SUCCESS && pending != NULL && pending->active)
    event_put(&call, event_of(&call, REPRISE_EV_FREE, 0, UNKNOWN, UNKNOWN, events_back(pending->event)), 0);
  else event_local(&call);
  if (code == MPI_SUCCESS && pending != NULL) pending_free(pending);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Request_free);

/* ---- Polls of other things ---- */

/* Of what they ask for nothing more is known. */
#define POLL(name, parameters, arguments)                                                                              \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (flag == NULL || !watch()) return REAL(name) arguments;                                                         \
    struct watched call = BEGUN(CALL_##name);                                                                          \
    int code = REAL(name) arguments;                                                                                   \
    RETURNED(call);                                                                                                    \
    if (code == MPI_SUCCESS && !*flag) poll_failed(call, NOT_KNOWN);                                                  \
    else event_local(&call);                                                                                           \
    unwatch();                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

POLL(Win_test, (MPI_Win win, int *flag), (win, flag))
#if MPI_VERSION >= 4
POLL(Parrived, (MPI_Request request, int partition, int *flag), (request, partition, flag))
#endif
