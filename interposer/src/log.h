/* log.c: a growing file written through a shared mapping, and the numbers in it. */
#ifndef REPRISE_LOG_H
#define REPRISE_LOG_H

#include "calls.h"

#pragma GCC visibility push(hidden)

struct log {
  struct reprise_header *header; /* of a log that could not be begun: a header in memory, and there is room for nothing */
  uint8_t *records; /* header->committed bytes of them are in use */
  uint64_t mapped, reserved;
  int fd; /* -1: memory only, until the rank is known */
  bool full;
};
int allocate(int fd, uint64_t from, uint64_t bytes);
bool log_create(struct log *log, const char *path, enum reprise_file file);
bool log_in_memory(struct log *log);
bool log_grow(struct log *log, size_t bytes);
void log_close(struct log *log);
const struct reprise_header *open_recorded(const char *directory, const char *rank_word, const char *what,
                                           const uint8_t **records, const uint8_t **end);

static inline bool log_has_room(struct log *log, size_t bytes) {
  return likely(log->header->committed + bytes <= log->mapped) || log_grow(log, bytes);
}

/* The record stands in the file; only now may a reader see it. A killed process loses no store that was made. */
static inline void log_commit(struct log *log, const uint8_t *end) {
  log->header->outcomes++;
  __atomic_signal_fence(__ATOMIC_RELEASE);
  *(volatile uint64_t *)&log->header->committed = (uint64_t)(end - log->records);
}

static inline uint8_t *put_number(uint8_t *p, uint64_t n) {
  while (n >= 0x80) {
    *p++ = (uint8_t)(n | 0x80);
    n >>= 7;
  }
  *p++ = (uint8_t)n;
  return p;
}

static inline uint8_t *put_head(uint8_t *p, unsigned kind, uint64_t operand) {
  if (likely(operand < REPRISE_INLINE)) {
    *p++ = (uint8_t)(kind | operand << 4);
    return p;
  }
  operand -= REPRISE_INLINE;
  *p++ = (uint8_t)(kind | (REPRISE_INLINE + operand % 4) << 4);
  return put_number(p, operand / 4);
}

static inline uint64_t zigzag(int64_t n) { return (uint64_t)n << 1 ^ (uint64_t)(n >> 63); }
static inline int64_t unzigzag(uint64_t n) { return (int64_t)(n >> 1) ^ -(int64_t)(n & 1); }

/* Both return NULL at a record that is not whole. */
const uint8_t *get_number(const uint8_t *p, const uint8_t *end, uint64_t *n);
const uint8_t *get_head(const uint8_t *p, const uint8_t *end, unsigned *kind, uint64_t *operand);

#pragma GCC visibility pop

#endif
