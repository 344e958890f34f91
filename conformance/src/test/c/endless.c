/* A server that never ends: rank 0 takes what the others send, from any of them. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int request = 0;; request++) {
    if (rank == 0) {
      MPI_Recv(&request, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      usleep(1000);
      MPI_Send(&request, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
}
