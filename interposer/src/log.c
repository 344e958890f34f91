/*
 * A log: the header and the records of one file, written through a shared mapping. What a process stored in it
 * survives the process, however it ends. The file grows by whole segments that are allocated before they are mapped:
 * a mapping of a sparse file on a full disk would kill the program with SIGBUS.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "rank.h"

enum { SEGMENT_FIRST = 64 << 10, SEGMENT_MAX = 1 << 20 };
static const uint64_t RESERVED_BYTES = UINT64_C(1) << 36; /* of address space, not memory */

/* One stretch of addresses for the whole file, so that records are never split. Small where address space is limited. */
static uint8_t *reserve(uint64_t *bytes) {
  for (*bytes = RESERVED_BYTES; *bytes >= UINT64_C(1) << 22; *bytes >>= 2) {
    void *place = mmap(NULL, *bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place != MAP_FAILED) return place;
  }
  return NULL;
}

/*
 * Allocates, or returns an error number. A limit on the size of files (ulimit -f) also sends SIGXFSZ, which by default
 * would end the program for a file that is not its own: it is held back and taken away again.
 */
int allocate(int fd, uint64_t from, uint64_t bytes) {
  sigset_t too_large, before, pending;
  sigemptyset(&too_large);
  sigaddset(&too_large, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &too_large, &before);
  sigpending(&pending);
  int error = posix_fallocate(fd, (off_t)from, (off_t)bytes);
  if (error == EFBIG && !sigismember(&pending, SIGXFSZ)) {
    const struct timespec at_once = {0};
    while (sigtimedwait(&too_large, NULL, &at_once) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static bool map_more(struct log *log, uint64_t from, uint64_t bytes) {
  uint8_t *at = (uint8_t *)log->header + from;
  if (log->fd < 0)
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at;
  int error = allocate(log->fd, from, bytes);
  if (error != 0) {
    errno = error;
    return false;
  }
  return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, log->fd, (off_t)from) == at;
}

static bool log_begin(struct log *log) {
  uint8_t *place = reserve(&log->reserved);
  if (place == NULL) return false;
  log->header = (struct reprise_header *)place;
  log->records = place + REPRISE_HEADER_BYTES;
  log->full = false;
  if (!map_more(log, 0, SEGMENT_FIRST)) {
    int error = errno;
    munmap(place, log->reserved);
    errno = error;
    return false;
  }
  log->mapped = SEGMENT_FIRST - REPRISE_HEADER_BYTES;
  return true;
}

/* Whoever writes to a log that could not be begun finds it full. */
static bool log_is_none(struct log *log) {
  static struct reprise_header none;
  *log = (struct log){.header = &none, .fd = -1, .full = true};
  return false;
}

bool log_in_memory(struct log *log) {
  log->fd = -1;
  return log_begin(log) || log_is_none(log);
}

bool log_create(struct log *log, const char *path, enum reprise_file file) {
  log->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (log->fd < 0) return log_is_none(log);
  if (!log_begin(log)) {
    int error = errno;
    close(log->fd);
    unlink(path);
    log_is_none(log);
    errno = error;
    return false;
  }
  struct reprise_header *h = log->header;
  h->version = REPRISE_WIRE_VERSION;
  h->header_bytes = REPRISE_HEADER_BYTES;
  h->file = file;
  __atomic_signal_fence(__ATOMIC_RELEASE);
  memcpy(h->magic, REPRISE_MAGIC, sizeof h->magic); /* last: a file with the magic has a header */
  return true;
}

bool log_grow(struct log *log, size_t bytes) {
  if (log->full) return false;
  uint64_t mapped = log->mapped + REPRISE_HEADER_BYTES;
  while (log->header->committed + bytes > log->mapped) {
    uint64_t segment = mapped < SEGMENT_MAX ? mapped : SEGMENT_MAX;
    if (mapped + segment > log->reserved || !map_more(log, mapped, segment)) {
      log->full = true;
      log->header->flags |= REPRISE_FLAG_DISK_FULL;
      complain("recording stops here: %s; the program goes on",
               mapped + segment > log->reserved ? "the file is as large as it may be" : strerror(errno));
      return false;
    }
    mapped += segment;
    log->mapped = mapped - REPRISE_HEADER_BYTES;
  }
  return true;
}

/* The tail that was allocated ahead is given back; what was committed stays mapped, for readers in this process. */
void log_close(struct log *log) {
  if (log->fd < 0) return;
  log->full = true; /* first: another thread may come along */
  uint64_t keep = REPRISE_HEADER_BYTES + log->header->committed, page = 4096;
  uint64_t kept = (keep + page - 1) / page * page, mapped = log->mapped + REPRISE_HEADER_BYTES;
  log->mapped = log->header->committed;
  if (mapped > kept) munmap((uint8_t *)log->header + kept, mapped - kept);
  if (ftruncate(log->fd, (off_t)keep) != 0) complain("could not shorten a rank file: %s", strerror(errno));
  close(log->fd);
  log->fd = -1;
}

/* A recorded file, read only; NULL if there is none that this version reads. */
const struct reprise_header *open_recorded(const char *directory, const char *rank_word, const char *what,
                                           const uint8_t **records, const uint8_t **end) {
  char path[4200];
  snprintf(path, sizeof path, "%s/rank-%s.%s", directory, rank_word, what);
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return NULL;
  struct stat file;
  const uint8_t *bytes = MAP_FAILED;
  if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size >= REPRISE_HEADER_BYTES)
    bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (bytes == MAP_FAILED) return NULL;
  const struct reprise_header *header = (const struct reprise_header *)bytes;
  if (memcmp(header->magic, REPRISE_MAGIC, sizeof header->magic) != 0 || header->version < REPRISE_WIRE_OLDEST ||
      header->version > REPRISE_WIRE_VERSION)
    return NULL;
  uint64_t room = (uint64_t)file.st_size - REPRISE_HEADER_BYTES;
  *records = bytes + REPRISE_HEADER_BYTES;
  *end = *records + (header->committed < room ? header->committed : room);
  return header;
}

const uint8_t *get_number(const uint8_t *p, const uint8_t *end, uint64_t *n) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && p < end; shift += 7) {
    uint8_t byte = *p++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) {
      *n = value;
      return p;
    }
  }
  return NULL;
}

const uint8_t *get_head(const uint8_t *p, const uint8_t *end, unsigned *kind, uint64_t *operand) {
  if (p >= end) return NULL;
  *kind = *p & 15;
  *operand = *p++ >> 4;
  if (*operand < REPRISE_INLINE) return p;
  uint64_t rest;
  p = get_number(p, end, &rest);
  if (p != NULL) *operand += rest * 4;
  return p;
}
