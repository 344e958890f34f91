/*
 * The functions through which a program reads clocks, random sources and its process number. Each asks the real one
 * first; called by the MPI stack, by libc or before anybody asked, that is all it does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "inputs.h"
#include "modules.h"
#include "reads.h"

static const int64_t BILLION = 1000000000;

/* ---- Clocks ---- */

EXPORT double MPI_Wtime(void) {
  double now = REAL(Wtime)();
  if (rank.mode == REPRISE_OFF || inside()) return now;
  trace.call_counts[CALL_Wtime]++;
  return WANTED ? input_wtime(now) : now;
}
ALSO_AS_PMPI(Wtime);

EXPORT int clock_gettime(clockid_t clock, struct timespec *now) {
  int code = NEXT(clock_gettime)(clock, now);
  if (code == 0 && WANTED) {
    int64_t nanos = input_clock((unsigned)clock, now->tv_sec * BILLION + now->tv_nsec);
    now->tv_sec = nanos / BILLION;
    now->tv_nsec = nanos % BILLION;
  }
  return code;
}

EXPORT time_t time(time_t *where) {
  time_t now = NEXT(time)(NULL);
  if (WANTED) now = input_time(now);
  if (where != NULL) *where = now;
  return now;
}

EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int code = NEXT(gettimeofday)(now, zone);
  __asm__("" : "+r"(now)); /* the header says it is never NULL; programs that ask for the zone alone pass NULL */
  if (code == 0 && now != NULL && WANTED) {
    int64_t microseconds = input_microseconds(now->tv_sec * 1000000 + now->tv_usec);
    now->tv_sec = microseconds / 1000000;
    now->tv_usec = microseconds % 1000000;
  }
  return code;
}

EXPORT int timespec_get(struct timespec *now, int base) {
  int code = NEXT(timespec_get)(now, base);
  if (code == TIME_UTC && WANTED) {
    int64_t nanos = input_clock(CLOCK_REALTIME, now->tv_sec * BILLION + now->tv_nsec);
    now->tv_sec = nanos / BILLION;
    now->tv_nsec = nanos % BILLION;
  }
  return code;
}

EXPORT clock_t clock(void) {
  clock_t now = NEXT(clock)();
  return WANTED ? (clock_t)input_cpu(now) : now;
}

/* Deadlines that were computed from a clock; see deadline(). */
EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
  if ((flags & TIMER_ABSTIME) == 0 || !called_by_program(__builtin_return_address(0)))
    return NEXT(clock_nanosleep)(clock, flags, wanted, left);
  struct timespec real = deadline(wanted);
  return NEXT(clock_nanosleep)(clock, flags, &real, left);
}

EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  struct timespec real = deadline(until);
  return NEXT(sem_timedwait)(semaphore, &real);
}

/* ---- Random sources ---- */

EXPORT ssize_t getrandom(void *bytes, size_t length, unsigned flags) {
  ssize_t got = NEXT(getrandom)(bytes, length, flags);
  return got > 0 && WANTED ? (ssize_t)input_bytes(bytes, (size_t)got) : got;
}

EXPORT int getentropy(void *bytes, size_t length) {
  int code = NEXT(getentropy)(bytes, length);
  if (code == 0 && WANTED) input_bytes(bytes, length);
  return code;
}

EXPORT uint32_t arc4random(void) {
  uint32_t number;
  if (syscall(SYS_getrandom, &number, sizeof number, 0) != sizeof number) number = (uint32_t)now_nanos();
  if (WANTED) input_bytes(&number, sizeof number);
  return number;
}

EXPORT void arc4random_buf(void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t got = syscall(SYS_getrandom, (char *)bytes + done, length - done, 0);
    if (got > 0) done += (size_t)got;
  }
  if (WANTED) input_bytes(bytes, length);
}

EXPORT uint32_t arc4random_uniform(uint32_t bound) {
  uint64_t number = 0;
  if (syscall(SYS_getrandom, &number, sizeof number, 0) != sizeof number) number = now_nanos();
  uint32_t below = bound < 2 ? 0 : (uint32_t)(number % bound);
  if (WANTED) input_bytes(&below, sizeof below);
  return below;
}

/* std::random_device::_M_getval(): the processor's own generator cannot be watched, the class that reads it can. */
EXPORT unsigned random_device_value(void *device) __asm__("_ZNSt13random_device9_M_getvalEv");
EXPORT unsigned random_device_value(void *device) {
  static unsigned (*next)(void *);
  if (next == NULL) next = (unsigned (*)(void *))dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv");
  bool wanted = WANTED;
  self.depth++; /* the class reads other sources that are watched too */
  unsigned number = next(device);
  self.depth--;
  if (wanted) input_bytes(&number, sizeof number);
  return number;
}

/* ---- /dev/urandom, as a file descriptor or as a stream ---- */

enum { DESCRIPTORS = 4096 };
static uint8_t random_descriptor[DESCRIPTORS / 8];

static bool is_random(const char *path) {
  return path != NULL && path[0] == '/' && path[1] == 'd' &&
         (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

static void forget_random(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS && unlikely(random_descriptor[fd / 8] != 0))
    __atomic_and_fetch(&random_descriptor[fd / 8], (uint8_t)~(1 << fd % 8), __ATOMIC_RELAXED);
}

/* A number that a stream closed may come back for another file. */
static int opened(int fd, const char *path, int flags, const void *caller) {
  reads_note(fd, (flags & O_ACCMODE) != O_WRONLY && (flags & O_TRUNC) == 0);
  if (fd >= 0 && fd < DESCRIPTORS && is_random(path) && inputs_wanted(caller))
    __atomic_or_fetch(&random_descriptor[fd / 8], (uint8_t)(1 << fd % 8), __ATOMIC_RELAXED);
  else forget_random(fd);
  return fd;
}

#define OPENS(name, ...)                                                                                               \
  ({                                                                                                                   \
    unsigned mode = 0;                                                                                                 \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                               \
      va_list arguments;                                                                                               \
      va_start(arguments, flags);                                                                                      \
      mode = va_arg(arguments, unsigned);                                                                              \
      va_end(arguments);                                                                                               \
    }                                                                                                                  \
    opened(NEXT(name)(__VA_ARGS__, flags, mode), path, flags, __builtin_return_address(0));                            \
  })

EXPORT int open(const char *path, int flags, ...) { return OPENS(open, path); }
EXPORT int open64(const char *path, int flags, ...) { return OPENS(open64, path); }
EXPORT int openat(int at, const char *path, int flags, ...) { return OPENS(openat, at, path); }
EXPORT int openat64(int at, const char *path, int flags, ...) { return OPENS(openat64, at, path); }

EXPORT int close(int fd) {
  forget_random(fd);
  return NEXT(close)(fd);
}

static ssize_t read_some(ssize_t got, int fd, void *bytes, const void *caller) {
  if (likely(fd < 0 || fd >= DESCRIPTORS || (random_descriptor[fd / 8] >> fd % 8 & 1) == 0)) return got;
  return got > 0 && inputs_wanted(caller) ? (ssize_t)input_bytes(bytes, (size_t)got) : got;
}

EXPORT ssize_t read(int fd, void *bytes, size_t length) {
  return read_some(NEXT(read)(fd, bytes, length), fd, bytes, __builtin_return_address(0));
}

/* What the compiler makes of the same calls where it checks sizes (_FORTIFY_SOURCE). */
ssize_t __read_chk(int fd, void *bytes, size_t length, size_t room);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int at, const char *path, int flags);
int __openat64_2(int at, const char *path, int flags);

EXPORT ssize_t __read_chk(int fd, void *bytes, size_t length, size_t room) {
  return read_some(NEXT(__read_chk)(fd, bytes, length, room), fd, bytes, __builtin_return_address(0));
}
EXPORT int __open_2(const char *path, int flags) {
  return opened(NEXT(__open_2)(path, flags), path, flags, __builtin_return_address(0));
}
EXPORT int __open64_2(const char *path, int flags) {
  return opened(NEXT(__open64_2)(path, flags), path, flags, __builtin_return_address(0));
}
EXPORT int __openat_2(int at, const char *path, int flags) {
  return opened(NEXT(__openat_2)(at, path, flags), path, flags, __builtin_return_address(0));
}
EXPORT int __openat64_2(int at, const char *path, int flags) {
  return opened(NEXT(__openat64_2)(at, path, flags), path, flags, __builtin_return_address(0));
}

static ssize_t read_stream(void *unused, char *bytes, size_t length) {
  (void)unused;
  ssize_t got = syscall(SYS_getrandom, bytes, length, 0);
  return got > 0 ? (ssize_t)input_bytes(bytes, (size_t)got) : got;
}

static FILE *random_stream(const char *mode) {
  return fopencookie(NULL, mode, (cookie_io_functions_t){.read = read_stream});
}

static FILE *opened_stream(FILE *stream, const char *mode) {
  if (stream != NULL) reads_note(fileno(stream), mode[0] == 'r');
  return stream;
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode) {
  return is_random(path) && WANTED ? random_stream(mode) : opened_stream(NEXT(fopen)(path, mode), mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode) {
  return is_random(path) && WANTED ? random_stream(mode) : opened_stream(NEXT(fopen64)(path, mode), mode);
}

/* ---- The process number ---- */

EXPORT pid_t getpid(void) {
  pid_t now = (pid_t)syscall(SYS_getpid);
  return WANTED ? input_pid(now) : now;
}

/* A replayed program that signals itself names a process of long ago, which may be anybody's now. */
EXPORT int kill(pid_t pid, int signal) { return NEXT(kill)(pid > 0 ? pid_meant(pid) : pid, signal); }

EXPORT int sigqueue(pid_t pid, int signal, const union sigval value) {
  return NEXT(sigqueue)(pid_meant(pid), signal, value);
}

EXPORT int tgkill(pid_t pid, pid_t thread, int signal) {
  pid_t meant = pid_meant(pid);
  return NEXT(tgkill)(meant, thread == pid ? meant : thread, signal);
}

/* ---- The same by number ---- */

EXPORT long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
  va_end(arguments);
  long result = NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0) return result;
  switch (number) {
    case SYS_getrandom:
      return result > 0 && WANTED ? (long)input_bytes((void *)a[0], (size_t)result) : result;
    case SYS_getpid:
      return WANTED ? input_pid((int)result) : result;
#ifdef SYS_time
    case SYS_time:
      if (!WANTED) return result;
      result = input_time(result);
      if (a[0] != 0) *(time_t *)a[0] = result;
      return result;
#endif
    case SYS_clock_gettime:
      if (WANTED) {
        struct timespec *now = (struct timespec *)a[1];
        int64_t nanos = input_clock((unsigned)a[0], now->tv_sec * BILLION + now->tv_nsec);
        now->tv_sec = nanos / BILLION;
        now->tv_nsec = nanos % BILLION;
      }
      return result;
    case SYS_gettimeofday:
      if (a[0] != 0 && WANTED) {
        struct timeval *now = (struct timeval *)a[0];
        int64_t microseconds = input_microseconds(now->tv_sec * 1000000 + now->tv_usec);
        now->tv_sec = microseconds / 1000000;
        now->tv_usec = microseconds % 1000000;
      }
      return result;
    default:
      return result;
  }
}
