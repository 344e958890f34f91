/* Probes: they choose as receives do, and take nothing. */
#include <sched.h>

#include "reprise.h"

static void seen(const MPI_Status *status) {
  hash_event((uint64_t)(uint32_t)status->MPI_SOURCE << 32 | (uint32_t)status->MPI_TAG, REPRISE_PROBE);
}

static bool wild(int source, int tag) {
  return source != MPI_PROC_NULL && (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);
}

/* MPICH leaves parts of a probe's status as they were: what lay on the program's stack must not come through. */
static void clear(MPI_Status *status) { memset(status, 0, sizeof *status); }

/* Replay: returns when the message is there, without keeping the processor from whoever is to send it. */
static void await_message(int source, int tag, MPI_Comm comm) {
  for (int there = 0, tries = 0; !there; tries++) {
    if (tries > polite_tries) sched_yield();
    if (REAL(Iprobe)(source, tag, comm, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
  }
}

#define BLOCKING_PROBE(name, parameters, arguments)                                                                    \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!enter(CALL_##name)) return REAL(name) arguments;                                                              \
    MPI_Status own;                                                                                                    \
    if (status == MPI_STATUS_IGNORE) status = &own;                                                                    \
    clear(status);                                                                                                     \
    bool open = wild(source, tag), any_tag = tag == MPI_ANY_TAG, nobody = source == MPI_PROC_NULL;                     \
    if (open && replaying()) plan_force(CALL_##name, KIND(REPRISE_PROBE) | KIND(REPRISE_PROBE_TAG), &source, &tag);    \
    if (replaying() && !nobody) await_message(source, tag, comm);                                                      \
    int code = REAL(name) arguments;                                                                                   \
    if (open && recording()) order_match(REPRISE_PROBE, status->MPI_SOURCE, status->MPI_TAG, any_tag);                 \
    if (code == MPI_SUCCESS && !nobody) seen(status);                                                                  \
    trace.waiting_source = -1;                                                                                  \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

BLOCKING_PROBE(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status))
BLOCKING_PROBE(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
               (source, tag, comm, message, status))

/* A poll that was recorded as successful blocks until it is: `name` probes, `blocking` is the call that waits. */
#define POLLING_PROBE(name, poll, parameters, arguments, blocking, blocking_arguments, on_failure)                     \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!enter(CALL_##name)) return REAL(name) arguments;                                                              \
    MPI_Status own;                                                                                                    \
    if (status == MPI_STATUS_IGNORE) status = &own;                                                                    \
    clear(status);                                                                                                     \
    bool open = wild(source, tag), any_tag = tag == MPI_ANY_TAG, nobody = source == MPI_PROC_NULL;                     \
    int code = MPI_SUCCESS;                                                                                            \
    struct outcome o;                                                                                                  \
    enum poll_fate fate = POLL_FREE;                                                                                   \
    if (replaying() && !nobody)                                                                                        \
      fate = plan_poll(CALL_##name, open ? KIND(REPRISE_FOUND) | KIND(REPRISE_FOUND_TAG) : KIND(REPRISE_HIT), poll,    \
                       &o);                                                                                            \
    if (fate == POLL_FALSE) {                                                                                          \
      *flag = 0;                                                                                                       \
      on_failure;                                                                                                      \
    } else if (fate == POLL_TRUE) {                                                                                    \
      if (open) source = (int)o.first;                                                                                 \
      if (open && o.with_tag) tag = (int)o.second;                                                                     \
      trace.waiting_source = source;                                                                            \
      await_message(source, tag, comm);                                                                                \
      code = REAL(blocking) blocking_arguments;                                                                        \
      *flag = 1;                                                                                                       \
    } else {                                                                                                           \
      code = REAL(name) arguments;                                                                                     \
      if (!nobody && recording()) {                                                                                    \
        if (code != MPI_SUCCESS || !*flag) order_poll_failed();                                                        \
        else if (open) order_match(REPRISE_FOUND, status->MPI_SOURCE, status->MPI_TAG, any_tag);                       \
        else order_hit(poll);                                                                                          \
      }                                                                                                                \
    }                                                                                                                  \
    if (code == MPI_SUCCESS && *flag && !nobody) seen(status);                                                         \
    trace.waiting_source = -1;                                                                                  \
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
