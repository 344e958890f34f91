/*
 * Where a rank is. Its header says where the current call returns to and what it waits for. A rank of a replay, or one
 * that is watched, also answers a signal, which Reprise sends when nothing moves: it writes its stack, and the requests that
 * it waits for. That is for ranks whose call does not come from the program's own line: Fortran, Python, layers over MPI.
 *
 * The handler does what no signal handler should. It runs in a rank that is stuck and about to be killed: at worst there
 * is no answer.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "requests.h"
#include "watch.h"
#include "where.h"

enum { FRAMES_WANTED = 16, WAITS_MAX = sizeof trace.waits / sizeof *trace.waits };

static bool is_wait(uint32_t current) {
  return current == CALL_Wait + 1 || current == CALL_Waitall + 1 || current == CALL_Waitany + 1 ||
         current == CALL_Waitsome + 1;
}

static struct reprise_wait_note note_of(MPI_Request request) {
  bool light = is_light_send(request); /* of which nothing else is known */
  const struct request *r = light ? NULL : request_of_locked(request);
  struct reprise_wait_note note = {(uint16_t)trace.current_call, light ? REPRISE_WAIT_SEND : REPRISE_WAIT_OTHER, -1, -1, 0};
  if (r == NULL || r->role == ROLE_GENERALIZED) return note;
  note.what = r->role == ROLE_SEND         ? REPRISE_WAIT_SEND
              : r->role == ROLE_COLLECTIVE ? REPRISE_WAIT_COLLECTIVE
                                           : REPRISE_WAIT_RECEIVE;
  note.peer = r->peer;
  note.tag = r->tag;
  note.comm = (uint32_t)r->comm_id;
  return note;
}

static void note_open_requests(void) {
  uint32_t open = 0;
  for (int i = 0; i < self.wait_count; i++) {
    if (self.waits[i] == MPI_REQUEST_NULL) continue;
    if (open < WAITS_MAX) trace.waits[open] = note_of(self.waits[i]);
    open++;
  }
  trace.wait_count = open;
}

static void write_stack(struct log *log) {
  struct frames frames = {.log = log};
  struct stack stack = {.hash = 1, .depth = FRAMES_WANTED};
  unwind(&stack);
  if (stack.count == 0) return;
  frames_write(&frames, &stack);
  struct reprise_named_site *line = python_site(stack.frames[0], FRAMES_WANTED);
  if (line == NULL || !log_has_room(log, line->bytes)) return;
  uint8_t *p = log->records + log->header->committed;
  memcpy(p, line->record, line->bytes);
  log_commit(log, p + line->bytes);
}

static void answer(int signal) {
  (void)signal;
  int error = errno;
  char path[4200];
  struct log log;
  const char *run = getenv(REPRISE_ENV_RUN);
  if (rank.mode == REPRISE_OFF || run == NULL) return;
  bool in_wait = inside() && is_wait(trace.current_call);
  if (in_wait) note_open_requests();
  else trace.wait_count = 0;
  watch_write(in_wait);
  snprintf(path, sizeof path, "%s/rank-%u.where", run, trace.rank);
  unlink(path); /* that of an earlier question */
  if (log_create(&log, path, REPRISE_SITES)) {
    log.header->rank = trace.rank;
    log.header->ranks = trace.ranks;
    self.busy++;
    write_stack(&log);
    self.busy--;
    log.header->state = REPRISE_FINALIZED;
    log_close(&log);
  }
  errno = error;
}

static int look_at_executable(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  trace.program_base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    trace.program_start = info->dlpi_addr + segment->p_vaddr;
    trace.program_end = trace.program_start + segment->p_memsz;
  }
  return 1; /* the first is the executable */
}

/* A signal that the program leaves alone: of the real-time ones, which libraries use from the first and the last on. */
static int free_signal(void) {
  for (int signal = SIGRTMAX - 8; signal > SIGRTMIN; signal--) {
    struct sigaction now;
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_DFL) return signal;
  }
  return 0;
}

void where_begin(void) {
  dl_iterate_phdr(look_at_executable, NULL);
  if (trace.mode != REPRISE_REPLAY && !rank.watched) return;
  python_begin();
  struct sigaction action = {.sa_handler = answer, .sa_flags = SA_RESTART};
  int signal = free_signal();
  if (signal != 0 && sigaction(signal, &action, NULL) == 0) trace.answer_signal = (uint32_t)signal;
}
