/*
 * The plan of a replay: the recorded order file, read back. A plan is a trace; whatever Reprise wants a rank to do, it
 * says in this format. Reprise has checked the file before; here it is only read within its bounds.
 */
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "comms.h"
#include "heap.h"
#include "log.h"
#include "order.h"
#include "patience.h"
#include "plan.h"

/* A thread's place in the file: it takes its own outcomes of calls and passes over everybody else's. */
struct stream {
  const uint8_t *at;
  uint64_t number;     /* of the record at `at` */
  int marked;          /* whose outcomes the file is at */
  uint64_t polls_left; /* recorded failures still to be returned */
  bool ended, tail_taken;
  bool has_front;
  struct outcome front;
  uint64_t free;       /* receives that need not be forced, before the front outcome */
  uint64_t again;      /* how often the last outcome is the next one, too */
  struct outcome last;
};

struct turn {
  uint64_t calls;
  int thread;
};

static struct {
  const struct reprise_header *header;
  const uint8_t *records, *end;
  struct post_outcome *posts;
  uint64_t post_count;
  uint32_t *checks;
  uint64_t check_count;
  struct turn *turns;
  uint64_t turn_count;
  uint64_t calls; /* that the recorded rank entered */
  uint64_t unused; /* outcomes of a plan that were not forced yet */
} plan;

static uint64_t turn, turn_left; /* which turn it is, and how many calls are left of it */
static int turn_thread;
static bool turns_given_up, turn_wants_mutex;
static const uint64_t TURN_PATIENCE_NANOS = 20000000000, MUTEX_PATIENCE_NANOS = 5000000000, TURN_STEP_NANOS = 10000000;

/* Otherwise the rank was killed, or its disk was full: the program runs on where the record stops. */
static bool recorded_to_the_end(void) {
  return plan.header->state == REPRISE_FINALIZED && (plan.header->flags & REPRISE_FLAG_DISK_FULL) == 0;
}

/* What is forced was chosen by Reprise; the rank is free behind it. */
static bool is_planned(void) { return (plan.header->flags & REPRISE_FLAG_PLAN) != 0; }

/* A planned outcome has been used. */
static void used(void) {
  if (is_planned() && plan.unused > 0 && --plan.unused == 0) trace.flags |= REPRISE_FLAG_REACHED_END;
}

static void *grown(void *array, uint64_t used, uint64_t *room, size_t element) {
  if (used < *room) return array;
  *room = *room == 0 ? 256 : *room * 2;
  char *larger = take_memory(*room * element);
  memset(larger, 0, *room * element);
  if (array != NULL) memcpy(larger, array, used * element);
  give_memory(array);
  return larger;
}

/* One record; NULL at the end. Only what the caller needs of it is decoded. */
static const uint8_t *decode(const uint8_t *p, struct outcome *o, uint64_t *third) {
  unsigned kind;
  uint64_t first = 0, second = 0;
  p = get_head(p, plan.end, &kind, &first);
  if (p == NULL) return NULL;
  o->kind = kind;
  o->first = (int64_t)first;
  o->with_tag = false;
  switch (kind) {
    case REPRISE_RECV: case REPRISE_PROBE: case REPRISE_POLLS: case REPRISE_HIT: case REPRISE_FOUND: case REPRISE_INDEX:
      break;
    case REPRISE_RECV_TAG: case REPRISE_PROBE_TAG: case REPRISE_FOUND_TAG:
      o->with_tag = true;
      p = get_number(p, plan.end, &second);
      break;
    case REPRISE_POST: case REPRISE_POST_END:
      p = get_number(p, plan.end, &second);
      break;
    case REPRISE_POST_TAG:
      p = get_number(p, plan.end, &second);
      if (p != NULL) p = get_number(p, plan.end, third);
      break;
    case REPRISE_INDICES:
      o->rest = p;
      for (uint64_t i = 1, n; p != NULL && i < first; i++) p = get_number(p, plan.end, &n);
      break;
    case REPRISE_ERROR:
      p = get_number(p, plan.end, &second);
      o->rest = p;
      for (uint64_t i = 0, n; p != NULL && i < first; i++) p = get_number(p, plan.end, &n);
      break;
    case REPRISE_MORE:
      p = get_number(p, plan.end, &second);
      if (p != NULL && first == REPRISE_TURN) p = get_number(p, plan.end, third);
      break;
    default:
      return NULL;
  }
  o->second = (int64_t)second;
  return p;
}

/* Posts, checks and turns are looked up by number: they are gathered before the program goes on. */
static void gather(void) {
  uint64_t posts_room = 0, checks_room = 0, turns_room = 0, expected = 0, third = 0;
  struct outcome o;
  for (const uint8_t *p = plan.records; (p = decode(p, &o, &third)) != NULL;) {
    if (o.kind >= REPRISE_POST && o.kind <= REPRISE_POST_END) {
      uint64_t post = expected + (uint64_t)unzigzag((uint64_t)o.second);
      expected = post + 1;
      if (post >= plan.header->posts) continue; /* no such post was made: a damaged file, found by Reprise before */
      while (post >= posts_room) plan.posts = grown(plan.posts, posts_room, &posts_room, sizeof *plan.posts);
      plan.posts[post] = (struct post_outcome){
          .source = (int32_t)o.first,
          .tag = (int32_t)third,
          .fate = o.kind == REPRISE_POST       ? FATE_MATCH
                  : o.kind == REPRISE_POST_TAG ? FATE_MATCH_TAG
                  : o.first == REPRISE_NEVER   ? FATE_NEVER
                                               : FATE_CANCELLED};
      if (post >= plan.post_count) plan.post_count = post + 1;
      plan.unused++;
    } else if (o.kind == REPRISE_MORE && o.first == REPRISE_CHECK) {
      plan.checks = grown(plan.checks, plan.check_count, &checks_room, sizeof *plan.checks);
      plan.checks[plan.check_count++] = (uint32_t)o.second;
    } else if (o.kind == REPRISE_MORE && o.first == REPRISE_TURN) {
      plan.turns = grown(plan.turns, plan.turn_count, &turns_room, sizeof *plan.turns);
      plan.turns[plan.turn_count++] = (struct turn){.calls = (uint64_t)o.second, .thread = (int)third};
    } else if (o.kind == REPRISE_MORE && o.first == REPRISE_AGAIN) {
      plan.unused += (uint64_t)o.second;
    } else if (o.kind != REPRISE_MORE && o.kind != REPRISE_POLLS) {
      plan.unused++;
    }
  }
  turn_left = plan.turn_count > 0 ? plan.turns[0].calls : UINT64_MAX;
}

/* With a processor for every rank, giving way costs more than it gives: only somebody else's process gains. */
enum { TRIES_ALONE = 2000, TRIES_CROWDED = 20 };
int tries_before_yield = TRIES_CROWDED;
bool ranks_crowded = true;

static bool read_back(const char *directory, int rank_number) {
  char word[16];
  snprintf(word, sizeof word, "%d", rank_number);
  plan.header = open_recorded(directory, word, "order", &plan.records, &plan.end);
  if (plan.header == NULL) return false;
  gather();
  plan.calls = calls_entered(plan.header);
  return true;
}

bool plan_load(const char *directory, int rank_number) {
  ranks_crowded = (long)trace.ranks > sysconf(_SC_NPROCESSORS_ONLN);
  if (!ranks_crowded) tries_before_yield = TRIES_ALONE;
  if (!read_back(directory, rank_number)) {
    complain("there is no recording of rank %d to replay; it runs free", rank_number);
    return false;
  }
  if (plan.header->ranks != trace.ranks) {
    /* Before anything is forced: a source that this job does not have would end it in the library's own words. */
    if (rank_number == 0)
      complain("recorded with %u ranks, replayed with %u: nothing is forced", plan.header->ranks, trace.ranks);
    return false;
  }
  turn_thread = self.thread;
  trace.waiting_source = -1;
  if (plan.turn_count > 0) rank.slow = true; /* before the mode is set, which chooses who is quick */
  if (is_planned() ? plan.unused == 0 : plan.header->events == 0) trace.flags |= REPRISE_FLAG_REACHED_END;
  return true;
}

void plan_begin(int thread) {
  struct stream *stream = take_memory(sizeof *stream);
  *stream = (struct stream){.at = plan.records};
  self.thread = thread;
  self.stream = stream;
}

/* Makes the thread's next outcome of a call the front one; false at the end. */
static bool look(struct stream *s) {
  if (s->has_front) return true;
  if (s->again > 0) {
    s->again--;
    s->front = s->last;
    return s->has_front = true;
  }
  if (s->ended) return false;
  for (uint64_t third;;) {
    const uint8_t *next = decode(s->at, &s->front, &third);
    if (next == NULL) {
      s->ended = true;
      return false;
    }
    s->at = next;
    s->front.number = s->number++;
    enum reprise_kind kind = s->front.kind;
    if (kind == REPRISE_MORE && s->front.first == REPRISE_THREAD) s->marked = (int)s->front.second;
    if (kind == REPRISE_MORE && s->front.first == REPRISE_FREE && s->marked == self.thread)
      s->free += (uint64_t)s->front.second;
    if (kind == REPRISE_MORE && s->front.first == REPRISE_AGAIN && s->marked == self.thread) {
      s->again = (uint64_t)s->front.second;
      return look(s);
    }
    if (kind == REPRISE_MORE || (kind >= REPRISE_POST && kind <= REPRISE_POST_END) || s->marked != self.thread) continue;
    return s->has_front = true;
  }
}

static void take(struct stream *s, struct outcome *outcome) {
  *outcome = s->last = s->front;
  s->has_front = false;
  trace.replayed = outcome->number + 1;
  used();
}

void plan_diverged(enum reprise_divergence what, enum call id, const struct outcome *expected, int64_t found0,
                   int64_t found1) {
  struct reprise_divergence_note *note = &trace.divergence;
  lock();
  if (note->what == REPRISE_SAME) {
    *note = (struct reprise_divergence_note){.call = id,
                                             .outcome = expected != NULL ? expected->number : self.stream->number,
                                             .call_number = rank.calls,
                                             .nanos = now_nanos(),
                                             .found = {found0, found1}};
    if (expected != NULL) {
      note->expected_kind = expected->kind;
      note->expected[0] = expected->first;
      note->expected[1] = expected->second;
    }
    __atomic_signal_fence(__ATOMIC_RELEASE);
    note->what = what;
  }
  rank.free_run = true;
  unlock();
}

/*
 * Nothing is left for this thread. A recording that was cut short ends here, and the program runs on by itself. Messages
 * that it recorded may still come, if this time the program polls more often before it asks for them.
 */
static void at_the_end(enum call id) {
  if (recorded_to_the_end()) {
    plan_diverged(REPRISE_MORE_CALLS, id, NULL, 0, 0);
  } else {
    if (!is_planned() && trace.events >= plan.header->events) trace.flags |= REPRISE_FLAG_REACHED_END;
    rank.free_run = true;
  }
}

/*
 * Recorded failures that the program did not ask for: it polls by the clock of something outside. Not an error. Those
 * behind a receive that is not forced are not this call's.
 */
static void skip_polls(struct stream *s) {
  trace.polls_skipped += s->polls_left;
  s->polls_left = 0;
  while (look(s) && s->front.kind == REPRISE_POLLS && s->free == 0) {
    trace.polls_skipped += (uint64_t)s->front.first;
    s->has_front = false;
  }
}

bool plan_take(enum call id, unsigned kinds, struct outcome *outcome, int64_t found0, int64_t found1) {
  struct stream *s = self.stream;
  skip_polls(s);
  if (!look(s)) {
    at_the_end(id);
    return false;
  }
  if ((KIND(s->front.kind) & kinds) == 0) {
    plan_diverged(REPRISE_OTHER_CALL, id, &s->front, found0, found1);
    return false;
  }
  take(s, outcome);
  return true;
}

/* The next record is of one byte, the source, and there is nothing to do before it. Hot: bench/run self-loop receive. */
static inline bool force_one_byte(struct stream *s, unsigned kinds, int *source) {
  if (s->has_front || s->again > 0 || s->polls_left > 0 || s->free > 0 || s->marked != self.thread || s->at >= plan.end)
    return false;
  unsigned kind = *s->at & 15u, from = *s->at >> 4;
  if (kind != REPRISE_RECV || (KIND(kind) & kinds) == 0 || from >= REPRISE_INLINE) return false;
  s->at++;
  s->last = (struct outcome){.kind = REPRISE_RECV, .number = s->number++, .first = from};
  trace.replayed = s->number;
  trace.waiting_source = *source = (int)from;
  used();
  return true;
}

/* The k-th blocking wildcard receive takes what the k-th took when it was recorded (Clemencon et al. 1995, 4.1). */
void plan_force(enum call id, unsigned kinds, int *source, int *tag) {
  struct outcome o;
  struct stream *s = self.stream;
  if (likely(force_one_byte(s, kinds, source))) return;
  look(s);
  skip_polls(s);
  if (unlikely(s->free > 0)) { /* it has no choice, as long as those are forced that have one */
    s->free--;
    return;
  }
  if (!plan_take(id, kinds, &o, *source, *tag)) return;
  *source = (int)o.first;
  if (o.with_tag) *tag = (int)o.second;
  trace.waiting_source = *source;
}

/*
 * A poll. Exact numbers of failed polls matter: programs alternate polls and act between them. A poll for which nothing
 * is recorded fails, and lets the library make progress, since the program may be waiting for something outside.
 */
enum poll_fate plan_poll(enum call id, unsigned kinds, int64_t detail, struct outcome *outcome) {
  struct stream *s = self.stream;
  for (;;) {
    if (s->polls_left > 0) {
      s->polls_left--;
      order_poll_failed();
      return POLL_FALSE;
    }
    if (look(s)) {
      if (s->front.kind == REPRISE_POLLS) {
        s->polls_left = (uint64_t)s->front.first;
        s->has_front = false;
        continue;
      }
      if ((KIND(s->front.kind) & kinds) != 0 && (s->front.kind != REPRISE_HIT || s->front.first == detail)) {
        take(s, outcome);
        if (rank.jitter) shake();
        return POLL_TRUE;
      }
    } else {
      if (!s->tail_taken) { /* failures after the last outcome stand in the header only */
        s->tail_taken = true;
        if (s->marked == self.thread) s->polls_left = plan.header->failed_polls;
        continue;
      }
      if (!recorded_to_the_end()) {
        at_the_end(id);
        return POLL_FREE;
      }
    }
    trace.polls_beyond++;
    order_poll_failed();
    drive_progress();
    return POLL_FALSE;
  }
}

bool plan_error(struct outcome *outcome) {
  struct stream *s = self.stream;
  if (!look(s) || s->front.kind != REPRISE_ERROR) return false;
  take(s, outcome);
  return true;
}

struct post_outcome plan_post(enum call id, uint64_t post, bool wildcard) {
  if (post < plan.post_count && plan.posts[post].fate != FATE_UNKNOWN) {
    used();
    return plan.posts[post];
  }
  if (wildcard && post >= plan.header->posts) at_the_end(id);
  /* Else a named receive, or one that was open when the recording was killed: it stays as the program wrote it. */
  return (struct post_outcome){.fate = FATE_UNKNOWN};
}

/* What became of a post: from the plan, or from this rank's own record once it is complete. */
enum post_fate plan_fate(const char *own_run, uint64_t post, int *source, int *tag) {
  if (plan.header == NULL && !read_back(own_run, (int)trace.rank)) return FATE_UNKNOWN;
  if (post >= plan.post_count) return FATE_UNKNOWN;
  struct post_outcome o = plan.posts[post];
  if (o.fate == FATE_MATCH || o.fate == FATE_MATCH_TAG) *source = o.source;
  if (o.fate == FATE_MATCH_TAG) *tag = o.tag;
  return o.fate;
}

void plan_check(uint64_t events, uint64_t hash) {
  if (trace.divergence.what != REPRISE_SAME) return;
  if (events == plan.header->events) {
    trace.hash_at_end = hash;
    trace.flags |= REPRISE_FLAG_REACHED_END;
  }
  if (!replaying()) return;
  if ((events & 1023) != 0 || events / 1024 > plan.check_count) return;
  uint32_t expected = plan.checks[events / 1024 - 1];
  if (expected == (uint32_t)hash || (plan.header->flags & REPRISE_FLAG_CONCURRENT) != 0) return;
  struct outcome check = {.kind = REPRISE_MORE, .number = self.stream->number, .first = REPRISE_CHECK, .second = expected};
  plan_diverged(REPRISE_OTHER_MESSAGES, (enum call)(trace.current_call - 1), &check, (uint32_t)hash,
                (int64_t)events);
}

bool plan_has_turns(void) { return plan.turn_count > 0 && (plan.header->flags & REPRISE_FLAG_MANY_THREADS) != 0; }

/*
 * Threads go on in the recorded order. True: it is this thread's turn until it says plan_end_turn. A program whose
 * threads wait for each other in ways that are not watched may never come to it; then turns are given up, not the run:
 * soon if the thread whose turn it is cannot get its mutex, else after a minute. The minute is counted in small
 * steps, so that the time a debugger holds the process does not count.
 */
bool plan_wait_for_turn(void) {
  if (self.stream == NULL) plan_begin(self.thread < 0 ? late_thread() : self.thread);
  if (!recording()) rank.last_thread = self.thread; /* else the change of threads is still to be written */
  choose_quick();
  uint64_t seen = UINT64_MAX, waited = 0, last = now_nanos();
  while (plan_has_turns() && !rank.free_run && !turns_given_up) {
    lock_slow();
    if (turn_left == 0 && turn < plan.turn_count) {
      turn_thread = plan.turns[turn++].thread;
      turn_left = turn < plan.turn_count ? plan.turns[turn].calls : UINT64_MAX;
    }
    bool mine = turn_thread == self.thread && turn_left > 0;
    uint64_t place = turn + turn_left;
    unlock_slow();
    if (mine) return true;
    uint64_t now = now_nanos(), step = now - last;
    last = now;
    waited = place != seen ? 0 : waited + (step < TURN_STEP_NANOS ? step : TURN_STEP_NANOS);
    seen = place;
    if (waited > (turn_wants_mutex ? MUTEX_PATIENCE_NANOS : TURN_PATIENCE_NANOS)) {
      turns_given_up = true;
      trace.flags |= REPRISE_FLAG_TURNS_GIVEN_UP;
    }
    sched_yield();
  }
  return false;
}

/* The thread whose turn it is waits for a mutex, or has it. */
void plan_turn_wants_mutex(bool wants) { turn_wants_mutex = wants; }

void plan_end_turn(void) {
  lock_slow();
  if (turn_left != UINT64_MAX && turn_left > 0) turn_left--;
  unlock_slow();
}

bool plan_at_last_call(void) {
  return !recorded_to_the_end() && !is_planned() && rank.calls >= plan.calls;
}

/* Beyond the calls that a recording which was cut short has seen return. */
bool plan_beyond_end(void) {
  uint64_t returned = plan.calls - (plan.header->current_call != 0);
  return !recorded_to_the_end() && rank.calls > returned;
}

void plan_finish(void) {
  struct stream *s = self.stream;
  skip_polls(s);
  if (look(s) && (recorded_to_the_end() || is_planned()))
    plan_diverged(REPRISE_FEWER_CALLS, CALL_Finalize, &s->front, 0, 0);
}

/*
 * A receive that nobody ever sends to: libraries look at everything under way before they say that it is not over.
 * A probe will not do: MPICH answers one on a communicator of a single rank without a look at the others.
 */
static MPI_Request never;
static bool never_posted;

void progress_begin(void) {
  never_posted = REAL(Irecv)(NULL, 0, MPI_BYTE, 0, 0, private_comm, &never) == MPI_SUCCESS;
}

void progress_end(void) {
  if (!never_posted) return;
  never_posted = false;
  REAL(Cancel)(&never);
  REAL(Wait)(&never, MPI_STATUS_IGNORE); /* freed unfinished, it would keep a rank from being restored */
}

void drive_progress(void) {
  int over;
  if (never_posted) REAL(Request_get_status)(never, &over, MPI_STATUS_IGNORE);
}
