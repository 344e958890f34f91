/*
 * Inputs: what the program's own code reads from clocks, random sources and getpid. They decide as messages do
 * (Netzer and Miller 1992, footnote 1), so they are recorded and given back. A rank's number is not known before
 * MPI_Init; until then a recording keeps them in memory, and a replay takes the rank from the launcher's environment.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inputs.h"

enum { CLOCKS = 16, BEFORE_INIT_BYTES = 64 << 20 };

/* Values are written as differences, per thread and clock. */
struct history {
  int64_t clock[CLOCKS], time, microseconds, cpu;
};

struct input_stream {
  struct history history;
  const uint8_t *at; /* replay */
  int marked;
  bool begun;
};
static PER_THREAD struct input_stream stream;

static struct log inputs_log = {.fd = -1};
static int written_thread;
static char inputs_lock;

static enum { UNDECIDED, NOT, RECORDING, REPLAYING } inputs;
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

static const char *rank_from_environment(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                      "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value != NULL && *value != 0) return value;
  }
  return NULL;
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

static void decide(void) {
  const char *mode = getenv(REPRISE_ENV_MODE), *setting = getenv(REPRISE_ENV_INPUTS);
  if (mode == NULL || (setting != NULL && strcmp(setting, "off") == 0)) {
    inputs = NOT;
  } else if (strcmp(mode, "record") == 0) {
    inputs = log_in_memory(&inputs_log) ? RECORDING : NOT;
  } else if (strcmp(mode, "replay") == 0) {
    const char *plan = getenv(REPRISE_ENV_PLAN), *rank_word = rank_from_environment();
    if (plan == NULL) inputs = NOT;
    else if (rank_word != NULL) inputs = load_plan(plan, rank_word) ? REPLAYING : NOT;
    else if (load_plan(plan, "0") && plan_header->ranks == 1) inputs = REPLAYING; /* started without a launcher */
    /* else: undecided until MPI_Init tells the rank */
  } else {
    inputs = NOT;
  }
}

bool inputs_wanted(const void *caller) {
  if (likely(inputs == NOT) || inside() || self.thread < 0 || self.busy != 0) return false;
  self.busy++;
  bool program = called_by_program(caller);
  self.busy--;
  if (!program) return false;
  if (unlikely(inputs == UNDECIDED)) {
    lock_inputs();
    if (inputs == UNDECIDED) decide();
    unlock_inputs();
  }
  return inputs == RECORDING || inputs == REPLAYING;
}

/* ---- Replaying ---- */

/* One record; NULL at the end. `rest` is what follows its head, the result what follows it whole. */
static const uint8_t *decode(const uint8_t *at, unsigned *kind, uint64_t *head, const uint8_t **rest) {
  uint64_t ignored;
  const uint8_t *p = at == NULL ? NULL : get_head(at, plan_end, kind, head);
  if (p == NULL) return NULL;
  *rest = p;
  uint64_t room = (uint64_t)(plan_end - p);
  switch (*kind) {
    case REPRISE_IN_THREAD:
      return p;
    case REPRISE_IN_WTIME:
      return room >= 8 ? p + 8 : NULL;
    case REPRISE_IN_BYTES:
      return room >= *head ? p + *head : NULL;
    default:
      return get_number(p, plan_end, &ignored);
  }
}

static void begin_stream(struct input_stream *s) {
  if (!s->begun) s->at = plan_records;
  s->begun = true;
}

static void skip_values(uint64_t records) {
  begin_stream(&stream);
  const uint8_t *next;
  unsigned kind;
  uint64_t head;
  const uint8_t *rest;
  while (records-- > 0 && (next = decode(stream.at, &kind, &head, &rest)) != NULL) {
    uint64_t delta = 0;
    if (kind == REPRISE_IN_THREAD) stream.marked = (int)head;
    else if (stream.marked == self.thread && kind != REPRISE_IN_WTIME && kind != REPRISE_IN_BYTES)
      get_number(rest, plan_end, &delta);
    if (kind == REPRISE_IN_CLOCK && head < CLOCKS) stream.history.clock[head] += unzigzag(delta);
    if (kind == REPRISE_IN_TIME) stream.history.time += unzigzag(delta);
    if (kind == REPRISE_IN_TOD) stream.history.microseconds += unzigzag(delta);
    if (kind == REPRISE_IN_CPU) stream.history.cpu += unzigzag(delta);
    stream.at = next;
  }
}

/* The thread's next value, if it is one of this kind; a program that reads its clocks otherwise gets real values. */
static bool next_value(enum reprise_input kind, uint64_t operand, bool any_operand, uint64_t *first, const uint8_t **rest) {
  struct input_stream *s = &stream;
  begin_stream(s);
  unsigned found;
  for (const uint8_t *next; (next = decode(s->at, &found, first, rest)) != NULL; s->at = next) {
    if (found == REPRISE_IN_THREAD) s->marked = (int)*first;
    else if (s->marked == self.thread) {
      if (found != (unsigned)kind || (!any_operand && *first != operand)) break;
      s->at = next;
      return true;
    }
  }
  if (rank.mode == REPRISE_REPLAY) trace.inputs_unmatched++;
  else unmatched_before_init++;
  return false;
}

/* ---- Beginning and end ---- */

/* The rank is known: what was kept in memory goes into its file. */
void inputs_begin(const char *run, int rank_number) {
  if (inputs == UNDECIDED) decide();
  char word[16], path[4200];
  snprintf(word, sizeof word, "%d", rank_number);
  if (inputs == UNDECIDED) {
    const char *plan = getenv(REPRISE_ENV_PLAN);
    inputs = plan != NULL && load_plan(plan, word) ? REPLAYING : NOT;
    if (inputs == REPLAYING) skip_values(plan_header->calls); /* those read before: nobody knew the rank */
  }
  if (inputs == REPLAYING) trace.inputs_unmatched = unmatched_before_init;
  if (inputs != RECORDING) return;
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
    inputs = NOT;
  }
  unlock_inputs();
  munmap(memory.header, memory.reserved);
}

void inputs_finish(void) {
  if (inputs == RECORDING) {
    lock_inputs();
    inputs_log.header->state = REPRISE_FINALIZED;
    log_close(&inputs_log);
    inputs = NOT;
    unlock_inputs();
  }
}

void inputs_off(void) { inputs = NOT; }

/* ---- Recording ---- */

static uint8_t *begin_record(size_t bytes) {
  lock_inputs();
  if (inputs != RECORDING || !log_has_room(&inputs_log, bytes + 32)) return NULL;
  if (unlikely(inputs_log.fd < 0 && inputs_log.header->committed > BEFORE_INIT_BYTES)) { /* not an MPI program */
    inputs = NOT;
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

/* ---- Values of each kind: records `now`, or returns what was recorded ---- */

static int64_t difference(enum reprise_input kind, uint64_t operand, int64_t now, int64_t *last) {
  if (inputs == RECORDING) {
    uint8_t *p = begin_record(0);
    if (p != NULL) p = put_number(put_head(p, kind, operand), zigzag(now - *last));
    end_record(p);
    return *last = now;
  }
  uint64_t first, delta;
  const uint8_t *rest;
  if (!next_value(kind, operand, false, &first, &rest) || get_number(rest, plan_end, &delta) == NULL) return now;
  return *last += unzigzag(delta);
}

int64_t input_clock(unsigned clock, int64_t now) {
  if (clock >= CLOCKS) return now;
  int64_t value = difference(REPRISE_IN_CLOCK, clock, now, &stream.history.clock[clock]);
  if (inputs == REPLAYING && clock <= CLOCK_MONOTONIC) behind[clock] = now - value;
  return value;
}

/*
 * A deadline that the program computed from a replayed clock lies in the past, or far in the future if the machine was
 * started anew. Which clock it is of shows: the time since the start is less than thirty years.
 */
struct timespec deadline(const struct timespec *recorded) {
  if (inputs != REPLAYING) return *recorded;
  int64_t offset = behind[recorded->tv_sec > 1000000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC];
  int64_t nanos = recorded->tv_sec * INT64_C(1000000000) + recorded->tv_nsec + offset;
  return (struct timespec){.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000};
}
int64_t input_time(int64_t now) {
  int64_t value = difference(REPRISE_IN_TIME, 0, now, &stream.history.time);
  if (inputs == REPLAYING) behind[CLOCK_REALTIME] = (now - value) * 1000000000;
  return value;
}
int64_t input_microseconds(int64_t now) {
  int64_t value = difference(REPRISE_IN_TOD, 0, now, &stream.history.microseconds);
  if (inputs == REPLAYING) behind[CLOCK_REALTIME] = (now - value) * 1000;
  return value;
}
int64_t input_cpu(int64_t now) { return difference(REPRISE_IN_CPU, 0, now, &stream.history.cpu); }

static int recorded_pid; /* what the program believes it is, in a replay */

int input_pid(int now) {
  if (inputs == RECORDING) {
    uint8_t *p = begin_record(0);
    if (p != NULL) p = put_number(put_head(p, REPRISE_IN_PID, 0), (uint64_t)now);
    end_record(p);
    return now;
  }
  uint64_t first, pid;
  const uint8_t *rest;
  if (!next_value(REPRISE_IN_PID, 0, false, &first, &rest) || get_number(rest, plan_end, &pid) == NULL) return now;
  return recorded_pid = (int)pid;
}

int pid_meant(int pid) { return recorded_pid != 0 && pid == recorded_pid ? getpid() : pid; }

size_t input_bytes(void *bytes, size_t length) {
  if (inputs == RECORDING) {
    uint8_t *p = begin_record(length);
    if (p != NULL) {
      p = put_head(p, REPRISE_IN_BYTES, length);
      memcpy(p, bytes, length);
      p += length;
    }
    end_record(p);
    return length;
  }
  uint64_t recorded;
  const uint8_t *rest;
  if (!next_value(REPRISE_IN_BYTES, 0, true, &recorded, &rest)) return length;
  if (recorded < length) length = recorded;
  memcpy(bytes, rest, length);
  return length;
}

double input_wtime(double now) {
  if (inputs == RECORDING) {
    uint8_t *p = begin_record(8);
    if (p != NULL) {
      p = put_head(p, REPRISE_IN_WTIME, 0);
      memcpy(p, &now, 8);
      p += 8;
    }
    end_record(p);
    return now;
  }
  uint64_t first;
  const uint8_t *rest;
  if (next_value(REPRISE_IN_WTIME, 0, false, &first, &rest)) memcpy(&now, rest, 8);
  return now;
}
