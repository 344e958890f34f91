/*
 * Files that the program opens to read, in a recording: a line for each, when it is opened for the first time, with its
 * size and time then. Reprise hashes those that are still the same when the run is over. What belongs to the system, and
 * what MPI opens for itself, is no input of the program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rank.h"
#include "reads.h"

enum { FILES_MAX = 1024, BEFORE_BYTES = 64 << 10, FIRST_DESCRIPTOR = 900 };

static uint64_t known[FILES_MAX]; /* by device and number */
static char before[BEFORE_BYTES]; /* what was opened before MPI_Init has said which rank this is */
static size_t before_bytes;
static int file = -1;
static bool noting;

static bool is_known(const struct stat *found) {
  uint64_t key = reprise_mix(reprise_mix(1, (uint64_t)found->st_dev), (uint64_t)found->st_ino) | 1;
  for (size_t i = key % FILES_MAX, n = 0; n < FILES_MAX; i = (i + 1) % FILES_MAX, n++) {
    uint64_t empty = 0;
    if (__atomic_compare_exchange_n(&known[i], &empty, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return false;
    if (empty == key) return true;
  }
  return true; /* there are too many to be told apart */
}

static bool is_systems(const char *path) {
  static const char *const begins[] = {"/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/", "/run/", "/var/lib/"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(path, begins[i], strlen(begins[i])) == 0) return true;
  const char *run = getenv(REPRISE_ENV_RUN);
  return run != NULL && strncmp(path, run, strlen(run)) == 0;
}

void reads_note(int fd, bool reads) {
  if (likely(!noting) || fd < 0 || !reads || inside()) return;
  int error = errno;
  struct stat found;
  char link[64], line[4400];
  if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && !is_known(&found)) {
    int head = snprintf(line, sizeof line, "%lld %lld ", (long long)found.st_size,
                        (long long)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, line + head, sizeof line - (size_t)head - 2);
    if (n > 0) {
      size_t all = (size_t)head + (size_t)n;
      line[all] = 0;
      bool wanted = line[head] == '/' && strchr(line, '\n') == NULL && !is_systems(line + head);
      line[all++] = '\n';
      if (wanted && file >= 0 && write(file, line, all) < 0) reads_off();
      if (wanted && file < 0 && before_bytes + all <= sizeof before) {
        memcpy(before + before_bytes, line, all);
        before_bytes += all;
      }
    }
  }
  errno = error;
}

void reads_begin(const char *run, int rank_number) {
  char path[4200];
  if (!noting || run == NULL) return;
  snprintf(path, sizeof path, "%s/rank-%d.reads", run, rank_number);
  int low = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (low < 0) {
    reads_off();
    return;
  }
  file = fcntl(low, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  if (file < 0) file = low;
  else close(low);
  if (before_bytes > 0 && write(file, before, before_bytes) < 0) reads_off();
}

void reads_on(void) { noting = true; }
void reads_off(void) { noting = false; }
