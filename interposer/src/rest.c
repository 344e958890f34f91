/*
 * A rank that ends the job, by MPI_Abort, a signal or an exit without MPI_Finalize, first lets the others go as far as they
 * can (REPRISE_REST). Where they would stop otherwise is a matter of time, and what they could have done is not known then:
 * an exploration would not see the races in it. Reprise looks at the ranks (watch.c) and makes a file when none of them can go
 * on; who polls without end does not come to rest, so the wait is bounded.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "patience.h"
#include "rest.h"
#include "watch.h"

enum { PAUSE_NANOS = 2000000 };
static const int DEADLY[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { DEADLY_COUNT = sizeof DEADLY / sizeof *DEADLY };

static char rest_file[4200];
static uint64_t pauses_left;
static struct sigaction before[DEADLY_COUNT];

void rest_await(bool progress) {
  if (pauses_left == 0) return;
  struct timespec pause = {0, PAUSE_NANOS};
  watch_write(false);
  trace.flags |= REPRISE_FLAG_STOPPING;
  while (pauses_left > 0 && access(rest_file, F_OK) != 0) {
    if (progress) drive_progress();
    syscall(SYS_nanosleep, &pause, NULL);
    pauses_left--;
  }
  pauses_left = 0;
}

/* What the signal did before happens behind: a fault comes again when the handler returns, one that was sent is sent again. */
static void on_deadly(int number, siginfo_t *info, void *unused) {
  (void)unused;
  rest_await(false);
  for (int i = 0; i < DEADLY_COUNT; i++)
    if (DEADLY[i] == number) sigaction(number, &before[i], NULL);
  if (info->si_code <= 0) raise(number);
}

void rest_begin(const char *run) {
  const char *seconds = getenv(REPRISE_ENV_REST);
  if (seconds == NULL || run == NULL || !rank.watched) return;
  snprintf(rest_file, sizeof rest_file, "%s/rest", run);
  pauses_left = strtoull(seconds, NULL, 10) * (1000000000 / PAUSE_NANOS);
  struct sigaction action = {.sa_sigaction = on_deadly, .sa_flags = SA_SIGINFO | SA_NODEFER};
  for (int i = 0; i < DEADLY_COUNT; i++) sigaction(DEADLY[i], &action, &before[i]);
}
