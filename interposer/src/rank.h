/* The state of this rank and of its threads, and what every wrapper begins and ends with. */
#ifndef REPRISE_RANK_H
#define REPRISE_RANK_H

#include "calls.h"

#pragma GCC visibility push(hidden)

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
  bool watched;     /* what a deadlock would be recognised by is kept: watch.c */
  bool keeps;       /* outcomes are written, forced ones too: a recording, or a plan that is followed */
  int last_thread;  /* which thread entered MPI last */
  uint64_t calls;   /* replay: how many were entered */
  uint64_t uncopied_bytes; /* replay: sends of so many bytes leave from the program's own buffer */
  int64_t eager_bytes; /* standard sends of more than so many bytes are synchronous */
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

enum reprise_mode mode_from_environment(void);

void choose_quick(void); /* after every change of mode, slow, last_thread or outcome_thread; takes effect at leave */

/* This thread is in an MPI call, or in what we do for one. */
static inline bool inside(void) {
  return self.depth != 0 || (quick.alone == THIS_THREAD && trace.current_call != 0);
}

/* ---- enter.c: every wrapper begins with enter and ends with leave ---- */

bool enter_slow(enum call id, uint64_t caller);
void housekeeping(enum call id);
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
  if (unlikely(quick.alone != THIS_THREAD || h->current_call != 0)) return enter_slow(id, CALLER);
  h->current_call = id + 1;
  h->caller = CALLER;
  if (unlikely(++h->call_counts[id] % SWEEP_EVERY_CALLS == 0)) housekeeping(id);
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
PART_OF_WRAPPER bool enter_quick(enum call id) {
  struct reprise_header *h = &trace;
  if (unlikely(quick.alone != THIS_THREAD || h->current_call != 0)) return false;
  h->current_call = id + 1;
  h->caller = CALLER;
  h->call_counts[id]++;
  return true;
}

/* A call that is not waited for, and behind which there is nothing to do: counted, and the library's from then on. */
static inline bool pass_quick(enum call id) {
  struct reprise_header *h = &trace;
  if (unlikely(quick.alone != THIS_THREAD || h->current_call != 0)) return false;
  h->call_counts[id]++;
  return true;
}

static inline void leave_quick(void) { trace.current_call = 0; }

uint64_t calls_entered(const struct reprise_header *header);

void lock_slow(void);
void unlock_slow(void);
static inline void lock(void) {
  if (unlikely(rank.lock_needed)) lock_slow();
}
static inline void unlock(void) {
  if (unlikely(rank.lock_needed)) unlock_slow();
}

static inline bool recording(void) { return rank.keeps; }
static inline bool replaying(void) { return rank.mode == REPRISE_REPLAY && !rank.free_run; }

/* ---- threads.c ---- */

int late_thread(void); /* a number for a thread that was created where we do not look */
void take_turn(void);  /* recording: this thread does what is ordered among threads, now */

#pragma GCC visibility pop

#endif
