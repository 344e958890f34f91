/*
 * Threads. Each is numbered by its creation, the same in every run of a program that creates them in one order. Where
 * more than one may call MPI, the order in which they enter MPI is an outcome; and since programs put a mutex around
 * such calls, or a critical section, so is the order in which they take those: a replay that only held back MPI calls
 * would wait inside one for a thread that waits for the mutex.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include "heap.h"
#include "inputs.h"
#include "modules.h"
#include "observed.h"
#include "plan.h"

static int births; /* threads that the program created */

/* Threads that were created in other ways are numbered when they first call MPI. */
int late_thread(void) {
  static int late;
  return 1000 + __atomic_fetch_add(&late, 1, __ATOMIC_RELAXED);
}

struct birth {
  void *(*run)(void *);
  void *argument;
  int number;
};

static void *born(void *memory) {
  struct birth birth = *(struct birth *)memory;
  give_memory(memory);
  self.thread = birth.number;
  return birth.run(birth.argument);
}

static struct birth *conceive(void *(*run)(void *), void *argument, const void *caller) {
  int number = !inside() && called_by_program(caller) ? __atomic_add_fetch(&births, 1, __ATOMIC_RELAXED) : -1;
  struct birth *birth = take_memory(sizeof *birth);
  *birth = (struct birth){run, argument, number};
  return birth;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  struct birth *birth = conceive(run, argument, __builtin_return_address(0));
  int code = NEXT(pthread_create)(thread, attributes, born, birth);
  if (code != 0) give_memory(birth);
  return code;
}

static int born_to_return_int(void *memory) { return (int)(intptr_t)born(memory); }

EXPORT int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  struct birth *birth = conceive((void *(*)(void *))(void (*)(void))run, argument, __builtin_return_address(0));
  int code = NEXT(thrd_create)(thread, born_to_return_int, birth);
  if (code != thrd_success) give_memory(birth);
  return code;
}

int reprise_threads(void) { return __atomic_load_n(&births, __ATOMIC_RELAXED); }

/* ---- The order of mutexes ---- */

static bool ordered(const void *caller) {
  return rank.lock_needed && births > 0 && rank.mode != REPRISE_OFF && !inside() && self.thread >= 0 &&
         self.busy == 0 && called_by_program(caller) && (recording() || (replaying() && plan_has_turns()));
}

static void note_turn(void) {
  self.busy++;
  lock();
  take_turn();
  unlock();
  self.busy--;
}

/* In a replay the turn is kept until the lock is taken: whoever comes next would race for it otherwise. */
static int take_in_turn(int (*take)(void *lock), void *lock) {
  bool mine = replaying() && plan_wait_for_turn();
  if (mine) plan_turn_wants_mutex(true);
  int code = take(lock);
  if (mine) {
    plan_turn_wants_mutex(false);
    plan_end_turn();
  }
  if (recording()) note_turn();
  return code;
}

static int take_mutex(void *mutex) { return NEXT(pthread_mutex_lock)(mutex); }

static int lock_in_turn(pthread_mutex_t *mutex) { return take_in_turn(take_mutex, mutex); }

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex) {
  return likely(!ordered(__builtin_return_address(0))) ? NEXT(pthread_mutex_lock)(mutex) : lock_in_turn(mutex);
}

EXPORT int mtx_lock(mtx_t *mutex) {
  if (likely(!ordered(__builtin_return_address(0)))) return NEXT(mtx_lock)(mutex);
  return lock_in_turn((pthread_mutex_t *)mutex) == 0 ? thrd_success : thrd_error;
}

/* ---- OpenMP's critical sections and locks, as gcc's library has them: not by mutexes ---- */

void GOMP_critical_start(void);
void GOMP_critical_name_start(void **name);
void omp_set_lock(void *lock);
void omp_set_nest_lock(void *lock);

static int take_critical(void *unused) {
  (void)unused;
  NEXT(GOMP_critical_start)();
  return 0;
}

EXPORT void GOMP_critical_start(void) {
  if (likely(!ordered(__builtin_return_address(0)))) NEXT(GOMP_critical_start)();
  else take_in_turn(take_critical, NULL);
}

#define OPENMP_LOCK(name, type)                                                                                        \
  static int take_##name(void *lock) {                                                                                 \
    NEXT(name)(lock);                                                                                                  \
    return 0;                                                                                                          \
  }                                                                                                                    \
  EXPORT void name(type lock) {                                                                                        \
    if (likely(!ordered(__builtin_return_address(0)))) NEXT(name)(lock);                                               \
    else take_in_turn(take_##name, lock);                                                                              \
  }

OPENMP_LOCK(GOMP_critical_name_start, void **)
OPENMP_LOCK(omp_set_lock, void *)
OPENMP_LOCK(omp_set_nest_lock, void *)

/* ---- Condition variables ---- */

/* A thread that was woken has the mutex again. In a replay it gives it back and takes it when it is its turn. */
static int locked_again(pthread_mutex_t *mutex, int code) {
  if (replaying()) {
    pthread_mutex_unlock(mutex);
    lock_in_turn(mutex);
  } else {
    note_turn();
  }
  return code;
}

/* The version is named because another function of that name, for programs of 2002, would be found first. */
#define NEXT_CONDITION(name)                                                                                           \
  ({                                                                                                                   \
    static __typeof__(&name) next;                                                                                     \
    if (next == NULL) next = (__typeof__(&name))dlvsym(RTLD_NEXT, #name, "GLIBC_2.3.2");                               \
    if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                               \
    next;                                                                                                              \
  })

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  int code = NEXT_CONDITION(pthread_cond_wait)(condition, mutex);
  return likely(!ordered(__builtin_return_address(0))) ? code : locked_again(mutex, code);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  struct timespec real = deadline(until);
  int code = NEXT_CONDITION(pthread_cond_timedwait)(condition, mutex, &real);
  return likely(!ordered(__builtin_return_address(0))) ? code : locked_again(mutex, code);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *until) {
  struct timespec real = deadline(until);
  int code = NEXT(pthread_cond_clockwait)(condition, mutex, clock, &real);
  return likely(!ordered(__builtin_return_address(0))) ? code : locked_again(mutex, code);
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  int code = NEXT(cnd_wait)(condition, mutex);
  return likely(!ordered(__builtin_return_address(0))) ? code : locked_again((pthread_mutex_t *)mutex, code);
}

EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until) {
  struct timespec real = deadline(until);
  int code = NEXT(cnd_timedwait)(condition, mutex, &real);
  return likely(!ordered(__builtin_return_address(0))) ? code : locked_again((pthread_mutex_t *)mutex, code);
}
