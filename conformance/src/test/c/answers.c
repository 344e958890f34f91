/*
 * Rank 0 says how each kind of open question was answered: which message a Probe and an Iprobe saw, which request a Waitany
 * completed, and how often a Test failed before.
 */
#include <mpi.h>
#include <stdio.h>

static int value;
static MPI_Status status;

static void receive(int source, int tag) { MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &status); }

static void ask(void) {
  MPI_Request requests[2];
  int values[2], chosen, done = 0, failed = 0;
  for (int i = 0; i < 2; i++) MPI_Irecv(&values[i], 1, MPI_INT, i + 1, 2, MPI_COMM_WORLD, &requests[i]);
  MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
  printf("probe %d\n", status.MPI_SOURCE);
  receive(status.MPI_SOURCE, 1);
  receive(MPI_ANY_SOURCE, 1);
  MPI_Waitany(2, requests, &chosen, MPI_STATUS_IGNORE);
  printf("waitany %d\n", chosen);
  MPI_Wait(&requests[1 - chosen], MPI_STATUS_IGNORE);
  MPI_Irecv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[0]);
  while (MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE), !done) failed++;
  printf("test %d\n", failed);
  for (done = 0; !done;) MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &done, &status);
  printf("iprobe %d\n", status.MPI_SOURCE);
  receive(status.MPI_SOURCE, 4);
  receive(MPI_ANY_SOURCE, 4);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) ask();
  else
    for (int tag = 1; tag <= 4; tag++)
      if (tag != 3 || rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
