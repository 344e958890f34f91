/* Sends and receives, once with int counts and, where the MPI has them, once with large counts. */
#include "comms.h"
#include "order.h"
#include "patience.h"
#include "plan.h"
#include "requests.h"
#include "sends.h"
#include "watch.h"
#include "where.h"

/* The sources and tags that a call leaves open, and what a replay puts in their place. */
struct choice {
  bool wild_source, wild_tag;
};

static inline struct choice choice_of(int source, int tag) {
  return (struct choice){source == MPI_ANY_SOURCE, tag == MPI_ANY_TAG && source != MPI_PROC_NULL};
}

static inline bool is_open(struct choice choice) { return choice.wild_source | choice.wild_tag; }

/*
 * Replay: what the call leaves open is chosen as it was; what it names stays, or an error would be another one. A call
 * that the library will refuse is left alone, since the error's text has its arguments.
 */
static inline void force(enum call id, struct choice choice, MPI_Count count, MPI_Datatype type, int *source, int *tag,
                         MPI_Comm comm) {
  if (likely(!is_open(choice)) || !replaying()) return;
  int from = *source, with = *tag;
  plan_force(id, KIND(REPRISE_RECV) | KIND(REPRISE_RECV_TAG), &from, &with);
  if (unlikely(count < 0 || type == MPI_DATATYPE_NULL || !probe_is_valid(*source, *tag, comm))) return;
  if (choice.wild_source) *source = from;
  if (choice.wild_tag) *tag = with;
}

static void received(struct choice choice, int source, MPI_Comm comm, const MPI_Status *status, int code) {
  if (recording() && is_open(choice)) {
    bool took = took_message(code) && status->MPI_SOURCE >= 0;
    order_match(REPRISE_RECV, took ? status->MPI_SOURCE : 0, took ? status->MPI_TAG : 0, choice.wild_tag);
  }
  if (rank.mode == REPRISE_REPLAY) trace.waiting_source = -1;
  if (source == MPI_PROC_NULL || code != MPI_SUCCESS) return;
  uint64_t id = comm_id(comm);
  if (unlikely(rank.watched)) watch_taken(status->MPI_SOURCE, status->MPI_TAG, id);
  hash_receive(status, id);
  if (unlikely(open_requests != NULL && !rank.concurrent)) {
    lock();
    resolve_older(UINT64_MAX, id, status);
    unlock();
  }
}

static __attribute__((noinline)) int receive_failed(struct choice choice, const MPI_Status *status, int code) {
  received(choice, 0, last_comm, status, code);
  leave_quick();
  return code;
}

/* The same where enter_quick did, for the communicator used last. Hot: bench/run self-loop receive. */
static inline __attribute__((always_inline)) void received_quick(struct choice choice, const MPI_Status *status) {
  struct reprise_header *h = &trace;
  if (choice.wild_tag) order_match_tag_quick(h, REPRISE_RECV_TAG, status->MPI_SOURCE, status->MPI_TAG);
  else if (choice.wild_source) order_match_quick(h, REPRISE_RECV, status->MPI_SOURCE);
  h->receives++;
  hash_event_quick(h, source_and_tag(status), status_bytes(status) ^ last_comm_id);
}

/* Where a non-blocking receive is posted in a replay: where it matches what it matched, or where nothing ever does. */
static bool place_post(enum call id, uint64_t post, struct choice choice, int *source, int *tag, MPI_Comm *comm) {
  struct post_outcome o = plan_post(id, post, is_open(choice));
  switch (o.fate) {
    case FATE_MATCH_TAG:
      *tag = o.tag; /* fall through */
    case FATE_MATCH:
      *source = o.source;
      return false;
    case FATE_CANCELLED:
    case FATE_NEVER:
      *comm = private_comm;
      *source = 0;
      return true;
    case FATE_UNKNOWN:
      break;
  }
  return false;
}

static void posted(struct request *request, struct choice choice, int source, int tag, bool doomed) {
  request->peer = source;
  request->tag = tag;
  request->wild_source = choice.wild_source;
  request->wild_tag = choice.wild_tag;
  request->doomed = doomed;
  if (recording() && is_open(choice)) request_open(request);
}

/*
 * A send that was cancelled is not sent again, or it could be received before the cancel comes. To oneself it is: there
 * everything is in the program's own order, and its probes may have seen the message.
 */
static bool doomed_send(enum call id, uint64_t post) {
  return replaying() && plan_post(id, post, false).fate == FATE_CANCELLED;
}

static bool to_oneself(int dest, MPI_Comm comm) {
  int inter = 1, own = -1;
  REAL(Comm_test_inter)(comm, &inter);
  REAL(Comm_rank)(comm, &own);
  return !inter && dest == own;
}

/* In the place of a send that is not sent; it can be cancelled. */
static int post_nowhere(MPI_Request *request) { return REAL(Irecv)(NULL, 0, MPI_BYTE, 0, 0, private_comm, request); }

static void watch_blocking_send(enum call id, int dest, int tag, MPI_Comm comm) {
  if (watch_sent(dest, tag, comm) > 0) note_wait(id, REPRISE_WAIT_SEND, dest, tag, comm_id(comm));
}

/* The same of a standard send; true if it is to wait for its receive. */
static bool watch_standard_send(enum call id, const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag,
                                MPI_Comm comm) {
  watch_blocking_send(id, dest, tag, comm);
  return send_waits(buffer, count, type, dest, tag, comm);
}

/* The sending part of an exchange that is done by parts. */
struct exchange {
  struct request out; /* synchronous: it waits for its receive */
  MPI_Request handle;
};

static struct exchange exchange_of(const void *send, MPI_Count count, MPI_Datatype type, int dest, int tag,
                                   MPI_Comm comm) {
  struct exchange parts = {.out = {.role = ROLE_SEND}, .handle = MPI_REQUEST_NULL};
  if (unlikely(rank.watched)) {
    watch_sent(dest, tag, comm);
    parts.out.synchronous = send_waits(send, count, type, dest, tag, comm);
  }
  return parts;
}

static bool goes_by_parts(const struct exchange *parts) {
  return parts->out.synchronous || (unlikely(replaying()) && !plan_at_last_call());
}

/* What the whole came to, whose receive came to this. */
static int exchange_end(enum call id, struct exchange *parts, int dest, int tag, MPI_Comm comm, int code) {
  if (likely(parts->handle == MPI_REQUEST_NULL)) return code;
  if (rank.watched) note_wait(id, REPRISE_WAIT_SEND, dest, tag, comm_id(comm));
  int sent = replay_send_end(&parts->out, &parts->handle);
  give_memory(parts->out.copy);
  return code != MPI_SUCCESS ? code : sent;
}

/* A replay does not hand the send to the library as the program wrote it. */
static inline bool private_send(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag,
                                MPI_Comm comm) {
  return replaying() && dest != MPI_PROC_NULL && !plan_at_last_call() &&
         send_is_valid(buffer, count, type, dest, tag, comm) && send_needs_copy(count, type);
}

#define COUNT int
#define NAME(name) name
#include "point_to_point.inc"
#undef COUNT
#undef NAME

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define NAME(name) name##_c
#include "point_to_point.inc"
#undef COUNT
#undef NAME
#endif

/* ---- Starting persistent requests: each start is a post of its own ---- */

static int start_one(MPI_Request *handle) {
  struct request *r = request_of(*handle);
  if (r == NULL || !r->persistent) return REAL(Start)(handle);
  if (unlikely(rank.watched) && r->role == ROLE_SEND && !r->active) {
    r->comm_id = comm_id(r->comm);
    r->number = watch_sent(r->peer, r->tag, r->comm) << 1 | r->synchronous;
  }
  if (unlikely(r->active)) return REAL(Start)(r->shadow ? &r->kept : handle); /* refused, and nothing has changed */
  r->post = next_post();
  r->active = true;
  r->resolved = r->cancel_asked = r->doomed = false;
  struct choice choice = {r->wild_source, r->wild_tag};
  bool doomed = r->role == ROLE_SEND && doomed_send(CALL_Start, r->post);
  bool nowhere = doomed && !to_oneself(r->peer, r->comm);
  r->doomed = doomed;
  if (!replaying() || (r->type == MPI_DATATYPE_NULL && !nowhere)) {
    int code = REAL(Start)(handle);
    r->active = code == MPI_SUCCESS;
    if (recording() && r->active && is_open(choice)) request_open(r);
    return code;
  }
  /* The program's handle must stay what it is, so a shadow does the work. */
  if (r->role == ROLE_SEND) {
    int code = nowhere ? post_nowhere(&r->kept)
                       : replay_send_begin(r->buffer, r->count, r->type, r->peer, r->tag, r->comm, r, &r->kept);
    r->shadow = r->active = code == MPI_SUCCESS;
    return code;
  }
  int source = r->peer, tag = r->tag;
  MPI_Comm comm = r->comm;
  r->doomed = place_post(CALL_Start, r->post, choice, &source, &tag, &comm);
  if (!is_open(choice) && !r->doomed) return REAL(Start)(handle);
  r->shadow = true;
  if (recording() && is_open(choice)) request_open(r);
#if MPI_VERSION >= 4
  return REAL(Irecv_c)((void *)r->buffer, r->count, r->type, source, tag, comm, &r->kept);
#else
  return REAL(Irecv)((void *)r->buffer, (int)r->count, r->type, source, tag, comm, &r->kept);
#endif
}

EXPORT int MPI_Start(MPI_Request *request) {
  if (request == NULL || !enter(CALL_Start)) return REAL(Start)(request);
  int code = start_one(request);
  leave();
  return code;
}
ALSO_AS_PMPI(Start);

/* The library starts all or none. */
static bool can_start(MPI_Request request) {
  const struct request *r = request_of(request);
  return request != MPI_REQUEST_NULL && (r == NULL || (r->persistent && !r->active));
}

EXPORT int MPI_Startall(int count, MPI_Request requests[]) {
  if (refused(count, requests, MPI_STATUS_IGNORE) || !enter(CALL_Startall)) return REAL(Startall)(count, requests);
  bool startable = true;
  for (int i = 0; i < count; i++) startable &= can_start(requests[i]);
  int code = MPI_SUCCESS;
  if (unlikely(!startable)) code = REAL(Startall)(count, requests);
  else for (int i = 0; i < count && code == MPI_SUCCESS; i++) code = start_one(&requests[i]);
  leave();
  return code;
}
ALSO_AS_PMPI(Startall);
