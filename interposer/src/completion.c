/* Wait, Test and their families: see completion.h. */
#include <sched.h>

#include "completion.h"
#include "patience.h"
#include "sends.h"

MPI_Request live_request_slow(MPI_Request request) {
  struct request *r = request_of(request);
  return r != NULL && r->shadow ? r->kept : request;
}

MPI_Request *live_requests_slow(int count, const MPI_Request *requests) {
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

/* What this thread is about to complete; only where others may do so at the same time. */
static PER_THREAD struct request **held;

void hold_slow(int count, const MPI_Request *requests) {
  static PER_THREAD int size;
  if (count > size) {
    give_memory(held);
    held = take_memory((size_t)count * sizeof *held);
    size = count;
  }
  for (int i = 0; i < count; i++) held[i] = request_detach(requests[i]);
}

void let_go_slow(int count) {
  for (int i = 0; i < count; i++)
    if (held[i] != NULL) request_attach(held[i]);
}

void completed_at_slow(int index, MPI_Request *handle, MPI_Request live, MPI_Status *status) {
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

MPI_Request ready(MPI_Request handle, bool patiently) {
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
    if (tries > tries_before_yield) sched_yield();
    if (REAL(Request_get_status)(live, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
  }
  unhush(handler);
  return live;
}

int recorded_code(int code, MPI_Status *statuses) {
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

void keep_error(int code, int count, const MPI_Status *statuses) {
  if (recording() && unlikely(code != MPI_SUCCESS)) order_error(code, count, statuses);
}

void keep_hit(enum reprise_poll poll, int code, int count, const MPI_Status *statuses) {
  if (recording()) order_hit(poll);
  keep_error(code, count, statuses);
}

void close_together(int count, const int *indices, const MPI_Request *requests) {
  if (open_requests == NULL || rank.concurrent) return;
  lock();
  for (int i = 0; i < count; i++) {
    MPI_Request request = requests[indices == NULL ? i : indices[i]];
    struct request *r = is_light_send(request) ? NULL : request_of_locked(request);
    if (r != NULL) request_close(r);
  }
  unlock();
}
