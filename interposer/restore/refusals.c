/*
 * Processes that a fork would not copy whole: several threads, a Java VM, memory shared with others, connections, devices.
 * Nothing here guesses: who is refused is replayed from the start, as without checkpoints.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "restore.h"

#include "modules.h"

static const char *reason;

void refuse_checkpoints(const char *why) {
  if (reason == NULL) reason = why;
}

/* ---- Descriptors that the program opens ---- */

/* Not those that MPI opens, nor what it looks for in MPI_Init (displays, devices). */
static bool opened_by_program(const void *caller) { return depth == 0 && called_by_program(caller); }

EXPORT int socket(int domain, int type, int protocol) {
  int made = NEXT(socket)(domain, type, protocol);
  if (made >= 0 && domain != AF_NETLINK && opened_by_program(__builtin_return_address(0)))
    refuse_checkpoints("a socket of its own");
  return made;
}

EXPORT int socketpair(int domain, int type, int protocol, int pair[2]) {
  if (opened_by_program(__builtin_return_address(0))) refuse_checkpoints("a socket of its own");
  return NEXT(socketpair)(domain, type, protocol, pair);
}

EXPORT int pipe(int pair[2]) {
  if (opened_by_program(__builtin_return_address(0))) refuse_checkpoints("a pipe of its own");
  return NEXT(pipe)(pair);
}

EXPORT int pipe2(int pair[2], int flags) {
  if (opened_by_program(__builtin_return_address(0))) refuse_checkpoints("a pipe of its own");
  return NEXT(pipe2)(pair, flags);
}

EXPORT FILE *popen(const char *command, const char *mode) {
  if (unlikely(restored)) refuse("a process of its own (popen)");
  if (opened_by_program(__builtin_return_address(0))) refuse_checkpoints("a pipe of its own");
  return NEXT(popen)(command, mode);
}

/* ---- Memory ---- */

/* mprotect allows later what the descriptor allows now. */
static bool can_be_written(int prot, int flags, int fd) {
  if ((prot & PROT_WRITE) != 0 || (flags & MAP_ANONYMOUS) != 0) return true;
  return (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR;
}

static void look_at_mapping(int prot, int flags, int fd, const void *caller) {
  if ((flags & MAP_SHARED) != 0 && opened_by_program(caller) && can_be_written(prot, flags, fd))
    refuse_checkpoints("memory that it shares with others (MAP_SHARED)");
}

EXPORT void *mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t from) {
  look_at_mapping(prot, flags, fd, __builtin_return_address(0));
  return (void *)syscall(SYS_mmap, at, bytes, prot, flags, fd, from);
}

EXPORT void *mmap64(void *at, size_t bytes, int prot, int flags, int fd, off_t from) {
  look_at_mapping(prot, flags, fd, __builtin_return_address(0));
  return (void *)syscall(SYS_mmap, at, bytes, prot, flags, fd, from);
}

EXPORT void *shmat(int id, const void *at, int flags) {
  if (opened_by_program(__builtin_return_address(0)))
    refuse_checkpoints("memory that it shares with others (shmat)");
  return NEXT(shmat)(id, at, flags);
}

static bool contains(const char *line, const char *const *words) {
  for (; *words != NULL; words++)
    if (strstr(line, *words) != NULL) return true;
  return false;
}

static void look_at_modules(void) {
  static const char *const devices[] = {"/dev/nvidia", "/dev/kfd", "/dev/dri", NULL};
  static const char *const java[] = {"/libjvm.so", NULL};
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[4400];
  if (maps == NULL) return;
  while (fgets(line, sizeof line, maps) != NULL) {
    if (contains(line, java)) refuse_checkpoints("a Java virtual machine");
    if (contains(line, devices)) refuse_checkpoints("a graphics processor");
  }
  fclose(maps);
}

const char *why_not(void) {
  if (reason == NULL && reprise_threads != NULL && reprise_threads() > 0) reason = "threads of its own";
  if (reason == NULL) look_at_modules();
  return reason;
}
