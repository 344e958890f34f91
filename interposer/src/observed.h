/*
 * What the library of events asks the recorder. The two are loaded together, the library of events in front: it sees
 * each call as the program made it, and hands it on to the recorder.
 */
#ifndef REPRISE_OBSERVED_H
#define REPRISE_OBSERVED_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "reprise_wire.h"

/* The header of this rank's order file; NULL if this process is no rank that is recorded or replayed. */
__attribute__((visibility("default"), weak)) const struct reprise_header *reprise_rank_header(void);
/* The identity of a communicator: the same on every member and in every run. */
__attribute__((visibility("default"), weak)) uint64_t reprise_comm_id(MPI_Comm comm);
/* The number of the calling thread. */
__attribute__((visibility("default"), weak)) int reprise_thread(void);
/* What the calling thread does from here on, or until here, is not the program's doing: its mutexes have no turns. */
__attribute__((visibility("default"), weak)) void reprise_own_doing(bool begins);
/* Replay: whether the rank still does what was recorded. What it does afterwards is no part of the run. */
__attribute__((visibility("default"), weak)) bool reprise_follows(void);

/* Standard sends of more than so many bytes wait for their receives. */
__attribute__((visibility("default"), weak)) int64_t reprise_eager_bytes(void);

/* Lets the library deliver messages, on behalf of no call of the program's. */
__attribute__((visibility("default"), weak)) void reprise_deliver(void);

/* What became of a post that the program never completed; only when the rank has finalized. */
enum reprise_fate { REPRISE_FATE_UNKNOWN, REPRISE_FATE_MATCHED, REPRISE_FATE_UNMATCHED };
__attribute__((visibility("default"), weak)) enum reprise_fate reprise_fate(uint64_t post, int *source, int *tag);

/* How many threads the program has created so far. */
__attribute__((visibility("default"), weak)) int reprise_threads(void);
/* This process is a rank that was restored: the descriptors of its files are not ours any more. */
__attribute__((visibility("default"), weak)) void reprise_forget_files(void);

/* What the library of checkpoints, behind the recorder, is asked. The next mark: UINT64_MAX if there is none. */
__attribute__((visibility("default"), weak)) uint64_t reprise_next_mark(void);
/* Takes a checkpoint. NULL: the rank goes on; else it is a restored one, and this is the directory of its debugger. */
__attribute__((visibility("default"), weak)) const char *reprise_checkpoint(void);
/* Whether a fork that happens now is of a checkpoint: the child is a rank as its parent. */
__attribute__((visibility("default"), weak)) bool reprise_forks(void);

/* What that one asks the library of events: how many calls are over. */
__attribute__((visibility("default"), weak)) uint64_t reprise_calls(void);
/* Returns when the debugger lets a restored rank return from the call that it is in. */
__attribute__((visibility("default"), weak)) void reprise_stay_inside(void);

#endif
