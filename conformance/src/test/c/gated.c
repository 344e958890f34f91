/*
 * Rank 0 receives one message from any source, when there is only one. Then it makes the file "waiting", waits
 * for the file "go", and receives two messages that race. The beginning of this run alone has no race.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static void take(void) {
  int x;
  MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  if (rank == 0) {
    take();
    fclose(fopen("waiting", "w"));
    while (access("go", F_OK) != 0) usleep(10000);
  }
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0) MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  else {
    take();
    take();
  }
  MPI_Finalize();
  return 0;
}
