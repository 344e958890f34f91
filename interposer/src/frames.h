/* What a program's stack is to Reprise: the library of events has one for each call site, the recorder one on demand. */
#ifndef REPRISE_FRAMES_H
#define REPRISE_FRAMES_H

#include "heap.h"
#include "log.h"

#pragma GCC visibility push(hidden)

struct stack {
  uint64_t hash;
  int count, depth; /* so many frames are wanted */
  uintptr_t frames[REPRISE_FRAMES_MAX];
};

/* Of the calling thread, from the innermost frame that is the program's. Expects an empty stack. */
void unwind(struct stack *stack);

/* A file of sites that is being written. */
struct frames {
  struct log *log;
  struct map modules; /* by base + 1: an executable at a fixed place has base 0 */
  uint32_t module_count;
};
bool frames_write(struct frames *frames, const struct stack *stack); /* a STACK record; false: no room */

/* ---- python.c ---- */

void python_begin(void);
struct reprise_named_site *python_site(uintptr_t address, int depth);

#pragma GCC visibility pop

#endif
