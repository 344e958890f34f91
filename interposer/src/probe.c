/* Probes: they choose as receives do, and take nothing. */
#include <sched.h>

#include "comms.h"
#include "order.h"
#include "patience.h"
#include "plan.h"
#include "sends.h"
#include "watch.h"
#include "where.h"

/* An Mprobe takes the message it sees: no other receive gets it. */
static void seen(enum call id, MPI_Comm comm, const MPI_Status *status) {
  if (unlikely(rank.watched) && (id == CALL_Mprobe || id == CALL_Improbe))
    watch_taken(status->MPI_SOURCE, status->MPI_TAG, comm_id(comm));
  hash_event((uint64_t)(uint32_t)status->MPI_SOURCE << 32 | (uint32_t)status->MPI_TAG, REPRISE_PROBE);
}

static bool wild(int source, int tag) {
  return source != MPI_PROC_NULL && (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);
}

/* Replay: returns when the message is there, without keeping the processor from whoever is to send it. */
void await_message(int source, int tag, MPI_Comm comm) {
  for (int there = 0, tries = 0; !there; tries++) {
    if (tries > tries_before_yield) sched_yield();
    if (REAL(Iprobe)(source, tag, comm, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
  }
}

/* A probe that failed has seen nothing and left the status alone: what stands there is the program's. */
static void order_seen(enum reprise_kind kind, const MPI_Status *status, int code, bool any_tag) {
  bool seen = code == MPI_SUCCESS;
  order_match(kind, seen ? status->MPI_SOURCE : 0, seen ? status->MPI_TAG : 0, any_tag);
}

/* Replay: a probe that the library will refuse is left as it is. It has an outcome all the same, if it is open. */
static void place_probe(enum call id, bool open, int *source, int *tag, MPI_Comm comm) {
  int from = *source, with = *tag;
  bool valid = probe_is_valid(*source, *tag, comm);
  if (open) plan_force(id, KIND(REPRISE_PROBE) | KIND(REPRISE_PROBE_TAG), &from, &with);
  if (!valid) return;
  *source = from;
  *tag = with;
  await_message(from, with, comm);
}

#define BLOCKING_PROBE(name, parameters, arguments)                                                                    \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (refused(0, NULL, status) || !enter(CALL_##name)) return REAL(name) arguments;                                  \
    MPI_Status own;                                                                                                    \
    if (status == MPI_STATUS_IGNORE) status = &own;                                                                    \
    bool open = wild(source, tag), any_tag = tag == MPI_ANY_TAG, nobody = source == MPI_PROC_NULL;                     \
    note_wait(CALL_##name, REPRISE_WAIT_RECEIVE, source, tag, comm_id(comm));                                          \
    if (replaying() && !nobody) place_probe(CALL_##name, open, &source, &tag, comm);                                   \
    int code = REAL(name) arguments;                                                                                   \
    if (open && recording()) order_seen(REPRISE_PROBE, status, code, any_tag);                                         \
    if (code == MPI_SUCCESS && !nobody) seen(CALL_##name, comm, status);                                               \
    trace.waiting_source = -1;                                                                                         \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

BLOCKING_PROBE(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status))
BLOCKING_PROBE(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
               (source, tag, comm, message, status))

/*
 * A poll that was recorded as successful blocks until it is: `name` probes, `blocking` is the call that waits. One that
 * returned an error is recorded as an outcome with that error, and is made again as it was. A failed poll leaves the
 * status as it was, in Open MPI 4.1 and MPICH 4.0.
 */
#define POLLING_PROBE(name, poll, parameters, arguments, blocking, blocking_arguments, on_failure)                     \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (refused(0, NULL, status) || flag == NULL || !enter(CALL_##name)) return REAL(name) arguments;                  \
    MPI_Status own;                                                                                                    \
    if (status == MPI_STATUS_IGNORE) status = &own;                                                                    \
    bool open = wild(source, tag), any_tag = tag == MPI_ANY_TAG, nobody = source == MPI_PROC_NULL;                     \
    int code = MPI_SUCCESS;                                                                                            \
    struct outcome o, error;                                                                                           \
    enum poll_fate fate = POLL_FREE;                                                                                   \
    if (replaying() && !nobody)                                                                                        \
      fate = plan_poll(CALL_##name, open ? KIND(REPRISE_FOUND) | KIND(REPRISE_FOUND_TAG) : KIND(REPRISE_HIT), poll,    \
                       &o);                                                                                            \
    if (fate == POLL_FALSE) {                                                                                          \
      *flag = 0;                                                                                                       \
      on_failure;                                                                                                      \
    } else if (fate == POLL_TRUE && plan_error(&error)) {                                                              \
      code = REAL(name) arguments;                                                                                     \
    } else if (fate == POLL_TRUE) {                                                                                    \
      if (open) source = (int)o.first;                                                                                 \
      if (open && o.with_tag) tag = (int)o.second;                                                                     \
      trace.waiting_source = source;                                                                                   \
      note_wait(CALL_##name, REPRISE_WAIT_RECEIVE, source, tag, comm_id(comm));                                        \
      await_message(source, tag, comm);                                                                                \
      code = REAL(blocking) blocking_arguments;                                                                        \
      *flag = 1;                                                                                                       \
    } else {                                                                                                           \
      code = REAL(name) arguments;                                                                                     \
    }                                                                                                                  \
    if (fate == POLL_FREE && !nobody && recording() && code == MPI_SUCCESS && !*flag) {                                \
      order_poll_failed();                                                                                             \
    } else if (fate != POLL_FALSE && !nobody && recording()) {                                                         \
      if (open) order_seen(REPRISE_FOUND, status, code, any_tag);                                                      \
      else order_hit(poll);                                                                                            \
      if (code != MPI_SUCCESS) order_error(code, 0, NULL);                                                             \
    }                                                                                                                  \
    if (code == MPI_SUCCESS && *flag && !nobody) seen(CALL_##name, comm, status);                                      \
    trace.waiting_source = -1;                                                                                         \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

POLLING_PROBE(Iprobe, REPRISE_IPROBE, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
              (source, tag, comm, flag, status), Probe, (source, tag, comm, status), )
POLLING_PROBE(Improbe, REPRISE_IMPROBE,
              (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
              (source, tag, comm, flag, message, status), Mprobe, (source, tag, comm, message, status),
              *message = MPI_MESSAGE_NULL)
