/* Writes outcomes into the rank's order file, as reprise_wire.h lays them out, and checks of the order hash. */
#include "order.h"
#include "plan.h"

struct log order_log = {.fd = -1};

static uint64_t expected_post; /* the post number that costs least */
int outcome_thread;

/* The thread and the failed polls that came before an outcome of a call belong to it. */
static uint8_t *begin_outcome(size_t bytes) {
  if (unlikely(!log_has_room(&order_log, bytes + RECORD_BYTES_MAX))) return NULL;
  uint8_t *p = order_log.records + order_log.header->committed;
  if (unlikely(self.thread != outcome_thread)) {
    outcome_thread = self.thread;
    choose_quick();
    p = put_number(put_head(p, REPRISE_MORE, REPRISE_THREAD), (uint64_t)self.thread);
    log_commit(&order_log, p);
  }
  if (self.failed_polls > 0) {
    p = put_head(p, REPRISE_POLLS, self.failed_polls);
    /* Before the commit: killed between the two, a replay ends a few polls early and does not poll twice. */
    order_log.header->failed_polls -= self.failed_polls;
    self.failed_polls = 0;
    log_commit(&order_log, p);
  }
  quick.room = order_log.mapped;
  return p;
}

static uint8_t *begin_post(void) {
  return log_has_room(&order_log, RECORD_BYTES_MAX) ? order_log.records + order_log.header->committed : NULL;
}

void order_match(enum reprise_kind kind, int source, int tag, bool with_tag) {
  lock();
  uint8_t *p = begin_outcome(0);
  if (likely(p != NULL)) {
    p = put_head(p, kind + with_tag, (uint64_t)(uint32_t)source);
    if (with_tag) p = put_number(p, (uint64_t)(uint32_t)tag);
    log_commit(&order_log, p);
  }
  unlock();
}

static uint8_t *put_post(uint8_t *p, uint64_t post) {
  p = put_number(p, zigzag((int64_t)(post - expected_post)));
  expected_post = post + 1;
  return p;
}

void order_post(uint64_t post, int source, int tag, bool with_tag) {
  uint8_t *p = begin_post();
  if (unlikely(p == NULL)) return;
  p = put_post(put_head(p, REPRISE_POST + with_tag, (uint64_t)(uint32_t)source), post);
  if (with_tag) p = put_number(p, (uint64_t)(uint32_t)tag);
  log_commit(&order_log, p);
}

void order_post_end(uint64_t post, enum reprise_post_end end) {
  uint8_t *p = begin_post();
  if (p == NULL) return;
  log_commit(&order_log, put_post(put_head(p, REPRISE_POST_END, end), post));
}

static void order_one(unsigned kind, uint64_t operand) {
  lock();
  uint8_t *p = begin_outcome(0);
  if (likely(p != NULL)) log_commit(&order_log, put_head(p, kind, operand));
  unlock();
}

void order_hit(enum reprise_poll poll) { order_one(REPRISE_HIT, poll); }

void order_index(int index) { order_one(REPRISE_INDEX, index == MPI_UNDEFINED ? 0 : (uint64_t)index + 1); }

void order_indices(int count, const int *indices) {
  if (count == MPI_UNDEFINED) {
    order_one(REPRISE_INDICES, 0);
    return;
  }
  lock();
  uint8_t *p = begin_outcome((size_t)count * 5);
  if (likely(p != NULL)) {
    p = put_head(p, REPRISE_INDICES, (uint64_t)count + 1);
    for (int i = 0; i < count; i++) p = put_number(p, (uint64_t)indices[i]);
    log_commit(&order_log, p);
  }
  unlock();
}

/* Emulating a completion call by others changes the codes a program sees after an error, so they are kept verbatim. */
void order_error(int code, int count, const MPI_Status *statuses) {
  lock();
  uint8_t *p = begin_outcome((size_t)count * 5);
  if (p != NULL) {
    p = put_number(put_head(p, REPRISE_ERROR, (uint64_t)count), (uint64_t)(uint32_t)code);
    for (int i = 0; i < count; i++) p = put_number(p, (uint64_t)(uint32_t)statuses[i].MPI_ERROR);
    log_commit(&order_log, p);
  }
  unlock();
}

void order_turn(int thread, uint64_t calls) {
  uint8_t *p = begin_post();
  if (p == NULL) return;
  p = put_number(put_head(p, REPRISE_MORE, REPRISE_TURN), calls);
  log_commit(&order_log, put_number(p, (uint64_t)thread));
}

/* Every 1,024 events the hash goes into the record: a replay that left the order is found there, not at the end. */
void hash_check(void) {
  struct reprise_header *h = &trace;
  uint64_t hash = h->hash[h->events & 1];
  if (recording() && (h->events & 1023) == 0) {
    lock();
    uint8_t *p = begin_post();
    if (p != NULL)
      log_commit(&order_log, put_number(put_head(p, REPRISE_MORE, REPRISE_CHECK), (uint64_t)(uint32_t)hash));
    unlock();
  }
  if (rank.mode == REPRISE_REPLAY) plan_check(h->events, hash);
}
