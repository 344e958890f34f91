/* comms.c: identities of communicators. */
#ifndef REPRISE_COMMS_H
#define REPRISE_COMMS_H

#include "rank.h"

#pragma GCC visibility push(hidden)

uint64_t comm_id_slow(MPI_Comm comm);
extern MPI_Comm last_comm;
extern uint64_t last_comm_id;
static inline uint64_t comm_id(MPI_Comm comm) {
  return likely(comm == last_comm && !rank.lock_needed) ? last_comm_id : comm_id_slow(comm);
}
void comms_begin(void);

/* Of a rank that is watched: who is in it, by world ranks. */
struct comm_members {
  int *local, *remote;
  int size, remote_size;
};
uint64_t comm_collective(MPI_Comm comm, enum call id); /* a collective begins; its number on the communicator */
void comms_visit(void (*visit)(uint64_t id, const struct comm_members *members, uint64_t collectives, uint32_t last));
/* How many ranks a message on it can go to; INT32_MAX if not known. */
int comm_peers_slow(MPI_Comm comm);
extern int last_comm_peers; /* 0: not asked yet */
static inline int comm_peers(MPI_Comm comm) {
  return likely(comm == last_comm && last_comm_peers != 0 && !rank.lock_needed) ? last_comm_peers
                                                                                : comm_peers_slow(comm);
}
void private_comm_begin(void);
extern MPI_Comm private_comm; /* where a receive that must never match is posted, and progress is driven */

#pragma GCC visibility pop

#endif
