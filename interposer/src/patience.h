/* How a replay waits: it holds ranks back on purpose, and whoever waits must not keep others from running. */
#ifndef REPRISE_PATIENCE_H
#define REPRISE_PATIENCE_H

#include "rank.h"

#pragma GCC visibility push(hidden)

extern int tries_before_yield; /* so many looks, then others may run */
extern bool ranks_crowded; /* there are fewer processors than ranks */
void await_message(int source, int tag, MPI_Comm comm); /* probe.c */
void progress_begin(void); /* behind private_comm_begin, before the first drive_progress */
void progress_end(void);
void drive_progress(void);

#pragma GCC visibility pop

#endif
