/*
 * Sends. Deterministic, so recording only counts them. In a replay a standard send goes out from a private copy: the
 * recording may have seen it complete because the transport buffered it, and this time the transport may not. Waiting
 * for it could deadlock, so it completes when the recording's did and is finished behind the program's back.
 */
#include <sched.h>

#include "reprise.h"

static const uint64_t PATIENCE_NANOS = 300000000;      /* how long a blocking send waits for a slow receiver */
static const uint64_t LONG_PATIENCE_NANOS = 5000000000; /* ... while this much is in flight: */
static const uint64_t IN_FLIGHT_BYTES = 256 << 20;
static const uint64_t LAST_PATIENCE_NANOS = 10000000000; /* at MPI_Finalize */

struct unfinished {
  MPI_Request request;
  void *copy;
  uint64_t bytes;
  struct unfinished *next;
};
static struct unfinished *unfinished, **unfinished_end = &unfinished;
static uint64_t unfinished_bytes;

/* Bytes of `count` elements if they lie one behind the other and the type is MPI's own; 0 if not known to. */
static uint64_t plain_bytes(MPI_Count count, MPI_Datatype type) {
  static PER_THREAD MPI_Datatype known_type;
  static PER_THREAD uint64_t known_size;
  if (known_size == 0 || type != known_type) {
    int integers, addresses, types, combiner, size;
    MPI_Aint lower, extent;
    REAL(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    REAL(Type_size)(type, &size);
    REAL(Type_get_extent)(type, &lower, &extent);
    if (combiner != MPI_COMBINER_NAMED || lower != 0 || extent != size || size <= 0) return 0;
    known_type = type;
    known_size = (uint64_t)size;
  }
  return known_size * (uint64_t)count;
}

int replay_send_begin(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      struct request *request, MPI_Request *handle) {
  uint64_t bytes = count > 0 ? plain_bytes(count, type) : 0;
  if (bytes > 0) {
    request->copy = take_memory(bytes);
    memcpy(request->copy, buffer, bytes);
#if MPI_VERSION >= 4
    if (count > INT32_MAX)
      return REAL(Isend_c)(request->copy, count, type, dest, tag, comm, handle);
#endif
    request->copy_bytes = bytes;
    return REAL(Isend)(request->copy, (int)count, type, dest, tag, comm, handle);
  }
  int size = 0, used = 0, code;
  if (count > INT32_MAX || (code = REAL(Pack_size)((int)count, type, comm, &size)) != MPI_SUCCESS) {
    /* Too large to pack, or an argument that the library will refuse: from the program's own memory. */
    request->copy = NULL;
#if MPI_VERSION >= 4
    return REAL(Isend_c)(buffer, count, type, dest, tag, comm, handle);
#else
    return REAL(Isend)(buffer, (int)count, type, dest, tag, comm, handle);
#endif
  }
  request->copy = take_memory((size_t)size + 1);
  request->copy_bytes = (uint64_t)size;
  code = REAL(Pack)(buffer, (int)count, type, request->copy, size, &used, comm);
  return code != MPI_SUCCESS ? code : REAL(Isend)(request->copy, used, MPI_PACKED, dest, tag, comm, handle);
}

/* The program may go on: the message is ours to deliver. */
void send_behind(struct request *request, MPI_Request handle) {
  struct unfinished *later = take_memory(sizeof *later);
  *later = (struct unfinished){.request = handle, .copy = request->copy, .bytes = request->copy_bytes};
  request->copy = NULL;
  lock();
  *unfinished_end = later;
  unfinished_end = &later->next;
  unfinished_bytes += later->bytes;
  unlock();
  sends_drain(false);
}

void send_later(struct request *request, MPI_Request handle) {
  trace.sends_deferred++;
  send_behind(request, handle);
}

/* True if the library has finished it. Patiently: the program waits for it, so most likely the receiver is only slow. */
bool send_is_done(MPI_Request handle, bool patiently) {
  int done = 0;
  REAL(Request_get_status)(handle, &done, MPI_STATUS_IGNORE);
  if (done || !(patiently || unfinished_bytes > IN_FLIGHT_BYTES)) return done;
  uint64_t patience = unfinished_bytes > IN_FLIGHT_BYTES ? LONG_PATIENCE_NANOS : PATIENCE_NANOS;
  for (uint64_t begun = now_nanos(), tries = 0; !done && now_nanos() - begun < patience; tries++) {
    if (tries > polite_tries) sched_yield();
    REAL(Request_get_status)(handle, &done, MPI_STATUS_IGNORE);
  }
  return done;
}

/* A blocking send: done, or put off. */
int replay_send_end(struct request *request, MPI_Request *handle) {
  int done = 0;
  int code = REAL(Test)(handle, &done, MPI_STATUS_IGNORE);
  if (done || code != MPI_SUCCESS) return code;
  if (send_is_done(*handle, true)) return REAL(Wait)(handle, MPI_STATUS_IGNORE);
  send_later(request, *handle);
  return MPI_SUCCESS;
}

void sends_drain(bool to_the_end) {
  uint64_t begun = now_nanos();
  lock();
  while (unfinished != NULL) {
    struct unfinished *first = unfinished;
    int done = 0;
    REAL(Test)(&first->request, &done, MPI_STATUS_IGNORE);
    if (!done && (!to_the_end || now_nanos() - begun > LAST_PATIENCE_NANOS)) break;
    if (!done) {
      sched_yield();
      continue;
    }
    if ((unfinished = first->next) == NULL) unfinished_end = &unfinished;
    unfinished_bytes -= first->bytes;
    give_memory(first->copy);
    give_memory(first);
  }
  unlock();
}
