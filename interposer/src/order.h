/* order.c: outcomes into the file, events into the hash. */
#ifndef REPRISE_ORDER_H
#define REPRISE_ORDER_H

#include "log.h"
#include "message.h"
#include "rank.h"

#pragma GCC visibility push(hidden)

extern struct log order_log;

extern int outcome_thread; /* whose outcomes the file is at */
enum { RECORD_BYTES_MAX = 48 };

void order_match(enum reprise_kind kind, int source, int tag, bool with_tag);

/* Where enter_quick did. Hot: bench/run self-loop receive. One byte, unless there is something to say besides the source. */
static inline void order_match_quick(struct reprise_header *h, enum reprise_kind kind, int source) {
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

static inline void order_match_tag_quick(struct reprise_header *h, enum reprise_kind kind_with_tag, int source, int tag) {
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
  if (unlikely((n & 1023) == 0 || rank.mode == REPRISE_REPLAY)) hash_check();
}

/* The same where enter_quick did: no other thread ever added to the rank's hash, so it is this thread's. */
static inline void hash_event_quick(struct reprise_header *h, uint64_t a, uint64_t b) {
  uint64_t n = h->events + 1;
  h->hash[n & 1] = self.hash = reprise_mix(reprise_mix(self.hash, a), b);
  __atomic_signal_fence(__ATOMIC_RELEASE);
  h->events = n;
  if (unlikely((n & 1023) == 0)) hash_check();
}

static inline void hash_receive(const MPI_Status *status, uint64_t comm_id) {
  trace.receives++;
  hash_event(source_and_tag(status), status_bytes(status) ^ comm_id);
}

#pragma GCC visibility pop

#endif
