/*
 * What the interposer's files share. The library sits between a program and its MPI: it intercepts, appends outcomes
 * to a file, or obeys recorded ones. It decides nothing; every analysis is Reprise's, in Java.
 *
 * A reader's way through: calls.def lists the calls, life.c begins and ends a trace, point_to_point.c, completion.c and
 * probe.c wrap what is nondeterministic, order.c writes their outcomes, plan.c reads them back in a replay.
 */
#ifndef REPRISE_H
#define REPRISE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reprise_wire.h"

/* Nobody else has these symbols, so no access to them needs to go through the table of global ones. */
#pragma GCC visibility push(hidden)

#define EXPORT __attribute__((visibility("default")))
/* At a fixed distance from the thread's pointer: otherwise the loader is called for each access. */
#define PER_THREAD __thread __attribute__((tls_model("initial-exec")))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define likely(x) __builtin_expect(!!(x), 1)

/* ---- The table of calls ---- */

enum call {
#define CALL(name, class, roles, parameters, arguments) CALL_##name,
#include "calls.def"
#undef CALL
  CALL_COUNT
};
_Static_assert(CALL_COUNT <= REPRISE_CALLS_MAX, "the header has room for every call");

/* The library's own functions. Never cached while unknown: libmpi may be loaded later, and privately. */
extern void *real_function[CALL_COUNT];
void *resolve(enum call id);
void resolve_all(void);
void *find_in_mpi(const char *symbol);
void *find_variable(const char *symbol);

#define REAL(name)                                                                                                     \
  ((__typeof__(&PMPI_##name))(likely(real_function[CALL_##name] != NULL) ? real_function[CALL_##name]                  \
                                                                          : resolve(CALL_##name)))

/* Where a wrapper was entered: MPI_Init resolved all. */
#define REAL_NOW(name) ((__typeof__(&PMPI_##name))real_function[CALL_##name])

/* A library that resolves PMPI_x, and one that calls MPI_x: both reach the same wrapper. */
#define ALSO_AS_PMPI(name) EXPORT __typeof__(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)))

/*
 * Open MPI's predefined handles are addresses inside libmpi. To name them would tie this library to libmpi, and it is
 * loaded into processes that have none (mpirun) or get it later (Python); so they are looked up at MPI_Init.
 */
#ifdef OPEN_MPI
#define OPEN_MPI_HANDLES(H)                                                                                            \
  H(MPI_Comm, COMM_WORLD, ompi_mpi_comm_world)                                                                         \
  H(MPI_Comm, COMM_SELF, ompi_mpi_comm_self)                                                                           \
  H(MPI_Comm, COMM_NULL, ompi_mpi_comm_null)                                                                           \
  H(MPI_Request, REQUEST_NULL, ompi_request_null)                                                                      \
  H(MPI_Errhandler, ERRORS_RETURN, ompi_mpi_errors_return)                                                             \
  H(MPI_Datatype, BYTE, ompi_mpi_byte)                                                                                 \
  H(MPI_Datatype, PACKED, ompi_mpi_packed)                                                                             \
  H(MPI_Datatype, DATATYPE_NULL, ompi_mpi_datatype_null)                                                               \
  H(MPI_Message, MESSAGE_NULL, ompi_message_null)                                                                      \
  H(MPI_Message, MESSAGE_NO_PROC, ompi_message_no_proc)
struct open_mpi_handles {
#define H(type, name, symbol) type name;
  OPEN_MPI_HANDLES(H)
#undef H
};
extern struct open_mpi_handles open_mpi;
#undef MPI_COMM_WORLD
#undef MPI_COMM_SELF
#undef MPI_COMM_NULL
#undef MPI_REQUEST_NULL
#undef MPI_ERRORS_RETURN
#undef MPI_BYTE
#undef MPI_PACKED
#undef MPI_DATATYPE_NULL
#undef MPI_MESSAGE_NULL
#undef MPI_MESSAGE_NO_PROC
#define MPI_COMM_WORLD open_mpi.COMM_WORLD
#define MPI_COMM_SELF open_mpi.COMM_SELF
#define MPI_COMM_NULL open_mpi.COMM_NULL
#define MPI_REQUEST_NULL open_mpi.REQUEST_NULL
#define MPI_ERRORS_RETURN open_mpi.ERRORS_RETURN
#define MPI_BYTE open_mpi.BYTE
#define MPI_PACKED open_mpi.PACKED
#define MPI_DATATYPE_NULL open_mpi.DATATYPE_NULL
#define MPI_MESSAGE_NULL open_mpi.MESSAGE_NULL
#define MPI_MESSAGE_NO_PROC open_mpi.MESSAGE_NO_PROC
#endif

/* ---- The state of this rank ---- */

struct stream; /* a thread's place in the plan; plan.c */

/* Per thread. `depth` is not 0 while a wrapper runs: MPI libraries call MPI functions, and those are not the program's. */
struct self {
  int thread; /* 0: the first thread; n: the n-th that the program created; -1: not the program's own */
  int depth;
  int busy; /* inside our own bookkeeping of inputs: a signal handler's reads are not recorded then */
  uint64_t hash;
  uint64_t failed_polls; /* since the thread's last outcome */
  struct stream *stream;
  const MPI_Request *waits; /* replay: the requests of the Wait* that it is in */
  int wait_count;
};
extern PER_THREAD struct self self;

/*
 * The header of this rank's file, which is mapped over this place, so that counting takes no pointer. Mere memory
 * until MPI_Init, and in processes that are no ranks.
 */
extern struct reprise_header trace;

struct rank {
  enum reprise_mode mode;        /* OFF until MPI_Init */
  bool jitter;
  bool lock_needed; /* more than one thread may call MPI: MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE was provided */
  bool concurrent;  /* ... at the same time: MPI_THREAD_MULTIPLE */
  bool slow;        /* enter() has more to do than count: jitter, or more than one thread */
  bool free_run;    /* replay: nothing is forced any more */
  bool keeps;       /* outcomes are written, forced ones too: a recording, or a plan that is followed */
  int last_thread;  /* which thread entered MPI last */
  uint64_t calls;   /* replay: how many were entered */
};
extern struct rank rank;

/*
 * A recording by one thread, without jitter, has nothing to ask when it enters a call: its thread is the one here, by the
 * address that no other thread has, and it is inside MPI while the header names a call. Its depth stays 0. Otherwise NULL.
 */
extern struct quick {
  const void *alone;
  uint64_t room; /* bytes of records that fit, or 0 while there is something to write before the next outcome */
} quick;

#if defined(__has_builtin)
#if __has_builtin(__builtin_thread_pointer)
#define THIS_THREAD __builtin_thread_pointer()
#endif
#endif
#ifndef THIS_THREAD
#define THIS_THREAD ((const void *)&self)
#endif

void choose_quick(void); /* after every change of mode, slow, last_thread or outcome_thread; takes effect at leave */

/* This thread is in an MPI call, or in what we do for one. */
static inline bool inside(void) {
  return self.depth != 0 || (quick.alone == THIS_THREAD && trace.current_call != 0);
}

/* ---- enter.c: every wrapper begins with enter and ends with leave ---- */

bool enter_otherwise(enum call id, uint64_t caller);
void enter_slowly(enum call id);
void jitter_begin(uint64_t seed, int rank_number);
void shake(void);
void turns_begin(bool at_once);

/* Every so many calls of one kind there is a look at open receives. */
enum { SWEEP_EVERY_CALLS = 256 };

/* Of a function that every wrapper has as part of itself: its return address is the wrapper's. */
#define PART_OF_WRAPPER static inline __attribute__((always_inline))
#define CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))

/* False: this call is not the program's, or nobody asked; hand it to the library untouched. Hot: bench/self-loop. */
PART_OF_WRAPPER bool enter(enum call id) {
  struct reprise_header *h = &trace;
  if (unlikely(quick.alone != THIS_THREAD || h->current_call != 0)) return enter_otherwise(id, CALLER);
  h->current_call = id + 1;
  h->caller = CALLER;
  if (unlikely(++h->call_counts[id] % SWEEP_EVERY_CALLS == 0)) enter_slowly(id);
  return true;
}

static inline void leave(void) {
  trace.current_call = 0;
  self.depth = 0;
}

/*
 * The same for the hottest calls, which have nothing to do in a recording by one thread but what stands in them. False:
 * not such a recording; the wrapper begins again with enter().
 */
PART_OF_WRAPPER bool enter_plainly(enum call id) {
  struct reprise_header *h = &trace;
  if (unlikely(quick.alone != THIS_THREAD || h->current_call != 0)) return false;
  h->current_call = id + 1;
  h->caller = CALLER;
  h->call_counts[id]++;
  return true;
}

/* A call that is not waited for, and behind which there is nothing to do: counted, and the library's from then on. */
static inline bool pass_plainly(enum call id) {
  struct reprise_header *h = &trace;
  if (unlikely(quick.alone != THIS_THREAD || h->current_call != 0)) return false;
  h->call_counts[id]++;
  return true;
}

static inline void leave_plainly(void) { trace.current_call = 0; }

uint64_t calls_entered(const struct reprise_header *header);

void lock_slowly(void);
void unlock_slowly(void);
static inline void lock(void) {
  if (unlikely(rank.lock_needed)) lock_slowly();
}
static inline void unlock(void) {
  if (unlikely(rank.lock_needed)) unlock_slowly();
}

static inline bool recording(void) { return rank.keeps; }
static inline bool replaying(void) { return rank.mode == REPRISE_REPLAY && !rank.free_run; }

uint64_t now_nanos(void); /* CLOCK_MONOTONIC, past our own wrappers */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- memory.c: the tool's memory is not the program's malloc ---- */

void *take_memory(size_t bytes);
void give_memory(void *memory);

/* From handles (pointers or ints, as the MPI likes) to whatever belongs to them. */
struct map {
  uintptr_t *keys;
  void **values;
  size_t size, used;
};
void map_put(struct map *map, uintptr_t key, void *value);
void *map_get(const struct map *map, uintptr_t key);
void *map_remove(struct map *map, uintptr_t key, const void *only); /* only: if it is this one; NULL: any */

/* ---- log.c: a growing file written through a shared mapping ---- */

struct log {
  struct reprise_header *header; /* of a log that could not be begun: a header in memory, and there is room for nothing */
  uint8_t *records; /* header->committed bytes of them are in use */
  uint64_t mapped, reserved;
  int fd; /* -1: memory only, until the rank is known */
  bool full;
};
int allocate(int fd, uint64_t from, uint64_t bytes);
bool log_create(struct log *log, const char *path, enum reprise_file file);
bool log_in_memory(struct log *log);
bool log_grow(struct log *log, size_t bytes);
void log_close(struct log *log);
const struct reprise_header *open_recorded(const char *directory, const char *rank_word, const char *what,
                                           const uint8_t **records, const uint8_t **end);

static inline bool log_has_room(struct log *log, size_t bytes) {
  return likely(log->header->committed + bytes <= log->mapped) || log_grow(log, bytes);
}

/* The record stands in the file; only now may a reader see it. A killed process loses no store that was made. */
static inline void log_commit(struct log *log, const uint8_t *end) {
  log->header->outcomes++;
  __atomic_signal_fence(__ATOMIC_RELEASE);
  *(volatile uint64_t *)&log->header->committed = (uint64_t)(end - log->records);
}

static inline uint8_t *put_number(uint8_t *p, uint64_t n) {
  while (n >= 0x80) {
    *p++ = (uint8_t)(n | 0x80);
    n >>= 7;
  }
  *p++ = (uint8_t)n;
  return p;
}

static inline uint8_t *put_head(uint8_t *p, unsigned kind, uint64_t operand) {
  if (likely(operand < REPRISE_INLINE)) {
    *p++ = (uint8_t)(kind | operand << 4);
    return p;
  }
  operand -= REPRISE_INLINE;
  *p++ = (uint8_t)(kind | (REPRISE_INLINE + operand % 4) << 4);
  return put_number(p, operand / 4);
}

static inline uint64_t zigzag(int64_t n) { return (uint64_t)n << 1 ^ (uint64_t)(n >> 63); }
static inline int64_t unzigzag(uint64_t n) { return (int64_t)(n >> 1) ^ -(int64_t)(n & 1); }

/* Both return NULL at a record that is not whole. */
const uint8_t *get_number(const uint8_t *p, const uint8_t *end, uint64_t *n);
const uint8_t *get_head(const uint8_t *p, const uint8_t *end, unsigned *kind, uint64_t *operand);

/* ---- order.c: outcomes into the file, events into the hash ---- */

extern struct log order_log;

extern int outcome_thread; /* whose outcomes the file is at */
enum { RECORD_BYTES_MAX = 48 };

void order_match(enum reprise_kind kind, int source, int tag, bool with_tag);

/* Where enter_plainly did. Hot: bench/run self-loop receive. One byte, unless there is something to say besides the source. */
static inline void order_match_plainly(struct reprise_header *h, enum reprise_kind kind, int source) {
  uint64_t used = h->committed;
  if (likely((unsigned)source < REPRISE_INLINE && used < quick.room)) {
    order_log.records[used] = (uint8_t)(kind | (unsigned)source << 4);
    h->outcomes++;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    *(volatile uint64_t *)&h->committed = used + 1;
  } else {
    order_match(kind, source, 0, false);
  }
}

static inline void order_match_tag_plainly(struct reprise_header *h, enum reprise_kind kind_with_tag, int source, int tag) {
  uint64_t used = h->committed;
  if (likely((unsigned)source < REPRISE_INLINE && (unsigned)tag < 0x80 && used + 1 < quick.room)) {
    uint8_t *p = order_log.records + used;
    p[0] = (uint8_t)(kind_with_tag | (unsigned)source << 4);
    p[1] = (uint8_t)tag;
    h->outcomes++;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    *(volatile uint64_t *)&h->committed = used + 2;
  } else {
    order_match(kind_with_tag - 1, source, tag, true);
  }
}

void order_post(uint64_t post, int source, int tag, bool with_tag);
void order_post_end(uint64_t post, enum reprise_post_end end);
void order_hit(enum reprise_poll poll);
void order_index(int index);
void order_indices(int count, const int *indices);
void order_error(int code, int count, const MPI_Status *statuses);
void order_turn(int thread, uint64_t calls);

static inline void order_poll_failed(void) {
  self.failed_polls++;
  quick.room = 0;
  trace.failed_polls++;
  trace.polls_failed_total++;
}

void hash_check(void);

static inline void hash_event(uint64_t a, uint64_t b) {
  struct reprise_header *h = &trace;
  uint64_t before = self.hash, after = reprise_mix(reprise_mix(before, a), b);
  self.hash = after;
  lock();
  /* Two slots, so that a rank killed between the two stores still has a matching pair. */
  uint64_t n = h->events + 1;
  h->hash[n & 1] = h->hash[h->events & 1] + (after - before);
  __atomic_signal_fence(__ATOMIC_RELEASE);
  h->events = n;
  unlock();
  if (unlikely((n & 1023) == 0 || replaying())) hash_check();
}

/* The same where enter_plainly did: no other thread ever added to the rank's hash, so it is this thread's. */
static inline void hash_event_plainly(struct reprise_header *h, uint64_t a, uint64_t b) {
  uint64_t n = h->events + 1;
  h->hash[n & 1] = self.hash = reprise_mix(reprise_mix(self.hash, a), b);
  __atomic_signal_fence(__ATOMIC_RELEASE);
  h->events = n;
  if (unlikely((n & 1023) == 0)) hash_check();
}

/* ---- What a message was: the same on every MPI ---- */

static inline uint64_t status_bytes(const MPI_Status *status) {
#if defined(OPEN_MPI)
  return status->_ucount;
#elif defined(MPICH)
  return (uint64_t)(unsigned)status->count_lo | (uint64_t)((unsigned)status->count_hi_and_cancelled >> 1) << 32;
#else
  MPI_Count n = 0;
  REAL(Get_elements_x)(status, MPI_BYTE, &n);
  return (uint64_t)n;
#endif
}

static inline uint64_t source_and_tag(const MPI_Status *status) {
  return (uint64_t)(uint32_t)status->MPI_SOURCE << 32 | (uint32_t)status->MPI_TAG;
}

static inline void hash_receive(const MPI_Status *status, uint64_t comm_id) {
  trace.receives++;
  hash_event(source_and_tag(status), status_bytes(status) ^ comm_id);
}

/* ---- where.c: what a rank that waits is asked for ---- */

/* A blocking call waits for a message of this source, or for this destination. Hot: bench/run self-loop. */
static inline void note_wait(enum call id, enum reprise_wait what, int peer, int tag, uint64_t comm_id) {
  trace.waits[0] = (struct reprise_wait_note){(uint16_t)(id + 1), (uint16_t)what, peer, tag, (uint32_t)comm_id};
}
/* The requests that this thread waits for, until it leaves the call. */
static inline void note_requests(int count, const MPI_Request *requests) {
  self.waits = requests;
  self.wait_count = count;
}
void where_begin(void);

/* Whether a receive that returned this took its message nevertheless. */
static inline bool took_message(int code) {
  if (likely(code == MPI_SUCCESS)) return true;
  int class = MPI_SUCCESS;
  REAL(Error_class)(code, &class);
  return class == MPI_ERR_TRUNCATE;
}

/* ---- Out arguments: what the library leaves alone, so do we ---- */

/*
 * A call that fails may leave a flag, an index or a count as it was, and what was there is the program's and may be
 * anything. So the library writes into a variable of ours that begins with this value, and what it wrote is handed back.
 */
enum { UNTOUCHED = INT_MIN };
static inline void hand_back(int *argument, int value) {
  if (likely(value != UNTOUCHED)) *argument = value;
}

/* Arguments that the library refuses, and that nobody can look at: it gets them as they are. */
static inline bool refused(int count, const MPI_Request *requests, const MPI_Status *status) {
  return unlikely(count < 0 || (count > 0 && requests == NULL) || (status == NULL && MPI_STATUS_IGNORE != NULL));
}

/* ---- comms.c ---- */

uint64_t comm_id_slowly(MPI_Comm comm);
extern MPI_Comm last_comm;
extern uint64_t last_comm_id;
static inline uint64_t comm_id(MPI_Comm comm) {
  return likely(comm == last_comm && !rank.lock_needed) ? last_comm_id : comm_id_slowly(comm);
}
void comms_begin(void);
/* How many ranks a message on it can go to; INT32_MAX if not known. */
int comm_peers_slowly(MPI_Comm comm);
extern int last_comm_peers; /* 0: not asked yet */
static inline int comm_peers(MPI_Comm comm) {
  return likely(comm == last_comm && last_comm_peers != 0 && !rank.lock_needed) ? last_comm_peers
                                                                                : comm_peers_slowly(comm);
}
void private_comm_begin(void);
extern MPI_Comm private_comm; /* where a receive that must never match is posted, and progress is driven */

/* ---- plan.c: what a replay must force ---- */

struct outcome {
  enum reprise_kind kind;
  uint64_t number; /* counted over all records of the file */
  int64_t first, second;
  const uint8_t *rest; /* INDICES, ERROR: the operands that follow */
  bool with_tag;
};

enum post_fate { FATE_UNKNOWN, FATE_MATCH, FATE_MATCH_TAG, FATE_CANCELLED, FATE_NEVER };
struct post_outcome {
  int32_t source, tag;
  enum post_fate fate;
};

enum poll_fate {
  POLL_FREE,  /* not forced: ask the library */
  POLL_FALSE, /* recorded as failed: say so without asking anybody */
  POLL_TRUE   /* recorded as successful: make it so */
};

#define KIND(k) (1u << (k))

bool plan_load(const char *directory, int rank_number);
void plan_begin(int thread);
bool plan_take(enum call id, unsigned kinds, struct outcome *outcome, int64_t found0, int64_t found1);
void plan_force(enum call id, unsigned kinds, int *source, int *tag);
enum poll_fate plan_poll(enum call id, unsigned kinds, int64_t detail, struct outcome *outcome);
bool plan_error(struct outcome *outcome);
struct post_outcome plan_post(enum call id, uint64_t post, bool wildcard);
void plan_check(uint64_t events, uint64_t hash);
bool plan_wait_for_turn(void);
void plan_end_turn(void);
void plan_turn_wants_mutex(bool wants);
bool plan_has_turns(void);
void plan_finish(void);
bool plan_at_last_call(void);
bool plan_beyond_end(void);
enum post_fate plan_fate(const char *own_run, uint64_t post, int *source, int *tag);
void plan_diverged(enum reprise_divergence what, enum call id, const struct outcome *expected, int64_t found0,
                   int64_t found1);
void drive_progress(void);
/* A replay holds ranks back on purpose: whoever waits lets others run after so many looks. */
extern int polite_tries;
extern bool ranks_crowded; /* there are fewer processors than ranks */
void await_message(int source, int tag, MPI_Comm comm); /* probe.c */

/* ---- requests.c: what the program's request handles stand for ---- */

enum role { ROLE_RECEIVE, ROLE_SEND, ROLE_GENERALIZED /* in a replay only */ };

struct request {
  uintptr_t handle;
  uint64_t post;
  uint64_t comm_id;
  enum role role;
  bool wild_source, wild_tag, persistent, active, cancel_asked;
  bool resolved; /* its outcome stands in the file already */
  bool standard; /* a standard-mode send: a replay may finish it late */
  bool doomed;   /* replay: recorded as cancelled or never matched, so posted where nothing matches */
  bool shadow;
  bool type_is_ours; /* the program may free its own before it starts the request */
  struct request *next, **link; /* open wildcard receives, the newest first */
  MPI_Request kept;             /* freed by the program, still open; or the shadow of a persistent request in replay */
  void *copy; /* replay: what is sent */
  uint64_t copy_bytes;
  int peer, tag;
  /* Of a persistent request in replay; not set in others */
  const void *buffer;
  MPI_Count count;
  MPI_Datatype type;
  MPI_Comm comm;
};

/* Open MPI's handles are pointers, MPICH's are ints. */
#define HANDLE(h) ((uintptr_t)(h))

struct request *request_new(MPI_Request handle, enum role role, uint64_t post, MPI_Comm comm);
struct request *request_of(MPI_Request handle);
struct request *request_of_locked(MPI_Request handle);
struct request *request_detach(MPI_Request handle);
void request_attach(struct request *request);
void request_forget(struct request *request);

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
struct place *request_new_send_slowly(MPI_Request handle, uint64_t post);
static inline struct place *request_new_send(MPI_Request handle, uint64_t post) { /* NULL: it became a request */
  struct place *place = place_of(HANDLE(handle));
  if (unlikely(!is_light_send(handle) || place->copy != NULL)) return request_new_send_slowly(handle, post);
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

/* ---- sends.c ---- */

bool send_is_valid(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
bool receive_is_valid(MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm);
bool probe_is_valid(int source, int tag, MPI_Comm comm);
bool buffer_is_valid(const void *buffer, MPI_Count count, MPI_Datatype type);
int replay_send_begin(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      struct request *request, MPI_Request *handle);
int replay_send_end(struct request *request, MPI_Request *handle);
bool send_is_done(MPI_Request handle, bool patiently);
void send_later(struct request *request, MPI_Request handle);
void send_behind(struct request *request, MPI_Request handle);
void sends_drain(bool to_the_end);

/* ---- inputs.c, sources.c, modules.c ---- */

void inputs_begin(const char *run, int rank_number);
void inputs_finish(void);
void inputs_off(void);
bool called_by_program(const void *return_address);
bool program_can_cancel(void);

/* The function that would be called if we were not here. */
#define NEXT(name)                                                                                                     \
  ({                                                                                                                   \
    static __typeof__(&name) next;                                                                                     \
    if (unlikely(next == NULL)) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                     \
    next;                                                                                                              \
  })

/* ---- threads.c ---- */

int late_thread(void); /* a number for a thread that was created where we do not look */
void take_turn(void);  /* recording: this thread does what is ordered among threads, now */

#pragma GCC visibility pop

#endif
