/*
 * Sends. Deterministic, so recording only counts them. In a replay a standard send goes out from a private copy: the
 * recording may have seen it complete because the transport buffered it, and this time the transport may not. Waiting
 * for it could deadlock, so it completes when the recording's did and is finished behind the program's back. A send of
 * which is known that the recording's had waited for its receive is waited for again, and needs no copy.
 */
#include <sched.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "comms.h"
#include "patience.h"
#include "sends.h"

static const uint64_t PATIENCE_NANOS = 300000000;      /* how long a blocking send waits for a slow receiver */
static const uint64_t HELD_PATIENCE_NANOS = 1000000;   /* ... where a debugger may hold the receiver as long as it likes */
static const uint64_t LONG_PATIENCE_NANOS = 5000000000; /* ... while this much is in flight: */
static const uint64_t IN_FLIGHT_BYTES = 256 << 20;
static const uint64_t LAST_PATIENCE_NANOS = 10000000000; /* at MPI_Finalize */

enum { CLOCK_EVERY_TRIES = 16 };

struct unfinished {
  MPI_Request request;
  void *copy;
  uint64_t bytes;
  struct unfinished *next;
};
static struct unfinished *unfinished, **unfinished_end = &unfinished;
static uint64_t unfinished_bytes;

#if MPI_VERSION >= 4
#define COUNTING(name) REAL(name##_c)
typedef MPI_Count count_type;
#else
#define COUNTING(name) REAL(name)
typedef int count_type;
#endif

/* ---- What the library would refuse is left to it: the program gets the same error from the same function ---- */

static int largest_tag(void) {
  static int largest = -1;
  int *value, there = 0;
  if (largest < 0) REAL(Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &value, &there);
  if (there) largest = *value;
  return largest < 0 ? INT32_MAX : largest;
}

/* A type of MPI's own that was seen before, and the size of its elements. Such types are never freed. */
static PER_THREAD MPI_Datatype known_type;
static PER_THREAD uint64_t known_size; /* 0: none is known */

/* Asked through a function that has a communicator: on an error, any other calls the program's error handler. */
static bool type_is_valid(MPI_Datatype type) {
  int at = 0;
  char nothing;
  if (type == MPI_DATATYPE_NULL) return false;
  return (type == known_type && known_size != 0) ||
         REAL(Pack)(&nothing, 0, type, &nothing, 0, &at, private_comm) == MPI_SUCCESS;
}

static bool is_named(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  if (type == known_type && known_size != 0) return true;
  REAL(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

/* Nothing is read or written, or it lies somewhere: from MPI_BOTTOM on only if the type has the addresses. */
bool buffer_is_valid(const void *buffer, MPI_Count count, MPI_Datatype type) {
  return buffer != MPI_BOTTOM || count == 0 || !is_named(type);
}

bool send_is_valid(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return count >= 0 && comm != MPI_COMM_NULL &&
         (dest == MPI_PROC_NULL || (dest >= 0 && dest < comm_peers(comm))) && tag >= 0 && tag <= largest_tag() &&
         type_is_valid(type) && buffer_is_valid(buffer, count, type);
}

bool probe_is_valid(int source, int tag, MPI_Comm comm) {
  return comm != MPI_COMM_NULL &&
         (source == MPI_ANY_SOURCE || source == MPI_PROC_NULL || (source >= 0 && source < comm_peers(comm))) &&
         (tag == MPI_ANY_TAG || (tag >= 0 && tag <= largest_tag()));
}

bool receive_is_valid(MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm) {
  return count >= 0 && probe_is_valid(source, tag, comm) && type_is_valid(type);
}

/* ---- The copy ---- */

/* How `count` elements lie in memory: so many bytes of data, from `first` on; without gaps between them, or with. */
struct layout {
  uint64_t bytes;
  MPI_Aint first;
  bool dense;
};

static struct layout layout_of(MPI_Count count, MPI_Datatype type) {
  if (type == known_type && known_size != 0)
    return (struct layout){.bytes = known_size * (uint64_t)count, .first = 0, .dense = true};
  MPI_Count size;
  MPI_Aint lower, extent, first, span;
  REAL(Type_size_x)(type, &size);
  REAL(Type_get_extent)(type, &lower, &extent);
  REAL(Type_get_true_extent)(type, &first, &span);
  bool dense = span == size && (extent == size || count == 1);
  if (dense && size > 0 && first == 0 && extent == size && is_named(type)) {
    known_type = type;
    known_size = (uint64_t)size;
  }
  return (struct layout){.bytes = (uint64_t)size * (uint64_t)count, .first = first, .dense = dense};
}

/*
 * Past the caches, where the copy is long enough to be fetched by its receiver and not by the library here: lines that
 * this processor has just written travel to another one more slowly than memory does, and push out the program's own.
 */
static void copy_bytes(void *to, const void *from, size_t bytes) {
#ifdef __SSE2__
  enum { STREAMED_BYTES_MIN = 32768, LINE = 4 * sizeof(__m128i) };
  if (bytes >= STREAMED_BYTES_MIN) {
    __m128i *out = to;
    const __m128i *in = from;
    for (size_t lines = bytes / LINE; lines > 0; lines--, in += 4, out += 4) {
      __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1), c = _mm_loadu_si128(in + 2),
              d = _mm_loadu_si128(in + 3);
      _mm_stream_si128(out, a);
      _mm_stream_si128(out + 1, b);
      _mm_stream_si128(out + 2, c);
      _mm_stream_si128(out + 3, d);
    }
    memcpy(out, in, bytes % LINE);
    _mm_sfence();
    return;
  }
#endif
  memcpy(to, from, bytes);
}

/* MPICH packs nothing from MPI_BOTTOM, so the addresses in the type are moved to where they begin. */
static int pack(const void *buffer, MPI_Count count, MPI_Datatype type, MPI_Aint first, void *copy, count_type room,
                count_type *used) {
  if (buffer != MPI_BOTTOM) return COUNTING(Pack)(buffer, (count_type)count, type, copy, room, used, private_comm);
  MPI_Datatype moved;
  int code = type_moved(type, -first, &moved);
  if (code != MPI_SUCCESS) return code;
  code = COUNTING(Pack)((void *)first, (count_type)count, moved, copy, room, used, private_comm);
  REAL(Type_free)(&moved);
  return code;
}

/* Packing counts bytes by count_type. */
static bool is_packable(struct layout layout) {
  return layout.dense || layout.bytes <= INT_MAX || sizeof(count_type) > sizeof(int);
}

/*
 * What is too long to be packed leaves from the program's buffer, too: no library buffers 2 GB, so its receive was there
 * when the recording's send completed.
 */
static bool needs_copy(struct layout layout, MPI_Datatype type) {
  return (layout.bytes < rank.uncopied_bytes || !rendezvous_is_known_of(type)) && is_packable(layout);
}

/* A copy with its gaps, of what cannot be packed and is received into; where it would begin if it were at `buffer`. */
static const void *copy_with_gaps(const void *buffer, MPI_Count count, MPI_Datatype type, struct request *request) {
  MPI_Aint lower, extent, first, span;
  REAL(Type_get_extent)(type, &lower, &extent);
  REAL(Type_get_true_extent)(type, &first, &span);
  MPI_Aint others = (MPI_Aint)(count - 1) * extent; /* from the first element to the last; an extent may be negative */
  MPI_Aint begin = first + (others < 0 ? others : 0);
  request->copy_bytes = (uint64_t)(span + (others < 0 ? -others : others));
  request->copy = take_memory(request->copy_bytes + 1);
  copy_bytes(request->copy, (const char *)buffer + begin, request->copy_bytes);
  return (const char *)request->copy - begin;
}

bool send_needs_copy(MPI_Count count, MPI_Datatype type) { return needs_copy(layout_of(count, type), type); }

bool send_waits(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return rank.eager_bytes != INT64_MAX && dest != MPI_PROC_NULL && send_is_valid(buffer, count, type, dest, tag, comm) &&
         (int64_t)layout_of(count, type).bytes > rank.eager_bytes;
}

static int start(const void *from, count_type count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                 const struct request *request, MPI_Request *handle) {
  return request->synchronous ? COUNTING(Issend)(from, count, type, dest, tag, comm, handle)
                              : COUNTING(Isend)(from, count, type, dest, tag, comm, handle);
}

/* Only what send_is_valid says is. */
int replay_send_begin(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      struct request *request, MPI_Request *handle) {
  struct layout layout = layout_of(count, type);
  const void *from = buffer;
  count_type used = (count_type)count;
  if (!request->buffer_is_reused && (request->synchronous || !needs_copy(layout, type)))
    return start(buffer, used, type, dest, tag, comm, request, handle);
  if (unlikely(!is_packable(layout))) {
    if (buffer == MPI_BOTTOM) complain("an exchange of more than 2 GB at MPI_BOTTOM may be replayed with other contents");
    else from = copy_with_gaps(buffer, count, type, request);
    return start(from, used, type, dest, tag, comm, request, handle);
  }
  request->copy_bytes = layout.bytes;
  request->copy = take_memory(layout.bytes + 1);
  int code = MPI_SUCCESS;
  if (layout.bytes == 0) { /* nothing is read: from the program's own buffer, which may be no address at all */
  } else if (layout.dense && buffer != MPI_BOTTOM) {
    copy_bytes(request->copy, (const char *)buffer + layout.first, layout.bytes);
    from = (char *)request->copy - layout.first;
  } else {
    count_type room = 0;
    used = 0;
    code = COUNTING(Pack_size)((count_type)count, type, private_comm, &room);
    if ((uint64_t)room > layout.bytes) {
      give_memory(request->copy);
      request->copy = take_memory((size_t)room);
    }
    if (code == MPI_SUCCESS) code = pack(buffer, count, type, layout.first, request->copy, room, &used);
    from = request->copy;
    type = MPI_PACKED;
  }
  if (code == MPI_SUCCESS) code = start(from, used, type, dest, tag, comm, request, handle);
  if (code == MPI_SUCCESS) return code;
  give_memory(request->copy);
  request->copy = NULL;
  return code;
}

/* ---- When it is over ---- */

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

static bool receiver_may_be_held(void) {
  static int known = -1;
  if (known < 0) known = getenv(REPRISE_ENV_HOLD) != NULL;
  return known;
}

/* True if the library has finished it. Patiently: the program waits for it, so most likely the receiver is only slow. */
bool send_is_done(MPI_Request handle, bool patiently) {
  int done = 0;
  REAL(Request_get_status)(handle, &done, MPI_STATUS_IGNORE);
  if (done || !(patiently || unfinished_bytes > IN_FLIGHT_BYTES)) return done;
  uint64_t patience = receiver_may_be_held()                ? HELD_PATIENCE_NANOS
                      : unfinished_bytes > IN_FLIGHT_BYTES ? LONG_PATIENCE_NANOS
                                                           : PATIENCE_NANOS;
  uint64_t begun = now_nanos();
  for (int tries = 1; !done; tries++) {
    if (tries > tries_before_yield) sched_yield();
    if (tries % CLOCK_EVERY_TRIES == 0 && now_nanos() - begun > patience) break;
    REAL(Request_get_status)(handle, &done, MPI_STATUS_IGNORE);
  }
  return done;
}

/* A blocking send: done, or put off if it left from a copy. */
int replay_send_end(struct request *request, MPI_Request *handle) {
  int done = 0;
  int code = REAL(Test)(handle, &done, MPI_STATUS_IGNORE);
  if (done || code != MPI_SUCCESS) return code;
  if (request->copy == NULL || request->synchronous) {
    for (int tries = 1; !done && code == MPI_SUCCESS; tries++) {
      if (tries > tries_before_yield) sched_yield();
      code = REAL(Test)(handle, &done, MPI_STATUS_IGNORE);
    }
    return code;
  }
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
