/* where.c: what a rank that waits is asked for. */
#ifndef REPRISE_WHERE_H
#define REPRISE_WHERE_H

#include "rank.h"

#pragma GCC visibility push(hidden)

/* A blocking call waits for a message of this source, or for this destination. Hot: bench/run self-loop. */
static inline void note_wait(enum call id, enum reprise_wait what, int peer, int tag, uint64_t comm_id) {
  trace.waits[0] = (struct reprise_wait_note){(uint16_t)(id + 1), (uint16_t)what, peer, tag, (uint32_t)comm_id};
}
/* The requests that this thread waits for, until it leaves the call. */
static inline void note_requests(int count, const MPI_Request *requests) {
  self.waits = requests;
  self.wait_count = count;
}
void where_begin(void);

#pragma GCC visibility pop

#endif
