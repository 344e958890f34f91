/*
 * The library of events. It is loaded in front of the recorder where full events are asked for, and nowhere else: a run
 * that is recorded without them pays nothing. It sees what the program sees, calls as they are made and what they
 * return, and writes each down; whether the recorder behind it records or replays makes no difference to it.
 *
 * A reader's way through: life.c begins and ends the file, point_to_point.inc, completion.c, probe.c, collectives.c and
 * comms.c watch the calls, write.c puts events into the file, sites.c and clock.c say where and when. hold.c stops the
 * rank where a debugger wants it.
 */
#ifndef REPRISE_EVENTS_H
#define REPRISE_EVENTS_H

#include "frames.h"
#include "heap.h"
#include "log.h"
#include "message.h"
#include "rank.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#pragma GCC visibility push(hidden)

/* Of the hot path: what a call hands on stays in registers. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* ---- hold.c ---- */

extern struct reprise_hold *hold_page; /* NULL: no debugger holds this rank */
extern uint64_t calls_written;         /* calls that are over, failed polls included; counted where events_slow */
void hold_early(void);
void hold_in_init(bool inside);
void hold_begin(unsigned rank_number);
void hold_begin_in(const char *directory, unsigned rank_number);
void hold_forget(void);
void hold_if_asked(void);
void hold_outside(void);

/* ---- life.c ---- */

/* The depth of a thread that is outside MPI while events are written; else no thread's. */
extern int watched_depth;

/* False: not the program's call, or nobody watches. Hot: bench/run self-loop. */
static inline bool watch(void) {
  if (unlikely(self.depth != watched_depth)) return false;
  self.depth = 1;
  if (unlikely(hold_page != NULL)) hold_if_asked();
  return true;
}

/* Between returned() and unwatch() the events of a call are written: those of no other thread come between. */
static inline void unwatch(void) {
  if (unlikely(hold_page != NULL)) hold_outside();
  unlock();
  self.depth = 0;
}
void stop_watching(void);

/* ---- clock.c ---- */

extern struct event_clock {
  bool counter; /* ticks are the processor's; else nanoseconds */
  uint64_t anchor_ticks, anchor_nanos;
  uint64_t nanos_per_tick; /* times 2^32 */
  uint64_t near_ticks;     /* ANCHOR_TICKS_MAX, or 0 where every event takes the long way */
} event_clock;

uint64_t kernel_ticks(void);
void clock_begin(void);
uint64_t nanos_of_late(uint64_t ticks);

static inline uint64_t event_ticks(void) {
#if defined(__x86_64__)
  if (likely(event_clock.counter)) return __rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  if (likely(event_clock.counter)) {
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return kernel_ticks();
}

/* So close to the anchor that the product below fits into 64 bits. */
static const uint64_t ANCHOR_TICKS_MAX = UINT64_C(1) << 31;

static inline uint64_t nanos_since_anchor(uint64_t ticks) {
  return event_clock.anchor_nanos + (ticks * event_clock.nanos_per_tick >> 32);
}

/* ---- sites.c ---- */

/*
 * A call site, and what its last event said. Programs do the same again and again: an event that differs from the last
 * one of its site only in its times is written as a REPRISE_EV_AGAIN, of 8 bytes.
 */
struct origin {
  uintptr_t address;
  uint32_t site;
  uint64_t again;   /* the AGAIN of this site, but for the times; 0: it cannot have one */
  uint64_t said[3]; /* the first words of the last record that is not JOINED; said[0] is 0 if they are not known */
} __attribute__((aligned(64)));

enum { ORIGINS_LOG = 6 };
extern struct origin origins[1 << ORIGINS_LOG], nowhere;

void sites_begin(const char *run, int rank_number, int frames);
void sites_end(void);
void sites_forget(void);
struct reprise_header *sites_header(void);
struct origin *origin_slow(uintptr_t address);

static inline struct origin *quick_origin(uintptr_t address) {
  return &origins[address * UINT64_C(0x9E3779B97F4A7C15) >> (64 - ORIGINS_LOG)];
}

/* Hot: bench/run self-loop. Valid until the next call. */
static inline struct origin *origin_of(const void *return_address) {
  uintptr_t address = (uintptr_t)return_address;
  struct origin *known = quick_origin(address);
  return likely(known->address == address) ? known : origin_slow(address);
}

/* ---- write.c ---- */

/* A call of the program's that is being watched. */
struct watched {
  enum call call;
  uint64_t begun;
  struct origin *origin;
};

#define BEGUN(id) {.call = (id), .begun = event_ticks()}

/* The call has returned: what follows writes its events. */
#define RETURNED(watched) (lock(), (void)((watched).origin = origin_of(__builtin_return_address(0))))

/*
 * The file. The latest records stand in a window, a mapped file of its own, and move behind the header when the window
 * is full: the pages of a growing mapping cost more than all else about an event. Both survive the process. Live, the
 * window is a ring, and records stay in it until a reader has taken them.
 */
enum { WINDOW_BYTES = 128 << 10 };
extern struct event_file {
  uint64_t *next;   /* in the window, behind the records so far, those of a call that is not committed yet included */
  uint64_t *last;   /* where a record of 32 bytes still fits */
  uintptr_t before; /* what `next` is more than the committed bytes */
  uint64_t *window;
  uint64_t flushed; /* all bytes before this one were moved behind the header, or taken by a reader */
  uint64_t ring;    /* live: the window is a ring of so many bytes, which stands twice in a row; else 0 */
  int fd;
  bool full;
} event_file;

extern uint64_t event_count; /* events written; the number of the next one */
extern uint64_t event_end;   /* nanoseconds: where the next event's start counts from */
extern bool events_slow;     /* every event takes the long way: threads, or a replay that may leave the recording */

bool event_file_create(const char *run, unsigned rank_number);
void event_file_close(void);
void events_discard(void);

/* The records of a call are whole; only now may a reader see them. */
static inline void event_commit(const uint64_t *next) {
  __atomic_store_n(&trace.committed, (uintptr_t)next - event_file.before, __ATOMIC_RELEASE);
}

enum { UNKNOWN = -1 };

/* An event as its record has it, but for size and times. In words: fields that are put together in memory stall. */
struct event {
  uint64_t head; /* kind, flags, call, site */
  uint64_t whom; /* peer, tag */
  uint32_t link;
};

void write_begin(void);
void event_put_slow(struct origin *origin, uint64_t begun, uint64_t ended, uint64_t head, uint64_t whom,
                         uint32_t link, uint64_t bytes);
void event_join(struct event event, uint64_t bytes);
void event_explain(const struct reprise_event *record);
/* What a poll asked for: requests or, if there are none, a message; a count of -1: nobody knows. */
struct asked {
  int count;
  const MPI_Request *requests;
  int source, tag;
  MPI_Comm comm;
};

extern unsigned polls_told; /* so many failures in a row of a poll say what it asked for; 0: none */
void poll_failed(struct watched call, struct asked asked);

/* The call that was given these requests has its first event next. */
void requests_asked(int count, const MPI_Request *requests);

/* In place of a communicator's number: it has members outside MPI_COMM_WORLD, whose events nobody writes. */
static const uint32_t FOREIGN = UINT32_MAX;

ALWAYS_INLINE struct event event_of(const struct watched *call, enum reprise_event_kind kind, unsigned flags, int peer,
                                    int tag, uint32_t link) {
  return (struct event){
      .head = (uint64_t)kind | (uint64_t)flags << 8 | (uint64_t)call->call << 16 | (uint64_t)call->origin->site << 32,
      .whom = (uint64_t)(uint32_t)peer | (uint64_t)(uint32_t)tag << 32,
      .link = link};
}

/*
 * The last event of a call, which has the call's times. Hot: bench/run self-loop. Where nothing is new but the times, it is
 * done here; all else takes values, not addresses, so that a call's own stay in registers.
 */
ALWAYS_INLINE void event_put(const struct watched *call, struct event event, uint64_t bytes) {
  uint64_t ended = event_ticks(), begun_since = call->begun - event_clock.anchor_ticks;
  uint64_t ended_since = ended - event_clock.anchor_ticks;
  struct origin *origin = call->origin;
  uint64_t *record = event_file.next;
  bool same = origin->said[0] == event.head && origin->said[1] == event.whom &&
              origin->said[2] == ((uint64_t)event.link | bytes << 32) && bytes >> 32 == 0;
  if (likely(same && (begun_since | ended_since) < event_clock.near_ticks && record < event_file.last)) {
    uint64_t begun_nanos = nanos_since_anchor(begun_since), end = nanos_since_anchor(ended_since);
    uint64_t start = begun_nanos - event_end, duration = end - begun_nanos;
    if (likely((start | duration) < REPRISE_AGAIN_NANOS_MAX)) {
      *record++ = origin->again | start << REPRISE_AGAIN_START_SHIFT | duration << REPRISE_AGAIN_DURATION_SHIFT;
      event_file.next = record;
      event_count++;
      event_end = end;
      event_commit(record);
      return;
    }
  }
  event_put_slow(origin, call->begun, ended, event.head, event.whom, event.link, bytes);
}

static inline void event_local(const struct watched *call) {
  event_put(call, event_of(call, REPRISE_EV_LOCAL, 0, UNKNOWN, UNKNOWN, 0), 0);
}
/* A blocking receive or probe that got nothing, as it failed; for a wildcard the order has an outcome all the same. */
static inline void event_failed(const struct watched *call, unsigned pattern) {
  event_put(call, event_of(call, REPRISE_EV_LOCAL, pattern, UNKNOWN, UNKNOWN, 0), 0);
}

/* How many events back the event with this number is, from the one that comes next. */
static inline uint32_t events_back(uint64_t number) { return (uint32_t)(event_count - number); }

/* ---- comms.c ---- */

extern MPI_Comm recent_comm;
extern uint32_t recent_comm_index;
uint32_t comm_index_slow(MPI_Comm comm);
ALWAYS_INLINE uint32_t comm_index(MPI_Comm comm) {
  return likely(comm == recent_comm) ? recent_comm_index : comm_index_slow(comm);
}
/*
 * As it were a communicator of its own for a persistent collective: all members make them in the same order, and may
 * start them in different ones.
 */
uint32_t comm_of_persistent(MPI_Comm comm);
void event_comms_begin(void);

/* Bytes of so many elements. */
uint64_t type_bytes_slow(MPI_Datatype type);
extern PER_THREAD MPI_Datatype recent_type;
extern PER_THREAD uint64_t recent_type_bytes;
static inline uint64_t type_bytes(MPI_Datatype type) {
  return likely(type == recent_type && recent_type_bytes != 0) ? recent_type_bytes : type_bytes_slow(type);
}

/* ---- requests.c ---- */

/* What a request of the program's stands for. */
struct pending {
  uintptr_t handle; /* 0: nobody */
  uint64_t event;   /* the number of its POST_* */
  uint64_t post;    /* the recorder's number of the post, of a receive */
  uint8_t kind;     /* enum reprise_event_kind of the POST_* */
  bool persistent, active, cancel_asked;
  struct pending *next; /* begun later, with the same handle: libraries have one handle for all sends that are done */
  int tag; /* of a receive, or a persistent request */
  /* Of a persistent request */
  uint8_t flags;
  int peer;
  uint32_t comm;
  uint64_t bytes;
};

void pending_put_slow(struct pending pending);
struct pending *pending_of_slow(MPI_Request request);
void pending_drop_slow(struct pending *pending);
void pending_free(struct pending *pending);
void resolve_open_posts(void);

enum { QUICK_LOG = 6 };
extern struct pending quick_pending[1 << QUICK_LOG];
static inline struct pending *quick_place(uintptr_t handle) {
  return &quick_pending[(uint32_t)handle * UINT32_C(0x9E3779B1) >> (32 - QUICK_LOG)];
}

/* The event that is put next begins this request. */
ALWAYS_INLINE void pending_put(MPI_Request request, enum reprise_event_kind kind, uint64_t post, int tag) {
  struct pending *place = quick_place(HANDLE(request));
  if (likely(place->handle == 0)) {
    place->handle = HANDLE(request);
    place->event = event_count;
    place->kind = (uint8_t)kind;
    place->active = true;
    place->persistent = place->cancel_asked = false;
    if (kind == REPRISE_EV_POST_SEND) return; /* of a send, nobody asks for more */
    place->post = post;
    place->tag = tag;
    return;
  }
  pending_put_slow((struct pending){.handle = HANDLE(request), .event = event_count, .post = post,
                                      .kind = (uint8_t)kind, .active = true, .tag = tag});
}

/* NULL if the request is nobody's that is known, or null. */
static inline struct pending *pending_of(MPI_Request request) {
  struct pending *place = quick_place(HANDLE(request));
  return likely(place->handle == HANDLE(request)) ? place : pending_of_slow(request);
}

static inline void pending_drop(struct pending *pending) {
  if (likely(pending->next == NULL && pending == quick_place(pending->handle))) pending->handle = 0;
  else pending_drop_slow(pending);
}

/* The recorder's number of the post that was made last. */
uint64_t last_post(void);

/* ---- probe.c ---- */

/* The number of the event that found this message, once. */
bool message_taken(MPI_Message message, uint64_t *probe);

/* ---- Statuses ---- */

/* By itself: a load of source and tag at once would wait for the library's two stores. */
static inline int tag_in(const MPI_Status *status) { return *(const volatile int *)&status->MPI_TAG; }

#pragma GCC visibility pop

#endif
