/* Sends and receives, once with int counts and, where the MPI has them, once with large counts. */
#include "restore.h"

/* A receive of a restored rank that returns when it has its message. */
static int receive_now(void *buffer, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                       MPI_Status *status) {
  struct operation receive = {.kind = IS_RECEIVE, .buffer = buffer, .count = count, .type = type, .peer = source,
                              .tag = tag, .comm = comm};
  reprise_stay_inside();
  receive_begin(&receive);
  while (!receive.done) hub_pump(-1);
  if (receive.nobody) set_nobody_status(status);
  else set_status(status, receive.source, receive.got_tag, receive.bytes, false);
  return MPI_SUCCESS;
}

/* One that the library has done: which message it was is what it says. */
static void note_received(int source, MPI_Comm handle, const MPI_Status *status, int code) {
  if (source == MPI_PROC_NULL || code != MPI_SUCCESS) return;
  const struct comm *comm = comm_of(handle);
  channel_received(comm->id, world_of(comm, status->MPI_SOURCE), status->MPI_TAG)->key.number++;
}

static void receive_posted(void *buffer, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                           MPI_Request *request, bool persistent) {
  struct operation *receive = operation_new(request, IS_RECEIVE);
  receive->buffer = buffer;
  receive->count = count;
  receive->peer = source;
  receive->tag = tag;
  receive->comm = comm;
  receive->persistent = persistent;
  operation_keep_type(receive, type);
  if (!persistent) receive_begin(receive);
}

static void send_made(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request) {
  struct operation *send = operation_new(request, IS_SEND);
  send->buffer = (void *)buffer;
  send->count = count;
  send->peer = dest;
  send->tag = tag;
  send->comm = comm;
  send->persistent = true;
  operation_keep_type(send, type);
}

static void send_begun(MPI_Request *request) {
  struct operation *send = operation_new(request, IS_SEND);
  send->active = send->done = true;
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

/* ---- Starting persistent requests ---- */

static void started(MPI_Request request) {
  struct operation *one = operation_of(request);
  if (one == NULL) return;
  if (one->kind == IS_RECEIVE) {
    receive_begin(one);
  } else {
    note_sent(one->buffer, one->count, one->type, one->peer, one->tag, one->comm);
    one->active = one->done = true;
  }
}

EXPORT int MPI_Start(MPI_Request *request) {
  if (!serves()) return LIB(Start)(request);
  depth = 1;
  int code = restored ? MPI_SUCCESS : LIB(Start)(request);
  if (code == MPI_SUCCESS) started(*request);
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Start);

EXPORT int MPI_Startall(int count, MPI_Request requests[]) {
  if (!serves()) return LIB(Startall)(count, requests);
  depth = 1;
  int code = restored ? MPI_SUCCESS : LIB(Startall)(count, requests);
  for (int i = 0; code == MPI_SUCCESS && i < count; i++) started(requests[i]);
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Startall);

/* ---- The buffer of MPI_Bsend: what a restored rank sends is gone at once ---- */

static void *attached;
static int attached_bytes;

EXPORT int MPI_Buffer_attach(void *buffer, int bytes) {
  int code = restored ? MPI_SUCCESS : LIB(Buffer_attach)(buffer, bytes);
  if (code == MPI_SUCCESS) {
    attached = buffer;
    attached_bytes = bytes;
  }
  return code;
}
ALSO_AS_PMPI(Buffer_attach);

EXPORT int MPI_Buffer_detach(void *buffer, int *bytes) {
  if (!restored) return LIB(Buffer_detach)(buffer, bytes);
  *(void **)buffer = attached;
  *bytes = attached_bytes;
  return MPI_SUCCESS;
}
ALSO_AS_PMPI(Buffer_detach);

/* ---- Requests that the program completes itself: the library would have to be asked ---- */

EXPORT int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *end,
                              MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request) {
  if (restored) refuse("MPI_Grequest_start");
  if (marking) refuse_checkpoints("requests of its own (MPI_Grequest_start)");
  return LIB(Grequest_start)(query, end, cancel, extra, request);
}
ALSO_AS_PMPI(Grequest_start);
