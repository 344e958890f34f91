/* Sends and receives, once with int counts and, where the MPI has them, once with large counts. */
#include "events.h"

#include "observed.h"

ALWAYS_INLINE unsigned pattern(int source, int tag) {
  return (source == MPI_ANY_SOURCE ? REPRISE_EVF_ANY_SOURCE : 0) | (tag == MPI_ANY_TAG ? REPRISE_EVF_ANY_TAG : 0);
}

/* A standard send that the recorder makes wait. Not that of an exchange, whose receive is posted before it is matched. */
ALWAYS_INLINE unsigned standard_flags(uint64_t bytes) {
  return unlikely(rank.eager_bytes != INT64_MAX) && (int64_t)bytes > rank.eager_bytes ? REPRISE_EVF_SYNC : 0;
}

static inline int peer_of(int source) { return source == MPI_ANY_SOURCE ? UNKNOWN : source; }
static inline int tag_of(int tag) { return tag == MPI_ANY_TAG ? UNKNOWN : tag; }

/* False: nothing was sent, or to somebody whose events are not written. */
ALWAYS_INLINE bool sends(int code, int dest, MPI_Comm comm, uint32_t *index) {
  return likely(code == MPI_SUCCESS && dest != MPI_PROC_NULL) && likely((*index = comm_index(comm)) != FOREIGN);
}

ALWAYS_INLINE void sent(const struct watched *call, int code, unsigned flags, int dest, int tag, MPI_Comm comm,
                        uint64_t bytes) {
  uint32_t index;
  if (sends(code, dest, comm, &index))
    event_put(call, event_of(call, REPRISE_EV_SEND, flags, dest, tag, index), bytes);
  else event_local(call);
}

ALWAYS_INLINE void send_posted(const struct watched *call, int code, unsigned flags, int dest, int tag, MPI_Comm comm,
                               uint64_t bytes, MPI_Request *request) {
  uint32_t index;
  if (sends(code, dest, comm, &index)) {
    pending_put(*request, REPRISE_EV_POST_SEND, 0, tag);
    event_put(call, event_of(call, REPRISE_EV_POST_SEND, flags, dest, tag, index), bytes);
  } else {
    event_local(call);
  }
}

/* The sending half of a call that receives too. */
static void sent_besides(const struct watched *call, enum reprise_event_kind kind, int code, int dest, int tag,
                         MPI_Comm comm, uint64_t bytes) {
  uint32_t index;
  if (sends(code, dest, comm, &index)) event_join(event_of(call, kind, 0, dest, tag, index), bytes);
}

/* What a blocking receive took. */
ALWAYS_INLINE void received(const struct watched *call, int code, int source, int tag, MPI_Comm comm,
                            const MPI_Status *status) {
  uint32_t index = likely(source != MPI_PROC_NULL && took_message(code)) ? comm_index(comm) : FOREIGN;
  if (likely(index != FOREIGN))
    event_put(call, event_of(call, REPRISE_EV_RECV, pattern(source, tag), status->MPI_SOURCE, tag_in(status), index),
              status_bytes(status));
  else event_failed(call, source != MPI_PROC_NULL ? pattern(source, tag) : 0);
}

ALWAYS_INLINE void receive_posted(const struct watched *call, int code, int source, int tag, MPI_Comm comm,
                                  uint64_t bytes, MPI_Request *request) {
  uint32_t index = likely(code == MPI_SUCCESS && source != MPI_PROC_NULL) ? comm_index(comm) : FOREIGN;
  if (likely(index != FOREIGN)) {
    pending_put(*request, REPRISE_EV_POST_RECV, last_post(), tag_of(tag));
    event_put(call, event_of(call, REPRISE_EV_POST_RECV, pattern(source, tag), peer_of(source), tag_of(tag), index),
              bytes);
  } else {
    event_local(call);
  }
}

/* A persistent request: nothing happens before it is started. */
static inline void initialised(const struct watched *call, int code, enum reprise_event_kind kind, unsigned flags,
                               int peer, int tag, MPI_Comm comm, uint64_t bytes, MPI_Request *request) {
  uint32_t index = code == MPI_SUCCESS && peer != MPI_PROC_NULL ? comm_index(comm) : FOREIGN;
  if (index != FOREIGN)
    pending_put_slow((struct pending){.handle = HANDLE(*request),
                                        .kind = (uint8_t)kind,
                                        .persistent = true,
                                        .flags = (uint8_t)flags,
                                        .peer = peer_of(peer),
                                        .tag = tag_of(tag),
                                        .comm = index,
                                        .bytes = bytes});
  event_local(call);
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

static void started(const struct watched *call, MPI_Request request, uint64_t post, bool last) {
  struct pending *pending = pending_of(request);
  struct event event = event_of(call, REPRISE_EV_LOCAL, 0, UNKNOWN, UNKNOWN, 0);
  uint64_t bytes = 0;
  if (pending != NULL && pending->persistent) {
    pending->event = event_count;
    pending->post = post;
    pending->active = true;
    pending->cancel_asked = false;
    event = event_of(call, pending->kind, pending->flags, pending->peer, pending->tag, pending->comm);
    bytes = pending->bytes;
  }
  if (last) event_put(call, event, bytes);
  else event_join(event, bytes);
}

EXPORT int MPI_Start(MPI_Request *request) {
  if (request == NULL || !watch()) return REAL(Start)(request);
  struct watched call = BEGUN(CALL_Start);
  int code = REAL(Start)(request);
  RETURNED(call);
  if (code == MPI_SUCCESS) started(&call, *request, last_post(), true);
  else event_local(&call);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Start);

EXPORT int MPI_Startall(int count, MPI_Request requests[]) {
  if (refused(count, requests, MPI_STATUS_IGNORE) || !watch()) return REAL(Startall)(count, requests);
  struct watched call = BEGUN(CALL_Startall);
  int code = REAL(Startall)(count, requests);
  RETURNED(call);
  if (code != MPI_SUCCESS || count == 0) event_local(&call);
  else
    for (int i = 0; i < count; i++)
      started(&call, requests[i], last_post() + 1 - (uint64_t)(count - i), i == count - 1);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Startall);
