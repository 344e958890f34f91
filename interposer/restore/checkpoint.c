/*
 * Checkpoints. The rank forks on entry of a call, on the program's thread, and its grandchild waits: it has left the job
 * (session, descriptors, children) and holds nothing but the memory of that moment. Told to, it forks again, and that child
 * is the rank. Whoever waits for them dies when Reprise does, since their sockets end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "restore.h"

static int reports = -1; /* of the controlled re-execution: where it says what it has taken */
static bool forking, refused_once;
static char session_directory[4200];

bool reprise_forks(void) { return forking; }

static pid_t fork_rank(void) {
  forking = true;
  pid_t child = fork();
  forking = false;
  return child;
}

static void report(struct reprise_packet packet, const void *bytes) {
  if (reports < 0) reports = connect_to(marks_directory, "socket");
  if (reports < 0 || !say_packet(reports, packet, bytes)) {
    complain("checkpoints cannot be reported: %s", strerror(errno));
    _exit(1);
  }
}

void report_refusal(const char *why) {
  refuse_checkpoints(why);
  if (refused_once) return;
  refused_once = true;
  report((struct reprise_packet){.kind = REPRISE_PACKET_REFUSED, .number = 0, .bytes = strlen(why)}, why);
}

/* ---- In the checkpoint ---- */

/* Reprise's own files are mapped by the rank, too, which goes on and changes them: from here on they are memory. */
static void keep_mappings(void) {
  const char *run = getenv(REPRISE_ENV_RUN), *hold = getenv(REPRISE_ENV_HOLD);
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[4400];
  struct {
    char *from;
    size_t bytes;
  } found[64];
  int count = 0;
  if (maps == NULL) _exit(1);
  while (fgets(line, sizeof line, maps) != NULL && count < 64) {
    unsigned long from, to;
    char modes[8] = "";
    if (sscanf(line, "%lx-%lx %7s", &from, &to, modes) != 3 || modes[3] != 's' || modes[1] != 'w') continue;
    bool own = (run != NULL && strstr(line, run) != NULL) || (hold != NULL && strstr(line, hold) != NULL);
    if (!own) continue;
    found[count].from = (char *)from;
    found[count++].bytes = to - from;
  }
  fclose(maps);
  for (int i = 0; i < count; i++) {
    size_t bytes = found[i].bytes;
    char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) _exit(1);
    memcpy(copy, found[i].from, bytes);
    /* Not by libc: UCX, below MPICH, takes mremap over and loses the address. */
    if (syscall(SYS_mremap, copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, found[i].from) != (long)found[i].from) _exit(1);
  }
}

static void leave_job(void) {
  setsid();
  syscall(SYS_close_range, 3u, ~0u, 0u);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 0);
  dup2(nothing, 1);
  dup2(nothing, 2);
  if (nothing > 2) close(nothing);
  signal(SIGCHLD, SIG_IGN);
}

static void on_exit_of_restored(int status, void *unused) {
  (void)unused;
  end_restored(status);
}

/* The rank from here on. */
static void become_rank(int words, struct sigaction children) {
  close(words);
  setsid();
  sigaction(SIGCHLD, &children, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  reprise_forget_files();
  restored = true;
  hub_begin(session_directory);
  results_reopen();
  files_give_back(session_directory);
  on_exit(on_exit_of_restored, NULL);
}

/* Returns in a rank that was restored. */
static void wait_to_be_restored(uint64_t number, struct sigaction children) {
  int words = connect_to(marks_directory, "socket");
  if (words < 0) _exit(0);
  if (!say_packet(words, (struct reprise_packet){.kind = REPRISE_PACKET_WAITS, .number = number, .call = reprise_calls(),
                                                 .tag = (int32_t)syscall(SYS_getpid)}, NULL))
    _exit(0);
  for (;;) {
    struct reprise_packet asked;
    if (!read_all(words, &asked, sizeof asked) || asked.kind != REPRISE_PACKET_RESTORE ||
        asked.bytes >= sizeof session_directory || !read_all(words, session_directory, asked.bytes))
      _exit(0);
    session_directory[asked.bytes] = 0;
    if (fork_rank() != 0) continue;
    become_rank(words, children);
    return;
  }
}

/* ---- In the rank ---- */

/* True in a rank that was restored. */
static bool fork_checkpoint(uint64_t number) {
  struct sigaction ignored = {.sa_handler = SIG_DFL}, before;
  int ready[2];
  char word;
  if (syscall(SYS_pipe2, ready, O_CLOEXEC) != 0) return false;
  /* The program is not to hear of a child that it has not made. */
  sigaction(SIGCHLD, &ignored, &before);
  pid_t child = fork_rank();
  if (child == 0) {
    if (fork_rank() != 0) _exit(0);
    keep_mappings();
    if (write(ready[1], "r", 1) != 1) _exit(1);
    leave_job();
    wait_to_be_restored(number, before);
    return true;
  }
  close(ready[1]);
  if (child > 0) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    if (read(ready[0], &word, 1) < 0) complain("a checkpoint was not taken: %s", strerror(errno));
  } else {
    refuse_checkpoints("a fork that failed");
  }
  close(ready[0]);
  sigaction(SIGCHLD, &before, NULL);
  return false;
}

const char *reprise_checkpoint(void) {
  uint64_t number = mark_taken();
  const char *why = why_not();
  depth++;
  if (why == NULL) {
    fflush(stdout);
    why = files_keep();
  }
  bool is_restored = why == NULL && fork_checkpoint(number);
  depth--;
  if (is_restored) return session_directory;
  if (why == NULL) {
    report((struct reprise_packet){.kind = REPRISE_PACKET_TAKEN, .number = number + 1, .call = reprise_calls()}, NULL);
  } else {
    report_refusal(why);
  }
  return NULL;
}
