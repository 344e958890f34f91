/* What it prints depends on a probe's answer and on which request MPI_Waitany reports; no receive has a choice. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, got[3], seen, first;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
  } else {
    for (int i = 0; i < 2; i++) MPI_Irecv(&got[i], 1, MPI_INT, i + 1, 7, MPI_COMM_WORLD, &requests[i]);
    MPI_Iprobe(2, 8, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE);
    MPI_Waitany(2, requests, &first, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1 - first], MPI_STATUS_IGNORE);
    MPI_Recv(&got[2], 1, MPI_INT, 2, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("seen %d first %d\n", seen ? 1 : 0, first);
  }
  MPI_Finalize();
  return 0;
}
