/* What entering an MPI call may take besides counting: jitter, turns of threads, a look at open receives. */
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "order.h"
#include "plan.h"
#include "requests.h"

PER_THREAD struct self self = {.thread = -1};
struct reprise_header trace __attribute__((aligned(4096)));
struct rank rank = {.uncopied_bytes = UINT64_MAX, .eager_bytes = INT64_MAX};
struct quick quick;

static char state_lock;
static uint64_t turn_calls; /* what the thread whose turn it is has done of what is ordered */
static bool turns_counted;
static uint64_t jitter_state;
static int first_thread = -1; /* that called MPI */

enum { SWEEP_REQUESTS = 4 };

void lock_slow(void) {
  while (__atomic_test_and_set(&state_lock, __ATOMIC_ACQUIRE)) sched_yield();
}

void unlock_slow(void) { __atomic_clear(&state_lock, __ATOMIC_RELEASE); }

/* Most calls go on at once, some wait a little, few wait long: short delays swap neighbours, long ones swap phases. */
void shake(void) {
  uint64_t x = jitter_state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  jitter_state = x;
  long nanos;
  if (x % 256 == 0) nanos = (long)(x >> 16) % 3000000;
  else if (x % 16 == 0) nanos = (long)(x >> 16) % 200000;
  else return;
  if (nanos < 0) nanos = -nanos;
  struct timespec pause = {.tv_nsec = nanos};
  syscall(SYS_nanosleep, &pause, NULL);
}

/* In a header that a recording left, or in one that is being written. */
uint64_t calls_entered(const struct reprise_header *header) {
  uint64_t calls = 0;
  for (int id = 0; id < CALL_COUNT; id++) calls += header->call_counts[id];
  return calls;
}

void choose_quick(void) {
  bool alone = rank.mode == REPRISE_RECORD && !rank.slow && !rank.watched && rank.last_thread == outcome_thread;
  quick.alone = alone && self.thread == rank.last_thread ? THIS_THREAD : NULL;
  quick.room = self.failed_polls == 0 ? order_log.mapped : 0;
}

void jitter_begin(uint64_t seed, int rank_number) {
  jitter_state = reprise_mix(reprise_mix(seed + 1, (uint64_t)rank_number + 1), 0x5eed) | 1;
  rank.jitter = rank.slow = true;
  choose_quick();
}

/* Another thread than the one before. Its turn goes into the record, and which thread was when is then forced. */
static void switch_thread(void) {
  if (self.thread < 0) self.thread = late_thread();
  if (recording()) {
    /* With one thread only, nobody counted: all calls so far were its own, but this one. */
    order_turn(self.thread, turns_counted ? turn_calls : calls_entered(&trace) - 1);
    turn_calls = 0;
  }
  rank.last_thread = self.thread;
  turns_counted = true;
  rank.slow = true;
  choose_quick();
}

/* Threads may call MPI one at a time, or all at once. */
void turns_begin(bool at_once) {
  rank.concurrent = at_once;
  turns_counted = rank.lock_needed = rank.slow = true;
  choose_quick();
}

void take_turn(void) {
  if (self.thread != rank.last_thread) switch_thread();
  turn_calls++;
}

static const uint16_t roles_of[] = {
#define CALL(name, class, roles, parameters, arguments) roles,
#include "calls.def"
#undef CALL
};

static bool is_poll(enum call id) { return (roles_of[id] & POLLS) != 0; }

bool enter_slow(enum call id, uint64_t caller) {
  if (inside() || rank.mode == REPRISE_OFF) return false;
  self.depth = 1;
  struct reprise_header *h = &trace;
  rank.calls++;
  h->call_counts[id]++;
  h->current_call = id + 1;
  h->caller = caller;
  if (rank.slow || !replaying() || recording() || self.stream == NULL) housekeeping(id);
  return true;
}

void housekeeping(enum call id) {
  /* A recorded failure of a poll is not worth a delay: there may be a million of them. */
  if (rank.jitter && !(replaying() && is_poll(id))) shake();
  if (rank.mode == REPRISE_REPLAY) {
    if (plan_wait_for_turn()) plan_end_turn();
    if (!recording()) return;
  }
  lock();
  if (self.thread != first_thread) {
    if (first_thread < 0) first_thread = self.thread;
    else trace.flags |= REPRISE_FLAG_MANY_THREADS | (rank.concurrent ? REPRISE_FLAG_CONCURRENT : 0);
  }
  if (turns_counted || self.thread != rank.last_thread) take_turn();
  if (open_requests != NULL && !rank.concurrent && trace.call_counts[id] % SWEEP_EVERY_CALLS == 0) sweep_open_requests(SWEEP_REQUESTS);
  unlock();
}
