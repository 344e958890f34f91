/*
 * Inputs: what the program's own code reads from clocks, random sources and getpid. They decide as messages do
 * (Netzer and Miller 1992, footnote 1), so they are recorded and given back. A rank's number is not known before
 * MPI_Init; until then a recording keeps them in memory, and a replay takes the rank from the launcher's environment.
 * Who follows a plan does both: gives values back as long as the program asks as it did, and keeps what it got.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "heap.h"
#include "inputs.h"
#include "launched.h"
#include "log.h"
#include "modules.h"
#include "order.h"

enum { CLOCKS = 16, BEFORE_INIT_BYTES = 64 << 20 };

/*
 * The readings of one clock by one thread. Programs poll clocks in loops, millions of times, so a reading is written as
 * what it differs from the expected one: one byte, mostly. How far the next reading is from the last one depends on where in its
 * loop the program is, and that shows in the distance before. docs/TRACE-FORMAT.md has the arithmetic.
 */
struct series {
  int64_t last;
  int64_t expected[REPRISE_IN_CLASSES]; /* difference to the last reading, by the class of the difference before */
  unsigned class;
  int64_t shift; /* of values that are given: how much the real ones are more */
};
enum { SERIES_TIME = CLOCKS, SERIES_TOD, SERIES_CPU, SERIES_TICKS, SERIES_COUNT = SERIES_TICKS + REPRISE_TICKS_FORMS };

struct input_stream {
  struct series series[SERIES_COUNT];
  struct series *latest; /* the one that was read last */
  int ticks_form;        /* in which the last MPI_Wtime was a number of ticks */
  /* Of values that are given: */
  const uint8_t *at;
  int marked;
  bool begun;
  double wtime_shift;
};
static PER_THREAD struct input_stream given, kept;

static struct log inputs_log = {.fd = -1};
static int written_thread;
static char inputs_lock;

static enum decision { UNDECIDED, NO, YES } giving; /* values of the plan, in place of the real ones */
static bool keeping;                               /* the program's values go into the rank's file */
static const int64_t BILLION = 1000000000;
static const struct reprise_header *plan_header;
static const uint8_t *plan_records, *plan_end;
static uint64_t unmatched_before_init;
static int64_t behind[2]; /* how far the replayed clocks are behind the real ones */

static void lock_inputs(void) {
  self.busy++;
  while (__atomic_test_and_set(&inputs_lock, __ATOMIC_ACQUIRE)) {}
}
static void unlock_inputs(void) {
  __atomic_clear(&inputs_lock, __ATOMIC_RELEASE);
  self.busy--;
}

/* A helper that the rank's script starts carries the rank's variables too, but is another program. */
static bool same_executable(const char *recorded) {
  char now[512] = "";
  ssize_t length = readlink("/proc/self/exe", now, sizeof now - 1);
  return length > 0 && strncmp(now, recorded, sizeof now) == 0;
}

static bool load_plan(const char *directory, const char *rank_word) {
  plan_header = open_recorded(directory, rank_word, "inputs", &plan_records, &plan_end);
  return plan_header != NULL && same_executable(plan_header->executable);
}

/* NO where there is nothing to give; undecided where the rank is not known yet. */
static enum decision decide_giving(void) {
  const char *plan = getenv(REPRISE_ENV_PLAN), *rank_word = rank_from_environment();
  if (plan == NULL) return NO;
  if (rank_word != NULL) return load_plan(plan, rank_word) ? YES : NO;
  return load_plan(plan, "0") && plan_header->ranks == 1 ? YES : UNDECIDED; /* one rank: started without a launcher */
}

static bool keeping_decided;

static void decide(void) {
  const char *mode = getenv(REPRISE_ENV_MODE), *setting = getenv(REPRISE_ENV_INPUTS);
  bool wanted = mode != NULL && !(setting != NULL && strcmp(setting, "off") == 0);
  bool follows = wanted && strcmp(mode, "follow") == 0;
  if (!keeping_decided) keeping = (follows || (wanted && strcmp(mode, "record") == 0)) && log_in_memory(&inputs_log);
  keeping_decided = true;
  giving = follows || (wanted && strcmp(mode, "replay") == 0) ? decide_giving() : NO;
}

bool inputs_wanted(const void *caller) {
  if (likely(giving == NO && !keeping) || inside() || self.thread < 0 || self.busy != 0) return false;
  self.busy++;
  bool program = called_by_program(caller);
  self.busy--;
  if (!program) return false;
  if (unlikely(giving == UNDECIDED)) {
    lock_inputs();
    if (giving == UNDECIDED) decide();
    unlock_inputs();
  }
  return giving == YES || keeping;
}

/* ---- Series ---- */

static int64_t expected(const struct series *series) { return series->expected[series->class]; }

static unsigned class_of(int64_t difference) {
  uint64_t size = difference < 0 ? -(uint64_t)difference : (uint64_t)difference;
  unsigned bits = size == 0 ? 0 : 64 - (unsigned)__builtin_clzll(size);
  return bits < REPRISE_IN_CLASSES ? bits : REPRISE_IN_CLASSES - 1;
}

/* The next reading is so far from the last one. What is expected moves towards it in small steps: outliers are many. */
static int64_t advance(struct series *series, int64_t difference) {
  int64_t step = (int64_t)((uint64_t)difference - (uint64_t)expected(series)) >> 1;
  if (step > REPRISE_IN_STEP_MAX) step = REPRISE_IN_STEP_MAX;
  if (step < -REPRISE_IN_STEP_MAX) step = -REPRISE_IN_STEP_MAX;
  series->expected[series->class] += step;
  series->class = class_of(difference);
  return series->last = (int64_t)((uint64_t)series->last + (uint64_t)difference);
}

static struct series *series_of(struct input_stream *stream, unsigned kind, uint64_t operand) {
  switch (kind) {
    case REPRISE_IN_CLOCK:
      return operand < CLOCKS ? &stream->series[operand] : NULL;
    case REPRISE_IN_TIME:
      return &stream->series[SERIES_TIME];
    case REPRISE_IN_TOD:
      return &stream->series[SERIES_TOD];
    case REPRISE_IN_CPU:
      return &stream->series[SERIES_CPU];
    case REPRISE_IN_TICKS:
      return operand < REPRISE_TICKS_FORMS ? &stream->series[SERIES_TICKS + operand] : NULL;
    default:
      return NULL;
  }
}

/* ---- Giving ---- */

struct record {
  unsigned kind;
  uint64_t operand;
  const uint8_t *rest, *next; /* what follows its head, and what follows it whole */
};

/* False at the end. */
static bool decode(const uint8_t *at, struct record *r) {
  uint64_t ignored;
  if (at == NULL || at >= plan_end) return false;
  r->kind = *at & 15;
  if (r->kind >= REPRISE_IN_NEAR) {
    r->operand = (r->kind - REPRISE_IN_NEAR) * 16u + (*at >> 4);
    r->kind = REPRISE_IN_NEAR;
    r->next = at + 1;
    return true;
  }
  if (r->kind == REPRISE_IN_FAR) {
    if (plan_end - at < 2) return false;
    r->operand = REPRISE_IN_NEAR_CODES + (*at >> 4) + at[1] * UINT64_C(16);
    r->next = at + 2;
    return true;
  }
  const uint8_t *p = get_head(at, plan_end, &r->kind, &r->operand);
  if (p == NULL) return false;
  r->rest = p;
  uint64_t room = (uint64_t)(plan_end - p);
  switch (r->kind) {
    case REPRISE_IN_THREAD:
      r->next = p;
      break;
    case REPRISE_IN_WTIME:
      r->next = room >= 8 ? p + 8 : NULL;
      break;
    case REPRISE_IN_BYTES:
      r->next = room >= r->operand ? p + r->operand : NULL;
      break;
    default:
      r->next = get_number(p, plan_end, &ignored);
  }
  return r->next != NULL;
}

/* Whose reading a record is, if it is one. */
static struct series *read_series(const struct record *r) {
  return r->kind == REPRISE_IN_NEAR || r->kind == REPRISE_IN_FAR ? given.latest : series_of(&given, r->kind, r->operand);
}

static void read_value(struct series *series, const struct record *r) {
  uint64_t difference = 0;
  if (r->kind == REPRISE_IN_NEAR || r->kind == REPRISE_IN_FAR) {
    advance(series, expected(series) + unzigzag(r->operand));
  } else {
    get_number(r->rest, plan_end, &difference);
    advance(series, unzigzag(difference));
  }
  given.latest = series;
}

/* The thread's next record, which stays where it is. */
static bool look(struct record *r) {
  struct input_stream *s = &given;
  if (!s->begun) s->at = plan_records;
  s->begun = true;
  for (; decode(s->at, r); s->at = r->next) {
    if (r->kind == REPRISE_IN_THREAD) s->marked = (int)r->operand;
    else if (s->marked == self.thread) return true;
  }
  return false;
}

static void skip_values(uint64_t records) {
  struct record r;
  given.at = plan_records;
  given.begun = true;
  for (; records > 0 && decode(given.at, &r); records--, given.at = r.next) {
    if (r.kind == REPRISE_IN_THREAD) given.marked = (int)r.operand;
    struct series *series = given.marked == self.thread ? read_series(&r) : NULL;
    if (series != NULL) read_value(series, &r);
  }
}

/* A program that reads its clocks otherwise than it was recorded gets real values. */
static bool unmatched(void) {
  if (rank.mode == REPRISE_REPLAY) trace.inputs_unmatched++;
  else unmatched_before_init++;
  return false;
}

/* The thread's next record, if it is one of this kind. */
static bool next_record(enum reprise_input kind, struct record *r) {
  if (!look(r) || r->kind != (unsigned)kind) return unmatched();
  given.at = r->next;
  return true;
}

/* The thread's next reading, if it is one of this series. */
static bool next_reading(struct series *series) {
  struct record r;
  if (!look(&r) || read_series(&r) != series) return unmatched();
  read_value(series, &r);
  given.at = r.next;
  return true;
}

/* ---- Beginning and end ---- */

/* The rank is known: what was kept in memory goes into its file. */
void inputs_begin(const char *run, int rank_number) {
  if (giving == UNDECIDED) decide();
  char word[16], path[4200];
  snprintf(word, sizeof word, "%d", rank_number);
  if (giving == UNDECIDED) {
    const char *plan = getenv(REPRISE_ENV_PLAN);
    giving = plan != NULL && load_plan(plan, word) ? YES : NO;
    if (giving == YES) skip_values(plan_header->calls); /* those read before: nobody knew the rank */
  }
  if (giving == YES) trace.inputs_unmatched = unmatched_before_init;
  if (!keeping) return;
  snprintf(path, sizeof path, "%s/rank-%s.inputs", run, word);
  lock_inputs();
  struct log memory = inputs_log, file = {.fd = -1};
  if (log_create(&file, path, REPRISE_INPUTS) && log_has_room(&file, memory.header->committed)) {
    struct reprise_header *h = file.header, *order = order_log.header;
    h->mode = order->mode;
    h->mpi = order->mpi;
    h->rank = order->rank;
    h->ranks = order->ranks;
    h->pid = order->pid;
    h->start_nanos = order->start_nanos;
    memcpy(h->host, order->host, sizeof h->host);
    memcpy(h->executable, order->executable, sizeof h->executable);
    memcpy(file.records, memory.records, memory.header->committed);
    h->calls = memory.header->outcomes; /* records made before MPI_Init */
    h->outcomes = memory.header->outcomes - 1;
    log_commit(&file, file.records + memory.header->committed);
    inputs_log = file;
  } else {
    complain("cannot write %s: %s; inputs are not recorded", path, strerror(errno));
    if (file.fd >= 0) unlink(path); /* without what was read before, the rest is of no use */
    keeping = false;
  }
  unlock_inputs();
  munmap(memory.header, memory.reserved);
}

void inputs_finish(void) {
  if (keeping) {
    lock_inputs();
    inputs_log.header->state = REPRISE_FINALIZED;
    log_close(&inputs_log);
    keeping = false;
    if (giving == UNDECIDED) giving = NO;
    unlock_inputs();
  }
}

void inputs_forget_file(void) { inputs_log.fd = -1; }

void inputs_off(void) {
  giving = NO;
  keeping = false;
}

/* ---- Keeping ---- */

static uint8_t *begin_record(size_t bytes) {
  lock_inputs();
  if (!keeping || !log_has_room(&inputs_log, bytes + 32)) return NULL;
  if (unlikely(inputs_log.fd < 0 && inputs_log.header->committed > BEFORE_INIT_BYTES)) { /* not an MPI program */
    keeping = false;
    return NULL;
  }
  uint8_t *p = inputs_log.records + inputs_log.header->committed;
  if (self.thread != written_thread) {
    written_thread = self.thread;
    p = put_head(p, REPRISE_IN_THREAD, (uint64_t)self.thread);
    log_commit(&inputs_log, p);
  }
  return p;
}

static void end_record(uint8_t *p) {
  if (p != NULL) log_commit(&inputs_log, p);
  unlock_inputs();
}

/* ---- Values of each kind: the recorded one if it is given, else `now`; and whatever it is may be kept ---- */

/* Hot: bench/run clocks. */
static uint8_t *put_reading(uint8_t *p, enum reprise_input kind, uint64_t operand, struct series *series, int64_t now) {
  int64_t difference = (int64_t)((uint64_t)now - (uint64_t)series->last);
  uint64_t code = zigzag((int64_t)((uint64_t)difference - (uint64_t)expected(series)));
  if (likely(kept.latest == series && code < REPRISE_IN_NEAR_CODES)) {
    *p++ = (uint8_t)((REPRISE_IN_NEAR + code / 16) | code % 16 << 4);
  } else if (kept.latest == series && code < REPRISE_IN_NEAR_CODES + REPRISE_IN_FAR_CODES) {
    code -= REPRISE_IN_NEAR_CODES;
    *p++ = (uint8_t)(REPRISE_IN_FAR | code % 16 << 4);
    *p++ = (uint8_t)(code / 16);
  } else {
    p = put_number(put_head(p, kind, operand), zigzag(difference));
  }
  advance(series, difference);
  kept.latest = series;
  return p;
}

/* Where nothing is left to give to somebody whose values are kept, clocks go on from there: time makes no leap. */
static int64_t given_reading(enum reprise_input kind, uint64_t operand, int64_t now) {
  struct series *series = series_of(&given, kind, operand);
  if (!next_reading(series)) return keeping ? now - series->shift : now;
  series->shift = now - series->last;
  return series->last;
}

static int64_t reading(enum reprise_input kind, uint64_t operand, int64_t now) {
  if (unlikely(giving == YES)) now = given_reading(kind, operand, now);
  if (keeping) {
    uint8_t *p = begin_record(0);
    if (p != NULL) p = put_reading(p, kind, operand, series_of(&kept, kind, operand), now);
    end_record(p);
  }
  return now;
}

int64_t input_clock(unsigned clock, int64_t now) {
  if (clock >= CLOCKS) return now;
  int64_t value = reading(REPRISE_IN_CLOCK, clock, now);
  if (giving == YES && clock <= CLOCK_MONOTONIC) behind[clock] = now - value;
  return value;
}

/*
 * A deadline that the program computed from a replayed clock lies in the past, or far in the future if the machine was
 * started anew. Which clock it is of shows: the time since the start is less than thirty years.
 */
struct timespec deadline(const struct timespec *recorded) {
  if (giving != YES) return *recorded;
  int64_t offset = behind[recorded->tv_sec > 1000000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC];
  int64_t nanos = recorded->tv_sec * INT64_C(1000000000) + recorded->tv_nsec + offset;
  return (struct timespec){.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000};
}
int64_t input_time(int64_t now) {
  int64_t value = reading(REPRISE_IN_TIME, 0, now);
  if (giving == YES) behind[CLOCK_REALTIME] = (now - value) * 1000000000;
  return value;
}
int64_t input_microseconds(int64_t now) {
  int64_t value = reading(REPRISE_IN_TOD, 0, now);
  if (giving == YES) behind[CLOCK_REALTIME] = (now - value) * 1000;
  return value;
}
int64_t input_cpu(int64_t now) { return reading(REPRISE_IN_CPU, 0, now); }

static int recorded_pid; /* what the program believes it is, in a replay */

int input_pid(int now) {
  struct record r;
  uint64_t pid;
  if (giving == YES && next_record(REPRISE_IN_PID, &r) && get_number(r.rest, plan_end, &pid) != NULL)
    now = recorded_pid = (int)pid;
  if (keeping) {
    uint8_t *p = begin_record(0);
    if (p != NULL) p = put_number(put_head(p, REPRISE_IN_PID, 0), (uint64_t)now);
    end_record(p);
  }
  return now;
}

int pid_meant(int pid) { return recorded_pid != 0 && pid == recorded_pid ? getpid() : pid; }

size_t input_bytes(void *bytes, size_t length) {
  struct record r;
  if (giving == YES && next_record(REPRISE_IN_BYTES, &r)) {
    if (r.operand < length) length = r.operand;
    memcpy(bytes, r.rest, length);
  }
  if (keeping) {
    uint8_t *p = begin_record(length);
    if (p != NULL) {
      p = put_head(p, REPRISE_IN_BYTES, length);
      memcpy(p, bytes, length);
      p += length;
    }
    end_record(p);
  }
  return length;
}

/* ---- MPI_Wtime: a double, which libraries make of nanoseconds ---- */

static inline double seconds_of(int64_t seconds, int64_t nanos, int form) {
  if (form == REPRISE_TICKS_DIVIDED) return (double)seconds + (double)nanos / 1e9;
  if (form == REPRISE_TICKS_FROM_ABOVE) return (double)(seconds + 1) + (double)(nanos - BILLION) / 1e9;
  volatile double product = (double)nanos * 1e-9; /* rounded before the sum: no fused multiply-add */
  return (double)seconds + product;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* True if there is a number of nanoseconds of which this very double is made, and how. */
static bool ticks_of(double now, int64_t *ticks, int *form) {
  if (!(now >= 0 && now < 9e9)) return false;
  int64_t seconds = (int64_t)now, nanos = (int64_t)((now - (double)seconds) * 1e9 + 0.5);
  *ticks = seconds * BILLION + nanos;
  for (int tries = 0; tries < REPRISE_TICKS_FORMS; tries++) {
    *form = (kept.ticks_form + tries) % REPRISE_TICKS_FORMS;
    if (likely(nanos < BILLION && same_bits(seconds_of(seconds, nanos, *form), now))) {
      kept.ticks_form = *form;
      return true;
    }
  }
  return false;
}

static double given_wtime(double now) {
  struct record r;
  double value = now;
  bool there = look(&r);
  struct series *series = there ? read_series(&r) : NULL;
  if (series >= &given.series[SERIES_TICKS] && series < &given.series[SERIES_COUNT]) {
    read_value(series, &r);
    value = seconds_of(series->last / BILLION, series->last % BILLION, (int)(series - &given.series[SERIES_TICKS]));
  } else if (there && r.kind == REPRISE_IN_WTIME) {
    memcpy(&value, r.rest, sizeof value);
  } else {
    unmatched();
    return keeping ? now - given.wtime_shift : now;
  }
  given.at = r.next;
  given.wtime_shift = now - value;
  return value;
}

double input_wtime(double now) {
  if (unlikely(giving == YES)) now = given_wtime(now);
  if (!keeping) return now;
  int64_t ticks;
  int form;
  bool whole = ticks_of(now, &ticks, &form);
  uint8_t *p = begin_record(sizeof now);
  if (p != NULL && likely(whole)) {
    p = put_reading(p, REPRISE_IN_TICKS, (uint64_t)form, &kept.series[SERIES_TICKS + form], ticks);
  } else if (p != NULL) {
    p = put_head(p, REPRISE_IN_WTIME, 0);
    memcpy(p, &now, sizeof now);
    p += sizeof now;
  }
  end_record(p);
  return now;
}
