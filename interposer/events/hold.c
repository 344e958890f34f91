/*
 * A rank that a debugger holds. The page says where: on entry of a call, before it does anything, when so many calls are
 * behind it. A held rank waits for a word on a socket, and lets the library deliver what it has sent while the others are
 * still on their way. A second socket, on which nobody ever says anything, is its lifeline: when the debugger dies,
 * however it does, the kernel ends the rank.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "events.h"

#include "launched.h"
#include "observed.h"

struct reprise_hold *hold_page;
uint64_t calls_written;

static int words = -1; /* the socket on which the debugger wakes this rank */
static struct reprise_hold *early_page; /* of a process that was held before main */
static bool restored;  /* it is a checkpoint that runs, and has nothing to deliver */

enum { FIRST_DESCRIPTOR = 900, DELIVERY_MILLIS = 1, IDLE_MILLIS = 200 };

/* High up, so that the program's own descriptors keep their numbers. */
static int connect_as(const char *directory, uint32_t hello) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int low = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (low < 0) return -1;
  int high = fcntl(low, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  if (high >= 0) close(low);
  else high = low;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", directory);
  if (connect(high, (struct sockaddr *)&address, sizeof address) == 0 &&
      send(high, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello)
    return high;
  close(high);
  return -1;
}

static struct reprise_hold *map_page(const char *directory, unsigned rank_number) {
  char path[4200];
  snprintf(path, sizeof path, "%s/rank-%u", directory, rank_number);
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return NULL;
  void *page = mmap(NULL, sizeof *hold_page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return page == MAP_FAILED ? NULL : page;
}

/*
 * The kernel's word for the other end's death is a signal; that it is this one, nobody can block. Of a death before this
 * it says nothing, so that is looked for: nobody ever writes there.
 */
static bool die_with(int lifeline) {
  struct pollfd ended = {.fd = lifeline, .events = POLLIN};
  return fcntl(lifeline, F_SETOWN, (int)syscall(SYS_getpid)) == 0 && fcntl(lifeline, F_SETSIG, SIGKILL) == 0 &&
         fcntl(lifeline, F_SETFL, O_ASYNC) == 0 && poll(&ended, 1, 0) == 0;
}

static void say(enum reprise_hold_state state) {
  hold_page->calls = calls_written;
  __atomic_store_n(&hold_page->state, state, __ATOMIC_RELEASE);
}

/* A child of the program is no rank, and holds nothing up. */
void hold_forget(void) { hold_page = early_page = NULL; }

static bool held_here(void) { return calls_written >= __atomic_load_n(&hold_page->until, __ATOMIC_ACQUIRE); }

/* Returns when something may have changed. */
static void wait_for_word(void) {
  bool delivers = hold_page != NULL && __atomic_load_n(&hold_page->delivers, __ATOMIC_ACQUIRE) != 0;
  struct pollfd awaited = {.fd = words, .events = POLLIN};
  char word[64];
  delivers &= watched_depth == 0 && !restored; /* MPI_Finalize leaves nothing to deliver */
  if (delivers && reprise_deliver != NULL) reprise_deliver();
  int ready = poll(&awaited, 1, delivers ? DELIVERY_MILLIS : IDLE_MILLIS);
  if (ready > 0 && recv(words, word, sizeof word, MSG_DONTWAIT) == 0) _exit(1);
}

static uint64_t next_mark = UINT64_MAX;

/* The rank goes on; or a process that was forked here, now or before, is the rank from here on. */
static __attribute__((noinline)) void take_checkpoint(void) {
  const char *directory = reprise_checkpoint();
  if (directory != NULL) {
    restored = true;
    events_discard();
    sites_forget();
    hold_begin_in(directory, trace.rank);
  }
  next_mark = reprise_next_mark();
}

uint64_t reprise_calls(void) { return calls_written; }

void reprise_stay_inside(void) {
  if (hold_page == NULL) return;
  while (calls_written == __atomic_load_n(&hold_page->inside, __ATOMIC_ACQUIRE)) wait_for_word();
}

/* The program's thread, as it enters a call, or has returned from its last one. */
void hold_if_asked(void) {
  if (unlikely(calls_written >= next_mark)) take_checkpoint();
  if (held_here()) {
    say(REPRISE_HOLD_HELD);
    send(words, "h", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (held_here()) wait_for_word();
  }
  say(REPRISE_HOLD_INSIDE);
}

/* Where breakpoints are set before the rank does anything. No call counts as over. */
static void hold_at_beginning(struct reprise_hold *page) {
  if (__atomic_load_n(&page->until, __ATOMIC_ACQUIRE) > 0) return;
  page->calls = 0;
  __atomic_store_n(&page->state, REPRISE_HOLD_HELD, __ATOMIC_RELEASE);
  send(words, "h", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (__atomic_load_n(&page->until, __ATOMIC_ACQUIRE) == 0) wait_for_word();
  __atomic_store_n(&page->state, REPRISE_HOLD_OUTSIDE, __ATOMIC_RELEASE);
}

void hold_outside(void) { say(REPRISE_HOLD_OUTSIDE); }

/*
 * Which rank this process will be; -1 if nobody knows. A single one may have no launcher. Only the recorded program is a
 * rank: launchers, scripts and their helpers carry the same variables.
 */
static long rank_to_be(void) {
  const char *plan = getenv(REPRISE_ENV_PLAN), *word = rank_from_environment();
  const uint8_t *records, *end;
  const struct reprise_header *header =
      plan == NULL ? NULL : open_recorded(plan, word == NULL ? "0" : word, "order", &records, &end);
  char now[512] = "";
  if (header == NULL || (word == NULL && header->ranks != 1)) return -1;
  ssize_t length = readlink("/proc/self/exe", now, sizeof now - 1);
  return length > 0 && strncmp(now, header->executable, sizeof now) == 0 ? (long)header->rank : -1;
}

static void connect_to_debugger(const char *directory, unsigned rank_number, unsigned when, struct reprise_hold *page) {
  words = connect_as(directory, rank_number | when);
  int lifeline = connect_as(directory, rank_number | REPRISE_HOLD_LIFELINE);
  if (page == NULL || words < 0 || lifeline < 0 || !die_with(lifeline)) {
    complain("the debugger cannot be reached: %s", strerror(errno));
    _exit(1);
  }
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* its gdb is no ancestor of ours */
  page->pid = (uint32_t)syscall(SYS_getpid);
}

/*
 * Before main, where the launcher says which rank a process will be: lines before MPI_Init can have breakpoints then. Of
 * several processes of a rank the first is held.
 */
void hold_early(void) {
  const char *directory = getenv(REPRISE_ENV_HOLD);
  long number = directory == NULL ? -1 : rank_to_be();
  struct reprise_hold *page = number < 0 ? NULL : map_page(directory, (unsigned)number);
  if (page == NULL || __atomic_load_n(&page->until, __ATOMIC_ACQUIRE) > 0 || page->pid != 0) return;
  early_page = page;
  connect_to_debugger(directory, (unsigned)number, REPRISE_HOLD_EARLY, page);
  hold_at_beginning(page);
}

/* It waits there for ranks that are held before it. */
void hold_in_init(bool inside) {
  if (early_page == NULL) return;
  __atomic_store_n(&early_page->state, inside ? REPRISE_HOLD_INSIDE : REPRISE_HOLD_OUTSIDE, __ATOMIC_RELEASE);
}

void hold_begin(unsigned rank_number) {
  const char *directory = getenv(REPRISE_ENV_HOLD);
  if (directory == NULL) return;
  int early_words = early_page == NULL ? -1 : words;
  hold_begin_in(directory, rank_number);
  if (early_page == NULL) hold_at_beginning(hold_page);
  else close(early_words);
  hold_outside();
  if (reprise_next_mark != NULL) next_mark = reprise_next_mark();
}

void hold_begin_in(const char *directory, unsigned rank_number) {
  struct reprise_hold *page = map_page(directory, rank_number);
  connect_to_debugger(directory, rank_number, 0, page);
  hold_page = page;
  hold_outside(); /* its next call is the first place where it can be held */
}
