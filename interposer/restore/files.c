/*
 * Files. A restored rank gets the regular files back that were open at the fork, on their descriptors, with the content
 * and the place of that moment. What it could write is a private copy: the user's files are never touched, neither these
 * nor files that it opens later. What it reads, and changed after the fork, is refused by name.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "restore.h"

/* A file that was open at the fork. */
struct kept_file {
  int descriptor, flags;
  off_t place;
  bool copied;
  struct stat then;
  struct kept_file *next;
  char path[]; /* of the copy, or of the file itself */
};
static struct kept_file *kept_files;
static const char *session; /* the directory of a restored rank's debugger */
static struct timespec forked;
static int forks;

enum { MODE = 0600 };
static const off_t COPIED_BYTES_MAX = (off_t)1 << 30;

static bool copy(int from, int to) {
  off_t at = 0;
  for (;;) {
    ssize_t n = sendfile(to, from, &at, 1 << 30);
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return false;
  }
}

bool copy_path(const char *from, const char *to) {
  int in = (int)syscall(SYS_openat, AT_FDCWD, from, O_RDONLY | O_CLOEXEC);
  int out = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, MODE);
  bool done = in >= 0 && out >= 0 && copy(in, out);
  if (in >= 0) close(in);
  if (out >= 0) close(out);
  return done;
}

static bool starts(const char *path, const char *prefix) {
  return prefix != NULL && strncmp(path, prefix, strlen(prefix)) == 0;
}

/* Ours, or the MPI library's. */
static bool is_nobodys(const char *path) {
  return starts(path, "/dev/shm/") || starts(path, "/memfd:") || strstr(path, "/ompi.") != NULL ||
         strstr(path, "/openmpi-sessions") != NULL || strstr(path, "/pmix-") != NULL ||
         starts(path, getenv(REPRISE_ENV_RUN)) || starts(path, getenv(REPRISE_ENV_HOLD)) ||
         starts(path, marks_directory) || starts(path, "/proc/") || starts(path, "/sys/");
}

static const char *keep_file(int descriptor) {
  static char why[4300];
  char link[64], path[4200], copied[4300];
  struct stat found;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0 || fstat(descriptor, &found) != 0) return NULL;
  path[n] = 0;
  bool device = S_ISCHR(found.st_mode) && starts(path, "/dev/") && descriptor > 2;
  if ((!S_ISREG(found.st_mode) && !device) || is_nobodys(path)) return NULL;
  int flags = fcntl(descriptor, F_GETFL);
  bool writable = S_ISREG(found.st_mode) && (flags & O_ACCMODE) != O_RDONLY;
  bool gone = strstr(path, " (deleted)") != NULL;
  const char *from = path;
  if (writable || (gone && !device)) {
    if (found.st_size > COPIED_BYTES_MAX) {
      snprintf(why, sizeof why, "an open file of more than 1 GB (%s)", path);
      return why;
    }
    snprintf(copied, sizeof copied, "%s/file-%d-%d-%d", marks_directory, own_rank, forks, descriptor);
    if (!copy_path(link, copied)) {
      snprintf(why, sizeof why, "a file that cannot be read (%s)", path);
      return why;
    }
    from = copied;
  }
  struct kept_file *kept = take_memory(sizeof *kept + strlen(from) + 1);
  *kept = (struct kept_file){.descriptor = descriptor, .flags = flags, .copied = from == copied, .then = found,
                             .place = lseek(descriptor, 0, SEEK_CUR), .next = kept_files};
  strcpy(kept->path, from);
  kept_files = kept;
  return NULL;
}

const char *files_keep(void) {
  while (kept_files != NULL) {
    struct kept_file *next = kept_files->next;
    give_memory(kept_files);
    kept_files = next;
  }
  forks++;
  const char *why = NULL;
  DIR *all = opendir("/proc/self/fd");
  if (all == NULL) return "no /proc";
  for (struct dirent *one; why == NULL && (one = readdir(all)) != NULL;) {
    int descriptor = atoi(one->d_name);
    if (one->d_name[0] < '0' || one->d_name[0] > '9' || descriptor >= FIRST_DESCRIPTOR || descriptor == dirfd(all) ||
        descriptor == 1 || descriptor == 2)
      continue;
    why = keep_file(descriptor);
  }
  closedir(all);
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &forked);
  return why;
}

bool is_later(struct timespec time) {
  return time.tv_sec > forked.tv_sec || (time.tv_sec == forked.tv_sec && time.tv_nsec > forked.tv_nsec);
}

_Noreturn void refuse_file(const char *path) {
  char why[4300];
  snprintf(why, sizeof why, "a file that was changed after the checkpoint (%s)", path);
  refuse(why);
}

void files_give_back(const char *directory) {
  session = directory;
  for (const struct kept_file *one = kept_files; one != NULL; one = one->next) {
    char own[4300];
    const char *path = one->path;
    struct stat now;
    snprintf(own, sizeof own, "%s/file-%d-%d", directory, own_rank, one->descriptor);
    if (one->copied && copy_path(one->path, own)) path = own;
    int opened = (int)syscall(SYS_openat, AT_FDCWD, path, one->flags & (O_ACCMODE | O_APPEND), 0);
    if (opened < 0 || fstat(opened, &now) != 0) refuse_file(one->path);
    if (!one->copied && S_ISREG(now.st_mode) &&
        (now.st_ino != one->then.st_ino || now.st_size != one->then.st_size ||
         memcmp(&now.st_mtim, &one->then.st_mtim, sizeof now.st_mtim) != 0))
      refuse_file(one->path);
    if (one->copied) unlink(own); /* nothing is left of it, however this process ends */
    lseek(opened, one->place, SEEK_SET);
    if (opened == one->descriptor) continue;
    dup2(opened, one->descriptor);
    close(opened);
  }
}

/* ---- Files that a restored rank opens ---- */

/* Where a file of that name is, if this rank has written it. */
void private_path(int at, const char *path, char *to, size_t room) {
  char whole[8400], here[4200] = "", link[64];
  if (path[0] != '/') {
    if (at == AT_FDCWD) strcpy(link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t n = readlink(link, here, sizeof here - 2);
    if (n > 0) here[n] = '/';
  }
  snprintf(whole, sizeof whole, "%s%s", here, path);
  uint64_t one = 1, other = 2;
  for (const char *p = whole; *p != 0; p++) {
    one = reprise_mix(one, (uint64_t)(unsigned char)*p);
    other = reprise_mix(other, one + (uint64_t)(unsigned char)*p);
  }
  snprintf(to, room, "%s/own-%d-%016lx%016lx", session, own_rank, (unsigned long)one, (unsigned long)other);
}

bool is_special(const char *path) {
  return starts(path, "/proc/") || starts(path, "/sys/") || starts(path, "/dev/") || starts(path, session) ||
         starts(path, marks_directory);
}

int open_private(int at, const char *path, int flags, mode_t mode) {
  char own[4300];
  struct stat found;
  if (is_special(path)) return (int)syscall(SYS_openat, at, path, flags, mode);
  if (is_removed(at, path)) {
    if ((flags & O_CREAT) == 0) {
      errno = ENOENT;
      return -1;
    }
    forget_removed(at, path);
    flags |= O_TRUNC;
  }
  private_path(at, path, own, sizeof own);
  bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  if (access(own, F_OK) == 0) return (int)syscall(SYS_openat, AT_FDCWD, own, flags & ~O_EXCL, mode);
  bool there = syscall(SYS_newfstatat, at, path, &found, 0) == 0 && S_ISREG(found.st_mode);
  if (!writes) {
    if (there && is_later(found.st_mtim)) refuse_file(path);
    return (int)syscall(SYS_openat, at, path, flags, mode);
  }
  if (there && (flags & O_TRUNC) == 0) {
    if (is_later(found.st_mtim)) refuse_file(path);
    int original = (int)syscall(SYS_openat, at, path, O_RDONLY | O_CLOEXEC);
    int made = (int)syscall(SYS_openat, AT_FDCWD, own, O_WRONLY | O_CREAT | O_CLOEXEC, MODE);
    bool copied = original >= 0 && made >= 0 && copy(original, made) && fchmod(made, found.st_mode | MODE) == 0;
    if (original >= 0) close(original);
    if (made >= 0) close(made);
    if (!copied) return -1;
  }
  if (!there && (flags & O_CREAT) == 0) {
    errno = ENOENT;
    return -1;
  }
  return (int)syscall(SYS_openat, AT_FDCWD, own, (flags | O_CREAT) & ~O_EXCL, MODE);
}

static mode_t mode_in(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

#define OPENS(name)                                                                                                    \
  EXPORT int name(const char *path, int flags, ...) {                                                                  \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = mode_in(flags, rest);                                                                                \
    va_end(rest);                                                                                                      \
    return likely(!restored) ? NEXT(name)(path, flags, mode) : open_private(AT_FDCWD, path, flags, mode);              \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                                                                 \
  EXPORT int name(int at, const char *path, int flags, ...) {                                                          \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = mode_in(flags, rest);                                                                                \
    va_end(rest);                                                                                                      \
    return likely(!restored) ? NEXT(name)(at, path, flags, mode) : open_private(at, path, flags, mode);                \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

EXPORT int creat(const char *path, mode_t mode) {
  return likely(!restored) ? NEXT(creat)(path, mode) : open_private(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

static int flags_of(const char *mode) {
  bool both = strchr(mode, '+') != NULL;
  int flags = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  if (mode[0] == 'w') flags |= O_CREAT | O_TRUNC;
  if (mode[0] == 'a') flags |= O_CREAT | O_APPEND;
  return flags | (strchr(mode, 'e') != NULL ? O_CLOEXEC : 0);
}

#define OPENS_STREAM(name)                                                                                             \
  EXPORT FILE *name(const char *path, const char *mode) {                                                              \
    if (likely(!restored)) return NEXT(name)(path, mode);                                                              \
    int opened = open_private(AT_FDCWD, path, flags_of(mode), 0666);                                                   \
    return opened < 0 ? NULL : fdopen(opened, mode);                                                                   \
  }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

#define OPENS_AGAIN(name)                                                                                              \
  EXPORT FILE *name(const char *path, const char *mode, FILE *stream) {                                                \
    char own[4300];                                                                                                    \
    if (likely(!restored) || path == NULL || is_special(path)) return NEXT(name)(path, mode, stream);                  \
    int opened = open_private(AT_FDCWD, path, flags_of(mode), 0666);                                                   \
    if (opened < 0) return NULL;                                                                                       \
    snprintf(own, sizeof own, "/proc/self/fd/%d", opened);                                                             \
    FILE *again = NEXT(name)(own, mode, stream);                                                                       \
    close(opened);                                                                                                     \
    return again;                                                                                                      \
  }
OPENS_AGAIN(freopen)
OPENS_AGAIN(freopen64)
