/*
 * A rank's file of events: opened when MPI_Init has returned and the recorder behind has opened its own, closed when
 * MPI_Finalize has. A process that the recorder does not take for a rank has no events either.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "events.h"

#include "observed.h"

PER_THREAD struct self self;
struct reprise_header trace __attribute__((aligned(4096)));
struct rank rank = {.eager_bytes = INT64_MAX};
int watched_depth = -1;

static char state_lock;

void lock_slow(void) {
  while (__atomic_test_and_set(&state_lock, __ATOMIC_ACQUIRE)) sched_yield();
}

void unlock_slow(void) { __atomic_clear(&state_lock, __ATOMIC_RELEASE); }

static uint64_t wall_nanos(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What is known of the rank is the recorder's; its counts are not. */
static void describe(struct reprise_header *h, const struct reprise_header *recorder) {
  h->mode = recorder->mode;
  h->mpi = recorder->mpi;
  h->rank = recorder->rank;
  h->ranks = recorder->ranks;
  h->pid = recorder->pid;
  h->thread_level = recorder->thread_level;
  h->start_nanos = wall_nanos();
  memcpy(h->host, recorder->host, sizeof h->host);
  memcpy(h->executable, recorder->executable, sizeof h->executable);
}

static bool open_files(const struct reprise_header *recorder) {
  const char *run = getenv(REPRISE_ENV_RUN), *frames = getenv(REPRISE_ENV_EVENTS);
  if (!event_file_create(run, recorder->rank)) {
    complain("cannot write events in %s: %s; there will be none of this rank", run, strerror(errno));
    return false;
  }
  describe(&trace, recorder);
  int wanted = frames == NULL ? 1 : atoi(frames);
  const char *comma = frames == NULL ? NULL : strchr(frames, ',');
  sites_begin(run, (int)recorder->rank, comma == NULL ? wanted : atoi(comma + 1));
  if (sites_header() == NULL) return true;
  describe(sites_header(), recorder);
  sites_header()->frames_wanted = (uint32_t)wanted;
  return true;
}

static void begin(uint64_t begun, const void *caller, enum call id) {
  const struct reprise_header *recorder = reprise_rank_header == NULL ? NULL : reprise_rank_header();
  if (recorder == NULL || getenv(REPRISE_ENV_RUN) == NULL || getenv(REPRISE_ENV_EVENTS) == NULL) return;
  resolve_all();
  rank.lock_needed = recorder->thread_level >= MPI_THREAD_SERIALIZED;
  rank.concurrent = recorder->thread_level == MPI_THREAD_MULTIPLE;
  rank.eager_bytes = reprise_eager_bytes == NULL ? INT64_MAX : reprise_eager_bytes();
  const char *failures = getenv(REPRISE_ENV_POLLS);
  polls_told = failures == NULL ? 0 : (unsigned)atoi(failures);
  events_slow = rank.lock_needed || recorder->mode == REPRISE_REPLAY;
  if (!open_files(recorder)) return;
  clock_begin();
  write_begin();
  event_comms_begin();
  struct watched call = {.call = id, .begun = begun, .origin = origin_of(caller)};
  event_local(&call);
  watched_depth = 0;
  hold_begin(recorder->rank);
}

/* Under the lock, as all writing. */
static void end(enum reprise_state state, int exit_code) {
  watched_depth = -1;
  if (event_file.fd < 0) return;
  event_file_close();
  trace.exit_code = exit_code;
  trace.end_nanos = wall_nanos();
  trace.state = state;
  if (sites_header() != NULL) sites_header()->state = state;
  sites_end();
}

/* Nothing more is written, though the rank goes on. */
void stop_watching(void) {
  watched_depth = -1;
  event_file_close();
  sites_end();
}

static void in_child(void) {
  if (reprise_forks != NULL && reprise_forks()) return;
  watched_depth = -1;
  hold_forget();
}

static void at_exit(int status, void *unused) {
  (void)unused;
  if (watched_depth < 0 || trace.pid != (uint32_t)syscall(SYS_getpid)) return;
  if (self.depth == 0) end(REPRISE_EXITED, status);
}

__attribute__((constructor)) static void loaded(void) {
  if (getenv(REPRISE_ENV_EVENTS) == NULL) return;
  pthread_atfork(NULL, NULL, in_child);
  on_exit(at_exit, NULL);
  hold_early();
}

#define BEGINS(name, parameters, arguments)                                                                            \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (self.depth != 0) return REAL(name) arguments;                                                                  \
    self.depth = 1;                                                                                                    \
    uint64_t begun = event_ticks();                                                                                    \
    hold_in_init(true);                                                                                                \
    int code = REAL(name) arguments;                                                                                   \
    hold_in_init(false);                                                                                               \
    if (code == MPI_SUCCESS && watched_depth < 0) begin(begun, __builtin_return_address(0), CALL_##name);              \
    self.depth = 0;                                                                                                    \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

BEGINS(Init, (int *argc, char ***argv), (argc, argv))
BEGINS(Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided))

EXPORT int MPI_Finalize(void) {
  if (!watch()) return REAL(Finalize)();
  struct watched call = BEGUN(CALL_Finalize);
  int code = REAL(Finalize)();
  RETURNED(call);
  resolve_open_posts();
  event_local(&call);
  end(REPRISE_FINALIZED, 0);
  if (unlikely(hold_page != NULL)) hold_if_asked();
  unwatch();
  return code;
}
ALSO_AS_PMPI(Finalize);

EXPORT int MPI_Abort(MPI_Comm comm, int error) {
  if (watch()) {
    struct watched call = BEGUN(CALL_Abort);
    RETURNED(call);
    event_local(&call);
    end(REPRISE_ABORTED, error);
    unwatch();
    self.depth = 1;
  }
  return REAL(Abort)(comm, error);
}
ALSO_AS_PMPI(Abort);
