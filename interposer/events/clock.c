/*
 * The time of events. Two readings of a clock stand beside every call, so a reading has to be cheap: the processor's
 * own counter where the kernel trusts it, else the kernel's clock. The counter is set against CLOCK_MONOTONIC at the
 * start and again whenever a second has passed, so that the times of ranks on one machine stay comparable.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "events.h"

struct event_clock event_clock;

static uint64_t first_ticks, first_nanos;

static bool counter_is_trusted(void) {
#if defined(__x86_64__)
  char word[16] = {0};
  int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t n = read(fd, word, sizeof word - 1);
  close(fd);
  return n >= 3 && strncmp(word, "tsc", 3) == 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

uint64_t kernel_ticks(void) {
  struct timespec now;
  NEXT(clock_gettime)(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The counter and the clock at one moment: of a few tries, the one that nothing came between. */
static void read_both(uint64_t *ticks, uint64_t *nanos) {
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 5; i++) {
    uint64_t before = event_ticks(), now = now_nanos(), after = event_ticks();
    if (after - before >= shortest) continue;
    shortest = after - before;
    *ticks = before + (after - before) / 2;
    *nanos = now;
  }
}

static void anchor(uint64_t ticks, uint64_t nanos) {
  if (ticks > first_ticks && nanos > first_nanos)
    event_clock.nanos_per_tick = (uint64_t)(((__uint128_t)(nanos - first_nanos) << 32) / (ticks - first_ticks));
  event_clock.anchor_ticks = ticks;
  event_clock.anchor_nanos = nanos;
}

/* As early as can be: the longer it is until MPI_Init returns, the better the counter's speed is known then. */
__attribute__((constructor)) static void clock_loaded(void) {
  event_clock.counter = counter_is_trusted();
  event_clock.nanos_per_tick = UINT64_C(1) << 32;
  if (event_clock.counter) read_both(&first_ticks, &first_nanos);
}

void clock_begin(void) {
  enum { NANOS_MIN = 2000000 };
  if (!event_clock.counter) {
    event_clock.anchor_ticks = event_clock.anchor_nanos = kernel_ticks();
    return;
  }
  uint64_t ticks, nanos;
  do read_both(&ticks, &nanos);
  while (nanos - first_nanos < NANOS_MIN);
  anchor(ticks, nanos);
}

uint64_t nanos_of_late(uint64_t ticks) {
  if (!event_clock.counter) {
    event_clock.anchor_ticks = event_clock.anchor_nanos = ticks;
    return ticks;
  }
  uint64_t now_ticks, nanos;
  read_both(&now_ticks, &nanos);
  anchor(now_ticks, nanos);
  return nanos - (uint64_t)((__uint128_t)(now_ticks - ticks) * event_clock.nanos_per_tick >> 32);
}
