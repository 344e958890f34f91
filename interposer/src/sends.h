/* sends.c: what is sent in a replay leaves from a private copy. */
#ifndef REPRISE_SENDS_H
#define REPRISE_SENDS_H

#include "requests.h"

#pragma GCC visibility push(hidden)

uint64_t rendezvous_bytes(void); /* rendezvous.c: 0 if not known */
bool rendezvous_is_known_of(MPI_Datatype type);
bool send_is_valid(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
bool receive_is_valid(MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm);
bool probe_is_valid(int source, int tag, MPI_Comm comm);
bool buffer_is_valid(const void *buffer, MPI_Count count, MPI_Datatype type);
bool send_needs_copy(MPI_Count count, MPI_Datatype type); /* replay; of a valid one */
/* Of a rank that is watched: a valid standard send that is to wait for its receive. */
bool send_waits(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int replay_send_begin(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      struct request *request, MPI_Request *handle);
int replay_send_end(struct request *request, MPI_Request *handle);
bool send_is_done(MPI_Request handle, bool patiently);
void send_later(struct request *request, MPI_Request handle);
void send_behind(struct request *request, MPI_Request handle);
void sends_drain(bool to_the_end);

#pragma GCC visibility pop

#endif
