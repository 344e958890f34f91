/*
 * watch.c: what has to be known of a rank to recognise a deadlock (REPRISE_WATCH). Without it nothing of this is kept, and
 * rank.watched is false.
 */
#ifndef REPRISE_WATCH_H
#define REPRISE_WATCH_H

#include "comms.h"
#include "requests.h"

#pragma GCC visibility push(hidden)

void watch_begin(void);
static inline bool is_watched(void) { return rank.watched; } /* where a parameter is called rank */
void watch_write(bool in_wait); /* rank-<r>.waits, as it is now; in_wait: in a Wait*, whose requests are known */

uint64_t watch_sent(int dest, int tag, MPI_Comm comm); /* which of its channel it is, from 1 */
void watch_taken(int source, int tag, uint64_t comm_id);
void watch_send_begun(MPI_Request handle, int dest, int tag, MPI_Comm comm, bool synchronous);
void watch_collective(enum call id, int root, MPI_Comm comm, const MPI_Request *request);

#pragma GCC visibility pop

#endif
