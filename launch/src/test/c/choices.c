/*
 * Rank 0 has two messages of each other rank for every kind of choice that MPI leaves open, and says whose it took: by a
 * blocking receive, a probe, Waitany, Waitsome, Test and Iprobe in turn. So one run has every kind of outcome.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SENDERS_MAX = 8, KINDS = 7 };
static int ranks, value;
static MPI_Request requests[SENDERS_MAX];
static int values[SENDERS_MAX];

static void took(int source) { printf(" %d", source); }

static void post(int tag) {
  for (int i = 0; i < ranks - 1; i++)
    MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[i]);
}

static void receive(void) {
  MPI_Status status;
  for (int i = 0; i < ranks - 1; i++) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    took(status.MPI_SOURCE);
  }
  for (int i = 0; i < ranks - 1; i++) {
    MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    took(status.MPI_SOURCE);
  }
  post(2);
  for (int i = 0; i < ranks - 1; i++) {
    int index;
    MPI_Waitany(ranks - 1, requests, &index, &status);
    took(status.MPI_SOURCE);
  }
  post(3);
  for (int left = ranks - 1; left > 0;) {
    int count, indices[SENDERS_MAX];
    MPI_Status statuses[SENDERS_MAX];
    MPI_Waitsome(ranks - 1, requests, &count, indices, statuses);
    for (int i = 0; i < count; i++) took(statuses[i].MPI_SOURCE);
    left -= count;
  }
  post(4);
  for (int left = ranks - 1, i = 0; left > 0; i = (i + 1) % (ranks - 1)) {
    int done = 0;
    if (requests[i] == MPI_REQUEST_NULL) continue;
    MPI_Test(&requests[i], &done, &status);
    if (done) took(status.MPI_SOURCE), left--;
  }
  for (int left = ranks - 1; left > 0;) {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &there, &status);
    if (!there) continue;
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    took(status.MPI_SOURCE);
    left--;
  }
  MPI_Request persistent;
  MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &persistent);
  for (int i = 0; i < ranks - 1; i++) {
    MPI_Start(&persistent);
    MPI_Wait(&persistent, &status);
    took(status.MPI_SOURCE);
  }
  MPI_Request_free(&persistent);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    printf("took");
    receive();
    printf("\n");
  } else {
    for (int kind = 0; kind < KINDS; kind++) MPI_Send(&rank, 1, MPI_INT, 0, kind, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
