/*
 * A rank's life: its files are opened at MPI_Init, not before, because this library is also loaded into launchers,
 * shells and helpers; every open receive is resolved at MPI_Finalize; after it everything passes through again.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "comms.h"
#include "inputs.h"
#include "log.h"
#include "modules.h"
#include "observed.h"
#include "order.h"
#include "patience.h"
#include "plan.h"
#include "reads.h"
#include "requests.h"
#include "rest.h"
#include "sends.h"
#include "watch.h"
#include "where.h"

static struct reprise_header *kept_header; /* of a rank that has finalized: its exit status is still to come */

static uint64_t wall_nanos(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

enum reprise_mode mode_from_environment(void) {
  const char *word = getenv(REPRISE_ENV_MODE);
  if (word == NULL) return REPRISE_OFF;
  if (strcmp(word, "record") == 0) return REPRISE_RECORD;
  if (strcmp(word, "replay") == 0) return REPRISE_REPLAY;
  if (strcmp(word, "follow") == 0) return REPRISE_FOLLOW;
  if (strcmp(word, "shake") == 0) return REPRISE_SHAKE;
  complain("%s=%s is not record, replay, follow or shake; nothing is recorded", REPRISE_ENV_MODE, word);
  return REPRISE_OFF;
}

/* Compiled against one MPI and loaded with another, every handle would be misread. */
static bool same_mpi(void) {
#if defined(OPEN_MPI)
  if (find_variable("ompi_mpi_comm_world") != NULL) return true;
  complain("this program does not use Open MPI, for which Reprise prepared; name its compiler with --mpicc");
  return false;
#else
  if (find_variable("ompi_mpi_comm_world") == NULL) return true;
  complain("this program uses Open MPI, and Reprise prepared for another MPI; name its compiler with --mpicc");
  return false;
#endif
}

static void mark_existing(const char *path, uint32_t flag) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  struct reprise_header *h = mmap(NULL, REPRISE_HEADER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (h == MAP_FAILED) return;
  __atomic_or_fetch(&h->flags, flag, __ATOMIC_RELAXED);
  munmap(h, REPRISE_HEADER_BYTES);
}

static void describe(struct reprise_header *h, enum reprise_mode mode, int rank_number, int ranks, int level) {
  h->mode = mode;
  h->rank = (uint32_t)rank_number;
  h->ranks = (uint32_t)ranks;
  h->pid = (uint32_t)syscall(SYS_getpid);
  h->thread_level = (uint32_t)level;
  h->start_nanos = wall_nanos();
  h->waiting_source = -1;
#if defined(OPEN_MPI)
  h->mpi = REPRISE_MPI_OPEN_MPI;
#elif defined(MPICH)
  h->mpi = REPRISE_MPI_MPICH;
#endif
  gethostname(h->host, sizeof h->host - 1);
  if (readlink("/proc/self/exe", h->executable, sizeof h->executable - 1) < 0) h->executable[0] = 0;
}

/* An empty file finds room where nothing else does: it tells Reprise why this rank has no other. */
static void leave_word_of_full_disk(const char *run, int rank_number) {
  char path[4200];
  snprintf(path, sizeof path, "%s/rank-%d.full", run, rank_number);
  int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
}

static bool open_order(enum reprise_mode mode, const char *run, int rank_number, int ranks, int level) {
  char path[4200];
  trace.rank = (uint32_t)rank_number; /* for what is said of it, until there is a file */
  snprintf(path, sizeof path, "%s/rank-%d.order", run, rank_number);
  MPI_Comm parent = MPI_COMM_NULL;
  REAL(Comm_get_parent)(&parent);
  if (parent != MPI_COMM_NULL) {
    mark_existing(path, REPRISE_FLAG_SPAWNED);
    return false;
  }
  if (!log_create(&order_log, path, REPRISE_ORDER) ||
      mmap(&trace, sizeof trace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, order_log.fd, 0) != &trace) {
    if (errno == EEXIST) mark_existing(path, REPRISE_FLAG_SECOND_JOB);
    else {
      complain("cannot write %s: %s; the program runs on without Reprise", path, strerror(errno));
      leave_word_of_full_disk(run, rank_number);
    }
    return false;
  }
  describe(order_log.header, mode, rank_number, ranks, level);
  kept_header = order_log.header;
  return true;
}

static uint64_t number_in_environment(const char *name, uint64_t otherwise) {
  const char *word = getenv(name);
  return word == NULL ? otherwise : strtoull(word, NULL, 10);
}

static void begin(void) {
  enum reprise_mode mode = mode_from_environment();
  if (mode == REPRISE_OFF) return;
  const char *run = getenv(REPRISE_ENV_RUN), *plan = getenv(REPRISE_ENV_PLAN), *jitter = getenv(REPRISE_ENV_JITTER);
  if (!same_mpi()) {
    inputs_off();
    return;
  }
  resolve_all();
  int rank_number = 0, ranks = 0, level = MPI_THREAD_SINGLE;
  REAL(Comm_rank)(MPI_COMM_WORLD, &rank_number);
  REAL(Comm_size)(MPI_COMM_WORLD, &ranks);
  REAL(Query_thread)(&level);
  if (self.thread < 0) self.thread = late_thread();
  rank.last_thread = self.thread;
  if (level >= MPI_THREAD_SERIALIZED) turns_begin(level == MPI_THREAD_MULTIPLE);
  if (mode != REPRISE_SHAKE) {
    if (run == NULL || !open_order(mode, run, rank_number, ranks, level)) {
      inputs_off();
      return;
    }
    if (mode == REPRISE_REPLAY || mode == REPRISE_FOLLOW) {
      if (plan == NULL || !plan_load(plan, rank_number)) {
        inputs_off();
        return;
      }
      plan_begin(self.thread);
      rank.uncopied_bytes = number_in_environment(REPRISE_ENV_UNCOPIED, UINT64_MAX);
    }
  }
  if (mode != REPRISE_SHAKE) watch_begin();
  comms_begin();
  private_comm_begin();
  if (mode == REPRISE_REPLAY || mode == REPRISE_FOLLOW) progress_begin();
  where_begin();
  rest_begin(run);
  if (jitter != NULL) jitter_begin(strtoull(jitter, NULL, 10), rank_number);
  inputs_begin(run, rank_number);
  reads_begin(run, rank_number);
  rank.keeps = mode == REPRISE_RECORD || mode == REPRISE_FOLLOW;
  rank.mode = mode == REPRISE_FOLLOW ? REPRISE_REPLAY : mode;
  choose_quick();
}

/* From here on everything passes through. */
static void stop(void) {
  rank.mode = REPRISE_OFF;
  rank.keeps = false;
  choose_quick();
}

/* A child of the program shares the mapping: what it did would be written into its parent's trace. */
static void in_child(void) {
  if (reprise_forks != NULL && reprise_forks()) return;
  stop();
  mmap(&trace, sizeof trace, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  kept_header = NULL;
  inputs_off();
  reads_off();
}

static void at_exit(int status, void *unused) {
  (void)unused;
  struct reprise_header *h = kept_header;
  if (h == NULL || h->pid != (uint32_t)syscall(SYS_getpid)) return;
  h->exit_code = h->state == REPRISE_ABORTED ? h->exit_code : status;
  h->flags |= REPRISE_FLAG_EXIT_SEEN;
  if (rank.mode == REPRISE_OFF || h->state == REPRISE_ABORTED) return;
  bool free = !inside() && self.busy == 0; /* else a signal handler exits, and this thread may have the lock */
  rest_await(false);
  if (free) {
    self.depth = 1;
    lock();
    resolve_open_requests(false);
  }
  inputs_finish();
  stop();
  h->state = REPRISE_EXITED;
  h->end_nanos = wall_nanos();
  log_close(&order_log);
  if (free) unlock();
}

/* A restored rank has closed them, and the program may have opened others with the same numbers. */
void reprise_forget_files(void) {
  order_log.fd = -1;
  inputs_forget_file();
}

__attribute__((constructor)) static void loaded(void) {
  self.thread = 0;
  if (mode_from_environment() == REPRISE_OFF) return;
  if (mode_from_environment() == REPRISE_RECORD) reads_on();
  pthread_atfork(NULL, NULL, in_child);
  on_exit(at_exit, NULL);
}

/* Before MPI loads what it finds on the machine, whose imports are not the program's. */
static void look_at_program(void) {
  if (program_can_cancel()) requests_named++;
}

EXPORT int MPI_Init(int *argc, char ***argv) {
  if (inside()) return REAL(Init)(argc, argv);
  self.depth = 1;
  look_at_program();
  int code = REAL(Init)(argc, argv);
  if (code == MPI_SUCCESS && rank.mode == REPRISE_OFF) begin();
  leave();
  return code;
}
ALSO_AS_PMPI(Init);

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  if (inside()) return REAL(Init_thread)(argc, argv, required, provided);
  self.depth = 1;
  look_at_program();
  int code = REAL(Init_thread)(argc, argv, required, provided);
  if (code == MPI_SUCCESS && rank.mode == REPRISE_OFF) begin();
  leave();
  return code;
}
ALSO_AS_PMPI(Init_thread);

EXPORT int MPI_Finalize(void) {
  if (!enter(CALL_Finalize)) return REAL(Finalize)();
  if (rank.mode == REPRISE_REPLAY) {
    if (!rank.free_run) plan_finish();
  }
  sends_drain(true);
  progress_end();
  lock();
  resolve_open_requests(true);
  inputs_finish();
  bool traced = rank.mode != REPRISE_SHAKE, recorded = rank.mode == REPRISE_RECORD;
  watch_write(false);
  stop();
  if (traced) {
    /* Only here: to answer, Open MPI loads all its components, and messages of 64 KB are some percent slower from then on. */
    if (recorded) order_log.header->rendezvous_bytes = rendezvous_bytes();
    order_log.header->state = REPRISE_FINALIZED;
    order_log.header->end_nanos = wall_nanos();
    log_close(&order_log);
  }
  unlock();
  int code = REAL(Finalize)();
  leave();
  return code;
}
ALSO_AS_PMPI(Finalize);

/* Also from inside another call: an error handler is called by the library, and may end the program. */
EXPORT int MPI_Abort(MPI_Comm comm, int error) {
  bool outermost = enter(CALL_Abort);
  if (rank.mode == REPRISE_RECORD || rank.mode == REPRISE_REPLAY) {
    rest_await(outermost);
    if (outermost) resolve_open_requests(false);
    inputs_finish();
    trace.exit_code = error;
    trace.end_nanos = wall_nanos();
    trace.state = REPRISE_ABORTED;
  }
  return REAL(Abort)(comm, error);
}
ALSO_AS_PMPI(Abort);
