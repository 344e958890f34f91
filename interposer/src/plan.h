/* plan.c: what a replay must force. */
#ifndef REPRISE_PLAN_H
#define REPRISE_PLAN_H

#include "rank.h"

#pragma GCC visibility push(hidden)

struct outcome {
  enum reprise_kind kind;
  uint64_t number; /* counted over all records of the file */
  int64_t first, second;
  const uint8_t *rest; /* INDICES, ERROR: the operands that follow */
  bool with_tag;
};

enum post_fate { FATE_UNKNOWN, FATE_MATCH, FATE_MATCH_TAG, FATE_CANCELLED, FATE_NEVER };
struct post_outcome {
  int32_t source, tag;
  enum post_fate fate;
};

enum poll_fate {
  POLL_FREE,  /* not forced: ask the library */
  POLL_FALSE, /* recorded as failed: say so without asking anybody */
  POLL_TRUE   /* recorded as successful: make it so */
};

#define KIND(k) (1u << (k))

bool plan_load(const char *directory, int rank_number);
void plan_begin(int thread);
bool plan_take(enum call id, unsigned kinds, struct outcome *outcome, int64_t found0, int64_t found1);
void plan_force(enum call id, unsigned kinds, int *source, int *tag);
enum poll_fate plan_poll(enum call id, unsigned kinds, int64_t detail, struct outcome *outcome);
bool plan_error(struct outcome *outcome);
struct post_outcome plan_post(enum call id, uint64_t post, bool wildcard);
void plan_check(uint64_t events, uint64_t hash);
bool plan_wait_for_turn(void);
void plan_end_turn(void);
void plan_turn_wants_mutex(bool wants);
bool plan_has_turns(void);
void plan_finish(void);
bool plan_at_last_call(void);
bool plan_beyond_end(void);
enum post_fate plan_fate(const char *own_run, uint64_t post, int *source, int *tag);
void plan_diverged(enum reprise_divergence what, enum call id, const struct outcome *expected, int64_t found0,
                   int64_t found1);

#pragma GCC visibility pop

#endif
