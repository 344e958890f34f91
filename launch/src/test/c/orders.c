/*
 * Rank 0 takes a message from each of the others by non-blocking wildcards, on a communicator that numbers ranks the
 * other way round. With the last message from rank 1 of MPI_COMM_WORLD it aborts.
 */
#include <mpi.h>
#include <stdio.h>

enum { RANKS_MAX = 16, TAG = 7 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int world, size, rank, got[RANKS_MAX], last = 0;
  MPI_Comm reversed;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world, &reversed);
  MPI_Comm_rank(reversed, &rank);
  if (world == 0) {
    MPI_Request requests[RANKS_MAX];
    for (int i = 0; i < size - 1; i++)
      MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, reversed, &requests[i]);
    for (int i = 0; i < size - 1; i++) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    last = got[size - 2];
    printf("last %d\n", last);
    fflush(stdout);
    if (last == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  } else {
    MPI_Send(&world, 1, MPI_INT, size - 1, TAG, reversed);
  }
  MPI_Finalize();
  return 0;
}
