/* requests.c: what the program's request handles stand for. */
#ifndef REPRISE_REQUESTS_H
#define REPRISE_REQUESTS_H

#include "heap.h"
#include "order.h"

#pragma GCC visibility push(hidden)

enum role {
  ROLE_RECEIVE,
  ROLE_SEND,
  ROLE_GENERALIZED, /* in a replay only */
  ROLE_COLLECTIVE   /* of a rank that is watched only */
};

struct request {
  uintptr_t handle;
  uint64_t post;
  uint64_t comm_id;
  enum role role;
  bool wild_source, wild_tag, persistent, active, cancel_asked;
  bool resolved; /* its outcome stands in the file already */
  bool synchronous;
  bool standard; /* a standard-mode send: a replay may finish it late */
  bool doomed;   /* replay: recorded as cancelled or never matched, so posted where nothing matches */
  bool shadow;
  bool buffer_is_reused; /* replay: the same call receives into it, so a copy is sent */
  bool type_is_ours; /* the program may free its own before it starts the request */
  struct request *next, **link; /* open wildcard receives, the newest first */
  MPI_Request kept;             /* freed by the program, still open; or the shadow of a persistent request in replay */
  void *copy; /* replay: what is sent */
  uint64_t copy_bytes;
  int peer, tag;
  uint64_t number; /* of a rank that is watched: which of its channel, or of the collectives of its communicator */
  /* Of a persistent request in replay; not set in others */
  const void *buffer;
  MPI_Count count;
  MPI_Datatype type;
  MPI_Comm comm;
};

struct request *request_new(MPI_Request handle, enum role role, uint64_t post, MPI_Comm comm);
struct request *request_of(MPI_Request handle);
struct request *request_of_locked(MPI_Request handle);
struct request *request_detach(MPI_Request handle);
void request_attach(struct request *request);
void request_forget(struct request *request);
void request_keep_type(struct request *request, MPI_Datatype type); /* of a persistent one, in a replay */
int type_moved(MPI_Datatype type, MPI_Aint by, MPI_Datatype *moved); /* the same, so many bytes further, committed */

/*
 * Where a handle is looked for first: a table without chains, so that most requests are one look away. Who finds their
 * place taken goes into the map behind it.
 *
 * Sends that are recorded are many and seldom of interest: only a cancel asks for their post number. While there is
 * nothing else to look up and the program has no way to cancel, they pass unseen. Else they are a place without a
 * request, and get one when somebody asks (request_of). They stay there when they are complete, until the handle or the
 * place is used again: a send's completion is no outcome. Sends that are replayed are the same, with the copy they are
 * sent from.
 */
struct place {
  uintptr_t handle; /* 0: nobody */
  struct request *request; /* NULL: a send */
  uint64_t post;           /* of a send */
  void *copy;              /* of a replayed send, until it is complete */
  uint64_t copy_bytes;
};
enum { PLACES_LOG = 8 };
extern struct place places[1 << PLACES_LOG];
/* All that have a handle and are no mere place; one more where the program might cancel, so that none passes unseen. */
extern size_t requests_named;
static inline struct place *place_of(uintptr_t handle) {
  return &places[(uint32_t)handle * UINT32_C(0x9E3779B1) >> (32 - PLACES_LOG)];
}
static inline bool is_light_send(MPI_Request handle) {
  const struct place *place = place_of(HANDLE(handle));
  return place->handle == HANDLE(handle) && place->request == NULL;
}
struct place *request_new_send_slow(MPI_Request handle, uint64_t post);
static inline struct place *request_new_send(MPI_Request handle, uint64_t post) { /* NULL: it became a request */
  struct place *place = place_of(HANDLE(handle));
  if (unlikely(!is_light_send(handle) || place->copy != NULL)) return request_new_send_slow(handle, post);
  place->post = post;
  return place;
}
static inline void light_send_is_over(MPI_Request handle) {
  struct place *place = place_of(HANDLE(handle));
  if (likely(place->copy == NULL)) return;
  give_memory(place->copy);
  place->copy = NULL;
}
void request_unname(struct request *request);
void request_open(struct request *request);  /* a wildcard receive whose outcome is not known yet */
void request_close(struct request *request);
void request_completed(struct request *request, MPI_Status *status);
void sweep_open_requests(int most);
void resolve_older(uint64_t post, uint64_t comm, const MPI_Status *status);
void resolve_open_requests(bool finalizing);
extern struct request *open_requests;
void requests_visit(void (*visit)(const struct request *request)); /* all that have a handle */

static inline uint64_t next_post(void) {
  return likely(!rank.lock_needed) ? trace.posts++ : __atomic_fetch_add(&trace.posts, 1, __ATOMIC_RELAXED);
}

/* Around MPI_Request_get_status, of which the program's error handler is not to hear. */
#ifdef MPICH
typedef MPI_Errhandler hushed;
#else
typedef bool hushed;
#endif
hushed hush(bool own_call_follows);
void unhush(hushed handler);
MPI_Status *status_room(int count); /* one array of the thread's own, for MPI_STATUSES_IGNORE */

#pragma GCC visibility pop

#endif
