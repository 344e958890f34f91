/*
 * Names of files. A restored rank that removes, renames or changes a file does so in a view of its own: private copies,
 * and names that are gone for it alone. The user's files stay as they are. What such a view cannot have, as links, other
 * processes and listings of directories, is refused by name.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "restore.h"

static bool changed; /* this rank sees other names than everybody else */

static bool exists(const char *path) {
  struct stat found;
  return syscall(SYS_newfstatat, AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- Names that are gone: a mark beside where the private file would be ---- */

static void removed_path(int at, const char *path, char *to, size_t room) {
  char own[4300];
  private_path(at, path, own, sizeof own);
  snprintf(to, room, "%s-gone", own);
}

bool is_removed(int at, const char *path) {
  char mark[4310];
  if (!changed) return false;
  removed_path(at, path, mark, sizeof mark);
  return exists(mark);
}

void forget_removed(int at, const char *path) {
  char mark[4310];
  removed_path(at, path, mark, sizeof mark);
  syscall(SYS_unlinkat, AT_FDCWD, mark, 0);
}

static void note_removed(int at, const char *path) {
  char mark[4310];
  removed_path(at, path, mark, sizeof mark);
  int made = (int)syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (made < 0) refuse("a file that cannot be removed in its own view");
  close(made);
  changed = true;
}

/* Where a name leads for this rank: to a private file, nowhere (NULL, ENOENT), or where it leads for all. */
static const char *seen(int at, const char *path, char own[4300]) {
  if (is_removed(at, path)) {
    errno = ENOENT;
    return NULL;
  }
  private_path(at, path, own, 4300);
  return exists(own) ? own : path;
}

/* What the run itself has changed since is not what it was. */
static int no_later(const char *path, const struct stat *found) {
  if (S_ISREG(found->st_mode) && is_later(found->st_mtim)) refuse_file(path);
  return 0;
}

/* ---- Removing and renaming ---- */

static int remove_name(int at, const char *path, bool directory) {
  char own[4300];
  struct stat found;
  const char *it = seen(at, path, own);
  if (it == NULL || syscall(SYS_newfstatat, at, it, &found, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  if (directory != S_ISDIR(found.st_mode)) {
    errno = directory ? ENOTDIR : EISDIR;
    return -1;
  }
  if (it == own && syscall(SYS_unlinkat, AT_FDCWD, own, directory ? AT_REMOVEDIR : 0) != 0) return -1;
  note_removed(at, path);
  return 0;
}

#define IS_OTHERS(path) (likely(!restored) || is_special(path))

EXPORT int unlink(const char *path) { return IS_OTHERS(path) ? NEXT(unlink)(path) : remove_name(AT_FDCWD, path, false); }
EXPORT int rmdir(const char *path) { return IS_OTHERS(path) ? NEXT(rmdir)(path) : remove_name(AT_FDCWD, path, true); }
EXPORT int unlinkat(int at, const char *path, int flags) {
  return IS_OTHERS(path) ? NEXT(unlinkat)(at, path, flags) : remove_name(at, path, (flags & AT_REMOVEDIR) != 0);
}
EXPORT int remove(const char *path) {
  if (IS_OTHERS(path)) return NEXT(remove)(path);
  return remove_name(AT_FDCWD, path, false) == 0 || (errno == EISDIR && remove_name(AT_FDCWD, path, true) == 0) ? 0 : -1;
}

/* A private copy of what is there, if there is none; false if nothing is. */
static bool own_copy(int at, const char *path, char own[4300]) {
  struct stat found;
  const char *it = seen(at, path, own);
  if (it == NULL) return false;
  if (it == own) return true;
  if (syscall(SYS_newfstatat, at, path, &found, 0) != 0) return false;
  if (!S_ISREG(found.st_mode)) refuse("a change to a directory or a special file");
  int opened = open_private(at, path, O_RDWR, 0);
  if (opened < 0) return false;
  close(opened);
  return true;
}

static int rename_to(int from_at, const char *from, int to_at, const char *to, bool keeps) {
  char one[4300], other[4300];
  if (!own_copy(from_at, from, one)) return -1;
  private_path(to_at, to, other, sizeof other);
  forget_removed(to_at, to);
  changed = true;
  if (keeps) return copy_path(one, other) ? 0 : -1;
  if (syscall(SYS_renameat, AT_FDCWD, one, AT_FDCWD, other) != 0) return -1;
  note_removed(from_at, from);
  return 0;
}

EXPORT int rename(const char *from, const char *to) {
  return likely(!restored) ? NEXT(rename)(from, to) : rename_to(AT_FDCWD, from, AT_FDCWD, to, false);
}
EXPORT int renameat(int from_at, const char *from, int to_at, const char *to) {
  return likely(!restored) ? NEXT(renameat)(from_at, from, to_at, to) : rename_to(from_at, from, to_at, to, false);
}
EXPORT int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  if (likely(!restored)) return NEXT(renameat2)(from_at, from, to_at, to, flags);
  if (flags != 0) refuse("renameat2 with flags");
  return rename_to(from_at, from, to_at, to, false);
}

/* Two names of one file are two files here: who writes by one and reads by the other is told. */
EXPORT int link(const char *from, const char *to) {
  if (likely(!restored)) return NEXT(link)(from, to);
  refuse("link");
}
EXPORT int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
  if (likely(!restored)) return NEXT(linkat)(from_at, from, to_at, to, flags);
  refuse("linkat");
}
EXPORT int symlink(const char *to, const char *path) {
  if (likely(!restored)) return NEXT(symlink)(to, path);
  refuse("symlink");
}
EXPORT int symlinkat(const char *to, int at, const char *path) {
  if (likely(!restored)) return NEXT(symlinkat)(to, at, path);
  refuse("symlinkat");
}
EXPORT int mkfifo(const char *path, mode_t mode) {
  if (likely(!restored)) return NEXT(mkfifo)(path, mode);
  refuse("mkfifo");
}
EXPORT int mknod(const char *path, mode_t mode, dev_t device) {
  if (likely(!restored)) return NEXT(mknod)(path, mode, device);
  refuse("mknod");
}

/* ---- Directories ---- */

static int make_directory(int at, const char *path, mode_t mode) {
  char own[4300];
  const char *it = seen(at, path, own);
  struct stat found;
  if (it != NULL && syscall(SYS_newfstatat, at, it, &found, 0) == 0) {
    errno = EEXIST;
    return -1;
  }
  forget_removed(at, path);
  private_path(at, path, own, sizeof own);
  changed = true;
  return (int)syscall(SYS_mkdirat, AT_FDCWD, own, mode | 0700);
}
EXPORT int mkdir(const char *path, mode_t mode) {
  return IS_OTHERS(path) ? NEXT(mkdir)(path, mode) : make_directory(AT_FDCWD, path, mode);
}
EXPORT int mkdirat(int at, const char *path, mode_t mode) {
  return IS_OTHERS(path) ? NEXT(mkdirat)(at, path, mode) : make_directory(at, path, mode);
}
EXPORT DIR *opendir(const char *path) {
  if (unlikely(restored && changed)) refuse("a listing of a directory, behind changes to names of files");
  return NEXT(opendir)(path);
}

/* ---- Modes, owners, times and lengths ---- */

#define CHANGES(name, parameters, arguments, at, path, own_arguments)                                                  \
  EXPORT int name parameters {                                                                                         \
    char own[4300];                                                                                                    \
    if (IS_OTHERS(path)) return NEXT(name) arguments;                                                                  \
    return own_copy(at, path, own) ? NEXT(name) own_arguments : -1;                                                    \
  }
CHANGES(chmod, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path, (own, mode | 0600))
CHANGES(fchmodat, (int at, const char *path, mode_t mode, int flags), (at, path, mode, flags), at, path,
        (AT_FDCWD, own, mode | 0600, flags))
CHANGES(chown, (const char *path, uid_t user, gid_t group), (path, user, group), AT_FDCWD, path, (own, user, group))
CHANGES(lchown, (const char *path, uid_t user, gid_t group), (path, user, group), AT_FDCWD, path, (own, user, group))
CHANGES(fchownat, (int at, const char *path, uid_t user, gid_t group, int flags), (at, path, user, group, flags), at,
        path, (AT_FDCWD, own, user, group, flags))
CHANGES(utimes, (const char *path, const struct timeval times[2]), (path, times), AT_FDCWD, path, (own, times))
CHANGES(utimensat, (int at, const char *path, const struct timespec times[2], int flags), (at, path, times, flags), at,
        path, (AT_FDCWD, own, times, flags))
CHANGES(truncate, (const char *path, off_t length), (path, length), AT_FDCWD, path, (own, length))
CHANGES(truncate64, (const char *path, off64_t length), (path, length), AT_FDCWD, path, (own, length))

/* By a descriptor: of a private file it may; of one that was opened to be read it would reach the user's. */
static void must_be_own(int descriptor, const char *name) {
  char link[64], path[4200];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t n = readlink(link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = 0;
  if (n > 0 && path[0] == '/' && !is_special(path)) refuse(name);
}
#define CHANGES_OPEN(name, parameters, arguments)                                                                      \
  EXPORT int name parameters {                                                                                         \
    if (unlikely(restored)) must_be_own(descriptor, #name " of a file that is open to be read");                       \
    return NEXT(name) arguments;                                                                                       \
  }
CHANGES_OPEN(fchmod, (int descriptor, mode_t mode), (descriptor, mode))
CHANGES_OPEN(fchown, (int descriptor, uid_t user, gid_t group), (descriptor, user, group))
CHANGES_OPEN(futimes, (int descriptor, const struct timeval times[2]), (descriptor, times))
CHANGES_OPEN(futimens, (int descriptor, const struct timespec times[2]), (descriptor, times))

/* ---- Questions ---- */

#define ASKS_OF(name, buffer, parameters, arguments, at, path, own_arguments)                                          \
  EXPORT int name parameters {                                                                                         \
    char own[4300];                                                                                                    \
    if (IS_OTHERS(path)) return NEXT(name) arguments;                                                                  \
    const char *it = seen(at, path, own);                                                                              \
    if (it == NULL) return -1;                                                                                         \
    if (it == own) return NEXT(name) own_arguments;                                                                    \
    int code = NEXT(name) arguments;                                                                                   \
    return code == 0 ? no_later(path, (const struct stat *)buffer) : code;                                             \
  }
ASKS_OF(stat, found, (const char *path, struct stat *found), (path, found), AT_FDCWD, path, (own, found))
ASKS_OF(lstat, found, (const char *path, struct stat *found), (path, found), AT_FDCWD, path, (own, found))
ASKS_OF(fstatat, found, (int at, const char *path, struct stat *found, int flags), (at, path, found, flags), at, path,
        (AT_FDCWD, own, found, flags))
_Static_assert(sizeof(struct stat64) == sizeof(struct stat), "one form serves both");
ASKS_OF(stat64, found, (const char *path, struct stat64 *found), (path, found), AT_FDCWD, path, (own, found))
ASKS_OF(lstat64, found, (const char *path, struct stat64 *found), (path, found), AT_FDCWD, path, (own, found))
ASKS_OF(fstatat64, found, (int at, const char *path, struct stat64 *found, int flags), (at, path, found, flags), at,
        path, (AT_FDCWD, own, found, flags))

EXPORT int access(const char *path, int how) {
  char own[4300];
  if (IS_OTHERS(path)) return NEXT(access)(path, how);
  const char *it = seen(AT_FDCWD, path, own);
  return it == NULL ? -1 : NEXT(access)(it, how);
}
EXPORT int faccessat(int at, const char *path, int how, int flags) {
  char own[4300];
  if (IS_OTHERS(path)) return NEXT(faccessat)(at, path, how, flags);
  const char *it = seen(at, path, own);
  return it == NULL ? -1 : NEXT(faccessat)(at, it, how, flags);
}

/* ---- Other processes do not share this view ---- */

EXPORT int system(const char *command) {
  if (likely(!restored)) return NEXT(system)(command);
  refuse("a process of its own (system)");
}
EXPORT int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const words[], char *const variables[]) {
  if (likely(!restored)) return NEXT(posix_spawn)(child, path, actions, attributes, words, variables);
  refuse("a process of its own (posix_spawn)");
}
EXPORT int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const words[], char *const variables[]) {
  if (likely(!restored)) return NEXT(posix_spawnp)(child, file, actions, attributes, words, variables);
  refuse("a process of its own (posix_spawnp)");
}
EXPORT int execve(const char *path, char *const words[], char *const variables[]) {
  if (unlikely(restored)) refuse("another program in its place (execve)");
  return NEXT(execve)(path, words, variables);
}
EXPORT int execv(const char *path, char *const words[]) {
  if (unlikely(restored)) refuse("another program in its place (execv)");
  return NEXT(execv)(path, words);
}
EXPORT int execvp(const char *file, char *const words[]) {
  if (unlikely(restored)) refuse("another program in its place (execvp)");
  return NEXT(execvp)(file, words);
}
